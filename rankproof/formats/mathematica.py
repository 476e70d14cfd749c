"""Mathematica's nested braces: ``{{A, B, C}, ...}``, one triple of matrices a product."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rankproof.errors import FormatError
from rankproof.formats.nested import Nested, as_matrix, flattened, read_nested
from rankproof.formats.scheme import Factor, Scheme
from rankproof.formats.source import Source
from rankproof.problem.field import Scalar

NAME = "mathematica"
SUMMARY = "nested braces {{A, B, C}, ...}, three matrices a product"

_OPENING = re.compile(r"\s*(?:\w+\s*=\s*)?\{\s*\{\s*\{\s*\{")


def sniff(source: Source) -> bool:
    """Whether the text opens four braces, perhaps after a name and ``=``."""
    return not source.is_binary and _OPENING.match(source.text) is not None


def read(source: Source) -> list[Scheme]:
    """The scheme of a file.

    Raises
    ------
    FormatError
        If the text is no list of triples of matrices, or their shapes differ from product to product.
    """
    text = source.text[source.text.index("{") :].rstrip().rstrip(";")
    value = read_nested(text, "{}", source.name, source.symbols.get)
    return [Scheme(source.name, None, triples(value, source.name), format=NAME)]


def triples(value: Nested, where: str) -> tuple[Factor, Factor, Factor]:
    """Factor matrices of a list of triples of matrices.

    Raises
    ------
    FormatError
        If it is no such list.
    """
    if not isinstance(value, list):
        raise FormatError(f"{where} is not a list of products")
    matrices: tuple[list[list[list[Scalar]]], ...] = ([], [], [])
    for k, triple in enumerate(value, 1):
        if not isinstance(triple, list) or len(triple) != 3:
            raise FormatError(f"{where}, product {k}: three matrices A, B, C are expected")
        for place, matrix in zip(matrices, triple, strict=True):
            place.append(as_matrix(matrix, f"{where}, product {k}"))
    return matrix_factors(matrices, where)


def matrix_factors(matrices: Sequence[list[list[list[Scalar]]]], where: str) -> tuple[Factor, Factor, Factor]:
    """Factor matrices of the matrices of all products, each matrix read row by row."""
    U, V, W = (Factor.of_vectors(*flattened(group, where)) for group in matrices)
    return U, V, W

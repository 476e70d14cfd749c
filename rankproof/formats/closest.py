"""What is wrong with a scheme that fails: the convention that came closest, and its first wrong coefficient."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rankproof.formats.convention import Convention, matmul_shape
from rankproof.formats.expansion import Expansion, entry
from rankproof.formats.finding import Mismatch
from rankproof.formats.products import coefficient
from rankproof.formats.scheme import Scheme
from rankproof.problem.field import QQ, Field, Scalar
from rankproof.problem.space import Word
from rankproof.problem.target import Target


@dataclass(frozen=True)
class Attempt:
    """One reading of a scheme and how wrong it is.

    Attributes
    ----------
    wrong_entries
        Number of entries that differ from the target, powers of eps below `order` included.
    order
        Power of eps at which the target was looked for; 0 for a scheme without eps.
    convention
        How the coordinates were read.
    """

    wrong_entries: int
    order: int
    convention: Convention


def closest_mismatch(
    scheme: Scheme, target: Target, field: Field, expansion: Expansion, attempt: Attempt
) -> Mismatch:
    """The mismatch of the attempt that came closest, in words.

    Parameters
    ----------
    scheme, target, field
        What was compared, and over which field.
    expansion
        Sum of the products of the scheme over that field.
    attempt
        The best of all readings; at least one entry is wrong in it.
    """
    wanted = target.over(field).as_dict()
    order, convention = attempt.order, attempt.convention
    word = _first_wrong(expansion, attempt, wanted)
    position = int(convention.positions(np.array([word]), expansion.sizes)[0])
    expected = coefficient({order: wanted.get(word, 0)})  # type: ignore[dict-item]
    got = coefficient({e: entry(expansion, e, position) for e in expansion.slices if e <= order})
    ring = "ZZ" if field == QQ and scheme.is_integral else str(field)
    count = "1 entry is wrong" if attempt.wrong_entries == 1 else f"{attempt.wrong_entries} entries are wrong"
    reason = (
        f"{scheme.label} is not {target.text} over {ring}: in the closest convention ({convention.text}) the"
        f" {_name(word, target)} is {got} where {expected} is expected, and in all {count}"
    )
    if scheme.remark:
        reason += f"; {scheme.remark}"
    return Mismatch(
        scheme, target, field, reason, convention.text, word, expected, got, attempt.wrong_entries
    )


def _first_wrong(expansion: Expansion, attempt: Attempt, wanted: Mapping[Word, Scalar]) -> Word:
    """First word of the target where the expansion up to eps^order is not the target times eps^order."""
    wrong: set[Word] = set()
    right: set[Word] = set()
    for exponent, here in expansion.slices.items():
        if exponent > attempt.order:
            break
        words = attempt.convention.words(here.positions, expansion.sizes).tolist()
        for word, value in zip(map(tuple, words), here.values.tolist(), strict=True):
            is_right = exponent == attempt.order and wanted.get(word, 0) * expansion.scale == value
            (right if is_right else wrong).add(word)
    missing = wanted.keys() - right
    return min(wrong | missing)


def _name(word: Word, target: Target) -> str:
    """The entry in words: for a matrix product, the coefficient of a(i,j)*b(j,k) in c(i,k), numbered from 1."""
    shape = matmul_shape(target)
    if shape is None:
        return f"entry {word}"
    _, m, p = shape
    places = [divmod(index, columns) for index, columns in zip(word, (m, p, p), strict=True)]
    a, b, c = (f"{letter}({i + 1},{j + 1})" for letter, (i, j) in zip("abc", places, strict=True))
    return f"coefficient of {a}*{b} in {c} (entry {word})"

"""The formats of schemes that can be read, and the one function that reads them all."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rankproof.errors import FormatError, UsageError
from rankproof.formats import (
    alphaevolve,
    alphatensor,
    alphatensor_quantum,
    bini,
    brent,
    fast_matmul,
    flip_cpd,
    json_matrices,
    json_program,
    json_terms,
    maple,
    mathematica,
    matlab,
    plinopt,
    product_lines,
    program_text,
)
from rankproof.formats.scheme import Scheme
from rankproof.formats.source import Source
from rankproof.problem.field import Scalar


def _itself(name: str) -> tuple[str, ...]:
    return (name,)


@dataclass(frozen=True)
class Format:
    """A file format of schemes.

    Attributes
    ----------
    name
        Name in messages and in the documentation.
    summary
        One line for a list of formats.
    sniff
        Whether a file looks like this format.
    read
        Schemes of a file; raises FormatError.
    members
        The files that a scheme is spread over, by the name of one of them.
    """

    name: str
    summary: str
    sniff: Callable[[Source], bool]
    read: Callable[[Source], list[Scheme]]
    members: Callable[[str], tuple[str, ...]] = _itself


# Tried from top to bottom: a format that any text could be comes last. One file a format.
FORMATS: tuple[Format, ...] = (
    Format(
        alphatensor_quantum.NAME,
        alphatensor_quantum.SUMMARY,
        alphatensor_quantum.sniff,
        alphatensor_quantum.read,
    ),
    Format(alphatensor.NAME, alphatensor.SUMMARY, alphatensor.sniff, alphatensor.read),
    Format(flip_cpd.NAME, flip_cpd.SUMMARY, flip_cpd.sniff, flip_cpd.read),
    Format(alphaevolve.NAME, alphaevolve.SUMMARY, alphaevolve.sniff, alphaevolve.read),
    Format(json_program.NAME, json_program.SUMMARY, json_program.sniff, json_program.read),
    Format(json_matrices.NAME, json_matrices.SUMMARY, json_matrices.sniff, json_matrices.read),
    Format(json_terms.NAME, json_terms.SUMMARY, json_terms.sniff, json_terms.read),
    Format(mathematica.NAME, mathematica.SUMMARY, mathematica.sniff, mathematica.read),
    Format(maple.NAME, maple.SUMMARY, maple.sniff, maple.read),
    Format(matlab.NAME, matlab.SUMMARY, matlab.sniff, matlab.read),
    Format(bini.NAME, bini.SUMMARY, bini.sniff, bini.read),
    Format(brent.NAME, brent.SUMMARY, brent.sniff, brent.read),
    Format(plinopt.NAME, plinopt.SUMMARY, plinopt.sniff, plinopt.read, plinopt.members),
    Format(fast_matmul.NAME, fast_matmul.SUMMARY, fast_matmul.sniff, fast_matmul.read),
    Format(product_lines.NAME, product_lines.SUMMARY, product_lines.sniff, product_lines.read),
    Format(program_text.NAME, program_text.SUMMARY, program_text.sniff, program_text.read),
)


def find_format(source: Source) -> Format | None:
    """The format that a file is in; None when no format knows it."""
    return next((format for format in FORMATS if format.sniff(source)), None)


def read_schemes(path: str | os.PathLike[str], symbols: Mapping[str, Scalar] | None = None) -> list[Scheme]:
    """Schemes of a file in any known format.

    Parameters
    ----------
    path
        The file. The format is recognised by the content; a name is used in messages, to find the other files of a scheme
        that is spread over several, and where it alone says which product is meant.
    symbols
        Values of symbols, such as a parameter of a family or a placeholder for a square root.

    Raises
    ------
    FormatError
        If the file cannot be opened, belongs to no known format, or breaks the rules of its format.
    """
    source = Source.of(path, symbols)
    format = find_format(source)
    if format is None:
        raise FormatError(
            f"{source.name} is in no known format of schemes; those that are read are {known_formats()}"
        )
    try:
        schemes = format.read(source)
    except UsageError as error:
        # Numbers of two number fields met.
        raise FormatError(f"{source.name}: {error}") from error
    for scheme in schemes:
        if len(scheme.number_fields) > 1:
            first, second = scheme.number_fields[:2]
            raise FormatError(
                f"{scheme.label} has coefficients in {first} and in {second}; numbers of one field are compared only"
            )
    return schemes


def known_formats() -> str:
    """The formats in one line."""
    return "; ".join(f"{f.name} ({f.summary})" for f in FORMATS)

"""Matrix multiplication schemes as text: one product a line, written ``a11+a22 b11+b22 c11+c22``.

In border families the numbers in front may be followed by powers of eps: ``2*eps^-1*a11-eps*a12``.
"""

from __future__ import annotations

import re
from fractions import Fraction

from rankproof.errors import FormatError
from rankproof.problem.decomposition import BorderFamily, Decomposition, FamilyUnit, FamilyVector
from rankproof.problem.field import QQ, Field, Scalar
from rankproof.problem.laurent import Laurent, as_laurent

Shape = tuple[int, int, int]

_TERM = re.compile(r"([+-]?)(?:(\d+(?:/\d+)?)\*)?(?:(eps)(?:\^(-?\d+))?\*)?([abc])(\d)(\d)")


def read_scheme(text: str, shape: Shape, ring: Field = QQ) -> Decomposition:
    """Products of a scheme for matrices of shape n x m and m x p; entries are numbered from 1, c is the product.

    Raises
    ------
    FormatError
        If a line is not three sums of entries of a, b and c.

    Examples
    --------
    >>> read_scheme("a11+2*a12 b11-b21 c11", (1, 2, 1)).units
    (((1, 2), (1, -1), (1,)),)
    """
    units = [tuple(map(_constant, _unit(line, shape))) for line in text.splitlines() if line.strip()]
    return Decomposition.of("product", units, ring)


def read_family(text: str, shape: Shape) -> BorderFamily:
    """A border family whose sum is the matrix product up to terms with positive powers of eps.

    Raises
    ------
    FormatError
        If a line is not three sums of entries of a, b and c.

    Examples
    --------
    >>> print(read_family("eps^-1*a11 eps*b11+2*eps^3*b11 c11", (1, 1, 1)).units[0][1][0])
    eps + 2*eps**3
    """
    units = tuple(_unit(line, shape) for line in text.splitlines() if line.strip())
    return BorderFamily("product", QQ, 0, units)


def write_scheme(found: Decomposition | BorderFamily, shape: Shape) -> str:
    """The text of a scheme or family with rational coefficients, that `read_scheme` or `read_family` reads back.

    Examples
    --------
    >>> write_scheme(read_scheme("a11+2*a12 b11-b21 c11", (1, 2, 1)), (1, 2, 1))
    'a11+2*a12 b11-b21 c11'
    """
    return "\n".join(
        " ".join(
            _sum(vector, letter, columns)
            for vector, (letter, _, columns) in zip(unit, _matrices(shape), strict=True)
        )
        for unit in found.units
    )


def _matrices(shape: Shape) -> tuple[tuple[str, int, int], ...]:
    n, m, p = shape
    return ("a", n, m), ("b", m, p), ("c", n, p)


def _unit(line: str, shape: Shape) -> FamilyUnit:
    sums = line.split()
    if len(sums) != 3:
        raise FormatError(f"{line!r} is no product; write it like a11+a22 b11 c11-c12")
    vectors: list[tuple[Scalar | Laurent, ...]] = []
    for text, (letter, rows, columns) in zip(sums, _matrices(shape), strict=True):
        vector: list[Scalar | Laurent] = [0] * (rows * columns)
        for sign, size, eps, power, name, i, j in _TERM.findall(text):
            if name != letter or not (1 <= int(i) <= rows and 1 <= int(j) <= columns):
                raise FormatError(
                    f"{name}{i}{j} in {line!r} is no entry of the {rows} x {columns} matrix {letter}"
                )
            number = Fraction(size or 1) * (-1 if sign == "-" else 1)
            place = (int(i) - 1) * columns + int(j) - 1
            vector[place] += Laurent.power(int(power or 1), number) if eps else number
        if "".join(match[0] for match in _TERM.finditer(text)) != text:
            raise FormatError(f"{text!r} is no sum of entries; write it like a11-2*a12")
        vectors.append(tuple(vector))
    return tuple(vectors)


def _constant(vector: FamilyVector) -> tuple[Scalar, ...]:
    exact = tuple(x for x in vector if not isinstance(x, Laurent))
    if len(exact) < len(vector):
        raise FormatError("a power of eps makes it a border family, not a scheme")
    return exact


def _sum(vector: FamilyVector, letter: str, columns: int) -> str:
    text = ""
    for k, entry in enumerate(vector):
        for power, c in as_laurent(entry).terms:
            if not isinstance(c, int | Fraction):
                raise FormatError(f"the coefficient {c} is not rational; only rational schemes are written")
            size = "" if abs(c) == 1 else f"{abs(c)}*"
            eps = {0: "", 1: "eps*"}.get(power, f"eps^{power}*")
            text += f"{'-' if c < 0 else '+'}{size}{eps}{letter}{k // columns + 1}{k % columns + 1}"
    return text.removeprefix("+")

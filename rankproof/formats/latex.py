"""LaTeX of a scheme: the products m_1, m_2, ... and the results as sums of products."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rankproof.formats.listing import Coordinate, Products, coordinates_of, entries, root_of, signed_sum
from rankproof.problem.decomposition import FamilyVector
from rankproof.problem.field import NumberField
from rankproof.problem.laurent import Laurent

NAME = "latex"
SUMMARY = "LaTeX, the products m_1, m_2, ... and the results as their sums"

# A longer sum is broken into several lines of the alignment.
_TERMS_A_LINE = 12


def write(products: Products) -> bytes:
    """Two ``align*`` environments, third factor not transposed."""
    a, b, c = ([_subscripted(name) for name in group] for group in products.names(transposed=False))
    field = products.number_field
    lines = [f"% {line}" for line in products.header("C")]
    lines.append(r"\begin{align*}")
    for t, (u, v, _) in enumerate(products.units, 1):
        left, right = (_sum(x, names, field) for x, names in ((u, a), (v, b)))
        lines.append(rf"m_{{{t}}} &= {_grouped(left)} {_grouped(right)} \\")
    lines += [r"\end{align*}", r"\begin{align*}"]
    names = [f"m_{{{t}}}" for t in range(1, len(products.units) + 1)]
    for k, name in enumerate(c):
        column = tuple(w[k] for _, _, w in products.units)
        lines.append(rf"{name} &= {_broken(_terms(column, names, field))} \\")
    lines.append(r"\end{align*}")
    return "".join(f"{line}\n" for line in lines).encode()


def _subscripted(name: str) -> str:
    letter, digits = name[0], name[1:].replace("_", ",")
    return f"{letter}_{{{digits}}}"


def _grouped(text: str) -> str:
    return rf"\left({text}\right)" if " " in text or text.startswith("-") else text


def _sum(vector: FamilyVector, names: list[str], field: NumberField | None) -> str:
    return signed_sum(_terms(vector, names, field))


def _terms(vector: FamilyVector, names: list[str], field: NumberField | None) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for x, name in entries(vector, names):
        sign, size = _number(x, field)
        found.append((sign, f"{size} {name}".strip()))
    return found


def _broken(terms: Sequence[tuple[str, str]]) -> str:
    """A sum, with a break of the line after every few terms."""
    pieces = [terms[k : k + _TERMS_A_LINE] for k in range(0, len(terms), _TERMS_A_LINE)] or [[]]
    first, *rest = pieces
    text = signed_sum(list(first))
    for piece in rest:
        text += " \\\\\n&\\quad" + "".join(f" {sign} {size}" for sign, size in piece)
    return text


def _number(x: Coordinate, field: NumberField | None) -> tuple[str, str]:
    """Sign and size of a coefficient; the size is empty for 1."""
    monomials: list[tuple[int | Fraction, str]] = []
    for exponent, c in x.terms if isinstance(x, Laurent) else ((0, x),):
        for k, coordinate in enumerate(coordinates_of(c)):
            if coordinate:
                monomials.append((coordinate, _root(field, k) + _power(r"\varepsilon", exponent)))
    signed = [("-" if c < 0 else "+", _size(abs(c), power)) for c, power in monomials]
    if len(signed) == 1:
        sign, size = signed[0]
        return sign, "" if size == "1" else size
    return "+", rf"\left({signed_sum(signed)}\right)"


def _size(c: int | Fraction, power: str) -> str:
    quotient = Fraction(c)
    number = (
        str(c) if quotient.denominator == 1 else rf"\tfrac{{{quotient.numerator}}}{{{quotient.denominator}}}"
    )
    return power if power and number == "1" else f"{number}{power}"


def _root(field: NumberField | None, power: int) -> str:
    if field is None or not power:
        return ""
    D = root_of(field)
    if D is None:
        return _power(field.symbol, power)
    return r"\mathrm{i}" if D == -1 else rf"\sqrt{{{D}}}"


def _power(symbol: str, exponent: int) -> str:
    return "" if not exponent else symbol if exponent == 1 else f"{symbol}^{{{exponent}}}"

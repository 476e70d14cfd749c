"""Sums of units in LaTeX, for notebooks: `rankproof.show` writes them with the names of a target's variables."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rankproof.problem.field import Algebraic
from rankproof.problem.laurent import Laurent

Coordinate = int | Fraction | Algebraic | Laurent


def units_in_latex(model: str, units: Sequence[Sequence[Sequence[Coordinate]]]) -> str:
    r"""The sum of the units, with x_1, x_2, ... for the variables, or a_0, ..., b_0, ... for the factors of product units.

    A sum of units does not know the degree of the forms; it stands as d.

    Examples
    --------
    >>> units_in_latex("tied", [[(1, 1), (1,)], [(1, -1), (Fraction(-1, 2),)]])
    '(x_{1} + x_{2})^{d} - \\tfrac{1}{2} (x_{1} - x_{2})^{d}'
    >>> units_in_latex("product", [[(1, 0), (1, 2)]])
    'a_{0} \\otimes (b_{0} + 2 b_{1})'
    """
    text = ""
    for unit in units:
        negative, written = _product(unit) if model == "product" else _form(model, unit)
        sign = "-" if negative else ""
        text += f" {sign or '+'} {written}" if text else f"{sign}{written}"
    return text or "0"


def _product(unit: Sequence[Sequence[Coordinate]]) -> tuple[bool, str]:
    names = "abcdefghijklmnop"
    return False, r" \otimes ".join(_sum(vector, names[k], 0) for k, vector in enumerate(unit))


def _form(model: str, unit: Sequence[Sequence[Coordinate]]) -> tuple[bool, str]:
    k = 0 if model in ("tied", "split") else 1 if model == "untied" else int(model.partition(":")[2])
    powers = (
        ["" for _ in unit[:-1]] if model == "split" else [f"d-{k}" if k else "d", "" if k == 1 else str(k)]
    )
    factors = [
        f"{_sum(form, 'x', 1)}^{{{power}}}" if power else _sum(form, "x", 1)
        for form, power in zip(unit[:-1], powers, strict=False)
    ]
    weight = unit[-1]
    if len(weight) > 1:
        return False, " ".join([rf"({', '.join(_signed(x) for x in weight)})", *factors])
    negative, size = _size(weight[0])
    return negative, " ".join([*([] if size == "1" else [size]), *factors])


def _sum(vector: Sequence[Coordinate], name: str, first: int) -> str:
    text, count = "", 0
    for k, x in enumerate(vector):
        if not x:
            continue
        negative, size = _size(x)
        term = f"{name}_{{{k + first}}}" if size == "1" else f"{size} {name}_{{{k + first}}}"
        text += f" {'-' if negative else '+'} {term}" if text else f"{'-' if negative else ''}{term}"
        count += 1
    if not count:
        return "0"
    return text if count == 1 and text.startswith(name) else f"({text})"


def _signed(x: Coordinate) -> str:
    negative, size = _size(x)
    return f"-{size}" if negative else size


def _size(x: Coordinate) -> tuple[bool, str]:
    """Whether a coordinate is negative, and how it is written without its sign; sums stand in parentheses."""
    if isinstance(x, Laurent):
        return _group([(c, _power(r"\varepsilon", e)) for e, c in x.terms])
    if isinstance(x, Algebraic):
        symbol = x.field.symbol
        letter = symbol if len(symbol) == 1 else rf"\mathrm{{{symbol}}}".replace("_", r"\_")
        return _group([(c, _power(letter, k)) for k, c in enumerate(x.coefficients) if c])
    size = abs(x)
    whole = (
        str(size.numerator) if size.denominator == 1 else rf"\tfrac{{{size.numerator}}}{{{size.denominator}}}"
    )
    return x < 0, whole


def _power(symbol: str, exponent: int) -> str:
    return "" if not exponent else symbol if exponent == 1 else f"{symbol}^{{{exponent}}}"


def _group(terms: Sequence[tuple[int | Fraction | Algebraic, str]]) -> tuple[bool, str]:
    written: list[tuple[bool, str]] = []
    for c, power in terms:
        negative, size = _size(c)
        written.append((negative, size if not power else power if size == "1" else f"{size} {power}"))
    if len(written) == 1:
        return written[0]
    text = "".join(
        f"{' - ' if negative else ' + '}{body}" if k else f"{'-' if negative else ''}{body}"
        for k, (negative, body) in enumerate(written)
    )
    return False, f"({text})"

"""Mathematics for a page: the spellings of MathML, which browsers draw without any script."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from html import escape

from rankproof.problem.space import Space
from rankproof.problem.target import Target
from rankproof.show.formula import Formula, written_out
from rankproof.show.notation import GREEK_LETTERS, Notation, split_name

_TIMES = "<mo>&#x2062;</mo>"


def _number(x: Fraction | int) -> str:
    whole = f"<mn>{x.numerator}</mn>"
    return whole if x.denominator == 1 else f"<mfrac>{whole}<mn>{x.denominator}</mn></mfrac>"


def _name(name: str) -> str:
    stem, indices = split_name(name)
    if stem in ("sqrt", "sqrtm") and indices.isdigit():
        sign = "<mo>−</mo>" if stem == "sqrtm" else ""
        return f"<msqrt>{sign}<mn>{indices}</mn></msqrt>"
    letters = f"<mi>{escape(GREEK_LETTERS.get(stem, stem))}</mi>"
    if not indices:
        return letters
    parts = ",".join(part for part in indices.split("_") if part)
    return f"<msub>{letters}<mn>{escape(parts)}</mn></msub>"


def _power(factor: str, exponent: int) -> str:
    if exponent == 1:
        return factor
    raised = f"<mn>{exponent}</mn>" if exponent >= 0 else f"<mrow><mo>−</mo><mn>{-exponent}</mn></mrow>"
    return f"<msup><mrow>{factor}</mrow>{raised}</msup>"


def _bracketed(inside: str) -> str:
    return f"<mrow><mo>(</mo>{inside}<mo>)</mo></mrow>"


def _vector(entries: Iterable[str]) -> str:
    return _bracketed("<mo>,</mo>".join(f"<mrow>{entry}</mrow>" for entry in entries))


MATHML = Notation(
    times=_TIMES,
    tensor="<mo>⊗</mo>",
    eps="<mi>ε</mi>",
    number=_number,
    name=_name,
    power=_power,
    vector=_vector,
    group=_bracketed,
    negative="<mo>−</mo>",
    plus="<mo>+</mo>",
    minus="<mo>−</mo>",
    order="<mi>O</mi>",
)


def math(body: str, *, alone: bool = False) -> str:
    """An element of mathematics; on a line of its own when it stands alone."""
    display = ' display="block"' if alone else ""
    return f"<math{display}><mrow>{body}</mrow></math>"


def target(of: Target) -> str:
    """The target written out; a map in parentheses, its outputs separated by commas."""
    parts = written_out(of, "tied" if of.space.is_polynomial else "product", MATHML)
    return parts[0] if len(parts) == 1 else _vector(parts)


def unit(units: str, space: Space) -> str:
    """One unit of a model as a formula; w is its weight.

    Examples
    --------
    >>> unit("tied", Space.form(2, 3))
    '<mi>w</mi><mo>&#x2062;</mo><msup><mrow><mi>a</mi></mrow><mn>3</mn></msup>'
    """
    if units == "product":
        return MATHML.tensor.join(f"<mi>{chr(ord('a') + k)}</mi>" for k in range(len(space.factors)))
    d = space.form_degree
    if units == "split":
        factors = (
            [_name(f"l{k}") for k in range(1, d + 1)]
            if d <= 3
            else [_name("l1"), "<mo>⋯</mo>", _name(f"l{d}")]
        )
    else:
        k = 0 if units == "tied" else 1 if units == "untied" else int(units.partition(":")[2])
        factors = [_power(f"<mi>{letter}</mi>", power) for letter, power in (("a", d - k), ("b", k)) if power]
    return MATHML.product(["<mi>w</mi>", *factors])


def terms(identity: Formula) -> list[str]:
    """The units of an identity, each with its sign."""
    signs = [MATHML.negative if coefficient < 0 else MATHML.plus for coefficient, _ in identity.units]
    if signs[:1] == [MATHML.plus]:
        signs[0] = ""
    return [
        math(sign + MATHML.term(coefficient, body))
        for sign, (coefficient, body) in zip(signs, identity.units, strict=True)
    ]


__all__ = ["MATHML", "math", "target", "terms", "unit"]

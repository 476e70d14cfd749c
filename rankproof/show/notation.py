"""Two ways to write mathematics down: as text that can be pasted back into a program, and as LaTeX.

A `Notation` is a table of spellings. Everything that knows what a unit or a number field *is* lives in
`rankproof.show.formula` and is written once for both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

Terms = list[tuple[Fraction | int, str]]
"""A sum: rational coefficients of monomials that are written already; the monomial 1 is the empty string."""


@dataclass(frozen=True)
class Notation:
    """How numbers, names, powers and products are spelled.

    Attributes
    ----------
    times
        What stands between the factors of a product.
    tensor
        What stands between the vectors of a product unit.
    eps
        The parameter of a border family.
    number, name, power, vector, group
        Spell a non-negative rational, a variable, a power, a list of entries, and a sum used as a factor.
    negative, plus, minus
        The sign of a first term that is negative, and what stands between terms.
    order
        Landau's symbol.
    """

    times: str
    tensor: str
    eps: str
    number: Callable[[Fraction | int], str]
    name: Callable[[str], str]
    power: Callable[[str, int], str]
    vector: Callable[[Iterable[str]], str]
    group: Callable[[str], str]
    negative: str = "-"
    plus: str = " + "
    minus: str = " - "
    order: str = "O"

    def product(self, factors: Iterable[str]) -> str:
        """The product of factors that are written already; the empty product is the empty string."""
        return self.times.join(factor for factor in factors if factor)

    def term(self, coefficient: Fraction | int, monomial: str) -> str:
        """One term without its sign."""
        size = abs(coefficient)
        if not monomial:
            return self.number(size)
        return monomial if size == 1 else self.product((self.number(size), monomial))

    def sum(self, terms: Sequence[tuple[Fraction | int, str]]) -> str:
        """A sum, with its signs; the empty sum is 0."""
        text = ""
        for coefficient, monomial in terms:
            if coefficient == 0:
                continue
            first = self.negative if coefficient < 0 else ""
            sign = first if not text else self.minus if coefficient < 0 else self.plus
            text += sign + self.term(coefficient, monomial)
        return text or "0"


def _latex_number(x: Fraction | int) -> str:
    return str(x.numerator) if x.denominator == 1 else rf"\tfrac{{{x.numerator}}}{{{x.denominator}}}"


_LOWER = "αβγδεζηθικλμνξπρστυφχψω"
_NAMES = (
    *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu"),
    *("nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega"),
)
_CAPITALS = dict(
    zip(
        ("Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Upsilon", "Phi", "Psi", "Omega"),
        "ΓΔΘΛΞΠΣΥΦΨΩ",
        strict=True,
    )
)
GREEK_LETTERS = dict(zip(_NAMES, _LOWER, strict=True)) | _CAPITALS
"""Names of Greek letters that LaTeX knows as commands."""

_NAME = re.compile(r"(?P<stem>.*?)_*(?P<indices>\d[\d_]*)?")


def split_name(name: str) -> tuple[str, str]:
    """The letters of a name, and the indices behind them.

    Examples
    --------
    >>> split_name("x1_10"), split_name("lambda")
    (('x', '1_10'), ('lambda', ''))
    """
    match = _NAME.fullmatch(name)
    return (name, "") if match is None else (match["stem"], match["indices"] or "")


def _latex_name(name: str) -> str:
    stem, indices = split_name(name)
    if stem in ("sqrt", "sqrtm") and indices.isdigit():
        return rf"\sqrt{{{'-' if stem == 'sqrtm' else ''}{indices}}}"
    letters = stem.replace("_", r"\_")
    if stem in GREEK_LETTERS:
        letters = "\\" + stem
    elif len(stem) > 1:
        letters = rf"\mathrm{{{letters}}}"
    if not indices:
        return letters
    return f"{letters}_{{{','.join(part for part in indices.split('_') if part)}}}"


def _text_power(factor: str, exponent: int) -> str:
    return factor if exponent == 1 else f"{factor}**{exponent}"


def _latex_power(factor: str, exponent: int) -> str:
    if exponent == 1:
        return factor
    # A superscript on x_{1} is fine; on a bare root it would sit inside the radical's reach.
    return rf"{{{factor}}}^{{{exponent}}}" if factor.startswith("\\sqrt") else f"{factor}^{{{exponent}}}"


TEXT = Notation(
    times="*",
    tensor="*",
    eps="eps",
    number=str,
    name=str,
    power=_text_power,
    vector=lambda entries: f"[{', '.join(entries)}]",
    group=lambda text: f"({text})",
)

LATEX = Notation(
    times=r"\,",
    tensor=r" \otimes ",
    eps=r"\varepsilon",
    number=_latex_number,
    name=_latex_name,
    power=_latex_power,
    vector=lambda entries: rf"({{{', '.join(entries)}}})",
    group=lambda text: rf"({text})",
)

"""Targets that schemes for products of polynomials are meant for, as their files describe them."""

from __future__ import annotations

import re

from rankproof.errors import FormatError
from rankproof.problem.field import QQ, Field, gf
from rankproof.problem.library import named
from rankproof.problem.space import MAX_DIMENSION, Space, Word
from rankproof.problem.target import Target

_DEGREES = re.compile(r"(?P<first>\d+)o(?P<second>\d+)o(?P<result>\d+)_")
_MODULUS = re.compile(
    r"(?:\bmod(?:ulo)?|[Ii]rreduct?ible(?:\[\d+\])?:)\s+(?P<polynomial>[-+]?\s*[\dA-Za-z][-+^*\s\dA-Za-z]*)"
)
_FIELD = re.compile(r"(?:^|[_\s])F(?P<order>\d{1,9})(?=[-_\s]|$)")
_SEMIFIELD = re.compile(r"(?:^|_)S(?P<order>\d{1,9})(?=[-_]|$)|[Ss]emifield")
_TERM = re.compile(
    r"(?P<sign>[-+]?)(?:(?P<number>\d{1,9})\*?)?(?:(?P<letter>[A-Za-z])(?:\^(?P<exponent>\d{1,4}))?)?"
)


def about_polynomials(
    name: str, comments: tuple[str, ...], sizes: tuple[int, int, int]
) -> Target | str | None:
    """What a scheme for a product of polynomials is to compute, by its name and the comments in its files.

    Parameters
    ----------
    name
        Of the scheme: ``2o2o4_...`` multiplies two polynomials of degree 2 to one of degree 4.
    comments
        Lines that may name a modulus.
    sizes
        Numbers of coefficients of the two factors and of the result.

    Returns
    -------
    Target, str or None
        The product, the product without its highest coefficients, or the product modulo a polynomial; a sentence when
        the files do not say which product it is; None when nothing is said about polynomials.
    """
    a, b, c = sizes
    degrees = _DEGREES.match(name)
    if degrees is None or tuple(int(degrees[k]) + 1 for k in ("first", "second", "result")) != sizes:
        return None
    if max(sizes) > MAX_DIMENSION:
        return None
    if _SEMIFIELD.search(name) or any(_SEMIFIELD.search(comment) for comment in comments):
        return "the files do not give the multiplication table of the semifield that the scheme is for"
    if c == a + b - 1:
        return named("polymul", a, b)
    modulus = next((m["polynomial"] for comment in comments if (m := _MODULUS.search(comment))), None)
    if modulus is None:
        return polynomial_product(a, b, [0] * c + [1], QQ, f"{c} lowest coefficients of polymul({a},{b})")
    field = _field(name, comments)
    coefficients = _polynomial(modulus, name)
    if len(coefficients) - 1 != c or abs(coefficients[-1]) != 1:
        raise FormatError(
            f"{name}: the result has {c} coefficients, and its modulus {modulus.strip()} is not monic of degree {c}"
        )
    return polynomial_product(a, b, coefficients, field, f"polymul({a},{b}) modulo {_written(coefficients)}")


def polynomial_product(a: int, b: int, modulus: list[int], field: Field, text: str) -> Target:
    """Product of polynomials with a and b coefficients modulo a polynomial with leading coefficient 1 or -1.

    Parameters
    ----------
    a, b
        Numbers of coefficients, lowest first.
    modulus
        Coefficients, lowest first.
    field
        Of the coefficients.
    text
        What a person calls the target.
    """
    degree, lead = len(modulus) - 1, modulus[-1]
    # Powers of x modulo the polynomial, by x^(e+1) = x * x^e.
    power = [1] + [0] * (degree - 1)
    powers: list[list[int]] = []
    for _ in range(a + b - 1):
        powers.append(power)
        top = power[-1] * lead
        power = [x - top * m for x, m in zip([0, *power[:-1]], modulus, strict=False)]
    entries: dict[Word, int] = {
        (i, j, k): x for i in range(a) for j in range(b) for k, x in enumerate(powers[i + j]) if x
    }
    return Target.from_entries(Space.tensor(a, b, degree), entries, field, text=text)


def _field(name: str, comments: tuple[str, ...]) -> Field:
    """The prime field below the field that a name or a comment speaks of; QQ when none is named."""
    for text in (name, *comments):
        if match := _FIELD.search(text):
            order = int(match["order"])
            p = next((p for p in range(2, 100) if order % p == 0), None)
            while p is not None and order % p == 0:
                order //= p
            if p is not None and order == 1:
                return gf(p)
    return QQ


def _polynomial(text: str, where: str) -> list[int]:
    coefficients: dict[int, int] = {}
    letters: set[str] = set()
    compact = "".join(text.split()).rstrip(",.")
    for term in re.findall(r"[-+]?[^-+]+", compact):
        match = _TERM.fullmatch(term)
        if match is None or not (match["number"] or match["letter"]):
            raise FormatError(f"{where}: {term!r} is no term of the polynomial {text.strip()}")
        letters |= {match["letter"]} - {None}
        exponent = int(match["exponent"] or 1) if match["letter"] else 0
        value = int(match["number"] or 1)
        coefficients[exponent] = coefficients.get(exponent, 0) + (-value if match["sign"] == "-" else value)
    if len(letters) != 1 or max(coefficients) > MAX_DIMENSION:
        raise FormatError(f"{where}: {text.strip()} is no polynomial in one variable")
    return [coefficients.get(k, 0) for k in range(max(coefficients) + 1)]


def _written(coefficients: list[int]) -> str:
    terms = []
    for k, c in reversed(list(enumerate(coefficients))):
        if c:
            power = "" if k == 0 else "x" if k == 1 else f"x**{k}"
            size = power if abs(c) == 1 and power else f"{abs(c)}*{power}" if power else str(abs(c))
            terms.append((" - " if c < 0 else " + ") + size)
    text = "".join(terms)
    return text[3:] if text.startswith(" + ") else "-" + text[3:]

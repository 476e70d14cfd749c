"""Formulas in other people's files: sums and products of numbers and variables, kept as products of linear forms.

Read are integers, fractions, decimals (exactly: 0.5 is 1/2), square roots, Python's imaginary numbers ``0.5j``,
products written with ``*``, with a blank or with nothing (``2b31``), powers of numbers, and parentheses.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import NoReturn

from rankproof.errors import FormatError, UsageError
from rankproof.problem.field import Algebraic, NumberField, Scalar, rational

# A sum of products of linear forms: a number is a product of no forms, a linear form a product of one.
Form = dict[str, Scalar]
Product = tuple[Scalar, tuple[Form, ...]]
Terms = list[Product]
Lookup = Callable[[str], Scalar | Terms | None]

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]\d+|\d+)(?P<imaginary>[ijIJ](?![\w\[]))?"
    r"|(?P<root>[sS]qrt)(?=\s*[\[(])"
    r"|(?P<name>[A-Za-z](?:\w|_?\{[\d,]+\})*(?:\[\d+(?:\s*,\s*\d+)*\])?)"
    r"|(?P<sign>\*\*|[-+*/^()\[\]]))"
)
_MAX_EXPONENT = 64
_MAX_NUMBER_CHARACTERS = 4000
_DEEPEST = 40


def read_formula(text: str, lookup: Lookup, where: str) -> Terms:
    """A formula as a sum of products of linear forms, constants and linear terms collected.

    Parameters
    ----------
    text
        The formula.
    lookup
        The value of a name: a number, or terms; None where it is a variable.
    where
        How errors call it.

    Raises
    ------
    FormatError
        If the text is no formula.
    """
    return _Reader(text, lookup, where).read()


def read_scalar(text: str, where: str, lookup: Lookup | None = None) -> Scalar:
    """The number that a formula without variables stands for.

    Examples
    --------
    >>> read_scalar("1/2 - 0.25", ""), str(read_scalar("2/3*sqrt(3)", ""))
    (Fraction(1, 4), '2/3*sqrt3')
    """
    terms = read_formula(text, lookup or (lambda name: None), where)
    for _, forms in terms:
        if forms:
            raise FormatError(
                f"{where}: {next(iter(forms[0]))} has no value; give it one, as in --let {next(iter(forms[0]))}=1"
            )
    return sum_of(c for c, _ in terms)


def square_root(D: int) -> Scalar:
    """The square root of an integer, in a number field where it is irrational; that of -1 is called i."""
    if D == -1:
        return NumberField.sqrt(-1, "i").generator()
    for d in range(2, 1000):
        # sqrt(12) = 2*sqrt(3): one field for both.
        while D % (d * d) == 0 and D:
            return _times(d, square_root(D // (d * d)))
    if D in (0, 1):
        return D
    return NumberField.sqrt(D, f"sqrt{D}" if D > 0 else f"sqrtm{-D}").generator()


def sum_of(numbers: object) -> Scalar:
    """Sum of exact numbers in normal form."""
    total: Scalar = 0
    for x in numbers:  # type: ignore[attr-defined]
        total = total + x
    return rational(total) if isinstance(total, Fraction) else total


class _Reader:
    """Recursive descent over the tokens of one formula."""

    def __init__(self, text: str, lookup: Lookup, where: str) -> None:
        self.text = text.replace("−", "-")  # the minus sign of typesetters
        self.lookup = lookup
        self.where = where
        self.tokens: list[re.Match[str]] = []
        self.at = 0
        self.depth = 0

    def read(self) -> Terms:
        position = 0
        text = self.text.rstrip()
        while position < len(text):
            match = _TOKEN.match(text, position)
            if match is None:
                self.refuse(f"cannot read {text[position : position + 20]!r}")
            self.tokens.append(match)
            position = match.end()
        if not self.tokens:
            self.refuse("there is no formula")
        try:
            terms = self.sum()
        except (UsageError, ZeroDivisionError) as error:
            # Numbers of two number fields, or a division by zero.
            self.refuse(str(error))
        if self.at < len(self.tokens):
            self.refuse(f"{self.tokens[self.at][0].strip()!r} is not expected there")
        return terms

    def sum(self) -> Terms:
        self.depth += 1
        if self.depth > _DEEPEST:
            self.refuse("parentheses are nested too deep")
        constant: Scalar = 0
        linear: Form = {}
        products: Terms = []
        sign: Scalar = 1
        while True:
            while (s := self.peek_sign()) in ("+", "-"):
                self.at += 1
                sign = -sign if s == "-" else sign
            for c, forms in self.product():
                c = _times(sign, c)
                if not forms:
                    constant = constant + c
                elif len(forms) == 1:
                    for name, x in forms[0].items():
                        linear[name] = linear.get(name, 0) + _times(c, x)
                else:
                    products.append((c, forms))
            if self.peek_sign() not in ("+", "-"):
                break
            sign = 1
        self.depth -= 1
        linear = {name: _normal(x) for name, x in linear.items() if x}
        head: Terms = [(_normal(constant), ())] if constant else []
        return head + ([(1, (linear,))] if linear else []) + products

    def product(self) -> Terms:
        terms = self.power()
        while True:
            sign = self.peek_sign()
            if sign in ("*", "/"):
                self.at += 1
                right = self.signed_power()
                terms = _multiplied(terms, self.inverse(right) if sign == "/" else right)
            elif sign in ("(", "") and self.at < len(self.tokens):
                if self.tokens[self.at]["number"]:
                    # "1 2" is a missing comma, and no product.
                    self.refuse("an operator is missing before a number")
                terms = _multiplied(terms, self.power())
            else:
                return terms

    def signed_power(self) -> Terms:
        if self.peek_sign() == "-":
            self.at += 1
            return _multiplied([(-1, ())], self.power())
        return self.power()

    def power(self) -> Terms:
        base = self.atom()
        if self.peek_sign() not in ("^", "**"):
            return base
        self.at += 1
        exponent = self.number_of(self.signed_power())
        if type(exponent) is not int or abs(exponent) > _MAX_EXPONENT:
            self.refuse("an exponent is a small integer")
        return _constant(self.number_of(base) ** exponent)

    def atom(self) -> Terms:
        if self.at == len(self.tokens):
            self.refuse("it ends too early")
        token = self.tokens[self.at]
        self.at += 1
        if token["number"]:
            return _constant(self.number(token))
        if token["root"]:
            return self.root()
        if token["name"]:
            value = self.lookup(token["name"])
            if isinstance(value, list):
                return value
            return [(1, ({token["name"]: 1},))] if value is None else _constant(value)
        if token["sign"] == "(":
            inside = self.sum()
            self.expect(")")
            return inside
        self.refuse(f"{token['sign']!r} is not expected there")

    def number(self, token: re.Match[str]) -> Scalar:
        if len(token["number"]) > _MAX_NUMBER_CHARACTERS:
            self.refuse("a number is too long")
        value = rational(Fraction(token["number"]))
        return _times(value, square_root(-1)) if token["imaginary"] else value

    def root(self) -> Terms:
        opening = self.peek_sign()
        self.at += 1
        radicand = self.number_of(self.sum())
        self.expect(")" if opening == "(" else "]")
        if type(radicand) is not int or abs(radicand) > 10**12:
            self.refuse("a square root is one of an integer")
        return _constant(square_root(radicand))

    def number_of(self, terms: Terms) -> Scalar:
        if any(forms for _, forms in terms):
            self.refuse("a number is expected where a variable stands")
        return terms[0][0] if terms else 0

    def inverse(self, terms: Terms) -> Terms:
        x = self.number_of(terms)
        if not x:
            self.refuse("it divides by zero")
        return _constant(x.inverse() if isinstance(x, Algebraic) else 1 / Fraction(x))

    def peek_sign(self) -> str | None:
        """The sign that comes next: "" for a number or name, None at the end."""
        return None if self.at == len(self.tokens) else self.tokens[self.at]["sign"] or ""

    def expect(self, sign: str) -> None:
        if self.peek_sign() != sign:
            self.refuse(f"{sign!r} is missing")
        self.at += 1

    def refuse(self, what: str) -> NoReturn:
        raise FormatError(f"{self.where}: {what} in {_short(self.text)}")


def _constant(x: Scalar) -> Terms:
    return [(_normal(x), ())] if x else []


def _multiplied(a: Terms, b: Terms) -> Terms:
    """Product of two sums; a number times one linear form stays one form, so that it can be collected."""
    terms: Terms = []
    for c, forms in a:
        for d, more in b:
            both = (*forms, *more)
            x = _times(c, d)
            if len(both) == 1:
                terms.append((1, ({name: _times(x, y) for name, y in both[0].items()},)))
            else:
                terms.append((x, both))
    return terms


def _times(x: Scalar, y: Scalar) -> Scalar:
    return _normal(x * y)


def _normal(x: Scalar) -> Scalar:
    return rational(x) if isinstance(x, Fraction) else x


def _short(text: str) -> str:
    text = " ".join(text.split())
    return repr(text if len(text) <= 60 else f"{text[:57]}...")

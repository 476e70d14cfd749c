"""Text to syntax trees: tokens, and recursive descent over them. Nothing is ever evaluated as Python."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn

from rankproof.errors import TargetError
from rankproof.problem.expression import (
    Node,
    add,
    check_size,
    constant,
    multiply,
    power,
    reciprocal,
    root,
    variable,
)
from rankproof.problem.library import NAMED
from rankproof.problem.space import MAX_DEGREE, MAX_DIMENSION

MAX_TEXT = 1_000_000
MAX_NESTING = 50

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[A-Za-z_]\w*)|(?P<operator>\*\*|[-+*/();,])|(?P<other>\S))",
    re.ASCII,
)


@dataclass(frozen=True)
class Token:
    """A piece of the text and where it starts."""

    kind: str
    text: str
    at: int


def parse_outputs(text: str) -> list[Node]:
    """Syntax trees of the polynomials of a text, separated by semicolons.

    Raises
    ------
    TargetError
        If the text is no polynomial, or one that would expand to something too large.
    """
    if len(text) > MAX_TEXT:
        raise TargetError(
            f"the text has {len(text)} characters and at most {MAX_TEXT} are read; use a file of entries"
        )
    if not text.strip():
        raise TargetError(
            "the text is empty; write a polynomial such as x**2*y or a named target such as matmul(2,2,3)"
        )
    outputs = Reader(text).outputs()
    if len(outputs) > MAX_DIMENSION:
        raise TargetError(f"{len(outputs)} outputs are too many; at most {MAX_DIMENSION}")
    check_size(sum(output.terms for output in outputs), sum(output.work for output in outputs))
    return outputs


class Reader:
    """Recursive descent over the tokens: sums of products of powers."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = list(_tokens(text))
        self.position = 0
        self.depth = 0

    @property
    def next(self) -> Token:
        return self.tokens[self.position]

    def take(self, *texts: str) -> Token | None:
        """The next token if it is one of these operators."""
        token = self.next
        if token.kind != "operator" or token.text not in texts:
            return None
        self.position += 1
        return token

    def outputs(self) -> list[Node]:
        """Sums separated by semicolons, up to the end."""
        found = [self.sum()]
        while self.take(";"):
            found.append(self.sum())
        if self.next.kind != "end":
            self.refuse_juxtaposition()
        return found

    def sum(self) -> Node:
        terms = [self.term()]
        while operator := self.take("+", "-"):
            term = self.term()
            terms.append(multiply([constant(Fraction(-1)), term]) if operator.text == "-" else term)
        return add(terms)

    def term(self) -> Node:
        factors = [self.signed()]
        while operator := self.take("*", "/"):
            at = self.next.at
            factor = self.signed()
            factors.append(reciprocal(factor, at) if operator.text == "/" else factor)
        if self.next.kind in ("name", "number") or (self.next.kind == "operator" and self.next.text == "("):
            self.refuse_juxtaposition()
        return multiply(factors)

    def signed(self) -> Node:
        negative = False
        while sign := self.take("+", "-"):
            negative ^= sign.text == "-"
        factor = self.power()
        return multiply([constant(Fraction(-1)), factor]) if negative else factor

    def power(self) -> Node:
        base = self.atom()
        if not self.take("**"):
            return base
        token = self.next
        if token.kind != "number" or not token.text.isdigit():
            raise TargetError(
                f"the exponent at position {token.at + 1} is not a whole number; write powers such as x**3"
            )
        if int(token.text[:9]) > MAX_DEGREE:
            raise TargetError(f"the exponent {token.text[:20]} is too large; powers go up to {MAX_DEGREE}")
        self.position += 1
        if self.take("**"):
            raise TargetError(f"a power of a power at position {token.at + 1}; write (x**2)**3 for x**2**3")
        return power(base, int(token.text))

    def atom(self) -> Node:
        token = self.next
        self.position += 1
        if token.kind == "number":
            return constant(_exact(token))
        if token.kind == "name":
            return self.function(token) if self.take("(") else variable(token.text)
        if token.kind == "operator" and token.text == "(":
            return self.inside(token)
        if token.kind == "end":
            raise TargetError(
                f"{shorten(self.text)!r} ends where a number, a variable or ( is expected; complete it"
            )
        raise TargetError(
            f"{token.text!r} at position {token.at + 1} stands where a number, a variable or ( is expected;"
            " write for instance 1/2*x*(y - 3*z)**2"
        )

    def function(self, token: Token) -> Node:
        if token.text in NAMED:
            raise TargetError(
                f"{token.text}(...) is a named target and stands alone, not inside a polynomial"
            )
        if token.text != "sqrt":
            raise TargetError(
                f"{token.text!r} is not a function here; a product is written {token.text}*(...), the only function"
                f" is sqrt of a rational, and the named targets are {', '.join(NAMED)}"
            )
        inside = self.inside(token)
        if inside.rational is None:
            raise TargetError(
                "sqrt takes a rational number, as in sqrt(3); nothing else has a square root here"
            )
        return root(inside.rational)

    def inside(self, opening: Token) -> Node:
        """A sum up to the closing parenthesis."""
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise TargetError(
                f"parentheses are nested more than {MAX_NESTING} deep; write the polynomial flatter"
            )
        inside = self.sum()
        if not self.take(")"):
            if self.next.kind in ("name", "number"):
                self.refuse_juxtaposition()
            raise TargetError(f"the parenthesis at position {opening.at + 1} is not closed; add )")
        self.depth -= 1
        return inside

    def refuse_juxtaposition(self) -> NoReturn:
        token, before = self.next, self.tokens[self.position - 1]
        if token.text in (")", ","):
            raise TargetError(f"{token.text!r} at position {token.at + 1} has no place there; remove it")
        left = "(...)" if before.text == ")" else before.text
        right = "(...)" if token.text == "(" else token.text
        given = left + " " * (token.at > before.at + len(before.text)) + right
        raise TargetError(
            f"an operator is missing at position {token.at + 1}; write {left}*{right} for {given}"
        )


def _tokens(text: str) -> Iterable[Token]:
    for match in _TOKEN.finditer(text):
        kind = str(match.lastgroup)
        token = Token(kind, match[kind], match.start(kind))
        if kind == "other":
            if token.text == "^":
                raise TargetError("^ is not a power here; write x**2 for x^2")
            raise TargetError(
                f"the character {token.text!r} at position {token.at + 1} has no meaning in a polynomial;"
                " use letters, digits, + - * / ** ( ) and ;"
            )
        yield token
    yield Token("end", "", len(text))


def _exact(token: Token) -> Fraction:
    if not token.text.isdigit():
        value = f"{Fraction(token.text)}" if len(token.text) < 30 and "e" not in token.text.lower() else "1/2"
        raise TargetError(f"{token.text} is a float; write an exact rational such as {value}")
    if len(token.text) > 1000:
        raise TargetError(f"a number of {len(token.text)} digits is too long; at most 1000 digits are read")
    return Fraction(int(token.text))


def shorten(text: str) -> str:
    """The beginning of a text, for messages."""
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:57] + "..."

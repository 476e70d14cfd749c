"""Text to targets: polynomials, polynomial maps and named targets.

The text is cut into tokens, the tokens become a small syntax tree, and the size of the expanded polynomial is bounded from the
tree before anything is multiplied out. Nothing is ever evaluated as Python.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb, isqrt, lcm, log2
from typing import Literal, NoReturn

from rankproof.errors import TargetError, UsageError
from rankproof.problem.field import QQ, Algebraic, Field, NumberField, Scalar, number, rational
from rankproof.problem.library import NAMED, named
from rankproof.problem.space import MAX_DEGREE, MAX_DIMENSION, Space, Word
from rankproof.problem.target import Target

MAX_TEXT = 1_000_000
MAX_TERMS = 200_000
MAX_PRODUCTS = 5_000_000
MAX_BITS = 20_000
MAX_NESTING = 50

# Polynomials in all variables of the text, of any degrees: a monomial is the sorted tuple of its variables.
Polynomial = dict[Word, Scalar]


def read_targets(
    text: str, *, affine: bool = False, ring: Field | None = None, variables: Sequence[str] | None = None
) -> list[Target]:
    """Targets that a text describes.

    Parameters
    ----------
    text
        A polynomial in ``+ - * **`` and parentheses with rational constants, several separated by ``;`` (a polynomial map), or a
        named target such as ``matmul(2,2,3)``.
    affine
        Homogenise instead of splitting by degree, with one more variable in front: for units with biases.
    ring
        Exact field that the coefficients are read in. GF(p) reduces them. In a number field its symbol and its square
        roots may be written; the target is over QQ all the same when its coefficients are rational. By default QQ, or
        QQ(sqrt(D)) when square roots occur.
    variables
        Names of the variables in the wanted order, at least those that occur. By default those that occur, x2 before x10.

    Returns
    -------
    list of Target
        One target for every degree that occurs, the highest first; the part of degree 0 is dropped. One target when `affine`.

    Raises
    ------
    TargetError
        If the text is no polynomial, is zero or constant, or is too large once expanded.
    UsageError
        If the ring is not exact.

    Examples
    --------
    >>> [target.text for target in read_targets("(x + y)**2 + x; x*y")]
    ['x**2 + 2*x*y + y**2; x*y', 'x; 0']
    >>> read_targets("x**2 + x", affine=True)
    [Target('h*x + x**2' over QQ: degree 2, 2 variables)]
    """
    if ring is not None and not ring.is_exact:
        raise UsageError(
            f"{ring} is not a ring for coefficients; read over QQ, GF(p) or a number field instead"
        )
    if (target := _named_target(text, affine)) is not None:
        return [target.over(ring) if ring and ring.characteristic else target]
    outputs = _parse(text)
    ring = ring or _ring_of_roots(outputs)
    occurring = {name for output in outputs for name in output.names}
    if ring.number_field:
        occurring.discard(ring.number_field.symbol)
    names = _order_variables(occurring, variables)
    polynomials = [
        _expand(output, _Scope(ring, {name: i for i, name in enumerate(names)})) for output in outputs
    ]
    degrees = sorted({len(word) for f in polynomials for word in f}, reverse=True)
    if not degrees:
        raise TargetError(
            f"{_shorten(text)} is zero{'' if ring == QQ else f' over {ring}'}; give a target that is not zero"
        )
    if degrees[0] == 0:
        raise TargetError(f"{_shorten(text)} is constant; a target has at least one variable")
    if not any(isinstance(c, Algebraic) for f in polynomials for c in f.values()) and not ring.characteristic:
        ring = QQ
    if affine:
        return [_homogenised(polynomials, names, ring, degrees[0])]
    targets = [_part(polynomials, names, ring, d) for d in degrees if d]
    if len(degrees) == 1:
        # The text is the target itself, so it keeps the words of whoever typed it.
        targets = [replace(targets[0], text=" ".join(text.split()))]
    return targets


# Tokens and syntax tree.

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


@dataclass(frozen=True)
class Node:
    """A subexpression with bounds on what it expands to.

    Parameters
    ----------
    kind
        What it is.
    parts
        Operands: terms of a sum, factors of a product, the base of a power.
    value
        Constant, name of a variable, radicand of a root, or exponent.
    names
        Variables below it.
    degree, terms, bits
        At most what the expanded polynomial has: degree, number of terms, bits of a numerator.
    denominator
        A common denominator of the coefficients of the expanded polynomial.
    roots
        Radicands of the square roots below it.
    """

    kind: Literal["constant", "variable", "root", "sum", "product", "power"]
    parts: tuple[Node, ...] = ()
    value: Fraction | str | int = 0
    names: frozenset[str] = frozenset()
    degree: int = 0
    terms: int = 1
    bits: float = 1
    denominator: int = 1
    roots: frozenset[Fraction] = frozenset()


class _Reader:
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
            terms.append(_product([_constant(Fraction(-1)), term]) if operator.text == "-" else term)
        return _sum(terms)

    def term(self) -> Node:
        factors = [self.signed()]
        while operator := self.take("*", "/"):
            at = self.next.at
            factor = self.signed()
            factors.append(_reciprocal(factor, at) if operator.text == "/" else factor)
        if self.next.kind in ("name", "number") or (self.next.kind == "operator" and self.next.text == "("):
            self.refuse_juxtaposition()
        return _product(factors)

    def signed(self) -> Node:
        negative = False
        while sign := self.take("+", "-"):
            negative ^= sign.text == "-"
        factor = self.power()
        return _product([_constant(Fraction(-1)), factor]) if negative else factor

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
        return _power(base, int(token.text))

    def atom(self) -> Node:
        token = self.next
        self.position += 1
        if token.kind == "number":
            return _constant(_exact(token))
        if token.kind == "name":
            return self.function(token) if self.take("(") else _variable(token.text)
        if token.kind == "operator" and token.text == "(":
            return self.inside(token)
        if token.kind == "end":
            raise TargetError(
                f"{_shorten(self.text)!r} ends where a number, a variable or ( is expected; complete it"
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
        if inside.names or inside.roots:
            raise TargetError(
                "sqrt takes a rational number, as in sqrt(3); a polynomial has no square root here"
            )
        return _root(_constant_value(inside))

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


def _parse(text: str) -> list[Node]:
    if len(text) > MAX_TEXT:
        raise TargetError(
            f"the text has {len(text)} characters and at most {MAX_TEXT} are read; use a file of entries"
        )
    if not text.strip():
        raise TargetError(
            "the text is empty; write a polynomial such as x**2*y or a named target such as matmul(2,2,3)"
        )
    outputs = _Reader(text).outputs()
    if len(outputs) > MAX_DIMENSION:
        raise TargetError(f"{len(outputs)} outputs are too many; at most {MAX_DIMENSION}")
    return outputs


def _exact(token: Token) -> Fraction:
    if not token.text.isdigit():
        value = f"{Fraction(token.text)}" if len(token.text) < 30 and "e" not in token.text.lower() else "1/2"
        raise TargetError(f"{token.text} is a float; write an exact rational such as {value}")
    if len(token.text) > 1000:
        raise TargetError(f"a number of {len(token.text)} digits is too long; at most 1000 digits are read")
    return Fraction(int(token.text))


def _constant(value: Fraction) -> Node:
    return Node("constant", value=value, bits=value.numerator.bit_length() + 1, denominator=value.denominator)


def _variable(name: str) -> Node:
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,31}", name):
        raise TargetError(
            f"{name!r} cannot name a variable; start with a letter and use at most 32 letters, digits and _"
        )
    return Node("variable", value=name, names=frozenset([name]), degree=1)


def _root(radicand: Fraction) -> Node:
    if radicand.numerator.bit_length() + radicand.denominator.bit_length() > 100:
        raise TargetError(
            f"sqrt({radicand}) is too large; square roots are taken of numbers up to about 30 digits"
        )
    if (root := _rational_root(radicand)) is not None:
        return _constant(root)
    return Node("root", value=radicand, roots=frozenset([radicand]), bits=100)


def _sum(parts: Sequence[Node]) -> Node:
    if len(parts) == 1:
        return parts[0]
    terms, degree = sum(p.terms for p in parts), max(p.degree for p in parts)
    denominator = 1
    for p in parts:
        denominator = lcm(denominator, p.denominator)
        _check_bits(denominator.bit_length())
    # Over the common denominator a numerator grows by what its own denominator lacks.
    bits = (
        max(p.bits - p.denominator.bit_length() for p in parts)
        + denominator.bit_length()
        + log2(len(parts))
        + 1
    )
    return _measured("sum", parts, terms, degree, bits, denominator)


def _product(parts: Sequence[Node]) -> Node:
    if len(parts) == 1:
        return parts[0]
    terms, bits, denominator = 1, 0.0, 1
    for p in parts:
        terms = min(terms * p.terms, 10**12)
        bits += p.bits + log2(p.terms)
        denominator *= p.denominator
        _check_bits(denominator.bit_length())
    return _measured("product", parts, terms, sum(p.degree for p in parts), bits, denominator)


def _power(base: Node, exponent: int) -> Node:
    terms = comb(base.terms + exponent - 1, exponent)
    bits = exponent * (base.bits + log2(base.terms)) + 1
    return _measured(
        "power", (base,), terms, exponent * base.degree, bits, base.denominator**exponent, exponent
    )


def _measured(
    kind: Literal["sum", "product", "power"],
    parts: Sequence[Node],
    terms: int,
    degree: int,
    bits: float,
    denominator: int,
    exponent: int = 0,
) -> Node:
    """Inner node, refused from its bounds alone when it would expand to something too large."""
    names = frozenset[str]().union(*(p.names for p in parts))
    if degree > MAX_DEGREE:
        raise TargetError(f"the degree reaches {degree}; at most {MAX_DEGREE} is handled")
    terms = min(terms, comb(len(names) + degree, degree))
    if terms > MAX_TERMS:
        raise TargetError(f"expanded, this may have {terms} terms; at most {MAX_TERMS} are handled")
    _check_bits(max(bits, denominator.bit_length()))
    roots = frozenset[Fraction]().union(*(p.roots for p in parts))
    return Node(kind, tuple(parts), exponent, names, degree, terms, bits, denominator, roots)


def _check_bits(bits: float) -> None:
    if bits > MAX_BITS:
        raise TargetError(f"a coefficient may reach {int(bits)} bits; at most {MAX_BITS} are handled")


def _constant_value(node: Node) -> Fraction:
    """Value of a tree without variables and roots."""
    value = _expand(node, _Scope(QQ, {})).get((), 0)
    return Fraction(value) if isinstance(value, int | Fraction) else Fraction(0)


def _reciprocal(node: Node, at: int) -> Node:
    if node.names or node.roots:
        raise TargetError(
            f"the divisor at position {at + 1} is not a rational number; divide by numbers only, as in x/2,"
            " and write sqrt(3)/3 for 1/sqrt(3)"
        )
    value = _constant_value(node)
    if not value:
        raise TargetError(f"division by zero at position {at + 1}; divide by a number that is not zero")
    return _constant(1 / value)


# Expansion.


@dataclass(frozen=True)
class _Scope:
    """What names mean: the ring, and the place of every variable."""

    ring: Field
    places: dict[str, int]


def _expand(node: Node, scope: _Scope) -> Polynomial:
    """Expanded polynomial with coefficients in normal form over the ring."""
    if node.kind == "constant":
        return _normal({(): rational(Fraction(node.value))}, scope.ring)
    if node.kind == "variable":
        place = scope.places.get(str(node.value))
        if place is None and scope.ring.number_field:
            return {(): scope.ring.number_field.generator()}
        return {(): 0} if place is None else {(place,): 1}
    if node.kind == "root":
        return _normal({(): _root_in(Fraction(node.value), scope.ring)}, scope.ring)
    parts = [_expand(part, scope) for part in node.parts]
    if node.kind == "sum":
        total: Polynomial = {}
        for f in parts:
            for word, c in f.items():
                total[word] = total.get(word, 0) + c
        return _normal(total, scope.ring)
    if node.kind == "product":
        result: Polynomial = {(): 1}
        # Small factors first keep the intermediate products small.
        for f in sorted(parts, key=len):
            result = _multiply(result, f, scope.ring)
        return result
    return _raise(parts[0], int(node.value), scope.ring)


def _normal(f: Polynomial, ring: Field) -> Polynomial:
    return {word: x for word, c in f.items() if (x := ring.reduce(c))}


def _multiply(f: Polynomial, g: Polynomial, ring: Field) -> Polynomial:
    if len(f) * len(g) > MAX_PRODUCTS:
        raise TargetError(
            f"expanding needs the product of {len(f)} by {len(g)} terms, which is too much; write the polynomial expanded"
        )
    result: Polynomial = {}
    for u, x in f.items():
        for v, y in g.items():
            word = tuple(sorted(u + v))
            result[word] = result.get(word, 0) + x * y
    return _normal(result, ring)


def _raise(f: Polynomial, exponent: int, ring: Field) -> Polynomial:
    # Repeated multiplication by the short base is cheaper than squaring long powers.
    result: Polynomial = {(): 1}
    for _ in range(exponent):
        result = _multiply(result, f, ring)
    return result


# Square roots.


def _rational_root(q: Fraction) -> Fraction | None:
    """Square root of a rational when it is rational."""
    if q < 0:
        return None
    n, d = isqrt(q.numerator), isqrt(q.denominator)
    return Fraction(n, d) if n * n == q.numerator and d * d == q.denominator else None


def _root_in(q: Fraction, ring: Field) -> Scalar:
    """Square root of q in a field QQ(sqrt(D)): sqrt(q/D) * sqrt(D)."""
    field = ring.number_field
    if field and field.degree == 2 and field.minimal_polynomial[1] == 0:
        ratio = _rational_root(q / -field.minimal_polynomial[0])
        if ratio is not None:
            return ratio * field.generator()
    raise TargetError(
        f"sqrt({q}) is not written in {ring}; ask over QQ(sqrt(D)) with the same square root,"
        " or write it as a polynomial in the symbol of the number field"
    )


def _ring_of_roots(outputs: Sequence[Node]) -> Field:
    """QQ, or QQ(sqrt(D)) when square roots occur."""
    radicands = sorted({q for output in outputs for q in output.roots})
    if not radicands:
        return QQ
    D = _squarefree(radicands[0].numerator * radicands[0].denominator)
    for q in radicands:
        if _rational_root(q / D) is None:
            raise TargetError(
                f"sqrt({radicands[0]}) and sqrt({q}) do not lie in one field QQ(sqrt(D)); give one number field that"
                " contains both, such as QQ(t**4-10*t**2+1) for sqrt(2) and sqrt(3), and write the roots in t"
            )
    symbol = "i" if D == -1 else f"sqrt{D}".replace("-", "m")
    return number(NumberField.sqrt(D, symbol if len(symbol) <= 16 else "a"))


def _squarefree(n: int) -> int:
    """n without its square factors p*p for small p; what is left over defines the same field."""
    for p in range(2, 1000):
        while n % (p * p) == 0:
            n //= p * p
    return n


# Targets.


def _named_target(text: str, affine: bool) -> Target | None:
    """The named target that the whole text calls, or None."""
    match = re.fullmatch(r"\s*([A-Za-z_]\w*)\s*(?:\(([^()]*)\))?\s*", text, re.ASCII)
    if not match or match[1] not in NAMED or (match[2] is None and NAMED[match[1]].arity[0] > 0):
        return None
    if affine:
        raise UsageError(f"{match[1]} is homogeneous; biases are for polynomials given as text")
    words = [word.strip() for word in (match[2] or "").split(",")] if (match[2] or "").strip() else []
    if not all(re.fullmatch(r"\d{1,9}", word, re.ASCII) for word in words):
        raise TargetError(
            f"{' '.join(text.split())}: the parameters are whole numbers; write {NAMED[match[1]].signature}"
        )
    return named(match[1], *map(int, words))


def natural_key(name: str) -> tuple[tuple[tuple[int, str], ...], str]:
    """Key that sorts names alphabetically with runs of digits compared as numbers: x2 before x10."""
    pieces = re.findall(r"\d+|\D+", name)
    return tuple((int(p), "") if p.isdigit() else (-1, p) for p in pieces), name


def _order_variables(occurring: set[str], wanted: Sequence[str] | None) -> tuple[str, ...]:
    names = sorted(occurring, key=natural_key)
    if wanted is None:
        if len(names) > MAX_DIMENSION:
            raise TargetError(f"{len(names)} variables are too many; at most {MAX_DIMENSION}")
        return tuple(names)
    if missing := [name for name in names if name not in wanted]:
        raise TargetError(
            f"the variables {', '.join(missing)} occur but are not among {', '.join(wanted)}; list them too"
        )
    return tuple(wanted)


def _part(polynomials: Sequence[Polynomial], names: tuple[str, ...], ring: Field, degree: int) -> Target:
    """Part of one degree."""
    m = len(polynomials)
    entries = {
        word if m == 1 else (*word, j): c
        for j, f in enumerate(polynomials)
        for word, c in f.items()
        if len(word) == degree
    }
    return Target.from_entries(Space.map(len(names), degree, m), entries, ring, names)


def _homogenised(
    polynomials: Sequence[Polynomial], names: tuple[str, ...], ring: Field, degree: int
) -> Target:
    """Homogenisation x0**d * f(x/x0), with x0 named h in front of the other variables."""
    h = next(name for name in ("h", *(f"h{i}" for i in range(1, len(names) + 2))) if name not in names)
    lifted = [
        {(0,) * (degree - len(word)) + tuple(i + 1 for i in word): c for word, c in f.items()}
        for f in polynomials
    ]
    return _part(lifted, (h, *names), ring, degree)


def _shorten(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:57] + "..."


__all__ = ["natural_key", "read_targets"]

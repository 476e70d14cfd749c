"""Statements in words: what a verdict prints, and what ``--expect`` compares."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from fractions import Fraction

from . import limits
from .claims import BORDER, RANK, Floor, Question
from .document import Answer, Document
from .named import NAMED, numbered
from .numberfield import NumberField
from .refusal import Refusal
from .scalars import Algebraic, Number
from .targets import Target, Word, named_target

LONGEST = 60
"""Longest polynomial written out in a verdict; beyond it the target is described by its shape."""


# Rendering


def target_text(target: Target) -> str:
    """The target as a person writes it: its name, the polynomial, or its shape."""
    if target.label is not None:
        return target.label
    space = target.space
    if space.is_polynomial and len(target.entries) <= LONGEST:
        names = target.variables or numbered(space.variables)
        outputs = range(space.outputs) if len(space.factors) == 2 else [None]
        text = "; ".join(_polynomial(target, names, output) for output in outputs)
        if len(text) <= LONGEST:
            return text
    shape = " x ".join(f"S^{d}(K^{n})" if d > 1 else f"K^{n}" for n, d in space.factors)
    return f"a target in {shape} with {len(target.entries)} entries"


def _polynomial(target: Target, names: tuple[str, ...], output: int | None) -> str:
    d = target.space.form_degree
    text = ""
    for word in target.words():
        if output is not None and word[d] != output:
            continue
        monomial = _monomial(word[:d], names)
        coefficient = target.entries[word]
        negative = not isinstance(coefficient, Algebraic) and coefficient < 0
        size = str(-coefficient if negative else coefficient)
        if isinstance(coefficient, Algebraic):
            size = f"({size})"
        term = monomial if size == "1" else f"{size}*{monomial}"
        sign = "-" if negative else "+"
        text = f"{text} {sign} {term}" if text else (f"-{term}" if negative else term)
    return text or "0"


def _monomial(word: Word, names: tuple[str, ...]) -> str:
    powers = [(names[i], word.count(i)) for i in dict.fromkeys(word)]
    return "*".join(name if e == 1 else f"{name}**{e}" for name, e in powers)


def _bounds(answer: Answer) -> str:
    if answer.upper is None:
        return f">= {answer.lower}"
    return f"= {answer.lower}" if answer.lower == answer.upper else f"in {answer.lower}..{answer.upper}"


def statements(document: Document) -> tuple[str, ...]:
    """One sentence for every kind of units; answers that agree share their fields. Every line names its fields."""
    result: list[str] = []
    for units in dict.fromkeys(answer.question.units for answer in document.conclusion):
        parts: list[str] = []
        for quantity, noun in ((RANK, "width"), (BORDER, "border width")):
            grouped: dict[str, list[str]] = {}
            for answer in document.conclusion:
                if answer.question.units == units and answer.question.quantity == quantity:
                    grouped.setdefault(_bounds(answer), []).append(answer.question.field)
            parts += [f"{noun} {bounds} over {', '.join(fields)}" for bounds, fields in grouped.items()]
        floors = [a for a in document.conclusion if isinstance(a.question.quantity, Floor) and a.question.units == units]
        result += [_floor(answer, document) for answer in floors]
        if not parts:
            continue
        first, *more = parts
        noun, rest = first.split("width", 1)
        sentence = "; ".join([f"{units} {noun}width of {target_text(document.target)}{rest}", *more])
        result.append(sentence + _definitions(document, units))
    return tuple(result)


def _floor(answer: Answer, document: Document) -> str:
    question = answer.question
    return f"{question.units} {question.quantity} of {target_text(document.target)} {_bounds(answer)} over {question.field}"


def _definitions(document: Document, units: str) -> str:
    """What the generators of the fields named in a statement are; a file may call any root sqrt2."""
    names = {a.question.field for a in document.conclusion if a.question.units == units} | {document.target.ring.name}
    fields = [ring.number_field for name, ring in document.rings.items() if name in names]
    return "".join(f", where {equation(f)}{_interval(f)}" for f in fields if f is not None)


def equation(field: NumberField) -> str:
    """The minimal polynomial as an equation for the generator: ``a**2 - 2 = 0``."""
    text = ""
    for e, c in reversed(list(enumerate(field.minimal_polynomial))):
        power = "" if e == 0 else field.symbol if e == 1 else f"{field.symbol}**{e}"
        size = "*".join([str(abs(c))] * (abs(c) != 1 or e == 0) + [power] * (e > 0))
        if c:
            text += (" - " if c < 0 else " + ") + size if text else size
    return f"{text} = 0"


def _interval(field: NumberField) -> str:
    return "" if field.real_root is None else f" and {field.real_root[0]} < {field.symbol} < {field.real_root[1]}"


# Expectations


class BadExpectation(ValueError):
    """The text given to ``--expect`` is not a statement."""


_STATEMENT = re.compile(
    r"\s*(?P<units>tied|untied|split|product|mixed:[1-9][0-9]*)\s+(?P<border>border\s+)?(?:width|rank)\s+of\s+"
    r"(?P<target>.+?)\s*(?P<relation>>=|<=|=)\s*(?P<value>[0-9]{1,15})\s+over\s+(?P<field>[A-Za-z0-9_()]+)"
    r"(?:\s*,\s*where\s+(?P<equation>.+))?\s*"
)
_HASH = re.compile(r"(?:sha256:)?([0-9a-f]{64})")


def unmet(expectation: str, document: Document, claim_hash: str) -> str | None:
    """Why a verified certificate does not state what was expected; None when it does.

    An expectation is a claim hash, or ``UNITS [border] width of TARGET RELATION VALUE over FIELD`` with TARGET a
    named target or a polynomial with rational coefficients (several separated by ``;``). A number field is followed
    by what its generator is: ``over QQ(a), where a**2 - 2 = 0``.
    """
    match = _HASH.fullmatch(expectation.strip())
    if match is not None:
        return None if match[1] == claim_hash else f"its claim hash is {claim_hash}"
    match = _STATEMENT.fullmatch(expectation)
    if match is None:
        raise BadExpectation(
            f"{expectation!r} is not a statement such as 'tied width of x**2*y >= 2 over CC' or a claim hash"
        )
    if not _same_target(match["target"].strip(), document.target):
        return f"it is about {target_text(document.target)}"
    if match["field"].startswith("QQ(") != (match["equation"] is not None):
        raise BadExpectation("a number field, and nothing else, is followed by: , where a**2 - 2 = 0")
    question = Question(match["units"], match["field"], BORDER if match["border"] else RANK)
    answer = next((answer for answer in document.conclusion if answer.question == question), None)
    if answer is None:
        return "it does not answer this question"
    ring = document.rings.get(question.field)
    if ring is not None and ring.number_field is not None:
        # For a target over the rationals every root of the polynomial gives the same answer.
        declared = equation(ring.number_field)
        if "".join(match["equation"].split()) != "".join(declared.split()):
            return f"its field has {declared}"
    value = int(match["value"])
    lower_met = answer.lower >= value
    upper_met = answer.upper is not None and answer.upper <= value
    met = {">=": lower_met, "<=": upper_met, "=": lower_met and upper_met}[match["relation"]]
    return None if met else f"it states {_bounds(answer)}"


_NAMED = re.compile(r"([A-Za-z_]+)(?:\( *([0-9]{1,9}(?: *, *[0-9]{1,9})*)? *\))?")


def _same_target(text: str, target: Target) -> bool:
    match = _NAMED.fullmatch(text)
    if match is not None and match[1] in NAMED:
        try:
            named = named_target(match[1], [int(x) for x in match[2].split(",")] if match[2] else [])
        except Refusal as refusal:
            raise BadExpectation(f"{text}: {refusal.message}") from None
        return (named.space, named.ring, dict(named.entries)) == (target.space, target.ring, dict(target.entries))
    polynomials = [_parse(part) for part in text.split(";")]
    if not target.space.is_polynomial or target.ring.name != "QQ":
        return False
    if len(polynomials) != target.space.outputs:
        return False
    names = target.variables or numbered(target.space.variables)
    index = {name: i for i, name in enumerate(names)}
    expected: dict[Word, Number] = {}
    for output, polynomial in enumerate(polynomials):
        for monomial, coefficient in polynomial.items():
            if any(name not in index for name in monomial):
                return False
            word = tuple(sorted(index[name] for name in monomial))
            expected[word + ((output,) if len(target.space.factors) == 2 else ())] = coefficient
    return expected == dict(target.entries)


Polynomial = dict[tuple[str, ...], Fraction]


def _parse(text: str) -> Polynomial:
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise BadExpectation(f"{text!r} is not a polynomial") from None
    try:
        return {m: c for m, c in _evaluate(tree.body).items() if c}
    except RecursionError:
        raise BadExpectation("the expected polynomial is too long; use the claim hash") from None


def _evaluate(node: ast.expr) -> Polynomial:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return {(): Fraction(node.value)}
    if isinstance(node, ast.Name):
        return {(node.id,): Fraction(1)}
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        sign = -1 if isinstance(node.op, ast.USub) else 1
        return {m: sign * c for m, c in _evaluate(node.operand).items()}
    if isinstance(node, ast.BinOp):
        left, right = _evaluate(node.left), _evaluate(node.right)
        if isinstance(node.op, (ast.Add, ast.Sub)):
            sign = -1 if isinstance(node.op, ast.Sub) else 1
            return _sum([*left.items(), *((m, sign * c) for m, c in right.items())])
        if isinstance(node.op, ast.Mult):
            return _product(left, right)
        if isinstance(node.op, ast.Div) and set(right) == {()} and right[()]:
            return {m: c / right[()] for m, c in left.items()}
        if isinstance(node.op, ast.Pow) and set(right) <= {()}:
            exponent = right.get((), Fraction(0))
            if exponent.denominator == 1 and 0 <= exponent <= limits.DEGREE:
                power: Polynomial = {(): Fraction(1)}
                for _ in range(int(exponent)):
                    power = _product(power, left)
                return power
    raise BadExpectation(f"{ast.unparse(node)!r} is not built from + - * / ** with rational constants")


def _sum(terms: Iterable[tuple[tuple[str, ...], Fraction]]) -> Polynomial:
    total: Polynomial = {}
    for monomial, coefficient in terms:
        total[monomial] = total.get(monomial, Fraction(0)) + coefficient
    return total


def _product(left: Polynomial, right: Polynomial) -> Polynomial:
    if len(left) * len(right) > limits.ENTRIES:
        raise BadExpectation("the expected polynomial has too many terms")
    return _sum((tuple(sorted(m + n)), c * e) for m, c in left.items() for n, e in right.items())

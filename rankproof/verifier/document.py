"""The certificate as data: docs/format.md, read literally."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from . import limits
from .blocks import read_block
from .claims import AT_LEAST, AT_MOST, BORDER, RANK, Claim, Floor, Quantity, Question
from .losses import LOSSES
from .numberfield import NumberField, count_real_roots, value
from .reading import MISSING, increasing, integer, is_object, keys, limited, sequence, show, string
from .refusal import Unreadable
from .scalars import QQ, Rational, Ring, read_minimal_polynomial, read_rational
from .targets import Target, finite_field, read_target
from .units import Units, read_units

FORMAT = "rankproof-certificate"
VERSION = 1
MOST = 2**53 - 1


@dataclass(frozen=True)
class Step:
    rule: str
    claim: Claim
    units: Units
    premises: list[int]
    witness: Any
    pointer: str


@dataclass(frozen=True)
class Answer:
    """One line of the conclusion; ``upper`` is None when nothing is claimed."""

    question: Question
    lower: Rational
    upper: Rational | None
    pointer: str


@dataclass(frozen=True)
class Document:
    rings: dict[str, Ring]
    target: Target
    steps: list[Step]
    conclusion: list[Answer]


def read_document(tree: Any, weights: Sequence[str] = ()) -> Document:
    """The whole certificate, or the first place where it is not one.

    ``weights`` are files, or folders with files, of the weights that a target may be made of.
    """
    # Format and version come first: the keys of another version may differ.
    if is_object(tree) and tree.get("format") != FORMAT:
        raise Unreadable("unknown-format", "/format", f"the format is not {FORMAT}")
    if is_object(tree) and (type(tree.get("version")) is not int or tree["version"] != VERSION):
        raise Unreadable("unknown-version", "/version", f"this verifier reads version {VERSION}")
    _, _, target_node, steps, conclusion, producer, fields = keys(
        tree, "", ("format", "version", "target", "steps", "conclusion", "producer"), ("number_fields",)
    )
    if not isinstance(producer, dict):
        raise Unreadable("wrong-type", "/producer", "the producer is an object")
    rings = {"QQ": QQ} if fields is MISSING else _read_number_fields(fields)
    if is_object(target_node) and "block" in target_node:
        target = read_block(target_node, weights)
    else:
        target = read_target(target_node, rings)
    used = {target.ring.name}
    document = Document(rings, target, _read_steps(steps, target, rings, used), _read_conclusion(conclusion, target, rings, used))
    for position, name in enumerate(list(rings)[1:]):
        if name not in used:
            raise Unreadable("unused-field", f"/number_fields/{position}", f"{name} is declared and never used")
    return document


_SYMBOL = re.compile(r"[a-z][a-z0-9_]{0,15}")


def _read_number_fields(node: Any) -> dict[str, Ring]:
    rings = {"QQ": QQ}
    for position, declaration in enumerate(limited(node, "/number_fields", limits.NUMBER_FIELDS, "limit-number-fields")):
        here = f"/number_fields/{position}"
        symbol, polynomial, root = keys(declaration, here, ("symbol", "minimal_polynomial"), ("real_root",))
        if not _SYMBOL.fullmatch(string(symbol, f"{here}/symbol")):
            raise Unreadable("bad-name", f"{here}/symbol", f"{show(symbol)} is not a symbol such as a or root2")
        name = f"QQ({symbol})"
        if name in rings:
            raise Unreadable("repeated", f"{here}/symbol", f"{name} is declared twice")
        f = read_minimal_polynomial(polynomial, f"{here}/minimal_polynomial")
        interval = None if root is MISSING else _read_real_root(root, f, f"{here}/real_root")
        rings[name] = Ring(name, number_field=NumberField(symbol, f, interval))
    return rings


def _read_real_root(node: Any, f: tuple[int, ...], pointer: str) -> tuple[Any, Any]:
    ends = sequence(node, pointer, least=2, most=2)
    low, high = (read_rational(x, f"{pointer}/{i}") for i, x in enumerate(ends))
    if not low < high:
        raise Unreadable("empty-interval", pointer, "the interval of a real root is [l, u] with l < u")
    if value(f, low) == 0 or value(f, high) == 0:
        raise Unreadable("root-at-end", pointer, "the polynomial vanishes at an end of the interval")
    roots = count_real_roots(f, low, high)
    if roots != 1:
        raise Unreadable("not-isolating", pointer, f"the polynomial has {roots} real roots in the interval, not one")
    return low, high


def _read_steps(node: Any, target: Target, rings: dict[str, Ring], used: set[str]) -> list[Step]:
    steps: list[Step] = []
    for index, step in enumerate(limited(node, "/steps", limits.STEPS, "limit-steps")):
        here = f"/steps/{index}"
        rule, claim, premises, witness = keys(step, here, ("rule", "claim", "premises", "witness"))
        quantity, units_node, over, relation, bound = keys(
            claim, f"{here}/claim", ("quantity", "units", "over", "relation", "value")
        )
        quantity = _read_quantity(quantity, f"{here}/claim/quantity")
        units = read_units(string(units_node, f"{here}/claim/units"), f"{here}/claim/units", target.space)
        field = _read_field(over, f"{here}/claim/over", rings, used)
        if relation not in (AT_LEAST, AT_MOST):
            raise Unreadable("wrong-type", f"{here}/claim/relation", f"{show(relation)} is not >= or <=")
        bound = _read_value(bound, f"{here}/claim/value", quantity)
        increasing(premises, f"{here}/premises", 0, MOST)
        stated = Claim(quantity, units.name, field, relation, bound)
        steps.append(Step(string(rule, f"{here}/rule"), stated, units, premises, witness, here))
    return steps


def _read_conclusion(node: Any, target: Target, rings: dict[str, Ring], used: set[str]) -> list[Answer]:
    answers: list[Answer] = []
    seen: set[Question] = set()
    for index, entry in enumerate(limited(node, "/conclusion", limits.ANSWERS, "limit-answers")):
        here = f"/conclusion/{index}"
        units, field, quantity, lower, upper = keys(entry, here, ("units", "field", "quantity", "lower"), ("upper",))
        question = Question(
            read_units(string(units, f"{here}/units"), f"{here}/units", target.space).name,
            _read_field(field, f"{here}/field", rings, used),
            _read_quantity(quantity, f"{here}/quantity"),
        )
        if question in seen:
            raise Unreadable("repeated", here, "the same question is answered twice")
        seen.add(question)
        lower = _read_value(lower, f"{here}/lower", question.quantity)
        upper = None if upper is MISSING else _read_value(upper, f"{here}/upper", question.quantity)
        answers.append(Answer(question, lower, upper, here))
    return answers


def _read_quantity(node: Any, pointer: str) -> Quantity:
    if is_object(node):
        loss, width, scale = keys(node, pointer, ("floor", "width"), ("scale",))
        if loss not in LOSSES:
            raise Unreadable("unknown-loss", f"{pointer}/floor", f"{show(loss)} is not {', '.join(LOSSES)}")
        integer(width, f"{pointer}/width", 0, MOST)
        scale = 1 if scale is MISSING else read_rational(scale, f"{pointer}/scale")
        if scale <= 0 or ("scale" in node and (scale == 1 or loss == "frobenius")):
            raise Unreadable("out-of-range", f"{pointer}/scale", "a scale is positive, not 1, and not that of coefficients")
        return Floor(loss, width, scale)
    if node not in (RANK, BORDER):
        raise Unreadable("unknown-quantity", pointer, f"{show(node)} is not {RANK}, {BORDER} or a floor")
    return node


def _read_value(node: Any, pointer: str, quantity: Quantity) -> Rational:
    """A number of units, or a loss."""
    if not isinstance(quantity, Floor):
        return integer(node, pointer, 0, MOST)
    value = read_rational(node, pointer)
    if value < 0:
        raise Unreadable("out-of-range", pointer, f"{show(node)} is negative")
    return value


def _read_field(node: Any, pointer: str, rings: dict[str, Ring], used: set[str]) -> str:
    name = string(node, pointer)
    if name not in ("RR", "CC") and name not in rings and finite_field(name) is None:
        raise Unreadable("unknown-field", pointer, f"{show(name)} is not QQ, RR, CC, GF(p) with p prime, or declared")
    used.add(name)
    return name

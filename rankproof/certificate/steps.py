"""Steps of a proof and the conclusion they give, and how both are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, cast

from rankproof.certificate.claim import Claim
from rankproof.certificate.encoding import (
    Json,
    array,
    decode_field,
    decode_scalar,
    encode_scalar,
    integer,
    member,
    string,
)
from rankproof.errors import FormatError
from rankproof.problem.field import Field, NumberField
from rankproof.problem.question import MEASURED, QUANTITIES, Floor, Quantity, Question


class Provable(Protocol):
    """What a step is made of: a claim, the rule that derives it, its witness, and the places of its premises."""

    @property
    def claim(self) -> Claim: ...
    @property
    def rule(self) -> str: ...
    @property
    def witness(self) -> Mapping[str, Any]: ...
    @property
    def premises(self) -> tuple[int, ...]: ...


@dataclass(frozen=True)
class Step:
    """One step of a proof.

    Parameters
    ----------
    rule
        Name of the verifier's rule.
    claim
        What the rule derives.
    premises
        Places of earlier steps, increasing.
    witness
        JSON values that the rule asks for.
    """

    rule: str
    claim: Claim
    premises: tuple[int, ...]
    witness: Mapping[str, Any]


@dataclass(frozen=True)
class Conclusion:
    """The interval that the steps give for one question; upper is None when nothing bounds it from above."""

    units: str
    field: Field
    quantity: Quantity | Floor
    lower: int | Fraction
    upper: int | Fraction | None

    @property
    def question(self) -> Question:
        """The question it answers."""
        return Question(self.units, self.field, self.quantity)

    def __str__(self) -> str:
        return f"{self.question}: {self.interval}"

    @property
    def interval(self) -> str:
        """The interval in words: ``3``, ``17..18`` or ``>= 17``."""
        if self.upper is None:
            return f">= {self.lower}"
        return str(self.lower) if self.lower == self.upper else f"{self.lower}..{self.upper}"


def _encode_claim(claim: Claim) -> dict[str, Json]:
    return {
        "quantity": encode_quantity(claim.quantity),
        "units": claim.units,
        "over": claim.over.name,
        "relation": claim.relation,
        "value": encode_scalar(claim.value),
    }


def encode_step(step: Step) -> dict[str, Any]:
    """A step as JSON values."""
    return {
        "rule": step.rule,
        "claim": _encode_claim(step.claim),
        "premises": list(step.premises),
        "witness": dict(step.witness),
    }


def encode_conclusion(answer: Conclusion) -> dict[str, Json]:
    """An entry of the conclusion as JSON values."""
    upper: dict[str, Json] = {} if answer.upper is None else {"upper": encode_scalar(answer.upper)}
    return {
        "units": answer.units,
        "field": answer.field.name,
        "quantity": encode_quantity(answer.quantity),
        "lower": encode_scalar(answer.lower),
        **upper,
    }


def encode_quantity(quantity: Quantity | Floor) -> Json:
    """A quantity as a JSON value."""
    if not isinstance(quantity, Floor):
        return quantity
    scale: dict[str, Json] = {} if quantity.scale == 1 else {"scale": encode_scalar(quantity.scale)}
    return {"floor": quantity.loss, "width": quantity.width, **scale}


def decode_step(value: Json, fields: Sequence[NumberField], where: str) -> Step:
    """The step of JSON values; FormatError, with its place, when they are no step."""
    claim, at = member(value, "claim", where), f"{where}/claim"
    relation = string(member(claim, "relation", at), f"{at}/relation")
    if relation not in (">=", "<="):
        raise FormatError(f"{at}/relation: {relation!r} is neither >= nor <=")
    witness = member(value, "witness", where)
    if not isinstance(witness, dict):
        raise FormatError(f"{where}/witness: expected an object")
    premises = array(member(value, "premises", where), f"{where}/premises")
    return Step(
        string(member(value, "rule", where), f"{where}/rule"),
        Claim(
            quantity := _quantity(member(claim, "quantity", at), f"{at}/quantity"),
            string(member(claim, "units", at), f"{at}/units"),
            decode_field(member(claim, "over", at), fields, f"{at}/over"),
            relation,
            _value(member(claim, "value", at), quantity, f"{at}/value"),
        ),
        tuple(integer(q, f"{where}/premises/{k}") for k, q in enumerate(premises)),
        witness,
    )


def decode_conclusion(value: Json, fields: Sequence[NumberField], where: str) -> Conclusion:
    """The entry of JSON values; FormatError, with its place, when they are none."""
    upper = cast(dict[str, Json], value).get("upper") if isinstance(value, dict) else None
    return Conclusion(
        string(member(value, "units", where), f"{where}/units"),
        decode_field(member(value, "field", where), fields, f"{where}/field"),
        quantity := _quantity(member(value, "quantity", where), f"{where}/quantity"),
        _value(member(value, "lower", where), quantity, f"{where}/lower"),
        None if upper is None else _value(upper, quantity, f"{where}/upper"),
    )


def _value(value: Json, quantity: Quantity | Floor, where: str) -> int | Fraction:
    """A number of units, or a loss."""
    return _rational(value, where) if isinstance(quantity, Floor) else integer(value, where)


def _rational(value: Json, where: str) -> int | Fraction:
    scalar = decode_scalar(value, where=where)
    if not isinstance(scalar, int | Fraction):
        raise FormatError(f"{where}: {value!r} is not rational")
    return scalar


def _quantity(value: Json, where: str) -> Quantity | Floor:
    if isinstance(value, dict):
        loss = string(member(value, "floor", where), f"{where}/floor")
        width = integer(member(value, "width", where), f"{where}/width")
        scale = Fraction(_rational(value.get("scale", 1), f"{where}/scale"))
        for known in MEASURED:
            if loss == known:
                return Floor(known, width, scale)
        raise FormatError(f"{where}/floor: {loss!r} is not {', '.join(MEASURED)}")
    name = string(value, where)
    for quantity in QUANTITIES:
        if name == quantity:
            return quantity
    raise FormatError(f"{where}: {name!r} is neither rank nor border_rank")

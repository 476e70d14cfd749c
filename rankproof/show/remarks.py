"""What answers say about units: separations, and what comes arbitrarily close without being exact."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import mul
from typing import TYPE_CHECKING

from rankproof.problem.decomposition import BorderFamily
from rankproof.problem.field import Field, Scalar
from rankproof.problem.laurent import Laurent
from rankproof.show.formula import powers
from rankproof.show.notation import TEXT
from rankproof.show.quantities import interval, listed, plural
from rankproof.show.steps import explicit_units, formula

if TYPE_CHECKING:
    from rankproof.certificate.document import Step
    from rankproof.prove import Answer, Proof

LONGEST_REASON = 60
"""A decomposition that is at most so long stands in the table itself."""

LONGEST_IDENTITY = 120
"""A border family that is longer is left to ``rankproof show``."""

Found = Mapping[tuple[str, str, object], "Answer"]


@dataclass(frozen=True)
class Remark:
    """A sentence about answers, and the identity it speaks of."""

    sentence: str
    identity: str = ""


def remarks(proof: Proof) -> list[Remark]:
    """Remarks about the answers; none when there is nothing to say beyond the table."""
    found: Found = {(a.units, str(a.field), a.quantity): a for a in proof.answers}
    fields = list(dict.fromkeys(str(a.field) for a in proof.answers if a.quantity == "rank"))
    separated = separation(found, fields)
    return [*([Remark(f"{separated}.")] if separated else []), *_approach(proof, found)]


def separation(found: Found, fields: Sequence[str]) -> str:
    """One sentence that compares tied with untied units; empty where nothing can be said.

    Parameters
    ----------
    found
        Answers by (units, field, quantity).
    fields
        Fields of the questions about ranks.
    """
    sentences: dict[str, list[str]] = {}
    for field in fields:
        tied, untied = found.get(("tied", field, "rank")), found.get(("untied", field, "rank"))
        if tied is None or untied is None or untied.upper is None:
            continue
        if untied.upper < tied.lower:
            words = f"tied {interval(tied.lower, tied.upper)}, untied {interval(untied.lower, untied.upper)}"
            if tied.lower == tied.upper and untied.lower == untied.upper:
                words += " (exact)"
        elif tied.upper == tied.lower == untied.lower:
            words = f"none: {plural(tied.lower, 'unit')} of either kind"
        else:
            continue
        sentences.setdefault(words, []).append(field)
    return "; ".join(f"{words} over {listed(names)}" for words, names in sentences.items())


def upper_reason(proof: Proof, answer: Answer) -> str:
    """Why at most: the decomposition itself where it is short."""
    if answer.upper is not None and answer.upper_rule == "decomposition":
        step = _explicit_step(proof, answer.units, "rank", answer.upper, answer.field)
        identity = None if step is None else formula(proof.certificate, step, TEXT)
        if identity is not None:
            right = identity.right()
            return right if len(right) <= LONGEST_REASON else answer.upper_reason
    return answer.upper_reason


def weight_growth(family: BorderFamily, degree: int) -> str:
    """How the largest unit of a border family grows as eps tends to 0; empty when all stay bounded.

    Parameters
    ----------
    family
        Its units add up to the target times ``eps**order``.
    degree
        Degree of the forms, for the powers of the vectors; unused for product units.

    Examples
    --------
    >>> from rankproof.problem.field import QQ
    >>> eps = Laurent.power(1)
    >>> weight_growth(BorderFamily("tied", QQ, 1, (((1, eps), (1,)), ((1, 0), (-1,)))), 3)
    '1/eps'
    """
    lowest = 0
    for unit in family.units:
        exponents = [min((_order(x) for x in vector if x), default=0) for vector in unit]
        raised = powers(family.units_model, degree, len(unit))
        lowest = min(lowest, sum(map(mul, exponents, raised)) - family.order)
    if lowest == 0:
        return ""
    return "1/eps" if lowest == -1 else f"1/eps**{-lowest}"


def _order(x: Scalar | Laurent) -> int:
    """Lowest exponent of eps in a coordinate that is not zero."""
    return x.terms[0][0] if isinstance(x, Laurent) else 0


def _approach(proof: Proof, found: Found) -> Iterator[Remark]:
    """For each model that comes arbitrarily close with fewer units than were found: with how many, and how."""
    closer: dict[tuple[str, int, bool], list[Field]] = {}
    for answer in proof.answers:
        exact = found.get((answer.units, str(answer.field), "rank"))
        if answer.quantity != "border_rank" or answer.upper is None or exact is None:
            continue
        if exact.upper is None or answer.upper < exact.upper:
            is_less = answer.upper < exact.lower
            closer.setdefault((answer.units, answer.upper, is_less), []).append(answer.field)
    for (units, count, is_less), fields in closer.items():
        come = "unit comes" if count == 1 else "units come"
        sentence = f"{count} {units} {come} arbitrarily close over {listed([str(field) for field in fields])}"
        if not is_less:
            sentence += " (whether so many suffice exactly stays open)"
        step = _explicit_step(proof, units, "border_rank", count, fields[0])
        family = None if step is None else explicit_units(proof.certificate, step)
        if step is None or not isinstance(family, BorderFamily):
            yield Remark(f"{sentence}.")
            continue
        space = proof.target.space
        growth = weight_growth(family, space.form_degree if space.is_polynomial else 1)
        if growth:
            sentence += f", with weights growing like {growth}"
        identity = formula(proof.certificate, step, TEXT)
        line = "" if identity is None else identity.line()
        yield Remark(f"{sentence}:", line) if 0 < len(line) <= LONGEST_IDENTITY else Remark(f"{sentence}.")


def _explicit_step(proof: Proof, units: str, quantity: str, value: int, field: Field) -> Step | None:
    """The step whose explicit units give an upper bound, when they are units of the very kind asked about."""
    for step in proof.certificate.steps:
        claim = step.claim
        stated = claim.quantity, claim.units, claim.value
        is_explicit = step.rule in ("decomposition", "border-family")
        if is_explicit and stated == (quantity, units, value) and field.includes(claim.over):
            return step
    return None

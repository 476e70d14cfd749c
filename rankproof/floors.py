"""Certified floors: the least loss that networks of so many units can reach, bounded from below and proved."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from rankproof.bounds.floor import best_bound
from rankproof.bounds.method import Bound
from rankproof.certificate.document import Certificate
from rankproof.certificate.producer import producer
from rankproof.certificate.steps import Conclusion, Step
from rankproof.errors import SelfCheckFailed, UsageError
from rankproof.problem.field import QQ, RR
from rankproof.problem.question import LOSSES, Floor, Loss
from rankproof.problem.target import Target
from rankproof.problem.units import unit_model
from rankproof.verifier import Verdict, verify_bytes


@dataclass(frozen=True)
class CertifiedFloor:
    """A proved lower bound for a loss.

    Attributes
    ----------
    target, units, floor
        What was asked.
    value
        No network of the width over the reals has a smaller loss; 0 when nothing positive is proved.
    certificate, verdict
        The proof, and what the verifier says about its bytes; None when the value is 0.
    reason
        Why, in a phrase.
    """

    target: Target
    units: str
    floor: Floor
    value: Fraction
    certificate: Certificate | None
    verdict: Verdict | None
    reason: str

    def __repr__(self) -> str:
        return f"<CertifiedFloor {self.units} {self.floor} of {self.target.text}: >= {self.value}>"


def certified_floor(
    target: Target, units: str, floor: Floor, *, sharper: bool = False, seed: int = 0, command: str = ""
) -> CertifiedFloor:
    """The best floor that the methods of `rankproof.bounds.floor.FLOOR` prove.

    Parameters
    ----------
    target
        A form, a polynomial map or (for product units) a tensor, with rational coefficients.
    units
        Name of a unit model.
    floor
        Loss, width and scale.
    sharper
        Search for weights also where numbers of orderings are good weights already; for uniform inputs they always are.
    seed
        Of the random choices of that search.
    command
        What was asked, for the certificate.

    Raises
    ------
    UsageError
        If the units do not fit the target, or the loss does not.
    SelfCheckFailed
        If the verifier refuses the proof: a defect of rankproof.
    """
    _check(target, units, floor)
    start = time.monotonic()
    best = best_bound(target, units, floor, sharper=sharper, seed=seed)
    if best is None:
        return CertifiedFloor(target, units, floor, Fraction(0), None, None, _nothing(target, floor))
    certificate = _written(target, units, floor, best, command, time.monotonic() - start)
    verdict = verify_bytes(certificate.to_bytes())
    if not verdict.ok:
        raise SelfCheckFailed(
            f"the verifier says {verdict.word} ({verdict.code}) at {verdict.pointer or '/'}: {verdict.message};"
            " this is a defect of rankproof, please report the target"
        )
    value = Fraction(best.claim.value)
    return CertifiedFloor(target, units, floor, value, certificate, verdict, best.reason)


def given_floors(
    target: Target, bounds: Sequence[Bound], *, command: str = "", weights: Sequence[str] = ()
) -> tuple[Certificate, Verdict]:
    """Certificate of given bounds on floors, one a question, and what the verifier says about it.

    Parameters
    ----------
    target
        What the bounds are about.
    bounds
        Claims about different floors, with their witnesses.
    command
        What was asked, for the certificate.
    weights
        Files of weights, for a target that is a block of one.

    Raises
    ------
    SelfCheckFailed
        If the verifier refuses them.
    """
    steps = tuple(Step(b.rule, b.claim, (), b.witness) for b in bounds)
    stated = tuple(Conclusion(b.claim.units, RR, b.claim.quantity, b.claim.value, None) for b in bounds)
    certificate = Certificate(target, steps, stated, producer(command, 0, 0.0))
    verdict = verify_bytes(certificate.to_bytes(), weights=weights)
    if not verdict.ok:
        raise SelfCheckFailed(
            f"the verifier says {verdict.word} ({verdict.code}) at {verdict.pointer or '/'}: {verdict.message}"
        )
    return certificate, verdict


MOST_WIDTHS = 12
"""Floors below the border width that are added to a certificate, for each kind of units: those of the largest widths."""


def with_floors(
    certificate: Certificate, *, seed: int = 0
) -> tuple[Certificate, Verdict, tuple[Conclusion, ...]]:
    """A certificate of widths with the floors of all smaller widths added to its steps and to its conclusion.

    Parameters
    ----------
    certificate
        Of a rational target; its lower bounds of border ranks, or of ranks where no others are asked about, say at which
        widths there can be floors.
    seed
        Of random choices; it is recorded with the certificate already.

    Returns
    -------
    certificate, verdict, floors
        The longer certificate, what the verifier says about its bytes, and the floors: the Gaussian loss for forms and maps,
        the Frobenius norm for tensors. A width of which no positive floor is proved is left out.

    Raises
    ------
    UsageError
        If the target is not rational.
    SelfCheckFailed
        If the verifier refuses the proof: a defect of rankproof.
    """
    target = certificate.target
    if target.ring != QQ:
        raise UsageError(f"floors are about targets with rational coefficients, not in {target.ring}")
    bounds: list[Bound] = []
    for units in dict.fromkeys(answer.units for answer in certificate.conclusion):
        asked = [a for a in certificate.conclusion if a.units == units and not isinstance(a.quantity, Floor)]
        closed = [a for a in asked if a.quantity == "border_rank"] or asked
        most = max(int(a.lower) for a in closed)
        for width in range(max(1, most - MOST_WIDTHS), most):
            floor = Floor("frobenius" if units == "product" else "gaussian", width)
            bound = best_bound(target, units, floor, sharper=False, seed=seed)
            if bound is not None:
                bounds.append(bound)
    stated = tuple(Conclusion(b.claim.units, RR, b.claim.quantity, b.claim.value, None) for b in bounds)
    longer = replace(
        certificate,
        steps=certificate.steps + tuple(Step(b.rule, b.claim, (), b.witness) for b in bounds),
        conclusion=certificate.conclusion + stated,
    )
    verdict = verify_bytes(longer.to_bytes())
    if verdict.word not in ("VERIFIED", "CONDITIONAL"):
        raise SelfCheckFailed(
            f"the verifier says {verdict.word} ({verdict.code}) at {verdict.pointer or '/'}: {verdict.message};"
            " this is a defect of rankproof, please report the target"
        )
    return longer, verdict, stated


def _written(
    target: Target, units: str, floor: Floor, bound: Bound, command: str, seconds: float
) -> Certificate:
    step = Step(bound.rule, bound.claim, (), bound.witness)
    stated = Conclusion(units, RR, floor, bound.claim.value, None)
    return Certificate(target, (step,), (stated,), producer(command, 0, seconds))


def _nothing(target: Target, floor: Floor) -> str:
    """Why no floor was found, as far as that is known."""
    if floor.loss == "size":
        return (
            "no operators were found that so many units would diagonalise and that are not diagonalisable, or the distance"
            " is too large for them"
        )
    if floor.loss == "rademacher" and target.space.is_polynomial:
        d = target.space.form_degree
        if all(len(set(word[:d])) < d for word, _ in target.entries):
            return "the floor is 0, since at the corners of a cube every term with a square is one of lower degree"
        return (
            "every flattening between disjoint variables, the only ones that rademacher inputs see, has a rank that so"
            " many units have"
        )
    return f"every flattening has a rank that so many units have, for the loss {floor.loss} as for any other"


def _check(target: Target, units: str, floor: Floor) -> None:
    if why := unit_model(units).accepts(target.space):
        raise UsageError(why)
    if target.ring != QQ:
        raise UsageError(f"floors are about targets with rational coefficients, not in {target.ring}")
    if floor.loss == "size" and units != "tied":
        raise UsageError("the size of units is bounded for tied units only")
    if units == "product" and floor.loss != "frobenius":
        raise UsageError("a tensor is not a function: its only loss is frobenius")
    if floor.width < 0 or floor.scale <= 0:
        raise UsageError("a width is not negative, and a scale is positive")


def loss_named(name: str) -> Loss:
    """The loss of this name.

    Raises
    ------
    UsageError
        If there is none.
    """
    for known in LOSSES:
        if name == known:
            return known
    raise UsageError(f"no loss is named {name}; there are {', '.join(LOSSES)}")


__all__ = ["CertifiedFloor", "certified_floor", "given_floors", "loss_named", "with_floors"]

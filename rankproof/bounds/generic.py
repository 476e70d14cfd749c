"""Generic width: how many units almost all targets of a space need over CC, bounded on both sides."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankproof.bounds import LOWER
from rankproof.bounds.method import Bound, Budget, best_known
from rankproof.exact.terracini import filling_count, powers_of
from rankproof.problem.field import CC
from rankproof.problem.question import Question
from rankproof.problem.space import Space
from rankproof.problem.target import Target

LOWER_BUDGET = 3.0
"""Seconds for lower bounds at a random target, where the count of parameters leaves a gap."""


@dataclass(frozen=True)
class GenericWidth:
    """How many units of one kind almost all targets of a space need over CC, and what they cost.

    Attributes
    ----------
    units
        Name of the unit model.
    variables, degree, outputs
        The space of targets.
    dimension
        Its dimension.
    lower, upper
        The generic width lies between the two.
    lower_reason
        Why at least.
    projections
        Linear forms of the input in one unit.
    cone
        Parameters of one unit, scales between its vectors removed.
    """

    units: str
    variables: int
    degree: int
    outputs: int
    dimension: int
    lower: int
    upper: int
    lower_reason: str
    projections: int
    cone: int

    @property
    def is_exact(self) -> bool:
        """Whether both bounds agree."""
        return self.lower == self.upper


def generic_width(
    units: str, variables: int, degree: int, outputs: int = 1, *, seed: int = 0, budget: float = LOWER_BUDGET
) -> GenericWidth:
    """The generic width of forms or maps over CC.

    Parameters
    ----------
    units
        A unit model of polynomials.
    variables, degree, outputs
        The space of targets: so many forms of a degree.
    seed
        Of the random points.
    budget
        Seconds for lower bounds beyond the count of parameters.

    Returns
    -------
    GenericWidth
        Both bounds are proved.

    Raises
    ------
    UsageError
        If the units do not fit the degree, or the space is too large.

    Notes
    -----
    The upper bound is Terracini's lemma at a random integer point. From below: units with fewer parameters in all than the
    space has dimensions do not fill it; and since the targets of border width at most r are a closed set, a single target of
    greater border width shows that they are not all.

    Examples
    --------
    >>> width = generic_width("tied", 3, 4)
    >>> width.lower, width.upper, width.lower_reason
    (6, 6, 'at a random target: catalecticant of order 2 has rank 6')
    """
    filling = filling_count(units, variables, degree, outputs, seed)
    reason = f"{filling.dimension} coefficients, {filling.cone} parameters a unit"
    lower = filling.expected
    if lower < filling.count:
        found = _bound_at_a_random_target(filling.units, variables, degree, outputs, seed, budget)
        if found is not None and found[0] > lower:
            lower, reason = found
    return GenericWidth(
        filling.units,
        variables,
        degree,
        outputs,
        filling.dimension,
        lower,
        filling.count,
        reason,
        len(powers_of(filling.units, degree)),
        filling.cone,
    )


def _bound_at_a_random_target(
    units: str, variables: int, degree: int, outputs: int, seed: int, seconds: float
) -> tuple[int, str] | None:
    rng = np.random.default_rng([seed, variables, degree, outputs])
    space = Space.map(variables, degree, outputs)
    values = rng.integers(-9, 10, size=space.dimension)
    target = Target.from_entries(space, {w: int(x) for w, x in zip(space.words(), values, strict=True)})
    question, budget = Question(units, CC, "border_rank"), Budget(seconds)
    known: list[Bound] = []
    for method in LOWER:
        field = method.field_for(target, question)
        if field is not None and method.tier == "A" and not budget.exhausted():
            part = budget.share(budget.left())
            known += method.find(target, question.units, field, part, rng, tuple(known))
    best = best_known(known, question, ">=", target)
    if best is None:
        return None
    deciding = next(b for b in known if best_known([b], question, ">=", target) == best)
    claim = deciding.claim
    through = "" if claim.units == units else f"{claim.value} {claim.units} units, "
    return best, f"at a random target: {through}{deciding.reason}"


def kinds_for(degree: int) -> tuple[str, ...]:
    """The unit models to compare for a degree; mixed:1 is untied, and for degree 2 split too."""
    mixed = tuple(f"mixed:{k}" for k in range(2, degree // 2 + 1))
    return ("tied", "untied", *mixed, *(("split",) if degree > 2 else ()))

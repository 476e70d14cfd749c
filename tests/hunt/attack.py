"""Floating point against the lower bounds of the collection: a search for one unit less than is claimed to be needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rankproof.bounds.numerical import Result, field_of_search, search
from rankproof.certificate.document import Certificate
from rankproof.errors import RankproofError
from rankproof.problem.field import CC, RR
from rankproof.problem.question import Floor

CLOSE = 1e-6
"""Relative distance below which a sum is taken for a member of a family that tends to the target."""

EXACT, BOUNDED = 1e-12, 100.0
"""Relative distance and norm of the largest unit below which a sum is taken for the target itself.

In a family whose units grow like 1/t the distance is of order t^2 or t, seldom t^4: units below 100 leave 1e-9 of the
target, while Newton steps reach a sum that exists up to rounding.
"""


@dataclass(frozen=True)
class Attempt:
    """A search for fewer units than a certificate says are needed.

    ``beaten`` when the best sum is close to the target, which for a rank means up to rounding and with small units.
    """

    name: str
    question: str
    width: int
    starts: int
    residual: float
    largest: float
    beaten: bool


def is_beaten(result: Result, border: bool) -> bool:
    """Whether a search found a sum that is the target, or for a border rank one of a family that tends to it."""
    if border:
        return result.residual < CLOSE
    return result.residual < EXACT and result.largest < BOUNDED


def attack(paths: Sequence[Path], seconds: float, seed: int) -> Iterator[Attempt]:
    """Attack every lower bound above 1 over RR and CC, the larger ones of rank and of border rank each."""
    for path in paths:
        try:
            certificate = Certificate.from_bytes(path.read_bytes())
        except RankproofError:
            continue  # a list of families, or a block of a weights file that is not here
        tried: set[tuple[str, str, int]] = set()
        for answer in certificate.conclusion:
            key = (answer.units, str(answer.field), answer.lower)
            if isinstance(answer.quantity, Floor) or answer.field not in (RR, CC):
                continue  # floors have an attack of their own, tests.floor_attack
            if answer.lower < 2 or key in tried:
                continue
            border = any(
                a.quantity == "border_rank" and (a.units, str(a.field), a.lower) == key
                for a in certificate.conclusion
            )
            over = field_of_search(certificate.target, answer.field)
            if over is None:
                continue
            tried.add(key)
            try:
                result = search(
                    certificate.target,
                    answer.units,
                    answer.lower - 1,
                    over,
                    seed=seed,
                    seconds=seconds,
                    exactly=False,
                )
            except RankproofError:
                continue  # too large for a dense search
            question = (
                f"{answer.units} {'border rank' if border else 'rank'} over {answer.field} >= {answer.lower}"
            )
            yield Attempt(
                f"{path.parent.name}/{path.stem}",
                question,
                answer.lower - 1,
                len(result.costs),
                result.residual,
                result.largest,
                is_beaten(result, border),
            )

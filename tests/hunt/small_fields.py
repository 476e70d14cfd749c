"""Targets over small fields with their widths, found by adding units until everything is reached."""

from __future__ import annotations

import random
from collections.abc import Iterator

from verifier.test_exhaustive import SPACES, UNREACHED, Factors, models, widths, words

from rankproof.problem.field import gf
from rankproof.problem.question import Question
from rankproof.problem.space import Space
from rankproof.problem.target import Target

from .constructions import Construction

LARGER: list[tuple[Factors, int]] = [
    (((4, 2),), 2),
    (((4, 2),), 3),
    (((3, 2),), 5),
    (((2, 3),), 7),
    (((2, 3),), 11),
    (((2, 4),), 7),
    (((2, 5),), 5),
    (((2, 6),), 2),
    (((3, 3),), 3),
    (((2, 3), (2, 1)), 3),
    (((3, 2), (2, 1)), 2),
    (((2, 1), (2, 1), (2, 1), (2, 1)), 2),
    (((2, 1), (2, 1), (4, 1)), 2),
    (((2, 1), (3, 1), (3, 1)), 2),
    (((2, 1), (2, 1), (3, 1)), 3),
]


def small(count: int, seed: int) -> Iterator[Construction]:
    """So many targets of all spaces in turns, each with its width in one kind of units; what no units reach is left out."""
    rng = random.Random(seed)
    places = [(factors, p, name) for factors, p in [*SPACES, *LARGER] for name in models(factors)]
    share = -(-count // len(places))
    for factors, p, name in places:
        truth, letters = widths(factors, name, p), words(factors)
        reached = [k for k in range(1, len(truth)) if truth[k] < UNREACHED]
        for k in rng.sample(reached, min(share, len(reached))):
            entries = {word: c for i, word in enumerate(letters) if (c := k // p**i % p)}
            target = Target.from_entries(Space(factors), entries, gf(p))
            known = tuple((Question(name, gf(p), q), int(truth[k])) for q in ("rank", "border_rank"))
            yield Construction(
                f"all of {'x'.join(f'{n}^{d}' for n, d in factors)} over GF({p})", target, name, known
            )

"""Random sums of w units against every lower-bound method: ``python tools/random_sums.py --sums 10000``.

A sum of w units has width at most w, so no method may prove more. Many of the sums are degenerate on purpose: repeated and
parallel directions, few variables, vanishing weights, units that cancel. Prints what was tried; the exit status is 1 if a
bound exceeds w or the verifier refuses a certificate.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from rankproof.bounds import LOWER
from rankproof.bounds.method import Bound, Budget, best_known
from rankproof.certificate.claim import implied
from rankproof.certificate.document import Certificate
from rankproof.errors import RankproofError
from rankproof.problem.decomposition import Decomposition
from rankproof.problem.field import CC, QQ, RR, Field, gf
from rankproof.problem.question import Question
from rankproof.problem.space import Space
from rankproof.problem.target import Target
from rankproof.problem.units import unit_model
from rankproof.verifier import verify_bytes

SHAPES: list[tuple[str, Space]] = [
    *(
        (units, Space.form(n, d))
        for units in ("tied", "untied", "split")
        for n in (2, 3, 4)
        for d in (2, 3, 4)
    ),
    *(
        (units, Space.map(n, d, m))
        for units in ("tied", "untied", "split")
        for n in (2, 3)
        for d in (2, 3)
        for m in (2, 3)
    ),
    *(("mixed:2", Space.form(n, d)) for n in (2, 3) for d in (4, 5)),
    ("tied", Space.form(2, 7)),
    ("untied", Space.form(2, 7)),
    ("untied", Space.form(2, 6)),
    *(("product", Space.tensor(*dims)) for dims in ((2, 2, 2), (3, 3, 3), (2, 3, 4), (2, 2, 2, 2))),
]


def vector(length: int, pool: list[list[int]], rng: np.random.Generator) -> list[int]:
    """A small vector: a new one, one that occurred already, or a multiple of one."""
    same = [v for v in pool if len(v) == length]
    kind = int(rng.integers(4))
    if kind == 0 and same:
        return same[int(rng.integers(len(same)))]
    if kind == 1 and same:
        factor = int(rng.choice([-2, -1, 2, 3]))
        return [factor * x for x in same[int(rng.integers(len(same)))]]
    fresh = [int(x) for x in rng.integers(-3, 4, length)]
    if kind == 2:
        fresh = [x if rng.integers(3) == 0 else 0 for x in fresh]
    pool.append(fresh)
    return fresh


def sums(count: int, seed: int) -> Iterator[tuple[str, int, Target]]:
    """(units, w, sum of w units), zero sums left out."""
    made = 0
    for k in range(100 * count):
        if made == count:
            return
        rng = np.random.default_rng([seed, k])
        units, space = SHAPES[k % len(SHAPES)]
        ring = QQ if rng.integers(5) else gf(int(rng.choice([2, 3, 7, 101])))
        width = int(rng.integers(1, 6))
        pool: list[list[int]] = []
        model = unit_model(units)
        drawn = [[vector(n, pool, rng) for n in model.vector_lengths(space)] for _ in range(width)]
        decomposition = Decomposition.of(units, drawn, ring)
        entries = decomposition.expand(space)
        if entries:
            made += 1
            yield units, width, Target.from_entries(space, entries, ring)


def bounds_of(target: Target, units: str, seconds: float) -> list[Bound]:
    """What every lower-bound method of tier A finds, over all fields of its questions."""
    found: list[Bound] = []
    fields: list[Field] = [target.ring] if target.ring.characteristic else [QQ, RR, CC]
    done: set[tuple[str, Field]] = set()
    for method in LOWER:
        for field in fields:
            over = method.field_for(target, Question(units, field, "rank"))
            if over is None or method.tier != "A" or (method.name, over) in done:
                continue
            done.add((method.name, over))
            found += method.find(target, units, over, Budget(seconds), np.random.default_rng(0), ())
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Run the campaign."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sums", type=int, default=10_000, help="how many sums (10000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--budget", type=float, default=0.5, help="seconds a method (0.5)")
    parser.add_argument(
        "--verify", type=float, default=0.1, help="share of the bounds that the verifier checks (0.1)"
    )
    options = parser.parse_args(argv)
    rng = np.random.default_rng([options.seed, 1])
    counts: Counter[str] = Counter()
    by_rule: Counter[str] = Counter()
    begun = time.monotonic()
    for units, width, target in sums(options.sums, options.seed):
        counts["sums"] += 1
        try:
            found = bounds_of(target, units, options.budget)
        except RankproofError as error:
            print(f"{units} {target.text}: {error}")
            counts["errors"] += 1
            continue
        for bound in found:
            counts["bounds"] += 1
            by_rule[bound.rule] += 1
            # A method may prove a bound for other units, from which one for these follows.
            value = implied(bound.claim, Question(units, bound.claim.over, bound.claim.quantity), target) or 0
            counts["equal to w"] += value == width
            if value > width:
                counts["false"] += 1
                print(
                    f"FALSE {bound.rule}: {bound.claim}, {units} of a sum of {width}: {target.text} over {target.ring}"
                )
            if rng.random() < options.verify:
                question = Question(units, bound.claim.over, bound.claim.quantity)
                counts["verified"] += 1
                verdict = verify_bytes(Certificate.build(target, [bound], [question], {}).to_bytes())
                if not verdict.ok and verdict.word != "UNDECIDED":
                    counts["refused"] += 1
                    print(
                        f"REFUSED {verdict.code} at {verdict.pointer}: {bound.rule} {bound.claim} of {target.text}"
                    )
        best = best_known(found, Question(units, target.ring, "rank"), ">=", target) or 0
        counts["sums whose width is settled"] += best == width
        if counts["sums"] % 500 == 0:
            print(
                f"{counts['sums']} sums, {counts['bounds']} bounds, {time.monotonic() - begun:.0f} s",
                file=sys.stderr,
            )
    for name in (
        "sums",
        "bounds",
        "equal to w",
        "sums whose width is settled",
        "verified",
        "errors",
        "refused",
        "false",
    ):
        print(f"{name:28}{counts[name]:>8}")
    for rule, number in by_rule.most_common():
        print(f"  {rule:26}{number:>8}")
    return 1 if counts["false"] or counts["refused"] or counts["errors"] else 0


if __name__ == "__main__":
    sys.exit(main())

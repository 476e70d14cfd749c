"""``python -m tests.hunt sums|small|attack``: look for a lower bound that is false.

``sums``: targets that are sums of units, limits of sums, or sums with conjugate units, by construction. Every lower bound
of every method is compared with the number of units, verified, and its witness damaged: what a damaged witness still
proves must be true too.

``small``: the same for targets over small fields, whose widths are known because every sum was formed.

``attack``: floating point searches for one unit less than the certificates of ``certificates/`` say are needed.

The exit status is 1 when a bound was false, or refused by the verifier.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
if str(TESTS) not in sys.path:
    sys.path.insert(0, str(TESTS))

from hunt.attack import attack  # noqa: E402
from hunt.constructions import constructions  # noqa: E402
from hunt.small_fields import small  # noqa: E402
from hunt.sums import hunt  # noqa: E402

COLLECTION = TESTS.parent / "certificates"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one of the hunts."""
    parser = argparse.ArgumentParser(prog="python -m tests.hunt", description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("sums", "small", "attack"))
    parser.add_argument("--targets", type=int, default=10_000, help="how many (10000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--shard", default="0/1", metavar="I/N", help="the targets I, I + N, I + 2 N, ...")
    parser.add_argument(
        "--budget", type=float, help="seconds a method (0.1), or seconds a search of the attack (1)"
    )
    parser.add_argument("--forgeries", type=int, default=2, help="damaged witnesses a bound (2)")
    options = parser.parse_args(arguments)
    first, step = map(int, options.shard.split("/"))
    if options.what == "attack":
        return _attack(sorted(COLLECTION.glob("*/*.json"))[first::step], options.budget or 1.0, options.seed)
    made = (constructions if options.what == "sums" else small)(options.targets, options.seed)
    found = hunt(islice(made, first, None, step), options.budget or 0.1, options.forgeries, options.seed)
    print("\n".join(found.lines()))
    return int(bool(found.findings))


def _attack(paths: Sequence[Path], seconds: float, seed: int) -> int:
    attempts = sorted(attack(paths, seconds, seed), key=lambda attempt: attempt.residual)
    names = len({attempt.name for attempt in attempts})
    beaten = sum(attempt.beaten for attempt in attempts)
    starts = sum(attempt.starts for attempt in attempts)
    print(
        f"{names} certificates, {len(attempts)} lower bounds attacked from {starts} starts, {beaten} beaten; the closest:"
    )
    for attempt in attempts[:20]:
        word = "BEATEN" if attempt.beaten else ""
        print(
            f"  {attempt.name}: {attempt.question}; {attempt.width} units come to {attempt.residual:.1e}, "
            f"the largest of size {attempt.largest:.1e} {word}".rstrip()
        )
    return int(bool(beaten))


if __name__ == "__main__":
    sys.exit(main())

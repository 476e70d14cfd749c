"""``python -m tests.mutation.shifted constants|inequalities``: verifiers whose tables or inequalities are off by one.

Every integer of the tables of divisors and of the functions that derive claims is one larger and one smaller, and every
inequality is true for one integer more and one less. Prints the mutants that the corpus does not notice; the exit status is
1 when there are any. ``--shard 3/40`` takes a fortieth: the whole takes hours.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
if str(TESTS) not in sys.path:
    sys.path.insert(0, str(TESTS))

from corpus.judging import everything  # noqa: E402

from mutation.checker import constants_shifted, first_disagreement, inequalities_shifted  # noqa: E402
from mutation.equivalent import EQUIVALENT, SHIFTED  # noqa: E402


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the mutants of one kind."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutation.shifted", description=__doc__.splitlines()[0]
    )
    parser.add_argument("what", choices=("constants", "inequalities"))
    parser.add_argument("--shard", default="0/1", metavar="I/N", help="the mutants I, I + N, I + 2 N, ...")
    options = parser.parse_args(arguments)
    first, step = map(int, options.shard.split("/"))
    made = constants_shifted() if options.what == "constants" else inequalities_shifted()
    mutants = [m for m in made if m.key not in EQUIVALENT and m.place not in SHIFTED][first::step]
    demands = everything()
    survivors = 0
    for mutant in mutants:
        if not first_disagreement(mutant, demands):
            survivors += 1
            print(f"not noticed: {mutant}", flush=True)
    print(f"{len(mutants)} mutants, {survivors} not noticed")
    return int(bool(survivors))


if __name__ == "__main__":
    sys.exit(main())

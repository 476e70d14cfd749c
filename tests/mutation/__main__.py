"""``python -m tests.mutation [FILE...]``: damage the accepted files of the corpus, and the certificates named.

Prints one line of counts; exits with 1 when a false mutant was accepted, the verifier broke down, or the oracle could not
tell whether something accepted is true.
"""

from __future__ import annotations

import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
if str(TESTS) not in sys.path:
    sys.path.insert(0, str(TESTS))

from corpus.judging import files  # noqa: E402

from mutation.certificates import Damager, accepted_files  # noqa: E402


def main(arguments: list[str]) -> int:
    corpus = [(demand.name, demand.data) for demand in files() if demand.name.startswith("accept/")]
    given = [(name, Path(name).read_bytes()) for name in arguments]
    damager = Damager()
    for name, data in accepted_files([*corpus, *given]):
        damager.damage(name, data)
        if sys.stderr.isatty():
            print(damager.tally.line(), end="\r", file=sys.stderr)
    print(damager.tally.line())
    print("refusals: " + ", ".join(f"{code} {n}" for code, n in damager.tally.codes.most_common()))
    for finding in damager.tally.findings:
        print(finding)
    return int(bool(damager.tally.findings))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

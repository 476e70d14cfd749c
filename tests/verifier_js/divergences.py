"""``python -m tests.verifier_js.divergences``: both verifiers judge damaged certificates, and must say the same.

``--mutants 10000`` shares so many mutants out among the accepted files of the corpus and of ``certificates/``; files that
are named are damaged instead. A mutant whose claims no longer agree with its witness is also tried in the form in which
they do, as in ``python -m tests.mutation``. Verdicts, codes and claim hashes are compared. Prints every divergence that is
not one of those that docs/divergences.md allows, then counts; the exit status is 1 if there was one.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
if str(TESTS) not in sys.path:
    sys.path.insert(0, str(TESTS))

from corpus.judging import WEIGHTS  # noqa: E402
from mutation.__main__ import SLOW, Files, everything  # noqa: E402
from mutation.certificates import REPAIRABLE, repaired  # noqa: E402
from mutation.damage import damaged_bytes, damaged_trees, damaged_twice  # noqa: E402
from verifier_js.second import NoVerdict, second_verdicts  # noqa: E402

from rankproof.verifier import RULES, Verdict, verify_bytes  # noqa: E402

AT_ONCE = 200
"""Mutants that one process of the second verifier is given."""

Mutant = tuple[str, bytes, Verdict]


def first_verdict(data: bytes) -> Verdict:
    """What the first verifier says."""
    return verify_bytes(data, weights=[WEIGHTS])


def mutants(chosen: Files, share: int, seed: int) -> Iterator[Mutant]:
    """Damaged files with the verdict of the first verifier: ``share`` a file, and repaired ones."""
    for name, data in chosen:
        its = max(2, share // 10) if any(slow in name for slow in SLOW) else share
        tree = json.loads(data)
        rng = random.Random(f"{name} {seed}")
        once = list(damaged_trees(tree, tuple(RULES)))
        picked = rng.sample(once, min(its // 2, len(once)))
        picked += damaged_twice(tree, tuple(RULES), rng, its - len(picked) - its // 8)
        for how, mutant in picked:
            text = json.dumps(mutant).encode()
            verdict = first_verdict(text)
            yield f"{name}: {how}", text, verdict
            if verdict.code in REPAIRABLE and (mended := repaired(mutant)) is not None:
                text = json.dumps(mended).encode()
                yield f"{name}: {how}, repaired", text, first_verdict(text)
        # A few of each kind of damaged bytes are many; so many of them as were asked for.
        spoilt = list(damaged_bytes(data, rng, 1 + its // 8))
        for how, text in rng.sample(spoilt, min(its // 8, len(spoilt))):
            yield f"{name}: {how}", text, first_verdict(text)


def is_allowed(first: Verdict, second: dict[str, str], data: bytes) -> bool:
    """Whether docs/divergences.md allows that the second verifier says something else."""
    codes = {first.code, second["code"]}
    if "limit-operations" in codes:
        return True
    if codes == {"singular", "no-contraction"}:
        return b"real-solution" in data
    return "not-dominant" in codes and b"inertia" in data


def compare(stream: Iterator[Mutant], seconds: float) -> tuple[Counter[str], list[str]]:
    """Counts of what was agreed, and all divergences in words."""
    counts: Counter[str] = Counter()
    found: list[str] = []
    while part := list(islice(stream, AT_ONCE)):
        try:
            answers = list(
                second_verdicts((data for _, data, _ in part), weights=Path(WEIGHTS), seconds=seconds)
            )
        except NoVerdict as silence:
            answers = silence.answers
            found.append(f"{part[len(answers)][0]}: the second verifier said nothing in {seconds:.0f} s")
            counts["without a verdict"] += 1
            stream = _chained(part[len(answers) + 1 :], stream)
        for (name, data, first), second in zip(part, answers, strict=False):
            counts["mutants"] += 1
            mine = (first.word, first.code, first.claim_hash or "")
            its = (second["verdict"], second["code"], second["claim"])
            if mine == its:
                counts[f"both {first.word}"] += 1
            elif is_allowed(first, second, data):
                counts[f"allowed: {' and '.join(sorted({first.code, second['code']}))}"] += 1
            else:
                counts["divergences"] += 1
                found.append(
                    f"{name}: {first.word} {first.code} at {first.pointer}; the second says {second['verdict']} "
                    f"{second['code']} at {second['pointer']}: {second['message']}"
                )
    return counts, found


def _chained(part: list[Mutant], stream: Iterator[Mutant]) -> Iterator[Mutant]:
    yield from part
    yield from stream


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison."""
    parser = argparse.ArgumentParser(prog="python -m tests.verifier_js.divergences")
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="damage these (default: corpus and collection)"
    )
    parser.add_argument("--mutants", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", metavar="TEXT", help="only files whose name holds TEXT")
    parser.add_argument("--seconds", type=float, default=300, help="for 200 mutants, at most")
    options = parser.parse_args(arguments)
    chosen = [(name, Path(name).read_bytes()) for name in options.files] or everything()
    chosen = [(name, data) for name, data in chosen if options.only in name]
    share = -(-options.mutants // len(chosen))
    counts, found = compare(mutants(chosen, share, options.seed), options.seconds)
    for line in found:
        print(line)
    print(", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())

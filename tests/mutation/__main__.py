"""``python -m tests.mutation``: damage accepted certificates and have the verifier and an oracle judge every mutant.

``--mutants 100000`` shares so many mutants out among the accepted files of the corpus and of ``certificates/``; without it
every node of the corpus is damaged in every way. Files that are named are damaged instead. ``--shard 0/2`` does one half of
the files: what is damaged, and how, depends on the seed and the name of the file alone, so the halves may run side by
side. ``--processes 2`` does that by itself.

Prints counts, refusals by code, what became of the accepted mutants by rule, and the slowest. The exit status is 1 when a
false mutant was accepted, the verifier broke down, or the oracle could not tell whether something within its reach is true.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from math import ceil
from pathlib import Path
from typing import TextIO

TESTS = Path(__file__).resolve().parents[1]
if str(TESTS) not in sys.path:
    sys.path.insert(0, str(TESTS))

from corpus.judging import files  # noqa: E402

from mutation.certificates import Damager, Tally, accepted_files  # noqa: E402

COLLECTION = TESTS.parent / "certificates"

SLOW = ("tensors/sl3", "matmul/3-3-3", "arrangements/ref-a4", "elementary/e4-6")
"""Certificates that take seconds each to verify."""

Files = list[tuple[str, bytes]]


def everything() -> Files:
    """The accepted files of the corpus, and the certificates of the collection."""
    corpus = [(demand.name, demand.data) for demand in files() if demand.name.startswith("accept/")]
    collection = [
        (path.relative_to(COLLECTION.parent).as_posix(), path.read_bytes())
        for path in sorted(COLLECTION.glob("*/*.json"))
    ]
    return corpus + collection


def weight(name: str) -> float:
    """Share of a file: a mutant of the collection takes longer than one of the corpus, a slow one much longer."""
    return 1.0 if name.startswith("accept/") else 0.01 if any(slow in name for slow in SLOW) else 0.1


def campaign(
    chosen: Files, share: float | None, seed: int, quiet: bool = True, log: str | None = None
) -> Tally:
    """Damage files: every node, or ``share`` mutants a file: half of them at one node, a sixth of bytes, the rest twice."""
    damager = Damager()
    for name, data in accepted_files(chosen):
        if share is None:
            damager.damage(name, data, seed=seed)
        else:
            its = ceil(share * weight(name))
            before = damager.tally.mutants
            damager.damage(name, data, most=its // 2, bytewise=its // 30, seed=seed)
            # Small files have fewer nodes than their share; there is no end of pairs.
            damager.more(name, its - (damager.tally.mutants - before), seed)
        if log is not None:
            # What is counted so far is on disk when a long run is interrupted.
            with open(log, "w", encoding="utf-8") as stream:
                report(damager.tally, stream)
        if not quiet:
            print(damager.tally.line(), end="\r", file=sys.stderr)
    return damager.tally


def report(tally: Tally, stream: TextIO = sys.stdout) -> None:
    """The figures of a campaign."""
    lines = [
        tally.line(),
        "refusals: " + ", ".join(f"{code} {n}" for code, n in tally.codes.most_common()),
        "accepted mutants by the rules that the oracle does not check step by step:",
        *(
            f"  {rules}: " + ", ".join(f"{n} {what}" for what, n in sorted(counts.items()))
            for rules, counts in sorted(tally.by_rule.items())
        ),
        f"slowest: {tally.slowest[0]:.1f} s, {tally.slowest[1]}",
        *tally.findings,
    ]
    print("\n".join(lines), file=stream)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the campaign, or one shard of it."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__.splitlines()[0])
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="damage these (default: corpus and collection)"
    )
    parser.add_argument("--mutants", type=int, help="how many in all (default: every node of the corpus)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--shard", default="0/1", metavar="I/N", help="the files I, I + N, I + 2 N, ...")
    parser.add_argument("--processes", type=int, default=1, help="shards that run side by side")
    parser.add_argument(
        "--log", metavar="FILE", help="write the figures so far after every file (one process)"
    )
    options = parser.parse_args(arguments)
    first, step = map(int, options.shard.split("/"))
    if options.files:
        chosen = [(name, Path(name).read_bytes()) for name in options.files]
    elif options.mutants is None:
        chosen = [(name, data) for name, data in everything() if name.startswith("accept/")]
    else:
        chosen = everything()
    share = options.mutants and options.mutants / sum(weight(name) for name, _ in chosen)
    n = options.processes
    parts = [chosen[first + step * i :: step * n] for i in range(n)]
    if n == 1:
        tally = campaign(parts[0], share, options.seed, quiet=not sys.stderr.isatty(), log=options.log)
    else:
        tally = Tally()
        with ProcessPoolExecutor(n) as pool:
            for part in pool.map(campaign, parts, [share] * n, [options.seed] * n):
                tally.merge(part)
    report(tally)
    return int(bool(tally.findings))


if __name__ == "__main__":
    sys.exit(main())

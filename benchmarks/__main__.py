"""``python -m benchmarks [SUITE...]``: measure, print ratios, write JSON.

Everything runs in one thread and is compared by CPU time, so that what else the machine does matters little.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from pathlib import Path

SUITES = {
    "dense": "dense rank modulo a prime, against LAPACK and python-flint",
    "koszul": "Koszul flattenings, and border ranks of matrix multiplication from n = 2 to 8",
    "catalecticants": "all catalecticants of a form, against Macaulay2",
    "floors": "certified floors, against singular values in floating point",
    "verifying": "the verifier's ranks and start-up times",
}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure against yardsticks in one run and print ratios.",
        epilog="suites: " + "; ".join(f"{name}: {what}" for name, what in SUITES.items()),
    )
    parser.add_argument("suites", nargs="*", metavar="SUITE", help="which suites (default: all)")
    parser.add_argument("--quick", action="store_true", help="small sizes only, in seconds")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write the rows as JSON")
    parser.add_argument(
        "--page", type=Path, metavar="FILE", help="put tables between the marks of a Markdown page"
    )
    chosen = parser.parse_args(arguments)
    unknown = set(chosen.suites).difference(SUITES)
    if unknown:
        parser.error(f"there is no suite {', '.join(sorted(unknown))}; suites: {', '.join(SUITES)}")
    single_thread()
    from benchmarks.report import line, rewrite, write  # after the environment is set: numpy reads it once

    rows = []
    for name in chosen.suites or SUITES:
        print(f"\n{name}: {SUITES[name]}", flush=True)
        for found in importlib.import_module(f"benchmarks.{name}").rows(chosen.quick):
            rows.append(found)
            print(line(found), flush=True)
    if chosen.output:
        write(rows, chosen.output)
    if chosen.page:
        rewrite(chosen.page, rows)
    missed = [found for found in rows if found.met is False]
    print(f"\n{len(rows)} rows, {len(missed)} miss what is wanted", flush=True)
    return 0


def single_thread() -> None:
    """One thread, and the kernels that the linear algebra libraries choose for this processor themselves."""
    for name in [name for name in os.environ if name.startswith("OPENBLAS_")]:
        del os.environ[name]
    os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"


if __name__ == "__main__":
    sys.exit(main())

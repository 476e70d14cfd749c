"""``python -m tests.fuzz large|grafts|guided``: throw files at the verifier and say what came of it.

``large`` measures ``python -m rankproof.verifier`` on the nastiest files of 64 MiB; ``grafts`` judges certificates put
together from parts of the corpus; ``guided`` fuzzes with coverage feedback and needs ``pip install atheris``. Exits with 1
when something other than a verdict came out, or a declared cap was exceeded.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
if str(TESTS) not in sys.path:
    sys.path.insert(0, str(TESTS))

from .large import FILES, MOST_MEBIBYTES, MOST_SECONDS, measured  # noqa: E402


def large(options: argparse.Namespace) -> int:
    size = int(options.size * 2**20) - 2000
    beyond: list[str] = []
    print(f"caps: {MOST_SECONDS} s of processor time, {MOST_MEBIBYTES} MiB of memory")
    for name, make in FILES.items():
        if options.only not in name:
            continue
        cost = measured(make(size), options.patience)
        print(
            f"{name:40} {cost.bytes / 2**20:5.1f} MiB  exit {cost.status:3}  {cost.code:24}"
            f" {cost.seconds:7.1f} s {cost.mebibytes:6.0f} MiB",
            flush=True,
        )
        if (
            cost.status not in (0, 1, 3, 4, 5)
            or cost.seconds > MOST_SECONDS
            or cost.mebibytes > MOST_MEBIBYTES
        ):
            beyond.append(name)
    print(f"beyond the caps: {', '.join(beyond) or 'none'}")
    return int(bool(beyond))


def grafts(options: argparse.Namespace) -> int:
    from rankproof.verifier import verify_bytes

    from .grafting import grafted

    words: Counter[str] = Counter()
    codes: Counter[str] = Counter()
    longest = (0.0, "")
    breakdowns: list[str] = []
    end = time.monotonic() + options.seconds
    number = options.seed
    while time.monotonic() < end:
        data = grafted(random.Random(number))
        start = time.process_time()
        try:
            verdict = verify_bytes(data)
        except Exception as error:
            breakdowns.append(f"seed {number}: {type(error).__name__}: {error}")
        else:
            words[verdict.word] += 1
            codes[verdict.code] += 1
        longest = max(longest, (time.process_time() - start, f"seed {number}"))
        number += 1
    report(words, codes)
    print(f"longest: {longest[0]:.1f} s ({longest[1]}); breakdowns: {len(breakdowns)}")
    print("\n".join(breakdowns))
    return int(bool(breakdowns))


def guided(options: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory() as folder:
        tally = Path(folder, "tally.json")
        code = "import sys; from pathlib import Path; from tests.fuzz.guided import run; "
        code += f"run({int(options.seconds)}, {options.seed}, Path({str(tally)!r}))"
        paths = os.pathsep.join([str(TESTS.parent), str(TESTS), os.environ.get("PYTHONPATH", "")])
        ended = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONPATH": paths, "TMPDIR": folder},
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        if tally.exists():
            report(*(Counter(counts) for counts in json.loads(tally.read_text())))
        print(
            "\n".join(
                line for line in ended.stderr.splitlines() if line.startswith("stat::") or "DONE" in line
            )
        )
        if ended.returncode:
            print(ended.stderr[-4000:])
    return int(ended.returncode != 0)


def report(words: Counter[str], codes: Counter[str]) -> None:
    print(f"{sum(words.values())} files: " + ", ".join(f"{n} {word}" for word, n in words.most_common()))
    print("codes: " + ", ".join(f"{code or 'none'} {n}" for code, n in codes.most_common()))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    kinds = {"large": large, "grafts": grafts, "guided": guided}
    parser.add_argument("kind", choices=list(kinds))
    parser.add_argument("--size", type=float, default=64, help="MiB of each large file (default 64)")
    parser.add_argument("--only", default="", help="large files whose name contains this")
    parser.add_argument(
        "--patience", type=float, default=900, help="seconds of processor time before a verifier is killed"
    )
    parser.add_argument("--seconds", type=float, default=60, help="how long to fuzz")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    return kinds[options.kind](options)


if __name__ == "__main__":
    sys.exit(main())

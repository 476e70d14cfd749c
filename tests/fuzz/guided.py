"""Coverage-guided fuzzing of the verifier with atheris (libFuzzer): ``python -m tests.fuzz guided``.

libFuzzer keeps the files that reach new lines of the verifier. Half of its changes are its own, of bytes; the others are
changes of the tree, so that the kernel and the rules are reached and not only the reader. It ends the process at the first
exception other than a refusal, when one file takes too long, or when memory grows beyond the cap.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path


def run(seconds: int, seed: int, tally: Path) -> None:
    """Fuzz for so long; does not return. Verdicts are counted in the file ``tally``."""
    import atheris

    with atheris.instrument_imports(include=["rankproof.verifier"]):
        from rankproof.verifier import verify_bytes

    from .grafting import changed, trees
    from .large import MOST_MEBIBYTES, MOST_SECONDS

    words: Counter[str] = Counter()
    codes: Counter[str] = Counter()

    def judge(data: bytes) -> None:
        verdict = verify_bytes(data)
        words[verdict.word] += 1
        codes[verdict.code] += 1
        if sum(words.values()) % 200 == 0:
            tally.write_text(json.dumps([words, codes]))

    def mutate(data: bytes, most: int, number: int) -> bytes:
        rng = random.Random(number)
        if rng.random() < 0.5:
            return atheris.Mutate(data, most)
        try:
            tree = json.loads(data)
        except (ValueError, RecursionError):
            tree = rng.choice(trees())
        return json.dumps(changed(tree, rng)).encode()[:most]

    seeds = tempfile.mkdtemp()
    for number, tree in enumerate(trees()):
        Path(seeds, str(number)).write_text(json.dumps(tree))
    atheris.Setup(
        [
            sys.argv[0],
            seeds,
            f"-max_total_time={seconds}",
            f"-seed={seed}",
            "-max_len=65536",
            "-len_control=0",
            f"-timeout={MOST_SECONDS}",
            f"-rss_limit_mb={MOST_MEBIBYTES}",
            "-print_final_stats=1",
        ],
        judge,
        custom_mutator=mutate,
    )
    atheris.Fuzz()

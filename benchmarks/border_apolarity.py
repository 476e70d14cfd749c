"""Border apolarity: bytes, and CPU seconds to prove and to verify. ``python benchmarks/border_apolarity.py [--all]``.

The verifier runs on the bytes of a whole certificate, in this process. With ``--all`` the determinant and the product of
3 x 3 matrices are included, which take seconds.
"""

from __future__ import annotations

import json
import sys
import time

import numpy as np

from rankproof.bounds.lower.border_apolarity import witness
from rankproof.bounds.method import Bound
from rankproof.certificate.claim import Claim
from rankproof.certificate.document import Certificate
from rankproof.exact.border_apolarity import refute
from rankproof.exact.symmetry import find_symmetry, polarised
from rankproof.problem.field import CC
from rankproof.problem.parse import read_targets
from rankproof.problem.question import Question
from rankproof.verifier import verify_bytes

ROWS = [
    ("matmul(2,2,2)", 6),
    ("matmul(2,2,3)", 9),
    ("matmul(2,3,3)", 13),
    ("matmul(2,2,4)", 11),
    ("matmul(2,2,5)", 14),
    ("matmul(2,3,4)", 16),
    ("matmul(2,4,4)", 21),
    ("matmul(2,5,5)", 31),
    ("matmul(2,6,6)", 43),
    ("matmul(2,7,7)", 57),
]
LONG_ROWS = [("matmul(3,3,3)", 16), ("det(3)", 16)]


def row(text: str, rank: int) -> dict[str, object]:
    """One refutation, as a certificate of its own."""
    target = read_targets(text)[0]
    dimensions = [n for n, power in target.space.factors for _ in range(power)]
    begun = time.process_time()
    tensor = polarised(target)
    symmetry = find_symmetry(tensor, dimensions, np.random.default_rng(0))
    if symmetry is None:
        raise SystemExit(f"{text} has no torus of symmetries")
    proofs = refute(tensor, dimensions, symmetry, rank, lambda: False)
    proved = time.process_time() - begun
    units = "product" if target.space.is_tensor else "tied"
    claim = Claim("border_rank", units, CC, ">=", rank + 1)
    bound = Bound(claim, "border-apolarity", witness(rank, symmetry, proofs), "")
    data = Certificate.build(target, [bound], [Question(units, CC, "border_rank")], {}).to_bytes()
    begun = time.process_time()
    verdict = verify_bytes(data)
    verified = time.process_time() - begun
    return {
        "target": text,
        "border rank at least": rank + 1,
        "verdict": verdict.word,
        "leaves": [len(proof.leaves) for proof in proofs],
        "candidates": [len(proof.candidates) for proof in proofs],
        "bytes": len(data),
        "prove": round(proved, 2),
        "verify": round(verified, 2),
    }


def main() -> None:
    """Print the rows, and a JSON object a row with ``--json``."""
    rows = ROWS + (LONG_ROWS if "--all" in sys.argv else [])
    print("| target | border rank >= | leaves | candidates | bytes | prove, s | verify, s |")
    print("| --- | ---: | --- | --- | ---: | ---: | ---: |")
    for text, rank in rows:
        found = row(text, rank)
        if found["verdict"] != "VERIFIED":
            raise SystemExit(f"{text}: {found['verdict']}")
        if "--json" in sys.argv:
            print(json.dumps(found))
            continue
        leaves, candidates = (", ".join(map(str, found[key])) for key in ("leaves", "candidates"))  # type: ignore[call-overload]
        print(
            f"| {text} | {rank + 1} | {leaves} | {candidates} | {found['bytes']} | {found['prove']:.2f} | {found['verify']:.2f} |"
        )


if __name__ == "__main__":
    main()

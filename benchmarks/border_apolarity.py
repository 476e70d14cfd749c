"""Border apolarity and covers: bytes, and CPU seconds to prove and to verify. ``python -m benchmarks.border_apolarity [--all]``.

The verifier runs on the bytes of a whole certificate, in this process. With ``--all`` the targets that take more than some
seconds are included. Beside every row stand the numbers of the throwaway programs with which the methods were tried out
first: bytes, seconds to prove, seconds to verify.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from rankproof.bounds.lower import cover
from rankproof.bounds.lower.border_apolarity import witness
from rankproof.bounds.method import Bound, Budget
from rankproof.certificate.claim import Claim
from rankproof.certificate.document import Certificate
from rankproof.exact.border_apolarity import refute
from rankproof.exact.symmetry import find_symmetry, polarised
from rankproof.problem.field import CC, gf
from rankproof.problem.parse import read_targets
from rankproof.problem.question import Question
from rankproof.problem.target import Target
from rankproof.verifier import verify_bytes

BORDER = [
    ("matmul(2,2,2)", 7, "616, 0.01, 0.07"),
    ("matmul(2,2,3)", 10, "823, 0.01, 0.08"),
    ("matmul(2,3,3)", 14, "1121, 0.01, 0.09"),
    ("matmul(2,2,4)", 12, ""),
    ("matmul(2,2,5)", 15, ""),
    ("matmul(2,3,4)", 17, ""),
    ("matmul(2,3,5)", 21, ""),
    ("matmul(2,4,4)", 22, "1900, 0.06, 0.12"),
    ("matmul(2,4,5)", 26, ""),
    ("matmul(2,5,5)", 32, ""),
    ("matmul(2,5,6)", 38, ""),
    ("matmul(2,6,6)", 44, ""),
    ("matmul(2,7,7)", 58, "6100, 1.6, 1.64"),
]
LONG_BORDER = [("matmul(3,3,3)", 17, "4228, 1.6, 1.5"), ("det(3)", 17, "13482, 8.3, 7.3")]
"""Target, bound for its border rank over CC, and the numbers of the first program."""

COVERS = [
    ("matmul(2,2,2)", 2, 7, "508, 0.1, 0.23"),
    ("matmul(2,2,3)", 2, 11, "509, 0.1, 0.23"),
    ("matmul(2,2,4)", 2, 14, "none, 6, none"),
    ("polymul(2,2)", 2, 3, ""),
    ("polymul(3,3)", 2, 6, ""),
    ("polymul(4,4)", 2, 9, ""),
    ("polymul(2,2)", 3, 3, ""),
    ("polymul(3,3)", 3, 6, ""),
    ("polymul(4,4)", 3, 9, ""),
]
LONG_COVERS = [
    ("matmul(2,3,3)", 2, 15, "67937, 7, 0.37"),
    ("polymul(5,5)", 2, 13, ""),
    ("polymul(5,5)", 3, 12, ""),
    ("matmul(3,3,3)", 2, 19, "181973, 39.5, 33.8"),
]
"""Target, p, bound for its rank over GF(p), and the numbers of the first program."""


@dataclass(frozen=True)
class Row:
    """One certificate of its own."""

    target: str
    claim: str
    how: str
    bytes: int
    prove: float
    verify: float
    prototype: str
    verdict: str

    def __str__(self) -> str:
        numbers = f"{self.bytes} | {self.prove:.2f} | {self.verify:.2f}"
        return f"| {self.target} | {self.claim} | {self.how} | {numbers} | {self.prototype} |"


def border_row(text: str, bound: int, prototype: str) -> Row:
    """A refutation of the border rank below, over CC."""
    target = read_targets(text)[0]
    dimensions = [n for n, power in target.space.factors for _ in range(power)]
    begun = time.process_time()
    tensor = polarised(target)
    symmetry = find_symmetry(tensor, dimensions, np.random.default_rng(0))
    if symmetry is None:
        raise SystemExit(f"{text} has no torus of symmetries")
    proofs = refute(tensor, dimensions, symmetry, bound - 1, lambda: False)
    seconds = time.process_time() - begun
    leaves, candidates = (
        ", ".join(str(len(x)) for x in lists)
        for lists in ([p.leaves for p in proofs], [p.candidates for p in proofs])
    )
    units = ("product",) if target.space.is_tensor else ("tied", "untied")
    claim = Claim("border_rank", units[0], CC, ">=", bound)
    found = Bound(claim, "border-apolarity", witness(bound - 1, symmetry, proofs), "")
    questions = [Question(u, CC, "border_rank") for u in units]
    return _row(target, found, questions, f"leaves {leaves}; candidates {candidates}", seconds, prototype)


def cover_row(text: str, p: int, bound: int, prototype: str) -> Row:
    """A bound for the rank over GF(p), found without any other method; the search ends at the known rank."""
    target, field = read_targets(text)[0], gf(p)
    begun = time.process_time()
    goal = Bound(Claim("rank", "product", field, "<=", bound), "", {}, "")
    bounds = cover.find(target, "product", field, Budget(3600), np.random.default_rng(0), [goal])
    seconds = time.process_time() - begun
    if not bounds or bounds[-1].claim.value < bound:
        raise SystemExit(f"{text} over {field}: no proof of {bound}")
    nodes = bounds[-1].witness["nodes"]
    trees = sum("cases" in node for node in nodes)
    how = f"spaces {len(nodes)}; case trees {trees}"
    if "added" in nodes[-1]:
        how = f"all choices of {nodes[-1]['added']} added"
    return _row(target, bounds[-1], [Question("product", field, "rank")], how, seconds, prototype)


def _row(
    target: Target, found: Bound, questions: Sequence[Question], how: str, seconds: float, prototype: str
) -> Row:
    certificate = Certificate.build(target, [found], questions, {})
    data = certificate.to_bytes()
    begun = time.process_time()
    verdict = verify_bytes(data)
    verified = time.process_time() - begun
    claims = [
        f"{'border ' if a.quantity == 'border_rank' else ''}{'' if a.units == 'product' else a.units + ' '}"
        f"{a.field.name} ≥ {a.lower}"
        for a in certificate.conclusion
    ]
    return Row(
        target.text,
        ", ".join(claims),
        how,
        len(data),
        round(seconds, 2),
        round(verified, 2),
        prototype,
        verdict.word,
    )


def rows(every: bool) -> Iterator[Row]:
    """All rows, or the quick ones."""
    for entry in BORDER + (LONG_BORDER if every else []):
        yield border_row(*entry)
    for listed in COVERS + (LONG_COVERS if every else []):
        yield cover_row(*listed)


def main() -> None:
    """Print the rows as a table, or a JSON object a row with ``--json``."""
    show: Callable[[Row], str] = str
    if "--json" in sys.argv:
        show = lambda found: json.dumps(asdict(found))  # noqa: E731
    else:
        print("| target | width | how | bytes | prove, s | verify, s | prototype |")
        print("| --- | --- | --- | ---: | ---: | ---: | --- |")
    for found in rows("--all" in sys.argv):
        if found.verdict != "VERIFIED":
            raise SystemExit(f"{found.target}: {found.verdict}")
        print(show(found), flush=True)


if __name__ == "__main__":
    main()

"""Koszul flattenings: single matrices against python-flint and Macaulay2, and n x n matrices with their structure."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import comb, prod

import flint
import numpy as np

from benchmarks import macaulay2
from benchmarks.measure import Row, best, row, side_by_side
from benchmarks.targets import PRIME, diagonals, named, random_projection
from rankproof.bounds.lower.koszul import find
from rankproof.bounds.method import Budget
from rankproof.certificate.document import Certificate
from rankproof.exact.flattening import word_count
from rankproof.exact.koszul import Shape, koszul, koszul_rank
from rankproof.exact.rank_mod_p import rank_mod_p
from rankproof.problem.field import CC
from rankproof.problem.question import Question
from rankproof.problem.target import Target
from rankproof.verifier import verify_bytes

SUITE, MATRICES = "koszul", "koszul-matrices"

PROVE = {6: 0.2, 7: 2.0, 8: 30.0}
VERIFY = {6: 0.5, 7: 5.0}


def rows(quick: bool) -> Iterator[Row]:
    """Matrices of the literature, then border ranks of matrix multiplication."""
    yield from _matrices(quick)
    for n in range(2, 4 if quick else 9):
        yield from _matrix_multiplication(n)


def _matrices(quick: bool) -> Iterator[Row]:
    chosen = _shapes()
    if quick:
        chosen = {name: found for name, found in chosen.items() if name.startswith("matmul(2")}
    matrices = {name: (koszul(*found, PRIME), _size(*found)) for name, found in chosen.items()}
    theirs: dict[str, tuple[float, str]] = {}
    if macaulay2.installed():
        theirs = macaulay2.run(
            "".join(macaulay2.matrix_rank(name, *found, PRIME) for name, found in matrices.items())
        )
    for name, (matrix, (height, width)) in matrices.items():
        target, shape = chosen[name]
        rank = rank_mod_p(matrix, PRIME).rank
        cells = [matrix.get(i, {}).get(j, 0) for i in range(height) for j in range(width)]
        whole = flint.fmpz_mat(height, width, [x if 2 * x < PRIME else x - PRIME for x in cells])
        others = [int(result) for found, (_, result) in theirs.items() if found.startswith(f"{name}/")]
        if {whole.rank(), *others} != {rank}:
            raise ArithmeticError(f"{name}: the ranks differ: {rank}, {whole.rank()}, {others}")
        note = f"{height} x {width}, rank {rank}"
        ours, flints = side_by_side(partial(rank_mod_p, matrix, PRIME), whole.rank, 5)
        yield row(MATRICES, f"{name}, rank", height, ours, "python-flint fmpz_mat", flints, note=note)
        seconds, _ = theirs.get(f"{name}/QQ", (None, ""))
        most = 0.02 if height == width == 1134 else None
        yield row(
            MATRICES,
            f"{name}, fmpz_mat",
            height,
            flints,
            "Macaulay2 QQ",
            seconds,
            most_ratio=1,
            most_seconds=most,
            note=note,
        )
        ours = best(partial(koszul_rank, target, shape, PRIME), 5)
        for field in macaulay2.FIELDS:
            seconds, _ = theirs.get(f"{name}/{field}/built", (None, ""))
            yield row(
                MATRICES,
                f"{name}, built",
                height,
                ours,
                f"Macaulay2 {field}",
                seconds,
                most_ratio=1,
                note=note,
            )


def _shapes() -> dict[str, tuple[Target, Shape]]:
    """The matrices by names without spaces."""
    three, orders = named("matmul(3,3,3)"), (0, 1, 0)
    found = {f"matmul(3,3,3),p={p}": (three, Shape.single(0, p, orders)) for p in (1, 2, 3, 4)}
    for text in ("det(3)", "perm(3)"):
        found[f"{text},p=4"] = named(text), Shape.single(0, 4, (1,))
    for n in (2, 3, 4):
        shape = Shape.single(0, n - 1, orders, diagonals(n))
        found[f"matmul({n},{n},{n}),to-{2 * n - 1}"] = named(f"matmul({n},{n},{n})"), shape
    return found


def _size(target: Target, shape: Shape) -> tuple[int, int]:
    rows, columns = (
        prod(word_count(n, s) for (n, _), s in zip(target.space.factors, orders, strict=True))
        for orders in (shape.orders, shape.opposite(target))
    )
    for a, q in shape.powers(target):
        rows, columns = rows * comb(a, q), columns * comb(a, q + 1)
    return rows, columns


def _matrix_multiplication(n: int) -> Iterator[Row]:
    """Border rank at least 2 n^2 - n: the rank alone, the search that finds it, and the check of the file."""
    target, name = named(f"matmul({n},{n},{n})"), f"{n} x {n} matrices"
    shape = Shape.single(0, n - 1, (0, 1, 0), diagonals(n))
    times = 3 if n < 8 else 1
    note = f"border rank >= {2 * n * n - n}"
    seconds = best(lambda: koszul_rank(target, shape, PRIME), times)
    if n in (3, 4, 5):
        general = Shape.single(0, n - 1, (0, 1, 0), random_projection(n * n, 2 * n - 1))
        other = best(lambda: koszul_rank(target, general, PRIME), times)
        yield row(SUITE, f"{name}, rank", n, seconds, "a random projection", other, note=note)
    else:
        yield row(SUITE, f"{name}, rank", n, seconds, note=note)
    proofs: list[bytes] = []

    def prove() -> None:
        budget = Budget(1000)
        found = find(target, "product", CC, budget, np.random.default_rng(0), ())
        questions = [Question("product", CC, "border_rank")]
        proofs.append(Certificate.build(target, found, questions, {}).to_bytes())

    seconds = best(prove, times)
    yield row(
        SUITE, f"{name}, prove", n, seconds, most_seconds=PROVE.get(n), note=f"{note}, {len(proofs[0])} bytes"
    )

    def verify() -> None:
        if verify_bytes(proofs[0]).statements != (
            f"product border width of {target.text} >= {2 * n * n - n} over CC",
        ):
            raise ArithmeticError(f"{name}: the proof is not that of {note}")

    seconds = best(verify, times)
    yield row(SUITE, f"{name}, verify", n, seconds, most_seconds=VERIFY.get(n), note=note)

"""Lift schemes found by tools/flip_graph.py to the rationals, and write the package's table of them.

    python tools/flip_graph.py 3 3 4 29 > 3x3x4.txt
    python tools/schemes.py rankproof/bounds/schemes/table.txt 3x3x4.txt ...

Of several schemes of one shape and length the one with the fewest non-zero coefficients is kept. A scheme is kept modulo 2
where it is shorter than what is known over the rationals and does not lift.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
from flip_graph import SLACK, move, sparse_walk

from rankproof.bounds.explicit import direction
from rankproof.bounds.schemes import matmul
from rankproof.bounds.schemes.text import Shape, write_scheme
from rankproof.exact.lifting import lifted
from rankproof.problem.decomposition import Decomposition
from rankproof.problem.field import QQ, gf
from rankproof.problem.library import named

HEAD = (
    "# Schemes found by tools/flip_graph.py, lifted by tools/schemes.py; products as in text.py.\n"
    "# Head of a scheme: n m p, and then 0 over QQ or 2 where it holds modulo 2 only.\n"
)

LARGEST_COEFFICIENT = 8

FLIPS = 20_000
"""Flips between two variants of a scheme."""


def read(path: Path) -> tuple[Shape, Decomposition]:
    """A scheme modulo 2 as the search prints it."""
    head, *lines = path.read_text(encoding="ascii").split("\n")
    n, m, p, length = map(int, head.split())
    dims = (n * m, m * p, n * p)
    units = [
        [[int(mask, 16) >> k & 1 for k in range(size)] for mask, size in zip(line.split(), dims, strict=True)]
        for line in lines[:length]
    ]
    return (n, m, p), Decomposition.of("product", units, gf(2))


def weight(found: Decomposition) -> int:
    """Sum of the absolute values of numerators and denominators; fractions count a lot."""
    numbers = [Fraction(x) for unit in found.units for vector in unit for x in vector]  # type: ignore[arg-type]
    return sum(abs(x.numerator) + 100 * (x.denominator - 1) for x in numbers)


def tidy(found: Decomposition | None) -> Decomposition | None:
    """The same products with vectors of coprime integers, a factor at the last one; None where the numbers are not small."""
    if found is None:
        return None
    units = []
    for unit in found.units:
        vectors, scale = [], QQ.reduce(1)
        for vector in unit:
            direct, c = direction(vector, QQ)
            vectors.append(direct)
            scale = QQ.reduce(scale * c)
        if max(abs(Fraction(scale).numerator), Fraction(scale).denominator) > LARGEST_COEFFICIENT:  # type: ignore[arg-type]
            return None
        vectors[-1] = tuple(QQ.reduce(scale * x) for x in vectors[-1])
        units.append(tuple(vectors))
    if any(abs(x) > LARGEST_COEFFICIENT for unit in units for vector in unit for x in vector):
        return None
    return Decomposition("product", QQ, tuple(units))


def variants(first: Decomposition, count: int) -> Iterator[Decomposition]:
    """The scheme, and others as long that flips lead to; the sparsest of a few steps each time."""
    dims = [len(v) for v in first.units[0]]
    rows = np.zeros((len(first) + SLACK + 2, 3), dtype=np.uint64)
    rows[: len(first)] = [[sum(int(x) << k for k, x in enumerate(v)) for v in unit] for unit in first.units]  # type: ignore[arg-type]
    yield first
    for seed in range(count - 1):
        move(rows, len(first), seed)
        sparse_walk(rows, len(first), FLIPS, seed)
        units = [
            [[int(mask) >> k & 1 for k in range(n)] for mask, n in zip(row, dims, strict=True)]
            for row in rows[: len(first)]
        ]
        yield Decomposition.of("product", units, gf(2))


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("table", type=Path)
    parser.add_argument("schemes", type=Path, nargs="+")
    parser.add_argument("--variants", type=int, default=20, help="schemes tried of every file")
    options = parser.parse_args()
    options.table.write_text(HEAD, encoding="ascii")
    best: dict[tuple[Shape, int], Decomposition] = {}
    for path in options.schemes:
        if not path.read_text(encoding="ascii").strip():
            continue
        shape, first = read(path)
        lifts = 0
        for found in variants(first, options.variants):
            exact = tidy(lifted(found, named("matmul", *shape)))
            lifts += exact is not None
            key, scheme = ((shape, 2), found) if exact is None else ((shape, 0), exact)
            old = best.get(key)
            if old is None or (len(scheme), weight(scheme)) < (len(old), weight(old)):
                best[key] = scheme
        sys.stderr.write(f"{path}: {len(first)} products, {lifts} of {options.variants} lifted\n")
    kept = [HEAD.strip()]
    for (shape, modulus), scheme in sorted(best.items(), key=lambda item: item[0]):
        shorter = len(scheme) < matmul.plan_from_smaller(*shape, modulus).length
        over_integers = best.get((shape, 0))
        if shorter and (modulus == 0 or over_integers is None or len(over_integers) > len(scheme)):
            kept.append(" ".join(map(str, (*shape, modulus))) + "\n" + write_scheme(scheme, shape))
    options.table.write_text("\n\n".join(kept) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()

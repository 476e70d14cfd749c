"""Certified floors, and their verification, against the same singular values in floating point with numpy."""

from __future__ import annotations

from collections.abc import Iterator
from math import factorial, prod

import numpy as np

import rankproof as rp
from benchmarks.measure import Row, row, side_by_side
from rankproof.problem.space import Space
from rankproof.problem.target import Target
from rankproof.verifier import verify_bytes

SUITE = "floors"
SHAPES = ((3, 3, 1), (5, 4, 4), (8, 3, 3), (6, 4, 8), (20, 2, 4), (40, 2, 8))
"""Variables, degree and width."""


def rows(quick: bool) -> Iterator[Row]:
    """Random forms with small integers; the Gaussian loss of tied units."""
    for n, d, width in SHAPES[:2] if quick else SHAPES:
        target = random_form(n, d)
        found = rp.floor(target, width=width)
        close = float_floor(target, width)
        if found.certificate is None or not close * (1 - 1e-3) <= float(found.value) <= close * (1 + 1e-9):
            raise ArithmeticError(f"a floor {found.value} of a form of degree {d} where numpy finds {close}")
        data = found.certificate.to_bytes()
        name = f"degree {d}, {n} variables, width {width}"
        note = f"{float(found.value) / close:.9f} of the float"

        def ours(target: Target = target, width: int = width) -> None:
            rp.floor(target, width=width)

        def check(data: bytes = data) -> None:
            if not verify_bytes(data).ok:
                raise ArithmeticError("a certificate of ours is refused")

        def theirs(target: Target = target, width: int = width) -> None:
            float_floor(target, width)

        seconds, numpy_seconds = side_by_side(ours, theirs)
        yield row(SUITE, f"proved: {name}", n, seconds, "numpy SVD, no proof", numpy_seconds, note=note)
        seconds, numpy_seconds = side_by_side(check, theirs)
        yield row(
            SUITE,
            f"verified: {name}",
            n,
            seconds,
            "numpy SVD, no proof",
            numpy_seconds,
            note=f"{len(data) / 1000:.1f} kB",
        )


def random_form(n: int, d: int) -> Target:
    """Every coefficient from -9 to 9, without 0."""
    space = Space.form(n, d)
    rng = np.random.default_rng(100 * n + d)
    values = rng.integers(1, 10, space.dimension) * rng.choice([-1, 1], space.dimension)
    return Target.from_entries(space, dict(zip(space.words(), map(int, values), strict=True)))


def float_floor(target: Target, width: int) -> float:
    """The floor as one would compute it: the flattening in the middle, in orthonormal bases, and its singular values."""
    n, d = target.space.variables_count, target.space.form_degree
    s = d // 2
    left, right = list(Space.form(n, s).words()), list(Space.form(n, d - s).words())
    entries = {word: float(str(value)) / _orderings(word) for word, value in target.entries}
    matrix = np.array([[entries.get(tuple(sorted(u + v)), 0.0) for v in right] for u in left])
    matrix *= np.sqrt([_orderings(u) for u in left])[:, None] * np.sqrt([_orderings(v) for v in right])
    return factorial(d) * float((np.linalg.svd(matrix, compute_uv=False)[width:] ** 2).sum())


def _orderings(word: tuple[int, ...]) -> int:
    return factorial(len(word)) // prod(factorial(word.count(x)) for x in set(word))

"""Generic widths by Terracini's lemma, against the tables that are known."""

from __future__ import annotations

import numpy as np
import pytest

from rankproof.errors import UsageError
from rankproof.exact.terracini import PRIME, Monomials, checked_space, filling_count, powers_of, tangent_space
from rankproof.problem.field import gf
from rankproof.problem.space import Space
from rankproof.problem.units import unit_model

# Rows: units and number of variables; columns: degrees 3 to 6. Alexander-Hirschowitz for tied units, Abo-Vannieuwenhoven for
# untied ones, computed by others for split ones.
TABLE = {
    ("tied", 2): (2, 3, 3, 4),
    ("tied", 3): (4, 6, 7, 10),
    ("tied", 4): (5, 10, 14, 21),
    ("tied", 5): (8, 15, 26),
    ("untied", 2): (2, 2, 2, 3),
    ("untied", 3): (3, 3, 5, 6),
    ("untied", 4): (4, 5, 8, 12),
    ("untied", 5): (5, 8, 14),
    ("split", 3): (2, 2, 2, 3),
    ("split", 4): (2, 3, 4, 5),
    ("split", 5): (3, 5, 6),
}

# Untied units, several outputs: (degree, outputs, variables) and the width.
OUTPUTS = {
    (2, 2, 3): 2,
    (2, 2, 4): 3,
    (2, 3, 4): 4,
    (2, 4, 3): 4,
    (2, 6, 4): 6,
    (3, 2, 3): 4,
    (3, 3, 4): 7,
    (3, 4, 2): 4,
    (4, 3, 3): 7,
}


@pytest.mark.parametrize(
    ("units", "n", "d", "width"),
    [(units, n, d, width) for (units, n), row in TABLE.items() for d, width in enumerate(row, start=3)],
)
def test_known_widths_of_forms(units: str, n: int, d: int, width: int) -> None:
    assert filling_count(units, n, d).count == width


@pytest.mark.parametrize(("space", "width"), OUTPUTS.items())
def test_known_widths_of_maps(space: tuple[int, int, int], width: int) -> None:
    d, m, n = space
    assert filling_count("untied", n, d, m).count == width


@pytest.mark.parametrize(("d", "m", "n", "width"), [(2, 3, 4, 6), (3, 2, 3, 6)])
def test_tied_maps_that_need_one_more_than_the_count(d: int, m: int, n: int, width: int) -> None:
    filling = filling_count("tied", n, d, m)
    assert (filling.count, filling.expected) == (width, width - 1)


@pytest.mark.parametrize("k", [2, 3])
def test_mixed_units_follow_the_count(k: int) -> None:
    filling = filling_count(f"mixed:{k}", 3, 6)
    assert filling.count == filling.expected == 6


@pytest.mark.parametrize("n", range(1, 6))
def test_quadrics(n: int) -> None:
    assert filling_count("tied", n, 2).count == n
    assert filling_count("untied", n, 2).count == (n + 1) // 2


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("units", ["tied", "untied", "mixed:2", "split"])
def test_never_below_the_count_of_parameters(units: str, seed: int) -> None:
    for n in range(1, 5):
        for d in range(4 if units == "mixed:2" else 2, 6):
            for m in range(1, 4):
                filling = filling_count(units, n, d, m, seed)
                assert filling.count >= filling.expected
                assert filling.ranks[-1] == (filling.count, filling.dimension)
                ranks = [rank for _, rank in filling.ranks]
                assert ranks == sorted(ranks)
                assert all(rank <= count * filling.cone for count, rank in filling.ranks)


@pytest.mark.parametrize("units", ["tied", "untied", "mixed:2", "split"])
def test_the_tangent_space_holds_the_derivatives_of_the_unit(units: str) -> None:
    """The difference of two near units is, to first order, a combination of its rows: dual numbers over a finite field."""
    n, d, m = 3, 4, 2
    rng = np.random.default_rng(1)
    space, model = Space.map(n, d, m), unit_model(units)
    vectors = [rng.integers(1, 50, size=length) for length in model.vector_lengths(space)]
    rows = tangent_space(Monomials(n, d), powers_of(units, d), vectors[:-1], vectors[-1])
    assert rows.shape[1] == space.dimension
    field = gf(PRIME)
    flint = pytest.importorskip("flint")

    def rank(extra: list[int]) -> int:
        cells = [*rows.ravel().tolist(), *extra]
        return flint.nmod_mat(len(rows) + 1, space.dimension, cells, PRIME).rank()

    def unit(t: int, direction: list[np.ndarray]) -> dict[tuple[int, ...], int]:
        moved = [
            [int(x) + t * int(y) for x, y in zip(v, e, strict=True)]
            for v, e in zip(vectors, direction, strict=True)
        ]
        return {word: int(str(x)) for word, x in model.expand(space, moved, field).items()}

    # Our columns are output after output, those of a word (variables, output) the other way round.
    words = [(*word, j) for j in range(m) for word in Space.form(n, d).words()]
    assert rank([0] * space.dimension) == model.dimension(space)
    direction = [rng.integers(0, 9, size=len(v)) for v in vectors]
    # The derivative at t = 0 of a polynomial of degree at most d + 1 in t, from its values at d + 2 points.
    points = range(d + 2)
    values = [unit(t, direction) for t in points]
    derivative = []
    for word in words:
        total = 0
        for i in points:
            # The derivative at 0 of the Lagrange polynomial of the point i.
            numerator = sum(
                np.prod([-q for q in points if q not in (i, skipped)], dtype=object)
                for skipped in points
                if skipped != i
            )
            denominator = int(np.prod([i - q for q in points if q != i], dtype=object))
            total += values[i].get(word, 0) * int(numerator) * pow(denominator, -1, PRIME)
        derivative.append(total % PRIME)
    assert any(derivative)
    assert rank(derivative) == model.dimension(space)
    assert rank([1, *[0] * (space.dimension - 1)]) == model.dimension(space) + 1


def test_products_of_linear_forms() -> None:
    # (x + 2y)(3x + 4y) = 3x^2 + 10xy + 8y^2
    product = Monomials(2, 2).product([np.array([1, 2]), np.array([3, 4])])
    assert product.tolist() == [3, 10, 8]


@pytest.mark.parametrize(("n", "d", "m"), [(3, 1, 1), (30, 6, 1), (5, 3, 100)])
def test_spaces_that_are_refused(n: int, d: int, m: int) -> None:
    with pytest.raises(UsageError):
        checked_space(n, d, m)


def test_units_that_do_not_fit_are_refused() -> None:
    with pytest.raises(UsageError, match="mixed:2"):
        filling_count("mixed:2", 3, 3)

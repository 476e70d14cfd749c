"""Rank factorisations and row bases over exact fields."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from strategies import EXACT_FIELDS, scalars

from rankproof.exact.matrix_factorisation import matrix_rank, rank_factorisation, row_basis


@st.composite
def matrices(draw: st.DrawFn):
    ring = draw(st.sampled_from(EXACT_FIELDS))
    cells = st.dictionaries(
        st.tuples(st.integers(0, 4), st.sampled_from("abcde")), scalars(ring).filter(bool), max_size=12
    )
    rows = {}
    for (i, j), x in draw(cells).items():
        rows.setdefault(i, {})[j] = x
    return ring, rows


def summed(ring, terms):
    total = {}
    for c, row in terms:
        for j, x in row.items():
            total[j] = total.get(j, 0) + c * x
    return {j: x for j, value in total.items() if (x := ring.reduce(value))}


@given(matrices())
def test_the_products_sum_to_the_matrix(drawn) -> None:
    ring, rows = drawn
    factors = rank_factorisation(rows, ring)
    for i in range(5):
        assert summed(ring, [(u.get(i, 0), v) for u, v in factors]) == rows.get(i, {})


@given(matrices())
def test_the_rank_is_that_of_the_transpose(drawn) -> None:
    ring, rows = drawn
    columns = {}
    for i, row in rows.items():
        for j, x in row.items():
            columns.setdefault(j, {})[i] = x
    assert matrix_rank(rows, ring) == matrix_rank(columns, ring)


@given(matrices(), st.randoms(use_true_random=False))
def test_every_row_is_the_stated_combination_of_the_basis_rows(drawn, random) -> None:
    ring, rows = drawn
    order = sorted(rows)
    random.shuffle(order)
    basis = row_basis(rows, order, ring)
    assert len(basis) == matrix_rank(rows, ring)
    for i in rows:
        assert summed(ring, [(column.get(i, 0), rows[r]) for r, column in basis.items()]) == rows[i]

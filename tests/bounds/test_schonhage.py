"""Schönhage's border family: two bilinear maps at once with fewer products than each of them apart."""

from __future__ import annotations

import pytest

import rankproof as rp
from rankproof.errors import UsageError
from rankproof.problem.space import Space
from rankproof.problem.target import Target


def both_maps(k, n):
    """a_i b_j c_ij, and an inner product of (k-1)(n-1) pairs, in direct sums of the factors."""
    pairs = (k - 1) * (n - 1)
    entries = {(i, j, i * n + j): 1 for i in range(k) for j in range(n)}
    entries |= {(k + p, n + p, k * n): 1 for p in range(pairs)}
    return Target.from_entries(Space.tensor(k + pairs, n + pairs, k * n + 1), entries)


@pytest.mark.parametrize("k, n", [(2, 2), (3, 2), (3, 3), (4, 4)])
def test_the_family_tends_to_both_maps_with_one_product_more_than_the_first_takes(k, n):
    family = rp.known_scheme("schonhage", k, n)
    assert len(family) == k * n + 1 and not family.residual(both_maps(k, n))


def test_sizes_that_make_no_sense_are_refused():
    with pytest.raises(UsageError, match="at least one"):
        rp.known_scheme("schonhage", 0, 2)

"""Ranks of flattenings, divided by the largest rank of one unit."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import comb
from typing import Any

import numpy as np

from rankproof.bounds.method import Bound, Budget, Method, complex_or_finite
from rankproof.certificate.claim import Claim
from rankproof.exact.flattening import (
    Orders,
    all_orders,
    flattening_entries,
    flattening_rank,
    flattening_shape,
    good_prime,
)
from rankproof.exact.rank_mod_p import ModularRank
from rankproof.problem.field import Field
from rankproof.problem.target import Target

MAX_SIDE = 200_000
"""Rows or columns that the certificate format allows."""

MAX_ENTRIES = 2_000_000
"""Places filled; a matrix beyond this is neither built nor checked in reasonable time."""

MAX_ORDERS = 600
"""Flattenings of one target that are looked at."""

MAX_DENSE = 3000
"""A matrix whose sides are both larger, and not sparse, is not eliminated here."""

OPERATIONS_PER_SECOND = 100_000_000
"""Multiplications of the verifier's elimination on packed rows for every second of the budget left."""

MAX_OPERATIONS = 800_000_000
"""Multiplications that the certificate format allows, with a margin: the verifier counts in its own order."""

WORTH_NAMING = 50_000_000
"""Multiplications saved from which rows and columns of a non-singular part are named in the certificate."""


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """The best bound over all flattenings that fit the limits."""
    target = target.over(field) if field.characteristic else target
    prime, root = good_prime(target, field)
    best, best_orders = 0, ()
    limit = min(OPERATIONS_PER_SECOND * budget.left(), MAX_OPERATIONS)
    for ceiling, orders in _candidates(target, units, budget):
        if ceiling <= best:
            continue
        if budget.exhausted():
            budget.remark("out of time before every flattening was tried")
            break
        rank = flattening_rank(target, orders, prime, root)
        if _operations_to_check(rank) > limit:
            budget.remark(
                f"flattening of orders {_written(orders)} left out: too long to check in the time left"
            )
            continue
        value = -(-rank.rank // unit_rank(units, target, orders))
        if value > best:
            best, best_orders = value, orders
    if not best:
        return []
    return [_bound(target, units, field, best, best_orders, prime, root)]


def unit_rank(units: str, target: Target, orders: Orders) -> int:
    """Largest rank that a flattening has on one unit: the table of the rule's page."""
    if units == "product":
        return 1
    s, d = orders[0], target.space.form_degree
    if units == "tied" or s in (0, d):
        return 1
    if units == "split":
        return comb(d, s)
    k = 1 if units == "untied" else int(units.partition(":")[2])
    return min(s, d - s, k) + 1


def _candidates(target: Target, units: str, budget: Budget) -> list[tuple[int, Orders]]:
    """Orders with the bound they could give at most, the most promising first, small matrices before large ones."""
    found = []
    every = all_orders(target)
    if len(every) > MAX_ORDERS:
        # Of a tensor of high order only those with consecutive axes on one side.
        every = [orders for orders in every if sum(s != t for s, t in pairwise(orders)) <= 2]
        budget.remark(f"{len(every)} flattenings tried, those with consecutive axes on one side")
    for orders in every:
        rows, columns = flattening_shape(target, orders)
        entries = flattening_entries(target, orders)
        smaller = min(rows, columns, entries)
        ceiling = -(-smaller // unit_rank(units, target, orders))
        dense = min(rows, columns) > MAX_DENSE and entries > MAX_DENSE * min(rows, columns) // 20
        if max(rows, columns) > MAX_SIDE or entries > MAX_ENTRIES or dense:
            budget.remark(
                f"flattening of orders {_written(orders)} left out: {rows} x {columns}, {entries} entries"
            )
            continue
        found.append((-ceiling, entries, orders))
    return [(-ceiling, orders) for ceiling, _, orders in sorted(found)]


def _bound(
    target: Target, units: str, field: Field, value: int, orders: Orders, prime: int, root: int | None
) -> Bound:
    witness: dict[str, Any] = {"orders": list(orders), "prime": prime}
    if root is not None:
        witness["root"] = root
    found = flattening_rank(target, orders, prime, root)
    if found.operations - found.rank**3 // 3 > WORTH_NAMING:
        shown = flattening_rank(target, orders, prime, root, pivots=True)
        witness |= {"rows": list(shown.rows), "columns": list(shown.columns)}
    k = unit_rank(units, target, orders)
    share = f", at most {k} a unit" if k > 1 else ""
    reason = f"{_name(target, orders)} has rank {found.rank}{share}"
    return Bound(Claim("border_rank", units, field, ">=", value), "flattening", witness, reason)


def _operations_to_check(found: ModularRank) -> int:
    """Work of the verifier, on the whole matrix or on a non-singular part."""
    return min(found.operations, found.rank**3 // 3)


def _name(target: Target, orders: Orders) -> str:
    if len(orders) == 1:
        return f"catalecticant of order {orders[0]}"
    return f"flattening of orders {_written(orders)}"


def _written(orders: Orders) -> str:
    return ",".join(map(str, orders))


METHOD = Method(
    name="flattening",
    rule="flattening",
    side="lower",
    summary="rank of a flattening or catalecticant over the largest rank of one unit",
    units=("tied", "untied", "mixed:k", "split", "product"),
    tier="A",
    fields="CC (so RR, QQ), GF(p)",
    works_over=complex_or_finite,
    find=find,
)

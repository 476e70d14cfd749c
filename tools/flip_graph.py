"""Search short matrix multiplication schemes modulo 2 by random walks in the flip graph.

    python tools/flip_graph.py 3 3 3 23 --seconds 60 --seed 0

Prints the scheme found, one product a line: three hexadecimal masks of the entries of A, B and C that are added (entry
k of a matrix, row by row, is bit k). `tools/schemes.py` lifts such schemes to the integers and writes the package's table.

Two products with a common factor a are a flip: a b c + a b' c' = a (b + b') c + a b' (c' - c). A walk through flips that meets
a product with a zero factor has found a shorter scheme; a walk that is stuck takes a step to a longer scheme now and then.

References
----------
Kauers, Moosbauer, *Flip graphs for matrix multiplication*, Journal of Symbolic Computation 129 (2025).
Arai, Ichikawa, Hukushima, *Adaptive flip graph algorithm for matrix multiplication*, ISSAC 2024.
"""

# numba compiles the generator of numpy.random, and no other; every walk is seeded by its caller.
# ruff: noqa: NPY002

from __future__ import annotations

import argparse
import sys
import time

import numba
import numpy as np

Products = np.ndarray
"""Shape (rank, 3): masks of the factors."""

STEPS = 5_000_000
"""Flips between two looks at the clock."""

PATIENCE = 200_000
"""Flips without a shorter scheme before a step to a longer one."""

SLACK = 2
"""How many products more than the shortest scheme so far a walk may have."""


MOVES = 200
"""Pieces of a walk that looks for another scheme of the same length."""


def standard(n: int, m: int, p: int) -> Products:
    """The n*m*p products of the definition."""
    return np.array(
        [
            (1 << (i * m + j), 1 << (j * p + k), 1 << (i * p + k))
            for i in range(n)
            for j in range(m)
            for k in range(p)
        ],
        dtype=np.uint64,
    )


@numba.njit(cache=True)
def _pairs_of(rows, size, pairs):
    count = 0
    for i in range(size):
        for j in range(i):
            for f in range(3):
                if rows[i, f] == rows[j, f]:
                    pairs[count, 0], pairs[count, 1], pairs[count, 2] = f, i, j
                    count += 1
    return count


@numba.njit(cache=True)
def _changed(rows, size, pairs, count, f, i):
    """Bring the list of pairs up to date after factor f of product i has changed."""
    k = 0
    while k < count:
        if pairs[k, 0] == f and (pairs[k, 1] == i or pairs[k, 2] == i):
            count -= 1
            pairs[k] = pairs[count]
        else:
            k += 1
    for j in range(size):
        if j != i and rows[j, f] == rows[i, f]:
            pairs[count, 0], pairs[count, 1], pairs[count, 2] = f, i, j
            count += 1
    return count


@numba.njit(cache=True)
def _without_zeros(rows, size):
    kept = 0
    for i in range(size):
        if rows[i, 0] and rows[i, 1] and rows[i, 2]:
            rows[kept] = rows[i]
            kept += 1
    return kept


@numba.njit(cache=True)
def _walk(rows, size, best, aim, steps, patience, slack, seed):
    """Random flips in place; returns the current and the least size. The shortest scheme met stays in ``best``."""
    np.random.seed(seed)
    pairs = np.zeros((6 * len(rows) * len(rows), 3), dtype=np.int64)
    count = _pairs_of(rows, size, pairs)
    least, since = size, 0
    best[:size] = rows[:size]
    for _ in range(steps):
        since += 1
        if count == 0 or (since > patience and size < least + slack):
            if size == len(rows):
                break
            i, j = np.random.randint(size), np.random.randint(size)
            if i == j:
                continue
            f = np.random.randint(3)
            g, h = (f + 1) % 3, (f + 2) % 3
            if rows[i, f] == rows[j, f] or rows[i, g] == rows[j, g] or rows[i, h] == rows[j, h]:
                continue
            # a b c + a' b' c' = a (b + b') c + a b' (c + c') + (a + a') b' c'
            rows[size, f], rows[size, g], rows[size, h] = rows[i, f], rows[j, g], rows[i, h] ^ rows[j, h]
            rows[i, g] ^= rows[j, g]
            rows[j, f] ^= rows[i, f]
            size = _without_zeros(rows, size + 1)
            count = _pairs_of(rows, size, pairs)
            since = 0
            continue
        k = np.random.randint(count)
        f, i, j = pairs[k]
        if np.random.randint(2):
            i, j = j, i
        g, h = (f + 1) % 3, (f + 2) % 3
        if np.random.randint(2):
            g, h = h, g
        rows[i, g] ^= rows[j, g]
        rows[j, h] ^= rows[i, h]
        if rows[i, g] and rows[j, h]:
            count = _changed(rows, size, pairs, count, g, i)
            count = _changed(rows, size, pairs, count, h, j)
            continue
        size = _without_zeros(rows, size)
        count = _pairs_of(rows, size, pairs)
        if size < least:
            least, since = size, 0
            best[:size] = rows[:size]
            if least <= aim:
                break
    return size, least


def move(rows: Products, size: int, seed: int) -> None:
    """A walk in place, through longer schemes, to another scheme of the same length."""
    rng = np.random.default_rng(seed)
    now, best, first = size, rows.copy(), rows.copy()
    for piece in range(MOVES):
        now, _ = _walk(rows, now, best, 0, 20_000, 2_000, SLACK, int(rng.integers(2**31)))
        if now < size:
            sys.stderr.write(f"a walk has met a scheme of {now} products\n")
        if piece and now == size:
            return
    rows[:] = first


@numba.njit(cache=True)
def _ones(x):
    count = 0
    while x:
        x &= x - np.uint64(1)
        count += 1
    return count


@numba.njit(cache=True)
def sparse_walk(rows, size, steps, seed):
    """Flips in place that lose no product; denser factors are accepted seldom (annealing to a low temperature)."""
    np.random.seed(seed)
    pairs = np.zeros((6 * len(rows) * len(rows), 3), dtype=np.int64)
    count = _pairs_of(rows, size, pairs)
    for step in range(steps):
        if count == 0:
            return
        f, i, j = pairs[np.random.randint(count)]
        if np.random.randint(2):
            i, j = j, i
        g, h = (f + 1) % 3, (f + 2) % 3
        if np.random.randint(2):
            g, h = h, g
        left, right = rows[i, g] ^ rows[j, g], rows[j, h] ^ rows[i, h]
        if not left or not right:
            continue
        denser = _ones(left) + _ones(right) - _ones(rows[i, g]) - _ones(rows[j, h])
        if denser > 0 and np.random.random() > np.exp(-denser * (0.2 + 3.0 * step / steps)):
            continue
        rows[i, g], rows[j, h] = left, right
        count = _changed(rows, size, pairs, count, g, i)
        count = _changed(rows, size, pairs, count, h, j)


def search(
    n: int, m: int, p: int, aim: int, seconds: float, seed: int = 0, start: Products | None = None
) -> Products:
    """Shortest scheme met; it has ``aim`` products when the time was enough."""
    rng = np.random.default_rng(seed)
    begun = time.monotonic()
    shortest = standard(n, m, p) if start is None else start
    while len(shortest) > aim and time.monotonic() - begun < seconds:
        rows = np.zeros((len(shortest) + SLACK + 2, 3), dtype=np.uint64)
        rows[: len(shortest)] = shortest
        best = rows.copy()
        size = len(shortest)
        walk_seed = int(rng.integers(2**31))
        size, least = _walk(rows, size, best, aim, STEPS, PATIENCE, SLACK, walk_seed)
        if least < len(shortest):
            sys.stderr.write(f"{n}x{m}x{p}: {least} after {time.monotonic() - begun:.0f} s\n")
            shortest = best[:least].copy()
        elif size <= len(shortest):
            shortest = rows[:size].copy()
    return shortest


def main() -> None:
    """Search one shape and print what was found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("n", "m", "p", "aim"):
        parser.add_argument(name, type=int)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    found = search(options.n, options.m, options.p, options.aim, options.seconds, options.seed)
    print(f"{options.n} {options.m} {options.p} {len(found)}")
    for product in found:
        print(" ".join(f"{int(mask):x}" for mask in product))


if __name__ == "__main__":
    main()

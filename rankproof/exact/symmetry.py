"""A connected solvable group that fixes a tensor of order 3 up to scale, found by linear algebra.

The diagonal torus comes from the support of the tensor, the raising operators from the weight spaces of the Lie algebra
that annihilates it. Any such group may be used for a lower bound; a larger one leaves fewer cases.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, permutations, product
from math import gcd

import flint
import numpy as np

from rankproof.exact.congruence import rational
from rankproof.problem.target import Target

Weight = tuple[int, ...]
Operator = tuple[dict[tuple[int, int], int], dict[tuple[int, int], int], dict[tuple[int, int], int]]
"""One matrix a factor, its entries by row and column."""
Tensor = Mapping[tuple[int, int, int], flint.fmpq]

TRIES = 24
"""Directions tried; that with the most raising operators is taken."""

MAX_UNKNOWNS = 4000
"""Entries of the matrices that one weight allows."""


@dataclass(frozen=True)
class Symmetry:
    """A torus and raising operators.

    Attributes
    ----------
    weights
        For every factor the weights of its basis vectors, integer vectors of one length s.
    rho
        An integer vector of length s on which the root of every operator is positive.
    raising
        The operators.
    roots
        Of every operator the weight by which it moves.
    """

    weights: tuple[tuple[Weight, ...], ...]
    rho: Weight
    raising: tuple[Operator, ...]
    roots: tuple[Weight, ...]


def polarised(target: Target) -> dict[tuple[int, int, int], flint.fmpq]:
    """A target of degree 3 in all as a tensor of order 3, symmetric in the letters of a symmetric factor."""
    tensor: dict[tuple[int, int, int], flint.fmpq] = {}
    for word, value in target.entries:
        pieces: list[tuple[int, ...]] = []
        start = 0
        for _, power in target.space.factors:
            pieces.append(word[start : start + power])
            start += power
        choices = list(product(*(sorted(set(permutations(piece))) for piece in pieces)))
        for choice in choices:
            i, j, k = chain(*choice)
            tensor[i, j, k] = rational(value) / len(choices)  # type: ignore[arg-type]
    return tensor


def find_symmetry(tensor: Tensor, dimensions: Sequence[int], rng: np.random.Generator) -> Symmetry | None:
    """The diagonal torus of a tensor and raising operators for it; None when the torus only rescales the factors.

    Parameters
    ----------
    tensor
        Non-zero entries by index, shape `dimensions`.
    dimensions
        Three dimensions.
    rng
        Draws the directions that tell raising operators from lowering ones.
    """
    weights = torus(tensor, dimensions)
    if not weights[0][0]:
        return None
    spaces = root_spaces(tensor, weights)
    best: tuple[int, Weight] = -1, ()
    for _ in range(TRIES):
        rho = tuple(int(x) for x in rng.integers(-99, 100, size=len(weights[0][0])))
        if any(height(root, rho) == 0 for root in spaces):
            continue
        raised = sum(len(found) for root, found in spaces.items() if height(root, rho) > 0)
        if raised > best[0]:
            best = raised, rho
    if best[0] < 0:
        return None
    rho = best[1]
    positive = {root: found for root, found in spaces.items() if height(root, rho) > 0}
    chosen = _generators(positive, rho, dimensions)
    return Symmetry(weights, rho, tuple(x for _, x in chosen), tuple(root for root, _ in chosen))


def height(weight: Weight, rho: Weight) -> int:
    """Scalar product of two integer vectors."""
    return sum(x * y for x, y in zip(weight, rho, strict=True))


def torus(tensor: Tensor, dimensions: Sequence[int]) -> tuple[tuple[Weight, ...], ...]:
    """Weights of the basis vectors under the largest diagonal torus that fixes the line of the tensor.

    Scalings of whole factors are left out: the first entry has three basis vectors of weight 0.
    """
    support = sorted(tensor)
    starts = [0, dimensions[0], dimensions[0] + dimensions[1]]
    size = sum(dimensions)
    first = [start + index for start, index in zip(starts, support[0], strict=True)]
    equations: list[list[int]] = []
    for column in first:
        equations.append([int(j == column) for j in range(size)])
    for entry in support[1:]:
        row = [0] * size
        for start, index in zip(starts, entry, strict=True):
            row[start + index] += 1
        equations.append(row)
    # A vector that no entry uses has a weight of its own choosing; zero is as good as any.
    used = {start + index for entry in support for start, index in zip(starts, entry, strict=True)}
    equations += [[int(j == column) for j in range(size)] for column in range(size) if column not in used]
    basis = kernel(equations, size)
    if len(basis) > 1:
        basis = [[int(x) for x in row] for row in flint.fmpz_mat(basis).lll().tolist()]
    return tuple(
        tuple(tuple(vector[start + i] for vector in basis) for i in range(n))
        for start, n in zip(starts, dimensions, strict=True)
    )


def kernel(equations: Sequence[Sequence[int]], size: int) -> list[list[int]]:
    """Basis of the integer solutions of homogeneous equations over the rationals, primitive vectors."""
    if not equations:
        return [[int(i == j) for j in range(size)] for i in range(size)]
    matrix, denominator, rank = flint.fmpz_mat([list(row) for row in equations]).rref()
    rows = [[int(x) for x in row] for row in matrix.tolist()[:rank]]
    pivots = [next(j for j, x in enumerate(row) if x) for row in rows]
    basis: list[list[int]] = []
    for free in (j for j in range(size) if j not in set(pivots)):
        vector = [0] * size
        vector[free] = int(denominator)
        for row, pivot in zip(rows, pivots, strict=True):
            vector[pivot] = -row[free] * int(denominator) // row[pivot]
        content = gcd(*vector)
        basis.append([x // content for x in vector])
    return basis


def root_spaces(tensor: Tensor, weights: Sequence[Sequence[Weight]]) -> dict[Weight, list[Operator]]:
    """For every weight that is not 0 a basis of the operators of that weight that annihilate the tensor."""
    places: dict[Weight, list[tuple[int, int, int]]] = {}
    for factor, listed in enumerate(weights):
        for (i, u), (j, v) in product(enumerate(listed), repeat=2):
            root = tuple(x - y for x, y in zip(u, v, strict=True))
            if any(root):
                places.setdefault(root, []).append((factor, i, j))
    slices: dict[tuple[int, int], list[tuple[tuple[int, int, int], flint.fmpq]]] = {}
    for index, value in tensor.items():
        for factor in range(3):
            slices.setdefault((factor, index[factor]), []).append((index, value))
    found: dict[Weight, list[Operator]] = {}
    for root, unknowns in places.items():
        if len(unknowns) > MAX_UNKNOWNS:
            continue
        equations: dict[tuple[int, ...], dict[int, flint.fmpq]] = {}
        for number, (factor, i, j) in enumerate(unknowns):
            for index, value in slices.get((factor, j), ()):
                image = (*index[:factor], i, *index[factor + 1 :])
                row = equations.setdefault(image, {})
                row[number] = row.get(number, flint.fmpq(0)) + value
        solutions = _rational_kernel(list(equations.values()), len(unknowns))
        operators = [_operator(vector, unknowns) for vector in solutions]
        if operators:
            found[root] = operators
    return found


def _rational_kernel(equations: Sequence[Mapping[int, flint.fmpq]], size: int) -> list[list[int]]:
    rows: list[list[int]] = []
    for equation in equations:
        scale = 1
        for x in equation.values():
            scale = scale * int(x.q) // gcd(scale, int(x.q))
        row = [0] * size
        for j, x in equation.items():
            row[j] = int(x.p) * scale // int(x.q)
        rows.append(row)
    return kernel(rows, size)


def _operator(vector: Sequence[int], places: Sequence[tuple[int, int, int]]) -> Operator:
    matrices: Operator = ({}, {}, {})
    for x, (factor, i, j) in zip(vector, places, strict=True):
        if x:
            matrices[factor][i, j] = x
    return matrices


def _generators(
    spaces: Mapping[Weight, Sequence[Operator]], rho: Weight, dimensions: Sequence[int]
) -> list[tuple[Weight, Operator]]:
    """Operators that are no combinations of brackets of the others."""
    kept: list[tuple[Weight, Operator]] = []
    for root in sorted(spaces, key=lambda r: (height(r, rho), r)):
        brackets = [
            bracket(x, y)
            for other in spaces
            if (rest := tuple(a - b for a, b in zip(root, other, strict=True))) in spaces and other <= rest
            for x in spaces[other]
            for y in spaces[rest]
        ]
        span = [_flat(x, dimensions) for x in brackets]
        rank = flint.fmpz_mat(span).rank() if span else 0
        for x in spaces[root]:
            if rank == len(spaces[root]):
                break
            longer = [*span, _flat(x, dimensions)]
            if flint.fmpz_mat(longer).rank() > rank:
                kept.append((root, x))
                span, rank = longer, rank + 1
    return kept


def bracket(x: Operator, y: Operator) -> Operator:
    """The commutator xy - yx, factor by factor."""
    result: Operator = ({}, {}, {})
    for matrix, u, v in zip(result, x, y, strict=True):
        for left, right, sign in ((u, v, 1), (v, u, -1)):
            for (i, j), a in left.items():
                for (k, m), b in right.items():
                    if j == k:
                        matrix[i, m] = matrix.get((i, m), 0) + sign * a * b
    return result


def _flat(x: Operator, dimensions: Sequence[int]) -> list[int]:
    return [
        matrix.get((i, j), 0)
        for matrix, n in zip(x, dimensions, strict=True)
        for i in range(n)
        for j in range(n)
    ]

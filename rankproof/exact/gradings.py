"""Gradings of a target: integer weights of the letters under which it is homogeneous.

Every such weight is a one-parameter group of diagonal matrices that scales the target. A projection that puts letters of one
weight together keeps the group, and what is computed from the target falls into one block for every weight.
"""

from __future__ import annotations

import random
from functools import lru_cache

import flint

from rankproof.problem.target import Target

MAX_CELLS = 1_000_000
"""Cells of the linear system for the weights; beyond it nothing is looked for."""

_TRIALS = 80


def weight_lattice(target: Target, factor: int) -> list[list[int]]:
    """Short independent weights of the letters of one factor; letters that the target does not use have weight 0.

    Examples
    --------
    >>> from rankproof.problem.parse import read_targets
    >>> weight_lattice(read_targets("x*y + z**2")[0], 0)
    [[2, 0, 1], [0, 2, 1]]
    """
    factors = target.space.factors
    owners = [i for i, (_, d) in enumerate(factors) for _ in range(d)]
    used = sorted({letter for word, _ in target.entries for letter in zip(owners, word, strict=True)})
    place = {letter: k for k, letter in enumerate(used)}
    if len(target.entries) * len(used) > MAX_CELLS:
        return []
    rows: list[list[int]] = []
    for word, _ in target.entries:
        # Every word has the same weight, which is the last unknown.
        row = [0] * len(used) + [-1]
        for letter in zip(owners, word, strict=True):
            row[place[letter]] += 1
        rows.append(row)
    kernel, nullity = flint.fmpz_mat(rows).nullspace()
    places = [k for k, (i, _) in enumerate(used) if i == factor]
    restricted = flint.fmpz_mat([[int(kernel[k, j]) for k in places] for j in range(nullity)]).hnf()
    independent = [row for row in _rows(restricted) if any(row)]
    if not independent:
        return []
    found: list[list[int]] = []
    for row in _rows(flint.fmpz_mat(independent).lll()):
        weights = [0] * factors[factor][0]
        for k, weight in zip(places, row, strict=True):
            weights[used[k][1]] = weight
        found.append(weights)
    return found


def _rows(matrix: flint.fmpz_mat) -> list[list[int]]:
    return [[int(matrix[i, j]) for j in range(matrix.ncols())] for i in range(matrix.nrows())]


@lru_cache(maxsize=64)
def weight_classes(target: Target, factor: int) -> list[tuple[int, ...]]:
    """Ways to number the letters of a factor by weight, from 0, at most two for every number of classes.

    The weights are small combinations of short ones, drawn with a fixed seed.
    """
    basis = weight_lattice(target, factor)
    generator = random.Random(0)
    found: dict[int, list[tuple[int, ...]]] = {}
    for _ in range(_TRIALS if basis else 0):
        scales = [generator.randint(-1, 2) for _ in basis]
        weights = [
            sum(s * row[x] for s, row in zip(scales, basis, strict=True)) for x in range(len(basis[0]))
        ]
        order = {weight: k for k, weight in enumerate(sorted(set(weights)))}
        classes = tuple(order[weight] for weight in weights)
        known = found.setdefault(len(order), [])
        if len(known) < 2 and classes not in known:
            known.append(classes)
    return [classes for count in sorted(found) for classes in found[count]]

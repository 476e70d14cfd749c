"""Case trees for spaces of slices from small dimensions to large ones, and which of them a bound needs."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from rankproof.bounds.cover_trees import case_trees
from rankproof.bounds.covers import Covers, Trees
from rankproof.bounds.method import Budget

TREE_SHARE = 0.3
"""Part of the time left that the trees of one space may take."""

SMALLEST = 3
"""Widths of spaces of smaller dimension come from covers already."""

Treed = dict[int, tuple[int, Trees]]
"""Classes with the bounds that their trees prove."""


def deepen(covers: Covers, wanted: int, leaves: int, rng: np.random.Generator, budget: Budget) -> None:
    """Look for case trees, dimension by dimension, until the whole has the wanted bound.

    Parameters
    ----------
    covers
        Bounds on all classes of subspaces, which are improved.
    wanted
        A bound on the whole.
    leaves
        Leaves of all trees of one class.
    rng
        Chooses symmetries.
    budget
        When to give up.
    """
    top = len(covers.classes) - 1
    if not _may_help(covers, wanted):
        return
    found: Treed = {}
    whole = covers.classes.dimensions[top]
    for dimension in range(SMALLEST, whole):
        level = [n for n in range(top) if covers.classes.dimensions[n] == dimension]
        raised = [n for n in level if _tree(covers, n, covers.bounds[n] + 1, leaves, rng, budget)]
        found |= {n: (covers.bounds[n], why) for n in raised if isinstance(why := covers.reasons[n], Trees)}
        if raised:
            covers.cover_above(dimension)
        if covers.bounds[top] >= wanted or budget.exhausted():
            break
    if covers.bounds[top] < wanted:
        _tree(covers, top, wanted, leaves, rng, budget)
    if covers.bounds[top] >= wanted:
        trim(covers, budget)


def _may_help(covers: Covers, wanted: int) -> bool:
    """Whether the whole would have the wanted bound if all smaller spaces had bounds greater by one, or by a tree of its own."""
    before = covers.snapshot()
    for number, d in enumerate(covers.classes.dimensions[:-1]):
        if d >= SMALLEST:
            covers.suppose(number, covers.bounds[number] + 1)
    covers.cover_above(len(covers.classes.space) - 1)
    reached = covers.bounds[-1]
    covers.restore(before)
    return reached >= wanted


def _tree(
    covers: Covers, number: int, bound: int, leaves: int, rng: np.random.Generator, budget: Budget
) -> bool:
    if budget.exhausted():
        return False
    part = budget.share(TREE_SHARE * budget.left())
    trees = case_trees(covers, number, bound, leaves, rng, part.exhausted)
    if trees is not None:
        covers.set(number, bound, trees)
    return trees is not None


def trim(covers: Covers, budget: Budget) -> None:
    """Give up case trees without which the bound of the whole stays the same: they are long.

    A tree may be needed by those of larger spaces; without it these are given up as well if they used its bound.
    """
    value = covers.bounds[-1]
    while not budget.exhausted():
        trees = used_trees(covers)
        for number in sorted(trees, key=lambda n: -trees[n][1].length()):
            before = covers.snapshot()
            covers.rebuild({n: tree for n, tree in trees.items() if n != number}, number)
            if covers.bounds[-1] >= value:
                break
            covers.restore(before)
            if budget.exhausted():
                return
        else:
            return


def used_trees(covers: Covers) -> Treed:
    """The trees that the bound of the whole rests upon."""
    seen, queue = {len(covers.classes) - 1}, [len(covers.classes) - 1]
    for number in queue:
        new = covers.reasons[number].classes() - seen
        seen |= new
        queue += new
    found: Mapping[int, Trees] = {n: why for n in seen if isinstance(why := covers.reasons[n], Trees)}
    return {n: (covers.bounds[n], why) for n, why in found.items()}

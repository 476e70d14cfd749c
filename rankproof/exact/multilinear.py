"""Forms that are linear in each of several groups of variables, read as tensors."""

from __future__ import annotations

from collections.abc import Mapping

from rankproof.problem.field import Scalar
from rankproof.problem.space import Word

MAX_STEPS = 20_000
"""Steps of the search for groups."""


def variable_groups(words: list[Word], degree: int) -> list[list[int]] | None:
    """Groups of variables such that every monomial has one variable of each; None when there are none.

    Parameters
    ----------
    words
        Monomials of the given degree, without repeated variables when there are groups.
    degree
        Number of groups.

    Examples
    --------
    >>> variable_groups([(0, 3), (1, 2)], 2)
    [[0, 1], [2, 3]]
    >>> variable_groups([(0, 1), (0, 2), (1, 2)], 2) is None
    True
    """
    if any(len(set(word)) < degree for word in words):
        return None
    apart: dict[int, set[int]] = {}
    for word in words:
        for i in word:
            apart.setdefault(i, set()).update(j for j in word if j != i)
    # Variables that occur together first: colouring a graph with as many colours as the degree.
    order = [*words[0], *sorted(set(apart) - set(words[0]), key=lambda i: -len(apart[i]))]
    colours: dict[int, int] = {}
    steps = 0

    def colour(place: int) -> bool:
        nonlocal steps
        steps += 1
        if place == len(order):
            return True
        if steps > MAX_STEPS:
            return False
        i = order[place]
        taken = {colours[j] for j in apart[i] if j in colours}
        for c in [place] if place < degree else range(degree):
            if c not in taken:
                colours[i] = c
                if colour(place + 1):
                    return True
                del colours[i]
        return False

    if not colour(0):
        return None
    return [sorted(i for i, c in colours.items() if c == k) for k in range(degree)]


def as_tensor(entries: Mapping[Word, Scalar], degree: int, groups: list[list[int]]) -> dict[Word, Scalar]:
    """Entries by places in the groups; what follows the variables in a word, an output, is kept."""
    place = {i: (k, groups[k].index(i)) for k in range(degree) for i in groups[k]}
    tensor: dict[Word, Scalar] = {}
    for word, c in entries.items():
        index = [0] * degree
        for i in word[:degree]:
            k, x = place[i]
            index[k] = x
        tensor[(*index, *word[degree:])] = c
    return tensor

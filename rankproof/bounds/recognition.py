"""Whether a tensor is a known one up to the order of its factors and the numbering and scaling of their bases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, permutations

from rankproof.exact.tensor_sums import TensorSum, over, permuted, with_bases_changed
from rankproof.problem.field import Field, Scalar
from rankproof.problem.space import Word

MAX_STEPS = 4_000
"""Tries of the search for a numbering."""

MAX_NUMBERINGS = 8
"""Numberings that fit for which scales are looked for."""

MAX_FREE_SIGNS = 6
"""Scales that no equation fixes in advance; each of them is tried as 1 and as -1."""


@dataclass(frozen=True)
class Likeness:
    """How a tensor is obtained from a model.

    Attributes
    ----------
    factors
        Factor s of the tensor is factor ``factors[s]`` of the model.
    places
        ``places[s][i]`` is the place in the tensor of coordinate i of that factor of the model; -1 where it does not occur.
    scales
        ``scales[s][i]`` is what that coordinate is multiplied by.
    dims
        Dimensions of the tensor.
    """

    factors: tuple[int, ...]
    places: tuple[tuple[int, ...], ...]
    scales: tuple[tuple[Scalar, ...], ...]
    dims: tuple[int, ...]

    def carry(self, total: TensorSum, ring: Field) -> TensorSum:
        """A sum of units for the model as one for the tensor."""
        matrices: list[list[list[Scalar]]] = []
        for places, scales, n in zip(self.places, self.scales, self.dims, strict=True):
            matrix: list[list[Scalar]] = [[0] * len(places) for _ in range(n)]
            for i, (k, c) in enumerate(zip(places, scales, strict=True)):
                if k >= 0:
                    matrix[k][i] = c
            matrices.append(matrix)
        return over(with_bases_changed(permuted(total, self.factors), matrices, ring), ring)


def likeness(
    model: Mapping[Word, Scalar], tensor: Mapping[Word, Scalar], dims: Sequence[int], ring: Field
) -> Likeness | None:
    """How a tensor is obtained from a model by renumbering and scaling; None when no way is found.

    Parameters
    ----------
    model, tensor
        Non-zero coefficients over the ring, with words of one length.
    dims
        Dimensions of the tensor.
    ring
        Exact field of the coefficients.

    Examples
    --------
    >>> from rankproof.problem.field import QQ
    >>> likeness({(0, 0): 1, (1, 1): 1}, {(0, 1): 2, (1, 0): 3}, (2, 2), QQ).places
    ((0, 1), (1, 0))
    """
    if len(model) != len(tensor):
        return None
    k = len(dims)
    for factors in permutations(range(k)):
        source = {tuple(word[f] for f in factors): c for word, c in model.items()}
        if [len({w[s] for w in source}) for s in range(k)] != [len({w[s] for w in tensor}) for s in range(k)]:
            continue
        for places in islice(_numberings(source, tensor), MAX_NUMBERINGS):
            scales = _scales(source, tensor, places, ring)
            if scales is not None:
                size = [1 + max(word[s] for word in source) for s in range(k)]
                return Likeness(
                    factors,
                    tuple(tuple(places[s].get(i, -1) for i in range(size[s])) for s in range(k)),
                    tuple(tuple(scales.get((s, i), 1) for i in range(size[s])) for s in range(k)),
                    tuple(dims),
                )
    return None


Places = list[dict[int, int]]


def _numberings(model: Mapping[Word, Scalar], tensor: Mapping[Word, Scalar]) -> Iterator[Places]:
    """Numberings of the bases under which the words of the model become those of the tensor."""
    ours, theirs = _colours(model), _colours(tensor)
    k = len(next(iter(model)))
    if any(sorted(ours[s].values()) != sorted(theirs[s].values()) for s in range(k)):
        return
    order = _connected(list(model))
    by_index: dict[tuple[int, int], list[Word]] = {}
    for word in tensor:
        for s, i in enumerate(word):
            by_index.setdefault((s, i), []).append(word)
    places: Places = [{} for _ in range(k)]
    used: list[set[int]] = [set() for _ in range(k)]
    budget = [MAX_STEPS]

    def extend(at: int) -> Iterator[Places]:
        if at == len(order):
            yield [dict(p) for p in places]
            return
        word = order[at]
        known = [(s, places[s][i]) for s, i in enumerate(word) if i in places[s]]
        for other in min((by_index.get(pair, []) for pair in known), key=len, default=list(tensor)):
            budget[0] -= 1
            if budget[0] < 0:
                return
            fits = all(
                places[s].get(i, j) == j and (i in places[s]) == (j in used[s]) and ours[s][i] == theirs[s][j]
                for s, (i, j) in enumerate(zip(word, other, strict=True))
            )
            if fits:
                new = [
                    (s, i, j) for s, (i, j) in enumerate(zip(word, other, strict=True)) if i not in places[s]
                ]
                for s, i, j in new:
                    places[s][i] = j
                    used[s].add(j)
                yield from extend(at + 1)
                for s, i, j in new:
                    del places[s][i]
                    used[s].discard(j)

    yield from extend(0)


def _connected(words: list[Word]) -> list[Word]:
    """The words such that each shares an index with one before it where that is possible."""
    rest = dict.fromkeys(words)
    order: list[Word] = []
    seen: set[tuple[int, int]] = set()
    while rest:
        word = max(rest, key=lambda w: sum((s, i) in seen for s, i in enumerate(w)))
        del rest[word]
        order.append(word)
        seen |= set(enumerate(word))
    return order


def _colours(tensor: Mapping[Word, Scalar]) -> list[dict[int, int]]:
    """A colour of every index, the same for indices that some renumbering exchanges: refined by the words they are in."""
    k = len(next(iter(tensor)))
    colours: list[dict[int, int]] = [{w[s]: 0 for w in tensor} for s in range(k)]
    for _ in range(4):
        found: list[dict[int, list[tuple[int, ...]]]] = [{} for _ in range(k)]
        for word in tensor:
            shade = tuple(colours[s][i] for s, i in enumerate(word))
            for s, i in enumerate(word):
                found[s].setdefault(i, []).append(shade)
        for s in range(k):
            # The colour is a fingerprint, so that it means the same for two tensors.
            colours[s] = {i: hash((s, *sorted(shades))) for i, shades in found[s].items()}
    return colours


def _scales(
    model: Mapping[Word, Scalar], tensor: Mapping[Word, Scalar], places: Places, ring: Field
) -> dict[tuple[int, int], Scalar] | None:
    """Scales x with tensor at the place of a word = model at the word times the product of x over its indices."""
    order = _connected(list(model))
    wanted = [
        ring.reduce(tensor[tuple(places[s][i] for s, i in enumerate(word))] * ring.inverse(model[word]))
        for word in order
    ]
    free = [0]

    def extend(at: int, scales: dict[tuple[int, int], Scalar]) -> dict[tuple[int, int], Scalar] | None:
        if at == len(order):
            return scales
        unknown = [(s, i) for s, i in enumerate(order[at]) if (s, i) not in scales]
        total: Scalar = 1
        for s, i in enumerate(order[at]):
            total = ring.reduce(total * scales.get((s, i), 1))
        if not unknown:
            return extend(at + 1, scales) if total == wanted[at] else None
        *others, last = unknown
        ratio = ring.reduce(wanted[at] * ring.inverse(total))
        result = extend(at + 1, scales | dict.fromkeys(others, 1) | {last: ratio})
        if result is None and others and free[0] < MAX_FREE_SIGNS:
            free[0] += 1
            flipped = (
                scales | dict.fromkeys(others, 1) | {others[-1]: ring.reduce(-1), last: ring.reduce(-ratio)}
            )
            result = extend(at + 1, flipped)
        return result

    return extend(0, {})

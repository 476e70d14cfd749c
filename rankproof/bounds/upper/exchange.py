"""A fixed number of powers or detectors from a pool of simple forms, exchanged one at a time for the best one.

With the other forms fixed, the squared distance of the target to the span is known for every candidate at once (variable
projection). Floats only guide the search: what it finds is solved and checked exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import factorial, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankproof.bounds.explicit import Vector, decomposition_bound, direction
from rankproof.bounds.method import Bound, Budget, Method, best_known
from rankproof.bounds.upper.detectors import solved_units, unit_columns
from rankproof.exact.roots_of_unity import cyclotomic, roots_of_unity
from rankproof.problem.decomposition import ExactUnit
from rankproof.problem.field import CC, QQ, Algebraic, Field, Scalar
from rankproof.problem.question import Question
from rankproof.problem.space import Word
from rankproof.problem.target import Target

MAX_POOL = 700
"""Forms in a pool."""

MAX_CELLS = 60_000
"""Monomials times columns of a pool: what one exchange looks at."""

RESTARTS = 40

SWEEPS = 6

SHARE = 0.1
"""Part of the time left that the search may take."""

VANISHES = 1e-18
"""Squared distance, relative to the target, below which an exact solution is tried."""

NEGLIGIBLE = 1e-10
"""Eigenvalues of Gram matrices below this belong to columns that the other forms span already."""

Floats = NDArray[Any]


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """Sums of fewer and fewer units, from one less than what is known down to the first number that is not reached."""
    question = Question(units, field, "rank")
    least = best_known(known, question, ">=", target) or 1
    most = best_known(known, question, "<=", target)
    if most is None or most <= least:
        return []
    best: list[Bound] = []
    part = budget.share(SHARE * budget.left())
    for ring, pool in _pools(target, units, field):
        search = _Search(target, units, ring, pool)
        share = part.share(part.left() / 2)
        while most > least and not share.exhausted():
            found = search.run(most - 1, share, rng)
            if not found or len(found) >= most:
                break
            best, most = [decomposition_bound(target, units, ring, found)], len(found)
    return best


def _pools(target: Target, units: str, field: Field) -> Iterator[tuple[Field, list[Vector]]]:
    n, d = target.space.variables_count, target.space.form_degree
    used = sorted({x for word, _ in target.entries for x in word[:d]})
    per_form = 1 if units == "tied" else n
    rings: list[tuple[Field, Sequence[Scalar]]] = []
    if field == CC:
        for order in (4, 3) if len(used) < 4 else (4,):
            ring = cyclotomic(order)
            rings.append((ring, (0, *roots_of_unity(order if order == 4 else 6, ring))))
    else:
        rings = [(QQ, (0, 1, -1, 2, -2)), (QQ, (0, 1, -1))]
    for ring, values in rings:
        if len(values) ** len(used) > 6 * MAX_POOL:
            continue
        pool: dict[Vector, None] = {}
        for point in product(values, repeat=len(used)):
            if any(point):
                at = dict(zip(used, point, strict=True))
                pool.setdefault(direction([at.get(i, 0) for i in range(n)], ring)[0])
        if len(pool) <= MAX_POOL and target.space.dimension * len(pool) * per_form <= MAX_CELLS:
            yield ring, list(pool)
            if ring == QQ:
                return


class _Search:
    """The columns of all forms of a pool, in coordinates in which the powers of unit vectors are unit vectors."""

    def __init__(self, target: Target, units: str, ring: Field, pool: list[Vector]) -> None:
        self.target, self.units, self.ring, self.pool = target, units, ring, pool
        words = list(target.space.words())
        root = None if ring.number_field is None else _complex_root(ring)
        values = {x: _value(x, root) for form in pool for x in form}
        forms = np.array([[values[x] for x in form] for form in pool])
        self.tensor = _powers(forms, words) if units == "tied" else _detectors(forms, words)
        # The coordinate at a word is the coefficient divided by this.
        scales = np.array([_multinomial(word) ** 0.5 for word in words])
        # Candidates of different lengths are compared: their columns are scaled alike.
        self.tensor /= np.linalg.norm(self.tensor, axis=(1, 2), keepdims=True)
        sides = target.as_dict()
        self.side = np.array([_value(sides.get(word, 0), root) for word in words]) / scales
        self.side = self.side / np.linalg.norm(self.side)

    def run(self, count: int, budget: Budget, rng: np.random.Generator) -> list[ExactUnit]:
        """A sum with so many forms, or nothing."""
        if count >= len(self.pool):
            return []
        for _ in range(RESTARTS):
            chosen = [int(k) for k in rng.choice(len(self.pool), count, replace=False)]
            before = np.inf
            for _ in range(SWEEPS):
                for place in range(count):
                    others = chosen[:place] + chosen[place + 1 :]
                    left = self._distances(others)
                    left[others] = np.inf
                    chosen[place] = int(np.argmin(left))
                    after = float(left[chosen[place]])
                    if after < VANISHES and (found := self._exact(chosen)):
                        return found
                if after >= before - NEGLIGIBLE:
                    break
                before = after
                if budget.exhausted():
                    return []
        return []

    def _distances(self, others: Sequence[int]) -> Floats:
        """Squared distance of the target to the span of the others and each candidate."""
        rest, side = self.tensor, self.side
        if others:
            taken = np.concatenate([self.tensor[k] for k in others], axis=1)
            u, s, _ = np.linalg.svd(taken, full_matrices=False)
            basis = u[:, s > NEGLIGIBLE]
            rest = rest - basis @ (basis.conj().T @ rest)
            side = side - basis @ (basis.conj().T @ side)
        gram = rest.conj().transpose(0, 2, 1) @ rest
        moments = rest.conj().transpose(0, 2, 1) @ side
        values, vectors = np.linalg.eigh(gram)
        parts = np.abs(np.einsum("kji,kj->ki", vectors.conj(), moments)) ** 2
        gains = np.where(values > NEGLIGIBLE, parts / np.maximum(values, NEGLIGIBLE), 0).sum(axis=1)
        return np.maximum(float(np.vdot(side, side).real) - gains, 0)

    def _exact(self, chosen: Sequence[int]) -> list[ExactUnit]:
        n, d = self.target.space.variables_count, self.target.space.form_degree
        pool = [self.pool[k] for k in chosen]
        columns = [unit_columns(a, self.units, n, d, self.ring) for a in pool]
        sides = [self.target.as_dict()]
        return solved_units(range(len(pool)), pool, columns, sides, self.units, n, d, self.ring)


def _powers(forms: Floats, words: Sequence[Word]) -> Floats:
    """Columns a^d, shape (forms, words, 1)."""
    return np.stack([_monomial(forms, word) * _multinomial(word) ** 0.5 for word in words], axis=1)[
        :, :, None
    ]


def _detectors(forms: Floats, words: Sequence[Word]) -> Floats:
    """Columns a^(d-1) x_j, shape (forms, words, variables)."""
    n = forms.shape[1]
    tensor = np.zeros((len(forms), len(words), n), dtype=forms.dtype)
    for k, word in enumerate(words):
        for j in set(word):
            rest = list(word)
            rest.remove(j)
            tensor[:, k, j] = _monomial(forms, rest) * _multinomial(rest) / _multinomial(word) ** 0.5
    return tensor


def _monomial(forms: Floats, word: Sequence[int]) -> Floats:
    value = np.ones(len(forms), dtype=forms.dtype)
    for i in word:
        value = value * forms[:, i]
    return value


def _multinomial(word: Sequence[int]) -> int:
    return factorial(len(word)) // prod(factorial(word.count(i)) for i in set(word))


def _complex_root(ring: Field) -> complex:
    polynomial = ring.number_field.minimal_polynomial if ring.number_field else (0, 1)
    return complex(max(np.roots(polynomial[::-1]), key=lambda z: z.imag))


def _value(x: Scalar, root: complex | None) -> complex | float:
    if isinstance(x, Algebraic) and root is not None:
        return sum(float(c) * root**k for k, c in enumerate(x.coefficients))
    return float(x)  # type: ignore[arg-type]


def _works_over(target: Target, question: Question) -> Field | None:
    space, field = target.space, question.field
    fits = target.ring == QQ and space.outputs == 1 and space.form_degree > 2 and space.variables_count > 2
    if not fits or field.characteristic or question.quantity != "rank":
        return None
    return CC if field == CC else QQ


METHOD = Method(
    name="exchange",
    rule="decomposition",
    side="upper",
    summary="a fixed number of simple forms, exchanged one at a time for the best one",
    units=("tied", "untied"),
    tier="A",
    fields="QQ (so RR), CC",
    works_over=_works_over,
    find=find,
)

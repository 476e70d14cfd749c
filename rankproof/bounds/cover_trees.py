"""Case trees for covering programs: that no numbers of terms satisfy all bounds on subspaces, although fractions do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rankproof.bounds.covers import DENOMINATORS, Covers, Leaf, Trees
from rankproof.exact.grassmannians import orbits, points, subspace_count
from rankproof.exact.matrix_spaces import coordinates
from rankproof.exact.subspace_classes import Symmetry
from rankproof.numeric.linear_programs import packing

Residues = NDArray[np.int64]

_MARGIN = 1e-6

_JOINING = 40
"""Broken bounds that are taken into account at a time."""

_CANDIDATES = 6
"""Points that are tried at a branch before the best is taken."""


MAX_COLUMNS = 20_000
"""Subspaces with bounds in one program: with 511 points a table of 80 MB."""

MAX_LISTED = 250_000
"""Subspaces of one dimension among which those of a class are looked up."""


class TooLarge(Exception):
    """The tree has more leaves than wanted, or time is over."""


@dataclass(frozen=True)
class State:
    """At least, and for some points at most, so many terms."""

    least: Mapping[int, int] = field(default_factory=dict)
    most: Mapping[int, int] = field(default_factory=dict)

    def occurs(self, point: int) -> State:
        """One more term there."""
        return State({**self.least, point: self.least.get(point, 0) + 1}, self.most)

    def no_more(self, point: int) -> State:
        """No further term there."""
        return State(self.least, {**self.most, point: self.least.get(point, 0)})


@dataclass(frozen=True)
class Fractional:
    """The least total in fractions, weights of the subspaces that show it, and numbers of terms at the points."""

    value: float
    weights: NDArray[np.float64]
    numbers: NDArray[np.float64]


class Program:
    """Numbers of terms at the points of a space: on every subspace at least so many do not vanish.

    Parameters
    ----------
    covers
        Bounds on all classes of subspaces.
    number
        The class whose representative is the space.
    bound
        The program looks for fewer terms than this.
    """

    def __init__(self, covers: Covers, number: int, bound: int) -> None:
        classes, self.p, self.bound = covers.classes, covers.p, bound
        self.points = points(classes.dimensions[number], self.p)
        self.subspaces: list[Residues] = []
        self.classes: list[int] = []
        columns: list[NDArray[np.bool_]] = []
        kept = _worthwhile(covers, number)
        for d in {classes.dimensions[j] for j in kept}:
            inside, numbers = classes.inside(number, d)
            chosen = np.isin(numbers, list(kept))
            for local, j in zip(inside[chosen].astype(np.int64), numbers[chosen].tolist(), strict=True):
                self.subspaces.append(local)
                self.classes.append(j)
                columns.append((self.points @ local.T % self.p).any(axis=1))
        self.covers = np.array(columns).T.astype(float)
        self.demands = np.array([covers.bounds[j] for j in self.classes])
        self.used: set[int] = set()
        # Few bounds matter: others join when numbers that satisfy the present ones break them.
        self._active = np.flatnonzero(np.array([len(local) for local in self.subspaces]) == 1).tolist()

    def solve(self, state: State) -> Fractional:
        """The least total in fractions; not quite the least when it is a contradiction already."""
        while True:
            solved = self._solve(state)
            if solved.value > self.bound - 1 + _MARGIN:
                return solved
            missing = self.demands - solved.numbers @ self.covers
            broken = np.argsort(-missing)[:_JOINING]
            broken = broken[missing[broken] > _MARGIN]
            if not len(broken):
                return solved
            self._active += broken.tolist()

    def _solve(self, state: State) -> Fractional:
        least = np.zeros(len(self.points))
        for point, count in state.least.items():
            least[point] = count
        capped = list(state.most)
        slack = np.zeros((len(self.points), len(capped)))
        slack[capped, range(len(capped))] = -1
        covers = self.covers[:, self._active]
        gains = self.demands[self._active] - least @ covers
        room = np.array([state.most[point] - least[point] for point in capped])
        every = np.concatenate([gains, -room])
        # Once the total is too large it may be unbounded; a little more than needed is enough.
        loads = np.vstack([np.hstack([covers, slack]), every])
        capacities = np.concatenate([np.ones(len(self.points)), [self.bound + 1 - least.sum()]])
        solved = packing(every, loads, capacities)
        if solved is None:
            raise TooLarge("the solver gives up")
        weights = np.zeros(len(self.demands))
        weights[self._active] = solved.weights[: len(self._active)]
        return Fractional(solved.value + float(least.sum()), weights, solved.prices[:-1] + least)

    def leaf(self, state: State, weights: NDArray[np.float64]) -> Leaf | None:
        """Exact weights that contradict a total below the bound, near the given ones."""
        for most in DENOMINATORS:
            exact = {
                k: y
                for k, w in enumerate(weights)
                if (y := Fraction(max(0.0, float(w))).limit_denominator(most))
            }
            loads = [sum((y for k, y in exact.items() if row[k]), Fraction(0)) for row in self.covers]
            heaviest = max([load for i, load in enumerate(loads) if i not in state.most], default=Fraction(0))
            if heaviest > 1:
                exact = {k: y / heaviest for k, y in exact.items()}
                loads = [load / heaviest for load in loads]
            total = sum((y * int(self.demands[k]) for k, y in exact.items()), Fraction(0))
            for i, load in enumerate(loads):
                total += (1 - load) * (state.least.get(i, 0) if load <= 1 else state.most[i])
            if total > self.bound - 1:
                self.used |= {self.classes[k] for k in exact}
                return [(self.subspaces[k], y) for k, y in exact.items()]
        return None


def _worthwhile(covers: Covers, number: int) -> set[int]:
    """Classes of proper subspaces whose bounds the program shall know: lines, then those with the fewest subspaces."""
    classes = covers.classes
    counts, dimensions = classes.counts[number].tolist(), classes.dimensions
    candidates = [
        j for j in range(number) if counts[j] and dimensions[j] < dimensions[number] and covers.is_critical(j)
    ]
    kept: set[int] = set()
    room = MAX_COLUMNS
    for j in sorted(candidates, key=lambda j: (dimensions[j] > 1, counts[j])):
        if subspace_count(dimensions[number], covers.p, dimensions[j]) <= MAX_LISTED and counts[j] <= room:
            kept.add(j)
            room -= counts[j]
    return kept


def case_trees(
    covers: Covers,
    number: int,
    bound: int,
    most_leaves: int,
    rng: np.random.Generator,
    stop: Callable[[], bool],
) -> Trees | None:
    """Show that a class of subspaces has a width of at least ``bound``, by cases.

    Parameters
    ----------
    covers
        Bounds on all smaller classes.
    number
        The class.
    bound
        What is to be shown.
    most_leaves
        Leaves of all trees together.
    rng
        Chooses symmetries.
    stop
        Whether to give up.

    Returns
    -------
    Trees or None
        None when there is a solution in numbers, or when the trees become too large.
    """
    program = Program(covers, number, bound)
    symmetries, labels = _point_orbits(covers, number, program.points, rng, stop)
    grower = _Grower(program, most_leaves, stop)
    state, cases = State(), []
    remaining = set(labels.tolist())
    try:
        while remaining:
            # The case that is nearest to a contradiction first: the others then lack its points.
            solved = {label: program.solve(state.occurs(label)) for label in remaining}
            label = max(remaining, key=lambda x: (solved[x].value, -x))
            cases.append((program.points[label], grower.grow(state.occurs(label))))
            for point in np.flatnonzero(labels == label):
                state = state.no_more(int(point))
            remaining.remove(label)
    except TooLarge:
        return None
    return Trees(symmetries, cases, {j: covers.bounds[j] for j in sorted(program.used)})


@dataclass
class _Grower:
    program: Program
    leaves_left: int
    stop: Callable[[], bool]

    def grow(self, state: State) -> list[Residues | Leaf]:
        """A tree in preorder below a state."""
        solved = self.program.solve(state)
        if solved.value > self.program.bound - 1 + _MARGIN:
            leaf = self.program.leaf(state, solved.weights)
            if leaf is not None:
                self.leaves_left -= 1
                return [leaf]
        if self.leaves_left <= 0 or self.stop():
            raise TooLarge("too many leaves")
        point = self._branch(state, solved.numbers)
        tree: list[Residues | Leaf] = [self.program.points[point]]
        for child in (state.no_more(point), state.occurs(point)):
            tree += self.grow(child)
        return tree

    def _branch(self, state: State, numbers: NDArray[np.float64]) -> int:
        """The point whose two cases are both nearest to a contradiction, among those with the most broken numbers."""
        broken = np.abs(numbers - np.round(numbers))
        allowed = [i for i in np.argsort(-broken, kind="stable").tolist() if broken[i] > _MARGIN]
        if not allowed:
            raise TooLarge("the numbers are a solution")
        best, chosen = -np.inf, allowed[0]
        for point in allowed[:_CANDIDATES]:
            children = state.no_more(point), state.occurs(point)
            values = sorted(self.program.solve(child).value for child in children)
            if (score := 10 * values[0] + values[1]) > best:
                best, chosen = score, point
        return chosen


def _point_orbits(
    covers: Covers, number: int, every: Residues, rng: np.random.Generator, stop: Callable[[], bool]
) -> tuple[list[Symmetry], NDArray[np.int64]]:
    """A few symmetries that fix a subspace, and the least point in the orbit of every point under them."""
    p, basis = covers.p, covers.classes.representatives[number]
    place = {tuple(point): i for i, point in enumerate(every.tolist())}
    chosen: list[Symmetry] = []
    images: list[NDArray[np.int64]] = []
    labels = orbits(images, len(every))
    for symmetry in covers.classes.stabilisers(number, rng, stop):
        turned = coordinates(basis @ symmetry[1] % p, basis, p)
        if turned is None:
            raise ArithmeticError("a symmetry of a subspace does not fix it")
        moved = every @ turned.T % p
        first = moved[np.arange(len(moved)), (moved != 0).argmax(axis=1)]
        moved = moved * np.array([pow(int(x), -1, p) for x in first])[:, None] % p
        image = np.array([place[tuple(point)] for point in moved.tolist()])
        fewer = orbits([*images, image], len(every))
        if len(np.unique(fewer)) < len(np.unique(labels)):
            chosen, images, labels = [*chosen, symmetry], [*images, image], fewer
    return chosen, labels

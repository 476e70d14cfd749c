"""Networks that try to get below a certified floor.

    python -m tests.floor_attack [--rounds N] [--seed S] [--starts K]

Every round draws a target, units, a width and a loss at random, certifies the floor, and minimises the loss of networks of
this width from random starts. The loss is that of the best network with these units as its part of highest degree: its
quadratic form on coefficients is computed from the moments of the inputs, by eliminating all terms of lower degree, and
shares nothing with the proofs. The command prints a line a round and ends with status 1 if any network is below its floor.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, factorial, prod

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

import rankproof as rp
from rankproof.problem.space import Space
from rankproof.problem.target import Target

LOSSES = ("gaussian", "uniform", "rademacher", "sphere", "frobenius")
Array = NDArray[np.float64]


def moment(loss: str, power: int) -> float:
    """Mean of the power of one coordinate; the sphere's are the Gaussian ones until a factor is taken out."""
    if power % 2:
        return 0.0
    if loss == "uniform":
        return 1 / (power + 1)
    return 1.0 if loss == "rademacher" else float(prod(range(1, power, 2)))


def monomials(n: int, degree: int) -> list[tuple[int, ...]]:
    """Words of one degree."""
    return list(combinations_with_replacement(range(n), degree))


def quadratic_form(n: int, d: int, loss: str) -> Array:
    """What coefficients of degree d cost when the terms of lower degree are the best possible."""
    top = monomials(n, d)
    if loss == "frobenius":
        return np.diag([prod(factorial(w.count(i)) for i in range(n)) / factorial(d) for w in top])
    lower = [] if loss == "sphere" else [w for e in range(d) for w in monomials(n, e)]
    words = top + lower
    exponents = np.array([[w.count(i) for i in range(n)] for w in words])
    table = np.array([moment(loss, e) for e in range(2 * d + 1)])
    gram = table[exponents[:, None, :] + exponents[None, :, :]].prod(axis=2)
    if loss == "sphere":
        return gram / prod(n + 2 * j for j in range(d))
    k = len(top)
    return gram[:k, :k] - gram[:k, k:] @ np.linalg.pinv(gram[k:, k:], hermitian=True) @ gram[k:, :k]


@dataclass(frozen=True)
class Problem:
    """A loss as a sum of squares: of ``root`` times the difference of coefficients, every output on its own."""

    n: int
    d: int
    slots: tuple[int, ...]
    wanted: Array
    root: Array
    products: list[Array]

    @property
    def size(self) -> int:
        """Numbers in a unit: its forms, and its output weights."""
        return self.n * (max(self.slots) + 1) + len(self.wanted)

    def residual(self, x: Array) -> tuple[Array, Array]:
        """The differences, and their derivatives."""
        vectors = max(self.slots) + 1
        pieces, slopes = [], []
        for row in x.reshape(-1, self.size):
            forms, weights = row[: self.n * vectors].reshape(vectors, self.n), row[self.n * vectors :]
            whole = self._product(forms, range(self.d))
            jacobian = np.zeros((len(weights), len(whole), self.size))
            for k, slot in enumerate(self.slots):
                others = self._product(forms, [j for j in range(self.d) if j != k])
                # Times a variable each: the derivative by the coordinates of the form in this place.
                change = np.einsum("aib,b->ai", self.products[self.d - 1], others)
                jacobian[:, :, slot * self.n : (slot + 1) * self.n] += weights[:, None, None] * change
            for o in range(len(weights)):
                jacobian[o, :, self.n * vectors + o] = whole
            pieces.append(weights[:, None] * whole)
            slopes.append(jacobian)
        difference = (sum(pieces) - self.wanted) @ self.root.T
        derivative = np.concatenate(slopes, axis=2)
        return difference.ravel(), (self.root @ derivative).reshape(difference.size, -1)

    def _product(self, forms: Array, places: object) -> Array:
        value = np.ones(1)
        for degree, k in enumerate(places):  # type: ignore[arg-type]
            value = np.einsum("aib,b,i->a", self.products[degree], value, forms[self.slots[k]])
        return value


def problem(target: Target, units: str, loss: str) -> Problem:
    """The loss of networks of these units."""
    space = target.space
    n, d, m = space.variables_count, space.form_degree, space.outputs
    words = monomials(n, d)
    place = {w: k for k, w in enumerate(words)}
    wanted = np.zeros((m, len(words)))
    for word, value in target.entries:
        wanted[word[d] if len(word) > d else 0, place[word[:d]]] = float(Fraction(str(value)))
    values, vectors = np.linalg.eigh(quadratic_form(n, d, loss))
    root = np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T
    products = []
    for e in range(d):
        small, large = monomials(n, e), {w: k for k, w in enumerate(monomials(n, e + 1))}
        table = np.zeros((len(large), n, len(small)))
        for b, w in enumerate(small):
            for i in range(n):
                table[large[tuple(sorted((*w, i)))], i, b] = 1
        products.append(table)
    return Problem(n, d, slots(units, d), wanted, root, products)


def slots(units: str, d: int) -> tuple[int, ...]:
    """Which of the vectors of a unit stands in each of the d places."""
    if units == "split":
        return tuple(range(d))
    second = {"tied": 0, "untied": 1}.get(units)
    second = int(units.partition(":")[2]) if second is None else second
    return (0,) * (d - second) + (1,) * second


def trained(
    target: Target, units: str, width: int, loss: str, starts: int, rng: np.random.Generator, steps: int = 100
) -> float:
    """The least loss of so many runs of the method of Levenberg and Marquardt."""
    task = problem(target, units, loss)
    return min(_run(task, width, rng, steps) for _ in range(starts))


def _run(task: Problem, width: int, rng: np.random.Generator, steps: int) -> float:
    scale = float(np.abs(task.wanted).max()) ** (1 / task.d)
    x = scale * rng.normal(size=task.size * width) / width**0.5
    difference, slope = task.residual(x)
    value, damping = float(difference @ difference), 1.0
    for _ in range(steps):
        normal, gradient = slope.T @ slope, slope.T @ difference
        # Never so small next to the matrix that rounding makes the sum singular.
        shift = max(damping, 1e-11 * float(normal.max()))
        step = np.linalg.solve(normal + shift * np.eye(len(x)), gradient)
        new, new_slope = task.residual(x - step)
        reached = float(new @ new)
        if reached < value:
            done = value - reached < 1e-12 * value and damping < 1e-3
            x, difference, slope, value, damping = x - step, new, new_slope, reached, max(damping / 3, 1e-9)
            if done:
                break
        else:
            damping *= 4
            if damping > 1e12:
                break
    # Where much is left over the method is slow near the end.
    polished = minimize(
        lambda x: (lambda r, j: (r @ r, 2 * j.T @ r))(*task.residual(x)),
        x,
        jac=True,
        method="BFGS",
        options={"maxiter": 200},
    )
    return min(value, float(polished.fun))


def random_target(rng: np.random.Generator) -> Target:
    """A form or a map with small integers, dense or sparse."""
    d = int(rng.integers(2, 5))
    n = int(rng.integers(2, 5 if d < 4 else 4))
    m = int(rng.choice([1, 1, 2]))
    space = Space.map(n, d, m)
    words = list(space.words())
    keep = max(1, int(len(words) * rng.choice([0.2, 0.5, 1.0])))
    chosen = rng.choice(len(words), keep, replace=False)
    entries = {
        words[k]: int(c)
        for k, c in zip(chosen, rng.integers(1, 5, keep) * rng.choice([-1, 1], keep), strict=True)
    }
    return Target.from_entries(space, entries)


@dataclass(frozen=True)
class Round:
    """One floor and the best network against it."""

    target: Target
    units: str
    width: int
    loss: str
    floor: Fraction
    best: float

    @property
    def below(self) -> bool:
        """Whether the network refutes the floor; rounding is allowed for."""
        return self.best < float(self.floor) * (1 - 1e-8)

    def __str__(self) -> str:
        ratio = f"{self.best / float(self.floor):8.3f}" if self.floor else f"{'-':>8}"
        asked = f"{self.units} {self.width} {self.loss}"
        return (
            f"{ratio}  floor {float(self.floor):<11.6g} best {self.best:<11.6g} {asked:22} {self.target.text}"
        )


def attack(rng: np.random.Generator, starts: int) -> Round:
    """A random floor, and the best of some networks."""
    target = random_target(rng)
    d = target.space.form_degree
    units = str(rng.choice(["tied", "untied", "split", *([f"mixed:{d // 2}"] if d > 3 else [])]))
    loss = str(rng.choice(LOSSES))
    largest = comb(target.space.variables_count + d // 2 - 1, d // 2)
    width = int(rng.integers(1, max(2, largest)))
    found = rp.floor(target, units=units, width=width, loss=loss, sharper=bool(rng.integers(2)))
    best = trained(target, units, width, loss, starts, rng) if found.value else float("nan")
    return Round(target, units, width, loss, found.value, best)


def main(arguments: list[str] | None = None) -> int:
    """Rounds on the screen."""
    parser = argparse.ArgumentParser(prog="python -m tests.floor_attack", description=__doc__)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--starts", type=int, default=4)
    chosen = parser.parse_args(arguments)
    rng = np.random.default_rng(chosen.seed)
    refuted = positive = 0
    for _ in range(chosen.rounds):
        found = attack(rng, chosen.starts)
        if found.floor:
            positive += 1
            refuted += found.below
            print(("BELOW " if found.below else "      ") + str(found), flush=True)
    print(f"{chosen.rounds} targets, {positive} positive floors, {refuted} networks below")
    return int(refuted > 0 or positive == 0)


if __name__ == "__main__":
    sys.exit(main())

"""Linear combinations of symmetric matrices with many positive eigenvalues: searched with floats, rounded to rationals."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rankproof.bounds.method import Budget

Matrices = NDArray[np.float64]
"""Shape (P, N, N): P symmetric matrices."""

TOLERANCE = 1e-7
"""An eigenvalue is positive when it is at least this part of the largest one."""

STARTS = 6
STEPS = 60
DENOMINATORS = (1, 2, 3, 4, 6, 12, 60, 1000, 10**5)

SDP_SECONDS = 5.0
"""Time that must be left before the solver is loaded, which alone takes a second or two."""

SDP_SIZE = 40

NEARLY = -0.2
"""An eigenvalue, relative to the largest, from which a definite combination is sought on the leading eigenvectors."""

WOLFE_STEPS = 150


def positive_count(matrix: NDArray[np.float64]) -> int:
    """Number of positive eigenvalues, as far as floats can tell."""
    values = np.linalg.eigvalsh(matrix)
    return int((values > TOLERANCE * max(1e-300, float(np.abs(values).max(initial=0.0)))).sum())


def combinations_with_many(
    matrices: Matrices, more_than: int, rng: np.random.Generator, budget: Budget, *, solver: bool = True
) -> Iterator[list[Fraction]]:
    """Rational coefficients of combinations that seem to have more positive eigenvalues than given, ever more of them.

    Parameters
    ----------
    matrices
        The pencil.
    more_than
        Combinations with at most so many positive eigenvalues are of no interest.
    rng
        For the starting points.
    budget
        Time; the search also ends by itself.
    solver
        Whether a semidefinite program may be solved as the last resort.

    Yields
    ------
    list of Fraction
        With small denominators. The caller checks them exactly.
    """
    count, size = matrices.shape[0], matrices.shape[1]
    scale = np.array([max(1e-12, float(np.abs(matrix).max())) for matrix in matrices])
    scaled = matrices / scale[:, None, None]
    best = more_than
    nearest, nearest_value = None, -1.0
    for start in range(STARTS if count > 1 else 2):
        y = rng.standard_normal(count) if count > 1 else np.array([1.0 if start else -1.0])
        while best < size and not budget.exhausted():
            y, value = _raise_eigenvalue(scaled, y / np.linalg.norm(y), best)
            if value <= TOLERANCE:
                if value > nearest_value:
                    nearest, nearest_value = y, value
                break
            rational = _rounded(matrices, y / scale, best)
            if rational is None:
                break
            coefficients, best = rational
            yield coefficients
    if count == 1 or nearest is None or best >= size or nearest_value < NEARLY or budget.exhausted():
        return
    # Is there a combination that is definite on the leading eigenvectors of the best attempt, and on one more?
    _, vectors = np.linalg.eigh(np.tensordot(nearest, scaled, 1))
    part = vectors[:, ::-1][:, : best + 1]
    small = np.einsum("pij,ik,jl->pkl", scaled, part, part)
    y, decided = definite_combination(small)
    if y is None and not decided and solver and size <= SDP_SIZE:
        if budget.left() < SDP_SECONDS:
            budget.remark("no time left for a semidefinite program")
            return
        y = _by_solver(small)
    if y is not None and (rational := _rounded(matrices, y / scale, best)) is not None:
        yield rational[0]


def definite_combination(matrices: Matrices) -> tuple[NDArray[np.float64] | None, bool]:
    """Coefficients of a positive definite combination, or None; and whether the answer is certain as far as floats go.

    Notes
    -----
    Let C be the convex hull of the vectors (v^T B_i v)_i over all unit vectors v, and y its point of least norm. For y = 0
    no combination is definite; otherwise y itself gives one, with smallest eigenvalue |y|^2. The point is found by Wolfe's
    algorithm [1]_; the next vertex is that of the smallest eigenvector.

    References
    ----------
    .. [1] Wolfe, *Finding the nearest point in a polytope*, Math. Programming 11 (1976), 128-149.

    Examples
    --------
    >>> definite_combination(np.array([[[1.0, 0.0], [0.0, -1.0]], [[0.0, 1.0], [1.0, 0.0]]]))
    (None, True)
    """
    vertices = np.array([[float(matrix[0, 0]) for matrix in matrices]])
    weights = np.ones(1)
    for _ in range(WOLFE_STEPS):
        y = weights @ vertices
        norm = float(y @ y)
        if norm < 1e-10:
            return None, True
        values, vectors = np.linalg.eigh(np.tensordot(y, matrices, 1))
        if values[0] > TOLERANCE * max(1e-300, float(values[-1])) and values[0] > 1e-3 * norm:
            return y, True
        v = vectors[:, 0]
        vertices = np.vstack([vertices, np.einsum("pij,i,j->p", matrices, v, v)])
        weights = np.append(weights, 0.0)
        vertices, weights = _nearest(vertices, weights)
    return None, False


def _nearest(
    vertices: NDArray[np.float64], weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Wolfe's inner loop: the nearest point of the simplex of some of the vertices, the others dropped."""
    while True:
        size = len(vertices)
        # Least |a V|^2 with sum a = 1, by its optimality conditions.
        system = np.block(
            [[vertices @ vertices.T, np.ones((size, 1))], [np.ones((1, size)), np.zeros((1, 1))]]
        )
        affine = np.linalg.lstsq(system, np.append(np.zeros(size), 1.0), rcond=None)[0][:size]
        if (affine > -1e-12).all():
            return vertices, np.maximum(affine, 0.0)
        falling = affine < weights
        steps = weights[falling] / (weights[falling] - affine[falling])
        weights = weights + min(1.0, float(steps.min())) * (affine - weights)
        kept = weights > 1e-12
        if kept.all():
            return vertices, weights
        vertices, weights = vertices[kept], weights[kept] / weights[kept].sum()


def _raise_eigenvalue(
    matrices: Matrices, y: NDArray[np.float64], place: int
) -> tuple[NDArray[np.float64], float]:
    """Ascent on the eigenvalue with this place, the largest having place 0, relative to the largest absolute one."""
    best, best_value = y, -np.inf
    step = 0.5
    for _ in range(STEPS):
        matrix = np.tensordot(y, matrices, 1)
        values, vectors = np.linalg.eigh(matrix)
        values, vectors = values[::-1], vectors[:, ::-1]
        size = max(1e-12, float(np.abs(values).max()))
        value = float(values[place]) / size
        if value > best_value + 1e-9:
            best, best_value = y, value
        else:
            step *= 0.7
            y = best
        if best_value > 0.05 or step < 1e-3:
            break
        # A soft minimum over the eigenvalues from the first to this one, so that several small ones rise together.
        weights = np.exp(-(values[: place + 1] - values[place]) / (0.05 * size))
        part = vectors[:, : place + 1]
        gradient = np.einsum("pij,ik,jk,k->p", matrices, part, part, weights / weights.sum())
        gradient -= float(gradient @ y) * y
        norm = float(np.linalg.norm(gradient))
        if norm < 1e-9:
            break
        y = y + step * gradient / norm
        y /= np.linalg.norm(y)
    return best, best_value


def _rounded(matrices: Matrices, y: NDArray[np.float64], more_than: int) -> tuple[list[Fraction], int] | None:
    y = y / np.abs(y).max()
    for q in DENOMINATORS:
        near = np.rint(y * q)
        if not near.any():
            continue
        count = positive_count(np.tensordot(near, matrices, 1))
        if count > more_than:
            return [Fraction(int(x), q) for x in near], count
    return None


def _by_solver(matrices: Matrices) -> NDArray[np.float64] | None:
    """Maximise the smallest eigenvalue over combinations of bounded length by a semidefinite program."""
    import cvxpy

    variable, t = cvxpy.Variable(len(matrices)), cvxpy.Variable()
    combination = sum(variable[i] * matrices[i] for i in range(len(matrices)))
    constraints = [combination - t * np.eye(matrices.shape[1]) >> 0, cvxpy.norm(variable, 2) <= 1]
    problem = cvxpy.Problem(cvxpy.Maximize(t), constraints)
    try:
        problem.solve(solver=cvxpy.CLARABEL)
    except cvxpy.SolverError:
        return None
    if variable.value is None or t.value is None or float(t.value) <= TOLERANCE:
        return None
    return np.asarray(variable.value, dtype=np.float64)

"""The tensors that have schemes of their own: which of them a tensor may be, and how short a sum of units they have."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import factorial, isqrt, prod

from rankproof.bounds.schemes import doubling, families, matmul
from rankproof.exact.polynomial_products import polynomial_product
from rankproof.exact.tensor_sums import TensorSum
from rankproof.problem.field import Field
from rankproof.problem.library import named
from rankproof.problem.space import Space
from rankproof.problem.target import Target

MAX_DETERMINANT = 6
"""Largest order of a determinant or permanent."""

MAX_POLYNOMIAL = 64
"""Largest number of coefficients of a polynomial."""


@dataclass(frozen=True)
class Model:
    """A family of tensors with schemes of their own.

    Attributes
    ----------
    name
        Its name in the library of targets.
    parameters
        Parameters for which the tensor has given dimensions, in some order, and a given number of coefficients.
    scheme
        Decomposition for parameters over a ring; None where there is none of interest.
    family
        The same for border families.
    build
        The tensor, where it is not in the library.
    """

    name: str
    parameters: Callable[[Sequence[int], int], Iterator[tuple[int, ...]]]
    scheme: Callable[[tuple[int, ...], Field], TensorSum | None]
    family: Callable[[tuple[int, ...], Field], TensorSum | None]
    build: Callable[[], Target] | None = None

    def target(self, parameters: tuple[int, ...]) -> Target:
        """The tensor."""
        return self.build() if self.build else named(self.name, *parameters)


def _matmul_shapes(dims: Sequence[int], count: int) -> Iterator[tuple[int, ...]]:
    if len(dims) != 3:
        return
    seen: set[tuple[int, ...]] = set()
    for A, B, C in permutations(dims):
        shape = tuple(isqrt(square) for square in (A * C // B, A * B // C, B * C // A))
        n, m, p = shape
        if shape not in seen and (n * m, m * p, n * p) == (A, B, C) and n * m * p == count:
            seen.add(shape)
            # The likeness of a tensor and a matrix product leaves the order of the factors open.
            if not any(t in seen for t in permutations(shape) if t != shape):
                yield shape


def _matmul_scheme(shape: tuple[int, ...], ring: Field) -> TensorSum | None:
    n, m, p = shape
    return matmul.matmul_scheme(n, m, p, ring) if prod(shape) <= matmul.MAX_PRODUCTS else None


def _matmul_family(shape: tuple[int, ...], ring: Field) -> TensorSum | None:
    n, m, p = shape
    return matmul.matmul_scheme(n, m, p, ring, border=True) if prod(shape) <= matmul.MAX_PRODUCTS else None


def _polynomial_sizes(dims: Sequence[int], count: int) -> Iterator[tuple[int, ...]]:
    if len(dims) == 3:
        m, n, k = sorted(dims)
        if k == n + m - 1 and n * m == count and n <= MAX_POLYNOMIAL:
            yield n, m


def _w_order(dims: Sequence[int], count: int) -> Iterator[tuple[int, ...]]:
    if set(dims) == {2} and len(dims) == count:
        yield (count,)


def _quaternions(dims: Sequence[int], count: int) -> Iterator[tuple[int, ...]]:
    if tuple(dims) == (4, 4, 4) and count == 16:
        yield ()


def _octonions(dims: Sequence[int], count: int) -> Iterator[tuple[int, ...]]:
    if tuple(dims) == (8, 8, 8) and count == 64:
        yield ()


def _big_cw(dims: Sequence[int], count: int) -> Iterator[tuple[int, ...]]:
    if len(dims) == 3 and len(set(dims)) == 1 and dims[0] > 2 and count == 3 * dims[0] - 3:
        yield (dims[0] - 2,)


def _small_cw(dims: Sequence[int], count: int) -> Iterator[tuple[int, ...]]:
    if len(dims) == 3 and len(set(dims)) == 1 and count == 3 * dims[0] - 3:
        yield (dims[0] - 1,)


def _skew_cw(dims: Sequence[int], count: int) -> Iterator[tuple[int, ...]]:
    if len(dims) == 3 and len(set(dims)) == 1 and dims[0] % 2 and count == 3 * dims[0] - 3:
        yield (dims[0] - 1,)


def _two_ws(dims: Sequence[int], count: int) -> Iterator[tuple[int, ...]]:
    if tuple(dims) == (2,) * 6 and count == 9:
        yield ()


def _w_squared() -> Target:
    W = named("W", 3)
    entries = {u + v: 1 for u, _ in W.entries for v, _ in W.entries}
    return Target.from_entries(Space(W.space.factors * 2), entries)


def _square_order(dims: Sequence[int], count: int) -> Iterator[tuple[int, ...]]:
    n = len(dims)
    if n <= MAX_DETERMINANT and set(dims) == {n} and count == factorial(n):
        yield (n,)


def _none(parameters: tuple[int, ...], ring: Field) -> None:
    return None


MODELS: tuple[Model, ...] = (
    Model("matmul", _matmul_shapes, _matmul_scheme, _matmul_family),
    Model("polymul", _polynomial_sizes, lambda s, ring: polynomial_product(*s, ring), _none),
    Model("quaternion_product", _quaternions, lambda _, ring: families.quaternion_scheme(ring), _none),
    Model("octonions", _octonions, lambda _, ring: doubling.octonion_scheme(ring), _none, doubling.octonions),
    Model("det_tensor", _square_order, lambda s, ring: families.determinant_scheme(s[0], ring), _none),
    # In characteristic 2 there are no signs.
    Model(
        "perm_tensor",
        _square_order,
        lambda s, ring: families.determinant_scheme(s[0], ring) if ring.characteristic == 2 else None,
        _none,
    ),
    Model("W", _w_order, _none, lambda s, ring: families.w_family(s[0], ring)),
    Model("W(3) (x) W(3)", _two_ws, lambda _, ring: families.w_squared_scheme(ring), _none, _w_squared),
    Model(
        "coppersmith_winograd",
        _big_cw,
        lambda s, ring: families.cw_scheme(s[0], big=True, ring=ring),
        lambda s, ring: families.cw_family(s[0], big=True, ring=ring),
    ),
    Model(
        "small_coppersmith_winograd",
        _small_cw,
        lambda s, ring: families.cw_scheme(s[0], big=False, ring=ring),
        lambda s, ring: families.cw_family(s[0], big=False, ring=ring),
    ),
    Model(
        "skew_coppersmith_winograd",
        _skew_cw,
        _none,
        lambda s, ring: families.skew_cw_family(s[0], ring),
    ),
)

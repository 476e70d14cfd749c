"""The named targets: for each its space, its coefficients, and the names of its variables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, permutations

Factors = tuple[tuple[int, int], ...]
Pairs = Iterable[tuple[tuple[int, ...], int]]


@dataclass(frozen=True)
class Expansion:
    """Factors of the space, pairs (word, coefficient) (made on demand, a word may come more than once), names."""

    factors: Factors
    pairs: Pairs
    names: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Named:
    """``least`` to ``most`` parameters, each at least ``lowest``."""

    least: int
    most: int
    lowest: int
    expand: Callable[..., Expansion]


def numbered(n: int) -> tuple[str, ...]:
    """x1, ..., xn."""
    return tuple(f"x{i}" for i in range(1, n + 1))


def _matmul(n: int, m: int, p: int) -> Expansion:
    indices = ((i, j, k) for i in range(n) for j in range(m) for k in range(p))
    pairs = (((i * m + j, j * p + k, i * p + k), 1) for i, j, k in indices)
    return Expansion(((n * m, 1), (m * p, 1), (n * p, 1)), pairs)


def _det(n: int) -> Expansion:
    return Expansion(((n * n, n),), _of_matrix(_leibniz(n, True)), _matrix_names(n))


def _perm(n: int) -> Expansion:
    return Expansion(((n * n, n),), _of_matrix(_leibniz(n, False)), _matrix_names(n))


def _det_tensor(n: int) -> Expansion:
    return Expansion(((n, 1),) * n, _leibniz(n, True))


def _perm_tensor(n: int) -> Expansion:
    return Expansion(((n, 1),) * n, _leibniz(n, False))


def _leibniz(n: int, signed: bool) -> Iterator[tuple[tuple[int, ...], int]]:
    """For every permutation the column that is taken in each row, and the sign."""
    for columns in permutations(range(n)):
        inversions = sum(a > b for a, b in combinations(columns, 2))
        yield columns, -1 if signed and inversions % 2 else 1


def _of_matrix(pairs: Pairs) -> Iterator[tuple[tuple[int, ...], int]]:
    """The entry (i, j) of an n x n matrix is the variable number i n + j."""
    for columns, sign in pairs:
        yield tuple(i * len(columns) + j for i, j in enumerate(columns)), sign


def _matrix_names(n: int) -> tuple[str, ...]:
    separator = "" if n <= 9 else "_"
    return tuple(f"x{i}{separator}{j}" for i in range(1, n + 1) for j in range(1, n + 1))


def _monomial(*exponents: int) -> Expansion:
    n = len(exponents)
    # The word is long before its length is known to be allowed: it is made on demand.
    words = (tuple(i for i, e in enumerate(exponents) for _ in range(e)) for _ in range(1))
    return Expansion(((n, sum(exponents)),), ((word, 1) for word in words), numbered(n))


def _elementary(d: int, n: int) -> Expansion:
    return Expansion(((n, d),), ((word, 1) for word in combinations(range(n), d)), numbered(n))


def _power_sum(d: int, n: int) -> Expansion:
    return Expansion(((n, d),), (((i,) * d, 1) for i in range(n)), numbered(n))


def _w(k: int) -> Expansion:
    return Expansion(((2, 1),) * k, ((tuple(int(i == place) for i in range(k)), 1) for place in range(k)))


def _ghz(k: int) -> Expansion:
    return Expansion(((2, 1),) * k, (((i,) * k, 1) for i in range(2)))


def _unit(r: int, k: int = 3) -> Expansion:
    return Expansion(((r, 1),) * k, (((i,) * k, 1) for i in range(r)))


def _polymul(n: int, m: int) -> Expansion:
    return Expansion(
        ((n, 1), (m, 1), (n + m - 1, 1)), (((i, j, i + j), 1) for i in range(n) for j in range(m))
    )


def _complex_product() -> Expansion:
    return Expansion(((2, 1),) * 3, (((0, 0, 0), 1), ((1, 1, 0), -1), ((0, 1, 1), 1), ((1, 0, 1), 1)))


def _quaternion_product() -> Expansion:
    pairs: list[tuple[tuple[int, ...], int]] = [((0, 0, 0), 1)]
    for unit in (1, 2, 3):
        pairs += [((0, unit, unit), 1), ((unit, 0, unit), 1), ((unit, unit, 0), -1)]
    for a, b, c in ((1, 2, 3), (2, 3, 1), (3, 1, 2)):
        pairs += [((a, b, c), 1), ((b, a, c), -1)]
    return Expansion(((4, 1),) * 3, pairs)


def _small_coppersmith_winograd(q: int) -> Expansion:
    pairs = (pair for i in range(1, q + 1) for pair in (((0, i, i), 1), ((i, 0, i), 1), ((i, i, 0), 1)))
    return Expansion(((q + 1, 1),) * 3, pairs)


def _coppersmith_winograd(q: int) -> Expansion:
    last = q + 1
    corners: list[tuple[tuple[int, ...], int]] = [((0, 0, last), 1), ((0, last, 0), 1), ((last, 0, 0), 1)]
    rest = _small_coppersmith_winograd(q).pairs
    return Expansion(((q + 2, 1),) * 3, (pair for pairs in (rest, corners) for pair in pairs))


def _skew_coppersmith_winograd(q: int) -> Expansion:
    half = q // 2
    pairs: list[tuple[tuple[int, ...], int]] = []
    for i in range(1, q + 1):
        # The partner of i in the symplectic form is i + q/2, or i - q/2 with the other sign.
        partner, sign = (i + half, 1) if i <= half else (i - half, -1)
        pairs += [((0, i, i), 1), ((i, 0, i), 1), ((i, partner, 0), sign)]
    return Expansion(((q + 1, 1),) * 3, pairs)


def _dicke(k: int, n: int) -> Expansion:
    chosen = (set(places) for places in combinations(range(n), k))
    return Expansion(((2, 1),) * n, ((tuple(1 if i in c else 0 for i in range(n)), 1) for c in chosen))


def _truncated_polynomials(n: int) -> Expansion:
    return Expansion(((n, 1),) * 3, (((i, j, i + j), 1) for i in range(n) for j in range(n - i)))


def _cyclic_convolution(n: int) -> Expansion:
    return Expansion(((n, 1),) * 3, (((i, j, (i + j) % n), 1) for i in range(n) for j in range(n)))


def _upper_triangular(n: int) -> Expansion:
    # The entries (i, j) with i <= j, row after row.
    def place(i: int, j: int) -> int:
        return i * n - i * (i - 1) // 2 + j - i

    triples = ((i, j, k) for i in range(n) for j in range(i, n) for k in range(j, n))
    return Expansion(
        ((n * (n + 1) // 2, 1),) * 3, (((place(i, j), place(j, k), place(i, k)), 1) for i, j, k in triples)
    )


NAMED: dict[str, Named] = {
    "matmul": Named(3, 3, 1, _matmul),
    "det": Named(1, 1, 1, _det),
    "perm": Named(1, 1, 1, _perm),
    "det_tensor": Named(1, 1, 2, _det_tensor),
    "perm_tensor": Named(1, 1, 2, _perm_tensor),
    "monomial": Named(1, 64, 1, _monomial),
    "elementary": Named(2, 2, 1, _elementary),
    "power_sum": Named(2, 2, 1, _power_sum),
    "W": Named(1, 1, 2, _w),
    "GHZ": Named(1, 1, 2, _ghz),
    "unit": Named(1, 2, 1, _unit),
    "polymul": Named(2, 2, 1, _polymul),
    "complex_product": Named(0, 0, 1, _complex_product),
    "quaternion_product": Named(0, 0, 1, _quaternion_product),
    "coppersmith_winograd": Named(1, 1, 1, _coppersmith_winograd),
    "small_coppersmith_winograd": Named(1, 1, 1, _small_coppersmith_winograd),
    "skew_coppersmith_winograd": Named(1, 1, 2, _skew_coppersmith_winograd),
    "dicke": Named(2, 2, 1, _dicke),
    "truncated_polynomials": Named(1, 1, 1, _truncated_polynomials),
    "cyclic_convolution": Named(1, 1, 1, _cyclic_convolution),
    "upper_triangular": Named(1, 1, 1, _upper_triangular),
}

"""Named targets: the tensors and polynomials that the literature calls by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, permutations
from math import comb, factorial

from rankproof.errors import TargetError
from rankproof.problem.space import MAX_DEGREE, MAX_DIMENSION, MAX_FACTORS, Space, Word
from rankproof.problem.target import Target

MAX_TERMS = 2_000_000
MAX_TRIANGLE = 90
"""Rows of a triangular matrix with at most MAX_DIMENSION entries."""


@dataclass(frozen=True)
class Plan:
    """A named target before it is made, so that its size can be refused first.

    Parameters
    ----------
    factors
        Factors of its space.
    terms
        Number of its coefficients.
    entries
        The coefficients, made when asked for.
    variables
        Names of the variables of a form, made when asked for; None for tensors.
    """

    factors: tuple[tuple[int, int], ...]
    terms: int
    entries: Iterator[tuple[Word, int]]
    variables: Iterator[str] | None = None


@dataclass(frozen=True)
class NamedTarget:
    """One line of the library.

    Parameters
    ----------
    name
        As it is typed.
    signature
        Name with its parameters.
    summary
        One line: what it is.
    plan
        What the parameters mean.
    arity
        Least and greatest number of parameters.
    least
        Smallest value of a parameter.
    """

    name: str
    signature: str
    summary: str
    plan: Callable[..., Plan]
    arity: tuple[int, int]
    least: int = 1

    def build(self, *parameters: int) -> Target:
        """The target over QQ.

        Raises
        ------
        TargetError
            If the parameters are too few, too many, out of range, or name a target that is too large.
        """
        text = f"{self.name}({','.join(map(str, parameters))})" if parameters else self.name
        low, high = self.arity
        if not low <= len(parameters) <= high:
            count = str(low) if low == high else f"{low} to {high}"
            raise TargetError(
                f"{self.name} takes {count} parameters, not {len(parameters)}; write {self.signature}"
            )
        if not all(self.least <= n <= MAX_DIMENSION for n in parameters):
            raise TargetError(
                f"{text} is out of range: parameters of {self.name} lie in {self.least}..{MAX_DIMENSION}"
            )
        plan = self.plan(*parameters)
        dimension, degree = max(n for n, _ in plan.factors), sum(d for _, d in plan.factors)
        if len(plan.factors) > MAX_FACTORS or dimension > MAX_DIMENSION or degree > MAX_DEGREE:
            raise TargetError(
                f"{text} is too large: at most {MAX_FACTORS} factors, dimension {MAX_DIMENSION} and degree {MAX_DEGREE}"
                f" are handled, and it has {len(plan.factors)}, {dimension} and {degree}"
            )
        if plan.terms > MAX_TERMS:
            raise TargetError(f"{text} has more than {MAX_TERMS} terms; use smaller parameters")
        return Target.from_entries(
            Space(plan.factors),
            dict(plan.entries),
            variables=plan.variables,
            name=(self.name, parameters),
            text=text,
        )


def named(name: str, *parameters: int) -> Target:
    """Target of the library.

    Raises
    ------
    TargetError
        If there is no target of that name, or the parameters do not fit.

    Examples
    --------
    >>> named("matmul", 2, 2, 3)
    Target('matmul(2,2,3)' over QQ: 4x6x6 tensor, 12 entries)
    """
    if name not in NAMED:
        raise TargetError(f"no target is named {name!r}; there are {', '.join(NAMED)}")
    return NAMED[name].build(*parameters)


def _matmul(n: int, m: int, p: int) -> Plan:
    entries = (((i * m + j, j * p + k, i * p + k), 1) for i in range(n) for j in range(m) for k in range(p))
    return Plan(((n * m, 1), (m * p, 1), (n * p, 1)), n * m * p, entries)


def _det(n: int) -> Plan:
    entries = ((_on_rows(columns), _sign(columns)) for columns in _permutations(n))
    return Plan(((n * n, n),), factorial(n), entries, _matrix_variables(n))


def _det_tensor(n: int) -> Plan:
    return Plan(((n, 1),) * n, factorial(n), ((columns, _sign(columns)) for columns in _permutations(n)))


def _perm_tensor(n: int) -> Plan:
    return Plan(((n, 1),) * n, factorial(n), ((columns, 1) for columns in _permutations(n)))


def _sign(columns: tuple[int, ...]) -> int:
    return -1 if sum(a > b for a, b in combinations(columns, 2)) % 2 else 1


def _perm(n: int) -> Plan:
    entries = ((_on_rows(columns), 1) for columns in _permutations(n))
    return Plan(((n * n, n),), factorial(n), entries, _matrix_variables(n))


def _permutations(n: int) -> Iterator[tuple[int, ...]]:
    # 8! = 40320 terms are handled everywhere, 9! = 362880 nowhere.
    if n > 8:
        raise TargetError(f"a matrix of size {n} has {n}! terms in its expansion; sizes up to 8 are handled")
    return permutations(range(n))


def _on_rows(columns: tuple[int, ...]) -> Word:
    """Word of the product of the entries (i, columns[i]) of a square matrix, numbered row after row."""
    return tuple(len(columns) * i + j for i, j in enumerate(columns))


def _matrix_variables(n: int) -> Iterator[str]:
    return (f"x{i}{j}" for i in range(1, n + 1) for j in range(1, n + 1))


def _numbered(n: int) -> Iterator[str]:
    return (f"x{i}" for i in range(1, n + 1))


def _monomial(*exponents: int) -> Plan:
    n = len(exponents)
    # Too high a degree is refused by its number alone, before the word is made.
    entries = ((tuple(i for i, e in enumerate(exponents) for _ in range(e)), 1) for _ in range(1))
    return Plan(((n, sum(exponents)),), 1, entries, _numbered(n))


def _elementary(d: int, n: int) -> Plan:
    if d > n:
        raise TargetError(f"elementary({d},{n}) does not exist: degree {d} needs at least {d} variables")
    return Plan(((n, d),), comb(n, d), ((word, 1) for word in combinations(range(n), d)), _numbered(n))


def _power_sum(d: int, n: int) -> Plan:
    return Plan(((n, d),), n, (((i,) * d, 1) for i in range(n)), _numbered(n))


def _W(k: int) -> Plan:
    entries = ((tuple(int(i == place) for i in range(k)), 1) for place in range(k))
    return Plan(((2, 1),) * k, k, entries)


def _unit(r: int, k: int = 3) -> Plan:
    if k < 2:
        raise TargetError(f"unit({r},{k}) does not exist: the order is at least 2")
    return Plan(((r, 1),) * k, r, (((i,) * k, 1) for i in range(r)))


def _GHZ(k: int) -> Plan:
    return _unit(2, k)


def _polymul(n: int, m: int) -> Plan:
    entries = (((i, j, i + j), 1) for i in range(n) for j in range(m))
    return Plan(((n, 1), (m, 1), (n + m - 1, 1)), n * m, entries)


def _complex_product() -> Plan:
    # (a + b i)(c + d i) = (ac - bd) + (ad + bc) i
    return Plan(((2, 1),) * 3, 4, iter([((0, 0, 0), 1), ((0, 1, 1), 1), ((1, 0, 1), 1), ((1, 1, 0), -1)]))


def _quaternion_product() -> Plan:
    entries = [((0, 0, 0), 1)]
    for i in (1, 2, 3):
        j, k = i % 3 + 1, (i + 1) % 3 + 1
        # 1 e_i = e_i 1 = e_i, e_i e_i = -1, e_i e_j = e_k = -e_j e_i
        entries += [((0, i, i), 1), ((i, 0, i), 1), ((i, i, 0), -1), ((i, j, k), 1), ((j, i, k), -1)]
    return Plan(((4, 1),) * 3, 16, iter(entries))


def _small_coppersmith_winograd(q: int) -> Plan:
    entries = ((word, 1) for i in range(1, q + 1) for word in ((0, i, i), (i, 0, i), (i, i, 0)))
    return Plan(((q + 1, 1),) * 3, 3 * q, entries)


def _coppersmith_winograd(q: int) -> Plan:
    corners = ((0, 0, q + 1), (0, q + 1, 0), (q + 1, 0, 0))
    entries = dict(_small_coppersmith_winograd(q).entries) | dict.fromkeys(corners, 1)
    return Plan(((q + 2, 1),) * 3, 3 * q + 3, iter(entries.items()))


def _skew_coppersmith_winograd(q: int) -> Plan:
    if q % 2:
        raise TargetError(f"skew_coppersmith_winograd({q}) does not exist: q is even")
    entries = {word: 1 for i in range(1, q + 1) for word in ((0, i, i), (i, 0, i))}
    for i in range(1, q // 2 + 1):
        j = i + q // 2
        entries |= {(i, j, 0): 1, (j, i, 0): -1}
    return Plan(((q + 1, 1),) * 3, 3 * q, iter(entries.items()))


def _dicke(k: int, n: int) -> Plan:
    if k > n:
        raise TargetError(f"dicke({k},{n}) does not exist: at most {n} of {n} indices are 1")
    ones = (frozenset(places) for places in combinations(range(n), k))
    return Plan(
        ((2, 1),) * n, comb(n, k), ((tuple(int(i in places) for i in range(n)), 1) for places in ones)
    )


def _truncated_polynomials(n: int) -> Plan:
    entries = (((i, k - i, k), 1) for k in range(n) for i in range(k + 1))
    return Plan(((n, 1),) * 3, n * n, entries)


def _cyclic_convolution(n: int) -> Plan:
    entries = (((i, (k - i) % n, k), 1) for k in range(n) for i in range(n))
    return Plan(((n, 1),) * 3, n * n, entries)


def _upper_triangular(n: int) -> Plan:
    if n > MAX_TRIANGLE:
        raise TargetError(f"upper_triangular({n}) is too large: sizes up to {MAX_TRIANGLE} are handled")
    number = {place: k for k, place in enumerate((i, j) for i in range(n) for j in range(i, n))}
    entries = (
        ((a, b, number[i, k]), 1) for (i, j), a in number.items() for (m, k), b in number.items() if m == j
    )
    return Plan(((len(number), 1),) * 3, comb(n + 2, 3), entries)


NAMED: dict[str, NamedTarget] = {
    entry.name: entry
    for entry in (
        NamedTarget(
            "matmul",
            "matmul(n,m,p)",
            "product of an n x m by an m x p matrix: sum of a_ij b_jk c_ik",
            _matmul,
            (3, 3),
        ),
        NamedTarget("det", "det(n)", "determinant of an n x n matrix of variables", _det, (1, 1)),
        NamedTarget("perm", "perm(n)", "permanent of an n x n matrix of variables", _perm, (1, 1)),
        NamedTarget(
            "det_tensor",
            "det_tensor(n)",
            "determinant as a tensor of order n: one factor for each row of the matrix",
            _det_tensor,
            (1, 1),
            2,
        ),
        NamedTarget(
            "perm_tensor",
            "perm_tensor(n)",
            "permanent as a tensor of order n: one factor for each row of the matrix",
            _perm_tensor,
            (1, 1),
            2,
        ),
        NamedTarget("monomial", "monomial(a1,...,ak)", "x1**a1 * ... * xk**ak", _monomial, (1, MAX_DEGREE)),
        NamedTarget(
            "elementary",
            "elementary(d,n)",
            "elementary symmetric polynomial of degree d in n variables",
            _elementary,
            (2, 2),
        ),
        NamedTarget("power_sum", "power_sum(d,n)", "x1**d + ... + xn**d", _power_sum, (2, 2)),
        NamedTarget(
            "W", "W(k)", "sum of the k basis tensors of (K^2)^k with a single index 1", _W, (1, 1), 2
        ),
        NamedTarget("GHZ", "GHZ(k)", "e_0...0 + e_1...1 in (K^2)^k", _GHZ, (1, 1), 2),
        NamedTarget(
            "unit",
            "unit(r) or unit(r,k)",
            "unit tensor of size r and order k, 3 when left out: sum of e_i...i",
            _unit,
            (1, 2),
        ),
        NamedTarget(
            "polymul", "polymul(n,m)", "product of polynomials with n and m coefficients", _polymul, (2, 2)
        ),
        NamedTarget(
            "complex_product",
            "complex_product",
            "product of two complex numbers: (ac - bd, ad + bc)",
            _complex_product,
            (0, 0),
        ),
        NamedTarget(
            "quaternion_product",
            "quaternion_product",
            "product of two quaternions in the basis 1, i, j, k",
            _quaternion_product,
            (0, 0),
        ),
        NamedTarget(
            "coppersmith_winograd",
            "coppersmith_winograd(q)",
            "big Coppersmith-Winograd tensor on K^(q+2)",
            _coppersmith_winograd,
            (1, 1),
        ),
        NamedTarget(
            "small_coppersmith_winograd",
            "small_coppersmith_winograd(q)",
            "small Coppersmith-Winograd tensor on K^(q+1)",
            _small_coppersmith_winograd,
            (1, 1),
        ),
        NamedTarget(
            "skew_coppersmith_winograd",
            "skew_coppersmith_winograd(q)",
            "skew Coppersmith-Winograd tensor on K^(q+1), q even",
            _skew_coppersmith_winograd,
            (1, 1),
        ),
        NamedTarget(
            "dicke",
            "dicke(k,n)",
            "Dicke tensor of order n on K^2: sum of the words with k ones",
            _dicke,
            (2, 2),
        ),
        NamedTarget(
            "truncated_polynomials",
            "truncated_polynomials(n)",
            "product of polynomials modulo x^n",
            _truncated_polynomials,
            (1, 1),
        ),
        NamedTarget(
            "cyclic_convolution",
            "cyclic_convolution(n)",
            "product of polynomials modulo x^n - 1",
            _cyclic_convolution,
            (1, 1),
        ),
        NamedTarget(
            "upper_triangular",
            "upper_triangular(n)",
            "product of upper triangular n x n matrices, entries row after row",
            _upper_triangular,
            (1, 1),
        ),
    )
}

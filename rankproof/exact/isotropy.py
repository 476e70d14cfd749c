r"""Explicit rational zeros of quadratic forms.

A binary form asks for a square root. A ternary form is put on a unimodular lattice, where a reduced basis shows a zero. A
quaternary form is the difference of two binary ones, which have a common value. In more variables a quaternary section has
a zero.

References
----------
.. [1] J.-P. Serre, *A Course in Arithmetic*, Springer GTM 7 (1973), Ch. IV, section 3.
.. [2] J. W. S. Cassels, *Rational Quadratic Forms*, Academic Press (1978), Ch. 6.
.. [3] D. Simon, "Solving quadratic equations using reduced unimodular quadratic forms", Math. Comp. 74 (2005), 1531-1543.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations, pairwise, permutations, product
from math import gcd, isqrt, lcm

from flint import fmpq, fmpq_mat, fmpz_mat

from rankproof.exact.common_value import common_value
from rankproof.exact.congruence import rational_lagrange
from rankproof.exact.factoring import (
    BudgetSpent,
    Effort,
    coprime_base,
    factor_cheaply,
    factor_within,
    prime_divisors,
    square_part,
)
from rankproof.exact.hilbert import witt_index_within
from rankproof.exact.lattices import (
    Lattice,
    Vector,
    enlarge,
    lattice,
    primitive,
    reduce_basis,
    to_unimodular_ternary,
)
from rankproof.exact.short_vectors import short_isotropic_vector, sparse_isotropic_vector

_SMALL = (2, 6, 30)
"""Bounds of the coordinates of the small solutions tried first; a value table of 1000 entries costs a millisecond."""

_TABLE_SIZE = 1000

_SHORT_VECTORS = 500_000
"""Combinations of a reduced basis tried: a tenth of a second when all are in vain."""

_UNIMODULAR_VECTORS = 10_000
"""A reduced unimodular ternary lattice has a zero among far fewer combinations of its basis."""

_FEW_VARIABLES = 12
"""In more variables there are enough sparse vectors already."""

_CHEAP = 0.2
"""Seconds for factoring a determinant when its square factors are an advantage but no necessity."""


def isotropic_vector(diagonal: Sequence[int], budget_seconds: float = 10.0) -> Vector | None:
    """Non-zero integer solution of sum of d_i x_i^2 = 0.

    Parameters
    ----------
    diagonal
        Non-zero integers.
    budget_seconds
        Time for factoring and searching.

    Returns
    -------
    list of int or None
        A primitive solution. None means that there is none: `witt_index_rational` then has index 0 and names a place where
        the form is anisotropic.

    Raises
    ------
    BudgetSpent
        If the time was spent before the question was decided. In five or more variables with both signs this can only mean
        that a solution exists and was not found.
    ValueError
        If an entry is zero or no integer.

    Examples
    --------
    >>> isotropic_vector([1, 1, -2]), isotropic_vector([1, 1, -3])
    ([1, 1, 1], None)
    """
    if not all(isinstance(d, int) and d for d in diagonal):
        raise ValueError(f"the diagonal must consist of non-zero integers, not {list(diagonal)}")
    if len(diagonal) < 2 or len({d > 0 for d in diagonal}) < 2:
        return None
    classes = [square_part(d) for d in diagonal]
    x = _diagonal_zero([c for c, _ in classes], Effort(budget_seconds))
    if x is None:
        return None
    return integer_multiple([fmpq(y, s) for y, (_, s) in zip(x, classes, strict=True)])


def _diagonal_zero(diagonal: Sequence[int], effort: Effort) -> Vector | None:
    """Zero of an indefinite diagonal form; None when it is proved anisotropic."""
    n = len(diagonal)
    if n == 2:
        return _binary_zero(*diagonal)
    x = _small_zero(diagonal)
    if x is not None:
        return x
    if n == 4:
        return _quaternary_zero(diagonal, effort)
    L = lattice([[fmpq(d) if i == j else fmpq(0) for j in range(n)] for i, d in enumerate(diagonal)])
    if n == 3:
        y = _ternary_zero(L, prime_divisors(diagonal, effort), effort)
    else:
        for m in coprime_base(diagonal):
            # The primes found are remembered, and are easier to find here than in the determinant.
            factor_within(m, effort.share(_CHEAP))
        L = improved(L, effort)
        y = isotropic_vector_of_lattice(L, effort)
    return None if y is None else integer_multiple(L.vector(y))


def isotropic_vector_of_lattice(L: Lattice, effort: Effort) -> Vector | None:
    """Coordinates of a non-zero isotropic vector of a non-degenerate lattice; None when the form is proved anisotropic.

    The smaller the determinant and the shorter the basis, the shorter the vector: see `improved`.

    Raises
    ------
    BudgetSpent
        If the time was spent before the question was decided.
    """
    v = sparse_isotropic_vector(L.gram)
    if v is not None:
        return v
    n = L.dimension
    if n < 3 or _is_definite(L.gram):
        return None
    v = short_isotropic_vector(L.gram, _SHORT_VECTORS)
    if v is not None:
        return v
    if n == 3:
        return _ternary_zero(L, prime_divisors([L.determinant], effort), effort)
    return _section_zero(L.gram, effort)


def improved(L: Lattice, effort: Effort) -> Lattice:
    """A larger lattice with a reduced basis, using the primes that are cheap to find."""
    exponents, _ = factor_within(abs(L.determinant), effort.share(_CHEAP))
    return reduce_basis(enlarge(L, [p for p, e in exponents.items() if e > 1]))


def _coordinates(L: Lattice, x: Sequence[fmpq]) -> Vector:
    """A primitive multiple of a vector of the space, in the basis of the lattice."""
    # The basis may span a proper subspace; its normal equations are square.
    B = L.basis
    solution = (B * B.transpose()).solve(B * fmpq_mat([[c] for c in x]))
    return integer_multiple([row[0] for row in solution.tolist()])


def integer_multiple(x: Sequence[fmpq]) -> Vector:
    """The primitive integer vector on the ray of a non-zero rational vector."""
    denominator = lcm(*(int(c.q) for c in x))
    return primitive([int(c.p) * (denominator // int(c.q)) for c in x])


def _rational_rows(gram: fmpz_mat) -> list[list[fmpq]]:
    return [[fmpq(x) for x in row] for row in gram.tolist()]


def _is_definite(gram: fmpz_mat) -> bool:
    weights, _ = rational_lagrange(_rational_rows(gram))
    return len({d > 0 for d in weights}) < 2


def _binary_zero(a: int, b: int) -> Vector | None:
    common = gcd(a, b)
    a, b = a // common, b // common
    x, y = isqrt(abs(b)), isqrt(abs(a))
    return [x, y] if a * x * x + b * y * y == 0 else None


def _small_zero(diagonal: Sequence[int]) -> Vector | None:
    """A zero with small coordinates, by matching values of two halves of the form; None when there is none so small."""
    half = (len(diagonal) + 1) // 2
    for bound in _SMALL:
        if (bound + 1) ** half > _TABLE_SIZE:
            break
        # Reversed, so that of several vectors with one value the smallest is kept.
        boxes = [list(product(range(bound + 1), repeat=k)) for k in (half, len(diagonal) - half)]
        left = {_value(diagonal[:half], x): x for x in reversed(boxes[0]) if any(x)}
        left.setdefault(0, boxes[0][0])
        for y in boxes[1]:
            x = left.get(-_value(diagonal[half:], y))
            if x is not None and (any(x) or any(y)):
                return integer_multiple([fmpq(c) for c in (*x, *y)])
    return None


def _value(diagonal: Sequence[int], x: Sequence[int]) -> int:
    return sum(d * c * c for d, c in zip(diagonal, x, strict=True))


def _ternary_zero(L: Lattice, primes: Sequence[int], effort: Effort) -> Vector | None:
    """Zero of an indefinite ternary form; the primes are those of its determinant."""
    unimodular = to_unimodular_ternary(L, primes)
    if isinstance(unimodular, int):
        return None
    reduced = reduce_basis(unimodular)
    y = sparse_isotropic_vector(reduced.gram) or short_isotropic_vector(reduced.gram, _UNIMODULAR_VECTORS)
    if y is None:
        raise BudgetSpent("no zero of a unimodular ternary form was found among small vectors")
    return _coordinates(L, reduced.vector(y))


def _quaternary_zero(diagonal: Sequence[int], effort: Effort) -> Vector | None:
    """Zero of an indefinite diagonal form in four variables, its entries being squarefree; None when there is none."""
    pairings = ([0, 1, 2, 3], [0, 2, 1, 3], [0, 3, 1, 2])
    for order in chain(pairings, ([*pair[2:], *pair[:2]] for pair in pairings)):
        zero = _binary_zero(*(diagonal[i] for i in order[:2]))
        if zero is not None:
            return _unpermuted([*zero, 0, 0], order)
    if witt_index_within(diagonal, effort).index == 0:
        return None
    primes = prime_divisors(diagonal, effort)
    values = []
    for order in pairings:
        a, b, c, d = (diagonal[i] for i in order)
        values.append((*common_value((a, b), (-c, -d), primes, effort), order))
    t, extra, order = min(values, key=lambda value: abs(value[0]))
    a, b, c, d = (diagonal[i] for i in order)
    primes = sorted({2, *primes, *extra})
    first, second = (
        _diagonal_ternary_zero([a, b, -t], primes, effort),
        _diagonal_ternary_zero([c, d, t], primes, effort),
    )
    if first is None or second is None:
        raise ArithmeticError("two binary forms with a common value do not represent it")
    x, y, s = first
    z, w, r = second
    return _unpermuted([x * r, y * r, z * s, w * s], order)


def _diagonal_ternary_zero(diagonal: Sequence[int], primes: Sequence[int], effort: Effort) -> Vector | None:
    L = lattice([[fmpq(d) if i == j else fmpq(0) for j in range(3)] for i, d in enumerate(diagonal)])
    y = _ternary_zero(L, [p for p in primes if L.determinant % p == 0], effort)
    return None if y is None else integer_multiple(L.vector(y))


def _unpermuted(x: Sequence[int], order: Sequence[int]) -> Vector:
    result = [0] * len(x)
    for i, c in zip(order, x, strict=True):
        result[i] = c
    return result


def _section_zero(gram: fmpz_mat, effort: Effort) -> Vector | None:
    """Zero of an indefinite form in four or more variables, on a section in four."""
    if gram.nrows() == 4:
        rows = _best_order(gram, effort.primes)
        x = _zero_on(rows, gram, effort)
        return None if x is None else _combination(x, rows)
    for rows in _sections(gram, _short_vectors(gram.nrows()), [], effort):
        try:
            x = _zero_on(rows, gram, effort.share(effort.left() / 4))
        except BudgetSpent:
            continue
        if x is not None:
            return _combination(x, rows)
    raise BudgetSpent("no isotropic section in four variables was found among small ones")


def _combination(x: Sequence[int], rows: Sequence[Vector]) -> Vector:
    return [int(c) for c in (fmpz_mat([x]) * fmpz_mat(rows)).entries()]


def _zero_on(rows: Sequence[Vector], gram: fmpz_mat, effort: Effort) -> Vector | None:
    """Zero of the form on the space spanned by four vectors; None when there is none."""
    minors = [_minor(gram, rows[:k]) for k in range(1, 5)]
    if 0 in minors:
        # The radical of a degenerate section is isotropic.
        k = minors.index(0) + 1
        null, _ = _restricted(gram, rows[:k]).nullspace()
        return integer_multiple([fmpq(null[i, 0]) for i in range(k)] + [fmpq(0)] * (4 - k))
    _, forms = rational_lagrange(_rational_rows(_restricted(gram, rows)), in_order=True)
    # The weights are quotients of minors. Minors are factored one by one, for their products would be too large.
    parts = [square_part(m, effort.primes) for m in (1, *minors)]
    classes = [_square_part_of_product(*pair) for pair in pairwise(parts)]
    diagonal = [c for c, _ in classes]
    if len({d > 0 for d in diagonal}) < 2:
        return None
    x = _diagonal_zero(diagonal, effort)
    if x is None:
        return None
    # d l^2 with d = m / m' is c (s l / m')^2 where m m' = c s^2.
    values = [[fmpq(y * before, s)] for y, before, (_, s) in zip(x, [1, *minors[:3]], classes, strict=True)]
    return integer_multiple([row[0] for row in fmpq_mat(forms).solve(fmpq_mat(values)).tolist()])


def _square_part_of_product(first: tuple[int, int], second: tuple[int, int]) -> tuple[int, int]:
    """The squarefree c and the s of a product c s^2, from those of the factors."""
    (c, s), (d, t) = first, second
    common = gcd(c, d)
    return c // common * (d // common), s * t * common


def _restricted(gram: fmpz_mat, rows: Sequence[Vector]) -> fmpz_mat:
    S = fmpz_mat(list(rows))
    return S * gram * S.transpose()


def _minor(gram: fmpz_mat, rows: Sequence[Vector]) -> int:
    return int(_restricted(gram, rows).det())


def _best_order(gram: fmpz_mat, primes: set[int]) -> list[Vector]:
    """The order of four basis vectors for which the leading minors have the fewest prime factors."""

    def cost(chosen: tuple[int, ...]) -> tuple[int, int]:
        minor = abs(_minor(gram, [_unit(4, i) for i in chosen]))
        return (len(factor_cheaply(minor, primes)[0]), minor) if minor else (0, 0)

    costs = {chosen: cost(chosen) for k in (1, 2, 3) for chosen in combinations(range(4), k)}

    def total(order: tuple[int, ...]) -> tuple[int, int]:
        leading = [costs[tuple(sorted(order[:k]))] for k in (1, 2, 3)]
        return sum(primes for primes, _ in leading), max(size for _, size in leading)

    return [_unit(4, i) for i in min(permutations(range(4)), key=total)]


def _sections(
    gram: fmpz_mat, vectors: Sequence[Vector], chosen: list[Vector], effort: Effort
) -> Iterator[list[Vector]]:
    """Quadruples of independent vectors whose leading minors are easy to factor, depth first.

    The first two span an indefinite plane: otherwise a whole branch may be definite.
    """
    if len(chosen) == 4:
        yield chosen
        return
    for k, v in enumerate(vectors):
        effort.check("looking for an isotropic section in four variables")
        rows = [*chosen, v]
        minor = _minor(gram, rows)
        if len(rows) == 2 and minor > 0:
            continue
        if fmpz_mat(rows).rank() < len(rows):
            continue
        if not minor or factor_cheaply(abs(minor), effort.primes)[1] == 1:
            yield from _sections(gram, vectors[k + 1 :], rows, effort)


def _short_vectors(n: int) -> list[Vector]:
    """Vectors with few coordinates 1 or -1 and the others 0, up to sign, the sparse ones first."""
    vectors: list[Vector] = []
    for k in (1, 2, 3) if n <= _FEW_VARIABLES else (1, 2):
        for support in combinations(range(n), k):
            for signs in product((1, -1), repeat=k - 1):
                values = dict(zip(support, (1, *signs), strict=True))
                vectors.append([values.get(i, 0) for i in range(n)])
    return vectors


def _unit(n: int, i: int) -> Vector:
    return [int(i == j) for j in range(n)]

"""Quadratic forms of the verifier against definitions: congruences solved and subspaces listed by brute force."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import prod

import pytest
import sympy

from rankproof.verifier.numberfield import NumberField
from rankproof.verifier.quadratic import (
    anisotropic_dimension,
    diagonalise_exact,
    diagonalise_modulo,
    hilbert_symbol,
    untied_width_characteristic_two,
    untied_width_odd,
)
from rankproof.verifier.scalars import Algebraic, Number, algebraic

Matrix = list[list[int]]


# The p-adic numbers, by congruences


def valuation(a: int, p: int) -> int:
    return 0 if a % p else 1 + valuation(a // p, p)


@cache
def squares(p: int, k: int) -> frozenset[tuple[int, bool]]:
    """Squares modulo p^k, each with whether its root is a unit."""
    return frozenset((x * x % p**k, x % p != 0) for x in range(p**k))


def is_isotropic(diagonal: tuple[int, ...], p: int) -> bool:
    """Whether sum a_i x_i^2 has a zero over QQ_p other than 0, decided by congruences.

    A zero over QQ_p can be scaled to integers that are not all divisible by p. Conversely such a zero modulo p^k lifts
    (Hensel) when k > 2 v for v the largest valuation of a derivative 2 a_i x_i with x_i a unit.
    """
    k = 2 * max(valuation(2 * a, p) for a in diagonal) + 1
    reached = {(0, False)}
    *first, last = diagonal
    for a in first:
        reached = {((s + a * x) % p**k, u or v) for s, u in reached for x, v in squares(p, k)}
    ends = {(-last * x % p**k, v) for x, v in squares(p, k)}
    return any((s, v) in ends for s, u in reached for v in (True, False) if u or v)


def is_square(a: int, p: int) -> bool:
    while a % p**2 == 0:
        a //= p**2
    return is_isotropic((a, -1), p)


@pytest.mark.parametrize("p, most", [(2, 12), (3, 10), (5, 10), (7, 8)])
def test_the_hilbert_symbol_says_whether_a_conic_has_a_point(p: int, most: int) -> None:
    values = [a for a in range(-most, most + 1) if a]
    for a, b in combinations_with_replacement(values, 2):
        solvable = is_isotropic((a, b, -1), p)
        assert hilbert_symbol(a, b, p) == hilbert_symbol(b, a, p) == (1 if solvable else -1), (a, b)


PRIMES = [2, 3, 5, 7, 11, 13, 1048573, 2**31 - 1]


def random_integer(generator: random.Random) -> int:
    factors = generator.choices(PRIMES, k=generator.randint(0, 4))
    return generator.choice([1, -1]) * prod(factors) * generator.randint(1, 50)


def test_the_hilbert_symbol_is_symmetric_bilinear_and_blind_to_squares() -> None:
    generator = random.Random(1)
    for _ in range(1000):
        p = generator.choice(PRIMES)
        a, b, c = (random_integer(generator) for _ in range(3))
        symbol = hilbert_symbol(a, b, p)
        assert symbol in (1, -1)
        assert hilbert_symbol(b, a, p) == symbol
        assert hilbert_symbol(a, b * c, p) == symbol * hilbert_symbol(a, c, p), (a, b, c, p)
        assert hilbert_symbol(a * c * c, b, p) == symbol
        assert hilbert_symbol(a, -a, p) == 1
        assert a == 1 or hilbert_symbol(a, 1 - a, p) == 1


@pytest.mark.parametrize("p", PRIMES)
def test_the_hilbert_symbol_is_non_degenerate(p: int) -> None:
    """A number that is not a square has the symbol -1 with another one."""
    unit = next(u for u in range(2, 100) if p > 2 and pow(u, (p - 1) // 2, p) != 1) if p > 2 else 0
    classes = [1, unit, p, unit * p] if p > 2 else [1, 3, 5, 7, 2, 6, 10, 14]
    for a in classes[1:]:
        assert {hilbert_symbol(a, b, p) for b in classes} == {1, -1}
    assert {hilbert_symbol(1, b, p) for b in classes} == {1}


def test_the_product_of_the_hilbert_symbols_over_all_places_is_one() -> None:
    generator = random.Random(2)
    for _ in range(500):
        a, b = random_integer(generator), random_integer(generator)
        real = -1 if a < 0 and b < 0 else 1
        places = set(sympy.primefactors(2 * a * b))
        assert real * prod(hilbert_symbol(a, b, p) for p in places) == 1, (a, b)
        assert hilbert_symbol(a, b, next(p for p in (101, 103, 107, 109, 113, 127) if a * b % p)) == 1


# Anisotropic kernels


def classes(p: int) -> list[int]:
    """Representatives of the numbers of QQ_p up to squares."""
    if p == 2:
        return [1, 3, 5, 7, 2, 6, 10, 14]
    unit = next(u for u in range(2, p) if pow(u, (p - 1) // 2, p) != 1)
    return [1, unit, p, unit * p]


def anisotropic_by_congruences(diagonal: tuple[int, ...], p: int) -> int:
    """For at most four variables: a plane beside a hyperbolic one is hyperbolic iff the discriminant is a square."""
    n = len(diagonal)
    if n < 2 or not is_isotropic(diagonal, p):
        return n
    return 0 if n == 4 and is_square(prod(diagonal), p) else n - 2 if n < 4 else 2


@pytest.mark.parametrize("p", [2, 3, 5, 7])
def test_the_anisotropic_kernel_of_forms_in_at_most_four_variables(p: int) -> None:
    seen: set[tuple[int, int]] = set()
    for n in range(5):
        for diagonal in combinations_with_replacement(classes(p), n):
            dimension = anisotropic_dimension(list(diagonal), p)
            seen.add((n, dimension))
            assert dimension == anisotropic_by_congruences(diagonal, p), diagonal
    assert seen == {(0, 0), (1, 1), (2, 0), (2, 2), (3, 1), (3, 3), (4, 0), (4, 2), (4, 4)}


@pytest.mark.parametrize("p", [2, 3, 5])
def test_a_form_in_five_variables_is_isotropic_over_the_p_adic_numbers(p: int) -> None:
    for diagonal in list(combinations_with_replacement(classes(p), 5))[:: 7 if p == 2 else 2]:
        assert is_isotropic(diagonal, p)
        assert anisotropic_dimension(list(diagonal), p) in (1, 3)


@pytest.mark.parametrize("p", [2, 3, 5, 7, 1048573])
def test_hyperbolic_planes_do_not_change_the_anisotropic_kernel(p: int) -> None:
    generator = random.Random(p)
    for _ in range(60):
        diagonal = [random_integer(generator) for _ in range(generator.randint(0, 4))]
        dimension = anisotropic_dimension(diagonal, p)
        a, scale = (
            random_integer(generator),
            Fraction(random_integer(generator), random_integer(generator)) ** 2,
        )
        larger = [*diagonal, a, -a]
        generator.shuffle(larger)
        assert anisotropic_dimension(larger, p) == dimension
        assert anisotropic_dimension([x * scale for x in larger], p) == dimension
        assert anisotropic_dimension([*diagonal, *(-x for x in diagonal)], p) == 0


def test_anisotropic_kernels_printed_on_the_page_of_the_rule() -> None:
    assert anisotropic_dimension([1, -2], 2) == 2
    assert anisotropic_dimension([1, 1, -3], 3) == 3
    assert anisotropic_dimension([1, 1, 1, -7], 2) == 4


# Diagonalisation


def random_symmetric(generator: random.Random, n: int) -> list[list[Fraction]]:
    """A symmetric matrix, often of low rank and often with zeros on the diagonal."""
    rank = generator.randint(0, n)
    small = [[Fraction(generator.randint(-2, 2)) for _ in range(n)] for _ in range(rank)]
    weights = [Fraction(generator.randint(-3, 3), generator.randint(1, 3)) for _ in range(rank)]
    if generator.random() < 0.5:
        return [
            [
                sum((w * v[i] * v[j] for w, v in zip(weights, small, strict=True)), Fraction(0))
                for j in range(n)
            ]
            for i in range(n)
        ]
    matrix = [[Fraction(0)] * n for _ in range(n)]
    for i in range(n):
        for j in range(i):
            matrix[i][j] = matrix[j][i] = Fraction(generator.choice([0, 0, 1, -1, 2]))
        matrix[i][i] = Fraction(generator.choice([0, 0, 0, 1, -2]))
    return matrix


def to_sympy(matrix: list[list[Fraction]]) -> sympy.Matrix:
    n = len(matrix)
    return sympy.Matrix(n, n, lambda i, j: sympy.Rational(matrix[i][j].numerator, matrix[i][j].denominator))


def signature(matrix: sympy.Matrix) -> tuple[int, int]:
    """Numbers of positive and negative eigenvalues: all are real, so Descartes' rule of signs is exact."""
    t = sympy.Symbol("t")
    coefficients = [sympy.expand(c) for c in matrix.charpoly(t).all_coeffs()]

    def changes(values: list[sympy.Expr]) -> int:
        signs = [bool(c > 0) for c in values if c != 0]
        return sum(x != y for x, y in zip(signs, signs[1:], strict=False))

    return changes(coefficients), changes([c * (-1) ** k for k, c in enumerate(coefficients)])


def test_diagonalisation_keeps_rank_and_signature_and_the_class_of_the_determinant() -> None:
    generator = random.Random(3)
    for _ in range(150):
        matrix = random_symmetric(generator, generator.randint(1, 6))
        diagonal = diagonalise_exact([list(row) for row in matrix])
        expected = to_sympy(matrix)
        assert all(x != 0 for x in diagonal)
        assert len(diagonal) == expected.rank()
        positive = sum(x > 0 for x in diagonal)
        assert (positive, len(diagonal) - positive) == signature(expected)
        if len(diagonal) == len(matrix):
            ratio = (
                sympy.prod(sympy.Rational(Fraction(x).numerator, Fraction(x).denominator) for x in diagonal)
                / expected.det()
            )
            assert ratio > 0
            assert sympy.sqrt(ratio).is_rational


def test_congruent_forms_have_the_same_anisotropic_kernels() -> None:
    """Rank, determinant, signature and the anisotropic kernels over all QQ_p; a congruence changes none of them."""
    generator = random.Random(4)
    for _ in range(40):
        n = generator.randint(1, 5)
        diagonal = [random_integer(generator) for _ in range(n)]
        change = [[generator.randint(-2, 2) for _ in range(n)] for _ in range(n)]
        if sympy.Matrix(change).det() == 0:
            continue
        matrix = [
            [sum(change[k][i] * diagonal[k] * change[k][j] for k in range(n)) for j in range(n)]
            for i in range(n)
        ]
        other: list[int | Fraction] = diagonalise_exact(matrix)  # type: ignore[assignment]
        for p in (2, 3, 5, 7, 11, 13):
            assert anisotropic_dimension(other, p) == anisotropic_dimension(list(diagonal), p), (
                diagonal,
                change,
                p,
            )


def test_diagonalisation_over_the_field_of_the_square_root_of_two() -> None:
    field, root = NumberField("a", (-2, 0, 1), (1, 2)), sympy.sqrt(2)
    generator = random.Random(5)
    for _ in range(40):
        n = generator.randint(1, 4)
        pairs = {
            (i, j): (generator.randint(-2, 2), generator.choice([0, 1, -1]))
            for i in range(n)
            for j in range(i + 1)
        }
        if n > 2 and generator.random() < 0.4:
            # The last variable appears like sqrt(2) times the first: low rank.
            for j in range(n - 1):
                x, y = pairs[j, 0]
                pairs[n - 1, j] = (2 * y, x)
            x, y = pairs[0, 0]
            pairs[n - 1, n - 1] = (2 * x, 2 * y)

        def at(i: int, j: int, pairs: dict[tuple[int, int], tuple[int, int]] = pairs) -> tuple[int, int]:
            return pairs[max(i, j), min(i, j)]

        exact = sympy.Matrix(n, n, lambda i, j: at(i, j)[0] + at(i, j)[1] * root)
        diagonal = diagonalise_exact([[algebraic(field, list(at(i, j))) for j in range(n)] for i in range(n)])
        assert len(diagonal) == exact.rank(simplify=True)
        signs = [x.sign() if isinstance(x, Algebraic) else (1 if x > 0 else -1) for x in diagonal]
        assert (signs.count(1), signs.count(-1)) == signature(exact)
        if len(diagonal) == n:
            determinant: Number = 1
            for x in diagonal:
                determinant = determinant * x
            x, y = determinant.coefficients if isinstance(determinant, Algebraic) else (determinant, 0)
            # Elimination with unimodular changes of variables keeps the determinant itself.
            difference = exact.det() - sympy.Rational(str(x)) - sympy.Rational(str(y)) * root
            assert sympy.simplify(sympy.radsimp(difference)) == 0


def values(matrix: Matrix, p: int, n: int) -> list[int]:
    """How often x^T M x takes each value on GF(p)^n."""
    counts = [0] * p
    for x in product(range(p), repeat=n):
        counts[sum(matrix[i][j] * x[i] * x[j] for i in range(n) for j in range(n)) % p] += 1
    return counts


@pytest.mark.parametrize("p, n", [(3, 2), (3, 3), (3, 4), (5, 2), (5, 3), (7, 3)])
def test_diagonalisation_modulo_a_prime_keeps_the_number_of_solutions(p: int, n: int) -> None:
    generator = random.Random(10 * p + n)
    for _ in range(25):
        matrix = [[0] * n for _ in range(n)]
        zeros = generator.random() < 0.4
        for i in range(n):
            for j in range(i + 1):
                matrix[i][j] = matrix[j][i] = 0 if zeros and i == j else generator.randrange(p)
        diagonal = diagonalise_modulo([list(row) for row in matrix], p)
        assert all(0 < x < p for x in diagonal)
        assert len(diagonal) == sympy.polys.matrices.DomainMatrix.from_list(matrix, sympy.GF(p)).rank()
        padded = [*diagonal, *[0] * (n - len(diagonal))]
        assert values(matrix, p, n) == values(
            [[padded[i] * (i == j) for j in range(n)] for i in range(n)], p, n
        )


# Least codimension of a subspace on which a form vanishes


def subspaces(p: int, n: int) -> Iterator[tuple[int, list[int]]]:
    """Every subspace of GF(p)^n once, by echelon bases: codimension and the indices of its vectors in ``vectors``."""
    place = {x: k for k, x in enumerate(product(range(p), repeat=n))}
    for mask in product([False, True], repeat=n):
        pivots = [i for i in range(n) if mask[i]]
        free = [(row, j) for row, i in enumerate(pivots) for j in range(i + 1, n) if not mask[j]]
        for entries in product(range(p), repeat=len(free)):
            basis = [[int(j == i) for j in range(n)] for i in pivots]
            for (row, j), x in zip(free, entries, strict=True):
                basis[row][j] = x
            span = [
                place[tuple(sum(c * v[j] for c, v in zip(weights, basis, strict=True)) % p for j in range(n))]
                for weights in product(range(p), repeat=len(pivots))
            ]
            yield n - len(pivots), span


def least_codimension(
    form: dict[tuple[int, int], int], p: int, n: int, listed: list[tuple[int, list[int]]]
) -> int:
    zero = [sum(c * x[i] * x[j] for (i, j), c in form.items()) % p == 0 for x in product(range(p), repeat=n)]
    return next(codimension for codimension, span in listed if all(zero[k] for k in span))


def forms(p: int, n: int, most: int) -> Iterator[dict[tuple[int, int], int]]:
    """All quadratic forms in n variables over GF(p), or so many random ones."""
    pairs = list(combinations_with_replacement(range(n), 2))
    if p ** len(pairs) <= most:
        choices: Iterator[tuple[int, ...]] = product(range(p), repeat=len(pairs))
    else:
        generator = random.Random(100 * p + n)
        fill = (generator.choice([0.3, 1]) for _ in range(most))
        choices = (
            tuple(generator.randrange(p) if generator.random() < f else 0 for _ in pairs) for f in fill
        )
    for coefficients in choices:
        yield {pair: c for pair, c in zip(pairs, coefficients, strict=True) if c}


def width(form: dict[tuple[int, int], int], p: int, n: int) -> int:
    if p == 2:
        return untied_width_characteristic_two(form, n)
    half = pow(2, -1, p)
    matrix = [[0] * n for _ in range(n)]
    for (i, j), c in form.items():
        matrix[i][j] = matrix[j][i] = c if i == j else c * half % p
    return untied_width_odd(diagonalise_modulo(matrix, p), p)


@pytest.mark.parametrize(
    "p, n", [(2, 1), (2, 2), (2, 3), (2, 4), (2, 5), (3, 1), (3, 2), (3, 3), (3, 4), (5, 2), (5, 3)]
)
def test_the_width_is_the_least_codimension_of_a_subspace_of_zeros(p: int, n: int) -> None:
    listed = sorted(subspaces(p, n), key=lambda pair: pair[0])
    seen: set[int] = set()
    for form in forms(p, n, 300):
        seen.add(width(form, p, n))
        assert width(form, p, n) == least_codimension(form, p, n, listed), form
    assert max(seen) == n // 2 + 1


@pytest.mark.parametrize("p, n", [(2, 1), (2, 2), (2, 3), (2, 4), (3, 1), (3, 2), (3, 3), (5, 2)])
def test_the_width_is_the_least_number_of_products_of_two_linear_forms(p: int, n: int) -> None:
    pairs = list(combinations_with_replacement(range(n), 2))
    products: set[tuple[int, ...]] = set()
    for a, b in product(product(range(p), repeat=n), repeat=2):
        products.add(tuple((a[i] * b[j] + (a[j] * b[i] if i != j else 0)) % p for i, j in pairs))
    widths: dict[tuple[int, ...], int] = {(0,) * len(pairs): 0}
    layer = list(widths)
    while layer:
        reached: list[tuple[int, ...]] = []
        for q in layer:
            for r in products:
                total = tuple((x + y) % p for x, y in zip(q, r, strict=True))
                if total not in widths:
                    widths[total] = widths[q] + 1
                    reached.append(total)
        layer = reached
    assert len(widths) == p ** len(pairs)
    for q, expected in widths.items():
        form = {pair: c for pair, c in zip(pairs, q, strict=True) if c}
        assert width(form, p, n) == expected, form


def test_widths_over_two_elements_printed_on_the_page_of_the_rule() -> None:
    assert untied_width_characteristic_two({(0, 0): 1, (0, 1): 1, (1, 1): 1, (0, 2): 1}, 3) == 2
    assert untied_width_characteristic_two({(0, 0): 1, (0, 1): 1, (1, 1): 1}, 2) == 2
    assert untied_width_characteristic_two({(0, 1): 1}, 2) == 1
    assert untied_width_characteristic_two({(0, 0): 1, (1, 1): 1, (2, 2): 1}, 3) == 1

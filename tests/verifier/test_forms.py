"""Forms, operators and ranks of the verifier against sympy, over QQ and over QQ(sqrt(2))."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations_with_replacement

import pytest
import sympy

from rankproof.verifier import limits
from rankproof.verifier.forms import (
    Polynomial,
    apply,
    check_no_common_zero,
    derivatives,
    exact_rank,
    multiply,
    outputs,
    quotient_dimension,
)
from rankproof.verifier.numberfield import NumberField
from rankproof.verifier.refusal import Rejected, Undecided
from rankproof.verifier.scalars import QQ, Algebraic, Number, algebraic
from rankproof.verifier.targets import Space, Target

FIELD = NumberField("a", (-2, 0, 1), (1, 2))
X = sympy.symbols("x0:4")


def random_number(generator: random.Random, irrational: bool) -> Number:
    x, y = (Fraction(generator.randint(-5, 5), generator.choice([1, 1, 2, 3])) for _ in range(2))
    return algebraic(FIELD, [x, y]) if irrational else algebraic(FIELD, [x])


def random_form(generator: random.Random, n: int, d: int, irrational: bool) -> Polynomial:
    fill = generator.choice([0.3, 0.8])
    words = combinations_with_replacement(range(n), d)
    form = {word: random_number(generator, irrational) for word in words if generator.random() < fill}
    return {word: value for word, value in form.items() if value != 0}


def exact(value: Number) -> sympy.Expr:
    parts = value.coefficients if isinstance(value, Algebraic) else (value,)
    return sum(
        (sympy.Rational(c.numerator, c.denominator) * sympy.sqrt(2) ** i for i, c in enumerate(parts)),
        sympy.Integer(0),
    )


def expression(form: Polynomial) -> sympy.Expr:
    return sum(
        (exact(value) * sympy.prod(X[i] for i in word) for word, value in form.items()), sympy.Integer(0)
    )


def derivative(operator: Polynomial, form: sympy.Expr) -> sympy.Expr:
    total = sympy.Integer(0)
    for word, value in operator.items():
        term = form
        for i in word:
            term = sympy.diff(term, X[i])
        total += exact(value) * term
    return sympy.expand(total)


def rank(rows: list[list[sympy.Expr]]) -> int:
    return (
        sympy.polys.matrices.DomainMatrix.from_list_sympy(len(rows), len(rows[0]), rows, extension=True)
        .to_field()
        .rank()
    )


def table(rows: list[dict[object, Number]]) -> list[list[sympy.Expr]]:
    columns = list(dict.fromkeys(c for row in rows for c in row)) or [None]
    return [[exact(row.get(c, 0)) for c in columns] for row in rows]


@pytest.mark.parametrize("irrational", [False, True], ids=["QQ", "QQ(sqrt2)"])
def test_operators_act_by_differentiation(irrational: bool) -> None:
    generator = random.Random(1)
    for _ in range(30):
        n, d = generator.randint(1, 4), generator.randint(1, 5)
        form = random_form(generator, n, d, irrational)
        operator = random_form(generator, n, generator.randint(0, d), irrational)
        found = apply(operator, form)
        assert all(value != 0 for value in found.values())
        assert sympy.expand(expression(found) - derivative(operator, expression(form))) == 0


def test_an_operator_of_a_higher_degree_kills_a_form() -> None:
    assert apply({(0, 0, 0): 1}, {(0, 0): 5}) == {}
    assert apply({(0,): 1}, {(1, 1): 1}) == {}
    assert apply({(0, 0): 1}, {(0, 0, 0): 1}) == {(0,): 6}


@pytest.mark.parametrize("irrational", [False, True], ids=["QQ", "QQ(sqrt2)"])
def test_products_agree_with_expansion(irrational: bool) -> None:
    generator = random.Random(2)
    for _ in range(60):
        n = generator.randint(1, 4)
        f, g = (random_form(generator, n, generator.randint(0, 3), irrational) for _ in range(2))
        found = multiply(f, g)
        assert all(value != 0 and list(word) == sorted(word) for word, value in found.items())
        assert sympy.expand(expression(found) - expression(f) * expression(g)) == 0


def test_applying_a_product_is_applying_one_factor_after_the_other() -> None:
    generator = random.Random(3)
    for _ in range(60):
        n = generator.randint(1, 4)
        form = random_form(generator, n, 5, True)
        g, h = (random_form(generator, n, generator.randint(0, 3), True) for _ in range(2))
        assert apply(multiply(g, h), form) == apply(g, apply(h, form))


@pytest.mark.parametrize("irrational", [False, True], ids=["QQ", "QQ(sqrt2)"])
def test_rows_of_the_catalecticant_are_the_partial_derivatives_of_all_outputs(irrational: bool) -> None:
    generator = random.Random(4)
    for _ in range(15):
        n, d = generator.randint(1, 3), generator.randint(1, 4)
        forms = [random_form(generator, n, d, irrational) for _ in range(generator.randint(1, 3))]
        order = generator.randint(0, d)
        rows = derivatives(forms, order)
        assert all(rows)
        expected: list[list[sympy.Expr]] = []
        for word in combinations_with_replacement(range(n), order):
            found = [sympy.expand(derivative({word: 1}, expression(form))) for form in forms]
            if any(found):
                expected.append(found)
        assert len(rows) == len(expected)
        for row, wanted in zip(rows, expected, strict=True):
            for output, value in enumerate(wanted):
                part = {rest: x for (number, rest), x in row.items() if number == output}
                assert sympy.expand(expression(part) - value) == 0


@pytest.mark.parametrize("irrational", [False, True], ids=["QQ", "QQ(sqrt2)"])
def test_exact_ranks_agree_with_sympy(irrational: bool) -> None:
    generator = random.Random(5)
    seen: set[int] = set()
    for _ in range(80):
        height, width, inner = (generator.randint(1, 6) for _ in range(3))
        left = [[random_number(generator, irrational) for _ in range(inner)] for _ in range(height)]
        right: list[list[Number]] = [
            [
                random_number(generator, irrational and bool(j % 2)) * generator.choice([0, 1, 1])
                for j in range(width)
            ]
            for _ in range(inner)
        ]
        rows: list[dict[object, Number]] = []
        for i in range(height):
            cells: list[Number] = [0] * width
            for k in range(inner):
                cells = [x + left[i][k] * y for x, y in zip(cells, right[k], strict=True)]
            rows.append({j: x for j, x in enumerate(cells) if x != 0})
        copies = [dict(row) for row in rows]
        found = exact_rank(rows)
        seen.add(found)
        assert found == rank(table(rows))
        assert rows == copies
    assert seen >= {1, 2, 3, 4}


def test_ranks_of_rows_that_depend_over_the_larger_field_only() -> None:
    """(1, sqrt(2)) and (sqrt(2), 2) are proportional; (1, 2) and (sqrt(2), 2) are not."""
    root = Algebraic(FIELD, (0, 1))
    assert exact_rank([{0: 1, 1: root}, {0: root, 1: 2}]) == 1
    assert exact_rank([{0: 1, 1: 2}, {0: root, 1: 2}]) == 2
    assert exact_rank([]) == exact_rank([{}, {}]) == 0


def test_a_matrix_of_low_rank_modulo_a_prime_keeps_its_rank_over_the_rationals() -> None:
    p = 1048573
    assert exact_rank([{0: 1, 1: p}, {0: 1, 1: 2 * p}]) == 2
    assert exact_rank([{0: Fraction(1, p)}, {1: p}]) == 2


@pytest.mark.parametrize("irrational", [False, True], ids=["QQ", "QQ(sqrt2)"])
def test_the_dimension_of_the_apolar_algebra_is_the_sum_of_the_ranks_of_the_catalecticants(
    irrational: bool,
) -> None:
    generator = random.Random(6)
    for _ in range(10):
        n, d = generator.randint(1, 3), generator.randint(1, 3)
        forms = [random_form(generator, n, d, irrational) for _ in range(generator.randint(1, 2))]
        expected = 0
        for order in range(d + 1):
            words = combinations_with_replacement(range(n), order)
            polynomials = [
                [sympy.Poly(derivative({w: 1}, expression(f)), *X[:n], extension=True) for f in forms]
                for w in words
            ]
            monomials = list(sympy.itermonomials(X[:n], d - order, d - order))
            rows = [[row.coeff_monomial(m) for row in line for m in monomials] for line in polynomials]
            expected += rank(rows)
        assert quotient_dimension(forms, d) == expected


def test_the_apolar_algebra_of_a_monomial_counts_its_divisors() -> None:
    assert quotient_dimension([{(0, 0, 1): Fraction(1, 3)}], 3) == 6
    assert quotient_dimension([{(0, 1, 2): 1}], 3) == 8
    assert quotient_dimension([{(0, 0, 1, 1, 1, 2): -7}], 6) == 24
    # A power of one form, of which all the derivatives are proportional.
    assert quotient_dimension([{(0, 0): 1, (0, 1): Algebraic(FIELD, (0, 2)), (1, 1): 2}], 2) == 3
    assert quotient_dimension([{}, {}], 2) == 0


def test_outputs_of_a_map_and_of_a_form() -> None:
    form = Target(Space(((2, 2),)), QQ, {(0, 1): 3})
    assert outputs(form) == [{(0, 1): 3}]
    square_map = Target(Space(((2, 2), (3, 1))), QQ, {(0, 0, 2): 1, (0, 1, 0): 5, (1, 1, 0): 2})
    assert outputs(square_map) == [{(0, 1): 5, (1, 1): 2}, {}, {(0, 0): 1}]


def accepts(forms: list[Polynomial], n: int, degree: int, prime: int) -> bool:
    degrees = [len(next(iter(form))) for form in forms]
    refusal: Rejected | None = None
    try:
        check_no_common_zero(forms, degrees, n, degree, prime, "/steps/0/witness")
    except Rejected as caught:
        refusal = caught
    assert refusal is None or (refusal.code, refusal.pointer) == ("common-zero", "/steps/0/witness")
    return refusal is None


def test_multiples_that_span_all_forms_are_recognised_by_their_rank_modulo_the_prime() -> None:
    generator = random.Random(7)
    verdicts: list[bool] = []
    for prime in [2, 3, 5, 1048573] * 12:
        n, degree = generator.randint(1, 3), generator.randint(1, 4)
        forms: list[Polynomial] = []
        while len(forms) < generator.randint(1, n + 1):
            form = random_form(generator, n, generator.randint(1, 3), False)
            form = {word: value.numerator for word, value in form.items()}  # type: ignore[union-attr]
            forms += [form] if form else []
        monomials = list(combinations_with_replacement(range(n), degree))
        rows: list[list[int]] = []
        for form in forms:
            e = len(next(iter(form)))
            for extra in combinations_with_replacement(range(n), degree - e) if e <= degree else ():
                image = {tuple(sorted(word + extra)): value for word, value in form.items()}
                rows.append([int(image.get(m, 0)) for m in monomials])
        expected = 0
        if rows:
            expected = sympy.polys.matrices.DomainMatrix.from_list(rows, sympy.GF(prime)).rank()
        verdicts.append(accepts(forms, n, degree, prime))
        assert verdicts[-1] == (expected == len(monomials)), (forms, n, degree, prime)
    assert {True, False} == set(verdicts)


def test_forms_that_pass_have_no_common_zero_and_forms_with_a_common_zero_never_pass() -> None:
    assert accepts([{(0, 0): 1}, {(1, 1): 1}], 2, 3, 101)
    assert not accepts([{(0, 0): 1}, {(1, 1): 1}], 2, 2, 101)
    # x^2 - 2 y^2 and x^3 - 2 x y^2 both vanish at (sqrt(2), 1): a zero that is not rational counts.
    for degree in range(3, 9):
        assert not accepts([{(0, 0): 1, (1, 1): -2}, {(0, 0, 0): 1, (0, 1, 1): -2}], 2, degree, 1048573)
    # x and x + 5y have no common zero, but do modulo 5: the check refuses rather than errs.
    forms: list[Polynomial] = [{(0,): 1}, {(0,): 1, (1,): 5}]
    assert accepts(forms, 2, 1, 7)
    assert not accepts(forms, 2, 1, 5)


def test_a_denominator_divisible_by_the_prime_is_refused() -> None:
    with pytest.raises(Rejected) as caught:
        check_no_common_zero([{(0,): Fraction(1, 7)}], [1], 1, 1, 7, "/steps/0/witness")
    assert caught.value.code == "denominator"


def test_work_beyond_the_limits_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    form: Polynomial = dict.fromkeys(combinations_with_replacement(range(3), 3), 1)
    monkeypatch.setattr(limits, "OPERATIONS", 100)
    with pytest.raises(Undecided):
        multiply(form, form)
    with pytest.raises(Undecided):
        apply(form, form)
    with pytest.raises(Undecided):
        derivatives([form] * 2, 1)
    with pytest.raises(Undecided):
        exact_rank([{j: i**j + 1 for j in range(6)} for i in range(6)])
    monkeypatch.setattr(limits, "OPERATIONS", 10**9)
    monkeypatch.setattr(limits, "FLATTENING_SIDE", 5)
    with pytest.raises(Undecided):
        check_no_common_zero([{(0,): 1}], [1], 3, 2, 7, "")

"""What one unit of every model expands to, and how large its cone is."""

from __future__ import annotations

from functools import reduce
from itertools import product

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from strategies import EXACT_FIELDS, MODELS, laurents, models, scalars, spaces, spaces_for, units

from rankproof.errors import UsageError
from rankproof.problem.field import QQ, gf
from rankproof.problem.laurent import Laurent, as_laurent
from rankproof.problem.space import Space
from rankproof.problem.units import UNITS, unit_model
from rankproof.verifier.targets import Space as TwinSpace
from rankproof.verifier.units import Units as TwinUnits

eps = sympy.Symbol("eps")


def exponents(model, d):
    """Powers of the linear forms of a unit of degree d."""
    if model == "tied":
        return (d,)
    if model == "split":
        return (1,) * d
    k = 1 if model == "untied" else int(model[6:])
    return d - k, k


def number(x):
    """A rational or a Laurent polynomial with rational coefficients as a sympy expression."""
    return sum((sympy.Rational(c) * eps**e for e, c in as_laurent(x).terms), sympy.Integer(0))


def by_sympy(model, space, vectors):
    """Coefficients of a unit, multiplied out by sympy."""
    if model == "product":
        words = product(*(range(len(v)) for v in vectors))
        return {
            w: sympy.expand(reduce(lambda c, vi: c * number(vi[0][vi[1]]), zip(vectors, w, strict=True), 1))
            for w in words
        }
    x = sympy.symbols(f"x0:{space.variables_count}")
    *forms, weight = vectors
    powers = exponents(model, space.form_degree)
    unit = sympy.Integer(1)
    for form, power in zip(forms, powers, strict=True):
        unit *= sum((number(c) * v for c, v in zip(form, x, strict=True)), sympy.Integer(0)) ** power
    terms = sympy.Poly(sympy.expand(unit), *x).terms()
    found = {}
    for j, w in enumerate(weight):
        for m, c in terms:
            word = tuple(i for i, e in enumerate(m) for _ in range(e))
            found[(*word, j) if len(space.factors) == 2 else word] = sympy.expand(c * number(w))
    return found


@given(st.data(), models)
def test_a_unit_expands_as_sympy_multiplies_it_out(data, model):
    space = data.draw(spaces_for(model))
    vectors = data.draw(units(model, space, QQ))
    found = unit_model(model).expand(space, vectors, QQ)
    expected = by_sympy(model, space, vectors)
    assert {w: sympy.Rational(c) for w, c in found.items()} == {w: c for w, c in expected.items() if c}


@given(st.data(), models)
def test_a_border_unit_expands_as_sympy_multiplies_it_out(data, model):
    space = data.draw(spaces_for(model))
    lengths = unit_model(model).vector_lengths(space)
    vectors = tuple(data.draw(st.tuples(*[st.one_of(scalars(QQ), laurents(QQ))] * n)) for n in lengths)
    found = unit_model(model).expand_family(space, vectors, QQ)
    expected = by_sympy(model, space, vectors)
    assert {w: sympy.expand(number(c)) for w, c in found.items()} == {w: c for w, c in expected.items() if c}


@given(st.data(), models, st.sampled_from(EXACT_FIELDS))
def test_a_unit_expands_into_words_of_its_space_in_normal_form(data, model, ring):
    space = data.draw(spaces_for(model))
    vectors = data.draw(units(model, space, ring))
    for word, c in unit_model(model).expand(space, vectors, ring).items():
        assert space.contains(word)
        assert c
        assert ring.reduce(c) == c
        assert type(ring.reduce(c)) is type(c)


@given(st.data(), models, st.sampled_from([2, 3, 101]))
def test_expansion_commutes_with_reduction_modulo_p(data, model, p):
    space = data.draw(spaces_for(model))
    lengths = unit_model(model).vector_lengths(space)
    vectors = tuple(data.draw(st.tuples(*[st.integers(-9, 9)] * n)) for n in lengths)
    rational = unit_model(model).expand(space, vectors, QQ)
    reduced = {w: c % p for w, c in rational.items() if c % p}
    assert unit_model(model).expand(space, vectors, gf(p)) == reduced


@given(st.data(), models, st.sampled_from(EXACT_FIELDS))
def test_a_unit_is_linear_in_its_last_vector(data, model, ring):
    space = data.draw(spaces_for(model))
    *others, u = data.draw(units(model, space, ring))
    *_, v = data.draw(units(model, space, ring))
    sum_of_both = tuple(x + y for x, y in zip(u, v, strict=True))
    of_u, of_v, of_both = (
        unit_model(model).expand(space, (*others, last), ring) for last in (u, v, sum_of_both)
    )
    separate = {w: ring.reduce(of_u.get(w, 0) + of_v.get(w, 0)) for w in of_u.keys() | of_v.keys()}
    assert of_both == {w: c for w, c in separate.items() if c}


@given(st.data(), models)
def test_the_prover_and_the_verifier_expand_a_unit_alike(data, model):
    space = data.draw(spaces_for(model))
    vectors = data.draw(units(model, space, QQ))
    powers = () if model == "product" else exponents(model, space.form_degree)
    twin = TwinUnits(model, powers).sum([vectors], TwinSpace(space.factors))
    assert {w: c for w, c in twin if c} == unit_model(model).expand(space, vectors, QQ)


def test_a_tied_unit_is_an_untied_mixed_and_split_unit():
    space, a, w = Space.map(3, 4, 2), (1, -2, 3), (5, 7)
    tied = unit_model("tied").expand(space, (a, w), QQ)
    for model, forms in (("untied", 2), ("mixed:1", 2), ("mixed:2", 2), ("split", 4)):
        assert unit_model(model).expand(space, (*(a,) * forms, w), QQ) == tied


def test_a_unit_with_a_zero_vector_is_zero():
    assert unit_model("tied").expand(Space.form(2, 3), ((0, 0), (1,)), QQ) == {}
    assert unit_model("product").expand(Space.tensor(2, 2), ((0, 0), (1, 1)), QQ) == {}
    assert unit_model("untied").expand(Space.form(2, 1), ((0, 0), (1, 0), (1,)), QQ) == {(0,): 1}


def jacobian_rank(model, space):
    """Rank of the derivative of the expansion at a random point modulo a large prime: the dimension of the cone."""
    p = 1_000_003
    rng = np.random.default_rng(7)
    lengths = unit_model(model).vector_lengths(space)
    point = [[int(x) for x in rng.integers(1, p, n)] for n in lengths]
    rows = []
    for j, n in enumerate(lengths):
        for i in range(n):
            moved = [[*v] for v in point]
            # One coordinate moves along eps; the derivative is the coefficient of eps.
            moved[j][i] = moved[j][i] + Laurent.power(1)
            found = unit_model(model).expand_family(space, moved, gf(p))
            rows.append([found[w].coefficient(1) if w in found else 0 for w in space.words()])
    return _rank_modulo(rows, p)


def _rank_modulo(rows, p):
    rank = 0
    rows = [row[:] for row in rows]
    for column in range(len(rows[0])):
        pivot = next((r for r in range(rank, len(rows)) if rows[r][column] % p), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        inverse = pow(rows[rank][column], -1, p)
        for r in range(rank + 1, len(rows)):
            factor = rows[r][column] * inverse % p
            if factor:
                rows[r] = [(x - factor * y) % p for x, y in zip(rows[r], rows[rank], strict=True)]
        rank += 1
    return rank


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    "space",
    [
        Space.form(2, 4),
        Space.form(3, 2),
        Space.form(3, 4),
        Space.form(4, 3),
        Space.form(1, 4),
        Space.form(3, 1),
        Space.map(2, 4, 3),
        Space.map(3, 2, 2),
        Space.tensor(2, 3),
        Space.tensor(2, 3, 4),
        Space.tensor(2, 2, 2, 2),
    ],
    ids=str,
)
def test_the_dimension_of_the_cone_is_the_rank_of_its_parametrisation(model, space):
    if unit_model(model).accepts(space) is None:
        assert unit_model(model).dimension(space) == jacobian_rank(model, space)


@given(st.sampled_from([*UNITS]), spaces())
def test_a_model_accepts_a_space_or_says_why_not(name, space):
    model = unit_model(name)
    reason = model.accepts(space)
    if name == "product":
        assert (reason is None) == space.is_tensor
    elif name.startswith("mixed:"):
        assert (reason is None) == (space.is_polynomial and 2 * int(name[6:]) <= space.form_degree)
    else:
        assert (reason is None) == space.is_polynomial
    if reason is None:
        assert model.arity(space) == len(model.vector_lengths(space))
    else:
        assert name in reason
        with pytest.raises(UsageError):
            model.expand(space, (), QQ)


@pytest.mark.parametrize(
    "name", ["waring", "mixed", "mixed:0", "mixed:01", "mixed:33", "mixed:k", "Tied", ""]
)
def test_an_unknown_model_is_answered_with_those_that_exist(name):
    with pytest.raises(UsageError, match="choose tied, untied, mixed:k .* split or product"):
        unit_model(name)


def test_sparse_vectors_of_a_large_tensor_cost_what_their_entries_cost():
    space = Space.tensor(144, 144, 144)
    a = [0] * 144
    a[3] = a[77] = 1
    assert len(unit_model("product").expand(space, (a, a, a), QQ)) == 8


def test_dense_units_of_degree_twelve_in_twelve_variables_expand():
    a, b = [0] * 12, [1] * 12
    a[0], a[5], a[11] = 1, 2, -1
    found = unit_model("mixed:2").expand(Space.form(12, 12), (a, b, (1,)), QQ)
    assert found[(0,) * 12] == 1
    assert sum(found.values()) == 2**10 * 12**2

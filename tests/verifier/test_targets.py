"""Named targets and unit models: the verifier's table against the prover's, and against a third one for tests."""

from __future__ import annotations

from typing import Any

import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st
from mutation.oracle.problem import named as oracle_named

from rankproof.problem.decomposition import Decomposition
from rankproof.problem.field import Algebraic, Field, Scalar
from rankproof.problem.laurent import Laurent
from rankproof.problem.library import NAMED as PROVER
from rankproof.problem.space import Space as ProverSpace
from rankproof.problem.units import unit_model
from rankproof.verifier.numberfield import NumberField
from rankproof.verifier.scalars import Laurent as VerifierLaurent
from rankproof.verifier.scalars import Ring, algebraic, laurent_terms
from rankproof.verifier.targets import NAMED as VERIFIER
from rankproof.verifier.targets import Space, named_target
from rankproof.verifier.units import read_units

PARAMETERS: dict[str, list[tuple[int, ...]]] = {
    "matmul": [(1, 1, 1), (2, 2, 2), (2, 3, 4), (1, 2, 3), (3, 1, 2)],
    "det": [(1,), (2,), (3,), (4,)],
    "perm": [(1,), (2,), (3,), (4,)],
    "det_tensor": [(2,), (3,), (4,)],
    "perm_tensor": [(2,), (3,), (4,)],
    "monomial": [(1,), (5,), (1, 1), (3, 1, 2), (2, 2, 2, 2)],
    "elementary": [(1, 1), (1, 3), (2, 4), (3, 3), (4, 5)],
    "power_sum": [(1, 1), (3, 2), (4, 3)],
    "W": [(2,), (3,), (5,)],
    "GHZ": [(2,), (3,), (4,)],
    "unit": [(1,), (3,), (2, 2), (3, 4)],
    "polymul": [(1, 1), (2, 3), (3, 2), (4, 4)],
    "complex_product": [()],
    "quaternion_product": [()],
    "coppersmith_winograd": [(1,), (2,), (4,)],
    "small_coppersmith_winograd": [(1,), (2,), (4,)],
    "skew_coppersmith_winograd": [(2,), (4,)],
    "dicke": [(1, 2), (2, 2), (2, 4), (3, 5)],
    "truncated_polynomials": [(1,), (2,), (4,)],
    "cyclic_convolution": [(1,), (2,), (5,)],
    "upper_triangular": [(1,), (2,), (3,)],
}


def test_the_two_tables_have_the_same_names() -> None:
    assert set(VERIFIER) == set(PROVER) == set(PARAMETERS)


@pytest.mark.parametrize(
    ("name", "parameters"), [(n, p) for n, rows in PARAMETERS.items() for p in rows], ids=str
)
def test_three_tables_expand_a_named_target_alike(name: str, parameters: tuple[int, ...]) -> None:
    target = named_target(name, list(parameters))
    plan = PROVER[name].plan(*parameters)
    entries = {word: value for word, value in plan.entries if value}
    assert (target.space.factors, dict(target.entries)) == (plan.factors, entries)
    names = None if plan.variables is None else tuple(plan.variables)
    assert target.variables == names
    if name not in ("W", "GHZ") and plan.factors != ((1, 1),):
        assert oracle_named(name, parameters) == (plan.factors, entries)


# Units


def ring_of(field: Field) -> Ring:
    """The verifier's ring for a field of the prover."""
    nf = field.number_field
    if nf is not None:
        return Ring(field.name, number_field=NumberField(nf.symbol, nf.minimal_polynomial, nf.real_root))
    return Ring(field.name, prime=field.characteristic)


def translated(x: Scalar | Laurent, ring: Ring) -> Any:
    """A number of the prover as one of the verifier."""
    if isinstance(x, Laurent):
        terms = {e: translated(c, ring) for e, c in x.terms}
        return VerifierLaurent(terms) if set(terms) - {0} else terms.get(0, 0)
    if isinstance(x, Algebraic):
        assert ring.number_field is not None
        return algebraic(ring.number_field, list(x.coefficients))
    return x


@given(strategies.decompositions())
def test_prover_and_verifier_expand_units_alike(found: tuple[ProverSpace, Decomposition]) -> None:
    space, decomposition = found
    ring = ring_of(decomposition.ring)
    model = read_units(decomposition.units_model, "", Space(space.factors))
    assert tuple(model.lengths(Space(space.factors))) == unit_model(decomposition.units_model).vector_lengths(
        space
    )
    units = [[[translated(x, ring) for x in vector] for vector in unit] for unit in decomposition.units]
    total = {word: ring.reduce(c) for word, c in model.sum(units, Space(space.factors))}
    expected = {word: translated(c, ring) for word, c in decomposition.expand(space).items()}
    for word in total.keys() | expected.keys():
        assert total.get(word, 0) == expected.get(word, 0), word


@given(strategies.border_families(), st.integers(-8, 8))
def test_prover_and_verifier_expand_families_alike(found: tuple[ProverSpace, Any], exponent: int) -> None:
    space, family = found
    ring = ring_of(family.ring)
    model = read_units(family.units_model, "", Space(space.factors))
    units = [[[translated(x, ring) for x in vector] for vector in unit] for unit in family.units]
    total = {word: laurent_terms(c) for word, c in model.sum(units, Space(space.factors))}
    for word, c in family.expand(space).items():
        terms = laurent_terms(translated(c, ring))
        assert ring.reduce(total.get(word, {}).get(exponent, 0)) == terms.get(exponent, 0)
    assert all(
        not any(ring.reduce(c) for c in total[word].values())
        for word in total.keys() - family.expand(space).keys()
    )


@given(strategies.decompositions())
def test_the_estimate_of_operations_bounds_the_terms_of_a_unit(
    found: tuple[ProverSpace, Decomposition],
) -> None:
    space, decomposition = found
    ring = ring_of(decomposition.ring)
    model = read_units(decomposition.units_model, "", Space(space.factors))
    for unit in decomposition.units:
        vectors = [[translated(x, ring) for x in vector] for vector in unit]
        assert len(list(model.sum([vectors], Space(space.factors)))) <= model.operations(vectors)

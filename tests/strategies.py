"""Hypothesis strategies: exact numbers, spaces, targets, units and decompositions of every model."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from rankproof.problem.decomposition import BorderFamily, Decomposition
from rankproof.problem.field import QQ, Field, NumberField, Scalar, gf, number
from rankproof.problem.laurent import Laurent
from rankproof.problem.space import Space
from rankproof.problem.target import Target
from rankproof.problem.units import unit_model

SQRT2 = number(NumberField.sqrt(2, "sqrt2"))
CUBE_ROOT = number(NumberField.from_polynomial((-2, 0, 0, 1), "t"))
EXACT_FIELDS = (QQ, gf(2), gf(3), gf(101), SQRT2, CUBE_ROOT)
MODELS = ("tied", "untied", "mixed:1", "mixed:2", "split", "product")

exact_fields = st.sampled_from(EXACT_FIELDS)
models = st.sampled_from(MODELS)
small_fractions = st.builds(Fraction, st.integers(-9, 9), st.integers(1, 6))


def scalars(ring: Field = QQ) -> st.SearchStrategy[Scalar]:
    """Small elements of an exact field in normal form, zero among them."""
    if ring.characteristic:
        return st.integers(0, ring.characteristic - 1)
    if ring.number_field:
        field = ring.number_field
        return st.lists(small_fractions, min_size=1, max_size=field.degree).map(field.element)
    return st.one_of(st.integers(-5, 5), small_fractions.map(QQ.reduce))


def polynomial_spaces(
    variables: int = 3, degree: int = 4, outputs: int = 2, *, least_degree: int = 1
) -> st.SearchStrategy[Space]:
    """Spaces of forms and of polynomial maps up to the given sizes."""
    return st.builds(
        Space.map, st.integers(1, variables), st.integers(least_degree, degree), st.integers(1, outputs)
    )


def tensor_spaces(dimension: int = 3, order: int = 4) -> st.SearchStrategy[Space]:
    """Spaces of tensors of order 2 and more."""
    dims = st.lists(st.integers(2, dimension), min_size=2, max_size=order)
    return dims.map(lambda n: Space.tensor(*n))


def mixed_spaces() -> st.SearchStrategy[Space]:
    """Spaces that are neither polynomial nor tensors, such as S^2 (x) S^2."""
    factors = st.lists(st.tuples(st.integers(1, 3), st.integers(2, 3)), min_size=2, max_size=2)
    return factors.map(lambda f: Space(tuple(f)))


def spaces() -> st.SearchStrategy[Space]:
    """Spaces of every kind."""
    return st.one_of(polynomial_spaces(), tensor_spaces(), mixed_spaces())


def spaces_for(model: str) -> st.SearchStrategy[Space]:
    """Spaces that a unit model accepts."""
    if model == "product":
        return tensor_spaces()
    least = 2 * int(model[6:]) if model.startswith("mixed:") else 1
    return polynomial_spaces(degree=max(4, least), least_degree=least)


@st.composite
def targets(
    draw: st.DrawFn, space: st.SearchStrategy[Space] | None = None, ring: Field | None = None
) -> Target:
    """Targets that are not zero, of every kind of space unless one is given."""
    chosen = draw(spaces() if space is None else space)
    field = ring or draw(exact_fields)
    words = st.sampled_from(sorted(chosen.words()))
    entries = draw(st.dictionaries(words, scalars(field).filter(bool), min_size=1, max_size=8))
    return Target.from_entries(chosen, entries, field)


@st.composite
def units(draw: st.DrawFn, model: str, space: Space, ring: Field) -> tuple[tuple[Scalar, ...], ...]:
    """One unit of a model in a space that accepts it."""
    lengths = unit_model(model).vector_lengths(space)
    return tuple(draw(st.tuples(*[scalars(ring)] * n)) for n in lengths)


@st.composite
def decompositions(draw: st.DrawFn, model: str | None = None, width: int = 3) -> tuple[Space, Decomposition]:
    """A space and a sum of units in it; the sum may be zero."""
    name = model or draw(models)
    space, ring = draw(spaces_for(name)), draw(exact_fields)
    found = draw(st.lists(units(name, space, ring), min_size=1, max_size=width))
    return space, Decomposition(name, ring, tuple(found))


def laurents(ring: Field) -> st.SearchStrategy[Laurent]:
    """Laurent polynomials with few terms, zero among them."""
    return st.dictionaries(st.integers(-2, 2), scalars(ring), max_size=2).map(Laurent.from_mapping)


@st.composite
def border_families(draw: st.DrawFn, width: int = 2) -> tuple[Space, BorderFamily]:
    """A space and a sum of units with Laurent coordinates in it; it need not have a limit."""
    name = draw(models)
    space, ring = draw(spaces_for(name)), draw(exact_fields)
    lengths = unit_model(name).vector_lengths(space)
    coordinate = st.one_of(scalars(ring), laurents(ring))
    unit = st.tuples(*(st.tuples(*[coordinate] * n) for n in lengths))
    found = draw(st.lists(unit, min_size=1, max_size=width))
    return space, BorderFamily(name, ring, draw(st.integers(-2, 2)), tuple(found))

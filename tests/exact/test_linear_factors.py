"""Products of linear forms are recognised, and nothing else is."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from rankproof.exact.linear_factors import linear_factors
from rankproof.problem.decomposition import Decomposition
from rankproof.problem.field import QQ, gf
from rankproof.problem.parse import read_targets
from rankproof.problem.space import Space


@settings(deadline=None)
@given(st.data(), st.sampled_from((QQ, gf(2), gf(7))), st.integers(1, 3), st.integers(1, 4))
def test_a_product_of_linear_forms_is_factored_into_them(data, ring, n, d) -> None:
    vector = st.tuples(*[st.integers(-3, 3)] * n).filter(lambda v: any(ring.reduce(x) for x in v))
    forms = data.draw(st.lists(vector, min_size=d, max_size=d))
    product = Decomposition.of("split", [(*forms, (1,))], ring).expand(Space.form(n, d))
    factored = linear_factors(product, n, ring)
    assert factored is not None
    constant, factors = factored
    again = [form for form, multiplicity in factors for _ in range(multiplicity)]
    assert Decomposition.of("split", [(*again, (constant,))], ring).expand(Space.form(n, d)) == product


def test_a_form_with_an_irreducible_quadratic_factor_is_not_a_product() -> None:
    form = read_targets("x*(x**2 - 2*y**2)")[0]
    assert linear_factors(form.as_dict(), 2, QQ) is None
    # 2 is a square modulo 7.
    assert linear_factors(form.over(gf(7)).as_dict(), 2, gf(7)) is not None

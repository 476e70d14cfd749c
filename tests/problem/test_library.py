"""Named targets, by the mathematics they stand for and against the atlas."""

from __future__ import annotations

from itertools import product
from math import factorial, prod

import numpy as np
import pytest
import sympy
from external import atlas
from hypothesis import given
from hypothesis import strategies as st

from rankproof.errors import TargetError
from rankproof.problem.library import NAMED, named
from rankproof.problem.parse import read_targets
from rankproof.problem.space import Space
from rankproof.verifier.targets import NAMED as TWIN
from rankproof.verifier.targets import named_target

integers = st.integers(-9, 9)


def bilinear(target, a, b):
    """Value of a tensor of order 3 as a bilinear map."""
    value = [0] * target.space.factors[2][0]
    for (i, j, k), c in target.entries:
        value[k] += c * a[i] * b[j]
    return value


@given(st.data(), st.integers(1, 3), st.integers(1, 3), st.integers(2, 3))
def test_matmul_multiplies_matrices(data, n, m, p):
    A, B = (
        np.array(data.draw(st.lists(integers, min_size=r * c, max_size=r * c))).reshape(r, c)
        for r, c in ((n, m), (m, p))
    )
    assert bilinear(named("matmul", n, m, p), A.ravel(), B.ravel()) == list((A @ B).ravel())


@given(st.lists(integers, min_size=1, max_size=4), st.lists(integers, min_size=2, max_size=4))
def test_polymul_multiplies_polynomials(f, g):
    assert bilinear(named("polymul", len(f), len(g)), f, g) == list(
        np.polymul(f[::-1], g[::-1])[::-1]
    ) or not (f[-1] and g[-1])


@given(st.tuples(integers, integers), st.tuples(integers, integers))
def test_complex_product_multiplies_complex_numbers(x, y):
    z = complex(*x) * complex(*y)
    assert bilinear(named("complex_product"), x, y) == [z.real, z.imag]


@given(*[st.lists(integers, min_size=4, max_size=4)] * 2)
def test_quaternion_product_multiplies_quaternions(x, y):
    z = sympy.Quaternion(*x) * sympy.Quaternion(*y)
    assert bilinear(named("quaternion_product"), x, y) == [z.a, z.b, z.c, z.d]


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_det_is_the_determinant_and_perm_the_permanent(n):
    names = [f"x{i}{j}" for i in range(1, n + 1) for j in range(1, n + 1)]
    matrix = sympy.Matrix(n, n, sympy.symbols(names))
    assert named("det", n).variables == tuple(names)
    for name, value in (("det", matrix.det()), ("perm", matrix.per())):
        target = named(name, n)
        assert len(target.entries) == factorial(n)
        (expected,) = read_targets(str(sympy.expand(value)), variables=names)
        assert target == expected


@pytest.mark.parametrize("d, n", [(1, 2), (2, 4), (3, 5), (4, 4)])
def test_elementary_symmetric_polynomials_are_the_coefficients_of_the_product_of_the_roots(d, n):
    x, t = sympy.symbols(f"x1:{n + 1}"), sympy.Symbol("t")
    expected = sympy.Poly(prod((1 + t * v for v in x), start=sympy.Integer(1)), t).coeff_monomial(t**d)
    assert [named("elementary", d, n)] == read_targets(str(sympy.expand(expected)))


def test_monomials_and_power_sums_are_what_they_say():
    assert [named("monomial", 2, 1, 3)] == read_targets("x1**2*x2*x3**3")
    assert [named("power_sum", 4, 3)] == read_targets("x1**4 + x2**4 + x3**4")


@pytest.mark.parametrize("k", [2, 3, 4])
def test_W_and_GHZ_are_sums_of_basis_tensors(k):
    assert {w for w, _ in named("W", k).entries} == {w for w in product((0, 1), repeat=k) if sum(w) == 1}
    assert {w for w, _ in named("GHZ", k).entries} == {(0,) * k, (1,) * k}


def test_the_unit_tensor_of_size_two_is_GHZ():
    assert named("unit", 2) == named("GHZ", 3)
    assert named("unit", 2, 5) == named("GHZ", 5)


@pytest.mark.external
@pytest.mark.parametrize(
    "entry, name, parameters",
    [
        *(
            (f"matmul_{n}{m}{p}", "matmul", (n, m, p))
            for n, m, p in [(1, 2, 2), (2, 2, 2), (2, 2, 3), (2, 2, 5)]
        ),
        *(
            (f"matmul_{n}{m}{p}", "matmul", (n, m, p))
            for n, m, p in [(2, 3, 3), (2, 3, 4), (3, 3, 3), (4, 4, 4)]
        ),
        ("unit3", "unit", (3,)),
        ("ghz4", "GHZ", (4,)),
        ("W3", "W", (3,)),
        ("W4", "W", (4,)),
        ("W5", "W", (5,)),
        *((f"polymul_{n}_{m}", "polymul", (n, m)) for n, m in [(2, 2), (2, 3), (3, 3), (4, 4)]),
        ("alg_C", "complex_product", ()),
        ("alg_quat", "quaternion_product", ()),
        ("Tcw3", "small_coppersmith_winograd", (3,)),
        ("Tskew4", "skew_coppersmith_winograd", (4,)),
        ("dicke25", "dicke", (2, 5)),
        ("TCW2", "coppersmith_winograd", (2,)),
        ("TCW3", "coppersmith_winograd", (3,)),
        ("det3_poly", "det", (3,)),
        ("perm3_poly", "perm", (3,)),
        ("perm4_poly", "perm", (4,)),
        ("e3_5", "elementary", (3, 5)),
        ("e4_6", "elementary", (4, 6)),
        ("e5_6", "elementary", (5, 6)),
        ("e2_4", "elementary", (2, 4)),
        ("mon_x1to6", "monomial", (1,) * 6),
        ("pc_fermat", "power_sum", (3, 3)),
    ],
)
def test_a_named_target_is_the_one_of_the_atlas(entry, name, parameters):
    target = named(name, *parameters)
    known = next(e["target"] for e in atlas()["entries"] if e["id"] == entry)
    if known["type"] == "tensor":
        entries = tuple((tuple(word), value) for *word, value in known["entries"])
        assert target.space == Space.tensor(*known["shape"])
        assert target.entries == tuple(sorted(entries))
    else:
        assert [target] == read_targets(known["expr"], variables=known["vars"])


EXAMPLES = {
    "matmul": [(1, 1, 1), (2, 3, 4)],
    "det": [(1,), (4,)],
    "perm": [(1,), (4,)],
    "det_tensor": [(2,), (4,)],
    "perm_tensor": [(2,), (4,)],
    "monomial": [(1,), (3, 1, 2)],
    "elementary": [(2, 2), (2, 5)],
    "power_sum": [(1, 1), (5, 3)],
    "W": [(2,), (6,)],
    "GHZ": [(2,), (6,)],
    "unit": [(1,), (4,), (3, 2)],
    "polymul": [(1, 2), (3, 4)],
    "complex_product": [()],
    "quaternion_product": [()],
    "coppersmith_winograd": [(1,), (4,)],
    "small_coppersmith_winograd": [(1,), (4,)],
    "skew_coppersmith_winograd": [(2,), (6,)],
    "dicke": [(1, 1), (2, 5), (4, 4)],
    "truncated_polynomials": [(1,), (5,)],
    "cyclic_convolution": [(1,), (2,), (6,)],
    "upper_triangular": [(1,), (2,), (4,)],
}


@pytest.mark.parametrize("name", [*NAMED])
def test_the_library_and_the_verifier_mean_the_same_by_a_name(name):
    assert NAMED.keys() == TWIN.keys()
    for parameters in EXAMPLES[name]:
        ours, theirs = named(name, *parameters), named_target(name, list(parameters))
        assert ours.space.factors == theirs.space.factors
        assert ours.as_dict() == dict(theirs.entries)
        assert ours.variables == theirs.variables


@pytest.mark.parametrize(
    "name, parameters, sentence",
    [
        ("nonsense", (), "no target is named 'nonsense'; there are matmul"),
        ("matmul", (2, 2), "takes 3 parameters, not 2; write matmul"),
        ("unit", (), "takes 1 to 2 parameters"),
        ("matmul", (0, 2, 2), "out of range"),
        ("W", (1,), "lie in 2.."),
        ("W", (17,), "too large"),
        ("det", (9,), "9! terms"),
        ("perm", (4096,), "4096! terms"),
        ("matmul", (64, 64, 64), None),
        ("matmul", (65, 64, 64), "too large"),
        ("elementary", (4, 3), "at least 4 variables"),
        ("elementary", (32, 64), "terms"),
        ("monomial", (33, 33), "too large"),
        ("unit", (3, 1), "order is at least 2"),
        ("dicke", (4, 3), "at most 3 of 3 indices are 1"),
        ("dicke", (8, 17), "too large"),
        ("skew_coppersmith_winograd", (3,), "q is even"),
        ("polymul", (4000, 4000), "too large"),
    ],
)
def test_parameters_out_of_range_are_refused_before_any_work(name, parameters, sentence):
    if sentence is None:
        assert len(named(name, *parameters).entries) == prod(parameters)
    else:
        with pytest.raises(TargetError, match=sentence):
            named(name, *parameters)

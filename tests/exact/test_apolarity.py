"""Apolar algebras, killing operators and Macaulay degrees of targets for which they are known."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import targets

from rankproof.exact.apolarity import (
    apolar_dimension,
    contract,
    hilbert_function,
    kernel,
    killing_operators,
    macaulay_degree,
    outputs,
    residues,
    span_everything,
)
from rankproof.problem.parse import read_targets
from rankproof.problem.space import Space
from rankproof.problem.target import Target

P = 1048573


def read(text: str) -> Target:
    return read_targets(text)[0]


@pytest.mark.parametrize(
    ("text", "function"),
    [
        ("x*y*z", (1, 3, 3, 1)),
        ("x**2*y*z", (1, 3, 4, 3, 1)),
        ("x**2*y**2*z**2", (1, 3, 6, 7, 6, 3, 1)),
        ("det(3)", (1, 9, 9, 1)),
        ("x**3 + sqrt(2)*y**3", (1, 2, 2, 1)),
        ("x**2*y; x*y**2", (1, 2, 3, 2)),
    ],
)
def test_hilbert_functions(text: str, function: tuple[int, ...]) -> None:
    target = read(text)
    forms, p = residues(target)
    assert hilbert_function(forms, target.space.form_degree, p) == function
    assert apolar_dimension(target) == sum(function)


@given(targets(st.sampled_from([Space.form(3, 4), Space.map(2, 3, 2), Space.form(4, 2)])))
def test_killing_operators_kill_and_are_as_many_as_the_hilbert_function_leaves(target: Target) -> None:
    if target.ring.characteristic:
        return
    forms, p = residues(target)
    n, d = target.space.variables_count, target.space.form_degree
    for degree in range(1, d + 1):
        found = killing_operators(target, degree)
        assert all(not contract(g, form) for g in found for form in outputs(target))
        if target.ring.number_field is None:
            ranks = hilbert_function(forms, d, p)
            assert len(found) == Space.form(n, degree).dimension - ranks[degree]


def test_kernel_of_an_empty_matrix_is_everything() -> None:
    assert kernel([], 2) == [{0: 1}, {1: 1}]


@pytest.mark.parametrize(
    ("forms", "n", "degree"),
    [
        ([{(0, 0): 1}, {(1, 1): 1}, {(2, 2): 1}], 3, 4),
        ([{(0,): 1}, {(1,): 1}], 2, 1),
        # X^2 alone: full row rank in every degree, and a zero.
        ([{(0, 0): 1}], 2, None),
        # A zero at (1, 1) only, which is no coordinate point.
        ([{(0, 0): 1, (0, 1): -1}, {(1, 1): 1, (0, 1): -1}], 2, None),
        ([], 2, None),
    ],
)
def test_macaulay_degrees(forms: list, n: int, degree: int | None) -> None:
    assert macaulay_degree(forms, n, P, 2 * n + 1, 1000) == degree
    if degree is not None:
        assert span_everything(forms, n, degree, P)
        assert not span_everything(forms, n, degree - 1, P)


def test_matrices_with_too_many_columns_are_not_built() -> None:
    squares = [{(i, i): 1} for i in range(3)]
    assert macaulay_degree(squares, 3, P, 4, 14) is None

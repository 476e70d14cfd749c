"""Exact, border or plateau, from paths of fading regularisation."""

from __future__ import annotations

import numpy as np
import pytest

from rankproof.numeric.degeneration import Evidence, Path, beginnings, follow
from rankproof.numeric.targets import objective
from rankproof.problem.parse import read_targets


def evidence(text, units, width, starts=8):
    f = objective(read_targets(text)[0], units, width)
    return follow(f, beginnings(f, 0, range(starts)))


@pytest.mark.parametrize(
    "text, units, width, verdict",
    [
        ("W(3)", "product", 1, "plateau"),
        ("W(3)", "product", 2, "border"),
        ("W(3)", "product", 3, "exact"),
        ("x**2*y", "tied", 2, "border"),
        ("x**2*y", "untied", 1, "exact"),
        ("matmul(2,2,2)", "product", 6, "plateau"),
        ("small_coppersmith_winograd(2)", "product", 4, "border"),
        ("W(4)", "product", 3, "border"),
        ("truncated_polynomials(3)", "product", 2, "plateau"),
        ("truncated_polynomials(3)", "product", 3, "border"),
        ("x**2*y + z**3", "tied", 3, "border"),
        ("x**2*y + z**3", "untied", 2, "exact"),
    ],
)
def test_verdicts_of_known_cases(text, units, width, verdict):
    assert evidence(text, units, width).verdict == verdict


def test_slopes_are_those_of_the_order_of_the_error():
    """For W the error is eps^2 and units grow like 1/eps: slopes 1/(2 + 1/3) and minus half of that."""
    found = evidence("W(3)", "product", 2)
    best = found.best
    assert best.residual_slope == pytest.approx(3 / 7, abs=0.03)
    assert best.term_slope == pytest.approx(-3 / 14, abs=0.03)
    assert best.exponent == pytest.approx(2, abs=0.2)


def test_residual_and_terms_are_in_balance_on_a_path_to_a_border():
    """2a + 2b/k = 1, for units of four vectors here: three times the form, and the weight."""
    best = evidence("x**2*y", "tied", 2).best
    assert 2 * best.residual_slope - 2 * best.term_slope / 4 == pytest.approx(1, abs=0.1)
    assert best.window.stop - best.window.start == 7


def test_beginnings_do_not_depend_on_each_other():
    f = objective(read_targets("x**3*y")[0], "tied", 2)
    assert np.array_equal(beginnings(f, 4, range(3))[2], beginnings(f, 4, range(6))[2])


def test_the_best_verdict_of_any_path_counts():
    def path(residual, verdict):
        return Path((1.0,), (residual,), (1.0,), slice(0, 1), 0.0, 0.0, verdict, np.zeros((1, 2)))

    plateau, border, better = (
        Evidence((path(*p),)) for p in ((0.5, "plateau"), (1e-3, "border"), (1e-4, "border"))
    )
    joined = plateau.joined(border).joined(better)
    assert (joined.verdict, joined.best.residuals, joined.agreeing) == ("border", (1e-4,), 2)
    assert plateau.joined(plateau).verdict == "plateau"


def test_a_path_on_a_plateau_is_left_early():
    found = evidence("W(3)", "product", 1, starts=2)
    assert all(len(path.ridges) == len(path.points) == 4 for path in found.paths)


def test_a_path_that_is_stopped_is_judged_by_what_was_seen():
    f = objective(read_targets("W(3)")[0], "product", 1)
    calls = iter(range(10**6))
    found = follow(f, beginnings(f, 0, range(2)), stop=lambda: next(calls) > 60)
    assert len(found.paths[0].ridges) == 2 and found.verdict == "plateau"

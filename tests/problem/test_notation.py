"""Sums of units in LaTeX: every unit once, signs in front, exponents as far as they are known."""

from __future__ import annotations

from fractions import Fraction

from rankproof.problem.decomposition import BorderFamily, Decomposition
from rankproof.problem.field import QQ, NumberField, number
from rankproof.problem.laurent import Laurent


def test_untied_mixed_and_split_units_show_which_form_is_raised() -> None:
    def shown(model: str, *unit: tuple) -> str:
        return Decomposition.of(model, [unit])._repr_latex_()

    assert shown("untied", (1, 0), (0, 1), (1,)) == "$x_{1}^{d-1} x_{2}$"
    assert shown("mixed:2", (1, 0), (0, 1), (-3,)) == "$-3 x_{1}^{d-2} x_{2}^{2}$"
    assert shown("split", (1, 0), (0, 1), (1, 1), (1,)) == "$x_{1} x_{2} (x_{1} + x_{2})$"
    assert shown("tied", (1, 0), (1, Fraction(-1, 2))) == r"$(1, -\tfrac{1}{2}) x_{1}^{d}$"


def test_generators_and_eps_are_grouped() -> None:
    root = NumberField.sqrt(3, "a")
    field = number(root)
    a = root.generator()
    assert (
        Decomposition.of("tied", [[(1, 1 + a), (a,)]], field)._repr_latex_()
        == "$a (x_{1} + (1 + a) x_{2})^{d}$"
    )
    eps = Laurent.power(1)
    family = BorderFamily("tied", QQ, 1, (((1, eps), (Laurent.power(-2),)), ((1, 0), (-1,))))
    assert family._repr_latex_() == r"$\varepsilon^{-2} (x_{1} + \varepsilon x_{2})^{d} - x_{1}^{d}$"

"""The rules: each derives one claim about the target from its premises and its witness.

Adding one: a module here, its line in RULES, ``docs/rules/<name>.md`` with a complete proof, and files in
``tests/corpus``. A rule once released never changes its meaning.
"""

from __future__ import annotations

from . import (
    alder_strassen,
    apolar_form,
    apolar_length,
    binary,
    border_apolarity,
    border_family,
    conjugate_units,
    coprime_monomials,
    cover,
    decomposition,
    definite_apolar,
    division_algebra,
    dropped_slices,
    flattening,
    floor,
    hessian_at_a_zero,
    independent_combination,
    inertia,
    inertia_floor,
    koszul,
    kronecker_form,
    kruskal,
    landsberg_teitler,
    landsberg_teitler_twice,
    locus,
    nonzero,
    output_substitution,
    pencil,
    quadric,
    real_plane_cubic,
    real_solution,
    restriction,
    signature,
    size_floor,
    substitution,
    sum_of_parts,
    t_bound,
    tangent,
)
from .rule import Context, Rule

RULES: dict[str, Rule] = {
    "nonzero": nonzero.RULE,
    "decomposition": decomposition.RULE,
    "border-family": border_family.RULE,
    "real-solution": real_solution.RULE,
    "conjugate-units": conjugate_units.RULE,
    "apolar-form": apolar_form.RULE,
    "kronecker-form": kronecker_form.RULE,
    "flattening": flattening.RULE,
    "koszul": koszul.RULE,
    "quadric": quadric.RULE,
    "inertia": inertia.RULE,
    "hessian-at-a-zero": hessian_at_a_zero.RULE,
    "signature": signature.RULE,
    "locus": locus.RULE,
    "apolar-length": apolar_length.RULE,
    "definite-apolar": definite_apolar.RULE,
    "t-bound": t_bound.RULE,
    "landsberg-teitler": landsberg_teitler.RULE,
    "landsberg-teitler-twice": landsberg_teitler_twice.RULE,
    "tangent": tangent.RULE,
    "output-substitution": output_substitution.RULE,
    "independent-combination": independent_combination.RULE,
    "pencil": pencil.RULE,
    "alder-strassen": alder_strassen.RULE,
    "division-algebra": division_algebra.RULE,
    "dropped-slices": dropped_slices.RULE,
    "substitution": substitution.RULE,
    "binary": binary.RULE,
    "border-apolarity": border_apolarity.RULE,
    "cover": cover.RULE,
    "real-plane-cubic": real_plane_cubic.RULE,
    "kruskal": kruskal.RULE,
    "coprime-monomials": coprime_monomials.RULE,
}
# Two rules ask others about linear images of the target: those that rest on nothing but the target.
restriction.OTHERS.update(
    {name: rule for name, rule in RULES.items() if not rule.premises and not rule.theorems}
)
RULES.update({"restriction": restriction.RULE, "sum-of-parts": sum_of_parts.RULE})
# The floor of an image is not the floor of the target: no other rule asks these.
RULES.update({"floor": floor.RULE, "inertia-floor": inertia_floor.RULE, "size-floor": size_floor.RULE})

__all__ = ["RULES", "Context", "Rule"]

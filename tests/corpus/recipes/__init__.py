"""What is in the corpus: one module a rule, and one each for the reader, the target, the fields and the kernel."""

from __future__ import annotations

from . import (
    apolar_form,
    apolar_length,
    binary,
    border_apolarity,
    border_family,
    coprime_monomials,
    decomposition,
    definite_apolar,
    edges,
    fields,
    flattening,
    independent_combination,
    kernel,
    koszul,
    kronecker_form,
    landsberg_teitler,
    landsberg_teitler_twice,
    locus,
    nonzero,
    output_substitution,
    pencil,
    quadric,
    reader,
    restriction,
    signature,
    substitution,
    sum_of_parts,
    t_bound,
    tangent,
    target,
)
from .building import Case

CASES: list[Case] = [
    case
    for module in (
        reader,
        target,
        fields,
        kernel,
        nonzero,
        decomposition,
        border_family,
        apolar_form,
        flattening,
        koszul,
        kronecker_form,
        quadric,
        signature,
        locus,
        apolar_length,
        definite_apolar,
        t_bound,
        landsberg_teitler,
        landsberg_teitler_twice,
        independent_combination,
        substitution,
        tangent,
        output_substitution,
        pencil,
        binary,
        border_apolarity,
        coprime_monomials,
        restriction,
        sum_of_parts,
        edges,
    )
    for case in module.CASES
]

"""How: the tables of methods, cheapest first. What a method is stands in `rankproof.bounds.method`."""

from __future__ import annotations

from rankproof.bounds.lower import (
    apolar_length,
    binary,
    coprime_monomials,
    definite_apolar,
    flattening,
    independent_combination,
    koszul,
    landsberg_teitler,
    locus,
    nonzero,
    output_substitution,
    quadric,
    signature,
    t_bound,
    tangent,
)
from rankproof.bounds.method import Method
from rankproof.bounds.upper import (
    apolar_form,
    complex_monomials,
    detectors,
    essential_variables,
    exchange,
    factors,
    fibres,
    gaussian_spans,
    linear_factor,
    monomial_family,
    monomials,
    multilinear,
    orbits,
    permanents,
    plane_cubics,
    quadric_decomposition,
    spans,
    tangent_family,
)

LOWER: tuple[Method, ...] = (
    nonzero.METHOD,
    quadric.METHOD,
    flattening.METHOD,
    binary.METHOD,
    locus.METHOD,
    t_bound.METHOD,
    tangent.METHOD,
    output_substitution.METHOD,
    landsberg_teitler.METHOD,
    independent_combination.METHOD,
    signature.METHOD,
    apolar_length.METHOD,
    definite_apolar.METHOD,
    coprime_monomials.METHOD,
    koszul.METHOD,
)
UPPER: tuple[Method, ...] = (
    factors.METHOD,
    quadric_decomposition.METHOD,
    essential_variables.METHOD,
    monomials.METHOD,
    apolar_form.METHOD,
    complex_monomials.METHOD,
    permanents.METHOD,
    multilinear.METHOD,
    linear_factor.METHOD,
    plane_cubics.METHOD,
    orbits.METHOD,
    exchange.METHOD,
    fibres.METHOD,
    detectors.METHOD,
    spans.METHOD,
    gaussian_spans.METHOD,
    tangent_family.METHOD,
    monomial_family.METHOD,
)

__all__ = ["LOWER", "UPPER", "Method"]

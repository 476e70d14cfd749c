"""How: the tables of methods, cheapest first. What a method is stands in `rankproof.bounds.method`."""

from __future__ import annotations

from rankproof.bounds.lower import coprime_monomials, flattening, koszul, nonzero, quadric
from rankproof.bounds.method import Method
from rankproof.bounds.upper import (
    detectors,
    factors,
    fibres,
    monomial_family,
    monomials,
    quadric_decomposition,
    spans,
    tangent_family,
)

LOWER: tuple[Method, ...] = (
    nonzero.METHOD,
    quadric.METHOD,
    flattening.METHOD,
    coprime_monomials.METHOD,
    koszul.METHOD,
)
UPPER: tuple[Method, ...] = (
    factors.METHOD,
    quadric_decomposition.METHOD,
    monomials.METHOD,
    fibres.METHOD,
    detectors.METHOD,
    spans.METHOD,
    tangent_family.METHOD,
    monomial_family.METHOD,
)

__all__ = ["LOWER", "UPPER", "Method"]

"""What is in the corpus: one module a rule, and one each for the reader, the target, the fields and the kernel."""

from __future__ import annotations

from . import (
    border_family,
    coprime_monomials,
    decomposition,
    fields,
    flattening,
    kernel,
    koszul,
    nonzero,
    quadric,
    reader,
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
        flattening,
        koszul,
        quadric,
        coprime_monomials,
    )
    for case in module.CASES
]

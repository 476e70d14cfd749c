"""The rules: each derives one claim about the target from its premises and its witness.

Adding one: a module here, its line in RULES, ``docs/rules/<name>.md`` with a complete proof, and files in
``tests/corpus``. A rule once released never changes its meaning.
"""

from __future__ import annotations

from . import border_family, coprime_monomials, decomposition, flattening, koszul, nonzero, quadric
from .rule import Context, Rule

RULES: dict[str, Rule] = {
    "nonzero": nonzero.RULE,
    "decomposition": decomposition.RULE,
    "border-family": border_family.RULE,
    "flattening": flattening.RULE,
    "koszul": koszul.RULE,
    "quadric": quadric.RULE,
    "coprime-monomials": coprime_monomials.RULE,
}

__all__ = ["RULES", "Context", "Rule"]

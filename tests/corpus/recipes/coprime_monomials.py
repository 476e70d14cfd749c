"""Files of the rule ``coprime-monomials``."""

from __future__ import annotations

from .building import (
    Json,
    certificate,
    changed,
    conditional,
    form,
    forms,
    number_field,
    reject,
    step,
    tensor,
    unreadable,
)

CLAIM = "/steps/0/claim"


def one(target: Json, rank: int, fields: list[Json] | None = None) -> dict[str, Json]:
    """A certificate of the rule's bound."""
    return certificate(
        target,
        [step("coprime-monomials", f"tied rank CC >= {rank}")],
        [f"tied rank CC {rank}..", f"tied rank RR {rank}.."] if not fields else [f"tied rank CC {rank}.."],
        fields or (),
    )


X2Y = one(form("xy", {"xxy": 1}), 3)
TWO = one(form("uvwxyz", {"uvw": 1, "xyz": -2}), 8)

CASES = [
    conditional("coprime-monomials", "x2y", X2Y),
    conditional("coprime-monomials", "xyz-and-uvw", TWO),
    conditional("coprime-monomials", "a-pure-power", one(form("xyz", {"xxxx": "1/3", "yyzz": 1}), 4)),
    conditional("coprime-monomials", "three-exponents", one(form("xyz", {"xyyzzz": 1}), 12)),
    conditional("coprime-monomials", "quadric", one(form("wxyz", {"ww": 1, "xy": 1, "zz": 1}), 4)),
    conditional(
        "coprime-monomials",
        "number-field",
        one(form("xy", {"xxy": [0, 1]}, "QQ(a)"), 3, [number_field("a", 1, 1, 1)]),
    ),
    conditional(
        "coprime-monomials",
        "with-a-step-that-needs-no-theorem",
        certificate(
            form("xy", {"xxy": 1}),
            [
                step("flattening", "tied border_rank CC >= 2", orders=[1], prime=1048573),
                step("coprime-monomials", "tied rank CC >= 3"),
            ],
            ["tied rank CC 3..", "tied border_rank CC 2..", "untied rank QQ 1.."],
        ),
    ),
    reject("coprime-monomials", "one-more", changed(X2Y, f"{CLAIM}/value", 4), "claim-differs", CLAIM),
    reject(
        "coprime-monomials",
        "all-exponents-counted",
        changed(TWO, f"{CLAIM}/value", 16),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "coprime-monomials",
        "border-rank",
        # Cubes come arbitrarily close to x^2 y two at a time.
        changed(X2Y, f"{CLAIM}/quantity", "border_rank"),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "coprime-monomials",
        "rank-in-a-conclusion-on-border-rank",
        changed(X2Y, "/conclusion/0/quantity", "border_rank"),
        "conclusion-differs",
        "/conclusion/0/lower",
    ),
    reject(
        "coprime-monomials",
        "a-shared-variable",
        one(form("xyz", {"xxy": 1, "xzz": 1}), 6),
        "hypothesis",
        "/steps/0",
    ),
    reject(
        "coprime-monomials",
        "untied",
        changed(X2Y, f"{CLAIM}/units", "untied"),
        "hypothesis",
        "/steps/0",
    ),
    reject(
        "coprime-monomials", "a-linear-form", one(form("xy", {"x": 1, "y": 1}), 2), "hypothesis", "/steps/0"
    ),
    reject(
        "coprime-monomials",
        "two-forms",
        one(forms("xy", [{"xx": 1}, {"yy": 1}]), 2),
        "hypothesis",
        "/steps/0",
    ),
    reject(
        "coprime-monomials",
        "a-matrix",
        changed(one(tensor((2, 2), {(0, 0): 1, (1, 1): 1}), 2), f"{CLAIM}/units", "product"),
        "hypothesis",
        "/steps/0",
    ),
    reject("coprime-monomials", "over-rr", changed(X2Y, f"{CLAIM}/over", "RR"), "field", f"{CLAIM}/over"),
    reject("coprime-monomials", "over-gf5", changed(X2Y, f"{CLAIM}/over", "GF(5)"), "field", f"{CLAIM}/over"),
    reject(
        "coprime-monomials",
        "gf5-target",
        one(form("xy", {"xxy": 1}, "GF(5)"), 3),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        "coprime-monomials",
        "an-upper-bound",
        changed(X2Y, f"{CLAIM}/relation", "<="),
        "claim-differs",
        CLAIM,
    ),
    unreadable(
        "coprime-monomials",
        "a-witness",
        changed(X2Y, "/steps/0/witness/theorem", "Carlini-Catalisano-Geramita 2012"),
        "unknown-key",
        "/steps/0/witness/theorem",
    ),
]

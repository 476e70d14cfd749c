"""Files of the rule ``nonzero``."""

from __future__ import annotations

from .building import (
    accept,
    certificate,
    changed,
    form,
    forms,
    named,
    number_field,
    reject,
    step,
    tensor,
    unreadable,
)

X2Y = certificate(
    form("xy", {"xxy": 1}),
    [step("nonzero", "tied border_rank CC >= 1")],
    ["tied rank CC 1..", "tied rank RR 1..", "tied border_rank QQ 1.."],
)
XY_MODULO_2 = certificate(
    form("xy", {"xy": 1}), [step("nonzero", "untied border_rank GF(2) >= 1")], ["untied rank GF(2) 1.."]
)
THREE_X2 = form("x", {"xx": 3})
A_THIRD = form("xy", {"xx": "1/3", "xy": 1})
OVER_GF5 = certificate(
    form("x", {"x": 2}, "GF(5)"), [step("nonzero", "tied border_rank GF(5) >= 1")], ["tied rank GF(5) 1.."]
)
ROOT_2 = number_field("a", -2, 0, 1)
OVER_ROOT_2 = certificate(
    form("xy", {"xx": [0, 1], "yy": 1}, "QQ(a)"),
    [step("nonzero", "untied border_rank CC >= 1")],
    ["untied rank QQ(a) 1..", "untied border_rank CC 1.."],
    [ROOT_2],
)

CASES = [
    accept("nonzero", "x2y", X2Y),
    accept("nonzero", "xy-modulo-2", XY_MODULO_2),
    accept("nonzero", "target-over-gf5", OVER_GF5),
    accept("nonzero", "target-over-a-number-field", OVER_ROOT_2),
    accept(
        "nonzero",
        "product-of-w-modulo-3",
        certificate(
            named("W", 3),
            [step("nonzero", "product border_rank GF(3) >= 1")],
            ["product rank GF(3) 1..", "product border_rank GF(3) 1.."],
        ),
    ),
    accept(
        "nonzero",
        "split-map",
        certificate(
            forms("xy", [{"xx": 1, "yy": -1}, {"xy": 2}]),
            [step("nonzero", "split border_rank CC >= 1")],
            ["split rank CC 1..", "untied rank QQ 1..", "mixed:1 rank RR 1..", "tied border_rank CC 1.."],
        ),
    ),
    reject(
        "nonzero",
        "more-than-one",
        changed(X2Y, "/steps/0/claim/value", 2),
        "claim-differs",
        "/steps/0/claim",
    ),
    reject(
        "nonzero", "less-than-one", changed(X2Y, "/steps/0/claim/value", 0), "claim-differs", "/steps/0/claim"
    ),
    reject(
        "nonzero",
        "an-upper-bound",
        changed(X2Y, "/steps/0/claim/relation", "<="),
        "claim-differs",
        "/steps/0/claim",
    ),
    reject(
        "nonzero",
        "rank-instead-of-border-rank",
        changed(X2Y, "/steps/0/claim/quantity", "rank"),
        "claim-differs",
        "/steps/0/claim",
    ),
    reject(
        "nonzero",
        "over-rr",
        changed(X2Y, "/steps/0/claim/over", "RR"),
        "field",
        "/steps/0/claim/over",
    ),
    reject(
        "nonzero",
        "over-qq",
        changed(X2Y, "/steps/0/claim/over", "QQ"),
        "field",
        "/steps/0/claim/over",
    ),
    reject(
        "nonzero",
        "gf5-target-over-gf7",
        changed(OVER_GF5, "/steps/0/claim/over", "GF(7)"),
        "field",
        "/steps/0/claim/over",
    ),
    reject(
        "nonzero",
        "gf5-target-over-cc",
        changed(OVER_GF5, "/steps/0/claim/over", "CC"),
        "field",
        "/steps/0/claim/over",
    ),
    reject(
        "nonzero",
        "number-field-target-over-gf7",
        changed(OVER_ROOT_2, "/steps/0/claim/over", "GF(7)"),
        "field",
        "/steps/0/claim/over",
    ),
    reject(
        "nonzero",
        "vanishes-modulo-3",
        certificate(
            THREE_X2, [step("nonzero", "tied border_rank GF(3) >= 1")], ["tied border_rank GF(3) 1.."]
        ),
        "target-vanishes",
        "/target",
    ),
    reject(
        "nonzero",
        "three-in-a-denominator",
        certificate(
            A_THIRD, [step("nonzero", "tied border_rank GF(3) >= 1")], ["tied border_rank GF(3) 1.."]
        ),
        "denominator",
        "/target",
    ),
    unreadable(
        "nonzero",
        "a-witness",
        changed(X2Y, "/steps/0/witness/prime", 7),
        "unknown-key",
        "/steps/0/witness/prime",
    ),
    unreadable(
        "nonzero", "witness-is-a-list", changed(X2Y, "/steps/0/witness", []), "wrong-type", "/steps/0/witness"
    ),
    accept(
        "nonzero",
        "matrix-as-map-and-tensor",
        certificate(
            tensor((2, 2), {(0, 0): 1, (1, 1): 1}),
            [
                step("nonzero", "product border_rank CC >= 1"),
                step("nonzero", "split border_rank CC >= 1"),
            ],
            ["product rank CC 1..", "tied rank CC 1.."],
        ),
    ),
]

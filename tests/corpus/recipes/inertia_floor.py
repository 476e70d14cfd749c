"""Files of the rule ``inertia-floor``."""

from __future__ import annotations

from .building import (
    Json,
    accept,
    certificate,
    changed,
    form,
    forms,
    number_field,
    reject,
    step,
    unreadable,
    without,
)

DIAGONAL = form("xyz", {"xx": 3, "yy": 2, "zz": -1})
PRODUCT = form("xyz", {"xy": "2/3", "zz": 1})
"""Eigenvalues 1, 1/3, -1/3."""
CLAIM = "/steps/0/claim"
WITNESS = "/steps/0/witness"


def level(threshold: Json, *order: Json) -> Json:
    return {"threshold": threshold, "order": list(order or (0, 1, 2))}


def one(
    target: Json, claim: str, above: list[Json], below: list[Json], bits: Json = 16, **more: Json
) -> dict[str, Json]:
    """A certificate of one step, with its own claim as the conclusion."""
    units, quantity, over, _, value = claim.split()
    witness = {"above": above, "below": below, "bits": bits}
    return certificate(
        target, [step("inertia-floor", claim, **witness)], [f"{units} {quantity} {over} {value}.."], **more
    )


# 14 - (31/10)^2 - (11/10)^2; the truth is 4.
UNTIED = one(DIAGONAL, "untied frobenius@1 RR >= 159/50", [level("31/10")], [level("11/10")])
HIGHER = [level(4, 2, 0, 1), level("5/2"), level("1/2")]

CASES = [
    accept("inertia-floor", "untied", UNTIED),
    accept(
        "inertia-floor",
        "gaussian",
        one(DIAGONAL, "split gaussian@1 RR >= 159/25", [level("31/10")], [level("11/10")]),
    ),
    accept(
        "inertia-floor",
        "scaled",
        one(DIAGONAL, "untied gaussian@1*1/2 RR >= 159/100", [level("31/10")], [level("11/10")]),
    ),
    accept(
        "inertia-floor",
        "sphere",
        one(DIAGONAL, "untied sphere@1 RR >= 53/125", [level("31/10")], [level("11/10")]),
    ),
    # 14 - (31/10)^2
    accept(
        "inertia-floor",
        "tied",
        one(DIAGONAL, "tied frobenius@1 RR >= 439/100", [level("31/10")], [level("11/10")]),
    ),
    # The second largest square is that of 21/10, not of 11/10: 14 - 9.61 - 4.41 < 0
    accept(
        "inertia-floor",
        "tied-2",
        one(DIAGONAL, "tied frobenius@2 RR >= 0", [level("31/10"), level("21/10")], [level("11/10")]),
    ),
    accept(
        "inertia-floor",
        "tied-2-with-nearer-thresholds",
        one(
            DIAGONAL,
            "tied frobenius@2 RR >= 819/1000",
            [level("301/100"), level("203/100")],
            [level("11/10")],
        ),
    ),
    accept(
        "inertia-floor",
        "several-thresholds",
        # Two eigenvalues are below 4 and 5/2; of -S one is below 11/10 and the next below 1/2.
        one(DIAGONAL, "untied frobenius@2 RR >= 0", HIGHER, [level("11/10"), level("1/2")]),
    ),
    accept("inertia-floor", "no-units", one(DIAGONAL, "untied frobenius@0 RR >= 14", [level(9)], [level(9)])),
    accept(
        "inertia-floor",
        "no-tied-units",
        one(PRODUCT, "tied frobenius@0 RR >= 11/9", [level(9)], [level(9)]),
    ),
    accept(
        "inertia-floor",
        "more-units-than-variables",
        one(DIAGONAL, "untied frobenius@7 RR >= 0", [level(9)], [level(9)]),
    ),
    # 11/9 - (11/10)^2 - (1/2)^2 < 0; with 101/100 and 17/50: 11/9 - 1.0201 - 0.1156
    accept(
        "inertia-floor",
        "products",
        one(PRODUCT, "untied frobenius@1 RR >= 7787/90000", [level("101/100")], [level("17/50")], 24),
    ),
    reject(
        "inertia-floor", "a-little-more", changed(UNTIED, f"{CLAIM}/value", "16/5"), "claim-differs", CLAIM
    ),
    reject(
        "inertia-floor",
        "tied-is-more-than-untied",
        changed(UNTIED, f"{CLAIM}/units", "tied"),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "inertia-floor",
        "the-largest-is-not-bounded",
        one(DIAGONAL, "untied frobenius@1 RR >= 159/50", [level("5/2")], [level("11/10")]),
        "hypothesis",
        f"{WITNESS}/above",
    ),
    reject(
        "inertia-floor",
        "the-lowest-is-not-bounded",
        one(DIAGONAL, "untied frobenius@1 RR >= 159/50", [level("31/10")], [level("1/2")]),
        "hypothesis",
        f"{WITNESS}/below",
    ),
    reject(
        "inertia-floor",
        "a-threshold-that-is-an-eigenvalue",
        one(DIAGONAL, "untied frobenius@1 RR >= 159/50", [level(3)], [level("11/10")]),
        "not-dominant",
        f"{WITNESS}/above/0/order/0",
    ),
    reject(
        "inertia-floor",
        "the-same-below",
        one(DIAGONAL, "untied frobenius@1 RR >= 159/50", [level("31/10")], [level(2), level(1, 1, 2, 0)]),
        "not-dominant",
        f"{WITNESS}/below/1/order/1",
    ),
    reject(
        "inertia-floor",
        "a-width",
        one(DIAGONAL, "untied rank RR >= 2", [level("31/10")], [level("11/10")]),
        "quantity",
        f"{CLAIM}/quantity",
    ),
    reject(
        "inertia-floor",
        "over-cc",
        one(DIAGONAL, "untied frobenius@1 CC >= 159/50", [level("31/10")], [level("11/10")]),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        "inertia-floor",
        "over-a-number-field",
        one(
            form("xyz", {"xx": 3, "yy": [0, 1], "zz": -1}, "QQ(a)"),
            "untied frobenius@1 RR >= 159/50",
            [level("31/10")],
            [level("11/10")],
            number_fields=[number_field("a", -2, 0, 1, root=[1, 2])],
        ),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        "inertia-floor",
        "uniform",
        one(DIAGONAL, "untied uniform@1 RR >= 1", [level("31/10")], [level("11/10")]),
        "hypothesis",
        "/steps/0",
    ),
    reject(
        "inertia-floor",
        "a-cubic",
        one(
            form("xyz", {"xxx": 3, "yyz": 1}),
            "untied frobenius@1 RR >= 1",
            [level("31/10")],
            [level("11/10")],
        ),
        "hypothesis",
        "/steps/0",
    ),
    reject(
        "inertia-floor",
        "two-outputs",
        one(
            forms("xyz", [{"xx": 3}, {"yz": 1}]),
            "untied frobenius@1 RR >= 1",
            [level("31/10")],
            [level("11/10")],
        ),
        "hypothesis",
        "/steps/0",
    ),
    unreadable(
        "inertia-floor",
        "nothing-below",
        changed(UNTIED, f"{WITNESS}/below", []),
        "empty-list",
        f"{WITNESS}/below",
    ),
    unreadable(
        "inertia-floor",
        "a-threshold-of-0",
        changed(UNTIED, f"{WITNESS}/above/0/threshold", 0),
        "out-of-range",
        f"{WITNESS}/above/0/threshold",
    ),
    unreadable(
        "inertia-floor",
        "some-of-the-variables",
        changed(UNTIED, f"{WITNESS}/above/0/order", [0, 1]),
        "wrong-length",
        f"{WITNESS}/above/0/order",
    ),
    unreadable(
        "inertia-floor",
        "too-many-variables",
        changed(UNTIED, f"{WITNESS}/above/0/order", [0, 1, 2, 0]),
        "wrong-length",
        f"{WITNESS}/above/0/order",
    ),
    unreadable(
        "inertia-floor",
        "twice",
        changed(UNTIED, f"{WITNESS}/above/0/order", [0, 1, 1]),
        "repeated",
        f"{WITNESS}/above/0/order",
    ),
    unreadable(
        "inertia-floor",
        "no-such-variable",
        changed(UNTIED, f"{WITNESS}/above/0/order/1", 3),
        "out-of-range",
        f"{WITNESS}/above/0/order/1",
    ),
    unreadable(
        "inertia-floor", "few-bits", changed(UNTIED, f"{WITNESS}/bits", 7), "out-of-range", f"{WITNESS}/bits"
    ),
    unreadable(
        "inertia-floor",
        "many-bits",
        changed(UNTIED, f"{WITNESS}/bits", 1025),
        "out-of-range",
        f"{WITNESS}/bits",
    ),
    unreadable(
        "inertia-floor",
        "no-order",
        without(UNTIED, f"{WITNESS}/above/0/order"),
        "missing-key",
        f"{WITNESS}/above/0",
    ),
]

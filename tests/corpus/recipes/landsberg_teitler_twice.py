"""Files of the rule ``landsberg-teitler-twice``."""

from __future__ import annotations

from .building import (
    Json,
    accept,
    certificate,
    changed,
    form,
    forms,
    named,
    reject,
    step,
    unreadable,
    without,
)

RULE = "landsberg-teitler-twice"
STEP = "/steps/0"
CLAIM = f"{STEP}/claim"
WITNESS = f"{STEP}/witness"
FAMILIES = f"{WITNESS}/families"
P = 1048573


def one(target: Json, claim: str, order: int, *families: Json, **more: Json) -> dict[str, Json]:
    """A certificate of one step, with its own claim as the conclusion."""
    units, quantity, over, _, value = claim.split()
    witness = {"order": order, "families": list(families), "prime": P, **more}
    return certificate(target, [step(RULE, claim, **witness)], [f"{units} {quantity} {over} {value}.."])


def plane(n: int, *places: int) -> Json:
    """The family of all points with these coordinates only."""
    forms_ = [[[[places.index(i)], 1]] if i in places else [] for i in range(n)]
    return {"parameters": len(places), "degree": 1, "family": forms_, "point": [0] * len(places)}


RANK_ONE: Json = {
    "parameters": 8,
    "degree": 2,
    "family": [[[[i, 4 + j], 1]] for i in range(4) for j in range(4)],
    "point": [1, 0, 0, 0, 1, 0, 0, 0],
}
E_4_5 = one(named("elementary", 4, 5), "tied rank CC >= 12", 2, plane(5, 0))
COPRIME = one(form("stuvwxyz", {"stuv": 1, "wxyz": 1}), "tied rank CC >= 16", 2, plane(8, 0, 4))
# x^2 y: the points (0 : 1) have p^2 o F = 0, and no point has p o F = 0.
CUSP = form("xy", {"xxy": 1})
UNTIED = one(form("xy", {"xxyyyy": 1}), "untied rank CC >= 3", 3, plane(2, 0), macaulay=2)

ACCEPTED = [
    accept(RULE, "elementary-4-5", E_4_5),
    accept(RULE, "elementary-4-6", one(named("elementary", 4, 6), "tied rank CC >= 17", 2, plane(6, 3))),
    accept(RULE, "coprime-quartics", COPRIME),
    accept(RULE, "det-4", one(named("det", 4), "tied rank CC >= 50", 2, RANK_ONE)),
    accept(RULE, "x2y4-untied", UNTIED),
    accept(
        RULE,
        "x3y5-mixed-2",
        one(form("xy", {"xxxyyyyy": 1}), "mixed:2 rank CC >= 2", 4, plane(2, 0), macaulay=3),
    ),
    accept(
        RULE,
        "two-families",
        one(form("xyz", {"xyyyzzz": 1}), "tied rank CC >= 9", 4, plane(3, 0), plane(3, 1)),
    ),
    accept(
        RULE,
        "families-of-different-dimensions",
        one(form("xyz", {"xyyzzzz": 1}), "tied rank CC >= 9", 3, plane(3, 0, 1), plane(3, 1)),
    ),
]

REJECTED = [
    reject(RULE, "elementary-4-5-thirteen", changed(E_4_5, f"{CLAIM}/value", 13), "claim-differs", CLAIM),
    reject(
        RULE,
        "one-family-for-two-orders",
        # With the cone of x counted for the derivatives of order 2 and of order 1, x^2 y would need four cubes.
        one(CUSP, "tied rank CC >= 4", 1, plane(2, 1)),
        "hypothesis",
        FAMILIES,
    ),
    reject(
        RULE,
        "second-family-outside",
        one(CUSP, "tied rank CC >= 4", 1, plane(2, 1), plane(2, 1)),
        "not-in-locus",
        f"{FAMILIES}/1/family",
    ),
    reject(
        RULE,
        "first-family-outside",
        one(CUSP, "tied rank CC >= 4", 2, plane(2, 1), plane(2, 1)),
        "not-in-locus",
        f"{FAMILIES}/0/family",
    ),
    reject(
        RULE,
        "a-plane-that-is-too-large",
        changed(COPRIME, f"{FAMILIES}/0", plane(8, 0, 1)),
        "not-in-locus",
        f"{FAMILIES}/0/family",
    ),
    reject(
        RULE,
        "border-rank",
        # x y z w + ...: the bound is one for exact sums.
        changed(E_4_5, f"{CLAIM}/quantity", "border_rank"),
        "claim-differs",
        CLAIM,
    ),
    reject(
        RULE,
        "not-concise",
        # x^4 in two variables is one fourth power.
        one(form("xy", {"xxxx": 1}), "tied rank CC >= 3", 2, plane(2, 1)),
        "hypothesis",
        STEP,
    ),
    reject(
        RULE,
        "untied-without-the-macaulay-check",
        without(UNTIED, f"{WITNESS}/macaulay"),
        "hypothesis",
        WITNESS,
    ),
    reject(
        RULE,
        "untied-with-a-double-point",
        # x^5 y is one untied unit: X^2 kills it in the other variable.
        one(form("xy", {"xxxxxy": 1}), "untied rank CC >= 2", 3, plane(2, 1), macaulay=2),
        "common-zero",
        f"{WITNESS}/macaulay",
    ),
    reject(
        RULE, "order-4-of-a-quartic", changed(E_4_5, f"{WITNESS}/order", 4), "hypothesis", f"{WITNESS}/order"
    ),
    reject(RULE, "over-rr", changed(E_4_5, f"{CLAIM}/over", "RR"), "field", f"{CLAIM}/over"),
    reject(
        RULE,
        "two-outputs",
        one(forms("xy", [{"xxyy": 1}, {"xyyy": 1}]), "tied rank CC >= 3", 2, plane(2, 0)),
        "hypothesis",
        STEP,
    ),
    reject(
        RULE,
        "derivative-zero-at-the-point",
        changed(
            E_4_5,
            f"{FAMILIES}/0",
            {"parameters": 1, "degree": 2, "family": [[[[0, 0], 1]], [], [], [], []], "point": [0]},
        ),
        "degenerate-point",
        f"{FAMILIES}/0/point",
    ),
]

UNREADABLE = [
    unreadable(RULE, "no-families", changed(E_4_5, FAMILIES, []), "empty-list", FAMILIES),
    unreadable(RULE, "three-families", changed(E_4_5, FAMILIES, [plane(5, 0)] * 3), "wrong-length", FAMILIES),
    unreadable(
        RULE, "family-without-a-point", without(E_4_5, f"{FAMILIES}/0/point"), "missing-key", f"{FAMILIES}/0"
    ),
    unreadable(RULE, "no-prime", without(E_4_5, f"{WITNESS}/prime"), "missing-key", WITNESS),
    unreadable(RULE, "order-0", changed(E_4_5, f"{WITNESS}/order", 0), "out-of-range", f"{WITNESS}/order"),
]

CASES = ACCEPTED + REJECTED + UNREADABLE

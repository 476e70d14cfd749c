"""Files of the rule ``t-bound``."""

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
    tensor,
    unreadable,
    without,
)

STEP = "/steps/0"
CLAIM = f"{STEP}/claim"
WITNESS = f"{STEP}/witness"


def one(
    target: Json, claim: str, operator: Json, degree: int = 1, fields: list[Json] | None = None, **more: Json
) -> dict[str, Json]:
    """A certificate of one step, with its own claim as the conclusion."""
    units, quantity, over, _, value = claim.split()
    witness = {"degree": degree, "form": operator, **more}
    return certificate(
        target, [step("t-bound", claim, **witness)], [f"{units} {quantity} {over} {value}.."], fields or ()
    )


def variable(i: int) -> Json:
    """The operator X_i."""
    return [[[i], 1]]


XYZ = form("xyz", {"xyz": 1})
SQUARES = form("xyz", {"xxyyzz": 1})
CUSP = form("xy", {"xxy": 1})
TIED = one(XYZ, "tied rank CC >= 4", variable(0))
TWISTED = form("xyz", {"xyy": 1, "xzz": [0, 1]}, "QQ(a)")

ACCEPTED = [
    accept("t-bound", "xyz-tied", TIED),
    accept("t-bound", "x2y2z2-tied", one(SQUARES, "tied rank CC >= 9", variable(0))),
    accept("t-bound", "x2y2z2-untied", one(SQUARES, "untied rank CC >= 5", variable(0))),
    accept("t-bound", "x4y2-untied", one(form("xy", {"xxxxyy": 1}), "untied rank CC >= 3", variable(1))),
    accept("t-bound", "x2y-tied", one(CUSP, "tied rank CC >= 3", variable(1))),
    accept("t-bound", "x4y3-mixed-2", one(form("xy", {"xxxxyyy": 1}), "mixed:2 rank CC >= 2", variable(1))),
    accept(
        "t-bound",
        "two-outputs",
        # Z o T = (y^2, x y): 1 + 2 + 2, and Z^2 o T = 0.
        one(forms("xyz", [{"yyz": 1}, {"xyz": 1}]), "tied rank CC >= 5", variable(2)),
    ),
    accept(
        "t-bound",
        "operator-of-degree-2",
        # X Y o F = z w: 4, and the square kills: 4 / 2.
        one(form("wxyz", {"wxyz": 1}), "tied rank CC >= 2", [[[1, 2], 1]], 2),
    ),
    accept(
        "t-bound",
        "over-root-2",
        one(TWISTED, "tied rank CC >= 4", variable(0), fields=[number_field("a", -2, 0, 1)]),
    ),
]

REJECTED = [
    reject(
        "t-bound",
        "x2y-untied-with-the-exponents-of-tied-units",
        # x^2 y is one untied unit; dim A of Y o F less dim A of Y^2 o F is 3, and 3 / 2 would be 2 units.
        one(CUSP, "untied rank CC >= 2", variable(1)),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "t-bound",
        "border-rank",
        # x^2 y has border rank 2.
        one(CUSP, "tied border_rank CC >= 3", variable(1)),
        "claim-differs",
        CLAIM,
    ),
    reject("t-bound", "xyz-tied-five", changed(TIED, f"{CLAIM}/value", 5), "claim-differs", CLAIM),
    reject(
        "t-bound",
        "summed-over-summands",
        # X + U on x y z + u v w: 6, not 4 + 4.
        one(form("uvwxyz", {"uvw": 1, "xyz": 1}), "tied rank CC >= 8", [[[0], 1], [[3], 1]]),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "t-bound",
        "degree-not-divided-by",
        one(form("wxyz", {"wxyz": 1}), "tied rank CC >= 4", [[[1, 2], 1]], 2),
        "claim-differs",
        CLAIM,
    ),
    reject("t-bound", "split-units", changed(TIED, f"{CLAIM}/units", "split"), "hypothesis", STEP),
    reject("t-bound", "over-rr", changed(TIED, f"{CLAIM}/over", "RR"), "field", f"{CLAIM}/over"),
    reject(
        "t-bound",
        "finite-field",
        one(form("xyz", {"xyz": 1}, "GF(7)"), "tied rank GF(7) >= 4", variable(0)),
        "field",
        f"{CLAIM}/over",
    ),
]

UNREADABLE = [
    unreadable(
        "t-bound",
        "product-units",
        certificate(
            tensor((2, 2), {(0, 0): 1, (1, 1): 1}),
            [step("t-bound", "product rank CC >= 2", degree=1, form=variable(0))],
            ["product rank CC 2.."],
        ),
        "units-do-not-fit",
        f"{CLAIM}/units",
    ),
    unreadable(
        "t-bound", "degree-0", changed(TIED, f"{WITNESS}/degree", 0), "out-of-range", f"{WITNESS}/degree"
    ),
    unreadable(
        "t-bound", "degree-65", changed(TIED, f"{WITNESS}/degree", 65), "out-of-range", f"{WITNESS}/degree"
    ),
    unreadable(
        "t-bound", "degree-2", changed(TIED, f"{WITNESS}/degree", 2), "wrong-length", f"{WITNESS}/form/0/0"
    ),
    unreadable(
        "t-bound", "zero-operator", changed(TIED, f"{WITNESS}/form", []), "empty-list", f"{WITNESS}/form"
    ),
    unreadable("t-bound", "no-operator", without(TIED, f"{WITNESS}/form"), "missing-key", WITNESS),
    unreadable(
        "t-bound", "a-length", changed(TIED, f"{WITNESS}/length", 1), "unknown-key", f"{WITNESS}/length"
    ),
]

CASES = ACCEPTED + REJECTED + UNREADABLE

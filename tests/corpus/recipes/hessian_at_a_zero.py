"""Files of the rule ``hessian-at-a-zero``."""

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

RULE = "hessian-at-a-zero"
STEP = "/steps/0"
CLAIM = f"{STEP}/claim"
WITNESS = f"{STEP}/witness"


def one(
    target: Json,
    point: list[int],
    prime: int,
    over: str = "CC",
    fields: list[Json] | None = None,
    **more: Json,
) -> dict[str, Json]:
    """A certificate of one step, with its own claim as the conclusion."""
    claim = f"split border_rank {over} >= 2"
    return certificate(
        target,
        [step(RULE, claim, point=point, prime=prime, **more)],
        [f"split border_rank {over} 2.."],
        fields or (),
    )


# 1 + 8 + 5^3 = 134 = 2 * 67.
FERMAT = one(form("xyz", {"xxx": 1, "yyy": 1, "zzz": 1}), [1, 2, 5], 67)
# x (x^2 + y^2 + z^2) at (1, 2, 3): 1 + 4 + 9 = 14.
LINE_AND_CONIC = one(form("xyz", {"xxx": 1, "xyy": 1, "xzz": 1}), [1, 2, 3], 7)
PRODUCT = form("xyz", {"xyz": 1})
ROOT_2 = number_field("a", -2, 0, 1)

ACCEPTED = [
    accept(RULE, "fermat-cubic", FERMAT),
    accept(RULE, "line-and-conic", LINE_AND_CONIC),
    accept(
        RULE,
        "over-a-finite-field",
        one(form("xyz", {"xxx": 1, "yyy": 1, "zzz": 1}, "GF(67)"), [1, 2, 5], 67, "GF(67)"),
    ),
    accept(
        RULE,
        "over-root-2",
        # a = 3 modulo 7: x (x^2 + y^2 + 3 z^2) at (1, 0, 3): 1 + 27 = 28.
        one(form("xyz", {"xxx": 1, "xyy": 1, "xzz": [0, 1]}, "QQ(a)"), [1, 0, 3], 7, fields=[ROOT_2], root=3),
    ),
    accept(
        RULE, "four-variables", one(form("wxyz", {"www": 1, "xxx": 1, "yyy": 1, "zzz": 1}), [1, 1, 2, 1], 11)
    ),
]

REJECTED = [
    reject(
        RULE,
        "three-lines",
        # x y z is one split unit: at a zero of x alone the rank is 2.
        one(PRODUCT, [0, 1, 1], 7),
        "rank",
        f"{WITNESS}/point",
    ),
    reject(
        RULE,
        "three-lines-off-their-zeros",
        # At (1, 1, 1) the second derivatives of x y z have rank 3, but it is no zero.
        one(PRODUCT, [1, 1, 1], 7),
        "not-a-zero",
        f"{WITNESS}/point",
    ),
    reject(
        RULE,
        "fermat-at-a-flex",
        one(form("xyz", {"xxx": 1, "yyy": 1, "zzz": 1}), [1, 6, 0], 7),
        "rank",
        f"{WITNESS}/point",
    ),
    reject(RULE, "three-units", changed(FERMAT, f"{CLAIM}/value", 3), "claim-differs", CLAIM),
    reject(
        RULE,
        "a-map",
        one(forms("xyz", [{"xyz": 1}, {"xxx": 1}]), [0, 1, 1], 7),
        "hypothesis",
        STEP,
    ),
    reject(RULE, "over-rr", changed(FERMAT, f"{CLAIM}/over", "RR"), "field", f"{CLAIM}/over"),
    reject(
        RULE, "another-finite-field", changed(FERMAT, f"{CLAIM}/over", "GF(7)"), "prime", f"{WITNESS}/prime"
    ),
    reject(
        RULE,
        "prime-in-a-denominator",
        one(form("xyz", {"xxx": "1/7", "yyy": 1, "zzz": 1}), [1, 2, 3], 7),
        "denominator",
        f"{WITNESS}/prime",
    ),
]

UNREADABLE = [
    unreadable(RULE, name, file, code, pointer)
    for name, file, code, pointer in [
        ("tied-units", changed(FERMAT, f"{CLAIM}/units", "tied"), "units-do-not-fit", f"{CLAIM}/units"),
        ("short-point", changed(FERMAT, f"{WITNESS}/point", [1, 2]), "wrong-length", f"{WITNESS}/point"),
        ("long-point", changed(FERMAT, f"{WITNESS}/point", [1, 2, 5, 0]), "wrong-length", f"{WITNESS}/point"),
        ("coordinate-67", changed(FERMAT, f"{WITNESS}/point/0", 67), "out-of-range", f"{WITNESS}/point/0"),
        (
            "negative-coordinate",
            changed(FERMAT, f"{WITNESS}/point/0", -1),
            "out-of-range",
            f"{WITNESS}/point/0",
        ),
        ("modulus-65", changed(FERMAT, f"{WITNESS}/prime", 65), "not-prime", f"{WITNESS}/prime"),
        ("no-point", without(FERMAT, f"{WITNESS}/point"), "missing-key", WITNESS),
    ]
]

CASES = ACCEPTED + REJECTED + UNREADABLE

"""Files of the rule ``real-plane-cubic``."""

from __future__ import annotations

from .building import (
    Json,
    accept,
    certificate,
    changed,
    form,
    number_field,
    reject,
    step,
    unreadable,
    without,
)

RULE = "real-plane-cubic"
STEP = "/steps/0"
CLAIM = f"{STEP}/claim"
WITNESS = f"{STEP}/witness"


def op(**terms: Json) -> Json:
    """An operator; ``op(xx=1, yz=2)`` is X^2 + 2YZ."""
    return sorted([sorted("xyz".index(c) for c in word), x] for word, x in terms.items())


def one(target: Json, fields: list[Json] | None = None, **witness: Json) -> dict[str, Json]:
    """A certificate of one step."""
    witness = {"macaulay": 2, "prime": 1048573, **witness}
    return certificate(
        target, [step(RULE, "tied rank RR >= 5", **witness)], ["tied rank RR 5.."], fields or ()
    )


PAIR = one(
    form("xyz", {"xyy": 1, "xzz": 1}),
    operators=[op(xx=1), op(yz=1), op(yy=1, zz=-1)],
    linear=op(x=-4),
    quadric=op(yy=1, zz=1),
    positive=op(xx=1),
)
CONE = one(
    form("xyz", {"xxx": 1, "xyy": -1, "xzz": -1}),
    operators=[op(xx=1, yy=3), op(xx=1, zz=3), op(yz=1)],
    linear=op(x=-12),
    quadric=op(yy=1, zz=1),
    positive=op(xx=2, yy=3, zz=3),
)

ACCEPTED = [
    accept(RULE, "line-and-two-conjugate-lines", PAIR),
    accept(RULE, "line-and-cone", CONE),
    accept(RULE, "semidefinite-operator", changed(CONE, f"{WITNESS}/positive", op(xx=2, yy=3, yz=6, zz=3))),
]

REJECTED = [
    reject(RULE, "six-cubes", changed(PAIR, f"{CLAIM}/value", 6), "claim-differs", CLAIM),
    reject(RULE, "border-rank", changed(PAIR, f"{CLAIM}/quantity", "border_rank"), "claim-differs", CLAIM),
    reject(
        RULE,
        "over-cc",
        # Over CC both are x y z, or like it: sums of four cubes.
        changed(PAIR, f"{CLAIM}/over", "CC"),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        RULE,
        "four-cubes-with-a-square-as-a-derivative",
        # x^3 + (y^3 - 3 y z^2) is a sum of one and three real cubes; its derivative by X is 3 x^2.
        one(
            form("xyz", {"xxx": 1, "yyy": 1, "yzz": -3}),
            operators=[op(xy=1), op(xz=1), op(yy=1, zz=1)],
            linear=op(x=-2),
            quadric=op(yy=1, zz=1),
            positive=op(yy=1, zz=1),
        ),
        "common-zero",
        f"{WITNESS}/macaulay",
    ),
    reject(
        RULE,
        "four-cubes-without-a-definite-operator",
        # x (x^2 + y^2 + z^2) is a sum of four real cubes.
        one(
            form("xyz", {"xxx": 1, "xyy": 1, "xzz": 1}),
            operators=[op(xx=1, yy=-3), op(xx=1, zz=-3), op(yz=1)],
            linear=op(x=12),
            quadric=op(yy=1, zz=1),
            positive=op(xx=2, yy=-3, zz=-3),
        ),
        "not-definite",
        f"{WITNESS}/positive",
    ),
    reject(
        RULE,
        "three-lines",
        # x y z: the Jacobian determinant is 8 X Y Z, and Y Z has both signs.
        one(
            form("xyz", {"xyz": 1}),
            operators=[op(xx=1), op(yy=1), op(zz=1)],
            linear=op(x=8),
            quadric=op(yz=1),
            positive=op(xx=1),
        ),
        "not-definite",
        f"{WITNESS}/quadric",
    ),
    reject(
        RULE,
        "a-third-operator-that-does-not-kill",
        changed(PAIR, f"{WITNESS}/operators/2", op(yy=1, zz=1)),
        "not-apolar",
        f"{WITNESS}/operators",
    ),
    reject(
        RULE,
        "a-definite-operator-that-does-not-kill",
        changed(PAIR, f"{WITNESS}/positive", op(xx=1, yy=1, zz=1)),
        "not-apolar",
        f"{WITNESS}/positive",
    ),
    reject(
        RULE,
        "dependent-operators",
        changed(PAIR, f"{WITNESS}/operators/2", op(xx=2)),
        "not-the-product",
        f"{WITNESS}/quadric",
    ),
    reject(
        RULE,
        "another-factor",
        changed(PAIR, f"{WITNESS}/linear", op(x=4)),
        "not-the-product",
        f"{WITNESS}/quadric",
    ),
    reject(
        RULE,
        "prime-in-a-denominator",
        one(
            form("xyz", {"xyy": "1/7", "xzz": "1/7"}),
            operators=[op(xx=1), op(yz=1), op(yy=1, zz=-1)],
            linear=op(x=-4),
            quadric=op(yy=1, zz=1),
            positive=op(xx=1),
            prime=7,
        ),
        "denominator",
        f"{WITNESS}/prime",
    ),
    reject(
        RULE,
        "coefficients-in-a-number-field",
        one(
            form("xyz", {"xyy": [0, 1], "xzz": [0, 1]}, "QQ(a)"),
            fields=[number_field("a", -2, 0, 1, root=[1, 2])],
            operators=[op(xx=1), op(yz=1), op(yy=1, zz=-1)],
            linear=op(x=-4),
            quadric=op(yy=1, zz=1),
            positive=op(xx=1),
        ),
        "field",
        f"{CLAIM}/over",
    ),
]

UNREADABLE = [
    unreadable(RULE, name, file, code, pointer)
    for name, file, code, pointer in [
        ("untied-units", changed(PAIR, f"{CLAIM}/units", "untied"), "units-do-not-fit", f"{CLAIM}/units"),
        (
            "four-variables",
            changed(PAIR, "/target", form("wxyz", {"xyy": 1, "xzz": 1, "www": 1})),
            "units-do-not-fit",
            f"{CLAIM}/units",
        ),
        ("two-operators", without(PAIR, f"{WITNESS}/operators/2"), "wrong-length", f"{WITNESS}/operators"),
        (
            "four-operators",
            changed(PAIR, f"{WITNESS}/operators/+", op(xx=1)),
            "wrong-length",
            f"{WITNESS}/operators",
        ),
        ("zero-operator", changed(PAIR, f"{WITNESS}/positive", []), "empty-list", f"{WITNESS}/positive"),
        (
            "quadric-of-degree-1",
            changed(PAIR, f"{WITNESS}/quadric", op(y=1)),
            "wrong-length",
            f"{WITNESS}/quadric/0/0",
        ),
        ("macaulay-degree-1", changed(PAIR, f"{WITNESS}/macaulay", 1), "out-of-range", f"{WITNESS}/macaulay"),
        ("modulus-9", changed(PAIR, f"{WITNESS}/prime", 9), "not-prime", f"{WITNESS}/prime"),
        ("no-prime", without(PAIR, f"{WITNESS}/prime"), "missing-key", WITNESS),
    ]
]

CASES = ACCEPTED + REJECTED + UNREADABLE

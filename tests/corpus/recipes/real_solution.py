"""Files of the rule ``real-solution``."""

from __future__ import annotations

from .building import (
    Case,
    Certificate,
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
    undecided,
    unreadable,
    without,
)

RULE = "real-solution"
CLAIM = "/steps/0/claim"
WITNESS = "/steps/0/witness"
UNITS = f"{WITNESS}/units"
ONE = 2**20


def one(target: Json, claim: str, fields: list[Json] | None = None, **witness: Json) -> Certificate:
    """A certificate of one step, with its own claim as the conclusion."""
    units, quantity, over, _, value = claim.split()
    conclusion = [f"{units} {quantity} {over} 0..{value}"]
    return certificate(target, [step(RULE, claim, **witness)], conclusion, fields or [])


# x^3 + y^3 - 3/1000 x^2 y, near the cubes of x and y: the four coordinates of the two forms are free.
CUBES = one(
    form("xy", {"xxx": 1, "xxy": "-3/1000", "yyy": 1}),
    "tied rank RR <= 2",
    bits=20,
    units=[[[ONE, -1049], [ONE]], [[-1, ONE], [ONE]]],
    free=[[0, 0, 0], [0, 0, 1], [1, 0, 0], [1, 0, 1]],
    radius=64,
)
# x^2 - 2 has the zero sqrt(2) near 1.414: the square of one number, in one variable.
ROOT = one(
    form("x", {"xx": 2}),
    "tied rank RR <= 1",
    bits=10,
    units=[[[1448], [1024]]],
    free=[[0, 0, 0]],
    radius=2,
)
# 2 x^2 as w (x)^2 with w free.
WEIGHT = changed(changed(ROOT, f"{UNITS}/0/0", [1024]), f"{UNITS}/0/1", [2047])
WEIGHT = changed(changed(WEIGHT, f"{WITNESS}/free", [[0, 1, 0]]), f"{WITNESS}/radius", 2)
# -2 x^2 over CC: the square of i sqrt(2) x.
COMPLEX = one(
    form("x", {"xx": -2}),
    "tied rank CC <= 1",
    bits=10,
    units=[[[[0, 1448]], [[1024, 0]]]],
    free=[[0, 0, 0]],
    radius=2,
)
# 2 x y as a product of two forms, and as an entry of a tensor: one coordinate of each unit.
PRODUCT = one(
    tensor([1, 1, 1], {(0, 0, 0): 2}),
    "product rank RR <= 1",
    bits=10,
    units=[[[1024], [1448], [1448]]],
    free=[[0, 1, 0]],
    radius=2,
)
UNTIED = one(
    form("xy", {"xxx": "1/8", "xxy": 3}),
    "untied rank RR <= 2",
    bits=20,
    # x^2 (x/8 + 3 y) + y^2 * 0: the second unit makes the Jacobian invertible.
    units=[[[ONE, 0], [ONE // 8, 3 * ONE], [ONE]], [[0, ONE], [0, 0], [ONE]]],
    free=[[0, 1, 0], [0, 1, 1], [1, 1, 0], [1, 1, 1]],
    radius=1,
)
MAP = one(
    forms("x", [{"xx": 1}, {"xx": 3}]),
    "tied rank RR <= 1",
    bits=10,
    units=[[[1024], [1024, 3071]]],
    free=[[0, 1, 0], [0, 1, 1]],
    radius=2,
)

ACCEPTED = [
    accept(RULE, "two-cubes", CUBES),
    accept(RULE, "the-square-root-of-two", ROOT),
    accept(RULE, "a-free-weight", WEIGHT),
    accept(RULE, "an-imaginary-square-root", COMPLEX),
    accept(RULE, "a-product-of-three-numbers", PRODUCT),
    accept(RULE, "untied-values", UNTIED),
    accept(RULE, "two-outputs", MAP),
    accept(
        RULE,
        "many-digits",
        changed(
            changed(
                changed(ROOT, f"{WITNESS}/bits", 80), UNITS, [[["1709679290002018430137083"], [str(2**80)]]]
            ),
            f"{WITNESS}/radius",
            4,
        ),
    ),
    accept(
        RULE,
        "over-the-complex-numbers",
        # The same cubes, as pairs.
        one(
            form("xy", {"xxx": 1, "xxy": "-3/1000", "yyy": 1}),
            "tied rank CC <= 2",
            bits=20,
            units=[[[[ONE, 0], [-1049, 0]], [[ONE, 0]]], [[[-1, 0], [ONE, 0]], [[ONE, 0]]]],
            free=[[0, 0, 0], [0, 0, 1], [1, 0, 0], [1, 0, 1]],
            radius=64,
        ),
    ),
]

REJECTED = [
    reject(
        RULE,
        "no-real-square-root",
        changed(ROOT, "/target/entries/0/1", -2),
        "no-contraction",
        WITNESS,
    ),
    reject(
        RULE,
        "a-complex-solution-as-a-real-one",
        # x^2 y + ... : the point is near the real line, and the zeros are not.
        changed(changed(ROOT, "/target/entries/0/1", "-1/1000000"), f"{UNITS}/0/0", [1]),
        "no-contraction",
        WITNESS,
    ),
    reject(RULE, "too-far-away", changed(ROOT, f"{UNITS}/0/0", [1440]), "no-contraction", WITNESS),
    reject(RULE, "a-box-too-large", changed(ROOT, f"{WITNESS}/radius", 1600), "no-contraction", WITNESS),
    # The zero is exactly at the end of the box; the inequality is strict.
    reject(RULE, "at-the-end-of-the-box", changed(WEIGHT, f"{WITNESS}/radius", 1), "no-contraction", WITNESS),
    reject(RULE, "a-double-zero", changed(ROOT, UNITS, [[[0], [1024]]]), "singular", WITNESS),
    reject(
        RULE,
        "free-coordinates-without-influence",
        changed(PRODUCT, f"{UNITS}/0/0", [0]),
        "singular",
        WITNESS,
    ),
    reject(
        RULE,
        "an-equation-left-out",
        without(CUBES, f"{WITNESS}/free/3"),
        "not-square",
        f"{WITNESS}/free",
    ),
    reject(RULE, "nothing-free", changed(ROOT, f"{WITNESS}/free", []), "not-square", f"{WITNESS}/free"),
    reject(
        RULE,
        "one-coordinate-too-many",
        changed(ROOT, f"{WITNESS}/free/+", [0, 1, 0]),
        "not-square",
        f"{WITNESS}/free",
    ),
    reject(RULE, "radius-zero", changed(ROOT, f"{WITNESS}/radius", 0), "radius", f"{WITNESS}/radius"),
    reject(
        RULE,
        "over-the-rationals",
        changed(changed(ROOT, f"{CLAIM}/over", "QQ"), "/conclusion/0/field", "QQ"),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        RULE,
        "a-smaller-claim",
        changed(changed(CUBES, f"{CLAIM}/value", 1), "/conclusion/0/upper", 1),
        "claim-differs",
        CLAIM,
    ),
    reject(
        RULE,
        "border-rank",
        changed(changed(CUBES, f"{CLAIM}/quantity", "border_rank"), "/conclusion/0/quantity", "border_rank"),
        "claim-differs",
        CLAIM,
    ),
    reject(
        RULE,
        "a-lower-bound",
        changed(
            changed(CUBES, f"{CLAIM}/relation", ">="),
            "/conclusion/0",
            {"units": "tied", "field": "RR", "quantity": "rank", "lower": 2},
        ),
        "claim-differs",
        CLAIM,
    ),
    reject(
        RULE,
        "irrational-coefficients",
        one(
            tensor([1, 1, 1], {(0, 0, 0): [0, 1]}, "QQ(s)"),
            "product rank RR <= 1",
            [number_field("s", -2, 0, 1, root=[1, 2])],
            bits=10,
            units=[[[1448], [1024], [1024]]],
            free=[[0, 0, 0]],
            radius=2,
        ),
        "field",
        f"{CLAIM}/over",
    ),
]

UNREADABLE = [
    unreadable(RULE, "no-radius", without(ROOT, f"{WITNESS}/radius"), "missing-key", WITNESS),
    unreadable(
        RULE, "a-matrix", changed(ROOT, f"{WITNESS}/inverse", []), "unknown-key", f"{WITNESS}/inverse"
    ),
    unreadable(RULE, "no-bits", changed(ROOT, f"{WITNESS}/bits", 0), "out-of-range", f"{WITNESS}/bits"),
    unreadable(
        RULE, "too-many-bits", changed(ROOT, f"{WITNESS}/bits", 4097), "out-of-range", f"{WITNESS}/bits"
    ),
    unreadable(RULE, "no-units", changed(ROOT, UNITS, []), "empty-list", UNITS),
    unreadable(RULE, "a-vector-missing", without(ROOT, f"{UNITS}/0/1"), "wrong-length", f"{UNITS}/0"),
    unreadable(RULE, "a-short-vector", changed(CUBES, f"{UNITS}/0/0", [1]), "wrong-length", f"{UNITS}/0/0"),
    unreadable(RULE, "a-fraction", changed(ROOT, f"{UNITS}/0/0/0", "1/2"), "wrong-type", f"{UNITS}/0/0/0"),
    unreadable(
        RULE,
        "a-number-over-the-complex-numbers",
        changed(COMPLEX, f"{UNITS}/0/0/0", 1448),
        "wrong-type",
        f"{UNITS}/0/0/0",
    ),
    unreadable(
        RULE, "a-triple", changed(COMPLEX, f"{UNITS}/0/0/0", [0, 1448, 0]), "wrong-length", f"{UNITS}/0/0/0"
    ),
    unreadable(
        RULE,
        "a-fractional-radius",
        changed(ROOT, f"{WITNESS}/radius", "1/2"),
        "wrong-type",
        f"{WITNESS}/radius",
    ),
    unreadable(
        RULE,
        "a-unit-that-is-not-there",
        changed(ROOT, f"{WITNESS}/free/0/0", 1),
        "out-of-range",
        f"{WITNESS}/free/0/0",
    ),
    unreadable(
        RULE,
        "a-vector-that-is-not-there",
        changed(ROOT, f"{WITNESS}/free/0/1", 2),
        "out-of-range",
        f"{WITNESS}/free/0/1",
    ),
    unreadable(
        RULE,
        "a-coordinate-that-is-not-there",
        changed(ROOT, f"{WITNESS}/free/0/2", 1),
        "out-of-range",
        f"{WITNESS}/free/0/2",
    ),
    unreadable(
        RULE,
        "a-place-of-two-numbers",
        changed(ROOT, f"{WITNESS}/free/0", [0, 0]),
        "wrong-length",
        f"{WITNESS}/free/0",
    ),
    unreadable(
        RULE,
        "a-coordinate-twice",
        changed(CUBES, f"{WITNESS}/free/1", [0, 0, 0]),
        "unsorted",
        f"{WITNESS}/free/1",
    ),
]

UNDECIDED = [
    undecided(
        RULE,
        "three-hundred-equations",
        one(
            tensor([300, 1, 1], {(i, 0, 0): 1 for i in range(300)}),
            "product rank RR <= 1",
            bits=64,
            units=[[[2**40] * 300, [2**40], [2**40]]],
            free=[[0, 0, i] for i in range(300)],
            radius=1,
        ),
        "limit-operations",
        WITNESS,
    ),
]

CASES: list[Case] = ACCEPTED + REJECTED + UNREADABLE + UNDECIDED

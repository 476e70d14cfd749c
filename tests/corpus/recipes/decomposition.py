"""Files of the rule ``decomposition``."""

from __future__ import annotations

from .building import (
    Json,
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
    without,
)

CUBES = [[[1, 1], ["1/6"]], [[1, -1], ["-1/6"]], [[0, 1], ["-1/3"]]]
"""x^2 y = 1/6 (x+y)^3 - 1/6 (x-y)^3 - 1/3 y^3."""

X2Y = certificate(
    form("xy", {"xxy": 1}),
    [step("decomposition", "tied rank QQ <= 3", ring="QQ", units=CUBES)],
    ["tied rank QQ 0..3", "tied rank CC 0..3", "tied border_rank RR 0..3"],
)
UNITS = "/steps/0/witness/units"
CLAIM = "/steps/0/claim"


def one(target: Json, claim: str, units: Json, conclusion: list[str], **more: Json) -> dict[str, Json]:
    """A certificate of one decomposition over the field of its claim."""
    ring = claim.split()[2]
    return certificate(
        target, [step("decomposition", claim, ring=ring, units=units)], conclusion, more.get("fields", ())
    )


STRASSEN = [
    [[1, 0, 0, 1], [1, 0, 0, 1], [1, 0, 0, 1]],
    [[0, 0, 1, 1], [1, 0, 0, 0], [0, 0, 1, -1]],
    [[1, 0, 0, 0], [0, 1, 0, -1], [0, 1, 0, 1]],
    [[0, 0, 0, 1], [-1, 0, 1, 0], [1, 0, 1, 0]],
    [[1, 1, 0, 0], [0, 0, 0, 1], [-1, 1, 0, 0]],
    [[-1, 0, 1, 0], [1, 1, 0, 0], [0, 0, 0, 1]],
    [[0, 1, 0, -1], [0, 0, 1, 1], [1, 0, 0, 0]],
]
"""Seven products for two 2x2 matrices; third factor = entry (i, k) of the product, row by row."""

ROOT_2 = number_field("a", -2, 0, 1, root=[1, 2])
IMAGINARY = number_field("i", 1, 0, 1)
DIFFERENCE = form("xy", {"xx": 1, "yy": -2})
FACTORS = [[[1, [0, 1]], [1, [0, -1]], [1]]]
"""x^2 - 2 y^2 = (x + a y)(x - a y) with a^2 = 2."""

OVER_ROOT_2 = one(
    DIFFERENCE,
    "untied rank QQ(a) <= 1",
    FACTORS,
    ["untied rank QQ(a) 0..1", "untied rank RR 0..1", "untied border_rank CC 0..1"],
    fields=[ROOT_2],
)
COMPLEX = [
    [[1, [0, 1]], [1, [0, 1]], ["1/2", [0, "-1/2"]]],
    [[1, [0, -1]], [1, [0, -1]], ["1/2", [0, "1/2"]]],
]
"""(a + bi)(c + di) twice: real part + i times imaginary part, and its conjugate."""

XY_MODULO_2 = one(
    form("xy", {"xy": 1}, "GF(2)"),
    "untied rank GF(2) <= 1",
    [[[1, 0], [0, 1], [1]]],
    ["untied rank GF(2) 0..1"],
)
COMPLEX_SQUARE = forms("xy", [{"xx": 1, "yy": -1}, {"xy": 2}])
SQUARE_UNITS = [[[1, -1], [1, 1], [1, 0]], [[1, 0], [0, 1], [0, 2]]]
SQUARE = one(COMPLEX_SQUARE, "untied rank QQ <= 2", SQUARE_UNITS, ["untied rank QQ 0..2"])
LONG = 12345678901234567890

ACCEPTED = [
    accept("decomposition", "x2y-three-cubes", X2Y),
    accept(
        "decomposition",
        "x2y-one-untied-unit",
        one(
            form("xy", {"xxy": 1}),
            "untied rank QQ <= 1",
            [[[1, 0], [0, 1], [1]]],
            ["untied rank QQ 0..1", "tied rank QQ 0..3", "tied border_rank CC 0..2", "split rank CC 0..1"],
        ),
    ),
    accept(
        "decomposition",
        "x2y2-mixed-2",
        one(
            form("xy", {"xxyy": "2/3"}),
            "mixed:2 rank QQ <= 1",
            [[[1, 0], [0, 1], ["2/3"]]],
            ["mixed:2 rank QQ 0..1", "split rank RR 0..1", "tied border_rank CC 0..3", "tied rank CC 0..8"],
        ),
    ),
    accept(
        "decomposition",
        "xyz-split",
        one(
            form("xyz", {"xyz": 1}),
            "split rank QQ <= 1",
            [[[1, 0, 0], [0, 1, 0], [0, 0, 1], [1]]],
            ["split rank QQ 0..1", "tied rank RR 0..4", "tied border_rank RR 0..4"],
        ),
    ),
    accept(
        "decomposition",
        "strassen",
        one(named("matmul", 2, 2, 2), "product rank QQ <= 7", STRASSEN, ["product rank CC 0..7"]),
    ),
    accept(
        "decomposition",
        "strassen-modulo-2",
        one(
            named("matmul", 2, 2, 2),
            "product rank GF(2) <= 7",
            [[[x % 2 for x in vector] for vector in unit] for unit in STRASSEN],
            ["product rank GF(2) 0..7", "product border_rank GF(2) 0..7"],
        ),
    ),
    accept(
        "decomposition",
        "complex-product-over-qq-i",
        one(
            named("complex_product"),
            "product rank QQ(i) <= 2",
            COMPLEX,
            ["product rank QQ(i) 0..2", "product rank CC 0..2", "product rank RR 0.."],
            fields=[IMAGINARY],
        ),
    ),
    accept("decomposition", "difference-over-a-real-field", OVER_ROOT_2),
    accept(
        "decomposition",
        "coefficients-in-a-number-field",
        one(
            form("xy", {"xx": 2, "xy": [0, 4], "yy": 4}, "QQ(a)"),
            "tied rank QQ(a) <= 1",
            [[[1, [0, 1]], [2]]],
            ["tied rank QQ(a) 0..1", "tied rank RR 0..1", "untied rank CC 0..1"],
            fields=[ROOT_2],
        ),
    ),
    accept("decomposition", "xy-modulo-2", XY_MODULO_2),
    accept(
        "decomposition",
        "x2y-over-gf7",
        one(
            form("xy", {"xxy": 1}),
            "tied rank GF(7) <= 3",
            # 1/6 = 6 and -1/3 = 2 modulo 7.
            [[[1, 1], [6]], [[1, 6], [1]], [[0, 1], [2]]],
            ["tied rank GF(7) 0..3"],
        ),
    ),
    accept("decomposition", "complex-square", SQUARE),
    accept(
        "decomposition",
        "linear-map",
        one(
            tensor((2, 3), {(0, 0): 1, (0, 1): -1, (1, 0): 2, (1, 1): -2}),
            "tied rank QQ <= 1",
            [[[1, 2], [1, -1, 0]]],
            ["tied rank QQ 0..1", "untied rank RR 0..1"],
        ),
    ),
    accept(
        "decomposition",
        "long-numbers",
        one(
            form("xy", {"xx": str(LONG), "xy": str(-2 * LONG), "yy": str(LONG)}),
            "tied rank QQ <= 1",
            [[[1, -1], [str(LONG)]]],
            ["tied rank QQ 0..1"],
        ),
    ),
    accept(
        "decomposition",
        "a-zero-unit-is-counted",
        one(
            form("x", {"xx": 5}),
            "tied rank QQ <= 2",
            [[[1], [5]], [[0], [0]]],
            ["tied rank QQ 0..2"],
        ),
    ),
    accept(
        "decomposition",
        "rational-products",
        one(
            tensor((2, 2, 2), {(0, 0, 0): "1/2", (1, 1, 1): "-5/6"}),
            "product rank QQ <= 2",
            [[["1/2", 0], [1, 0], [1, 0]], [[0, "1/3"], [0, "-1/2"], [0, 5]]],
            ["product rank QQ 0..2"],
        ),
    ),
    accept(
        "decomposition",
        "products-of-order-one",
        one(
            tensor((3,), {(0,): 2, (2,): -1}),
            "product rank QQ <= 1",
            [[[2, 0, -1]]],
            ["product rank QQ 0..1"],
        ),
    ),
    accept(
        "decomposition",
        "denominators-without-common-multiple",
        one(
            tensor((2, 2), {(0, 0): "1/9007199254740881", (1, 1): f"1/{2**521 - 1}"}),
            "product rank QQ <= 3",
            [
                [["1/9007199254740881", 0], [1, 0]],
                [[0, f"1/{2**521 - 1}"], [0, f"1/{2**607 - 1}"]],
                [[0, f"1/{2**521 - 1}"], [0, f"{2**607 - 2}/{2**607 - 1}"]],
            ],
            ["product rank QQ 0..3"],
        ),
    ),
]

REJECTED = [
    reject(
        "decomposition",
        "a-cube-is-missing",
        changed(
            without(changed(X2Y, f"{CLAIM}/value", 2), f"{UNITS}/2"), "/conclusion", X2Y["conclusion"][:1]
        ),
        "sum-misses-target",
        UNITS,
    ),
    reject(
        "decomposition",
        "a-wrong-weight",
        changed(X2Y, f"{UNITS}/2/1/0", "-1/4"),
        "sum-misses-target",
        UNITS,
    ),
    reject(
        "decomposition",
        "a-term-too-many",
        changed(changed(X2Y, f"{UNITS}/+", [[1, 0], [1]]), f"{CLAIM}/value", 4),
        "sum-misses-target",
        UNITS,
    ),
    reject(
        "decomposition",
        "a-product-slice-is-missing",
        one(
            tensor((2, 2), {(0, 0): 1, (1, 1): 1}),
            "product rank QQ <= 1",
            [[[1, 0], [1, 0]]],
            ["product rank QQ 0..1"],
        ),
        "sum-misses-target",
        UNITS,
    ),
    reject(
        "decomposition",
        "fewer-than-there-are",
        changed(X2Y, f"{CLAIM}/value", 2),
        "claim-differs",
        CLAIM,
    ),
    reject("decomposition", "a-weaker-claim", changed(X2Y, f"{CLAIM}/value", 4), "claim-differs", CLAIM),
    reject("decomposition", "a-lower-bound", changed(X2Y, f"{CLAIM}/relation", ">="), "claim-differs", CLAIM),
    reject(
        "decomposition",
        "border-rank",
        changed(X2Y, f"{CLAIM}/quantity", "border_rank"),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "decomposition",
        "rational-units-over-cc",
        changed(X2Y, f"{CLAIM}/over", "CC"),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        "decomposition",
        "irrational-units-over-qq",
        changed(OVER_ROOT_2, f"{CLAIM}/over", "QQ"),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        "decomposition",
        "units-modulo-7-over-qq",
        certificate(
            form("xy", {"xxy": 1}),
            [
                step(
                    "decomposition",
                    "tied rank QQ <= 3",
                    ring="GF(7)",
                    units=[[[1, 1], [6]], [[1, 6], [1]], [[0, 1], [2]]],
                )
            ],
            ["tied rank QQ 0..3"],
        ),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        "decomposition",
        "number-field-target-over-qq",
        one(
            form("x", {"xx": [0, 1]}, "QQ(a)"),
            "tied rank QQ <= 1",
            [[[1], [1]]],
            ["tied rank QQ 0..1"],
            fields=[ROOT_2],
        ),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        "decomposition",
        "the-other-root",
        # (x + a y)(x - a y) is x^2 - 3 y^2 when a^2 = 3.
        changed(OVER_ROOT_2, "/number_fields/0", number_field("a", -3, 0, 1, root=[1, 2])),
        "sum-misses-target",
        UNITS,
    ),
    reject(
        "decomposition",
        "equal-functions-modulo-2",
        # x^2 y and x y^2 have the same values on GF(2)^2 and are different polynomials.
        one(
            form("xy", {"xxy": 1}, "GF(2)"),
            "untied rank GF(2) <= 1",
            [[[0, 1], [1, 0], [1]]],
            ["untied rank GF(2) 0..1"],
        ),
        "sum-misses-target",
        UNITS,
    ),
    reject(
        "decomposition",
        "xy-tied-modulo-2",
        # Every sum of squares over GF(2) is a square; tied <= d * untied needs characteristic 0 or > d.
        changed(XY_MODULO_2, "/conclusion/+", XY_MODULO_2["conclusion"][0] | {"units": "tied", "upper": 2}),
        "conclusion-differs",
        "/conclusion/1/upper",
    ),
    reject(
        "decomposition",
        "in-the-other-output",
        changed(SQUARE, f"{UNITS}/0/2", [0, 1]),
        "sum-misses-target",
        UNITS,
    ),
    reject(
        "decomposition",
        "vanishes-modulo-3",
        one(form("x", {"xx": 3}), "tied rank GF(3) <= 1", [[[1], [0]]], ["tied rank GF(3) 0..1"]),
        "target-vanishes",
        "/target",
    ),
    reject(
        "decomposition",
        "three-in-a-denominator",
        one(form("x", {"xx": "1/3"}), "tied rank GF(3) <= 1", [[[1], [1]]], ["tied rank GF(3) 0..1"]),
        "denominator",
        "/target",
    ),
    reject(
        "decomposition",
        "missed-by-a-long-number",
        # More digits than Python is willing to print.
        one(form("x", {"xx": 1}), "tied rank QQ <= 1", [[["7" * 2500], [1]]], ["tied rank QQ 0..1"]),
        "sum-misses-target",
        UNITS,
    ),
]

UNREADABLE = [
    unreadable("decomposition", "no-units", changed(X2Y, UNITS, []), "empty-list", UNITS),
    unreadable("decomposition", "units-are-an-object", changed(X2Y, UNITS, {}), "wrong-type", UNITS),
    unreadable("decomposition", "no-weight", without(X2Y, f"{UNITS}/1/1"), "wrong-length", f"{UNITS}/1"),
    unreadable(
        "decomposition",
        "a-vector-too-many",
        changed(X2Y, f"{UNITS}/1/+", [1]),
        "wrong-length",
        f"{UNITS}/1",
    ),
    unreadable(
        "decomposition",
        "a-coordinate-too-many",
        changed(X2Y, f"{UNITS}/1/0/+", 0),
        "wrong-length",
        f"{UNITS}/1/0",
    ),
    unreadable(
        "decomposition",
        "a-coordinate-is-missing",
        without(X2Y, f"{UNITS}/1/0/0"),
        "wrong-length",
        f"{UNITS}/1/0",
    ),
    unreadable(
        "decomposition", "an-empty-vector", changed(X2Y, f"{UNITS}/1/0", []), "empty-list", f"{UNITS}/1/0"
    ),
    unreadable(
        "decomposition",
        "a-family",
        changed(X2Y, f"{UNITS}/1/0/0", {"eps": [[1, 1]]}),
        "wrong-type",
        f"{UNITS}/1/0/0",
    ),
    unreadable(
        "decomposition",
        "an-algebraic-coordinate-over-qq",
        changed(X2Y, f"{UNITS}/1/0/0", [0, 1]),
        "wrong-type",
        f"{UNITS}/1/0/0",
    ),
    unreadable(
        "decomposition",
        "ring-rr",
        changed(X2Y, "/steps/0/witness/ring", "RR"),
        "unknown-field",
        "/steps/0/witness/ring",
    ),
    unreadable(
        "decomposition",
        "ring-not-declared",
        changed(X2Y, "/steps/0/witness/ring", "QQ(b)"),
        "unknown-field",
        "/steps/0/witness/ring",
    ),
    unreadable(
        "decomposition",
        "no-ring",
        without(X2Y, "/steps/0/witness/ring"),
        "missing-key",
        "/steps/0/witness",
    ),
    unreadable(
        "decomposition",
        "a-number-of-units",
        changed(X2Y, "/steps/0/witness/length", 3),
        "unknown-key",
        "/steps/0/witness/length",
    ),
    unreadable(
        "decomposition",
        "residue-too-large",
        changed(XY_MODULO_2, f"{UNITS}/0/0/0", 2),
        "out-of-range",
        f"{UNITS}/0/0/0",
    ),
    unreadable(
        "decomposition",
        "negative-residue",
        changed(XY_MODULO_2, f"{UNITS}/0/0/0", -1),
        "out-of-range",
        f"{UNITS}/0/0/0",
    ),
    unreadable(
        "decomposition",
        "fraction-modulo-2",
        changed(XY_MODULO_2, f"{UNITS}/0/0/0", "1/3"),
        "wrong-type",
        f"{UNITS}/0/0/0",
    ),
    unreadable(
        "decomposition",
        "irrational-number-that-is-rational",
        changed(OVER_ROOT_2, f"{UNITS}/0/0/1", [1, 0]),
        "trailing-zero",
        f"{UNITS}/0/0/1",
    ),
    unreadable(
        "decomposition",
        "irrational-number-of-length-one",
        changed(OVER_ROOT_2, f"{UNITS}/0/0/1", [1]),
        "wrong-length",
        f"{UNITS}/0/0/1",
    ),
    unreadable(
        "decomposition",
        "irrational-number-not-reduced",
        changed(OVER_ROOT_2, f"{UNITS}/0/0/1", [0, 0, 1]),
        "wrong-length",
        f"{UNITS}/0/0/1",
    ),
    unreadable(
        "decomposition",
        "text-in-an-irrational-number",
        changed(OVER_ROOT_2, f"{UNITS}/0/0/1", [0, "a"]),
        "bad-rational",
        f"{UNITS}/0/0/1/1",
    ),
]

CASES = ACCEPTED + REJECTED + UNREADABLE

"""Files of the rule ``floor``."""

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
    undecided,
    unreadable,
    without,
)

STEP = "/steps/0"
CLAIM = f"{STEP}/claim"
WITNESS = f"{STEP}/witness"


def one(target: Json, claim: str, orders: list[int], thresholds: list[Json], **more: Json) -> dict[str, Json]:
    """A certificate of one step, with its own claim as the conclusion."""
    units, quantity, over, _, value = claim.split()
    witness = {"orders": orders, "thresholds": thresholds, **more}
    return certificate(target, [step("floor", claim, **witness)], [f"{units} {quantity} {over} {value}.."])


XYZ = form("xyz", {"xyz": 1})
SQUARE = form("xy", {"xxxx": 1, "xxyy": 2, "yyyy": 1})
POWER = form("xy", {"xx": 1, "xy": 2, "yy": 1})
DIAGONAL = form("xyz", {"xx": 3, "yy": 2, "zz": -1})
TWO = forms("xy", [{"xx": 1, "yy": -1}, {"xy": 2}])
UNIT = tensor((2, 2, 2), {(0, 0, 0): 1, (1, 1, 1): 2})

TIED = one(XYZ, "tied gaussian@1 CC >= 2/3", [1], ["1/3"])
# Of the columns xx, xy, xz, yy, yz, zz the monomial xyz meets xy, xz, yz.
CUBE_WEIGHTS: dict[str, Json] = {"rows": [1, 1, 1], "columns": [0, "4/15", "4/15", 0, "4/15", 0]}
COLUMNS: Json = [0, "4/15", "4/15", 0, 0, 0]
CYCLE = form("vwxyz", {"vw": 1, "wx": 1, "xy": 1, "yz": 1, "vz": 1})
CUBE = one(XYZ, "tied uniform@1 CC >= 2/135", [1], ["1/135"], **CUBE_WEIGHTS)
# x y + 2 z w at the corners of a cube: only the products of different variables count, and x, z stand on the rows.
CORNERS = one(
    form("wxyz", {"xy": 1, "wz": 2}),
    "tied rademacher@1 CC >= 1",
    [1],
    [1],
    rows=[0, 1, 0, 1],
    columns=[4, 0, 4, 0],
)

ACCEPTED = [
    accept("floor", "xyz-tied", TIED),
    accept("floor", "xyz-untied", one(XYZ, "untied gaussian@1 CC >= 1/3", [1], ["1/3"])),
    accept("floor", "xyz-over-rr", one(XYZ, "tied gaussian@1 RR >= 2/3", [1], ["1/3"])),
    accept("floor", "xyz-rows-of-order-2", one(XYZ, "tied gaussian@1 CC >= 2/3", [2], ["1/3"])),
    accept("floor", "scaled", one(XYZ, "tied gaussian@1*1/4 CC >= 1/96", [1], ["1/192"])),
    accept("floor", "sphere", one(XYZ, "tied sphere@1 CC >= 2/315", [1], ["1/315"])),
    accept("floor", "square-of-a-quadric", one(SQUARE, "tied gaussian@2 CC >= 32/3", [2], ["32/3"])),
    # The eigenvalues are not rational: (7 - 3 sqrt 5) / 2 is above 1/7, and (7 + 3 sqrt 5) / 2 below 6.8542.
    accept(
        "floor",
        "counted-from-below",
        one(form("xy", {"xx": 2, "xy": 2, "yy": 1}), "tied frobenius@1 CC >= 1/7", [1], ["1/7"]),
    ),
    accept(
        "floor",
        "rest-of-the-sum",
        one(form("xy", {"xx": 2, "xy": 2, "yy": 1}), "tied frobenius@1 CC >= 729/5000", [1], ["34271/5000"]),
    ),
    accept("floor", "quadric-untied", one(DIAGONAL, "untied frobenius@1 CC >= 1", [1], [9, 4, 1])),
    accept("floor", "quadric-mixed", one(SQUARE, "mixed:2 frobenius@0 CC >= 8/3", [2], ["16/9", "4/9"])),
    accept("floor", "split", one(SQUARE, "split frobenius@1 CC >= 0", [2], [])),
    accept("floor", "outputs-on-the-rows", one(TWO, "untied gaussian@1 CC >= 4", [0, 1], [4])),
    accept("floor", "outputs-on-the-columns", one(TWO, "tied gaussian@1 CC >= 4", [1, 0], [4])),
    accept("floor", "a-tensor", one(UNIT, "product frobenius@1 CC >= 1", [1, 0, 0], [1])),
    accept(
        "floor",
        "matrix-multiplication",
        one(named("matmul", 2, 2, 2), "product frobenius@3 CC >= 2", [1, 0, 0], [2]),
    ),
    accept("floor", "cube", CUBE),
    accept("floor", "corners-of-a-cube", CORNERS),
    # The row x meets only the column yz, which takes no part.
    accept(
        "floor",
        "a-row-without-columns",
        one(XYZ, "tied uniform@1 CC >= 13/2700", [1], ["1/100"], **(CUBE_WEIGHTS | {"columns": COLUMNS})),
    ),
    # A cycle of five: the products of neighbours' rows are zero, and the block is connected all the same.
    accept("floor", "a-cycle", one(CYCLE, "tied frobenius@1 CC >= 1", [1], ["1/2"])),
    accept(
        "floor",
        "weights-of-a-map-in-one-piece",
        one(TWO, "tied gaussian@1 CC >= 4", [1, 0], [4], rows=[1, 1], columns=[2, 2, 2, 2]),
    ),
    accept(
        "floor",
        "given-gaussian-weights",
        one(XYZ, "tied gaussian@1 CC >= 2/3", [1], ["1/3"], rows=[1, 1, 1], columns=[6, 12, 12, 6, 12, 6]),
    ),
    accept(
        "floor",
        "weights-of-a-map",
        one(TWO, "tied gaussian@1 CC >= 4", [1, 1], [4], rows=[1, 1, 1, 1], columns=[2, 2]),
    ),
    accept(
        "floor",
        "over-rr-follows",
        certificate(
            XYZ,
            [step("floor", "tied gaussian@1 CC >= 2/3", orders=[1], thresholds=["1/3"])],
            ["tied gaussian@1 RR 2/3..", "tied gaussian@1 CC 2/3.."],
        ),
    ),
]

GF7 = form("xyz", {"xyz": 1}, "GF(7)")
ROOT = number_field("a", -2, 0, 1)

REJECTED = [
    reject("floor", "xyz-too-much", changed(TIED, f"{CLAIM}/value", "7/9"), "claim-differs", CLAIM),
    reject("floor", "xyz-untied-as-tied", changed(TIED, f"{CLAIM}/units", "untied"), "claim-differs", CLAIM),
    reject("floor", "xyz-width-2-as-1", changed(TIED, f"{CLAIM}/quantity/width", 2), "claim-differs", CLAIM),
    reject("floor", "another-scale", changed(TIED, f"{CLAIM}/quantity/scale", "1/2"), "claim-differs", CLAIM),
    reject(
        "floor", "threshold-too-high", changed(TIED, f"{WITNESS}/thresholds", ["1/2"]), "claim-differs", CLAIM
    ),
    reject(
        "floor",
        "no-threshold-above-the-first",
        # 34270/5000 is below the largest eigenvalue: nothing bounds that from above.
        one(form("xy", {"xx": 2, "xy": 2, "yy": 1}), "tied frobenius@1 CC >= 73/500", [1], ["3427/500"]),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "floor",
        "mixed-divisor",
        # (x y)^2 is one mixed:2 unit.
        one(form("xy", {"xxyy": 1}), "mixed:2 gaussian@1 CC >= 2/3", [2], ["2/3"]),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "floor",
        "split-divisor",
        one(XYZ, "split gaussian@1 CC >= 1/3", [1], ["1/3"]),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "floor",
        "a-rank",
        certificate(
            XYZ, [step("floor", "tied rank CC >= 2", orders=[1], thresholds=["1/3"])], ["tied rank CC 2.."]
        ),
        "quantity",
        f"{CLAIM}/quantity",
    ),
    reject(
        "floor",
        "a-floor-from-a-rank",
        certificate(
            XYZ,
            [step("flattening", "tied gaussian@1 CC >= 3", orders=[1], prime=1048573)],
            ["tied gaussian@1 CC 3.."],
        ),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "floor",
        "another-floor-in-the-conclusion",
        changed(TIED, "/conclusion/0/quantity/width", 0),
        "conclusion-differs",
        "/conclusion/0/lower",
    ),
    reject(
        "floor",
        "a-rank-in-the-conclusion",
        certificate(
            XYZ,
            [step("floor", "tied gaussian@1 CC >= 2/3", orders=[1], thresholds=["1/3"])],
            ["tied rank CC 1.."],
        ),
        "conclusion-differs",
        "/conclusion/0/lower",
    ),
    reject(
        "floor",
        "rr-says-nothing-over-cc",
        certificate(
            XYZ,
            [step("floor", "tied gaussian@1 RR >= 2/3", orders=[1], thresholds=["1/3"])],
            ["tied gaussian@1 CC 2/3.."],
        ),
        "conclusion-differs",
        "/conclusion/0/lower",
    ),
    reject("floor", "over-qq", changed(TIED, f"{CLAIM}/over", "QQ"), "field", f"{CLAIM}/over"),
    reject(
        "floor",
        "target-over-gf-7",
        one(GF7, "tied frobenius@1 GF(7) >= 2/3", [1], ["1/3"]),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        "floor",
        "target-over-a-number-field",
        certificate(
            form("xy", {"xx": 1, "yy": [0, 1]}, "QQ(a)"),
            [step("floor", "tied frobenius@1 CC >= 1", orders=[1], thresholds=[1])],
            ["tied frobenius@1 CC 1.."],
            [ROOT],
        ),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        "floor",
        "a-gaussian-tensor",
        one(UNIT, "product gaussian@1 CC >= 1", [1, 0, 0], [1]),
        "hypothesis",
        STEP,
    ),
    reject(
        "floor",
        "cube-without-weights",
        one(XYZ, "tied uniform@1 CC >= 2/135", [1], ["1/135"]),
        "weights",
        WITNESS,
    ),
    reject(
        "floor",
        "cube-plain-coefficients",
        # (x + y)^2 is one unit; the sum of u v over plain coefficients would prove 1/18.
        one(POWER, "tied uniform@1 CC >= 1/18", [1], ["1/18"], rows=[1, 1], columns=["1/2", "1/2"]),
        "weights",
        f"{WITNESS}/rows",
    ),
    reject(
        "floor",
        "cube-too-heavy",
        changed(CUBE, f"{WITNESS}/columns", [0, "4/9", "4/9", 0, "4/9", 0]),
        "weights",
        f"{WITNESS}/rows",
    ),
    reject(
        "floor",
        "corners-with-squares",
        # x^2 is constant at the corners: x and x may not meet.
        changed(CORNERS, f"{WITNESS}/columns", [4, 4, 4, 0]),
        "weights",
        f"{WITNESS}/rows",
    ),
    reject(
        "floor",
        "corners-with-light-squares",
        # x^2 costs nothing, however little its weight.
        changed(CORNERS, f"{WITNESS}/columns", [4, "1/2", 4, 0]),
        "weights",
        f"{WITNESS}/rows",
    ),
    reject(
        "floor",
        "corners-too-heavy",
        changed(CORNERS, f"{WITNESS}/columns", [5, 0, 4, 0]),
        "weights",
        f"{WITNESS}/rows",
    ),
    reject(
        "floor",
        "weights-of-a-map-that-add-up",
        # x y of the second output is met twice, by 1 and by 4, and costs 4.
        one(TWO, "tied gaussian@1 CC >= 1", [1, 0], [1], rows=[1, 2], columns=[0, 2, 0, 1]),
        "weights",
        f"{WITNESS}/rows",
    ),
    reject(
        "floor",
        "weights-of-another-output",
        # Both outputs use the columns, and each monomial of each output is paid for by itself.
        one(TWO, "tied gaussian@1 CC >= 4", [1, 1], [4], rows=[1, 1, 1, 2], columns=[2, 2]),
        "weights",
        f"{WITNESS}/rows",
    ),
    reject(
        "floor",
        "weights-of-a-tensor",
        one(UNIT, "product frobenius@1 CC >= 1", [1, 0, 0], [1], rows=[1, 1], columns=[1, 1, 1, 1]),
        "weights",
        f"{WITNESS}/rows",
    ),
]

UNREADABLE = [
    unreadable(
        "floor",
        "unknown-loss",
        changed(TIED, f"{CLAIM}/quantity/floor", "hinge"),
        "unknown-loss",
        f"{CLAIM}/quantity/floor",
    ),
    unreadable(
        "floor",
        "a-list-for-a-loss",
        changed(TIED, f"{CLAIM}/quantity/floor", []),
        "unknown-loss",
        f"{CLAIM}/quantity/floor",
    ),
    unreadable(
        "floor",
        "negative-width",
        changed(TIED, f"{CLAIM}/quantity/width", -1),
        "out-of-range",
        f"{CLAIM}/quantity/width",
    ),
    unreadable(
        "floor", "no-width", without(TIED, f"{CLAIM}/quantity/width"), "missing-key", f"{CLAIM}/quantity"
    ),
    unreadable(
        "floor",
        "scale-1",
        changed(TIED, f"{CLAIM}/quantity/scale", 1),
        "out-of-range",
        f"{CLAIM}/quantity/scale",
    ),
    unreadable(
        "floor",
        "scale-0",
        changed(TIED, f"{CLAIM}/quantity/scale", 0),
        "out-of-range",
        f"{CLAIM}/quantity/scale",
    ),
    unreadable(
        "floor",
        "scale-of-coefficients",
        one(XYZ, "tied frobenius@1*4 CC >= 2/3", [1], ["1/3"]),
        "out-of-range",
        f"{CLAIM}/quantity/scale",
    ),
    unreadable(
        "floor", "negative-value", changed(TIED, f"{CLAIM}/value", -1), "out-of-range", f"{CLAIM}/value"
    ),
    unreadable(
        "floor",
        "a-fraction-of-a-unit",
        certificate(
            XYZ, [step("flattening", "tied border_rank CC >= 3/2", orders=[1], prime=7)], ["tied rank CC 3.."]
        ),
        "wrong-type",
        f"{CLAIM}/value",
    ),
    unreadable(
        "floor",
        "negative-lower",
        changed(TIED, "/conclusion/0/lower", -1),
        "out-of-range",
        "/conclusion/0/lower",
    ),
    unreadable(
        "floor",
        "negative-upper",
        changed(TIED, "/conclusion/0/upper", -1),
        "out-of-range",
        "/conclusion/0/upper",
    ),
    unreadable("floor", "order-0", changed(TIED, f"{WITNESS}/orders", [0]), "one-sided", f"{WITNESS}/orders"),
    unreadable(
        "floor",
        "threshold-0",
        changed(TIED, f"{WITNESS}/thresholds", [0]),
        "unsorted",
        f"{WITNESS}/thresholds/0",
    ),
    unreadable(
        "floor",
        "threshold-twice",
        changed(TIED, f"{WITNESS}/thresholds", ["1/3", "1/3"]),
        "unsorted",
        f"{WITNESS}/thresholds/1",
    ),
    unreadable("floor", "rows-alone", without(CUBE, f"{WITNESS}/columns"), "missing-key", WITNESS),
    unreadable("floor", "columns-alone", without(CUBE, f"{WITNESS}/rows"), "missing-key", WITNESS),
    unreadable(
        "floor", "a-row-too-few", changed(CUBE, f"{WITNESS}/rows", [1, 1]), "wrong-length", f"{WITNESS}/rows"
    ),
    unreadable(
        "floor",
        "a-column-too-many",
        changed(CUBE, f"{WITNESS}/columns/+", 1),
        "wrong-length",
        f"{WITNESS}/columns",
    ),
    unreadable(
        "floor",
        "negative-weight",
        changed(CUBE, f"{WITNESS}/rows/1", -1),
        "out-of-range",
        f"{WITNESS}/rows/1",
    ),
    unreadable("floor", "no-thresholds", without(TIED, f"{WITNESS}/thresholds"), "missing-key", WITNESS),
    unreadable("floor", "a-prime", changed(TIED, f"{WITNESS}/prime", 7), "unknown-key", f"{WITNESS}/prime"),
]

UNDECIDED = [
    undecided(
        "floor",
        "more-splits-than-fit",
        one(
            {"space": [[64, 64]], "ring": "QQ", "entries": [[list(range(64)), 1]]},
            "tied frobenius@1 CC >= 1",
            [32],
            [1],
        ),
        "limit-operations",
        f"{WITNESS}/orders",
    ),
    undecided(
        "floor",
        "more-weights-than-fit",
        one(
            {"space": [[110, 6]], "ring": "QQ", "entries": [[[0] * 6, 1]]},
            "tied frobenius@1 CC >= 1",
            [3],
            [1],
            rows=[],
            columns=[],
        ),
        "limit-flattening",
        f"{WITNESS}/orders",
    ),
]

CASES = ACCEPTED + REJECTED + UNREADABLE + UNDECIDED

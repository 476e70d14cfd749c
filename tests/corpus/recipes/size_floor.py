"""Files of the rule ``size-floor``."""

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

STEP = "/steps/0"
CLAIM = f"{STEP}/claim"
WITNESS = f"{STEP}/witness"

X2Y = form("xy", {"xxy": 1})
CURVE = form("xyz", {"xyy": 1, "xxz": 1})
POINT_AND_TANGENT = form("xyz", {"xxy": 1, "xxx": 1, "zzz": 1})


def one(target: Json, claim: str, **witness: Json) -> dict[str, Json]:
    """A certificate of one step, with its own claim as the conclusion; the bound is the value of the claim."""
    units, quantity, over, _, value = claim.split()
    bound: Json = value if "/" in value else int(value)
    return certificate(
        target, [step("size-floor", claim, **witness, bound=bound)], [f"{units} {quantity} {over} {value}.."]
    )


def witness(n: int, **more: Json) -> dict[str, Json]:
    """Variables as words, x as the first linear form and y as the second."""
    rows, columns = ([[i] for i in range(n)] for _ in range(2))
    first, second = ([int(i == j) for i in range(n)] for j in (0, 1))
    plain: dict[str, Json] = {
        "order": 1,
        "rows": rows,
        "columns": columns,
        "over": first,
        "along": second,
        "polynomial": [0, 1],
        "power": 2,
    }
    return plain | more


# Within 1/100 of x^2 y: over x the matrix is [[0, 1/3], [1/3, 0]], along y [[1/3, 0], [0, 0]], their quotient [[0, 1], [0, 0]].
TANGENT = one(X2Y, "tied size@2*1/10000 CC >= 13/20", **witness(2))
# Three units on a conic: a block of size 3. Within 1/10000.
OSCULATING = one(CURVE, "tied size@3*1/100000000 CC >= 43/5", **witness(3, power=3))
# Over x + z, along x + y the quotient has the eigenvalues 1, 1 (a block) and 0; the polynomial is z (z - 1).
SEVERAL = one(
    POINT_AND_TANGENT,
    "tied size@3*1/100000000 CC >= 29/25",
    **witness(3, over=[1, 0, 1], along=[1, 1, 0], polynomial=[0, -1, 1]),
)
GF7 = form("xy", {"xxy": 1}, "GF(7)")
ROOT = number_field("a", -2, 0, 1, root=[1, 2])

CASES = [
    accept("size-floor", "tangent", TANGENT),
    accept("size-floor", "over-rr", one(X2Y, "tied size@2*1/10000 RR >= 13/20", **witness(2))),
    accept("size-floor", "nearer", one(X2Y, "tied size@2*1/1000000000000 CC >= 809/10", **witness(2))),
    accept("size-floor", "osculating", OSCULATING),
    accept("size-floor", "a-block-and-a-point", SEVERAL),
    accept(
        "size-floor",
        "rows-of-order-2",
        one(
            form("xy", {"xxxy": 1}),
            "tied size@2*1/100000000 CC >= 5",
            **witness(2, order=2, rows=[[0, 0], [0, 1]]),
        ),
    ),
    accept(
        "size-floor", "fractions", one(X2Y, "tied size@2*1/10000 CC >= 13/20", **witness(2, over=["1/2", 0]))
    ),
    accept("size-floor", "nothing-near", one(X2Y, "tied size@2*1/10000 CC >= 0", **witness(2))),
    # Power 1: the polynomial of a diagonalisable quotient, and all that is said is what the coefficients say.
    accept(
        "size-floor",
        "no-block",
        one(
            form("xy", {"xxx": 1, "yyy": 1}),
            "tied size@2*1/1000000 CC >= 7/10",
            **witness(2, over=[1, 1], polynomial=[0, -1, 1], power=1),
        ),
    ),
    reject(
        "size-floor",
        "a-little-more",
        one(X2Y, "tied size@2*1/10000 CC >= 33/50", **witness(2)),
        "bound",
        f"{WITNESS}/bound",
    ),
    reject("size-floor", "claimed-more", changed(TANGENT, f"{CLAIM}/value", "33/50"), "claim-differs", CLAIM),
    reject(
        "size-floor",
        "farther",
        changed(TANGENT, f"{CLAIM}/quantity/scale", "1/9999"),
        "conclusion-differs",
        "/conclusion/0/lower",
    ),
    # 1/10: the differences outweigh the entry, and the square of what is left would be large.
    reject(
        "size-floor",
        "too-far",
        one(X2Y, "tied size@2*1/100 CC >= 1/100", **witness(2)),
        "bound",
        f"{WITNESS}/bound",
    ),
    # 1/2: the matrix of the network need not be invertible.
    reject(
        "size-floor",
        "far-away",
        one(X2Y, "tied size@2*1/4 CC >= 1/100", **witness(2)),
        "bound",
        f"{WITNESS}/bound",
    ),
    reject(
        "size-floor",
        "singular",
        one(X2Y, "tied size@2*1/10000 CC >= 1/100", **witness(2, over=[0, 1], along=[1, 0])),
        "hypothesis",
        f"{WITNESS}/over",
    ),
    # x^3 + y^3 is a sum of two units of size 1, however near one comes.
    reject(
        "size-floor",
        "diagonalisable",
        one(form("xy", {"xxx": 1, "yyy": 1}), "tied size@2*1/1000000 CC >= 100", **witness(2, over=[1, 1])),
        "hypothesis",
        f"{WITNESS}/polynomial",
    ),
    reject(
        "size-floor",
        "power-2-of-a-block-of-3",
        one(CURVE, "tied size@3*1/100000000 CC >= 1", **witness(3)),
        "hypothesis",
        f"{WITNESS}/polynomial",
    ),
    reject(
        "size-floor",
        "another-loss",
        changed(TANGENT, f"{CLAIM}/quantity/floor", "gaussian"),
        "quantity",
        f"{CLAIM}/quantity",
    ),
    reject(
        "size-floor",
        "over-qq",
        certificate(
            X2Y,
            [step("size-floor", "tied size@2*1/10000 QQ >= 13/20", **witness(2), bound="13/20")],
            ["tied size@2*1/10000 QQ 13/20.."],
        ),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        "size-floor",
        "over-a-number-field",
        certificate(
            form("xy", {"xxy": [0, 1]}, "QQ(a)"),
            [step("size-floor", "tied size@2*1/10000 CC >= 13/20", **witness(2), bound="13/20")],
            ["tied size@2*1/10000 CC 13/20.."],
            number_fields=[ROOT],
        ),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        "floor",
        "of-a-size",
        certificate(
            X2Y,
            [
                step(
                    "floor",
                    "tied size@1 CC >= 2/3",
                    orders=[1],
                    thresholds=["1/3"],
                    rows=[1, 1],
                    columns=[1, 1, 1],
                )
            ],
            ["tied size@1 CC 2/3.."],
        ),
        "quantity",
        f"{CLAIM}/quantity",
    ),
    unreadable(
        "size-floor",
        "a-width",
        one(X2Y, "tied rank CC >= 2", **witness(2)),
        "wrong-length",
        f"{WITNESS}/rows",
    ),
    unreadable(
        "size-floor", "untied", changed(TANGENT, f"{CLAIM}/units", "untied"), "units-do-not-fit", STEP
    ),
    unreadable(
        "size-floor",
        "two-outputs",
        one(forms("xy", [{"xxy": 1}, {"xyy": 1}]), "tied size@2*1/10000 CC >= 1/2", **witness(2)),
        "units-do-not-fit",
        STEP,
    ),
    unreadable(
        "size-floor",
        "a-quadric",
        one(form("xy", {"xy": 1}), "tied size@2*1/10000 CC >= 1/2", **witness(2)),
        "units-do-not-fit",
        STEP,
    ),
    unreadable(
        "size-floor",
        "no-words-of-rows",
        changed(TANGENT, f"{WITNESS}/order", 0),
        "out-of-range",
        f"{WITNESS}/order",
    ),
    unreadable(
        "size-floor",
        "no-words-of-columns",
        changed(TANGENT, f"{WITNESS}/order", 2),
        "out-of-range",
        f"{WITNESS}/order",
    ),
    unreadable(
        "size-floor", "a-row-twice", changed(TANGENT, f"{WITNESS}/rows/1", [0]), "repeated", f"{WITNESS}/rows"
    ),
    unreadable(
        "size-floor",
        "a-column-twice",
        changed(TANGENT, f"{WITNESS}/columns/1", [0]),
        "repeated",
        f"{WITNESS}/columns",
    ),
    unreadable(
        "size-floor", "one-row", changed(TANGENT, f"{WITNESS}/rows", [[0]]), "wrong-length", f"{WITNESS}/rows"
    ),
    unreadable(
        "size-floor",
        "a-long-word",
        changed(TANGENT, f"{WITNESS}/rows/0", [0, 0]),
        "wrong-length",
        f"{WITNESS}/rows/0",
    ),
    unreadable(
        "size-floor",
        "no-such-variable",
        changed(TANGENT, f"{WITNESS}/rows/1", [2]),
        "out-of-range",
        f"{WITNESS}/rows/1/0",
    ),
    unreadable(
        "size-floor",
        "a-short-form",
        changed(TANGENT, f"{WITNESS}/over", [1]),
        "wrong-length",
        f"{WITNESS}/over",
    ),
    unreadable(
        "size-floor",
        "a-long-form",
        changed(TANGENT, f"{WITNESS}/along", [0, 1, 0]),
        "wrong-length",
        f"{WITNESS}/along",
    ),
    unreadable(
        "size-floor",
        "a-constant",
        changed(TANGENT, f"{WITNESS}/polynomial", [0]),
        "wrong-length",
        f"{WITNESS}/polynomial",
    ),
    unreadable(
        "size-floor", "power-0", changed(TANGENT, f"{WITNESS}/power", 0), "out-of-range", f"{WITNESS}/power"
    ),
    unreadable(
        "size-floor", "power-3", changed(TANGENT, f"{WITNESS}/power", 3), "out-of-range", f"{WITNESS}/power"
    ),
    unreadable("size-floor", "no-bound", without(TANGENT, f"{WITNESS}/bound"), "missing-key", WITNESS),
]

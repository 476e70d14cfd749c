"""Files of the rule ``conjugate-units``."""

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
    undecided,
    unreadable,
    without,
)

CLAIM, WITNESS = "/steps/0/claim", "/steps/0/witness"


def family(polynomial: Json, *unit: Json) -> dict[str, Json]:
    return {"polynomial": polynomial, "unit": list(unit)}


def one(
    target: Json, claim: str, conclusion: list[str], *families: Json, fields: list[Json] | None = None
) -> dict[str, Json]:
    """A certificate of one sum."""
    return certificate(
        target, [step("conjugate-units", claim, families=list(families))], conclusion, fields or ()
    )


# A third of the sum of (x + t y)^3 over the roots of t^3 - 2: the sums of 1, t, t^2, t^3 are 3, 0, 0, 6.
CUBE_ROOTS = one(
    form("xy", {"xxx": 1, "yyy": 2}),
    "tied rank CC <= 3",
    ["tied rank CC 0..3"],
    family([-2, 0, 0, 1], [1, [0, 1]], ["1/3"]),
)
# Over the roots of t^3 - 3 t + 1, which are real, the sums of 1, t, ..., t^4 are 3, 0, 6, -3, 18.
REAL = one(
    form("xy", {"xxxx": 3, "xxyy": 36, "xyyy": -12, "yyyy": 18}),
    "tied rank RR <= 3",
    ["tied rank RR 0..3", "untied rank CC 0..3"],
    family([1, -3, 0, 1], [1, [0, 1]], [1]),
)
# The square roots of 2 twice in one polynomial: 2 (x + t y)^2 at each.
REPEATED = one(
    form("xy", {"xx": 4, "yy": 8}),
    "tied rank CC <= 4",
    ["tied rank CC 0..4"],
    family([4, 0, -4, 0, 1], [1, [0, 1]], [1]),
)
# x^2 (x + y) + the sum of (x + t y)^2 (t x - y) at i and -i: sums of 1, t, t^2, t^3 are 2, 0, -2, 0.
UNTIED = one(
    form("xy", {"xxx": 1, "xxy": -5, "yyy": 2}),
    "untied rank CC <= 3",
    ["untied rank CC 0..3"],
    family([0, 1], [1, 0], [1, 1], [1]),
    family([1, 0, 1], [1, [0, 1]], [[0, 1], -1], [1]),
)
# (x + i y)^2 and (x - i y)^2, with the weights (1/2, -i/2) and (1/2, i/2): x^2 - y^2 and 2 x y.
COMPLEX = one(
    forms("xy", [{"xx": 1, "yy": -1}, {"xy": 2}]),
    "tied rank CC <= 2",
    ["tied rank CC 0..2"],
    family([1, 0, 1], [1, [0, 1]], ["1/2", [0, "-1/2"]]),
)
PRODUCT = one(
    tensor((2, 2, 2), {(0, 0, 0): 1, (0, 1, 1): 1, (1, 0, 1): 1, (1, 1, 0): -1}),
    "product rank CC <= 2",
    ["product rank CC 0..2"],
    family([1, 0, 1], [1, [0, 1]], [1, [0, 1]], ["1/2", [0, "-1/2"]]),
)
# (t^2 - 1)^2: the roots 1 and -1, twice each.
HALVES = one(
    form("xy", {"xx": 4, "yy": 4}),
    "tied rank RR <= 4",
    ["tied rank RR 0..4"],
    family([1, 0, -2, 0, 1], [1, [0, 1]], [1]),
)

ACCEPTED = [
    accept("conjugate-units", "cube-roots-of-2", CUBE_ROOTS),
    accept("conjugate-units", "three-real-roots", REAL),
    accept("conjugate-units", "roots-counted-twice", REPEATED),
    accept("conjugate-units", "a-rational-unit-and-two-others-untied", UNTIED),
    accept("conjugate-units", "squaring-a-complex-number", COMPLEX),
    accept("conjugate-units", "product-of-complex-numbers", PRODUCT),
]

REJECTED = [
    reject("conjugate-units", "one-less", changed(CUBE_ROOTS, f"{CLAIM}/value", 2), "claim-differs", CLAIM),
    reject("conjugate-units", "one-family", changed(CUBE_ROOTS, f"{CLAIM}/value", 1), "claim-differs", CLAIM),
    reject("conjugate-units", "one-more", changed(CUBE_ROOTS, f"{CLAIM}/value", 4), "claim-differs", CLAIM),
    reject(
        "conjugate-units",
        "another-polynomial",
        changed(CUBE_ROOTS, f"{WITNESS}/families/0/polynomial/0", -3),
        "sum-misses-target",
        f"{WITNESS}/families",
    ),
    reject(
        "conjugate-units",
        "a-family-forgotten",
        changed(
            changed(UNTIED, f"{WITNESS}/families", [family([1, 0, 1], [1, [0, 1]], [[0, 1], -1], [1])]),
            f"{CLAIM}/value",
            2,
        ),
        "sum-misses-target",
        f"{WITNESS}/families",
    ),
    reject(
        "conjugate-units",
        "a-coefficient-of-the-target-that-no-unit-has",
        changed(CUBE_ROOTS, "/target/entries", [[[0, 0, 0], 1], [[0, 0, 1], 1], [[1, 1, 1], 2]]),
        "sum-misses-target",
        f"{WITNESS}/families",
    ),
    reject(
        "conjugate-units",
        "cube-roots-of-2-over-rr",
        changed(changed(CUBE_ROOTS, f"{CLAIM}/over", "RR"), "/conclusion/0/field", "RR"),
        "non-real-root",
        f"{WITNESS}/families/0/polynomial",
    ),
    reject(
        "conjugate-units",
        "real-roots-that-are-repeated",
        HALVES,
        "non-real-root",
        f"{WITNESS}/families/0/polynomial",
    ),
    reject(
        "conjugate-units", "over-qq", changed(CUBE_ROOTS, f"{CLAIM}/over", "QQ"), "field", f"{CLAIM}/over"
    ),
    reject(
        "conjugate-units",
        "a-target-over-a-number-field",
        one(
            form("xy", {"xxx": 1, "yyy": [0, 1]}, "QQ(a)"),
            "tied rank CC <= 3",
            ["tied rank CC 0..3"],
            family([-2, 0, 0, 1], [1, [0, 1]], ["1/3"]),
            fields=[number_field("a", -2, 0, 1)],
        ),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        "conjugate-units",
        "a-lower-bound",
        changed(CUBE_ROOTS, f"{CLAIM}/relation", ">="),
        "claim-differs",
        CLAIM,
    ),
]

UNREADABLE = [
    unreadable(
        "conjugate-units",
        "no-families",
        changed(CUBE_ROOTS, f"{WITNESS}/families", []),
        "empty-list",
        f"{WITNESS}/families",
    ),
    unreadable(
        "conjugate-units",
        "without-polynomial",
        without(CUBE_ROOTS, f"{WITNESS}/families/0/polynomial"),
        "missing-key",
        f"{WITNESS}/families/0",
    ),
    unreadable(
        "conjugate-units",
        "not-monic",
        changed(CUBE_ROOTS, f"{WITNESS}/families/0/polynomial/3", 2),
        "not-monic",
        f"{WITNESS}/families/0/polynomial",
    ),
    unreadable(
        "conjugate-units",
        "a-fraction",
        changed(CUBE_ROOTS, f"{WITNESS}/families/0/polynomial/0", "1/2"),
        "wrong-type",
        f"{WITNESS}/families/0/polynomial/0",
    ),
    unreadable(
        "conjugate-units",
        "a-constant-polynomial",
        changed(CUBE_ROOTS, f"{WITNESS}/families/0/polynomial", [1]),
        "wrong-length",
        f"{WITNESS}/families/0/polynomial",
    ),
    unreadable(
        "conjugate-units",
        "degree-65",
        changed(CUBE_ROOTS, f"{WITNESS}/families/0/polynomial", [1] * 66),
        "wrong-length",
        f"{WITNESS}/families/0/polynomial",
    ),
    unreadable(
        "conjugate-units",
        "a-coordinate-beyond-the-degree",
        changed(CUBE_ROOTS, f"{WITNESS}/families/0/unit/0/1", [0, 1, 0, 1]),
        "wrong-length",
        f"{WITNESS}/families/0/unit/0/1",
    ),
    unreadable(
        "conjugate-units",
        "vectors",
        changed(CUBE_ROOTS, f"{WITNESS}/families/0/unit", [[1, [0, 1]]]),
        "wrong-length",
        f"{WITNESS}/families/0/unit",
    ),
    unreadable(
        "conjugate-units",
        "vector",
        changed(CUBE_ROOTS, f"{WITNESS}/families/0/unit/0", [1]),
        "wrong-length",
        f"{WITNESS}/families/0/unit/0",
    ),
]

UNDECIDED = [
    undecided(
        "conjugate-units",
        "too-many-terms",
        one(
            {"space": [[12, 12]], "ring": "QQ", "entries": [[[0] * 12, 1]]},
            "tied rank CC <= 64",
            ["tied rank CC 0..64"],
            family([1, *[0] * 63, 1], [[0] * i + [1, 1] for i in range(12)], [1]),
        ),
        "limit-operations",
        f"{WITNESS}/families",
    ),
    undecided(
        "conjugate-units",
        "long-coefficients",
        one(
            {"space": [[1, 2]], "ring": "QQ", "entries": [[[0, 0], 64]]},
            "tied rank RR <= 64",
            ["tied rank RR 0..64"],
            family(["1" + "0" * 3000, *[0] * 63, 1], [1], [1]),
        ),
        "limit-operations",
        f"{WITNESS}/families/0/polynomial",
    ),
]

CASES = ACCEPTED + REJECTED + UNREADABLE + UNDECIDED

"""Files of the rule ``binary`` with the argument ``discriminant``."""

from __future__ import annotations

from .binary import CIRCLE, CLAIM, OVER, WITNESS, one
from .building import accept, changed, form, reject, unreadable

COSINE = [[[0, 0, 0], 1], [[0, 1, 1], -3]]
SINE = [[[0, 0, 1], 3], [[1, 1, 1], -1]]
SQUARES = [[[0, 0], 1], [[1, 1], 1]]
CIRCLES = one(
    CIRCLE,
    "tied rank QQ >= 4",
    argument="discriminant",
    degree=3,
    operators=[COSINE, SINE],
    constant=108,
    square_root=SQUARES,
)

CASES = [
    accept("binary", "discriminant", CIRCLES),
    accept(
        "binary",
        "discriminant-over-rr",
        # x^3 - 3 x y^2: only multiples of X^2 + Y^2, of discriminant -4, kill it in degree 2.
        one(
            form("xy", {"xxx": 1, "xyy": -3}),
            "tied rank RR >= 3",
            argument="discriminant",
            degree=2,
            operators=[[[[0, 0], 1], [[1, 1], 1]]],
            constant=-4,
            square_root=[[[0], 1]],
        ),
    ),
    reject(
        "binary",
        "discriminant-that-is-a-square",
        # x^4 + 6 x^2 y^2 + y^4 is a sum of two powers; X^2 - Y^2 has the discriminant 4.
        one(
            form("xy", {"xxxx": 1, "xxyy": 6, "yyyy": 1}),
            "tied rank QQ >= 3",
            argument="discriminant",
            degree=2,
            operators=[[[[0, 0], 1], [[1, 1], -1]]],
            constant=4,
            square_root=[[[0], 1]],
        ),
        "hypothesis",
        f"{WITNESS}/constant",
    ),
    reject(
        "binary",
        "discriminant-zero",
        # x^3: Y^2 kills it, with discriminant 0 times anything; x^3 is one unit.
        one(
            form("xy", {"xxx": 1}),
            "tied rank RR >= 3",
            argument="discriminant",
            degree=2,
            operators=[[[[0, 1], 1]], [[[1, 1], 1]]],
            constant=0,
            square_root=[[[0], 1]],
        ),
        "hypothesis",
        f"{WITNESS}/constant",
    ),
    reject(
        "binary",
        "discriminant-positive-over-rr",
        changed(CIRCLES, OVER, "RR"),
        "hypothesis",
        f"{WITNESS}/constant",
    ),
    reject("binary", "discriminant-over-cc", changed(CIRCLES, OVER, "CC"), "field", OVER),
    reject(
        "binary",
        "discriminant-untied",
        changed(CIRCLES, f"{CLAIM}/units", "untied"),
        "hypothesis",
        "/steps/0",
    ),
    reject(
        "binary",
        "discriminant-of-one-operator-of-two",
        # This one does not split over the rationals; others might.
        one(
            CIRCLE,
            "tied rank QQ >= 4",
            argument="discriminant",
            degree=3,
            operators=[COSINE],
            constant=108,
            square_root=[[[0, 0], 1]],
        ),
        "incomplete",
        f"{WITNESS}/operators",
    ),
    reject(
        "binary",
        "discriminant-of-an-operator-that-does-not-kill",
        changed(CIRCLES, f"{WITNESS}/operators/1/1/1", 1),
        "not-apolar",
        f"{WITNESS}/operators/1",
    ),
    reject(
        "binary",
        "discriminant-with-another-constant",
        changed(CIRCLES, f"{WITNESS}/constant", 27),
        "not-a-square",
        f"{WITNESS}/square_root",
    ),
    reject(
        "binary",
        "discriminant-border",
        changed(CIRCLES, f"{CLAIM}/quantity", "border_rank"),
        "claim-differs",
        CLAIM,
    ),
    reject("binary", "discriminant-five", changed(CIRCLES, f"{CLAIM}/value", 5), "claim-differs", CLAIM),
    *(
        unreadable(
            "binary",
            f"discriminant-{name}",
            changed(CIRCLES, f"{WITNESS}/{key}", value),
            code,
            f"{WITNESS}/{place}",
        )
        for name, key, value, code, place in (
            ("of-degree-6", "degree", 6, "out-of-range", "degree"),
            ("of-degree-1", "degree", 1, "out-of-range", "degree"),
            ("of-nothing", "operators", [], "empty-list", "operators"),
            ("with-a-linear-form", "square_root", [[[0], 1]], "wrong-length", "square_root/0/0"),
            ("with-a-third-parameter", "square_root", [[[2, 2], 1]], "out-of-range", "square_root/0/0/0"),
            ("constant-unreduced", "constant", "2/4", "not-lowest-terms", "constant"),
        )
    ),
]

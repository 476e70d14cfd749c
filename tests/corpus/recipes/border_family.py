"""Files of the rule ``border-family``."""

from __future__ import annotations

from .building import (
    Json,
    accept,
    certificate,
    changed,
    eps,
    form,
    forms,
    named,
    number_field,
    reject,
    step,
    undecided,
    unreadable,
    without,
)


def family(
    target: Json, claim: str, order: int, units: Json, conclusion: list[str], fields: list[Json] | None = None
) -> dict[str, Json]:
    """A certificate of one border family over the field of its claim."""
    witness = step("border-family", claim, ring=claim.split()[2], order=order, units=units)
    return certificate(target, [witness], conclusion, fields or ())


TANGENT = [[[1, eps((1, 1))], ["1/3"]], [[1, 0], ["-1/3"]]]
"""((x + eps y)^3 - x^3) / 3 = eps x^2 y + eps^2 x y^2 + ..."""

X2Y = family(
    form("xy", {"xxy": 1}),
    "tied border_rank QQ <= 2",
    1,
    TANGENT,
    ["tied border_rank QQ 0..2", "tied border_rank CC 0..2", "untied border_rank RR 0..2"],
)
E, ONE = eps((1, 1)), eps((-1, 1))
W3 = family(
    named("W", 3),
    "product border_rank QQ <= 2",
    0,
    [[[ONE, 1], [1, E], [1, E]], [[eps((-1, -1)), 0], [1, 0], [1, 0]]],
    ["product border_rank QQ 0..2", "product border_rank CC 0..2"],
)
ROOT_3 = number_field("r", -3, 0, 1)
OVER_ROOT_3 = family(
    form("xy", {"xxx": [0, 2], "xxy": 3}, "QQ(r)"),
    "tied border_rank QQ(r) <= 3",
    1,
    # r x^3 twice, once constant in eps and once not: a number and a family must be addable in either order.
    [[[1, 0], [[0, 1]]], [[1, eps((1, 1))], [eps((0, 1), (1, [0, 2]))]], [[1, 0], [[-1, -1]]]],
    ["tied border_rank QQ(r) 0..3", "tied border_rank CC 0..3", "untied rank CC 0.."],
    [ROOT_3],
)
UNITS, CLAIM, WITNESS = "/steps/0/witness/units", "/steps/0/claim", "/steps/0/witness"
COORDINATE = f"{UNITS}/0/0/1"

ACCEPTED = [
    accept("border-family", "x2y-tangent", X2Y),
    accept("border-family", "w3-with-a-pole", W3),
    accept(
        "border-family",
        "w3-modulo-2",
        family(
            named("W", 3),
            "product border_rank GF(2) <= 2",
            1,
            [[[1, E], [1, E], [1, E]], [[1, 0], [1, 0], [1, 0]]],
            ["product border_rank GF(2) 0..2", "product rank GF(2) 0.."],
        ),
    ),
    accept("border-family", "numbers-and-families-over-a-number-field", OVER_ROOT_3),
    accept(
        "border-family",
        "numbers-times-families-in-one-form",
        # (r x + eps y)^2 - 3 x^2 = 2 r eps x y + eps^2 y^2, and r / 6 is the inverse of 2 r.
        family(
            form("xy", {"xy": 1}),
            "tied border_rank QQ(r) <= 2",
            1,
            [[[[0, 1], eps((1, 1))], [[0, "1/6"]]], [[1, 0], [[0, "-1/2"]]]],
            ["tied border_rank QQ(r) 0..2", "tied rank CC 0.."],
            [ROOT_3],
        ),
    ),
    accept(
        "border-family",
        "constant-units",
        family(
            form("xy", {"xy": 1}),
            "untied border_rank QQ <= 1",
            0,
            [[[1, 0], [0, 1], [1]]],
            ["untied border_rank QQ 0..1", "untied rank QQ 0.."],
        ),
    ),
    accept(
        "border-family",
        "negative-order",
        family(
            form("xy", {"xy": 1}),
            "untied border_rank QQ <= 1",
            -2,
            [[[eps((-1, 1)), 0], [0, eps((-1, 1))], [1]]],
            ["untied border_rank QQ 0..1"],
        ),
    ),
    *(
        accept(
            "border-family",
            f"order-{order}",
            family(
                form("xy", {"xy": 1}),
                "untied border_rank QQ <= 1",
                order,
                [[[eps((order, 1)), 0], [0, 1], [1]]],
                ["untied border_rank QQ 0..1"],
            ),
        )
        for order in (4096, -4096)
    ),
    accept(
        "border-family",
        "map-over-gf5",
        family(
            forms("xy", [{"xxy": 1}, {"xxx": 2}]),
            "tied border_rank GF(5) <= 2",
            1,
            # 1/3 = 2; the second output is 2 eps x^3 and 6 eps^2 x^2 y is of higher order.
            [[[1, eps((1, 1))], [2, eps((1, 2))]], [[1, 0], [3, 0]]],
            ["tied border_rank GF(5) 0..2", "untied border_rank GF(5) 0..2"],
        ),
    ),
    accept(
        "border-family",
        "x2y2-mixed-1",
        family(
            form("xy", {"xxyy": 1}),
            "mixed:1 border_rank QQ <= 2",
            1,
            # (x + eps y)^3 y / 3 - x^3 y / 3
            [[[1, eps((1, 1))], [0, 1], ["1/3"]], [[1, 0], [0, 1], ["-1/3"]]],
            ["mixed:1 border_rank QQ 0..2", "untied border_rank QQ 0..2", "tied border_rank QQ 0..4"],
        ),
    ),
]

REJECTED = [
    reject(
        "border-family",
        "wrong-weight",
        changed(X2Y, f"{UNITS}/0/1/0", "1/6"),
        "family-diverges",
        UNITS,
    ),
    reject(
        "border-family",
        "the-constant-term-stays",
        changed(without(X2Y, f"{UNITS}/1"), f"{CLAIM}/value", 1),
        "family-diverges",
        UNITS,
    ),
    reject(
        "border-family",
        "diverges-where-the-target-is-zero",
        changed(changed(X2Y, f"{UNITS}/+", [[0, 1], [eps((-5, 1))]]), f"{CLAIM}/value", 3),
        "family-diverges",
        UNITS,
    ),
    reject(
        "border-family", "order-too-low", changed(X2Y, f"{WITNESS}/order", 0), "family-misses-target", UNITS
    ),
    reject("border-family", "order-too-high", changed(X2Y, f"{WITNESS}/order", 2), "family-diverges", UNITS),
    reject(
        "border-family",
        "negated",
        changed(changed(X2Y, f"{UNITS}/0/1/0", "-1/3"), f"{UNITS}/1/1/0", "1/3"),
        "family-misses-target",
        UNITS,
    ),
    reject(
        "border-family",
        "half-of-a-tensor",
        family(
            named("unit", 2, 2),
            "product border_rank QQ <= 1",
            0,
            [[[1, eps((1, 1))], [1, eps((1, 1))]]],
            ["product border_rank QQ 0..1"],
        ),
        "family-misses-target",
        UNITS,
    ),
    reject("border-family", "rank", changed(X2Y, f"{CLAIM}/quantity", "rank"), "claim-differs", CLAIM),
    reject("border-family", "one-fewer", changed(X2Y, f"{CLAIM}/value", 1), "claim-differs", CLAIM),
    reject("border-family", "over-rr", changed(X2Y, f"{CLAIM}/over", "RR"), "field", f"{CLAIM}/over"),
    reject(
        "border-family",
        "rank-in-the-conclusion",
        # The rank of x^2 y in cubes is 3.
        changed(X2Y, "/conclusion/0/quantity", "rank"),
        "conclusion-differs",
        "/conclusion/0/upper",
    ),
    reject(
        "border-family",
        "modulo-2-in-the-conclusion-over-qq",
        changed(
            family(
                named("W", 3),
                "product border_rank GF(2) <= 2",
                1,
                [[[1, E], [1, E], [1, E]], [[1, 0], [1, 0], [1, 0]]],
                ["product border_rank GF(2) 0..2"],
            ),
            "/conclusion/0/field",
            "QQ",
        ),
        "conclusion-differs",
        "/conclusion/0/upper",
    ),
    reject(
        "border-family",
        "diverges-by-a-long-number",
        changed(X2Y, f"{UNITS}/1/0/0", "7" * 1500),
        "family-diverges",
        UNITS,
    ),
]

UNREADABLE = [
    unreadable("border-family", "no-order", without(X2Y, f"{WITNESS}/order"), "missing-key", WITNESS),
    unreadable(
        "border-family",
        "order-is-text",
        changed(X2Y, f"{WITNESS}/order", "1"),
        "wrong-type",
        f"{WITNESS}/order",
    ),
    unreadable(
        "border-family",
        "order-beyond-2-to-53",
        changed(X2Y, f"{WITNESS}/order", 2**53 + 1),
        "out-of-range",
        f"{WITNESS}/order",
    ),
    unreadable("border-family", "no-units", changed(X2Y, UNITS, []), "empty-list", UNITS),
    unreadable(
        "border-family", "no-terms", changed(X2Y, COORDINATE, eps()), "empty-list", f"{COORDINATE}/eps"
    ),
    unreadable(
        "border-family",
        "another-parameter",
        changed(X2Y, COORDINATE, {"t": [[1, 1]]}),
        "unknown-key",
        f"{COORDINATE}/t",
    ),
    unreadable("border-family", "empty-coordinate", changed(X2Y, COORDINATE, {}), "missing-key", COORDINATE),
    unreadable(
        "border-family",
        "terms-are-an-object",
        changed(X2Y, COORDINATE, {"eps": {"1": 1}}),
        "wrong-type",
        f"{COORDINATE}/eps",
    ),
    unreadable(
        "border-family",
        "a-term-of-length-three",
        changed(X2Y, COORDINATE, {"eps": [[1, 1, 1]]}),
        "wrong-length",
        f"{COORDINATE}/eps/0",
    ),
    unreadable(
        "border-family",
        "fractional-exponent",
        changed(X2Y, COORDINATE, eps(("1/2", 1))),
        "wrong-type",
        f"{COORDINATE}/eps/0/0",
    ),
    unreadable(
        "border-family",
        "exponent-beyond-2-to-53",
        changed(X2Y, COORDINATE, eps((-(2**53) - 1, 1))),
        "out-of-range",
        f"{COORDINATE}/eps/0/0",
    ),
    unreadable(
        "border-family",
        "repeated-exponent",
        changed(X2Y, COORDINATE, eps((1, 1), (1, 1))),
        "repeated",
        f"{COORDINATE}/eps/1/0",
    ),
    unreadable(
        "border-family",
        "falling-exponents",
        changed(X2Y, COORDINATE, eps((1, 1), (0, 1))),
        "unsorted",
        f"{COORDINATE}/eps/1/0",
    ),
    unreadable(
        "border-family",
        "zero-coefficient",
        changed(X2Y, COORDINATE, eps((1, 1), (2, 0))),
        "zero-entry",
        f"{COORDINATE}/eps/1/1",
    ),
    unreadable(
        "border-family",
        "constant-in-eps",
        changed(X2Y, COORDINATE, eps((0, 1))),
        "constant-family",
        COORDINATE,
    ),
    unreadable(
        "border-family",
        "a-family-in-a-family",
        changed(X2Y, COORDINATE, eps((1, {"eps": 1}))),
        "wrong-type",
        f"{COORDINATE}/eps/0/1",
    ),
]

UNDECIDED = [
    undecided(
        "border-family",
        "order-4097",
        changed(X2Y, f"{WITNESS}/order", 4097),
        "limit-exponent",
        f"{WITNESS}/order",
    ),
    undecided(
        "border-family",
        "order-minus-4097",
        changed(X2Y, f"{WITNESS}/order", -4097),
        "limit-exponent",
        f"{WITNESS}/order",
    ),
    undecided(
        "border-family",
        "exponent-4097",
        changed(X2Y, COORDINATE, eps((4097, 1))),
        "limit-exponent",
        f"{COORDINATE}/eps/0/0",
    ),
    undecided(
        "border-family",
        "exponent-minus-4097",
        changed(X2Y, COORDINATE, eps((-4097, 1))),
        "limit-exponent",
        f"{COORDINATE}/eps/0/0",
    ),
    undecided(
        "border-family",
        "exploding-family",
        # 65 coefficients, each a product of 64 families of 201 terms: billions of multiplications.
        family(
            form("xy", {"x" * 64: 1}),
            "tied border_rank QQ <= 1",
            0,
            [[[eps(*((e, 1) for e in range(-2000, 2001, 20))), 1], [1]]],
            ["tied border_rank QQ 0..1"],
        ),
        "limit-operations",
        UNITS,
    ),
]

CASES = ACCEPTED + REJECTED + UNREADABLE + UNDECIDED

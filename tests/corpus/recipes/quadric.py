"""Files of the rule ``quadric``."""

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
)

CLAIM = "/steps/0/claim"


def one(
    target: Json, claim: str, conclusion: list[str], fields: list[Json] | None = None, **witness: Json
) -> dict[str, Json]:
    """A certificate of one step."""
    return certificate(target, [step("quadric", claim, **witness)], conclusion, fields or ())


def both(
    target: Json, units: str, field: str, width: int, fields: list[Json] | None = None
) -> dict[str, Json]:
    """A certificate of both bounds."""
    steps = [
        step("quadric", f"{units} border_rank {field} >= {width}"),
        step("quadric", f"{units} rank {field} <= {width}"),
    ]
    return certificate(
        target,
        steps,
        [f"{units} rank {field} {width}..{width}", f"{units} border_rank {field} {width}..{width}"],
        fields or (),
    )


SUM = form("xy", {"xx": 1, "yy": 1})
THREE = form("xyz", {"xx": 1, "yy": 1, "zz": 1})
LORENTZ = form("wxyz", {"ww": 1, "xx": -1, "yy": -1, "zz": -1})
HYPERBOLIC = form("wxyz", {"wx": 1, "yz": -3})
FOUR = form("wxyz", {"ww": 1, "xx": 1, "yy": 1, "zz": 1})
ONE_ONE_THREE = form("xyz", {"xx": 1, "yy": 1, "zz": -3})
OVER_QQ = one(
    ONE_ONE_THREE, "untied border_rank QQ >= 3", ["untied rank QQ 3..", "untied border_rank QQ 3.."], place=3
)
MODULO_2 = form("xyz", {"xx": 1, "xy": 1, "yy": 1, "xz": 1}, "GF(2)")
POSITIVE = number_field("a", -2, 0, 1, root=[1, 2])
NEGATIVE = number_field("a", -2, 0, 1, root=[-2, -1])
TWISTED = form("xy", {"xx": 1, "yy": [0, 1]}, "QQ(a)")

ACCEPTED = [
    accept("quadric", "sum-tied-cc", both(SUM, "tied", "CC", 2)),
    accept("quadric", "sum-untied-cc", both(SUM, "untied", "CC", 1)),
    accept("quadric", "three-squares-untied-cc", both(THREE, "untied", "CC", 2)),
    accept("quadric", "lorentz-untied-rr", both(LORENTZ, "untied", "RR", 3)),
    accept("quadric", "lorentz-tied-rr", both(LORENTZ, "tied", "RR", 4)),
    accept(
        "quadric",
        "negative-definite-split-rr",
        both(form("xy", {"xx": -2, "xy": 2, "yy": "-2/3"}), "split", "RR", 2),
    ),
    accept(
        "quadric",
        "no-squares-on-the-diagonal",
        both(HYPERBOLIC, "mixed:1", "RR", 2),
    ),
    accept("quadric", "hyperbolic-tied-cc", both(HYPERBOLIC, "tied", "CC", 4)),
    accept("quadric", "degenerate", both(form("xyz", {"xx": 1, "xy": 2, "yy": 1}), "tied", "RR", 1)),
    accept("quadric", "sum-untied-gf3", both(SUM, "untied", "GF(3)", 2)),
    accept("quadric", "sum-untied-gf5", both(SUM, "untied", "GF(5)", 1)),
    accept("quadric", "sum-tied-gf5", both(SUM, "tied", "GF(5)", 2)),
    accept("quadric", "three-squares-untied-gf7", both(THREE, "untied", "GF(7)", 2)),
    accept("quadric", "four-squares-untied-gf7", both(FOUR, "untied", "GF(7)", 2)),
    accept(
        "quadric",
        "no-squares-on-the-diagonal-gf3",
        both(form("xy", {"xy": 2}, "GF(3)"), "untied", "GF(3)", 1),
    ),
    accept(
        "quadric",
        "odd-rank-with-a-square-discriminant-gf7",
        both(form("xyz", {"xx": 1, "yy": 1, "zz": -1 % 7}, "GF(7)"), "untied", "GF(7)", 2),
    ),
    accept(
        "quadric",
        "squares-and-a-product-gf5",
        both(form("xy", {"xx": 1, "xy": 1, "yy": 1}), "untied", "GF(5)", 2),
    ),
    accept(
        "quadric",
        "squares-and-a-product-gf7",
        both(form("xy", {"xx": 1, "xy": 1, "yy": 1}), "untied", "GF(7)", 1),
    ),
    accept(
        "quadric",
        "all-products-of-four-variables-modulo-2",
        both(form("wxyz", dict.fromkeys(("wx", "wy", "wz", "xy", "xz", "yz"), 1)), "untied", "GF(2)", 3),
    ),
    accept(
        "quadric",
        "all-products-of-five-variables-modulo-2",
        both(
            form("vwxyz", {a + b: 1 for i, a in enumerate("vwxyz") for b in "vwxyz"[i + 1 :]}),
            "untied",
            "GF(2)",
            3,
        ),
    ),
    accept(
        "quadric",
        "six-variables-modulo-2",
        both(
            form("uvwxyz", dict.fromkeys(("uw", "uy", "uz", "vw", "vx", "vz", "wx", "xx", "yy", "zz"), 1)),
            "untied",
            "GF(2)",
            4,
        ),
    ),
    accept(
        "quadric",
        "four-variables-with-arf-one-modulo-2",
        both(form("wxyz", dict.fromkeys(("ww", "wy", "wz", "xz", "yy", "yz"), 1)), "untied", "GF(2)", 3),
    ),
    accept(
        "quadric",
        "five-squares-at-2",
        one(
            form("vwxyz", {x + x: 1 for x in "vwxyz"}),
            "untied border_rank QQ >= 4",
            ["untied rank QQ 4.."],
            place=2,
        ),
    ),
    accept(
        "quadric",
        "four-squares-at-3",
        one(FOUR, "untied border_rank QQ >= 2", ["untied rank QQ 2.."], place=3),
    ),
    accept(
        "quadric",
        "four-variables-with-a-discriminant-at-5",
        one(
            form("wxyz", {"ww": 1, "xx": -2, "yy": 5, "zz": -10}),
            "untied border_rank QQ >= 4",
            ["untied rank QQ 4.."],
            place=5,
        ),
    ),
    accept(
        "quadric",
        "four-variables-without-a-square-discriminant-at-5",
        one(
            form("wxyz", {"ww": 1, "xx": -2, "yy": 5, "zz": -5}),
            "untied border_rank QQ >= 3",
            ["untied rank QQ 3.."],
            place=5,
        ),
    ),
    accept("quadric", "rank-drops-modulo-3", both(ONE_ONE_THREE, "untied", "GF(3)", 2)),
    accept(
        "quadric",
        "arf-one-modulo-2",
        both(form("xy", {"xx": 1, "xy": 1, "yy": 1}, "GF(2)"), "untied", "GF(2)", 2),
    ),
    accept("quadric", "arf-zero-modulo-2", both(form("xy", {"xy": 1}), "untied", "GF(2)", 1)),
    accept("quadric", "surviving-square-modulo-2", both(MODULO_2, "untied", "GF(2)", 2)),
    accept(
        "quadric",
        "a-square-on-the-radical-modulo-2",
        both(form("xyz", {"xx": 1, "xy": 1, "yy": 1, "zz": 1}), "split", "GF(2)", 2),
    ),
    accept(
        "quadric", "a-square-modulo-2", both(form("xy", {"xx": 1, "yy": 1}, "GF(2)"), "untied", "GF(2)", 1)
    ),
    accept(
        "quadric",
        "two-arf-one-planes-modulo-2",
        both(form("wxyz", {"ww": 1, "wx": 1, "xx": 1, "yy": 1, "yz": 1, "zz": 1}), "untied", "GF(2)", 2),
    ),
    accept("quadric", "three-squares-minus-at-3", OVER_QQ),
    accept(
        "quadric",
        "four-squares-at-2",
        one(FOUR, "split border_rank QQ >= 4", ["split rank QQ 4..", "untied border_rank QQ 4.."], place=2),
    ),
    accept(
        "quadric",
        "root-2-at-5",
        one(
            form("xy", {"xx": 1, "yy": -2}),
            "mixed:1 border_rank QQ >= 2",
            ["mixed:1 rank QQ 2..", "untied rank QQ 2..", "tied rank QQ 2.."],
            place=5,
        ),
    ),
    accept(
        "quadric",
        "seventeen-at-2",
        # 17 is a square in QQ_2.
        one(form("xy", {"xx": 1, "yy": -17}), "untied border_rank QQ >= 1", ["untied rank QQ 1.."], place=2),
    ),
    accept(
        "quadric",
        "at-a-large-prime",
        one(
            form("xyz", {"xx": "1/2", "yy": "-3/2", "zz": 9007199254740881}),
            "untied border_rank QQ >= 3",
            ["untied rank QQ 3.."],
            place=9007199254740881,
        ),
    ),
    accept("quadric", "positive-root-over-rr", both(TWISTED, "untied", "RR", 2, [POSITIVE])),
    accept("quadric", "negative-root-over-rr", both(TWISTED, "untied", "RR", 1, [NEGATIVE])),
    accept("quadric", "number-field-over-cc", both(TWISTED, "tied", "CC", 2, [number_field("a", -2, 0, 1)])),
    accept(
        "quadric",
        "irrational-pivots",
        # The second pivot is -(a - 1)^2.
        both(form("xyz", {"xx": 1, "xy": [-2, 2], "zz": 1}, "QQ(a)"), "untied", "RR", 2, [POSITIVE]),
    ),
    accept(
        "quadric",
        "quadric-over-rr-gives-number-fields",
        certificate(
            SUM,
            [step("quadric", "untied border_rank RR >= 2")],
            ["untied rank QQ(a) 2..", "untied rank QQ(i) 0..", "untied rank QQ 2.."],
            [POSITIVE, number_field("i", 1, 0, 1)],
        ),
    ),
]

REJECTED = [
    reject(
        "quadric",
        "sum-untied-cc-two",
        one(SUM, "untied border_rank CC >= 2", ["untied rank CC 2.."]),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "quadric",
        "sum-untied-gf5-two",
        one(SUM, "untied border_rank GF(5) >= 2", ["untied rank GF(5) 2.."]),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "quadric",
        "sum-untied-gf3-one",
        one(SUM, "untied rank GF(3) <= 1", ["untied rank GF(3) 0..1"]),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "quadric",
        "lorentz-two",
        one(LORENTZ, "untied rank RR <= 2", ["untied rank RR 0..2"]),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "quadric",
        "real-width-in-the-conclusion-over-cc",
        one(LORENTZ, "untied border_rank RR >= 3", ["untied rank CC 3.."]),
        "conclusion-differs",
        "/conclusion/0/lower",
    ),
    reject(
        "quadric",
        "the-other-embedding",
        changed(both(TWISTED, "untied", "RR", 2, [POSITIVE]), "/number_fields/0", NEGATIVE),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "quadric",
        "surviving-square-modulo-2-three",
        # x^2 + xy + y^2 + xz = (x + y + z) x + y y
        one(MODULO_2, "untied border_rank GF(2) >= 3", ["untied rank GF(2) 3.."]),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "quadric",
        "tied-modulo-2",
        one(form("xy", {"xx": 1}, "GF(2)"), "tied border_rank GF(2) >= 1", ["tied rank GF(2) 1.."]),
        "characteristic",
        "/steps/0",
    ),
    reject(
        "quadric",
        "arf-one-plane-as-a-product",
        one(form("xy", {"xx": 1, "xy": 1, "yy": 1}), "untied rank GF(2) <= 1", ["untied rank GF(2) 0..1"]),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "quadric", "at-another-place", changed(OVER_QQ, "/steps/0/witness/place", 5), "claim-differs", CLAIM
    ),
    reject("quadric", "no-place", changed(OVER_QQ, "/steps/0/witness", {}), "field", f"{CLAIM}/over"),
    reject("quadric", "a-place-over-rr", changed(OVER_QQ, f"{CLAIM}/over", "RR"), "field", f"{CLAIM}/over"),
    reject("quadric", "a-place-over-cc", changed(OVER_QQ, f"{CLAIM}/over", "CC"), "field", f"{CLAIM}/over"),
    reject(
        "quadric", "a-place-over-gf3", changed(OVER_QQ, f"{CLAIM}/over", "GF(3)"), "field", f"{CLAIM}/over"
    ),
    reject(
        "quadric",
        "a-place-over-a-number-field",
        one(
            form("xyz", {"xx": 1, "yy": 1, "zz": [0, 1]}, "QQ(a)"),
            "untied border_rank QQ(a) >= 3",
            ["untied rank QQ(a) 3.."],
            [POSITIVE],
            place=3,
        ),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        "quadric",
        "an-upper-bound-at-a-place",
        changed(changed(OVER_QQ, f"{CLAIM}/relation", "<="), f"{CLAIM}/quantity", "rank"),
        "hypothesis",
        "/steps/0",
    ),
    reject(
        "quadric", "tied-at-a-place", changed(OVER_QQ, f"{CLAIM}/units", "tied"), "hypothesis", "/steps/0"
    ),
    reject(
        "quadric",
        "a-cubic",
        one(form("xy", {"xxx": 1, "yyy": 1}), "tied border_rank CC >= 2", ["tied rank CC 2.."]),
        "hypothesis",
        "/steps/0",
    ),
    reject(
        "quadric",
        "two-quadrics",
        one(forms("xy", [{"xx": 1}, {"yy": 1}]), "tied border_rank CC >= 2", ["tied rank CC 2.."]),
        "hypothesis",
        "/steps/0",
    ),
    reject(
        "quadric",
        "a-matrix",
        one(tensor((2, 2), {(0, 0): 1, (1, 1): 1}), "product border_rank CC >= 2", ["product rank CC 2.."]),
        "hypothesis",
        "/steps/0",
    ),
    reject(
        "quadric",
        "over-qq-i",
        one(SUM, "untied rank QQ(i) <= 1", ["untied rank QQ(i) 0..1"], [number_field("i", 1, 0, 1)]),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        "quadric",
        "rank-instead-of-border-rank",
        one(SUM, "tied rank CC >= 2", ["tied rank CC 2.."]),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "quadric",
        "vanishes-modulo-3",
        one(form("xy", {"xy": 3}), "untied border_rank GF(3) >= 1", ["untied rank GF(3) 1.."]),
        "target-vanishes",
        "/target",
    ),
]

UNREADABLE = [
    unreadable(
        "quadric",
        "place-9",
        changed(OVER_QQ, "/steps/0/witness/place", 9),
        "not-prime",
        "/steps/0/witness/place",
    ),
    unreadable(
        "quadric",
        "place-a-product-of-two-large-primes",
        changed(OVER_QQ, "/steps/0/witness/place", 94906247 * 94906249),
        "not-prime",
        "/steps/0/witness/place",
    ),
    unreadable(
        "quadric",
        "place-infinity",
        changed(OVER_QQ, "/steps/0/witness/place", "oo"),
        "wrong-type",
        "/steps/0/witness/place",
    ),
    unreadable(
        "quadric",
        "place-1",
        changed(OVER_QQ, "/steps/0/witness/place", 1),
        "out-of-range",
        "/steps/0/witness/place",
    ),
    unreadable(
        "quadric",
        "place-beyond-2-to-53",
        changed(OVER_QQ, "/steps/0/witness/place", 9007199254740997),
        "out-of-range",
        "/steps/0/witness/place",
    ),
    unreadable(
        "quadric",
        "a-diagonal",
        changed(OVER_QQ, "/steps/0/witness/diagonal", [1, 1, -3]),
        "unknown-key",
        "/steps/0/witness/diagonal",
    ),
]

UNDECIDED = [
    undecided(
        "quadric",
        "five-hundred-variables",
        certificate(
            {"space": [[500, 2]], "ring": "QQ", "entries": [[[0, 0], 1]]},
            [step("quadric", "tied border_rank CC >= 1")],
            ["tied rank CC 1.."],
        ),
        "limit-operations",
        "/steps/0",
    ),
    undecided(
        "quadric",
        "two-hundred-variables-modulo-2",
        certificate(
            {"space": [[200, 2]], "ring": "GF(2)", "entries": [[[0, 1], 1]]},
            [step("quadric", "untied border_rank GF(2) >= 1")],
            ["untied rank GF(2) 1.."],
        ),
        "limit-operations",
        "/steps/0",
    ),
]

CASES = ACCEPTED + REJECTED + UNREADABLE + UNDECIDED

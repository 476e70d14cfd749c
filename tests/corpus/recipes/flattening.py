"""Files of the rule ``flattening``."""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb

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

P = 1048573
CLAIM, WITNESS = "/steps/0/claim", "/steps/0/witness"


def one(
    target: Json, claim: str, conclusion: list[str], fields: list[Json] | None = None, **witness: Json
) -> dict[str, Json]:
    """A certificate of one flattening."""
    return certificate(target, [step("flattening", claim, **witness)], conclusion, fields or ())


def square_of_squares(names: str) -> Json:
    """(x^2 + y^2 + ...)^2: its middle catalecticant has full rank."""
    terms = {}
    for x, y in combinations_with_replacement(names, 2):
        terms[x + x + y + y] = 1 if x == y else 2
    return form(names, terms)


X2Y = one(
    form("xy", {"xxy": 1}),
    "tied border_rank CC >= 2",
    ["tied rank CC 2..", "tied rank QQ 2..", "tied border_rank RR 2..", "untied border_rank CC 1.."],
    orders=[1],
    prime=P,
)
HESSIAN = form("xyz", {"xxy": 1, "yyz": 1, "zzx": 1})
UNTIED = one(
    HESSIAN, "untied border_rank CC >= 2", ["untied rank CC 2..", "tied rank CC 2.."], orders=[1], prime=7
)
MATMUL = one(
    named("matmul", 2, 2, 2),
    "product border_rank CC >= 4",
    ["product rank CC 4..", "product border_rank QQ 4.."],
    orders=[1, 0, 0],
    prime=P,
)
MINOR = changed(changed(X2Y, f"{WITNESS}/rows", [0, 1]), f"{WITNESS}/columns", [0, 1])
SQUARE = forms("xy", [{"xx": 1, "yy": -1}, {"xy": 2}])
# a^2 = 2 has the roots 3 and 4 modulo 7.
ROOT_2 = number_field("a", -2, 0, 1, root=[1, 2])
OVER_ROOT_2 = one(
    form("xy", {"xx": [0, 1], "xy": 1, "yy": [1, "1/2"]}, "QQ(a)"),
    "tied border_rank CC >= 2",
    ["tied rank QQ(a) 2..", "tied rank RR 2..", "tied border_rank CC 2.."],
    [ROOT_2],
    orders=[1],
    prime=7,
    root=3,
)
X2Y2_MODULO_2 = one(
    form("xy", {"xxyy": 1}, "GF(2)"),
    "tied border_rank GF(2) >= 2",
    ["tied rank GF(2) 2.."],
    orders=[2],
    prime=2,
)
XYZ_MODULO_2 = one(
    form("xyz", {"xyz": 1}),
    "tied border_rank GF(2) >= 3",
    ["tied rank GF(2) 3..", "tied border_rank GF(2) 3.."],
    orders=[1],
    prime=2,
)
QUARTIC = square_of_squares("xyz")
MIXED = one(
    QUARTIC,
    "mixed:2 border_rank CC >= 2",
    ["mixed:2 rank CC 2..", "split rank CC 1.."],
    orders=[2],
    prime=P,
)
SPLIT = one(
    square_of_squares("wxyz"),
    "split border_rank CC >= 2",
    [
        "split rank CC 2..",
        "mixed:2 border_rank CC 2..",
        "mixed:1 rank CC 2..",
        "untied rank RR 2..",
        "tied rank QQ 2..",
    ],
    orders=[2],
    prime=P,
)

ACCEPTED = [
    accept("flattening", "x2y", X2Y),
    accept("flattening", "a-cubic-untied", UNTIED),
    accept("flattening", "matmul-2-2-2", MATMUL),
    accept("flattening", "a-minor", MINOR),
    accept(
        "flattening",
        "a-minor-of-matmul",
        one(
            named("matmul", 2, 2, 3),
            "product border_rank CC >= 3",
            ["product rank RR 3.."],
            orders=[0, 1, 1],
            prime=101,
            # Pairs (b_jk, c_ik) in row 6 (jk) + ik; each stands over one a_ij.
            rows=[0, 3, 18],
            columns=[0, 1, 2, 3],
        ),
    ),
    accept("flattening", "coefficients-in-a-number-field", OVER_ROOT_2),
    accept("flattening", "x2y2-modulo-2", X2Y2_MODULO_2),
    accept("flattening", "xyz-modulo-2", XYZ_MODULO_2),
    accept("flattening", "quartic-mixed-2", MIXED),
    accept("flattening", "quartic-split", SPLIT),
    accept(
        "flattening",
        "quartic-mixed-1",
        # Rank 6, and at most 2 on x^3 y.
        one(
            QUARTIC,
            "mixed:1 border_rank CC >= 3",
            ["mixed:1 rank CC 3..", "untied rank CC 3.."],
            orders=[2],
            prime=P,
        ),
    ),
    accept(
        "flattening",
        "outputs-against-forms",
        one(SQUARE, "untied border_rank CC >= 2", ["untied rank CC 2.."], orders=[0, 1], prime=P),
    ),
    accept(
        "flattening",
        "forms-against-outputs",
        one(SQUARE, "split border_rank CC >= 2", ["split rank CC 2.."], orders=[2, 0], prime=P),
    ),
    accept(
        "flattening",
        "map-with-outputs-on-the-column-side",
        one(SQUARE, "tied border_rank CC >= 2", ["tied rank CC 2.."], orders=[1, 0], prime=P),
    ),
    accept(
        "flattening",
        "map-with-outputs-on-the-row-side",
        one(SQUARE, "mixed:1 border_rank CC >= 1", ["untied rank CC 1.."], orders=[1, 1], prime=P),
    ),
    accept(
        "flattening",
        "sixth-powers-near-the-end",
        # Order 5 of degree 6: at most 2 on a^4 b^2, although k + 1 = 3.
        one(
            form("xyz", {"xxxxxx": 1, "yyyyyy": 1, "zzzzzz": 1}),
            "mixed:2 border_rank CC >= 2",
            ["mixed:2 rank CC 2.."],
            orders=[5],
            prime=P,
        ),
    ),
    accept(
        "flattening",
        "sixth-powers-near-the-start",
        one(
            form("xyz", {"xxxxxx": 1, "yyyyyy": 1, "zzzzzz": 1}),
            "mixed:3 border_rank CC >= 2",
            ["mixed:3 rank CC 2.."],
            orders=[1],
            prime=P,
        ),
    ),
    accept(
        "flattening",
        "denominator-prime-to-the-modulus",
        one(
            form("xy", {"xx": "1/3", "yy": "-5/2"}),
            "tied border_rank CC >= 2",
            ["tied rank CC 2.."],
            orders=[1],
            prime=7,
        ),
    ),
    accept(
        "flattening",
        "one-row",
        one(
            form("xy", {"xx": 1, "xy": 2}),
            "tied border_rank CC >= 1",
            ["tied rank CC 1.."],
            orders=[1],
            prime=3,
            rows=[0],
            columns=[0, 1],
        ),
    ),
    accept(
        "flattening",
        "tensor-of-order-four-over-gf3",
        one(
            tensor((2, 2, 2, 2), {(0, 0, 0, 0): 1, (1, 1, 1, 1): 2, (0, 1, 0, 1): 1}, "GF(3)"),
            "product border_rank GF(3) >= 3",
            ["product rank GF(3) 3.."],
            orders=[1, 1, 0, 0],
            prime=3,
        ),
    ),
    accept(
        "flattening",
        "a-full-matrix-modulo-101",
        # A Vandermonde matrix without zeros: the work is in the elimination.
        one(
            tensor((10, 10), {(i, j): pow(i + 1, j, 101) for i in range(10) for j in range(10)}, "GF(101)"),
            "product border_rank GF(101) >= 10",
            ["product rank GF(101) 10.."],
            orders=[1, 0],
            prime=101,
        ),
    ),
    accept(
        "flattening",
        "a-chain-of-eighty-variables",
        # Modulo 2 the squares vanish from the matrix, and the path of 80 vertices has a perfect matching.
        one(
            {
                "space": [[80, 2]],
                "ring": "QQ",
                "entries": [[[i, j], 1] for i in range(80) for j in (i, i + 1) if j < 80],
            },
            "tied border_rank CC >= 80",
            ["tied rank CC 80.."],
            orders=[1],
            prime=2,
        ),
    ),
    accept(
        "flattening",
        "a-dense-matrix",
        # Pascal's matrix has determinant 1.
        one(
            tensor((14, 14), {(i, j): comb(i + j, i) for i in range(14) for j in range(14)}),
            "product border_rank CC >= 14",
            ["product rank QQ 14.."],
            orders=[1, 0],
            prime=2147483647,
        ),
    ),
    accept(
        "flattening",
        "a-matrix",
        one(
            named("unit", 3, 2),
            "product border_rank CC >= 3",
            ["product rank QQ 3.."],
            orders=[1, 0],
            prime=2,
        ),
    ),
]

REJECTED = [
    reject("flattening", "one-more", changed(X2Y, f"{CLAIM}/value", 3), "claim-differs", CLAIM),
    reject("flattening", "one-less", changed(X2Y, f"{CLAIM}/value", 1), "claim-differs", CLAIM),
    reject(
        "flattening",
        "divisor-two-forgotten",
        changed(UNTIED, f"{CLAIM}/value", 3),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "flattening",
        "x2-plus-y2-untied-over-cc",
        # (x + iy)(x - iy)
        one(
            form("xy", {"xx": 1, "yy": 1}),
            "untied border_rank CC >= 2",
            ["untied rank CC 2.."],
            orders=[1],
            prime=P,
        ),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "flattening",
        "divisor-three-forgotten",
        changed(MIXED, f"{CLAIM}/value", 6),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "flattening", "divisor-six-forgotten", changed(SPLIT, f"{CLAIM}/value", 10), "claim-differs", CLAIM
    ),
    reject(
        "flattening",
        "half-of-three-rounded-down",
        changed(UNTIED, f"{CLAIM}/value", 1),
        "claim-differs",
        CLAIM,
    ),
    reject("flattening", "rank", changed(X2Y, f"{CLAIM}/quantity", "rank"), "claim-differs", CLAIM),
    reject("flattening", "an-upper-bound", changed(X2Y, f"{CLAIM}/relation", "<="), "claim-differs", CLAIM),
    reject("flattening", "over-rr", changed(X2Y, f"{CLAIM}/over", "RR"), "field", f"{CLAIM}/over"),
    reject("flattening", "over-qq", changed(X2Y, f"{CLAIM}/over", "QQ"), "field", f"{CLAIM}/over"),
    reject(
        "flattening",
        "over-gf-of-another-prime",
        changed(X2Y, f"{CLAIM}/over", "GF(7)"),
        "prime",
        f"{WITNESS}/prime",
    ),
    reject(
        "flattening",
        "gf2-target-modulo-3",
        changed(X2Y2_MODULO_2, f"{WITNESS}/prime", 3),
        "prime",
        f"{WITNESS}/prime",
    ),
    reject(
        "flattening",
        "gf2-target-over-cc",
        changed(X2Y2_MODULO_2, f"{CLAIM}/over", "CC"),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        "flattening",
        "modulo-2-in-the-conclusion-over-cc",
        changed(XYZ_MODULO_2, "/conclusion/0/field", "CC"),
        "conclusion-differs",
        "/conclusion/0/lower",
    ),
    reject(
        "flattening",
        "modulo-5-in-the-conclusion-over-gf5",
        # A rank modulo 5 of a rational target bounds the rank over CC; nothing is claimed over GF(5).
        changed(changed(X2Y, f"{WITNESS}/prime", 5), "/conclusion/0/field", "GF(5)"),
        "conclusion-differs",
        "/conclusion/0/lower",
    ),
    reject(
        "flattening",
        "cube-of-a-sum-modulo-3",
        # (x + y + z)^3 is x^3 + y^3 + z^3 over GF(3): one tied unit.
        one(
            form("xyz", {"xxx": 1, "yyy": 1, "zzz": 1}),
            "tied border_rank GF(3) >= 3",
            ["tied rank GF(3) 3.."],
            orders=[1],
            prime=3,
        ),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "flattening",
        "derivatives-instead-of-hasse-derivatives",
        # x^2 y^2 modulo 2 has first derivatives 2 x y^2 = 0 and 2 x^2 y = 0.
        changed(changed(X2Y2_MODULO_2, f"{WITNESS}/orders", [1]), f"{CLAIM}/value", 1),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "flattening",
        "seven-in-a-denominator",
        one(
            form("xy", {"xx": "1/7", "yy": 1}),
            "tied border_rank CC >= 2",
            ["tied rank CC 2.."],
            orders=[1],
            prime=7,
        ),
        "denominator",
        f"{WITNESS}/prime",
    ),
    reject(
        "flattening",
        "seven-in-an-algebraic-denominator",
        changed(OVER_ROOT_2, "/target/entries/0/1", ["1/7", 1]),
        "denominator",
        f"{WITNESS}/prime",
    ),
    reject("flattening", "no-root", without(OVER_ROOT_2, f"{WITNESS}/root"), "root", WITNESS),
    reject("flattening", "a-root-for-qq", changed(X2Y, f"{WITNESS}/root", 0), "root", WITNESS),
    reject("flattening", "not-a-root", changed(OVER_ROOT_2, f"{WITNESS}/root", 2), "root", f"{WITNESS}/root"),
    reject(
        "flattening",
        "a-minor-of-rank-one",
        changed(MINOR, f"{WITNESS}/columns", [0, 2]),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "flattening",
        "a-minor-of-rank-one-in-the-rows",
        changed(MINOR, f"{WITNESS}/rows", [1]),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "flattening",
        "another-grouping",
        changed(MATMUL, f"{CLAIM}/value", 7),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "flattening",
        "number-field-without-embedding-over-rr",
        changed(OVER_ROOT_2, "/number_fields/0", number_field("a", -2, 0, 1)),
        "field",
        "/conclusion/1/field",
    ),
]

UNREADABLE = [
    unreadable(
        "flattening",
        "all-on-one-side",
        changed(X2Y, f"{WITNESS}/orders", [0]),
        "one-sided",
        f"{WITNESS}/orders",
    ),
    unreadable(
        "flattening",
        "all-on-the-other-side",
        changed(MATMUL, f"{WITNESS}/orders", [1, 1, 1]),
        "one-sided",
        f"{WITNESS}/orders",
    ),
    unreadable(
        "flattening",
        "order-four-of-degree-three",
        changed(X2Y, f"{WITNESS}/orders", [4]),
        "out-of-range",
        f"{WITNESS}/orders/0",
    ),
    unreadable(
        "flattening",
        "negative-order",
        changed(X2Y, f"{WITNESS}/orders", [-1]),
        "out-of-range",
        f"{WITNESS}/orders/0",
    ),
    unreadable(
        "flattening",
        "too-few-orders",
        changed(MATMUL, f"{WITNESS}/orders", [1, 0]),
        "wrong-length",
        f"{WITNESS}/orders",
    ),
    unreadable(
        "flattening",
        "too-many-orders",
        changed(X2Y, f"{WITNESS}/orders", [1, 0]),
        "wrong-length",
        f"{WITNESS}/orders",
    ),
    unreadable("flattening", "no-orders", without(X2Y, f"{WITNESS}/orders"), "missing-key", WITNESS),
    unreadable(
        "flattening",
        "a-matrix-in-the-file",
        changed(X2Y, f"{WITNESS}/matrix", [[1, 0], [0, 1]]),
        "unknown-key",
        f"{WITNESS}/matrix",
    ),
    unreadable(
        "flattening", "modulus-9", changed(X2Y, f"{WITNESS}/prime", 9), "not-prime", f"{WITNESS}/prime"
    ),
    unreadable(
        "flattening",
        "modulus-a-carmichael-number",
        changed(X2Y, f"{WITNESS}/prime", 561),
        "not-prime",
        f"{WITNESS}/prime",
    ),
    unreadable(
        "flattening",
        "modulus-a-strong-pseudoprime",
        changed(X2Y, f"{WITNESS}/prime", 8321),
        "not-prime",
        f"{WITNESS}/prime",
    ),
    unreadable(
        "flattening",
        "modulus-the-square-of-a-prime",
        changed(X2Y, f"{WITNESS}/prime", 43 * 43),
        "not-prime",
        f"{WITNESS}/prime",
    ),
    unreadable(
        "flattening", "modulus-1", changed(X2Y, f"{WITNESS}/prime", 1), "out-of-range", f"{WITNESS}/prime"
    ),
    unreadable(
        "flattening", "modulus-0", changed(X2Y, f"{WITNESS}/prime", 0), "out-of-range", f"{WITNESS}/prime"
    ),
    unreadable(
        "flattening",
        "modulus-minus-7",
        changed(X2Y, f"{WITNESS}/prime", -7),
        "out-of-range",
        f"{WITNESS}/prime",
    ),
    unreadable(
        "flattening",
        "modulus-beyond-2-to-31",
        changed(X2Y, f"{WITNESS}/prime", 2147483659),
        "out-of-range",
        f"{WITNESS}/prime",
    ),
    unreadable(
        "flattening",
        "rows-without-columns",
        without(MINOR, f"{WITNESS}/columns"),
        "missing-key",
        WITNESS,
    ),
    unreadable(
        "flattening", "columns-without-rows", without(MINOR, f"{WITNESS}/rows"), "missing-key", WITNESS
    ),
    unreadable(
        "flattening", "no-rows", changed(MINOR, f"{WITNESS}/rows", []), "empty-list", f"{WITNESS}/rows"
    ),
    unreadable(
        "flattening",
        "no-columns",
        changed(MINOR, f"{WITNESS}/columns", []),
        "empty-list",
        f"{WITNESS}/columns",
    ),
    unreadable(
        "flattening",
        "falling-rows",
        changed(MINOR, f"{WITNESS}/rows", [1, 0]),
        "unsorted",
        f"{WITNESS}/rows/1",
    ),
    unreadable(
        "flattening",
        "repeated-rows",
        changed(MINOR, f"{WITNESS}/rows", [1, 1]),
        "repeated",
        f"{WITNESS}/rows/1",
    ),
    unreadable(
        "flattening",
        "falling-columns",
        changed(MINOR, f"{WITNESS}/columns", [1, 0]),
        "unsorted",
        f"{WITNESS}/columns/1",
    ),
    unreadable(
        "flattening",
        "repeated-columns",
        changed(MINOR, f"{WITNESS}/columns", [0, 0]),
        "repeated",
        f"{WITNESS}/columns/1",
    ),
    unreadable(
        "flattening",
        "row-minus-one",
        changed(MINOR, f"{WITNESS}/rows", [-1, 0]),
        "out-of-range",
        f"{WITNESS}/rows/0",
    ),
    unreadable(
        "flattening",
        "column-minus-one",
        changed(MINOR, f"{WITNESS}/columns", [-1, 0]),
        "out-of-range",
        f"{WITNESS}/columns/0",
    ),
    unreadable(
        "flattening",
        "row-beyond-the-last",
        changed(MINOR, f"{WITNESS}/rows", [0, 2]),
        "out-of-range",
        f"{WITNESS}/rows/1",
    ),
    unreadable(
        "flattening",
        "column-beyond-the-last",
        changed(MINOR, f"{WITNESS}/columns", [0, 3]),
        "out-of-range",
        f"{WITNESS}/columns/1",
    ),
    unreadable(
        "flattening",
        "root-beyond-the-prime",
        changed(OVER_ROOT_2, f"{WITNESS}/root", 10),
        "out-of-range",
        f"{WITNESS}/root",
    ),
    unreadable(
        "flattening",
        "root-is-negative",
        changed(OVER_ROOT_2, f"{WITNESS}/root", -4),
        "out-of-range",
        f"{WITNESS}/root",
    ),
]

LARGE = certificate(
    {"space": [[100, 6]], "ring": "QQ", "entries": [[[0, 1, 2, 3, 4, 5], 1]]},
    [step("flattening", "tied border_rank CC >= 20", orders=[3], prime=P)],
    ["tied rank CC 20.."],
)
ACCEPTED.append(accept("flattening", "sides-just-within-the-limit", LARGE))
UNDECIDED = [
    undecided(
        "flattening",
        "rows-beyond-the-limit",
        # C(103, 4) is more than four million.
        changed(LARGE, f"{WITNESS}/orders", [4]),
        "limit-flattening",
        f"{WITNESS}/orders",
    ),
    undecided(
        "flattening",
        "columns-beyond-the-limit",
        changed(LARGE, f"{WITNESS}/orders", [2]),
        "limit-flattening",
        f"{WITNESS}/orders",
    ),
    undecided(
        "flattening",
        "rows-of-a-minor-beyond-the-limit",
        changed(
            changed(changed(LARGE, f"{WITNESS}/orders", [4]), f"{WITNESS}/rows", [0]),
            f"{WITNESS}/columns",
            [0],
        ),
        "limit-flattening",
        f"{WITNESS}/orders",
    ),
    undecided(
        "flattening",
        "columns-of-a-minor-beyond-the-limit",
        changed(
            changed(changed(LARGE, f"{WITNESS}/orders", [2]), f"{WITNESS}/rows", [0]),
            f"{WITNESS}/columns",
            [0],
        ),
        "limit-flattening",
        f"{WITNESS}/orders",
    ),
]

CASES = ACCEPTED + REJECTED + UNREADABLE + UNDECIDED

"""Files of the rule ``koszul``."""

from __future__ import annotations

from itertools import permutations

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
    """A certificate of one Koszul flattening."""
    return certificate(target, [step("koszul", claim, **witness)], conclusion, fields or ())


def diagonals(n: int, m: int) -> list[list[int]]:
    """The entry (i, j) of an n x m matrix goes to x_(i+j)."""
    return [[int(i + j == k) for i in range(n) for j in range(m)] for k in range(n + m - 1)]


XYZ = one(
    form("xyz", {"xyz": 1}),
    "tied border_rank CC >= 4",
    ["tied rank CC 4..", "tied border_rank QQ 4..", "untied rank CC 2..", "split rank CC 1.."],
    factor=0,
    wedge=1,
    orders=[1],
    prime=P,
)
MATMUL_2 = one(
    named("matmul", 2, 2, 2),
    "product border_rank CC >= 6",
    ["product rank CC 6..", "product border_rank QQ 6.."],
    factor=0,
    wedge=1,
    orders=[0, 1, 0],
    prime=P,
    projection=diagonals(2, 2),
)
MATMUL_3 = one(
    named("matmul", 3, 3, 3),
    "product border_rank CC >= 15",
    ["product rank RR 15.."],
    factor=0,
    wedge=2,
    orders=[0, 1, 0],
    prime=P,
    projection=diagonals(3, 3),
)
DET = one(
    named("det", 3),
    "tied border_rank CC >= 15",
    ["tied rank QQ 15..", "untied rank CC 8.."],
    factor=0,
    wedge=2,
    orders=[1],
    prime=P,
    projection=diagonals(3, 3),
)
CUBIC = form("xyz", {"xxx": 1, "xyy": 1, "xzz": 1})
# The three products of two out of three vectors of variables, as a map: x_i y_j - x_j y_i.
CROSS = forms("abcdef", [{"bf": 1, "ce": -1}, {"cd": 1, "af": -1}, {"ae": 1, "bd": -1}])
OUTPUTS = one(
    CROSS,
    "tied border_rank CC >= 9",
    ["tied rank CC 9..", "untied rank CC 5.."],
    factor=1,
    wedge=1,
    orders=[1, 0],
    prime=P,
)
OUTPUTS_UNTIED = one(
    CROSS,
    "untied border_rank CC >= 5",
    ["untied rank QQ 5..", "tied rank CC 5.."],
    factor=1,
    wedge=1,
    orders=[1, 0],
    prime=P,
)
UNTIED = one(
    named("det", 3),
    "untied border_rank CC >= 8",
    ["untied rank CC 8.."],
    factor=0,
    wedge=2,
    orders=[1],
    prime=P,
    projection=diagonals(3, 3),
)
QUARTIC = form("wxyz", {"wxyz": 1, "wwxx": 1, "yyzz": 1, "wwzz": 2, "xxyy": 3, "wwww": 1, "xyyy": 1})
MIXED = one(
    QUARTIC,
    "mixed:2 border_rank CC >= 2",
    ["mixed:2 rank CC 2.."],
    factor=0,
    wedge=1,
    orders=[1],
    prime=P,
)
ROOT_2 = number_field("a", -2, 0, 1, root=[1, 2])
OVER_ROOT_2 = one(
    form("xyz", {"xyz": [0, 1], "xxx": 1}, "QQ(a)"),
    "tied border_rank CC >= 4",
    ["tied rank QQ(a) 4..", "tied rank RR 4.."],
    [ROOT_2],
    factor=0,
    wedge=1,
    orders=[1],
    prime=7,
    root=3,
)
MODULO_5 = one(
    form("xyz", {"xyz": 1}),
    "untied border_rank GF(5) >= 2",
    ["untied rank GF(5) 2.."],
    factor=0,
    wedge=1,
    orders=[1],
    prime=5,
)
TIED_MODULO_2 = one(
    form("xyz", {"xyz": 1}),
    "tied border_rank GF(2) >= 4",
    ["tied rank GF(2) 4.."],
    factor=0,
    wedge=1,
    orders=[1],
    prime=2,
)
SPLIT = one(
    CROSS,
    "split border_rank CC >= 5",
    ["split rank CC 5.."],
    factor=1,
    wedge=1,
    orders=[1, 0],
    prime=P,
)
ORDER_FOUR = one(
    tensor(
        (3, 2, 2, 3),
        {
            (0, 0, 0, 0): 1,
            (1, 0, 1, 1): 1,
            (2, 1, 0, 2): 1,
            (0, 1, 1, 1): 2,
            (1, 1, 1, 2): 2,
            (2, 0, 0, 1): 1,
        },
        "GF(3)",
    ),
    "product border_rank GF(3) >= 4",
    ["product rank GF(3) 4.."],
    factor=0,
    wedge=1,
    orders=[0, 1, 1, 0],
    prime=3,
)

XYZW = one(
    form("wxyz", {"wxyz": 1}),
    "tied border_rank CC >= 8",
    ["tied rank CC 8..", "untied border_rank QQ 4.."],
    factor=0,
    wedge=1,
    orders=[1],
    prime=P,
    more=[{"factor": 0, "wedge": 2}],
)
PERM_BY_ROWS = tensor((4, 4, 4, 4), dict.fromkeys(permutations(range(4)), 1))
ROWS = one(
    PERM_BY_ROWS,
    "product border_rank CC >= 8",
    ["product rank QQ 8.."],
    factor=0,
    wedge=1,
    orders=[0, 0, 1, 0],
    prime=P,
    more=[{"factor": 1, "wedge": 2}],
)
THRICE = one(
    form("xyz", {"xxyyz": 1}),
    "tied border_rank CC >= 6",
    ["tied rank CC 6..", "untied rank CC 3.."],
    factor=0,
    wedge=1,
    orders=[1],
    prime=P,
    more=[{"factor": 0, "wedge": 1}, {"factor": 0, "wedge": 1}],
)
XYZW_UNTIED = one(
    form("wxyz", {"wxyz": 1}),
    "untied border_rank CC >= 4",
    ["untied rank CC 4.."],
    factor=0,
    wedge=1,
    orders=[1],
    prime=P,
    more=[{"factor": 0, "wedge": 2}],
)
# Both in the form and in the outputs.
CROSS_TWICE = one(
    CROSS,
    "tied border_rank CC >= 3",
    ["tied rank CC 3.."],
    factor=1,
    wedge=1,
    orders=[1, 0],
    prime=P,
    more=[
        {"factor": 0, "wedge": 1, "projection": [[1, 0, 0, 1, 0, 0], [0, 1, 0, 0, 0, 1], [0, 0, 1, 0, 1, 0]]}
    ],
)
# At most four entries a row of 300: the elimination on sparse rows has something to do, and to cancel, before it is dense.
SPARSE = one(
    {
        "space": [[300, 2]],
        "ring": "QQ",
        "entries": [[[i, i + k], 1] for i in range(300) for k in (1, 11) if i + k < 300],
    },
    "tied border_rank CC >= 298",
    ["tied rank CC 298..", "untied rank CC 149.."],
    factor=0,
    wedge=0,
    orders=[1],
    prime=3,
)

ACCEPTED = [
    accept("koszul", "xyz", XYZ),
    accept("koszul", "a-sparse-quadric", SPARSE),
    accept("koszul", "matmul-2-2-2", MATMUL_2),
    accept("koszul", "matmul-3-3-3", MATMUL_3),
    accept("koszul", "det-3", DET),
    accept("koszul", "det-3-untied", UNTIED),
    accept("koszul", "a-cubic", changed(XYZ, "/target", CUBIC)),
    accept("koszul", "cross-product-wedged-in-the-outputs", OUTPUTS),
    accept("koszul", "cross-product-untied", OUTPUTS_UNTIED),
    accept("koszul", "cross-product-split", SPLIT),
    accept("koszul", "quartic-mixed-2", MIXED),
    accept("koszul", "coefficients-in-a-number-field", OVER_ROOT_2),
    accept("koszul", "xyz-untied-modulo-5", MODULO_5),
    accept("koszul", "xyz-tied-modulo-2", TIED_MODULO_2),
    accept("koszul", "tensor-of-order-four-over-gf3", ORDER_FOUR),
    accept("koszul", "xyzw-wedged-twice", XYZW),
    accept("koszul", "xyzw-wedged-twice-untied", XYZW_UNTIED),
    accept("koszul", "permanent-by-rows-wedged-twice", ROWS),
    accept("koszul", "x2y2z-wedged-thrice", THRICE),
    accept("koszul", "cross-product-wedged-in-both", CROSS_TWICE),
    accept(
        "koszul",
        "no-exterior-power",
        # A wedge with nothing is a flattening.
        one(
            form("xyz", {"xyz": 1}),
            "tied border_rank CC >= 3",
            ["tied rank CC 3.."],
            factor=0,
            wedge=0,
            orders=[1],
            prime=P,
        ),
    ),
    accept(
        "koszul",
        "the-highest-exterior-power",
        one(
            form("xyz", {"xyz": 1}),
            "tied border_rank CC >= 3",
            ["tied rank CC 3.."],
            factor=0,
            wedge=2,
            orders=[1],
            prime=P,
        ),
    ),
    accept(
        "koszul",
        "a-projection-with-a-zero-row",
        changed(
            changed(
                changed(XYZ, f"{WITNESS}/projection", [[1, 0, 0], [0, 0, 0], [0, -1, 0]]), f"{CLAIM}/value", 3
            ),
            "/conclusion",
            [{"units": "tied", "field": "CC", "quantity": "rank", "lower": 3}],
        ),
    ),
]

REJECTED = [
    reject("koszul", "second-divisor-forgotten", changed(XYZW, f"{CLAIM}/value", 24), "claim-differs", CLAIM),
    reject(
        "koszul", "third-divisor-forgotten", changed(THRICE, f"{CLAIM}/value", 11), "claim-differs", CLAIM
    ),
    reject(
        "koszul",
        "untied-divisor-forgotten-after-two-wedges",
        changed(XYZW_UNTIED, f"{CLAIM}/value", 8),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "koszul",
        "permanent-by-rows-needs-nine",
        changed(ROWS, f"{CLAIM}/value", 9),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "koszul",
        "true-but-by-another-exterior-power",
        changed(ROWS, f"{WITNESS}/more/0/wedge", 1),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "koszul",
        "untied-wedged-in-both-over-gf2",
        changed(
            changed(
                changed(changed(CROSS_TWICE, f"{CLAIM}/units", "untied"), f"{CLAIM}/over", "GF(2)"),
                f"{WITNESS}/prime",
                2,
            ),
            "/conclusion",
            [{"units": "untied", "field": "GF(2)", "quantity": "rank", "lower": 3}],
        ),
        "hypothesis",
        "/steps/0",
    ),
    reject("koszul", "one-more", changed(XYZ, f"{CLAIM}/value", 5), "claim-differs", CLAIM),
    reject("koszul", "one-less", changed(XYZ, f"{CLAIM}/value", 3), "claim-differs", CLAIM),
    reject(
        "koszul",
        "strassen-needs-seven",
        # True, but not for this reason.
        changed(MATMUL_2, f"{CLAIM}/value", 7),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "koszul",
        "divisor-forgotten",
        changed(MATMUL_2, f"{CLAIM}/value", 12),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "koszul", "untied-divisor-forgotten", changed(UNTIED, f"{CLAIM}/value", 15), "claim-differs", CLAIM
    ),
    reject(
        "koszul",
        "untied-outputs-divisor-forgotten",
        changed(OUTPUTS_UNTIED, f"{CLAIM}/value", 9),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "koszul",
        "split-outputs-divisor-forgotten",
        changed(SPLIT, f"{CLAIM}/value", 9),
        "claim-differs",
        CLAIM,
    ),
    reject("koszul", "mixed-divisor-of-untied", changed(MIXED, f"{CLAIM}/value", 3), "claim-differs", CLAIM),
    reject("koszul", "split-units", changed(XYZ, f"{CLAIM}/units", "split"), "hypothesis", "/steps/0"),
    reject(
        "koszul",
        "untied-in-characteristic-three",
        changed(
            changed(changed(MODULO_5, f"{CLAIM}/over", "GF(3)"), f"{WITNESS}/prime", 3),
            "/conclusion/0/field",
            "GF(3)",
        ),
        "hypothesis",
        "/steps/0",
    ),
    reject("koszul", "rank", changed(XYZ, f"{CLAIM}/quantity", "rank"), "claim-differs", CLAIM),
    reject("koszul", "an-upper-bound", changed(XYZ, f"{CLAIM}/relation", "<="), "claim-differs", CLAIM),
    reject("koszul", "over-rr", changed(XYZ, f"{CLAIM}/over", "RR"), "field", f"{CLAIM}/over"),
    reject(
        "koszul",
        "over-gf-of-another-prime",
        changed(XYZ, f"{CLAIM}/over", "GF(7)"),
        "prime",
        f"{WITNESS}/prime",
    ),
    reject(
        "koszul",
        "another-prime-for-a-finite-field",
        changed(ORDER_FOUR, f"{WITNESS}/prime", 5),
        "prime",
        f"{WITNESS}/prime",
    ),
    reject(
        "koszul",
        "a-cube-modulo-three",
        # The derivatives of x^3 + y^3 + z^3 vanish modulo 3: the bound is 0, and 3 is claimed.
        one(
            form("xyz", {"xxx": 1, "yyy": 1, "zzz": 1}, "GF(3)"),
            "tied border_rank GF(3) >= 3",
            ["tied rank GF(3) 3.."],
            factor=0,
            wedge=1,
            orders=[1],
            prime=3,
        ),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "koszul",
        "a-projection-that-loses-rank",
        changed(XYZ, f"{WITNESS}/projection", [[1, 0, 0], [1, 0, 0], [0, 1, 0]]),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "koszul",
        "wrong-root",
        changed(OVER_ROOT_2, f"{WITNESS}/root", 2),
        "root",
        f"{WITNESS}/root",
    ),
    reject("koszul", "without-root", without(OVER_ROOT_2, f"{WITNESS}/root"), "root", WITNESS),
    reject("koszul", "root-over-qq", changed(XYZ, f"{WITNESS}/root", 1), "root", WITNESS),
    reject(
        "koszul",
        "prime-in-a-denominator",
        one(
            form("xyz", {"xyz": "1/7"}),
            "tied border_rank CC >= 4",
            ["tied rank CC 4.."],
            factor=0,
            wedge=1,
            orders=[1],
            prime=7,
        ),
        "denominator",
        f"{WITNESS}/prime",
    ),
]

UNREADABLE = [
    unreadable("koszul", "no-more", changed(XYZW, f"{WITNESS}/more", []), "empty-list", f"{WITNESS}/more"),
    unreadable(
        "koszul",
        "factor-of-a-second-wedge",
        changed(XYZW, f"{WITNESS}/more/0/factor", 1),
        "out-of-range",
        f"{WITNESS}/more/0/factor",
    ),
    unreadable(
        "koszul",
        "power-of-a-second-wedge",
        changed(XYZW, f"{WITNESS}/more/0/wedge", 4),
        "out-of-range",
        f"{WITNESS}/more/0/wedge",
    ),
    unreadable(
        "koszul",
        "second-wedge-without-power",
        without(XYZW, f"{WITNESS}/more/0/wedge"),
        "missing-key",
        f"{WITNESS}/more/0",
    ),
    unreadable(
        "koszul",
        "orders-in-a-second-wedge",
        changed(XYZW, f"{WITNESS}/more/0/orders", [1]),
        "unknown-key",
        f"{WITNESS}/more/0/orders",
    ),
    unreadable(
        "koszul",
        "order-beyond-two-wedges",
        changed(XYZW, f"{WITNESS}/orders", [3]),
        "out-of-range",
        f"{WITNESS}/orders/0",
    ),
    unreadable(
        "koszul",
        "two-wedges-on-one-vector",
        changed(ROWS, f"{WITNESS}/more/0/factor", 0),
        "out-of-range",
        f"{WITNESS}/orders/0",
    ),
    unreadable(
        "koszul",
        "more-wedges-than-letters",
        changed(XYZW, f"{WITNESS}/more", [{"factor": 0, "wedge": 1}] * 64),
        "wrong-length",
        f"{WITNESS}/more",
    ),
    unreadable(
        "koszul",
        "projection-of-a-second-wedge",
        changed(CROSS_TWICE, f"{WITNESS}/more/0/projection/1", [1, 0]),
        "wrong-length",
        f"{WITNESS}/more/0/projection/1",
    ),
    unreadable("koszul", "factor", changed(XYZ, f"{WITNESS}/factor", 1), "out-of-range", f"{WITNESS}/factor"),
    unreadable("koszul", "wedge", changed(XYZ, f"{WITNESS}/wedge", 3), "out-of-range", f"{WITNESS}/wedge"),
    unreadable(
        "koszul", "negative-wedge", changed(XYZ, f"{WITNESS}/wedge", -1), "out-of-range", f"{WITNESS}/wedge"
    ),
    unreadable(
        "koszul",
        "wedge-beyond-the-projection",
        changed(MATMUL_2, f"{WITNESS}/wedge", 3),
        "out-of-range",
        f"{WITNESS}/wedge",
    ),
    unreadable(
        "koszul", "order", changed(XYZ, f"{WITNESS}/orders", [3]), "out-of-range", f"{WITNESS}/orders/0"
    ),
    unreadable(
        "koszul",
        "order-of-the-wedged-factor",
        changed(MATMUL_2, f"{WITNESS}/orders", [1, 1, 0]),
        "out-of-range",
        f"{WITNESS}/orders/0",
    ),
    unreadable(
        "koszul", "orders", changed(XYZ, f"{WITNESS}/orders", [1, 0]), "wrong-length", f"{WITNESS}/orders"
    ),
    unreadable("koszul", "not-a-prime", changed(XYZ, f"{WITNESS}/prime", 9), "not-prime", f"{WITNESS}/prime"),
    unreadable("koszul", "without-wedge", without(XYZ, f"{WITNESS}/wedge"), "missing-key", WITNESS),
    unreadable(
        "koszul", "unknown-key", changed(XYZ, f"{WITNESS}/rows", [0]), "unknown-key", f"{WITNESS}/rows"
    ),
    unreadable(
        "koszul",
        "no-rows-of-the-projection",
        changed(XYZ, f"{WITNESS}/projection", []),
        "empty-list",
        f"{WITNESS}/projection",
    ),
    unreadable(
        "koszul",
        "too-many-rows-of-the-projection",
        changed(XYZ, f"{WITNESS}/projection", [[1, 0, 0]] * 4),
        "wrong-length",
        f"{WITNESS}/projection",
    ),
    unreadable(
        "koszul",
        "short-row-of-the-projection",
        changed(XYZ, f"{WITNESS}/projection", [[1, 0, 0], [0, 1], [0, 0, 1]]),
        "wrong-length",
        f"{WITNESS}/projection/1",
    ),
    unreadable(
        "koszul",
        "fraction-in-the-projection",
        changed(XYZ, f"{WITNESS}/projection", [[1, 0, 0], [0, "1/2", 0], [0, 0, 1]]),
        "wrong-type",
        f"{WITNESS}/projection/1/1",
    ),
]

UNDECIDED = [
    undecided(
        "koszul",
        "a-side-beyond-the-limit-by-two-wedges",
        one(
            named("monomial", *[1] * 14),
            "tied border_rank CC >= 14",
            ["tied rank CC 14.."],
            factor=0,
            wedge=6,
            orders=[1],
            prime=P,
            more=[{"factor": 0, "wedge": 6}],
        ),
        "limit-koszul",
        WITNESS,
    ),
    undecided(
        "koszul",
        "too-much-to-fill-by-two-wedges",
        one(
            named("monomial", *[1] * 8),
            "tied border_rank CC >= 100",
            ["tied rank CC 100.."],
            factor=0,
            wedge=3,
            orders=[3],
            prime=P,
            projection=[[1] * 8] * 8,
            more=[{"factor": 0, "wedge": 4, "projection": [[1] * 8] * 8}],
        ),
        "limit-operations",
        WITNESS,
    ),
    undecided(
        "koszul",
        "a-side-beyond-the-limit",
        one(
            named("matmul", 5, 5, 5),
            "product border_rank CC >= 46",
            ["product rank CC 46.."],
            factor=0,
            wedge=12,
            orders=[0, 1, 0],
            prime=P,
        ),
        "limit-koszul",
        WITNESS,
    ),
    undecided(
        "koszul",
        "too-much-to-fill",
        one(
            named("polymul", 20, 20),
            "product border_rank CC >= 39",
            ["product rank CC 39.."],
            factor=0,
            wedge=5,
            orders=[0, 1, 0],
            prime=P,
            projection=[[1] * 20] * 20,
        ),
        "limit-operations",
        WITNESS,
    ),
]

CASES = ACCEPTED + REJECTED + UNREADABLE + UNDECIDED

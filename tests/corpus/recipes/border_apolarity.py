"""Files of the rule ``border-apolarity``."""

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
    named,
    number_field,
    reject,
    step,
    tensor,
    undecided,
    unreadable,
    without,
)

RULE = "border-apolarity"
CLAIM = "/steps/0/claim"
WITNESS = "/steps/0/witness"
PAIRS = f"{WITNESS}/pairs"


def one(target: Json, claim: str, fields: list[Json] | None = None, **witness: Json) -> Certificate:
    """A certificate of one step, with its own claim as the conclusion."""
    units, quantity, over, _, value = claim.split()
    conclusion = [f"{units} {quantity} {over} {value}.."]
    return certificate(target, [step(RULE, claim, **witness)], conclusion, fields or [])


def pair(first: int, second: int, *leaves: Json) -> Json:
    return {"factors": [first, second], "leaves": list(leaves)}


def split(*terms: tuple[list[int], Json]) -> Json:
    return {"split": [list(term) for term in terms]}


def still(*dimensions: int) -> list[Json]:
    """All weights zero: the torus does nothing."""
    return [[[0]] * n for n in dimensions]


# The product of 2x2 matrices. Row i has weight i on the left, column j weight j on the right; the middle index, where it is
# 1, has weight (0, 0, 1) on the left and the opposite on the right. Operators add a multiple of index 0 to index 1.
MATMUL = one(
    named("matmul", 2, 2, 2),
    "product border_rank CC >= 7",
    refuted=6,
    weights=[
        [[0, 0, 0], [1, 0, 0], [0, 0, 1], [1, 0, 1]],
        [[0, 0, 0], [0, 1, 0], [-1, 0, 0], [-1, 1, 0]],
        [[0, 0, 0], [0, -1, 0], [0, 0, -1], [0, -1, -1]],
    ],
    rho=[-46, 83, -27],
    raising=[
        [[[0, 2, 1], [1, 3, 1]], [], [[2, 0, -1], [3, 1, -1]]],
        [[[0, 1, 1], [2, 3, 1]], [[2, 0, -1], [3, 1, -1]], []],
        [[], [[1, 0, 1], [3, 2, 1]], [[0, 1, -1], [2, 3, -1]]],
    ],
    pairs=[pair(2, 0, "210", "210", "120")],
)
# Without operators: 66 families, the planes in a space of dimension 12.
MATMUL_STILL = one(
    named("matmul", 2, 2, 2),
    "product border_rank CC >= 7",
    refuted=6,
    weights=still(4, 4, 4),
    rho=[1],
    raising=[],
    pairs=[pair(2, 0, *("120" if k in (1, 12, 41, 48, 54, 59) else "210" for k in range(66)))],
)

# e_1 ^ e_2 ^ e_3, of border rank 5: the lines of S^2 A are to be refuted, for r = 4.
SKEW = tensor(
    [3, 3, 3],
    {(0, 1, 2): 1, (1, 2, 0): 1, (2, 0, 1): 1, (0, 2, 1): -1, (2, 1, 0): -1, (1, 0, 2): -1},
)
LEVI = one(
    SKEW,
    "product border_rank CC >= 5",
    refuted=4,
    weights=[[[1], [0], [-1]]] * 3,
    rho=[1],
    raising=[[[[0, 1, 1], [1, 2, 1]]] * 3],
    pairs=[pair(2, 0, "210", "210")],
)
LEVI_STILL = one(
    SKEW,
    "product border_rank CC >= 5",
    refuted=4,
    weights=still(3, 3, 3),
    rho=[1],
    raising=[],
    pairs=[pair(2, 0, *["210"] * 6)],
)
T0 = split(([0], 1))
# W = e_0 e_0 e_1 + e_0 e_1 e_0 + e_1 e_0 e_0, of border rank 2; one entry has weight 0 + 0 + 1.
W_ONE = one(
    named("W", 3),
    "product border_rank CC >= 2",
    refuted=1,
    weights=[[[0], [1]]] * 3,
    rho=[1],
    raising=[],
    pairs=[pair(0, 1)],
)
# r = 2: E is T(C*), and for r = 3 one of the two cells of weight 0 and 2 is added (the third is no pivot).
W_TWO = changed(
    changed(changed(W_ONE, f"{WITNESS}/refuted", 2), f"{CLAIM}/value", 3),
    PAIRS,
    [pair(0, 1, "candidate"), pair(1, 2, "candidate"), pair(2, 0, "candidate")],
)
W_TWO = changed(W_TWO, "/conclusion/0/lower", 3)
X2Y = one(
    form("xy", {"xxy": 1}),
    "tied border_rank CC >= 2",
    refuted=1,
    weights=[[[0], [1]]] * 3,
    rho=[1],
    raising=[],
    pairs=[pair(0, 1)],
)
SQUARES = one(
    forms("xy", [{"xx": 1}, {"xy": "1/2"}]),
    "tied border_rank CC >= 2",
    refuted=1,
    weights=[[[0], [1]], [[0], [1]], [[0], [-1]]],
    rho=[1],
    raising=[],
    pairs=[pair(2, 0)],
)
# xyz as a tensor of order 3, border rank 4: with r = 3 nothing is added to T(C*).
XYZ = one(
    named("monomial", 1, 1, 1),
    "tied border_rank CC >= 4",
    refuted=3,
    weights=still(3, 3, 3),
    rho=[1],
    raising=[],
    pairs=[pair(0, 1, "210")],
)

ACCEPTED = [
    accept(RULE, "the-product-of-2x2-matrices", MATMUL),
    accept(RULE, "the-product-of-2x2-matrices-without-symmetry", MATMUL_STILL),
    accept(RULE, "a-skew-tensor", LEVI),
    accept(RULE, "a-skew-tensor-by-lines-with-parameters", LEVI_STILL),
    accept(
        RULE,
        "a-skew-tensor-with-a-split",
        changed(LEVI_STILL, f"{PAIRS}/0/leaves", [T0, *["210"] * 7]),
    ),
    accept(
        RULE,
        "a-split-on-the-only-parameter",
        changed(LEVI_STILL, f"{PAIRS}/0/leaves", [*["210"] * 4, T0, *["210"] * 3]),
    ),
    accept(
        RULE,
        "a-split-with-an-empty-side",
        # After t0 != 0 the side t0 = 0 is empty.
        changed(LEVI_STILL, f"{PAIRS}/0/leaves", [T0, "210", T0, "empty", *["210"] * 6]),
    ),
    accept(
        RULE,
        "a-split-on-a-product",
        # With t0 t1 = 0 and t0 != 0 the equation is divided by t0, and t1 = 0.
        changed(
            LEVI_STILL,
            f"{PAIRS}/0/leaves",
            [T0, "210", split(([0, 1], "-2/3")), split(([2], 2)), "210", "210", "210", *["210"] * 5],
        ),
    ),
    accept(
        RULE,
        "three-pairs-and-their-triples",
        changed(
            LEVI,
            PAIRS,
            [pair(0, 1, "candidate", "210"), pair(1, 2, "candidate", "210"), pair(2, 0, "candidate", "210")],
        ),
    ),
    accept(RULE, "a-flattening-of-larger-rank", W_ONE),
    accept(RULE, "a-binary-cubic", X2Y),
    accept(RULE, "two-quadrics", SQUARES),
    accept(RULE, "xyz", XYZ),
]

REJECTED = [
    reject(RULE, "two-for-w-by-candidates", W_TWO, "triple", PAIRS),
    reject(
        RULE,
        "as-many-as-the-product-of-two-unequal-factors",
        one(
            tensor([3, 2, 2], {(0, 0, 0): 1, (1, 1, 0): 1, (2, 0, 1): 1}),
            "product border_rank CC >= 7",
            refuted=6,
            weights=still(3, 2, 2),
            rho=[1],
            raising=[],
            pairs=[pair(0, 1)],
        ),
        "rank-too-large",
        f"{PAIRS}/0/factors",
    ),
    reject(
        RULE,
        "two-for-w-by-a-rank",
        changed(W_TWO, PAIRS, [pair(0, 1, "210")]),
        "rank",
        f"{PAIRS}/0/leaves/0",
    ),
    reject(
        RULE,
        "two-for-w-by-the-other-rank",
        changed(W_TWO, PAIRS, [pair(0, 1, "120")]),
        "rank",
        f"{PAIRS}/0/leaves/0",
    ),
    reject(
        RULE,
        "a-candidate-and-one-pair",
        changed(W_TWO, PAIRS, [pair(0, 1, "candidate")]),
        "candidates",
        PAIRS,
    ),
    reject(
        RULE,
        "candidates-and-two-pairs",
        without(W_TWO, f"{PAIRS}/2"),
        "candidates",
        PAIRS,
    ),
    reject(
        RULE,
        "a-larger-claim",
        changed(changed(MATMUL, f"{CLAIM}/value", 8), "/conclusion/0/lower", 8),
        "claim-differs",
        CLAIM,
    ),
    reject(RULE, "a-proof-too-few", without(MATMUL, f"{PAIRS}/0/leaves/2"), "leaves", f"{PAIRS}/0/leaves"),
    reject(RULE, "no-proof", changed(MATMUL, f"{PAIRS}/0/leaves", []), "leaves", f"{PAIRS}/0/leaves"),
    reject(
        RULE,
        "a-proof-too-many",
        changed(MATMUL, f"{PAIRS}/0/leaves/+", "210"),
        "leaves",
        f"{PAIRS}/0/leaves/3",
    ),
    reject(
        RULE,
        "a-proof-where-there-is-no-leaf",
        changed(W_ONE, f"{PAIRS}/0/leaves", ["210"]),
        "leaves",
        f"{PAIRS}/0/leaves/0",
    ),
    reject(
        RULE,
        "the-wrong-rank",
        changed(MATMUL, f"{PAIRS}/0/leaves/2", "210"),
        "rank",
        f"{PAIRS}/0/leaves/2",
    ),
    reject(
        RULE,
        "an-operator-left-out",
        # Sound, but there are more spaces to refute.
        without(MATMUL, f"{WITNESS}/raising/2"),
        "leaves",
        f"{PAIRS}/0/leaves",
    ),
    reject(
        RULE,
        "operators-that-lower",
        changed(MATMUL, f"{WITNESS}/rho", [46, -83, 27]),
        "not-raising",
        f"{WITNESS}/raising/0",
    ),
    reject(
        RULE,
        "operators-of-height-zero",
        changed(LEVI, f"{WITNESS}/rho", [0]),
        "not-raising",
        f"{WITNESS}/raising/0",
    ),
    reject(
        RULE,
        "an-operator-that-moves-the-target",
        changed(MATMUL, f"{WITNESS}/raising/0/2/1/2", 1),
        "not-a-symmetry",
        f"{WITNESS}/raising/0",
    ),
    reject(
        RULE,
        "half-an-operator",
        changed(MATMUL, f"{WITNESS}/raising/0/2", []),
        "not-a-symmetry",
        f"{WITNESS}/raising/0",
    ),
    reject(
        RULE,
        "an-operator-of-two-roots",
        changed(MATMUL, f"{WITNESS}/raising/0/0/+", [0, 1, 1]),
        "not-a-root",
        f"{WITNESS}/raising/0",
    ),
    reject(
        RULE,
        "an-empty-operator",
        changed(MATMUL, f"{WITNESS}/raising/+", [[], [], []]),
        "not-a-root",
        f"{WITNESS}/raising/3",
    ),
    reject(
        RULE,
        "weights-that-the-target-does-not-have",
        changed(MATMUL, f"{WITNESS}/weights/0/1", [2, 0, 0]),
        "not-homogeneous",
        f"{WITNESS}/weights",
    ),
    reject(
        RULE,
        "one-entry-of-the-target-changed",
        changed(LEVI, "/target/entries/0/1", 2),
        "not-a-symmetry",
        f"{WITNESS}/raising/0",
    ),
    reject(
        RULE,
        "as-many-as-the-product-of-two-factors",
        changed(
            changed(changed(W_TWO, f"{WITNESS}/refuted", 4), f"{CLAIM}/value", 5), "/conclusion/0/lower", 5
        ),
        "rank-too-large",
        f"{PAIRS}/0/factors",
    ),
    reject(
        RULE,
        "over-the-reals",
        changed(changed(MATMUL, f"{CLAIM}/over", "RR"), "/conclusion/0/field", "RR"),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        RULE,
        "over-a-finite-field",
        changed(changed(MATMUL, f"{CLAIM}/over", "GF(7)"), "/conclusion/0/field", "GF(7)"),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        RULE,
        "irrational-coefficients",
        one(
            tensor([2, 2, 2], {(0, 0, 0): 1, (1, 1, 1): [0, 1]}, "QQ(s)"),
            "product border_rank CC >= 2",
            [number_field("s", -2, 0, 1)],
            refuted=1,
            weights=still(2, 2, 2),
            rho=[1],
            raising=[],
            pairs=[pair(0, 1)],
        ),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        RULE,
        "called-empty",
        changed(LEVI, f"{PAIRS}/0/leaves/0", "empty"),
        "empty",
        f"{PAIRS}/0/leaves/0",
    ),
    reject(
        RULE,
        "a-rank-for-an-empty-side",
        changed(LEVI_STILL, f"{PAIRS}/0/leaves", [T0, "210", T0, "210", *["210"] * 6]),
        "empty",
        f"{PAIRS}/0/leaves/3",
    ),
    reject(
        RULE,
        "a-split-on-a-constant",
        changed(LEVI_STILL, f"{PAIRS}/0/leaves/0", split(([], 1))),
        "split",
        f"{PAIRS}/0/leaves/0",
    ),
    reject(
        RULE,
        "a-split-on-a-parameter-of-no-branch",
        changed(LEVI_STILL, f"{PAIRS}/0/leaves/0", split(([5], 1))),
        "split",
        f"{PAIRS}/0/leaves/0",
    ),
    reject(
        RULE,
        "a-split-on-a-parameter-that-is-gone",
        changed(LEVI_STILL, f"{PAIRS}/0/leaves", [T0, T0, *["210"] * 7]),
        "split",
        f"{PAIRS}/0/leaves/1",
    ),
    reject(
        RULE,
        "a-family-as-a-candidate",
        changed(LEVI_STILL, f"{PAIRS}/0/leaves/0", "candidate"),
        "parameters",
        f"{PAIRS}/0/leaves/0",
    ),
    reject(
        RULE,
        "a-family-with-an-equation-as-a-candidate",
        changed(LEVI_STILL, f"{PAIRS}/0/leaves", [T0, "candidate", *["210"] * 6]),
        "parameters",
        f"{PAIRS}/0/leaves/1",
    ),
]

# A tensor of which the slices in the last factor span seven of 72 cells.
SEVEN = tensor([9, 8, 7], {(i, i, i): 1 for i in range(7)})


def of_seven(refuted: int) -> Certificate:
    return one(
        SEVEN,
        f"product border_rank CC >= {refuted + 1}",
        refuted=refuted,
        weights=still(9, 8, 7),
        rho=[1],
        raising=[],
        pairs=[pair(0, 1)],
    )


# At the limits, and not beyond.
REJECTED += [
    reject(RULE, "sixty-four-parameters", of_seven(8), "leaves", f"{PAIRS}/0/leaves"),
    reject(
        RULE,
        "32-nested-splits",
        changed(
            LEVI_STILL,
            f"{PAIRS}/0/leaves",
            [*(split(([0, 1], 1), ([], k)) for k in range(1, 33)), "candidate"],
        ),
        "parameters",
        f"{PAIRS}/0/leaves/32",
    ),
]

UNREADABLE = [
    unreadable(
        RULE,
        "untied-units",
        changed(changed(X2Y, f"{CLAIM}/units", "untied"), "/conclusion/0/units", "untied"),
        "units-do-not-fit",
        f"{CLAIM}/units",
    ),
    unreadable(
        RULE,
        "a-tensor-of-order-4",
        changed(W_ONE, "/target", named("W", 4)),
        "units-do-not-fit",
        f"{CLAIM}/units",
    ),
    unreadable(RULE, "no-refuted", without(MATMUL, f"{WITNESS}/refuted"), "missing-key", WITNESS),
    unreadable(RULE, "a-prime", changed(MATMUL, f"{WITNESS}/prime", 7), "unknown-key", f"{WITNESS}/prime"),
    unreadable(
        RULE, "zero-refuted", changed(MATMUL, f"{WITNESS}/refuted", 0), "out-of-range", f"{WITNESS}/refuted"
    ),
    unreadable(RULE, "no-rho", changed(MATMUL, f"{WITNESS}/rho", []), "empty-list", f"{WITNESS}/rho"),
    unreadable(
        RULE, "a-long-rho", changed(MATMUL, f"{WITNESS}/rho", [1] * 65), "wrong-length", f"{WITNESS}/rho"
    ),
    unreadable(
        RULE,
        "a-large-rho",
        changed(MATMUL, f"{WITNESS}/rho/0", 2**20 + 1),
        "out-of-range",
        f"{WITNESS}/rho/0",
    ),
    unreadable(
        RULE, "two-factors", without(MATMUL, f"{WITNESS}/weights/2"), "wrong-length", f"{WITNESS}/weights"
    ),
    unreadable(
        RULE,
        "a-weight-too-few",
        without(MATMUL, f"{WITNESS}/weights/2/3"),
        "wrong-length",
        f"{WITNESS}/weights/2",
    ),
    unreadable(
        RULE,
        "a-short-weight",
        changed(MATMUL, f"{WITNESS}/weights/0/0", [0, 0]),
        "wrong-length",
        f"{WITNESS}/weights/0/0",
    ),
    unreadable(
        RULE,
        "a-large-weight",
        changed(MATMUL, f"{WITNESS}/weights/0/0/0", -(2**20) - 1),
        "out-of-range",
        f"{WITNESS}/weights/0/0/0",
    ),
    unreadable(
        RULE,
        "an-operator-on-two-factors",
        without(MATMUL, f"{WITNESS}/raising/0/2"),
        "wrong-length",
        f"{WITNESS}/raising/0",
    ),
    unreadable(
        RULE,
        "an-entry-outside",
        changed(MATMUL, f"{WITNESS}/raising/0/0/0/0", 4),
        "out-of-range",
        f"{WITNESS}/raising/0/0/0/0",
    ),
    unreadable(
        RULE,
        "a-column-outside",
        changed(MATMUL, f"{WITNESS}/raising/0/0/0/1", -1),
        "out-of-range",
        f"{WITNESS}/raising/0/0/0/1",
    ),
    unreadable(
        RULE,
        "a-fraction-in-an-operator",
        changed(MATMUL, f"{WITNESS}/raising/0/0/0/2", "1/2"),
        "wrong-type",
        f"{WITNESS}/raising/0/0/0/2",
    ),
    unreadable(
        RULE,
        "an-entry-of-two-numbers",
        changed(MATMUL, f"{WITNESS}/raising/0/0/0", [0, 2]),
        "wrong-length",
        f"{WITNESS}/raising/0/0/0",
    ),
    unreadable(
        RULE,
        "a-zero-entry",
        changed(MATMUL, f"{WITNESS}/raising/0/0/0/2", 0),
        "zero-entry",
        f"{WITNESS}/raising/0/0/0/2",
    ),
    unreadable(
        RULE,
        "an-entry-twice",
        changed(MATMUL, f"{WITNESS}/raising/0/0/+", [0, 2, 1]),
        "repeated",
        f"{WITNESS}/raising/0/0/2",
    ),
    unreadable(RULE, "no-pair", changed(MATMUL, PAIRS, []), "empty-list", PAIRS),
    unreadable(RULE, "four-pairs", changed(MATMUL, PAIRS, [pair(0, 1)] * 4), "wrong-length", PAIRS),
    unreadable(
        RULE, "a-pair-twice", changed(MATMUL, PAIRS, [pair(0, 1)] * 2), "repeated", f"{PAIRS}/1/factors"
    ),
    unreadable(
        RULE,
        "a-pair-turned-round",
        changed(MATMUL, PAIRS, [pair(1, 0)]),
        "out-of-range",
        f"{PAIRS}/0/factors",
    ),
    unreadable(
        RULE, "one-factor", changed(MATMUL, f"{PAIRS}/0/factors", [2]), "wrong-length", f"{PAIRS}/0/factors"
    ),
    unreadable(
        RULE,
        "a-fourth-factor",
        changed(MATMUL, f"{PAIRS}/0/factors/1", 3),
        "out-of-range",
        f"{PAIRS}/0/factors/1",
    ),
    unreadable(
        RULE,
        "an-unknown-proof",
        changed(MATMUL, f"{PAIRS}/0/leaves/0", "111"),
        "unknown-proof",
        f"{PAIRS}/0/leaves/0",
    ),
    unreadable(
        RULE,
        "a-number-as-a-proof",
        changed(MATMUL, f"{PAIRS}/0/leaves/0", 210),
        "unknown-proof",
        f"{PAIRS}/0/leaves/0",
    ),
    unreadable(
        RULE,
        "a-split-on-nothing",
        changed(MATMUL, f"{PAIRS}/0/leaves/0", {"split": []}),
        "empty-list",
        f"{PAIRS}/0/leaves/0/split",
    ),
    unreadable(
        RULE,
        "a-split-with-a-word-twice",
        changed(MATMUL, f"{PAIRS}/0/leaves/0", split(([0], 1), ([0], 1))),
        "repeated",
        f"{PAIRS}/0/leaves/0/split/1/0",
    ),
    unreadable(
        RULE,
        "a-split-with-an-unsorted-word",
        changed(MATMUL, f"{PAIRS}/0/leaves/0", split(([1, 0], 1))),
        "unsorted",
        f"{PAIRS}/0/leaves/0/split/0/0/1",
    ),
    unreadable(
        RULE,
        "a-split-with-a-zero-coefficient",
        changed(MATMUL, f"{PAIRS}/0/leaves/0", split(([0], 0))),
        "zero-entry",
        f"{PAIRS}/0/leaves/0/split/0/1",
    ),
    unreadable(
        RULE,
        "a-split-on-parameter-64",
        changed(MATMUL, f"{PAIRS}/0/leaves/0", split(([64], 1))),
        "out-of-range",
        f"{PAIRS}/0/leaves/0/split/0/0/0",
    ),
]

UNDECIDED = [
    undecided(
        RULE,
        "65-dimensions-to-enumerate",
        one(
            named("unit", 12),
            "product border_rank CC >= 78",
            refuted=77,
            weights=still(12, 12, 12),
            rho=[1],
            raising=[],
            pairs=[pair(0, 1)],
        ),
        "limit-apolar",
        f"{PAIRS}/0/leaves",
    ),
    undecided(
        RULE,
        "64-dimensions-to-enumerate",
        of_seven(71),
        "limit-parameters",
        f"{PAIRS}/0/leaves",
    ),
    undecided(
        RULE,
        "more-than-64-parameters",
        one(
            named("unit", 9),
            "product border_rank CC >= 11",
            refuted=10,
            weights=still(9, 9, 9),
            rho=[1],
            raising=[],
            pairs=[pair(0, 1)],
        ),
        "limit-parameters",
        f"{PAIRS}/0/leaves",
    ),
    undecided(
        RULE,
        "33-nested-splits",
        # The plane t0 t1 = k has no point in common with t0 t1 = l, but no linear equation shows it.
        changed(LEVI_STILL, f"{PAIRS}/0/leaves", [split(([0, 1], 1), ([], k)) for k in range(1, 40)]),
        "limit-splits",
        f"{PAIRS}/0/leaves/33",
    ),
]

CASES: list[Case] = ACCEPTED + REJECTED + UNREADABLE + UNDECIDED

"""Files of the rule ``cover``. A vector is written as the integer whose digits to the base p, lowest first, it is."""

from __future__ import annotations

from collections.abc import Sequence

from .building import (
    Json,
    accept,
    certificate,
    changed,
    named,
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
NODE = f"{WITNESS}/nodes/0"


def one(
    target: Json, value: int, nodes: Sequence[Json], p: int = 2, factor: int = 0, maps: Sequence[Json] = ()
) -> dict[str, Json]:
    """A certificate of one step, with its claim as the conclusion."""
    witness = {"prime": p, "factor": factor} | ({"maps": list(maps)} if maps else {}) | {"nodes": list(nodes)}
    claim = f"product rank GF({p}) >= {value}"
    return certificate(target, [step("cover", claim, **witness)], [f"product rank GF({p}) {value}.."])


def matrices(*slices: Sequence[Sequence[int]], ring: str = "GF(2)") -> Json:
    """The tensor with these slices along its first factor."""
    entries = {
        (i, j, k): x for i, m in enumerate(slices) for j, row in enumerate(m) for k, x in enumerate(row) if x
    }
    return tensor((len(slices), len(slices[0]), len(slices[0][0])), entries, ring)


def cover(space: Sequence[int], terms: Sequence[Json], weights: Sequence[Json], **more: Json) -> Json:
    return {"space": list(space), "terms": list(terms), "weights": list(weights), **more}


def simple(space: Sequence[int], dimension: int, p: int = 2) -> Json:
    """The whole space as its only term."""
    return cover(space, [[[p**i for i in range(dimension)]]], [1])


POLYMUL = named("polymul", 2, 2)
MATMUL = named("matmul", 2, 2, 2)
I2, I3 = [[1, 0], [0, 1]], [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
FOUR = matrices(I2, [[0, 1], [1, 1]])
"""The field with four elements: I and the companion matrix of x^2 + x + 1."""
EIGHT = matrices(I3, [[0, 0, 1], [1, 0, 1], [0, 1, 0]])
"""I and the companion matrix of x^3 + x + 1."""
JORDAN = matrices(I2, [[0, 1], [0, 0]])

# Covers
LINES = one(POLYMUL, 3, [cover([1, 2], [[[1]], [[2]], [[3]]], ["1/2"] * 3)])
TURN = {"left": [1, 2], "right": [2, 3]}
SWAP = {"left": [1, 2], "right": [1, 2], "transposed": 1}
TURNED = one(FOUR, 3, [cover([1, 2], [[[1]]], ["1/2"], symmetries=[0])], maps=[TURN])

# Strassen's seven: nine planes of slices, in two orbits under a transposition.
PLANE = {"space": [1, 6], "products": {"factor": 1, "vectors": [4, 12]}}
TRANSPOSE = {"left": [1, 2, 4, 8], "right": [5, 10, 1, 2], "transposed": 1}
MOVE = {"left": [4, 12, 1, 3], "right": [4, 12, 5, 15]}
SEVEN = one(
    MATMUL,
    7,
    [PLANE, cover([1, 2, 4, 8], [[[1, 6], 0], [[13, 10], 0, 1]], ["1/8", "1/8"], symmetries=[0])],
    maps=[TRANSPOSE, MOVE],
)

# Cases: a point (u, v) is u + 2 v, and vanishes on the line (v, u).
LEAF = [[1, 1], [2, 1]]
LEAF_AGAIN = [[1, 1], [2, 1]]
"""Another list: what is changed in a copy of a file is changed wherever the same list stands."""
BRANCHED = one(
    EIGHT,
    5,
    [
        {
            "space": [1, 2],
            "terms": [[[1]], [[2]], [[3]]],
            "bound": 5,
            "cases": [
                {"point": 2, "tree": [2, LEAF, [[0, 1]]]},
                {"point": 1, "tree": [LEAF_AGAIN]},
                {"point": 3, "tree": [LEAF]},
            ],
        }
    ],
)
ORBIT = one(
    FOUR,
    3,
    [
        {
            "space": [1, 2],
            "symmetries": [0],
            "terms": [[[1]]],
            "bound": 3,
            "cases": [{"point": 2, "tree": [[[0, 1]]]}],
        }
    ],
    maps=[TURN],
)
TREES = f"{NODE}/cases"

# Products and exhaustion
FORCED = one(JORDAN, 3, [{"space": [1, 2], "products": {"factor": 1, "vectors": [2]}}])
FORCED_COLUMNS = one(JORDAN, 3, [{"space": [1, 2], "products": {"factor": 2, "vectors": [1]}}])
EXHAUSTED = one(MATMUL, 7, [{"space": [1, 2, 4, 8], "added": 2}])
SMALL = one(POLYMUL, 3, [{"space": [1, 2], "added": 0}])

# The tensor of polymul(2,2) with a slice of zeros, a row of zeros and a column that is the sum of two others.
PADDED = tensor(
    (3, 3, 4),
    {(0, 0, 0): 1, (0, 1, 1): 1, (1, 0, 1): 1, (1, 1, 2): 1, (0, 0, 3): 1, (0, 1, 3): 1, (1, 0, 3): 1},
    "GF(2)",
)

ACCEPTED = [
    accept("cover", "polymul-by-lines", LINES),
    accept("cover", "field-with-four-elements", one(FOUR, 3, [simple([1, 2], 2)])),
    accept("cover", "field-with-eight-elements", one(EIGHT, 5, [simple([1, 2], 2)])),
    accept("cover", "lines-in-one-orbit", TURNED),
    accept("cover", "strassen-by-planes", SEVEN),
    accept("cover", "strassen-exhausted", EXHAUSTED),
    accept("cover", "a-branch", BRANCHED),
    accept("cover", "points-in-one-orbit", ORBIT),
    accept("cover", "product-in-a-row", FORCED),
    accept("cover", "product-in-a-column", FORCED_COLUMNS),
    accept("cover", "polymul-exhausted", SMALL),
    accept(
        "cover",
        "polymul-over-gf-3",
        one(named("polymul", 3, 3), 6, [{"space": [1, 3, 9, 27, 81], "added": 0}], p=3, factor=2),
    ),
    accept(
        "cover",
        "four-lines-over-gf-3",
        one(POLYMUL, 3, [cover([1, 3], [[[x]] for x in (1, 3, 4, 7)], ["1/3"] * 4)], p=3),
    ),
    accept("cover", "a-part-of-the-slices", one(MATMUL, 6, [PLANE])),
    accept(
        "cover",
        "rational-coefficients",
        one(matrices(I2, [["1/3", 1], [1, 0]], ring="QQ"), 3, [simple([1, 2], 2)]),
    ),
    accept("cover", "superfluous-rows", one(PADDED, 3, [{"space": [1, 2], "added": 0}])),
    accept(
        "cover",
        "by-an-earlier-node",
        # The second node is the same space, in another basis, and takes the bound of the first.
        one(POLYMUL, 3, [{"space": [1, 2], "added": 0}, cover([3, 2], [[[1, 2], 0]], [1])]),
    ),
    accept(
        "cover",
        "a-map-that-transposes",
        one(
            JORDAN,
            3,
            [{"space": [1, 2], "added": 0}, cover([1, 2], [[[1, 2], 0, 0]], [1])],
            maps=[{"left": [2, 1], "right": [2, 1], "transposed": 1}],
        ),
    ),
    accept(
        "cover",
        "a-singular-map",
        # Rows and columns that are left out: the image of the space of the second node is that of the first.
        one(
            matrices(
                [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
                [[0, 1, 0], [1, 1, 0], [0, 0, 0]],
                [[0, 0, 0], [0, 0, 0], [0, 0, 1]],
            ),
            3,
            [{"space": [5, 2], "added": 0}, cover([1, 2], [[[1, 2], 0, 0]], [1])],
            maps=[{"left": [1, 2, 0], "right": [1, 2, 4]}],
        ),
    ),
]

VACUOUS = {"space": [1, 2], "terms": [[[1]]], "bound": 900, "cases": [{"point": 1, "tree": [[[0, 1]]]}]}

REJECTED = [
    reject("cover", "four-products", changed(LINES, f"{CLAIM}/value", 4), "claim-differs", CLAIM),
    reject(
        "cover", "border-rank", changed(LINES, f"{CLAIM}/quantity", "border_rank"), "claim-differs", CLAIM
    ),
    reject("cover", "over-cc", changed(LINES, f"{CLAIM}/over", "CC"), "field", f"{CLAIM}/over"),
    reject("cover", "another-prime", changed(LINES, f"{CLAIM}/over", "GF(3)"), "prime", f"{WITNESS}/prime"),
    reject(
        "cover",
        "zero-over-gf-2",
        one(matrices([[2, 0], [0, 4]], [[0, 2], [0, 0]], ring="QQ"), 900, [VACUOUS]),
        "target-vanishes",
        "/target",
    ),
    # Nothing in a space: every point, and every choice, would be as one likes.
    reject(
        "cover",
        "nine-hundred-in-no-space",
        one(POLYMUL, 900, [VACUOUS | {"space": [0, 0]}]),
        "dependent",
        f"{NODE}/space",
    ),
    reject(
        "cover",
        "nine-hundred-in-a-line-twice",
        one(POLYMUL, 900, [VACUOUS | {"space": [1, 1]}]),
        "dependent",
        f"{NODE}/space",
    ),
    reject(
        "cover",
        "nine-hundred-in-a-zero-slice",
        one(PADDED, 900, [VACUOUS | {"space": [1, 4]}]),
        "dependent",
        f"{NODE}/space",
    ),
    reject("cover", "nine-hundred-in-one-case", one(POLYMUL, 900, [VACUOUS]), "leaf", f"{TREES}/0/tree/0"),
    reject(
        "cover",
        "all-matrices-and-more",
        one(POLYMUL, 8, [{"space": [1, 2], "added": 5}]),
        "no-room",
        f"{NODE}/added",
    ),
    reject(
        "cover", "all-matrices", one(POLYMUL, 7, [{"space": [1, 2], "added": 4}]), "spanned", f"{NODE}/added"
    ),
    reject(
        "cover",
        "room-in-superfluous-rows",
        one(PADDED, 8, [{"space": [1, 2], "added": 5}]),
        "no-room",
        f"{NODE}/added",
    ),
    reject(
        "cover",
        "eight-exhausted",
        one(MATMUL, 8, [{"space": [1, 2, 4, 8], "added": 3}]),
        "spanned",
        f"{NODE}/added",
    ),
    reject(
        "cover",
        "a-diagonal-exhausted",
        one(matrices([[1, 0], [0, 0]], [[0, 0], [0, 1]]), 3, [{"space": [1, 2], "added": 0}]),
        "spanned",
        f"{NODE}/added",
    ),
    reject(
        "cover",
        "heavy-weights",
        changed(LINES, f"{NODE}/weights", ["1/2", "1/2", "2/3"]),
        "load",
        f"{NODE}/weights",
    ),
    reject(
        "cover", "orbit-too-heavy", changed(TURNED, f"{NODE}/weights", ["2/3"]), "load", f"{NODE}/weights"
    ),
    reject(
        "cover",
        "a-line-left-out",
        changed(without(LINES, f"{NODE}/terms/2"), f"{NODE}/weights", ["1/2"] * 2),
        "claim-differs",
        CLAIM,
    ),
    reject("cover", "without-its-symmetry", without(TURNED, f"{NODE}/symmetries"), "claim-differs", CLAIM),
    reject(
        "cover",
        "term-with-dependent-vectors",
        changed(LINES, f"{NODE}/terms/0", [[1, 1]]),
        "dependent",
        f"{NODE}/terms/0/0",
    ),
    reject(
        "cover",
        "term-with-nothing",
        changed(LINES, f"{NODE}/terms/0", [[0]]),
        "dependent",
        f"{NODE}/terms/0/0",
    ),
    reject(
        "cover", "no-symmetry", changed(TURNED, f"{WITNESS}/maps/0/right", [1, 3]), "not-a-symmetry", NODE
    ),
    reject(
        "cover",
        "a-map-that-forgets",
        changed(TURNED, f"{WITNESS}/maps/0/right", [0, 0]),
        "not-invertible",
        NODE,
    ),
    reject(
        "cover",
        "another-plane",
        changed(SEVEN, f"{WITNESS}/nodes/1/terms/1/0", [1, 2]),
        "not-contained",
        f"{WITNESS}/nodes/1/terms/1",
    ),
    reject(
        "cover",
        "a-term-without-its-map",
        without(SEVEN, f"{WITNESS}/nodes/1/terms/1/2"),
        "not-contained",
        f"{WITNESS}/nodes/1/terms/1",
    ),
    reject(
        "cover",
        "without-the-transposition",
        without(SEVEN, f"{WITNESS}/nodes/1/symmetries"),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "cover",
        "a-wrong-map",
        changed(SEVEN, f"{WITNESS}/maps/1/right", [4, 12, 5, 10]),
        "not-contained",
        f"{WITNESS}/nodes/1/terms/1",
    ),
    reject(
        "cover",
        "a-slice-of-rank-two",
        changed(FORCED, f"{NODE}/products/vectors", [1]),
        "not-rank-one",
        f"{NODE}/products/vectors/0",
    ),
    reject(
        "cover",
        "a-slice-of-rank-zero",
        changed(FORCED, f"{NODE}/products/vectors", [0]),
        "not-rank-one",
        f"{NODE}/products/vectors/0",
    ),
    reject(
        "cover",
        "one-product-twice",
        changed(FORCED, f"{NODE}/products/vectors", [2, 2]),
        "dependent",
        f"{NODE}/products/vectors",
    ),
    reject(
        "cover",
        "products-of-other-columns",
        changed(FORCED_COLUMNS, f"{NODE}/products/vectors", [2]),
        "not-rank-one",
        f"{NODE}/products/vectors/0",
    ),
    reject(
        "cover",
        "six-by-cases",
        changed(changed(BRANCHED, f"{NODE}/bound", 6), f"{CLAIM}/value", 6),
        "leaf",
        f"{TREES}/0/tree/1",
    ),
    reject(
        "cover",
        "a-leaf-that-only-meets-the-bound",
        changed(ORBIT, f"{NODE}/bound", 4),
        "leaf",
        f"{TREES}/0/tree/0",
    ),
    reject(
        "cover",
        "a-leaf-of-other-lines",
        changed(BRANCHED, f"{TREES}/0/tree/2", [[1, 1]]),
        "leaf",
        f"{TREES}/0/tree/2",
    ),
    reject(
        "cover",
        "leaves-exchanged",
        changed(BRANCHED, f"{TREES}/0/tree", [2, [[0, 1]], LEAF]),
        "leaf",
        f"{TREES}/0/tree/1",
    ),
    reject(
        "cover", "a-leaf-too-heavy", changed(BRANCHED, f"{TREES}/0/tree", [LEAF]), "load", f"{TREES}/0/tree/0"
    ),
    reject(
        "cover",
        "a-subspace-beyond-the-last",
        changed(BRANCHED, f"{TREES}/1/tree/0/1/0", 3),
        "leaf",
        f"{TREES}/1/tree/0",
    ),
    reject(
        "cover", "a-branch-without-a-leaf", without(BRANCHED, f"{TREES}/0/tree/2"), "tree", f"{TREES}/0/tree"
    ),
    reject(
        "cover",
        "a-leaf-after-the-last",
        changed(BRANCHED, f"{TREES}/1/tree/+", LEAF),
        "tree",
        f"{TREES}/1/tree/1",
    ),
    reject("cover", "a-case-left-out", without(BRANCHED, f"{TREES}/2"), "cases", TREES),
    reject("cover", "cases-without-their-symmetry", without(ORBIT, f"{NODE}/symmetries"), "cases", TREES),
    reject(
        "cover", "a-case-twice", changed(BRANCHED, f"{TREES}/2", {"point": 2, "tree": [LEAF]}), "cases", TREES
    ),
]

UNREADABLE = [
    unreadable(
        "cover",
        "two-factors",
        one(tensor((2, 2), {(0, 0): 1, (1, 1): 1}), 2, [simple([1, 2], 2)]),
        "units-do-not-fit",
        STEP,
    ),
    unreadable("cover", "four-factors", one(named("W", 4), 2, [simple([1, 2], 2)]), "units-do-not-fit", STEP),
    unreadable("cover", "modulus-4", changed(LINES, f"{WITNESS}/prime", 4), "not-prime", f"{WITNESS}/prime"),
    unreadable(
        "cover", "fourth-factor", changed(LINES, f"{WITNESS}/factor", 3), "out-of-range", f"{WITNESS}/factor"
    ),
    unreadable("cover", "no-nodes", changed(LINES, f"{WITNESS}/nodes", []), "empty-list", f"{WITNESS}/nodes"),
    unreadable(
        "cover",
        "nine-hundred-in-an-empty-space",
        one(POLYMUL, 900, [VACUOUS | {"space": []}]),
        "empty-list",
        f"{NODE}/space",
    ),
    unreadable(
        "cover",
        "more-combinations-than-slices",
        changed(LINES, f"{NODE}/space", [1, 2, 3]),
        "wrong-length",
        f"{NODE}/space",
    ),
    unreadable(
        "cover",
        "digits-beyond-the-slices",
        changed(LINES, f"{NODE}/space", [1, 4]),
        "out-of-range",
        f"{NODE}/space/1",
    ),
    unreadable(
        "cover",
        "a-negative-vector",
        changed(LINES, f"{NODE}/terms/0/0/0", -1),
        "out-of-range",
        f"{NODE}/terms/0/0/0",
    ),
    unreadable(
        "cover",
        "no-terms",
        changed(changed(LINES, f"{NODE}/terms", []), f"{NODE}/weights", []),
        "empty-list",
        f"{NODE}/terms",
    ),
    unreadable(
        "cover", "a-weight-too-few", without(LINES, f"{NODE}/weights/2"), "wrong-length", f"{NODE}/weights"
    ),
    unreadable(
        "cover",
        "a-weight-of-zero",
        changed(LINES, f"{NODE}/weights/2", 0),
        "out-of-range",
        f"{NODE}/weights/2",
    ),
    unreadable(
        "cover",
        "a-negative-weight",
        changed(LINES, f"{NODE}/weights/2", "-1/2"),
        "out-of-range",
        f"{NODE}/weights/2",
    ),
    unreadable(
        "cover",
        "a-later-node",
        changed(LINES, f"{NODE}/terms/0", [[1], 0]),
        "out-of-range",
        f"{NODE}/terms/0/1",
    ),
    unreadable(
        "cover",
        "a-map-that-is-not-there",
        changed(SEVEN, f"{WITNESS}/nodes/1/terms/1/2", 2),
        "out-of-range",
        f"{WITNESS}/nodes/1/terms/1/2",
    ),
    unreadable(
        "cover",
        "a-symmetry-that-is-not-there",
        changed(TURNED, f"{NODE}/symmetries", [1]),
        "out-of-range",
        f"{NODE}/symmetries/0",
    ),
    unreadable(
        "cover",
        "no-symmetries-listed",
        changed(TURNED, f"{NODE}/symmetries", []),
        "empty-list",
        f"{NODE}/symmetries",
    ),
    unreadable(
        "cover", "no-maps-listed", changed(LINES, f"{WITNESS}/maps", []), "empty-list", f"{WITNESS}/maps"
    ),
    unreadable(
        "cover",
        "a-row-too-few",
        changed(TURNED, f"{WITNESS}/maps/0/left", [1]),
        "wrong-length",
        f"{WITNESS}/maps/0/left",
    ),
    unreadable(
        "cover",
        "transposed-twice",
        changed(SEVEN, f"{WITNESS}/maps/0/transposed", 2),
        "out-of-range",
        f"{WITNESS}/maps/0/transposed",
    ),
    unreadable(
        "cover",
        "a-point-of-nothing",
        changed(BRANCHED, f"{TREES}/0/point", 0),
        "not-normal",
        f"{TREES}/0/point",
    ),
    unreadable(
        "cover",
        "a-multiple-of-a-point",
        one(
            POLYMUL,
            3,
            [{"space": [1, 3], "terms": [[[1]]], "bound": 3, "cases": [{"point": 2, "tree": [[]]}]}],
            p=3,
        ),
        "not-normal",
        f"{TREES}/0/point",
    ),
    unreadable("cover", "no-cases", changed(BRANCHED, f"{TREES}", []), "empty-list", TREES),
    unreadable(
        "cover", "a-bound-of-zero", changed(BRANCHED, f"{NODE}/bound", 0), "out-of-range", f"{NODE}/bound"
    ),
    unreadable(
        "cover", "an-empty-tree", changed(BRANCHED, f"{TREES}/1/tree", []), "empty-list", f"{TREES}/1/tree"
    ),
    unreadable(
        "cover",
        "products-along-the-factor",
        changed(FORCED, f"{NODE}/products/factor", 0),
        "out-of-range",
        f"{NODE}/products/factor",
    ),
    unreadable(
        "cover",
        "products-of-a-fourth-factor",
        changed(FORCED, f"{NODE}/products/factor", 3),
        "out-of-range",
        f"{NODE}/products/factor",
    ),
    unreadable(
        "cover",
        "no-products",
        changed(FORCED, f"{NODE}/products/vectors", []),
        "empty-list",
        f"{NODE}/products/vectors",
    ),
    unreadable(
        "cover",
        "a-negative-number-added",
        changed(SMALL, f"{NODE}/added", -1),
        "out-of-range",
        f"{NODE}/added",
    ),
    unreadable(
        "cover", "two-reasons", changed(SMALL, f"{NODE}/weights", [1]), "unknown-key", f"{NODE}/weights"
    ),
    unreadable(
        "cover",
        "no-reason",
        {**LINES, "steps": without(LINES, f"{NODE}/weights")["steps"]},
        "missing-key",
        NODE,
    ),
]

UNDECIDED = [
    undecided(
        "cover",
        "long-vectors",
        one(tensor((2, 53, 2), {(0, 0, 0): 1}), 1, [simple([1, 2], 2)]),
        "limit-cover",
        f"{WITNESS}/prime",
    ),
    undecided(
        "cover",
        "many-points",
        one(named("unit", 13), 13, [simple([2**i for i in range(13)], 13)]),
        "limit-cover",
        f"{NODE}/space",
    ),
    undecided(
        "cover",
        "many-choices",
        one(named("matmul", 3, 3, 3), 19, [{"space": [2**i for i in range(9)], "added": 9}]),
        "limit-operations",
        "/steps/0",
    ),
]

CASES = ACCEPTED + REJECTED + UNREADABLE + UNDECIDED

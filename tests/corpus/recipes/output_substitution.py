"""Files of the rule ``output-substitution``."""

from __future__ import annotations

from itertools import combinations

from .building import (
    Case,
    Json,
    accept,
    certificate,
    changed,
    form,
    forms,
    number_field,
    reject,
    step,
    undecided,
    unreadable,
    without,
)

STEP = "/steps/0"
CLAIM = f"{STEP}/claim"
WITNESS = f"{STEP}/witness"
P = 1048573
ONE = [[[], 1]]


def one(target: Json, claim: str, fields: list[Json] | None = None, **witness: Json) -> dict[str, Json]:
    """A certificate of one step, with its own claim as the conclusion."""
    units, _, over, _, value = claim.split()
    return certificate(
        target,
        [step("output-substitution", claim, **witness)],
        [f"{units} border_rank {over} {value}.."],
        fields or (),
    )


def pencil(target: Json, claim: str, *points: Json, half: int = 1, operator: Json = ONE) -> dict[str, Json]:
    return one(target, claim, argument="pencil", half=half, operator=operator, points=list(points))


def minors(n: int, rank: int) -> list[Json]:
    """All minors of a size of an n x n matrix."""
    sets = [list(s) for s in combinations(range(n), rank)]
    return [{"rows": r, "columns": c} for r in sets for c in sets]


def by_minors(
    target: Json, claim: str, n: int, rank: int, macaulay: int, prime: int = P, **more: Json
) -> dict[str, Json]:
    return one(
        target,
        claim,
        argument="minors",
        order=1,
        rank=rank,
        minors=minors(n, rank),
        macaulay=macaulay,
        prime=prime,
        **more,
    )


COMPLEX_PRODUCT = forms("abcd", [{"ac": 1, "bd": -1}, {"ad": 1, "bc": 1}])
COMPLEX_SQUARE = forms("xy", [{"xx": 1, "yy": -1}, {"xy": 2}])
GRADIENT = forms("xyz", [{"yz": 1}, {"xz": 1}, {"xy": 1}])
SQUARES = forms("xy", [{"xx": 1, "yy": 1}, {"xy": 1}])
DEPENDENT = forms("xy", [{"xx": 1, "yy": 1}, {"xx": 2, "yy": 2}])
CUBES = forms("xy", [{"xxx": 1, "xyy": 3}, {"xxy": 3, "yyy": 1}])
TWISTED = forms("xy", [{"xx": 1, "yy": [0, 1]}, {"xy": 1}], "QQ(a)")
ROOT = number_field("a", -2, 0, 1)

PRODUCT = pencil(COMPLEX_PRODUCT, "untied border_rank RR >= 3", 0)
SQUARE = pencil(COMPLEX_SQUARE, "tied border_rank RR >= 3", 0)
# det = 1 - t^2/4 up to scale: roots at -2 and 2.
ROOTED = pencil(SQUARES, "untied border_rank RR >= 2", -3, 0, 3)
OVER_CC = by_minors(GRADIENT, "tied border_rank CC >= 4", 3, 2, 2)

ACCEPTED = [
    accept("output-substitution", "complex-product-untied", PRODUCT),
    accept(
        "output-substitution", "complex-product-tied", pencil(COMPLEX_PRODUCT, "tied border_rank RR >= 5", 0)
    ),
    accept("output-substitution", "complex-square-tied", SQUARE),
    accept("output-substitution", "roots-between-the-points", ROOTED),
    accept(
        "output-substitution",
        "derivatives-of-two-cubics",
        pencil(CUBES, "untied border_rank RR >= 2", -2, 0, 2, operator=[[[0], 1]]),
    ),
    accept("output-substitution", "gradient-of-xyz", OVER_CC),
    accept(
        "output-substitution",
        "complex-product-over-cc",
        by_minors(COMPLEX_PRODUCT, "tied border_rank CC >= 3", 4, 2, 2),
    ),
    accept(
        "output-substitution",
        "gradient-over-gf-7",
        by_minors(GRADIENT, "tied border_rank GF(7) >= 4", 3, 2, 2, 7),
    ),
    accept(
        "output-substitution",
        "over-root-2",
        one(
            TWISTED,
            "tied border_rank CC >= 2",
            [ROOT],
            argument="minors",
            order=1,
            rank=1,
            minors=[{"rows": [0], "columns": [0]}, {"rows": [0], "columns": [1]}],
            macaulay=1,
            prime=7,
            root=3,
        ),
    ),
]

REJECTED = [
    reject(
        "output-substitution",
        "complex-product-four",
        changed(PRODUCT, f"{CLAIM}/value", 4),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "output-substitution",
        "rank-where-border-rank-is-derived",
        changed(PRODUCT, f"{CLAIM}/quantity", "rank"),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "output-substitution",
        "pencil-over-cc",
        # (1, i) times the outputs is a product: two units are enough over CC.
        pencil(COMPLEX_PRODUCT, "untied border_rank CC >= 3", 0),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        "output-substitution",
        "root-beyond-the-points",
        # Beyond t = 2 the form x^2 + y^2 + t x y is indefinite, and (0, 1) gives one product.
        changed(changed(ROOTED, f"{WITNESS}/points", [0]), f"{CLAIM}/value", 3),
        "not-separated",
        f"{WITNESS}/points",
    ),
    reject(
        "output-substitution",
        "two-roots-between-the-points",
        changed(ROOTED, f"{WITNESS}/points", [-3, 3]),
        "not-separated",
        f"{WITNESS}/points",
    ),
    reject(
        "output-substitution",
        "point-on-a-root",
        changed(ROOTED, f"{WITNESS}/points", [-3, 0, 2, 3]),
        "root-at-point",
        f"{WITNESS}/points",
    ),
    reject(
        "output-substitution",
        "singular-pencil",
        pencil(forms("xyz", [{"xx": 1}, {"yy": 1}]), "untied border_rank RR >= 2", 1),
        "singular-pencil",
        f"{WITNESS}/points",
    ),
    reject(
        "output-substitution",
        "pencil-of-three-outputs",
        pencil(GRADIENT, "untied border_rank RR >= 3", 0),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        "output-substitution",
        "split-with-an-operator",
        pencil(CUBES, "split border_rank RR >= 2", -2, 0, 2, operator=[[[0], 1]]),
        "hypothesis",
        STEP,
    ),
    reject(
        "output-substitution",
        "minors-with-a-common-zero",
        # (1, i) has rank 2 only.
        by_minors(COMPLEX_PRODUCT, "tied border_rank CC >= 4", 4, 3, 5),
        "common-zero",
        f"{WITNESS}/macaulay",
    ),
    reject(
        "output-substitution",
        "macaulay-degree-too-low",
        changed(OVER_CC, f"{WITNESS}/macaulay", 1),
        "common-zero",
        f"{WITNESS}/macaulay",
    ),
    reject(
        "output-substitution",
        "dependent-outputs",
        by_minors(DEPENDENT, "tied border_rank CC >= 2", 2, 1, 1),
        "dependent-outputs",
        STEP,
    ),
    reject(
        "output-substitution",
        "independent-only-over-qq",
        # (2x)^2 and (2xy) vanish modulo 2: the reduction of the map has one output.
        by_minors(
            forms("xy", [{"xx": 1, "yy": 1}, {"xx": 3, "yy": 3, "xy": 2}]),
            "tied border_rank GF(2) >= 2",
            2,
            1,
            1,
            2,
        ),
        "dependent-outputs",
        STEP,
    ),
    reject(
        "output-substitution",
        "over-rr-by-minors",
        changed(OVER_CC, f"{CLAIM}/over", "RR"),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        "output-substitution",
        "prime-of-another-field",
        by_minors(GRADIENT, "tied border_rank GF(7) >= 4", 3, 2, 2, 5),
        "prime",
        f"{WITNESS}/prime",
    ),
    reject(
        "output-substitution",
        "root-without-a-field",
        changed(OVER_CC, f"{WITNESS}/root", 3),
        "root",
        WITNESS,
    ),
]

UNREADABLE = [
    unreadable(
        "output-substitution",
        "one-output",
        pencil(form("xy", {"xx": 1, "yy": 1}), "untied border_rank RR >= 2", 0),
        "units-do-not-fit",
        STEP,
    ),
    unreadable(
        "output-substitution",
        "unknown-argument",
        changed(PRODUCT, f"{WITNESS}/argument", "intervals"),
        "unknown-argument",
        f"{WITNESS}/argument",
    ),
    unreadable(
        "output-substitution",
        "points-not-increasing",
        changed(ROOTED, f"{WITNESS}/points", [3, 0]),
        "unsorted",
        f"{WITNESS}/points/1",
    ),
    unreadable(
        "output-substitution",
        "point-twice",
        changed(ROOTED, f"{WITNESS}/points", [0, 0]),
        "repeated",
        f"{WITNESS}/points/1",
    ),
    unreadable(
        "output-substitution",
        "no-points",
        changed(PRODUCT, f"{WITNESS}/points", []),
        "empty-list",
        f"{WITNESS}/points",
    ),
    unreadable(
        "output-substitution",
        "half-2",
        changed(PRODUCT, f"{WITNESS}/half", 2),
        "out-of-range",
        f"{WITNESS}/half",
    ),
    unreadable(
        "output-substitution",
        "linear-outputs-pencil",
        pencil(forms("xy", [{"x": 1}, {"y": 1}]), "untied border_rank RR >= 2", 0),
        "out-of-range",
        f"{WITNESS}/half",
    ),
    unreadable(
        "output-substitution",
        "linear-outputs-minors",
        by_minors(forms("xy", [{"x": 1}, {"y": 1}]), "untied border_rank CC >= 2", 1, 1, 1),
        "out-of-range",
        f"{WITNESS}/order",
    ),
    unreadable(
        "output-substitution",
        "minor-of-another-size",
        changed(OVER_CC, f"{WITNESS}/minors/0/rows", [0]),
        "wrong-length",
        f"{WITNESS}/minors/0",
    ),
    unreadable(
        "output-substitution",
        "minor-with-a-negative-row",
        changed(OVER_CC, f"{WITNESS}/minors/0/rows", [-1, 0]),
        "out-of-range",
        f"{WITNESS}/minors/0/rows/0",
    ),
    unreadable(
        "output-substitution",
        "modulus-4",
        changed(OVER_CC, f"{WITNESS}/prime", 4),
        "not-prime",
        f"{WITNESS}/prime",
    ),
    unreadable(
        "output-substitution", "no-macaulay", without(OVER_CC, f"{WITNESS}/macaulay"), "missing-key", WITNESS
    ),
]

UNDECIDED = [
    undecided(
        "output-substitution",
        "minors-of-size-64",
        one(
            forms("".join(chr(97 + i) for i in range(26)), [{"aa": 1}, {"bb": 1}]),
            "tied border_rank CC >= 65",
            argument="minors",
            order=1,
            rank=26,
            minors=[{"rows": list(range(26)), "columns": list(range(26))}],
            macaulay=64,
            prime=P,
        ),
        "limit-operations",
        f"{WITNESS}/minors",
    ),
]

CASES: list[Case] = [*ACCEPTED, *REJECTED, *UNREADABLE, *UNDECIDED]

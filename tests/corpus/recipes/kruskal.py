"""Files of the rule ``kruskal``."""

from __future__ import annotations

from collections.abc import Sequence

from .building import (
    Json,
    accept,
    certificate,
    changed,
    form,
    named,
    number_field,
    reject,
    step,
    tensor,
    undecided,
    unreadable,
    without,
)
from .decomposition import CUBES

RULE = "kruskal"
CLAIM = "/steps/0/claim"
WITNESS = "/steps/0/witness"
PRIME = 1048573


def groups(*pairs: tuple[list[int], int]) -> Json:
    return [{"modes": modes, "rank": rank} for modes, rank in pairs]


def one(
    target: Json, claim: str, units: Json, parts: Json, fields: Sequence[Json] = (), **more: Json
) -> dict[str, Json]:
    """A certificate of one step; the ring of the units is QQ unless another is given."""
    kind, quantity, over, _, value = claim.split()
    witness = {"ring": "QQ", "units": units, "groups": parts, "prime": PRIME, **more}
    return certificate(
        target, [step(RULE, claim, **witness)], [f"{kind} {quantity} {over} {value}.."], fields
    )


def two(target: Json, claim: str, ring: str, prime: int, **more: Json) -> dict[str, Json]:
    """The two products, or powers, of the unit vectors."""
    kind = claim.split()[0]
    units = [[[1, 0]] * 3, [[0, 1]] * 3] if kind == "product" else [[[1, 0], [1]], [[0, 1], [1]]]
    parts = groups(([0], 2), ([1], 2), ([2], 2) if kind == "product" else ([2, 3], 2))
    return one(target, claim, units, parts, ring=ring, prime=prime, **more)


GHZ = two(named("GHZ", 3), "product rank CC >= 2", "QQ", PRIME)
TWO_CUBES = form("xy", {"xxx": 1, "yyy": 1})
GF7 = two(TWO_CUBES, "tied rank GF(7) >= 2", "GF(7)", 7)
FOUR_CUBES = one(
    # x^3 + y^3 + z^3 + (x + y + z)^3.
    form(
        "xyz",
        {
            **{name * 3: 2 for name in "xyz"},
            **dict.fromkeys(("xxy", "xxz", "xyy", "yyz", "xzz", "yzz"), 3),
            "xyz": 6,
        },
    ),
    "tied rank CC >= 4",
    [[[1, 0, 0], [1]], [[0, 1, 0], [1]], [[0, 0, 1], [1]], [[1, 1, 1], [1]]],
    groups(([0], 3), ([1], 3), ([2, 3], 3)),
)
X2Y = one(form("xy", {"xxy": 1}), "tied rank CC >= 2", CUBES, groups(([0, 1, 3], 3), ([2], 2)))
IRRATIONAL = one(
    tensor((2, 2, 2), {(0, 0, 0): [0, 1], (1, 1, 1): 1}, "QQ(a)"),
    "product rank CC >= 2",
    [[[[0, 1], 0], [1, 0], [1, 0]], [[0, 1]] * 3],
    groups(([0], 2), ([1], 2), ([2], 2)),
    [number_field("a", -2, 0, 1)],
    ring="QQ(a)",
    prime=7,
    root=3,
)
MATRIX = one(
    # Three products where two are enough.
    tensor((2, 2), {(0, 0): 2, (1, 0): 1, (1, 1): 2}),
    "product rank CC >= 1",
    [[[1, 0], [1, 0]], [[1, 1], [1, 1]], [[1, -1], [0, -1]]],
    groups(([0], 2), ([1], 2)),
)


def sum_of_rows(*rows: list[int], rank: int) -> dict[str, Json]:
    """The matrix with these rows as a sum of them times unit vectors; any ``rank`` rows are said to be independent."""
    units = [[row, [int(i == k) for k in range(len(rows))]] for i, row in enumerate(rows)]
    entries = {(j, i): x for i, row in enumerate(rows) for j, x in enumerate(row) if x}
    return one(
        tensor((len(rows[0]), len(rows)), entries),
        f"product rank CC >= {rank}",
        units,
        groups(([0], rank), ([1], len(rows))),
    )


ACCEPTED = [
    accept(RULE, "two-products", GHZ),
    accept(RULE, "four-cubes", FOUR_CUBES),
    accept(RULE, "fewer-than-in-the-sum", MATRIX),
    accept(RULE, "three-cubes-of-which-two-are-needed", X2Y),
    accept(RULE, "two-cubes-modulo-7", GF7),
    accept(RULE, "two-products-modulo-2", two(named("GHZ", 3), "product rank GF(2) >= 2", "GF(2)", 2)),
    accept(RULE, "irrational-coefficients", IRRATIONAL),
    accept(RULE, "rows-of-rank-two", sum_of_rows([1, 0], [0, 1], [1, 1], rank=2)),
    accept(
        RULE,
        "four-factors-in-three-groups",
        one(
            named("GHZ", 4),
            "product rank CC >= 2",
            [[[1, 0]] * 4, [[0, 1]] * 4],
            groups(([1, 3], 2), ([0], 2), ([2], 1)),
        ),
    ),
    accept(
        RULE,
        "weights-in-a-group-of-their-own",
        one(
            {"space": [[1, 2], [2, 1]], "ring": "QQ", "entries": [[[0, 0, 0], 1], [[0, 0, 1], 1]]},
            "tied rank CC >= 1",
            [[[1], [1, 1]]],
            groups(([0], 1), ([1], 1), ([2], 1)),
        ),
    ),
]

REJECTED = [
    reject(RULE, "one-more-than-is-proved", changed(GHZ, f"{CLAIM}/value", 3), "claim-differs", CLAIM),
    reject(RULE, "border-rank", changed(GHZ, f"{CLAIM}/quantity", "border_rank"), "claim-differs", CLAIM),
    reject(
        RULE,
        "three-of-two-dimensions",
        changed(changed(X2Y, f"{CLAIM}/value", 3), f"{WITNESS}/groups/1/rank", 3),
        "dependent",
        f"{WITNESS}/groups/1",
    ),
    reject(
        RULE,
        "four-cubes-with-a-plane-of-three",
        changed(FOUR_CUBES, f"{WITNESS}/groups/0/rank", 4),
        "dependent",
        f"{WITNESS}/groups/0",
    ),
    reject(
        RULE,
        "a-zero-vector",
        one(
            tensor((2, 2), {(0, 0): 1}),
            "product rank CC >= 0",
            [[[1, 0], [1, 0]], [[0, 0], [0, 1]]],
            groups(([0], 1), ([1], 1)),
        ),
        "dependent",
        f"{WITNESS}/groups/0",
    ),
    reject(
        RULE,
        "a-zero-weight",
        one(
            form("xy", {"xxx": 1}),
            "tied rank CC >= 2",
            [[[1, 0], [1]], [[0, 1], [0]]],
            groups(([0], 2), ([1], 2), ([2, 3], 2)),
        ),
        "dependent",
        f"{WITNESS}/groups/2",
    ),
    reject(
        RULE,
        "the-last-two-rows-are-parallel",
        sum_of_rows([1, 0], [0, 1], [0, 2], rank=2),
        "dependent",
        f"{WITNESS}/groups/0",
    ),
    reject(
        RULE,
        "two-parallel-rows-of-three",
        sum_of_rows([1, 0, 0], [2, 0, 0], [0, 1, 0], [0, 0, 1], rank=3),
        "dependent",
        f"{WITNESS}/groups/0",
    ),
    reject(
        RULE,
        "dependent-modulo-the-prime",
        changed(sum_of_rows([1, 1], [1, 6], [0, 1], rank=2), f"{WITNESS}/prime", 5),
        "dependent",
        f"{WITNESS}/groups/0",
    ),
    reject(
        RULE,
        "another-sum",
        changed(GHZ, f"{WITNESS}/units/1/0", [1, 1]),
        "sum-misses-target",
        f"{WITNESS}/units",
    ),
    reject(RULE, "over-rr", changed(GHZ, f"{CLAIM}/over", "RR"), "field", f"{CLAIM}/over"),
    reject(
        RULE, "rational-units-over-gf-5", changed(GHZ, f"{CLAIM}/over", "GF(5)"), "field", f"{CLAIM}/over"
    ),
    reject(RULE, "units-modulo-7-over-cc", changed(GF7, f"{CLAIM}/over", "CC"), "field", f"{CLAIM}/over"),
    reject(RULE, "another-prime", changed(GF7, f"{WITNESS}/prime", 5), "prime", f"{WITNESS}/prime"),
    reject(
        RULE,
        "cubes-in-characteristic-3",
        two(TWO_CUBES, "tied rank GF(3) >= 2", "GF(3)", 3),
        "hypothesis",
        "/steps/0",
    ),
    reject(
        RULE,
        "prime-in-a-denominator",
        one(
            form("xy", {"xxx": "1/7"}),
            "tied rank CC >= 1",
            [[[1, 0], ["1/7"]]],
            groups(([0], 1), ([1], 1), ([2, 3], 1)),
            prime=7,
        ),
        "denominator",
        f"{WITNESS}/prime",
    ),
    reject(RULE, "no-root", without(IRRATIONAL, f"{WITNESS}/root"), "root", WITNESS),
    reject(RULE, "wrong-root", changed(IRRATIONAL, f"{WITNESS}/root", 2), "root", f"{WITNESS}/root"),
]

UNREADABLE = [
    unreadable(RULE, name, changed(GHZ, pointer, value), code, where)
    for name, pointer, value, code, where in [
        ("no-groups", f"{WITNESS}/groups", [], "empty-list", f"{WITNESS}/groups"),
        ("mode-in-two-groups", f"{WITNESS}/groups/2/modes", [1, 2], "no-partition", f"{WITNESS}/groups"),
        ("mode-in-no-group", f"{WITNESS}/groups/2/modes", [1], "no-partition", f"{WITNESS}/groups"),
        ("empty-group", f"{WITNESS}/groups/2/modes", [], "empty-list", f"{WITNESS}/groups/2/modes"),
        ("unsorted-modes", f"{WITNESS}/groups/2/modes", [2, 1], "unsorted", f"{WITNESS}/groups/2/modes/1"),
        ("mode-3", f"{WITNESS}/groups/2/modes", [3], "out-of-range", f"{WITNESS}/groups/2/modes/0"),
        ("rank-0", f"{WITNESS}/groups/2/rank", 0, "out-of-range", f"{WITNESS}/groups/2/rank"),
        ("rank-3-of-two-units", f"{WITNESS}/groups/2/rank", 3, "out-of-range", f"{WITNESS}/groups/2/rank"),
        (
            "dimension-of-a-group",
            f"{WITNESS}/groups/2/dimension",
            2,
            "unknown-key",
            f"{WITNESS}/groups/2/dimension",
        ),
        ("modulus-9", f"{WITNESS}/prime", 9, "not-prime", f"{WITNESS}/prime"),
    ]
]
UNREADABLE += [
    unreadable(RULE, "no-prime", without(GHZ, f"{WITNESS}/prime"), "missing-key", WITNESS),
    unreadable(
        RULE,
        "untied-units",
        one(
            form("xy", {"xxy": 1}),
            "untied rank CC >= 1",
            [[[1, 0], [0, 1], [1]]],
            groups(([0], 1), ([1], 1), ([2, 3], 1)),
        ),
        "units-do-not-fit",
        f"{CLAIM}/units",
    ),
]

UNDECIDED = [
    undecided(
        RULE,
        "half-of-forty-vectors",
        one(
            tensor((2, 2), {(0, 0): 40}),
            "product rank CC >= 1",
            [[[1, 0], [1, 0]]] * 40,
            groups(([0], 1), ([1], 20)),
        ),
        "limit-operations",
        f"{WITNESS}/groups/1",
    ),
]

CASES = ACCEPTED + REJECTED + UNREADABLE + UNDECIDED

"""Files of the rule ``alder-strassen``."""

from __future__ import annotations

from itertools import product

from .building import (
    Case,
    Json,
    accept,
    certificate,
    changed,
    named,
    number_field,
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


def one(
    target: Json,
    over: str,
    value: int,
    unit: list[Json],
    nilpotent: tuple[list[Json], ...] = (),
    *,
    right: list[Json] | None = None,
    factors: tuple[int, ...] = (0, 1, 2),
    fields: tuple[Json, ...] = (),
    **more: Json,
) -> dict[str, Json]:
    """A certificate of one step, with its own claim as the conclusion."""
    written = step(
        "alder-strassen",
        f"product rank {over} >= {value}",
        factors=list(factors),
        left=unit,
        right=unit if right is None else right,
        nilpotent=list(nilpotent),
        **more,
    )
    return certificate(target, [written], [f"product rank {over} {value}.."], fields)


def e(i: int, n: int) -> list[Json]:
    return [int(k == i) for k in range(n)]


def quotient(*f: int, ring: str = "QQ") -> Json:
    """Multiplication modulo the monic polynomial with these ascending coefficients."""
    n = len(f) - 1
    powers = [e(k, n) for k in range(n)]
    while len(powers) < 2 * n - 1:
        *rest, top = powers[-1]
        powers.append([x - top * c for x, c in zip([0, *rest], f[:n], strict=True)])
    p = int(ring[3:-1]) if ring.startswith("GF") else 0
    entries = {
        (i, j, k): powers[i + j][k] % p if p else powers[i + j][k] for i, j, k in product(range(n), repeat=3)
    }
    return tensor([n, n, n], {word: x for word, x in entries.items() if x}, ring)


def algebra(names: str, table: dict[str, str], ring: str = "QQ") -> Json:
    """An algebra by the products of its basis that are not zero, each a basis element or its negative."""
    entries = {}
    for pair, value in table.items():
        sign = -1 if value.startswith("-") else 1
        entries[names.index(pair[0]), names.index(pair[1]), names.index(value.lstrip("-"))] = sign
    return tensor([len(names)] * 3, entries, ring)


# The upper triangular 2 x 2 matrices with basis a = E_11, b = E_12, c = E_22.
TRIANGULAR = algebra("abc", {"aa": "a", "ab": "b", "bc": "b", "cc": "c"})
MATRICES = one(named("matmul", 2, 2, 2), "CC", 7, [1, 0, 0, 1])
CUBE_ROOT = one(quotient(-2, 0, 0, 1), "QQ", 5, [1, 0, 0], element=[0, 1, 0], place=7)
TRUNCATED = one(quotient(0, 0, 0, 1), "CC", 5, [1, 0, 0], ([0, 1, 0], [0, 0, 1]))
UPPER = one(TRIANGULAR, "CC", 4, [1, 0, 1], ([0, 1, 0],))
FINITE = one(quotient(1, 0, 1, 0, 0, 1), "GF(2)", 9, e(0, 5), element=e(1, 5))
REAL = one(quotient(-2, 0, 0, 1), "RR", 4, [1, 0, 0], element=[0, 1, 0])
ROOT_2 = number_field("a", -2, 0, 1, root=(1, 2))
OVER_A = one(quotient(-3, 0, 1), "QQ(a)", 3, [1, 0], element=[0, 1], place=7, root=3, fields=(ROOT_2,))

ACCEPTED = [
    accept("alder-strassen", "two-by-two-matrices", MATRICES),
    accept(
        "alder-strassen",
        "two-by-two-matrices-over-gf-2",
        changed(changed(MATRICES, f"{CLAIM}/over", "GF(2)"), "/conclusion/0/field", "GF(2)"),
    ),
    accept(
        "alder-strassen",
        "three-by-three-matrices",
        one(named("matmul", 3, 3, 3), "CC", 17, [1, 0, 0, 0, 1, 0, 0, 0, 1]),
    ),
    accept("alder-strassen", "quaternions", one(named("quaternion_product"), "CC", 7, e(0, 4))),
    accept("alder-strassen", "cube-root-of-2-over-qq", CUBE_ROOT),
    accept("alder-strassen", "cube-root-of-2-over-rr", REAL),
    accept("alder-strassen", "cube-root-of-2-over-cc", one(quotient(-2, 0, 0, 1), "CC", 3, [1, 0, 0])),
    accept("alder-strassen", "truncated-polynomials", TRUNCATED),
    accept("alder-strassen", "upper-triangular-matrices", UPPER),
    accept(
        "alder-strassen",
        "field-with-32-elements",
        FINITE,
    ),
    accept(
        "alder-strassen",
        "cyclic-convolution-of-length-7",
        one(quotient(-1, 0, 0, 0, 0, 0, 0, 1), "QQ", 12, e(0, 7), element=e(1, 7), place=3),
    ),
    accept("alder-strassen", "root-3-over-root-2", OVER_A),
    accept(
        "alder-strassen",
        "product-in-the-first-factor",
        # The entries of the triangular matrices with the last factor first.
        one(
            tensor([3, 3, 3], {(0, 0, 0): 1, (1, 0, 1): 1, (1, 1, 2): 1, (2, 2, 2): 1}),
            "CC",
            4,
            [1, 0, 1],
            ([0, 1, 0],),
            factors=(1, 2, 0),
        ),
    ),
    accept(
        "alder-strassen",
        "w-times-w-in-other-bases",
        # W(3) times W(3): K[x, y]/(x^2, y^2), with units that are no basis vectors of the product.
        one(
            tensor(
                [4, 4, 4],
                {
                    tuple(2 * a + b for a, b in zip(u, v, strict=True)): 1
                    for u in ((0, 0, 1), (0, 1, 0), (1, 0, 0))
                    for v in ((0, 0, 1), (0, 1, 0), (1, 0, 0))
                },
            ),
            "CC",
            7,
            [1, 0, 0, 0],
            ([0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0]),
        ),
    ),
    accept(
        "alder-strassen",
        "coefficients-in-a-number-field",
        one(
            tensor(
                [2, 2, 2],
                {(0, 0, 0): 1, (0, 1, 1): 1, (1, 0, 1): 1, (1, 1, 1): [0, 2], (1, 1, 0): -2},
                "QQ(a)",
            ),
            "CC",
            3,
            [1, 0],
            # (x - a)^2 = 0
            ([[0, -1], 1],),
            fields=(ROOT_2,),
        ),
    ),
]

REJECTED = [
    reject(
        "alder-strassen", "matrices-eight", changed(MATRICES, f"{CLAIM}/value", 8), "claim-differs", CLAIM
    ),
    reject(
        "alder-strassen",
        "border-rank",
        # The border rank of K[x]/(x^3) is 3.
        changed(TRUNCATED, f"{CLAIM}/quantity", "border_rank"),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "alder-strassen",
        "no-ideal",
        # Without the ideal the quotient has dimension 3, and only 3 follows.
        changed(TRUNCATED, f"{WITNESS}/nilpotent", []),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "alder-strassen",
        "not-an-ideal",
        one(quotient(0, 0, 0, 1), "CC", 5, [1, 0, 0], ([0, 1, 0],)),
        "not-an-ideal",
        f"{WITNESS}/nilpotent/0",
    ),
    reject(
        "alder-strassen",
        "a-left-ideal",
        # b spans the ideal; a spans a left ideal with it.
        one(TRIANGULAR, "CC", 5, [1, 0, 1], ([1, 0, 0],)),
        "not-an-ideal",
        f"{WITNESS}/nilpotent/0",
    ),
    reject(
        "alder-strassen",
        "idempotent-ideal",
        # K x K has rank 2.
        one(quotient(0, -1, 1), "CC", 3, [1, 0], ([0, 1],)),
        "not-nilpotent",
        f"{WITNESS}/nilpotent",
    ),
    reject(
        "alder-strassen",
        "dependent-ideal",
        one(quotient(0, 0, 1), "CC", 4, [1, 0], ([0, 1], [0, 2])),
        "dependent",
        f"{WITNESS}/nilpotent/1",
    ),
    reject(
        "alder-strassen",
        "not-associative",
        # xy = -yx for distinct x, y, all squares 0, beside one: brackets matter.
        one(
            algebra(
                "1xyz",
                {
                    "11": "1",
                    "1x": "x",
                    "x1": "x",
                    "1y": "y",
                    "y1": "y",
                    "1z": "z",
                    "z1": "z",
                    "xy": "z",
                    "yz": "x",
                    "zx": "y",
                },
            ),
            "CC",
            7,
            [1, 0, 0, 0],
        ),
        "not-associative",
        STEP,
    ),
    reject(
        "alder-strassen",
        "left-is-no-unit",
        changed(TRUNCATED, f"{WITNESS}/left", [0, 1, 0]),
        "singular",
        f"{WITNESS}/left",
    ),
    reject(
        "alder-strassen",
        "right-is-no-unit",
        changed(TRUNCATED, f"{WITNESS}/right", [0, 1, 0]),
        "singular",
        f"{WITNESS}/right",
    ),
    reject(
        "alder-strassen",
        "factors-in-another-order",
        # The transpose of the triangular matrices is no algebra in these roles: E_12 E_12* is missing.
        changed(UPPER, f"{WITNESS}/factors", [0, 2, 1]),
        "singular",
        f"{WITNESS}/right",
    ),
    reject(
        "alder-strassen",
        "element-that-is-not-central",
        one(named("matmul", 2, 2, 2), "RR", 7, [1, 0, 0, 1], element=[1, 0, 0, 0]),
        "not-central",
        f"{WITNESS}/element",
    ),
    reject(
        "alder-strassen",
        "element-that-generates-nothing",
        one(quotient(-2, 0, 0, 1), "RR", 5, [1, 0, 0], element=[1, 0, 0]),
        "not-generating",
        f"{WITNESS}/element",
    ),
    reject(
        "alder-strassen",
        "split-field-over-rr",
        # x^2 - 2 has two real roots: rank 2.
        one(quotient(-2, 0, 1), "RR", 3, [1, 0], element=[0, 1]),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "alder-strassen",
        "repeated-root-over-rr",
        one(quotient(0, 0, 1), "RR", 3, [1, 0], element=[0, 1]),
        "repeated-root",
        f"{WITNESS}/element",
    ),
    reject(
        "alder-strassen",
        "repeated-root-modulo-the-place",
        # Modulo 3, x^3 - 2 = (x + 1)^3.
        changed(CUBE_ROOT, f"{WITNESS}/place", 3),
        "repeated-root",
        f"{WITNESS}/element",
    ),
    reject(
        "alder-strassen",
        "place-in-a-denominator",
        # The polynomial of z is (x - 1/7)(x^2 - 3); what is left of it modulo 7 is irreducible.
        one(quotient(3, -3, -1, 1), "QQ", 5, [1, 0, 0], element=["-9/7", 1, "3/7"], place=7),
        "repeated-root",
        f"{WITNESS}/element",
    ),
    reject(
        "alder-strassen",
        "repeated-root-over-gf-2",
        one(quotient(0, 0, 1), "GF(2)", 3, [1, 0], element=[0, 1]),
        "repeated-root",
        f"{WITNESS}/element",
    ),
    reject("alder-strassen", "no-place-over-qq", without(CUBE_ROOT, f"{WITNESS}/place"), "place", WITNESS),
    reject("alder-strassen", "a-place-over-rr", changed(REAL, f"{WITNESS}/place", 7), "place", WITNESS),
    reject(
        "alder-strassen",
        "a-place-without-an-element",
        changed(TRUNCATED, f"{WITNESS}/place", 7),
        "place",
        WITNESS,
    ),
    reject(
        "alder-strassen",
        "a-root-without-an-element",
        changed(TRUNCATED, f"{WITNESS}/root", 7),
        "place",
        WITNESS,
    ),
    reject(
        "alder-strassen",
        "root-2-in-its-own-field",
        # QQ(a) contains the square root of 2: rank 2.
        one(quotient(-2, 0, 1), "QQ(a)", 3, [1, 0], element=[0, 1], place=7, root=3, fields=(ROOT_2,)),
        "claim-differs",
        CLAIM,
    ),
    reject("alder-strassen", "wrong-root", changed(OVER_A, f"{WITNESS}/root", 2), "root", f"{WITNESS}/root"),
    reject(
        "alder-strassen",
        "element-over-cc",
        one(quotient(-2, 0, 0, 1), "CC", 5, [1, 0, 0], element=[0, 1, 0]),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        "alder-strassen", "no-element-over-rr", without(REAL, f"{WITNESS}/element"), "field", f"{CLAIM}/over"
    ),
    reject(
        "alder-strassen",
        "element-over-a-number-field",
        one(
            tensor([2, 2, 2], {(0, 0, 0): 1, (0, 1, 1): 1, (1, 0, 1): 1, (1, 1, 0): [0, 1]}, "QQ(a)"),
            "RR",
            3,
            [1, 0],
            element=[0, 1],
            fields=(ROOT_2,),
        ),
        "field",
        f"{CLAIM}/over",
    ),
]

UNREADABLE = [
    unreadable(
        "alder-strassen",
        "unequal-factors",
        one(named("polymul", 2, 2), "CC", 3, [1, 0]),
        "units-do-not-fit",
        STEP,
    ),
    unreadable("alder-strassen", "order-4", one(named("W", 4), "CC", 3, [1, 0]), "units-do-not-fit", STEP),
    unreadable(
        "alder-strassen",
        "factor-twice",
        changed(MATRICES, f"{WITNESS}/factors", [0, 1, 0]),
        "repeated",
        f"{WITNESS}/factors/2",
    ),
    unreadable(
        "alder-strassen",
        "factor-3",
        changed(MATRICES, f"{WITNESS}/factors", [0, 1, 3]),
        "out-of-range",
        f"{WITNESS}/factors/2",
    ),
    unreadable(
        "alder-strassen",
        "short-unit",
        changed(MATRICES, f"{WITNESS}/left", [1, 0, 1]),
        "wrong-length",
        f"{WITNESS}/left",
    ),
    unreadable(
        "alder-strassen",
        "ideal-of-dimension-5",
        changed(MATRICES, f"{WITNESS}/nilpotent", [e(0, 4)] * 5),
        "wrong-length",
        f"{WITNESS}/nilpotent",
    ),
    unreadable(
        "alder-strassen",
        "place-4",
        changed(CUBE_ROOT, f"{WITNESS}/place", 4),
        "not-prime",
        f"{WITNESS}/place",
    ),
    unreadable(
        "alder-strassen",
        "residue-too-large",
        changed(FINITE, f"{WITNESS}/element/1", 2),
        "out-of-range",
        f"{WITNESS}/element/1",
    ),
]

UNDECIDED = [
    undecided(
        "alder-strassen",
        "six-by-six-matrices",
        one(named("matmul", 6, 6, 6), "CC", 71, [int(k % 7 == 0) for k in range(36)]),
        "limit-operations",
        STEP,
    ),
]

CASES: list[Case] = [*ACCEPTED, *REJECTED, *UNREADABLE, *UNDECIDED]

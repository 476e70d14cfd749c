"""Files of the rule ``dropped-slices``."""

from __future__ import annotations

from .building import (
    Case,
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
    unreadable,
)

STEP = "/steps/0"
CLAIM = f"{STEP}/claim"
WITNESS = f"{STEP}/witness"


def one(target: Json, over: str, value: int, rows: list[int], *drops: Json) -> dict[str, Json]:
    """A certificate of one step, with its own claim as the conclusion."""
    written = step("dropped-slices", f"product rank {over} >= {value}", drops=list(drops), rows=rows)
    return certificate(target, [written], [f"product rank {over} {value}.."])


def drop(factor: int, dropped: list[Json], kept: list[Json]) -> Json:
    return {"factor": factor, "dropped": dropped, "kept": kept}


def matmul(n: int, m: int, p: int, over: str) -> dict[str, Json]:
    """(m - 1)(p + 1) + np for matrix products."""
    last = m - 1
    rest = [i * m + j for i in range(1, n) for j in range(m)]
    place = {index: k for k, index in enumerate([last, *rest])}
    # e_1 rho, and e_i rho + e_1 sigma_i, with rho = (-t_0, ..., -t_(m-2), 1).
    elements: list[Json] = [0]
    for i in range(1, n):
        elements.append(
            [[place[i * m + last], [[[], 1]]], *([place[i * m + j], [[[j], -1]]] for j in range(last))]
        )
    killed = [[[j * p + k, [[[], 1]]], [last * p + k, [[[j], 1]]]] for j in range(last) for k in range(p)]
    return one(
        named("matmul", n, m, p),
        over,
        last * (p + 1) + n * p,
        [2],
        drop(0, list(range(last)), [last, *rest]),
        drop(1, killed, [last * p + k for k in range(p)]),
        drop(0, [], elements),
    )


W3 = one(named("W", 3), "CC", 3, [1], drop(0, [1], [0]))
W4 = one(named("W", 4), "CC", 4, [2], drop(0, [1], [0]), drop(1, [1], [0]))
TWO = matmul(2, 2, 2, "CC")
TRUNCATED = tensor([3, 3, 3], {(i, j, i + j): 1 for i in range(3) for j in range(3 - i)})
FLAT = tensor([2, 2, 2], {(0, 0, 0): 1, (0, 1, 1): 1})
# T = a_0 (b_0 c_0 + b_1 c_1) + a_1 b_0 c_0
DIAGONAL = tensor([2, 2, 2], {(0, 0, 0): 1, (0, 1, 1): 1, (1, 0, 0): 1})

ACCEPTED = [
    accept("dropped-slices", "w3", W3),
    accept("dropped-slices", "w3-over-gf-2", one(named("W", 3), "GF(2)", 3, [1], drop(0, [1], [0]))),
    accept("dropped-slices", "w4", W4),
    accept("dropped-slices", "two-by-two-matrices", TWO),
    accept("dropped-slices", "two-by-two-matrices-over-gf-2", matmul(2, 2, 2, "GF(2)")),
    accept("dropped-slices", "two-by-three-by-three", matmul(2, 3, 3, "CC")),
    accept("dropped-slices", "three-by-three-matrices-over-gf-3", matmul(3, 3, 3, "GF(3)")),
    accept("dropped-slices", "truncated-polynomials", one(TRUNCATED, "CC", 5, [1], drop(0, [1, 2], [0]))),
    accept("dropped-slices", "no-drop", one(DIAGONAL, "CC", 2, [0, 1])),
    accept(
        "dropped-slices",
        "combinations-with-fractions",
        one(
            named("W", 3), "CC", 3, [1], drop(0, [[[1, [[[], "1/2"]]]]], [[[0, [[[], 2]]], [1, [[[], -1]]]]])
        ),
    ),
    accept(
        "dropped-slices",
        "two-kept-slices",
        # W + W: both slices of rank one are dropped.
        one(
            tensor(
                [4, 4, 4],
                {
                    (2 * i + x, 2 * i + y, 2 * i + z): 1
                    for i in (0, 1)
                    for x, y, z in ((0, 0, 1), (0, 1, 0), (1, 0, 0))
                },
            ),
            "CC",
            6,
            [1],
            drop(0, [1, 3], [0, 2]),
        ),
    ),
]

REJECTED = [
    reject("dropped-slices", "w3-four", changed(W3, f"{CLAIM}/value", 4), "claim-differs", CLAIM),
    reject(
        "dropped-slices", "w3-border", changed(W3, f"{CLAIM}/quantity", "border_rank"), "claim-differs", CLAIM
    ),
    reject(
        "dropped-slices",
        "the-other-slice",
        # What is left is b_0 c_0 - t (b_0 c_1 + b_1 c_0): of rank 2, but of rank 1 for t = 0.
        changed(W3, f"{WITNESS}/drops/0", drop(0, [0], [1])),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "dropped-slices",
        "zero-slice",
        # With a slice that is zero the bound would be 3; the tensor has rank 2.
        one(FLAT, "CC", 3, [1], drop(0, [1], [0])),
        "dependent-slices",
        f"{WITNESS}/drops/0/dropped",
    ),
    reject(
        "dropped-slices",
        "slice-dropped-twice",
        one(named("W", 3), "CC", 4, [1], drop(0, [1, 1], [0])),
        "dependent-slices",
        f"{WITNESS}/drops/0/dropped",
    ),
    reject(
        "dropped-slices",
        "dependent-for-one-parameter",
        # After the first drop the slice b_1 is - t c_1, zero for t = 0: the tensor has rank 2.
        one(
            tensor([2, 2, 2], {(0, 0, 0): 1, (1, 1, 1): 1}),
            "CC",
            3,
            [0, 1],
            drop(0, [1], [0]),
            drop(1, [1], [0]),
        ),
        "dependent-slices",
        f"{WITNESS}/drops/1/dropped",
    ),
    reject(
        "dropped-slices",
        "independent-only-in-characteristic-0",
        one(
            tensor([2, 2, 2], {(0, 0, 0): 1, (0, 1, 1): 1, (1, 0, 1): 2}), "GF(2)", 3, [1], drop(0, [1], [0])
        ),
        "dependent-slices",
        f"{WITNESS}/drops/0/dropped",
    ),
    reject(
        "dropped-slices",
        "pivot-that-is-zero-modulo-3",
        # What is left over GF(3) is b_0 c_0 - t b_1 c_0 of rank 1: 2 at most.
        one(
            tensor([2, 2, 2], {(0, 0, 0): 1, (0, 1, 1): 3, (1, 1, 0): 1}),
            "GF(3)",
            3,
            [1],
            drop(0, [1], [0]),
        ),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "dropped-slices",
        "entry-that-vanishes-somewhere",
        # 1 - 2 t is a unit modulo 2 and zero for t = 1/2: rank 2 over CC.
        one(
            tensor([2, 2, 2], {(0, 0, 0): 1, (0, 1, 1): 1, (1, 1, 1): 2}),
            "CC",
            3,
            [1],
            drop(0, [1], [0]),
        ),
        "claim-differs",
        CLAIM,
    ),
    reject("dropped-slices", "over-rr", changed(W3, f"{CLAIM}/over", "RR"), "field", f"{CLAIM}/over"),
    reject(
        "dropped-slices",
        "denominator",
        one(named("W", 3), "GF(2)", 3, [1], drop(0, [[[1, [[[], "1/2"]]]]], [0])),
        "denominator",
        f"{WITNESS}/drops/0/dropped",
    ),
    reject(
        "dropped-slices",
        "over-a-number-field",
        certificate(
            tensor([2, 2], {(0, 0): 1, (1, 1): [0, 1]}, "QQ(a)"),
            [step("dropped-slices", "product rank CC >= 2", drops=[], rows=[0])],
            ["product rank CC 2.."],
            [number_field("a", -2, 0, 1)],
        ),
        "field",
        f"{CLAIM}/over",
    ),
]

UNREADABLE = [
    unreadable(
        "dropped-slices",
        "tied",
        certificate(
            form("xy", {"xxy": 1}),
            [step("dropped-slices", "tied rank CC >= 3", drops=[], rows=[0])],
            ["tied rank CC 3.."],
        ),
        "units-do-not-fit",
        STEP,
    ),
    unreadable(
        "dropped-slices",
        "factor-3",
        changed(W3, f"{WITNESS}/drops/0/factor", 3),
        "out-of-range",
        f"{WITNESS}/drops/0/factor",
    ),
    unreadable(
        "dropped-slices",
        "slice-2",
        changed(W3, f"{WITNESS}/drops/0/kept", [2]),
        "out-of-range",
        f"{WITNESS}/drops/0/kept/0",
    ),
    unreadable(
        "dropped-slices",
        "nothing-kept",
        changed(W3, f"{WITNESS}/drops/0/kept", []),
        "empty-list",
        f"{WITNESS}/drops/0/kept",
    ),
    unreadable(
        "dropped-slices",
        "slice-that-was-dropped",
        changed(W4, f"{WITNESS}/drops/+", drop(0, [1], [0])),
        "out-of-range",
        f"{WITNESS}/drops/2/dropped/0",
    ),
    unreadable(
        "dropped-slices",
        "parameter-of-its-own-drop",
        changed(W3, f"{WITNESS}/drops/0/kept", [[[0, [[[0], 1]]]]]),
        "out-of-range",
        f"{WITNESS}/drops/0/kept/0/0/1/0/0/0",
    ),
    unreadable(
        "dropped-slices",
        "parameters-that-decrease",
        changed(TWO, f"{WITNESS}/drops/2/kept/1/1/1", [[[1, 0], 1]]),
        "out-of-range",
        f"{WITNESS}/drops/2/kept/1/1/1/0/0/1",
    ),
    unreadable(
        "dropped-slices",
        "index-twice",
        changed(W3, f"{WITNESS}/drops/0/kept", [[[0, [[[], 1]]], [0, [[[], 1]]]]]),
        "repeated",
        f"{WITNESS}/drops/0/kept/0/1/0",
    ),
    unreadable(
        "dropped-slices",
        "zero-coefficient",
        changed(W3, f"{WITNESS}/drops/0/kept", [[[0, [[[], 0]]]]]),
        "zero-entry",
        f"{WITNESS}/drops/0/kept/0/0/1/0/1",
    ),
    unreadable(
        "dropped-slices",
        "monomial-twice",
        changed(W3, f"{WITNESS}/drops/0/kept", [[[0, [[[], 1], [[], 2]]]]]),
        "repeated",
        f"{WITNESS}/drops/0/kept/0/0/1/1/0",
    ),
    unreadable(
        "dropped-slices", "no-rows", changed(W3, f"{WITNESS}/rows", []), "empty-list", f"{WITNESS}/rows"
    ),
    unreadable(
        "dropped-slices",
        "all-rows",
        changed(W3, f"{WITNESS}/rows", [0, 1, 2]),
        "one-sided",
        f"{WITNESS}/rows",
    ),
]


CASES: list[Case] = [*ACCEPTED, *REJECTED, *UNREADABLE]

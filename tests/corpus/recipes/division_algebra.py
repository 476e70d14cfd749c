"""Files of the rule ``division-algebra``."""

from __future__ import annotations

from fractions import Fraction

from .alder_strassen import algebra, e
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
    unreadable,
    without,
)

STEP = "/steps/0"
CLAIM = f"{STEP}/claim"
WITNESS = f"{STEP}/witness"


def one(
    target: Json,
    value: int,
    trace: list[Json],
    unit: list[Json] | None = None,
    over: str = "RR",
    **more: Json,
) -> dict[str, Json]:
    """A certificate of one step, with its own claim as the conclusion."""
    n = len(trace)
    written = step(
        "division-algebra",
        f"product rank {over} >= {value}",
        **({"factors": [0, 1, 2], "left": unit or e(0, n), "right": unit or e(0, n), "trace": trace} | more),
    )
    return certificate(target, [written], [f"product rank {over} {value}.."])


HAMILTON = one(named("quaternion_product"), 8, [2, 0, 0, 0])
# i^2 = a, j^2 = b, k = ij: k^2 = -ab, ik = aj, jk = -bi.
TABLE = {(0, 0, 0): 1}
TABLE |= {word: 1 for k in (1, 2, 3) for word in ((0, k, k), (k, 0, k))}


HAMILTON_PRODUCTS = {(k, k, 0): -1 for k in (1, 2, 3)}
HAMILTON_PRODUCTS |= dict.fromkeys(((1, 2, 3), (2, 3, 1), (3, 1, 2)), 1)
HAMILTON_PRODUCTS |= dict.fromkeys(((2, 1, 3), (3, 2, 1), (1, 3, 2)), -1)


def quaternions(a: int, b: int | Fraction) -> Json:
    products: dict[tuple[int, int, int], int | Fraction] = {(1, 1, 0): a, (2, 2, 0): b, (3, 3, 0): -a * b}
    products |= {(1, 2, 3): 1, (2, 1, 3): -1, (1, 3, 2): a, (3, 1, 2): -a, (2, 3, 1): -b, (3, 2, 1): b}
    return tensor([4, 4, 4], TABLE | {word: x if isinstance(x, int) else str(x) for word, x in products.items() if x})


def octonions() -> dict[tuple[int, ...], int]:
    """Cayley and Dickson: (a, b)(c, d) = (ac - d*b, da + bc*) for quaternions, * being the conjugation."""
    entries: dict[tuple[int, ...], int] = {}
    products = {(i, j): (k, s) for (i, j, k), s in (TABLE | HAMILTON_PRODUCTS).items()}
    sign = [1, -1, -1, -1]
    for i in range(4):
        for j in range(4):
            (k, s), (m, t) = products[i, j], products[j, i]
            entries[i, j, k] = s
            entries[i, 4 + j, 4 + m] = t
            entries[4 + i, j, 4 + k] = s * sign[j]
            entries[4 + i, 4 + j, m] = -t * sign[j]
    return entries


# The basis 1 + i, i, j, k of the product: t(1 + i) = 2.
SHEARED = tensor(
    [4, 4, 4],
    {
        (i, j, k): value
        for (i, j, k), value in {
            (0, 0, 0): 1, (0, 0, 1): -1,
            (0, 1, 1): 1, (1, 0, 1): 1, (0, 2, 2): 1, (2, 0, 2): 1, (0, 3, 3): 1, (3, 0, 3): 1,
            (1, 1, 0): -1, (1, 1, 1): 1, (2, 2, 0): -1, (2, 2, 1): 1, (3, 3, 0): -1, (3, 3, 1): 1,
            (1, 2, 3): 1, (2, 1, 3): -1, (2, 3, 1): 1, (3, 2, 1): -1, (3, 1, 2): 1, (1, 3, 2): -1,
        }.items()
    },
)  # fmt: skip

ACCEPTED = [
    accept("division-algebra", "quaternions", HAMILTON),
    accept("division-algebra", "minus-1-minus-3", one(quaternions(-1, -3), 8, [2, 0, 0, 0])),
    accept("division-algebra", "one-is-no-basis-vector", one(SHEARED, 8, [2, 0, 0, 0])),
    accept(
        "division-algebra",
        "units-with-denominators",
        one(named("quaternion_product"), 8, [4, 0, 0, 0], left=["1/2", 0, 0, 0]),
    ),
]

REJECTED = [
    reject("division-algebra", "nine", changed(HAMILTON, f"{CLAIM}/value", 9), "claim-differs", CLAIM),
    reject(
        "division-algebra",
        "border-rank",
        # The quaternions have border rank at most 7, over CC.
        changed(HAMILTON, f"{CLAIM}/quantity", "border_rank"),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "division-algebra",
        "over-cc",
        # Over CC these are the 2 x 2 matrices, of rank 7.
        changed(changed(HAMILTON, f"{CLAIM}/over", "CC"), "/conclusion/0/field", "CC"),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        "division-algebra",
        "over-gf-3",
        changed(changed(HAMILTON, f"{CLAIM}/over", "GF(3)"), "/conclusion/0/field", "GF(3)"),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        "division-algebra",
        "matrices",
        # x (t(x) - x) is the determinant, which is indefinite: rank 7.
        one(named("matmul", 2, 2, 2), 8, [1, 0, 0, 1], [1, 0, 0, 1]),
        "not-definite",
        f"{WITNESS}/trace",
    ),
    reject(
        "division-algebra",
        "split-quaternions",
        one(quaternions(-1, 3), 8, [2, 0, 0, 0]),
        "not-definite",
        f"{WITNESS}/trace",
    ),
    reject(
        "division-algebra",
        "a-norm-that-vanishes-on-half",
        # j^2 = 0: x (t(x) - x) is the square of the norm of a complex number, positive on half of the space.
        one(quaternions(-1, 0), 8, [2, 0, 0, 0]),
        "not-definite",
        f"{WITNESS}/trace",
    ),
    reject(
        "division-algebra",
        "split-quaternions-with-a-small-square",
        one(quaternions(-1, Fraction(1, 8)), 8, [2, 0, 0, 0]),
        "not-definite",
        f"{WITNESS}/trace",
    ),
    reject(
        "division-algebra",
        "over-a-real-number-field",
        {
            **one(tensor([4, 4, 4], TABLE | HAMILTON_PRODUCTS, "QQ(a)"), 8, [2, 0, 0, 0]),
            "number_fields": [number_field("a", -2, 0, 1, root=(1, 2))],
        },
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        "division-algebra",
        "upper-triangular-matrices",
        # (E_11 - E_22)^2 = 1, but E_11 itself is no multiple of one away from its square.
        one(algebra("abc", {"aa": "a", "ab": "b", "bc": "b", "cc": "c"}), 6, [1, 0, 1], [1, 0, 1]),
        "not-definite",
        f"{WITNESS}/trace",
    ),
    reject(
        "division-algebra",
        "commutative-although-definite",
        # CC over RR has rank 3: x (t(x) - x) = |x|^2.
        one(tensor([2, 2, 2], {(0, 0, 0): 1, (0, 1, 1): 1, (1, 0, 1): 1, (1, 1, 0): -1}), 4, [2, 0]),
        "commutative",
        STEP,
    ),
    reject(
        "division-algebra",
        "another-trace",
        changed(HAMILTON, f"{WITNESS}/trace", [2, 1, 0, 0]),
        "not-a-trace",
        f"{WITNESS}/trace",
    ),
    reject(
        "division-algebra",
        "no-trace-at-all",
        changed(HAMILTON, f"{WITNESS}/trace", [0, 0, 0, 0]),
        "not-a-trace",
        f"{WITNESS}/trace",
    ),
    reject(
        "division-algebra",
        "left-is-no-unit",
        changed(HAMILTON, f"{WITNESS}/left", [0, 0, 0, 0]),
        "singular",
        f"{WITNESS}/left",
    ),
    reject(
        "division-algebra",
        "octonions",
        # A division algebra with a definite norm, which is not associative.
        one(tensor([8, 8, 8], octonions()), 16, [2, *[0] * 7]),
        "not-associative",
        STEP,
    ),
]

UNREADABLE = [
    unreadable("division-algebra", "no-trace", without(HAMILTON, f"{WITNESS}/trace"), "missing-key", WITNESS),
    unreadable(
        "division-algebra",
        "a-short-trace",
        changed(HAMILTON, f"{WITNESS}/trace", [2, 0, 0]),
        "wrong-length",
        f"{WITNESS}/trace",
    ),
    unreadable(
        "division-algebra",
        "a-factor-twice",
        changed(HAMILTON, f"{WITNESS}/factors", [0, 1, 1]),
        "repeated",
        f"{WITNESS}/factors/2",
    ),
]

CASES: list[Case] = [*ACCEPTED, *REJECTED, *UNREADABLE]

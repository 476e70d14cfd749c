"""Files of the rule ``pencil``."""

from __future__ import annotations

from .building import (
    Case,
    Json,
    accept,
    certificate,
    changed,
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

STEP = "/steps/0"
CLAIM = f"{STEP}/claim"
WITNESS = f"{STEP}/witness"
SQUARES = (1, 0, 1)


def one(
    target: Json,
    claim: str,
    argument: str,
    polynomial: tuple[Json, ...],
    *,
    factor: int = 0,
    orders: tuple[int, ...] = (0, 1, 0),
    fields: tuple[Json, ...] = (),
    **more: Json,
) -> dict[str, Json]:
    """A certificate of one step, with its own claim as the conclusion."""
    units, quantity, over, _, value = claim.split()
    written = step(
        "pencil",
        claim,
        factor=factor,
        orders=list(orders),
        argument=argument,
        polynomial=list(polynomial),
        **more,
    )
    return certificate(target, [written], [f"{units} {quantity} {over} {value}.."], fields)


def pencil(matrix: list[list[Json]], ring: str = "QQ") -> Json:
    """The identity and a square matrix."""
    n = len(matrix)
    entries = {(0, i, i): 1 for i in range(n)}
    entries |= {(1, i, j): x for i, row in enumerate(matrix) for j, x in enumerate(row) if x != 0}
    return tensor([2, n, n], entries, ring)


def block(*matrices: list[list[Json]]) -> list[list[Json]]:
    size = sum(map(len, matrices))
    rows = []
    start = 0
    for matrix in matrices:
        rows += [[0] * start + row + [0] * (size - start - len(row)) for row in matrix]
        start += len(matrix)
    return rows


ROTATION = [[0, -1], [1, 0]]
COMPANION = [[0, 0, 2], [1, 0, 0], [0, 1, 0]]
ROOT_2 = [[0, 2], [1, 0]]
NILPOTENT = [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
L_AND_TRANSPOSE = tensor([2, 3, 3], {(0, 0, 0): 1, (1, 0, 1): 1, (0, 1, 2): 1, (1, 2, 2): 1})
SECOND = number_field("b", -3, 0, 1)
REAL = number_field("a", -2, 0, 1, root=(1, 2))
GAUSS = number_field("i", 1, 0, 1)

W = one(named("W", 3), "product rank CC >= 3", "double", (0, 1))
PRODUCT = one(named("complex_product"), "product rank RR >= 3", "outside", SQUARES)
OPEN = one(named("complex_product"), "product border_rank RR >= 3", "border", SQUARES)
RATIONAL = one(pencil(COMPANION), "product rank QQ >= 4", "outside", (-2, 0, 0, 1), place=7)
CUBE_ROOT = one(pencil(COMPANION), "product rank RR >= 4", "outside", (-2, 0, 0, 1))
FINITE = one(pencil(ROTATION), "product rank GF(3) >= 3", "outside", SQUARES)
SLICES = one(
    named("polymul", 3, 3),
    "product rank CC >= 4",
    "double",
    (0, 1),
    slices=[[1, 0, 0], [0, 1, 0]],
)
OVER_B = one(
    pencil(ROOT_2), "product rank QQ(b) >= 3", "outside", (-2, 0, 1), fields=(SECOND,), place=11, root=5
)

ACCEPTED = [
    accept("pencil", "w3", W),
    accept("pencil", "w3-over-gf-2", one(named("W", 3), "product rank GF(2) >= 3", "double", (0, 1))),
    accept("pencil", "complex-product", PRODUCT),
    accept("pencil", "complex-product-border", OPEN),
    accept(
        "pencil",
        "complex-product-border-over-qq",
        one(
            named("complex_product"),
            "product border_rank QQ >= 3",
            "border",
            SQUARES,
            place=3,
        ),
    ),
    accept(
        "pencil",
        "complex-product-by-columns",
        one(named("complex_product"), "product rank RR >= 3", "outside", SQUARES, orders=(0, 0, 1)),
    ),
    accept(
        "pencil",
        "complex-product-last-factor",
        one(named("complex_product"), "product rank RR >= 3", "outside", SQUARES, factor=2, orders=(1, 0, 0)),
    ),
    accept(
        "pencil",
        "two-equal-rotations",
        one(pencil(block(ROTATION, ROTATION)), "product rank RR >= 6", "outside", SQUARES),
    ),
    accept(
        "pencil",
        "two-rotations",
        one(
            pencil(block(ROTATION, [[0, -2], [2, 0]])),
            "product rank RR >= 5",
            "outside",
            (4, 0, 1),
        ),
    ),
    accept(
        "pencil",
        "two-rotations-with-a-reducible-polynomial",
        # No real root: at the four roots the ranks are 3, 3, 3, 3.
        one(
            pencil(block(ROTATION, [[0, -2], [2, 0]])),
            "product rank RR >= 5",
            "outside",
            (4, 0, 5, 0, 1),
        ),
    ),
    accept("pencil", "cube-root-of-2-over-rr", CUBE_ROOT),
    accept("pencil", "cube-root-of-2-over-qq", RATIONAL),
    accept(
        "pencil",
        "multiples-of-the-cube-root",
        # 3 B has the eigenvalue 3 c, a root of x^3 / 27 - 2.
        one(
            pencil(COMPANION),
            "product rank RR >= 4",
            "outside",
            (-2, 0, 0, "1/27"),
            slices=[[1, 0], [0, 3]],
        ),
    ),
    accept("pencil", "rotation-over-gf-3", FINITE),
    accept("pencil", "nilpotent", one(pencil(NILPOTENT), "product rank CC >= 4", "double", (0, 1))),
    accept(
        "pencil",
        "repeated-root-2",
        one(
            pencil([[0, 2, 1, 0], [1, 0, 0, 1], [0, 0, 0, 2], [0, 0, 1, 0]]),
            "product rank CC >= 5",
            "double",
            (-2, 0, 1),
        ),
    ),
    accept("pencil", "minimal-indices", one(L_AND_TRANSPOSE, "product rank CC >= 4", "double", (-1, 1))),
    accept("pencil", "two-of-three-slices", SLICES),
    accept("pencil", "root-2-over-root-3", OVER_B),
    accept(
        "pencil",
        "coefficients-in-a-real-field",
        # The rotation times the square root of 2: eigenvalues of square -2.
        one(
            pencil([[0, [0, -1]], [[0, 1], 0]], "QQ(a)"),
            "product rank RR >= 3",
            "outside",
            (2, 0, 1),
            fields=(REAL,),
        ),
    ),
    accept(
        "pencil",
        "pairs-of-quadrics-tied",
        one(
            forms("xy", [{"xx": 1, "yy": -1}, {"xy": 2}]),
            "tied rank RR >= 3",
            "outside",
            SQUARES,
            factor=1,
            orders=(1, 0),
        ),
    ),
    accept(
        "pencil",
        "order-4",
        one(named("W", 4), "product rank CC >= 3", "double", (0, 1), orders=(0, 1, 0, 0)),
    ),
]

REJECTED = [
    reject("pencil", "w3-four", changed(W, f"{CLAIM}/value", 4), "claim-differs", CLAIM),
    reject("pencil", "w3-border", changed(W, f"{CLAIM}/quantity", "border_rank"), "claim-differs", CLAIM),
    reject(
        "pencil",
        "rotation-over-cc",
        # Over CC the complex product has rank 2.
        changed(PRODUCT, f"{CLAIM}/over", "CC"),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        "pencil",
        "real-eigenvalues",
        # diag(1, -1) is diagonalisable: rank 2.
        one(pencil([[1, 0], [0, -1]]), "product rank RR >= 3", "outside", (-1, 0, 1)),
        "has-root",
        f"{WITNESS}/polynomial",
    ),
    reject(
        "pencil",
        "root-2-over-rr",
        # Irreducible over QQ, and both roots are real: rank 2 over RR.
        one(pencil(ROOT_2), "product rank RR >= 3", "outside", (-2, 0, 1)),
        "has-root",
        f"{WITNESS}/polynomial",
    ),
    reject(
        "pencil",
        "reducible-with-a-real-root",
        # The eigenvalue 1 is a root of (x - 1)(x^2 + 1), and is real: the matrix (1) has rank 1.
        one(pencil([[1]]), "product rank RR >= 2", "outside", (-1, 1, -1, 1)),
        "has-root",
        f"{WITNESS}/polynomial",
    ),
    reject(
        "pencil",
        "irreducible-but-not-over-the-field-of-the-target",
        # Eigenvalues a and -a with a the real fourth root of 2: rank 2 over RR.
        one(
            pencil([[[0, 1], 0], [0, [0, -1]]], "QQ(a)"),
            "product rank RR >= 3",
            "outside",
            (-2, 0, 0, 0, 1),
            fields=(number_field("a", -2, 0, 0, 0, 1, root=(1, 2)),),
        ),
        "has-root",
        f"{WITNESS}/polynomial",
    ),
    reject(
        "pencil",
        "place-with-a-root",
        changed(RATIONAL, f"{WITNESS}/place", 5),
        "has-root",
        f"{WITNESS}/polynomial",
    ),
    reject(
        "pencil",
        "place-with-the-root-at-infinity",
        # The eigenvalue 1/3 is rational, and 3 x - 1 has no root modulo 3 but the one at infinity.
        one(
            pencil([["1/3"]]),
            "product rank QQ >= 2",
            "outside",
            (-1, 3),
            place=3,
        ),
        "has-root",
        f"{WITNESS}/polynomial",
    ),
    reject(
        "pencil",
        "root-in-gf-5",
        # 2^2 = -1 modulo 5: rank 2.
        one(pencil(ROTATION), "product rank GF(5) >= 3", "outside", SQUARES),
        "has-root",
        f"{WITNESS}/polynomial",
    ),
    reject(
        "pencil",
        "degree-falls-modulo-2",
        one(pencil(ROTATION), "product rank GF(2) >= 3", "outside", (1, 1, 2)),
        "denominator",
        f"{WITNESS}/polynomial",
    ),
    reject("pencil", "no-place-over-qq", without(RATIONAL, f"{WITNESS}/place"), "place", WITNESS),
    reject("pencil", "a-place-over-rr", changed(PRODUCT, f"{WITNESS}/place", 3), "place", WITNESS),
    reject("pencil", "a-place-for-double", changed(W, f"{WITNESS}/place", 3), "place", WITNESS),
    reject("pencil", "a-root-for-double", changed(W, f"{WITNESS}/root", 3), "place", WITNESS),
    reject("pencil", "a-root-over-rr", changed(PRODUCT, f"{WITNESS}/root", 3), "root", f"{WITNESS}/root"),
    reject(
        "pencil",
        "root-2-in-the-field",
        # QQ(a) contains the eigenvalues, and 7-adically they are there too.
        one(
            pencil(ROOT_2),
            "product rank QQ(a) >= 3",
            "outside",
            (-2, 0, 1),
            fields=(REAL,),
            place=7,
            root=3,
        ),
        "has-root",
        f"{WITNESS}/polynomial",
    ),
    reject(
        "pencil",
        "no-embedding-into-the-3-adic-numbers",
        one(
            pencil(ROOT_2),
            "product rank QQ(a) >= 3",
            "outside",
            (-2, 0, 1),
            fields=(REAL,),
            place=3,
            root=1,
        ),
        "root",
        f"{WITNESS}/root",
    ),
    reject(
        "pencil",
        "double-with-a-repeated-root",
        # For f = x^2 the difference counts other things: 1 and the zero matrix have rank 2.
        one(pencil([[0, 0], [0, 0]]), "product rank CC >= 3", "double", (0, 0, 1)),
        "repeated-root",
        f"{WITNESS}/polynomial",
    ),
    reject(
        "pencil",
        "double-with-a-repeated-root-modulo-2",
        one(pencil([[0, 0], [0, 0]]), "product rank GF(2) >= 3", "double", (2, 0, 1)),
        "repeated-root",
        f"{WITNESS}/polynomial",
    ),
    reject("pencil", "double-over-rr", changed(W, f"{CLAIM}/over", "RR"), "field", f"{CLAIM}/over"),
    reject(
        "pencil",
        "border-of-a-singular-pencil",
        # The singular pencil is a limit of regular ones of rank 3.
        one(L_AND_TRANSPOSE, "product border_rank RR >= 4", "border", SQUARES),
        "hypothesis",
        STEP,
    ),
    reject(
        "pencil",
        "border-at-no-eigenvalue",
        one(pencil(ROTATION), "product border_rank RR >= 3", "border", (2, 0, 1)),
        "hypothesis",
        STEP,
    ),
    reject(
        "pencil",
        "border-with-a-singular-first-slice",
        one(
            pencil([[0, 1], [1, 0]]),
            "product border_rank RR >= 3",
            "border",
            SQUARES,
            slices=[[1, 1], [1, 0]],
        ),
        "hypothesis",
        STEP,
    ),
    reject(
        "pencil",
        "border-of-a-flat-pencil",
        one(
            tensor([2, 2, 3], {(0, 0, 0): 1, (0, 1, 1): 1, (1, 0, 1): 1, (1, 1, 2): 1}),
            "product border_rank RR >= 3",
            "border",
            SQUARES,
        ),
        "hypothesis",
        STEP,
    ),
]

UNREADABLE = [
    unreadable(
        "pencil",
        "untied",
        one(
            forms("xy", [{"xx": 1, "yy": -1}, {"xy": 2}]),
            "untied rank RR >= 3",
            "outside",
            SQUARES,
            factor=1,
            orders=(1, 0),
        ),
        "units-do-not-fit",
        STEP,
    ),
    unreadable(
        "pencil",
        "unknown-argument",
        changed(W, f"{WITNESS}/argument", "triple"),
        "unknown-argument",
        f"{WITNESS}/argument",
    ),
    unreadable("pencil", "no-slices", without(SLICES, f"{WITNESS}/slices"), "missing-key", WITNESS),
    unreadable("pencil", "factor-3", changed(W, f"{WITNESS}/factor", 3), "out-of-range", f"{WITNESS}/factor"),
    unreadable(
        "pencil",
        "order-of-the-pencil-factor",
        changed(W, f"{WITNESS}/orders", [1, 0, 0]),
        "out-of-range",
        f"{WITNESS}/orders/0",
    ),
    unreadable(
        "pencil",
        "three-slices",
        changed(SLICES, f"{WITNESS}/slices/+", [0, 0, 1]),
        "wrong-length",
        f"{WITNESS}/slices",
    ),
    unreadable(
        "pencil",
        "short-slice",
        changed(SLICES, f"{WITNESS}/slices/1", [0, 1]),
        "wrong-length",
        f"{WITNESS}/slices/1",
    ),
    unreadable(
        "pencil",
        "fraction-in-a-slice",
        changed(SLICES, f"{WITNESS}/slices/1/1", "1/2"),
        "wrong-type",
        f"{WITNESS}/slices/1/1",
    ),
    unreadable(
        "pencil",
        "constant-polynomial",
        changed(W, f"{WITNESS}/polynomial", [1]),
        "wrong-length",
        f"{WITNESS}/polynomial",
    ),
    unreadable(
        "pencil",
        "leading-zero",
        changed(W, f"{WITNESS}/polynomial", [1, 0]),
        "trailing-zero",
        f"{WITNESS}/polynomial",
    ),
    unreadable(
        "pencil", "place-4", changed(RATIONAL, f"{WITNESS}/place", 4), "not-prime", f"{WITNESS}/place"
    ),
]

UNDECIDED = [
    undecided(
        "pencil",
        "long-coefficients",
        changed(CUBE_ROOT, f"{WITNESS}/polynomial", [str(-2 * 10**3990), 0, 0, 0, 0, 0, 1]),
        "limit-operations",
        f"{WITNESS}/polynomial",
    ),
]

CASES: list[Case] = [*ACCEPTED, *REJECTED, *UNREADABLE, *UNDECIDED]

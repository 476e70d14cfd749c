"""Files of the rule ``kronecker-form``."""

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
    undecided,
    unreadable,
)
from .pencil import COMPANION, L_AND_TRANSPOSE, ROTATION, block, pencil

STEP = "/steps/0"
CLAIM = f"{STEP}/claim"
WITNESS = f"{STEP}/witness"


def identity(n: int) -> list[list[Json]]:
    return [[int(i == j) for j in range(n)] for i in range(n)]


def one(
    target: Json,
    over: str,
    value: int,
    blocks: list[Json],
    left: Json = None,
    right: Json = None,
    *,
    factor: int = 0,
    fields: tuple[Json, ...] = (),
    **more: Json,
) -> dict[str, Json]:
    """A certificate of one step, with its own claim as the conclusion; left and right are 1 when they are not given."""
    height = sum(_shape(b)[0] for b in blocks)
    width = sum(_shape(b)[1] for b in blocks)
    written = step(
        "kronecker-form",
        f"product rank {over} <= {value}",
        factor=factor,
        left=identity(height) if left is None else left,
        right=identity(width) if right is None else right,
        blocks=blocks,
        **more,
    )
    return certificate(target, [written], [f"product rank {over} 0..{value}"], fields)


def _shape(b: Json) -> tuple[int, int]:
    kind, data = next(iter(b.items()))
    n = len(data) - 1 if kind == "polynomial" else data
    return n + (kind == "rows"), n + (kind == "columns")


def f(*coefficients: Json) -> Json:
    return {"polynomial": list(coefficients)}


PRODUCT = one(pencil(ROTATION), "CC", 2, [f(1, 0, 1)], [[1, 0], [0, 1]])
TWO = one(pencil(block(ROTATION, ROTATION)), "RR", 6, [f(1, 0, 1), f(1, 0, 1)])
# L_1 is [0 1], -[1 0]; the target has [1 0], [0 1] and their transposes.
SINGULAR = one(
    L_AND_TRANSPOSE,
    "CC",
    4,
    [{"columns": 1}, {"rows": 1}],
    [[1, 0, 0], [0, 0, 1], [0, -1, 0]],
    [[0, -1, 0], [1, 0, 0], [0, 0, 1]],
)
CUBIC = one(pencil(COMPANION), "RR", 4, [f(-2, 0, 0, 1)])
THREE = one(pencil([[0, 0, 1], [1, 0, 3], [0, 1, 0]]), "RR", 3, [f(-1, -3, 0, 1)])
# The complex product: slices (1, 0) and (0, 1) give [[1, 0], [0, 1]] and [[0, 1], [-1, 0]].
MIDDLE = one(named("complex_product"), "CC", 2, [f(1, 0, 1)], [[1, 0], [0, -1]], [[1, 0], [0, -1]])
ROOT_2 = number_field("a", -2, 0, 1, root=(1, 2))
# Eigenvalues a and -a of a matrix over QQ(a), one of them twice: (x - a)^2 (x + a).
IRRATIONAL = one(
    pencil([[0, 0, [0, -2]], [1, 0, 2], [0, 1, [0, 1]]], "QQ(a)"),
    "RR",
    4,
    [f([0, 2], -2, [0, -1], 1)],
    fields=(ROOT_2,),
)

ACCEPTED = [
    accept("kronecker-form", "rotation-over-cc", PRODUCT),
    accept("kronecker-form", "rotation-over-rr", one(pencil(ROTATION), "RR", 3, [f(1, 0, 1)])),
    accept("kronecker-form", "two-rotations", TWO),
    accept(
        "kronecker-form",
        "two-rotations-over-cc",
        one(pencil(block(ROTATION, ROTATION)), "CC", 4, [f(1, 0, 1), f(1, 0, 1)]),
    ),
    accept("kronecker-form", "singular", SINGULAR),
    accept(
        "kronecker-form",
        "long-minimal-indices",
        one(
            tensor(
                [2, 5, 5],
                {
                    (0, 0, 1): 1,
                    (0, 1, 2): 1,
                    (1, 0, 0): -1,
                    (1, 1, 1): -1,
                    (0, 3, 3): 1,
                    (0, 4, 4): 1,
                    (1, 2, 3): -1,
                    (1, 3, 4): -1,
                },
            ),
            "RR",
            6,
            [{"columns": 2}, {"rows": 2}],
        ),
    ),
    accept("kronecker-form", "one-real-cube-root", CUBIC),
    accept("kronecker-form", "three-real-roots", THREE),
    accept("kronecker-form", "complex-product", MIDDLE),
    accept(
        "kronecker-form",
        "complex-product-by-its-last-factor",
        one(named("complex_product"), "CC", 2, [f(1, 0, 1)], [[1, 0], [0, 1]], [[1, 0], [0, -1]], factor=2),
    ),
    accept(
        "kronecker-form",
        "shifted",
        # The slices are 1 - 2 C and C, C the companion matrix of x^2 + 1.
        one(
            tensor(
                [2, 2, 2],
                {(0, 0, 0): 1, (0, 1, 1): 1, (0, 0, 1): 2, (0, 1, 0): -2, (1, 0, 1): -1, (1, 1, 0): 1},
            ),
            "RR",
            3,
            [{"polynomial": [1, 0, 1], "shift": 2}],
        ),
    ),
    accept(
        "kronecker-form",
        "shifted-by-a-fraction",
        # Slices diag(0, 2) and diag(2, -2) are 1 - C/2 and C: an eigenvalue at infinity.
        one(
            tensor([2, 2, 2], {(0, 1, 1): 2, (1, 0, 0): 2, (1, 1, 1): -2}),
            "RR",
            2,
            [{"polynomial": [-2, 1], "shift": "1/2"}, {"polynomial": [2, 1], "shift": "1/2"}],
        ),
    ),
    accept("kronecker-form", "repeated-root", one(pencil([[0, 0], [1, 0]]), "CC", 3, [f(0, 0, 1)])),
    accept("kronecker-form", "repeated-irrational-root", IRRATIONAL),
    accept(
        "kronecker-form",
        "irrational-roots",
        one(
            pencil([[0, [0, 1]], [1, 0]], "QQ(a)"),
            "RR",
            2,
            [f([0, -1], 0, 1)],
            fields=(ROOT_2,),
        ),
    ),
]

REJECTED = [
    reject(
        "kronecker-form",
        "rotation-two-over-rr",
        # Over RR the complex product needs three products.
        one(pencil(ROTATION), "RR", 2, [f(1, 0, 1)]),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "kronecker-form",
        "repeated-root-two",
        one(pencil([[0, 0], [1, 0]]), "CC", 2, [f(0, 0, 1)]),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "kronecker-form",
        "repeated-real-root-two",
        one(pencil([[0, 0], [1, 0]]), "RR", 2, [f(0, 0, 1)]),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "kronecker-form",
        "another-pencil",
        changed(PRODUCT, f"{WITNESS}/blocks/0/polynomial/0", -1),
        "blocks-miss-target",
        WITNESS,
    ),
    reject(
        "kronecker-form",
        "an-entry-of-the-first-slice",
        changed(PRODUCT, f"{WITNESS}/left/0/0", 0),
        "blocks-miss-target",
        WITNESS,
    ),
    reject(
        "kronecker-form",
        "transposed",
        changed(CUBIC, f"{WITNESS}/right", [[0, 0, 1], [0, 1, 0], [1, 0, 0]]),
        "blocks-miss-target",
        WITNESS,
    ),
    reject(
        "kronecker-form",
        "another-shift",
        changed(PRODUCT, f"{WITNESS}/blocks/0/shift", 1),
        "blocks-miss-target",
        WITNESS,
    ),
    reject(
        "kronecker-form", "over-qq", one(pencil(ROTATION), "QQ", 3, [f(1, 0, 1)]), "field", f"{CLAIM}/over"
    ),
    reject(
        "kronecker-form",
        "over-gf-7",
        one(
            pencil(ROTATION, "GF(7)")
            | {"entries": [[[0, 0, 0], 1], [[0, 1, 1], 1], [[1, 0, 1], 6], [[1, 1, 0], 1]]},
            "GF(7)",
            3,
            [f(1, 0, 1)],
        ),
        "field",
        f"{CLAIM}/over",
    ),
]

UNREADABLE = [
    unreadable(
        "kronecker-form",
        "not-a-tensor",
        certificate(
            form("xy", {"xxy": 1}),
            [
                step(
                    "kronecker-form", "tied rank CC <= 3", factor=0, left=[[1]], right=[[1]], blocks=[f(0, 1)]
                )
            ],
            ["tied rank CC 0..3"],
        ),
        "units-do-not-fit",
        STEP,
    ),
    unreadable(
        "kronecker-form",
        "order-4",
        certificate(
            named("W", 4),
            [
                step(
                    "kronecker-form",
                    "product rank CC <= 3",
                    factor=0,
                    left=[[1]],
                    right=[[1]],
                    blocks=[f(0, 1)],
                )
            ],
            ["product rank CC 0..3"],
        ),
        "units-do-not-fit",
        STEP,
    ),
    unreadable(
        "kronecker-form",
        "factor-3",
        changed(PRODUCT, f"{WITNESS}/factor", 3),
        "out-of-range",
        f"{WITNESS}/factor",
    ),
    unreadable(
        "kronecker-form",
        "three-slices",
        changed(CUBIC, f"{WITNESS}/factor", 1),
        "out-of-range",
        f"{WITNESS}/factor",
    ),
    unreadable(
        "kronecker-form",
        "unknown-block",
        changed(PRODUCT, f"{WITNESS}/blocks/0", {"jordan": [0, 2]}),
        "unknown-block",
        f"{WITNESS}/blocks/0",
    ),
    unreadable(
        "kronecker-form",
        "block-without-a-kind",
        changed(PRODUCT, f"{WITNESS}/blocks/0", []),
        "unknown-block",
        f"{WITNESS}/blocks/0",
    ),
    unreadable(
        "kronecker-form",
        "zero-index",
        changed(SINGULAR, f"{WITNESS}/blocks/0/columns", 0),
        "out-of-range",
        f"{WITNESS}/blocks/0/columns",
    ),
    unreadable(
        "kronecker-form",
        "not-monic",
        changed(PRODUCT, f"{WITNESS}/blocks/0/polynomial", [2, 0, 2]),
        "not-monic",
        f"{WITNESS}/blocks/0/polynomial",
    ),
    unreadable(
        "kronecker-form",
        "left-too-short",
        changed(PRODUCT, f"{WITNESS}/left", [[1, 0]]),
        "wrong-length",
        f"{WITNESS}/left",
    ),
    unreadable(
        "kronecker-form",
        "right-too-wide",
        changed(PRODUCT, f"{WITNESS}/right/0", [1, 0, 0]),
        "wrong-length",
        f"{WITNESS}/right/0",
    ),
    unreadable(
        "kronecker-form",
        "no-blocks",
        changed(PRODUCT, f"{WITNESS}/blocks", []),
        "empty-list",
        f"{WITNESS}/blocks",
    ),
    unreadable(
        "kronecker-form",
        "shift-of-a-wide-block",
        changed(SINGULAR, f"{WITNESS}/blocks/0/shift", 1),
        "unknown-key",
        f"{WITNESS}/blocks/0/shift",
    ),
    unreadable(
        "kronecker-form",
        "irrational-shift",
        changed(PRODUCT, f"{WITNESS}/blocks/0/shift", [0, 1]),
        "wrong-type",
        f"{WITNESS}/blocks/0/shift",
    ),
]

UNDECIDED = [
    undecided(
        "kronecker-form",
        "wide-blocks",
        one(
            tensor([2, 1, 1], {(0, 0, 0): 1, (1, 0, 0): 1}),
            "CC",
            4096,
            [{"columns": 4095}],
            [[0] * 4095],
            [[0]] * 4096,
        ),
        "limit-operations",
        WITNESS,
    ),
]

CASES: list[Case] = [*ACCEPTED, *REJECTED, *UNREADABLE, *UNDECIDED]

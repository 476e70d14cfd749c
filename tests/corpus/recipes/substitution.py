"""Files of the rule ``substitution``."""

from __future__ import annotations

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
    unreadable,
    without,
)

RULE = "substitution"
STEP = "/steps/0"
CLAIM = f"{STEP}/claim"
WITNESS = f"{STEP}/witness"
FIRST = f"{WITNESS}/steps/0"
ONE = [[[], 1]]


def x(*places: int) -> Json:
    """A coordinate, or a sum of coordinates."""
    return [[[i], 1] for i in places]


def minor(rows: Json, columns: Json, multiplier: Json = None) -> Json:
    """A minor; times 1 when nothing is said."""
    return {"rows": rows, "columns": columns, "multiplier": multiplier or ONE}


def square(*places: int) -> Json:
    """The minor of the same rows and columns, words of one letter."""
    return minor([[i] for i in places], [[i] for i in places])


def eliminate(
    chosen: Json, added: list[Json], columns: Json, factor: int = 0, multiplier: Json = None
) -> Json:
    """A step with one minor."""
    minors = [minor([[k] for k in range(len(added))], columns, multiplier)]
    return {"factor": factor, "chosen": chosen, "added": added, "minors": minors}


def one(
    target: Json,
    claim: str,
    steps: list[Json],
    orders: Json,
    minors: list[Json],
    rank: int | None = None,
    fields: list[Json] | None = None,
) -> dict[str, Json]:
    """A certificate of one step, with its own claim as the conclusion."""
    units, quantity, over, _, value = claim.split()
    size = len(minors[0]["rows"]) if rank is None else rank
    witness = {"steps": steps, "orders": orders, "rank": size, "minors": minors}
    return certificate(
        target, [step(RULE, claim, **witness)], [f"{units} {quantity} {over} {value}.."], fields or ()
    )


TANGENT = form("xyz", {"xxy": 1, "yyz": 1})
CUBIC = one(
    TANGENT,
    "tied rank CC >= 5",
    [eliminate(x(1), [x(0), x(2)], [[0, 1], [1, 1]])],
    [1],
    [square(0, 1, 2)],
)
TRUNCATED = forms("xyz", [{"xx": 1}, {"xy": 2}, {"xz": 2, "yy": 1}])
OUTPUTS = [eliminate(x(2), [x(0), x(1)], [[0, 0], [0, 1]], factor=1)]
SQUARING = one(TRUNCATED, "tied rank CC >= 5", OUTPUTS, [1, 0], [square(0, 1, 2)])
# x^3 (x z + y^2), three times the same step: what is left is 24 x z + 24 p x y + 12 y^2 + q x^2.
QUINTIC = one(
    form("xyz", {"xxxxz": 1, "xxxyy": 1}),
    "tied rank CC >= 9",
    [
        eliminate(x(0), [x(1), x(2)], [[0, 0, 0, 0], [0, 0, 0, 1]]),
        eliminate(x(0), [x(1), x(2)], [[0, 0, 0], [0, 0, 1]]),
        eliminate(x(0), [x(1), x(2)], [[0, 0], [0, 1]]),
    ],
    [1],
    [square(0, 1, 2)],
)
W3 = one(
    named("W", 3),
    "product rank CC >= 3",
    [eliminate(x(0), [x(1)], [[0, 0]])],
    [0, 1, 0],
    [square(0, 1)],
)
# (x z + y^2, 2 x y + z^2): two of the three minors cancel.
TOGETHER = one(
    forms("xyz", [{"xz": 1, "yy": 1}, {"xy": 2, "zz": 1}]),
    "tied rank CC >= 3",
    [eliminate(x(0), [x(1)], [[0, 1]], factor=1)],
    [1, 0],
    [
        # Rows and columns 0, 2 of [[0, 2p, 1], [2p, 2, 0], [1, 0, 2p]]: -1.
        minor([[0], [2]], [[0], [2]]),
        minor([[0], [1]], [[0], [1]], [[[0], 1]]),
        minor([[0], [1]], [[0], [1]], [[[0], -1]]),
    ],
)
# (x^2, 2 x y + y^2): neither entry is constant.
WITH_MULTIPLIER = one(
    forms("xy", [{"xx": 1}, {"xy": 2, "yy": 1}]),
    "tied rank CC >= 2",
    [eliminate(x(0), [x(1)], [[1, 1]], factor=1)],
    [1, 0],
    [
        # [[1, 2p], ...] times 1 + p and -1/2: 1 + p - p.
        minor([[0]], [[0]], [[[], 1], [[0], 1]]),
        minor([[0]], [[1]], [[[], -1]]),
    ],
)

ACCEPTED = [
    accept(RULE, "conic-and-tangent", CUBIC),
    accept(RULE, "truncated-squaring-tied", SQUARING),
    accept(
        RULE,
        "truncated-squaring-untied",
        one(TRUNCATED, "untied rank CC >= 4", OUTPUTS, [1, 0], [square(0, 1, 2)]),
    ),
    accept(RULE, "quintic-in-three-steps", QUINTIC),
    accept(RULE, "w-3", W3),
    accept(
        RULE,
        "w-4-on-two-factors",
        one(
            named("W", 4),
            "product rank CC >= 4",
            [eliminate(x(0), [x(1)], [[0, 0, 0]]), eliminate(x(0), [x(1)], [[0, 0]], factor=1)],
            [0, 0, 1, 0],
            [square(0, 1)],
        ),
    ),
    accept(
        RULE,
        "jordan-pencil",
        one(
            forms("xy", [{"xx": 1}, {"xy": 1}]),
            "tied rank CC >= 3",
            [eliminate(x(1), [x(0)], [[0, 0]], factor=1)],
            [1, 0],
            [square(0, 1)],
        ),
    ),
    accept(
        RULE,
        "a-sum-of-coordinates",
        # y (x^2 + y z) with x and x + z added instead of x and z.
        one(
            TANGENT,
            "tied rank CC >= 5",
            [eliminate(x(1), [x(0), x(0, 2)], [[0, 1], [1, 1]])],
            [1],
            [square(0, 1, 2)],
        ),
    ),
    accept(RULE, "minors-that-cancel", TOGETHER),
    accept(RULE, "a-multiplier", WITH_MULTIPLIER),
]

REJECTED = [
    reject(RULE, "conic-and-tangent-six", changed(CUBIC, f"{CLAIM}/value", 6), "claim-differs", CLAIM),
    reject(
        RULE,
        "border-rank",
        # y (x^2 + y z) is a limit of sums of three cubes.
        changed(CUBIC, f"{CLAIM}/quantity", "border_rank"),
        "claim-differs",
        CLAIM,
    ),
    reject(
        RULE,
        "a-rank-that-drops",
        # x y z with X chosen: y z + p x z + q x y has a determinant of 2 p q / 8; a determinant constant would give 5 > 4.
        one(
            form("xyz", {"xyz": 1}),
            "tied rank CC >= 5",
            [eliminate(x(0), [x(1), x(2)], [[0, 1], [0, 2]])],
            [1],
            [square(0, 1, 2)],
        ),
        "not-constant",
        f"{WITNESS}/minors",
    ),
    reject(
        RULE,
        "a-minor-that-vanishes",
        # x^3 is one cube.
        one(
            form("xy", {"xxx": 1}),
            "tied rank CC >= 3",
            [eliminate(x(0), [x(1)], [[0, 0]])],
            [1],
            [square(0, 1)],
        ),
        "not-constant",
        f"{FIRST}/minors",
    ),
    reject(
        RULE,
        "dependent-outputs",
        # (F, F) needs no more than F, of rank 2.
        one(
            forms("xy", [{"xy": 1}, {"xy": 1}]),
            "tied rank CC >= 3",
            [eliminate(x(0), [x(1)], [[0, 0]], factor=1)],
            [1, 0],
            [square(0, 1)],
        ),
        "not-constant",
        f"{FIRST}/minors",
    ),
    reject(
        RULE,
        "added-twice",
        one(
            TANGENT,
            "tied rank CC >= 6",
            [eliminate(x(1), [x(0), x(2), x(2)], [[0, 1], [1, 1], [0, 0]])],
            [1],
            [square(0, 1, 2)],
        ),
        "not-constant",
        f"{FIRST}/minors",
    ),
    reject(
        RULE,
        "derivatives-of-untied-units",
        # x^2 y is one untied unit.
        one(
            form("xy", {"xxy": 1}),
            "untied rank CC >= 2",
            [eliminate(x(0), [x(1)], [[0, 0]])],
            [1],
            [square(0, 1)],
        ),
        "hypothesis",
        f"{FIRST}/factor",
    ),
    reject(RULE, "over-rr", changed(CUBIC, f"{CLAIM}/over", "RR"), "field", f"{CLAIM}/over"),
    reject(
        RULE,
        "coefficients-in-a-number-field",
        one(
            form("xy", {"xxy": [0, 1]}, "QQ(a)"),
            "tied rank CC >= 3",
            [eliminate(x(0), [x(1)], [[0, 0]])],
            [1],
            [square(0, 1)],
            fields=[number_field("a", -2, 0, 1)],
        ),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        RULE,
        "constant-modulo-seven-only",
        # x^2 + p x y / 2 + ... : 1 - 7 p is no constant.
        one(
            forms("xy", [{"xx": 1}, {"xx": -7, "yy": 1}]),
            "tied rank CC >= 3",
            [eliminate(x(0), [x(1)], [[1, 1]], factor=1)],
            [1, 0],
            [minor([[0]], [[0]])],
        ),
        "not-constant",
        f"{WITNESS}/minors",
    ),
]

UNREADABLE = [
    unreadable(RULE, name, file, code, pointer)
    for name, file, code, pointer in [
        ("no-steps", changed(CUBIC, f"{WITNESS}/steps", []), "empty-list", f"{WITNESS}/steps"),
        ("factor-1-of-a-form", changed(CUBIC, f"{FIRST}/factor", 1), "out-of-range", f"{FIRST}/factor"),
        (
            "a-factor-that-is-used-up",
            changed(W3, f"{WITNESS}/steps/+", eliminate(x(0), [x(1)], [[0, 0]])),
            "out-of-range",
            f"{WITNESS}/steps/1/factor",
        ),
        ("nothing-added", changed(CUBIC, f"{FIRST}/added", []), "empty-list", f"{FIRST}/added"),
        ("seventeen-added", changed(CUBIC, f"{FIRST}/added", [x(0)] * 17), "wrong-length", f"{FIRST}/added"),
        ("no-covector", changed(CUBIC, f"{FIRST}/chosen", []), "empty-list", f"{FIRST}/chosen"),
        (
            "covector-of-degree-2",
            changed(CUBIC, f"{FIRST}/chosen", [[[0, 1], 1]]),
            "wrong-length",
            f"{FIRST}/chosen/0/0",
        ),
        ("variable-3", changed(CUBIC, f"{FIRST}/chosen", x(3)), "out-of-range", f"{FIRST}/chosen/0/0/0"),
        ("no-minors-of-a-step", changed(CUBIC, f"{FIRST}/minors", []), "empty-list", f"{FIRST}/minors"),
        ("no-minors", changed(CUBIC, f"{WITNESS}/minors", []), "empty-list", f"{WITNESS}/minors"),
        (
            "one-row-too-few",
            changed(CUBIC, f"{FIRST}/minors/0/rows", [[0]]),
            "wrong-length",
            f"{FIRST}/minors/0/rows",
        ),
        (
            "row-2-of-two",
            changed(CUBIC, f"{FIRST}/minors/0/rows/1", [2]),
            "out-of-range",
            f"{FIRST}/minors/0/rows/1/0",
        ),
        (
            "a-row-twice",
            changed(CUBIC, f"{FIRST}/minors/0/rows/1", [0]),
            "repeated",
            f"{FIRST}/minors/0/rows/1",
        ),
        (
            "a-column-twice",
            changed(CUBIC, f"{WITNESS}/minors/0/columns/2", [0]),
            "repeated",
            f"{WITNESS}/minors/0/columns/2",
        ),
        (
            "column-of-the-target",
            changed(CUBIC, f"{FIRST}/minors/0/columns/0", [0, 0, 1]),
            "wrong-length",
            f"{FIRST}/minors/0/columns/0",
        ),
        (
            "unsorted-column",
            changed(CUBIC, f"{FIRST}/minors/0/columns/0", [1, 0]),
            "unsorted",
            f"{FIRST}/minors/0/columns/0/1",
        ),
        (
            "parameter-in-the-first-step",
            changed(CUBIC, f"{FIRST}/minors/0/multiplier", [[[0], 1]]),
            "out-of-range",
            f"{FIRST}/minors/0/multiplier/0/0/0",
        ),
        (
            "parameter-2-of-two",
            changed(CUBIC, f"{WITNESS}/minors/0/multiplier", [[[2], 1]]),
            "out-of-range",
            f"{WITNESS}/minors/0/multiplier/0/0/0",
        ),
        (
            "a-monomial-twice",
            changed(CUBIC, f"{WITNESS}/minors/0/multiplier", [[[], 1], [[], 1]]),
            "repeated",
            f"{WITNESS}/minors/0/multiplier/1/0",
        ),
        (
            "no-multiplier",
            changed(CUBIC, f"{WITNESS}/minors/0/multiplier", []),
            "empty-list",
            f"{WITNESS}/minors/0/multiplier",
        ),
        ("rank-0", changed(CUBIC, f"{WITNESS}/rank", 0), "out-of-range", f"{WITNESS}/rank"),
        ("rank-17", changed(CUBIC, f"{WITNESS}/rank", 17), "out-of-range", f"{WITNESS}/rank"),
        (
            "rank-2-with-minors-of-3",
            changed(CUBIC, f"{WITNESS}/rank", 2),
            "wrong-length",
            f"{WITNESS}/minors/0/rows",
        ),
        ("order-0", changed(CUBIC, f"{WITNESS}/orders", [0]), "one-sided", f"{WITNESS}/orders"),
        ("order-3-of-2", changed(CUBIC, f"{WITNESS}/orders", [3]), "out-of-range", f"{WITNESS}/orders/0"),
        ("no-rank", without(CUBIC, f"{WITNESS}/rank"), "missing-key", WITNESS),
        ("a-prime", changed(CUBIC, f"{WITNESS}/prime", 7), "unknown-key", f"{WITNESS}/prime"),
    ]
]

CASES = ACCEPTED + REJECTED + UNREADABLE

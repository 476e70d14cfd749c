"""Files of the rule ``sum-of-parts``."""

from __future__ import annotations

from .building import (
    Json,
    accept,
    certificate,
    changed,
    form,
    forms,
    named,
    reject,
    step,
    undecided,
    unreadable,
    without,
)
from .restriction import HIDDEN, WITHOUT_Y

CLAIM, WITNESS = "/steps/0/claim", "/steps/0/witness"


def part(maps: Json, back: Json, rule: str, witness: Json, **question: Json) -> dict[str, Json]:
    return {"maps": maps, "back": back, "rule": rule, "witness": witness, **question}


def one(target: Json, claim: str, conclusion: list[str], *parts: Json) -> dict[str, Json]:
    """A certificate of one sum."""
    return certificate(target, [step("sum-of-parts", claim, parts=list(parts))], conclusion)


FIRST, LAST = [[1, 0, 0, 0], [0, 1, 0, 0]], [[0, 0, 1, 0], [0, 0, 0, 1]]
BACK_FIRST, BACK_LAST = [[1, 0], [0, 1], [0, 0], [0, 0]], [[0, 0], [0, 0], [1, 0], [0, 1]]
# X^4 - Y^4 kills x^3 y^2; Y^2 - 10 X^2 ... : z^5 + z^3 w^2 is killed by W (10 Z^2 - ... ) of degree 3.
FOURTH: Json = {"degree": 4, "form": [[[0, 0, 0, 0], 1], [[1, 1, 1, 1], -1]]}
CUBE: Json = {"degree": 3, "form": [[[1, 1, 1], 1]]}
# X^2 (10 Y^2 ...): the form z^5 + 10 z^3 w^2 + 5 z w^4 = ((z + w)^5 + (z - w)^5) / 2 is killed by Z^2 - W^2.
TWO: Json = {"degree": 2, "form": [[[0, 0], 1], [[1, 1], -1]]}
TARGET = form("xyzw", {"xxxyy": 1, "zzzzz": 1, "zzzww": 10, "zwwww": 5})
BINARY = one(
    TARGET,
    "tied rank CC <= 6",
    ["tied rank CC 0..6", "untied border_rank CC 0..6"],
    part([FIRST], [BACK_FIRST], "apolar-form", FOURTH),
    part([LAST], [BACK_LAST], "apolar-form", TWO),
)
# Y^3 kills x^3 y^2 and has one root, of multiplicity 3: border rank 3.
BORDER = one(
    TARGET,
    "tied border_rank CC <= 5",
    ["tied border_rank CC 0..5"],
    part([FIRST], [BACK_FIRST], "apolar-form", CUBE),
    part([LAST], [BACK_LAST], "apolar-form", TWO),
)
EQUIVALENT = one(
    HIDDEN,
    "tied rank CC <= 4",
    ["tied rank CC 0..4"],
    part([WITHOUT_Y], [[[1, 0], [1, 1], [0, 1]]], "apolar-form", FOURTH),
)
# One tied unit for z^2 over QQ is one untied one over CC; x y over CC.
MIXED = one(
    form("xyz", {"xy": 1, "zz": 1}),
    "untied rank CC <= 2",
    ["untied rank CC 0..2"],
    part([[[1, 0, 0], [0, 1, 0]]], [[[1, 0], [0, 1], [0, 0]]], "quadric", {}),
    part(
        [[[0, 0, 1]]],
        [[[0], [0], [1]]],
        "decomposition",
        {"ring": "QQ", "units": [[[1], [1]]]},
        units="tied",
        over="QQ",
    ),
)
# Over GF(3): x^2 + y^2 needs two products, and 3 w^2 is zero.
MODULO_3 = one(
    form("xyzw", {"xx": 1, "yy": 1, "zz": 1, "ww": 3}),
    "untied rank GF(3) <= 3",
    ["untied rank GF(3) 0..3"],
    part([FIRST], [BACK_FIRST], "quadric", {}),
    part([[[0, 0, 1, 0]]], [[[0], [0], [1], [0]]], "quadric", {}),
)
# Two outputs, one of them twice the other.
OUTPUTS = one(
    forms("xy", [{"xx": 1, "yy": 1}, {"xx": 2, "yy": 2}]),
    "untied rank CC <= 1",
    ["untied rank CC 0..1"],
    part([[], [[1, 0]]], [[], [[1], [2]]], "quadric", {}),
)
SLICES = one(
    named("unit", 2, 3),
    "product rank QQ <= 2",
    ["product rank CC 0..2"],
    *(
        part(
            [[[int(i == j) for j in range(2)]], [], []],
            [[[int(i == j)] for j in range(2)], [], []],
            "decomposition",
            {
                "ring": "QQ",
                "units": [[[1], [int(i == j) for j in range(2)], [int(i == j) for j in range(2)]]],
            },
        )
        for i in range(2)
    ),
)

ACCEPTED = [
    accept("sum-of-parts", "two-forms-in-two-variables", BINARY),
    accept("sum-of-parts", "a-border-rank-and-a-rank", BORDER),
    accept("sum-of-parts", "an-equivalent-form", EQUIVALENT),
    accept("sum-of-parts", "other-units-and-another-field", MIXED),
    accept("sum-of-parts", "modulo-3", MODULO_3),
    accept("sum-of-parts", "outputs", OUTPUTS),
    accept("sum-of-parts", "slices-of-a-tensor", SLICES),
]

REJECTED = [
    reject("sum-of-parts", "one-less", changed(BINARY, f"{CLAIM}/value", 5), "claim-differs", CLAIM),
    reject("sum-of-parts", "from-below", changed(BINARY, f"{CLAIM}/relation", ">="), "hypothesis", "/steps/0"),
    reject("sum-of-parts", "one-more", changed(BINARY, f"{CLAIM}/value", 7), "claim-differs", CLAIM),
    reject(
        "sum-of-parts",
        "a-border-rank-is-no-rank",
        changed(BORDER, f"{CLAIM}/quantity", "rank"),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "sum-of-parts",
        "a-part-forgotten",
        changed(
            changed(BINARY, f"{CLAIM}/value", 4),
            f"{WITNESS}/parts",
            [part([FIRST], [BACK_FIRST], "apolar-form", FOURTH)],
        ),
        "parts-miss-target",
        f"{WITNESS}/parts",
    ),
    reject(
        "sum-of-parts",
        "a-part-twice",
        changed(BINARY, f"{WITNESS}/parts/1", part([FIRST], [BACK_FIRST], "apolar-form", FOURTH)),
        "parts-miss-target",
        f"{WITNESS}/parts",
    ),
    *(
        reject(
            "sum-of-parts",
            name,
            one(
                form("xy", {"x": 1}),
                "tied rank QQ <= 1",
                ["tied rank QQ 0..1"],
                part([[[1, 0]]], [[[1], [y]]], "decomposition", {"ring": "QQ", "units": [[[1], [1]]]}),
            ),
            "parts-miss-target",
            f"{WITNESS}/parts",
        )
        for name, y in (("one-more-in-another-variable", 1), ("one-less-in-another-variable", -1))
    ),
    reject(
        "sum-of-parts",
        "wrong-way-back",
        changed(EQUIVALENT, f"{WITNESS}/parts/0/back/0/1", [1, 2]),
        "parts-miss-target",
        f"{WITNESS}/parts",
    ),
    reject(
        "sum-of-parts",
        "a-lower-bound",
        changed(changed(MIXED, f"{WITNESS}/parts/0/rule", "nonzero"), f"{CLAIM}/value", 1),
        "hypothesis",
        "/steps/0",
    ),
    reject(
        "sum-of-parts",
        "a-part-over-a-larger-field",
        # x^2 + y^2 is one product over CC and two over RR.
        one(
            form("xyz", {"xx": 1, "yy": 1, "zz": 1}),
            "untied rank RR <= 2",
            ["untied rank RR 0..2"],
            part([[[1, 0, 0], [0, 1, 0]]], [[[1, 0], [0, 1], [0, 0]]], "quadric", {}, over="CC"),
            part([[[0, 0, 1]]], [[[0], [0], [1]]], "quadric", {}),
        ),
        "hypothesis",
        "/steps/0",
    ),
    reject(
        "sum-of-parts",
        "smaller-units",
        # x y is one untied unit and two tied ones.
        changed(
            one(
                form("xyz", {"xy": 1, "zz": 1}),
                "tied rank CC <= 2",
                ["tied rank CC 0..2"],
                part([[[1, 0, 0], [0, 1, 0]]], [[[1, 0], [0, 1], [0, 0]]], "quadric", {}, units="untied"),
                part([[[0, 0, 1]]], [[[0], [0], [1]]], "quadric", {}),
            ),
            f"{CLAIM}/value",
            2,
        ),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "sum-of-parts",
        "a-part-that-vanishes",
        changed(MODULO_3, f"{WITNESS}/parts/1/maps/0", [[0, 0, 0, 1]]),
        "image-vanishes",
        WITNESS,
    ),
    reject(
        "sum-of-parts",
        "a-unit-that-misses-the-part",
        changed(MIXED, f"{WITNESS}/parts/1/witness/units/0/1/0", 2),
        "sum-misses-target",
        f"{WITNESS}/parts/1/witness/units",
    ),
]

UNREADABLE = [
    unreadable(
        "sum-of-parts", "no-parts", changed(BINARY, f"{WITNESS}/parts", []), "empty-list", f"{WITNESS}/parts"
    ),
    unreadable(
        "sum-of-parts",
        "without-back",
        without(BINARY, f"{WITNESS}/parts/0/back"),
        "missing-key",
        f"{WITNESS}/parts/0",
    ),
    unreadable(
        "sum-of-parts",
        "unknown-key",
        changed(BINARY, f"{WITNESS}/parts/0/claim", 1),
        "unknown-key",
        f"{WITNESS}/parts/0/claim",
    ),
    unreadable(
        "sum-of-parts",
        "rows-back",
        changed(BINARY, f"{WITNESS}/parts/0/back/0", [[1, 0], [0, 1]]),
        "wrong-length",
        f"{WITNESS}/parts/0/back/0",
    ),
    unreadable(
        "sum-of-parts",
        "columns-back",
        changed(BINARY, f"{WITNESS}/parts/0/back/0/2", [0, 0, 0]),
        "wrong-length",
        f"{WITNESS}/parts/0/back/0/2",
    ),
    unreadable(
        "sum-of-parts",
        "the-identity-between-spaces-of-different-dimensions",
        changed(BINARY, f"{WITNESS}/parts/0/back/0", []),
        "empty-list",
        f"{WITNESS}/parts/0/back/0",
    ),
    unreadable(
        "sum-of-parts",
        "rule",
        changed(BINARY, f"{WITNESS}/parts/1/rule", "sum-of-parts"),
        "unknown-rule",
        f"{WITNESS}/parts/1/rule",
    ),
    unreadable(
        "sum-of-parts",
        "units",
        changed(MIXED, f"{WITNESS}/parts/1/units", "knotted"),
        "unknown-units",
        f"{WITNESS}/parts/1/units",
    ),
    unreadable(
        "sum-of-parts",
        "field",
        changed(MIXED, f"{WITNESS}/parts/1/over", "QQ(a)"),
        "unknown-field",
        f"{WITNESS}/parts/1/over",
    ),
    unreadable(
        "sum-of-parts",
        "witness-of-a-part",
        changed(BINARY, f"{WITNESS}/parts/1/witness/degree", 0),
        "out-of-range",
        f"{WITNESS}/parts/1/witness/degree",
    ),
]

UNDECIDED = [
    undecided(
        "sum-of-parts",
        "too-many-terms-on-the-way-back",
        one(
            named("power_sum", 8, 20),
            "tied rank CC <= 20",
            ["tied rank CC 0..20"],
            part(
                [[]],
                [[[1 + (i * j) % 7 for j in range(20)] for i in range(20)]],
                "decomposition",
                {"ring": "QQ", "units": [[[int(i == j) for j in range(20)], [1]] for i in range(20)]},
                over="QQ",
            ),
        ),
        "limit-operations",
        WITNESS,
    ),
]

CASES = ACCEPTED + REJECTED + UNREADABLE + UNDECIDED

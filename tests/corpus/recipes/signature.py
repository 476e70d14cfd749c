"""Files of the rule ``signature``."""

from __future__ import annotations

from .building import (
    Json,
    accept,
    certificate,
    changed,
    form,
    forms,
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
ONE: Json = [[[], 1]]
"""The operator of degree 0."""


def operator(names: str, terms: dict[str, Json]) -> Json:
    """An operator of a witness."""
    return form(names, terms)["entries"]


def one(
    target: Json, claim: str, operators: list[Json], half: int, fields: list[Json] | None = None, **more: Json
) -> dict[str, Json]:
    """A certificate of one step, with its own claim as the conclusion."""
    units, _, over, _, value = claim.split()
    witness = {"half": half, "operators": operators, **more}
    return certificate(
        target, [step("signature", claim, **witness)], [f"{units} border_rank {over} {value}.."], fields or ()
    )


CIRCLE = form("xy", {"xxxx": 1, "xxyy": 2, "yyyy": 1})
SPHERE = form("xyz", {"xxxx": 1, "yyyy": 1, "zzzz": 1, "xxyy": 2, "xxzz": 2, "yyzz": 2})
CUBIC = form("xyz", {"xxx": 1, "xyy": 1, "xzz": 1})
SUM = form("xy", {"xx": 1, "yy": 1})
INDEFINITE = form("xy", {"xx": 1, "yy": -2})
COMPLEX_SQUARE = forms("xy", [{"xx": 1, "yy": -1}, {"xy": 2}])
SEXTIC = form("xy", {"xxxxxx": 1, "xxxxyy": 3, "xxyyyy": 3, "yyyyyy": 1})
POSITIVE = number_field("a", -2, 0, 1, root=[1, 2])
TWISTED = form("xy", {"xxxx": 1, "xxyy": 6, "yyyy": [0, 1]}, "QQ(a)")
X = operator("xyz", {"x": 1})

POWERS = form("xyz", {"xxxxxx": 1, "yyyyyy": 1, "zzzzzz": 1})
SECOND = operator("xyz", {"xx": 1, "yy": 1, "zz": 1})

ON_THE_CIRCLE = one(CIRCLE, "untied border_rank RR >= 3", [ONE], 2)
ON_THE_CUBIC = one(CUBIC, "untied border_rank RR >= 3", [X], 1)
AT_FIVE = one(INDEFINITE, "untied border_rank QQ >= 2", [ONE], 1, place=5)

ACCEPTED = [
    accept("signature", "three-sextic-powers-mixed-3", one(POWERS, "mixed:3 border_rank RR >= 2", [SECOND], 2)),
    accept("signature", "three-sextic-powers-mixed-2", one(POWERS, "mixed:2 border_rank RR >= 2", [SECOND], 2)),
    accept("signature", "square-of-a-circle", ON_THE_CIRCLE),
    accept("signature", "square-of-a-sphere", one(SPHERE, "untied border_rank RR >= 6", [ONE], 2)),
    accept("signature", "cubic-by-a-derivative", ON_THE_CUBIC),
    accept("signature", "tied-units", one(CIRCLE, "tied border_rank RR >= 3", [ONE], 2)),
    accept("signature", "cube-of-a-circle-mixed-2", one(SEXTIC, "mixed:2 border_rank RR >= 2", [ONE], 3)),
    # C(4, 2) / 2 = 3 positive squares a unit.
    accept("signature", "split-units", one(SPHERE, "split border_rank RR >= 2", [ONE], 2)),
    accept(
        "signature",
        "an-operator-an-output",
        one(forms("xy", [{"xx": 1}, {"yy": 1}]), "untied border_rank RR >= 2", [ONE, ONE], 1),
    ),
    accept(
        "signature",
        "no-operator-for-an-output",
        one(forms("xy", [{"xx": 1, "yy": 1}, {"xy": 1}]), "untied border_rank RR >= 2", [ONE, []], 1),
    ),
    accept("signature", "two-is-no-square-at-5", AT_FIVE),
    accept(
        "signature",
        "derivative-at-3",
        # X o F = x^2 + y^2 - 3 z^2 up to a factor, anisotropic at 3.
        one(
            form("xyz", {"xxx": 1, "xyy": 3, "xzz": -9}),
            "untied border_rank QQ >= 3",
            [X],
            1,
            place=3,
        ),
    ),
    accept("signature", "real-root", one(TWISTED, "untied border_rank RR >= 3", [ONE], 2, [POSITIVE])),
    accept(
        "signature",
        "irrational-operator",
        one(
            form("xy", {"xxx": 1, "xyy": 1}, "QQ(a)"),
            "untied border_rank RR >= 2",
            [[[[0], [0, 1]]]],
            1,
            [POSITIVE],
        ),
    ),
]

REJECTED = [
    reject(
        "signature",
        "sum-of-two-squares-over-cc",
        one(SUM, "untied border_rank CC >= 2", [ONE], 1),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        "signature",
        "circle-four",
        one(CIRCLE, "untied border_rank RR >= 4", [ONE], 2),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "signature",
        "indefinite-two",
        # x^2 - 2 y^2 is a product over RR.
        one(INDEFINITE, "untied border_rank RR >= 2", [ONE], 1),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "signature",
        "weaker-claim",
        one(CIRCLE, "untied border_rank RR >= 2", [ONE], 2),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "signature",
        "two-is-a-square-at-7",
        one(INDEFINITE, "untied border_rank QQ >= 2", [ONE], 1, place=7),
        "claim-differs",
        CLAIM,
    ),
    reject("signature", "place-over-rr", changed(AT_FIVE, f"{CLAIM}/over", "RR"), "field", f"{CLAIM}/over"),
    reject("signature", "no-place-over-qq", without(AT_FIVE, f"{WITNESS}/place"), "field", f"{CLAIM}/over"),
    reject(
        "signature",
        "place-for-mixed-2",
        one(CIRCLE, "mixed:2 border_rank QQ >= 3", [ONE], 2, place=3),
        "hypothesis",
        STEP,
    ),
    reject(
        "signature",
        "place-for-split-units",
        one(CIRCLE, "split border_rank QQ >= 3", [ONE], 2, place=3),
        "hypothesis",
        STEP,
    ),
    reject(
        "signature",
        "split-units-with-a-derivative",
        one(CUBIC, "split border_rank RR >= 3", [X], 1),
        "hypothesis",
        STEP,
    ),
    reject(
        "signature",
        "split-units-one-square-each",
        one(SPHERE, "split border_rank RR >= 6", [ONE], 2),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "signature",
        "mixed-2-one-condition-each",
        one(SEXTIC, "mixed:2 border_rank RR >= 4", [ONE], 3),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "signature",
        "the-other-root",
        one(TWISTED, "untied border_rank RR >= 3", [ONE], 2, [number_field("a", -2, 0, 1, root=[-2, -1])]),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "signature",
        "no-real-root-declared",
        one(TWISTED, "untied border_rank RR >= 2", [ONE], 2, [number_field("a", -2, 0, 1)]),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        "signature",
        "finite-field",
        one(form("xy", {"xx": 1, "yy": 1}, "GF(7)"), "untied border_rank GF(7) >= 2", [ONE], 1),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        "signature",
        "rank-where-border-rank-is-derived",
        changed(ON_THE_CIRCLE, f"{CLAIM}/quantity", "rank"),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "signature",
        "other-operator",
        # Y o F = 2 x y is indefinite.
        changed(ON_THE_CUBIC, f"{WITNESS}/operators/0", operator("xyz", {"y": 1})),
        "claim-differs",
        CLAIM,
    ),
]

UNREADABLE = [
    unreadable(
        "signature",
        "product-units",
        certificate(
            tensor((2, 2), {(0, 0): 1, (1, 1): 1}),
            [step("signature", "product border_rank RR >= 2", half=1, operators=[ONE])],
            ["product rank RR 2.."],
        ),
        "units-do-not-fit",
        f"{CLAIM}/units",
    ),
    unreadable(
        "signature", "half-0", changed(ON_THE_CIRCLE, f"{WITNESS}/half", 0), "out-of-range", f"{WITNESS}/half"
    ),
    unreadable(
        "signature", "half-3", changed(ON_THE_CIRCLE, f"{WITNESS}/half", 3), "out-of-range", f"{WITNESS}/half"
    ),
    unreadable(
        "signature",
        "degree-1",
        one(form("xy", {"x": 1}), "untied border_rank RR >= 1", [ONE], 1),
        "out-of-range",
        f"{WITNESS}/half",
    ),
    unreadable(
        "signature",
        "two-operators-for-one-output",
        changed(ON_THE_CIRCLE, f"{WITNESS}/operators", [ONE, ONE]),
        "wrong-length",
        f"{WITNESS}/operators",
    ),
    unreadable(
        "signature",
        "one-operator-for-two-outputs",
        one(COMPLEX_SQUARE, "untied border_rank RR >= 1", [ONE], 1),
        "wrong-length",
        f"{WITNESS}/operators",
    ),
    unreadable(
        "signature",
        "operator-of-another-degree",
        changed(ON_THE_CUBIC, f"{WITNESS}/operators/0", ONE),
        "empty-list",
        f"{WITNESS}/operators/0/0/0",
    ),
    unreadable(
        "signature",
        "zero-coefficient",
        changed(ON_THE_CUBIC, f"{WITNESS}/operators/0/0/1", 0),
        "zero-entry",
        f"{WITNESS}/operators/0/0/1",
    ),
    unreadable(
        "signature",
        "falling-words",
        changed(ON_THE_CUBIC, f"{WITNESS}/operators/0", [[[1], 1], [[0], 1]]),
        "unsorted",
        f"{WITNESS}/operators/0/1/0",
    ),
    unreadable(
        "signature",
        "repeated-words",
        changed(ON_THE_CUBIC, f"{WITNESS}/operators/0", [[[0], 1], [[0], 1]]),
        "repeated",
        f"{WITNESS}/operators/0/1/0",
    ),
    unreadable(
        "signature",
        "variable-beyond-the-last",
        changed(ON_THE_CUBIC, f"{WITNESS}/operators/0/0/0", [3]),
        "out-of-range",
        f"{WITNESS}/operators/0/0/0/0",
    ),
    unreadable(
        "signature", "place-9", changed(AT_FIVE, f"{WITNESS}/place", 9), "not-prime", f"{WITNESS}/place"
    ),
    unreadable(
        "signature", "place-1", changed(AT_FIVE, f"{WITNESS}/place", 1), "out-of-range", f"{WITNESS}/place"
    ),
    unreadable("signature", "no-operators", without(AT_FIVE, f"{WITNESS}/operators"), "missing-key", WITNESS),
    unreadable(
        "signature",
        "a-prime",
        changed(ON_THE_CIRCLE, f"{WITNESS}/prime", 7),
        "unknown-key",
        f"{WITNESS}/prime",
    ),
]

WIDE: Json = {"space": [[100, 4]], "ring": "QQ", "entries": [[[0, 0, 0, 0], 1]]}
UNDECIDED = [
    undecided(
        "signature",
        "squares-of-5050-monomials",
        one(WIDE, "untied border_rank RR >= 1", [ONE], 2),
        "limit-dimension",
        f"{WITNESS}/half",
    ),
    undecided(
        "signature",
        "a-cubic-number-of-operations",
        changed(one(WIDE, "untied border_rank RR >= 1", [ONE], 2), "/target/space", [[32, 4]]),
        "limit-operations",
        f"{WITNESS}/half",
    ),
]

CASES = ACCEPTED + REJECTED + UNREADABLE + UNDECIDED

"""Files about steps, premises, the conclusion and what follows from what."""

from __future__ import annotations

from .building import (
    Json,
    accept,
    answer,
    certificate,
    changed,
    form,
    forms,
    named,
    number_field,
    reject,
    step,
    tensor,
    unreadable,
    without,
    written,
)

UNITS = [[[1, 0], [0, 1], [1]]]
TANGENT = [[[1, {"eps": [[1, 1]]}], ["1/3"]], [[1, 0], ["-1/3"]]]
X2Y = form("xy", {"xxy": 1})
UNTIED = step("decomposition", "untied rank QQ <= 1", ring="QQ", units=UNITS)
FLATTENING = step("flattening", "tied border_rank CC >= 2", orders=[1], prime=1048573)
FAMILY = step("border-family", "tied border_rank QQ <= 2", ring="QQ", order=1, units=TANGENT)
NONZERO = step("nonzero", "untied border_rank CC >= 1")
WHOLE = certificate(
    X2Y,
    [FLATTENING, FAMILY, UNTIED],
    [
        "tied border_rank CC 2..2",
        "tied border_rank QQ 2..2",
        "tied rank QQ 2..3",
        "tied rank CC 2..3",
        "untied rank RR 1..1",
        "untied border_rank CC 1..1",
        "split rank QQ 1..1",
    ],
)
I = number_field("i", 1, 0, 1)
ROOT_2 = number_field("a", -2, 0, 1, root=[1, 2])
SIXTH = form("xy", {"xxxyyy": 1, "xxxxxx": 1, "yyyyyy": 1})
OVER_A = form("xy", {"xx": 1, "xy": [0, 1]}, "QQ(a)")


def modulo(p: int, conclusion: list[str]) -> dict[str, Json]:
    """x^2 y over GF(p), one untied unit."""
    return certificate(
        X2Y, [step("decomposition", f"untied rank GF({p}) <= 1", ring=f"GF({p})", units=UNITS)], conclusion
    )


ACCEPTED = [
    accept("kernel", "several-answers", WHOLE),
    accept(
        "kernel",
        "tied-from-untied-modulo-5",
        modulo(5, ["untied rank GF(5) 0..1", "tied rank GF(5) 0..3", "tied border_rank GF(5) 0..2"]),
    ),
    accept(
        "kernel",
        "no-tied-from-untied-modulo-3",
        modulo(
            3,
            [
                "untied rank GF(3) 0..1",
                "tied rank GF(3) 0..",
                "tied border_rank GF(3) 0..",
                "split rank GF(3) 0..1",
            ],
        ),
    ),
    accept(
        "kernel",
        "nothing-modulo-7-from-qq",
        certificate(X2Y, [UNTIED], ["untied rank QQ 0..1", "untied rank GF(7) 0.."]),
    ),
    accept(
        "kernel",
        "all-conversions-of-a-lower-bound",
        certificate(
            SIXTH,
            [step("flattening", "tied border_rank CC >= 4", orders=[3], prime=1048573)],
            [
                "tied border_rank CC 4..",
                "untied border_rank CC 2..",
                "mixed:1 border_rank CC 2..",
                "mixed:2 border_rank CC 2..",
                "mixed:3 border_rank CC 1..",
                "split border_rank CC 1..",
                "untied rank CC 2..",
                "tied rank QQ 4..",
            ],
        ),
    ),
    accept(
        "kernel",
        "a-half-of-three-and-not-a-third",
        certificate(
            form("xyz", {"xxx": 1, "yyy": 1, "zzz": 1}),
            [step("flattening", "tied border_rank CC >= 3", orders=[1], prime=1048573)],
            ["untied border_rank CC 2.."],
        ),
    ),
    accept(
        "kernel",
        "all-conversions-of-an-upper-bound",
        certificate(
            form("xy", {"xxxyyy": 1}),
            [
                step("decomposition", "mixed:3 rank QQ <= 1", ring="QQ", units=UNITS),
            ],
            [
                "mixed:3 rank QQ 0..1",
                "split rank QQ 0..1",
                "tied rank QQ 0..32",
                "tied border_rank RR 0..4",
                "untied border_rank CC 0..4",
                "mixed:2 border_rank QQ 0..4",
                "mixed:1 rank QQ 0..32",
            ],
        ),
    ),
    accept(
        "kernel",
        "border-conversions-of-split",
        certificate(
            form("xyz", {"xyz": 1}),
            [
                step(
                    "border-family",
                    "split border_rank QQ <= 1",
                    ring="QQ",
                    order=0,
                    units=[[[1, 0, 0], [0, 1, 0], [0, 0, 1], [1]]],
                )
            ],
            [
                "split border_rank QQ 0..1",
                "tied border_rank QQ 0..4",
                "split rank QQ 0..",
                "tied rank QQ 0..",
            ],
        ),
    ),
    accept(
        "kernel",
        "fields-of-a-rational-target",
        certificate(
            form("xy", {"xx": 1, "yy": 1}),
            [
                step("quadric", "untied border_rank RR >= 2"),
                step(
                    "decomposition",
                    "untied rank QQ(i) <= 1",
                    ring="QQ(i)",
                    units=[[[1, [0, 1]], [1, [0, -1]], [1]]],
                ),
                step("quadric", "tied border_rank CC >= 2"),
                step("quadric", "untied rank RR <= 2"),
            ],
            [
                "untied rank QQ 2..",
                "untied rank RR 2..2",
                "untied rank QQ(a) 2..",
                "untied rank QQ(i) 1..1",
                "untied rank CC 1..1",
                "tied rank CC 2..2",
                "tied rank QQ(i) 2..2",
            ],
            [I, ROOT_2],
        ),
    ),
    accept(
        "kernel",
        "fields-of-an-irrational-target",
        certificate(
            OVER_A,
            [
                step("quadric", "tied border_rank CC >= 2"),
                step(
                    "decomposition",
                    "untied rank QQ(a) <= 1",
                    ring="QQ(a)",
                    units=[[[1, 0], [1, [0, 1]], [1]]],
                ),
            ],
            [
                "tied rank QQ(a) 2..2",
                "tied rank RR 2..2",
                "tied border_rank CC 2..2",
                "untied rank RR 1..1",
            ],
            [ROOT_2],
        ),
    ),
    accept(
        "kernel",
        "upper-bound-over-rr-gives-cc",
        certificate(
            form("xy", {"xx": 1, "yy": [0, -1]}, "QQ(a)"),
            [step("quadric", "untied rank RR <= 1")],
            ["untied rank RR 0..1", "untied rank CC 0..1", "untied rank QQ(a) 0..", "tied rank RR 0..2"],
            [ROOT_2],
        ),
    ),
    accept(
        "kernel",
        "an-empty-answer-beside-another",
        certificate(X2Y, [NONZERO], ["untied rank CC 1..", "untied rank GF(2) 0.."]),
    ),
    accept(
        "kernel",
        "degree-one",
        certificate(
            form("xy", {"x": 1, "y": 2}),
            [
                step("nonzero", "tied border_rank CC >= 1"),
                step("decomposition", "untied rank QQ <= 1", ring="QQ", units=[[[0, 0], [1, 2], [1]]]),
            ],
            ["tied rank QQ 1..1", "untied rank CC 1..1", "split border_rank RR 1..1"],
        ),
    ),
    accept(
        "kernel",
        "product-and-tied-do-not-mix",
        certificate(
            tensor((2, 2), {(0, 0): 1, (1, 1): 1}),
            [step("flattening", "product border_rank CC >= 2", orders=[1, 0], prime=7)],
            ["product rank QQ 2..", "tied rank QQ 0.."],
        ),
    ),
]

REJECTED = [
    reject(
        "kernel",
        "lower-too-high",
        changed(WHOLE, "/conclusion/2/lower", 3),
        "conclusion-differs",
        "/conclusion/2/lower",
    ),
    reject(
        "kernel",
        "lower-too-low",
        changed(WHOLE, "/conclusion/2/lower", 1),
        "conclusion-differs",
        "/conclusion/2/lower",
    ),
    reject(
        "kernel",
        "upper-too-low",
        changed(WHOLE, "/conclusion/2/upper", 2),
        "conclusion-differs",
        "/conclusion/2/upper",
    ),
    reject(
        "kernel",
        "upper-too-high",
        changed(WHOLE, "/conclusion/2/upper", 4),
        "conclusion-differs",
        "/conclusion/2/upper",
    ),
    reject(
        "kernel",
        "upper-left-out",
        without(WHOLE, "/conclusion/2/upper"),
        "conclusion-differs",
        "/conclusion/2/upper",
    ),
    reject(
        "kernel",
        "upper-from-nothing",
        certificate(X2Y, [NONZERO], ["untied rank CC 1..1"]),
        "conclusion-differs",
        "/conclusion/0/upper",
    ),
    reject(
        "kernel",
        "lower-from-nothing",
        certificate(X2Y, [UNTIED], ["untied rank QQ 1..1"]),
        "conclusion-differs",
        "/conclusion/0/lower",
    ),
    reject(
        "kernel",
        "a-question-nothing-is-known-about",
        changed(WHOLE, "/conclusion/+", answer("tied rank GF(7) 2..3")),
        "conclusion-differs",
        "/conclusion/7/lower",
    ),
    reject(
        "kernel",
        "border-upper-bound-used-for-the-rank",
        certificate(X2Y, [FAMILY], ["tied rank QQ 0..2"]),
        "conclusion-differs",
        "/conclusion/0/upper",
    ),
    reject(
        "kernel",
        "rank-lower-bound-used-for-the-border-rank",
        certificate(X2Y, [step("coprime-monomials", "tied rank CC >= 3")], ["tied border_rank CC 3.."]),
        "conclusion-differs",
        "/conclusion/0/lower",
    ),
    reject(
        "kernel",
        "upper-bound-over-cc-used-over-rr",
        certificate(
            form("xy", {"xx": 1, "yy": 1}),
            [step("quadric", "untied rank CC <= 1")],
            ["untied rank RR 0..1"],
        ),
        "conclusion-differs",
        "/conclusion/0/upper",
    ),
    reject(
        "kernel",
        "upper-bound-over-qq-i-used-over-rr",
        certificate(
            form("xy", {"xx": 1, "yy": 1}),
            [
                step(
                    "decomposition",
                    "untied rank QQ(i) <= 1",
                    ring="QQ(i)",
                    units=[[[1, [0, 1]], [1, [0, -1]], [1]]],
                )
            ],
            ["untied rank QQ(i) 0..1", "untied rank RR 0..1"],
            [I],
        ),
        "conclusion-differs",
        "/conclusion/1/upper",
    ),
    reject(
        "kernel",
        "lower-bound-over-qq-used-over-rr",
        certificate(
            form("xy", {"xx": 1, "yy": -2}),
            [step("quadric", "untied border_rank QQ >= 2", place=5)],
            ["untied rank QQ 2..", "untied rank RR 2.."],
        ),
        "conclusion-differs",
        "/conclusion/1/lower",
    ),
    reject(
        "kernel",
        "lower-bound-over-rr-used-over-qq-i",
        certificate(
            form("xy", {"xx": 1, "yy": 1}),
            [step("quadric", "untied border_rank RR >= 2")],
            ["untied rank RR 2..", "untied rank QQ(i) 2.."],
            [I],
        ),
        "conclusion-differs",
        "/conclusion/1/lower",
    ),
    reject(
        "kernel",
        "untied-upper-bound-used-for-tied",
        certificate(X2Y, [UNTIED], ["tied rank QQ 0..1"]),
        "conclusion-differs",
        "/conclusion/0/upper",
    ),
    reject(
        "kernel",
        "twice-untied-used-for-the-tied-rank",
        certificate(X2Y, [UNTIED], ["tied rank QQ 0..2"]),
        "conclusion-differs",
        "/conclusion/0/upper",
    ),
    reject(
        "kernel",
        "tied-from-untied-modulo-3",
        modulo(3, ["tied rank GF(3) 0..3"]),
        "conclusion-differs",
        "/conclusion/0/upper",
    ),
    reject(
        "kernel",
        "untied-lower-bound-from-tied",
        certificate(X2Y, [FLATTENING], ["untied rank CC 2.."]),
        "conclusion-differs",
        "/conclusion/0/lower",
    ),
    reject(
        "kernel",
        "mixed-2-and-mixed-3-do-not-compare",
        certificate(
            form("xy", {"xxxyyy": 1}),
            [step("decomposition", "mixed:3 rank QQ <= 1", ring="QQ", units=UNITS)],
            ["mixed:2 rank QQ 0..1"],
        ),
        "conclusion-differs",
        "/conclusion/0/upper",
    ),
    reject(
        "kernel",
        "a-step-used-by-nothing",
        changed(WHOLE, "/steps/+", step("nonzero", "split border_rank CC >= 1")),
        "unused-step",
        "/steps/3",
    ),
    reject(
        "kernel",
        "a-step-that-a-later-one-beats",
        certificate(X2Y, [step("nonzero", "tied border_rank CC >= 1"), FLATTENING], ["tied rank CC 2.."]),
        "unused-step",
        "/steps/0",
    ),
    reject(
        "kernel",
        "an-equal-step-after-the-deciding-one",
        certificate(X2Y, [FLATTENING, FLATTENING], ["tied rank CC 2.."]),
        "unused-step",
        "/steps/1",
    ),
    reject(
        "kernel",
        "the-conclusion-asks-too-little",
        changed(WHOLE, "/conclusion", [answer("tied border_rank CC 2..2")]),
        "unused-step",
        "/steps/2",
    ),
    reject(
        "kernel",
        "a-step-that-rests-on-itself",
        changed(WHOLE, "/steps/0/premises", [0]),
        "premise-order",
        "/steps/0/premises/0",
    ),
    reject(
        "kernel",
        "a-step-that-rests-on-a-later-one",
        changed(WHOLE, "/steps/0/premises", [1]),
        "premise-order",
        "/steps/0/premises/0",
    ),
    reject(
        "kernel",
        "a-step-that-rests-on-a-missing-one",
        changed(WHOLE, "/steps/2/premises", [1, 9007199254740991]),
        "premise-order",
        "/steps/2/premises/1",
    ),
    reject(
        "kernel",
        "premises-where-the-rule-takes-none",
        changed(WHOLE, "/steps/1/premises", [0]),
        "premise-count",
        "/steps/1/premises",
    ),
    reject(
        "kernel",
        "question-over-cc-about-a-gf5-target",
        certificate(
            form("xy", {"xxy": 1}, "GF(5)"),
            [step("nonzero", "tied border_rank GF(5) >= 1")],
            ["tied rank GF(5) 1..", "tied rank CC 0.."],
        ),
        "field",
        "/conclusion/1/field",
    ),
    reject(
        "kernel",
        "question-over-qq-about-an-irrational-target",
        certificate(
            OVER_A,
            [step("nonzero", "tied border_rank CC >= 1")],
            ["tied rank CC 1..", "tied rank QQ 0.."],
            [ROOT_2],
        ),
        "field",
        "/conclusion/1/field",
    ),
    reject(
        "kernel",
        "question-over-another-number-field-about-an-irrational-target",
        certificate(
            OVER_A,
            [step("nonzero", "tied border_rank CC >= 1")],
            ["tied rank CC 1..", "tied rank QQ(i) 0.."],
            [ROOT_2, I],
        ),
        "field",
        "/conclusion/1/field",
    ),
    reject(
        "kernel",
        "question-over-gf7-about-an-irrational-target",
        certificate(
            OVER_A,
            [step("nonzero", "tied border_rank CC >= 1")],
            ["tied rank CC 1..", "tied rank GF(7) 0.."],
            [ROOT_2],
        ),
        "field",
        "/conclusion/1/field",
    ),
    reject(
        "kernel",
        "question-about-a-target-that-vanishes",
        certificate(form("xy", {"xxy": 2}), [NONZERO], ["untied rank CC 1..", "untied rank GF(2) 0.."]),
        "target-vanishes",
        "/target",
    ),
    reject(
        "kernel",
        "question-about-a-target-with-that-denominator",
        certificate(form("xy", {"xxy": "1/2"}), [NONZERO], ["untied rank CC 1..", "untied rank GF(2) 0.."]),
        "denominator",
        "/target",
    ),
]


def bad(name: str, pointer: str, value: Json, code: str, at: str | None = None):
    """An unreadable file made by one change."""
    return unreadable("kernel", name, changed(WHOLE, pointer, value), code, pointer if at is None else at)


MAP = certificate(
    forms("xy", [{"xx": 1}, {"yy": 1}]), [step("nonzero", "tied border_rank CC >= 1")], ["tied rank CC 1.."]
)
W3 = certificate(named("W", 3), [step("nonzero", "product border_rank CC >= 1")], ["product rank CC 1.."])
NEITHER = {"space": [[2, 2], [2, 2]], "ring": "QQ", "entries": [[[0, 0, 0, 0], 1]]}

UNREADABLE = [
    bad("another-format", "/format", "rankproof", "unknown-format"),
    bad("format-is-a-number", "/format", 1, "unknown-format"),
    unreadable("kernel", "no-format", without(WHOLE, "/format"), "unknown-format", "/format"),
    bad("version-2", "/version", 2, "unknown-version"),
    bad("version-0", "/version", 0, "unknown-version"),
    bad("version-is-text", "/version", "1", "unknown-version"),
    unreadable("kernel", "no-version", without(WHOLE, "/version"), "unknown-version", "/version"),
    bad("an-unknown-key", "/comment", "true, I promise", "unknown-key"),
    bad("an-unknown-key-with-odd-letters", "/a~b", 1, "unknown-key", "/a~0b"),
    unreadable("kernel", "no-target", without(WHOLE, "/target"), "missing-key", ""),
    unreadable("kernel", "no-steps", without(WHOLE, "/steps"), "missing-key", ""),
    unreadable("kernel", "no-conclusion", without(WHOLE, "/conclusion"), "missing-key", ""),
    unreadable("kernel", "no-producer", without(WHOLE, "/producer"), "missing-key", ""),
    bad("producer-is-text", "/producer", "me", "wrong-type"),
    bad("producer-is-a-list", "/producer", [], "wrong-type"),
    bad("empty-steps", "/steps", [], "empty-list"),
    bad("steps-are-an-object", "/steps", {}, "wrong-type"),
    bad("a-step-is-text", "/steps/1", "nonzero", "wrong-type"),
    bad("a-step-with-a-comment", "/steps/1/comment", "x", "unknown-key"),
    unreadable(
        "kernel", "a-step-without-witness", without(WHOLE, "/steps/1/witness"), "missing-key", "/steps/1"
    ),
    unreadable(
        "kernel", "a-step-without-premises", without(WHOLE, "/steps/1/premises"), "missing-key", "/steps/1"
    ),
    bad("unknown-rule", "/steps/1/rule", "oracle", "unknown-rule"),
    bad("rule-is-a-number", "/steps/1/rule", 1, "wrong-type"),
    bad("rule-in-capitals", "/steps/1/rule", "Border-Family", "unknown-rule"),
    bad("a-claim-is-text", "/steps/1/claim", "tied border_rank <= 2", "wrong-type"),
    bad("a-claim-with-a-comment", "/steps/1/claim/comment", "x", "unknown-key"),
    unreadable(
        "kernel",
        "a-claim-without-field",
        without(WHOLE, "/steps/1/claim/over"),
        "missing-key",
        "/steps/1/claim",
    ),
    bad("quantity-width", "/steps/1/claim/quantity", "width", "unknown-quantity"),
    bad("quantity-is-a-list", "/steps/1/claim/quantity", ["rank"], "unknown-quantity"),
    bad("relation-equal", "/steps/1/claim/relation", "=", "wrong-type"),
    bad("relation-is-an-object", "/steps/1/claim/relation", {}, "wrong-type"),
    bad("value-minus-one", "/steps/1/claim/value", -1, "out-of-range"),
    bad("value-2-to-53", "/steps/1/claim/value", 2**53, "out-of-range"),
    bad("value-is-text", "/steps/1/claim/value", "2", "wrong-type"),
    bad("value-is-a-list", "/steps/1/claim/value", [2], "wrong-type"),
    bad("unknown-units", "/steps/1/claim/units", "waring", "unknown-units"),
    bad("units-are-a-number", "/steps/1/claim/units", 1, "wrong-type"),
    bad("units-mixed-0", "/steps/1/claim/units", "mixed:0", "unknown-units"),
    bad("units-mixed-01", "/steps/1/claim/units", "mixed:01", "unknown-units"),
    bad("units-mixed-new-line", "/steps/1/claim/units", "mixed:1\n", "unknown-units"),
    bad("units-mixed-1000", "/steps/1/claim/units", "mixed:1000", "unknown-units"),
    bad("mixed-2-of-degree-3", "/steps/1/claim/units", "mixed:2", "units-do-not-fit"),
    bad("product-of-a-form", "/steps/1/claim/units", "product", "units-do-not-fit"),
    unreadable(
        "kernel",
        "tied-of-a-tensor",
        changed(W3, "/steps/0/claim/units", "tied"),
        "units-do-not-fit",
        "/steps/0/claim/units",
    ),
    unreadable(
        "kernel",
        "mixed-1-of-a-tensor",
        changed(W3, "/conclusion/0/units", "mixed:1"),
        "units-do-not-fit",
        "/conclusion/0/units",
    ),
    unreadable(
        "kernel",
        "product-of-a-map",
        changed(MAP, "/conclusion/0/units", "product"),
        "units-do-not-fit",
        "/conclusion/0/units",
    ),
    unreadable(
        "kernel",
        "units-of-a-space-without-units",
        certificate(NEITHER, [step("nonzero", "split border_rank CC >= 1")], ["split rank CC 1.."]),
        "units-do-not-fit",
        "/steps/0/claim/units",
    ),
    unreadable(
        "kernel",
        "products-of-a-space-without-units",
        certificate(NEITHER, [step("nonzero", "product border_rank CC >= 1")], ["product rank CC 1.."]),
        "units-do-not-fit",
        "/steps/0/claim/units",
    ),
    bad("premises-are-a-number", "/steps/1/premises", 0, "wrong-type"),
    bad("negative-premise", "/steps/1/premises", [-1], "out-of-range", "/steps/1/premises/0"),
    bad("premise-is-text", "/steps/1/premises", ["0"], "wrong-type", "/steps/1/premises/0"),
    bad("repeated-premises", "/steps/2/premises", [0, 0], "repeated", "/steps/2/premises/1"),
    bad("falling-premises", "/steps/2/premises", [1, 0], "unsorted", "/steps/2/premises/1"),
    bad("empty-conclusion", "/conclusion", [], "empty-list"),
    bad("conclusion-is-an-object", "/conclusion", {}, "wrong-type"),
    bad("an-answer-is-text", "/conclusion/0", "rank 3", "wrong-type"),
    bad("an-answer-with-a-comment", "/conclusion/0/comment", "x", "unknown-key"),
    unreadable(
        "kernel",
        "an-answer-without-lower",
        without(WHOLE, "/conclusion/0/lower"),
        "missing-key",
        "/conclusion/0",
    ),
    bad("lower-minus-one", "/conclusion/0/lower", -1, "out-of-range"),
    bad("lower-2-to-53", "/conclusion/0/lower", 2**53, "out-of-range"),
    bad("upper-minus-one", "/conclusion/0/upper", -1, "out-of-range"),
    bad("upper-2-to-53", "/conclusion/0/upper", 2**53, "out-of-range"),
    bad("upper-infinity", "/conclusion/0/upper", "oo", "wrong-type"),
    bad("answer-about-width", "/conclusion/0/quantity", "width", "unknown-quantity"),
    bad("answer-in-unknown-units", "/conclusion/0/units", "cubes", "unknown-units"),
    bad("one-question-twice", "/conclusion/1", answer("tied border_rank CC 2..2"), "repeated"),
    bad("two-answers-to-one-question", "/conclusion/1", answer("tied border_rank CC 1..2"), "repeated"),
]

CASES = ACCEPTED + REJECTED + UNREADABLE

# For rules that are wrong: the rule ``nonzero`` is made to prove 5.
_NONZERO_FIVE = step("nonzero", "untied border_rank CC >= 5")
FIVE = written(certificate(X2Y, [_NONZERO_FIVE], ["untied rank CC 5.."]))
FIVE_AND_ONE = written(certificate(X2Y, [_NONZERO_FIVE, UNTIED], ["untied rank CC 5..1"]))
FIVE_FROM_FLATTENING = written(
    certificate(X2Y, [FLATTENING, step("nonzero", "untied border_rank CC >= 5", [0])], ["untied rank CC 5.."])
)
FIVE_FROM_NOTHING = written(
    certificate(X2Y, [FLATTENING, _NONZERO_FIVE], ["untied rank CC 5..", "tied rank CC 5.."])
)

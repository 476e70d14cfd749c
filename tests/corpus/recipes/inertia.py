"""Files of the rule ``inertia``."""

from __future__ import annotations

from fractions import Fraction

from .building import Json, accept, certificate, changed, form, forms, number_field, reject, step, unreadable

LORENTZ = form("wxyz", {"ww": 1, "xx": -1, "yy": -1, "zz": -1})
DENSE = form("xyz", {"xx": 3, "xy": "1/3", "xz": -2, "yy": -5, "yz": 1, "zz": "2/7"})
"""Signature (2, 1)."""
LONG = form("xy", {"xx": "1" + "0" * 40, "xy": 7, "yy": "-" + "9" * 40})
HYPERBOLIC = form("xy", {"xy": 1})
NEARLY = form("xy", {"xx": 10**12, "xy": 2 * 10**12, "yy": 10**12 + 1})
HILBERT = form(
    "abcdefgh",
    {
        x + y: str(Fraction(2 if i < j else 1, i + j + 1)) if i + j else 1
        for j, y in enumerate("abcdefgh")
        for i, x in enumerate("abcdefgh"[: j + 1])
    }
    | {"ab": 1},
)
"""The integrals of x^(i+j): positive definite, and nearly degenerate."""
CLAIM = "/steps/0/claim"
ORDER = "/steps/0/witness/order"


def one(
    target: Json, claim: str, answers: list[str], order: list[Json], bits: Json = 8, **more: Json
) -> dict[str, Json]:
    """A certificate of one step."""
    return certificate(target, [step("inertia", claim, order=order, bits=bits)], answers, **more)


def both(
    target: Json, units: str, field: str, width: int, order: list[Json], bits: int = 8
) -> dict[str, Json]:
    """A certificate of both bounds."""
    steps = [
        step("inertia", f"{units} border_rank {field} >= {width}", order=order, bits=bits),
        step("inertia", f"{units} rank {field} <= {width}", order=order, bits=bits),
    ]
    answers = [f"{units} {quantity} {field} {width}..{width}" for quantity in ("rank", "border_rank")]
    return certificate(target, steps, answers)


FIRST = both(LORENTZ, "untied", "RR", 3, [0, 1, 2, 3])


CASES = [
    accept("inertia", "lorentz", FIRST),
    accept("inertia", "lorentz-tied-rr", both(LORENTZ, "tied", "RR", 4, [3, 1, 0, 2])),
    accept("inertia", "lorentz-tied-cc", both(LORENTZ, "tied", "CC", 4, [3, 1, 0, 2])),
    accept("inertia", "lorentz-tied-qq", both(LORENTZ, "tied", "QQ", 4, [3, 1, 0, 2])),
    accept("inertia", "lorentz-split-cc", both(LORENTZ, "split", "CC", 2, [0, 1, 2, 3])),
    accept("inertia", "three-variables", both(DENSE, "mixed:1", "RR", 2, [1, 0, 2], 16)),
    accept("inertia", "three-variables-cc", both(DENSE, "untied", "CC", 2, [1, 0, 2], 16)),
    accept("inertia", "long-coefficients", both(LONG, "tied", "RR", 2, [1, 0], 12)),
    accept("inertia", "many-bits", both(DENSE, "tied", "CC", 3, [0, 1, 2], 1024)),
    accept("inertia", "enough-bits", both(HILBERT, "untied", "RR", 8, list(range(8)), 40)),
    accept("inertia", "nearly-degenerate", both(NEARLY, "tied", "RR", 2, [1, 0], 64)),
    accept(
        "inertia",
        "some-of-the-variables",
        one(LORENTZ, "untied border_rank RR >= 2", ["untied rank RR 2.."], [1, 2]),
    ),
    accept(
        "inertia",
        "more-positive-ones",
        one(
            form("xyz", {"xx": 1, "yy": 2, "zz": -1}),
            "untied border_rank RR >= 2",
            ["untied rank QQ 2.."],
            [0, 1, 2],
        ),
    ),
    reject("inertia", "one-too-many", changed(FIRST, "/steps/0/claim/value", 4), "claim-differs", CLAIM),
    reject(
        "inertia",
        "rank-below",
        changed(FIRST, "/steps/1/claim/quantity", "border_rank"),
        "claim-differs",
        "/steps/1/claim",
    ),
    reject(
        "inertia",
        "the-value-over-cc-is-not-that-over-rr",
        one(LORENTZ, "untied border_rank CC >= 3", ["untied rank CC 3.."], [0, 1, 2, 3]),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "inertia",
        "no-square-to-begin-with",
        one(HYPERBOLIC, "tied border_rank CC >= 1", ["tied rank CC 1.."], [0]),
        "not-dominant",
        f"{ORDER}/0",
    ),
    reject(
        "inertia",
        "no-squares-at-all",
        one(HYPERBOLIC, "tied border_rank CC >= 2", ["tied rank CC 2.."], [0, 1]),
        "not-dominant",
        f"{ORDER}/0",
    ),
    reject(
        "inertia",
        "too-few-bits",
        one(HILBERT, "tied border_rank CC >= 8", ["tied rank CC 8.."], list(range(8)), 8),
        "not-dominant",
        f"{ORDER}/2",
    ),
    reject(
        "inertia",
        "degenerate",
        one(
            form("xy", {"xx": 1, "xy": 2, "yy": 1}), "tied border_rank CC >= 2", ["tied rank CC 2.."], [0, 1]
        ),
        "not-dominant",
        f"{ORDER}/1",
    ),
    reject(
        "inertia",
        "an-upper-bound-from-some-of-the-variables",
        one(LORENTZ, "untied rank RR <= 2", ["untied rank RR 0..2"], [1, 2]),
        "hypothesis",
        "/steps/0",
    ),
    reject(
        "inertia",
        "a-cubic",
        one(form("xy", {"xxx": 1, "yyy": 1}), "tied border_rank CC >= 2", ["tied rank CC 2.."], [0, 1]),
        "hypothesis",
        "/steps/0",
    ),
    reject(
        "inertia",
        "two-outputs",
        one(forms("xy", [{"xx": 1}, {"yy": 1}]), "tied border_rank CC >= 2", ["tied rank CC 2.."], [0, 1]),
        "hypothesis",
        "/steps/0",
    ),
    reject(
        "inertia",
        "over-qq",
        one(LORENTZ, "untied border_rank QQ >= 3", ["untied rank QQ 3.."], [0, 1, 2, 3]),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        "inertia",
        "over-a-number-field",
        one(
            form("xy", {"xx": 1, "yy": [0, 1]}, "QQ(a)"),
            "tied border_rank CC >= 2",
            ["tied rank CC 2.."],
            [0, 1],
            number_fields=[number_field("a", -2, 0, 1)],
        ),
        "field",
        f"{CLAIM}/over",
    ),
    unreadable("inertia", "no-order", changed(FIRST, ORDER, []), "empty-list", ORDER),
    unreadable("inertia", "too-long", changed(FIRST, ORDER, [0, 1, 2, 3, 0]), "wrong-length", ORDER),
    unreadable("inertia", "twice", changed(FIRST, ORDER, [0, 1, 2, 2]), "repeated", ORDER),
    unreadable(
        "inertia", "no-such-variable", changed(FIRST, ORDER, [0, 1, 2, 4]), "out-of-range", f"{ORDER}/3"
    ),
    unreadable(
        "inertia", "before-the-first", changed(FIRST, ORDER, [-1, 1, 2, 3]), "out-of-range", f"{ORDER}/0"
    ),
    unreadable(
        "inertia",
        "few-bits",
        changed(FIRST, "/steps/0/witness/bits", 7),
        "out-of-range",
        "/steps/0/witness/bits",
    ),
    unreadable(
        "inertia",
        "very-many-bits",
        changed(FIRST, "/steps/0/witness/bits", 1025),
        "out-of-range",
        "/steps/0/witness/bits",
    ),
    unreadable(
        "inertia",
        "no-bits",
        changed(FIRST, "/steps/0/witness", {"order": [0]}),
        "missing-key",
        "/steps/0/witness",
    ),
]

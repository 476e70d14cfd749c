"""Files of the rule ``apolar-form``."""

from __future__ import annotations

from .binary import DEGENERATE, monomial
from .building import (
    Case,
    Json,
    accept,
    certificate,
    changed,
    form,
    forms,
    number_field,
    reject,
    step,
    undecided,
    unreadable,
)

CLAIM = "/steps/0/claim"
OVER = "/steps/0/claim/over"
FORM = "/steps/0/witness/form"
DEGREE = "/steps/0/witness/degree"


def one(target: Json, claim: str, terms: dict[str, Json], *fields: Json) -> dict[str, Json]:
    """A certificate of one upper bound by an operator; ``{"XXY": 1}`` is X^2 Y."""
    units, quantity, over, _, value = claim.split()
    degree = len(next(iter(terms)))
    entries = sorted([sorted("XY".index(x) for x in word), c] for word, c in terms.items())
    steps = [step("apolar-form", claim, degree=degree, form=entries)]
    return certificate(target, steps, [f"{units} {quantity} {over} 0..{value}"], fields)


ROOT_2 = number_field("a", -2, 0, 1, root=[1, 2])
COMPLEX = number_field("a", -2, 0, 1)
TWISTED = form("xy", {"xxx": 1, "yyy": [0, 1]}, "QQ(a)")

CUBES = one(monomial(2, 2), "tied rank CC <= 3", {"XXX": 1, "YYY": -1})
UNTIED = one(monomial(2, 2), "untied rank RR <= 2", {"XX": 2, "XY": 2, "YY": -1})
TANGENT = one(monomial(5, 1), "tied border_rank RR <= 2", {"YY": 1})
FOUR = one(monomial(2, 2), "tied rank RR <= 4", {"XXXX": 1, "XXXY": 2, "XYYY": -2, "YYYY": "-4/5"})

ACCEPTED: list[Case] = [
    accept("apolar-form", "x2y2-tied-cc", CUBES),
    accept("apolar-form", "x2y2-untied-rr", UNTIED),
    accept("apolar-form", "x5y-border", TANGENT),
    accept(
        "apolar-form",
        "x5y-untied-border-by-a-factor",
        one(monomial(5, 1), "untied rank RR <= 1", {"Y": 3}),
    ),
    accept("apolar-form", "x4y2-untied-border", one(monomial(4, 2), "untied border_rank RR <= 2", {"YY": 1})),
    accept("apolar-form", "x5y2-untied-cc", one(monomial(5, 2), "untied rank CC <= 3", {"XXX": 1, "YYY": 7})),
    accept(
        "apolar-form",
        "repeated-root-at-infinity",
        one(DEGENERATE, "tied border_rank RR <= 3", {"XYY": 1, "YYY": -1}),
    ),
    accept(
        "apolar-form",
        "degree-beyond-the-target",
        one(monomial(1, 1), "tied rank RR <= 3", {"XXX": 1, "XYY": -1}),
    ),
    accept(
        "apolar-form",
        "untied-beyond-half-the-degree",
        one(monomial(1, 2), "untied rank RR <= 2", {"XX": 1, "YY": -2}),
    ),
    accept("apolar-form", "a-real-number-field", one(TWISTED, "tied rank RR <= 2", {"XY": 1}, ROOT_2)),
    accept(
        "apolar-form", "a-number-field-over-cc", one(TWISTED, "tied rank CC <= 2", {"XY": [1, 1]}, COMPLEX)
    ),
    accept(
        "apolar-form",
        "irrational-roots-over-rr",
        # X^2 - a Y^2 kills a x^2 + y^2; it splits over RR and not over QQ(a).
        one(
            form("xy", {"xx": [0, 1], "yy": 1}, "QQ(a)"),
            "tied rank RR <= 2",
            {"XX": 1, "YY": [0, -1]},
            ROOT_2,
        ),
    ),
]

REJECTED: list[Case] = [
    reject("apolar-form", "complex-cubes-over-rr", changed(CUBES, OVER, "RR"), "not-real", FORM),
    reject(
        "apolar-form",
        "a-rank-by-a-repeated-factor",
        changed(TANGENT, f"{CLAIM}/quantity", "rank"),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "apolar-form",
        "a-repeated-factor-at-infinity",
        one(DEGENERATE, "tied rank CC <= 3", {"XYY": 1, "YYY": -1}),
        "claim-differs",
        CLAIM,
    ),
    reject("apolar-form", "one-less", changed(CUBES, f"{CLAIM}/value", 2), "claim-differs", CLAIM),
    reject("apolar-form", "does-not-kill", changed(CUBES, f"{FORM}/1", [[0, 1, 1], -1]), "not-apolar", FORM),
    reject(
        "apolar-form",
        "the-square-does-not-kill",
        changed(UNTIED, f"{FORM}/2/1", 1),
        "not-apolar",
        FORM,
    ),
    reject(
        "apolar-form",
        "untied-instead-of-tied",
        # h^2 kills x^2 y^2 and h does not: it has tied rank 3.
        changed(UNTIED, f"{CLAIM}/units", "tied"),
        "not-apolar",
        FORM,
    ),
    reject(
        "apolar-form",
        "two-roots-are-not-real",
        one(monomial(2, 2), "tied rank RR <= 4", {"XXXX": 1, "YYYY": -1}),
        "not-real",
        FORM,
    ),
    reject(
        "apolar-form",
        "degree-far-beyond-the-target",
        one(monomial(1, 1), "tied rank RR <= 4", {"XXXY": 1, "XYYY": -1}),
        "hypothesis",
        DEGREE,
    ),
    reject("apolar-form", "over-qq", changed(UNTIED, OVER, "QQ"), "field", OVER),
    reject("apolar-form", "over-gf7", changed(CUBES, OVER, "GF(7)"), "field", OVER),
    reject(
        "apolar-form",
        "a-complex-number-field-over-rr",
        one(TWISTED, "tied rank RR <= 2", {"XY": 1}, COMPLEX),
        "field",
        OVER,
    ),
    reject(
        "apolar-form", "split-units", changed(UNTIED, f"{CLAIM}/units", "split"), "hypothesis", "/steps/0"
    ),
    reject(
        "apolar-form",
        "three-variables",
        one(form("xyz", {"xyz": 1}), "tied rank CC <= 2", {"XX": 1, "YY": -1}),
        "hypothesis",
        "/steps/0",
    ),
    reject(
        "apolar-form",
        "two-forms",
        one(forms("xy", [{"xx": 1}, {"yy": 1}]), "tied rank CC <= 2", {"XY": 1}),
        "hypothesis",
        "/steps/0",
    ),
    reject("apolar-form", "a-lower-bound", changed(CUBES, f"{CLAIM}/relation", ">="), "claim-differs", CLAIM),
    reject(
        "apolar-form",
        "the-other-embedding",
        # t^2 = a has no real root at a = -sqrt(2).
        one(
            form("xy", {"xx": [0, 1], "yy": 1}, "QQ(a)"),
            "tied rank RR <= 2",
            {"XX": 1, "YY": [0, -1]},
            number_field("a", -2, 0, 1, root=[-2, -1]),
        ),
        "not-real",
        FORM,
    ),
]

UNREADABLE: list[Case] = [
    unreadable("apolar-form", "zero", changed(CUBES, FORM, []), "empty-list", FORM),
    unreadable("apolar-form", "degree-0", changed(CUBES, DEGREE, 0), "out-of-range", DEGREE),
    unreadable(
        "apolar-form", "words-of-another-length", changed(CUBES, DEGREE, 4), "wrong-length", f"{FORM}/0/0"
    ),
    unreadable(
        "apolar-form",
        "a-ring",
        changed(CUBES, "/steps/0/witness/ring", "QQ"),
        "unknown-key",
        "/steps/0/witness/ring",
    ),
    unreadable(
        "apolar-form",
        "a-third-variable",
        changed(CUBES, f"{FORM}/1/0", [1, 1, 2]),
        "out-of-range",
        f"{FORM}/1/0/2",
    ),
]

UNDECIDED: list[Case] = [
    undecided(
        "apolar-form",
        "long-coefficients",
        one(monomial(40, 2), "tied rank CC <= 41", {"X" * 41: "7" * 3000, "Y" * 41: 1}),
        "limit-operations",
        "/steps/0",
    ),
]

CASES = ACCEPTED + REJECTED + UNREADABLE + UNDECIDED

"""Files of the rule ``binary``."""

from __future__ import annotations

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
    tensor,
    undecided,
    unreadable,
    without,
)

CLAIM = "/steps/0/claim"
OVER = "/steps/0/claim/over"
WITNESS = "/steps/0/witness"


def one(target: Json, claim: str, *fields: Json, **witness: Json) -> dict[str, Json]:
    """A certificate of one lower bound."""
    units, quantity, over, _, value = claim.split()
    conclusion = [f"{units} {quantity} {over} {value}.."]
    return certificate(target, [step("binary", claim, **witness)], conclusion, fields)


def monomial(a: int, b: int) -> Json:
    return form("xy", {"x" * a + "y" * b: 1})


CUBIC = monomial(2, 1)
SQUARES = monomial(2, 2)
THREE_REAL = form("xy", {"xxx": 1, "xyy": -1})
ONE_REAL = form("xy", {"xxx": 1, "xyy": 1})
REZNICK = form("xy", {"xxxxx": 3, "xxxyy": -20, "xyyyy": 10})
TWO_POWERS = form("xy", {"xxxx": 2, "xxxy": 4, "xxyy": 6, "xyyy": 4, "yyyy": 1})
"""x^4 + (x + y)^4, killed by Y (X - Y)."""
CIRCLE = form("xy", {"xxxx": 1, "xxyy": 2, "yyyy": 1})
DEGENERATE = form(
    "xy", {"xxxxxx": 1, "xxxxxy": 7, "xxxxyy": 15, "xxxyyy": 20, "xxyyyy": 15, "xyyyyy": 6, "yyyyyy": 1}
)
"""x^5 y + (x + y)^6, killed by Y^2 (X - Y)."""

I = number_field("i", 1, 0, 1)
ROOT_3 = number_field("a", -3, 0, 1, root=[1, 2])
ROOT_MINUS_2 = number_field("a", 2, 0, 1)
ROOT_MINUS_7 = number_field("a", 7, 0, 1)
ROOT_5 = number_field("a", -5, 0, 1, root=[2, 3])
SPLIT_BY_ROOT_5 = form("xy", {"xxx": 1, "xxy": -3, "xyy": 6, "yyy": -3})
"""Killed by X^2 + X Y - Y^2, which splits over QQ(sqrt(5)) and not modulo 2."""

ANISOTROPIC = one(SQUARES, "untied rank QQ >= 3", argument="anisotropic", degree=2, point=[1, 0], place=3)
NOT_SPLIT = one(ONE_REAL, "tied border_rank QQ >= 3", argument="not-split", prime=5)
NOT_SPLIT_QUADRATIC = one(
    REZNICK, "tied border_rank QQ(a) >= 4", ROOT_MINUS_2, argument="not-split", prime=3, root=1
)
LEVEL_4 = one(
    monomial(3, 2),
    "tied rank QQ(a) >= 5",
    ROOT_MINUS_7,
    argument="anisotropic",
    degree=4,
    point=[1, 0],
    place=2,
    root=1,
)
HESSIAN = one(
    THREE_REAL, "tied border_rank RR >= 3", argument="hessian", degree=2, points=[[1, 0, 1], [0, 1, 1]]
)
NO_SQUARES = one(ONE_REAL, "untied border_rank CC >= 2", argument="squares", degree=1, macaulay=3, prime=101)
DISTINCT = one(monomial(3, 2), "untied rank CC >= 3", argument="distinct-squares", degree=2, power=2)
REPEATED = one(CUBIC, "tied rank CC >= 3", argument="repeated-factor")
REAL = one(SQUARES, "tied rank RR >= 4", argument="real-rooted")

ACCEPTED: list[Case] = [
    accept("binary", "x2y-tied", REPEATED),
    accept("binary", "x7y-tied", one(monomial(7, 1), "tied rank CC >= 8", argument="repeated-factor")),
    accept(
        "binary",
        "repeated-root-at-infinity",
        one(DEGENERATE, "tied rank CC >= 5", argument="repeated-factor"),
    ),
    accept(
        "binary",
        "two-imaginary-points",
        one(THREE_REAL, "tied border_rank RR >= 3", argument="non-real-root"),
    ),
    accept("binary", "three-real-roots", one(THREE_REAL, "tied border_rank RR >= 3", argument="real-rooted")),
    accept("binary", "five-real-roots", one(REZNICK, "tied border_rank RR >= 5", argument="real-rooted")),
    accept(
        "binary", "five-real-roots-untied", one(REZNICK, "untied border_rank RR >= 3", argument="real-rooted")
    ),
    accept("binary", "x2y2-real", REAL),
    accept("binary", "x5y2-real-untied", one(monomial(5, 2), "untied rank RR >= 4", argument="real-rooted")),
    accept("binary", "not-split-over-qq", NOT_SPLIT),
    accept("binary", "not-split-over-a-quadratic-field", NOT_SPLIT_QUADRATIC),
    accept("binary", "hessian", HESSIAN),
    accept("binary", "no-squares", NO_SQUARES),
    accept(
        "binary",
        "no-squares-with-denominators",
        one(
            form("xy", {"xxx": "1/7", "xyy": "2/3"}),
            "untied border_rank CC >= 2",
            argument="squares",
            degree=1,
            macaulay=3,
            prime=101,
        ),
    ),
    accept("binary", "x3y2-untied", DISTINCT),
    accept(
        "binary",
        "x3y3-untied",
        one(monomial(3, 3), "untied rank CC >= 3", argument="distinct-squares", degree=2, power=2),
    ),
    accept(
        "binary",
        "x8y2-untied",
        one(monomial(8, 2), "untied rank CC >= 5", argument="distinct-squares", degree=4, power=2),
    ),
    accept("binary", "x2y2-untied-over-qq", ANISOTROPIC),
    accept(
        "binary",
        "x2y2-at-the-other-point",
        one(SQUARES, "untied rank QQ >= 3", argument="anisotropic", degree=2, point=[0, -2], place=2),
    ),
    accept(
        "binary",
        "x2y2-over-qq-i",
        one(
            SQUARES,
            "untied rank QQ(i) >= 3",
            I,
            argument="anisotropic",
            degree=2,
            point=[1, 0],
            place=5,
            root=2,
        ),
    ),
    accept(
        "binary",
        "x4y2-untied-over-qq",
        one(monomial(4, 2), "untied rank QQ >= 4", argument="anisotropic", degree=3, point=[1, 0], place=5),
    ),
    accept(
        "binary",
        "x5y2-untied-definite",
        one(monomial(5, 2), "untied rank RR >= 4", argument="anisotropic", degree=3, point=[1, 0]),
    ),
    accept("binary", "level-4", LEVEL_4),
    accept(
        "binary",
        "x2y2-in-other-coordinates",
        # (x + y)^2 (x + 2 y)^2
        one(
            form("xy", {"xxxx": 1, "xxxy": 6, "xxyy": 13, "xyyy": 12, "yyyy": 4}),
            "untied rank QQ >= 3",
            argument="anisotropic",
            degree=2,
            point=[1, 2],
            place=3,
        ),
    ),
]

REJECTED: list[Case] = [
    # False statements that one check keeps out.
    reject(
        "binary",
        "border-rank-by-a-repeated-factor",
        one(CUBIC, "tied border_rank CC >= 3", argument="repeated-factor"),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "binary",
        "border-rank-by-double-real-roots",
        one(CUBIC, "tied border_rank RR >= 3", argument="real-rooted"),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "binary",
        "untied-border-rank-by-double-real-roots",
        one(monomial(5, 2), "untied border_rank RR >= 4", argument="real-rooted"),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "binary",
        "a-real-root-at-infinity",
        one(TWO_POWERS, "tied border_rank RR >= 4", argument="non-real-root"),
        "hypothesis",
        "/steps/0",
    ),
    reject(
        "binary",
        "a-simple-root-at-infinity",
        one(TWO_POWERS, "tied rank CC >= 4", argument="repeated-factor"),
        "hypothesis",
        "/steps/0",
    ),
    reject(
        "binary",
        "a-power",
        one(
            form("xy", {"xxx": 1, "xxy": 3, "xyy": 3, "yyy": 1}), "tied rank RR >= 3", argument="real-rooted"
        ),
        "hypothesis",
        "/steps/0",
    ),
    reject(
        "binary",
        "one-untied-unit",
        one(CUBIC, "untied rank RR >= 2", argument="real-rooted"),
        "hypothesis",
        "/steps/0",
    ),
    reject(
        "binary",
        "roots-that-are-not-real",
        one(ONE_REAL, "tied border_rank RR >= 3", argument="real-rooted"),
        "hypothesis",
        "/steps/0",
    ),
    reject(
        "binary",
        "two-generators-of-one-degree",
        # Killed by X^3 and Y^3: other operators of degree 3 have no repeated factor.
        one(SQUARES, "tied rank CC >= 3", argument="repeated-factor"),
        "hypothesis",
        "/steps/0",
    ),
    reject(
        "binary",
        "x3y2-over-qq-by-a-repeated-factor",
        one(monomial(3, 2), "tied rank CC >= 5", argument="repeated-factor"),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "binary",
        "splits-modulo-13",
        changed(NOT_SPLIT, f"{WITNESS}/prime", 13),
        "hypothesis",
        f"{WITNESS}/prime",
    ),
    reject(
        "binary",
        "a-double-root-modulo-2",
        # 1 is a root of t^2 - 5 modulo 2, and QQ(sqrt(5)) is not part of QQ_2.
        one(SPLIT_BY_ROOT_5, "tied border_rank QQ(a) >= 3", ROOT_5, argument="not-split", prime=2, root=1),
        "root",
        f"{WITNESS}/root",
    ),
    reject(
        "binary",
        "no-root-modulo-5",
        # QQ(sqrt(-2)) is not part of QQ_5.
        one(REZNICK, "tied border_rank QQ(a) >= 4", ROOT_MINUS_2, argument="not-split", prime=5, root=1),
        "root",
        f"{WITNESS}/root",
    ),
    reject(
        "binary",
        "no-root-given",
        without(NOT_SPLIT_QUADRATIC, f"{WITNESS}/root"),
        "root",
        WITNESS,
    ),
    reject(
        "binary",
        "a-root-over-qq",
        changed(NOT_SPLIT, f"{WITNESS}/root", 1),
        "root",
        WITNESS,
    ),
    reject("binary", "not-split-over-rr", changed(NOT_SPLIT, OVER, "RR"), "field", OVER),
    reject("binary", "repeated-factor-over-rr", changed(REPEATED, OVER, "RR"), "field", OVER),
    reject("binary", "real-roots-over-cc", changed(REAL, OVER, "CC"), "field", OVER),
    reject("binary", "hessian-over-cc", changed(HESSIAN, OVER, "CC"), "field", OVER),
    reject("binary", "squares-over-gf7", changed(NO_SQUARES, OVER, "GF(7)"), "field", OVER),
    reject("binary", "anisotropic-over-rr-at-a-place", changed(ANISOTROPIC, OVER, "RR"), "field", OVER),
    reject(
        "binary",
        "an-indefinite-form-over-rr",
        # 2 units over RR
        one(SQUARES, "untied rank RR >= 3", argument="anisotropic", degree=2, point=[1, 0]),
        "isotropic",
        WITNESS,
    ),
    reject(
        "binary",
        "isotropic-at-11",
        # 3 is a square modulo 11: untied rank 2 over QQ(sqrt(3)).
        one(
            SQUARES,
            "untied rank QQ(a) >= 3",
            ROOT_3,
            argument="anisotropic",
            degree=2,
            point=[1, 0],
            place=11,
            root=5,
        ),
        "isotropic",
        WITNESS,
    ),
    reject("binary", "isotropic-at-13", changed(ANISOTROPIC, f"{WITNESS}/place", 13), "isotropic", WITNESS),
    reject(
        "binary",
        "anisotropic-border-rank",
        changed(ANISOTROPIC, f"{CLAIM}/quantity", "border_rank"),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "binary",
        "no-condition-at-the-point",
        changed(ANISOTROPIC, f"{WITNESS}/point", [1, 1]),
        "hypothesis",
        f"{WITNESS}/point",
    ),
    reject(
        "binary",
        "a-root-at-infinity-is-not-excluded",
        # Four powers: Y (X - Y) (X + Y) X kills x^2 y^2.
        one(SQUARES, "tied rank RR >= 5", argument="anisotropic", degree=4, point=[1, 0]),
        "hypothesis",
        f"{WITNESS}/point",
    ),
    reject(
        "binary",
        "roots-of-degree-beyond-the-target",
        changed(ANISOTROPIC, f"{WITNESS}/degree", 3),
        "hypothesis",
        f"{WITNESS}/degree",
    ),
    reject(
        "binary",
        "hessian-with-a-real-rooted-operator",
        # X^2 - 3 Y^2 kills it.
        one(
            ONE_REAL, "tied border_rank RR >= 3", argument="hessian", degree=2, points=[[1, 0, 1], [0, 1, 1]]
        ),
        "not-definite",
        f"{WITNESS}/points",
    ),
    reject(
        "binary",
        "hessian-at-one-point",
        one(SQUARES, "tied border_rank RR >= 4", argument="hessian", degree=3, points=[[1, 0, 1]]),
        "not-definite",
        f"{WITNESS}/points",
    ),
    reject(
        "binary",
        "hessian-beyond-the-degree",
        changed(HESSIAN, f"{WITNESS}/degree", 4),
        "hypothesis",
        f"{WITNESS}/degree",
    ),
    reject(
        "binary",
        "squares-with-a-common-zero",
        # Y^2 kills x^2 y when squared, and so does Y.
        one(CUBIC, "untied border_rank CC >= 2", argument="squares", degree=1, macaulay=4, prime=101),
        "common-zero",
        f"{WITNESS}/macaulay",
    ),
    reject(
        "binary",
        "squares-in-too-small-a-degree",
        one(
            form("xy", {"xxxxxx": 1, "xxxyyy": 7, "xyyyyy": 3, "yyyyyy": 5}),
            "untied border_rank CC >= 3",
            argument="squares",
            degree=2,
            macaulay=2,
            prime=101,
        ),
        "common-zero",
        f"{WITNESS}/macaulay",
    ),
    reject(
        "binary",
        "squares-modulo-a-prime-that-divides-all",
        one(
            form("xy", {"xxx": 1, "xyy": 3}),
            "untied border_rank CC >= 2",
            argument="squares",
            degree=1,
            macaulay=3,
            prime=3,
        ),
        "common-zero",
        f"{WITNESS}/macaulay",
    ),
    reject(
        "binary",
        "squares-beyond-half-the-degree",
        changed(changed(NO_SQUARES, f"{WITNESS}/degree", 2), f"{CLAIM}/value", 3),
        "hypothesis",
        f"{WITNESS}/degree",
    ),
    reject(
        "binary",
        "distinct-squares-exist",
        one(SQUARES, "untied rank CC >= 3", argument="distinct-squares", degree=2, power=2),
        "not-in-ideal",
        f"{WITNESS}/power",
    ),
    reject(
        "binary",
        "too-small-a-power",
        changed(DISTINCT, f"{WITNESS}/power", 1),
        "not-in-ideal",
        f"{WITNESS}/power",
    ),
    reject(
        "binary",
        "distinct-squares-border-rank",
        changed(DISTINCT, f"{CLAIM}/quantity", "border_rank"),
        "claim-differs",
        CLAIM,
    ),
    reject("binary", "squares-tied", changed(NO_SQUARES, f"{CLAIM}/units", "tied"), "hypothesis", "/steps/0"),
    reject(
        "binary",
        "repeated-factor-untied",
        changed(REPEATED, f"{CLAIM}/units", "untied"),
        "hypothesis",
        "/steps/0",
    ),
    reject(
        "binary", "hessian-untied", changed(HESSIAN, f"{CLAIM}/units", "untied"), "hypothesis", "/steps/0"
    ),
    reject("binary", "real-rooted-split", changed(REAL, f"{CLAIM}/units", "split"), "hypothesis", "/steps/0"),
    reject(
        "binary",
        "anisotropic-split",
        changed(ANISOTROPIC, f"{CLAIM}/units", "split"),
        "hypothesis",
        "/steps/0",
    ),
    reject(
        "binary",
        "three-variables",
        one(form("xyz", {"xxy": 1}), "tied rank CC >= 3", argument="repeated-factor"),
        "hypothesis",
        "/steps/0",
    ),
    reject(
        "binary",
        "two-forms",
        one(forms("xy", [{"xxy": 1}, {"xyy": 1}]), "tied rank CC >= 3", argument="repeated-factor"),
        "hypothesis",
        "/steps/0",
    ),
    reject(
        "binary",
        "a-tensor",
        one(tensor((2, 2, 2), {(0, 0, 1): 1}), "product rank CC >= 3", argument="repeated-factor"),
        "hypothesis",
        "/steps/0",
    ),
    reject(
        "binary",
        "coefficients-in-a-number-field",
        one(form("xy", {"xxy": [0, 1]}, "QQ(a)"), "tied rank CC >= 3", ROOT_3, argument="repeated-factor"),
        "hypothesis",
        "/steps/0",
    ),
]

UNREADABLE: list[Case] = [
    unreadable(
        "binary",
        "unknown-argument",
        changed(REPEATED, f"{WITNESS}/argument", "split"),
        "unknown-argument",
        f"{WITNESS}/argument",
    ),
    unreadable("binary", "no-argument", changed(REPEATED, WITNESS, {}), "wrong-type", f"{WITNESS}/argument"),
    unreadable(
        "binary",
        "argument-1",
        changed(REPEATED, f"{WITNESS}/argument", 1),
        "wrong-type",
        f"{WITNESS}/argument",
    ),
    unreadable(
        "binary",
        "a-generator",
        changed(REPEATED, f"{WITNESS}/generator", [0, 0, 1]),
        "unknown-key",
        f"{WITNESS}/generator",
    ),
    unreadable(
        "binary", "prime-9", changed(NOT_SPLIT, f"{WITNESS}/prime", 9), "not-prime", f"{WITNESS}/prime"
    ),
    unreadable(
        "binary",
        "squares-modulo-9",
        changed(NO_SQUARES, f"{WITNESS}/prime", 9),
        "not-prime",
        f"{WITNESS}/prime",
    ),
    unreadable(
        "binary", "place-9", changed(ANISOTROPIC, f"{WITNESS}/place", 9), "not-prime", f"{WITNESS}/place"
    ),
    unreadable(
        "binary",
        "negative-root",
        changed(NOT_SPLIT_QUADRATIC, f"{WITNESS}/root", -1),
        "out-of-range",
        f"{WITNESS}/root",
    ),
    unreadable(
        "binary",
        "weight-zero",
        changed(HESSIAN, f"{WITNESS}/points/0/2", 0),
        "out-of-range",
        f"{WITNESS}/points/0/2",
    ),
    unreadable(
        "binary",
        "negative-weight",
        changed(HESSIAN, f"{WITNESS}/points/0/2", "-1/2"),
        "out-of-range",
        f"{WITNESS}/points/0/2",
    ),
    unreadable(
        "binary", "no-points", changed(HESSIAN, f"{WITNESS}/points", []), "empty-list", f"{WITNESS}/points"
    ),
    unreadable(
        "binary",
        "hessian-of-degree-1",
        changed(HESSIAN, f"{WITNESS}/degree", 1),
        "out-of-range",
        f"{WITNESS}/degree",
    ),
    unreadable(
        "binary",
        "point-zero",
        changed(ANISOTROPIC, f"{WITNESS}/point", [0, 0]),
        "out-of-range",
        f"{WITNESS}/point",
    ),
    unreadable(
        "binary",
        "one-root",
        changed(ANISOTROPIC, f"{WITNESS}/degree", 1),
        "out-of-range",
        f"{WITNESS}/degree",
    ),
    unreadable(
        "binary", "power-zero", changed(DISTINCT, f"{WITNESS}/power", 0), "out-of-range", f"{WITNESS}/power"
    ),
]

UNDECIDED: list[Case] = [
    undecided(
        "binary",
        "discriminant-of-degree-6",
        one(monomial(11, 2), "untied rank CC >= 7", argument="distinct-squares", degree=6, power=1),
        "limit-degree",
        f"{WITNESS}/degree",
    ),
    undecided(
        "binary",
        "a-power-of-degree-40",
        one(monomial(11, 2), "untied rank CC >= 6", argument="distinct-squares", degree=5, power=5),
        "limit-dimension",
        f"{WITNESS}/power",
    ),
    undecided(
        "binary",
        "long-coefficients",
        one(
            form("xy", {"x" * 63 + "y": "7" * 3999, "x" * 31 + "y" * 33: "3" * 3998 + "1"}),
            "tied rank CC >= 3",
            argument="repeated-factor",
        ),
        "limit-operations",
        "/steps/0",
    ),
]

CASES = ACCEPTED + REJECTED + UNREADABLE + UNDECIDED

"""Files of the rule ``apolar-length``."""

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
P = 1048573


def power(i: int, degree: int = 2) -> Json:
    """The operator X_i^degree."""
    return [[[i] * degree, 1]]


def one(
    target: Json,
    claim: str,
    operators: list[Json],
    macaulay: int,
    degree: int = 2,
    fields: list[Json] | None = None,
    prime: int = P,
    **more: Json,
) -> dict[str, Json]:
    """A certificate of one step, with its own claim as the conclusion."""
    units, quantity, over, _, value = claim.split()
    witness = {"degree": degree, "operators": operators, "macaulay": macaulay, "prime": prime, **more}
    return certificate(
        target,
        [step("apolar-length", claim, **witness)],
        [f"{units} {quantity} {over} {value}.."],
        fields or (),
    )


XYZ = form("xyz", {"xyz": 1})
SQUARES = [power(0), power(1), power(2)]
TIED = one(XYZ, "tied rank CC >= 4", SQUARES, 4)
QUADRIC = form("xyz", {"xx": 1, "yy": 1, "zz": 1})
ORTHOGONAL = [
    form("xyz", terms)["entries"]
    for terms in ({"xx": 1, "yy": -1}, {"xx": 1, "zz": -1}, {"xy": 1}, {"yz": 1}, {"xz": 1})
]
TWO_TRIPLES = form("uvwxyz", {"uvw": 1, "xyz": 1})
TWO = forms("xy", [{"xxy": 1}, {"xyy": 1}])
ROOT = number_field("a", -2, 0, 1)
OVER_ROOT_2 = one(
    form("xy", {"xxx": 1, "yyy": [0, 1]}, "QQ(a)"),
    "tied rank CC >= 2",
    [[[[0, 0, 0], [0, 1]], [[1, 1, 1], -1]], [[[0, 0, 1], 1]], [[[0, 1, 1], 1]]],
    4,
    3,
    [ROOT],
    prime=7,
    root=3,
)

ACCEPTED = [
    accept("apolar-length", "xyz-tied", TIED),
    accept("apolar-length", "xyz-untied", one(XYZ, "untied rank CC >= 2", SQUARES, 4)),
    accept(
        "apolar-length",
        "wxyz-mixed-2",
        # 16 / (2 * 3)
        one(form("wxyz", {"wxyz": 1}), "mixed:2 rank CC >= 3", [power(i) for i in range(4)], 5),
    ),
    accept(
        "apolar-length",
        "two-triples-untied",
        one(TWO_TRIPLES, "untied rank CC >= 4", [power(i) for i in range(6)], 7),
    ),
    accept("apolar-length", "quadric", one(QUADRIC, "tied rank CC >= 3", ORTHOGONAL, 3)),
    # The ranks of the catalecticants of a map are not symmetric: 1 + 2 + 3 + 2.
    accept("apolar-length", "two-outputs", one(TWO, "tied rank CC >= 3", [power(0, 3), power(1, 3)], 5, 3)),
    accept("apolar-length", "over-root-2", OVER_ROOT_2),
    accept(
        "apolar-length",
        "operators-beyond-the-degree",
        one(form("xy", {"xyy": 1}), "tied rank CC >= 2", [power(0, 4), power(1, 4)], 7, 4),
    ),
]

REJECTED = [
    reject(
        "apolar-length",
        "a-common-zero",
        # x^5 is one power; y kills it and vanishes at its point.
        one(form("xy", {"xxxxx": 1}), "tied rank CC >= 6", [power(1, 1)], 1, 1),
        "common-zero",
        f"{WITNESS}/macaulay",
    ),
    reject(
        "apolar-length",
        "full-row-rank-only",
        one(form("xy", {"yyyyyy": 1}), "tied rank CC >= 4", [power(0)], 2),
        "common-zero",
        f"{WITNESS}/macaulay",
    ),
    reject(
        "apolar-length",
        "macaulay-degree-too-low",
        changed(TIED, f"{WITNESS}/macaulay", 3),
        "common-zero",
        f"{WITNESS}/macaulay",
    ),
    reject(
        "apolar-length",
        "not-apolar",
        changed(TIED, f"{WITNESS}/operators/1", [[[0, 1], 1]]),
        "not-apolar",
        f"{WITNESS}/operators/1",
    ),
    reject(
        "apolar-length",
        "apolar-modulo-the-prime-only",
        one(form("xyz", {"xyz": 1, "xxy": 7}), "tied rank CC >= 4", SQUARES, 4, prime=7),
        "not-apolar",
        f"{WITNESS}/operators/0",
    ),
    reject(
        "apolar-length",
        "kills-the-first-output-only",
        one(forms("xy", [{"xyy": 1}, {"xxx": 1}]), "tied rank CC >= 2", [power(0), power(1, 2)], 3),
        "not-apolar",
        f"{WITNESS}/operators/0",
    ),
    reject("apolar-length", "xyz-tied-five", changed(TIED, f"{CLAIM}/value", 5), "claim-differs", CLAIM),
    reject(
        "apolar-length", "xyz-untied-four", changed(TIED, f"{CLAIM}/units", "untied"), "claim-differs", CLAIM
    ),
    reject(
        "apolar-length",
        "border-rank",
        changed(TIED, f"{CLAIM}/quantity", "border_rank"),
        "claim-differs",
        CLAIM,
    ),
    reject("apolar-length", "split-units", changed(TIED, f"{CLAIM}/units", "split"), "hypothesis", STEP),
    reject("apolar-length", "over-rr", changed(TIED, f"{CLAIM}/over", "RR"), "field", f"{CLAIM}/over"),
    reject(
        "apolar-length",
        "finite-field",
        one(form("xyz", {"xyz": 1}, "GF(7)"), "tied rank GF(7) >= 4", SQUARES, 4, prime=7),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        "apolar-length",
        "prime-in-a-denominator-of-an-operator",
        one(XYZ, "tied rank CC >= 4", [[[[0, 0], "1/7"]], *SQUARES[1:]], 4, prime=7),
        "denominator",
        f"{WITNESS}/prime",
    ),
    reject(
        "apolar-length", "no-root-of-2", changed(OVER_ROOT_2, f"{WITNESS}/root", 2), "root", f"{WITNESS}/root"
    ),
    reject("apolar-length", "root-missing", without(OVER_ROOT_2, f"{WITNESS}/root"), "root", WITNESS),
]

UNREADABLE = [
    unreadable(
        "apolar-length",
        "product-units",
        certificate(
            tensor((2, 2), {(0, 0): 1, (1, 1): 1}),
            [
                step(
                    "apolar-length",
                    "product rank CC >= 2",
                    degree=2,
                    operators=[power(0)],
                    macaulay=2,
                    prime=P,
                )
            ],
            ["product rank CC 2.."],
        ),
        "units-do-not-fit",
        f"{CLAIM}/units",
    ),
    unreadable(
        "apolar-length",
        "degree-0",
        changed(TIED, f"{WITNESS}/degree", 0),
        "out-of-range",
        f"{WITNESS}/degree",
    ),
    unreadable(
        "apolar-length",
        "degree-65",
        changed(TIED, f"{WITNESS}/degree", 65),
        "out-of-range",
        f"{WITNESS}/degree",
    ),
    unreadable(
        "apolar-length",
        "macaulay-degree-below-the-degree",
        changed(TIED, f"{WITNESS}/macaulay", 1),
        "out-of-range",
        f"{WITNESS}/macaulay",
    ),
    unreadable(
        "apolar-length",
        "no-operators",
        changed(TIED, f"{WITNESS}/operators", []),
        "empty-list",
        f"{WITNESS}/operators",
    ),
    unreadable(
        "apolar-length",
        "a-zero-operator",
        changed(TIED, f"{WITNESS}/operators/0", []),
        "empty-list",
        f"{WITNESS}/operators/0",
    ),
    unreadable(
        "apolar-length",
        "operators-of-two-degrees",
        changed(TIED, f"{WITNESS}/operators/0", power(0, 3)),
        "wrong-length",
        f"{WITNESS}/operators/0/0/0",
    ),
    unreadable(
        "apolar-length", "modulus-4", changed(TIED, f"{WITNESS}/prime", 4), "not-prime", f"{WITNESS}/prime"
    ),
    unreadable(
        "apolar-length", "no-macaulay-degree", without(TIED, f"{WITNESS}/macaulay"), "missing-key", WITNESS
    ),
    unreadable(
        "apolar-length", "a-length", changed(TIED, f"{WITNESS}/length", 1), "unknown-key", f"{WITNESS}/length"
    ),
]

WIDE: Json = {"space": [[40, 3]], "ring": "QQ", "entries": [[[0, 0, 0], 1]]}
UNDECIDED = [
    undecided(
        "apolar-length",
        "degree-with-too-many-monomials",
        one(WIDE, "tied rank CC >= 1", [power(1)], 5),
        "limit-flattening",
        f"{WITNESS}/macaulay",
    ),
    undecided(
        "apolar-length",
        "too-many-multiples",
        # 975 operators times 11,480 monomials of degree 3.
        one(WIDE, "tied rank CC >= 1", [[[[i], 1]] for i in range(1, 40)] * 25, 4, 1),
        "limit-operations",
        f"{WITNESS}/macaulay",
    ),
]

CASES = ACCEPTED + REJECTED + UNREADABLE + UNDECIDED

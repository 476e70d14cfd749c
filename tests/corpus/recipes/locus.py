"""Files of the rule ``locus``."""

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


def one(
    target: Json,
    claim: str,
    degree: int,
    added: list[Json] | None = None,
    fields: list[Json] | None = None,
    prime: int = P,
    **more: Json,
) -> dict[str, Json]:
    """A certificate of one step, with its own claim as the conclusion."""
    units, _, over, _, value = claim.split()
    witness = {"added": added or [], "degree": degree, "prime": prime, **more}
    return certificate(
        target, [step("locus", claim, **witness)], [f"{units} border_rank {over} {value}.."], fields or ()
    )


FERMAT = form("xyz", {"xxx": 1, "yyy": 1, "zzz": 1})
NODAL = form("xyz", {"xxx": 1, "xyy": 1, "xzz": 1})
QUINTIC = form("xy", {"xxxxx": 1, "yyyyy": 1})
QUADRIC = form("xyz", {"xx": 1, "yy": 1, "zz": 1})
TWO = forms("xy", [{"xxx": 1}, {"yyy": 1}])
ROOT = number_field("a", -2, 0, 1)
TWISTED = form("xy", {"xxx": 1, "yyy": [0, 1]}, "QQ(a)")
X, Y, Z = ([[[i], 1]] for i in range(3))

SMOOTH = one(FERMAT, "untied border_rank CC >= 3", 4)
CUT = one(NODAL, "untied border_rank CC >= 2", 3, [Z])
OVER_ROOT_2 = one(TWISTED, "untied border_rank CC >= 2", 3, fields=[ROOT], prime=7, root=3)

ACCEPTED = [
    accept("locus", "three-cubes-untied", SMOOTH),
    accept("locus", "cut-by-a-plane", CUT),
    accept("locus", "three-cubes-tied", one(FERMAT, "tied border_rank CC >= 3", 1)),
    accept("locus", "two-fifth-powers-mixed-2", one(QUINTIC, "mixed:2 border_rank CC >= 2", 5)),
    accept("locus", "quadric-split", one(QUADRIC, "split border_rank CC >= 1", 2, [Y, Z])),
    accept(
        "locus",
        "two-products",
        one(forms("xy", [{"xxx": 1}, {"yyy": 1}]), "split border_rank CC >= 2", 5),
    ),
    accept("locus", "two-outputs", one(TWO, "untied border_rank CC >= 2", 3)),
    accept("locus", "over-gf-7", one(FERMAT, "untied border_rank GF(7) >= 3", 4, prime=7)),
    accept(
        "locus",
        "target-over-gf-7",
        one(form("xy", {"xxx": 1, "yyy": 5}, "GF(7)"), "untied border_rank GF(7) >= 2", 3, prime=7),
    ),
    accept("locus", "root-of-2-modulo-7", OVER_ROOT_2),
]

REJECTED = [
    reject(
        "locus", "degree-too-low", changed(SMOOTH, f"{WITNESS}/degree", 3), "common-zero", f"{WITNESS}/degree"
    ),
    reject(
        "locus",
        "plane-left-out",
        # x = 0, y^2 + z^2 = 0 has a solution over CC.
        changed(changed(CUT, f"{WITNESS}/added", []), f"{CLAIM}/value", 3),
        "common-zero",
        f"{WITNESS}/degree",
    ),
    reject(
        "locus",
        "plane-through-the-zeros",
        changed(CUT, f"{WITNESS}/added", [X]),
        "common-zero",
        f"{WITNESS}/degree",
    ),
    reject(
        "locus",
        "full-row-rank-only",
        # The multiples of x^2 are independent in every degree, and (0 : 1) is a zero of all of them.
        one(form("xy", {"xxx": 1}), "untied border_rank CC >= 2", 3),
        "common-zero",
        f"{WITNESS}/degree",
    ),
    reject(
        "locus",
        "powers-of-degree-2",
        # x^2 - y^2 is one product; for d = 2 its zeros are those of the form itself.
        one(form("xy", {"xx": 1, "yy": -1}), "untied border_rank CC >= 2", 3),
        "common-zero",
        f"{WITNESS}/degree",
    ),
    reject(
        "locus",
        "split-units-with-derivatives",
        # x y z is one product. Its derivatives vanish on the axes only, it vanishes on three planes.
        one(form("xyz", {"xyz": 1}), "split border_rank CC >= 2", 4, [[[[0], 1], [[1], 1], [[2], 1]]]),
        "common-zero",
        f"{WITNESS}/degree",
    ),
    reject("locus", "three-cubes-four", changed(SMOOTH, f"{CLAIM}/value", 4), "claim-differs", CLAIM),
    reject(
        "locus",
        "planes-not-subtracted",
        changed(CUT, f"{CLAIM}/value", 3),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "locus",
        "rank-where-border-rank-is-derived",
        changed(SMOOTH, f"{CLAIM}/quantity", "rank"),
        "claim-differs",
        CLAIM,
    ),
    reject("locus", "over-rr", changed(SMOOTH, f"{CLAIM}/over", "RR"), "field", f"{CLAIM}/over"),
    reject(
        "locus",
        "untied-linear-forms",
        one(form("xy", {"x": 1}), "untied border_rank CC >= 1", 1, [Y]),
        "hypothesis",
        STEP,
    ),
    reject(
        "locus",
        "prime-of-another-field",
        one(FERMAT, "untied border_rank GF(7) >= 3", 4, prime=5),
        "prime",
        f"{WITNESS}/prime",
    ),
    reject(
        "locus",
        "vanishing-modulo-3",
        # The second derivatives of x^3 + y^3 + z^3 vanish modulo 3.
        one(FERMAT, "untied border_rank GF(3) >= 3", 4, prime=3),
        "common-zero",
        f"{WITNESS}/degree",
    ),
    reject("locus", "no-root-of-2", changed(OVER_ROOT_2, f"{WITNESS}/root", 2), "root", f"{WITNESS}/root"),
    reject("locus", "root-missing", without(OVER_ROOT_2, f"{WITNESS}/root"), "root", WITNESS),
    reject("locus", "root-without-a-field", changed(SMOOTH, f"{WITNESS}/root", 2), "root", WITNESS),
    reject(
        "locus",
        "prime-in-a-denominator",
        one(form("xy", {"xxx": "1/7", "yyy": 1}), "untied border_rank CC >= 2", 3, prime=7),
        "denominator",
        f"{WITNESS}/prime",
    ),
    reject(
        "locus",
        "second-output-alone",
        one(forms("xy", [{"xxx": 1}, {"xxy": 1}]), "untied border_rank CC >= 2", 4),
        "common-zero",
        f"{WITNESS}/degree",
    ),
]

UNREADABLE = [
    unreadable(
        "locus",
        "product-units",
        certificate(
            tensor((2, 2), {(0, 0): 1, (1, 1): 1}),
            [step("locus", "product border_rank CC >= 2", added=[], degree=1, prime=P)],
            ["product rank CC 2.."],
        ),
        "units-do-not-fit",
        f"{CLAIM}/units",
    ),
    unreadable(
        "locus", "degree-0", changed(SMOOTH, f"{WITNESS}/degree", 0), "out-of-range", f"{WITNESS}/degree"
    ),
    unreadable(
        "locus", "degree-65", changed(SMOOTH, f"{WITNESS}/degree", 65), "out-of-range", f"{WITNESS}/degree"
    ),
    unreadable(
        "locus",
        "more-planes-than-variables",
        changed(CUT, f"{WITNESS}/added", [X, Y, Z, X]),
        "wrong-length",
        f"{WITNESS}/added",
    ),
    unreadable(
        "locus",
        "a-quadric-added",
        changed(CUT, f"{WITNESS}/added/0/0/0", [2, 2]),
        "wrong-length",
        f"{WITNESS}/added/0/0/0",
    ),
    unreadable(
        "locus", "zero-form-added", changed(CUT, f"{WITNESS}/added/0", []), "empty-list", f"{WITNESS}/added/0"
    ),
    unreadable("locus", "modulus-4", changed(SMOOTH, f"{WITNESS}/prime", 4), "not-prime", f"{WITNESS}/prime"),
    unreadable("locus", "no-prime", without(SMOOTH, f"{WITNESS}/prime"), "missing-key", WITNESS),
    unreadable(
        "locus", "an-order", changed(SMOOTH, f"{WITNESS}/order", 1), "unknown-key", f"{WITNESS}/order"
    ),
]

WIDE: Json = {"space": [[30, 3]], "ring": "QQ", "entries": [[[0, 0, 0], 1]]}
UNDECIDED = [
    undecided(
        "locus",
        "degree-with-too-many-monomials",
        one(WIDE, "untied border_rank CC >= 1", 6),
        "limit-flattening",
        f"{WITNESS}/degree",
    ),
    undecided(
        "locus",
        "too-many-multiples",
        # 20 forms x_i^2 in 20 variables, multiplied by 8855 monomials of degree 4, and again for the terms of each.
        one(
            {
                "space": [[60, 20]],
                "ring": "QQ",
                "entries": [[[i] * 10 + [j] * 10, 1] for i in range(60) for j in range(i + 1, 60)],
            },
            "tied border_rank CC >= 1",
            1,
        ),
        "limit-operations",
        STEP,
    ),
]

CASES = ACCEPTED + REJECTED + UNREADABLE + UNDECIDED

"""Files of the rule ``landsberg-teitler``."""

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
    order: int,
    family: list[Json],
    parameters: int,
    degree: int = 1,
    point: list[int] | None = None,
    **more: Json,
) -> dict[str, Json]:
    """A certificate of one step, with its own claim as the conclusion."""
    units, quantity, over, _, value = claim.split()
    witness = {
        "order": order,
        "parameters": parameters,
        "degree": degree,
        "family": family,
        "point": point or [0] * parameters,
        "prime": P,
        **more,
    }
    return certificate(
        target, [step("landsberg-teitler", claim, **witness)], [f"{units} {quantity} {over} {value}.."]
    )


def t(*letters: int) -> Json:
    """A monomial of the parameters."""
    return [[list(letters), 1]]


CUSP = form("xy", {"xxy": 1})
TIED = one(CUSP, "tied rank CC >= 3", 1, [[], t(0)], 1)
DET = one(
    named("det", 3),
    "tied rank CC >= 14",
    1,
    [t(i, 3 + j) for i in range(3) for j in range(3)],
    6,
    2,
    [1, 0, 0, 1, 0, 0],
)
ROW = [t(0), t(1), t(2), [], [], [], [], [], []]
UNTIED = one(form("xy", {"xxxxxyyy": 1}), "untied rank CC >= 3", 3, [[], t(0)], 1, macaulay=2)

ACCEPTED = [
    accept("landsberg-teitler", "x2y-tied", TIED),
    accept("landsberg-teitler", "det-3", DET),
    accept("landsberg-teitler", "perm-3-one-row", one(named("perm", 3), "tied rank CC >= 12", 1, ROW, 3)),
    # (4 + 1) / 2
    accept("landsberg-teitler", "x5y3-untied", UNTIED),
    # (3 + 1) / 3
    accept(
        "landsberg-teitler",
        "x3y3-mixed-2",
        one(form("xy", {"xxxyyy": 1}), "mixed:2 rank CC >= 2", 2, [t(0), []], 1, macaulay=3),
    ),
    accept(
        "landsberg-teitler",
        "a-line",
        # x^2 (y + z) + x y z vanishes on x = 0, and to the second order where y = z = 0 or x = y = 0 too.
        one(form("xyz", {"xxy": 1, "xxz": 1, "xyz": 1}), "tied rank CC >= 4", 1, [[], t(0), []], 1),
    ),
    accept(
        "landsberg-teitler",
        "a-larger-family-than-its-cone",
        # Two parameters, one point.
        one(CUSP, "tied rank CC >= 3", 1, [[], [[[0], 1], [[1], 1]]], 2),
    ),
]

REJECTED = [
    reject(
        "landsberg-teitler",
        "x3-in-two-variables",
        # Not concise: 1 + 0 + 1 would be 2, and x^3 is one unit.
        one(form("xy", {"xxx": 1}), "tied rank CC >= 2", 1, [[], t(0)], 1),
        "hypothesis",
        STEP,
    ),
    reject(
        "landsberg-teitler",
        "x2y-untied",
        # y^2 o F = 0: the hypothesis fails, and (2 + 0 + 1) / 2 would be 2 units.
        one(CUSP, "untied rank CC >= 2", 1, [[], t(0)], 1, macaulay=3),
        "common-zero",
        f"{WITNESS}/macaulay",
    ),
    reject(
        "landsberg-teitler",
        "untied-without-a-macaulay-degree",
        without(UNTIED, f"{WITNESS}/macaulay"),
        "hypothesis",
        WITNESS,
    ),
    reject(
        "landsberg-teitler",
        "tied-with-a-macaulay-degree",
        changed(TIED, f"{WITNESS}/macaulay", 3),
        "hypothesis",
        f"{WITNESS}/macaulay",
    ),
    reject(
        "landsberg-teitler", "x5y3-untied-four", changed(UNTIED, f"{CLAIM}/value", 4), "claim-differs", CLAIM
    ),
    reject("landsberg-teitler", "x2y-four", changed(TIED, f"{CLAIM}/value", 4), "claim-differs", CLAIM),
    reject(
        "landsberg-teitler",
        "border-rank",
        changed(TIED, f"{CLAIM}/quantity", "border_rank"),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "landsberg-teitler",
        "a-point-outside",
        changed(TIED, f"{WITNESS}/family", [t(0), []]),
        "not-in-locus",
        f"{WITNESS}/family",
    ),
    reject(
        "landsberg-teitler",
        "all-matrices",
        changed(changed(DET, f"{WITNESS}/family/4", [[[1, 4], 1], [[2, 5], 1]]), f"{CLAIM}/value", 15),
        "not-in-locus",
        f"{WITNESS}/family",
    ),
    reject(
        "landsberg-teitler",
        "derivative-zero-at-the-point",
        changed(DET, f"{WITNESS}/point", [0, 0, 0, 0, 0, 0]),
        "degenerate-point",
        f"{WITNESS}/point",
    ),
    reject(
        "landsberg-teitler",
        "order-beyond-the-degree-less-the-length",
        changed(UNTIED, f"{WITNESS}/order", 7),
        "hypothesis",
        f"{WITNESS}/order",
    ),
    reject(
        "landsberg-teitler",
        "order-3-of-a-cubic",
        changed(TIED, f"{WITNESS}/order", 3),
        "hypothesis",
        f"{WITNESS}/order",
    ),
    reject(
        "landsberg-teitler",
        "two-outputs",
        one(forms("xy", [{"xxy": 1}, {"xxx": 1}]), "tied rank CC >= 3", 1, [[], t(0)], 1),
        "hypothesis",
        STEP,
    ),
    reject("landsberg-teitler", "split-units", changed(TIED, f"{CLAIM}/units", "split"), "hypothesis", STEP),
    reject("landsberg-teitler", "over-rr", changed(TIED, f"{CLAIM}/over", "RR"), "field", f"{CLAIM}/over"),
    reject(
        "landsberg-teitler",
        "coefficients-in-a-number-field",
        changed(
            changed(TIED, "/target", form("xy", {"xxy": [0, 1]}, "QQ(a)")),
            "/number_fields",
            [number_field("a", -2, 0, 1)],
        ),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        "landsberg-teitler",
        "prime-in-a-denominator-of-the-family",
        changed(changed(TIED, f"{WITNESS}/family/1", [[[0], "1/7"]]), f"{WITNESS}/prime", 7),
        "denominator",
        f"{WITNESS}/family",
    ),
]

UNREADABLE = [
    unreadable(
        "landsberg-teitler",
        "product-units-on-vectors",
        certificate(
            tensor((2,), {(0,): 1}),
            [{**TIED["steps"][0], "claim": step("", "product rank CC >= 1")["claim"]}],
            ["product rank CC 1.."],
        ),
        "units-do-not-fit",
        f"{CLAIM}/units",
    ),
    unreadable(
        "landsberg-teitler",
        "order-0",
        changed(TIED, f"{WITNESS}/order", 0),
        "out-of-range",
        f"{WITNESS}/order",
    ),
    unreadable(
        "landsberg-teitler",
        "no-parameters",
        changed(TIED, f"{WITNESS}/parameters", 0),
        "out-of-range",
        f"{WITNESS}/parameters",
    ),
    unreadable(
        "landsberg-teitler",
        "constant",
        changed(TIED, f"{WITNESS}/degree", 0),
        "out-of-range",
        f"{WITNESS}/degree",
    ),
    unreadable(
        "landsberg-teitler",
        "one-form-for-two-variables",
        changed(TIED, f"{WITNESS}/family", [t(0)]),
        "wrong-length",
        f"{WITNESS}/family",
    ),
    unreadable(
        "landsberg-teitler",
        "forms-of-two-degrees",
        changed(TIED, f"{WITNESS}/family/0", t(0, 0)),
        "wrong-length",
        f"{WITNESS}/family/0/0/0",
    ),
    unreadable(
        "landsberg-teitler",
        "parameter-beyond-the-last",
        changed(TIED, f"{WITNESS}/family/1", t(1)),
        "out-of-range",
        f"{WITNESS}/family/1/0/0/0",
    ),
    unreadable(
        "landsberg-teitler",
        "short-point",
        changed(DET, f"{WITNESS}/point", [1]),
        "wrong-length",
        f"{WITNESS}/point",
    ),
    unreadable(
        "landsberg-teitler",
        "fraction-as-a-point",
        changed(TIED, f"{WITNESS}/point/0", "1/2"),
        "wrong-type",
        f"{WITNESS}/point/0",
    ),
    unreadable(
        "landsberg-teitler",
        "modulus-4",
        changed(TIED, f"{WITNESS}/prime", 4),
        "not-prime",
        f"{WITNESS}/prime",
    ),
    unreadable(
        "landsberg-teitler",
        "macaulay-degree-0",
        changed(UNTIED, f"{WITNESS}/macaulay", 0),
        "out-of-range",
        f"{WITNESS}/macaulay",
    ),
    unreadable("landsberg-teitler", "no-point", without(TIED, f"{WITNESS}/point"), "missing-key", WITNESS),
    unreadable(
        "landsberg-teitler",
        "a-dimension",
        changed(TIED, f"{WITNESS}/dimension", 1),
        "unknown-key",
        f"{WITNESS}/dimension",
    ),
]

LONG = [[[i], 1] for i in range(4096)]
UNDECIDED = [
    undecided(
        "landsberg-teitler",
        "too-many-terms-to-substitute",
        one(form("xy", {"xxyy": 1}), "tied rank CC >= 3", 1, [LONG, LONG], 4096),
        "limit-operations",
        f"{WITNESS}/family",
    ),
]

CASES = ACCEPTED + REJECTED + UNREADABLE + UNDECIDED

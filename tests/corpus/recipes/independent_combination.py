"""Files of the rule ``independent-combination``."""

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
    unreadable,
    without,
)

STEP = "/steps/0"
CLAIM = f"{STEP}/claim"
WITNESS = f"{STEP}/witness"
POLYNOMIAL = f"{WITNESS}/minimal_polynomial"


def one(
    target: Json,
    claim: str,
    covectors: Json,
    orders: Json,
    polynomial: Json = None,
    factor: int = 1,
    degree: int = 1,
    fields: list[Json] | None = None,
) -> dict[str, Json]:
    """A certificate of one step, with its own claim as the conclusion."""
    units, quantity, over, _, value = claim.split()
    witness = {"factor": factor, "degree": degree, "covectors": covectors, "orders": orders}
    if polynomial is not None:
        witness["minimal_polynomial"] = polynomial
    return certificate(
        target,
        [step("independent-combination", claim, **witness)],
        [f"{units} {quantity} {over} {value}.."],
        fields or (),
    )


def coordinates(*places: int) -> Json:
    """Coordinate covectors."""
    return [[[[i], 1]] for i in places]


I = [1, 0, 1]
ROOT_2 = [-2, 0, 1]
CUBE_ROOT_2 = [-2, 0, 0, 1]
COMPLEX = forms("abcd", [{"ac": 1, "bd": -1}, {"ad": 1, "bc": 1}])
HESSE = form("xyz", {"xxx": 1, "yyy": 1, "zzz": 1, "xyz": 6})
LINES = forms("xyz", [{"xy": 1}, {"xz": 1}])
# Multiplication in QQ[t]/(t^3 - 2): coordinates of the product of (a, b, c) and (d, e, f).
CUBIC = forms(
    "abcdef", [{"ad": 1, "bf": 2, "ce": 2}, {"ae": 1, "bd": 1, "cf": 2}, {"af": 1, "be": 1, "cd": 1}]
)
CUBIC_TENSOR = tensor(
    (3, 3, 3), {(i, j, (i + j) % 3): 2 if i + j > 2 else 1 for i in range(3) for j in range(3)}
)

TIED = one(COMPLEX, "tied rank RR >= 6", coordinates(0, 1), [1, 0], I)
PRODUCT = one(named("complex_product"), "product rank RR >= 3", coordinates(0, 1), [1, 0, 0], I, factor=2)
GENERIC = one(LINES, "tied rank CC >= 4", coordinates(0, 1), [1, 0])
FIELD = one(CUBIC_TENSOR, "product rank QQ >= 5", coordinates(0, 1, 2), [1, 0, 0], CUBE_ROOT_2, factor=2)
DERIVATIVES = one(HESSE, "tied rank RR >= 4", [[[[0], 1]], [[[1], -1]]], [1], [1, 1, 1], factor=0)

ACCEPTED = [
    accept("independent-combination", "complex-product-tied", TIED),
    accept(
        "independent-combination",
        "complex-product-untied",
        one(COMPLEX, "untied rank RR >= 3", coordinates(0, 1), [1, 0], I),
    ),
    accept("independent-combination", "complex-product-tensor", PRODUCT),
    accept("independent-combination", "a-cubic-field-tensor", FIELD),
    accept(
        "independent-combination",
        "a-cubic-field-untied",
        one(CUBIC, "untied rank QQ >= 5", coordinates(0, 1, 2), [1, 0], CUBE_ROOT_2),
    ),
    accept(
        "independent-combination",
        "two-coordinates-of-a-cubic-field-over-rr",
        # Over RR the field is RR x CC: two covectors and a root that is not real.
        one(
            CUBIC_TENSOR, "product rank RR >= 4", [[[[0], 1]], [[[2], 1]]], [1, 0, 0], [4, 0, 0, 1], factor=2
        ),
    ),
    accept("independent-combination", "a-fermat-cubic-that-is-not-real", DERIVATIVES),
    accept("independent-combination", "two-lines-generic", GENERIC),
    accept(
        "independent-combination",
        "vanishing-hessian",
        # Five variables, and all derivatives are quadratic forms of rank at most 4.
        one(
            form("xyzuv", {"xuu": 1, "yuv": 1, "zvv": 1}),
            "tied rank CC >= 6",
            coordinates(0, 1, 2, 3, 4),
            [1],
            factor=0,
        ),
    ),
    accept(
        "independent-combination",
        "root-2-over-qq",
        # (x^2 + 2 y^2, x y) is a sum of two squares over QQ(root 2) only.
        one(
            forms("xy", [{"xx": 1, "yy": 2}, {"xy": 1}]),
            "tied rank QQ >= 3",
            [[[[0], 1]], [[[1], 1]]],
            [1, 0],
            [-8, 0, 1],
        ),
    ),
    accept(
        "independent-combination",
        "second-derivatives",
        # X^2 and Y^2 on (x^2 + y^2)^2: a pencil of the quadratic forms 12x^2 + 4y^2, 4x^2 + 12y^2.
        one(
            form("xy", {"xxxx": 1, "xxyy": 2, "yyyy": 1}),
            "tied rank CC >= 2",
            [[[[0, 0], 1]], [[[1, 1], 1]]],
            [1],
            factor=0,
            degree=2,
        ),
    ),
    accept(
        "independent-combination",
        "one-covector",
        one(CUBIC_TENSOR, "product rank CC >= 3", coordinates(1), [0, 1, 0], factor=2),
    ),
]

REJECTED = [
    reject(
        "independent-combination",
        "complex-product-seven",
        changed(TIED, f"{CLAIM}/value", 7),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "independent-combination",
        "complex-product-over-cc",
        # Over CC the product is a sum of two units, four when they are tied.
        changed(TIED, f"{CLAIM}/over", "CC"),
        "hypothesis",
        POLYNOMIAL,
    ),
    reject(
        "independent-combination",
        "border-rank",
        # x^2 y is a limit of sums of two cubes.
        one(form("xy", {"xxy": 1}), "tied border_rank CC >= 2", coordinates(0, 1), [1], factor=0),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "independent-combination",
        "root-2-is-real",
        # (x^2 + 2 y^2, x y) is a sum of two squares over RR.
        one(
            forms("xy", [{"xx": 1, "yy": 2}, {"xy": 1}]),
            "tied rank RR >= 3",
            [[[[0], 1]], [[[1], 1]]],
            [1, 0],
            [-8, 0, 1],
        ),
        "hypothesis",
        POLYNOMIAL,
    ),
    reject(
        "independent-combination",
        "three-covectors-over-rr",
        # 1, b, b^2 are dependent over RR; the field is RR x CC there, of rank 4.
        changed(FIELD, f"{CLAIM}/over", "RR"),
        "hypothesis",
        POLYNOMIAL,
    ),
    reject(
        "independent-combination",
        "more-covectors-than-the-degree",
        changed(FIELD, POLYNOMIAL, ROOT_2),
        "hypothesis",
        POLYNOMIAL,
    ),
    reject("independent-combination", "no-number-over-rr", without(TIED, POLYNOMIAL), "hypothesis", WITNESS),
    reject(
        "independent-combination",
        "no-number-over-qq",
        changed(GENERIC, f"{CLAIM}/over", "QQ"),
        "hypothesis",
        WITNESS,
    ),
    reject(
        "independent-combination",
        "untied-derivatives",
        # A derivative of an untied unit is no unit.
        changed(DERIVATIVES, f"{CLAIM}/units", "untied"),
        "hypothesis",
        f"{WITNESS}/factor",
    ),
    reject(
        "independent-combination",
        "another-root",
        # At the cube root of 3 the combination has full rank.
        changed(FIELD, POLYNOMIAL, [-3, 0, 0, 1]),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "independent-combination",
        "untied-not-halved",
        one(COMPLEX, "untied rank RR >= 6", coordinates(0, 1), [1, 0], I),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "independent-combination",
        "over-a-finite-field",
        changed(GENERIC, f"{CLAIM}/over", "GF(7)"),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        "independent-combination",
        "coefficients-in-a-number-field",
        one(
            forms("xyz", [{"xy": 1}, {"xz": [0, 1]}], "QQ(a)"),
            "tied rank CC >= 4",
            coordinates(0, 1),
            [1, 0],
            fields=[number_field("a", -2, 0, 1)],
        ),
        "field",
        f"{CLAIM}/over",
    ),
]

UNREADABLE = [
    unreadable("independent-combination", name, file, code, pointer)
    for name, file, code, pointer in [
        ("factor-2", changed(TIED, f"{WITNESS}/factor", 2), "out-of-range", f"{WITNESS}/factor"),
        (
            "degree-2-of-the-outputs",
            changed(TIED, f"{WITNESS}/degree", 2),
            "out-of-range",
            f"{WITNESS}/degree",
        ),
        ("degree-0", changed(TIED, f"{WITNESS}/degree", 0), "out-of-range", f"{WITNESS}/degree"),
        ("no-covectors", changed(TIED, f"{WITNESS}/covectors", []), "empty-list", f"{WITNESS}/covectors"),
        (
            "zero-covector",
            changed(TIED, f"{WITNESS}/covectors/1", []),
            "empty-list",
            f"{WITNESS}/covectors/1",
        ),
        (
            "covector-of-another-factor",
            changed(TIED, f"{WITNESS}/covectors/1/0/0/0", 2),
            "out-of-range",
            f"{WITNESS}/covectors/1/0/0/0",
        ),
        ("short-orders", changed(TIED, f"{WITNESS}/orders", [1]), "wrong-length", f"{WITNESS}/orders"),
        ("long-orders", changed(TIED, f"{WITNESS}/orders", [1, 0, 0]), "wrong-length", f"{WITNESS}/orders"),
        (
            "order-of-the-contracted-factor",
            changed(TIED, f"{WITNESS}/orders", [1, 1]),
            "out-of-range",
            f"{WITNESS}/orders/1",
        ),
        (
            "order-of-the-derivative",
            changed(DERIVATIVES, f"{WITNESS}/orders", [3]),
            "out-of-range",
            f"{WITNESS}/orders/0",
        ),
        (
            "nothing-on-the-row-side",
            changed(TIED, f"{WITNESS}/orders", [0, 0]),
            "one-sided",
            f"{WITNESS}/orders",
        ),
        (
            "nothing-on-the-column-side",
            changed(TIED, f"{WITNESS}/orders", [2, 0]),
            "one-sided",
            f"{WITNESS}/orders",
        ),
        ("reducible-polynomial", changed(TIED, POLYNOMIAL, [-1, 0, 1]), "reducible", POLYNOMIAL),
        ("linear-polynomial", changed(TIED, POLYNOMIAL, [1, 1]), "wrong-length", POLYNOMIAL),
        ("not-monic", changed(TIED, POLYNOMIAL, [1, 0, 2]), "not-monic", POLYNOMIAL),
        (
            "fraction-in-the-polynomial",
            changed(TIED, POLYNOMIAL, ["1/2", 0, 1]),
            "wrong-type",
            f"{POLYNOMIAL}/0",
        ),
        ("no-orders", without(TIED, f"{WITNESS}/orders"), "missing-key", WITNESS),
        ("a-prime", changed(TIED, f"{WITNESS}/prime", 7), "unknown-key", f"{WITNESS}/prime"),
    ]
]

CASES = ACCEPTED + REJECTED + UNREADABLE

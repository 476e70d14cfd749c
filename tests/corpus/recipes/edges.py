"""Files that one operand or one boundary of a check alone tells apart; disabled checks showed that they were missing."""

from __future__ import annotations

from . import apolar_form, binary, output_substitution, tangent
from .building import (
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
)

OVER = "/steps/0/claim/over"
WITNESS = "/steps/0/witness"

CASES = [
    # Branches of the rules, each of them the only one that decides.
    accept(
        "binary",
        "a-cubic-with-three-real-roots-by-an-anisotropic-condition",
        binary.one(
            form("xy", {"xxx": -1, "xxy": -2, "yyy": 1}),
            "tied rank RR >= 3",
            argument="anisotropic",
            degree=2,
            point=[0, 1],
        ),
    ),
    reject(
        "binary",
        "an-untied-condition-on-the-whole-space",
        binary.one(
            form("xy", {"xxxyyy": 2, "xxyyyy": -2, "yyyyyy": -1}),
            "untied rank QQ >= 3",
            argument="anisotropic",
            degree=2,
            point=[0, 1],
            place=3,
        ),
        "isotropic",
        WITNESS,
    ),
    reject(
        "binary",
        "a-tied-condition-on-the-wrong-hyperplane",
        binary.one(
            form("xy", {"xxxxx": 3, "xxxxy": 1, "xxxyy": -2, "xxyyy": -2, "xyyyy": -2}),
            "tied rank RR >= 4",
            argument="anisotropic",
            degree=3,
            point=[1, 0],
        ),
        "isotropic",
        WITNESS,
    ),
    reject(
        "output-substitution",
        "less-inertia-at-the-root-than-on-both-sides",
        # (1 - t) x^2 + t y^2 + 2 yz - t z^2 has inertia (2, 1), (1, 1) and (1, 2) before, at and after t = 1.
        output_substitution.pencil(
            forms("xyz", [{"xx": 1, "yz": 2}, {"xx": -1, "yy": 1, "zz": -1}]),
            "untied border_rank RR >= 3",
            0,
            2,
        ),
        "claim-differs",
        "/steps/0/claim",
    ),
    accept(
        "output-substitution",
        "three-quadrics-of-rank-two-at-least",
        output_substitution.by_minors(
            forms(
                "xyz",
                [
                    {"xx": 2, "xy": 1, "xz": 1, "yz": 2, "zz": -1},
                    {"xy": -1, "xz": -1, "zz": -1},
                    {"xx": -1, "yy": 1, "yz": 1},
                ],
            ),
            "tied border_rank CC >= 4",
            3,
            2,
            3,
        ),
    ),
    reject(
        "output-substitution",
        "three-quadrics-with-a-combination-of-rank-one",
        output_substitution.by_minors(
            forms(
                "xyz",
                [{"xy": 1, "xz": -1, "yz": 1}, {"yy": 1, "yz": 2, "zz": 1}, {"xy": 2, "yy": -1}],
            ),
            "tied border_rank CC >= 4",
            3,
            2,
            3,
        ),
        "common-zero",
        f"{WITNESS}/macaulay",
    ),
    reject(
        "binary",
        "a-square-among-the-apolar-forms",
        # -2 (x + y)^2 (x - y) is one unit.
        binary.one(
            form("xy", {"xxx": -2, "xxy": -2, "xyy": 2, "yyy": 2}),
            "untied border_rank CC >= 2",
            argument="squares",
            degree=1,
            macaulay=3,
            prime=101,
        ),
        "common-zero",
        f"{WITNESS}/macaulay",
    ),
    accept(
        "binary",
        "no-square-among-the-apolar-forms",
        binary.one(
            form("xy", {"xxx": 1, "xxy": 3, "yyy": -1}),
            "untied border_rank CC >= 2",
            argument="squares",
            degree=1,
            macaulay=4,
            prime=101,
        ),
    ),
    accept(
        "apolar-form",
        "untied-of-a-degree-beyond-d-plus-1",
        apolar_form.one(form("xy", {"xy": 1}), "untied rank CC <= 4", {"XXXX": 1, "YYYY": -1}),
    ),
    reject(
        "binary",
        "no-real-root-over-cc",
        binary.one(binary.ONE_REAL, "tied border_rank CC >= 3", argument="non-real-root"),
        "field",
        OVER,
    ),
    reject(
        "binary",
        "anisotropic-over-cc",
        binary.one(binary.SQUARES, "untied rank CC >= 3", argument="anisotropic", degree=2, point=[1, 0]),
        "field",
        OVER,
    ),
    reject(
        "binary",
        "a-map-in-two-variables",
        binary.one(
            forms("xy", [{"xxx": 1, "xyy": 1}, {"xyy": 1}]),
            "tied border_rank QQ >= 3",
            argument="not-split",
            prime=5,
        ),
        "hypothesis",
        "/steps/0",
    ),
    reject(
        "binary",
        "a-root-where-the-derivative-vanishes",
        changed(binary.NOT_SPLIT_QUADRATIC, f"{WITNESS}/root", 0),
        "root",
        f"{WITNESS}/root",
    ),
    reject(
        "binary",
        "hessians-on-all-forms-of-the-degree",
        # Every form of degree d with d real roots is apolar to something: no sum of Hessians is definite.
        changed(
            changed(binary.HESSIAN, f"{WITNESS}/degree", 3),
            f"{WITNESS}/points",
            [[1, 0, 1], [0, 1, 1], [1, 1, 1]],
        ),
        "not-definite",
        f"{WITNESS}/points",
    ),
    unreadable(
        "output-substitution",
        "products-of-a-matrix",
        certificate(
            tensor((2, 2), {(0, 0): 1, (1, 1): 1}),
            [
                step(
                    "output-substitution",
                    "product border_rank CC >= 2",
                    **output_substitution.OVER_CC["steps"][0]["witness"],
                )
            ],
            ["product rank CC 2.."],
        ),
        "units-do-not-fit",
        "/steps/0",
    ),
    reject(
        "output-substitution",
        "a-pencil-over-a-real-number-field",
        certificate(
            output_substitution.TWISTED,
            [
                step(
                    "output-substitution",
                    "untied border_rank RR >= 2",
                    **output_substitution.ROOTED["steps"][0]["witness"],
                )
            ],
            ["untied rank RR 2.."],
            [number_field("a", -2, 0, 1, root=[1, 2])],
        ),
        "field",
        OVER,
    ),
    unreadable(
        "output-substitution",
        "a-minor-with-a-column-too-many",
        changed(output_substitution.OVER_CC, f"{WITNESS}/minors/0/columns", [0, 1, 2]),
        "wrong-length",
        f"{WITNESS}/minors/0",
    ),
    undecided(
        "binary",
        "a-power-of-degree-66",
        # In three variables: the degree is beyond its limit, and the dimension is not.
        changed(binary.DISTINCT, f"{WITNESS}/power", 33),
        "limit-dimension",
        f"{WITNESS}/power",
    ),
    unreadable(
        "tangent",
        "a-degree-without-an-operator",
        changed(tangent.X2YZ, "/steps/0/witness/nodes/2", {"degree": 1}),
        "missing-key",
        "/steps/0/witness/nodes/2",
    ),
    unreadable(
        "tangent",
        "an-operator-without-a-degree",
        changed(tangent.X2YZ, "/steps/0/witness/nodes/2", {"operator": [[[1], 1]]}),
        "missing-key",
        "/steps/0/witness/nodes/2",
    ),
    reject(
        "tangent",
        "a-target-over-a-number-field",
        certificate(
            form("xyz", {"xxyz": [0, 1]}, "QQ(a)"),
            tangent.X2YZ["steps"],
            ["untied rank CC 3.."],
            [number_field("a", -2, 0, 1)],
        ),
        "field",
        OVER,
    ),
]

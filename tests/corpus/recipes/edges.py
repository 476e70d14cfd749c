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

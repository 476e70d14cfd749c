"""Files of the rule ``definite-apolar``."""

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
    unreadable,
    without,
)

STEP = "/steps/0"
CLAIM = f"{STEP}/claim"
WITNESS = f"{STEP}/witness"


def one(target: Json, claim: str, squares: list[Json], half: int = 1) -> dict[str, Json]:
    """A certificate of one step, with its own claim as the conclusion."""
    units, quantity, over, _, value = claim.split()
    return certificate(
        target,
        [step("definite-apolar", claim, half=half, squares=squares)],
        [f"{units} {quantity} {over} {value}.."],
    )


def square(i: int, weight: Json = 1) -> Json:
    """weight * X_i^2."""
    return [weight, [[[i], 1]]]


# The real parts of (x + i y)^3 and of (x + i y)^4.
CUBIC = form("xy", {"xxx": 1, "xyy": -3})
QUARTIC = form("xy", {"xxxx": 1, "xxyy": -6, "yyyy": 1})
LAPLACE = [square(0), square(1)]
TIED = one(CUBIC, "tied rank RR >= 3", LAPLACE)
HARMONIC = form("xyz", {"xxxx": 1, "yyyy": -2, "zzzz": 1, "xxzz": -12, "xxyy": 6, "yyzz": 6})
POWER = form("xy", {"yyyyyy": 1})

ACCEPTED = [
    accept("definite-apolar", "harmonic-cubic-tied", TIED),
    accept("definite-apolar", "harmonic-quartic-untied", one(QUARTIC, "untied rank RR >= 2", LAPLACE)),
    accept("definite-apolar", "harmonic-quartic-mixed-2", one(QUARTIC, "mixed:2 rank RR >= 2", LAPLACE)),
    accept(
        "definite-apolar",
        "weights",
        # x^2 y - 2/3 y^3 is killed by 2 X^2 + Y^2.
        one(form("xy", {"xxy": 1, "yyy": "-2/3"}), "tied rank RR >= 3", [square(0, 2), square(1, 1)]),
    ),
    accept(
        "definite-apolar",
        "squares-that-are-not-orthogonal",
        # (X + Y)^2 / 2 + (X - Y)^2 / 2 = X^2 + Y^2
        one(CUBIC, "tied rank RR >= 3", [["1/2", [[[0], 1], [[1], 1]]], ["1/2", [[[0], 1], [[1], -1]]]]),
    ),
    accept(
        "definite-apolar",
        "two-outputs",
        one(forms("xy", [{"xxx": 1, "xyy": -3}, {"xxy": 3, "yyy": -1}]), "tied rank RR >= 4", LAPLACE),
    ),
    accept(
        "definite-apolar",
        "squares-of-quadrics",
        # All operators of degree 4 kill a cubic: 6 / 4.
        one(CUBIC, "tied rank RR >= 2", [[1, [[word, 1]]] for word in ([0, 0], [0, 1], [1, 1])], 2),
    ),
]

REJECTED = [
    reject(
        "definite-apolar",
        "semidefinite",
        # X^2 kills y^6, which is one power; dim A = 7.
        one(POWER, "tied rank RR >= 4", [square(0)]),
        "not-definite",
        f"{WITNESS}/squares",
    ),
    reject(
        "definite-apolar",
        "twice-the-same-square",
        one(POWER, "tied rank RR >= 4", [square(0), square(0, 2)]),
        "not-definite",
        f"{WITNESS}/squares",
    ),
    reject(
        "definite-apolar",
        "squares-of-quadrics-with-a-common-zero",
        one(CUBIC, "tied rank RR >= 2", [[1, [[word, 1]]] for word in ([0, 0], [0, 1])], 2),
        "not-definite",
        f"{WITNESS}/squares",
    ),
    reject(
        "definite-apolar",
        "not-apolar",
        changed(TIED, f"{WITNESS}/squares/0/0", 2),
        "not-apolar",
        f"{WITNESS}/squares",
    ),
    reject(
        "definite-apolar",
        "kills-the-first-output-only",
        one(forms("xy", [{"xxx": 1, "xyy": -3}, {"xxy": 3, "yyy": 1}]), "tied rank RR >= 4", LAPLACE),
        "not-apolar",
        f"{WITNESS}/squares",
    ),
    reject(
        "definite-apolar", "harmonic-cubic-four", changed(TIED, f"{CLAIM}/value", 4), "claim-differs", CLAIM
    ),
    reject(
        "definite-apolar",
        "untied-without-the-length",
        changed(TIED, f"{CLAIM}/units", "untied"),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "definite-apolar",
        "border-rank",
        changed(TIED, f"{CLAIM}/quantity", "border_rank"),
        "claim-differs",
        CLAIM,
    ),
    # Over CC (x + i y)^3 + (x - i y)^3 has two summands.
    reject("definite-apolar", "over-cc", changed(TIED, f"{CLAIM}/over", "CC"), "field", f"{CLAIM}/over"),
    reject("definite-apolar", "split-units", changed(TIED, f"{CLAIM}/units", "split"), "hypothesis", STEP),
    reject(
        "definite-apolar",
        "coefficients-in-a-number-field",
        changed(
            changed(TIED, "/target", form("xy", {"xxx": [0, 1], "xyy": [0, -3]}, "QQ(a)")),
            "/number_fields",
            [number_field("a", -2, 0, 1, root=[1, 2])],
        ),
        "field",
        f"{CLAIM}/over",
    ),
]

UNREADABLE = [
    unreadable(
        "definite-apolar",
        "product-units",
        certificate(
            tensor((2, 2), {(0, 0): 1, (1, 1): 1}),
            [step("definite-apolar", "product rank RR >= 2", half=1, squares=LAPLACE)],
            ["product rank RR 2.."],
        ),
        "units-do-not-fit",
        f"{CLAIM}/units",
    ),
    unreadable(
        "definite-apolar",
        "negative-weight",
        changed(TIED, f"{WITNESS}/squares/1/0", -1),
        "out-of-range",
        f"{WITNESS}/squares/1/0",
    ),
    unreadable(
        "definite-apolar",
        "weight-0",
        changed(TIED, f"{WITNESS}/squares/1/0", 0),
        "out-of-range",
        f"{WITNESS}/squares/1/0",
    ),
    unreadable(
        "definite-apolar", "half-0", changed(TIED, f"{WITNESS}/half", 0), "out-of-range", f"{WITNESS}/half"
    ),
    unreadable(
        "definite-apolar", "half-65", changed(TIED, f"{WITNESS}/half", 65), "out-of-range", f"{WITNESS}/half"
    ),
    unreadable(
        "definite-apolar",
        "no-squares",
        changed(TIED, f"{WITNESS}/squares", []),
        "empty-list",
        f"{WITNESS}/squares",
    ),
    unreadable(
        "definite-apolar",
        "form-of-another-degree",
        changed(TIED, f"{WITNESS}/squares/0/1", [[[0, 0], 1]]),
        "wrong-length",
        f"{WITNESS}/squares/0/1/0/0",
    ),
    unreadable(
        "definite-apolar",
        "square-without-a-weight",
        changed(TIED, f"{WITNESS}/squares/0", [[[[0], 1]]]),
        "wrong-length",
        f"{WITNESS}/squares/0",
    ),
    unreadable("definite-apolar", "no-half", without(TIED, f"{WITNESS}/half"), "missing-key", WITNESS),
    unreadable(
        "definite-apolar", "a-prime", changed(TIED, f"{WITNESS}/prime", 7), "unknown-key", f"{WITNESS}/prime"
    ),
]

CASES = ACCEPTED + REJECTED + UNREADABLE

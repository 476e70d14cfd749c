"""Files of the rule ``restriction``."""

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
    undecided,
    unreadable,
    without,
)

P = 1048573
CLAIM, WITNESS = "/steps/0/claim", "/steps/0/witness"


def one(
    target: Json,
    claim: str,
    conclusion: list[str],
    maps: Json,
    rule: str,
    witness: Json,
    fields: list[Json] | None = None,
) -> dict[str, Json]:
    """A certificate of one restriction."""
    asked = {**step("restriction", claim), "witness": {"maps": maps, "rule": rule, "witness": witness}}
    return certificate(target, [asked], conclusion, fields or ())


# (x + y)^3 (y + z)^2 = x^3 y^2 + 2 x^3 yz + ...; with y = 0 it is x^3 z^2.
HIDDEN = form(
    "xyz",
    {
        "xxxyy": 1,
        "xxxyz": 2,
        "xxxzz": 1,
        "xxyyy": 3,
        "xxyyz": 6,
        "xxyzz": 3,
        "xyyyy": 3,
        "xyyyz": 6,
        "xyyzz": 3,
        "yyyyy": 1,
        "yyyyz": 2,
        "yyyzz": 1,
    },
)
WITHOUT_Y = [[1, 0, 0], [0, 0, 1]]
REAL = one(
    HIDDEN, "tied rank RR >= 5", ["tied rank QQ 5.."], [WITHOUT_Y], "binary", {"argument": "real-rooted"}
)
# x = y = t: x^2 - 3 x y + y^2 becomes -t^2.
DIAGONAL = one(
    form("xy", {"xx": 1, "xy": -3, "yy": 1}),
    "tied border_rank CC >= 1",
    ["tied rank CC 1.."],
    [[[1, 1]]],
    "nonzero",
    {},
)
# The difference of the outputs x^2 + xy and xy - y^2 is x^2 + y^2: a map with one output is a form.
OUTPUTS = one(
    forms("xy", [{"xx": 1, "xy": 1}, {"xy": 1, "yy": -1}]),
    "untied border_rank RR >= 2",
    ["untied rank RR 2.."],
    [[], [[1, -1]]],
    "quadric",
    {},
)
# A block of 2 x 2 x 2 of the product of 2 x 2 by 2 x 3 matrices, with the middle factor as it is.
BLOCK = one(
    named("matmul", 2, 2, 3),
    "product border_rank CC >= 4",
    ["product rank QQ 4.."],
    [[], [[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0]], []],
    "flattening",
    {"orders": [0, 1, 0], "prime": P},
)
# A row of the first factor only: a tensor keeps a factor of dimension 1.
ROW = one(
    named("GHZ", 3),
    "product border_rank CC >= 2",
    ["product rank CC 2.."],
    [[["1/2", 3]], [], []],
    "flattening",
    {"orders": [0, 1, 0], "prime": P},
)
ROOT_2 = number_field("a", -2, 0, 1, root=[1, 2])
# x^2 - 2 y^2 with x = a t + u, y = t - u: (a^2 - 2) t^2 = 0, and (2 a + 4) t u - u^2 is left, of rank 2.
OVER_ROOT_2 = one(
    form("xy", {"xx": 1, "yy": -2}, "QQ(a)"),
    "tied border_rank CC >= 2",
    ["tied rank QQ(a) 2..", "tied rank RR 2.."],
    [[[[0, 1], 1], [1, -1]]],
    "quadric",
    {},
    [ROOT_2],
)
# 5 x^2 + x y + y z over GF(5): x = y + 4 z, so that (y + 4z) y + y z = y^2.
MODULO_5 = one(
    form("xyz", {"xx": 5, "xy": 1, "yz": 1}),
    "tied border_rank GF(5) >= 1",
    ["tied rank GF(5) 1.."],
    [[[1, 1, 0], [4, 0, 1]]],
    "quadric",
    {},
)

ACCEPTED = [
    accept("restriction", "roots-that-are-real-in-two-of-three-variables", REAL),
    accept("restriction", "one-variable", DIAGONAL),
    accept("restriction", "a-combination-of-the-outputs", OUTPUTS),
    accept("restriction", "a-block-of-a-tensor", BLOCK),
    accept("restriction", "a-factor-of-dimension-1", ROW),
    accept("restriction", "irrational-maps", OVER_ROOT_2),
    accept("restriction", "modulo-5", MODULO_5),
]

# 10 x in place of x: the norm of the image 100 x^2 of x^2 is 10000, and that of x^2 is 1.
LONGER = one(
    form("x", {"xx": 1}),
    "untied frobenius@0 RR >= 10000",
    ["untied frobenius@0 RR 10000.."],
    [[[10]]],
    "inertia-floor",
    {
        "above": [{"threshold": 20000, "order": [0]}],
        "below": [{"threshold": 20000, "order": [0]}],
        "bits": 16,
    },
)
FLATTENED = one(
    form("x", {"xx": 1}),
    "untied frobenius@0 RR >= 1",
    ["untied frobenius@0 RR 1.."],
    [[[10]]],
    "flattening",
    {"orders": [1], "prime": P},
)

REJECTED = [
    reject("restriction", "a-width-for-a-floor", FLATTENED, "quantity", f"{CLAIM}/quantity"),
    reject("restriction", "one-more", changed(REAL, f"{CLAIM}/value", 6), "claim-differs", CLAIM),
    reject("restriction", "one-less", changed(REAL, f"{CLAIM}/value", 4), "claim-differs", CLAIM),
    reject(
        "restriction",
        "roots-that-are-not-real",
        # With x = 0 it is y^3 (y + z)^2, with z = x it is (x + y)^5.
        changed(REAL, f"{WITNESS}/maps/0", [[1, 0, 1], [0, 1, 0]]),
        "hypothesis",
        "/steps/0",
    ),
    reject(
        "restriction",
        "an-upper-bound",
        # The image is one square, the target is not.
        changed(
            one(
                form("xy", {"xx": 1, "yy": 1}),
                "tied rank CC <= 1",
                ["tied rank CC 0..1"],
                [[[1, 0]]],
                "quadric",
                {},
            ),
            f"{CLAIM}/relation",
            "<=",
        ),
        "hypothesis",
        "/steps/0",
    ),
    reject(
        "restriction",
        "an-image-that-is-zero",
        changed(MODULO_5, f"{WITNESS}/maps/0", [[1, 0, 0], [0, 0, 1]]),
        "image-vanishes",
        WITNESS,
    ),
    reject(
        "restriction",
        "another-field-for-the-other-rule",
        changed(BLOCK, f"{CLAIM}/over", "RR"),
        "field",
        f"{CLAIM}/over",
    ),
    reject(
        "restriction",
        "an-image-of-lower-rank",
        changed(BLOCK, f"{WITNESS}/maps/1/3", [0, 1, 0, 0, 0, 0]),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "restriction",
        "wrong-place-in-the-other-witness",
        changed(BLOCK, f"{WITNESS}/witness/root", 1),
        "root",
        f"{WITNESS}/witness",
    ),
]

UNREADABLE = [
    unreadable(
        "restriction",
        "no-such-rule",
        changed(REAL, f"{WITNESS}/rule", "magic"),
        "unknown-rule",
        f"{WITNESS}/rule",
    ),
    unreadable(
        "restriction",
        "a-rule-that-rests-on-a-theorem",
        changed(changed(REAL, f"{WITNESS}/rule", "coprime-monomials"), f"{WITNESS}/witness", {}),
        "unknown-rule",
        f"{WITNESS}/rule",
    ),
    unreadable(
        "restriction",
        "itself",
        changed(
            changed(REAL, f"{WITNESS}/witness", {"maps": [[]], "rule": "nonzero", "witness": {}}),
            f"{WITNESS}/rule",
            "restriction",
        ),
        "unknown-rule",
        f"{WITNESS}/rule",
    ),
    unreadable("restriction", "the-floor-of-an-image", LONGER, "unknown-rule", f"{WITNESS}/rule"),
    unreadable("restriction", "rule", changed(REAL, f"{WITNESS}/rule", 1), "wrong-type", f"{WITNESS}/rule"),
    unreadable("restriction", "without-maps", without(REAL, f"{WITNESS}/maps"), "missing-key", WITNESS),
    unreadable(
        "restriction", "unknown-key", changed(REAL, f"{WITNESS}/back", []), "unknown-key", f"{WITNESS}/back"
    ),
    unreadable(
        "restriction", "maps", changed(BLOCK, f"{WITNESS}/maps", [[], []]), "wrong-length", f"{WITNESS}/maps"
    ),
    unreadable(
        "restriction",
        "more-rows-than-columns",
        changed(DIAGONAL, f"{WITNESS}/maps/0", [[1, 1]] * 3),
        "wrong-length",
        f"{WITNESS}/maps/0",
    ),
    unreadable(
        "restriction",
        "row",
        changed(DIAGONAL, f"{WITNESS}/maps/0/0", [1, 1, 1]),
        "wrong-length",
        f"{WITNESS}/maps/0/0",
    ),
    unreadable(
        "restriction",
        "number",
        changed(DIAGONAL, f"{WITNESS}/maps/0/0/1", "1.5"),
        "bad-rational",
        f"{WITNESS}/maps/0/0/1",
    ),
    unreadable(
        "restriction",
        "number-modulo-5",
        changed(MODULO_5, f"{WITNESS}/maps/0/0/1", -1),
        "out-of-range",
        f"{WITNESS}/maps/0/0/1",
    ),
    unreadable(
        "restriction",
        "orders-of-the-target-and-not-of-the-image",
        # The image has one output: it is a form.
        changed(
            changed(OUTPUTS, f"{WITNESS}/rule", "flattening"),
            f"{WITNESS}/witness",
            {"orders": [1, 0], "prime": P},
        ),
        "wrong-length",
        f"{WITNESS}/witness/orders",
    ),
]

UNDECIDED = [
    undecided(
        "restriction",
        "too-many-terms",
        one(
            named("elementary", 7, 14),
            "tied border_rank CC >= 2",
            ["tied rank CC 2.."],
            [[[1 + (i * j) % 7 for j in range(14)] for i in range(14)]],
            "flattening",
            {"orders": [1], "prime": P},
        ),
        "limit-operations",
        WITNESS,
    ),
]

CASES = ACCEPTED + REJECTED + UNREADABLE + UNDECIDED

"""Files about number fields and the names of fields."""

from __future__ import annotations

from math import prod

from .building import (
    Json,
    accept,
    certificate,
    changed,
    form,
    number_field,
    step,
    undecided,
    unreadable,
    without,
)

SQUARE = form("xy", {"xx": 1, "yy": 1})


def over(*declarations: Json) -> dict[str, Json]:
    """A certificate that answers a question over each of the declared fields."""
    names = [f"QQ({declaration['symbol']})" for declaration in declarations]
    return certificate(
        SQUARE,
        [step("quadric", "tied border_rank CC >= 2")],
        ["tied rank CC 2.."] + [f"tied rank {name} 2.." for name in names],
        list(declarations),
    )


ROOT_2 = over(number_field("a", -2, 0, 1, root=[1, 2]))
POLYNOMIAL, ROOT, SYMBOL = (
    f"/number_fields/0/{key}" for key in ("minimal_polynomial", "real_root", "symbol")
)


def bad(name: str, pointer: str, value: Json, code: str, at: str | None = None):
    """An unreadable file made by one change."""
    return unreadable("fields", name, changed(ROOT_2, pointer, value), code, pointer if at is None else at)


def reducible(name: str, *polynomial: Json):
    """A polynomial that defines no field."""
    return unreadable(
        "fields", f"reducible-{name}", over(number_field("a", *polynomial)), "reducible", POLYNOMIAL
    )


def times(*factors: list[int]) -> list[int]:
    """Product of polynomials in ascending order."""
    result = [1]
    for factor in factors:
        product = [0] * (len(result) + len(factor) - 1)
        for i, x in enumerate(result):
            for j, y in enumerate(factor):
                product[i + j] += x * y
        result = product
    return result


def congruent(conditions: dict[int, list[int]]) -> list[int]:
    """A monic polynomial with given residues modulo several primes."""
    modulus = prod(conditions)
    parts = {p: modulus // p * pow(modulus // p, -1, p) for p in conditions}
    length = len(next(iter(conditions.values())))
    result = [sum(parts[p] * f[i] for p, f in conditions.items()) % modulus for i in range(length - 1)]
    return [*result, 1]


def splitting(degree: int, primes: tuple[int, ...], spoiled: tuple[int, ...]) -> list[int]:
    """A polynomial that splits into linear factors modulo ``primes`` and is not squarefree modulo ``spoiled``."""
    split = times(*([-i, 1] for i in range(degree)))
    return congruent(dict.fromkeys(primes, split) | dict.fromkeys(spoiled, [0] * degree + [1]))


SWINNERTON_DYER = [576, 0, -960, 0, 352, 0, -40, 0, 1]
"""Minimal polynomial of sqrt(2) + sqrt(3) + sqrt(5): at most quadratic factors modulo every prime."""

SMALL_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23)
MANY_FACTORS = splitting(24, (29, 31, 37, 41, 43), SMALL_PRIMES)

ACCEPTED = [
    accept("fields", "a-real-root", ROOT_2),
    accept("fields", "a-negative-root", over(number_field("a", -2, 0, 1, root=["-3/2", -1]))),
    accept("fields", "no-real-root", over(number_field("i", 1, 0, 1))),
    accept(
        "fields",
        "two-fields",
        over(number_field("a", -2, 0, 1), number_field("root_3", -3, 0, 1, root=[0, 100])),
    ),
    accept("fields", "one-of-three-real-roots", over(number_field("t", 1, -3, 0, 1, root=["1/4", "1/2"]))),
    accept("fields", "swinnerton-dyer", over(number_field("s", *SWINNERTON_DYER, root=[5, 6]))),
    accept("fields", "reducible-modulo-every-prime", over(number_field("z", 1, 0, 0, 0, 1))),
    accept("fields", "degree-24", over(number_field("z" * 16, *[1] + [0] * 11 + [-1] + [0] * 11 + [1]))),
    accept("fields", "long-coefficients", over(number_field("a", str(-2 * 10**98), 0, 0, 1))),
    accept(
        "fields",
        "the-largest-prime",
        certificate(
            SQUARE,
            [step("quadric", "tied border_rank GF(2147483647) >= 2")],
            ["tied rank GF(2147483647) 2.."],
        ),
    ),
    accept("fields", "eisenstein", over(number_field("e", 2, 2, 0, 2, 0, 1))),
]

UNREADABLE = [
    bad("no-declarations", "/number_fields", [], "empty-list"),
    bad("declarations-are-an-object", "/number_fields", {}, "wrong-type"),
    bad("a-declaration-is-text", "/number_fields/0", "QQ(sqrt(2))", "wrong-type"),
    bad("a-degree", "/number_fields/0/degree", 2, "unknown-key"),
    unreadable("fields", "no-symbol", without(ROOT_2, SYMBOL), "missing-key", "/number_fields/0"),
    unreadable("fields", "no-polynomial", without(ROOT_2, POLYNOMIAL), "missing-key", "/number_fields/0"),
    bad("symbol-in-capitals", SYMBOL, "A", "bad-name"),
    bad("symbol-with-digit-first", SYMBOL, "2a", "bad-name"),
    bad("symbol-empty", SYMBOL, "", "bad-name"),
    bad("symbol-of-seventeen-letters", SYMBOL, "a" * 17, "bad-name"),
    bad("symbol-with-new-line", SYMBOL, "a\n", "bad-name"),
    bad("symbol-with-parenthesis", SYMBOL, "a)", "bad-name"),
    bad("symbol-is-a-number", SYMBOL, 2, "wrong-type"),
    unreadable(
        "fields",
        "symbol-is-a-variable",
        certificate(
            form("ax", {"aa": 1, "xx": [0, 1]}, "QQ(a)"),
            [step("nonzero", "tied border_rank CC >= 1")],
            ["tied rank CC 1.."],
            [number_field("a", -2, 0, 1)],
        ),
        "bad-name",
        "/target/ring",
    ),
    unreadable(
        "fields",
        "symbol-is-a-variable-without-a-name",
        certificate(
            {"space": [[2, 2]], "ring": "QQ(x2)", "entries": [[[0, 0], [0, 1]]]},
            [step("nonzero", "tied border_rank CC >= 1")],
            ["tied rank CC 1.."],
            [number_field("x2", -2, 0, 1)],
        ),
        "bad-name",
        "/target/ring",
    ),
    unreadable(
        "fields",
        "two-fields-of-one-name",
        over(number_field("a", -2, 0, 1), number_field("a", -3, 0, 1)),
        "repeated",
        "/number_fields/1/symbol",
    ),
    unreadable(
        "fields",
        "a-field-never-used",
        without(over(number_field("a", -2, 0, 1), number_field("b", -3, 0, 1)), "/conclusion/2"),
        "unused-field",
        "/number_fields/1",
    ),
    bad("degree-1", POLYNOMIAL, [-2, 1], "wrong-length"),
    bad("degree-0", POLYNOMIAL, [1], "wrong-length"),
    bad("empty-polynomial", POLYNOMIAL, [], "empty-list"),
    bad("polynomial-is-text", POLYNOMIAL, "t**2-2", "wrong-type"),
    bad("fraction-in-the-polynomial", POLYNOMIAL, ["-1/2", 0, 1], "wrong-type", f"{POLYNOMIAL}/0"),
    bad("not-monic", POLYNOMIAL, [-4, 0, 2], "not-monic"),
    bad("leading-zero", POLYNOMIAL, [-2, 1, 0], "not-monic"),
    bad("leading-minus-one", POLYNOMIAL, [2, 0, -1], "not-monic"),
    reducible("one-and-two", 2, -3, 1),
    reducible("a-square", 1, 2, 1),
    reducible("without-constant-term", 0, 0, 1),
    reducible("sophie-germain", 4, 0, 0, 0, 1),
    reducible("two-quadratics", *times([-2, 0, 1], [-3, 0, 1])),
    reducible("square-of-a-quadratic", *times([-2, 0, 1], [-2, 0, 1])),
    reducible("swinnerton-dyer-times-linear", *times(SWINNERTON_DYER, [-7, 1])),
    reducible("two-of-degree-twelve", *times([1, 1] + [0] * 10 + [1], [-2] + [0] * 11 + [1])),
    reducible("x24-minus-1", *([-1] + [0] * 23 + [1])),
    reducible(
        "a-cubic-with-large-coefficients",
        *(c if abs(c) < 2**53 else str(c) for c in times([10**15 + 37, 1], [10**7 + 19, 10**6 + 3, 1])),
    ),
    reducible("linear-times-degree-seven", *times([-1, 1], [3, 0, 0, 0, 0, 0, 0, 1])),
    bad("interval-of-three-numbers", ROOT, [1, 2, 3], "wrong-length"),
    bad("interval-of-one-number", ROOT, [1], "wrong-length"),
    bad("interval-is-a-number", ROOT, 1, "wrong-type"),
    bad("interval-backwards", ROOT, [2, 1], "empty-interval"),
    bad("interval-empty", ROOT, [1, 1], "empty-interval"),
    bad("interval-without-root", ROOT, [2, 3], "not-isolating"),
    bad("interval-with-two-roots", ROOT, [-2, 2], "not-isolating"),
    bad("interval-with-a-float", ROOT, ["1.4", 2], "bad-rational", f"{ROOT}/0"),
    unreadable(
        "fields",
        "no-real-roots-at-all",
        over(number_field("i", 1, 0, 1, root=[-10, 10])),
        "not-isolating",
        ROOT,
    ),
    bad("question-over-zz", "/conclusion/0/field", "ZZ", "unknown-field"),
    bad("question-over-gf9", "/conclusion/0/field", "GF(9)", "unknown-field"),
    bad("question-over-an-undeclared-field", "/conclusion/0/field", "QQ(b)", "unknown-field"),
    bad("question-over-a-number", "/conclusion/0/field", 5, "wrong-type"),
    bad("claim-over-qqbar", "/steps/0/claim/over", "QQbar", "unknown-field"),
    bad("claim-over-gf6", "/steps/0/claim/over", "GF(6)", "unknown-field"),
]

UNDECIDED = [
    undecided(
        "fields",
        "degree-25",
        over(number_field("a", *[-2] + [0] * 24 + [1])),
        "limit-field-degree",
        POLYNOMIAL,
    ),
    undecided(
        "fields",
        "coefficients-of-101-digits",
        over(number_field("a", str(10**100), 0, 1)),
        "limit-digits",
        POLYNOMIAL,
    ),
    undecided(
        "fields",
        "too-many-factors-to-combine",
        over(number_field("a", *(c if abs(c) < 2**53 else str(c) for c in MANY_FACTORS))),
        "limit-modular-factors",
        POLYNOMIAL,
    ),
]

CASES = ACCEPTED + UNREADABLE + UNDECIDED

"""Files about the target: spaces, entries, names."""

from __future__ import annotations

from .building import (
    Case,
    Json,
    accept,
    certificate,
    changed,
    form,
    forms,
    named,
    step,
    tensor,
    undecided,
    unreadable,
    without,
)

NONZERO = "tied border_rank CC >= 1"


def about(target: Json, units: str = "tied") -> dict[str, Json]:
    """A certificate that the target is not zero."""
    return certificate(target, [step("nonzero", f"{units} border_rank CC >= 1")], [f"{units} rank CC 1.."])


X2Y = about(form("xy", {"xxx": "1/2", "xxy": 1}))
MAP = about(forms("xy", [{"xx": 1}, {"yy": 1}]))
TENSOR = about(tensor((2, 2, 2), {(0, 0, 0): 1, (1, 1, 1): 1}), "product")
ENTRIES = "/target/entries"
TARGETS: list[tuple[str, tuple[int, ...], str]] = [
    ("matmul", (2, 3, 4), "product"),
    ("det", (3,), "tied"),
    ("perm", (3,), "split"),
    ("det_tensor", (3,), "product"),
    ("perm_tensor", (4,), "product"),
    ("monomial", (3, 1, 2), "untied"),
    ("elementary", (2, 4), "mixed:1"),
    ("power_sum", (4, 3), "mixed:2"),
    ("W", (4,), "product"),
    ("GHZ", (5,), "product"),
    ("unit", (3,), "product"),
    ("unit", (4, 2), "tied"),
    ("polymul", (2, 3), "product"),
    ("polymul", (3, 1), "product"),
    ("complex_product", (), "product"),
    ("quaternion_product", (), "product"),
    ("coppersmith_winograd", (2,), "product"),
    ("small_coppersmith_winograd", (3,), "product"),
    ("skew_coppersmith_winograd", (4,), "product"),
    ("dicke", (2, 4), "product"),
    ("dicke", (2, 2), "product"),
    ("truncated_polynomials", (3,), "product"),
    ("cyclic_convolution", (4,), "product"),
    ("upper_triangular", (3,), "product"),
]


def bad(
    name: str, pointer: str, value: Json, code: str, at: str | None = None, base: dict[str, Json] = X2Y
) -> Case:
    """An unreadable file made by one change."""
    return unreadable("target", name, changed(base, pointer, value), code, pointer if at is None else at)


def unknown(name: str, target: Json, code: str, pointer: str) -> Case:
    """An unreadable named target."""
    return unreadable("target", name, about(target), code, pointer)


def beyond(name: str, target: Json, code: str, pointer: str) -> Case:
    """A target beyond a limit."""
    return undecided("target", name, about(target), code, pointer)


ACCEPTED = [
    accept(
        "target",
        "-".join(["named", name.replace("_", "-"), *map(str, parameters)]),
        about(named(name, *parameters), units),
    )
    for name, parameters, units in TARGETS
] + [
    accept("target", "no-variables", without(X2Y, "/target/variables")),
    accept("target", "variables-of-a-map", changed(MAP, "/target/variables", ["Alpha_1", "x" * 32])),
    accept("target", "one-variable", about(form("x", {"x": -1}))),
    accept(
        "target",
        "sixteen-factors",
        about({"space": [[1, 1]] * 16, "ring": "QQ", "entries": [[[0] * 16, 1]]}, "product"),
    ),
    accept(
        "target",
        "degree-64-dimension-4096",
        about({"space": [[4096, 64]], "ring": "QQ", "entries": [[[4095] * 64, 1]]}),
    ),
    accept("target", "long-rationals", changed(X2Y, f"{ENTRIES}/0/1", "-1" + "0" * 3999 + "/" + "1" * 4000)),
    accept("target", "largest-integer-without-quotes", changed(X2Y, f"{ENTRIES}/0/1", -(2**53 - 1))),
    accept("target", "smallest-integer-with-quotes", changed(X2Y, f"{ENTRIES}/0/1", str(2**53))),
    accept("target", "largest-negative-integer-with-quotes", changed(X2Y, f"{ENTRIES}/0/1", str(-(2**53)))),
    accept(
        "target",
        "variables-called-like-targets-with-parameters",
        changed(X2Y, "/target/variables", ["W", "det"]),
    ),
]

UNREADABLE = [
    bad("a-list", "/target", [], "wrong-type"),
    bad("text", "/target", "x**2*y", "wrong-type"),
    bad("a-degree", "/target/degree", 3, "unknown-key"),
    unreadable("target", "no-ring", without(X2Y, "/target/ring"), "missing-key", "/target"),
    unreadable("target", "no-space", without(X2Y, "/target/space"), "missing-key", "/target"),
    unreadable("target", "no-entries", without(X2Y, "/target/entries"), "missing-key", "/target"),
    bad("no-factors", "/target/space", [], "empty-list"),
    bad("a-factor-without-power", "/target/space/0", [2], "wrong-length"),
    bad("a-factor-of-three-numbers", "/target/space/0", [2, 3, 1], "wrong-length"),
    bad("dimension-0", "/target/space/0/0", 0, "out-of-range"),
    bad("dimension-is-negative", "/target/space/0/0", -2, "out-of-range"),
    bad("dimension-is-text", "/target/space/0/0", "2", "wrong-type"),
    bad("dimension-beyond-2-to-53", "/target/space/0/0", 2**53 + 1, "out-of-range"),
    bad("power-0", "/target/space/0/1", 0, "out-of-range"),
    bad("power-beyond-2-to-53", "/target/space/0/1", 2**53 + 1, "out-of-range"),
    bad("one-output", "/target/space", [[2, 3], [1, 1]], "one-output", "/target/space/1"),
    bad("ring-zz", "/target/ring", "ZZ", "unknown-field"),
    bad("ring-rr", "/target/ring", "RR", "unknown-field"),
    bad("ring-cc", "/target/ring", "CC", "unknown-field"),
    bad("ring-gf4", "/target/ring", "GF(4)", "unknown-field"),
    bad("ring-gf1", "/target/ring", "GF(1)", "unknown-field"),
    bad("ring-gf0", "/target/ring", "GF(0)", "unknown-field"),
    bad("ring-gf-with-leading-zero", "/target/ring", "GF(07)", "unknown-field"),
    bad("ring-gf-with-space", "/target/ring", "GF( 7)", "unknown-field"),
    bad("ring-gf-with-new-line", "/target/ring", "GF(7)\n", "unknown-field"),
    bad("ring-gf-minus-7", "/target/ring", "GF(-7)", "unknown-field"),
    # 2^31 + 11 is prime, and so is 2^61 - 1.
    bad("ring-gf-beyond-2-to-31", "/target/ring", "GF(2147483659)", "unknown-field"),
    bad("ring-gf-of-nineteen-digits", "/target/ring", "GF(2305843009213693951)", "unknown-field"),
    bad("ring-is-a-number", "/target/ring", 7, "wrong-type"),
    bad("no-terms", ENTRIES, [], "empty-list"),
    bad("terms-are-an-object", ENTRIES, {"0": 1}, "wrong-type"),
    bad("a-term-without-coefficient", f"{ENTRIES}/0", [[0, 0, 0]], "wrong-length"),
    bad("a-term-of-three-parts", f"{ENTRIES}/0", [[0, 0, 0], 1, 1], "wrong-length"),
    bad("a-short-word", f"{ENTRIES}/0/0", [0, 0], "wrong-length"),
    bad("a-long-word", f"{ENTRIES}/0/0", [0, 0, 0, 0], "wrong-length"),
    bad("a-word-is-text", f"{ENTRIES}/0/0", "000", "wrong-type"),
    bad("index-beyond-the-dimension", f"{ENTRIES}/0/0", [0, 0, 2], "out-of-range", f"{ENTRIES}/0/0/2"),
    bad("negative-index", f"{ENTRIES}/0/0", [-1, 0, 0], "out-of-range", f"{ENTRIES}/0/0/0"),
    bad("index-is-text", f"{ENTRIES}/0/0", [0, "0", 0], "wrong-type", f"{ENTRIES}/0/0/1"),
    bad("falling-indices", f"{ENTRIES}/1/0", [0, 1, 0], "unsorted", f"{ENTRIES}/1/0/2"),
    bad("falling-words", ENTRIES, [[[0, 0, 1], 1], [[0, 0, 0], 1]], "unsorted", f"{ENTRIES}/1/0"),
    bad("repeated-words", ENTRIES, [[[0, 0, 1], 1], [[0, 0, 1], 1]], "repeated", f"{ENTRIES}/1/0"),
    bad("zero-coefficient", f"{ENTRIES}/0/1", 0, "zero-entry"),
    bad("zero-coefficient-modulo-2", "/target/ring", "GF(2)", "wrong-type", f"{ENTRIES}/0/1"),
    bad("coefficient-is-an-object", f"{ENTRIES}/0/1", {}, "wrong-type"),
    bad("output-beyond-the-last", f"{ENTRIES}/1/0", [1, 1, 2], "out-of-range", f"{ENTRIES}/1/0/2", MAP),
    bad(
        "tensor-index-beyond-the-last",
        f"{ENTRIES}/1/0",
        [1, 2, 1],
        "out-of-range",
        f"{ENTRIES}/1/0/1",
        TENSOR,
    ),
    bad("variables-of-a-tensor", "/target/variables", ["a", "b"], "unknown-key", None, TENSOR),
    bad("a-variable-too-few", "/target/variables", ["x"], "wrong-length"),
    bad("a-variable-too-many", "/target/variables", ["x", "y", "z"], "wrong-length"),
    bad("a-variable-with-a-star", "/target/variables/1", "x*y", "bad-name"),
    bad("a-variable-with-a-digit-first", "/target/variables/1", "1x", "bad-name"),
    bad("an-empty-variable", "/target/variables/1", "", "bad-name"),
    bad("a-variable-with-new-line", "/target/variables/1", "y\n", "bad-name"),
    bad("a-variable-of-33-letters", "/target/variables/1", "y" * 33, "bad-name"),
    bad("a-variable-is-a-number", "/target/variables/1", 2, "wrong-type"),
    bad("a-variable-called-like-a-target", "/target/variables/1", "quaternion_product", "bad-name"),
    bad("equal-variables", "/target/variables/1", "x", "repeated", "/target/variables"),
    bad("rational-1_0", f"{ENTRIES}/0/1", "1_0", "bad-rational"),
    bad("rational-with-spaces", f"{ENTRIES}/0/1", " 3/4 ", "bad-rational"),
    bad("rational-with-new-line", f"{ENTRIES}/0/1", "3/4\n", "bad-rational"),
    bad("rational-with-plus", f"{ENTRIES}/0/1", "+1", "bad-rational"),
    bad("rational-with-plus-below", f"{ENTRIES}/0/1", "1/+2", "bad-rational"),
    bad("rational-with-minus-below", f"{ENTRIES}/0/1", "1/-2", "bad-rational"),
    bad("rational-with-leading-zero", f"{ENTRIES}/0/1", "01/2", "bad-rational"),
    bad("rational-with-leading-zero-below", f"{ENTRIES}/0/1", "1/02", "bad-rational"),
    bad("rational-with-zero-below", f"{ENTRIES}/0/1", "1/0", "bad-rational"),
    bad("rational-zero-above", f"{ENTRIES}/0/1", "0/3", "bad-rational"),
    bad("rational-minus-zero", f"{ENTRIES}/0/1", "-0", "bad-rational"),
    bad("rational-zero-in-quotes", f"{ENTRIES}/0/1", "0", "bad-rational"),
    bad("rational-point", f"{ENTRIES}/0/1", "0.5", "bad-rational"),
    bad("rational-exponent", f"{ENTRIES}/0/1", "1e3", "bad-rational"),
    bad("rational-empty", f"{ENTRIES}/0/1", "", "bad-rational"),
    bad("rational-arabic-digit", f"{ENTRIES}/0/1", "\u0661/2", "bad-rational"),
    bad("rational-two-quarters", f"{ENTRIES}/0/1", "2/4", "not-lowest-terms"),
    bad("rational-over-one", f"{ENTRIES}/0/1", "3/1", "not-lowest-terms"),
    bad("rational-small-in-quotes", f"{ENTRIES}/0/1", "5", "bad-rational"),
    bad("rational-2-to-53-minus-1-in-quotes", f"{ENTRIES}/0/1", str(2**53 - 1), "bad-rational"),
    bad("rational-minus-2-to-53-plus-1-in-quotes", f"{ENTRIES}/0/1", str(1 - 2**53), "bad-rational"),
    bad("rational-2-to-53-without-quotes", f"{ENTRIES}/0/1", 2**53, "bad-rational"),
    bad("rational-minus-2-to-53-without-quotes", f"{ENTRIES}/0/1", -(2**53), "bad-rational"),
    bad("rational-in-a-list", f"{ENTRIES}/0/1", [1, 2], "wrong-type"),
    unknown("named-unknown", named("matrix_product", 2, 2, 2), "unknown-target", "/target/name"),
    unknown("named-as-a-method", named("__class__"), "unknown-target", "/target/name"),
    unknown("named-by-a-number", named(7), "wrong-type", "/target/name"),  # type: ignore[arg-type]
    unknown("named-without-parameters", {"name": "det"}, "missing-key", "/target"),
    unknown("named-with-entries", named("det", 3) | {"entries": []}, "unknown-key", "/target/entries"),
    unknown("named-with-too-few-parameters", named("matmul", 2, 2), "wrong-length", "/target/parameters"),
    unknown("named-with-too-many-parameters", named("W", 3, 3), "wrong-length", "/target/parameters"),
    unknown("named-with-no-parameter", named("W"), "empty-list", "/target/parameters"),
    unknown("named-with-a-number", {"name": "W", "parameters": 3}, "wrong-type", "/target/parameters"),
    unknown("named-with-zero", named("matmul", 2, 0, 2), "out-of-range", "/target/parameters/1"),
    unknown(
        "named-with-a-negative-number", named("matmul", 2, 2, -2), "out-of-range", "/target/parameters/2"
    ),
    unknown("named-w-of-order-1", named("W", 1), "out-of-range", "/target/parameters/0"),
    unknown("named-with-text", {"name": "W", "parameters": ["3"]}, "wrong-type", "/target/parameters/0"),
    unknown(
        "named-elementary-of-too-high-degree",
        named("elementary", 4, 3),
        "bad-parameters",
        "/target/parameters",
    ),
    unknown("named-dicke-with-too-many-ones", named("dicke", 4, 3), "bad-parameters", "/target/parameters"),
    unknown(
        "named-skew-coppersmith-winograd-3",
        named("skew_coppersmith_winograd", 3),
        "bad-parameters",
        "/target/parameters",
    ),
    unknown("named-unit-of-order-1", named("unit", 3, 1), "bad-parameters", "/target/parameters/1"),
]

UNDECIDED = [
    beyond(
        "dimension-4097",
        {"space": [[4097, 2]], "ring": "QQ", "entries": [[[0, 0], 1]]},
        "limit-dimension",
        "/target/space/0/0",
    ),
    beyond(
        "seventeen-factors",
        {"space": [[1, 1]] * 17, "ring": "QQ", "entries": [[[0] * 17, 1]]},
        "limit-factors",
        "/target/space",
    ),
    beyond(
        "degree-65",
        {"space": [[1, 65]], "ring": "QQ", "entries": [[[0] * 65, 1]]},
        "limit-degree",
        "/target/space",
    ),
    undecided(
        "target",
        "an-integer-of-4001-digits",
        changed(X2Y, f"{ENTRIES}/0/1", "1" * 4001),
        "limit-digits",
        f"{ENTRIES}/0/1",
    ),
    undecided(
        "target",
        "a-numerator-of-4001-digits",
        changed(X2Y, f"{ENTRIES}/0/1", "-" + "1" * 4001 + "/2"),
        "limit-digits",
        f"{ENTRIES}/0/1",
    ),
    undecided(
        "target",
        "a-denominator-of-4001-digits",
        changed(X2Y, f"{ENTRIES}/0/1", "1/" + "3" * 4001),
        "limit-digits",
        f"{ENTRIES}/0/1",
    ),
    undecided(
        "target",
        "text-of-8003-characters",
        changed(X2Y, f"{ENTRIES}/0/1", "x" * 8003),
        "limit-digits",
        f"{ENTRIES}/0/1",
    ),
    beyond("named-det-tensor-9", named("det_tensor", 9), "limit-entries", "/target/parameters"),
    beyond("named-perm-tensor-9", named("perm_tensor", 9), "limit-entries", "/target/parameters"),
    beyond("named-det-9", named("det", 9), "limit-entries", "/target/parameters"),
    beyond("named-perm-9", named("perm", 9), "limit-entries", "/target/parameters"),
    beyond("named-elementary-10-40", named("elementary", 10, 40), "limit-entries", "/target/parameters"),
    beyond(
        "named-elementary-of-degree-65", named("elementary", 65, 65), "limit-degree", "/target/parameters"
    ),
    beyond("named-power-sum-of-degree-65", named("power_sum", 65, 2), "limit-degree", "/target/parameters"),
    beyond("named-matmul-64-65-1", named("matmul", 64, 65, 1), "limit-dimension", "/target/parameters"),
    beyond("named-w-17", named("W", 17), "limit-dimension", "/target/parameters"),
    beyond("named-dicke-8-17", named("dicke", 8, 17), "limit-dimension", "/target/parameters"),
    beyond(
        "named-cyclic-convolution-2048",
        named("cyclic_convolution", 2048),
        "limit-entries",
        "/target/parameters",
    ),
    beyond(
        "named-truncated-polynomials-2048",
        named("truncated_polynomials", 2048),
        "limit-entries",
        "/target/parameters",
    ),
    beyond("named-polymul-2048-2048", named("polymul", 2048, 2048), "limit-entries", "/target/parameters"),
]

CASES = ACCEPTED + UNREADABLE + UNDECIDED

"""Compare a verifier with the verdicts that the corpus demands.

The same comparison serves the real verifier, checkers that are broken on purpose, and mutants: a verifier comes as its
modules, under whatever name they were loaded.
"""

from __future__ import annotations

import functools
import gc
import hashlib
import importlib
import json
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

FOLDER = Path(__file__).resolve().parent
WEIGHTS = str(FOLDER / "weights")
"""Folder of the weights files that targets of the corpus are blocks of."""

Finding = tuple[str, str, str]
"""Word, code and pointer of a verdict; ``USAGE`` for an expectation that is no statement."""


@dataclass(frozen=True, eq=False)
class Demand:
    """A file and what must be said about it.

    ``limits`` replace real ones, ``expect`` is given as the expected statement, and ``broken`` names a change of the
    table of rules: the kernel must stand up to a wrong rule too. ``theorems`` are accepted.
    """

    name: str
    data: bytes
    finding: Finding
    limits: Mapping[str, int] | None = None
    expect: str | None = None
    broken: str | None = None
    theorems: tuple[str, ...] = ()


EXIT_STATUS = {"VERIFIED": 0, "REJECTED": 1, "UNREADABLE": 3, "UNDECIDED": 4, "CONDITIONAL": 5}


class Verifier:
    """A verifier by its modules.

    With ``patience``, so many seconds, a file without a verdict is a TimeoutError: a verifier that no longer refuses what is
    too large does not end.
    """

    def __init__(self, name: str = "rankproof.verifier", patience: float | None = None) -> None:
        self.patience = patience
        self.package = importlib.import_module(name)
        self.limits: ModuleType = importlib.import_module(f"{name}.limits")

    def find(self, demand: Demand) -> Finding:
        """What the verifier says in the circumstances of a demand."""
        rules = BROKEN[demand.broken](self.package.RULES) if demand.broken else self.package.RULES
        with _limits(self.limits, demand.limits or {}), _at_most(self.patience):
            try:
                verdict = self.package.verify_bytes(
                    demand.data,
                    accept_theorems=demand.theorems,
                    expect=demand.expect,
                    weights=[WEIGHTS],
                    rules=rules,
                )
            except self.package.BadExpectation:
                return "USAGE", "", ""
        if verdict.exit_status != EXIT_STATUS[verdict.word]:
            return f"{verdict.word} {verdict.exit_status}", verdict.code, verdict.pointer
        return verdict.word, verdict.code, verdict.pointer


@contextmanager
def _limits(module: ModuleType, values: Mapping[str, int]) -> Iterator[None]:
    old = {name: getattr(module, name) for name in values}
    vars(module).update(values)
    try:
        yield
    finally:
        vars(module).update(old)


@contextmanager
def _at_most(seconds: float | None) -> Iterator[None]:
    if seconds is None:
        yield
        return

    def stop(*_: object) -> None:
        raise TimeoutError("no verdict in time")

    before = signal.signal(signal.SIGALRM, stop)
    # An exception raised while a callback of the collector runs would be lost.
    gc.disable()
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        gc.enable()
        signal.signal(signal.SIGALRM, before)


def disagreements(find: Callable[[Demand], Finding], demands: Iterable[Demand]) -> Iterator[str]:
    """What is said about files where something else should be said, in words."""
    for demand in demands:
        try:
            found = find(demand)
        except Exception as error:  # a checker that breaks down disagrees with every demand
            yield f"{demand.name}: {type(error).__name__}: {error}"
            continue
        if found != demand.finding:
            yield f"{demand.name}: demanded {demand.finding}, found {found}"


# Files


@functools.cache
def files() -> tuple[Demand, ...]:
    """Every file of the corpus, read from disk, with the verdict in expected.json."""
    expected = json.loads((FOLDER / "expected.json").read_text(encoding="ascii"))
    return tuple(
        Demand(path, (FOLDER / path).read_bytes(), (word, code, pointer))
        for path, (word, code, pointer) in expected.items()
    )


def accepted(path: str) -> bytes:
    """Bytes of an accepted file."""
    return (FOLDER / "accept" / f"{path}.json").read_bytes()


# Limits, whose real sizes would make large files

LIMITS: tuple[tuple[str, str, str, str], ...] = (
    ("FILE_BYTES", "nonzero/x2y", "limit-bytes", ""),
    ("STRUCTURE", "nonzero/x2y", "limit-structure", ""),
    ("NUMBER_FIELDS", "fields/swinnerton-dyer", "limit-number-fields", "/number_fields"),
    ("STEPS", "kernel/several-answers", "limit-steps", "/steps"),
    ("ANSWERS", "kernel/several-answers", "limit-answers", "/conclusion"),
    ("ENTRIES", "quadric/lorentz-untied-rr", "limit-entries", "/target/entries"),
    ("ENTRIES", "target/named-matmul-2-3-4", "limit-entries", "/target/parameters"),
    ("ENTRIES", "target/named-cyclic-convolution-4", "limit-entries", "/target/parameters"),
    ("ENTRIES", "target/named-elementary-2-4", "limit-entries", "/target/parameters"),
    ("FACTORS", "target/named-W-4", "limit-dimension", "/target/parameters"),
    ("DIMENSION", "target/named-matmul-2-3-4", "limit-dimension", "/target/parameters"),
    ("DEGREE", "target/named-monomial-3-1-2", "limit-degree", "/target/parameters"),
    ("UNITS", "decomposition/x2y-three-cubes", "limit-units", "/steps/0/witness/units"),
    ("OPERATIONS", "decomposition/x2y-three-cubes", "limit-operations", "/steps/0/witness/units"),
    ("OPERATIONS", "decomposition/strassen", "limit-operations", "/steps/0/witness/units"),
    ("OPERATIONS", "decomposition/long-numbers", "limit-operations", "/steps/0/witness/units"),
    ("OPERATIONS", "border-family/w3-with-a-pole", "limit-operations", "/steps/0/witness/units"),
    (
        "OPERATIONS",
        "border-family/numbers-and-families-over-a-number-field",
        "limit-operations",
        "/steps/0/witness/units",
    ),
    ("OPERATIONS", "flattening/x2y", "limit-operations", "/steps/0/witness/orders"),
    ("OPERATIONS", "flattening/a-dense-matrix", "limit-operations", "/steps/0"),
    ("OPERATIONS", "quadric/lorentz-tied-rr", "limit-operations", "/steps/0"),
    ("OPERATIONS", "inertia-floor/untied", "limit-operations", "/steps/0"),
    ("OPERATIONS", "floor/xyz-tied", "limit-operations", "/steps/0/witness/orders"),
    ("OPERATIONS", "floor/cube", "limit-operations", "/steps/0/witness/rows"),
    ("OPERATIONS", "size-floor/tangent", "limit-operations", "/steps/0"),
    ("OPERATIONS", "inertia/lorentz", "limit-operations", "/steps/0"),
    ("OPERATIONS", "block/q4-1", "limit-operations", "/target"),
    ("ENTRIES", "block/two-directions", "limit-entries", "/target"),
    ("DIMENSION", "block/a-product", "limit-entries", "/target"),
    ("WEIGHTS", "block/q4-1", "limit-entries", "/target/block"),
    ("FLATTENING_SIDE", "flattening/quartic-split", "limit-flattening", "/steps/0/witness/orders"),
    ("KOSZUL_SIDE", "koszul/det-3", "limit-koszul", "/steps/0/witness"),
    ("OPERATIONS", "koszul/xyz", "limit-operations", "/steps/0/witness"),
    ("FIELD_DEGREE", "fields/swinnerton-dyer", "limit-field-degree", "/number_fields/0/minimal_polynomial"),
    (
        "MODULAR_FACTORS",
        "fields/swinnerton-dyer",
        "limit-modular-factors",
        "/number_fields/0/minimal_polynomial",
    ),
    ("EXPONENT", "border-family/x2y-tangent", "limit-exponent", "/steps/0/witness/order"),
    (
        "OPERATIONS",
        "apolar-length/operators-beyond-the-degree",
        "limit-operations",
        "/steps/0/witness/macaulay",
    ),
    (
        "FLATTENING_SIDE",
        "apolar-length/operators-beyond-the-degree",
        "limit-flattening",
        "/steps/0/witness/macaulay",
    ),
    ("OPERATIONS", "binary/x8y2-untied", "limit-operations", "/steps/0"),
    ("OPERATIONS", "t-bound/operator-of-degree-2", "limit-operations", "/steps/0"),
    ("DIMENSION", "binary/x3y2-untied", "limit-dimension", "/steps/0/witness/power"),
    ("DEGREE", "binary/x8y2-untied", "limit-dimension", "/steps/0/witness/power"),
    ("DIMENSION", "signature/cube-of-a-circle-mixed-2", "limit-dimension", "/steps/0/witness/half"),
    ("KOSZUL_SIDE", "koszul/a-cubic", "limit-koszul", "/steps/0/witness"),
    ("OPERATIONS", "koszul/a-cubic", "limit-operations", "/steps/0/witness"),
    ("OPERATIONS", "pencil/w3", "limit-operations", "/steps/0/witness"),
    ("OPERATIONS", "pencil/cube-root-of-2-over-rr", "limit-operations", "/steps/0/witness"),
    ("OPERATIONS", "kronecker-form/complex-product", "limit-operations", "/steps/0/witness"),
    ("OPERATIONS", "alder-strassen/quaternions", "limit-operations", "/steps/0"),
    ("OPERATIONS", "dropped-slices/two-by-two-matrices", "limit-operations", "/steps/0"),
    ("OPERATIONS", "landsberg-teitler/x3y3-mixed-2", "limit-operations", "/target"),
    ("OPERATIONS", "output-substitution/complex-product-tied", "limit-operations", "/steps/0/witness/half"),
    ("OPERATIONS", "signature/an-operator-an-output", "limit-operations", "/steps/0/witness/half"),
    ("OPERATIONS", "locus/cut-by-a-plane", "limit-operations", "/steps/0"),
    ("OPERATIONS", "substitution/quintic-in-three-steps", "limit-operations", "/steps/0"),
    ("OPERATIONS", "substitution/a-multiplier", "limit-operations", "/steps/0/witness/orders"),
    (
        "OPERATIONS",
        "independent-combination/vanishing-hessian",
        "limit-operations",
        "/steps/0/witness/orders",
    ),
    ("COVER_POINTS", "cover/polymul-by-lines", "limit-cover", "/steps/0/witness/nodes/0/space"),
    ("OPERATIONS", "cover/strassen-exhausted", "limit-operations", "/steps/0"),
    ("OPERATIONS", "cover/a-branch", "limit-operations", "/steps/0"),
)
"""Limit, accepted file, and the code and pointer of the refusal when the limit is low enough."""


@functools.cache
def limits() -> tuple[Demand, ...]:
    """For every line of LIMITS the largest limit that refuses the file so, and the limit one above.

    The turning point is found with the real verifier: what an operation costs is its business. That there is one, that
    it is a refusal with this code and pointer, and that mutants agree about it, is what is tested.
    """
    verifier = Verifier()
    result: list[Demand] = []
    for limit, path, code, pointer in LIMITS:
        demand = Demand(f"{limit} for {path}", accepted(path), ("UNDECIDED", code, pointer))

        def refused(value: int, limit: str = limit, demand: Demand = demand) -> bool:
            return verifier.find(replace(demand, limits={limit: value})) == demand.finding

        high = getattr(verifier.limits, limit)
        low = next((value for value in _growing(high) if refused(value)), None)
        if low is None:
            raise AssertionError(f"no {limit} refuses {path} with {code} at {pointer}")
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if refused(middle) else (low, middle)
        above = replace(demand, name=f"{demand.name}, one above", limits={limit: high})
        result += [replace(demand, limits={limit: low}), replace(above, finding=verifier.find(above))]
    return tuple(result)


def _growing(most: int) -> Iterator[int]:
    value = 0
    while value < most:
        yield value
        value += 1 + value // 4


# Wrong rules


def _five(rules: Mapping[str, Any]) -> dict[str, Any]:
    rule = rules["nonzero"]
    return {**rules, "nonzero": replace(rule, derive=lambda w, c: replace(rule.derive(w, c), value=5))}


def _five_from_a_premise(rules: Mapping[str, Any]) -> dict[str, Any]:
    return {**rules, "nonzero": replace(_five(rules)["nonzero"], premises=1, theorems=("A theorem",))}


BROKEN: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "nonzero proves 5": _five,
    "nonzero proves 5 from a premise": _five_from_a_premise,
}


@functools.cache
def wrong_rules() -> tuple[Demand, ...]:
    """What the kernel says when a rule is wrong, or takes premises, which none of the real ones does."""
    from .recipes.kernel import FIVE, FIVE_AND_ONE, FIVE_FROM_FLATTENING, FIVE_FROM_NOTHING

    contradiction = ("REJECTED", "contradiction", "/conclusion/0")
    five, premise = BROKEN
    return (
        Demand("a lower bound above the upper bound", FIVE_AND_ONE, contradiction, broken=five),
        Demand("five", FIVE, ("VERIFIED", "", ""), broken=five),
        Demand(
            "a step used as a premise only", FIVE_FROM_FLATTENING, ("CONDITIONAL", "", ""), broken=premise
        ),
        Demand(
            "a premise is missing",
            FIVE_FROM_NOTHING,
            ("REJECTED", "premise-count", "/steps/1/premises"),
            broken=premise,
        ),
    )


# Expectations

MET, UNMET, USAGE = ("VERIFIED", "", ""), ("REJECTED", "expectation", ""), ("USAGE", "", "")

EXPECTATIONS: tuple[tuple[str, str, Finding], ...] = (
    ("kernel/several-answers", "tied width of x**2*y >= 2 over CC", MET),
    ("kernel/several-answers", "tied width of x**2*y >= 1 over CC", MET),
    ("kernel/several-answers", "tied width of x**2*y >= 3 over CC", UNMET),
    ("kernel/several-answers", "tied width of x**2*y <= 3 over CC", MET),
    ("kernel/several-answers", "tied width of x**2*y <= 4 over CC", MET),
    ("kernel/several-answers", "tied width of x**2*y <= 2 over CC", UNMET),
    ("kernel/several-answers", "tied width of x**2*y = 2 over CC", UNMET),
    ("kernel/several-answers", "tied width of x**2*y = 3 over CC", UNMET),
    ("kernel/several-answers", "untied width of x**2*y = 1 over RR", MET),
    ("kernel/several-answers", "untied rank of x*y*x = 1 over RR", MET),
    ("kernel/several-answers", "untied width of x**2*y = 1 over QQ", UNMET),
    ("kernel/several-answers", "untied border width of x**2*y = 1 over RR", UNMET),
    ("kernel/several-answers", "tied border width of x**2*y = 2 over CC", MET),
    ("kernel/several-answers", "  tied border  rank of  -(1/2)*x*(x*(0 - 2*y)) = 2 over QQ ", MET),
    ("kernel/several-answers", "tied width of x**2*y + x**3 - x**3 >= 2 over QQ", MET),
    ("kernel/several-answers", "tied width of x*y**2 >= 2 over CC", UNMET),
    ("kernel/several-answers", "tied width of 2*x**2*y >= 2 over CC", UNMET),
    ("kernel/several-answers", "tied width of x**2*z >= 2 over CC", UNMET),
    ("kernel/several-answers", "tied width of x**2*y + 1 >= 2 over CC", UNMET),
    ("kernel/several-answers", "tied width of x**2*y; x**2*y >= 2 over CC", UNMET),
    ("kernel/several-answers", "tied width of W(3) >= 2 over CC", UNMET),
    ("kernel/several-answers", "tied width of x**2*y >= 2", USAGE),
    ("kernel/several-answers", "tied width of x**2*y > 2 over CC", USAGE),
    ("kernel/several-answers", "tied width of x**2*y >= 2 over CC or so", USAGE),
    ("kernel/several-answers", "width of x**2*y >= 2 over CC", USAGE),
    ("kernel/several-answers", "mixed:0 width of x**2*y >= 2 over CC", USAGE),
    ("kernel/several-answers", "mixed:1 width of x**2*y >= 2 over CC", UNMET),
    ("kernel/several-answers", "tied width of x^2*y >= 2 over CC", USAGE),
    ("kernel/several-answers", "tied width of 1.0*x**2*y >= 2 over CC", USAGE),
    ("kernel/several-answers", "tied width of True*x**2*y >= 2 over CC", USAGE),
    ("kernel/several-answers", "tied width of x**2*y/0 >= 2 over CC", USAGE),
    ("kernel/several-answers", "tied width of x**2*y/y >= 2 over CC", USAGE),
    ("kernel/several-answers", "tied width of x**(-1)*y >= 2 over CC", USAGE),
    ("kernel/several-answers", "tied width of x**(1/2)*y >= 2 over CC", USAGE),
    ("kernel/several-answers", "tied width of x**y >= 2 over CC", USAGE),
    ("kernel/several-answers", "tied width of x**65 >= 2 over CC", USAGE),
    ("kernel/several-answers", "tied width of x**64 >= 2 over CC", UNMET),
    ("kernel/several-answers", "tied width of (x**2 >= 2 over CC", USAGE),
    ("kernel/several-answers", "tied width of f(x) >= 2 over CC", USAGE),
    ("kernel/several-answers", "tied width of " + "+".join(["x"] * 1500) + " >= 2 over CC", USAGE),
    ("kernel/several-answers", "tied width of " + "(" * 5000 + " >= 2 over CC", USAGE),
    ("kernel/several-answers", "tied width of ; >= 2 over CC", USAGE),
    ("decomposition/strassen", "product width of matmul(2,2,2) <= 7 over CC", MET),
    ("decomposition/strassen", "product width of matmul( 2 , 2,2 ) <= 7 over CC", MET),
    ("decomposition/strassen", "product width of matmul(2,2,3) <= 7 over CC", UNMET),
    ("decomposition/strassen", "product width of matmul(2,2) <= 7 over CC", USAGE),
    ("decomposition/strassen", "product width of matmul(2,,2) <= 7 over CC", USAGE),
    ("decomposition/strassen", "product width of matmul(2,2,0) <= 7 over CC", USAGE),
    ("decomposition/strassen", "product width of matmul <= 7 over CC", USAGE),
    ("decomposition/strassen", "product width of det(9) <= 7 over CC", USAGE),
    ("decomposition/strassen", "product width of x <= 7 over CC", UNMET),
    ("decomposition/complex-product-over-qq-i", "product width of complex_product = 2 over CC", UNMET),
    ("decomposition/complex-product-over-qq-i", "product width of complex_product <= 2 over CC", MET),
    ("decomposition/complex-product-over-qq-i", "product width of complex_product() <= 2 over CC", MET),
    ("decomposition/complex-product-over-qq-i", "product width of complex_product <= 2 over RR", UNMET),
    ("decomposition/complex-product-over-qq-i", "product width of complex_product <= 2 over QQ(i)", USAGE),
    (
        "decomposition/complex-product-over-qq-i",
        "product width of complex_product <= 2 over QQ(i), where i**2+1 = 0",
        MET,
    ),
    (
        "decomposition/complex-product-over-qq-i",
        "product width of complex_product <= 2 over QQ(i), where i**2 - 2 = 0",
        UNMET,
    ),
    (
        "decomposition/complex-product-over-qq-i",
        "product width of complex_product <= 2 over CC, where i**2 + 1 = 0",
        USAGE,
    ),
    ("decomposition/complex-square", "untied width of x**2 - y**2; 2*x*y <= 2 over QQ", MET),
    ("decomposition/complex-square", "untied width of 2*x*y; x**2 - y**2 <= 2 over QQ", UNMET),
    ("decomposition/complex-square", "untied width of x**2 - y**2 <= 2 over QQ", UNMET),
    ("decomposition/coefficients-in-a-number-field", "tied width of x <= 1 over CC", UNMET),
    ("decomposition/coefficients-in-a-number-field", "tied width of W(3) <= 1 over CC", UNMET),
    ("nonzero/target-over-gf5", "tied width of 2*x >= 1 over GF(5)", UNMET),
    ("target/no-variables", "tied width of 1/2*x1**3 + x1**2*x2 >= 1 over CC", MET),
    ("decomposition/x2y2-mixed-2", "mixed:2 width of 2/3*x**2*y**2 <= 1 over QQ", MET),
)
"""Accepted file, expected statement, and what must come of it."""


def claim_hash(certificate: dict[str, Any]) -> str:
    """The claim hash as docs/format.md defines it, for explicit targets."""
    target = {key: certificate["target"][key] for key in ("space", "ring", "entries")}
    conclusion = sorted(certificate["conclusion"], key=lambda a: (a["units"], a["field"], a["quantity"]))
    mentioned = {answer["field"] for answer in conclusion} | {target["ring"]}
    declared = []
    for field in sorted(certificate.get("number_fields", []), key=lambda field: f"QQ({field['symbol']})"):
        if f"QQ({field['symbol']})" in mentioned:
            root = {"real_root": [str(x) for x in field["real_root"]]} if "real_root" in field else {}
            polynomial = [int(c) for c in field["minimal_polynomial"]]
            declared.append({"symbol": field["symbol"], "minimal_polynomial": polynomial, **root})
    if declared:
        target["number_fields"] = declared
    text = json.dumps({"conclusion": conclusion, "target": target}, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


IDENTIFIED = (
    "decomposition/coefficients-in-a-number-field",
    "decomposition/difference-over-a-real-field",
    "decomposition/long-numbers",
    "kernel/fields-of-a-rational-target",
    "kernel/fields-of-an-irrational-target",
    "kernel/several-answers",
    "nonzero/target-over-gf5",
    "quadric/negative-root-over-rr",
    "target/largest-negative-integer-with-quotes",
    "target/long-rationals",
)
"""Accepted files that are expected by their claim hash, computed here."""


@functools.cache
def expectations() -> tuple[Demand, ...]:
    """The statements of EXPECTATIONS, and products of polynomials at the limit of terms."""
    result = [
        Demand(f"expect {text[:60]}", accepted(path), finding, expect=text)
        for path, text, finding in EXPECTATIONS
    ]
    for path in IDENTIFIED:
        name = claim_hash(json.loads(accepted(path)))
        result.append(Demand(f"the hash of {path}", accepted(path), MET, expect=name))
        result.append(Demand(f"another hash than that of {path}", accepted(path), UNMET, expect=name[::-1]))
    theorem = Demand("the theorem is accepted", accepted("coprime-monomials/x2y"), MET)
    result.append(replace(theorem, theorems=("Carlini-Catalisano-Geramita 2012",)))
    result.append(replace(theorem, finding=("CONDITIONAL", "", ""), theorems=("Another theorem",)))
    long = "tied width of (x + y)*(x - y) >= 2 over CC"
    for limit, finding in ((3, USAGE), (4, UNMET)):
        demand = Demand(f"{limit} terms expected", accepted("kernel/several-answers"), finding, expect=long)
        result.append(replace(demand, limits={"ENTRIES": limit}))
    return tuple(result)


def everything() -> tuple[Demand, ...]:
    """All demands; those under low limits first, because a verifier without the limit would be long about a real file."""
    return (*limits(), *wrong_rules(), *expectations(), *files())

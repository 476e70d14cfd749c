"""Files of the rule ``tangent``."""

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
    reject,
    step,
    unreadable,
)

STEP = "/steps/0"
CLAIM = f"{STEP}/claim"
NODES = f"{STEP}/witness/nodes"


def one(target: Json, claim: str, *nodes: Json) -> dict[str, Json]:
    """A certificate of one step, with its own claim as the conclusion."""
    units, quantity, over, _, value = claim.split()
    return certificate(
        target, [step("tangent", claim, nodes=list(nodes))], [f"{units} {quantity} {over} {value}.."]
    )


def linear(*terms: tuple[int, Json]) -> Json:
    return [[[i], x] for i, x in terms]


def branch(number: int, left: Json, right: Json, first: int, second: int) -> Json:
    return {"combination": [[number, 1]], "left": left, "right": right, "branches": [first, second]}


def by_operator(i: int) -> Json:
    return {"degree": 1, "operator": linear((i, 1))}


X, Y, Z = (linear((i, 1)) for i in range(3))

# x^2 y z: the equations are p_y p_z, 2 p_x p_z, 2 p_x p_y, p_x^2 at x^2, xy, xz, yz.
SQUARE = branch(3, X, X, 1, 1)
PRODUCT = branch(0, Y, Z, 2, 3)
X2YZ = one(named("monomial", 2, 1, 1), "untied rank CC >= 3", SQUARE, PRODUCT, by_operator(1), by_operator(2))
BORDER = one(
    named("monomial", 2, 1, 1), "untied border_rank CC >= 2", SQUARE, PRODUCT, {"order": 1}, {"order": 1}
)
# x^3 + y^3: the equations are p_x^2 (times 3) at x and p_y^2 at y: no direction is left.
CUBES = one(
    form("xy", {"xxx": 1, "yyy": 1}),
    "untied border_rank CC >= 2",
    {"combination": [[0, "1/3"]], "left": X, "right": X, "branches": [1, 1]},
    {"combination": [[1, "1/3"]], "left": Y, "right": Y, "branches": [2, 2]},
    {},
)

ACCEPTED = [
    accept("tangent", "x2yz-rank", X2YZ),
    accept("tangent", "x2yz-border-rank", BORDER),
    accept("tangent", "two-cubes-no-direction", CUBES),
    accept(
        "tangent",
        "mixed-1",
        changed(changed(X2YZ, f"{CLAIM}/units", "mixed:1"), "/conclusion/0/units", "mixed:1"),
    ),
    accept(
        "tangent",
        "two-outputs",
        one(
            forms("xy", [{"xxy": 1}, {"xyy": 1}]),
            "untied border_rank CC >= 2",
            # (x^2 y): 2 p_x p_y at x, p_x^2 at y; (x y^2): p_y^2 at x, 2 p_x p_y at y.
            branch(1, X, X, 1, 1),
            branch(2, Y, Y, 2, 2),
            {},
        ),
    ),
]

REJECTED = [
    reject("tangent", "x2yz-four", changed(X2YZ, f"{CLAIM}/value", 4), "claim-differs", CLAIM),
    reject(
        "tangent",
        "border-rank-from-an-operator",
        # The border rank is 2: an operator bounds the rank only.
        changed(changed(X2YZ, f"{CLAIM}/quantity", "border_rank"), "/conclusion/0/quantity", "border_rank"),
        "claim-differs",
        CLAIM,
    ),
    reject("tangent", "over-rr", changed(X2YZ, f"{CLAIM}/over", "RR"), "field", f"{CLAIM}/over"),
    reject(
        "tangent",
        "not-the-product",
        changed(X2YZ, f"{NODES}/1/left", X),
        "not-a-product",
        f"{NODES}/1",
    ),
    reject(
        "tangent",
        "product-times-two",
        changed(X2YZ, f"{NODES}/0/combination/0/1", 2),
        "not-a-product",
        f"{NODES}/0",
    ),
    reject(
        "tangent",
        "direction-hidden-in-a-plane",
        one(named("monomial", 2, 1, 1), "untied rank CC >= 3", SQUARE, {}),
        "not-a-line",
        f"{NODES}/1",
    ),
    reject("tangent", "line-without-a-bound", changed(X2YZ, f"{NODES}/2", {}), "no-bound", f"{NODES}/2"),
    reject(
        "tangent",
        "equation-out-of-range",
        changed(X2YZ, f"{NODES}/0/combination/0/0", 4),
        "no-such-equation",
        f"{NODES}/0/combination/0/0",
    ),
    reject(
        "tangent",
        "cubic-with-a-point-of-multiplicity-2",
        # x^2 y is one untied unit: along e_y the derivative is x^2, one power.
        one(
            form("xy", {"xxy": 1}),
            "untied border_rank CC >= 2",
            branch(1, X, X, 1, 1),
            {"order": 1},
        ),
        "claim-differs",
        CLAIM,
    ),
    reject(
        "tangent",
        "target-over-gf-7",
        one(form("xy", {"xxx": 1, "yyy": 1}, "GF(7)"), "untied border_rank GF(7) >= 2", {}),
        "field",
        f"{CLAIM}/over",
    ),
]

UNREADABLE = [
    unreadable(
        "tangent", "tied-units", changed(X2YZ, f"{CLAIM}/units", "tied"), "units-do-not-fit", f"{CLAIM}/units"
    ),
    unreadable(
        "tangent",
        "degree-2",
        one(form("xy", {"xx": 1, "yy": 1}), "untied rank CC >= 2", {}),
        "units-do-not-fit",
        f"{CLAIM}/units",
    ),
    unreadable("tangent", "no-nodes", changed(X2YZ, NODES, []), "empty-list", NODES),
    unreadable(
        "tangent",
        "node-without-a-parent",
        one(named("monomial", 2, 1, 1), "untied rank CC >= 3", SQUARE, PRODUCT, {}, {}, {}),
        "orphan",
        f"{NODES}/4",
    ),
    unreadable(
        "tangent",
        "node-with-two-parents",
        changed(X2YZ, f"{NODES}/0", branch(3, X, Y, 1, 2)),
        "orphan",
        f"{NODES}/1/branches",
    ),
    unreadable(
        "tangent",
        "branch-to-itself",
        changed(X2YZ, f"{NODES}/0/branches", [0, 0]),
        "out-of-range",
        f"{NODES}/0/branches/0",
    ),
    unreadable(
        "tangent",
        "square-with-two-branches",
        changed(X2YZ, f"{NODES}/0/branches", [1, 2]),
        "repeated",
        f"{NODES}/0/branches/1",
    ),
    unreadable(
        "tangent",
        "product-with-one-branch",
        changed(X2YZ, f"{NODES}/1/branches", [2, 2]),
        "repeated",
        f"{NODES}/1/branches/1",
    ),
    unreadable(
        "tangent",
        "two-bounds-on-a-leaf",
        changed(X2YZ, f"{NODES}/2", {**by_operator(1), "order": 1}),
        "missing-key",
        f"{NODES}/2",
    ),
]

CASES: list[Case] = [*ACCEPTED, *REJECTED, *UNREADABLE]

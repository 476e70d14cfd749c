"""Why a rule gives its claim, in a phrase: one line a rule of the verifier.

A rule without a line is shown with its witness, so that nothing has to be known here to show a certificate.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rankproof.problem.target import Target


def _flattening(witness: Mapping[str, Any], target: Target) -> str:
    orders, factors = witness["orders"], target.space.factors
    if len(orders) == 1:
        name = f"catalecticant of order {orders[0]}"
    elif target.space.is_tensor:
        rows = [str(k + 1) for k, order in enumerate(orders) if order]
        columns = [str(k + 1) for k, order in enumerate(orders) if not order]
        name = f"flattening of factors {', '.join(rows)} against {', '.join(columns)}"
    else:
        side = "rows" if orders[1] else "columns"
        name = f"derivatives of order {orders[0]} of the {factors[1][0]} outputs, which index the {side}"
    part = ""
    if "rows" in witness:
        part = f"; a submatrix of {len(witness['rows'])} rows and {len(witness['columns'])} columns"
    return f"rank of the {name}, modulo {witness['prime']}{part}" if "prime" in witness else name


def _quadric(witness: Mapping[str, Any], target: Target) -> str:
    place = witness.get("place")
    if place is None:
        return "the quadratic form is classified over this field"
    return f"the quadratic form over the {place}-adic numbers"


def _koszul(witness: Mapping[str, Any], target: Target) -> str:
    wedges = ", ".join(
        f"factor {wedge['factor'] + 1}"
        + (f" projected to dimension {len(wedge['projection'])}" if "projection" in wedge else "")
        + f" with exterior power {wedge['wedge']}"
        for wedge in (witness, *witness.get("more", ()))
    )
    return f"rank of the Koszul flattening of {wedges}, modulo {witness['prime']}"


def _signature(witness: Mapping[str, Any], target: Target) -> str:
    place = witness.get("place")
    where = "signature" if place is None else f"anisotropic part over the {place}-adic numbers"
    return f"{where} of a quadratic form on the forms of degree {witness['half']}"


def _floor(witness: Mapping[str, Any], target: Target) -> str:
    name = _flattening({"orders": witness["orders"]}, target)
    weighted = ", with weights" if "rows" in witness else ""
    return f"singular values of the {name}{weighted}, counted above {len(witness['thresholds'])} thresholds"


def _locus(witness: Mapping[str, Any], target: Target) -> str:
    added = len(witness["added"])
    cut = f", cut by {added} linear {'form' if added == 1 else 'forms'}" if added else ""
    return f"common zeros of the higher partial derivatives{cut}, modulo {witness['prime']}"


def _apolar_form(witness: Mapping[str, Any], target: Target) -> str:
    return f"an operator of degree {witness['degree']}, whose linear factors are counted, kills it"


def _kruskal(witness: Mapping[str, Any]) -> str:
    ranks = [group["rank"] for group in witness["groups"]]
    r, total = len(witness["units"]), sum(ranks) - len(ranks)
    unique = "; no other sum is as short" if total >= 2 * r - 1 else ""
    return f"any {', '.join(map(str, ranks))} of the vectors of {r} units are independent{unique}"


_BINARY: dict[str, str] = {
    "repeated-factor": "the operator of least degree that kills it has a repeated factor",
    "non-real-root": "the operator of least degree that kills it has roots that are not real",
    "not-split": "the operator of least degree that kills it does not split modulo {prime}",
    "real-rooted": "all roots are real",
    "hessian": "no operator of degree {degree} that kills it has real roots only, by its Hessian at {count} points",
    "squares": "no square of an operator of degree {degree} kills it, modulo {prime}",
    "distinct-squares": "no square of an operator of degree {degree} without repeated factors kills it",
    "discriminant": "no operator of degree {degree} that kills it has a discriminant that is a square",
    "anisotropic": "the roots of an operator of degree {degree} would be zeros of an anisotropic quadratic form",
}


def _binary(witness: Mapping[str, Any], target: Target) -> str:
    return _BINARY[witness["argument"]].format(**{**witness, "count": len(witness.get("points", []))})


def _conjugate_units(witness: Mapping[str, Any], target: Target) -> str:
    degrees = [len(family["polynomial"]) - 1 for family in witness["families"]]
    roots = " and ".join(f"of a polynomial of degree {degree}" for degree in degrees)
    return f"{sum(degrees)} units, at the roots {roots}"


def _restriction(witness: Mapping[str, Any], target: Target) -> str:
    return f"by the rule {witness['rule']}, for its image in {_dimensions(witness['maps'], target)}"


def _sum_of_parts(witness: Mapping[str, Any], target: Target) -> str:
    parts = [
        f"{part['rule']} in {_dimensions(part['maps'], target)}"
        + (f" for {part['units']} units" if "units" in part else "")
        for part in witness["parts"]
    ]
    whole = "equivalent to a smaller target" if len(parts) == 1 else f"the sum of {len(parts)} parts"
    return f"{whole}: {', '.join(parts)}"


def _dimensions(maps: Sequence[Sequence[Any]], target: Target) -> str:
    sizes = [len(rows) or n for rows, (n, _) in zip(maps, target.space.factors, strict=True)]
    if target.space.is_tensor and len(sizes) > 2:
        return "x".join(map(str, sizes))
    outputs = f" and {sizes[1]} output{'s' * (sizes[1] > 1)}" if len(sizes) > 1 else ""
    return f"{sizes[0]} variable{'s' * (sizes[0] > 1)}{outputs}"


def _cover(witness: Mapping[str, Any], target: Target) -> str:
    nodes = len(witness["nodes"])
    last = witness["nodes"][-1]
    if "added" in last:
        return (
            f"no span of {len(last['space'])} slices and {last['added']} matrices of rank one is spanned by matrices of"
            f" rank one, modulo {witness['prime']}"
        )
    parts = "one bound" if nodes == 1 else f"bounds on {nodes} spaces of slices"
    return f"{parts}, by linear programming duality modulo {witness['prime']}"


PHRASES: dict[str, Callable[[Mapping[str, Any], Target], str]] = {
    "nonzero": lambda witness, target: "the target is not zero",
    "decomposition": lambda witness, target: f"{_count(witness)} with coordinates in {witness['ring']}",
    "border-family": lambda witness, target: (
        f"{_count(witness)} with coordinates in {witness['ring']}[eps, 1/eps]"
    ),
    "flattening": _flattening,
    "apolar-form": _apolar_form,
    "quadric": _quadric,
    "inertia": lambda witness, target: (
        f"signature on {len(witness['order'])} vectors that are nearly orthogonal for the quadratic form"
    ),
    "koszul": _koszul,
    "conjugate-units": _conjugate_units,
    "restriction": _restriction,
    "sum-of-parts": _sum_of_parts,
    "signature": _signature,
    "floor": _floor,
    "size-floor": lambda witness, _: (
        f"{len(witness['rows'])} units would diagonalise operators that have Jordan blocks of size {witness['power']}"
    ),
    "inertia-floor": lambda witness, target: (
        f"eigenvalues of the quadratic form, counted at {len(witness['above'])} thresholds above and"
        f" {len(witness['below'])} below"
    ),
    "locus": _locus,
    "apolar-length": lambda witness, target: (
        f"dimension of the apolar algebra; operators of degree {witness['degree']} that kill the target have no common"
        f" zero, modulo {witness['prime']}"
    ),
    "tangent": lambda witness, target: (
        f"derivatives along the directions that few detectors leave, in a tree of {len(witness['nodes'])} nodes"
    ),
    "output-substitution": lambda witness, target: (
        f"{target.space.outputs - 1}, and the least width of a combination of the outputs"
    ),
    "t-bound": lambda witness, target: (
        f"apolar algebras on the two sides of a hypersurface of degree {witness['degree']}"
    ),
    "definite-apolar": lambda witness, target: (
        f"dimension of the apolar algebra; a definite operator of degree {2 * witness['half']} kills the target"
    ),
    "landsberg-teitler": lambda witness, target: (
        f"catalecticant of order {witness['order']} and a family of points of multiplicity {witness['order'] + 1}"
    ),
    "landsberg-teitler-twice": lambda witness, target: (
        f"catalecticant of order {witness['order']} and families of multiple points on both of its sides"
    ),
    "hessian-at-a-zero": lambda witness, target: (
        f"second derivatives of rank 3 at a zero modulo {witness['prime']}: no product of linear forms"
    ),
    "real-plane-cubic": lambda witness, target: (
        "the signs in a sum of four cubes, by the Jacobian determinant of the operators of degree 2 that kill it"
    ),
    "kruskal": lambda witness, target: _kruskal(witness),
    "substitution": lambda witness, target: (
        f"{sum(len(step['added']) for step in witness['steps'])} units are killed by substitution, and a flattening of what is"
        f" left has rank {witness['rank']} at least"
    ),
    "independent-combination": lambda witness, target: (
        f"{len(witness['covectors'])} contractions of the target, and the rank of their combination by the powers of"
        f" {'a number b' if 'minimal_polynomial' in witness else 'an indeterminate'}"
    ),
    "binary": _binary,
    "real-solution": lambda witness, target: (
        f"{_count(witness)} near the given ones, within {witness['radius']}/2^{witness['bits']}: a contraction has a fixed"
        " point there"
    ),
    "cover": _cover,
    "border-apolarity": lambda witness, target: (
        f"no stable family of spaces is left by {witness['refuted']} rank-one tensors: {_cases(witness)}"
    ),
    "dropped-slices": lambda witness, target: (
        f"{sum(len(drop['dropped']) for drop in witness['drops'])} slices dropped, and the rank of what is left for all"
        " multiples of them"
    ),
    "alder-strassen": lambda witness, target: (
        f"an algebra of dimension {len(witness['left'])}; its maximal two-sided ideals are counted modulo commutators"
        + (f" and a nilpotent ideal of dimension {len(witness['nilpotent'])}" if witness["nilpotent"] else "")
    ),
    "division-algebra": lambda witness, target: (
        f"a division algebra of dimension {len(witness['left'])} that does not commute"
    ),
    "pencil": lambda witness, target: (
        "two slices of factor "
        f"{witness['factor'] + 1} at the roots of a polynomial of degree {len(witness['polynomial']) - 1}"
        + (", each counted twice" if witness["argument"] == "double" else ", which lie outside the field")
    ),
    "kronecker-form": lambda witness, target: (
        f"Kronecker's form of the pencil of factor {witness['factor'] + 1}, with {len(witness['blocks'])} blocks"
    ),
    "coprime-monomials": lambda witness, target: "the monomials have no variable in common",
}


def _cases(witness: Mapping[str, Any]) -> str:
    count = sum(len(pair["leaves"]) for pair in witness["pairs"])
    return "by a flattening" if count == 0 else "1 case refuted" if count == 1 else f"{count} cases refuted"


def _count(witness: Mapping[str, Any]) -> str:
    count = len(witness["units"])
    return "1 unit" if count == 1 else f"{count} units"

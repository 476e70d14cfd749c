"""What a step of a proof says: its claim, why it holds, and its decomposition as a formula."""

from __future__ import annotations

import json

from rankproof.certificate.claim import Claim
from rankproof.certificate.document import Certificate, Step, decode_decomposition
from rankproof.errors import FormatError, UsageError
from rankproof.problem.decomposition import BorderFamily, Decomposition
from rankproof.problem.field import QQ
from rankproof.problem.laurent import Laurent
from rankproof.problem.target import Target, latex
from rankproof.problem.units import unit_model
from rankproof.show.formula import Formula, border_family, decomposition
from rankproof.show.notation import LATEX, TEXT, Notation
from rankproof.show.phrases import PHRASES
from rankproof.show.quantities import quantity_in_words

LONGEST_LEFT = 60
"""A target longer than this is called f on the left of a formula."""

_LONGEST_WITNESS = 200


def check_units(certificate: Certificate) -> None:
    """Make sure that every kind of unit in a certificate exists and lives in the space of the target.

    Raises
    ------
    FormatError
        If one does not: there is no way to show it.
    """
    names = [step.claim.units for step in certificate.steps] + [
        answer.units for answer in certificate.conclusion
    ]
    for name in dict.fromkeys(names):
        try:
            reason = unit_model(name).accepts(certificate.target.space)
        except UsageError as error:
            raise FormatError(str(error)) from error
        if reason is not None:
            raise FormatError(reason)


def claim_in_words(claim: Claim) -> str:
    """A claim in the words of the verifier.

    Examples
    --------
    >>> from rankproof.problem.field import CC
    >>> claim_in_words(Claim("border_rank", "tied", CC, ">=", 2))
    'tied border width over CC >= 2'
    """
    return (
        f"{claim.units} {quantity_in_words(claim.quantity)} over {claim.over} {claim.relation} {claim.value}"
    )


def why(step: Step, target: Target) -> str:
    """Why the rule of a step gives its claim, in a phrase; a rule without a phrase of its own shows its witness."""
    written = json.dumps(dict(step.witness))
    shortened = written if len(written) <= _LONGEST_WITNESS else f"{written[:_LONGEST_WITNESS]} ..."
    phrase = PHRASES.get(step.rule)
    if phrase is None:
        return shortened
    try:
        return phrase(step.witness, target)
    except (KeyError, TypeError, ValueError, IndexError):
        # The file is shown whether it is right or not: what a damaged witness holds is shown as it is.
        return shortened


def explicit_units(certificate: Certificate, step: Step) -> Decomposition | BorderFamily | None:
    """The units that a step writes down; ``None`` for other rules.

    Raises
    ------
    FormatError
        If the witness is damaged.
    """
    if step.rule not in ("decomposition", "border-family"):
        return None
    return decode_decomposition(dict(step.witness), step.claim.units, certificate.number_fields())


def figures(certificate: Certificate, step: Step) -> str | None:
    """Sizes, coefficients and additions of products of vectors in a sentence; ``None`` for other units and rules.

    Additions are counted as `rankproof.problem.decomposition.Decomposition.additions` does: a linear form or a result of k
    terms takes k - 1, and nothing is shared.

    Raises
    ------
    FormatError
        If the witness is damaged.
    """
    found = explicit_units(certificate, step) if step.claim.units == "product" else None
    factors = certificate.target.space.factors
    if found is None or len(factors) != 3:
        return None
    sizes = ", ".join(str(n) for n, _ in factors)
    try:
        additions = found.additions()
    except (ValueError, IndexError) as error:
        raise FormatError(f"the units of the step are no products of three vectors: {error}") from error
    said = f"vectors of {sizes} entries, coefficients in {_coefficients(found)}, {additions} additions without sharing"
    name = certificate.target.name
    if name is not None and name[0] == "matmul":
        return f"{said}; entries row by row, c12 stands for the entry (1,2) of A*B"
    return said


def _coefficients(found: Decomposition | BorderFamily) -> str:
    """The smallest of ZZ and the ring that holds the coefficients."""
    if found.ring != QQ:
        return str(found.ring)
    coordinates = (x for unit in found.units for vector in unit for x in vector)
    numbers = (c for x in coordinates for c in ([c for _, c in x.terms] if isinstance(x, Laurent) else [x]))
    return "ZZ" if all(isinstance(c, int) for c in numbers) else "QQ"


def formula(certificate: Certificate, step: Step, notation: Notation) -> Formula | None:
    """The identity of a decomposition or a border family; ``None`` for other rules.

    Raises
    ------
    FormatError
        If the witness is damaged.
    """
    found = explicit_units(certificate, step)
    if found is None:
        return None
    try:
        left = left_side(certificate.target, notation)
        if isinstance(found, BorderFamily):
            return border_family(certificate.target, found, left, notation)
        return decomposition(certificate.target, found, left, notation)
    except (ValueError, IndexError, TypeError) as error:
        raise FormatError(
            f"the units of the step do not have the shape of {step.claim.units} units: {error}"
        ) from error


def left_side(target: Target, notation: Notation) -> str:
    """What a target is called on the left of a formula: itself when it is short, else f."""
    text = target.text
    if len(text) > LONGEST_LEFT or (target.name is None and not target.space.is_polynomial):
        return "f"
    if notation is not TEXT and notation is not LATEX:
        # A page says at its top what f is.
        return notation.name("f")
    if notation is LATEX:
        return latex(target) if target.name is None else r"\mathtt{" + text.replace("_", r"\_") + "}"
    return f"[{text.replace(';', ',')}]" if ";" in text else text


__all__ = [
    "LATEX",
    "LONGEST_LEFT",
    "TEXT",
    "check_units",
    "claim_in_words",
    "explicit_units",
    "figures",
    "formula",
    "left_side",
    "why",
]

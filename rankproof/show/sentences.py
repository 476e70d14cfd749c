"""What a certificate states, and how its bounds follow from the steps, in sentences."""

from __future__ import annotations

from rankproof.certificate.claim import Claim
from rankproof.certificate.document import Certificate
from rankproof.problem.question import Floor
from rankproof.show.quantities import listed, plural
from rankproof.show.reasons import Statement


def statement_in_words(statement: Statement) -> str:
    """The bounds of a statement as a sentence about f.

    Examples
    --------
    >>> statement_in_words(Statement("tied", "rank", 3, 3, ("QQ", "RR"), 0, 1))
    'Over QQ and RR, f is a sum of 3 tied units and of no fewer.'
    >>> statement_in_words(Statement("tied", "border_rank", 2, None, ("CC",), 0, None))
    'Over CC, f is no limit of sums of fewer than 2 tied units; no upper bound is stated.'
    """
    over = f"Over {listed(statement.fields)}"
    lower, upper, units = statement.lower, statement.upper, statement.units
    if isinstance(statement.quantity, Floor):
        end = "" if upper is None else f" and at most {upper}" if upper != lower else ", and no more"
        return f"{over}, the {statement.quantity} with {units} units is at least {lower}{end}."
    limit = statement.quantity == "border_rank"
    sums = "a limit of sums of" if limit else "a sum of"
    if upper is None:
        what = "no limit of sums" if limit else "no sum"
        return f"{over}, f is {what} of fewer than {plural(int(lower), f'{units} unit')}; no upper bound is stated."
    count = plural(int(upper), f"{units} unit")
    if lower == upper:
        return f"{over}, f is {sums} {count} and of no fewer."
    return f"{over}, f is {sums} {count}; whether fewer do is open, but at least {lower} are needed."


def transfer(claim: Claim, statement: Statement) -> list[str]:
    """Why the claim of a step says something about another question: sentences, none if it is the question itself."""
    if isinstance(statement.quantity, Floor):
        return []
    said: list[str] = []
    lower = claim.relation == ">="
    others = [field for field in statement.fields if field != str(claim.over)]
    if others:
        if lower:
            said.append(
                f"What needs so many units over {claim.over} needs them over {listed(others)} too, where fewer units exist."
            )
        else:
            said.append(f"Units over {claim.over} are units over {listed(others)} too.")
    if claim.quantity != statement.quantity:
        said.append("The border width is at most the width.")
    if claim.units != statement.units:
        said.append(_between_units(claim, statement, lower))
    return said


def _between_units(claim: Claim, statement: Statement, lower: bool) -> str:
    value = statement.lower if lower else statement.upper
    few, many = (statement.units, claim.units) if lower else (claim.units, statement.units)
    if value == claim.value:
        return f"Units that are {few} are no more than units that are {many}: the same number holds."
    return f"One {few} unit is a sum, or a limit of sums, of a few {many} ones, which turns {claim.value} into {value}."


def called(shown: Certificate) -> str:
    """What kind of object f is: a form, a map or a tensor."""
    space = shown.target.space
    if not space.is_polynomial or (space.is_tensor and len(space.factors) > 2):
        return "the tensor"
    return "the map" if space.outputs > 1 else "the form"


__all__ = ["called", "statement_in_words", "transfer"]

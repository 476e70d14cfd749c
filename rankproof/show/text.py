"""A certificate as text: what it states, and the proof step by step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.text import Text

from rankproof.certificate.document import Certificate, Step
from rankproof.errors import FormatError
from rankproof.problem.field import NumberField
from rankproof.show.answers import FORMULA_MARGIN, conclusion, labelled, target_line, unwrapped
from rankproof.show.notation import TEXT
from rankproof.show.quantities import printable, seconds_in_words
from rankproof.show.steps import claim_in_words, figures, formula, left_side, why
from rankproof.show.verdict import Verdict, objection


def certificate(
    shown: Certificate, verdict: Verdict | None, console: Console, *, most_units: int | None = None
) -> RenderableType:
    """The whole certificate.

    Parameters
    ----------
    shown
        What was read from the file.
    verdict
        The verifier's verdict on the very bytes that were read; ``None`` when it was not asked.
    console
        Where it will be printed: a formula that does not fit on a line is written one unit a line.
    most_units
        Units of one decomposition that are written out; all when ``None``.
    """
    parts: list[RenderableType] = [
        verdict_lines(verdict),
        target_line(shown.target),
        *(number_field(field) for field in shown.number_fields()),
        *_definition(shown),
        Text(),
        conclusion(shown.conclusion, shown.target.space),
        Text(),
    ]
    for index, step in enumerate(shown.steps):
        parts.append(_step(shown, index, step, console, most_units))
    parts += [Text(), producer(shown.producer)]
    return Group(*parts)


def verdict_lines(verdict: Verdict | None) -> RenderableType:
    """The verdict in words, and the hashes to cite; NOT VERIFIED unless the verifier accepted the file."""
    lines: list[RenderableType] = []
    if verdict is None or not verdict.ok:
        lines.append(labelled("verdict", Text.assemble(("NOT VERIFIED", "bold"), f"  {objection(verdict)}")))
    else:
        accepted = f"  accepting {', '.join(verdict.theorems)}" if verdict.theorems else ""
        lines.append(labelled("verdict", Text.assemble((verdict.word, "bold"), accepted)))
    if verdict is not None:
        hashes = (("claim", verdict.claim_hash), ("sha256", verdict.sha256))
        lines += [labelled(label, Text(value)) for label, value in hashes if value]
    return Group(*lines)


def number_field(field: NumberField) -> RenderableType:
    """What the symbol of a number field stands for."""
    return labelled("number field", Text(number_field_in_words(field)))


def number_field_in_words(field: NumberField) -> str:
    """What the symbol of a number field stands for.

    Examples
    --------
    >>> number_field_in_words(NumberField.sqrt(3, "sqrt3"))
    'sqrt3 is the root of sqrt3**2 - 3 between 1 and 2'
    """
    terms = []
    for k in range(field.degree, -1, -1):
        power = "" if k == 0 else field.symbol if k == 1 else f"{field.symbol}**{k}"
        terms.append((field.minimal_polynomial[k], power))
    polynomial = TEXT.sum(terms)
    if field.real_root is None:
        return f"{field.symbol} is a root of {polynomial}"
    low, high = field.real_root
    return f"{field.symbol} is the root of {polynomial} between {low} and {high}"


def producer(words: Mapping[str, Any]) -> RenderableType:
    """Who made the certificate, as it says itself; the verifier never reads this."""
    rest = dict(words)
    known = [printable(rest.pop(key)) for key in ("program", "version") if key in rest]
    line = " ".join(known)
    if isinstance(milliseconds := rest.pop("milliseconds", None), int) and milliseconds >= 0:
        line = f"{line}, in {seconds_in_words(milliseconds / 1000)}"
    lines = [line, *(f"{printable(key)}: {printable(value)}" for key, value in rest.items())]
    return labelled("made by", Text("\n".join(line for line in lines if line)))


def _definition(shown: Certificate) -> list[RenderableType]:
    """What f is, when the formulas below call the target f."""
    written = any(step.rule in ("decomposition", "border-family") for step in shown.steps)
    if written and left_side(shown.target, TEXT) == "f":
        return [labelled("", Text("called f below"))]
    return []


def _step(
    shown: Certificate, index: int, step: Step, console: Console, most_units: int | None
) -> RenderableType:
    after = f", from {', '.join(f'step {premise}' for premise in step.premises)}" if step.premises else ""
    parts: list[RenderableType] = [
        labelled(
            f"step {index}",
            Text.assemble((claim_in_words(step.claim), "bold"), f"   by {printable(step.rule)}{after}"),
        ),
        labelled("", Text(why(step, shown.target))),
    ]
    try:
        if (said := figures(shown, step)) is not None:
            parts.append(labelled("", Text(said)))
        identity = formula(shown, step, TEXT)
    except FormatError as error:
        parts.append(labelled("", Text(str(error))))
        identity = None
    if identity is not None:
        units, line = identity.lines(), identity.line()
        kept = units if most_units is None else units[:most_units]
        if len(kept) == len(units) and len(line) + FORMULA_MARGIN <= console.width:
            lines = [line]
        else:
            more = [f"... and {len(units) - len(kept)} more"] if len(kept) < len(units) else []
            lines = [f"{identity.left} =", *(f"  {unit}" for unit in kept), *more]
        parts.append(unwrapped(lines))
    return Group(*parts)

"""A certificate as text: what it states, and the proof step by step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from rankproof.certificate.document import Certificate, Step
from rankproof.errors import FormatError
from rankproof.problem.field import NumberField
from rankproof.show.answers import conclusion, labelled, target_line
from rankproof.show.notation import TEXT
from rankproof.show.quantities import seconds_in_words
from rankproof.show.steps import claim_in_words, formula, left_side, why


class Verified(Protocol):
    """What `certificate` needs to know of the verifier's verdict."""

    @property
    def word(self) -> str: ...
    @property
    def ok(self) -> bool: ...
    @property
    def sha256(self) -> str: ...
    @property
    def code(self) -> str: ...
    @property
    def pointer(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def theorems(self) -> tuple[str, ...]: ...
    @property
    def claim_hash(self) -> str: ...


def certificate(
    shown: Certificate, verdict: Verified | None, console: Console, *, most_units: int | None = None
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


def verdict_lines(verdict: Verified | None) -> RenderableType:
    """The verdict in words, and the hashes to cite; NOT VERIFIED unless the verifier accepted the file."""
    if verdict is None:
        return labelled("verdict", Text("NOT VERIFIED  the verifier was not asked"))
    if verdict.code:
        return labelled(
            "verdict",
            Text(f"NOT VERIFIED  {verdict.word}: {verdict.code} at {verdict.pointer or '/'}: {verdict.message}"),
        )
    words = [verdict.word]
    if verdict.theorems:
        verb = "accepting" if verdict.ok else "NOT VERIFIED unless one accepts"
        words.append(f"{verb} {', '.join(verdict.theorems)}")
    return Group(
        labelled("verdict", Text("  ".join(words))),
        labelled("claim", Text(verdict.claim_hash)),
        labelled("sha256", Text(verdict.sha256)),
    )


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
    known = [str(rest.pop(key)) for key in ("program", "version") if key in rest]
    line = " ".join(known)
    if isinstance(milliseconds := rest.pop("milliseconds", None), int) and milliseconds >= 0:
        line = f"{line}, in {seconds_in_words(milliseconds / 1000)}"
    lines = [line, *(f"{key}: {value}" for key, value in rest.items())]
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
        labelled(f"step {index}", Text.assemble((claim_in_words(step.claim), "bold"), f"   by {step.rule}{after}")),
        labelled("", Text(why(step, shown.target))),
    ]
    try:
        identity = formula(shown, step, TEXT)
    except FormatError as error:
        parts.append(labelled("", Text(str(error))))
        identity = None
    if identity is not None:
        margin = 17
        line = identity.line()
        units = identity.lines()
        if len(line) + margin <= console.width and (most_units is None or len(units) <= most_units):
            body = line
        else:
            kept = units if most_units is None else units[:most_units]
            left = len(units) - len(kept)
            more = [f"... and {left} more"] if left else []
            body = "\n".join([f"{identity.left} =", *(f"  {unit}" for unit in kept), *more])
        # Not wrapped: a formula that is cut at the margin could not be copied.
        parts.append(Padding(Text(body, no_wrap=True, overflow="ignore"), (0, 0, 0, margin)))
    return Group(*parts)

"""The certificate: one target, the steps of the proof, and the conclusion they give."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import Any, cast

from rankproof.certificate.claim import Claim, Relation, implied, may_ask
from rankproof.certificate.encoding import (
    Json,
    array,
    decode_decomposition,
    decode_field,
    decode_number_field,
    decode_scalar,
    decode_target,
    encode_decomposition,
    encode_number_field,
    encode_scalar,
    encode_target,
    encode_unit,
    encode_units,
    member,
)
from rankproof.certificate.steps import (
    Conclusion,
    Provable,
    Step,
    decode_conclusion,
    decode_step,
    encode_conclusion,
    encode_step,
)
from rankproof.certificate.whole import write_whole
from rankproof.errors import FormatError, NothingProved, UsageError
from rankproof.problem.decomposition import BorderFamily, Decomposition
from rankproof.problem.field import NumberField
from rankproof.problem.question import Floor, Question
from rankproof.problem.target import Target

FORMAT = "rankproof-certificate"
VERSION = 1


@dataclass(frozen=True)
class Certificate:
    """A target, steps, the conclusion they give, and free words about who made it.

    Nothing here checks the proof: that is the verifier's work, on the bytes of `to_bytes`.

    Parameters
    ----------
    target
        What the claims are about.
    steps
        Steps of the proof, premises before what uses them.
    conclusion
        One entry a question.
    producer
        Who made it: free, never read by the verifier.
    """

    target: Target
    steps: tuple[Step, ...]
    conclusion: tuple[Conclusion, ...]
    producer: Mapping[str, Any]

    @classmethod
    def build(
        cls,
        target: Target,
        bounds: Sequence[Provable],
        questions: Iterable[Question],
        producer: Mapping[str, Any],
    ) -> Certificate:
        """Certificate of the best that the bounds say about the questions.

        For every question and side the earliest bound that attains the best value is kept, with its premises; bounds that decide
        nothing are dropped and the places of premises are renumbered.

        Parameters
        ----------
        target
            What the bounds are about.
        bounds
            Claims with rule, witness and premises; premises are places in this sequence, of earlier bounds.
        questions
            What to answer.
        producer
            See `rankproof.certificate.producer`.

        Raises
        ------
        UsageError
            If a question has no meaning for the target.
        NothingProved
            If the bounds say nothing about any question.
        """
        answers: list[Conclusion] = []
        used: set[int] = set()
        for question in questions:
            if not may_ask(question.field, target):
                raise UsageError(
                    f"{target.text} has coefficients in {target.ring}, so a question over {question.field} has no meaning;"
                    f" ask over {target.ring}"
                )
            lower, lower_place = _best(target, bounds, question, ">=")
            upper, upper_place = _best(target, bounds, question, "<=")
            used |= {place for place in (lower_place, upper_place) if place is not None}
            answers.append(Conclusion(question.units, question.field, question.quantity, lower or 0, upper))
        if not used:
            raise NothingProved(f"no bound was found for {target.text}; try a larger budget or other units")
        for place in range(len(bounds) - 1, -1, -1):
            if place in used:
                used.update(bounds[place].premises)
        places = {place: k for k, place in enumerate(sorted(used))}
        steps = tuple(
            Step(b.rule, b.claim, tuple(sorted(places[q] for q in b.premises)), b.witness)
            for b in (bounds[place] for place in places)
        )
        return cls(target, steps, tuple(answers), producer)

    def number_fields(self) -> tuple[NumberField, ...]:
        """Number fields that occur, each once, in the order of first use.

        Raises
        ------
        UsageError
            If two of them have the same symbol.
        """
        claims = [step.claim.over for step in self.steps]
        fields = [self.target.ring, *claims, *(answer.field for answer in self.conclusion)]
        found = dict.fromkeys(field.number_field for field in fields if field.number_field)
        symbols = {field.symbol for field in found}
        if len(symbols) < len(found):
            raise UsageError(
                f"two number fields share a symbol among {', '.join(sorted(symbols))}; give each its own symbol"
            )
        return tuple(found)

    def decompositions(self) -> tuple[Decomposition | BorderFamily, ...]:
        """The units that the steps write down, in the order of the steps; see `Decomposition.to_numpy`.

        Raises
        ------
        FormatError
            If a witness is damaged.
        """
        fields = self.number_fields()
        return tuple(
            decode_decomposition(dict(step.witness), step.claim.units, fields)
            for step in self.steps
            if step.rule in ("decomposition", "border-family")
        )

    def to_bytes(self) -> bytes:
        """The file: canonical JSON in ASCII, keys in a fixed order, one step a line.

        Raises
        ------
        UsageError
            If two number fields share a symbol, or the producer holds a float, null or boolean.
        """
        sections: dict[str, str] = {"format": _dump(FORMAT), "version": _dump(VERSION)}
        if fields := self.number_fields():
            sections["number_fields"] = _dump([encode_number_field(field) for field in fields])
        sections["target"] = _dump(encode_target(self.target))
        sections["steps"] = _lines(encode_step(step) for step in self.steps)
        sections["conclusion"] = _lines(encode_conclusion(answer) for answer in self.conclusion)
        _check_plain(self.producer, "producer")
        sections["producer"] = _dump(dict(self.producer))
        return ("{" + ",\n ".join(f'"{key}": {text}' for key, text in sections.items()) + "}\n").encode(
            "ascii"
        )

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Write the file; readers see the old one or the whole new one, never a part.

        Raises
        ------
        UsageError
            If the folder does not exist or cannot be written to; the certificate is then kept among temporary files.
        """
        path = Path(path)
        write_whole(path, self.to_bytes(), keep=True)
        return path

    @classmethod
    def from_bytes(cls, data: bytes, block: Callable[[dict[str, Json]], Target] | None = None) -> Certificate:
        """Certificate of a file, to be shown; nothing in it is checked against the mathematics.

        Parameters
        ----------
        data
            The file.
        block
            Makes the target of its description when it is a block of a weights file; without it such a file is refused.

        Raises
        ------
        FormatError
            If the bytes are not a certificate of version 1.
        """
        document = _load(data)
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise FormatError(f'this is not a certificate: the key "format" must be "{FORMAT}"')
        if document.get("version") != VERSION:
            raise FormatError(
                f"version {document.get('version')!r} of the format is unknown; this program reads {VERSION}"
            )
        declared = array(document.get("number_fields", []), "/number_fields")
        fields = [decode_number_field(field, f"/number_fields/{k}") for k, field in enumerate(declared)]
        steps = array(member(document, "steps", ""), "/steps")
        conclusion = array(member(document, "conclusion", ""), "/conclusion")
        producer = member(document, "producer", "")
        if not isinstance(producer, dict):
            raise FormatError("/producer: expected an object")
        told = member(document, "target", "")
        if block is not None and isinstance(told, dict) and "block" in told:
            target = block(told)
        else:
            target = decode_target(told, fields)
        return cls(
            target,
            tuple(decode_step(step, fields, f"/steps/{k}") for k, step in enumerate(steps)),
            tuple(
                decode_conclusion(answer, fields, f"/conclusion/{k}") for k, answer in enumerate(conclusion)
            ),
            producer,
        )

    def __repr__(self) -> str:
        return f"<Certificate of {self.target.text}: {'; '.join(map(str, self.conclusion))}>"

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{name}</th>" for name in ("units", "field", "quantity", "value"))
        rows = "".join(
            "<tr>"
            + "".join(
                f"<td>{escape(text)}</td>" for text in (a.units, str(a.field), str(a.quantity), a.interval)
            )
            + "</tr>"
            for a in self.conclusion
        )
        caption = f"{escape(self.target.text)}: what the certificate states, in {len(self.steps)} steps"
        return (
            f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
        )


def _best(
    target: Target, bounds: Sequence[Provable], question: Question, relation: Relation
) -> tuple[int | Fraction | None, int | None]:
    """Best value that follows for a question on one side, and the place of the earliest bound that gives it."""
    sign = 1 if relation == ">=" else -1
    best: int | Fraction | None = None
    place: int | None = None
    for k, bound in enumerate(bounds):
        if bound.claim.relation != relation:
            continue
        value = _says(bound.claim, question, target)
        # That a width is at least 0 says nothing.
        if value is None or (relation == ">=" and value <= 0):
            continue
        if best is None or sign * value > sign * best:
            best, place = value, k
    return best, place


def _says(claim: Claim, question: Question, target: Target) -> int | Fraction | None:
    """What a claim says about a question: about a floor only what it states, about a width all that follows."""
    if isinstance(question.quantity, Floor):
        stated = claim.units, claim.over, claim.quantity
        return claim.value if stated == (question.units, question.field, question.quantity) else None
    return implied(claim, question, target)


def _check_plain(value: object, where: str) -> None:
    """Refuse what the format has no spelling for; only `producer` can bring it in."""
    if isinstance(value, Mapping):
        for key, entry in cast(Mapping[object, object], value).items():
            _check_plain(entry, f"{where}/{key}")
    elif isinstance(value, list | tuple):
        for k, entry in enumerate(cast(Sequence[object], value)):
            _check_plain(entry, f"{where}/{k}")
    elif not (isinstance(value, str) or (type(value) is int and abs(value) < 2**53)):
        raise UsageError(f"{where}: {value!r} cannot be written; use strings, integers, lists and objects")


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(", ", ": "))


def _lines(values: Iterator[dict[str, Any]]) -> str:
    return "[\n  " + ",\n  ".join(map(_dump, values)) + "]"


def _load(data: bytes) -> Json:
    def refuse(literal: str) -> Json:
        raise FormatError(
            f'{literal} is no exact number; certificates hold integers and strings such as "-1/6"'
        )

    def once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        if len(found := dict(pairs)) < len(pairs):
            raise FormatError("a key is given twice in one object")
        return found

    try:
        text = data.decode("ascii")
        return json.loads(text, parse_float=refuse, parse_constant=refuse, object_pairs_hook=once)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"this is not JSON in ASCII: {error}") from error


__all__ = [
    "Certificate",
    "Conclusion",
    "Step",
    "decode_decomposition",
    "decode_field",
    "decode_number_field",
    "decode_scalar",
    "decode_target",
    "encode_decomposition",
    "encode_number_field",
    "encode_scalar",
    "encode_target",
    "encode_unit",
    "encode_units",
]

"""What the provers say about an entry of a plan: steps of a proof, and the questions that they answer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rankproof.certificate.steps import Step
from rankproof.collection.plan import BlockOf, Entry
from rankproof.errors import FormatError, NothingProved
from rankproof.problem.field import CC, QQ, RR
from rankproof.problem.question import QUANTITIES, Floor, Question
from rankproof.problem.target import Target
from rankproof.problem.units import unit_model

Found = tuple[Target, list[Step], list[Question]]


def found(entry: Entry, weights: Sequence[Path] = ()) -> Found:
    """Target, steps and questions of an entry.

    Parameters
    ----------
    entry
        About widths, floors, or a block of a model.
    weights
        Weights files, one of which is needed for a block.

    Raises
    ------
    RankproofError
        If nothing is proved, or a weights file is missing.
    """
    if entry.block is not None:
        return _block(entry, entry.block, weights)
    return _floors(entry) if entry.floors else _widths(entry)


def _widths(entry: Entry) -> Found:
    from rankproof.prove import certify

    target = entry.target()
    proof = certify(target, units=entry.units, fields=entry.fields, budget=entry.budget).certificate
    return target, list(proof.steps), [answer.question for answer in proof.conclusion]


def _floors(entry: Entry) -> Found:
    from rankproof.floors import certified_floor

    target = entry.target()
    steps: list[Step] = []
    for units in entry.units or ("tied", "untied"):
        for floor in entry.floors:
            certificate = certified_floor(target, unit_model(units).name, floor).certificate
            # At the border width and beyond there is no floor: the plan may ask for more widths than have one.
            steps += () if certificate is None else certificate.steps
    if not steps:
        raise NothingProved(f"{entry.path}: no positive floor is proved")
    return target, steps, [_question(step) for step in steps]


def _block(entry: Entry, asked: BlockOf, weights: Sequence[Path]) -> Found:
    from rankproof import blocks
    from rankproof.bounds.block_forms import block_target, form_bounds, independent_outputs
    from rankproof.bounds.floor import inertia_floor

    file = next((path for path in weights if path.name == asked.model), None)
    if file is None:
        raise FormatError(f"{entry.path} is about a block of {asked.model}; give this file with --weights")
    block = blocks.read(file, asked.number)
    given = block.origin.file
    if given is None or given.sha256 != asked.sha256:
        raise FormatError(f"{file} is not the file of the plan: its sha256 is not {asked.sha256}")
    if asked.output is None:
        target, bounds = independent_outputs(block)
        questions = [Question(units, CC, quantity) for units in ("tied", "untied") for quantity in QUANTITIES]
    else:
        target = block_target(block, [asked.output])
        if asked.keep is None:
            bounds = form_bounds(target)
            questions = [
                Question(units, over, quantity)
                for units in ("tied", "untied")
                for over in (QQ, RR, CC)
                for quantity in QUANTITIES
                if over != QQ or quantity == "rank"
            ]
        else:
            floor = Floor("frobenius", asked.keep)
            tried = (inertia_floor.find(target, units, floor) for units in ("tied", "untied"))
            bounds = [bound for bound in tried if bound is not None]
            questions = [Question(bound.claim.units, RR, floor) for bound in bounds]
    if not bounds:
        raise NothingProved(f"{entry.path}: nothing is proved")
    return target, [Step(b.rule, b.claim, b.premises, b.witness) for b in bounds], questions


def _question(step: Step) -> Question:
    return Question(step.claim.units, step.claim.over, step.claim.quantity)

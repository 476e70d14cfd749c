"""``rankproof block``: certify widths of the even part of a feed-forward block of a model."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankproof.cli import numbers
from rankproof.cli.command import Command
from rankproof.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rankproof.blocks import GatedBlock
    from rankproof.bounds.truncation import Truncation
    from rankproof.problem.target import Target
    from rankproof.prove import Proof

_DESCRIPTION = """\
How many units the even part of a gated feed-forward block needs. For the gates
ReLU, SiLU and GELU, and without biases, (f(x) + f(-x))/2 is exactly
1/2 W_down [(W_gate x) * (W_up x)]: a quadratic map. In one direction of the
outputs it is one quadratic form, whose signature (p, q) gives its width exactly
when p + q is the number of inputs: max(p, q) untied units and p + q tied ones
over the real numbers. With --whole, all outputs together.

The certificate names the file by its sha256; checking it needs the file, and
nothing but Python. Files: GGUF, safetensors, a folder of these, and the state
dicts of torch."""

_EXAMPLES = """\
examples:
  rankproof block model.gguf --block 12
  rankproof block model.gguf --block 12 --outputs 0,5,100..107
  rankproof block model.safetensors --block 3 --principal 2 --keep 16
  rankproof block model.gguf --block 12 --whole
  rankproof verify model-block12-output0.json --weights model.gguf

exit status:
  0  a certificate was written      2  wrong usage, no such block
  3  the file is damaged, a tensor is missing, or the block has no gate
  4  nothing proved                 70 a bug in rankproof"""


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="GGUF, safetensors, or a folder of these")
    parser.add_argument("--block", metavar="N", type=numbers.natural, help="number of the block, from 0")
    what = parser.add_argument_group("directions (default: output 0)")
    what.add_argument(
        "--outputs", metavar="LIST", type=_numbers, default=[], help="outputs, such as 0,5,8..11"
    )
    what.add_argument(
        "--direction",
        metavar="FILE",
        type=Path,
        help="vector of an output direction: .npy, or numbers in a text file",
    )
    what.add_argument(
        "--principal",
        metavar="K",
        type=numbers.natural,
        default=0,
        help="the K directions in which the even part is largest",
    )
    what.add_argument(
        "--whole", action="store_true", help="all outputs together: how many of them are independent"
    )
    parser.add_argument(
        "--inputs",
        metavar="FILE|K",
        help="restrict to the span of the rows of a .npy file (principal directions of the inputs, say), or to the first K"
        " inputs; for models with 2000 inputs and more",
    )
    parser.add_argument(
        "--keep",
        metavar="K",
        type=numbers.natural,
        help="also say how much of the form K units can hold (floating point)",
    )
    parser.add_argument(
        "--floor",
        metavar="K",
        type=numbers.natural,
        help="also certify how much of the form K units miss, in a file of its own; takes minutes",
    )
    parser.add_argument("--activation", metavar="NAME", help="the gate, when the file does not say it")
    parser.add_argument(
        "--interleaved", action="store_true", help="a fused matrix holds the rows of gate and up in turn"
    )
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help="where to write the certificate")
    parser.add_argument("--no-write", action="store_true", help="do not write certificates")
    parser.add_argument(
        "--json", action="store_true", help="one JSON object a direction (schema rankproof/block/1)"
    )


def _run(arguments: Namespace) -> int:
    from rankproof import blocks
    from rankproof.blocks.vectors import vectors_of_file
    from rankproof.bounds.block_forms import principal_directions, rounded_direction
    from rankproof.cli.console import progress
    from rankproof.cli.files import check_writable

    # The number is checked before the work: a file of many blocks may be large.
    block = blocks.read(
        arguments.file, arguments.block, activation=arguments.activation, interleaved=arguments.interleaved
    )
    block.check_bilinear()
    inputs = None if arguments.inputs is None else _inputs(arguments.inputs)
    asked: list[tuple[str, int | list[int]]] = [(f"output{k}", k) for k in arguments.outputs]
    if arguments.direction is not None:
        asked += [
            (f"{arguments.direction.stem}{k}", rounded_direction(row))
            for k, row in enumerate(vectors_of_file(arguments.direction))
        ]
    found = principal_directions(block, arguments.principal) if arguments.principal else []
    asked += [(f"principal{k}", direction) for k, direction in enumerate(found)]
    if not asked and not arguments.whole:
        asked = [("output0", 0)]
    names = [name for name, _ in asked] + ["whole"] * arguments.whole
    paths = _paths(arguments, names)
    for path in paths:
        if path is not None:
            check_writable(path)
    _head(arguments, block)
    with progress(not arguments.json) as say:
        for (name, direction), path in zip(asked, paths, strict=False):
            _one(arguments, block, name, direction, inputs, path, say)
        if arguments.whole:
            _whole(arguments, block, paths[-1], say)
    return 0


def _one(
    arguments: Namespace,
    block: GatedBlock,
    name: str,
    direction: int | list[int],
    inputs: list[int | list[int]] | None,
    path: Path | None,
    say: Callable[[str], None] | None,
) -> None:
    """Certify and print one direction."""
    from rankproof.bounds.block_forms import block_target, form_bounds, shares_of
    from rankproof.problem.field import CC, QQ, RR
    from rankproof.problem.question import Question

    if say is not None:
        say(f"{name}: the form, over the integers")
    target = block_target(block, [direction], inputs)
    bounds = form_bounds(target)
    questions = [
        Question(units, field, quantity)
        for units in ("tied", "untied")
        for field in (QQ, RR, CC)
        for quantity in ("rank", "border_rank")
        if field != QQ or quantity == "rank"
    ]
    proof = _proof(arguments, block, target, bounds, questions, say)
    shares = None if arguments.keep is None else shares_of(block, direction, inputs, arguments.keep)
    signature = next((b.reason for b in bounds if b.claim.over == RR and b.claim.units == "untied"), "")
    _report(arguments, block, name, proof, path, signature, shares)
    if arguments.floor is not None:
        _floor(arguments, block, target, path, say)


def _floor(
    arguments: Namespace,
    block: GatedBlock,
    target: Target,
    path: Path | None,
    say: Callable[[str], None] | None,
) -> None:
    """Certify and print what so many units miss of one form."""
    from time import monotonic

    from rankproof.bounds.floor.inertia_floor import find
    from rankproof.floors import given_floors
    from rankproof.problem.question import Floor

    if say is not None:
        say(f"what {arguments.floor} units miss")
    floor = Floor("frobenius", arguments.floor)
    bounds = [bound for units in ("untied", "tied") if (bound := find(target, units, floor)) is not None]
    if not bounds:
        print(f"  nothing is proved about what {arguments.floor} units miss")
        return
    start = monotonic()
    weights = [] if block.origin.file is None else [str(block.origin.file.path)]
    certificate, _ = given_floors(target, bounds, command=arguments.command_line, weights=weights)
    seconds = monotonic() - start
    place = None if path is None else path.with_name(f"{path.stem}-floor{arguments.floor}{path.suffix}")
    if place is not None:
        certificate.write(place)
    if arguments.json:
        found = [
            {
                "units": b.claim.units,
                "width": arguments.floor,
                "floor": str(b.claim.value),
                "reason": b.reason,
            }
            for b in bounds
        ]
        row = {"schema": "rankproof/block-floor/1", "target": target.text, "floors": found, "verified": True}
        print(
            json.dumps(
                row
                | {"certificate": None if place is None else str(place), "check_seconds": round(seconds, 3)}
            )
        )
        return
    for bound in bounds:
        print(f"  {arguments.floor} {bound.claim.units} units: {bound.reason}")
    if place is not None:
        size = len(certificate.to_bytes()) / 1000
        print(f"  wrote {place}, {size:.1f} kB, checked by the verifier in {seconds:.1f} s")


def _whole(
    arguments: Namespace, block: GatedBlock, path: Path | None, say: Callable[[str], None] | None
) -> None:
    """Certify and print all outputs together."""
    from rankproof.bounds.block_forms import independent_outputs
    from rankproof.problem.field import CC
    from rankproof.problem.question import Question

    if say is not None:
        say("all outputs, over the integers")
    target, bounds = independent_outputs(block)
    questions = [
        Question(units, CC, quantity) for units in ("tied", "untied") for quantity in ("rank", "border_rank")
    ]
    proof = _proof(arguments, block, target, bounds, questions, say)
    _report(arguments, block, "whole", proof, path, bounds[0].reason, None)


def _proof(
    arguments: Namespace,
    block: GatedBlock,
    target: Any,
    bounds: Any,
    questions: Any,
    say: Callable[[str], None] | None,
) -> Proof:
    from rankproof.prove import certify_given

    if say is not None:
        say("the verifier, from the file")
    file = block.origin.file
    weights = [] if file is None else [str(file.path)]
    return certify_given(target, bounds, questions, command=arguments.command_line, weights=weights)


def _inputs(text: str) -> list[int | list[int]]:
    """Numbers of inputs, or vectors that span a subspace of them."""
    from rankproof.blocks.vectors import vectors_of_file
    from rankproof.bounds.block_forms import rounded_direction

    if text.isascii() and text.isdigit():
        return list(range(int(text)))
    return [rounded_direction(row) for row in vectors_of_file(Path(text))]


def _head(arguments: Namespace, block: GatedBlock) -> None:
    if arguments.json:
        return
    from rankproof.bounds.block_forms import random_even_part_error

    number = "" if arguments.block is None else f" {arguments.block}"
    biases = f"; biases: {', '.join(block.biases)}" if block.biases else "; no biases"
    print(
        f"block{number}: {block.inputs} inputs, {block.units} units, {block.outputs} outputs; gate {block.activation}{biases}"
    )
    print(
        f"even part: bilinear; (f(x) + f(-x))/2 differs by {random_even_part_error(block):.0e} at random inputs"
    )


def _report(
    arguments: Namespace,
    block: GatedBlock,
    name: str,
    proof: Proof,
    path: Path | None,
    why: str,
    shares: Truncation | None,
) -> None:
    if path is not None:
        proof.certificate.write(path)
    if arguments.json:
        print(json.dumps(_object(arguments, block, name, proof, path, why, shares)))
        return
    print(f"\n{proof.target.text}: {why}")
    for line in _widths(proof):
        print(f"  {line}")
    if shares is not None:
        own = "" if shares.own is None else f", its own {shares.width} heaviest {100 * shares.own:.1f} %"
        print(
            f"  of its squared norm, {shares.width} untied units hold at most {100 * shares.untied:.1f} %,"
            f" tied ones {100 * shares.tied:.1f} %{own} (floating point)"
        )
    if path is not None:
        print(
            f"  wrote {path}, {len(proof.data) / 1000:.1f} kB, checked by the verifier in {proof.check_seconds:.1f} s"
        )


def _widths(proof: Proof) -> Iterator[str]:
    for units in ("untied", "tied"):
        found: dict[str, list[str]] = {}
        for answer in proof.answers:
            if answer.units == units and answer.quantity == "rank":
                relation = "=" if answer.lower == answer.upper else ">="
                found.setdefault(f"{relation} {answer.lower}", []).append(str(answer.field))
        parts = [f"{value} over {', '.join(fields)}" for value, fields in found.items()]
        yield f"{units:7} width {'; '.join(parts)}"


def _object(
    arguments: Namespace,
    block: GatedBlock,
    name: str,
    proof: Proof,
    path: Path | None,
    why: str,
    shares: Truncation | None,
) -> dict[str, Any]:
    from rankproof.bounds.block_forms import random_even_part_error

    file = block.origin.file
    result: dict[str, Any] = {
        "schema": "rankproof/block/1",
        "file": None if file is None else str(file.path),
        "sha256": None if file is None else file.sha256,
        "block": arguments.block,
        "inputs": block.inputs,
        "units": block.units,
        "outputs": block.outputs,
        "activation": block.activation,
        "biases": sorted(block.biases),
        "even_part_error": random_even_part_error(block),
        "direction": name,
        "target": proof.target.text,
        "reason": why,
        "answers": [
            {
                "units": a.units,
                "field": str(a.field),
                "quantity": a.quantity,
                "lower": a.lower,
                "upper": a.upper,
                "lower_rule": a.lower_rule,
                "upper_rule": a.upper_rule,
            }
            for a in proof.answers
        ],
        "certificate": None if path is None else str(path),
        "bytes": len(proof.data),
        "verified": proof.verdict.ok,
        "check_seconds": round(proof.check_seconds, 3),
    }
    if shares is not None:
        result["shares"] = {
            "width": shares.width,
            "tied": shares.tied,
            "untied": shares.untied,
            "own": shares.own,
        }
    return result


def _paths(arguments: Namespace, names: list[str]) -> list[Path | None]:
    if arguments.no_write:
        return [None] * len(names)
    if arguments.output is not None:
        if len(names) > 1:
            raise UsageError(f"-o names one file, and there are {len(names)} directions; leave it out")
        return [arguments.output]
    number = "" if arguments.block is None else str(arguments.block)
    return [Path(f"{arguments.file.stem}-block{number}-{name}.json") for name in names]


def _numbers(text: str) -> list[int]:
    found: list[int] = []
    for part in text.split(","):
        first, dots, last = part.partition("..")
        found += range(numbers.natural(first), numbers.natural(last if dots else first) + 1)
    return found


COMMAND = Command(
    name="block",
    summary="certify a feed-forward block of a model",
    description=_DESCRIPTION,
    examples=_EXAMPLES,
    configure=_configure,
    run=_run,
)

"""``rankproof train``: train blocks of several widths, and hold what they reach against what is certified."""

from __future__ import annotations

import json
import re
import time
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankproof import __version__
from rankproof.cli import asking, numbers
from rankproof.cli.command import Command
from rankproof.cli.files import file_name
from rankproof.errors import FormatError, SelfCheckFailed, TargetError, UsageError

if TYPE_CHECKING:
    from rankproof.train.classify import Cell
    from rankproof.train.confront import Known, Matched
    from rankproof.train.plan import Plan

_DESCRIPTION = """\
Train blocks with tied and untied units on a target, at every width and from many
seeds, all as one tensor program, and hold what they reach against what is
certified: exact width, border width and floors. Each width is called exact (a
solution with bounded weights), border-like (the loss falls for as long as the
weights grow) or plateau. That is evidence; what is certified is proved.

A sweep is stored in a folder while it runs, and goes on from there after it was
stopped. The same plan, device and precision give the same numbers, wherever the
pieces run."""

_EXAMPLES = """\
examples:
  rankproof train "x**2*y" --plot x2y.png
  rankproof train "x*y - z*w" --widths 1..5 --seeds 64 --optimizer adam
  rankproof train "x**2-y**2; 2*x*y" --units untied --loss uniform --json
  rankproof train "x*y*z" --activation swiglu --optimizer adam --steps 3000
  rankproof train "x*y - z*w" --widths 1..3 --matched
  rankproof train --resume x2y-training
  rankproof train "det(3)" --executor processes --processes 2

exit status:
  0  trained     2  wrong usage, or torch is not installed
  3  the target or a file of a sweep cannot be read
  70 a run contradicts what is certified, or another bug in rankproof"""


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("target", metavar="TARGET", nargs="?", help=asking.HELP)
    what = parser.add_argument_group("what is trained")
    what.add_argument(
        "--widths",
        metavar="LIST",
        type=_widths,
        default=tuple(range(1, 7)),
        help="such as 1..6 or 2,4,8 (default: 1..6)",
    )
    what.add_argument("--units", metavar="LIST", help="tied, untied (default: both where they differ)")
    what.add_argument(
        "--activation",
        metavar="NAME",
        default="polynomial",
        help="polynomial, bilinear, relu, relu2, silu, gelu, glu, reglu, swiglu, geglu (default: polynomial)",
    )
    what.add_argument("--bias", action="store_true", help="an input that is always 1")
    what.add_argument(
        "--loss",
        metavar="NAME",
        default="gaussian",
        help="gaussian, uniform, rademacher, sphere: where inputs come from; or frobenius (default: gaussian)",
    )
    what.add_argument(
        "--seeds", metavar="N", type=numbers.positive, default=16, help="models a width (default: 16)"
    )
    what.add_argument("--seed", metavar="N", type=numbers.seed, default=0, help="the first seed (default: 0)")
    how = parser.add_argument_group("how")
    how.add_argument(
        "--optimizer",
        metavar="NAME",
        help="lm (Levenberg-Marquardt), lbfgs or adam (default: lm for polynomial units, adam for others)",
    )
    how.add_argument(
        "--steps", metavar="N", type=numbers.positive, help="steps of the optimizer (default: 200; adam 2000)"
    )
    how.add_argument(
        "--rate", metavar="R", type=_rate, default=0.02, help="Adam's first learning rate (default: 0.02)"
    )
    how.add_argument(
        "--no-finish",
        action="store_true",
        help="without the path of a vanishing penalty, which tells border-like widths from exact ones",
    )
    how.add_argument(
        "--samples", metavar="N", type=numbers.positive, default=256, help="inputs a step (default: 256)"
    )
    how.add_argument("--device", default="cpu", help="cpu or cuda (default: cpu)")
    how.add_argument("--dtype", default="float64", help="float64 or float32 (default: float64)")
    how.add_argument("--compile", action="store_true", help="apply torch.compile to the loss")
    how.add_argument(
        "--threads", metavar="N", type=numbers.positive, default=1, help="threads of torch (default: 1)"
    )
    how.add_argument(
        "--piece", metavar="N", type=numbers.positive, default=32, help="seeds trained together (default: 32)"
    )
    how.add_argument(
        "--executor", metavar="WHERE", default="", help="'processes', or the address of a Dask scheduler"
    )
    how.add_argument(
        "--processes", metavar="N", type=numbers.positive, default=2, help="how many processes (default: 2)"
    )
    how.add_argument(
        "--budget",
        metavar="SECONDS",
        type=_budget,
        default=5.0,
        help="time for the certified widths (default: 5; 0: none)",
    )
    output = parser.add_argument_group("output")
    written = output.add_mutually_exclusive_group()
    written.add_argument(
        "-o",
        dest="output",
        metavar="DIR",
        type=Path,
        help="folder of the sweep (default: a name made from the target)",
    )
    written.add_argument("--resume", metavar="DIR", type=Path, help="go on with the sweep in a folder")
    written.add_argument("--no-write", action="store_true", help="keep nothing")
    output.add_argument(
        "--checkpoint",
        metavar="SECONDS",
        type=numbers.seconds,
        default=10.0,
        help="time between checkpoints (default: 10)",
    )
    output.add_argument(
        "--plot",
        metavar="FILE",
        type=Path,
        help="draw loss against width and the growth of weights; needs matplotlib",
    )
    output.add_argument(
        "--matched",
        metavar="COSTS",
        nargs="?",
        const="width,projections,parameters,flops",
        help="also train tied units at the widths where they cost as much as untied ones, and compare: width, "
        "projections, parameters, flops (default of the option: all four)",
    )
    output.add_argument("--json", action="store_true", help="one JSON object instead of the table")


def _run(arguments: Namespace) -> int:
    from rankproof.cli.confronting import confronted
    from rankproof.cli.console import progress
    from rankproof.train.classify import cells
    from rankproof.train.confront import contradictions, matched
    from rankproof.train.measures import norm_squared
    from rankproof.train.sweep import sweep

    began = time.monotonic()
    plan, folder = _plan(arguments)
    if arguments.plot is not None and not arguments.plot.parent.is_dir():
        raise UsageError(f"{arguments.plot}: the folder {arguments.plot.parent} does not exist")
    with progress(not arguments.json) as say:
        runs = sweep(
            plan,
            folder=folder,
            executor=arguments.executor,
            processes=arguments.processes,
            threads=arguments.threads,
            every=arguments.checkpoint,
            say=say,
        )
        if say is not None:
            say("certified widths")
        known = confronted(plan, arguments.budget)
    found = cells(runs, plan)
    zero = norm_squared(rational(plan), plan.target.space, plan.loss, plan.bias)
    wrong = contradictions(found, known, zero)
    rows = matched(found, plan)
    if arguments.plot is not None:
        from rankproof.show.training_plots import sweep_picture

        sweep_picture(plan, found, known, float(zero), arguments.plot)
    if arguments.json:
        seconds = round(time.monotonic() - began, 3)
        print(json.dumps({**sweep_object(plan, found, known, rows, zero, wrong), "seconds": seconds}))
    else:
        _print(arguments, plan, found, known, rows, zero, folder)
    if wrong:
        raise SelfCheckFailed(
            f"{'; '.join(wrong)}. Training and proof contradict each other: this is a bug in rankproof"
        )
    return 0


def _plan(arguments: Namespace) -> tuple[Plan, Path | None]:
    """The plan of the options and the folder it is kept in."""
    from rankproof.train.sweep import read_plan

    asked = None if arguments.target is None else _one(arguments.target, arguments.bias)
    if arguments.resume is not None:
        plan = read_plan(arguments.resume)
        if asked is not None and asked.target != plan.target:
            raise UsageError(
                f"{arguments.resume} holds a sweep of {plan.target.text}; leave TARGET out to go on with it"
            )
        return plan, arguments.resume
    if asked is None:
        raise UsageError("say what to train on: a TARGET, or --resume DIR")
    plan = _new_plan(arguments, asked)
    if arguments.no_write:
        return plan, None
    return plan, arguments.output or _free_folder(Path(f"{file_name(asked.called, '')}-training"), plan)


def _one(text: str, bias: bool) -> asking.Asked:
    asked = asking.read_target(text, affine=bias)
    if len(asked) > 1:
        degrees = ", ".join(str(one.target.space.form_degree) for one in asked)
        raise TargetError(
            f"the polynomial has parts of degree {degrees}; train on one of them, or on all with --bias"
        )
    return asked[0]


def _new_plan(arguments: Namespace, asked: asking.Asked) -> Plan:
    from rankproof.cli.options import split_names
    from rankproof.train.activations import activation
    from rankproof.train.plan import Plan

    chosen = activation(arguments.activation)
    units = ("tied", "untied") if chosen.gated else ("tied",)
    if arguments.units is not None:
        units = split_names(arguments.units, "--units")
    optimizer = arguments.optimizer or ("lm" if chosen.polynomial else "adam")
    return Plan(
        asked.target,
        units=units,
        widths=arguments.widths,
        matched=() if arguments.matched is None else split_names(arguments.matched, "--matched"),
        seeds=arguments.seeds,
        first_seed=arguments.seed,
        activation=chosen.name,
        loss=arguments.loss,
        bias=arguments.bias,
        optimizer=optimizer,
        steps=arguments.steps or (2000 if optimizer == "adam" else 200),
        rate=arguments.rate,
        finish=not arguments.no_finish,
        samples=arguments.samples,
        piece=arguments.piece,
        device=arguments.device,
        dtype=arguments.dtype,
        compile=arguments.compile,
    )


def _free_folder(path: Path, plan: Plan) -> Path:
    """The folder, or one with a number when it holds something else; the same sweep goes on in its own folder."""
    from rankproof.train.sweep import read_plan

    for candidate in (path, *(path.with_name(f"{path.name}-{k}") for k in range(2, 1000))):
        if not candidate.exists():
            return candidate
        try:
            if read_plan(candidate) == plan:
                return candidate
        except FormatError:
            continue
    raise UsageError(f"{path} and 998 like it exist; choose another folder with -o")


def rational(plan: Plan) -> dict[tuple[int, ...], Fraction]:
    """Coefficients of the target of a plan."""
    return {word: Fraction(str(value)) for word, value in plan.target.entries}


def sweep_object(
    plan: Plan, found: list[Cell], known: list[Known], rows: list[Matched], zero: Fraction, wrong: list[str]
) -> dict[str, Any]:
    """The JSON object of ``--json``, schema ``rankproof/train/1``."""
    from dataclasses import asdict

    from rankproof.train.classify import border_width, exact_width

    certified = [
        {
            **asdict(own),
            "field": "RR",
            "floors": {str(width): str(floor) for width, floor in own.floors.items()},
        }
        for own in known
    ]
    return {
        "schema": "rankproof/train/1",
        "target": plan.target.text,
        "plan": {name: value for name, value in plan.to_json().items() if name not in ("target", "text")},
        "zero_loss": str(zero),
        "certified": certified,
        "found": {
            units: {"exact": exact_width(found, units), "close": border_width(found, units)}
            for units in plan.units
        },
        "costs": {units: asdict(cost) for units, cost in plan.costs().items()},
        "cells": [{name: value for name, value in asdict(cell).items() if name != "best"} for cell in found],
        "matched": [asdict(row) for row in rows],
        "contradictions": wrong,
        "version": __version__,
    }


def _print(
    arguments: Namespace,
    plan: Plan,
    found: list[Cell],
    known: list[Known],
    rows: list[Matched],
    zero: Fraction,
    folder: Path | None,
) -> None:
    from rich.text import Text

    from rankproof.cli.console import output, write
    from rankproof.show.answers import labelled
    from rankproof.show.training import matched_table, table

    console = output()
    write(console, table(plan, found, known, float(zero)))
    if plan.matched:
        console.print()
        write(console, matched_table([row for row in rows if row.by in plan.matched], float(zero)))
    console.print()
    if arguments.plot is not None:
        write(console, labelled("drew", Text(str(arguments.plot))))
    if folder is not None:
        write(console, labelled("kept", Text(f"{folder}/")))


def _widths(text: str) -> tuple[int, ...]:
    widths: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*([0-9]{1,4})(?:\.\.([0-9]{1,4}))?\s*", part)
        if match is None or int(match[1]) < 1 or int(match[2] or match[1]) < int(match[1]):
            raise ArgumentTypeError(f"{text!r} is not a list of widths such as 1..6 or 2,4,8")
        widths += range(int(match[1]), int(match[2] or match[1]) + 1)
    return tuple(sorted(set(widths)))


def _number(text: str, what: str, least: float) -> float:
    try:
        value = float(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is not {what}") from None
    if not least <= value < 1e9:
        raise ArgumentTypeError(f"{text} is not {what}")
    return value


def _budget(text: str) -> float:
    return _number(text, "a number of seconds", 0.0)


def _rate(text: str) -> float:
    return _number(text, "a learning rate", 1e-9)


COMMAND = Command(
    name="train",
    summary="train blocks, and hold them against what is proved",
    description=_DESCRIPTION,
    examples=_EXAMPLES,
    configure=_configure,
    run=_run,
)

"""``rankproof probe``: how linear the feed-forward blocks of a language model are on a text, and what replacing them costs."""

from __future__ import annotations

import json
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankproof import __version__
from rankproof.cli import numbers
from rankproof.cli.command import Command
from rankproof.errors import UsageError

if TYPE_CHECKING:
    from rankproof.blocks.probe.study import Plan

_DESCRIPTION = """\
How linear the feed-forward blocks of a language model are, measured on its own
activations, and what it costs to replace them. MODEL is a GGUF file of a Llama,
or a Hugging Face folder. The parts of the study:

  linearity    R^2 of the best affine map of every block, and of affine map plus
               exact even part, on held-out text; without any nonlinear fitting
  bilinear     what few bilinear units add, tied and untied
  gates        perplexity with affine blocks, with a gate of d + 1 parameters
               between block and affine map, and with several blocks at once
  progressive  linearise blocks one after another and train the rest; and the
               same training without linearising anything, as the control

All of it is floating point and evidence; what is certified about a block comes
from 'rankproof block'. Finished parts are kept in a folder, and a second run with
the same question goes on from there."""

_EXAMPLES = """\
examples:
  rankproof probe model.gguf --text book.txt
  rankproof probe model.gguf --text corpus/ --blocks 0,3..5 --plots pictures
  rankproof probe folder/ --text corpus/ --parts linearity,gates --device cuda
  rankproof probe model.gguf --text brown/ --tagged --parts gates,progressive

exit status:
  0  measured     2  wrong usage, no such block, too little text, torch is missing
  3  the model or the text cannot be read, or the folder holds another study
  70 a bug in rankproof"""

_NEEDED = ("torch", "transformers")


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL", type=Path, help="a GGUF file, or a Hugging Face folder")
    parser.add_argument(
        "--text",
        metavar="FILE",
        type=Path,
        nargs="+",
        required=True,
        help="plain text, or folders of it; a file is a document",
    )
    parser.add_argument("--tagged", action="store_true", help="words are word/tag, and the tags are cut off")
    what = parser.add_argument_group("what is measured")
    what.add_argument(
        "--parts",
        metavar="LIST",
        default="linearity",
        help="linearity, bilinear, gates, progressive (default: linearity)",
    )
    what.add_argument("--blocks", metavar="LIST", type=_list, help="such as 0,3..5 (default: all)")
    for option, metavar, default, text in (
        ("--rows", "N", 20_480, "tokens whose activations are used for fits"),
        ("--length", "N", 257, "tokens of a window"),
        ("--units", "N", 16, "units of the bilinear probes"),
        ("--epochs", "N", 6, "passes of their training"),
    ):
        what.add_argument(
            option,
            metavar=metavar,
            type=numbers.positive,
            default=default,
            help=f"{text} (default: {default})",
        )
    gates = parser.add_argument_group("gates and linearisation")
    gates.add_argument("--gate-blocks", metavar="LIST", type=_list, help="blocks with gates (default: all)")
    gates.add_argument(
        "--share",
        metavar="S",
        type=_fraction,
        default=0.5,
        help="share of the tokens to send through the affine map (default: 0.5)",
    )
    for option, default, text in (
        ("--gate-windows", 24, "windows on which gates are fitted"),
        ("--selection-windows", 12, "windows on which one of them is chosen"),
        ("--measure-windows", 24, "windows on which costs are measured"),
        ("--tune-windows", 64, "windows to train on"),
        ("--steps", 50, "training steps for every linearised block"),
        ("--tokens", 128, "tokens of a step"),
    ):
        gates.add_argument(
            option, metavar="N", type=numbers.positive, default=default, help=f"{text} (default: {default})"
        )
    gates.add_argument(
        "--linearise",
        metavar="LIST",
        type=_list,
        help="blocks to linearise, in this order (default: the three cheapest of the gates)",
    )
    gates.add_argument(
        "--rate", metavar="R", type=_fraction, default=2e-5, help="learning rate (default: 2e-05)"
    )
    how = parser.add_argument_group("how")
    how.add_argument("--device", default="cpu", help="cpu, cuda, cuda:1, ... (default: cpu)")
    how.add_argument(
        "--threads", metavar="N", type=numbers.positive, default=1, help="threads of torch (default: 1)"
    )
    how.add_argument("--seed", metavar="N", type=numbers.seed, default=0, help="(default: 0)")
    output = parser.add_argument_group("output")
    output.add_argument(
        "-o",
        dest="output",
        metavar="DIR",
        type=Path,
        help="folder of activations, finished parts and report.json (default: a name made from the model)",
    )
    output.add_argument(
        "--plots", metavar="DIR", type=Path, help="draw a picture of every part; needs matplotlib"
    )
    output.add_argument("--json", action="store_true", help="one JSON object instead of the tables")


def _run(arguments: Namespace) -> int:
    for module in _NEEDED:
        if find_spec(module) is None:
            raise UsageError(f"this needs {module}, which is not installed: pip install 'rankproof[models]'")
    from rankproof.blocks.probe.model import load_model
    from rankproof.blocks.probe.study import study
    from rankproof.blocks.probe.text import read_documents
    from rankproof.certificate.whole import write_whole
    from rankproof.cli.console import progress

    plan = _plan(arguments)
    folder = arguments.output or Path(f"{arguments.model.resolve().stem}-probe")
    if folder.is_file():
        raise UsageError(f"{folder} is a file; name a folder with -o")
    documents = read_documents(arguments.text, tagged=arguments.tagged)
    with progress(not arguments.json) as say:
        say = say or (lambda _line: None)
        say("reading the model")
        model = load_model(arguments.model, arguments.device, arguments.threads)
        found = study(model, documents, plan, folder, say)
    report = {**found, "command": arguments.command_line, "version": __version__}
    write_whole(folder / "report.json", (json.dumps(report, indent=1) + "\n").encode())
    drawn = _drawn(arguments, report)
    if arguments.json:
        print(json.dumps(report))
    else:
        _print(report, [*drawn, folder / "report.json"])
    return 0


def _plan(arguments: Namespace) -> Plan:
    from rankproof.blocks.probe.progressive import Recipe
    from rankproof.blocks.probe.study import Plan
    from rankproof.cli.options import split_names

    recipe = Recipe(arguments.steps, arguments.tokens, arguments.rate, gate_steps=arguments.steps)
    return Plan(
        parts=split_names(arguments.parts, "--parts"),
        blocks=arguments.blocks,
        rows=arguments.rows,
        length=arguments.length,
        gate_blocks=arguments.gate_blocks,
        gate_windows=arguments.gate_windows,
        selection_windows=arguments.selection_windows,
        measure_windows=arguments.measure_windows,
        tune_windows=arguments.tune_windows,
        share=arguments.share,
        units=arguments.units,
        epochs=arguments.epochs,
        linearised=arguments.linearise,
        recipe=recipe,
        seed=arguments.seed,
    )


def _drawn(arguments: Namespace, report: dict[str, Any]) -> list[Path]:
    if arguments.plots is None:
        return []
    from rankproof.certificate.whole import make_folder
    from rankproof.show.probe_plots import pictures

    make_folder(arguments.plots)
    return pictures(report, arguments.plots)


def _print(report: dict[str, Any], written: list[Path]) -> None:
    from rich.text import Text

    from rankproof.cli.console import output, write
    from rankproof.show.answers import labelled
    from rankproof.show.probe import tables

    console = output()
    write(console, tables(report))
    for path in written:
        write(console, labelled("wrote", Text(str(path))))


def _list(text: str) -> tuple[int, ...]:
    found: list[int] = []
    for part in text.split(","):
        first, dots, last = part.partition("..")
        found += range(numbers.natural(first), numbers.natural(last if dots else first) + 1)
    if not found or len(set(found)) < len(found):
        raise ArgumentTypeError(f"{text!r} is not a list of different blocks such as 0,3..5")
    return tuple(found)


def _fraction(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is not a number") from None
    if not 0 < value < 1:
        raise ArgumentTypeError(f"{text} is not between 0 and 1")
    return value


COMMAND = Command(
    name="probe",
    summary="measure how linear the blocks of a model are",
    description=_DESCRIPTION,
    examples=_EXAMPLES,
    configure=_configure,
    run=_run,
)

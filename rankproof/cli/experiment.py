"""``rankproof experiment``: the experiments of the paper on CP-MLP blocks, and what they say about its claims."""

from __future__ import annotations

import json
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankproof import __version__
from rankproof.cli import numbers
from rankproof.cli.command import Command
from rankproof.cli.files import file_name
from rankproof.errors import FormatError, SelfCheckFailed, UsageError

if TYPE_CHECKING:
    from rankproof.show.experiments import Table
    from rankproof.train.experiments import GatedExperiment, PolynomialExperiment

SCHEMA = "rankproof/experiment/1"

_DESCRIPTION = """\
Run one of the experiments of the paper on CP-MLP blocks, or list them. Polynomial
units are trained on targets and held against certified widths and floors; gated
blocks are trained on a regression or as part of a small language model, one
input projection against two at equal width, projections and parameters, over
several seeds, with 95% confidence intervals.

The results are written as NAME.json into a folder. An experiment that was stopped
goes on there when the same command is given again. --claims reads the results in
a folder and says which claims they confirm or contradict."""

_EXAMPLES = """\
examples:
  rankproof experiment
  rankproof experiment quadratics --plot quadratics.png
  rankproof experiment language --preset night --processes 2 --executor processes
  rankproof experiment language --preset gpu
  rankproof experiment teacher --steps 2 --seeds 2 --throughput
  rankproof experiment --claims results

exit status:
  0  done     2  wrong usage, or torch is not installed
  3  a file of the folder cannot be read
  70 a run contradicts what is certified, or another bug in rankproof"""

Say = Callable[[str], None] | None


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument(
        "name", metavar="NAME", nargs="?", help="which experiment; without a name they are listed"
    )
    parser.add_argument(
        "--preset", metavar="SIZE", default="minutes", help="minutes, night or gpu (default: minutes)"
    )
    parser.add_argument("--steps", metavar="N", type=numbers.positive, help="steps, instead of the preset's")
    parser.add_argument("--seeds", metavar="N", type=numbers.positive, help="seeds, instead of the preset's")
    parser.add_argument("--device", metavar="NAME", default="", help="cpu or cuda, instead of the preset's")
    parser.add_argument(
        "--threads", metavar="N", type=numbers.positive, default=1, help="threads of torch (default: 1)"
    )
    parser.add_argument(
        "--executor", metavar="WHERE", default="", help="'processes', or the address of a Dask scheduler"
    )
    parser.add_argument(
        "--processes", metavar="N", type=numbers.positive, default=2, help="how many processes (default: 2)"
    )
    parser.add_argument(
        "--budget",
        metavar="SECONDS",
        type=numbers.seconds,
        default=5.0,
        help="time for the certified widths of a target (default: 5)",
    )
    parser.add_argument(
        "--throughput",
        action="store_true",
        help="also measure model-steps per second against a loop over modules (always with --preset gpu)",
    )
    parser.add_argument(
        "-o", dest="output", metavar="DIR", type=Path, help="folder (default: NAME-experiment)"
    )
    parser.add_argument("--plot", metavar="FILE", type=Path, help="draw the results; needs matplotlib")
    parser.add_argument("--claims", metavar="DIR", type=Path, help="read results, and say what they show")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    parser.add_argument("--markdown", action="store_true", help="tables for a page")


def _run(arguments: Namespace) -> int:
    from rankproof.train.experiments import PolynomialExperiment, experiment, known_preset

    known_preset(arguments.preset)
    if arguments.claims is not None:
        if arguments.name is not None:
            raise UsageError(f"--claims reads results, and runs nothing; leave {arguments.name} out")
        return _claims(arguments)
    if arguments.name is None:
        return _list(arguments)
    chosen = experiment(arguments.name)
    if arguments.plot is not None and not arguments.plot.parent.is_dir():
        raise UsageError(f"{arguments.plot}: the folder {arguments.plot.parent} does not exist")
    if isinstance(chosen, PolynomialExperiment):
        return _polynomial(arguments, chosen)
    return _gated(arguments, chosen)


def _folder(arguments: Namespace) -> Path:
    """The folder of the results, made where it is not there."""
    from rankproof.certificate.whole import make_folder

    folder: Path = arguments.output or Path(f"{arguments.name}-experiment")
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file; name a folder with -o")
    make_folder(folder / "pieces")
    return folder


def _polynomial(arguments: Namespace, chosen: PolynomialExperiment) -> int:
    from rankproof.cli.confronting import confronted
    from rankproof.cli.console import progress
    from rankproof.cli.train import rational, sweep_object
    from rankproof.train.classify import cells
    from rankproof.train.confront import contradictions
    from rankproof.train.measures import norm_squared
    from rankproof.train.sweep import sweep

    began = time.monotonic()
    plans = chosen.plans(arguments.preset, arguments.steps, arguments.seeds, arguments.device)
    folder = _folder(arguments)
    sweeps, cases, wrong = [], [], []
    with progress(not arguments.json) as say:
        for plan in plans:
            here = _pieces(folder, arguments) / file_name(plan.target.text, "")
            runs = sweep(plan, folder=here, say=_prefixed(say, plan.target.text), **_where(arguments))
            known, found = confronted(plan, arguments.budget), cells(runs, plan)
            zero = norm_squared(rational(plan), plan.target.space, plan.loss, plan.bias)
            against = contradictions(found, known, zero)
            wrong += [f"{plan.target.text}: {sentence}" for sentence in against]
            cases.append(sweep_object(plan, found, known, [], zero, against))
            sweeps.append((plan, found, known, float(zero)))
    if arguments.plot is not None:
        from rankproof.show.experiment_plots import widths_picture

        widths_picture(sweeps, chosen.summary, arguments.plot)
    _finish(arguments, folder, {"cases": [_short(case) for case in cases]}, began)
    if wrong:
        raise SelfCheckFailed(
            f"{'; '.join(wrong)}. Training and proof contradict each other: this is a bug in rankproof"
        )
    return 0


def _short(case: dict[str, Any]) -> dict[str, Any]:
    """A case without what is the same everywhere, and with as many digits as say something."""
    kept = {name: value for name, value in case.items() if name not in ("schema", "version", "matched")}
    kept["plan"] = {
        name: case["plan"][name] for name in ("widths", "seeds", "steps", "loss", "optimizer", "dtype")
    }
    kept["cells"] = [
        {name: float(f"{value:.6g}") if isinstance(value, float) else value for name, value in cell.items()}
        for cell in case["cells"]
    ]
    return kept


def _where(arguments: Namespace) -> dict[str, Any]:
    return {
        "executor": arguments.executor,
        "processes": arguments.processes,
        "threads": arguments.threads,
    }


def _prefixed(say: Say, text: str) -> Say:
    return None if say is None else lambda line: say(f"{text}: {line}")


def _gated(arguments: Namespace, chosen: GatedExperiment) -> int:
    from dataclasses import asdict

    from rankproof.cli.console import progress
    from rankproof.train.gated.comparison import comparisons, levels
    from rankproof.train.gated.run import train_arms

    began = time.monotonic()
    plan = chosen.plan(arguments.preset, arguments.steps, arguments.seeds, arguments.device)
    if plan.seeds < 2:
        raise UsageError("a confidence interval needs at least 2 seeds; give --seeds 2 or more")
    folder = _folder(arguments)
    with progress(not arguments.json) as say:
        outcomes = train_arms(plan, folder=_pieces(folder, arguments), say=say, **_where(arguments))
        measured = _speeds(arguments, plan, say)
    result: dict[str, Any] = {
        "plan": plan.to_json(),
        "levels": [asdict(level) for level in levels(outcomes)],
        "comparisons": [{**asdict(row), "better": row.better} for row in comparisons(plan, outcomes)],
        "outcomes": [
            {name: value for name, value in one.to_json().items() if name != "history"} for one in outcomes
        ],
    }
    if measured:
        result["throughput"] = measured
    if plan.task == "language":
        from rankproof.train.gated.text import corpus

        result["text"] = {
            "sha256": corpus().sha256,
            "bytes": len(corpus().tokens),
            "alphabet": corpus().alphabet,
        }
    if arguments.plot is not None:
        from rankproof.show.experiment_plots import differences_picture

        unit = "bits a byte" if plan.task == "language" else "share of the variance"
        differences_picture(result, chosen.summary, unit, arguments.plot)
    _finish(arguments, folder, result, began)
    return 0


def _pieces(folder: Path, arguments: Namespace) -> Path:
    """Where the pieces of a gated plan are kept: one folder a size, so that a larger run does not end a smaller one."""
    parts = [
        arguments.preset,
        *(f"{name}{value}" for name in ("steps", "seeds") if (value := getattr(arguments, name))),
    ]
    return folder / "pieces" / "-".join(parts)


def _speeds(arguments: Namespace, plan: Any, say: Say) -> list[dict[str, Any]]:
    if not arguments.throughput and arguments.preset != "gpu":
        return []
    from dataclasses import asdict

    from rankproof.train.gated.training import throughputs

    rows = throughputs(plan, min(plan.steps, 10), arguments.threads, say)
    shapes = [shape for shape in plan.shapes() if shape.rate == plan.rates[0]]
    return [
        {"units": shape.units, "width": shape.width, "device": plan.device, **asdict(row)}
        for shape, row in zip(shapes, rows, strict=True)
    ]


def _finish(arguments: Namespace, folder: Path, result: dict[str, Any], began: float) -> None:
    """Write the result, and show it."""
    from rankproof.show.experiments import tables_of
    from rankproof.train.folder import write_json

    head = {"schema": SCHEMA, "experiment": arguments.name, "preset": arguments.preset}
    whole = {**head, **result, "version": __version__, "seconds": round(time.monotonic() - began, 1)}
    path = folder / f"{arguments.name}.json"
    write_json(path, whole)
    if arguments.json:
        print(json.dumps(whole))
        return
    _show(arguments, tables_of(whole))
    if not arguments.markdown:
        print(f"\nwrote  {path}")


def _show(arguments: Namespace, tables: list[Table]) -> None:
    from rankproof.cli.console import output, write
    from rankproof.show.experiments import markdown, printed

    for number, table in enumerate(tables):
        if number:
            print()
        if arguments.markdown:
            print(markdown(table))
        else:
            write(output(), printed(table))


def _list(arguments: Namespace) -> int:
    from rankproof.train.experiments import EXPERIMENTS

    if arguments.json:
        print(json.dumps({name: one.summary for name, one in EXPERIMENTS.items()}))
        return 0
    _show(arguments, [(("experiment", "what"), [(name, one.summary) for name, one in EXPERIMENTS.items()])])
    return 0


def _claims(arguments: Namespace) -> int:
    from dataclasses import asdict

    from rankproof.show.experiments import verdict_table
    from rankproof.train.claims import verdicts

    found = verdicts(read_results(arguments.claims))
    if arguments.json:
        print(json.dumps([asdict(one) for one in found]))
        return 0
    _show(arguments, [verdict_table(found)])
    return 0


def read_results(folder: Path) -> dict[str, dict[str, Any]]:
    """The results of experiments in a folder, and in the folders of experiments in it, by name.

    Raises
    ------
    UsageError
        If there are none.
    FormatError
        If a file cannot be read.
    """
    from rankproof.train.experiments import EXPERIMENTS

    results: dict[str, dict[str, Any]] = {}
    for name in EXPERIMENTS:
        for path in (folder / f"{name}.json", folder / f"{name}-experiment" / f"{name}.json"):
            if not path.is_file():
                continue
            try:
                value = json.loads(path.read_text(encoding="utf-8"))
            except (OSError, ValueError) as error:
                raise FormatError(
                    f"{path} is not JSON: {error}; remove it, and run the experiment again"
                ) from error
            if not isinstance(value, dict) or value.get("schema") != SCHEMA:
                raise FormatError(f"{path} holds no result of an experiment: its schema is not {SCHEMA}")
            results[name] = value
    if not results:
        raise UsageError(f"{folder} holds no results of experiments; run one with -o {folder}")
    return results


COMMAND = Command(
    name="experiment",
    summary="the paper's experiments: trained blocks, tied against untied",
    description=_DESCRIPTION,
    examples=_EXAMPLES,
    configure=_configure,
    run=_run,
)

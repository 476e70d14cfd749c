"""``rankproof generic``: how many units almost all forms or maps need."""

from __future__ import annotations

import json
import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path

from rankproof.cli.command import Command

_DESCRIPTION = """\
How many units almost all forms of a degree need over CC, for every kind of unit,
and what they cost at equal width, in projections of the input and in parameters.
From above: at a random integer point the tangent spaces of so many units span the
space (Terracini's lemma), which is a proof. From below: the count of parameters,
or a lower bound for the border width of one random target. A particular target
may need more units, or fewer: ask about it with 'rankproof certify'."""

_EXAMPLES = """\
examples:
  rankproof generic --degree 3 --variables 4
  rankproof generic --degree 2 --variables 4 --outputs 4    a quadratic layer
  rankproof generic --degree 3 --variables 2..8 --plot cubics.svg
  rankproof generic --degree 4 --variables 3 --json

exit status:
  0  answered     2  wrong usage     70  a bug in rankproof"""


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--degree", metavar="D", type=_positive, required=True, help="degree of the forms, at least 2"
    )
    parser.add_argument(
        "--variables",
        metavar="N",
        type=_range,
        required=True,
        help="number of variables, or a range such as 2..8",
    )
    parser.add_argument(
        "--outputs",
        metavar="M",
        type=_positive,
        default=1,
        help="number of forms, the outputs of a map (default: 1)",
    )
    parser.add_argument(
        "--units", metavar="LIST", help="kinds of units, separated by commas (default: all polynomial ones)"
    )
    parser.add_argument(
        "--seed", metavar="S", type=_natural, default=0, help="seed of the random points (default: 0)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line instead of the table")
    parser.add_argument(
        "--plot", metavar="FILE", type=Path, help="draw the costs too; needs matplotlib, the extra 'plot'"
    )


def _run(arguments: Namespace) -> int:
    from rankproof.bounds.generic import generic_width, kinds_for
    from rankproof.cli.console import output, progress, write
    from rankproof.cli.files import check_writable
    from rankproof.cli.options import read_units
    from rankproof.exact.terracini import checked_space

    # The largest first: nothing is begun that cannot be finished.
    checked_space(arguments.variables[-1], arguments.degree, arguments.outputs)
    kinds = read_units(arguments.units) or kinds_for(arguments.degree)
    if arguments.plot is not None:
        check_writable(arguments.plot)
    widths = []
    with progress(not arguments.json) as say:
        for variables in arguments.variables:
            for units in kinds:
                if say is not None:
                    say(f"{units} units, {variables} variables")
                widths.append(
                    generic_width(units, variables, arguments.degree, arguments.outputs, seed=arguments.seed)
                )
    if arguments.plot is not None:
        from rankproof.show.plots import generic_widths

        generic_widths(widths, arguments.plot)
    if arguments.json:
        for width in widths:
            row = {
                "schema": "rankproof/generic/1",
                "degree": width.degree,
                "variables": width.variables,
                "outputs": width.outputs,
                "units": width.units,
                "field": "CC",
                "lower": width.lower,
                "upper": width.upper,
                "lower_reason": width.lower_reason,
                "coefficients": width.dimension,
                "projections_per_unit": width.projections,
                "parameters_per_unit": width.cone,
                "seed": arguments.seed,
            }
            print(json.dumps(row))
        return 0
    from rankproof.show.generic import table

    console = output()
    write(console, table(widths))
    if arguments.plot is not None:
        console.print(f"\nwrote        {arguments.plot}")
    return 0


def _positive(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 1000):
        raise ArgumentTypeError(f"{text!r} is not a positive integer below 1000")
    return int(text)


def _natural(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise ArgumentTypeError(f"{text!r} is not a natural number")
    return int(text)


def _range(text: str) -> range:
    match = re.fullmatch(r"([0-9]{1,3})(?:\.\.([0-9]{1,3}))?", text)
    if match is None or int(match[1]) < 1 or int(match[2] or match[1]) < int(match[1]):
        raise ArgumentTypeError(f"{text!r} is not a number of variables or a range such as 2..8")
    return range(int(match[1]), int(match[2] or match[1]) + 1)


COMMAND = Command(
    name="generic",
    summary="how many units almost all forms or maps need",
    description=_DESCRIPTION,
    examples=_EXAMPLES,
    configure=_configure,
    run=_run,
)
"""The entry of the table of commands."""

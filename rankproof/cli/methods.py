"""``rankproof methods``: the catalogue of what is tried, and of the rules that check it."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace

from rankproof.cli.command import Command

_DESCRIPTION = """\
Every method that 'rankproof certify' tries, cheapest first, with the rule of the
verifier that checks what it finds. Tier A rules are proved in their own
documentation; tier B rules rest on a published theorem, are used only with
'certify --theorems', and make a certificate CONDITIONAL on that theorem."""

_EXAMPLES = """\
examples:
  rankproof methods
  rankproof methods --json"""


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object a method")


def _run(arguments: Namespace) -> int:
    from rankproof.bounds import LOWER, UPPER

    if arguments.json:
        for method in (*LOWER, *UPPER):
            row = {
                "schema": "rankproof/method/1",
                "name": method.name,
                "bound": method.side,
                "units": list(method.units),
                "fields": method.fields,
                "tier": method.tier,
                "rule": method.rule,
                "summary": method.summary,
            }
            print(json.dumps(row))
        return 0
    from rankproof.cli.console import output, write
    from rankproof.show.catalogue import methods, rules
    from rankproof.verifier.rules import RULES

    console = output()
    write(console, methods((*LOWER, *UPPER)))
    console.print()
    write(console, rules(RULES, (*LOWER, *UPPER)))
    return 0


COMMAND = Command(
    name="methods",
    summary="list what certify tries, and the rules that check it",
    description=_DESCRIPTION,
    examples=_EXAMPLES,
    configure=_configure,
    run=_run,
)

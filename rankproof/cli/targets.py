"""``rankproof targets``: the targets that have a name."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace

from rankproof.cli.command import Command

_DESCRIPTION = """\
The targets that have a name. A certificate of a named target holds only the
name: the verifier has its own table and expands it itself."""

_EXAMPLES = """\
examples:
  rankproof targets
  rankproof certify "matmul(2,2,3)"
  rankproof certify complex_product
  rankproof targets --json"""


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object a target")


def _run(arguments: Namespace) -> int:
    from rankproof.problem.library import NAMED

    if arguments.json:
        for name, named in NAMED.items():
            row = {
                "schema": "rankproof/named-target/1",
                "name": name,
                "signature": named.signature,
                "summary": named.summary,
            }
            print(json.dumps(row))
        return 0
    from rankproof.cli.console import output, write
    from rankproof.show.catalogue import named_targets

    write(output(), named_targets(NAMED.values()))
    return 0


COMMAND = Command(
    name="targets",
    summary="list the targets that have a name",
    description=_DESCRIPTION,
    examples=_EXAMPLES,
    configure=_configure,
    run=_run,
)

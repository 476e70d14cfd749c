"""Certified floors next to the best of many trained networks, as the table of docs/floors.md.

    python tools/floor_table.py docs/floors.md [--starts 64] [--only TEXT]

Every row certifies a floor, with numbers of orderings and with weights that are searched for, and minimises the exact loss of
networks of the same width from random starts (`tests.floor_attack`). Nothing may be below a floor: then the page is not
written and the status is 1. The random quartic has coefficients from numpy's generator with the seed on the page.
"""

from __future__ import annotations

import argparse
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import rankproof as rp
from rankproof.problem.parse import read_targets
from rankproof.problem.space import Space
from rankproof.problem.target import Target
from tests.floor_attack import trained

BEGIN, END = "<!-- floors: written by tools/floor_table.py -->", "<!-- end of floors -->"
SEED = 20261201

ROWS = [
    ("x*y", "tied", 1, "gaussian"),
    ("x*y", "tied", 1, "uniform"),
    ("x*y*z", "tied", 1, "gaussian"),
    ("x*y*z", "untied", 1, "gaussian"),
    ("x*y*z", "tied", 1, "uniform"),
    ("x**2*y", "tied", 1, "gaussian"),
    ("(x**2+y**2)**2", "tied", 2, "gaussian"),
    ("3*x**2+2*y**2-z**2", "tied", 1, "frobenius"),
    ("3*x**2+2*y**2-z**2", "untied", 1, "frobenius"),
    ("x**2-y**2; 2*x*y", "tied", 1, "gaussian"),
    *[("quartic", "tied", width, "gaussian") for width in (1, 2, 4, 8, 12)],
    *[("quartic", "untied", width, "gaussian") for width in (1, 2, 4)],
    ("quartic", "tied", 4, "uniform"),
]


def quartic() -> Target:
    """A quartic in five variables with all 70 coefficients drawn uniformly from -9..9."""
    space = Space.form(5, 4)
    rng = np.random.default_rng(SEED)
    coefficients = rng.integers(-9, 10, space.dimension)
    return Target.from_entries(
        space, {w: int(c) for w, c in zip(space.words(), coefficients, strict=True) if c}
    )


def line(text: str, units: str, width: int, loss: str, starts: int) -> tuple[str, bool]:
    """A row of the table, and whether a network is below its floor."""
    target = quartic() if text == "quartic" else read_targets(text)[0]
    floors = [
        rp.floor(target, units=units, width=width, loss=loss, sharper=sharp).value for sharp in (False, True)
    ]
    rng = np.random.default_rng(SEED)
    best = trained(target, units, width, loss, starts, rng, steps=200)
    named = "random quartic" if text == "quartic" else f"`{text}`"
    plain = floors[0]
    cells = [named, units, str(width), loss, _number(plain), _number(max(floors)), f"{best:.5g}"]
    cells.append(f"{best / float(max(floors)):.3f}" if max(floors) else "")
    return f"| {' | '.join(cells)} |", best < float(max(floors)) * (1 - 1e-9)


def _number(value: Fraction) -> str:
    return str(value) if len(str(value)) < 8 else f"{float(value):.5g}"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("page", type=Path)
    parser.add_argument("--starts", type=int, default=64)
    parser.add_argument(
        "--only", default="", help="rows whose target contains this text; the page is then left alone"
    )
    chosen = parser.parse_args()
    lines = [
        "| target | units | width | loss | floor | with weights | best network | ratio |",
        "| --- | --- | ---: | --- | ---: | ---: | ---: | ---: |",
    ]
    wrong = False
    for row in ROWS:
        if chosen.only in row[0]:
            text, below = line(*row, chosen.starts)
            wrong = wrong or below
            lines.append(text)
            print(text, "  BELOW" if below else "", flush=True)
    if wrong or chosen.only:
        return int(wrong)
    page = chosen.page.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        parser.error(f"{chosen.page} has no lines {BEGIN} and {END}")
    drawn = f"The random quartic (seed {SEED}):\n\n```text\n{quartic().text}\n```"
    table = "\n".join(lines)
    chosen.page.write_text(f"{before}{BEGIN}\n\n{table}\n\n{drawn}\n\n{END}{after}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Times of Macaulay2, where it is installed: all of them in one run of the program, CPU time taken inside it."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from rankproof.problem.target import Target

TIMES = 3

PRELUDE = """
best = f -> (
    found := apply({times}, i -> (t := cpuTime(); r := f(); (cpuTime() - t, r)));
    (min apply(found, first), last first found));
say = (name, found) -> print("TIME " | name | " " | toString toRR first found | " " | toString last found);
catalecticants = (F, orders) -> (
    R := ring F;
    apply(orders, s -> rank sub(last coefficients diff(basis(s, R), F), coefficientRing R)));
"""

FIELDS = {"QQ": "QQ", "GF(p)": "ZZ/32003"}


def installed() -> bool:
    """Whether the program can be run."""
    return shutil.which("M2") is not None


def run(script: str) -> dict[str, tuple[float, str]]:
    """Seconds and results by the names that a script says.

    Raises
    ------
    RuntimeError
        If Macaulay2 stops with an error.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "benchmark.m2"
        path.write_text(PRELUDE.format(times=TIMES) + script + "\nexit 0\n", encoding="ascii")
        done = subprocess.run(["M2", "--script", str(path)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"Macaulay2 stopped: {done.stderr[-500:]}")
    lines = re.findall(r"^TIME (\S+) (\S+) (.*)$", done.stdout, re.MULTILINE)
    return {name: (float(seconds), result) for name, seconds, result in lines}


def catalecticants(name: str, form: Target, orders: Iterable[int]) -> str:
    """Script: ranks of the matrices of coefficients of all derivatives of these orders, over both fields."""
    ((n, _),) = form.space.factors
    terms = " + ".join(f"({c})*" + "*".join(f"x_{x}" for x in word) for word, c in form.entries)
    lines = []
    for label, field in FIELDS.items():
        lines += [
            f"R = {field}[x_0..x_{n - 1}]; F = {terms};",
            f'say("{name}/{label}", best(() -> catalecticants(F, {{{", ".join(map(str, orders))}}})));',
        ]
    return "\n".join(lines) + "\n"


def matrix_rank(name: str, rows: Mapping[int, Mapping[int, int]], size: tuple[int, int], p: int) -> str:
    """Script: rank of a matrix with small entries, given modulo p, over both fields.

    Timed alone, and as "built" together with making the matrix from the list of its entries.
    """
    entries = ", ".join(
        f"({i}, {j}) => {x if 2 * x < p else x - p}"
        for i, row in sorted(rows.items())
        for j, x in sorted(row.items())
    )
    lines = [f"L = {{{entries}}};"]
    for label, field in FIELDS.items():
        lines += [
            f"K = {field}; M = map(K^{size[0]}, K^{size[1]}, L);",
            f'say("{name}/{label}", best(() -> rank M));',
            f'say("{name}/{label}/built", best(() -> rank map(K^{size[0]}, K^{size[1]}, L)));',
        ]
    return "\n".join(lines) + "\n"

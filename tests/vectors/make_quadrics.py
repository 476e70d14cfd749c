"""Write quadrics.json: zeros of quadratic forms and Hilbert symbols, computed by PARI/GP.

Run by hand with `gp` on the path: python tests/vectors/make_quadrics.py. The tests read the file and need no PARI.
"""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
LARGEST = 10**6
PLACES = (-1, 2, 3, 5, 7, 101)


def gp(program: str) -> list[str]:
    """Lines printed by a GP program."""
    done = subprocess.run(["gp", "-q", "-f"], input=program, capture_output=True, text=True, check=True)
    return done.stdout.split()


def random_diagonal(rng: random.Random, n: int, size: int) -> list[int]:
    return [rng.choice((-1, 1)) * rng.randint(1, size) for _ in range(n)]


def with_zero(rng: random.Random, n: int) -> list[int]:
    """A form with a zero that is not small."""
    while True:
        d = random_diagonal(rng, n - 1, 60)
        x = [rng.randint(1, 60) for _ in d]
        last = -sum(a * y * y for a, y in zip(d, x, strict=True))
        if 0 < abs(last) <= LARGEST:
            return [*d, last]


def norm_form(rng: random.Random) -> list[int]:
    """The norm form of a quaternion algebra: anisotropic at exactly the places where the algebra ramifies."""
    a, b = random_diagonal(rng, 2, 900)
    return [1, -a, -b, a * b]


def forms(rng: random.Random) -> list[list[int]]:
    diagonals = [random_diagonal(rng, 3, 10**k) for k in (1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 6, 6)]
    diagonals += [with_zero(rng, 3) for _ in range(14)]
    diagonals += [random_diagonal(rng, 4, 10**k) for k in (1, 2, 3, 4, 5, 6, 6, 6, 6, 6)]
    diagonals += [norm_form(rng) for _ in range(12)] + [with_zero(rng, 4) for _ in range(6)]
    diagonals += [random_diagonal(rng, 5, 10**k) for k in (1, 2, 3, 4, 5, 6, 6, 6, 6, 6)]
    diagonals += [[abs(d) for d in random_diagonal(rng, 5, LARGEST)], [-1, -2, -3, -5, -7]]
    return diagonals


def isotropy(diagonals: list[list[int]]) -> list[dict[str, object]]:
    """Whether each form has a zero, and else a place without one: a prime, or -1 for the reals."""
    program = "".join(f'q=qfsolve(matdiagonal({d}));print(if(type(q)=="t_INT",q,0))\n' for d in diagonals)
    places = [int(line) for line in gp(program)]
    return [
        {"diagonal": d, "isotropic": place == 0, "place": place or None}
        for d, place in zip(diagonals, places, strict=True)
    ]


def symbols(rng: random.Random) -> list[dict[str, int]]:
    """Hilbert symbols; GP calls the real place 0."""
    arguments = [
        (*(rng.choice((1, 2, 3, 5, 7, 101)) * a for a in random_diagonal(rng, 2, 1000)), v)
        for v in PLACES
        for _ in range(12)
    ]
    values = gp("".join(f"print(hilbert({a},{b},{max(v, 0)}))\n" for a, b, v in arguments))
    return [
        {"a": a, "b": b, "place": v, "symbol": int(value)}
        for (a, b, v), value in zip(arguments, values, strict=True)
    ]


def main() -> None:
    rng = random.Random(20)
    parts = {
        "source": "PARI/GP " + gp('print(version()[1],".",version()[2],".",version()[3])\n')[0],
        "forms": isotropy(forms(rng)),
        "symbols": symbols(rng),
    }
    lines = [f'"source": {json.dumps(parts["source"])}']
    for name in ("forms", "symbols"):
        lines.append(f'"{name}": [\n' + ",\n".join(json.dumps(entry) for entry in parts[name]) + "\n]")
    (HERE / "quadrics.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()

"""Certified real and complex solutions: ``python benchmarks/real_solution.py``.

Random forms near sums of random units, with coefficients rounded to thousandths, so that nothing about them is special but
that so few units suffice. Columns: equations, CPU seconds of the search, of the contraction in integers, and of the verifier.
"""

from __future__ import annotations

import time
from fractions import Fraction

import numpy as np

from rankproof.bounds.explicit import near_bound
from rankproof.bounds.numerical import search
from rankproof.certificate.document import Certificate
from rankproof.numeric.targets import objective
from rankproof.problem.field import CC, RR, Field
from rankproof.problem.question import Question
from rankproof.problem.space import Space
from rankproof.problem.target import Target
from rankproof.verifier import verify_bytes

ROWS: list[tuple[str, int, int, int, Field]] = [
    ("tied", 3, 3, 4, RR),
    ("tied", 3, 4, 6, RR),
    ("tied", 4, 4, 10, RR),
    ("tied", 6, 3, 10, RR),
    ("tied", 5, 4, 15, RR),
    ("tied", 2, 5, 3, RR),
    ("tied", 2, 7, 4, RR),
    ("tied", 2, 9, 5, RR),
    ("untied", 3, 3, 3, RR),
    ("untied", 3, 4, 3, RR),
    ("untied", 4, 4, 5, RR),
    ("tied", 3, 3, 4, CC),
    ("tied", 3, 4, 6, CC),
    ("tied", 2, 7, 4, CC),
]


def random_form(units: str, n: int, d: int, r: int, over: Field, rng: np.random.Generator) -> Target:
    """A form with rational coefficients near a sum of r random units over RR, or any random form over CC."""
    space = Space.form(n, d)
    words = list(space.words())
    if over == CC:
        return Target.from_entries(space, {w: int(rng.integers(-9, 10)) or 1 for w in words})
    zero = Target.from_entries(space, {words[0]: 1})
    f = objective(zero, units, r)
    values = f.residual(np.zeros((1, f.size))) - f.residual(rng.standard_normal((1, f.size)) / np.sqrt(n))
    # Coordinates in an orthonormal basis: the coefficient of a word times the square root of its number of arrangements.
    counts = [_arrangements(w) for w in words]
    coefficients = values.reshape(-1) * np.sqrt(counts)
    return Target.from_entries(
        space, {w: Fraction(round(1000 * float(x)), 1000) for w, x in zip(words, coefficients, strict=True)}
    )


def _arrangements(word: tuple[int, ...]) -> int:
    total, seen = 1, {}
    for k, letter in enumerate(word, start=1):
        seen[letter] = seen.get(letter, 0) + 1
        total = total * k // seen[letter]
    return total


def main() -> None:
    """Print one row a kind of form."""
    rng = np.random.default_rng(2)
    print("| units | n | d | r | over | equations | search, s | contraction, s | verify, s | bytes |")
    print("| --- | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: |")
    for units, n, d, r, over in ROWS:
        target = random_form(units, n, d, r, over, rng)
        begun = time.process_time()
        result = search(target, units, r, over, seed=1, seconds=120, exactly=False)
        searched = time.process_time() - begun
        if result.factors is None or not result.successes:
            print(f"| {units} | {n} | {d} | {r} | {over} | | {searched:.2f} | no solution | | |")
            continue
        begun = time.process_time()
        bound = near_bound(target, units, over, result.factors.units())
        proved = time.process_time() - begun
        if bound is None:
            print(f"| {units} | {n} | {d} | {r} | {over} | | {searched:.2f} | no contraction | | |")
            continue
        data = Certificate.build(target, [bound], [Question(units, over, "rank")], {}).to_bytes()
        begun = time.process_time()
        verdict = verify_bytes(data)
        verified = time.process_time() - begun
        equations = f"{target.space.dimension * (2 if over == CC else 1)}"
        if not verdict.ok:
            raise SystemExit(f"{units} {n} {d} {r}: {verdict.word} {verdict.code}")
        print(
            f"| {units} | {n} | {d} | {r} | {over} | {equations} | {searched:.2f} | {proved:.3f} | {verified:.3f} |"
            f" {len(data)} |"
        )


if __name__ == "__main__":
    main()

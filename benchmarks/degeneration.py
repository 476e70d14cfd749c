"""Exact, border or plateau: ``python benchmarks/degeneration.py [SEED...]`` prints a confusion matrix and the cases.

Every case has a known answer: *exact* when the rank over RR is at most the width, *border* when only the border rank is, and
*plateau* when the border rank is larger. `rankproof certify` proves all of it but the ranks and border ranks that the comments
name. The constants of `rankproof.numeric.degeneration` were
chosen on other targets, except that products of 2 x 3 matrices at 9 units and the permanent at 8 had been looked at.
"""

from __future__ import annotations

import sys
import time
from collections import Counter

from rankproof.bounds.degeneration import degenerate
from rankproof.numeric.degeneration import Verdict
from rankproof.problem.field import RR
from rankproof.problem.parse import read_targets

PATHS = 40
"""Starting points of every case."""

CASES: tuple[tuple[Verdict, str, str, int], ...] = (
    ("exact", "GHZ(3)", "product", 2),
    ("exact", "unit(4)", "product", 4),
    ("exact", "polymul(2,2)", "product", 3),
    ("exact", "polymul(2,3)", "product", 4),
    ("exact", "complex_product", "product", 3),
    ("exact", "matmul(1,2,2)", "product", 4),
    ("exact", "matmul(2,2,3)", "product", 11),
    ("exact", "cyclic_convolution(3)", "product", 4),
    ("exact", "skew_coppersmith_winograd(2)", "product", 5),
    ("exact", "W(4)", "product", 4),
    ("exact", "x*y*z", "tied", 4),
    ("exact", "x**3 + y**3 + z**3", "tied", 3),
    ("exact", "x**2*y**2", "tied", 4),
    ("exact", "elementary(3,4)", "tied", 5),
    ("exact", "x**2*y + z**3", "untied", 2),
    ("exact", "perm(3)", "untied", 8),
    ("border", "W(4)", "product", 2),
    ("border", "W(4)", "product", 3),
    ("border", "truncated_polynomials(3)", "product", 3),
    ("border", "truncated_polynomials(4)", "product", 4),
    ("border", "small_coppersmith_winograd(4)", "product", 6),
    ("border", "coppersmith_winograd(1)", "product", 3),
    ("border", "x**4*y", "tied", 2),
    ("border", "x**3*y**2", "tied", 3),
    ("border", "x**4*y**2", "tied", 3),
    ("border", "x**2*y + y**2*z", "tied", 3),
    ("border", "x**2*y + z**3", "tied", 3),
    ("border", "x**2*y + z**2*w", "tied", 4),
    ("border", "x**3*y*z", "tied", 4),
    ("border", "x**2*y*z", "untied", 2),
    ("plateau", "GHZ(3)", "product", 1),
    ("plateau", "unit(4)", "product", 3),
    ("plateau", "W(4)", "product", 1),
    ("plateau", "polymul(2,2)", "product", 2),
    ("plateau", "matmul(1,2,2)", "product", 3),
    ("plateau", "matmul(2,2,4)", "product", 12),  # its border rank is 13 [Alekseev, Smirnov 2013]
    ("plateau", "matmul(2,3,3)", "product", 13),  # its border rank is 14 [Conner, Harper, Landsberg 2023]
    ("plateau", "det_tensor(3)", "product", 4),
    ("plateau", "truncated_polynomials(3)", "product", 2),
    ("plateau", "skew_coppersmith_winograd(2)", "product", 4),
    ("plateau", "small_coppersmith_winograd(4)", "product", 5),
    ("plateau", "x*y*z", "tied", 3),
    ("plateau", "x**2*y**2", "tied", 2),
    ("plateau", "x**2*y + z**2*w", "tied", 3),
    ("plateau", "x**3 + y**3 + z**3", "tied", 2),
    ("plateau", "elementary(3,4)", "tied", 4),
    ("plateau", "perm(3)", "untied", 7),
)

VERDICTS: tuple[Verdict, ...] = ("exact", "border", "plateau")


def judged(text: str, units: str, width: int, seed: int) -> Verdict:
    """What the paths of fading regularisation look like."""
    target = read_targets(text)[0]
    return degenerate(target, units, width, RR, seed=seed, paths=PATHS, exactly=False).evidence.verdict


def main(seeds: list[int]) -> None:
    """Print the cases that were misjudged, and the confusion matrix of all seeds together."""
    seen: Counter[tuple[Verdict, Verdict]] = Counter()
    begun = time.process_time()
    for seed in seeds:
        for truth, text, units, width in CASES:
            verdict = judged(text, units, width, seed)
            seen[truth, verdict] += 1
            if verdict != truth:
                print(f"seed {seed}: {text} at {width} {units} units is {truth} and looks {verdict}")
    print(f"{'':10}" + "".join(f"{verdict:>10}" for verdict in VERDICTS) + "   <- looks")
    for truth in VERDICTS:
        print(f"{truth:10}" + "".join(f"{seen[truth, verdict]:>10}" for verdict in VERDICTS))
    print(f"{sum(seen.values())} cases in {time.process_time() - begun:.0f} CPU seconds")


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or [0])

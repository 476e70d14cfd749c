"""Write the package's table of border families for matrix multiplication from files of the fast-matmul collection.

    python tools/border_table.py LICENSE smirnov224-13-91-approx ... > rankproof/bounds/schemes/border_table.txt

Files have three blocks of rows, as `rankproof.formats.fast_matmul` reads them. A family is written only if its sum is the
matrix product up to higher terms, coefficient by coefficient; the dimensions are sorted. The collection's licence comes
first, as it demands.
"""

from __future__ import annotations

import argparse
from itertools import product
from pathlib import Path

from rankproof.bounds.schemes import matmul
from rankproof.bounds.schemes.text import Shape, write_scheme
from rankproof.formats import fast_matmul
from rankproof.formats.source import Source
from rankproof.problem.decomposition import BorderFamily
from rankproof.problem.field import QQ
from rankproof.problem.library import named

HEAD = """\
# Border families for products of matrices, found by A. V. Smirnov (The bilinear complexity and practical algorithms for
# matrix multiplication, Computational Mathematics and Mathematical Physics 53, 2013, and later work), as they are written
# down in the fast-matmul collection of Austin Benson and Grey Ballard (https://github.com/arbenson/fast-matmul), and
# converted by tools/border_table.py; products as in text.py, with powers of eps. The licence of the collection:
#
"""


def read(path: Path) -> tuple[Shape, BorderFamily]:
    """The family of a file, for its dimensions in increasing order.

    Raises
    ------
    SystemExit
        If the file is no family for matrix multiplication, in whatever shape its sizes allow.
    """
    (scheme,) = fast_matmul.read(Source(path.name, path.read_bytes(), path.parent))
    units = tuple(
        tuple(
            tuple(dict(vector).get(i, 0) for i in range(factor.size))
            for factor, vector in zip(scheme.factors, vectors, strict=True)
        )
        for vectors in zip(*(factor.vectors for factor in scheme.factors), strict=True)
    )
    found = BorderFamily("product", QQ, 0, units)
    for shape in product(range(1, 6), range(1, 6), range(1, 8)):
        n, m, p = shape
        if scheme.sizes == (n * m, m * p, n * p) and not found.residual(named("matmul", n, m, p)):
            small = sorted(shape)
            return (small[0], small[1], small[2]), matmul.with_roles(found, shape, tuple(small))
    raise SystemExit(f"{path.name} is no border family for the product of two matrices")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("licence", type=Path)
    parser.add_argument("files", nargs="+", type=Path)
    options = parser.parse_args()
    notice = "".join(f"# {line}".rstrip() + "\n" for line in options.licence.read_text().splitlines())
    blocks = [HEAD + notice]
    for path in options.files:
        shape, found = read(path)
        blocks.append(f"{shape[0]} {shape[1]} {shape[2]}\n{write_scheme(found, shape)}\n")
    print("\n".join(blocks), end="")


if __name__ == "__main__":
    main()

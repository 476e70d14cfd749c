"""The even part of a feed-forward block as a target, and what its signature and its flattening say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankproof.blocks import GatedBlock, TensorFile, open_tensors
from rankproof.blocks.integers import as_integers
from rankproof.bounds.lower.inertia import bounds_from, signature, symmetric_matrix
from rankproof.bounds.method import Bound
from rankproof.bounds.truncation import Truncation, best_shares, own_units_share
from rankproof.certificate.claim import Claim
from rankproof.errors import FormatError, TargetError, UsageError
from rankproof.exact.dense_rank import dense_pivots
from rankproof.exact.sums_of_products import combined, expanded, expanded_together
from rankproof.problem.field import CC, QQ, RR, Scalar
from rankproof.problem.space import Space, Word
from rankproof.problem.target import Target

DIRECTION_BITS = 20
"""Bits to which a direction of floating-point numbers is rounded; the certificate states the rounded one."""

MOST_ENTRIES = 2_000_000
"""Coefficients that the verifier reads."""

PRIME = 1048573


def rounded_direction(vector: ArrayLike) -> list[int]:
    """A direction as integers: as it is when it holds integers, else rounded to `DIRECTION_BITS` bits.

    Raises
    ------
    TargetError
        If the vector is zero or holds something else than numbers.

    Examples
    --------
    >>> rounded_direction([0, 2, -1]), rounded_direction([0.5, -1.0])
    ([0, 2, -1], [524288, -1048576])
    """
    array = np.asarray(vector)
    if array.ndim != 1 or array.dtype.kind not in "iuf" or not np.isfinite(array).all() or not array.any():
        raise TargetError("a direction is a list of numbers that are not all zero")
    if array.dtype.kind != "f":
        if (np.abs(array.astype(np.float64)) >= 2.0**53).any():
            raise TargetError("the integers of a direction are below 2^53")
        return [int(x) for x in array]
    scaled = np.rint(array.astype(np.float64) / np.abs(array).max() * 2.0**DIRECTION_BITS)
    return [int(x) for x in scaled]


def principal_directions(block: GatedBlock, number: int) -> list[list[int]]:
    """Directions in which the even part is largest for normally distributed inputs.

    Parameters
    ----------
    block
        The block.
    number
        How many.

    Returns
    -------
    list
        Eigenvectors, rounded, of the matrix of the inner products of the forms of the outputs, largest eigenvalue first.
    """
    gate, up = block.gate, block.up
    cross = gate @ up.T
    products = ((gate @ gate.T) * (up @ up.T) + cross * cross.T) / 2
    values, vectors = np.linalg.eigh(block.down @ products @ block.down.T)
    return [rounded_direction(vectors[:, k]) for k in np.argsort(-values)[:number]]


def block_target(
    block: GatedBlock,
    directions: Sequence[int | Sequence[int]],
    inputs: Sequence[int | Sequence[int]] | None = None,
) -> Target:
    """The even part of a block in some directions, up to one positive factor.

    Parameters
    ----------
    block
        Read from a file, without biases in gate and up.
    directions
        Numbers of outputs, or vectors of integers: combinations of outputs.
    inputs
        Numbers of inputs, or vectors of integers, that span the subspace to which the forms are restricted; all of it when
        left out.

    Returns
    -------
    Target
        A form, or a map with one form a direction; a certificate about it names the file, its hash and the tensors.

    Raises
    ------
    TargetError
        If the block does not come from one file, has biases, or the even part vanishes.
    UsageError
        If it has too many coefficients for a certificate, or a direction has the wrong length.

    Notes
    -----
    The matrices are taken as integers without a common factor 2. A positive factor changes no width.
    """
    block.check_bilinear()
    written = described(block, directions, inputs)
    number = "" if block.origin.block is None else f" {block.origin.block}"
    matrices = (block.gate, block.up, block.down)
    return _target(matrices, directions, inputs, written, f"block{number}")


def target_of_file(node: Mapping[str, Any], weights: Sequence[str | Path]) -> Target:
    """The target that a certificate describes, from the weights file that it names.

    Parameters
    ----------
    node
        The target as the certificate writes it.
    weights
        Files, or folders in which the file may lie under its name.

    Raises
    ------
    FormatError
        If none of the files has the hash, or the description does not fit the file.
    """
    try:
        told = node["block"]
        places = [Path(path) / told["file"] if Path(path).is_dir() else Path(path) for path in weights]
        files = (open_tensors(path) for path in places if path.is_file())
        file = next((file for file in files if file.sha256 == told["sha256"]), None)
        if file is None:
            raise FormatError(
                f"the target is a block of {told['file']} (sha256 {told['sha256']}); give this file with --weights"
            )
        matrices = tuple(_matrix(file, told[role]) for role in ("gate", "up", "down"))
        name = f"the block of {told['down']['tensor']}"
        return _target(matrices, node["directions"], node.get("inputs"), dict(node), name)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise FormatError(f"/target: this does not describe a block: {error}") from None


def _matrix(file: TensorFile, told: Mapping[str, Any]) -> NDArray[np.float64]:
    matrix = file.read(told["tensor"])
    if "transposed" in told:
        matrix = matrix.T
    if "rows" not in told:
        return matrix
    first, step, number = told["rows"]
    return matrix[first : first + step * number : step]


def _target(
    matrices: Sequence[NDArray[np.float64]],
    directions: Sequence[int | Sequence[int]],
    inputs: Sequence[int | Sequence[int]] | None,
    written: Mapping[str, Any],
    name: str,
) -> Target:
    """The forms of matrices, which are taken as integers."""
    gate, up, down = (as_integers(matrix)[0] for matrix in matrices)
    rows, columns = len(down), len(gate[0])
    if inputs is not None:
        spanning = [list(column) for column in zip(*_vectors(inputs, columns, "input"), strict=True)]
        gate, up = combined(spanning, gate), combined(spanning, up)
    n, m = len(gate[0]), len(directions)
    if m * n * (n + 1) // 2 > MOST_ENTRIES:
        raise UsageError(
            f"{m} form{'s' * (m > 1)} in {n} variables: more than {MOST_ENTRIES} coefficients;"
            " ask about fewer directions or inputs"
        )
    weights = combined(down, _vectors(directions, rows, "output"))
    # Many forms in few variables share the products of their linear forms.
    forms = expanded_together(gate, up, weights) if m > n else [expanded(gate, up, row) for row in weights]
    entries: dict[Word, Scalar] = {}
    for k, form in enumerate(forms):
        entries.update({(*word, k) if m > 1 else word: value for word, value in form.items()})
    if not entries:
        raise TargetError("the even part of the block is zero in these directions")
    text = _text(name, directions, inputs)
    return Target(Space.map(n, 2, m), tuple(sorted(entries.items())), QQ, text=text, block=written)


def described(
    block: GatedBlock, directions: Sequence[int | Sequence[int]], inputs: Sequence[int | Sequence[int]] | None
) -> dict[str, object]:
    """The target as a certificate writes it: where the weights are, and which forms of them.

    Raises
    ------
    TargetError
        If the three matrices do not come from one file.
    """
    origin = block.origin
    if origin.file is None:
        raise TargetError(
            "the weights come from memory; a certificate names a file of weights, so save them and read the file"
        )
    layout, _, transposed = origin.layout.partition(", ")
    turned = {"transposed": 1} if transposed else {}
    units, names = block.units, origin.tensors
    roles: dict[str, object] = {}
    for role, first, step in (("gate", 0, 1), ("up", units, 1)):
        if layout == "interleaved":
            first, step = ("gate", "up").index(role), 2
        rows = {"rows": [first, step, units]} if layout in ("stacked", "interleaved") else {}
        roles[role] = {"tensor": names.get(role, names["up"]), **turned, **rows}
    roles["down"] = {"tensor": names["down"], **turned}
    missing = [name for name in names.values() if name not in origin.file.tensors]
    if missing:
        raise TargetError(
            f"{missing[0]} is in another file than {names['down']}; a certificate is about one file"
        )
    found: dict[str, object] = {
        "block": {"file": origin.file.path.name, "sha256": origin.file.sha256, **roles}
    }
    found["directions"] = [d if isinstance(d, int) else list(d) for d in directions]
    if inputs is not None:
        found["inputs"] = [v if isinstance(v, int) else list(v) for v in inputs]
    return found


def form_bounds(target: Target) -> list[Bound]:
    """Bounds on the widths of one form, all by its signature; none when it is too nearly degenerate."""
    found = signature(symmetric_matrix(target))
    n = target.space.variables_count
    questions = (("untied", RR), ("tied", CC), ("untied", CC))
    return [bound for units, over in questions for bound in bounds_from(found, n, units, over)]


def independent_outputs(block: GatedBlock) -> tuple[Target, list[Bound]]:
    """The whole even part, restricted to so few inputs that it can be written down, and its output flattening.

    Returns
    -------
    target
        All outputs on the first inputs, as many as there are for the outputs to be independent.
    bounds
        The width of the block in untied units, and so in tied ones, is at least the number of independent outputs.
    """
    least = next(s for s in count(1) if s * (s + 1) // 2 >= block.outputs)
    for extra in (4, 16, 64):
        size = min(least + extra, block.inputs)
        target = block_target(block, range(block.outputs), range(size))
        words = {word: k for k, word in enumerate((i, j) for i in range(size) for j in range(i, size))}
        residues: NDArray[np.int64] = np.zeros((block.outputs, len(words)), np.int64)
        for word, value in target.entries:
            residues[word[2] if len(word) > 2 else 0, words[word[:2]]] = int(value) % PRIME  # pyright: ignore
        rank = len(dense_pivots(residues, PRIME)[0])
        if rank == block.outputs or size == block.inputs:
            break
    witness = {"orders": [0, 1] if block.outputs > 1 else [1], "prime": PRIME}
    reason = f"{rank} independent outputs"
    # Tied units are untied units: the bound for these is one for both.
    return target, [Bound(Claim("border_rank", "untied", CC, ">=", rank), "flattening", witness, reason)]


def shares_of(
    block: GatedBlock,
    direction: int | Sequence[int],
    inputs: Sequence[int | Sequence[int]] | None,
    width: int,
) -> Truncation:
    """How much of one form of a block so many units can hold, in floating point.

    Parameters
    ----------
    block
        The block.
    direction
        Number of an output, or a vector.
    inputs
        Numbers of inputs, or vectors, that span the subspace to which the form is restricted.
    width
        Number of units.
    """
    u = np.eye(block.outputs)[direction] if isinstance(direction, int) else np.array(direction, float)
    spanning = np.eye(block.inputs)
    if inputs is not None:
        spanning = np.array([spanning[v] if isinstance(v, int) else v for v in inputs], float)
    left, right, weights = block.gate @ spanning.T, block.up @ spanning.T, u @ block.down
    found = best_shares(spanning @ block.form(u) @ spanning.T, width)
    return replace(found, own=own_units_share(left, right, weights, width))


def random_even_part_error(block: GatedBlock) -> float:
    """Difference between (f(x) + f(-x))/2 and the bilinear even part at normally distributed inputs; see `even_part_error`."""
    return block.even_part_error(np.random.default_rng(0).normal(size=(32, block.inputs)))


def _vectors(given: Sequence[int | Sequence[int]], length: int, what: str) -> list[list[int]]:
    vectors: list[list[int]] = []
    for entry in given:
        if isinstance(entry, int):
            if not 0 <= entry < length:
                raise UsageError(f"there is no {what} {entry}; the block has {length}, numbered from 0")
            vectors.append([int(k == entry) for k in range(length)])
        elif len(entry) != length:
            raise UsageError(f"a direction of {len(entry)} numbers does not fit {length} {what}s")
        else:
            vectors.append([int(x) for x in entry])
    return vectors


def _text(
    name: str, directions: Sequence[int | Sequence[int]], inputs: Sequence[int | Sequence[int]] | None
) -> str:
    first = directions[0]
    if len(directions) > 1:
        what = f"{len(directions)} outputs"
    else:
        what = f"output {first}" if isinstance(first, int) else "a combination of outputs"
    where = "" if inputs is None else f" on {len(inputs)} inputs"
    return f"{what} of the even part of {name}{where}"

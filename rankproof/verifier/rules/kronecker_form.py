"""Rule ``kronecker-form``: a pencil of matrices made of canonical blocks, whose ranks are known over CC and RR."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .. import limits
from ..binary import check_sizes, is_real_rooted, is_squarefree
from ..claims import AT_MOST, RANK, Claim
from ..reading import MISSING, integer, is_object, keys, sequence
from ..refusal import Rejected, Unreadable
from ..scalars import Number, Ring, read_number
from ..units import check_operations
from .over import field_refused
from .rule import Context, Rule

Matrix = list[list[Any]]


@dataclass(frozen=True)
class Block:
    """``height`` x ``width``; f is the polynomial of a companion block, in ascending order, and empty otherwise."""

    height: int
    width: int
    f: list[Number]
    shift: Number = 0


@dataclass(frozen=True)
class Form:
    """The two slices of ``factor`` are left * (blocks along the diagonal) * right."""

    factor: int
    left: Matrix
    right: Matrix
    blocks: list[Block]


def read(witness: Any, context: Context) -> Form:
    factor, left, right, nodes = keys(witness, context.witness(), ("factor", "left", "right", "blocks"))
    sizes = [n for n, _ in context.target.space.factors]
    if len(sizes) != 3:
        raise Unreadable("units-do-not-fit", context.pointer, "the rule is about tensors of order 3")
    integer(factor, context.witness("factor"), 0, 2)
    if sizes.pop(factor) != 2:
        raise Unreadable("out-of-range", context.witness("factor"), "a pencil is a factor of dimension 2")
    ring = context.target.ring
    blocks = [
        _read_block(node, context.witness("blocks", i), ring)
        for i, node in enumerate(sequence(nodes, context.witness("blocks"), least=1))
    ]
    height, width = sum(block.height for block in blocks), sum(block.width for block in blocks)
    return Form(
        factor,
        _read_matrix(left, context.witness("left"), sizes[0], height, ring),
        _read_matrix(right, context.witness("right"), width, sizes[1], ring),
        blocks,
    )


def _read_block(node: Any, here: str, ring: Ring) -> Block:
    kind = next((key for key in ("columns", "rows", "polynomial") if is_object(node) and key in node), "")
    if not kind:
        raise Unreadable("unknown-block", here, "a block is columns, rows or polynomial")
    if kind != "polynomial":
        (data,) = keys(node, here, (kind,))
        size = integer(data, f"{here}/{kind}", 1, limits.DIMENSION)
        return Block(size + (kind == "rows"), size + (kind == "columns"), [])
    data, shift = keys(node, here, (kind,), ("shift",))
    nodes = sequence(data, f"{here}/{kind}", least=2, most=limits.DIMENSION)
    f = [read_number(x, f"{here}/{kind}/{i}", ring) for i, x in enumerate(nodes)]
    if f[-1] != 1:
        raise Unreadable("not-monic", f"{here}/{kind}", "the leading coefficient is 1")
    return Block(
        len(f) - 1, len(f) - 1, f, 0 if shift is MISSING else read_number(shift, f"{here}/shift", ring)
    )


def _read_matrix(node: Any, here: str, height: int, width: int, ring: Ring) -> Matrix:
    rows = sequence(node, here, least=height, most=height)
    return [
        [
            read_number(x, f"{here}/{i}/{j}", ring)
            for j, x in enumerate(sequence(row, f"{here}/{i}", least=width, most=width))
        ]
        for i, row in enumerate(rows)
    ]


def derive(form: Form, context: Context) -> Claim:
    target = context.target
    if context.over not in ("CC", "RR"):
        raise field_refused(context, "CC and RR")
    side = max(len(form.left), len(form.left[0]), len(form.right), len(form.right[0]))
    check_operations(100 * side**3, limits.OPERATIONS, context.witness())
    for i, block in enumerate(form.blocks):
        check_sizes(block.f, len(block.f), context.witness("blocks", i))
    given: dict[tuple[int, int, int], Number] = {}
    for word, value in target.entries.items():
        u, v = (x for i, x in enumerate(word) if i != form.factor)
        given[word[form.factor], u, v] = value
    for s in (0, 1):
        middle = diagonal(form.blocks, s)
        for u, row in enumerate(form.left):
            total: list[Any] = [0] * len(form.right[0])
            for i, x in enumerate(row):
                for j, y in middle.get(i, {}).items() if x != 0 else ():
                    total = [t + x * y * z for t, z in zip(total, form.right[j], strict=True)]
            for v, value in enumerate(total):
                if value != given.get((s, u, v), 0):
                    message = f"the blocks do not give entry ({u}, {v}) of slice {s}"
                    raise Rejected("blocks-miss-target", context.witness(), message)
    return Claim(
        RANK, "product", context.over, AT_MOST, sum(rank(block, context.over) for block in form.blocks)
    )


def diagonal(blocks: list[Block], slice_: int) -> dict[int, dict[int, Any]]:
    """The rows of one matrix of the canonical pencil."""
    rows: dict[int, dict[int, Any]] = {}
    i = j = 0
    for block in blocks:
        size = min(block.height, block.width)
        if block.f:
            # The companion matrix C, or 1 - shift C.
            scale = 1 if slice_ else -block.shift
            for k in range(size):
                row = rows.setdefault(i + k, {})
                if k:
                    row[j + k - 1] = scale
                row[j + size - 1] = row.get(j + size - 1, 0) - scale * block.f[k]
                if not slice_:
                    row[j + k] = row.get(j + k, 0) + 1
        else:
            for k in range(size):
                # 1 beside or below the diagonal, and -1 on it.
                tall = block.height > block.width
                place = (k, k) if slice_ else (k + tall, k + (not tall))
                rows.setdefault(i + place[0], {})[j + place[1]] = -1 if slice_ else 1
        i, j = i + block.height, j + block.width
    return rows


def rank(block: Block, over: str) -> int:
    """Rank of a block: a companion block costs one more unless its polynomial has distinct roots in the field."""
    if not block.f:
        return max(block.height, block.width)
    form = list(reversed(block.f))
    split = is_squarefree(form) and (over == "CC" or is_real_rooted(form))
    return block.height if split else block.height + 1


RULE = Rule(read, derive)

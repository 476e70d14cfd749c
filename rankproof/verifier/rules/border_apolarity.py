"""Rule ``border-apolarity``: every stable family of spaces that a limit of r rank-one tensors would leave is refuted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, permutations, product
from typing import Any

from .. import limits
from ..claims import AT_LEAST, BORDER, Claim
from ..forms import Polynomial
from ..matrix import Work
from ..parametric import Row, constant_rank, ratio
from ..reading import integer, is_object, keys, sequence, show
from ..refusal import Rejected, Unreadable
from ..scalars import QQ, Rational, read_number
from ..stable_spaces import (
    Cell,
    Matrix,
    Proof,
    Replay,
    Symmetry,
    Tensor,
    Weight,
    echelon,
    height,
    root,
    weight_sum,
)
from ..targets import check_word
from .over import field_refused
from .rule import Context, Rule

PAIRS = ((0, 1), (1, 2), (2, 0))
WORDS = ("210", "120", "candidate", "empty")


@dataclass(frozen=True)
class Refutation:
    refuted: int
    symmetry: Symmetry
    pairs: list[tuple[Cell, list[Proof]]]
    """The two factors, and the proof of every leaf of the replay: a word, or a polynomial to split on."""


def read(witness: Any, context: Context) -> Refutation:
    refuted, weights, rho, raising, pairs = keys(
        witness, context.witness(), ("refuted", "weights", "rho", "raising", "pairs")
    )
    space = context.target.space
    if sum(power for _, power in space.factors) != 3 or context.units.name not in ("product", "tied"):
        message = "the rule is about tensors of order 3, and about tied units of degree 3 in all"
        raise Unreadable("units-do-not-fit", f"{context.pointer}/claim/units", message)
    integer(refuted, context.witness("refuted"), 1, 2**20)
    dimensions = dimensions_of(context)
    here = context.witness("rho")
    direction = tuple(
        integer(x, f"{here}/{i}", -(2**20), 2**20)
        for i, x in enumerate(sequence(rho, here, least=1, most=64))
    )
    here = context.witness("weights")
    by_factor = [
        [
            _read_weight(weight, f"{here}/{f}/{i}", len(direction))
            for i, weight in enumerate(sequence(listed, f"{here}/{f}", least=n, most=n))
        ]
        for f, (listed, n) in enumerate(
            zip(sequence(weights, here, least=3, most=3), dimensions, strict=True)
        )
    ]
    here = context.witness("raising")
    operators = [
        [
            _read_matrix(matrix, f"{here}/{k}/{f}", n)
            for f, (matrix, n) in enumerate(
                zip(sequence(operator, f"{here}/{k}", least=3, most=3), dimensions, strict=True)
            )
        ]
        for k, operator in enumerate(sequence(raising, here))
    ]
    return Refutation(refuted, Symmetry(by_factor, direction, operators), _read_pairs(pairs, context))


def _read_weight(node: Any, pointer: str, length: int) -> Weight:
    entries = sequence(node, pointer, least=length, most=length)
    return tuple(integer(x, f"{pointer}/{i}", -(2**20), 2**20) for i, x in enumerate(entries))


def _read_matrix(node: Any, pointer: str, n: int) -> Matrix:
    matrix: Matrix = {}
    seen: set[Cell] = set()
    for position, entry in enumerate(sequence(node, pointer)):
        here = f"{pointer}/{position}"
        i, j, x = sequence(entry, here, least=3, most=3)
        integer(i, f"{here}/0", 0, n - 1)
        integer(j, f"{here}/1", 0, n - 1)
        if integer(x, f"{here}/2", -(2**20), 2**20) == 0:
            raise Unreadable("zero-entry", f"{here}/2", "zero entries are left out")
        if (i, j) in seen:
            raise Unreadable("repeated", here, "an entry is given twice")
        seen.add((i, j))
        matrix.setdefault(j, []).append((i, x))
    return matrix


def _read_pairs(node: Any, context: Context) -> list[tuple[Cell, list[Proof]]]:
    pairs: list[tuple[Cell, list[Proof]]] = []
    for position, pair in enumerate(sequence(node, context.witness("pairs"), least=1, most=3)):
        here = context.witness("pairs", position)
        factors, leaves = keys(pair, here, ("factors", "leaves"))
        first, second = sequence(factors, f"{here}/factors", least=2, most=2)
        chosen = integer(first, f"{here}/factors/0", 0, 2), integer(second, f"{here}/factors/1", 0, 2)
        if chosen not in PAIRS:
            raise Unreadable("out-of-range", f"{here}/factors", "the pairs are [0, 1], [1, 2] and [2, 0]")
        if chosen in [factors for factors, _ in pairs]:
            raise Unreadable("repeated", f"{here}/factors", "a pair of factors is treated twice")
        proofs = [
            _read_proof(leaf, f"{here}/leaves/{i}")
            for i, leaf in enumerate(sequence(leaves, f"{here}/leaves"))
        ]
        pairs.append((chosen, proofs))
    return pairs


def _read_proof(node: Any, pointer: str) -> Proof:
    if not is_object(node):
        if node not in WORDS:
            raise Unreadable(
                "unknown-proof", pointer, f"{show(node)} is none of {', '.join(WORDS)} or a split"
            )
        return node
    (terms,) = keys(node, pointer, ("split",))
    polynomial: Polynomial = {}
    for i, term in enumerate(sequence(terms, f"{pointer}/split", least=1)):
        here = f"{pointer}/split/{i}"
        word_node, coefficient = sequence(term, here, least=2, most=2)
        word = tuple(sequence(word_node, f"{here}/0", most=limits.DEGREE))
        check_word(word, f"{here}/0", ((limits.PARAMETERS, len(word)),))
        value = read_number(coefficient, f"{here}/1", QQ)
        if value == 0:
            raise Unreadable("zero-entry", f"{here}/1", "zero coefficients are left out")
        if word in polynomial:
            raise Unreadable("repeated", f"{here}/0", "a word is given twice")
        polynomial[word] = value
    return polynomial


def dimensions_of(context: Context) -> list[int]:
    return [n for n, power in context.target.space.factors for _ in range(power)]


def derive(data: Refutation, context: Context) -> Claim:
    if context.over != "CC" or context.target.ring != QQ:
        raise field_refused(context, "CC, and for coefficients in QQ,")
    dimensions = dimensions_of(context)
    tensor, work = tensor_of(context), Work()
    check_symmetry(tensor, data.symmetry, context)
    survivors: dict[Cell, list[list[Row]]] = {}
    for position, (factors, proofs) in enumerate(data.pairs):
        here = context.witness("pairs", position)
        if data.refuted >= dimensions[factors[0]] * dimensions[factors[1]]:
            message = f"{data.refuted} is not less than the dimension of the product of the two factors"
            raise Rejected("rank-too-large", f"{here}/factors", message)
        replay = Replay(
            tensor, dimensions, data.symmetry, data.refuted, factors, proofs, f"{here}/leaves", work
        )
        survivors[factors] = replay.candidates()
    if all(survivors.values()):
        if len(survivors) < 3:
            message = "every pair has candidates: all three pairs are needed, and all triples of candidates"
            raise Rejected("candidates", context.witness("pairs"), message)
        check_triples(survivors, dimensions, data.refuted, work, context)
    return Claim(BORDER, context.units.name, "CC", AT_LEAST, data.refuted + 1)


def tensor_of(context: Context) -> Tensor:
    """The target as a tensor of order 3, symmetric in the letters of a symmetric factor."""
    tensor: Tensor = {}
    for word, value in context.target.entries.items():
        arrangements = [sorted(set(permutations(piece))) for piece in context.target.space.split(word)]
        choices = list(product(*arrangements))
        for choice in choices:
            i, j, k = chain(*choice)
            tensor[i, j, k] = ratio(value, len(choices))
    return tensor


def check_symmetry(tensor: Tensor, symmetry: Symmetry, context: Context) -> None:
    """The group fixes the line of the tensor, and its operators raise the height: it is connected and solvable."""
    weights = symmetry.weights
    totals = {weight_sum(weights[0][i], weights[1][j], weights[2][k]) for i, j, k in tensor}
    if len(totals) != 1:
        raise Rejected(
            "not-homogeneous", context.witness("weights"), "the entries of the target differ in weight"
        )
    for number, operator in enumerate(symmetry.raising):
        here = context.witness("raising", number)
        alpha = root(operator, weights)
        if alpha is None:
            raise Rejected(
                "not-a-root", here, "the entries of an operator all change the weight by one vector"
            )
        if height(alpha, symmetry.rho) <= 0:
            raise Rejected("not-raising", here, "the operator does not raise the height")
        moved: dict[Any, Rational] = {}
        for index, value in tensor.items():
            for factor in range(3):
                for i, x in operator[factor].get(index[factor], ()):
                    image = (*index[:factor], i, *index[factor + 1 :])
                    moved[image] = moved.get(image, 0) + x * value
        if any(moved.values()):
            raise Rejected("not-a-symmetry", here, "the operator does not annihilate the target")


def check_triples(
    survivors: Mapping[Cell, list[list[Row]]],
    dimensions: Sequence[int],
    rank: int,
    work: Work,
    context: Context,
) -> None:
    """For every triple of candidates the spaces E (x) C, E' (x) A and E'' (x) B meet in dimension less than r.

    The meet is the kernel of the map from E (x) C to the quotients by the other two.
    """
    bases = {
        factors: [
            echelon([{cell: x[()] for cell, x in row.items()} for row in rows], work) for rows in listed
        ]
        for factors, listed in survivors.items()
    }
    needed = rank * (dimensions[2] - 1) + 1
    for first, basis in enumerate(bases[0, 1]):
        products = [
            {(*cell, k): x for cell, x in row.items()} for row in basis.values() for k in range(dimensions[2])
        ]
        quotients = [
            [[modulo(row, other, factors, work) for row in products] for other in bases[factors]]
            for factors in PAIRS[1:]
        ]
        for second, left in enumerate(quotients[0]):
            for third, right in enumerate(quotients[1]):
                rows = [
                    {(0, c): x for c, x in u.items()} | {(1, c): x for c, x in v.items()}
                    for u, v in zip(left, right, strict=True)
                ]
                found = constant_rank(rows, work)
                if found < needed:
                    message = (
                        f"for candidates {first}, {second}, {third} the rank is {found}; {needed} is needed"
                    )
                    raise Rejected("triple", context.witness("pairs"), message)


def modulo(
    row: Mapping[tuple[int, ...], Rational],
    basis: Mapping[Cell, Mapping[Cell, Rational]],
    factors: Cell,
    work: Work,
) -> dict[tuple[int, ...], Rational]:
    """A tensor modulo the product of a subspace of two factors, in reduced echelon form, with the third factor."""
    first, second = factors
    result: dict[tuple[int, ...], Rational] = {}
    for index, x in row.items():
        pivot = index[first], index[second]
        # A pivot is minus the rest of its row.
        terms = (
            {cell: -y for cell, y in basis[pivot].items() if cell != pivot} if pivot in basis else {pivot: 1}
        )
        work.spend(100 * len(terms))
        for cell, y in terms.items():
            place = list(index)
            place[first], place[second] = cell
            result[tuple(place)] = result.get(tuple(place), 0) + x * y
    return {place: x for place, x in result.items() if x}


RULE = Rule(read, derive)

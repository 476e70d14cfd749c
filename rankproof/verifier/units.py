"""What one unit is: its vectors, and the polynomial or tensor it stands for.

A unit is a list of vectors: for forms and maps the linear forms and then the weights of the outputs, for tensors one
vector a factor. Coordinates may be rationals, algebraic numbers or Laurent polynomials: expansion only adds and
multiplies.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, lcm, prod
from typing import Any

from .reading import show
from .refusal import Undecided, Unreadable
from .scalars import Algebraic, Laurent, bit_length
from .targets import Space, Word

Vector = list[Any]

_PACKED_BITS = 2**13
"""A longer row would cost more to add as one integer than its few entries cost one by one."""

_MIXED = re.compile(r"mixed:([1-9][0-9]{0,2})")


@dataclass(frozen=True)
class Units:
    """A unit model on forms of one degree d, or on tensors.

    ``powers`` are the exponents of the linear forms: a^d is (d,), a^(d-1) b is (d-1, 1), l1...ld is (1, ..., 1).
    It is empty for ``product`` units.
    """

    name: str
    powers: tuple[int, ...]

    def lengths(self, space: Space) -> list[int]:
        """Length of every vector of a unit."""
        if not self.powers:
            return [dimension for dimension, _ in space.factors]
        return [space.variables] * len(self.powers) + [space.outputs]

    def sum(self, units: Sequence[Sequence[Vector]], space: Space) -> Iterator[tuple[Word, Any]]:
        """Coefficients of a sum of units, in increasing order of words; words may be left out where it is zero."""
        if not self.powers:
            yield from _sum_of_products(units, space)
            return
        yield from self._sum_of_forms(units, space)

    def _sum_of_forms(self, units: Sequence[Sequence[Vector]], space: Space) -> Iterator[tuple[Word, Any]]:
        # A monomial is one integer, the exponents its digits, so that integers are added where monomials are multiplied.
        scale, weights = _cleared([[vectors[-1]] for vectors in units])
        # One bit more than the exponents need: the digits of `_digits` have a sign.
        width = sum(self.powers).bit_length() + 1
        totals: list[dict[int, Any]] = [{} for _ in range(space.outputs)]
        for vectors, (weight,) in zip(units, weights, strict=True):
            form: dict[int, Any] = {0: 1}
            for vector, power in zip(vectors[:-1], self.powers, strict=True):
                support = [(1 << (width * i), x) for i, x in _support(vector)]
                for _ in range(power):
                    form = _times(form, support)
            for total, w in zip(totals, weight, strict=True):
                if w != 0:
                    for code, value in form.items():
                        total[code] = total.get(code, 0) + w * value
        found: dict[Word, Any] = {}
        for output, total in enumerate(totals):
            ending = () if len(space.factors) == 1 else (output,)
            for code, value in total.items():
                word = tuple(i for i, exponent in _digits(code, width) for _ in range(exponent))
                found[word + ending] = value if scale == 1 else value * Fraction(1, scale)
        for word in sorted(found):
            yield word, found[word]

    def operations(self, vectors: Sequence[Vector]) -> int:
        """Estimate of the multiplications of small numbers needed to expand one unit."""
        sizes = [len(vector) - vector.count(0) for vector in vectors]
        if not self.powers:
            return prod(sizes) * _growth(vectors, [1] * len(vectors))
        joint = len({i for vector in vectors[:-1] for i, x in enumerate(vector) if x != 0})
        degree = sum(self.powers)
        words = comb(joint + degree - 1, degree) if joint else 1
        return words * (joint + sizes[-1] + 1) * _growth(vectors, [*self.powers, 1])


def _growth(vectors: Sequence[Vector], powers: Sequence[int]) -> int:
    """What one multiplication of coefficients may cost, compared with one of small numbers.

    A partial product has at most the terms in eps and the bits of all factors together.
    """
    terms, span, bits, most_terms, most_bits, degree = 1, 0, 0, 1, 1, 1
    for vector, power in zip(vectors, powers, strict=False):
        if set(map(type, vector)) == {int}:
            # Nearly all vectors: one pass in compiled code.
            bit_count = max(max(vector), -min(vector)).bit_length() or 1
            bits, most_bits = bits + bit_count * power, max(most_bits, bit_count)
            continue
        # The reader makes one object of equal quotients.
        vector = list({id(x): x for x in vector}.values())
        numbers = [x for x in vector if type(x) is not Laurent]
        families = [x.terms for x in vector if type(x) is Laurent]
        exponents = [e for family in families for e in family]
        numbers += [x for family in families for x in family.values()]
        term_count = max((len(family) for family in families), default=1)
        bit_count = max((bit_length(x) for x in numbers), default=1)
        degree = max([degree, *(x.field.degree for x in numbers if type(x) is Algebraic)])
        terms *= term_count**power
        span += (max(exponents + [0]) - min(exponents + [0])) * power
        bits += bit_count * power
        most_terms, most_bits = max(most_terms, term_count), max(most_bits, bit_count)
    return min(terms, span + 1) * most_terms * (1 + bits // 64) * (1 + most_bits // 64) * degree**2


def _support(vector: Vector) -> list[tuple[int, Any]]:
    return [(i, x) for i, x in enumerate(vector) if x != 0]


def _sum_of_products(units: Sequence[Sequence[Vector]], space: Space) -> Iterator[tuple[Word, Any]]:
    # Slice by slice of the first factor, with the other indices packed into one integer: the sum of a scheme for
    # large matrices has millions of coefficients, and only one slice of them is held at a time.
    order = len(space.factors)
    dimensions = [dimension for dimension, _ in space.factors]
    scale, units = _cleared(units)
    if order == 1:
        dimensions, units = [*dimensions, 1], [[*vectors, [1]] for vectors in units]
    slices: list[list[tuple[Any, int]]] = [[] for _ in range(dimensions[0])]
    for number, vectors in enumerate(units):
        for i, x in _support(vectors[0]):
            slices[i].append((x, number))
    middles = [[_support(vector) for vector in vectors[1:-1]] for vectors in units]
    width = _width(units)
    lasts = [_packed(vectors[-1], width) for vectors in units]
    for i, terms in enumerate(slices):
        # One row of the last factor for every combination of the middle indices that occurs.
        rows: dict[int, Any] = {}
        for x, number in terms:
            partial = [(0, x)]
            for dimension, support in zip(dimensions[1:-1], middles[number], strict=True):
                partial = [(code * dimension + j, value * y) for code, value in partial for j, y in support]
            last = lasts[number]
            for code, value in partial:
                if width:
                    rows[code] = rows.get(code, 0) + value * last
                    continue
                row = rows.setdefault(code, [0] * dimensions[-1])
                for k, z in last:
                    row[k] += value * z
        for code in sorted(rows):
            prefix = (i, *_unpacked(code, dimensions[1:-1]))
            for k, value in _digits(rows[code], width) if width else _support(rows[code]):
                yield (*prefix, k)[:order], value if scale == 1 else Fraction(value, scale)


def _width(units: Sequence[Sequence[Vector]]) -> int:
    """Bits that hold every coefficient of the sum with its sign; 0 unless all coordinates are integers and rows stay short."""
    bound = 0
    for vectors in units:
        if any(set(map(type, vector)) != {int} for vector in vectors):
            return 0
        bound += prod(max(max(vector), -min(vector)) for vector in vectors)
    width = bound.bit_length() + 1
    return width if width * len(units[0][-1]) <= _PACKED_BITS else 0


def _packed(vector: Vector, width: int) -> Any:
    """Integers as the digits of one integer to the base 2^width, which is a row that Python adds in one step."""
    if not width:
        return _support(vector)
    return sum(x << (width * k) for k, x in _support(vector))


def _digits(packed: int, width: int) -> Iterator[tuple[int, int]]:
    """Place and value of the digits that are not zero; each lies between -2^(width-1) and 2^(width-1), both excluded."""
    half, base = 1 << (width - 1), 1 << width
    place = 0
    while packed:
        zeros = ((packed & -packed).bit_length() - 1) // width
        place, packed = place + zeros, packed >> (width * zeros)
        digit = packed % base
        if digit >= half:
            digit -= base
        yield place, digit
        place, packed = place + 1, (packed - digit) >> width


def _cleared(units: Sequence[Sequence[Vector]]) -> tuple[int, Sequence[Sequence[Vector]]]:
    """Units with integer coordinates whose sum is ``scale`` times the sum of the given ones, when they are rational."""
    kinds: set[type] = set()
    for vectors in units:
        for vector in vectors:
            kinds.update(map(type, vector))
    if Fraction not in kinds or not kinds <= {int, Fraction}:
        return 1, units
    denominators = [[lcm(*(x.denominator for x in vector)) for vector in vectors] for vectors in units]
    scale = lcm(*(prod(row) for row in denominators))
    if scale.bit_length() > 1000:
        # Many different denominators: a common one would be longer than the numbers themselves.
        return 1, units
    cleared: list[list[list[int]]] = []
    for vectors, row in zip(units, denominators, strict=True):
        factors = [row[0] * (scale // prod(row)), *row[1:]]
        # A factor is a multiple of every denominator of its vector.
        cleared.append(
            [
                vector if factor == 1 else [x.numerator * (factor // x.denominator) for x in vector]
                for vector, factor in zip(vectors, factors, strict=True)
            ]
        )
    return scale, cleared


def _unpacked(code: int, dimensions: list[int]) -> Word:
    indices: list[int] = []
    for dimension in reversed(dimensions):
        code, index = divmod(code, dimension)
        indices.append(index)
    return tuple(reversed(indices))


def _times(form: dict[int, Any], linear: list[tuple[int, Any]]) -> dict[int, Any]:
    product: dict[int, Any] = {}
    for code, value in form.items():
        for variable, x in linear:
            product[code + variable] = product.get(code + variable, 0) + value * x
    return product


def read_units(name: str, pointer: str, space: Space) -> Units:
    """The unit model of this name on this space, or a refusal."""
    mixed = _MIXED.fullmatch(name)
    if name not in ("tied", "untied", "split", "product") and mixed is None:
        raise Unreadable("unknown-units", pointer, f"no units are named {show(name)}")
    if name == "product":
        if not space.is_tensor:
            raise Unreadable("units-do-not-fit", pointer, "product units need a tensor: every power is 1")
        return Units(name, ())
    if not space.is_polynomial:
        raise Unreadable("units-do-not-fit", pointer, f"{name} units need a form or a polynomial map")
    d = space.form_degree
    if mixed is not None:
        k = int(mixed[1])
        if 2 * k > d:
            raise Unreadable(
                "units-do-not-fit", pointer, f"mixed:{k} needs degree at least {2 * k}; it is {d}"
            )
        return Units(name, (d - k, k))
    powers: dict[str, Callable[[], tuple[int, ...]]] = {
        "tied": lambda: (d,),
        "untied": lambda: (d - 1, 1),
        "split": lambda: (1,) * d,
    }
    return Units(name, powers[name]())


def check_operations(operations: int, limit: int, pointer: str) -> None:
    """Refuse work beyond the declared limit before it is begun."""
    if operations > limit:
        raise Undecided("limit-operations", pointer, f"about {operations} operations; at most {limit}")

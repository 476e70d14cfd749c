"""Targets: sparse exact coefficients on a Segre-Veronese space, read from a file or expanded from a name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

from . import limits
from .named import NAMED, numbered
from .primes import is_prime
from .reading import MISSING, integer, keys, limited, sequence, show, string
from .refusal import Rejected, Undecided, Unreadable
from .scalars import QQ, Algebraic, Number, Ring, bit_length, read_number

Word = tuple[int, ...]


@dataclass(frozen=True)
class Space:
    """Product of symmetric powers S^d(K^n), given as factors (n, d)."""

    factors: tuple[tuple[int, int], ...]

    @property
    def is_polynomial(self) -> bool:
        """Forms ``((n, d),)`` and maps ``((n, d), (m, 1))``."""
        return len(self.factors) == 1 or (len(self.factors) == 2 and self.factors[1][1] == 1)

    @property
    def is_tensor(self) -> bool:
        return all(power == 1 for _, power in self.factors)

    @property
    def variables(self) -> int:
        return self.factors[0][0]

    @property
    def form_degree(self) -> int:
        return self.factors[0][1]

    @property
    def outputs(self) -> int:
        return self.factors[1][0] if len(self.factors) == 2 else 1

    def split(self, word: Word) -> list[Word]:
        """The word cut into its factors."""
        pieces: list[Word] = []
        start = 0
        for _, power in self.factors:
            pieces.append(word[start : start + power])
            start += power
        return pieces


def factor_words(dimension: int, power: int) -> Iterator[Word]:
    """Words of S^power(K^dimension) in lexicographic order."""
    word = [0] * power
    while True:
        yield tuple(word)
        position = power - 1
        while position >= 0 and word[position] == dimension - 1:
            position -= 1
        if position < 0:
            return
        word[position:] = [word[position] + 1] * (power - position)


def factor_dimension(dimension: int, power: int) -> int:
    return comb(dimension + power - 1, power)


@dataclass(frozen=True, eq=False)
class Target:
    """Coefficients by word; ``variables`` are names for printing, ``label`` the name of a named target."""

    space: Space
    ring: Ring
    entries: Mapping[Word, Number]
    variables: tuple[str, ...] | None = None
    label: str | None = None

    def over(self, ring: Ring) -> Target:
        """The target with coefficients in ``ring``: itself, included in a number field, or reduced modulo a prime."""
        if ring == self.ring:
            return self
        if self.ring != QQ:
            raise Rejected("ring", "", f"a target over {self.ring.name} has no meaning over {ring.name}")
        entries = {word: ring.reduce(value) for word, value in self.entries.items()}
        entries = {word: value for word, value in entries.items() if value != 0}
        if not entries:
            raise Rejected("target-vanishes", "/target", f"the target is zero over {ring.name}")
        return Target(self.space, ring, entries, self.variables, self.label)

    def words(self) -> list[Word]:
        return sorted(self.entries)

    def place(self, word: Word) -> str:
        """A word for a reader: the exponents (and output) of a monomial, or the indices of a tensor entry."""
        if self.space.is_tensor and len(self.space.factors) > 1:
            return f"entry {word}"
        n, d = self.space.variables, self.space.form_degree
        exponents = "(" + ",".join(str(word[:d].count(i)) for i in range(n)) + ")"
        return f"exponents {exponents}" + (f" of output {word[d]}" if len(word) > d else "")


def read_target(node: Any, rings: Mapping[str, Ring]) -> Target:
    """Target of a certificate; ``rings`` holds the declared number fields by name."""
    if isinstance(node, dict) and "name" in node:
        return _read_named(node)
    space_node, ring_node, entries_node, names_node = keys(
        node, "/target", ("space", "ring", "entries"), ("variables",)
    )
    space = _read_space(space_node)
    ring = read_ring(ring_node, "/target/ring", rings)
    entries = _read_entries(entries_node, space, ring)
    names = None if names_node is MISSING else _read_names(names_node, space)
    if ring.number_field is not None and ring.number_field.symbol in (names or numbered(space.variables)):
        raise Unreadable("bad-name", "/target/ring", "a variable has the name of the generator of the field")
    return Target(space, ring, entries, names)


def read_ring(node: Any, pointer: str, rings: Mapping[str, Ring]) -> Ring:
    """QQ, GF(p) or a declared number field."""
    name = string(node, pointer)
    ring = rings.get(name) or finite_field(name)
    if ring is None:
        raise Unreadable(
            "unknown-field", pointer, f"{show(name)} is not QQ, GF(p) with p prime below 2^31, or declared"
        )
    return ring


_FINITE = re.compile(r"GF\(([1-9][0-9]{0,9})\)")


def finite_field(name: str) -> Ring | None:
    """The ring GF(p) for p prime below 2^31, or None."""
    match = _FINITE.fullmatch(name)
    if match is None or int(match[1]) >= 2**31 or not is_prime(int(match[1])):
        return None
    return Ring(name, prime=int(match[1]))


def _read_space(node: Any) -> Space:
    factors: list[tuple[int, int]] = []
    for i, factor in enumerate(sequence(node, "/target/space", least=1)):
        here = f"/target/space/{i}"
        dimension, power = sequence(factor, here, least=2, most=2)
        integer(dimension, f"{here}/0", 1, 2**53)
        integer(power, f"{here}/1", 1, 2**53)
        if dimension > limits.DIMENSION:
            raise Undecided(
                "limit-dimension", f"{here}/0", f"dimension {dimension}; at most {limits.DIMENSION}"
            )
        factors.append((dimension, power))
    if len(factors) > limits.FACTORS:
        raise Undecided("limit-factors", "/target/space", f"{len(factors)} factors; at most {limits.FACTORS}")
    if sum(power for _, power in factors) > limits.DEGREE:
        raise Undecided("limit-degree", "/target/space", f"total degree above {limits.DEGREE}")
    if len(factors) == 2 and factors[1] == (1, 1):
        raise Unreadable("one-output", "/target/space/1", "a single form is written without an output factor")
    return Space(tuple(factors))


def _read_entries(node: Any, space: Space, ring: Ring) -> dict[Word, Number]:
    pairs = limited(node, "/target/entries", limits.ENTRIES, "limit-entries")
    entries: dict[Word, Number] = {}
    length = sum(power for _, power in space.factors)
    previous: Word = ()
    for position, pair in enumerate(pairs):
        here = f"/target/entries/{position}"
        word_node, coefficient = sequence(pair, here, least=2, most=2)
        word = tuple(sequence(word_node, f"{here}/0", least=length, most=length))
        check_word(word, f"{here}/0", space.factors)
        if word <= previous:
            code = "repeated" if word == previous else "unsorted"
            raise Unreadable(code, f"{here}/0", "words must increase")
        previous = word
        value = read_number(coefficient, f"{here}/1", ring)
        if value == 0:
            raise Unreadable("zero-entry", f"{here}/1", "zero coefficients are left out")
        entries[word] = value
    return entries


def check_word(word: Word, pointer: str, factors: Sequence[tuple[int, int]]) -> None:
    """Refuse a word that is not one of the space: an index out of range, or decreasing inside a factor."""
    position = 0
    for dimension, power in factors:
        least = 0
        for index in word[position : position + power]:
            integer(index, f"{pointer}/{position}", 0, dimension - 1)
            if index < least:
                raise Unreadable(
                    "unsorted", f"{pointer}/{position}", "indices of one factor must not decrease"
                )
            least = index
            position += 1


_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,31}")


def _read_names(node: Any, space: Space) -> tuple[str, ...]:
    if not space.is_polynomial:
        raise Unreadable("unknown-key", "/target/variables", "only forms and maps have named variables")
    names = sequence(node, "/target/variables", least=space.variables, most=space.variables)
    for position, name in enumerate(names):
        if not _IDENTIFIER.fullmatch(string(name, f"/target/variables/{position}")):
            raise Unreadable(
                "bad-name", f"/target/variables/{position}", f"{show(name)} is not an identifier"
            )
        # A statement about the form "quaternion_product" would read as one about the tensor.
        if name in NAMED and NAMED[name].least == 0:
            raise Unreadable("bad-name", f"/target/variables/{position}", f"{name} is the name of a target")
    if len(set(names)) != len(names):
        raise Unreadable("repeated", "/target/variables", "two variables have one name")
    return tuple(names)


def named_target(name: str, parameters: list[int], pointer: str = "/target") -> Target:
    """Expansion of a named target."""
    entry = NAMED.get(name)
    if entry is None:
        raise Unreadable("unknown-target", f"{pointer}/name", f"no target is named {show(name)}")
    here = f"{pointer}/parameters"
    sequence(parameters, here, least=entry.least, most=entry.most)
    for position, parameter in enumerate(parameters):
        integer(parameter, f"{here}/{position}", entry.lowest, limits.DIMENSION)
    if name in ("det", "perm", "det_tensor", "perm_tensor") and parameters[0] > 8:
        raise Undecided("limit-entries", here, f"{parameters[0]}! terms")
    if name == "elementary" and parameters[0] > parameters[1]:
        raise Unreadable(
            "bad-parameters", here, "an elementary polynomial of degree d needs at least d variables"
        )
    if name == "dicke" and parameters[0] > parameters[1]:
        raise Unreadable("bad-parameters", here, "a Dicke tensor of order n has words with at most n ones")
    if name == "skew_coppersmith_winograd" and parameters[0] % 2:
        raise Unreadable("bad-parameters", here, "the skew Coppersmith-Winograd tensor exists for even q")
    if name == "elementary" and comb(parameters[1], parameters[0]) > limits.ENTRIES:
        raise Undecided("limit-entries", here, "too many terms")
    if name == "unit" and len(parameters) == 2 and parameters[1] < 2:
        raise Unreadable("bad-parameters", f"{here}/1", "a unit tensor has order at least 2")
    expansion = entry.expand(*parameters)
    factors = expansion.factors
    if len(factors) > limits.FACTORS or any(n > limits.DIMENSION for n, _ in factors):
        raise Undecided("limit-dimension", here, "the space is too large")
    if sum(power for _, power in factors) > limits.DEGREE:
        raise Undecided("limit-degree", here, f"total degree above {limits.DEGREE}")
    if (
        name in ("matmul", "polymul")
        and parameters[0] * parameters[1] * (parameters + [1])[2] > limits.ENTRIES
    ):
        raise Undecided("limit-entries", here, "too many entries")
    if name in ("truncated_polynomials", "cyclic_convolution") and parameters[0] ** 2 > limits.ENTRIES:
        raise Undecided("limit-entries", here, "too many entries")
    entries: dict[Word, Number] = {}
    for word, coefficient in expansion.pairs:
        entries[word] = entries.get(word, 0) + coefficient
    label = f"{name}({','.join(map(str, parameters))})" if parameters else name
    return Target(Space(factors), QQ, entries, expansion.names, label)


def _read_named(node: Any) -> Target:
    name, parameters = keys(node, "/target", ("name", "parameters"))
    return named_target(string(name, "/target/name"), sequence(parameters, "/target/parameters"))


def expanded(target: Target) -> dict[str, Any]:
    """The target as the claim hash sees it: space, ring, entries."""
    return {
        "entries": [[list(word), written(target.entries[word])] for word in target.words()],
        "ring": target.ring.name,
        "space": [list(factor) for factor in target.space.factors],
    }


def written(value: Number) -> Any:
    """A number in the spelling of docs/format.md."""
    if isinstance(value, Algebraic):
        return [written(c) for c in value.coefficients]
    if isinstance(value, Fraction) and value.denominator != 1:
        return f"{value.numerator}/{value.denominator}"
    whole = int(value)
    return whole if -(2**53) < whole < 2**53 else str(whole)


def quoted(value: Number) -> str:
    """A number as a message quotes it; Python itself refuses to print integers of more than 4300 digits."""
    return str(value) if bit_length(value) < 400 else "a number of more than 100 digits"

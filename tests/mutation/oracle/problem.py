"""The target of a certificate as a polynomial in sympy's exact domains.

Written from docs/format.md for the tests alone. A target on factors (n_i, d_i) is a polynomial in groups of variables,
homogeneous of degree d_i in group i. The variables that do not occur are left out: they change no width.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from typing import Any

import sympy
from sympy import GF, QQ, Matrix, Poly, Symbol, factor_list, isprime
from sympy.polys.rings import PolyRing

T = Symbol("t")


class NotSense(Exception):
    """The certificate is about something that does not exist: a field, a target, a prime."""


@dataclass(frozen=True)
class NumberField:
    """QQ(a) with the roots of its minimal polynomial; ``real`` is the place of the declared real root among the real ones."""

    name: str
    polynomial: Poly
    real: int | None

    @cached_property
    def domain(self) -> Any:
        return QQ.alg_field_from_poly(self.polynomial, root_index=self.real or 0)


def number_fields(declarations: Sequence[Mapping[str, Any]]) -> dict[str, NumberField]:
    """The declared fields; a polynomial that is reducible, or an interval that isolates no root, makes no sense."""
    fields = {}
    for declaration in declarations:
        f = Poly([sympy.Integer(c) for c in reversed(declaration["minimal_polynomial"])], T, domain=QQ)
        if f.LC() != 1 or f.degree() < 2 or [e for _, e in factor_list(f)[1]] != [1]:
            raise NotSense(f"{f} is not monic and irreducible")
        real = None
        if "real_root" in declaration:
            low, high = (sympy.Rational(str(x)) for x in declaration["real_root"])
            inside = f.count_roots(low, high)
            if inside != 1 or f.eval(low) == 0 or f.eval(high) == 0:
                raise NotSense(f"{inside} real roots of {f} between {low} and {high}")
            real = f.count_roots(None, low)
        name = f"QQ({declaration['symbol']})"
        fields[name] = NumberField(name, f, real)
    return fields


def characteristic(field: str) -> int:
    """Characteristic of a field by its name."""
    if not field.startswith("GF("):
        return 0
    p = int(field[3:-1])
    if not isprime(p):
        raise NotSense(f"{p} is not prime")
    return p


def domain(field: str, fields: Mapping[str, NumberField]) -> Any:
    """sympy's domain of QQ, GF(p) or a declared number field."""
    if field == "QQ":
        return QQ
    if field in fields:
        return fields[field].domain
    return GF(characteristic(field), symmetric=False)


def number(node: Any, K: Any) -> Any:
    """A number of the file in a domain."""
    if isinstance(node, list):
        return sum((K.convert(QQ(*_ratio(c))) * K.unit**i for i, c in enumerate(node)), K.zero)
    numerator, denominator = _ratio(node)
    if K.is_FiniteField:
        if denominator % K.characteristic() == 0:
            raise NotSense("the characteristic divides a denominator")
        return K(numerator) / K(denominator)
    return K.convert(QQ(numerator, denominator))


def _ratio(node: Any) -> tuple[int, int]:
    value = Fraction(node)
    return value.numerator, value.denominator


@dataclass(frozen=True)
class Problem:
    """Factors of the space, ring of the coefficients and coefficients (numbers of the file) by word."""

    factors: tuple[tuple[int, int], ...]
    ring: str
    entries: Mapping[tuple[int, ...], Any]
    fields: Mapping[str, NumberField]

    @cached_property
    def used(self) -> list[list[int]]:
        """Indices that occur, factor by factor."""
        sets: list[set[int]] = [set() for _ in self.factors]
        for word in self.entries:
            for i, piece in enumerate(self.split(word)):
                sets[i].update(piece)
        return [sorted(found) for found in sets]

    def split(self, word: Sequence[int]) -> list[tuple[int, ...]]:
        pieces, start = [], 0
        for _, power in self.factors:
            pieces.append(tuple(word[start : start + power]))
            start += power
        return pieces

    def polynomial(self, ring: str, used: Sequence[Sequence[int]] | None = None) -> Any:
        """The target over a ring (QQ, GF(p) or a number field) as an element of sympy's sparse polynomials."""
        used = used or self.used
        K = domain(ring, self.fields)
        if ring != self.ring and self.ring != "QQ":
            raise NotSense(f"a target over {self.ring} has no meaning over {ring}")
        R = polynomial_ring(K, used)
        place = {key: k for k, key in enumerate((i, x) for i, group in enumerate(used) for x in group)}
        total = R.zero
        for word, coefficient in self.entries.items():
            exponents = [0] * R.ngens
            for i, piece in enumerate(self.split(word)):
                for x in piece:
                    exponents[place[i, x]] += 1
            total += R.term_new(tuple(exponents), number(coefficient, K))
        if not total:
            raise NotSense(f"the target vanishes over {ring}")
        return total

    @property
    def is_form(self) -> bool:
        return len(self.factors) == 1

    @property
    def is_polynomial(self) -> bool:
        return self.is_form or (len(self.factors) == 2 and self.factors[1][1] == 1)

    @property
    def is_tensor(self) -> bool:
        return all(d == 1 for _, d in self.factors)

    @property
    def degree(self) -> int:
        return self.factors[0][1]


def polynomial_ring(K: Any, used: Sequence[Sequence[int]], *more: str) -> PolyRing:
    """Polynomials in one variable for every index that occurs."""
    names = [f"x{i}_{x}" for i, group in enumerate(used) for x in group]
    return PolyRing([*names, *more], K)


def problem(tree: Mapping[str, Any]) -> Problem:
    """The target of a certificate."""
    fields = number_fields(tree.get("number_fields", []))
    target = tree["target"]
    if "name" in target:
        factors, entries = named(target["name"], target["parameters"])
        return Problem(factors, "QQ", entries, fields)
    entries = {tuple(word): c for word, c in target["entries"]}
    return Problem(tuple((n, d) for n, d in target["space"]), target["ring"], entries, fields)


# Named targets, from their definitions


def named(
    name: str, parameters: Sequence[int]
) -> tuple[tuple[tuple[int, int], ...], dict[tuple[int, ...], int]]:
    """Factors and coefficients of a named target."""
    if name in ("det", "perm", "monomial", "elementary", "power_sum"):
        form, variables = _named_form(name, parameters)
        f = Poly(form, *variables)
        entries = {
            tuple(i for i, e in enumerate(powers) for _ in range(e)): int(c) for powers, c in f.terms()
        }
        return ((len(variables), f.total_degree()),), entries
    dimensions, entry = _named_tensor(name, parameters)
    every = product(*(range(n) for n in dimensions))
    return tuple((n, 1) for n in dimensions), {word: c for word in every if (c := entry(*word))}


def _named_form(name: str, parameters: Sequence[int]) -> tuple[Any, list[Symbol]]:
    if name in ("det", "perm"):
        (n,) = parameters
        x = Matrix(n, n, sympy.symbols(f"x0:{n * n}"))
        return (x.det(method="berkowitz") if name == "det" else x.per()), list(x)
    if name == "monomial":
        x = sympy.symbols(f"x0:{len(parameters)}")
        return sympy.prod(v**e for v, e in zip(x, parameters, strict=True)), list(x)
    d, n = parameters
    x = sympy.symbols(f"x0:{n}")
    if name == "power_sum":
        return sum(v**d for v in x), list(x)
    return sum(sympy.prod(chosen) for chosen in combinations(x, d)), list(x)


def _named_tensor(name: str, parameters: Sequence[int]) -> tuple[list[int], Any]:
    if name == "matmul":
        n, m, p = parameters

        def matmul(ij: int, jk: int, ik: int) -> int:
            (i, j), (j2, k), (i2, k2) = divmod(ij, m), divmod(jk, p), divmod(ik, p)
            return int(i == i2 and j == j2 and k == k2)

        return [n * m, m * p, n * p], matmul
    if name == "polymul":
        n, m = parameters
        return [n, m, n + m - 1], lambda i, j, k: int(i + j == k)
    if name == "truncated_polynomials":
        return [parameters[0]] * 3, lambda i, j, k: int(i + j == k)
    if name == "cyclic_convolution":
        n = parameters[0]
        return [n] * 3, lambda i, j, k: int((i + j - k) % n == 0)
    if name == "upper_triangular":
        n = parameters[0]
        places = [(i, j) for i in range(n) for j in range(n) if i <= j]

        def triangular(x: int, y: int, z: int) -> int:
            (a, b), (c, d) = places[x], places[y]
            return int(b == c and places[z] == (a, d))

        return [len(places)] * 3, triangular
    if name == "unit":
        r, k = [*parameters, 3][:2]
        return [r] * k, lambda *word: int(len(set(word)) == 1)
    if name == "GHZ":
        return [2] * parameters[0], lambda *word: int(len(set(word)) == 1)
    if name == "W":
        return [2] * parameters[0], lambda *word: int(sum(word) == 1)
    if name == "complex_product":
        return [2, 2, 2], lambda i, j, k: int(sympy.re(sympy.I ** (i + j) / sympy.I**k))
    if name == "quaternion_product":
        return [4, 4, 4], _quaternion
    if name == "dicke":
        return [2] * parameters[1], lambda *word: int(sum(word) == parameters[0])
    if name in ("det_tensor", "perm_tensor"):
        (n,) = parameters
        signed = name == "det_tensor"
        return [n] * n, lambda *word: int(len(set(word)) == n) * (_sign(word) if signed else 1)
    q = parameters[0]
    if name == "skew_coppersmith_winograd":
        pairs = {(i, i + q // 2) for i in range(1, q // 2 + 1)}

        def skew(i: int, j: int, k: int) -> int:
            diagonal = int(0 in (i, j) and i + j == k > 0)
            return diagonal or (int((i, j) in pairs) - int((j, i) in pairs)) * int(k == 0)

        return [q + 1] * 3, skew
    last = q + 1 if name == "coppersmith_winograd" else None

    def winograd(*word: int) -> int:
        i, j, k = sorted(word)
        return int(i == 0 and (0 < j == k != last or (j == 0 and k == last)))

    return [q + 1 + (last is not None)] * 3, winograd


def _sign(word: Sequence[int]) -> int:
    """Sign of a permutation, by its inversions."""
    return (-1) ** sum(x > y for x, y in combinations(word, 2))


def _quaternion(i: int, j: int, k: int) -> int:
    from sympy import Quaternion

    units = [Quaternion(*(int(x == y) for y in range(4))) for x in range(4)]
    value = units[i] * units[j]
    return int((value.a, value.b, value.c, value.d)[k])

"""Forms under differentiation: apolar algebras, operators that kill a target, common zeros.

A form is a dictionary from words (non-decreasing tuples of variable indices) to coefficients. An operator is a form in the
partial derivatives X_i. The characteristic is 0 throughout.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb, gcd, lcm
from typing import Any

import flint

from rankproof.exact.flattening import residue
from rankproof.exact.rank_mod_p import rank_mod_p
from rankproof.problem.field import Algebraic, Scalar
from rankproof.problem.space import Word
from rankproof.problem.target import Target
from rankproof.problem.univariate import is_prime

Form = dict[Word, Any]
"""Coefficients by word: exact numbers, or residues modulo a prime."""

LARGE_PRIME = 2**61 - 1
"""Dimensions are ranks modulo a prime of this size: a rank that drops there would make the verifier refuse the claim."""


@lru_cache(maxsize=256)
def words(n: int, degree: int) -> tuple[Word, ...]:
    """Monomials of a degree in n variables, in lexicographic order."""
    return tuple(combinations_with_replacement(range(n), degree))


def outputs(target: Target) -> list[Form]:
    """The forms of a target that is a form or a polynomial map."""
    d = target.space.form_degree
    forms: list[Form] = [{} for _ in range(target.space.outputs)]
    for word, value in target.entries:
        forms[word[d] if len(word) > d else 0][word[:d]] = value
    return forms


def rational_outputs(target: Target) -> list[Form]:
    """Rational forms that an operator with rational coefficients kills exactly when it kills the target."""
    forms = []
    for form in outputs(target):
        parts: dict[int, Form] = {}
        for word, value in form.items():
            for k, c in enumerate(value.coefficients if isinstance(value, Algebraic) else (value,)):
                if c:
                    parts.setdefault(k, {})[word] = c
        forms += parts.values()
    return forms


@lru_cache(maxsize=131072)
def derivative(word: Word, letters: Word) -> tuple[Word, int] | None:
    """The derivative of a monomial by another: what is left and its integer factor; None if it is zero."""
    rest, factor = list(word), 1
    for letter in letters:
        count = rest.count(letter)
        if not count:
            return None
        factor *= count
        rest.remove(letter)
    return tuple(rest), factor


@lru_cache(maxsize=65536)
def derivatives(word: Word, order: int) -> tuple[tuple[Word, Word, int], ...]:
    """All derivatives of a monomial of an order that are not zero: operator, what is left, factor."""
    chosen = sorted(set(combinations_with_replacement(sorted(set(word)), order)))
    found = ((letters, derivative(word, letters)) for letters in chosen)
    return tuple((letters, *left) for letters, left in found if left is not None)


def contract(operator: Mapping[Word, Scalar], form: Mapping[Word, Scalar], p: int = 0) -> Form:
    """The derivative of a form by an operator, modulo p when p is not 0."""
    result: Form = {}
    for letters, g in operator.items():
        for word, f in form.items():
            left = derivative(word, letters)
            if left is not None:
                result[left[0]] = result.get(left[0], 0) + g * f * left[1]
    if p:
        return {word: r for word, x in result.items() if (r := x % p)}
    return {word: x for word, x in result.items() if x != 0}


def product(left: Mapping[Word, Scalar], right: Mapping[Word, Scalar]) -> Form:
    """Product of two forms."""
    result: Form = {}
    for u, x in left.items():
        for v, y in right.items():
            word = tuple(sorted(u + v))
            result[word] = result.get(word, 0) + x * y
    return {word: x for word, x in result.items() if x != 0}


def primitive(form: Mapping[Word, Any]) -> Form:
    """The rational multiple of a rational form with coprime integer coefficients, sorted, the first one positive."""
    scale = lcm(*(Fraction(x).denominator for x in form.values()))
    values = {word: int(x * scale) for word, x in sorted(form.items())}
    content = gcd(*values.values())
    content = -content if next(iter(values.values())) < 0 else content
    return {word: x // content for word, x in values.items()}


# Dimensions


@lru_cache(maxsize=64)
def residues(target: Target) -> tuple[list[Form], int]:
    """The outputs modulo a large prime, and that prime; a number field is sent to GF(p) by a root of its polynomial."""
    field = target.ring.number_field
    for p in range(LARGE_PRIME, 2, -2):
        if p != LARGE_PRIME and not is_prime(p):
            continue
        root = None
        if field is not None:
            linear = [
                g
                for g, _ in flint.nmod_poly(list(field.minimal_polynomial), p).factor()[1]
                if g.degree() == 1
            ]
            if not linear:
                continue
            root = min(int(-g[0] / g[1]) for g in linear)
        if any(_denominator(value) % p == 0 for _, value in target.entries):
            continue
        forms = [{w: r for w, x in form.items() if (r := residue(x, p, root))} for form in outputs(target)]
        return forms, p
    raise ArithmeticError("no prime fits the target")


def _denominator(x: Scalar) -> int:
    return lcm(*(c.denominator for c in x.coefficients)) if isinstance(x, Algebraic) else x.denominator


def hilbert_function(forms: Sequence[Form], degree: int, p: int) -> tuple[int, ...]:
    """Dimensions of the apolar algebra in the degrees 0..degree: ranks of the catalecticants, modulo p.

    Examples
    --------
    >>> hilbert_function([{(0, 1, 2): 1}], 3, 101)
    (1, 3, 3, 1)
    """
    forms = [form for form in forms if form]
    if not forms:
        return (0,) * (degree + 1)
    if len(forms) > 1:
        return tuple(_catalecticant_rank(forms, order, p) for order in range(degree + 1))
    # For one form the algebra is Gorenstein: the function is symmetric.
    half = [_catalecticant_rank(forms, order, p) for order in range(degree // 2 + 1)]
    return tuple(half + half[: degree - degree // 2][::-1])


def quotient_dimension(forms: Sequence[Form], degree: int, p: int) -> int:
    """Dimension of the apolar algebra of forms of one degree; 0 for zero forms and negative degrees."""
    return sum(hilbert_function(forms, degree, p)) if degree >= 0 else 0


@lru_cache(maxsize=64)
def apolar_dimension(target: Target) -> int:
    """Dimension of the apolar algebra of a target: operators modulo those that kill all outputs."""
    forms, p = residues(target)
    return quotient_dimension(forms, target.space.form_degree, p)


def _catalecticant_rank(forms: Sequence[Form], order: int, p: int) -> int:
    rows: dict[Word, dict[tuple[int, Word], int]] = {}
    for output, form in enumerate(forms):
        for word, value in form.items():
            for letters, rest, factor in derivatives(word, order):
                rows.setdefault(letters, {})[output, rest] = value * factor % p
    return _rank(rows.values(), p)


def _rank(rows: Iterable[Mapping[Any, int]], p: int) -> int:
    names: dict[Any, int] = {}
    numbered = {
        i: {names.setdefault(c, len(names)): x for c, x in row.items() if x}
        for i, row in enumerate(rows)
        if row
    }
    return rank_mod_p({i: row for i, row in numbered.items() if row}, p).rank


# Operators that kill


@lru_cache(maxsize=256)
def killing_operators(target: Target, degree: int) -> tuple[Form, ...]:
    """A basis of the rational operators of a degree that kill all outputs, with coprime integer coefficients.

    Monomials come first. For a target over QQ this is a basis of all of them; over QQ(a) of those with rational coefficients.
    The degree is at most that of the target: beyond it everything kills.
    """
    n = target.space.variables_count
    rows: dict[tuple[int, Word], dict[int, Fraction]] = {}
    columns = {word: j for j, word in enumerate(words(n, degree))}
    for output, form in enumerate(rational_outputs(target)):
        for word, value in form.items():
            for letters, rest, factor in derivatives(word, degree):
                rows.setdefault((output, rest), {})[columns[letters]] = Fraction(value) * factor  # type: ignore[arg-type]
    basis = kernel(list(rows.values()), len(columns))
    named = words(n, degree)
    found = [primitive({named[j]: x for j, x in vector.items()}) for vector in basis]
    return tuple(sorted(found, key=lambda form: (len(form), sorted(form))))


def kernel(rows: Sequence[Mapping[int, Any]], width: int) -> list[dict[int, int]]:
    """Basis of the rational vectors that a rational matrix sends to zero, as sparse integer vectors.

    Examples
    --------
    >>> kernel([{0: 1, 2: 1}], 3)
    [{1: 1}, {0: -1, 2: 1}]
    """
    used = sorted({j for row in rows for j in row})
    basis: list[dict[int, int]] = [{j: 1} for j in range(width) if j not in set(used)]
    if not used:
        return basis
    place = {j: k for k, j in enumerate(used)}
    cells = [[0] * len(used) for _ in rows]
    for line, row in zip(cells, rows, strict=True):
        scale = lcm(*(Fraction(x).denominator for x in row.values()))
        for j, x in row.items():
            line[place[j]] = int(x * scale)
    reduced, denominator, rank = flint.fmpz_mat(cells).rref()
    pivots: list[int] = []
    for i in range(rank):
        pivots.append(next(k for k in range(pivots[-1] + 1 if pivots else 0, len(used)) if reduced[i, k]))
    for k in range(len(used)):
        if k in pivots:
            continue
        vector = {used[c]: -int(reduced[i, k]) for i, c in enumerate(pivots) if reduced[i, k]}
        vector[used[k]] = int(denominator)
        content = gcd(*vector.values())
        basis.append({j: x // content for j, x in sorted(vector.items())})
    return basis


# Common zeros


def macaulay_degree(
    forms: Sequence[Mapping[Word, int]], n: int, p: int, largest: int, columns: int
) -> int | None:
    """Least degree in which the multiples of forms are all forms, modulo p; None when none is found.

    Parameters
    ----------
    forms
        Non-zero forms with integer coefficients, of degrees at least 1.
    n
        Number of variables.
    p
        A prime below 2^31.
    largest
        Degrees beyond it are not tried; n (e - 1) + 1 suffices for forms of one degree e without common zero.
    columns
        Matrices with more columns are not built.

    Notes
    -----
    The search ends early when the codimension h in a degree D is at most D and stays the same in the next degree: by the
    persistence theorem of Gotzmann it then never becomes 0 [1]_.

    References
    ----------
    .. [1] Bruns, Herzog, *Cohen-Macaulay Rings*, theorem 4.3.3.

    Examples
    --------
    >>> macaulay_degree([{(0, 0): 1}, {(1, 1): 1}], 2, 101, 3, 100), macaulay_degree([{(0, 0): 1}], 2, 101, 3, 100)
    (3, None)
    """
    reduced = _reduced(forms, p)
    # A coordinate point is a zero of every form without the pure power of its variable.
    if not reduced or not all(any(set(w) == {i} for form in reduced for w in form) for i in range(n)):
        return None
    degrees = [len(next(iter(form))) for form in reduced]
    before = -1
    for degree in range(min(degrees), largest + 1):
        full = comb(n + degree - 1, degree)
        if full > columns:
            return None
        missing = full - _multiples_rank(reduced, n, degree, p)
        if missing == 0:
            return degree
        if degree > max(degrees) and missing == before and missing < degree:
            return None
        before = missing
    return None


def span_everything(forms: Sequence[Mapping[Word, int]], n: int, degree: int, p: int) -> bool:
    """Whether the multiples of forms in a degree are all forms, modulo p."""
    return _multiples_rank(_reduced(forms, p), n, degree, p) == comb(n + degree - 1, degree)


def _reduced(forms: Sequence[Mapping[Word, int]], p: int) -> list[dict[Word, int]]:
    reduced = ({w: r for w, x in form.items() if (r := x % p)} for form in forms)
    return [form for form in reduced if form]


def _multiples_rank(forms: Sequence[Mapping[Word, int]], n: int, degree: int, p: int) -> int:
    rows: list[dict[Word, int]] = []
    for form in forms:
        e = len(next(iter(form)))
        if e <= degree:
            for multiplier in words(n, degree - e):
                rows.append({tuple(sorted(word + multiplier)): x for word, x in form.items()})
    return _rank(rows, p)

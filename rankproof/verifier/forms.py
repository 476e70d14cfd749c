"""Forms and differential operators as sparse polynomials, and the linear algebra of apolarity.

A polynomial is a dictionary from words (non-decreasing tuples of variable indices) to exact numbers. An operator g acts
on a form F by differentiation, g o F, with the variable X_i acting as the i-th partial derivative.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import comb, gcd, lcm, perm, prod
from typing import Any

from . import limits
from .matrix import rank_modulo
from .reading import sequence
from .refusal import Rejected, Undecided, Unreadable
from .scalars import Algebraic, Number, Ring, inverse, read_number, words
from .targets import Target, Word, check_word, factor_dimension, factor_words

Polynomial = dict[Word, Number]


def outputs(target: Target) -> list[Polynomial]:
    """The forms of a target that is a form or a polynomial map."""
    space = target.space
    d = space.form_degree
    forms: list[Polynomial] = [{} for _ in range(space.outputs)]
    for word, value in target.entries.items():
        forms[word[d] if len(word) > d else 0][word[:d]] = value
    return forms


def apply(operator: Mapping[Word, Number], form: Mapping[Word, Number]) -> Polynomial:
    """operator o form."""
    check_pairs(len(operator) * len(form))
    result: Polynomial = {}
    for u, g in operator.items():
        for w, f in form.items():
            quotient = remove(w, u)
            if quotient is not None:
                rest, factor = quotient
                result[rest] = result.get(rest, 0) + g * f * factor
    return {word: value for word, value in result.items() if value != 0}


def remove(word: Word, letters: Word) -> tuple[Word, int] | None:
    """The derivative of the monomial ``word`` by the monomial ``letters``: rest and integer factor, or None if zero."""
    rest = list(word)
    factor = 1
    for letter in letters:
        count = rest.count(letter)
        if not count:
            return None
        factor *= count
        rest.remove(letter)
    return tuple(rest), factor


def multiply(left: Mapping[Word, Number], right: Mapping[Word, Number]) -> Polynomial:
    """Product of two polynomials."""
    check_pairs(len(left) * len(right))
    result: Polynomial = {}
    for u, x in left.items():
        for v, y in right.items():
            word = tuple(sorted(u + v))
            result[word] = result.get(word, 0) + x * y
    return {word: value for word, value in result.items() if value != 0}


def check_pairs(pairs: int, pointer: str = "") -> None:
    """Refuse to multiply more pairs of terms than fit: each costs some hundred elementary operations."""
    if 100 * pairs > limits.OPERATIONS:
        raise Undecided("limit-operations", pointer, f"{pairs} pairs of terms to multiply")


def derivatives(forms: Iterable[Mapping[Word, Number]], order: int) -> list[dict[tuple[int, Word], Number]]:
    """Rows of the catalecticant of the given order: for every monomial operator the derivatives of all forms.

    Rows that are zero are left out.
    """
    forms = list(forms)
    check_pairs(sum(number_of_parts(word, order) for form in forms for word in form))
    rows: dict[Word, dict[tuple[int, Word], Number]] = {}
    for output, form in enumerate(forms):
        for word, value in form.items():
            for letters, rest, factor in parts(word, order):
                rows.setdefault(letters, {})[output, rest] = value * factor
    return [rows[letters] for letters in sorted(rows)]


def number_of_parts(word: Word, order: int) -> int:
    """At most in how many ways so many letters can be taken out of a word."""
    return min(prod(word.count(x) + 1 for x in set(word)), comb(len(word), order))


def parts(word: Word, order: int) -> list[tuple[Word, Word, int]]:
    """The monomials of this degree that do not kill the monomial ``word``, each with the rest and factor of its derivative."""
    found: list[tuple[Word, Word, int]] = [((), (), 1)]
    left = len(word)
    for x in sorted(set(word)):
        e = word.count(x)
        left -= e
        found = [
            (u + (x,) * k, v + (x,) * (e - k), factor * perm(e, k))
            for u, v, factor in found
            for k in range(max(0, order - len(u) - left), min(e, order - len(u)) + 1)
        ]
    return found


Row = dict[Any, Number]


def exact_rank(rows: Sequence[Row]) -> int:
    """Rank over the field of the entries, by elimination with exact numbers (characteristic 0)."""
    rational = all(not isinstance(x, Algebraic) for row in rows for x in row.values())
    eliminate = _eliminate_integers if rational else _eliminate
    pivots: dict[Any, Row] = {}
    operations = 0
    for row in sorted((primitive(row) if rational else dict(row) for row in rows), key=len):
        while True:
            # A pivot row begins at its column, so that the smallest column, once cleared, does not come back.
            column = min((c for c in row if c in pivots), default=None)
            if column is None:
                break
            row = eliminate(row, pivots[column], column)
            # An exact operation costs some ten modular ones, and more on long numbers.
            operations += sum(10 + words(x) ** 2 // 5 for x in row.values()) + 10 * len(pivots[column])
            if operations > limits.OPERATIONS:
                raise Undecided("limit-operations", "", f"the elimination exceeds {limits.OPERATIONS} operations")
        if row:
            pivots[min(row)] = row
    return len(pivots)


def _eliminate(row: Row, pivot: Row, column: Any) -> Row:
    factor = row[column] * inverse(pivot[column])
    return _difference(row, 1, pivot, factor)


def _eliminate_integers(row: Row, pivot: Row, column: Any) -> Row:
    return primitive(_difference(row, pivot[column], pivot, row[column]))


def _difference(left: Row, x: Number, right: Row, y: Number) -> Row:
    """x * left - y * right."""
    result = {c: x * value for c, value in left.items()}
    for c, value in right.items():
        entry = result.get(c, 0) - y * value
        if entry == 0:
            result.pop(c, None)
        else:
            result[c] = entry
    return result


def primitive(row: Row) -> Row:
    """A multiple of a rational row with coprime integer entries: keeps the entries of an elimination short."""
    if not row:
        return {}
    scale = lcm(*(Fraction(x).denominator for x in row.values()))  # type: ignore[arg-type]
    integers = {c: int(x * scale) for c, x in row.items()}  # type: ignore[arg-type, operator]
    content = gcd(*integers.values())
    return {c: x // content for c, x in integers.items()}


def quotient_dimension(forms: Sequence[Polynomial], degree: int) -> int:
    """dim A_T, T the span of the forms of one degree: the sum over all orders of the ranks of the catalecticants.

    A_T is the ring of operators modulo those that kill all forms; for one form it is the apolar algebra.
    """
    if not any(forms):
        return 0
    return sum(exact_rank(derivatives(forms, order)) for order in range(degree + 1))


def read_form(node: Any, pointer: str, n: int, degree: int, ring: Ring) -> Polynomial:
    """A non-zero form of a witness: ``[[word, coefficient], ...]`` with increasing words of the given degree."""
    form: Polynomial = {}
    previous: Word | None = None
    for position, pair in enumerate(sequence(node, pointer, least=1)):
        here = f"{pointer}/{position}"
        word_node, coefficient = sequence(pair, here, least=2, most=2)
        word = tuple(sequence(word_node, f"{here}/0", least=degree, most=degree))
        check_word(word, f"{here}/0", ((n, degree),))
        if previous is not None and word <= previous:
            code = "repeated" if word == previous else "unsorted"
            raise Unreadable(code, f"{here}/0", "words must increase")
        previous = word
        value = read_number(coefficient, f"{here}/1", ring)
        if value == 0:
            raise Unreadable("zero-entry", f"{here}/1", "zero coefficients are left out")
        form[word] = value
    return form


def check_no_common_zero(
    forms: Sequence[Polynomial], degrees: Sequence[int], n: int, degree: int, prime: int, pointer: str
) -> None:
    """Refuse unless the multiples of the forms in the given degree span all forms of that degree, modulo the prime.

    Then every power x_i^degree is in the ideal of the forms, over the rationals too (the rank modulo a prime is at most
    the rank), so that the forms have no common zero but the origin over any extension field.
    """
    if factor_dimension(n, degree) > limits.FLATTENING_SIDE:
        raise Undecided("limit-flattening", pointer, "the degree of the Macaulay matrix is too large")
    pairs = zip(forms, degrees, strict=True)
    check_pairs(sum(len(f) * factor_dimension(n, degree - e) for f, e in pairs if e <= degree), pointer)
    modulo = Ring(f"GF({prime})", prime=prime)
    rows: list[dict[int, int]] = []
    columns: dict[Word, int] = {}
    for form, form_degree in zip(forms, degrees, strict=True):
        if form_degree > degree:
            continue
        reduced = {word: modulo.reduce(value, pointer) for word, value in form.items()}
        for multiplier in factor_words(n, degree - form_degree):
            row: dict[int, int] = {}
            for word, value in reduced.items():
                if value:
                    row[columns.setdefault(tuple(sorted(word + multiplier)), len(columns))] = int(value)  # type: ignore[arg-type]
            rows.append(row)
    rank, full = rank_modulo(rows, prime), factor_dimension(n, degree)
    if rank != full:
        message = f"the multiples of degree {degree} have rank {rank} modulo {prime}; all forms have dimension {full}"
        raise Rejected("common-zero", pointer, message)

"""Text to targets: polynomials, polynomial maps and named targets.

`rankproof.problem.syntax` reads syntax trees of bounded size; here they are expanded over the ring and cut into targets.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from rankproof.errors import TargetError, UsageError
from rankproof.problem.expression import Node, rational_root
from rankproof.problem.field import QQ, Algebraic, Field, NumberField, Scalar, number, rational
from rankproof.problem.library import NAMED, named
from rankproof.problem.space import MAX_DIMENSION, Space, Word
from rankproof.problem.syntax import parse_outputs, shorten
from rankproof.problem.target import Target

# Polynomials in all variables of the text, of any degrees: a monomial is the sorted tuple of its variables.
Polynomial = dict[Word, Scalar]


def read_targets(
    text: str, *, affine: bool = False, ring: Field | None = None, variables: Sequence[str] | None = None
) -> list[Target]:
    """Targets that a text describes.

    Parameters
    ----------
    text
        A polynomial in ``+ - * **`` and parentheses with rational constants, several separated by ``;`` (a polynomial map), or a
        named target such as ``matmul(2,2,3)``.
    affine
        Homogenise instead of splitting by degree, with one more variable in front: for units with biases.
    ring
        Exact field that the coefficients are read in. GF(p) reduces them. In a number field its symbol and its square
        roots may be written; the target is over QQ all the same when its coefficients are rational. By default QQ, or
        QQ(sqrt(D)) when square roots occur.
    variables
        Names of the variables in the wanted order, at least those that occur. By default those that occur, x2 before x10.

    Returns
    -------
    list of Target
        One target for every degree that occurs, the highest first; the part of degree 0 is dropped. One target when `affine`.

    Raises
    ------
    TargetError
        If the text is no polynomial, is zero or constant, or is too large once expanded.
    UsageError
        If the ring is not exact.

    Examples
    --------
    >>> [target.text for target in read_targets("(x + y)**2 + x; x*y")]
    ['x**2 + 2*x*y + y**2; x*y', 'x; 0']
    >>> read_targets("x**2 + x", affine=True)
    [Target('h*x + x**2' over QQ: degree 2, 2 variables)]
    """
    if ring is not None and not ring.is_exact:
        raise UsageError(
            f"{ring} is not a ring for coefficients; read over QQ, GF(p) or a number field instead"
        )
    if (target := _named_target(text, affine)) is not None:
        return [target.over(ring) if ring and ring.characteristic else target]
    outputs = parse_outputs(text)
    occurring = {name for output in outputs for name in output.names}
    ring = ring or _ring_of_roots(outputs, occurring)
    if ring.number_field:
        occurring.discard(ring.number_field.symbol)
    names = _order_variables(occurring, variables)
    places = {name: i for i, name in enumerate(names)}
    polynomials = [_expand(output, ring, places) for output in outputs]
    degrees = sorted({len(word) for f in polynomials for word in f}, reverse=True)
    if not degrees:
        raise TargetError(
            f"{shorten(text)} is zero{'' if ring == QQ else f' over {ring}'}; give a target that is not zero"
        )
    if degrees[0] == 0:
        raise TargetError(f"{shorten(text)} is constant; a target has at least one variable")
    if not any(isinstance(c, Algebraic) for f in polynomials for c in f.values()) and not ring.characteristic:
        ring = QQ
    if affine:
        return [_homogenised(polynomials, names, ring, degrees[0])]
    targets = [_part(polynomials, names, ring, d) for d in degrees if d]
    if len(degrees) == 1:
        # The text is the target itself, so it keeps the words of whoever typed it.
        targets = [replace(targets[0], text=" ".join(text.split()))]
    return targets


# Expansion.


def _expand(node: Node, ring: Field, places: Mapping[str, int]) -> Polynomial:
    """Expanded polynomial with coefficients in normal form over the ring; variables are numbered by their places."""
    if node.kind == "constant":
        return _normal({(): rational(Fraction(node.value))}, ring)
    if node.kind == "variable":
        if ring.number_field and node.value == ring.number_field.symbol:
            return {(): ring.number_field.generator()}
        return {(places[str(node.value)],): 1}
    if node.kind == "root":
        return _normal({(): _root_in(Fraction(node.value), ring)}, ring)
    parts = [_expand(part, ring, places) for part in node.parts]
    if node.kind == "sum":
        total: Polynomial = {}
        for f in parts:
            for word, c in f.items():
                total[word] = total.get(word, 0) + c
        return _normal(total, ring)
    if node.kind == "product":
        result: Polynomial = {(): 1}
        for f in parts:
            result = _multiply(result, f, ring)
        return result
    return _raise(parts[0], int(node.value), ring)


def _normal(f: Polynomial, ring: Field) -> Polynomial:
    return {word: x for word, c in f.items() if (x := ring.reduce(c))}


def _multiply(f: Polynomial, g: Polynomial, ring: Field) -> Polynomial:
    result: Polynomial = {}
    for u, x in f.items():
        for v, y in g.items():
            word = tuple(sorted(u + v))
            result[word] = result.get(word, 0) + x * y
    return _normal(result, ring)


def _raise(f: Polynomial, exponent: int, ring: Field) -> Polynomial:
    # Repeated multiplication by the short base is cheaper than squaring long powers.
    result: Polynomial = {(): 1}
    for _ in range(exponent):
        result = _multiply(result, f, ring)
    return result


# Square roots.


def _root_in(q: Fraction, ring: Field) -> Scalar:
    """Square root of q in a field QQ(sqrt(D)): sqrt(q/D) * sqrt(D)."""
    field = ring.number_field
    if field and field.degree == 2 and field.minimal_polynomial[1] == 0:
        ratio = rational_root(q / -field.minimal_polynomial[0])
        if ratio is not None:
            return ratio * field.generator()
    raise TargetError(
        f"sqrt({q}) is not written in {ring}; ask over QQ(sqrt(D)) with the same square root,"
        " or write it as a polynomial in the symbol of the number field"
    )


def _ring_of_roots(outputs: Sequence[Node], occurring: Collection[str]) -> Field:
    """QQ, or QQ(sqrt(D)) when square roots occur, with a symbol that is no variable's name."""
    radicands = sorted({q for output in outputs for q in output.roots})
    if not radicands:
        return QQ
    D = _squarefree(radicands[0].numerator * radicands[0].denominator)
    for q in radicands:
        if rational_root(q / D) is None:
            raise TargetError(
                f"sqrt({radicands[0]}) and sqrt({q}) do not lie in one field QQ(sqrt(D)); give one number field that"
                " contains both, such as QQ(t**4-10*t**2+1) for sqrt(2) and sqrt(3), and write the roots in t"
            )
    speaking = "i" if D == -1 else f"sqrt{D}".replace("-", "m")
    candidates = (speaking, "a", *(f"a{k}" for k in range(len(occurring))))
    return number(NumberField.sqrt(D, next(s for s in candidates if len(s) <= 16 and s not in occurring)))


def _squarefree(n: int) -> int:
    """n without its square factors p*p for small p; what is left over defines the same field."""
    for p in range(2, 1000):
        while n % (p * p) == 0:
            n //= p * p
    return n


# Targets.


def _named_target(text: str, affine: bool) -> Target | None:
    """The named target that the whole text calls, or None."""
    match = re.fullmatch(r"\s*([A-Za-z_]\w*)\s*(?:\(([^()]*)\))?\s*", text, re.ASCII)
    if not match or match[1] not in NAMED or (match[2] is None and NAMED[match[1]].arity[0] > 0):
        return None
    if affine:
        raise UsageError(f"{match[1]} is homogeneous; biases are for polynomials given as text")
    words = [word.strip() for word in (match[2] or "").split(",")] if (match[2] or "").strip() else []
    if not all(re.fullmatch(r"\d{1,9}", word, re.ASCII) for word in words):
        raise TargetError(
            f"{' '.join(text.split())}: the parameters are whole numbers; write {NAMED[match[1]].signature}"
        )
    return named(match[1], *map(int, words))


def natural_key(name: str) -> tuple[tuple[tuple[int, str], ...], str]:
    """Key that sorts names alphabetically with runs of digits compared as numbers: x2 before x10."""
    pieces = re.findall(r"\d+|\D+", name)
    return tuple((int(p), "") if p.isdigit() else (-1, p) for p in pieces), name


def _order_variables(occurring: set[str], wanted: Sequence[str] | None) -> tuple[str, ...]:
    names = sorted(occurring, key=natural_key)
    if wanted is None:
        if len(names) > MAX_DIMENSION:
            raise TargetError(f"{len(names)} variables are too many; at most {MAX_DIMENSION}")
        return tuple(names)
    if missing := [name for name in names if name not in wanted]:
        raise TargetError(
            f"the variables {', '.join(missing)} occur but are not among {', '.join(wanted)}; list them too"
        )
    return tuple(wanted)


def _part(polynomials: Sequence[Polynomial], names: tuple[str, ...], ring: Field, degree: int) -> Target:
    """Part of one degree."""
    m = len(polynomials)
    entries = {
        word if m == 1 else (*word, j): c
        for j, f in enumerate(polynomials)
        for word, c in f.items()
        if len(word) == degree
    }
    return Target.from_entries(Space.map(len(names), degree, m), entries, ring, names)


def _homogenised(
    polynomials: Sequence[Polynomial], names: tuple[str, ...], ring: Field, degree: int
) -> Target:
    """Homogenisation x0**d * f(x/x0), with x0 named h in front of the other variables."""
    h = next(name for name in ("h", *(f"h{i}" for i in range(1, len(names) + 2))) if name not in names)
    lifted = [
        {(0,) * (degree - len(word)) + tuple(i + 1 for i in word): c for word, c in f.items()}
        for f in polynomials
    ]
    return _part(lifted, (h, *names), ring, degree)


__all__ = ["natural_key", "read_targets"]

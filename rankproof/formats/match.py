"""Which tensor a scheme decomposes: the ring and the index convention are found, and decided by an exact check."""

from __future__ import annotations

from dataclasses import replace
from math import isqrt

import numpy as np

from rankproof.errors import UsageError
from rankproof.formats.closest import Attempt, closest_mismatch
from rankproof.formats.convention import Convention, conventions, matmul_shape
from rankproof.formats.expansion import Slice, entry, expand
from rankproof.formats.finding import Match, Mismatch
from rankproof.formats.products import units_of
from rankproof.formats.scheme import Scheme
from rankproof.problem.field import QQ, Field, gf, number
from rankproof.problem.library import named
from rankproof.problem.space import MAX_DIMENSION, Space
from rankproof.problem.target import Target


def match(scheme: Scheme, n: int, m: int, p: int, ring: str | None = None) -> Match | Mismatch:
    """Find out whether a scheme multiplies n x m by m x p matrices; arguments and result are those of `match_target`."""
    return match_target(scheme, named("matmul", n, m, p), ring)


def match_target(scheme: Scheme, target: Target, ring: str | None = None) -> Match | Mismatch:
    """Find out whether a scheme decomposes a target.

    Parameters
    ----------
    scheme
        What was read from a file.
    target
        A tensor of order 3. A named matrix product is looked for in every convention of `conventions`.
    ring
        ``ZZ``, ``QQ``, ``GF(p)`` or a number field: check over this ring only. By default over the ring of the target or
        of the format, else over QQ or the number field of the coefficients, and when that fails and all coefficients are
        integers, over GF(2).

    Returns
    -------
    Match or Mismatch
        The first convention that passes the exact check; otherwise the one that came closest, with its first
        wrong coefficient.

    Raises
    ------
    UsageError
        If the ring is none of these, or the target is no tensor of order 3.
    FormatError
        If the scheme is too large to check.
    """
    if not target.space.is_tensor or len(target.space.factors) != 3:
        raise UsageError(
            f"a scheme of products of three vectors is compared with a tensor of order 3, and {target.text} is none;"
            " name one such as matmul(2,2,3) or polymul(2,2)"
        )
    fields = _fields(scheme, target, ring)
    if problem := _no_meaning(scheme, fields[0]):
        return Mismatch(scheme, target, fields[0], problem)
    candidates = list(conventions(target, scheme.sizes))
    if not candidates:
        return Mismatch(scheme, target, fields[0], _sizes_differ(scheme, target))
    failures: list[Mismatch] = []
    for field in fields:
        result = _match_over(scheme, target, field, candidates)
        if isinstance(result, Match):
            if ring == "ZZ" and result.ring_name != "ZZ":
                problem = f"{scheme.label} has coefficients that are not integers; ask over QQ"
                return Mismatch(scheme, target, field, problem, result.convention)
            # The reason begins by naming the scheme, as the note already does.
            why = (
                failures[0].reason.removeprefix(f"{scheme.label} is not {target.text} over ZZ: ")
                if failures
                else ""
            )
            note = f"it does not hold over ZZ: {why}" if why else ""
            return replace(result, note=note)
        failures.append(result)
    first = failures[0]
    if len(failures) > 1:
        others = ", ".join(str(failure.ring) for failure in failures[1:])
        return replace(first, reason=f"{first.reason}; it does not hold over {others} either")
    return first


def asked_field(ring: str) -> Field:
    """The field of a ring that schemes are checked over: ``ZZ`` and ``QQ`` give QQ, any other exact field itself.

    Raises
    ------
    UsageError
        If the text names another ring, or none.
    """
    field = QQ if ring == "ZZ" else Field.parse(ring)
    if not field.is_exact:
        raise UsageError(
            f"{ring} is not a ring that schemes are checked over; write ZZ, QQ, GF(p) or QQ(sqrt(3))"
        )
    return field


def _fields(scheme: Scheme, target: Target, ring: str | None) -> list[Field]:
    """The fields that a scheme is checked over, in this order."""
    if ring is not None:
        field = asked_field(ring)
        if target.ring.characteristic and field != target.ring:
            raise UsageError(
                f"{target.text} has coefficients in {target.ring}; a scheme for it is checked over {target.ring} only"
            )
        return [field]
    if target.ring != QQ:
        return [target.ring]
    if scheme.ring is not None:
        return [scheme.ring]
    if scheme.number_field is not None:
        return [number(scheme.number_field)]
    return [QQ, gf(2)] if scheme.is_integral else [QQ]


def _no_meaning(scheme: Scheme, field: Field) -> str:
    """Why the coefficients of a scheme have no values in a field; empty when they have."""
    found = scheme.number_field
    if found is None or found == field.number_field:
        return ""
    return f"{scheme.label} has coefficients in {found}, which have no values over {field}; ask over {found}"


def infer_shape(sizes: tuple[int, int, int]) -> tuple[int, int, int] | None:
    """The shape (n, m, p) of the matrix product with factors of sizes n*m, m*p and n*p, which is unique; None if there is none.

    Examples
    --------
    >>> infer_shape((6, 12, 8)), infer_shape((4, 4, 6))
    ((2, 3, 4), None)
    """
    A, B, C = sizes
    if min(sizes) < 1 or max(sizes) > MAX_DIMENSION:
        return None
    n, m, p = (isqrt(square) for square in (A * C // B, A * B // C, B * C // A))
    return (n, m, p) if (n * m, m * p, n * p) == sizes else None


def infer_target(scheme: Scheme) -> Target | None:
    """What a scheme is to decompose when nobody says: the target that its file carries, else a product of its sizes.

    The sizes of the factors determine a product of matrices (n*m, m*p, n*p), or else one of polynomials (n, m, n+m-1).
    """
    shape = infer_shape(scheme.sizes)
    if isinstance(scheme.about, Target):
        if shape is not None and scheme.about == (known := named("matmul", *shape)):
            return known
        return scheme.about
    if shape is not None:
        return named("matmul", *shape)
    n, m, k = scheme.sizes
    return named("polymul", n, m) if min(n, m) > 0 and k == n + m - 1 and k <= MAX_DIMENSION else None


def sum_of_products(scheme: Scheme, ring: str | None = None) -> Target:
    """The tensor that the products of a scheme add up to, as a target: its file names none, or another one.

    Parameters
    ----------
    scheme
        Without eps.
    ring
        Where to add; by default the ring of the format or of the coefficients.

    Raises
    ------
    UsageError
        If the scheme depends on eps.
    TargetError
        If the sum is zero, or a coefficient has no value in the ring.
    """
    if scheme.is_family:
        raise UsageError(f"{scheme.label} depends on eps, so that its sum is no target; name the target")
    own = QQ if scheme.number_field is None else number(scheme.number_field)
    field = asked_field(ring) if ring is not None else scheme.ring or own
    if problem := _no_meaning(scheme, field):
        raise UsageError(problem)
    expansion = expand(scheme, field)
    found = expansion.slices.get(0)
    positions = np.array([], dtype=np.int64) if found is None else found.positions
    words = zip(*(axis.tolist() for axis in np.unravel_index(positions, scheme.sizes)), strict=True)
    entries = {
        word: entry(expansion, 0, position) for word, position in zip(words, positions.tolist(), strict=True)
    }
    return Target.from_entries(Space.tensor(*scheme.sizes), entries, field, text=f"the sum of {scheme.label}")


def _sizes_differ(scheme: Scheme, target: Target) -> str:
    U, V, W = scheme.sizes
    dims = ", ".join(str(n) for n, _ in target.space.factors)
    shape = infer_shape(scheme.sizes)
    hint = (
        "; its sizes are those of matmul({},{},{})".format(*shape) if shape and matmul_shape(target) else ""
    )
    return f"{scheme.label} has factors of sizes {U}, {V}, {W} and {target.text} has {dims}, in no order the same{hint}"


def _match_over(
    scheme: Scheme, target: Target, field: Field, candidates: list[Convention]
) -> Match | Mismatch:
    expansion = expand(scheme, field)
    over = target.over(field)
    words = np.array([word for word, _ in over.entries], dtype=np.int64)
    values = np.empty(len(words), dtype=object)
    values[:] = [c * expansion.scale for _, c in over.entries]
    if all(type(c) is int and abs(c) < 2**62 for c in values):
        values = values.astype(np.int64)
    best: Attempt | None = None
    # A family stands at its lowest power of eps; the others are looked at to say what is wrong with it.
    orders = list(expansion.slices) or [0]
    for convention in candidates:
        positions = convention.positions(words, expansion.sizes)
        below = 0
        for order in orders:
            here = expansion.slices.get(order)
            wrong = below + _count_wrong(here, positions, values)
            if wrong == 0:
                return Match(
                    scheme, target, field, convention.text, units_of(scheme, over, field, convention, order)
                )
            if best is None or wrong < best.wrong_entries:
                best = Attempt(wrong, order, convention)
            below += 0 if here is None else len(here.positions)
    if best is None:
        raise UsageError("no convention was given to compare with")
    return closest_mismatch(scheme, target, field, expansion, best)


def _count_wrong(here: Slice | None, positions: np.ndarray, values: np.ndarray) -> int:
    """Number of entries where a slice differs from the target, whose entries stand at these positions."""
    if here is None:
        return len(positions)
    at = np.searchsorted(here.positions, positions)
    at[at == len(here.positions)] = 0
    present = here.positions[at] == positions
    right = int(np.count_nonzero(present & (here.values[at] == values)))
    return len(here.positions) - int(np.count_nonzero(present)) + len(positions) - right

"""Numbers, units and targets in the spelling of the certificate format (docs/format.md)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import cast

from rankproof.errors import FormatError, NumberTooLong, TargetError, UsageError
from rankproof.problem.decomposition import BorderFamily, Decomposition, FamilyUnit, FamilyVector
from rankproof.problem.field import CC, QQ, RR, Algebraic, Field, NumberField, Scalar, gf, number, rational
from rankproof.problem.laurent import Laurent
from rankproof.problem.library import named
from rankproof.problem.space import Space, Word
from rankproof.problem.target import Target

Json = dict[str, "Json"] | list["Json"] | str | int

# Other languages read JSON integers as doubles, so larger ones are strings.
_SAFE = 2**53
MAX_DIGITS = 4000
_PLAIN = {"QQ": QQ, "RR": RR, "CC": CC}
_INTEGER = re.compile(r"-?[1-9][0-9]*")
_QUOTIENT = re.compile(r"(-?[1-9][0-9]*)/([1-9][0-9]*)")


def encode_scalar(x: Scalar) -> Json:
    """A number: an integer, a string for a large integer or a quotient, a list for an irrational element of QQ(a).

    Examples
    --------
    >>> encode_scalar(3), encode_scalar(2**60), encode_scalar(Fraction(-1, 6))
    (3, '1152921504606846976', '-1/6')
    """
    if isinstance(x, Algebraic):
        return [encode_scalar(rational(c)) for c in x.coefficients]
    largest = max(abs(x.numerator), x.denominator)
    if largest.bit_length() > 3 * MAX_DIGITS and largest >= 10**MAX_DIGITS:
        raise NumberTooLong(
            f"a number has more than {MAX_DIGITS} digits; a certificate holds smaller numbers only"
        )
    if x.denominator != 1:
        return f"{x.numerator}/{x.denominator}"
    n = x.numerator
    return n if -_SAFE < n < _SAFE else str(n)


def decode_scalar(value: Json, ring: Field = QQ, where: str = "") -> Scalar:
    """The number of an encoding, in normal form over the ring.

    Parameters
    ----------
    value
        What `encode_scalar` returned.
    ring
        Exact field of the number.
    where
        JSON pointer, for the message.

    Raises
    ------
    FormatError
        If the value is no number of the ring.
    """
    if isinstance(value, list) and ring.number_field:
        coordinates = [decode_scalar(c, QQ, f"{where}/{k}") for k, c in enumerate(value)]
        return ring.number_field.element(cast(list[int | Fraction], coordinates))
    if type(value) is int:
        return ring.reduce(value)
    if isinstance(value, str) and len(value) <= 2 * MAX_DIGITS + 2:
        if _INTEGER.fullmatch(value):
            return ring.reduce(int(value))
        if match := _QUOTIENT.fullmatch(value):
            return ring.reduce(Fraction(int(match[1]), int(match[2])))
    raise FormatError(
        f'{where}: {value!r} is not a number of {ring}; write integers, or strings such as "-1/6"'
    )


def encode_unit(unit: FamilyUnit) -> Json:
    """A unit: the list of its vectors; coordinates that depend on eps as ``{"eps": [[exponent, coefficient], ...]}``."""
    return [_encode_vector(vector) for vector in unit]


def encode_units(units: Iterable[FamilyUnit]) -> Json:
    """A list of units."""
    return [encode_unit(unit) for unit in units]


def encode_decomposition(found: Decomposition | BorderFamily) -> dict[str, Json]:
    """Witness of the rule ``decomposition`` or ``border-family``."""
    if isinstance(found, BorderFamily):
        return {"ring": found.ring.name, "order": found.order, "units": encode_units(found.units)}
    return {"ring": found.ring.name, "units": encode_units(found.units)}


def decode_decomposition(
    witness: Json, units: str, fields: Iterable[NumberField] = ()
) -> Decomposition | BorderFamily:
    """The decomposition or border family of a witness.

    Parameters
    ----------
    witness
        Witness of the rule ``decomposition`` or ``border-family``; the latter has the key ``order``.
    units
        Name of the unit model, from the step's claim.
    fields
        Number fields the file declares.

    Raises
    ------
    FormatError
        If the witness has another shape.
    """
    where = "/witness"
    ring = decode_field(member(witness, "ring", where), fields, f"{where}/ring")
    vectors = [
        [
            array(vector, f"{where}/units/{i}/{j}")
            for j, vector in enumerate(array(unit, f"{where}/units/{i}"))
        ]
        for i, unit in enumerate(array(member(witness, "units", where), f"{where}/units"))
    ]
    coordinates = tuple(
        tuple(tuple(_decode_coordinate(x, ring, where) for x in vector) for vector in unit)
        for unit in vectors
    )
    if isinstance(witness, dict) and "order" in witness:
        return BorderFamily(units, ring, integer(witness["order"], f"{where}/order"), coordinates)
    if any(isinstance(x, Laurent) for unit in coordinates for vector in unit for x in vector):
        raise FormatError(f"{where}: a coordinate depends on eps, which needs the key order")
    return Decomposition(units, ring, cast(tuple[tuple[tuple[Scalar, ...], ...], ...], coordinates))


def encode_number_field(field: NumberField) -> Json:
    """Declaration of a number field."""
    declared: dict[str, Json] = {
        "symbol": field.symbol,
        "minimal_polynomial": [encode_scalar(c) for c in field.minimal_polynomial],
    }
    if field.real_root:
        declared["real_root"] = [encode_scalar(rational(end)) for end in field.real_root]
    return declared


def decode_number_field(value: Json, where: str = "") -> NumberField:
    """Number field of a declaration; FormatError when it has another shape or is no field."""
    symbol = string(member(value, "symbol", where), f"{where}/symbol")
    coefficients = [
        decode_scalar(c, QQ, f"{where}/minimal_polynomial/{k}")
        for k, c in enumerate(
            array(member(value, "minimal_polynomial", where), f"{where}/minimal_polynomial")
        )
    ]
    if not all(isinstance(c, int) for c in coefficients):
        raise FormatError(f"{where}/minimal_polynomial: the coefficients are integers")
    root: tuple[Fraction, Fraction] | None = None
    if isinstance(value, dict) and "real_root" in value:
        ends = [
            decode_scalar(end, QQ, f"{where}/real_root")
            for end in array(value["real_root"], f"{where}/real_root")
        ]
        if len(ends) != 2:
            raise FormatError(f"{where}/real_root: two rationals l < u, not {len(ends)} numbers")
        l, u = cast(list[int | Fraction], ends)
        root = Fraction(l), Fraction(u)
    try:
        return NumberField(symbol, tuple(cast(list[int], coefficients)), root)
    except UsageError as error:
        raise FormatError(f"{where}: {error}") from error


def decode_field(value: Json, fields: Iterable[NumberField] = (), where: str = "") -> Field:
    """Field of a name: QQ, RR, CC, GF(p) or a declared number field."""
    name = string(value, where)
    for field in map(number, fields):
        if field.name == name:
            return field
    try:
        return gf(int(name[3:-1])) if re.fullmatch(r"GF\([1-9][0-9]{0,9}\)", name) else _PLAIN[name]
    except (KeyError, UsageError) as error:
        raise FormatError(f"{where}: {name!r} is not QQ, RR, CC, GF(p) or a declared number field") from error


def encode_target(target: Target) -> Json:
    """A target: as a block of a weights file, by name when the library has it under that name, or by its coefficients."""
    if target.block is not None:
        return cast(Json, dict(target.block))
    if target.name:
        name, parameters = target.name
        # A reduction of a named target, or a target that only borrowed the name, is another target.
        if named(name, *parameters) == target:
            return {"name": name, "parameters": list(parameters)}
    encoded: dict[str, Json] = {
        "space": [list(factor) for factor in target.space.factors],
        "ring": target.ring.name,
        "entries": [[list(word), encode_scalar(c)] for word, c in target.entries],
    }
    if target.variables:
        encoded["variables"] = list(target.variables)
    return encoded


def decode_target(value: Json, fields: Iterable[NumberField] = (), where: str = "/target") -> Target:
    """Target of an encoding.

    Raises
    ------
    FormatError
        If the value has another shape, or its parts do not make a target.
    """
    if isinstance(value, dict) and "block" in value:
        raise FormatError(f"{where}: the target is a block of a weights file; give the file with --weights")
    try:
        if isinstance(value, dict) and "name" in value:
            parameters = array(member(value, "parameters", where), f"{where}/parameters")
            return named(
                string(value["name"], f"{where}/name"),
                *(integer(n, f"{where}/parameters/{k}") for k, n in enumerate(parameters)),
            )
        factors = [
            _pair(f, f"{where}/space/{k}") for k, f in enumerate(array(member(value, "space", where), where))
        ]
        space = Space(tuple((integer(n, f"{where}/space"), integer(d, f"{where}/space")) for n, d in factors))
        ring = decode_field(member(value, "ring", where), fields, f"{where}/ring")
        entries: list[tuple[Word, Scalar]] = []
        for k, entry in enumerate(array(member(value, "entries", where), f"{where}/entries")):
            word, c = _pair(entry, here := f"{where}/entries/{k}")
            indices = tuple(integer(i, f"{here}/0") for i in array(word, f"{here}/0"))
            entries.append((indices, decode_scalar(c, ring, f"{here}/1")))
        names = cast(dict[str, Json], value).get("variables")
        variables = (
            None if names is None else tuple(string(v, where) for v in array(names, f"{where}/variables"))
        )
        return Target(space, tuple(entries), ring, variables)
    except (UsageError, TargetError) as error:
        raise FormatError(f"{where}: {error}") from error


def member(value: Json, key: str, where: str) -> Json:
    """Value of a key of an object; FormatError when it is missing or the value is no object."""
    if not isinstance(value, dict) or key not in value:
        raise FormatError(f"{where}: expected an object with the key {key!r}")
    return value[key]


def array(value: Json, where: str) -> Sequence[Json]:
    """A list; FormatError for anything else."""
    if not isinstance(value, list):
        raise FormatError(f"{where}: expected a list")
    return value


def string(value: Json, where: str) -> str:
    """A string; FormatError for anything else."""
    if not isinstance(value, str):
        raise FormatError(f"{where}: expected a string")
    return value


def integer(value: Json, where: str) -> int:
    """An integer; FormatError for anything else."""
    # bool is a subclass of int.
    if type(value) is not int:
        raise FormatError(f"{where}: expected an integer")
    return value


def _pair(value: Json, where: str) -> tuple[Json, Json]:
    parts = array(value, where)
    if len(parts) != 2:
        raise FormatError(f"{where}: expected a list of two values, not {len(parts)}")
    return parts[0], parts[1]


def _encode_vector(vector: FamilyVector) -> list[Json]:
    # Small integers, nearly all coordinates there are, are their own encoding.
    if {*map(type, vector)} == {int}:
        whole = cast(tuple[int, ...], vector)
        if min(whole) > -_SAFE and max(whole) < _SAFE:
            return list(whole)
    return [_encode_coordinate(x) for x in vector]


def _encode_coordinate(x: Scalar | Laurent) -> Json:
    if not isinstance(x, Laurent):
        return encode_scalar(x)
    if x.is_constant:
        return encode_scalar(x.coefficient(0))
    return {"eps": [[e, encode_scalar(c)] for e, c in x.terms]}


def _decode_coordinate(value: Json, ring: Field, where: str) -> Scalar | Laurent:
    if not isinstance(value, dict):
        return decode_scalar(value, ring, where)
    terms = [_pair(term, where) for term in array(member(value, "eps", where), where)]
    return Laurent.from_mapping({integer(e, where): decode_scalar(c, ring, where) for e, c in terms})

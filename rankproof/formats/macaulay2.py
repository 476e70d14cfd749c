"""A Macaulay2 script: the products of a scheme, the trilinear form they add up to, and a check that they do."""

from __future__ import annotations

from fractions import Fraction

from rankproof.formats.listing import Coordinate, Products, coordinates_of, entries, signed_sum
from rankproof.problem.decomposition import BorderFamily, FamilyUnit, FamilyVector
from rankproof.problem.field import Scalar
from rankproof.problem.laurent import Laurent

NAME = "macaulay2"
SUMMARY = "Macaulay2 script with the products and a check of their sum"


def write(products: Products) -> bytes:
    """The script, third factor not transposed.

    A family is multiplied by a power of eps that makes all coefficients polynomials; its check is modulo the next power.
    """
    names = [[_indexed(name) for name in group] for group in products.names(transposed=False)]
    shift = _shift(products)
    lines = [f"-- {line}" for line in products.header("C")]
    lines += [*_ring(products, names), "products = {"]
    lines += [
        "  {"
        + ", ".join(_sum(vector, group) for vector, group in zip(unit, names, strict=True))
        + "}"
        + comma
        for unit, comma in zip(_polynomial_units(products, shift), _commas(len(products.units)), strict=True)
    ]
    lines += ["};", f"T = {_target(products, names)};", "S = sum(products, p -> p_0*p_1*p_2);"]
    if isinstance(products.proof, BorderFamily):
        h = products.proof.order + shift
        lines.append(f"assert((S - eps^{h}*T) % ideal(eps^{h + 1}) == 0)")
    else:
        lines.append("assert(S == T)")
    return "".join(f"{line}\n" for line in lines).encode()


def _commas(count: int) -> list[str]:
    return [","] * (count - 1) + [""]


def _indexed(name: str) -> str:
    """``a12`` as Macaulay2's indexed variable."""
    letter, digits = name[0], name[1:]
    if "_" in digits:
        return f"{letter}_({digits.replace('_', ',')})"
    return f"{letter}_({','.join(digits)})" if len(digits) == 2 else f"{letter}_{digits}"


def _ring(products: Products, names: list[list[str]]) -> list[str]:
    ring, field = products.proof.ring, products.number_field
    lines: list[str] = []
    coefficients = f"ZZ/{ring.characteristic}" if ring.characteristic else "QQ"
    if field is not None:
        terms = [
            ("-" if c < 0 else "+", f"{abs(c)}*{_power(field.symbol, k)}" if k else str(abs(c)))
            for k, c in enumerate(field.minimal_polynomial)
            if c
        ]
        polynomial = signed_sum(terms)
        lines.append(f"K = toField(QQ[{field.symbol}]/({polynomial}));")
        coefficients = "K"
    variables = [name for group in names for name in group] + (["eps"] if products.is_family else [])
    return [*lines, f"R = {coefficients}[{', '.join(variables)}];"]


def _target(products: Products, names: list[list[str]]) -> str:
    a, b, c = names
    terms: list[tuple[str, str]] = []
    for (i, j, k), x in products.target.over(products.proof.ring).entries:
        sign, size = _number(x)
        terms.append((sign, f"{size}{a[i]}*{b[j]}*{c[k]}"))
    return signed_sum(terms)


def _shift(products: Products) -> int:
    """Power of eps by which every product is multiplied."""
    return max((max(0, -sum(_lowest(vector) for vector in unit)) for unit in products.units), default=0)


def _lowest(vector: FamilyVector) -> int:
    exponents = [e for x in vector if x for e, _ in (x.terms if isinstance(x, Laurent) else ((0, x),))]
    return min(exponents, default=0)


def _polynomial_units(products: Products, shift: int) -> list[FamilyUnit]:
    if not products.is_family:
        return list(products.units)
    units: list[FamilyUnit] = []
    for u, v, w in products.units:
        first, second = _lowest(u), _lowest(v)
        shifts = (-first, -second, shift + first + second)
        units.append(tuple(_times(vector, e) for vector, e in zip((u, v, w), shifts, strict=True)))
    return units


def _times(vector: FamilyVector, exponent: int) -> FamilyVector:
    return tuple(Laurent.power(exponent) * x if x else 0 for x in vector)


def _sum(vector: FamilyVector, names: list[str]) -> str:
    terms: list[tuple[str, str]] = []
    for x, name in entries(vector, names):
        sign, size = _number(x)
        terms.append((sign, f"{size}{name}"))
    return signed_sum(terms)


def _number(x: Coordinate) -> tuple[str, str]:
    """Sign and size of a coefficient, with the ``*`` behind it unless it is 1."""
    monomials: list[tuple[str, str]] = []
    for exponent, c in x.terms if isinstance(x, Laurent) else ((0, x),):
        for k, coordinate in enumerate(coordinates_of(c)):
            if coordinate:
                powers = [_power(_symbol(c), k)] if k else []
                powers += [_power("eps", exponent)] if exponent else []
                number = [] if abs(coordinate) == 1 and powers else [_quotient(abs(coordinate))]
                monomials.append(("-" if coordinate < 0 else "+", "*".join([*number, *powers])))
    if len(monomials) == 1:
        sign, size = monomials[0]
        return sign, "" if size == "1" else f"{size}*"
    return "+", f"({signed_sum(monomials)})*"


def _power(symbol: str, exponent: int) -> str:
    return symbol if exponent == 1 else f"{symbol}^{exponent}"


def _symbol(c: Scalar) -> str:
    return c.field.symbol  # type: ignore[union-attr]


def _quotient(c: int | Fraction) -> str:
    return f"({c})" if Fraction(c).denominator > 1 else str(c)

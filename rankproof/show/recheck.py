"""Programs for other systems that check the upper bounds of a certificate again: sympy and Macaulay2.

They share no code with this package: a program holds the target and the units, and expands their sum. What they check
is only what can be written as explicit units; they say which other steps they leave out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from keyword import iskeyword

from rankproof.certificate.document import Certificate, Step
from rankproof.errors import FormatError, UsageError
from rankproof.problem.decomposition import BorderFamily, Decomposition
from rankproof.problem.laurent import Laurent
from rankproof.problem.target import Target
from rankproof.show.formula import border_family, decomposition, powers, variable_names, written_out
from rankproof.show.notation import TEXT, Notation
from rankproof.show.quantities import plural, printable
from rankproof.show.steps import claim_in_words, explicit_units
from rankproof.show.verdict import Verdict, objection


@dataclass(frozen=True)
class _Sum:
    """A step whose units are written down, ready to be spelled.

    Attributes
    ----------
    target
        Under names that the other system takes.
    generator
        Name of the generator of the number field; empty for rational coordinates.
    shift
        By which power of eps the units have to be multiplied to be polynomials in eps.
    """

    index: int
    step: Step
    target: Target
    found: Decomposition | BorderFamily
    generator: str
    shift: int

    @property
    def order(self) -> int | None:
        return self.found.order if isinstance(self.found, BorderFamily) else None

    @property
    def variables(self) -> tuple[str, ...]:
        return tuple(
            name for factor in variable_names(self.target, self.found.units_model) for name in factor
        )

    @property
    def outputs(self) -> int:
        return 1 if self.found.units_model == "product" else self.target.space.outputs

    def minimal_polynomial(self, notation: Notation) -> str:
        field = self.found.ring.number_field
        coefficients = () if field is None else field.minimal_polynomial
        terms = [(c, notation.power(self.generator, k) if k else "") for k, c in enumerate(coefficients)]
        return notation.sum([term for term in reversed(terms) if term[0]])

    def units(self, notation: Notation) -> list[str]:
        if isinstance(self.found, BorderFamily):
            written = border_family(self.target, self.found, "f", notation)
        else:
            written = decomposition(self.target, self.found, "f", notation)
        return [notation.sum([unit]) for unit in written.units]


def sympy(shown: Certificate, verdict: Verdict | None) -> str:
    """A Python program that expands every explicit sum of units with sympy; it stops at the first that is wrong.

    Raises
    ------
    UsageError
        If no upper bound of the certificate is an explicit sum of units.
    FormatError
        If a witness is damaged.
    """
    head = ["from sympy import Matrix, Poly, Rational, expand, rem, symbols, zeros"]
    return _program(shown, verdict, "#", head, _sympy_check, _sympy_name)


def macaulay2(shown: Certificate, verdict: Verdict | None) -> str:
    """A program for Macaulay2 that expands every explicit sum of units; it stops at the first that is wrong.

    Raises
    ------
    UsageError
        If no upper bound of the certificate is an explicit sum of units.
    FormatError
        If a witness is damaged.
    """
    return _program(shown, verdict, "--", [], _macaulay2_check, _macaulay2_name)


def _program(
    shown: Certificate,
    verdict: Verdict | None,
    comment: str,
    head: Sequence[str],
    check: Callable[[_Sum], list[str]],
    takes: Callable[[str], bool],
) -> str:
    said = f"NOT VERIFIED: {objection(verdict)}" if verdict is None or not verdict.ok else verdict.word
    lines = [f"{comment} {printable(shown.target.text)}", f"{comment} {said}"]
    if verdict is not None and verdict.claim_hash:
        lines.append(f"{comment} claim {verdict.claim_hash}")
    lines += head
    checked = 0
    for index, step in enumerate(shown.steps):
        title = f"{comment} step {index}: {claim_in_words(step.claim)}, by {printable(step.rule)}"
        found = explicit_units(shown, step)
        if found is not None:
            try:
                lines += ["", title, *check(_sum(shown, index, step, found, takes))]
            except (ValueError, IndexError, TypeError) as error:
                raise FormatError(
                    f"the units of step {index} do not have the shape of their model: {error}"
                ) from error
            checked += 1
        elif step.claim.relation == "<=":
            lines += ["", f"{title}: not an explicit sum of units, not checked here"]
    if not checked:
        raise UsageError(
            "no upper bound of this certificate is an explicit sum of units, so there is nothing to expand"
        )
    return "\n".join(lines)


def _sum(
    shown: Certificate,
    index: int,
    step: Step,
    found: Decomposition | BorderFamily,
    takes: Callable[[str], bool],
) -> _Sum:
    """The step under names that the other system takes: the target's own where they do, x1, x2, ... or a0, b0, ... otherwise."""
    target, model, field = shown.target, found.units_model, found.ring.number_field
    symbols = {"eps", "epsinv", *([field.symbol] if field else [])}
    own = {name for factor in variable_names(target, model) for name in factor}
    if own & symbols or not all(map(takes, own)):
        target = replace(target, variables=None, name=None, text=target.text)
    taken = {name for factor in variable_names(target, model) for name in factor}
    generator = field.symbol if field else ""
    while generator and (generator in taken or not takes(generator)):
        generator = (
            f"t{len(generator)}" if generator in taken or not generator.startswith("t") else f"{generator}0"
        )
    raised = powers(
        model,
        target.space.form_degree if model != "product" else 0,
        len(found.units[0]) if found.units else 0,
    )
    poles = (
        sum(power * _pole(vector) for vector, power in zip(unit, raised, strict=True)) for unit in found.units
    )
    return _Sum(index, step, target, found, generator, max(poles, default=0))


def _pole(vector: Sequence[object]) -> int:
    exponents = (e for x in vector if isinstance(x, Laurent) for e, _ in x.terms)
    return max(0, -min(exponents, default=0))


def _named(notation: Notation, check: _Sum) -> Notation:
    field = check.found.ring.number_field
    symbol = field.symbol if field else None
    return replace(notation, name=lambda name: check.generator if name == symbol else name)


# sympy

_SYMPY_OWN = frozenset(
    ("Matrix", "Poly", "Rational", "expand", "rem", "symbols", "zeros", "f", "units", "minimal")
)


def _sympy_name(name: str) -> bool:
    return (
        not iskeyword(name) and name not in _SYMPY_OWN and re.fullmatch(r"[a-z][a-z0-9_]*", name) is not None
    )


def _sympy_number(x: Fraction | int) -> str:
    return str(x.numerator) if x.denominator == 1 else f"Rational({x.numerator}, {x.denominator})"


SYMPY = replace(TEXT, number=_sympy_number, vector=lambda entries: f"Matrix([{', '.join(entries)}])")


def _sympy_check(check: _Sum) -> list[str]:
    notation = _named(SYMPY, check)
    extra = [name for name in (check.generator, "eps" if check.order is not None else "") if name]
    names = [*check.variables, *extra]
    parts = written_out(check.target, check.found.units_model, notation)
    f = parts[0] if check.outputs == 1 else notation.vector(parts)
    lines = [
        f"{', '.join(names)}{',' if len(names) == 1 else ''} = symbols({' '.join(names)!r}, seq=True)",
        f"f = {f}",
        "units = [",
        *(f"    {unit}," for unit in check.units(notation)),
        "]",
        f"assert len(units) <= {check.step.claim.value}",
    ]
    start = "" if check.outputs == 1 else f", zeros({check.outputs}, 1)"
    if check.order is None:
        difference = f"sum(units{start}) - f"
    else:
        difference = f"eps**{check.shift}*(sum(units{start}) - eps**{check.order}*f)"
    each = f"[{difference}]" if check.outputs == 1 else f"list({difference})"
    lines.append(f"difference = [expand(entry) for entry in {each}]")
    if check.generator:
        minimal = check.minimal_polynomial(notation)
        lines.append(
            f"difference = [expand(rem(entry, {minimal}, {check.generator})) for entry in difference]"
        )
    p = check.found.ring.characteristic
    modulus = f", modulus={p}" if p else ""
    if check.order is None:
        lines.append(f"assert all(Poly(entry, {', '.join(names)}{modulus}).is_zero for entry in difference)")
        lines.append(f'print("step {check.index}: {plural(len(check.found.units), "unit")} add up to f")')
        return lines
    ordered = ", ".join(["eps", *(name for name in names if name != "eps")])
    lines += [
        "for entry in difference:",
        f"    for exponents, coefficient in Poly(entry, {ordered}{modulus}).terms():",
        f"        assert coefficient == 0 or exponents[0] > {check.order + check.shift}",
        f'print("step {check.index}: {plural(len(check.found.units), "unit")} tend to f")',
    ]
    return lines


# Macaulay2


def _macaulay2_name(name: str) -> bool:
    # Longer words may be functions of Macaulay2, and an underscore is an operator there.
    return re.fullmatch(r"[a-z][0-9]*", name) is not None and name != "f"


def _macaulay2_power(factor: str, exponent: int) -> str:
    if exponent < 0:
        factor, exponent = f"{factor}inv", -exponent
    return factor if exponent == 1 else f"{factor}^{exponent}"


def _macaulay2_vector(entries: Sequence[str]) -> str:
    return f"matrix{{{', '.join(f'{{({entry})*1_R}}' for entry in entries)}}}"


MACAULAY2 = replace(TEXT, power=_macaulay2_power, vector=lambda entries: _macaulay2_vector(list(entries)))


def _macaulay2_check(check: _Sum) -> list[str]:
    notation = _named(MACAULAY2, check)
    p = check.found.ring.characteristic
    ring = f"ZZ/{p}" if p else "QQ"
    if check.generator:
        ring = f"toField({ring}[{check.generator}]/({check.minimal_polynomial(notation)}))"
    names = ", ".join([*check.variables, *([] if check.order is None else ["eps", "epsinv"])])
    inverse = "" if check.order is None else "/(eps*epsinv - 1)"
    parts = written_out(check.target, check.found.units_model, notation)
    units = check.units(notation)
    one = "" if check.outputs > 1 else "*1_R"
    lines = [
        f"R = {ring}[{names}]{inverse};",
        f"f = {parts[0] if check.outputs == 1 else notation.vector(parts)};",
        "units = {",
        *(f"    ({unit}){one}{',' if k + 1 < len(units) else ''}" for k, unit in enumerate(units)),
        "};",
        f"assert(#units <= {check.step.claim.value})",
    ]
    count = plural(len(units), "unit")
    if check.order is None:
        lines += ["assert(sum units - f == 0)", f'print "step {check.index}: {count} add up to f"']
        return lines
    entries = "{residual}" if check.outputs == 1 else "flatten entries residual"
    # In the normal form of the quotient a monomial holds eps or its inverse, never both.
    place = len(check.variables)
    lines += [
        f"residual = sum units - {f'eps^{check.order}*' if check.order else ''}f;",
        f"assert all({entries}, entry -> all(exponents entry, e -> e#{place} > {check.order}))",
        f'print "step {check.index}: {count} tend to f"',
    ]
    return lines

"""Mutants of the verifier that no file can tell from the verifier, each with the reason.

Most of them disable a second line of defence: something earlier already refuses. They stay in the verifier because a rule
should not have to know what the kernel has checked.
"""

from __future__ import annotations

IRREDUCIBLE = "an irreducible polynomial of degree at least 2 has no rational root"
KERNEL_ASKS = (
    "the kernel refuses claims over fields in which the target has no meaning before a rule is asked"
)
ONLY_OBJECTS = "the reader hands on nothing but an object; the type checker needs to be told"
UNITS_FIT = "on one form of degree 2 every kind of units is a product of two forms or tied"
TYPES = "the other operand decides; this one tells the type checker"
SHORT_CUT = "a short cut: the rest comes to the same result, more slowly"
ZEROS = "zeros left in a dense block only cost time"
TIME = "a matter of time only: 9! terms instead of 8!"
NO_ZEROS = "a diagonalised form has no zeros on its diagonal"
HALF_A_MINUTE = "a file that comes so far takes half a minute; tests/verifier/test_long_numbers.py lowers the limit"
_TOO_LONG = (
    "raise Undecided('limit-operations', '', f'the elimination exceeds {limits.OPERATIONS} operations')"
)

EQUIVALENT_BRANCHES: dict[tuple[str, str, str], str] = {
    ("claims.py", "always false", "not space.is_polynomial"): "no units of the table exist on other spaces",
    (
        "claims.py",
        "always true",
        "mixed (2)",
    ): "without mixed units the two rows speak of questions that are never asked",
    ("claims.py", "always true", "may_ask(self._target, name, self._real)"): KERNEL_ASKS,
    ("quadratic.py", "always false", "isinstance(x, int)"): SHORT_CUT,
    (
        "quadratic.py",
        "always true",
        "i != pivot",
    ): "the row of the pivot becomes zero and is found to be no pivot",
    ("quadratic.py", "always false", "isinstance(x, (int, Fraction))"): SHORT_CUT,
    ("rules/decomposition.py", "always false", "value == wanted"): SHORT_CUT,
    ("rules/decomposition.py", "always false", "plain (2)"): SHORT_CUT,
    (
        "rules/flattening.py",
        "always false",
        "not context.units.powers",
    ): "a factor of a tensor has order 0 or all",
    ("rules/flattening.py", "always false", "name == 'untied'"): "the formula for mixed:1 says the same",
    (
        "rules/flattening.py",
        "always true",
        "x (2)",
    ): "a zero coefficient makes zero entries, and those are left out",
    ("rules/koszul.py", "always true", "p (5)"): "the wording of a message",
    ("rules/koszul.py", "always false", "p (5)"): "the wording of a message",
    ("rules/koszul.py", "always true", "row[x] % p (2)"): ZEROS,
    ("rules/koszul.py", "always true", "tensor (4)"): "an empty entry may link two parts, which is slower",
    ("rules/koszul.py", "always true", "item[1]"): ZEROS,
}
"""Branches of the deciding modules that could as well be taken always, or never."""

EQUIVALENT: dict[tuple[str, str, str], str] = {
    ("quadratic.py", "refusal disabled", _TOO_LONG): HALF_A_MINUTE,
    ("quadratic.py", "boundary 0 moved", "spent > limits.OPERATIONS"): HALF_A_MINUTE,
    (
        "rules/division_algebra.py",
        "operand 2 left out",
        "context.over != 'RR' or ring.number_field is not None or ring.prime",
    ): KERNEL_ASKS,
    (
        "rules/division_algebra.py",
        "boundary 0 moved",
        "min(diagonal) <= 0",
    ): NO_ZEROS,
    (
        "rules/size_floor.py",
        "operand 0 left out",
        "floor is None or floor.loss != 'size'",
    ): "without a floor the width is 0, and the reader finds no polynomial of so small a degree",
    (
        "rules/border_apolarity.py",
        "boundary 0 moved",
        "found < needed",
    ): "refuses more; no triple is known in which the three spaces meet in dimension exactly r - 1",
    (
        "document.py",
        "refusal disabled",
        "raise Unreadable('root-at-end', pointer, 'the polynomial vanishes at an end of the interval')",
    ): IRREDUCIBLE,
    ("document.py", "operand 0 left out", "value(f, low) == 0 or value(f, high) == 0"): IRREDUCIBLE,
    ("document.py", "operand 1 left out", "value(f, low) == 0 or value(f, high) == 0"): IRREDUCIBLE,
    ("document.py", "operand 0 left out", "is_object(tree) and tree.get('format') != FORMAT"): ONLY_OBJECTS,
    (
        "document.py",
        "operand 0 left out",
        "is_object(tree) and (type(tree.get('version')) is not int or tree['version'] != VERSION)",
    ): ONLY_OBJECTS,
    (
        "numberfield.py",
        "refusal disabled",
        "raise ValueError('a number field without a declared real root has no signs')",
    ): "rules that need signs ask for the real root first",
    (
        "rules/quadric.py",
        "refusal disabled",
        "raise Rejected('hypothesis', here, f'the rule says nothing about {context.units.name} units')",
    ): UNITS_FIT,
    (
        "rules/quadric.py",
        "refusal disabled",
        "raise field_refused(context, 'the fields that contain the coefficients, or GF(p)')",
    ): KERNEL_ASKS,
    (
        "rules/quadric.py",
        "operand 0 left out",
        "target.ring.prime or (field is not None and field.real_root is None)",
    ): KERNEL_ASKS,
    (
        "rules/quadric.py",
        "operand 1 left out",
        "target.ring.prime or (field is not None and field.real_root is None)",
    ): KERNEL_ASKS,
    (
        "rules/quadric.py",
        "operand 1 left out",
        "context.over != 'QQ' or target.ring.name != 'QQ'",
    ): KERNEL_ASKS,
    (
        "rules/coprime_monomials.py",
        "operand 1 left out",
        "context.over != 'CC' or target.ring.prime",
    ): KERNEL_ASKS,
    (
        "scalars.py",
        "refusal disabled",
        "raise Rejected('ring', pointer, 'an algebraic coefficient has no reduction modulo a prime')",
    ): KERNEL_ASKS,
    (
        "targets.py",
        "refusal disabled",
        "raise Rejected('ring', '', f'a target over {self.ring.name} has no meaning over {ring.name}')",
    ): KERNEL_ASKS,
    (
        "rules/flattening.py",
        "operand 0 left out",
        "field is not None and root is not None and polynomial_value(field.minimal_polynomial, root) % p",
    ): TYPES,
    (
        "rules/flattening.py",
        "operand 1 left out",
        "field is not None and root is not None and polynomial_value(field.minimal_polynomial, root) % p",
    ): TYPES,
    ("targets.py", "boundary 0 moved", "parameters[0] > 8"): TIME,
    (
        "rules/signature.py",
        "refusal disabled",
        "raise field_refused(context, 'RR, or QQ at a place,')",
    ): KERNEL_ASKS,
    (
        "rules/signature.py",
        "operand 1 left out",
        "context.over != 'RR' or (field is not None and field.real_root is None)",
    ): KERNEL_ASKS,
    (
        "rules/signature.py",
        "operand 1 left out",
        "context.over != 'QQ' or target.ring.name != 'QQ'",
    ): KERNEL_ASKS,
    (
        "rules/apolar_form.py",
        "operand 0 left out",
        "target.ring.prime or (context.over != 'CC' and (not (context.over == 'RR' and real)))",
    ): KERNEL_ASKS,
    ("rules/apolar_form.py", "operand 1 left out", "context.over == 'RR' and real"): KERNEL_ASKS,
    (
        "rules/apolar_length.py",
        "operand 1 left out",
        "context.over != 'CC' or target.ring.prime",
    ): KERNEL_ASKS,
    ("rules/t_bound.py", "operand 1 left out", "context.over != 'CC' or target.ring.prime"): KERNEL_ASKS,
    (
        "rules/binary_squares.py",
        "operand 0 left out",
        "at_root and valuation(at_root, prime) <= 2 * valuation(slope, prime)",
    ): IRREDUCIBLE,
    (
        "rules/binary.py",
        "boundary 0 moved",
        "sign(x) < 0",
    ): NO_ZEROS,
}

SHIFTED: dict[tuple[str, str, str], str] = {
    (
        "rules/inertia.py",
        "shifted by 1",
        "0 (3)",
    ): "the vectors are scaled to one large value of the form: no file is known whose diagonal has an entry 1",
}
"""Constants and inequalities that are off by one and make no difference."""

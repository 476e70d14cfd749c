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

COST = "what the step may cost"
ONE_FACTOR = "there is one factor, or all have the same length: the last is as good as the first"
NO_ZERO = "a diagonal form has no zeros, and a sign is -1 or 1"

_UNNOTICED: list[tuple[str, str, str, str]] = [
    # File, statement, constants with + or -, reason.
    (
        "claims.py",
        "table = [('split', 'untied', 1), ('untied', 'tied', 1), ('split', 'tied', 1)]",
        "1+ 1(3)+",
        "the same follows through mixed units, or through untied ones",
    ),
    (
        "claims.py",
        "mixed = [f'mixed:{k}' for k in range(1, d // 2 + 1)]",
        "1(2)+ 2-",
        "units mixed:k with 2 k > d cannot be named in a file",
    ),
    ("claims.py", "table.append(('tied', 'untied', 2))", "2+", "the same follows through mixed:1"),
    (
        "forms.py",
        "return sum((exact_rank(derivatives(forms, order)) for order in range(degree + 1)))",
        "1+",
        "there are no derivatives beyond the degree",
    ),
    ("losses.py", "return 1 if a <= 1 else 0", "0-", "weights are not negative, and those that are 0 are not summed"),
    (
        "rules/binary_discriminant.py",
        "if c >= 0 and (context.over == 'RR' or is_square(c)):",
        "0-",
        "refuses more: constants between -1 and 0",
    ),
    (
        "rules/binary_discriminant.py",
        "h = [{(k,): g[word] for k, g in enumerate(data.operators) if (word := ((0,) * (w - j) + (1,) * j)) in g} "
        "for j in range(w + 1)]",
        "1+",
        "one more coefficient, which is zero and is not asked for",
    ),
    (
        "rules/cover.py",
        "slices = [[[0] * dimensions[1] for _ in range(dimensions[0])] for _ in range(size)]",
        "0(2)+ 0(2)-",
        "more rows of zeros change no rank, and with fewer the step breaks down",
    ),
    (
        "rules/floor.py",
        "rest_of_sum = total - sum((x for x in tops if x is not None)) if None not in tops else 0",
        "0-",
        "the other bound is never negative",
    ),
    (
        "rules/floor.py",
        "below = sum((spectrum.least(place) for place in range(skipped + 1, spectrum.size + 1)))",
        "1(2)+",
        "beyond the last eigenvalue nothing is known, which counts as 0",
    ),
    (
        "rules/inertia.py",
        "positive = sum((x > 0 for x in diagonal))",
        "0+ 0-",
        "the vectors are scaled to one large value of the form: no file is known whose diagonal has an entry 0 or 1",
    ),
    ("rules/inertia.py", "place = context.witness('order', found.args[0])", "0-", ONE_FACTOR),
    (
        "rules/inertia_floor.py",
        "return Claim(floor, context.units.name, context.over, AT_LEAST, value.numerator if value.denominator == 1 "
        "else value)",
        "1+ 1-",
        "an integer and the fraction that is equal to it are the same value",
    ),
    ("rules/koszul.py", "if name == 'split' or 0 < p <= d:", "0+", "no characteristic is 1"),
    (
        "rules/kronecker_form.py",
        "side = max(len(form.left), len(form.left[0]), len(form.right), len(form.right[0]))",
        "0- 0(2)+ 0(2)-",
        COST,
    ),
    ("rules/kronecker_form.py", "total: list[Any] = [0] * len(form.right[0])", "0(2)+ 0(2)-", ONE_FACTOR),
    ("rules/kruskal.py", "if 0 < ring.prime <= context.target.space.form_degree:", "0+", "no characteristic is 1"),
    ("rules/kruskal.py", "sizes = [len(vector) for vector in modes(units[0], context)]", "0-", ONE_FACTOR),
    ("rules/landsberg_teitler_twice.py", "_, d = context.target.space.factors[0]", "0-", ONE_FACTOR),
    ("rules/real_solution.py", "growth = (1 + near.bits // 64) ** 2", "1+ 1- 2+ 2- 64+ 64-", COST),
    ("rules/real_solution.py", "size = equations * (2 if context.over == 'CC' else 1)", "1+ 2+ 2-", COST),
    ("rules/signature.py", "positive = sum((sign(x) > 0 for x in diagonal))", "0-", NO_ZERO),
    (
        "rules/tangent.py",
        "subspaces: dict[int, list[Polynomial]] = {0: [{(i,): 1} for i in range(n)]}",
        "1+",
        "multiples of a basis are a basis",
    ),
    (
        "rules/tangent.py",
        "bound = min(bound, tied_width_of_derivative(node, basis[0], target, here))",
        "0-",
        "the basis has one vector",
    ),
    (
        "spectrum.py",
        "bits = max((bit_length(x) for row in rows for x in row.values()), default=1) + "
        "max(map(bit_length, thresholds), default=1)",
        "1+ 1- 1(2)+ 1(2)-",
        COST,
    ),
    (
        "spectrum.py",
        "work = sum((len(part) ** 3 * (1 + len(part) * bits // 64) for part in parts))",
        "1+ 1- 3+ 3- 64+ 64-",
        COST,
    ),
    ("spectrum.py", "positive = sum((sign(x) > 0 for x in diagonal))", "0-", NO_ZERO),
    (
        "spectrum.py",
        "parts = [sorted(block) for block in blocks([{**row, i: row.get(i, 0)} for i, row in enumerate(rows)])]",
        "0+ 0-",
        "only the places of the entries are used here",
    ),
]

SHIFTED: dict[tuple[str, str, str, str], str] = {
    (
        file,
        f"shifted by {'1' if constant[-1] == '+' else '-1'}",
        constant[:-1].replace("(", " ("),
        statement,
    ): reason
    for file, statement, constants, reason in _UNNOTICED
    for constant in constants.split()
}
"""Constants that are off by one and make no difference; the places are those of `Mutant.place`."""

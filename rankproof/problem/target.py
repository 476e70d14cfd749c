"""Targets: exact coefficients on a space, for one form, a list of forms or a tensor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import import_module
from itertools import groupby
from typing import Any

from rankproof.errors import TargetError, UsageError
from rankproof.problem.field import QQ, Algebraic, Field, Scalar
from rankproof.problem.space import Space, Word

# A tensor with more entries than this is described by its shape instead of being written out.
_WRITTEN_OUT = 12


@dataclass(frozen=True)
class Target:
    """Exact coefficients on a space: what is to be written as a sum of units.

    Two targets are equal when they are the same element of the same space over the same ring; names do not count.

    Parameters
    ----------
    space
        Where the target lives.
    entries
        Pairs (word, coefficient), words increasing, coefficients not zero and in normal form over the ring. A coefficient is the
        plain coefficient of the monomial, without multinomial factors.
    ring
        Exact field of the coefficients: QQ, GF(p) or a number field.
    variables
        Names of the variables of a form or map, used for printing only.
    name
        Name and parameters when the target comes from the library of named targets.
    text
        What a person calls it; the written-out target when left empty.
    block
        How a certificate writes the target when it is the even part of a block of a weights file: keys ``block``,
        ``directions`` and perhaps ``inputs``. Whoever sets it answers for the coefficients being those.

    Examples
    --------
    >>> Target.from_entries(Space.form(2, 3), {(0, 0, 1): 1}, variables=("x", "y"))
    Target('x**2*y' over QQ: degree 3, 2 variables)
    """

    space: Space
    entries: tuple[tuple[Word, Scalar], ...]
    ring: Field = QQ
    variables: tuple[str, ...] | None = field(default=None, compare=False)
    name: tuple[str, tuple[int, ...]] | None = field(default=None, compare=False)
    text: str = field(default="", compare=False)
    block: Mapping[str, Any] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not self.ring.is_exact:
            raise UsageError(
                f"{self.ring} is not a ring for coefficients; give them over QQ, GF(p) or a number field such as QQ(sqrt(3)),"
                f" and ask the question over {self.ring}"
            )
        if not self.entries:
            raise TargetError("the target is zero; give at least one coefficient that is not zero")
        if self.variables is not None:
            _check_variables(self.space, self.variables)
        previous: Word | None = None
        for word, coefficient in self.entries:
            if not self.space.contains(word):
                raise TargetError(
                    f"the word {list(word)} does not belong to {self.space}; see Space for how words are written"
                )
            if previous is not None and word <= previous:
                raise TargetError(
                    f"the words must increase, and {list(word)} follows {list(previous)}; sort the entries"
                )
            if not coefficient or self.ring.reduce(coefficient) != coefficient:
                raise TargetError(
                    f"the coefficient {coefficient} at {list(word)} is zero or not in normal form over {self.ring}"
                )
            previous = word
        if not self.text:
            object.__setattr__(self, "text", _default_text(self))

    @classmethod
    def from_entries(
        cls,
        space: Space,
        entries: Mapping[Word, Scalar],
        ring: Field = QQ,
        variables: Iterable[str] | None = None,
        *,
        name: tuple[str, tuple[int, ...]] | None = None,
        text: str = "",
    ) -> Target:
        """Target with the given coefficients, brought to normal form over the ring; zeros are dropped."""
        reduced = ((word, ring.reduce(coefficient)) for word, coefficient in sorted(entries.items()))
        kept = tuple((word, coefficient) for word, coefficient in reduced if coefficient)
        return cls(space, kept, ring, None if variables is None else tuple(variables), name, text)

    @classmethod
    def from_sympy(cls, expression: Any, variables: Iterable[Any] | None = None) -> Target:
        """Target of a sympy expression, or of a list of expressions for a polynomial map.

        Parameters
        ----------
        expression
            A homogeneous polynomial, also a ``Poly``, with rational coefficients or square roots, or a list of such of
            one degree.
        variables
            Symbols in the wanted order, at least those that occur; by default those that occur, x2 before x10.

        Raises
        ------
        TargetError
            If a coefficient is a float, or the expression is not a homogeneous polynomial.

        Examples
        --------
        >>> import sympy
        >>> x, y = sympy.symbols("x y")
        >>> Target.from_sympy((x + y) ** 2 - x**2)
        Target('2*x*y + y**2' over QQ: degree 2, 2 variables)
        """
        # parse imports this module, and only this method needs it.
        from rankproof.problem.parse import read_targets

        sympy: Any = import_module("sympy")
        expressions: list[Any] = [*expression] if isinstance(expression, (list, tuple)) else [expression]
        # sympy writes polynomials in the language that we read, but for its constants: I would pass for a variable.
        root: dict[Any, Any] = {sympy.I: sympy.Symbol("sqrt(-1)")}
        parsed: list[Any] = [
            e.as_expr() if isinstance(e, sympy.Poly) else sympy.sympify(e) for e in expressions
        ]
        for e in expressions:
            if isinstance(e, sympy.Poly) and e.domain.is_FiniteField:
                p = e.get_modulus()
                raise TargetError(
                    f"{e} has coefficients modulo {p}; give e.as_expr(), and then over(gf({p}))"
                )
        for e in parsed:
            _check_symbols(getattr(e, "free_symbols", set()), sympy.Symbol)
        expanded: list[Any] = [sympy.expand(e).xreplace(root) for e in parsed]
        for constant in (c for e in expanded for c in e.atoms(sympy.NumberSymbol)):
            raise TargetError(f"{constant} is not an algebraic number; use rational numbers and square roots")
        text = "; ".join(map(str, expanded))
        names = None if variables is None else tuple(str(v) for v in variables)
        targets = read_targets(text, variables=names)
        if len(targets) > 1:
            degrees = ", ".join(str(t.space.form_degree) for t in targets)
            raise TargetError(
                f"{text} has parts of degree {degrees} and a target has one degree; give one homogeneous part at a time"
            )
        return targets[0]

    @classmethod
    def from_array(cls, array: Any, denominators: int = 1, ring: Field = QQ) -> Target:
        """Tensor of an array of exact numbers.

        Parameters
        ----------
        array
            numpy array, nested lists, or what numpy makes an array of (a pandas frame, a torch tensor), of order k with
            integer (of any size, or bool) or rational entries.
        denominators
            Common denominator: the entries are divided by it.
        ring
            Exact field of the entries.

        Raises
        ------
        TargetError
            If the entries are floats, NaN among them, or the array is empty or has order 0.

        Examples
        --------
        >>> Target.from_array([[1, 0], [0, 2]], denominators=4).entries
        (((0, 0), Fraction(1, 4)), ((1, 1), Fraction(1, 2)))
        """
        np: Any = import_module("numpy")
        tensor = _as_numpy(array, np)
        if tensor.dtype.kind in "fc" and not np.isfinite(tensor).all():
            raise TargetError("the array holds NaN or an infinity; a target has exact numbers")
        if tensor.dtype.kind not in "biuO":
            raise TargetError(
                f"the array holds {tensor.dtype} entries, which are not exact; scale to integers and convert with"
                " np.rint(a * 8).astype(int) and denominators=8, or use an array of Fractions"
            )
        if tensor.dtype.kind == "b":
            tensor = tensor.astype(np.uint8)
        if tensor.ndim == 0 or tensor.size == 0:
            raise TargetError(
                f"an array of shape {tensor.shape} is not a tensor; give one with at least one axis and one entry"
            )
        if not isinstance(denominators, (int, np.integer)) or denominators < 1:
            raise UsageError(f"denominators is a positive integer, not {denominators}")
        # An axis of length 1 behind a matrix carries nothing, and a tensor of order 2 may not have it.
        dims = tensor.shape[:1] if tensor.ndim == 2 and tensor.shape[1] == 1 else tensor.shape
        entries: dict[Word, Scalar] = {}
        for position in np.argwhere(tensor != 0):
            word = tuple(int(i) for i in position)
            value = QQ.reduce(x) if not isinstance(x := tensor[word], Algebraic) else x
            entries[word[: len(dims)]] = value * Fraction(1, int(denominators))
        return cls.from_entries(Space.tensor(*dims), entries, ring)

    def coefficient(self, word: Word) -> Scalar:
        """Coefficient at a word; 0 when the word does not occur."""
        return self.as_dict().get(word, 0)

    def as_dict(self) -> dict[Word, Scalar]:
        """Non-zero coefficients by word."""
        return dict(self.entries)

    def over(self, field: Field) -> Target:
        """The same target with coefficients in another exact field.

        Raises
        ------
        TargetError
            If a denominator is divisible by p, the target vanishes modulo p, or a coefficient is not in the field.
        """
        if field == self.ring:
            return self
        if self.ring.characteristic or (
            self.ring.number_field and field.number_field != self.ring.number_field
        ):
            raise TargetError(f"{self.text} has coefficients in {self.ring} and cannot be read over {field}")
        reduced = {word: x for word, c in self.entries if (x := field.reduce(c))}
        if not reduced:
            raise TargetError(f"{self.text} vanishes over {field}; use another prime")
        return Target.from_entries(self.space, reduced, field, self.variables, name=self.name, text=self.text)

    def outputs_list(self) -> tuple[Target | None, ...]:
        """The forms of a polynomial map, one target an output; None where an output is zero."""
        space = self.space
        if space.outputs == 1:
            return (self,)
        form = Space.form(space.variables_count, space.form_degree)
        parts: list[dict[Word, Scalar]] = [{} for _ in range(space.outputs)]
        for word, c in self.entries:
            parts[word[-1]][word[:-1]] = c
        return tuple(Target.from_entries(form, p, self.ring, self.variables) if p else None for p in parts)

    def variable_names(self) -> tuple[str, ...]:
        """Names of the variables of a form or map: those given, or x1, ..., xn."""
        return self.variables or tuple(f"x{i}" for i in range(1, self.space.variables_count + 1))

    def __repr__(self) -> str:
        if self.space.is_polynomial and not (self.name and self.space.is_tensor):
            n, d, m = self.space.variables_count, self.space.form_degree, self.space.outputs
            shape = f"degree {d}, {n} variable{'s' * (n > 1)}" + (f", {m} outputs" if m > 1 else "")
        else:
            shape = f"{self.space} tensor, {len(self.entries)} entries"
        return f"Target({self.text!r} over {self.ring}: {shape})"

    def _repr_latex_(self) -> str:
        return f"${latex(self)}$"


def render(target: Target) -> str:
    """The target written out: forms in their variables separated by ``;``, tensors as a sum of a_i*b_j*c_k.

    Examples
    --------
    >>> render(Target.from_entries(Space.map(2, 2, 2), {(0, 0, 0): 1, (0, 1, 1): -2}))
    'x1**2; -2*x1*x2'
    """
    if not target.space.is_polynomial:
        return _sum(target.entries, lambda word: "*".join(f"{_letter(k)}{i}" for k, i in enumerate(word)))
    names = target.variable_names()
    return "; ".join(
        _sum(f.entries, lambda w: _monomial(w, names)) if f else "0" for f in target.outputs_list()
    )


def latex(target: Target) -> str:
    """The target in LaTeX, without dollar signs; a polynomial map in parentheses, its outputs separated by commas."""
    if not target.space.is_polynomial:
        return _sum(
            target.entries,
            lambda word: r" \otimes ".join(f"{_letter(k)}_{{{i}}}" for k, i in enumerate(word)),
            True,
        )
    names = tuple(_latex_name(name) for name in target.variable_names())
    forms = [
        _sum(f.entries, lambda w: _latex_monomial(w, names), True) if f else "0"
        for f in target.outputs_list()
    ]
    return forms[0] if len(forms) == 1 else r"\left(" + ",\\; ".join(forms) + r"\right)"


def _sum(
    entries: Iterable[tuple[Word, Scalar]], monomial: Callable[[Word], str], as_latex: bool = False
) -> str:
    text = ""
    for word, c in entries:
        shape = monomial(word)
        if isinstance(c, Algebraic):
            sign, size = " + ", f"({c})" if not as_latex else rf"\left({_latex_algebraic(c)}\right)"
        else:
            sign = " - " if c < 0 else " + "
            size = str(abs(c))
            if as_latex and isinstance(c, Fraction):
                size = rf"\frac{{{abs(c.numerator)}}}{{{c.denominator}}}"
        times = " " if as_latex else "*"
        text += sign + (shape if size == "1" else f"{size}{times}{shape}")
    return text[3:] if text.startswith(" + ") else "-" + text[3:]


def _monomial(word: Word, names: tuple[str, ...]) -> str:
    powers = ((names[i], len(list(run))) for i, run in groupby(word))
    return "*".join(name if e == 1 else f"{name}**{e}" for name, e in powers)


def _latex_monomial(word: Word, names: tuple[str, ...]) -> str:
    powers = ((names[i], len(list(run))) for i, run in groupby(word))
    return " ".join(name if e == 1 else f"{name}^{{{e}}}" for name, e in powers)


def _latex_name(name: str) -> str:
    letters = name.rstrip("0123456789_")
    index = name[len(letters) :].strip("_").replace("_", ",")
    stem = letters if len(letters) == 1 else rf"\mathrm{{{letters}}}".replace("_", r"\_")
    return f"{stem}_{{{index}}}" if index else stem


def _latex_algebraic(c: Algebraic) -> str:
    symbol = _latex_name(c.field.symbol)
    powers = (
        (symbol if k == 1 else f"{symbol}^{{{k}}}" if k else "", x) for k, x in enumerate(c.coefficients) if x
    )
    text = ""
    for power, x in powers:
        size = (
            str(abs(x.numerator))
            if x.denominator == 1
            else rf"\frac{{{abs(x.numerator)}}}{{{x.denominator}}}"
        )
        text += (" - " if x < 0 else " + ") + (power if power and size == "1" else f"{size} {power}".strip())
    return text[3:] if text.startswith(" + ") else "-" + text[3:]


def _letter(k: int) -> str:
    return "abcdefghijklmnop"[k]


def _default_text(target: Target) -> str:
    if target.space.is_polynomial and (target.variables or not target.space.is_tensor):
        return render(target)
    if not target.space.is_polynomial and len(target.entries) <= _WRITTEN_OUT:
        return render(target)
    return f"{target.space} tensor with {len(target.entries)} entries"


def _check_variables(space: Space, variables: tuple[str, ...]) -> None:
    if not space.is_polynomial:
        raise UsageError("only forms and polynomial maps have variables; a tensor is given without them")
    if len(variables) != space.variables_count:
        raise UsageError(
            f"{len(variables)} names were given for {space.variables_count} variables; give one name each"
        )
    for name in variables:
        if not (name.isascii() and name.isidentifier()):
            raise UsageError(
                f"{name!r} cannot name a variable; use letters, digits and underscores, a letter first"
            )
    if len(set(variables)) != len(variables):
        raise UsageError(
            f"the variables {', '.join(variables)} are not distinct; give every variable its own name"
        )


def _as_numpy(array: Any, np: Any) -> Any:
    """What somebody calls an array as one of numpy, with nothing left out in silence."""
    if isinstance(array, np.ma.MaskedArray) and np.ma.is_masked(array):
        raise TargetError("the array has masked entries, which have no value; fill them with array.filled(0)")
    if hasattr(array, "toarray"):
        array = array.toarray()
    try:
        return np.asarray(array)
    except (ValueError, TypeError, RuntimeError) as error:
        raise TargetError(
            f"this is no array of exact numbers ({' '.join(str(error).split())}); give a numpy array of integers or Fractions,"
            " all rows of one length"
        ) from error


def _check_symbols(symbols: Iterable[Any], kind: type) -> None:
    """Refuse symbols that would be read as something else once they are written: sympy lets a name be any text."""
    from rankproof.problem.library import NAMED

    seen: set[str] = set()
    for name in (str(symbol) for symbol in symbols if isinstance(symbol, kind)):
        if name in seen:
            raise TargetError(
                f"two different symbols are called {name}; give each variable a name of its own"
            )
        seen.add(name)
        if not name.isidentifier() or not name.isascii() or name in NAMED:
            raise TargetError(
                f"{name!r} cannot name a variable; use letters, digits and _ and no name of a target"
            )

"""Text programs: ``m1 = (a1 - a4)(b1 + b4)``, then ``c1 = m1 + m4``; also with ``:=`` and with sums that are named first.

Every name that is not an entry of A, B or C is a value computed before. A product of a sum of entries of A and a sum of
entries of B is a product of the scheme; everything else must be linear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from rankproof.errors import FormatError
from rankproof.formats.arithmetic import Form, Terms, read_formula
from rankproof.formats.entries import entry_of, factors_of
from rankproof.formats.product_lines import COMMUTING
from rankproof.formats.scheme import Factor, Scheme
from rankproof.formats.source import Source
from rankproof.formats.structured import described_by_name
from rankproof.problem.field import Scalar
from rankproof.problem.target import Target

NAME = "program"
SUMMARY = "text, products m1 = (a1 - a4)(b1 + b4) and results c1 = m1 + m4 (or with :=)"

_STATEMENT = re.compile(r"(?P<name>[A-Za-z]\w*)\s*:?=\s*(?P<value>[^=]+)")
_COMMENTS = ("#", "//", "%", "Simplify")
# A product is a variable of the results; # begins no name in a file.
_PRODUCT = "#"


def sniff(source: Source) -> bool:
    """Whether the first statement assigns a formula in entries of matrices."""
    if source.is_binary:
        return False
    for _, line in _lines(source.text):
        match = _STATEMENT.fullmatch(line)
        if match is None or "[" in line:
            return False
        try:
            terms = read_formula(match["value"], source.symbols.get, "")
        except FormatError:
            return False
        names = [name for _, forms in terms for form in forms for name in form]
        return bool(names) and all(entry_of(name) for name in names)
    return False


def read(source: Source) -> list[Scheme]:
    """The scheme of a file.

    Raises
    ------
    FormatError
        If a statement is no assignment, uses a name that has no value yet, or is not bilinear.
    """
    program = _Program(source)
    for number, line in _lines(source.text):
        match = _STATEMENT.fullmatch(line)
        if match is None:
            raise FormatError(
                f"{source.name}, line {number}: {line[:40]!r} is not an assignment such as m1 = (a1)(b1)"
            )
        program.assign(match["name"], match["value"], f"{source.name}, line {number}")
    if not program.products or not program.results:
        raise FormatError(f"{source.name} computes no product, or no result c1, c2, ...")
    factors = program.factors()
    about = described_by_name(source.name)
    if isinstance(about, Target):
        factors = _padded(factors, about)
    return [Scheme(source.name, None, factors, format=NAME, about=about)]


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip().rstrip(";").strip()
        if line and not line.startswith(_COMMENTS):
            yield number, line


@dataclass
class _Program:
    """Values by name: linear forms in entries, or in products."""

    source: Source
    values: dict[str, Form] = field(default_factory=dict)
    products: list[tuple[Form, Form]] = field(default_factory=list)
    results: dict[str, Form] = field(default_factory=dict)

    def assign(self, name: str, text: str, where: str) -> None:
        entry = entry_of(name)
        if name in self.values or name in self.source.symbols or (entry is not None and entry.letter in "ab"):
            raise FormatError(f"{where}: {name} has a value already")
        form = self._linear(read_formula(text, self._lookup, where), where)
        self.values[name] = form
        if entry is not None and entry.letter == "c":
            if any(not variable.startswith(_PRODUCT) for variable in form):
                raise FormatError(f"{where}: the result {name} is not a sum of products")
            self.results[name] = form

    def _lookup(self, name: str) -> Scalar | Terms | None:
        if name in self.values:
            form = self.values[name]
            return [(1, (form,))] if form else []
        if name in self.source.symbols:
            return self.source.symbols[name]
        entry = entry_of(name)
        if entry is None or entry.letter not in "ab":
            raise FormatError(f"{self.source.name}: {name} is used before it has a value")
        return None

    def _linear(self, terms: Terms, where: str) -> Form:
        """The linear form of a value, its products named."""
        total: Form = {}
        for c, forms in terms:
            if not forms:
                raise FormatError(f"{where}: a constant {c} is added, and a bilinear program has none")
            if len(forms) == 1:
                form = forms[0]
            else:
                form = {self._product(forms, where): 1}
            for name, x in form.items():
                total[name] = total.get(name, 0) + c * x
        kinds = {
            "product" if name.startswith(_PRODUCT) else name[0].lower() for name, x in total.items() if x
        }
        if len(kinds) > 1 and "product" in kinds:
            raise FormatError(f"{where}: products and matrix entries are added")
        return {name: x for name, x in total.items() if x}

    def _product(self, forms: tuple[Form, ...], where: str) -> str:
        if len(forms) != 2:
            raise FormatError(f"{where}: a product of {len(forms)} sums; a scheme multiplies two")
        letters = ["".join(sorted({_kind(name) for name in form})) for form in forms]
        if sorted(letters) != ["a", "b"]:
            if any(_PRODUCT in letter for letter in letters):
                raise FormatError(
                    f"{where}: a product is multiplied once more; a scheme multiplies entries of A and B"
                )
            raise FormatError(
                f"{where}: it multiplies entries of {letters[0].upper()} and {letters[1].upper()}: {COMMUTING}"
            )
        first, second = forms if letters[0] == "a" else forms[::-1]
        self.products.append((first, second))
        return f"{_PRODUCT}{len(self.products) - 1}"

    def factors(self) -> tuple[Factor, Factor, Factor]:
        columns: list[Form] = [{} for _ in self.products]
        for name, form in self.results.items():
            for product, x in form.items():
                columns[int(product.removeprefix(_PRODUCT))][name] = x
        # A last form that mentions every result keeps those that are zero; it is no product.
        everything: Form = dict.fromkeys(self.results, 1)
        U = [u for u, _ in self.products] + [{}]
        V = [v for _, v in self.products] + [{}]
        A, B, C = factors_of((U, V, [*columns, everything]), self.source.name)
        r = len(self.products)
        return A.first(r), B.first(r), C.first(r)


def _kind(name: str) -> str:
    return _PRODUCT if name.startswith(_PRODUCT) else name[0].lower()


def _padded(factors: tuple[Factor, Factor, Factor], target: Target) -> tuple[Factor, Factor, Factor]:
    """The factors with as many entries as the target has: those that no product uses are missing in the text."""
    U, V, W = (
        replace(factor, size=max(factor.size, n))
        for factor, (n, _) in zip(factors, target.space.factors, strict=True)
    )
    return U, V, W

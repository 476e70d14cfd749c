"""Text with one product of three linear forms a line, ``(a11 - a12)*(b11)*(c11 + c21)``: the ``.exp`` files.

Written by the flip-graph programs of Kauers, Moosbauer and others. The forms may be separated by ``*`` or by blanks, stand
without parentheses when they are one entry, and carry numbers in front, behind or inside. With decimals and complex
numbers it is also the "tensor" format of Kemper's collection.
"""

from __future__ import annotations

from collections.abc import Iterator

from rankproof.errors import FormatError
from rankproof.formats.arithmetic import Form, Product, read_formula
from rankproof.formats.entries import entry_of, factors_of
from rankproof.formats.scheme import Scheme
from rankproof.formats.source import Source

NAME = "exp"
SUMMARY = "text, one product a line: (a11 - a12)*(b11)*(c11 + c21)"

_COMMENTS = ("#", "//", "%")


def sniff(source: Source) -> bool:
    """Whether the first line that is no comment is a product of linear forms in matrix entries."""
    if source.is_binary:
        return False
    for number, line in _lines(source.text):
        if "=" in line or len(line) > 100_000:
            return False
        try:
            products = _products(line, source, number)
        except FormatError:
            return False
        names = [name for _, forms in products for form in forms for name in form]
        # Two forms are a product of entries that commute, which is refused with the reason.
        return len(products) == 1 and len(products[0][1]) >= 2 and all(map(entry_of, names))
    return False


def read(source: Source) -> list[Scheme]:
    """The scheme of a file.

    Raises
    ------
    FormatError
        If a line is no product of three linear forms, each in the entries of one matrix.
    """
    columns: tuple[list[Form], list[Form], list[Form]] = ([], [], [])
    for number, line in _lines(source.text):
        products = _products(line, source, number)
        if len(products) != 1:
            raise FormatError(
                f"{source.name}, line {number}: it is a sum of {len(products)} products; one is written a line"
            )
        for column, form in zip(columns, _three(products[0], source, number), strict=True):
            column.append(form)
    if not columns[0]:
        raise FormatError(f"{source.name} has no products; write one a line: (a11 - a12)*(b11)*(c11)")
    return [Scheme(source.name, None, factors_of(columns, source.name), format=NAME)]


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip().rstrip(",;").strip()
        if line and not line.startswith(_COMMENTS):
            yield number, line


def _products(line: str, source: Source, number: int) -> list[Product]:
    return read_formula(line, source.symbols.get, f"{source.name}, line {number}")


def _three(product: Product, source: Source, number: int) -> list[Form]:
    """The forms of a product in the order of the letters of their matrices, the number moved into the last one."""
    coefficient, forms = product
    where = f"{source.name}, line {number}"
    letters = [_letter(form, where) for form in forms]
    if len(set(letters)) < len(letters):
        raise FormatError(
            f"{where}: two forms of one product are in entries of {letters[0].upper()}: {COMMUTING}"
        )
    if len(forms) != 3:
        raise FormatError(f"{where}: a product of {len(forms)} linear forms; a scheme has products of three")
    *first, last = (form for _, form in sorted(zip(letters, forms, strict=True), key=lambda pair: pair[0]))
    return [*first, {name: x * coefficient for name, x in last.items()}]


def _letter(form: Form, where: str) -> str:
    entries = {name: entry_of(name) for name in form}
    unknown = [name for name, entry in entries.items() if entry is None]
    if unknown:
        raise FormatError(
            f"{where}: {unknown[0]} is not the name of a matrix entry such as a12, nor a number"
        )
    letters = sorted({entry.letter for entry in entries.values() if entry is not None})
    if len(letters) > 1:
        raise FormatError(f"{where}: one form mixes entries of {' and '.join(letters).upper()}: {COMMUTING}")
    return letters[0]


COMMUTING = (
    "a scheme for entries that commute, such as Winograd's of 1968, is no decomposition of the tensor of the"
    " matrix product"
)
"""Why a product of entries of the same matrix is refused."""

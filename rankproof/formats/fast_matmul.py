"""The text format of the fast-matmul collection: three blocks of rows, split by lines that begin with ``#``.

A row lists one entry of the factor for every product, so that columns are products. Coefficients are
integers, fractions and Laurent polynomials in ``x``, which stands for eps: ``x``, ``xi`` (1/x), ``x2``,
``x2i``, ``-1/2x3``, ``(1+-x3)``.
"""

from __future__ import annotations

import re
from fractions import Fraction

from rankproof.errors import FormatError
from rankproof.formats.listing import Coordinate, Products
from rankproof.formats.scheme import Coefficient, Factor, Scheme
from rankproof.formats.source import Source
from rankproof.problem.field import rational
from rankproof.problem.laurent import Laurent

NAME = "fast-matmul"
SUMMARY = "text, three blocks of rows split by # lines, columns are products, Laurent polynomials in x"

# Numbers longer than this are no coefficients, and Python refuses to convert them far above it.
_TERM = re.compile(
    r"(?P<sign>-?)(?P<number>[0-9]{1,1000}(?:/[0-9]{1,1000})?)?(?P<power>x(?P<exponent>[0-9]{1,4})?(?P<inverse>i)?)?"
)
# Terms are joined by + (which may stand before a sign) or by a - that follows a term.
_JOINT = re.compile(r"\+|(?<=[0-9xi])(?=-)")
_MAX_EXPONENT = 4096

Block = list[list[Coefficient]]


def sniff(source: Source) -> bool:
    """Whether the first line that is neither blank nor a comment is a row of coefficients."""
    if source.is_binary:
        return False
    for line in source.text.splitlines():
        words = line.split()
        if words and not words[0].startswith("#"):
            return all(coefficient(word) is not None for word in words)
    return False


def read(source: Source) -> list[Scheme]:
    """The scheme of a file.

    Returns
    -------
    list of Scheme
        Exactly one.

    Raises
    ------
    FormatError
        If a coefficient cannot be read, a row is longer or shorter than the first, or there are not three
        blocks.
    """
    blocks = _blocks(source.text, source.name)
    r = len(blocks[0][0])
    for number, block in enumerate(blocks[:3], 1):
        for row, entries in enumerate(block, 1):
            if len(entries) != r:
                raise FormatError(
                    f"{source.name}: block {number}, row {row} has {len(entries)} entries and block 1, row 1 has {r};"
                    f" every row needs one entry a product, so this is not a list of products{_extra(blocks)}"
                )
    if len(blocks) != 3:
        raise FormatError(
            f"{source.name} has {len(blocks)} blocks of rows; a scheme has three, U, V and W, split by lines that begin with #"
            + _extra(blocks)
        )
    U, V, W = (_factor(block) for block in blocks)
    return [Scheme(source.name, None, (U, V, W), format=NAME)]


def _extra(blocks: list[Block]) -> str:
    if len(blocks) <= 3:
        return ""
    return f" ({len(blocks)} blocks: a form with shared subexpressions is not read; give the original three blocks)"


def _blocks(text: str, source: str) -> list[Block]:
    blocks: list[Block] = []
    is_open = False
    known: dict[str, Coefficient] = {}
    # Comments may hold names in any encoding; a coefficient is ASCII, and a replaced byte in one is refused.
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words:
            continue
        if words[0].startswith("#"):
            is_open = False
            continue
        if not is_open:
            blocks.append([])
            is_open = True
        row: list[Coefficient] = []
        for word in words:
            value = known.get(word)
            if value is None:
                value = coefficient(word)
                if value is None:
                    raise FormatError(
                        f"{source}: block {len(blocks)}, row {len(blocks[-1]) + 1} (line {number}): {word[:40]!r} is not a"
                        " coefficient; write an integer, a fraction such as 1/2, or a Laurent polynomial: x, x2i, (1+-x3)"
                    )
                known[word] = value
            row.append(value)
        blocks[-1].append(row)
    if not blocks:
        raise FormatError(f"{source} has no rows of coefficients")
    return blocks


def _factor(block: Block) -> Factor:
    return Factor.of_vectors(len(block), (enumerate(column) for column in zip(*block, strict=True)))


def coefficient(word: str) -> Coefficient | None:
    """Value of a coefficient; None when the word is not one.

    Examples
    --------
    >>> coefficient("1/2"), str(coefficient("-3/2x2i")), str(coefficient("(1+-x3)"))
    (Fraction(1, 2), '-3/2*eps**-2', '1 - eps**3')
    """
    if word.startswith("(") and word.endswith(")"):
        word = word[1:-1]
    total: dict[int, int | Fraction] = {}
    for text in _JOINT.split(word):
        match = _TERM.fullmatch(text)
        if match is None or not (match["number"] or match["power"]):
            return None
        numerator, _, denominator = (match["number"] or "1").partition("/")
        if denominator and not int(denominator):
            return None
        value = Fraction(int(numerator), int(denominator or 1))
        exponent = int(match["exponent"] or 1) if match["power"] else 0
        if exponent > _MAX_EXPONENT:
            return None
        exponent = -exponent if match["inverse"] else exponent
        total[exponent] = total.get(exponent, 0) + (-value if match["sign"] else value)
    laurent = Laurent.from_mapping({e: rational(Fraction(c)) for e, c in total.items()})
    if not laurent.is_constant:
        return laurent
    return rational(Fraction(total.get(0, 0)))


def write(products: Products) -> bytes:
    """The text of a file, third factor not transposed.

    Raises
    ------
    UsageError
        If the coefficients are irrational.
    """
    products.require(NAME, rational=True)
    blocks: list[str] = []
    for letter, vectors in zip("ABC", zip(*products.units, strict=True), strict=True):
        rows = zip(*vectors, strict=True)
        blocks.append(f"# {letter}\n" + "".join(" ".join(map(_written, row)) + "\n" for row in rows))
    head = "".join(f"# {line}\n" for line in products.header("C"))
    return (head + "".join(blocks)).encode()


def _written(x: Coordinate) -> str:
    """A coefficient as `coefficient` reads it."""
    if not isinstance(x, Laurent):
        return str(x)
    words = []
    for exponent, c in x.terms:
        size = abs(exponent)
        power = "" if not exponent else f"x{size if size > 1 else ''}{'i' if exponent < 0 else ''}"
        number = str(c)
        words.append(power and number.removesuffix("1") + power if number in ("1", "-1") else number + power)
    words = [word or "1" for word in words]
    return words[0] if len(words) == 1 else f"({'+'.join(words)})"

"""Bounds, sizes and durations in words."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rankproof.certificate.steps import Conclusion
from rankproof.problem.question import Floor, Quantity
from rankproof.problem.space import Space


def interval(lower: int | Fraction, upper: int | Fraction | None) -> str:
    """What is known of a number: its value, or an interval that stays open.

    Examples
    --------
    >>> interval(3, 3), interval(17, 18), interval(17, None)
    ('3', '17..18', '>= 17')
    """
    if upper is None:
        return f">= {lower}"
    return str(lower) if lower == upper else f"{lower}..{upper}"


def quantity_in_words(quantity: Quantity | Floor) -> str:
    """What a claim is about.

    Examples
    --------
    >>> quantity_in_words("border_rank"), quantity_in_words(Floor("gaussian", 1))
    ('border width', 'gaussian floor at width 1')
    """
    if isinstance(quantity, Floor):
        return str(quantity)
    return "width" if quantity == "rank" else "border width"


def floor_in_words(found: Conclusion, space: Space) -> str:
    """A floor as a sentence, with the loss and the networks that it is about.

    Parameters
    ----------
    found
        A conclusion about a floor of scale 1.
    space
        That of the target.
    """
    floor = found.quantity
    if not isinstance(floor, Floor):
        return str(found)
    value = Fraction(found.lower)
    about = str(value) if len(str(value)) < 12 else f"{value} = {float(value):.6g}"
    width = plural(floor.width, f"{found.units} unit")
    if floor.loss == "frobenius":
        return f"{found.units} width {floor.width}: squared distance >= {about} to every sum of {width}."
    d = space.form_degree
    return (
        f"{found.units} width {floor.width}: E|f - g|^2 >= {about} for x ~ N(0, I) and every g of degree <= {d} whose part of"
        f" degree {d} is a sum of {width}."
    )


def size_in_words(count: int) -> str:
    """A number of bytes for a person.

    Examples
    --------
    >>> size_in_words(812), size_in_words(1100), size_in_words(2_340_000)
    ('812 B', '1.1 kB', '2.3 MB')
    """
    if count < 1000:
        return f"{count} B"
    for unit in ("kB", "MB"):
        count_in_unit = count / (1000 if unit == "kB" else 1_000_000)
        if count_in_unit < 999.95:
            return f"{count_in_unit:.1f} {unit}"
    return f"{count / 1e9:.1f} GB"


def seconds_in_words(seconds: float) -> str:
    """A duration for a person.

    Examples
    --------
    >>> seconds_in_words(0.0092), seconds_in_words(3.25), seconds_in_words(200)
    ('9 ms', '3.2 s', '3 min 20 s')
    """
    if seconds < 0.9995:
        return f"{max(1, round(seconds * 1000))} ms"
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s"


def plural(count: int, noun: str) -> str:
    """A count with its noun.

    Examples
    --------
    >>> plural(1, "variable"), plural(2, "variable")
    ('1 variable', '2 variables')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def listed(names: Sequence[str]) -> str:
    """Names as they are listed in a sentence.

    Examples
    --------
    >>> listed(["QQ"]), listed(["QQ", "RR", "CC"])
    ('QQ', 'QQ, RR and CC')
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def printable(text: object) -> str:
    """Words of a file that may come from anywhere, without what could steer a terminal.

    Examples
    --------
    >>> printable("plain"), printable("\\x1b[2J")
    ('plain', '\\\\x1b[2J')
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in str(text))

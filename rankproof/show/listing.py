"""The list of a collection as a page: a plain table, with search, filters and sorting where scripts run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from html import escape

from rankproof.certificate.document import Certificate, Conclusion
from rankproof.problem.question import Floor
from rankproof.show.quantities import printable, size_in_words

USUAL = ("QQ", "RR", "CC")
"""Fields with a column of their own."""

LONGEST = 60
"""Characters of a target in a table."""

SHORT_NUMBER = 9
"""Characters of a loss that is written exactly in a table."""


@dataclass(frozen=True)
class Listed:
    """One certificate of a list.

    Attributes
    ----------
    address
        Of its page, seen from the list.
    family
        What it is listed under.
    known
        What the literature says where an interval stays open; may be empty.
    """

    text: str
    address: str
    family: str
    certificate: Certificate
    size: int
    claim: str
    known: str = ""


def short(text: str) -> str:
    """A target as it fits into a table."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 4]} ..."


def cell(stated: Iterable[Conclusion], field: str) -> str:
    """``width / border width`` over a field; the second only where the certificate speaks of it."""
    own = {answer.quantity: answer.interval for answer in stated if str(answer.field) == field}
    words = [own.get("rank", "")]
    if "border_rank" in own:
        words.append(own["border_rank"])
    return " / ".join(words)


def short_number(value: int | Fraction) -> str:
    """A loss: exactly where that is short, otherwise six digits, rounded down."""
    if len(str(value)) <= SHORT_NUMBER:
        return str(value)
    digits = len(str(int(value)))
    if digits > 9:
        return f"{Decimal(int(value) // 10 ** (digits - 6)).scaleb(-5)}e{digits - 1}"
    places = max(0, 6 - digits)
    return str(Decimal(int(value * 10**places)).scaleb(-places))


def listing(title: str, entries: Sequence[Listed], style: str, script: str) -> str:
    """The page.

    Parameters
    ----------
    title
        Its heading.
    entries
        The certificates, in their order.
    style, script
        Addresses of the style sheet and of the script.
    """
    policy = "default-src 'none'; style-src 'self' file:; script-src 'self' file:; base-uri 'none'; form-action 'none'"
    lines = "\n".join(row for entry in entries for row in _rows(entry))
    heads = ("target", "units", *USUAL, "other fields, floors", "family", "rules", "size", "claim")
    stated = [answer for entry in entries for answer in entry.certificate.conclusion]
    answers = [answer for answer in stated if not isinstance(answer.quantity, Floor)]
    floors = f", and {len(stated) - len(answers)} floors" if len(answers) < len(stated) else ""
    closed = sum(answer.lower == answer.upper for answer in answers)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<title>{escape(title)}</title>\n<link rel="stylesheet" href="{escape(style)}">\n</head>\n<body class="list">\n'
        f"<header>\n<h1>{escape(title)}</h1>\n<p>{len(entries)} certificates, {len(answers)} questions, {closed} of them answered"
        f" by one number{floors}. Every target leads to a page that explains the proof and checks it in the browser.</p>\n"
        '<p class="soft">A column a field: the width over it, and after the stroke the border width. 17..18 is what is proved of'
        " a number that is still open.</p>\n</header>\n<main>\n"
        f"{_filters(entries)}\n"
        '<div class="wide" tabindex="0" role="region" aria-label="Table of certificates">\n<table id="certificates">\n<thead><tr>'
        + "".join(f'<th scope="col">{head}</th>' for head in heads)
        + f'</tr></thead>\n<tbody>\n{lines}\n</tbody>\n</table>\n</div>\n</main>\n<script src="{escape(script)}"></script>\n'
        "</body>\n</html>"
    )


def _filters(entries: Sequence[Listed]) -> str:
    stated = [answer for entry in entries for answer in entry.certificate.conclusion]
    rules = sorted({printable(step.rule) for entry in entries for step in entry.certificate.steps})
    choices = (
        ("units", "Units", dict.fromkeys(answer.units for answer in stated)),
        ("field", "Field", dict.fromkeys(str(answer.field) for answer in stated)),
        ("rule", "Rule", rules),
    )
    selects = "".join(
        f'<label>{label} <select id="{name}"><option value="">all</option>'
        + "".join(f"<option>{escape(value)}</option>" for value in values)
        + "</select></label>\n"
        for name, label, values in choices
    )
    return (
        '<form id="filters" role="search" hidden>\n<label>Search <input type="search" id="search" autocomplete="off"></label>\n'
        f'{selects}<label><input type="checkbox" id="open"> only open</label>\n'
        '<p id="count" role="status" aria-live="polite"></p>\n</form>'
    )


def _rows(entry: Listed) -> Iterable[str]:
    stated = entry.certificate.conclusion
    rules = list(dict.fromkeys(printable(step.rule) for step in entry.certificate.steps))
    link = f'<a href="{escape(entry.address)}"><code>{escape(printable(short(entry.text)))}</code></a>'
    if entry.known:
        link += f"<details><summary>in the literature</summary>{escape(entry.known)}</details>"
    for units in dict.fromkeys(answer.units for answer in stated):
        own = [answer for answer in stated if answer.units == units]
        fields = list(dict.fromkeys(str(answer.field) for answer in own))
        others = ", ".join(
            f"{field}: {cell(own, field)}" for field in fields if field not in USUAL and cell(own, field)
        )
        losses = [(a.quantity, a) for a in own if isinstance(a.quantity, Floor)]
        others = ", ".join([others, *(f"{floor} >= {short_number(a.lower)}" for floor, a in losses)]).strip(
            ", "
        )
        is_open = any(a.lower != a.upper for a in own if not isinstance(a.quantity, Floor))
        found = " ".join((entry.text, entry.family, units, *rules, entry.known)).lower()
        values = "".join(f'<td class="value">{escape(cell(own, field))}</td>' for field in USUAL)
        yield (
            f'<tr data-units="{escape(units)}" data-field="{escape(" ".join(fields))}" data-rule="{escape(" ".join(rules))}"'
            f' data-open="{"yes" if is_open else "no"}" data-text="{escape(printable(found))}"><th scope="row">{link}</th>'
            f"<td>{escape(units)}</td>{values}<td>{escape(others)}</td><td>{escape(entry.family)}</td>"
            f'<td class="rules">{escape(", ".join(rules))}</td><td data-number="{entry.size}">{size_in_words(entry.size)}</td>'
            f"<td><code>{escape(entry.claim[:12])}</code></td></tr>"
        )


__all__ = ["LONGEST", "USUAL", "Listed", "cell", "listing", "short", "short_number"]

"""A certificate as one page of HTML: no scripts, no fonts from elsewhere, readable in a mail and in twenty years."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from rankproof.certificate.document import Certificate, Conclusion, Step
from rankproof.errors import FormatError
from rankproof.problem.question import Floor
from rankproof.problem.space import Space
from rankproof.show.answers import shape_in_words, unit_in_words
from rankproof.show.notation import TEXT
from rankproof.show.quantities import interval, printable
from rankproof.show.steps import claim_in_words, figures, formula, why
from rankproof.show.text import number_field_in_words
from rankproof.show.verdict import Verdict, objection

_STYLE = """\
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; }
th, td { border-bottom: 1px solid #ccc; padding: .2rem .8rem; text-align: left; }
td.value { text-align: right; font-variant-numeric: tabular-nums; }
pre, code { font-family: ui-monospace, monospace; font-size: 14px; }
pre { overflow-x: auto; background: #f6f6f6; padding: .5rem; }
.refused { border: 2px solid #a00; padding: .5rem; }"""


def certificate(shown: Certificate, verdict: Verdict | None, *, most_units: int | None = None) -> str:
    """A whole page.

    Parameters
    ----------
    shown
        What was read from the file.
    verdict
        The verifier's verdict on the very bytes that were read; ``None`` when it was not asked.
    most_units
        Units of one decomposition that are written out; all when ``None``.
    """
    target = shown.target
    title = escape(target.text)
    fields = "".join(f"<p>{escape(number_field_in_words(field))}</p>\n" for field in shown.number_fields())
    steps = "\n".join(_step(shown, step, most_units) for step in shown.steps)
    producer = "; ".join(printable(f"{key} {value}") for key, value in shown.producer.items())
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        f"<style>\n{_STYLE}\n</style>\n</head>\n<body>\n<h1><code>{title}</code></h1>\n"
        f"{_verdict(verdict)}\n<p>{escape(shape_in_words(target.space))}, coefficients in {escape(str(target.ring))}</p>\n"
        f"{fields}{_conclusion(shown.conclusion, target.space)}\n"
        f'<ol start="0">\n{steps}\n</ol>\n<p>Made by: {escape(producer)}</p>\n</body>\n</html>'
    )


def _verdict(verdict: Verdict | None) -> str:
    if verdict is None or not verdict.ok:
        return f'<p class="refused"><strong>NOT VERIFIED</strong> {escape(objection(verdict))}</p>'
    accepted = f", accepting {escape(', '.join(verdict.theorems))}" if verdict.theorems else ""
    return (
        f"<p><strong>{escape(verdict.word)}</strong>{accepted}<br>\n"
        f"claim <code>{verdict.claim_hash}</code><br>\nsha256 <code>{verdict.sha256}</code></p>"
    )


_HEADS = {"rank": "", "border_rank": "border "}


def _conclusion(stated: Sequence[Conclusion], space: Space) -> str:
    columns = list(dict.fromkeys((answer.quantity, str(answer.field)) for answer in stated))
    values = {(a.units, a.quantity, str(a.field)): interval(a.lower, a.upper) for a in stated}
    heads = "".join(
        f"<th>{escape(f'{quantity}, ' if isinstance(quantity, Floor) else _HEADS[quantity])}{escape(field)}</th>"
        for quantity, field in columns
    )
    rows = "\n".join(
        f"<tr><td>{escape(units)}</td><td><code>{escape(unit_in_words(units, space))}</code></td>"
        + "".join(f'<td class="value">{escape(values.get((units, *column), ""))}</td>' for column in columns)
        + "</tr>"
        for units in dict.fromkeys(answer.units for answer in stated)
    )
    return f"<table>\n<tr><th>units</th><th></th>{heads}</tr>\n{rows}\n</table>"


def _step(shown: Certificate, step: Step, most_units: int | None) -> str:
    after = f", from step {', '.join(map(str, step.premises))}" if step.premises else ""
    head = f"<strong>{escape(claim_in_words(step.claim))}</strong> by {escape(printable(step.rule))}{after}: "
    said = f"<li>{head}{escape(why(step, shown.target))}"
    try:
        if (sizes := figures(shown, step)) is not None:
            said += f"<br>{escape(sizes)}"
        identity = formula(shown, step, TEXT)
    except FormatError as error:
        return f"{said}<p>{escape(str(error))}</p></li>"
    if identity is None:
        return f"{said}</li>"
    units = identity.lines()
    kept = units if most_units is None else units[:most_units]
    more = [f"... and {len(units) - len(kept)} more"] if len(kept) < len(units) else []
    written = "\n".join([f"{identity.left} =", *(f"  {unit}" for unit in kept), *more])
    return f"{said}\n<pre>{escape(written)}</pre></li>"

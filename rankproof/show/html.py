"""A certificate as one page of HTML: readable without scripts and without a network, and checked by a button.

The page holds the bytes of the certificate as text, and the JavaScript verifier, which runs on that text. A content
security policy allows this one script and nothing else, so that nothing a certificate says can run or load anything.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from html import escape
from importlib.resources import files

from rankproof.certificate.document import Certificate, Conclusion, Step
from rankproof.errors import FormatError
from rankproof.problem.field import NumberField
from rankproof.problem.question import Floor
from rankproof.problem.space import Space
from rankproof.show import mathml
from rankproof.show.answers import LONGEST_TARGET, shape_in_words, unit_in_words
from rankproof.show.explanations import explanation, unit_meaning
from rankproof.show.graph import STYLE, proof_graph, svg
from rankproof.show.quantities import interval, plural, printable, size_in_words
from rankproof.show.reasons import Statement, statements
from rankproof.show.script import default_script
from rankproof.show.sentences import called, statement_in_words, transfer
from rankproof.show.steps import claim_in_words, figures, formula, why
from rankproof.show.verdict import Verdict, objection

MOST_TERMS = 60
"""Coefficients of a target that is written out in mathematics."""

UNFOLDED = 12
"""Units of a decomposition that are seen without opening anything."""


@cache
def asset(name: str) -> str:
    """A file of this package that goes into pages."""
    return files("rankproof.show").joinpath(name).read_text(encoding="utf-8")


def page_script() -> str:
    """The verifier and the buttons, for a page of its own or for many pages that share it."""
    return f"{default_script()}\n{asset('page.js')}"


def page_style() -> str:
    """The style of the pages, with that of the proof graph."""
    return f"{asset('page.css')}{STYLE}\n"


def certificate(
    shown: Certificate,
    verdict: Verdict | None,
    data: bytes,
    *,
    file: str = "certificate.json",
    most_units: int | None = None,
    shared: str | None = None,
    back: str = "",
) -> str:
    """A whole page.

    Parameters
    ----------
    shown
        What was read from the file.
    verdict
        The verifier's verdict on the very bytes that were read; ``None`` when it was not asked.
    data
        Those bytes.
    file
        Under which name the page offers to save them.
    most_units
        Units of one decomposition that are written out; all when ``None``.
    shared
        Folder, seen from the page, with ``page.css`` and ``page.js``; ``None`` puts both into the page.
    back
        Address of a page to go back to.
    """
    target = shown.target
    name = target.text if len(target.text) <= LONGEST_TARGET else f"{target.text[: LONGEST_TARGET - 4]} ..."
    title = escape(printable(name))
    sha256 = hashlib.sha256(data).hexdigest()
    concluded = statements(shown)
    fields = "".join(f"<p>{_number_field(field)}.</p>\n" for field in shown.number_fields())
    parts = [
        _head(title, shared),
        f'<body data-sha256="{sha256}" data-file="{escape(file)}">',
        f'<nav aria-label="Site"><a href="{escape(back)}">All certificates</a></nav>' if back else "",
        f'<header>\n<h1><code>{title}</code></h1>\n<p class="soft">{escape(_shape(shown))}</p>\n</header>\n<main>',
        _verdict(verdict),
        _statement(shown, concluded, fields),
        _check(),
        _reasons(shown, concluded),
        _steps(shown, most_units),
        '<section aria-labelledby="graph-head">\n<h2 id="graph-head">Proof graph</h2>\n<p class="soft">Steps at the left,'
        ' and what follows from them at the right; every box leads to its text.</p>\n<div class="wide" tabindex="0"'
        f' role="region" aria-label="Proof graph">\n{svg(proof_graph(shown), links=True)}\n</div>\n</section>',
        _source(data, sha256),
        f'</main>\n<footer class="soft">\n<p>Made by: {escape(_producer(shown))}</p>\n</footer>',
        _script(shared),
        "</body>\n</html>",
    ]
    return "\n".join(part for part in parts if part)


def _shape(shown: Certificate) -> str:
    target = shown.target
    if target.block is not None:
        return "a block of a weights file: homogeneous of degree 2"
    return f"{shape_in_words(target.space)}, coefficients in {target.ring}"


def _head(title: str, shared: str | None) -> str:
    if shared is None:
        digest = base64.b64encode(hashlib.sha256(f"\n{page_script()}\n".encode()).digest()).decode()
        allowed = f"style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
        style = f"<style>\n{page_style()}</style>"
    else:
        # 'self' is a site; a folder on a disk has no name, and its files are of the scheme file.
        allowed = "style-src 'self' file:; script-src 'self' file:"
        style = f'<link rel="stylesheet" href="{escape(shared)}page.css">'
    policy = f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}: what is proved</title>\n{style}\n</head>"
    )


def _script(shared: str | None) -> str:
    if shared is None:
        return f"<script>\n{page_script()}\n</script>"
    return f'<script src="{escape(shared)}page.js"></script>'


def _verdict(verdict: Verdict | None) -> str:
    if verdict is None or not verdict.ok:
        return (
            f'<p class="refused"><strong>NOT VERIFIED</strong> {escape(objection(verdict))}. What this page says is what the'
            " file states, and not what is proved.</p>"
        )
    accepted = f", accepting {escape(', '.join(verdict.theorems))}" if verdict.theorems else ""
    return (
        f'<p class="verified"><strong>{escape(verdict.word)}</strong>{accepted} by the verifier of'
        f' rankproof. Claim <code class="hash">{verdict.claim_hash}</code>,'
        f' sha256 <code class="hash">{verdict.sha256}</code>.</p>'
    )


def _number_field(field: NumberField) -> str:
    terms = [
        (c, mathml.MATHML.power("<mi>t</mi>", k) if k else "") for k, c in enumerate(field.minimal_polynomial)
    ]
    polynomial = mathml.math(mathml.MATHML.sum(list(reversed(terms))))
    root = f"{mathml.math(mathml.MATHML.name(field.symbol))}"
    if field.real_root is None:
        return f"{root} is a root of {polynomial}"
    low, high = field.real_root
    return f"{root} is the root of {polynomial} between {low} and {high}"


_HEADS = {"rank": "", "border_rank": "border "}


def _statement(shown: Certificate, concluded: Sequence[Statement], fields: str) -> str:
    target = shown.target
    if target.block is not None:
        let = (
            f"<p>f is the even part of a block of the weights file {_weights(shown, 'file')} with sha256"
            f' <code class="hash">{_weights(shown, "sha256")}</code>. The weights are not in this page, so that the check'
            " below cannot read them: rankproof verify --weights can.</p>"
        )
    elif len(target.entries) <= MOST_TERMS:
        let = mathml.math(f"<mi>f</mi><mo>=</mo>{mathml.target(target)}", alone=True)
        let = (
            f'<div class="wide statement" tabindex="0" role="region" aria-label="The target">\n{let}\n</div>'
        )
    else:
        let = f"<p>f is {called(shown)} named above, with {plural(len(target.entries), 'coefficient')}.</p>"
    models = dict.fromkeys(statement.units for statement in concluded)
    meanings = "\n".join(
        f"<li>{'An' if units == 'untied' else 'A'} <em>{escape(units)}</em> unit"
        f" {mathml.math(mathml.unit(units, target.space))} is {escape(unit_meaning(units))}.</li>"
        for units in models
    )
    if any(isinstance(statement.quantity, Floor) for statement in concluded):
        meanings += (
            "\n<li>A <em>floor</em> of a loss at some width is a number below which no network of this width gets, whatever its"
            " weights are; frobenius is the squared norm of the difference, the others are means of the squared error.</li>"
        )
    said = "\n".join(f"<li>{escape(statement_in_words(statement))}</li>" for statement in concluded)
    return (
        f'<section aria-labelledby="states">\n<h2 id="states">What the certificate states</h2>\n{let}\n{fields}'
        f"<ul>\n{said}\n</ul>\n{_conclusion(shown.conclusion, target.space)}\n<ul>\n{meanings}\n</ul>\n</section>"
    )


def _weights(shown: Certificate, key: str) -> str:
    described = (shown.target.block or {}).get("block")
    return escape(printable(described.get(key, ""))) if isinstance(described, dict) else ""


def _conclusion(stated: Sequence[Conclusion], space: Space) -> str:
    """The table of widths; floors stand in the sentences above it."""
    widths = [(answer.quantity, answer) for answer in stated if not isinstance(answer.quantity, Floor)]
    if not widths:
        return ""
    columns = list(dict.fromkeys((quantity, str(answer.field)) for quantity, answer in widths))
    values = {(a.units, quantity, str(a.field)): interval(a.lower, a.upper) for quantity, a in widths}
    heads = "".join(f'<th scope="col">{_HEADS[quantity]}{escape(field)}</th>' for quantity, field in columns)
    rows = "\n".join(
        f'<tr><th scope="row">{escape(units)}</th><td><code>{escape(unit_in_words(units, space))}</code></td>'
        + "".join(f'<td class="value">{escape(values.get((units, *column), ""))}</td>' for column in columns)
        + "</tr>"
        for units in dict.fromkeys(answer.units for _, answer in widths)
    )
    return (
        '<div class="wide" tabindex="0" role="region" aria-label="Table of widths">\n<table>\n<caption>Units that f needs'
        f' over each field; border: to come arbitrarily close</caption>\n<thead><tr><th scope="col">units</th>'
        f'<th scope="col">one unit</th>{heads}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>\n</div>'
    )


def _check() -> str:
    return (
        '<section aria-labelledby="check">\n<h2 id="check">Check it here</h2>\n<noscript><p>Without JavaScript'
        " this page can be read but not checked: save the certificate below as a file and run"
        " <code>rankproof verify</code> on it.</p></noscript>\n"
        '<div id="controls" hidden>\n<p>The page holds a second verifier, written in JavaScript. It reads the certificate below,'
        " derives every step again, and needs no network.</p>\n"
        '<p><button type="button" id="verify-button">Verify in this browser</button>'
        '<button type="button" id="spoil-button">Falsify it and verify again</button>'
        '<button type="button" id="save-button">Save the certificate</button></p>\n'
        '<div id="answer" role="status" aria-live="polite"></div>\n</div>\n</section>'
    )


def _reasons(shown: Certificate, concluded: Sequence[Statement]) -> str:
    blocks: list[str] = []
    for k, statement in enumerate(concluded):
        lines = [f'<h3 id="statement-{k}">{escape(statement_in_words(statement))}</h3>', "<dl>"]
        sides = (
            ("At least", statement.lower, statement.lower_step),
            ("At most", statement.upper, statement.upper_step),
        )
        for words, value, place in sides:
            if place is None:
                continue
            step = shown.steps[place]
            said = " ".join([f"{_sentence(why(step, shown.target))}", *transfer(step.claim, statement)])
            link = f'<a href="#step-{place}">Step {place}</a> (<code>{escape(printable(step.rule))}</code>)'
            lines.append(f"<dt>{words} {value}</dt><dd>{link}: {escape(said)}</dd>")
        blocks.append("\n".join([*lines, "</dl>"]))
    return '<section aria-labelledby="why">\n<h2 id="why">Why</h2>\n' + "\n".join(blocks) + "\n</section>"


def _sentence(phrase: str) -> str:
    return f"{phrase[:1].upper()}{phrase[1:]}."


def _steps(shown: Certificate, most_units: int | None) -> str:
    steps = "\n".join(_step(shown, index, step, most_units) for index, step in enumerate(shown.steps))
    return (
        '<section aria-labelledby="proof">\n<h2 id="proof">The proof, step by step</h2>\n'
        f'<ol class="steps">\n{steps}\n</ol>\n</section>'
    )


def _step(shown: Certificate, index: int, step: Step, most_units: int | None) -> str:
    after = f", from step {', '.join(map(str, step.premises))}" if step.premises else ""
    said = (
        f'<li id="step-{index}"><h3>Step {index}: {escape(claim_in_words(step.claim))}</h3>\n'
        f"<p>By <code>{escape(printable(step.rule))}</code>{after}: {escape(printable(why(step, shown.target)))}.</p>"
    )
    if words := explanation(step.rule):
        said += f'\n<p class="soft">{escape(words)}</p>'
    try:
        if (sizes := figures(shown, step)) is not None:
            said += f"\n<p>{escape(sizes)}</p>"
        return f"{said}{_units(shown, step, most_units)}</li>"
    except FormatError as error:
        return f"{said}\n<p>{escape(printable(error))}</p></li>"


def _units(shown: Certificate, step: Step, most_units: int | None) -> str:
    identity = formula(shown, step, mathml.MATHML)
    if identity is None:
        return ""
    written = mathml.terms(identity)
    kept = written if most_units is None else written[:most_units]
    items = "\n".join(f"<li>{term}</li>" for term in kept)
    if len(kept) < len(written):
        items += f"\n<li>... and {len(written) - len(kept)} more</li>"
    left = f"<p>{mathml.math(f'{identity.left}<mo>=</mo>')}</p>"
    units = f'<ol class="units" tabindex="0" aria-label="Units">\n{items}\n</ol>'
    if len(kept) <= UNFOLDED:
        return f"\n{left}\n{units}"
    return f"\n<details>\n<summary>The {plural(len(written), 'unit')}</summary>\n{left}\n{units}\n</details>"


def _source(data: bytes, sha256: str) -> str:
    # A carriage return would be read as a line feed, and a line feed behind <pre> is dropped: with both written out, the
    # text of the element is the file, byte for byte.
    text = escape(data.decode("ascii"), quote=False).replace("\r", "&#13;")
    return (
        f'<section aria-labelledby="file">\n<h2 id="file">The certificate</h2>\n<p class="soft">{size_in_words(len(data))} of'
        f' JSON; sha256 <code class="hash">{sha256}</code>. Nothing else has to be believed.</p>\n'
        f'<pre id="certificate" tabindex="0" role="region" aria-label="The certificate as JSON">\n{text}</pre>\n</section>'
    )


def _producer(shown: Certificate) -> str:
    return "; ".join(f"{printable(key)} {printable(value)}" for key, value in shown.producer.items())


__all__ = ["asset", "certificate", "page_script", "page_style"]

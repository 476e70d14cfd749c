"""A certificate as LaTeX: a statement and its proof, to be pasted into a paper that loads amsmath and amssymb."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from rankproof.certificate.document import Certificate, Conclusion, Step
from rankproof.errors import FormatError
from rankproof.problem.field import Field, NumberField
from rankproof.problem.question import Floor, Quantity
from rankproof.problem.target import latex as target_in_latex
from rankproof.show.answers import shape_in_words
from rankproof.show.formula import Formula
from rankproof.show.notation import LATEX
from rankproof.show.quantities import listed, printable, quantity_in_words
from rankproof.show.steps import formula, left_side, why
from rankproof.show.verdict import Verdict, objection

LONGEST_TARGET = 1000
"""Characters of LaTeX of a target that is written out; a longer one is described by its shape."""

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "<": "$<$",
    ">": "$>$",
    "|": "$|$",
}


def escape(text: str) -> str:
    r"""Text with the characters that LaTeX reserves made harmless.

    Examples
    --------
    >>> escape("50% of x_1")
    '50\\% of x\\_1'
    """
    ascii_only = text.encode("ascii", "backslashreplace").decode("ascii")
    return "".join(_SPECIAL.get(character, character) for character in ascii_only)


def field_in_latex(field: Field) -> str:
    r"""A field in mathematics.

    Examples
    --------
    >>> from rankproof.problem.field import QQ, gf
    >>> field_in_latex(QQ), field_in_latex(gf(7))
    ('\\mathbb{Q}', '\\mathbb{F}_{7}')
    """
    if field.characteristic:
        return rf"\mathbb{{F}}_{{{field.characteristic}}}"
    if field.number_field is not None:
        return rf"\mathbb{{Q}}({LATEX.name(field.number_field.symbol)})"
    return rf"\mathbb{{{field.name[0]}}}"


def certificate(shown: Certificate, verdict: Verdict | None, *, most_units: int | None = None) -> str:
    """The statement of a certificate and its steps.

    Parameters
    ----------
    shown
        What was read from the file.
    verdict
        The verifier's verdict on the very bytes that were read; ``None`` when it was not asked.
    most_units
        Units of one decomposition that are written out; all when ``None``.
    """
    lines = [*_comments(verdict), _let(shown), r"\begin{itemize}"]
    lines += [rf"  \item {sentence}" for sentence in _statements(shown.conclusion)]
    lines += [r"\end{itemize}", r"\begin{enumerate}", r"  \setcounter{enumi}{-1}"]
    for step in shown.steps:
        lines += [f"  {line}" for line in _step(shown, step, most_units)]
    lines.append(r"\end{enumerate}")
    return "\n".join(lines)


def document(shown: Certificate, verdict: Verdict | None, *, most_units: int | None = None) -> str:
    """The same as a document that compiles by itself; `certificate` says what the parameters are."""
    return "\n".join([_PREAMBLE, certificate(shown, verdict, most_units=most_units), r"\end{document}"])


_PREAMBLE = r"""\documentclass{article}
\usepackage{amsmath,amssymb}
\allowdisplaybreaks
\emergencystretch=3em
\begin{document}"""


def _comments(verdict: Verdict | None) -> list[str]:
    if verdict is None or not verdict.ok:
        reason = " ".join(objection(verdict).split())
        return [f"% NOT VERIFIED: {reason}", rf"\textbf{{NOT VERIFIED:}} {escape(reason)}.", ""]
    accepted = [f"% accepting {', '.join(verdict.theorems)}"] if verdict.theorems else []
    return [
        f"% {verdict.word} by rankproof",
        *accepted,
        f"% claim {verdict.claim_hash}",
        f"% sha256 {verdict.sha256}",
    ]


def _let(shown: Certificate) -> str:
    target = shown.target
    written = target_in_latex(target)
    if len(written) > LONGEST_TARGET:
        what = f"Let $f$ be the target in the certificate ({shape_in_words(target.space)})"
    elif target.name is not None:
        what = rf"Let $f$ be \texttt{{{escape(target.text)}}} ({shape_in_words(target.space)})"
    else:
        what = f"Let $f = {written}$"
    over = "" if target.ring.name == "QQ" else f", with coefficients in ${field_in_latex(target.ring)}$"
    fields = [_number_field(field) for field in shown.number_fields()]
    return f"{what}{over}{''.join(fields)}. The certificate states:"


def _number_field(field: NumberField) -> str:
    terms = [
        (field.minimal_polynomial[k], LATEX.power("t", k) if k else "") for k in range(field.degree, -1, -1)
    ]
    between = "" if field.real_root is None else f" between ${field.real_root[0]}$ and ${field.real_root[1]}$"
    article = "the" if between else "a"
    return f"; ${LATEX.name(field.symbol)}$ is {article} root of ${LATEX.sum(terms)}${between}"


def _statements(stated: Sequence[Conclusion]) -> list[str]:
    """One sentence for all fields that agree."""
    groups: dict[tuple[str, Quantity | Floor, int | Fraction, int | Fraction | None], list[str]] = {}
    for answer in stated:
        key = (answer.units, answer.quantity, answer.lower, answer.upper)
        groups.setdefault(key, []).append(f"${field_in_latex(answer.field)}$")
    sentences: list[str] = []
    for (units, quantity, lower, upper), fields in groups.items():
        if upper is None:
            value = f"at least ${lower}$"
        elif lower == upper:
            value = f"${lower}$"
        else:
            value = f"at least ${lower}$ and at most ${upper}$"
        width = quantity_in_words(quantity)
        sentences.append(f"the {units} {width} of $f$ over {listed(fields)} is {value};")
    sentences[-1] = sentences[-1].removesuffix(";") + "."
    return sentences


def _step(shown: Certificate, step: Step, most_units: int | None) -> list[str]:
    claim = step.claim
    relation = r"\geq" if claim.relation == ">=" else r"\leq"
    width = quantity_in_words(claim.quantity)
    after = f", from {listed([str(premise) for premise in step.premises])}" if step.premises else ""
    head = (
        rf"\item {claim.units} {width} over ${field_in_latex(claim.over)}$ is ${relation} {claim.value}$,"
        rf" by \texttt{{{escape(printable(step.rule))}}}{after}: {escape(why(step, shown.target))}."
    )
    try:
        identity = formula(shown, step, LATEX)
    except FormatError as error:
        return [head, f"  {escape(str(error))}"]
    return (
        [head]
        if identity is None
        else [head, *_aligned(identity, left_side(shown.target, LATEX), most_units)]
    )


def _aligned(identity: Formula, left: str, most_units: int | None) -> list[str]:
    units = identity.lines()
    shown = units if most_units is None else units[:most_units]
    if len(shown) < len(units):
        shown = [*shown, rf"+ \cdots \quad(\text{{{len(units) - len(shown)} more}})"]
    rows = [
        f"  {identity.left} ={{}}& {shown[0].strip()}",
        *(rf"  & {re.sub('^ ', '', unit)}" for unit in shown[1:]),
    ]
    return [r"\begin{align*}", *(f"{row} \\\\" for row in rows[:-1]), rows[-1], r"\end{align*}"]

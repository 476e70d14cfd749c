"""What results of experiments say about the claims of the paper on CP-MLP blocks. Plain data: results are JSON objects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rankproof.problem.parse import read_targets

Result = Mapping[str, Any]

GATED = ("products", "teacher", "language")
POLYNOMIAL = ("quadratics", "asymmetric", "powers", "mixed", "degrees", "outputs")


@dataclass(frozen=True)
class Verdict:
    """A claim and what was seen.

    Attributes
    ----------
    claim
        One sentence.
    word
        ``confirmed``, ``mostly confirmed``, ``contradicted``, ``mixed`` where results point both ways, ``open`` where
        most intervals contain zero.
    evidence
        Numbers.
    source
        The experiments they are from.
    """

    claim: str
    word: str
    evidence: str
    source: str


def verdicts(results: Mapping[str, Result]) -> list[Verdict]:
    """One verdict for each claim that the results speak about, by the names of the experiments."""
    found: list[Verdict] = []
    if "quadratics" in results:
        found += _quadratics(results["quadratics"])
    if "asymmetric" in results:
        found.append(_asymmetric(results["asymmetric"]))
    if "powers" in results:
        found.append(_powers(results["powers"]))
    polynomial = [name for name in POLYNOMIAL if name in results]
    if polynomial:
        cells = [
            cell for name in polynomial for case in results[name]["cases"] for cell in _below_exact(case)
        ]
        found += _plateaus(cells, ", ".join(polynomial))
    for name in GATED:
        if name in results:
            found += [_gated(results[name], by) for by in results[name]["plan"]["matched"]]
    return found


def exact_widths(case: Result) -> dict[str, int | None]:
    """Least width at which training found a solution, for tied and untied units."""
    return {units: case["found"][units]["exact"] for units in ("tied", "untied")}


def _pairs(result: Result) -> Iterator[tuple[str, Result, int | None, int | None]]:
    for case in result["cases"]:
        widths = exact_widths(case)
        yield case["target"], case, widths["tied"], widths["untied"]


def _quadratics(result: Result) -> list[Verdict]:
    rows: dict[bool, list[tuple[int | None, int | None]]] = {True: [], False: []}
    for text, _, tied, untied in _pairs(result):
        (target,) = read_targets(text)
        indefinite = len({value > 0 for _, value in target.entries}) == 2  # pyright: ignore[reportOperatorIssue]
        rows[indefinite].append((tied, untied))
    fewer = [tied is not None and untied is not None and untied < tied for tied, untied in rows[True]]
    widths = ", ".join(f"{tied} to {untied}" for tied, untied in rows[True])
    same = [tied == untied is not None for tied, untied in rows[False]]
    return [
        Verdict(
            "Untied units are more width-efficient on indefinite quadratic forms",
            _word(fewer),
            f"exact width, tied to untied: {widths}",
            "quadratics",
        ),
        Verdict(
            "On definite quadratic forms both need the same width",
            _word(same),
            f"equal for {sum(same)} of {len(same)} definite forms",
            "quadratics",
        ),
    ]


def _asymmetric(result: Result) -> Verdict:
    rows = [(text, tied, untied) for text, _, tied, untied in _pairs(result)]
    # Where training finds no tied solution at any width that was tried, untied units are ahead all the more.
    fewer = [untied is not None and (tied is None or untied < tied) for _, tied, untied in rows]
    widths = ", ".join(
        f"{text}: {tied or 'none found'} to {untied or 'none found'}" for text, tied, untied in rows
    )
    return Verdict(
        "Untied units are more width-efficient on monomials whose variables play different roles",
        _word(fewer),
        f"exact width, tied to untied: {widths}",
        "asymmetric",
    )


def _powers(result: Result) -> Verdict:
    rows = [(text, tied, untied) for text, _, tied, untied in _pairs(result)]
    same = [tied == untied is not None for _, tied, untied in rows]
    widths = ", ".join(
        f"{text}: {tied or 'none found'} and {untied or 'none found'}" for text, tied, untied in rows
    )
    return Verdict(
        "On sums of pure powers both need the same width",
        _word(same),
        f"exact width, tied and untied: {widths}",
        "powers",
    )


def _below_exact(case: Result) -> Iterator[tuple[bool, str, float]]:
    """Cells below the certified exact width: whether below the border width too, what they look like, relative loss."""
    for own in case["certified"]:
        for cell in case["cells"]:
            if cell["units"] == own["units"] and cell["width"] < own["lower"]:
                upper = own["border_upper"]
                if cell["width"] < own["border_lower"]:
                    yield True, cell["kind"], cell["loss"]
                elif upper is not None and cell["width"] >= upper:
                    yield False, cell["kind"], cell["loss"]


def _plateaus(cells: list[tuple[bool, str, float]], source: str) -> list[Verdict]:
    out = [(kind, loss) for below, kind, loss in cells if below]
    between = [(kind, loss) for below, kind, loss in cells if not below]
    found: list[Verdict] = []
    if out:
        least, stay = min(loss for _, loss in out), sum(kind == "plateau" for kind, _ in out)
        found.append(
            Verdict(
                "Below the border width the loss has a plateau",
                _word([kind == "plateau" for kind, _ in out]),
                f"{stay} of {len(out)} widths; least loss {least:.2g} of the zero function's",
                source,
            )
        )
    if between:
        falls = sum(kind == "border-like" for kind, _ in between)
        found.append(
            Verdict(
                "Between border width and exact width the loss has a plateau",
                _word([kind == "plateau" for kind, _ in between]),
                f"at {falls} of {len(between)} widths it falls for as long as the weights grow",
                source,
            )
        )
    return found


def _gated(result: Result, by: str) -> Verdict:
    rows = [row for row in result["comparisons"] if row["by"] == by]
    count = {word: sum(row["better"] == word for row in rows) for word in ("untied", "tied", "open")}
    evidence = (
        f"two projections have less loss in {count['untied']} of {len(rows)} pairs, one in {count['tied']}"
    )
    if count["open"]:
        evidence += f", {count['open']} open"
    word = _ahead(count, len(rows))
    what = {
        "width": "width",
        "projections": "input projections",
        "parameters": "parameters",
        "flops": "operations",
    }
    return Verdict(
        f"Trained on {_TASKS[result['experiment']]}, two projections are ahead at equal {what[by]}",
        word,
        evidence,
        result["experiment"],
    )


def _ahead(count: Mapping[str, int], pairs: int) -> str:
    """What significant differences say; pairs that are open say nothing, and are no contradiction."""
    if count["untied"] and count["tied"]:
        return "mixed"
    if 2 * count["untied"] > pairs:
        return "confirmed" if count["untied"] == pairs else "mostly confirmed"
    return "contradicted" if 2 * count["tied"] > pairs else "open"


_TASKS = {"products": "products", "teacher": "a smooth network", "language": "text"}


def _word(facts: list[bool]) -> str:
    return "confirmed" if facts and all(facts) else "mixed" if any(facts) else "contradicted"


__all__ = ["GATED", "POLYNOMIAL", "Verdict", "exact_widths", "verdicts"]

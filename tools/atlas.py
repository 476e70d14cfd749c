"""Prove what can be proved about the targets of an atlas of known values, and write the pages that compare the two.

    python tools/atlas.py ATLAS.json docs/atlas.md [--only TEXT] [--budget SECONDS]
    python tools/atlas.py ATLAS.json docs/atlas-tensors.md --tensors

The atlas is a JSON file with entries of exact targets, and for every target values with their sources. Why a known value of a
tensor is not reproduced stands in tools/atlas_misses.py.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from atlas_misses import NAMES, why

from rankproof.bounds import LOWER
from rankproof.errors import RankproofError
from rankproof.problem.field import CC, QQ, RR, Field
from rankproof.problem.parse import read_targets
from rankproof.problem.space import Space
from rankproof.problem.target import Target
from rankproof.prove import Answer, certify

BUDGET = 10.0
"""Seconds for the search about one target."""

MODELS = {
    "tied": ("tied", "rank"),
    "untied": ("untied", "rank"),
    "chow": ("split", "rank"),
    "tied_border": ("tied", "border_rank"),
    "cp": ("product", "rank"),
    "border_cp": ("product", "border_rank"),
}
"""The atlas's names for the questions that have units here."""

FIELDS = {
    "Q": QQ,
    "R": RR,
    "C": CC,
    "Q(i)": Field.parse("QQ(i)"),
    "Q(w3)": Field.parse("QQ(zeta3**2+zeta3+1)"),
    **{f"Q(sqrt{D})": Field.parse(f"QQ(sqrt({D}))") for D in (2, 3, -2, -7)},
    **{f"GF({p})": Field.parse(f"GF({p})") for p in (2, 3, 5)},
}


_THEOREMS_HELP = any(method.tier == "B" and "product" in method.units for method in LOWER)
"""Whether some rule about tensors rests on a published theorem."""


@dataclass(frozen=True)
class Value:
    """One known value next to what was proved."""

    units: str
    field: Field
    quantity: str
    known_lower: int | None
    known_upper: int | None
    sources: tuple[str, ...]
    how_lower: str
    how_upper: str
    proved: Answer
    with_theorems: Answer | None = None

    @property
    def settled(self) -> bool:
        """Whether the atlas gives one number."""
        return self.known_lower is not None and self.known_lower == self.known_upper

    @property
    def contradicts(self) -> bool:
        """Whether a proved bound excludes everything that the atlas allows."""
        above = self.known_upper is not None and self.proved.lower > self.known_upper
        upper = self.proved.upper
        return above or (self.known_lower is not None and upper is not None and upper < self.known_lower)

    @property
    def lower_reached(self) -> bool:
        """Whether the lower bound is as good as the known one."""
        return self.known_lower is None or self.proved.lower >= self.known_lower

    @property
    def upper_reached(self) -> bool:
        """Whether the upper bound is as good as the known one."""
        return self.known_upper is None or (
            self.proved.upper is not None and self.proved.upper <= self.known_upper
        )

    @property
    def reached(self) -> bool:
        """Whether both bounds are as good as the known ones."""
        return self.lower_reached and self.upper_reached


@dataclass
class Result:
    """What was proved about one target of the atlas."""

    id: str
    tier: str
    target: Target
    seconds: float
    values: list[Value] = field(default_factory=list)
    failure: str = ""


def polynomial_entries(atlas: dict[str, Any]) -> list[dict[str, Any]]:
    """Entries whose target is a polynomial or a list of polynomials."""
    return [e for e in atlas["entries"] if e["target"]["type"] in ("polynomial", "polynomial_list")]


def tensor_entries(atlas: dict[str, Any]) -> list[dict[str, Any]]:
    """Entries whose target is a tensor."""
    return [e for e in atlas["entries"] if e["target"]["type"] == "tensor"]


def read_target(described: dict[str, Any], name: str = "") -> Target:
    """Target of an entry; a tensor under its name in the library where it has one."""
    if described["type"] == "tensor":
        if name in NAMES:
            return read_targets(NAMES[name])[0]
        entries = {tuple(word): int(c) for *word, c in described["entries"]}
        return Target.from_entries(Space.tensor(*described["shape"]), entries)
    text = described["expr"] if described["type"] == "polynomial" else "; ".join(described["exprs"])
    return read_targets(text.replace("+-", "-"), variables=tuple(described["vars"]))[0]


def compare(entry: dict[str, Any], budget: float = BUDGET, seed: int = 0, theorems: bool = False) -> Result:
    """Prove bounds for everything that the atlas says about one target.

    Over each characteristic the search has the whole budget. With ``theorems`` a second search, for values that the first one
    does not reproduce, may use published theorems.
    """
    target = read_target(entry["target"], entry["id"])
    tensor = entry["target"]["type"] == "tensor"
    known = [
        v
        for v in entry["values"]
        # The tensor rank of a form is about another target, its symmetric tensor.
        if v["model"] in MODELS and v["field"] in FIELDS and tensor == (MODELS[v["model"]][0] == "product")
    ]
    result = Result(entry["id"], entry["tier"], target, 0.0)
    begun = time.monotonic()
    for characteristic in sorted({FIELDS[v["field"]].characteristic for v in known}):
        values = [v for v in known if FIELDS[v["field"]].characteristic == characteristic]
        try:
            answers = _answers(target, values, budget, seed, theorems=False)
        except RankproofError as error:
            result.failure = str(error)
            return result
        found = [_value(v, answers[_question(v)], None) for v in values if _question(v) in answers]
        result.seconds = time.monotonic() - begun
        if theorems and _THEOREMS_HELP and not all(v.reached for v in found):
            conditional = _answers(target, values, budget, seed, theorems=True)
            found = [_value(v, answers[_question(v)], conditional[_question(v)]) for v in values]
            begun += time.monotonic() - begun - result.seconds
        result.values += found
    return result


def _question(v: dict[str, Any]) -> tuple[str, Field, str]:
    units, quantity = MODELS[v["model"]]
    return units, FIELDS[v["field"]], quantity


def _answers(
    target: Target, values: list[dict[str, Any]], budget: float, seed: int, theorems: bool
) -> dict[tuple[str, Field, str], Answer]:
    units = tuple(dict.fromkeys(MODELS[v["model"]][0] for v in values))
    own = [FIELDS[v["field"]] for v in values]
    fields = tuple(dict.fromkeys(own if own[0].characteristic else [QQ, RR, CC, *own]))
    proof = certify(target, units=units, fields=fields, budget=budget, seed=seed, theorems=theorems)
    return {(a.units, a.field, a.quantity): a for a in proof.answers}


def _value(v: dict[str, Any], proved: Answer, with_theorems: Answer | None) -> Value:
    units, over, quantity = _question(v)
    return Value(
        units,
        over,
        quantity,
        v["lower"],
        v["upper"],
        tuple(v["sources"]),
        v["lower_method"],
        v["upper_method"],
        proved,
        with_theorems,
    )


def settled_counts(results: Iterable[Result], tiers: tuple[str, ...] = ("T1", "T2")) -> tuple[int, int]:
    """Of the settled values of some tiers: how many are reproduced, and how many there are."""
    values = [v for r in results if r.tier in tiers for v in r.values if v.settled]
    return sum(v.reached for v in values), len(values)


def page(results: list[Result], refs: dict[str, Any], tensors: bool = False, budget: float = BUDGET) -> str:
    """The page in Markdown."""
    parts = (
        _head(results, tensors, budget),
        _tables(results),
        _misses(results, tensors),
        _sources(results, refs),
    )
    return "\n".join(line for part in parts for line in part) + "\n"


def _head(results: list[Result], tensors: bool, budget: float) -> Iterator[str]:
    reached, settled = settled_counts(results)
    lower = sum(v.lower_reached for r in results for v in r.values)
    upper = sum(v.upper_reached for r in results for v in r.values)
    total = sum(len(r.values) for r in results)
    slowest = max(results, key=lambda r: r.seconds)
    kinds = "ranks of tensors" if tensors else "widths of polynomials and polynomial maps"
    yield f"# The atlas of known values: {'tensors' if tensors else 'polynomials'}"
    yield ""
    yield f"What the literature says about the {kinds}, next to what is proved about them here"
    each = ", over each characteristic" if tensors else ""
    yield f"with {budget:g} seconds for the search about a target{each}. Every number under *proved* stands in"
    yield "a certificate that the verifier has accepted. The page is made by `tools/atlas.py`; a test checks that no proved"
    yield "bound contradicts a known value."
    yield ""
    yield f"* {len(results)} targets, {total} known values."
    for tiers in (("T1",), ("T2",)) if tensors else (("T1", "T2"),):
        reached, settled = settled_counts(results, tiers)
        name = " and ".join(tiers)
        yield f"* {reached} of {settled} settled values of tier{'s' * (len(tiers) > 1)} {name} are reproduced exactly."
    yield f"* As good as the known bound: {lower} of {total} lower bounds, {upper} of {total} upper bounds."
    seconds = sum(r.seconds for r in results)
    yield f"* {seconds:.0f} seconds in all, {slowest.seconds:.1f} of them for the slowest target, `{slowest.id}`."
    yield ""


def _tables(results: list[Result]) -> Iterator[str]:
    yield "## Values"
    yield ""
    yield "*Known* and *proved* are intervals, or one number. The rules are those of the steps that decide the proved bounds;"
    yield "a number in bold is known and not reproduced. Tiers grade how hard the known values are to prove, T1 the easiest."
    for r in results:
        yield ""
        yield f"### {r.id}"
        yield ""
        text = r.target.text if len(r.target.text) <= 160 else f"{r.target.text[:150]} ..."
        yield f"`{text}` (tier {r.tier}, {r.seconds:.1f} seconds)"
        yield ""
        if r.failure:
            yield f"Nothing was proved: {r.failure}"
            continue
        yield "| units | over | known | proved | lower bound by | upper bound by | sources |"
        yield "| --- | --- | --- | --- | --- | --- | --- |"
        for v in r.values:
            border = " border" if v.quantity == "border_rank" else ""
            known = _interval(v.known_lower, v.known_upper)
            proved = _interval(v.proved.lower, v.proved.upper)
            if v.with_theorems is not None:
                better = _interval(v.with_theorems.lower, v.with_theorems.upper)
                rule = v.with_theorems.lower_rule
                proved += f" ({better} by the theorem of `{rule}`)" if better != proved else ""
            yield (
                f"| {v.units}{border} | {v.field} | {known if v.reached else f'**{known}**'}"
                f" | {proved} | {v.proved.lower_rule or ''}"
                f" | {v.proved.upper_rule or ''} | {', '.join(v.sources)} |"
            )
    yield ""


def _misses(results: list[Result], tensors: bool) -> Iterator[str]:
    yield "## What is not reproduced, and why"
    yield ""
    if tensors:
        yield "For every miss the known bound, ours, and what is missing here."
    else:
        yield "For every miss the known bound, ours, and the argument recorded for the known one, which no rule or search here"
        yield "replaces."
    yield ""
    for r, v, side in misses(results):
        border = " border" if v.quantity == "border_rank" else ""
        question = f"`{r.id}`, {v.units}{border} over {v.field}"
        least = side == "lower"
        known, proved = (v.known_lower, v.proved.lower) if least else (v.known_upper, v.proved.upper)
        word = "least" if least else "most"
        ours = "nothing" if proved is None else f"at {word} {proved}"
        if tensors:
            reason = why(r.id, side, str(v.field), v.quantity) or "not explained yet"
            yield f"* {question}: at {word} {known} is known, {ours} proved: {reason}."
        else:
            argument = _plain((v.how_lower if least else v.how_upper) or "no argument recorded")
            yield f"* {question}: at {word} {known} is known, {ours} proved. Known by: {argument}."
    yield ""


def misses(results: Iterable[Result]) -> Iterator[tuple[Result, Value, str]]:
    """The known bounds that are not reproduced: the target, the value, and the side, ``lower`` or ``upper``."""
    for r in results:
        for v in r.values:
            for side, was_reached in (("lower", v.lower_reached), ("upper", v.upper_reached)):
                if not was_reached:
                    yield r, v, side


def _sources(results: list[Result], refs: dict[str, Any]) -> Iterator[str]:
    yield "## Sources"
    yield ""
    for name in sorted({s for r in results for v in r.values for s in v.sources}):
        yield f"* {name}: {_plain(refs[name]['citation']) if name in refs else 'see the values'}."


def _interval(lower: int | None, upper: int | None) -> str:
    if lower is not None and lower == upper:
        return str(lower)
    return f"{0 if lower is None else lower}..{'' if upper is None else upper}"


def _plain(text: str) -> str:
    """Text without characters that Markdown reads as markup."""
    return text.rstrip(".").replace("*", "\\*").replace("_", "\\_").replace("<", "\\<").replace("|", "\\|")


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("atlas", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--only", default="", help="only entries whose name contains this")
    parser.add_argument("--budget", type=float, default=BUDGET)
    parser.add_argument("--tensors", action="store_true", help="the tensors, not the polynomials")
    options = parser.parse_args()
    atlas = json.loads(options.atlas.read_text(encoding="utf-8"))
    results: list[Result] = []
    for entry in tensor_entries(atlas) if options.tensors else polynomial_entries(atlas):
        if options.only in entry["id"]:
            results.append(compare(entry, options.budget, theorems=options.tensors))
            sys.stderr.write(f"{entry['id']}: {results[-1].seconds:.1f} s\n")
    options.output.write_text(page(results, atlas["refs"], options.tensors, options.budget), encoding="utf-8")


if __name__ == "__main__":
    main()

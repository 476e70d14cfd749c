"""The words in which the corpus is written: targets, steps, claims, and the verdict that a file must get.

Standard library only, and nothing of rankproof: what is built here is what docs/format.md says, not what a program does.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Json = Any
Certificate = dict[str, Json]


@dataclass(frozen=True)
class Case:
    """A file of the corpus and its verdict; a refusal must have exactly this code and this JSON pointer."""

    path: str
    data: bytes
    word: str
    code: str = ""
    pointer: str = ""


def accept(folder: str, name: str, certificate: Certificate | bytes) -> Case:
    """A file that is verified."""
    return Case(f"accept/{folder}/{name}.json", _bytes(certificate), "VERIFIED")


def conditional(folder: str, name: str, certificate: Certificate) -> Case:
    """A file that is verified under a named theorem."""
    return Case(f"accept/{folder}/{name}.json", _bytes(certificate), "CONDITIONAL")


def reject(folder: str, name: str, certificate: Certificate, code: str, pointer: str) -> Case:
    """A readable file that does not prove what it says."""
    return Case(f"reject/{folder}/{name}.json", _bytes(certificate), "REJECTED", code, pointer)


def unreadable(folder: str, name: str, certificate: Certificate | bytes, code: str, pointer: str) -> Case:
    """A file that is no certificate."""
    return Case(f"unreadable/{folder}/{name}.json", _bytes(certificate), "UNREADABLE", code, pointer)


def undecided(folder: str, name: str, certificate: Certificate, code: str, pointer: str) -> Case:
    """A file beyond a declared limit."""
    return Case(f"undecided/{folder}/{name}.json", _bytes(certificate), "UNDECIDED", code, pointer)


def _bytes(certificate: Certificate | bytes) -> bytes:
    return certificate if isinstance(certificate, bytes) else written(certificate)


def written(certificate: Json) -> bytes:
    """JSON with one line a step, so that a change shows in a diff."""
    if not isinstance(certificate, dict):
        return json.dumps(certificate).encode("ascii")
    lines = []
    for key, value in certificate.items():
        if key == "steps" and isinstance(value, list) and value:
            text = "[\n" + ",\n".join(f"  {json.dumps(step)}" for step in value) + "]"
        else:
            text = json.dumps(value)
        lines.append(f"{json.dumps(key)}: {text}")
    return ("{" + ",\n ".join(lines) + "}\n").encode("ascii")


# Targets


def named(name: str, *parameters: int) -> Json:
    """A named target."""
    return {"name": name, "parameters": list(parameters)}


def form(names: str, terms: Mapping[str, Json], ring: str = "QQ") -> Json:
    """A form in variables of one letter; ``{"xxy": 1}`` is x^2 y."""
    degree = len(next(iter(terms)))
    entries = sorted([sorted(names.index(x) for x in monomial), c] for monomial, c in terms.items())
    return {"space": [[len(names), degree]], "ring": ring, "entries": entries, "variables": list(names)}


def forms(names: str, outputs: Sequence[Mapping[str, Json]], ring: str = "QQ") -> Json:
    """A polynomial map, one dictionary an output."""
    degree = len(next(iter(outputs[0])))
    entries = sorted(
        [sorted(names.index(x) for x in monomial) + [j], c]
        for j, terms in enumerate(outputs)
        for monomial, c in terms.items()
    )
    space = [[len(names), degree], [len(outputs), 1]]
    return {"space": space, "ring": ring, "entries": entries, "variables": list(names)}


def tensor(dimensions: Sequence[int], entries: Mapping[tuple[int, ...], Json], ring: str = "QQ") -> Json:
    """A tensor given by its entries that are not zero."""
    return {
        "space": [[n, 1] for n in dimensions],
        "ring": ring,
        "entries": [[list(word), c] for word, c in sorted(entries.items())],
    }


# Steps and conclusions


def step(rule: str, claim: str, premises: Sequence[int] = (), **witness: Json) -> Json:
    """A step; its claim is written ``tied border_rank CC >= 2``, or ``tied gaussian@1 CC >= 2/3`` for a floor."""
    units, quantity, over, relation, value = claim.split()
    return {
        "rule": rule,
        "claim": {
            "quantity": quantity_of(quantity),
            "units": units,
            "over": over,
            "relation": relation,
            "value": value if "/" in value else int(value),
        },
        "premises": list(premises),
        "witness": witness,
    }


def quantity_of(text: str) -> Json:
    """A quantity; ``gaussian@1`` is a floor at width 1, ``gaussian@1*1/4`` one at scale 1/4."""
    loss, at, rest = text.partition("@")
    if not at:
        return text
    width, times, scale = rest.partition("*")
    floor: dict[str, Json] = {"floor": loss, "width": int(width)}
    return floor | {"scale": scale if "/" in scale else int(scale)} if times else floor


def answer(text: str) -> Json:
    """An entry of a conclusion, written ``tied rank CC 2..3`` or, without an upper bound, ``tied rank CC 2..``."""
    units, quantity, field, bounds = text.split()
    lower, upper = bounds.split("..")
    lower, upper = (x if "/" in x or not x else int(x) for x in (lower, upper))
    entry = {"units": units, "field": field, "quantity": quantity_of(quantity), "lower": lower}
    return entry if upper == "" else entry | {"upper": upper}


def certificate(
    target: Json, steps: Sequence[Json], conclusion: Sequence[str], number_fields: Sequence[Json] = ()
) -> Certificate:
    """A whole certificate."""
    whole: Certificate = {"format": "rankproof-certificate", "version": 1}
    if number_fields:
        whole["number_fields"] = list(number_fields)
    return whole | {
        "target": target,
        "steps": list(steps),
        "conclusion": [answer(text) for text in conclusion],
        "producer": {"program": "tests/corpus/make.py"},
    }


def number_field(symbol: str, *polynomial: Json, root: Sequence[Json] | None = None) -> Json:
    """A declared number field; the coefficients are given in ascending order."""
    declaration = {"symbol": symbol, "minimal_polynomial": list(polynomial)}
    return declaration if root is None else declaration | {"real_root": list(root)}


def eps(*terms: tuple[int, Json]) -> Json:
    """A coordinate of a border unit: pairs (exponent, coefficient)."""
    return {"eps": [list(term) for term in terms]}


# Changes


def changed(certificate: Certificate, pointer: str, value: Json) -> Certificate:
    """A copy with another value at a JSON pointer; a last part ``+`` appends to a list, a new key is added."""
    result = copy.deepcopy(certificate)
    parent, last = _parent(result, pointer)
    if last == "+":
        parent.append(value)
    elif isinstance(parent, list):
        parent[int(last)] = value
    else:
        parent[last] = value
    return result


def without(certificate: Certificate, pointer: str) -> Certificate:
    """A copy without a key or an element."""
    result = copy.deepcopy(certificate)
    parent, last = _parent(result, pointer)
    del parent[int(last) if isinstance(parent, list) else last]
    return result


def replaced(certificate: Certificate, old: str, new: str) -> bytes:
    """The bytes with the first occurrence of a piece of text replaced; the piece must be there."""
    text = written(certificate).decode("ascii")
    if old not in text:
        raise ValueError(f"{old!r} does not occur")
    return text.replace(old, new, 1).encode("utf-8")


def _parent(tree: Json, pointer: str) -> tuple[Json, str]:
    *path, last = pointer.split("/")[1:]
    for part in path:
        tree = tree[int(part)] if re.fullmatch("[0-9]+", part) else tree[part]
    return tree, last

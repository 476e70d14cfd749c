"""Damaged certificates: every node changed in every way that a slip or a forger might, and damaged bytes."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

VOCABULARY = (
    ("QQ", "RR", "CC", "GF(2)", "GF(3)", "GF(5)", "GF(7)", "GF(4)", "ZZ"),
    ("tied", "untied", "split", "product", "mixed:1", "mixed:2", "mixed:3"),
    ("rank", "border_rank"),
    (">=", "<="),
)
"""Words that are taken for one another; rules and number fields of the file itself are added."""

Path = tuple[str | int, ...]


def nodes(tree: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every node of a tree with its path, the root first."""
    yield path, tree
    children = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, child in children:
        yield from nodes(child, (*path, key))


def damaged_trees(
    tree: dict[str, Any], rules: tuple[str, ...], rng: random.Random | None = None, most: int | None = None
) -> Iterator[tuple[str, Any]]:
    """Description and damaged copy, for every node but the producer's, or for a random choice of so many."""
    places = _places(tree, rules)
    if rng is not None and most is not None:
        every = list(places)
        places = iter(rng.sample(every, min(most, len(every))))
    for path, name, value in places:
        yield f"/{'/'.join(map(str, path))} {name}", _with(tree, path, value)


def _places(tree: dict[str, Any], rules: tuple[str, ...]) -> Iterator[tuple[Path, str, Any]]:
    """Where something may be replaced, in words and by what."""
    fields = tuple(f"QQ({d['symbol']})" for d in tree.get("number_fields", ()))
    vocabulary = (VOCABULARY[0] + fields, *VOCABULARY[1:], rules)
    for path, node in nodes(tree):
        if path[:1] == ("producer",) and len(path) > 1:
            continue
        for name, value in _replacements(node, vocabulary):
            yield path, name, value


def damaged_twice(
    tree: dict[str, Any], rules: tuple[str, ...], rng: random.Random, count: int
) -> Iterator[tuple[str, Any]]:
    """Two numbers or words of the target, the steps and the conclusion replaced by others of their kind.

    Such a mutant is readable more often than not: what is damaged is what it says.
    """
    fields = tuple(f"QQ({d['symbol']})" for d in tree.get("number_fields", ()))
    vocabulary = (VOCABULARY[0] + fields, *VOCABULARY[1:], rules)
    leaves = [
        (path, node)
        for path, node in nodes(tree)
        if path
        and path[0] != "producer"
        and type(node) in (int, str)
        and path[-1] not in ("format", "version")
    ]
    for _ in range(count if leaves else 0):
        changed, names = tree, []
        for path, node in rng.sample(leaves, min(2, len(leaves))):
            value = rng.choice([node, *_meaningful(node, vocabulary)])
            changed = _with(changed, path, value)
            names.append(f"/{'/'.join(map(str, path))} becomes {value}")
        yield " and ".join(names), changed


def _meaningful(node: int | str, vocabulary: tuple[tuple[str, ...], ...]) -> list[int | str]:
    if isinstance(node, int):
        return [node + 1, node - 1, node + 2, 2 * node, -node, 0, 1]
    for words in vocabulary:
        if node in words:
            return [word for word in words if word != node]
    try:
        value = Fraction(node)
    except (ValueError, ZeroDivisionError):
        return []
    return [_spelled(x) for x in (-value, 2 * value, value + 1, value / 3, 1 / value if value else value)]


def _with(tree: Any, path: Path, value: Any) -> Any:
    if not path:
        return value
    head, *rest = path
    changed = copy.copy(tree)
    changed[head] = _with(tree[head], tuple(rest), value)
    return changed


def _replacements(node: Any, vocabulary: tuple[tuple[str, ...], ...]) -> Iterator[tuple[str, Any]]:
    for value in (None, True, False, [], {}, "", 0.5):
        if value != node or type(value) is not type(node):
            yield f"becomes {json.dumps(value)}", value
    if isinstance(node, dict):
        yield from _of_an_object(node)
    elif isinstance(node, list):
        yield from _of_a_list(node)
    elif isinstance(node, int):
        yield from _of_a_number(node)
    elif isinstance(node, str):
        yield from _of_a_text(node, vocabulary)


def _of_an_object(node: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for key in node:
        rest = {k: v for k, v in node.items() if k != key}
        yield f"loses {key}", rest
        yield f"renames {key}", {f"{key}_": node[key], **rest}
    yield "gains a key", {**node, "comment": 0}
    yield "becomes its values", list(node.values())


def _of_a_list(node: list[Any]) -> Iterator[tuple[str, Any]]:
    for i in range(len(node)):
        yield f"loses {i}", node[:i] + node[i + 1 :]
        yield f"doubles {i}", node[: i + 1] + node[i:]
        if i:
            yield f"swaps {i - 1} and {i}", [*node[: i - 1], node[i], node[i - 1], *node[i + 1 :]]
    if len(node) > 2:
        yield "is turned round", node[::-1]
    yield "gains 0", [*node, 0]
    yield "is wrapped", [node]


def _of_a_number(n: int) -> Iterator[tuple[str, Any]]:
    values = {n + 1, n - 1, 0, -n, 2 * n, n + 2, 1, -1} - {n}
    for value in sorted(values):
        yield f"becomes {value}", value
    yield "becomes a float", float(n)
    yield "becomes text", str(n)
    yield "becomes half", f"{n}/2" if n % 2 else n // 2
    yield "becomes long", 10**16 + n


def _of_a_text(text: str, vocabulary: tuple[tuple[str, ...], ...]) -> Iterator[tuple[str, Any]]:
    for words in vocabulary:
        if text in words:
            for word in words:
                if word != text:
                    yield f"becomes {word}", word
    try:
        value = Fraction(text)
    except (ValueError, ZeroDivisionError):
        yield "gains a letter", text + "x"
        yield "gains a space", f" {text} "
        yield "loses a letter", text[:-1]
        yield "in capitals", text.swapcase()
        return
    inverse = 1 / value if value else value
    for other in (-value, 2 * value, value + 1, value - 1, inverse, Fraction(0), Fraction(value.numerator)):
        if other != value:
            yield f"becomes {other}", _spelled(other)
    for spelled in (f"+{text}", f" {text}", f"{text}/1", f"0{text}", text.replace("/", "//"), float(value)):
        yield f"becomes {spelled!r}", spelled


def _spelled(value: Fraction) -> Any:
    whole = value.denominator == 1 and abs(value) < 2**53
    return int(value) if whole else str(value)


def damaged_bytes(data: bytes, rng: random.Random, count: int) -> Iterator[tuple[str, bytes]]:
    """Truncations, and bytes replaced, inserted, removed and doubled at random."""
    places = range(len(data)) if len(data) <= count else sorted(rng.sample(range(len(data)), count))
    for end in places:
        yield f"cut at {end}", data[:end]
    alphabet = b' 0123456789-+.eE"\\/[]{},:aAnftQRCG()_\n\x00\xc3\xff'
    for _ in range(count):
        at, byte = rng.randrange(len(data)), bytes([rng.choice(alphabet)])
        yield f"byte {at} becomes {byte!r}", data[:at] + byte + data[at + 1 :]
        yield f"byte {at} after {byte!r}", data[:at] + byte + data[at:]
        end = min(len(data), at + rng.randrange(1, 12))
        yield f"bytes {at}..{end} removed", data[:at] + data[end:]
        yield f"bytes {at}..{end} doubled", data[:end] + data[at:]

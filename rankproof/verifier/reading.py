"""Strict reading of JSON: bytes to a tree of objects, lists, integers and strings, or a refusal.

The standard parser does the work; everything it would tolerate beyond docs/format.md is refused here.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn, TypeGuard

from . import limits
from .refusal import Undecided, Unreadable

# Possessive, and content with a missing end: a file that is no JSON must not cost quadratic time.
_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_BRACKET = re.compile(r"[\[\]{}]")
_LONG_NUMBER = re.compile(r"[0-9]{17}")
_NEGATIVE_ZERO = re.compile(r"-0(?![0-9.eE])")

MISSING: Any = object()


def parse(data: bytes) -> Any:
    """Tree of a certificate's bytes, with every refusal that needs no knowledge of what the keys mean."""
    if len(data) > limits.FILE_BYTES:
        raise Undecided("limit-bytes", "", f"{len(data)} bytes; at most {limits.FILE_BYTES} are read")
    structure = sum(map(data.count, (b"[", b"]", b"{", b"}", b":", b'"')))
    if structure > limits.STRUCTURE:
        message = f"{structure} brackets, colons and quotation marks; at most {limits.STRUCTURE} are read"
        raise Undecided("limit-structure", "", message)
    if data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        raise Unreadable("byte-order-mark", "", "the file starts with a byte-order mark")
    try:
        text = data.decode("ascii")
    except UnicodeDecodeError as error:
        raise Unreadable("not-ascii", "", f"byte {error.start} is not ASCII") from None
    _check_outside_strings(text)
    try:
        tree = json.loads(
            text,
            object_pairs_hook=_object,
            parse_float=_refuse_float,
            parse_constant=_refuse_constant,
        )
    except json.JSONDecodeError as error:
        code = "trailing-data" if error.msg == "Extra data" else "not-json"
        raise Unreadable(code, "", f"line {error.lineno}, column {error.colno}: {error.msg}") from None
    if not is_object(tree):
        raise Unreadable("not-an-object", "", "a certificate is a JSON object")
    _refuse_null_and_booleans(tree, "")
    return tree


def _check_outside_strings(text: str) -> None:
    # Nesting and digits are looked at before the parser sees them: both can exhaust it.
    bare = _STRING.sub('""', text)
    depth = 0
    for match in _BRACKET.finditer(bare):
        depth += 1 if match.group() in "[{" else -1
        if depth > limits.NESTING:
            raise Unreadable("too-deep", "", f"nested deeper than {limits.NESTING}")
    if _LONG_NUMBER.search(bare):
        raise Unreadable("long-number", "", "an integer literal of more than 16 digits; write it as a string")
    if _NEGATIVE_ZERO.search(bare):
        raise Unreadable("negative-zero", "", "-0 is written 0")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))
        raise Unreadable("duplicate-key", "", f"the key {show(twice)} stands twice in one object")
    return result


def _refuse_float(literal: str) -> NoReturn:
    raise Unreadable("float", "", f"{literal[:40]} is a float; rationals are written as strings such as \"1/2\"")


def _refuse_constant(literal: str) -> NoReturn:
    raise Unreadable("non-finite", "", f"{literal} is not a number")


def _refuse_null_and_booleans(node: Any, pointer: str) -> None:
    # True == 1 in Python: a boolean must never reach a comparison with a number.
    if node is None:
        raise Unreadable("null", pointer, "null has no meaning here")
    if node is True or node is False:
        raise Unreadable("boolean", pointer, "a boolean has no meaning here")
    if is_object(node):
        for key, child in node.items():
            _refuse_null_and_booleans(child, f"{pointer}/{escape(key)}")
    elif is_list(node) and not set(map(type, node)) <= {int, str}:
        for index, child in enumerate(node):
            _refuse_null_and_booleans(child, f"{pointer}/{index}")


def is_object(node: Any) -> TypeGuard[dict[str, Any]]:
    return isinstance(node, dict)


def is_list(node: Any) -> TypeGuard[list[Any]]:
    return isinstance(node, list)


def escape(key: str) -> str:
    """A key as a JSON pointer writes it, in printable ASCII and at most 40 characters."""
    return ascii(key)[1:-1][:40].replace("~", "~0").replace("/", "~1")


def show(value: Any) -> str:
    """A value as a message quotes it: printable ASCII, cut at 60 characters."""
    text = ascii(value)
    return text if len(text) <= 60 else text[:57] + "..."


def keys(node: Any, pointer: str, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> list[Any]:
    """Values of an object with a closed key set: the required ones, then the optional ones (or MISSING)."""
    if not is_object(node):
        raise Unreadable("wrong-type", pointer, f"expected an object, found {show(node)}")
    for key in node:
        if key not in required and key not in optional:
            raise Unreadable("unknown-key", f"{pointer}/{escape(key)}", f"unknown key {show(key)}")
    for key in required:
        if key not in node:
            raise Unreadable("missing-key", pointer, f"the key {show(key)} is missing")
    return [node[key] for key in required] + [node.get(key, MISSING) for key in optional]


def sequence(node: Any, pointer: str, *, least: int = 0, most: int | None = None) -> list[Any]:
    """A list whose length lies between ``least`` and ``most``."""
    if not is_list(node):
        raise Unreadable("wrong-type", pointer, f"expected a list, found {show(node)}")
    if len(node) < least:
        code = "empty-list" if not node else "wrong-length"
        raise Unreadable(code, pointer, f"the list has {len(node)} elements; at least {least} are needed")
    if most is not None and len(node) > most:
        raise Unreadable("wrong-length", pointer, f"the list has {len(node)} elements; at most {most} are allowed")
    return node


def limited(node: Any, pointer: str, most: int, code: str) -> list[Any]:
    """A list that is not empty and not longer than a declared limit."""
    nodes = sequence(node, pointer, least=1)
    if len(nodes) > most:
        raise Undecided(code, pointer, f"{len(nodes)} elements; at most {most} are read")
    return nodes


def integer(node: Any, pointer: str, least: int, most: int) -> int:
    """An integer between ``least`` and ``most``, both included."""
    if type(node) is not int:
        raise Unreadable("wrong-type", pointer, f"expected an integer, found {show(node)}")
    if not least <= node <= most:
        raise Unreadable("out-of-range", pointer, f"{show(node)} is not between {least} and {most}")
    return node


def string(node: Any, pointer: str) -> str:
    """A string."""
    if type(node) is not str:
        raise Unreadable("wrong-type", pointer, f"expected a string, found {show(node)}")
    return node


def increasing(node: Any, pointer: str, least: int, most: int, *, shortest: int = 0) -> list[int]:
    """A strictly increasing list of integers between ``least`` and ``most``."""
    values = sequence(node, pointer, least=shortest)
    previous: int | None = None
    for position, value in enumerate(values):
        here = f"{pointer}/{position}"
        integer(value, here, least, most)
        if previous is not None and value <= previous:
            code = "repeated" if value == previous else "unsorted"
            raise Unreadable(code, here, f"{value} after {previous}: the list must increase")
        previous = value
    return values

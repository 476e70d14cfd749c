"""The strict reader: nothing but the JSON of docs/format.md, and nothing but refusals for everything else."""

from __future__ import annotations

import json
import random
import time
from typing import Any

import pytest
from corpus.judging import accepted
from hypothesis import given
from hypothesis import strategies as st

from rankproof.verifier import limits, verify_bytes
from rankproof.verifier.reading import escape, increasing, integer, keys, parse, sequence, show
from rankproof.verifier.refusal import Refusal, Undecided, Unreadable
from rankproof.verifier.scalars import read_rational

numbers = st.integers(-(10**15), 10**15)
texts = st.text(max_size=8)
trees = st.recursive(
    numbers | texts,
    lambda children: st.lists(children, max_size=4) | st.dictionaries(texts, children, max_size=4),
    max_leaves=12,
)


def depth(tree: Any) -> int:
    children = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else None
    return 0 if children is None else 1 + max(map(depth, children), default=0)


@given(st.dictionaries(texts, trees, max_size=4))
def test_what_the_format_allows_is_read_as_json_reads_it(tree: dict[str, Any]) -> None:
    data = json.dumps(tree).encode()
    if depth(tree) <= limits.NESTING:
        assert parse(data) == tree
    else:
        with pytest.raises(Unreadable, match="too-deep"):
            parse(data)


@given(st.binary(max_size=80))
def test_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        tree = parse(data)
    except Refusal:
        return
    assert json.loads(data) == tree


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda children: st.lists(children, max_size=5) | st.dictionaries(texts, children, max_size=5),
    max_leaves=30,
)


@given(json_values)
def test_any_json_is_read_or_refused(value: Any) -> None:
    verdict = verify_bytes(json.dumps(value).encode())
    assert verdict.word == "UNREADABLE"


TEMPLATE = json.loads(accepted("kernel/several-answers"))
KEYS = sorted(
    {*TEMPLATE, "number_fields", "space", "ring", "entries", "name", "parameters", "variables", "symbol"}
)


@given(
    st.dictionaries(st.sampled_from(KEYS), json_values),
    st.sampled_from(["target", "steps", "conclusion", None]),
)
def test_certificates_with_any_json_in_place_of_a_part_are_refused(
    parts: dict[str, Any], kept: str | None
) -> None:
    tree = {**TEMPLATE, **parts}
    if kept is not None:
        tree[kept] = TEMPLATE[kept]
    verdict = verify_bytes(json.dumps(tree).encode())
    assert verdict.word in ("UNREADABLE", "REJECTED", "UNDECIDED") or set(parts) <= {"producer"}


@given(st.data())
def test_a_part_replaced_anywhere_by_any_json_is_refused_or_verified_never_a_breakdown(
    data: st.DataObject,
) -> None:
    tree = json.loads(json.dumps(TEMPLATE))
    node: Any = tree
    for _ in range(data.draw(st.integers(0, 8))):
        choices = list(node) if isinstance(node, dict) else list(range(len(node)))
        if not choices:
            break
        key = data.draw(st.sampled_from(choices))
        if not isinstance(node[key], (dict, list)) or data.draw(st.booleans()):
            node[key] = data.draw(json_values)
            break
        node = node[key]
    verdict = verify_bytes(json.dumps(tree).encode())
    assert verdict.word in ("VERIFIED", "UNREADABLE", "REJECTED", "UNDECIDED")


# Sizes: refused before they cost anything


def seconds(data: bytes) -> float:
    start = time.perf_counter()
    with pytest.raises(Refusal):
        parse(data)
    return time.perf_counter() - start


@pytest.mark.parametrize(
    "data",
    [
        b'"' + rb"\"" * 500_000,
        b'"' + b"\\" * 1_000_001,
        b'{"a": "' + b"x" * 2_000_000,
        b'{"a":1,' + b'"b":' * 300_000,
        b"[" * 2_000_000,
        b"{" + b",".join(b'"k%d":1' % (i % 99_999) for i in range(100_000)) + b"}",
        b"[" + b"9" * 2_000_000 + b"]",
        b'{"a": "' + b'"' * 1_000_000,
        b"-" * 1_000_000,
    ],
    ids=lambda data: data[:12].decode(),
)
def test_long_nonsense_is_refused_in_linear_time(data: bytes) -> None:
    assert seconds(data) < 3


def test_a_file_at_the_limit_is_read_and_one_byte_more_is_undecided() -> None:
    data = accepted("nonzero/x2y")
    padded = data + b" " * (limits.FILE_BYTES - len(data))
    assert verify_bytes(padded).ok
    verdict = verify_bytes(padded + b"\n")
    assert (verdict.word, verdict.code, verdict.exit_status) == ("UNDECIDED", "limit-bytes", 4)


def test_a_list_of_more_units_than_the_limit_is_undecided() -> None:
    tree = json.loads(accepted("decomposition/x2y-one-untied-unit"))
    unit = tree["steps"][0]["witness"]["units"][0]
    tree["steps"][0]["witness"]["units"] = [unit] * (limits.UNITS + 1)
    verdict = verify_bytes(json.dumps(tree).encode())
    assert (verdict.code, verdict.pointer) == ("limit-units", "/steps/0/witness/units")


@pytest.mark.slow
def test_a_target_of_more_terms_than_the_limit_is_undecided() -> None:
    tree = json.loads(accepted("nonzero/x2y"))
    entry = tree["target"]["entries"][0]
    tree["target"]["entries"] = [entry] * (limits.ENTRIES + 1)
    verdict = verify_bytes(json.dumps(tree, separators=(",", ":")).encode())
    assert (verdict.code, verdict.pointer) == ("limit-entries", "/target/entries")


# The pieces


def test_integers_are_integers_and_nothing_that_equals_one() -> None:
    assert integer(3, "/x", 0, 3) == 3
    for node in (True, False, 1.0, "1", None, [1], {}):
        with pytest.raises(Unreadable, match="wrong-type at /x"):
            integer(node, "/x", 0, 1)
    for node in (-1, 4):
        with pytest.raises(Unreadable, match="out-of-range at /x"):
            integer(node, "/x", 0, 3)


def test_key_sets_are_closed() -> None:
    assert keys({"b": 2, "a": 1}, "/x", ("a",), ("b",)) == [1, 2]
    with pytest.raises(Unreadable, match="unknown-key at /x/c~1d"):
        keys({"a": 1, "c/d": 2}, "/x", ("a",))
    with pytest.raises(Unreadable, match="missing-key at /x"):
        keys({}, "/x", ("a",))
    with pytest.raises(Unreadable, match="wrong-type at /x"):
        keys([], "/x", ("a",))


def test_lists_have_the_length_they_must_have() -> None:
    assert sequence([1], "/x", least=1, most=1) == [1]
    for node, code in (
        ([], "empty-list"),
        ([1], "wrong-length"),
        ([1, 2, 3], "wrong-length"),
        ((1, 2), "wrong-type"),
    ):
        with pytest.raises(Unreadable, match=f"{code} at /x"):
            sequence(node, "/x", least=2, most=2)


@given(st.lists(st.integers(-3, 9), max_size=6))
def test_increasing_lists_increase(values: list[int]) -> None:
    good = all(0 <= x <= 7 for x in values) and values == sorted(set(values))
    try:
        assert increasing(values, "/x", 0, 7) == values
    except Unreadable:
        assert not good
    else:
        assert good


@given(st.text())
def test_what_is_quoted_is_short_and_printable(text: str) -> None:
    for quoted in (show(text), escape(text), show([text, {text: text}])):
        assert quoted.isascii()
        assert quoted.isprintable() or not quoted
    assert len(show(text)) <= 60


@given(st.fractions())
def test_a_rational_has_one_spelling(x: Any) -> None:
    whole = x.denominator == 1
    node = x.numerator if whole and abs(x) < 2**53 else str(x)
    assert read_rational(node, "/x") == x
    assert type(read_rational(node, "/x")) is (int if whole else type(x))
    spellings = [
        f"{2 * x.numerator}/{2 * x.denominator}",
        f"+{x}",
        f" {x}",
        f"{x}/1",
        f"{float(x)}",
        [x.numerator],
    ]
    if not whole:
        spellings.append(f"{-x.numerator}/-{x.denominator}")
    for other in spellings:
        with pytest.raises(Unreadable):
            read_rational(other, "/x")


@given(st.text(alphabet="0123456789-/+._ e\u0663", max_size=7))
def test_text_that_python_would_take_for_a_number_is_refused_unless_it_is_the_spelling(text: str) -> None:
    try:
        value = read_rational(text, "/x")
    except Unreadable:
        return
    assert str(value) == text
    assert abs(value) >= 2**53 or value.denominator > 1


def test_numbers_beyond_the_limit_of_digits_are_undecided_before_conversion() -> None:
    rng = random.Random(1)
    digits = "".join(rng.choice("123456789") for _ in range(limits.DIGITS))
    assert read_rational(digits, "/x") == int(digits)
    for text in (digits + "1", f"-{digits}1", f"{digits}1/2", f"1/{digits}1", "1" * 10**6, "x" * 10**6):
        with pytest.raises(Undecided, match="limit-digits at /x"):
            read_rational(text, "/x")

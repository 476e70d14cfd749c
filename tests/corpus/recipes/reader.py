"""Files about the bytes and the JSON syntax, before any key has a meaning."""

from __future__ import annotations

from .building import accept, certificate, changed, form, replaced, step, unreadable, without, written

PLAIN = certificate(
    form("xy", {"xxy": 2}),
    [step("flattening", "tied border_rank CC >= 2", orders=[1], prime=1048573)],
    ["tied rank CC 2.."],
)
BYTES = written(PLAIN)
VALUE = '"value": 2'


def nested(depth: int) -> bytes:
    """The plain certificate with a producer so deep; the certificate itself adds two."""
    return replaced(PLAIN, '"tests/corpus/make.py"', "[" * (depth - 2) + "]" * (depth - 2))


def with_value(text: str) -> bytes:
    """The plain certificate with another literal for the value of its claim."""
    return replaced(PLAIN, VALUE, f'"value": {text}')


CASES = [
    accept("reader", "white-space-everywhere", b" \r\n\t" + BYTES.replace(b" ", b" \n\t ") + b"\n\n\t \r\n"),
    accept("reader", "no-white-space", b"".join(BYTES.split())),
    accept("reader", "keys-in-another-order", changed(without(PLAIN, "/format"), "/format", PLAIN["format"])),
    accept("reader", "nested-twelve-deep", nested(12)),
    accept(
        "reader",
        "escapes-and-brackets-in-text",
        replaced(
            PLAIN, "tests/corpus/make.py", r"\"\\[[[[[[[[[[[[[[[{{{{{{\u00e9\ud800 12345678901234567890 1e400"
        ),
    ),
    accept("reader", "any-producer", changed(PLAIN, "/producer", {"a": [1, {"b": "c"}], "": []})),
    accept("reader", "escaped-keys", replaced(PLAIN, '"value"', r'"\u0076alue"')),
    unreadable("reader", "empty", b"", "not-json", ""),
    unreadable("reader", "white-space", b" \n", "not-json", ""),
    unreadable("reader", "not-json", b"x**2*y\n", "not-json", ""),
    unreadable("reader", "cut-off", BYTES[:-20], "not-json", ""),
    unreadable("reader", "unterminated-text", b'"' + rb"\"" * 3000, "not-json", ""),
    unreadable(
        "reader", "a-comma-too-many", replaced(PLAIN, '"orders": [1]', '"orders": [1,]'), "not-json", ""
    ),
    unreadable("reader", "single-quotes", BYTES.replace(b'"', b"'"), "not-json", ""),
    unreadable("reader", "a-comment", BYTES.replace(b"{", b"/* a certificate */ {", 1), "not-json", ""),
    unreadable(
        "reader", "a-control-character-in-text", replaced(PLAIN, "make.py", "make\n.py"), "not-json", ""
    ),
    unreadable("reader", "a-nul-after-the-end", BYTES + b"\0", "trailing-data", ""),
    unreadable("reader", "two-certificates", BYTES + BYTES, "trailing-data", ""),
    unreadable("reader", "a-brace-too-many", BYTES + b"}", "trailing-data", ""),
    unreadable("reader", "byte-order-mark", b"\xef\xbb\xbf" + BYTES, "byte-order-mark", ""),
    unreadable("reader", "utf-16", BYTES.decode("ascii").encode("utf-16"), "byte-order-mark", ""),
    unreadable(
        "reader",
        "utf-16-big-endian",
        b"\xfe\xff" + BYTES.decode("ascii").encode("utf-16-be"),
        "byte-order-mark",
        "",
    ),
    unreadable("reader", "utf-16-without-mark", BYTES.decode("ascii").encode("utf-16-le"), "not-json", ""),
    unreadable("reader", "not-ascii", replaced(PLAIN, "make.py", "m\u00e4ke.py"), "not-ascii", ""),
    unreadable("reader", "not-utf-8", BYTES.replace(b"make", b"m\xe4ke"), "not-ascii", ""),
    unreadable("reader", "non-ascii-digits", with_value("\u0662"), "not-ascii", ""),
    unreadable("reader", "a-list", written([PLAIN]), "not-an-object", ""),
    unreadable("reader", "text", written("rankproof-certificate"), "not-an-object", ""),
    unreadable("reader", "a-number", b"1\n", "not-an-object", ""),
    unreadable("reader", "null-alone", b"null\n", "not-an-object", ""),
    unreadable("reader", "nested-thirteen-deep", nested(13), "too-deep", ""),
    unreadable("reader", "nested-a-hundred-thousand-deep", b"[" * 100_000 + b"]" * 100_000, "too-deep", ""),
    unreadable("reader", "objects-thirteen-deep", b'{"a":' * 13 + b"1" + b"}" * 13, "too-deep", ""),
    unreadable("reader", "duplicate-key", replaced(PLAIN, VALUE, f"{VALUE}, {VALUE}"), "duplicate-key", ""),
    unreadable(
        "reader",
        "duplicate-key-in-the-producer",
        replaced(PLAIN, '"program": "tests', '"program": 1, "program": "tests'),
        "duplicate-key",
        "",
    ),
    unreadable(
        "reader",
        "duplicate-key-by-an-escape",
        replaced(PLAIN, VALUE, rf'"\u0076alue": 3, {VALUE}'),
        "duplicate-key",
        "",
    ),
    unreadable("reader", "nan", with_value("NaN"), "non-finite", ""),
    unreadable("reader", "infinity", with_value("Infinity"), "non-finite", ""),
    unreadable("reader", "minus-infinity", with_value("-Infinity"), "non-finite", ""),
    unreadable("reader", "a-float", with_value("2.0"), "float", ""),
    unreadable("reader", "an-exponent", with_value("2e0"), "float", ""),
    unreadable("reader", "1e400", with_value("1e400"), "float", ""),
    unreadable("reader", "minus-zero-float", with_value("-0.0"), "float", ""),
    unreadable(
        "reader", "a-float-in-the-producer", replaced(PLAIN, '"tests/corpus/make.py"', "0.1"), "float", ""
    ),
    unreadable("reader", "minus-zero", with_value("-0"), "negative-zero", ""),
    unreadable("reader", "plus-one", with_value("+2"), "not-json", ""),
    unreadable("reader", "leading-zero", with_value("02"), "not-json", ""),
    unreadable("reader", "underscore", with_value("2_0"), "not-json", ""),
    unreadable("reader", "hexadecimal", with_value("0x2"), "not-json", ""),
    unreadable("reader", "seventeen-digits", with_value("12345678901234567"), "long-number", ""),
    unreadable("reader", "five-thousand-digits", with_value("1" * 5000), "long-number", ""),
    unreadable(
        "reader",
        "seventeen-digits-in-the-producer",
        replaced(PLAIN, '"tests/corpus/make.py"', "10000000000000000"),
        "long-number",
        "",
    ),
    unreadable("reader", "null", with_value("null"), "null", "/steps/0/claim/value"),
    unreadable("reader", "true", with_value("true"), "boolean", "/steps/0/claim/value"),
    unreadable("reader", "false", with_value("false"), "boolean", "/steps/0/claim/value"),
    unreadable(
        "reader",
        "true-in-a-list",
        replaced(PLAIN, '"orders": [1]', '"orders": [true]'),
        "boolean",
        "/steps/0/witness/orders/0",
    ),
    unreadable(
        "reader",
        "null-in-the-producer",
        replaced(PLAIN, '"program": "tests/corpus/make.py"', '"a/b~c": [0, null]'),
        "null",
        "/producer/a~1b~0c/1",
    ),
]

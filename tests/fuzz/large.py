"""The nastiest large files: every way in which so many bytes could cost more time or memory than declared.

Each function makes one file of about ``size`` bytes; nothing is taken from a table, so that the same file is made small for
the tests and at the limit of the verifier for the figures in docs/soundness.md.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice, product
from pathlib import Path
from typing import Any

MOST_SECONDS = 900
MOST_MEBIBYTES = 4096
"""Declared in docs/soundness.md: no file of at most 64 MiB costs the verifier more processor time or memory."""

SOURCE = Path(__file__).resolve().parents[2]

TARGET = {"space": [[2, 3]], "ring": "QQ", "entries": [[[0, 0, 1], 1]]}
CLAIM = {"quantity": "border_rank", "units": "tied", "over": "CC", "relation": ">=", "value": 1}
STEP = {"rule": "nonzero", "claim": CLAIM, "premises": [], "witness": {}}
ANSWER = {"units": "tied", "field": "CC", "quantity": "border_rank", "lower": 1}


def certificate(**parts: Any) -> dict[str, Any]:
    """A certificate with some of its parts replaced."""
    return {
        "format": "rankproof-certificate",
        "version": 1,
        "target": TARGET,
        "steps": [STEP],
        "conclusion": [ANSWER],
        "producer": {},
        **parts,
    }


def encoded(**parts: Any) -> bytes:
    return json.dumps(certificate(**parts), separators=(",", ":")).encode()


def _producing(text: str) -> bytes:
    """A valid certificate whose producer, which the reader does not look into, holds this text."""
    return encoded(producer={"x": 0}).replace(b'{"x":0}', b'{"x":' + text.encode() + b"}")


def _filled(piece: str, size: int, opening: str = "[", closing: str = "]") -> bytes:
    return _producing(opening + ",".join([piece] * (size // (len(piece) + 1))) + closing)


def _distinct(size: int, piece: Callable[[int], str], opening: str, closing: str) -> bytes:
    """As many different pieces as fit."""
    pieces: list[str] = []
    left = size
    while left > 0:
        pieces.append(piece(len(pieces)))
        left -= len(pieces[-1]) + 1
    return _producing(opening + ",".join(pieces) + closing)


def _step(rule: str, witness: Any, **claim: Any) -> dict[str, Any]:
    return {"rule": rule, "claim": {**CLAIM, **claim}, "premises": [], "witness": witness}


def _tensor(n: int, entries: list[Any]) -> dict[str, Any]:
    return {"space": [[n, 1], [n, 1], [n, 1]], "ring": "QQ", "entries": entries}


def _entries(size: int, coefficient: Any, n: int = 4096) -> bytes:
    """A tensor with as many entries as fit, in order."""
    count = size // (len(json.dumps([[1000, 1000, 1000], coefficient])) - 1)
    entries = [[[i // n // n, i // n % n, i % n], coefficient] for i in range(count)]
    step = _step("nonzero", {}, units="product")
    return encoded(target=_tensor(n, entries), steps=[step], conclusion=[{**ANSWER, "units": "product"}])


def _long(digits: int) -> str:
    return "7" * digits


def _decomposition(unit: Any, size: int, space: list[list[int]], most: int, units: str = "tied") -> bytes:
    count = min(most, size // (len(json.dumps(unit, separators=(",", ":"))) + 1) - 1)
    step = _step(
        "decomposition",
        {"ring": "QQ", "units": [unit] * count},
        units=units,
        over="QQ",
        relation="<=",
        value=count,
    )
    word = [0] * sum(power for _, power in space)
    target = {"space": space, "ring": "QQ", "entries": [[word, 1]]}
    answer = {"units": units, "field": "QQ", "quantity": "rank", "lower": 0, "upper": count}
    return encoded(target=target, steps=[step], conclusion=[answer])


def _border(size: int) -> bytes:
    coordinate = {"eps": [[e, 1] for e in range(-4000, 4001, 16)]}
    unit = [[coordinate, coordinate], [1]]
    count = min(200_000, max(1, (size - 2000) // (len(json.dumps(unit, separators=(",", ":"))) + 1)))
    witness = {"ring": "QQ", "order": 1, "units": [unit] * count}
    step = _step("border-family", witness, quantity="border_rank", relation="<=", value=count)
    answer = {"units": "tied", "field": "CC", "quantity": "border_rank", "lower": 0, "upper": count}
    return encoded(steps=[step], conclusion=[answer])


SWINNERTON_DYER = (
    46225,
    0,
    -5596840,
    0,
    13950764,
    0,
    -7453176,
    0,
    1513334,
    0,
    -141912,
    0,
    6476,
    0,
    -136,
    0,
    1,
)
"""Minimal polynomial of sqrt(2) + sqrt(3) + sqrt(5) + sqrt(7): it falls into factors of degree 2 modulo every prime."""


def _number_fields(size: int, most: int) -> bytes:
    piece = {"symbol": "a00000", "minimal_polynomial": list(SWINNERTON_DYER)}
    count = min(most, max(1, size // len(json.dumps(piece, separators=(",", ":")))))
    fields = [{**piece, "symbol": f"a{k}"} for k in range(count)]
    answers = [{**ANSWER, "field": f"QQ(a{k})"} for k in range(count)]
    return encoded(number_fields=fields, conclusion=answers)


def _long_number_fields(size: int) -> bytes:
    coefficients = ["1" + "0" * 97 + str(10 + k) for k in range(24)]
    piece = {"symbol": "a00000", "minimal_polynomial": [*coefficients, 1]}
    return encoded(
        number_fields=[{**piece, "symbol": f"a{k}"} for k in range(max(1, min(16, size // 2**15)))]
    )


def _many_steps(size: int) -> bytes:
    count = size // (len(json.dumps(STEP, separators=(",", ":"))) + 1)
    return encoded(steps=[STEP] * count)


def _steps_over_many_primes(size: int) -> bytes:
    """Half the file is a target, which is reduced modulo a prime for each of the steps."""
    target = json.loads(_entries(size // 2, 12345))["target"]
    step = _step("nonzero", {}, units="product", over="GF(2147483647)")
    count = max(1, size // 2 // len(json.dumps(step, separators=(",", ":"))))
    answer = {**ANSWER, "units": "product", "field": "GF(2147483647)"}
    return encoded(target=target, steps=[step] * count, conclusion=[answer])


def _many_answers(size: int) -> bytes:
    entries = json.dumps(ANSWER, separators=(",", ":"))
    count = size // (len(entries) + 60)
    answers = [{**ANSWER, "quantity": {"floor": "gaussian", "width": k}, "lower": 0} for k in range(count)]
    return encoded(conclusion=answers)


def _long_premises(size: int) -> bytes:
    return encoded(steps=[{**STEP, "premises": list(range(size // 8))}])


def _dense_flattenings(size: int) -> bytes:
    """Full tensors whose flattenings are as large as the limit on operations allows, again and again."""
    n = 100
    words = islice(product(range(n), repeat=3), max(1, size // 20))
    entries = [[[i, j, k], (i * j * k + i * i + 7 * j * k * k) % 1009 + 1] for i, j, k in words]
    witness = {"orders": [1, 0, 0], "prime": 2147483647}
    step = _step("flattening", witness, units="product", quantity="border_rank", value=n)
    answer = {"units": "product", "field": "CC", "quantity": "border_rank", "lower": n}
    return encoded(target=_tensor(n, entries), steps=[step] * 50, conclusion=[answer])


def _apolar(size: int, rule: str = "flattening") -> bytes:
    """One form of high degree in many variables with long coefficients, and its middle catalecticant."""
    n, d = 12, 12
    words: list[list[int]] = []
    word = [0] * d
    coefficient = _long(60)
    for _ in range(max(1, size // 110)):
        words.append(list(word))
        place = d - 1
        while place >= 0 and word[place] == n - 1:
            place -= 1
        if place < 0:
            break
        word[place:] = [word[place] + 1] * (d - place)
    target = {"space": [[n, d]], "ring": "QQ", "entries": [[w, coefficient] for w in words]}
    return encoded(target=target, steps=[_step(rule, {"orders": [d // 2], "prime": 2147483647})])


def _quadric(size: int) -> bytes:
    n = min(460, max(2, int((size / 100) ** 0.5)))
    words = [[i, j] for i in range(n) for j in range(i, n)]
    entries = [[w, str(10**60 + (w[0] * 7919 + w[1] * w[1] * 104729) % 1000003)] for w in words]
    target = {"space": [[n, 2]], "ring": "QQ", "entries": entries}
    step = _step("quadric", {}, over="RR", value=n)
    return encoded(target=target, steps=[step], conclusion=[{**ANSWER, "field": "RR", "lower": n}])


def _binary(size: int) -> bytes:
    digits = max(20, min(3900, size // 70))
    entries = [[[0] * (64 - i) + [1] * i, str(10**digits + 7**i)] for i in range(65)]
    target = {"space": [[2, 64]], "ring": "QQ", "entries": entries}
    step = _step("binary", {"argument": "squarefree"}, value=33)
    flat = _step("flattening", {"orders": [32], "prime": 2147483647}, quantity="border_rank", value=33)
    answer = {**ANSWER, "quantity": "border_rank", "lower": 33}
    return encoded(target=target, steps=[step, flat], conclusion=[answer])


STRUCTURE = 15_990_000
"""A little less than the brackets, colons and quotation marks that are read."""


FILES: dict[str, Callable[[int], bytes]] = {
    "lists, twelve deep": lambda size: _filled("[" * 9 + "]" * 9, size),
    "lists up to the limit, twelve deep": lambda size: _filled(
        "[" * 9 + "]" * 9, min(size, STRUCTURE * 19 // 18)
    ),
    "lists of one string up to the limit": lambda size: _filled('["ab"]', min(size, STRUCTURE * 7 // 4)),
    "empty objects up to the limit": lambda size: _filled("{}", min(size, STRUCTURE * 3 // 2)),
    "small objects up to the limit": lambda size: _filled('{"a":1}', min(size, STRUCTURE * 8 // 5)),
    "keys up to the limit": lambda size: _distinct(
        min(size, STRUCTURE * 3), lambda k: f'"{k:x}":0', "{", "}"
    ),
    "brackets that open": lambda size: b"[" * size,
    "brackets that close": lambda size: b"]" * size,
    "quotes": lambda size: b'"' * size,
    "a string of backslashes": lambda size: b'"' + b"\\" * (size - 2) + b'"',
    "a string of escapes": lambda size: _producing('"' + "\\u0041" * (size // 6) + '"'),
    "white space": lambda size: encoded() + b" " * size,
    "empty lists": lambda size: _filled("[]", size),
    "empty objects": lambda size: _filled("{}", size),
    "small objects": lambda size: _filled('{"a":1}', size),
    "an object of many keys": lambda size: _distinct(size, lambda k: f'"{k:x}":0', "{", "}"),
    "one key, again and again": lambda size: _filled('"a":1', size, "{", "}"),
    "small numbers": lambda size: _filled("1", size),
    "larger numbers": lambda size: _filled("300", size),
    "numbers of sixteen digits": lambda size: _filled("9" * 16, size),
    "short strings": lambda size: _filled('"ab"', size),
    "one integer": lambda size: _producing("9" * size),
    "one integer in a string": lambda size: encoded(target={**TARGET, "entries": [[[0, 0, 1], "9" * size]]}),
    "one long symbol": lambda size: encoded(
        number_fields=[{"symbol": "a" * size, "minimal_polynomial": [2, 0, 1]}]
    ),
    "one long field": lambda size: encoded(conclusion=[{**ANSWER, "field": "GF(" + "7" * size + ")"}]),
    "nulls": lambda size: _filled("null", size),
    "floats": lambda size: _filled("1e9", size),
    "many entries": lambda size: _entries(size, 1),
    "many fractions": lambda size: _entries(size, "1/3"),
    "entries of long fractions": lambda size: _entries(size, f"{'7' * 30}/{'3' * 30}1"),
    "entries at the limit of digits": lambda size: _entries(size, _long(3999)),
    "entries of degree 64": lambda size: encoded(
        target={**TARGET, "space": [[2, 64]], "entries": [[[0] * 64, 1]] * (size // 140)}
    ),
    "many variables": lambda size: encoded(target={**TARGET, "space": [[size, 3]]}),
    "many factors": lambda size: encoded(target={**TARGET, "space": [[2, 1]] * (size // 6)}),
    "long names of variables": lambda size: encoded(
        target={**TARGET, "variables": ["x" * (size // 2), "y" * (size // 2)]}
    ),
    "number fields that split everywhere": lambda size: _number_fields(size, max(1, min(16, size // 2**15))),
    "too many number fields": lambda size: _number_fields(size, size),
    "number fields with long coefficients": _long_number_fields,
    "many steps": _many_steps,
    "steps over a large prime": _steps_over_many_primes,
    "many answers": _many_answers,
    "long premises": _long_premises,
    "small units": lambda size: _decomposition([[1, 1], [1]], size, [[2, 3]], 200_000),
    "too many units": lambda size: _decomposition([[1, 1], [1]], size, [[2, 3]], size),
    "units of degree 64 in many variables": lambda size: _decomposition(
        [[1] * 40, [1]], size, [[40, 64]], 200_000
    ),
    "units with long coefficients": lambda size: _decomposition(
        [[_long(3999)] * 8, ["1/" + _long(3999)]], size, [[8, 3]], 200_000
    ),
    "products of many variables": lambda size: _decomposition(
        [[1] * 300, [1] * 300, [1] * 300], size, [[300, 1]] * 3, 200_000, "product"
    ),
    "products with fractions": lambda size: _decomposition(
        [["1/3"] * 40, ["1/7"] * 40, ["1/11"] * 40], size, [[40, 1]] * 3, 200_000, "product"
    ),
    "families with many powers of eps": _border,
    "dense flattenings": _dense_flattenings,
    "a middle catalecticant": _apolar,
    "a quadric with long coefficients": _quadric,
    "a binary form with long coefficients": _binary,
}


@dataclass(frozen=True)
class Cost:
    """What a verdict cost: exit status, code of the refusal, seconds of processor time, and peak memory in MiB."""

    status: int
    code: str
    seconds: float
    mebibytes: float
    bytes: int


_LAUNCHER = """\
import json, resource, subprocess, sys
resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[2]),) * 2)
command = [sys.executable, "-m", "rankproof.verifier", "--json", sys.argv[1]]
run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
cost = [run.returncode, run.stdout.decode(), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024]
print(json.dumps(cost))
"""


def measured(data: bytes, patience: float) -> Cost:
    """Cost of ``python -m rankproof.verifier`` on these bytes; a process that takes longer is killed, status -9 or -24."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "file.json")
        path.write_bytes(data)
        # A small process starts the verifier: the peak memory of a process is at least that of the one that forked it.
        command = [sys.executable, "-c", _LAUNCHER, str(path), str(int(patience))]
        run = subprocess.run(command, cwd=SOURCE, capture_output=True, check=True)
    status, printed, seconds, mebibytes = json.loads(run.stdout)
    try:
        code = json.loads(printed)["code"] or "verified"
    except ValueError:
        code = printed.strip().splitlines()[-1] if printed.strip() else "killed"
    return Cost(status, code, seconds, mebibytes, len(data))

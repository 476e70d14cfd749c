"""Targets that are blocks of weights files."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from .building import (
    Certificate,
    Json,
    accept,
    certificate,
    changed,
    reject,
    step,
    undecided,
    unreadable,
    without,
)
from .weights import ENCODED, LARGE, WEIGHTS

BLOCK = "/target/block"


def target(
    file: str,
    roles: Mapping[str, Json] | None = None,
    directions: Json = (0,),
    inputs: Json | None = None,
) -> Json:
    """A target; tensors are named, or given by an object."""
    named = {role: (roles or {}).get(role, role) for role in ("gate", "up", "down")}
    matrices = {role: {"tensor": entry} if isinstance(entry, str) else entry for role, entry in named.items()}
    sha256 = hashlib.sha256(WEIGHTS[file]).hexdigest()
    result: Json = {"block": {"file": file, "sha256": sha256, **matrices}, "directions": list(directions)}
    return result if inputs is None else result | {"inputs": inputs}


def expanding(form: Json, *units: Json) -> Certificate:
    """A certificate that states an expansion in untied units, exactly."""
    count = len(units)
    return certificate(
        form,
        [step("decomposition", f"untied rank QQ <= {count}", ring="QQ", units=list(units))],
        [f"untied rank QQ 0..{count}"],
    )


def ranked(form: Json, rank: int, orders: Json = (1,)) -> Certificate:
    """A certificate of a rank modulo a prime."""
    return certificate(
        form,
        [step("flattening", f"tied border_rank CC >= {rank}", orders=list(orders), prime=1048573)],
        [f"tied rank CC {rank}.."],
    )


def unit(a: list[Json], b: list[Json], *w: Json) -> Json:
    """An untied unit."""
    return [a, b, list(w)]


# In plain.gguf: gate and up have the rows (1, 1) and (1, -1); down is 1/4 times (4, -4), (2, 1).
PLAIN = target("plain.gguf")
PRODUCT = expanding(PLAIN, unit([1, 0], [0, 1], 16))
BOTH = target("plain.gguf", directions=[0, [0, 2]])
THREE = target("three.safetensors")
INERTIA = certificate(
    THREE,
    [step("inertia", "untied border_rank RR >= 2", order=[0, 1, 2], bits=8)],
    ["untied rank RR 2..", "untied border_rank RR 2.."],
)
FUSED = "fused.safetensors"


def rows(tensor: str, first: int, by: int, count: int, **more: int) -> Json:
    return {"tensor": tensor, **more, "rows": [first, by, count]}


def fused(**roles: Json) -> Json:
    return target(FUSED, {"gate": rows("gate_up", 0, 1, 2), "up": rows("gate_up", 2, 1, 2), **roles})


# x * 3x + y * (-5y)
FUSED_UNITS = unit([1, 0], [3, 0], 1), unit([0, 1], [0, -5], 1)
STACKED = expanding(fused(), *FUSED_UNITS)

CASES = [
    accept("block", "a-product", PRODUCT),
    accept("block", "signature", INERTIA),
    accept(
        "block",
        "two-directions",
        expanding(BOTH, unit([1, 0], [0, 1], 16, 4), unit([1, 0], [1, 0], 0, 6), unit([0, 1], [0, 1], 0, 6)),
    ),
    accept(
        "block",
        "a-combination-of-outputs",
        expanding(
            target("plain.gguf", directions=[[-1, 2]]), unit([1, 0], [1, -2], 6), unit([0, 1], [0, 1], 6)
        ),
    ),
    accept("block", "on-a-subspace", expanding(target("plain.gguf", inputs=[[1, 1]]), unit([1], [1], 16))),
    accept(
        "block",
        "a-few-inputs",
        expanding(target("three.safetensors", inputs=[0, 2]), unit([1, 1], [1, -1], 1)),
    ),
    accept("block", "rows-stacked", STACKED),
    accept(
        "block",
        "rows-in-turn",
        expanding(fused(gate=rows("woven", 0, 2, 2), up=rows("woven", 1, 2, 2)), *FUSED_UNITS),
    ),
    accept(
        "block",
        "transposed",
        expanding(
            fused(gate=rows("turned", 0, 1, 2, transposed=1), up=rows("turned", 2, 1, 2, transposed=1)),
            *FUSED_UNITS,
        ),
    ),
    *(accept("block", name, ranked(target(f"{name}.gguf"), 6)) for name in ENCODED.values()),
    *(accept("block", name, ranked(target(f"{name}.gguf"), 2)) for name in LARGE.values()),
    accept(
        "block",
        "doubles-and-brain-floats",
        expanding(target("floats.gguf"), unit([1, 0], [1, 0], 1), unit([0, 1], [0, 1], -2)),
    ),
    *(
        accept(
            "block",
            f"matrices-called-{name}",
            expanding(fused(gate=name, up=name), unit([1, 0], [1, 0], 1), unit([0, 1], [0, 1], 1)),
        )
        for name in ("half", "double", "brain")
    ),
    # The statement is another one
    reject(
        "block",
        "another-form",
        changed(PRODUCT, "/steps/0/witness/units/0/2", [4]),
        "sum-misses-target",
        "/steps/0/witness/units",
    ),
    reject(
        "block",
        "a-false-claim",
        changed(INERTIA, "/steps/0/claim/value", 3),
        "claim-differs",
        "/steps/0/claim",
    ),
    # The file is another one
    undecided(
        "block",
        "another-file",
        changed(PRODUCT, f"{BLOCK}/sha256", "0" * 64),
        "weights-needed",
        f"{BLOCK}/sha256",
    ),
    undecided(
        "block",
        "no-such-file",
        changed(PRODUCT, f"{BLOCK}/file", "absent"),
        "weights-needed",
        f"{BLOCK}/sha256",
    ),
    *(
        reject("block", name, expanding(target(file), unit([1, 0], [0, 1], 16)), "weights", BLOCK)
        for name, file in (
            ("truncated", "cut.gguf"),
            ("truncated-in-its-header", "cut-header.gguf"),
            ("an-old-version", "old.gguf"),
            ("a-key-of-no-type", "odd-key.gguf"),
            ("neither-format", "neither.bin"),
            ("a-header-that-is-a-list", "list.safetensors"),
        )
    ),
    *(
        reject("block", name, expanding(fused(**roles), *FUSED_UNITS), "weights", BLOCK)
        for name, roles in (
            ("a-missing-tensor", {"down": "absent"}),
            ("not-a-number", {"gate": "spoilt"}),
            ("infinite", {"gate": "endless"}),
            ("one-index", {"gate": "flat"}),
            ("no-rows", {"gate": "empty"}),
            ("units-that-do-not-fit", {"gate": rows("gate_up", 0, 1, 3)}),
            ("inputs-that-do-not-fit", {"gate": "wide"}),
            ("outputs-that-do-not-fit", {"down": "long"}),
            ("rows-that-are-not-there", {"gate": rows("gate_up", 3, 1, 2)}),
            ("a-zero-form", {"down": "zero"}),
        )
    ),
    reject(
        "block",
        "uneven-rows",
        expanding(target("floats.gguf", {"gate": "uneven"}), unit([1, 0], [1, 0], 1)),
        "weights",
        BLOCK,
    ),
    reject(
        "block",
        "no-such-output",
        expanding(target("plain.gguf", directions=[2]), unit([1, 0], [0, 1], 16)),
        "weights",
        "/target/directions/0",
    ),
    reject(
        "block",
        "a-long-direction",
        expanding(target("plain.gguf", directions=[[1, 0, 0]]), unit([1, 0], [0, 1], 16)),
        "weights",
        "/target/directions/0",
    ),
    reject(
        "block",
        "no-such-input",
        expanding(target("plain.gguf", inputs=[0, 2]), unit([1, 0], [0, 1], 16)),
        "weights",
        "/target/inputs/1",
    ),
    undecided(
        "block",
        "an-unknown-encoding",
        expanding(target("floats.gguf", {"gate": "unknown"}), unit([1, 0], [0, 1], 1)),
        "weights",
        BLOCK,
    ),
    undecided("block", "integers", expanding(fused(gate="whole"), unit([1, 0], [0, 1], 1)), "weights", BLOCK),
    # The text
    unreadable(
        "block", "a-folder", changed(PRODUCT, f"{BLOCK}/file", "../plain.gguf"), "bad-name", f"{BLOCK}/file"
    ),
    unreadable(
        "block", "a-short-hash", changed(PRODUCT, f"{BLOCK}/sha256", "abc"), "bad-hash", f"{BLOCK}/sha256"
    ),
    unreadable("block", "no-down", without(PRODUCT, f"{BLOCK}/down"), "missing-key", BLOCK),
    unreadable("block", "no-tensor", changed(PRODUCT, f"{BLOCK}/down", {}), "missing-key", f"{BLOCK}/down"),
    unreadable(
        "block",
        "a-number-for-a-tensor",
        changed(PRODUCT, f"{BLOCK}/up/tensor", 3),
        "wrong-type",
        f"{BLOCK}/up/tensor",
    ),
    unreadable(
        "block",
        "transposed-twice",
        changed(PRODUCT, f"{BLOCK}/up/transposed", 2),
        "out-of-range",
        f"{BLOCK}/up/transposed",
    ),
    unreadable(
        "block",
        "two-numbers-for-rows",
        changed(PRODUCT, f"{BLOCK}/up/rows", [0, 1]),
        "wrong-length",
        f"{BLOCK}/up/rows",
    ),
    unreadable(
        "block",
        "a-step-of-zero",
        changed(PRODUCT, f"{BLOCK}/up/rows", [0, 0, 2]),
        "out-of-range",
        f"{BLOCK}/up/rows/1",
    ),
    unreadable(
        "block",
        "no-rows-taken",
        changed(PRODUCT, f"{BLOCK}/up/rows", [0, 1, 0]),
        "out-of-range",
        f"{BLOCK}/up/rows/2",
    ),
    unreadable(
        "block",
        "no-directions",
        changed(PRODUCT, "/target/directions", []),
        "empty-list",
        "/target/directions",
    ),
    unreadable(
        "block",
        "a-zero-direction",
        changed(PRODUCT, "/target/directions", [[0, 0]]),
        "zero-vector",
        "/target/directions/0",
    ),
    unreadable(
        "block",
        "a-negative-output",
        changed(PRODUCT, "/target/directions", [-1]),
        "out-of-range",
        "/target/directions/0",
    ),
    unreadable(
        "block",
        "a-rational-direction",
        changed(PRODUCT, "/target/directions", [["1/2", 0]]),
        "wrong-type",
        "/target/directions/0/0",
    ),
    unreadable(
        "block",
        "a-zero-input",
        changed(PRODUCT, "/target/inputs", [[0, 0]]),
        "zero-vector",
        "/target/inputs/0",
    ),
    unreadable(
        "block", "a-key-too-many", changed(PRODUCT, "/target/ring", "QQ"), "unknown-key", "/target/ring"
    ),
]

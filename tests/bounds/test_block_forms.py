"""Even parts of blocks as targets: what the prover builds is what the verifier reads from the file."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from blocks.small_models import llama_gguf, random_matrices, safetensors

from rankproof import blocks
from rankproof.bounds.block_forms import (
    block_target,
    form_bounds,
    independent_outputs,
    principal_directions,
    rounded_direction,
)
from rankproof.bounds.lower.inertia import bounds_from, signature, symmetric_matrix
from rankproof.bounds.truncation import best_form, best_shares, own_units_share
from rankproof.certificate.document import Certificate
from rankproof.errors import TargetError, UsageError
from rankproof.problem.field import CC, RR
from rankproof.problem.question import Question
from rankproof.problem.space import Space
from rankproof.problem.target import Target
from rankproof.prove import certify_given
from rankproof.verifier import verify_bytes
from rankproof.verifier.blocks import read_block

RNG = np.random.default_rng(3)


def layouts(tmp_path: Path) -> dict[str, Path]:
    """One block, stored in four ways."""
    m = random_matrices(RNG)
    fused = np.concatenate([m["gate"], m["up"]])
    woven = np.stack([m["gate"], m["up"]], axis=1).reshape(fused.shape)
    down = {"h.0.mlp.down_proj.weight": m["down"]}
    turned = {
        name: np.ascontiguousarray(m[role].T)
        for name, role in (("gate", "gate"), ("in", "up"), ("out", "down"))
    }
    separate = {f"h.0.mlp.{role}_proj.weight": m[role] for role in m}
    files = {
        "separate": separate,
        "stacked": {"h.0.mlp.gate_up_proj.weight": fused, **down},
        "interleaved": {"h.0.mlp.gate_up_proj.weight": woven, **down},
        "transposed": {f"blocks.0.mlp.W_{name}": array for name, array in turned.items()},
    }
    return {name: safetensors(tmp_path / f"{name}.safetensors", tensors) for name, tensors in files.items()}


def test_every_layout_gives_one_form_to_prover_and_verifier(tmp_path: Path) -> None:
    forms = []
    for name, path in layouts(tmp_path).items():
        block = blocks.read(path, 0, activation="silu", interleaved=name == "interleaved")
        for directions, inputs in (
            ([0], None),
            ([1, [0, 2, -1, 0, 5]], None),
            ([2], [0, [1, 1, 0, 0, -3], 4]),
        ):
            target = block_target(block, directions, inputs)
            read = read_block(target.block, [str(path)])
            assert dict(read.entries) == target.as_dict()
            assert read.space.factors == target.space.factors
            forms.append(target.entries)
    assert forms[:3] * 4 == forms


def test_the_form_is_the_even_part_up_to_a_power_of_two(tmp_path: Path) -> None:
    block = blocks.read(llama_gguf(tmp_path / "m.gguf"), 0)
    target = block_target(block, [3])
    matrix = symmetric_matrix(target)
    form = block.form(np.eye(32)[3])
    factor = form / matrix
    assert np.allclose(factor, factor[0, 0], rtol=1e-9)
    x = RNG.integers(-3, 4, size=32)
    exact = sum(c * int(x[i]) * int(x[j]) for (i, j), c in target.entries)
    units = zip(block.down[3].tolist(), block.gate.tolist(), block.up.tolist(), strict=True)
    even = sum(
        Fraction(w)
        * sum(Fraction(a) * int(y) for a, y in zip(gate, x, strict=True))
        * sum(Fraction(b) * int(y) for b, y in zip(up, x, strict=True))
        for w, gate, up in units
    )
    ratio = Fraction(exact) / even
    assert ratio > 0 and ratio.numerator & (ratio.numerator - 1) == 0 and ratio.denominator == 1


def test_a_certificate_of_a_block_needs_the_file_and_notices_another(tmp_path: Path) -> None:
    path = llama_gguf(tmp_path / "m.gguf")
    target = block_target(blocks.read(path, 1), [0])
    bounds = form_bounds(target)
    asked = [Question(units, RR, "rank") for units in ("tied", "untied")]
    proof = certify_given(target, bounds, asked, weights=[str(path)])
    values = np.linalg.eigvalsh(symmetric_matrix(target))
    p, q = int((values > 0).sum()), int((values < 0).sum())
    assert [(a.lower, a.upper) for a in proof.answers] == [(p + q, p + q), (max(p, q), max(p, q))]
    assert p + q == 32
    assert verify_bytes(proof.data, weights=[str(tmp_path)]).ok  # the folder, where the file has its name
    without = verify_bytes(proof.data)
    assert (without.word, without.code, without.exit_status) == ("UNDECIDED", "weights-needed", 4)
    changed = bytearray(path.read_bytes())
    changed[-100] ^= 1
    path.write_bytes(changed)
    assert verify_bytes(proof.data, weights=[str(path)]).code == "weights-needed"


def test_the_signature_of_a_block_with_few_units_is_a_lower_bound_only(tmp_path: Path) -> None:
    path = llama_gguf(tmp_path / "m.gguf", units=32, inputs=96)
    target = block_target(blocks.read(path, 0), [0])
    found = signature(symmetric_matrix(target))
    assert (found.positive, found.negative) == (32, 32)
    bounds = form_bounds(target)
    assert bounds and all(b.claim.relation == ">=" for b in bounds)
    data = Certificate.build(target, bounds, [Question("untied", RR, "rank")], {}).to_bytes()
    assert verify_bytes(data, weights=[str(path)]).conclusion[0]["lower"] == 32


def test_all_outputs_of_a_block_are_independent(tmp_path: Path) -> None:
    path = llama_gguf(tmp_path / "m.gguf")
    target, bounds = independent_outputs(blocks.read(path, 0))
    assert [b.claim.value for b in bounds] == [32]
    proof = certify_given(target, bounds, [Question("tied", CC, "rank")], weights=[str(path)])
    assert proof.answers[0].lower == 32


@pytest.mark.parametrize("n", [1, 2, 5, 17, 40])
def test_the_signature_of_random_forms_is_certified(n: int) -> None:
    for _ in range(5):
        rank = int(RNG.integers(1, n + 1))
        vectors = RNG.integers(-9, 10, size=(rank, n))
        signs = RNG.choice([-1, 1], size=rank)
        matrix = (vectors.T * signs) @ vectors
        entries = {(i, j): int(matrix[i, j]) * (1 + (i != j)) for i in range(n) for j in range(i, n)}
        if not any(entries.values()):
            continue
        target = Target.from_entries(Space.form(n, 2), entries)
        found = signature(symmetric_matrix(target))
        values = np.linalg.eigvalsh(matrix)
        tolerance = 1e-9 * np.abs(values).max()
        assert found.positive <= int((values > tolerance).sum())
        assert found.negative <= int((values < -tolerance).sum())
        if found.bits is None:
            continue
        for units, over in (("tied", CC), ("untied", RR), ("split", CC)):
            bounds = bounds_from(found, n, units, over)
            data = Certificate.build(target, bounds, [Question(units, over, "rank")], {}).to_bytes()
            verdict = verify_bytes(data)
            assert verdict.ok, verdict


def test_a_direction_of_floats_is_rounded_and_a_zero_one_refused() -> None:
    assert rounded_direction(np.array([1, -2])) == [1, -2]
    rounded = np.array(rounded_direction(RNG.normal(size=9)))
    assert np.abs(rounded).max() == 2**20
    for wrong in ([0, 0], [[1]], [float("nan")], ["x"]):
        with pytest.raises(TargetError):
            rounded_direction(wrong)


def test_the_principal_direction_holds_more_of_the_even_part_than_any_output(tmp_path: Path) -> None:
    block = blocks.read(llama_gguf(tmp_path / "m.gguf"), 0)
    (u,) = principal_directions(block, 1)
    largest = np.linalg.norm(block.form(np.array(u) / np.linalg.norm(u)))
    assert all(largest >= np.linalg.norm(block.form(row)) for row in np.eye(32))


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    block = blocks.read(llama_gguf(tmp_path / "m.gguf"), 0)
    with pytest.raises(UsageError, match="there is no output 32"):
        block_target(block, [32])
    with pytest.raises(UsageError, match="does not fit 32 inputs"):
        block_target(block, [0], [[1, 2]])
    with pytest.raises(TargetError, match="from memory"):
        block_target(replace(block, origin=blocks.Origin()), [0])
    with pytest.raises(TargetError, match="bias in gate"):
        block_target(replace(block, biases={"gate": np.ones(64)}), [0])


# Best approximations


def test_the_best_untied_form_attains_the_share_that_it_is_said_to_hold() -> None:
    for width in (1, 2, 4):
        matrix = RNG.normal(size=(7, 7))
        matrix += matrix.T
        a, b = best_form(matrix, width)
        near = (a.T @ b + b.T @ a) / 2
        share = 1 - ((matrix - near) ** 2).sum() / (matrix**2).sum()
        assert np.isclose(share, best_shares(matrix, width).untied)
        assert (
            best_shares(matrix, width).tied
            <= best_shares(matrix, width).untied
            <= best_shares(matrix, 2 * width).tied + 1e-12
        )


def test_a_blocks_own_units_hold_no_more_than_the_best_ones() -> None:
    left, right, weights = RNG.normal(size=(9, 6)), RNG.normal(size=(9, 6)), RNG.normal(size=9)
    half = (left.T * weights) @ right
    matrix = (half + half.T) / 2
    for width in (1, 3, 6):
        assert own_units_share(left, right, weights, width) <= best_shares(matrix, width).untied + 1e-12
    assert np.isclose(own_units_share(left, right, weights, 9), 1)

"""The inputs of every block on the text, written to disk as they are computed, so that no run is lost.

A block's output and its even part are functions of its input and of its weights; only inputs are stored.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.lib.format import open_memmap

from rankproof.blocks.probe.model import LanguageModel
from rankproof.blocks.probe.text import Windows
from rankproof.certificate.whole import make_folder, write_whole
from rankproof.errors import FormatError

# Windows sent through the model together: logits over the vocabulary are the largest thing in memory.
BATCH = 4

# Rows that are worked on together.
_PIECE = 2048


@dataclass(frozen=True)
class Activations:
    """Inputs of blocks on disk.

    Attributes
    ----------
    folder
        Holds ``inputs-NN.npy``, shape (rows, d), float32, and ``nll.npy``, shape (windows, length - 1).
    windows
        The text; row ``i`` is token ``i % length`` of window ``i // length``.
    """

    folder: Path
    windows: Windows

    def inputs(self, block: int) -> np.ndarray:
        """Inputs of a block, shape (rows, d), mapped from disk."""
        return np.load(self.folder / f"inputs-{block:02d}.npy", mmap_mode="r")

    def nll(self) -> np.ndarray:
        """Negative log-likelihood of the model's own predictions, shape (windows, length - 1)."""
        return np.load(self.folder / "nll.npy", mmap_mode="r")

    def pieces(self, block: int, rows: range | None = None) -> Iterator[np.ndarray]:
        """Inputs of a block on consecutive rows, a few thousand at a time."""
        inputs = self.inputs(block)
        rows = range(len(inputs)) if rows is None else rows
        for start in range(rows.start, rows.stop, _PIECE):
            yield np.array(inputs[start : min(start + _PIECE, rows.stop)])


def collect(
    model: LanguageModel,
    windows: Windows,
    folder: Path,
    *,
    blocks: Sequence[int],
    say: Callable[[str], None] = lambda _line: None,
) -> Activations:
    """Send the text through the model and keep the inputs of blocks.

    Parameters
    ----------
    model, windows
        What is run on what.
    folder
        Is made; a run that was interrupted goes on from its last batch when it finds its own traces here.
    blocks
        Whose inputs are kept.
    say
        Told how far the work is.

    Raises
    ------
    FormatError
        If the folder holds the traces of another model or another text.
    """
    make_folder(folder)
    progress = folder / "collected.json"
    key = {"model": model.sha256, "text": digest(windows.ids), "blocks": list(blocks)}
    done = _resumed(progress, key, blocks)
    inputs: dict[int, np.ndarray] = {}
    count, length = windows.ids.shape

    def hear(block: int, x: torch.Tensor, _output: torch.Tensor) -> None:
        if block not in inputs:
            path = folder / f"inputs-{block:02d}.npy"
            shape = (count * length, x.shape[-1])
            # A batch that was not recorded as done is computed again, so the file is kept only with its record.
            inputs[block] = (
                open_memmap(path, mode="r+") if done else open_memmap(path, "w+", np.float32, shape)
            )
        rows = x.reshape(-1, x.shape[-1])
        inputs[block][done * length : done * length + len(rows)] = rows.float().cpu().numpy()

    losses = _losses(folder / "nll.npy", (count, length - 1), fresh=done == 0)
    with torch.inference_mode(), model.listening(hear, blocks):
        while done < count:
            batch = windows.ids[done : done + BATCH]
            losses[done : done + len(batch)] = model.nll(batch).cpu().numpy()
            for mapped in (*inputs.values(), losses):
                mapped.flush()  # pyright: ignore[reportAttributeAccessIssue]
            done += len(batch)
            write_whole(progress, json.dumps({**key, "windows": done}).encode())
            say(f"{done} of {count} windows through the model")
    return Activations(folder, windows)


def digest(ids: np.ndarray) -> str:
    """sha256 of tokens and the shape they stand in."""
    return hashlib.sha256(
        np.ascontiguousarray(ids, dtype="<i8").tobytes() + repr(ids.shape).encode()
    ).hexdigest()


def _losses(path: Path, shape: tuple[int, int], *, fresh: bool) -> np.ndarray:
    return open_memmap(path, "w+", np.float64, shape) if fresh else open_memmap(path, mode="r+")


def _resumed(progress: Path, key: dict[str, object], blocks: Sequence[int]) -> int:
    """Number of windows that an earlier run has done."""
    if not progress.exists():
        return 0
    try:
        recorded = json.loads(progress.read_text(encoding="utf-8"))
        windows = int(recorded.pop("windows"))
    except (ValueError, KeyError, AttributeError) as error:
        raise FormatError(f"{progress} cannot be read; remove its folder to begin again") from error
    kept = set(recorded.pop("blocks", ()))
    if recorded != {name: value for name, value in key.items() if name != "blocks"} or not kept >= set(
        blocks
    ):
        raise FormatError(
            f"{progress.parent} holds activations of another model, text or choice of blocks; "
            "remove it, or name another folder with -o"
        )
    return windows

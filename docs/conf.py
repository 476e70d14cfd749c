"""Sphinx configuration."""

from __future__ import annotations

import rankproof

project = "rankproof"
author = "The rankproof authors"
copyright = author
version = release = rankproof.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
source_suffix = {".md": "markdown"}

myst_heading_anchors = 3

autodoc_typehints = "none"
napoleon_google_docstring = False
napoleon_use_rtype = False

nitpicky = False
html_theme = "furo"
html_title = f"rankproof {version}"
html_copy_source = False

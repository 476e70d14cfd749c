"""Training of CP-MLP blocks: what gradient descent finds, to be held against what is proved.

Only modules of this package import torch (the extra ``train``), and only those that compute: plans, results and their
classification are plain data, so that a table of an old run can be shown where torch is absent.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from rankproof.errors import UsageError


def require(module: str, extra: str) -> Any:
    """A module of an optional extra.

    Raises
    ------
    UsageError
        If it is not installed.

    Examples
    --------
    >>> require("no_such_module", "train")
    Traceback (most recent call last):
        ...
    rankproof.errors.UsageError: this needs no_such_module, which is not installed: pip install 'rankproof[train]'
    """
    try:
        return import_module(module)
    except ImportError as error:
        top = module.partition(".")[0]
        raise UsageError(
            f"this needs {top}, which is not installed: pip install 'rankproof[{extra}]'"
        ) from error

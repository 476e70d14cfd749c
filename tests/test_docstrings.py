"""The examples in docstrings are run, and what is public has a docstring."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil

import pytest

import rankproof

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(rankproof.__path__, "rankproof.")
    if not module.name.endswith(".__main__")
)
# Packages of the optional extras; a module that needs one that is absent is skipped, and the skip is printed.
OPTIONAL = {"torch", "matplotlib", "safetensors", "gguf", "transformers", "distributed"}


def load(name: str):
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name in OPTIONAL:
            pytest.skip(f"{name} needs {error.name}")
        raise


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_run_as_printed(name: str) -> None:
    failures, _ = doctest.testmod(load(name), optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert failures == 0


@pytest.mark.parametrize("name", MODULES)
def test_a_module_says_what_it_is(name: str) -> None:
    assert load(name).__doc__, f"{name} has no docstring"


@pytest.mark.parametrize("name", sorted(set(rankproof.__all__) - {"__version__", "QQ", "RR", "CC"}))
def test_a_public_name_and_its_methods_say_what_they_are(name: str) -> None:
    value = getattr(rankproof, name)
    assert inspect.getdoc(value)
    silent = [
        attribute
        for attribute, member in vars(value).items()
        if not attribute.startswith("_")
        and (inspect.isfunction(member) or isinstance(member, property | classmethod | staticmethod))
        and not inspect.getdoc(member)
    ]
    assert silent == []


def test_an_example_that_lies_is_noticed() -> None:
    """A control: the runner counts failures.

    >>> 1 + 1
    2
    """
    example = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "control", None, None)
    assert doctest.DocTestRunner(verbose=False).run(example, out=lambda text: None).failed == 1

"""Who may import whom: import-linter's contracts and what Python really loads.

Each check has a control: a copy of the package that breaks the rule must be noticed.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import rankproof

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = Path(rankproof.__file__).parent
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
    "contracts"
]
# Heavy package -> the modules that may import it.
OWNERS: dict[str, list[str]] = {
    contract["forbidden_modules"][0]: [
        edge.partition(" -> ")[0].removesuffix(".**") for edge in contract["ignore_imports"]
    ]
    for contract in CONTRACTS
    if contract["id"].startswith("owner-")
}

# Runs code and reports which modules are loaded afterwards, and which module of rankproof imported which owned package.
PROBE = """
import builtins, json, sys
owned, code, report = json.loads(sys.argv[1]), sys.argv[2], sys.argv[3]
sys.argv[1:] = []
imports, original = set(), builtins.__import__
def recording(name, globals=None, locals=None, fromlist=(), level=0):
    importer = (globals or {}).get("__name__") or ""
    top = name.partition(".")[0]
    if level == 0 and top in owned and importer.partition(".")[0] == "rankproof":
        imports.add((importer, top))
    return original(name, globals, locals, fromlist, level)
builtins.__import__ = recording
try:
    exec(code)
except SystemExit as stop:
    assert stop.code in (0, None), stop.code
with open(report, "w") as file:
    json.dump({"modules": sorted(sys.modules), "imports": sorted(imports)}, file)
"""


class Loaded:
    """What a piece of code made Python load."""

    def __init__(self, code: str, directory: Path, package_parent: Path | None = None) -> None:
        report = directory / "loaded.json"
        environment = dict(os.environ)
        if package_parent is not None:
            environment["PYTHONPATH"] = str(package_parent)
        done = subprocess.run(
            [sys.executable, "-c", PROBE, json.dumps(sorted(OWNERS)), code, str(report)],
            cwd=directory,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=180,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        found = json.loads(report.read_text(encoding="utf-8"))
        self.modules = set(found["modules"])
        self.imports = {(importer, package) for importer, package in found["imports"]}

    @property
    def heavy(self) -> set[str]:
        return self.modules & set(OWNERS)

    @property
    def trespasses(self) -> set[tuple[str, str]]:
        return {
            (importer, package)
            for importer, package in self.imports
            if not any(importer == owner or importer.startswith(owner + ".") for owner in OWNERS[package])
        }


def copy_of_the_package(directory: Path) -> Path:
    """A copy that a control may break; the folder that holds it."""
    shutil.copytree(PACKAGE, directory / "rankproof", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", directory)
    return directory


def append(path: Path, line: str) -> None:
    path.write_text(path.read_text(encoding="utf-8") + f"\n{line}\n", encoding="utf-8")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The certificate printed on the page about the format."""
    text = (ROOT / "docs" / "format.md").read_text(encoding="utf-8")
    (whole,) = [
        block for block in re.findall(r"```json\n(.*?)```", text, flags=re.DOTALL) if '"format"' in block
    ]
    path = tmp_path_factory.mktemp("certificate") / "certificate.json"
    path.write_text(whole, encoding="ascii")
    return path


def command(*arguments: str) -> str:
    return f"from rankproof.cli import main\nraise SystemExit(main({list(arguments)!r}))"


# What is live


def test_importing_rankproof_loads_none_of_its_rooms_and_nothing_heavy(tmp_path: Path) -> None:
    loaded = Loaded("import rankproof", tmp_path)
    assert loaded.heavy == set()
    assert {name for name in loaded.modules if name.startswith("rankproof")} == {"rankproof"}


def test_help_loads_nothing_heavy(tmp_path: Path) -> None:
    loaded = Loaded(command("--help"), tmp_path)
    assert loaded.heavy == set()
    assert not loaded.modules & {"rankproof.prove", "rankproof.bounds", "rankproof.verifier.kernel"}


def test_verify_loads_the_verifier_and_nothing_of_the_prover(tmp_path: Path, certificate: Path) -> None:
    loaded = Loaded(command("verify", str(certificate)), tmp_path)
    assert loaded.heavy == set()
    ours = {name for name in loaded.modules if name.startswith("rankproof.")}
    allowed = ("rankproof.verifier", "rankproof.cli", "rankproof.errors")
    assert {name for name in ours if not name.startswith(allowed)} == set()
    assert "rankproof.verifier" in ours


def test_the_library_checks_a_certificate_without_the_prover(tmp_path: Path, certificate: Path) -> None:
    loaded = Loaded(f"import rankproof\nassert rankproof.verify({str(certificate)!r}).ok", tmp_path)
    assert loaded.heavy == set()
    assert not loaded.modules & {"rankproof.prove", "rankproof.bounds", "rankproof.exact"}


@pytest.mark.parametrize(
    "room", ["errors", "problem.parse", "problem.library", "certificate.document", "verifier"]
)
def test_a_room_of_plain_data_loads_nothing_heavy(room: str, tmp_path: Path) -> None:
    assert Loaded(f"import rankproof.{room}", tmp_path).heavy == set()


def test_reading_text_loads_nothing_heavy(tmp_path: Path) -> None:
    assert (
        Loaded(
            "import rankproof\nrankproof.parse('matmul(2,2,3)'); rankproof.parse('x**2*y')", tmp_path
        ).heavy
        == set()
    )


def test_certifying_imports_heavy_packages_from_their_owners_only(tmp_path: Path) -> None:
    loaded = Loaded(command("certify", "x**2*y", "--no-write", "--budget", "2"), tmp_path)
    assert ("flint" in loaded.heavy) and any(package == "flint" for _, package in loaded.imports)
    assert loaded.trespasses == set()


def test_the_live_check_notices_a_heavy_import(tmp_path: Path) -> None:
    parent = copy_of_the_package(tmp_path)
    append(parent / "rankproof" / "errors.py", "import numpy, flint")
    loaded = Loaded("import rankproof\nrankproof.UsageError", tmp_path, parent)
    assert {"numpy", "flint"} <= loaded.heavy
    assert loaded.trespasses == {("rankproof.errors", "numpy"), ("rankproof.errors", "flint")}


def test_the_live_check_notices_a_verifier_that_loads_the_prover(tmp_path: Path, certificate: Path) -> None:
    parent = copy_of_the_package(tmp_path)
    append(parent / "rankproof" / "verifier" / "__init__.py", "import rankproof.problem.space")
    loaded = Loaded(command("verify", str(certificate)), tmp_path, parent)
    assert "rankproof.problem.space" in loaded.modules


# What is written: import-linter


def lint_imports(directory: Path) -> str:
    """Run import-linter on the package in a directory; its report."""
    environment = {**os.environ, "PYTHONPATH": str(directory), "NO_COLOR": "1", "COLUMNS": "200"}
    done = subprocess.run(
        [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"],
        cwd=directory,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    return done.stdout + done.stderr


# Where a forbidden import is planted, and the contract that it breaks.
BREACHES = {
    "layers": ("errors.py", "import rankproof.problem.space"),
    "verifier-alone": ("verifier/__init__.py", "import rankproof.errors"),
    "verifier-callers": ("errors.py", "import rankproof.verifier"),
    **{f"owner-{package}": ("errors.py", f"import {package}") for package in OWNERS},
}


def test_every_import_contract_is_kept(tmp_path: Path) -> None:
    report = lint_imports(copy_of_the_package(tmp_path))
    assert f"{len(CONTRACTS)} kept, 0 broken" in report, report


def test_every_import_contract_notices_its_breach(tmp_path: Path) -> None:
    assert set(BREACHES) == {contract["id"] for contract in CONTRACTS}
    parent = copy_of_the_package(tmp_path)
    for file, line in BREACHES.values():
        append(parent / "rankproof" / file, line)
    report = lint_imports(parent)
    for contract in CONTRACTS:
        assert f"{contract['name']} BROKEN" in report, report


def test_a_package_without_a_place_in_the_layers_is_noticed(tmp_path: Path) -> None:
    parent = copy_of_the_package(tmp_path)
    (parent / "rankproof" / "stray.py").write_text("", encoding="utf-8")
    assert "Imports go down only BROKEN" in lint_imports(parent)


# The verifier stands alone


def foreign_imports(folder: Path) -> Iterator[str]:
    """Imports in the verifier's source that are neither relative inside it nor of the standard library."""
    for path in sorted(folder.rglob("*.py")):
        depth = len(path.relative_to(folder).parts)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level:
                if node.level > depth:
                    yield f"{path.name}:{node.lineno} leaves the folder"
                continue
            names = (
                [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else []
            )
            for name in names:
                if name.partition(".")[0] not in sys.stdlib_module_names:
                    yield f"{path.name}:{node.lineno} imports {name}"


def test_the_verifier_imports_only_itself_and_the_standard_library() -> None:
    assert list(foreign_imports(PACKAGE / "verifier")) == []


@pytest.mark.parametrize(
    "line", ["import numpy", "from rankproof import errors", "from ..errors import UsageError"]
)
def test_a_foreign_import_in_the_verifier_is_noticed(line: str, tmp_path: Path) -> None:
    folder = copy_of_the_package(tmp_path) / "rankproof" / "verifier"
    append(folder / "__init__.py", line)
    assert len(list(foreign_imports(folder))) == 1


def test_the_verifier_runs_alone_without_site_packages(tmp_path: Path, certificate: Path) -> None:
    alone = tmp_path / "alone"
    shutil.copytree(PACKAGE / "verifier", alone / "checker", ignore=shutil.ignore_patterns("__pycache__"))
    code = f"import sys; sys.path.insert(0, {str(alone)!r}); from checker.cli import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, str(certificate)],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "VERIFIED" in done.stdout

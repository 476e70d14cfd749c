"""Write the size of the trusted base down: files and rules of the verifier into soundness.md, the sum into README.md."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "soundness.md"
README = ROOT / "README.md"
BEGIN, END = "<!-- trusted base: begin -->", "<!-- trusted base: end -->"
RULES_BEGIN, RULES_END = "<!-- rules: begin -->", "<!-- rules: end -->"


def lines_of_code(path: Path) -> int:
    """Number of lines that are neither blank, nor comments, nor docstrings."""
    source = path.read_text(encoding="utf-8")
    prose: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
            and node.end_lineno is not None
        ):
            prose.update(range(node.lineno, node.end_lineno + 1))
    return sum(
        bool(line.strip()) and not line.lstrip().startswith("#") and number not in prose
        for number, line in enumerate(source.splitlines(), start=1)
    )


def first_line(path: Path) -> str:
    """First line of a module's docstring."""
    return (
        (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").partition("\n")[0].rstrip(".")
    )


def table(package: Path) -> str:
    """The trusted base in Markdown."""
    folder = package / "verifier"
    files = sorted(folder.rglob("*.py"), key=lambda path: (len(path.relative_to(folder).parts), path))
    rows = [(path.relative_to(package).as_posix(), lines_of_code(path), first_line(path)) for path in files]
    body = "\n".join(f"| `{name}` | {count} | {purpose} |" for name, count, purpose in rows)
    total = sum(count for _, count, _ in rows)
    return f"| file | lines | what it does |\n| --- | ---: | --- |\n{body}\n| **total** | **{total}** | |"


def imported(path: Path) -> set[Path]:
    """Files of the verifier that a file of it imports; all its imports of them are relative."""
    found: set[Path] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            folder = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            places = [folder.with_suffix(".py"), *(folder / f"{name.name}.py" for name in node.names)]
            found |= {place for place in places if place.is_file()}
    return found


def reached(start: set[Path], without: set[Path]) -> set[Path]:
    """The files and everything that they import, directly or not, leaving some out."""
    found: set[Path] = set()
    pending = start - without
    while pending:
        found |= pending
        pending = {other for path in pending for other in imported(path)} - found - without
    return found


def rules_table(package: Path) -> str:
    """What a certificate rests on that uses one rule: the core, which every certificate needs, and the rule's own files."""
    folder = package / "verifier"
    rules = set((folder / "rules").glob("*.py"))
    core = reached({folder / "cli.py"}, rules) | {folder / "rules" / "rule.py"}
    size = sum(map(lines_of_code, core))
    names = ast.parse((folder / "rules" / "__init__.py").read_text(encoding="utf-8"))
    modules = {
        key.value: value.value.id
        for table in ast.walk(names)
        if isinstance(table, ast.Dict)
        for key, value in zip(table.keys, table.values, strict=True)
        if isinstance(key, ast.Constant) and isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name)
    }
    rows = []
    for rule, module in modules.items():
        own = reached({folder / "rules" / f"{module}.py"}, core | {folder / "rules" / "__init__.py"})
        lines = sum(map(lines_of_code, own))
        rows.append((lines, f"| [{rule}](rules/{rule}.md) | {lines} | {size + lines} |"))
    body = "\n".join(row for _, row in sorted(rows))
    head = f"| rule | own lines | with the core of {size} |\n| --- | ---: | ---: |"
    return f"{head}\n{body}"


def written(page: str, package: Path) -> str:
    """The page with its tables replaced."""
    for begin, new, end in ((BEGIN, table(package), END), (RULES_BEGIN, rules_table(package), RULES_END)):
        page = re.sub(
            f"{re.escape(begin)}.*{re.escape(end)}", f"{begin}\n{new}\n{end}".replace("\\", r"\\"), page, flags=re.DOTALL
        )
    return page


def with_size(readme: str, package: Path) -> str:
    """README.md with the size of the trusted base, rounded up to the next 500 lines."""
    total = sum(lines_of_code(path) for path in (package / "verifier").rglob("*.py"))
    return re.sub(
        r"fewer than [0-9,]+ lines of code", f"fewer than {total // 500 * 500 + 500:,} lines of code", readme
    )


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), ROOT / "rankproof"), encoding="utf-8")
    README.write_text(with_size(README.read_text(encoding="utf-8"), ROOT / "rankproof"), encoding="utf-8")

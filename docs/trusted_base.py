"""Write the table of the trusted base into soundness.md: every file of the verifier and its lines of code."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "soundness.md"
BEGIN, END = "<!-- trusted base: begin -->", "<!-- trusted base: end -->"


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


def written(page: str, new: str) -> str:
    """The page with its table replaced."""
    return re.sub(
        f"{re.escape(BEGIN)}.*{re.escape(END)}", lambda _: f"{BEGIN}\n{new}\n{END}", page, flags=re.DOTALL
    )


if __name__ == "__main__":
    old = PAGE.read_text(encoding="utf-8")
    new = written(old, table(ROOT / "rankproof"))
    PAGE.write_text(new, encoding="utf-8")

"""Write the size of the trusted base down: every file of the verifier into soundness.md, the sum into README.md."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "soundness.md"
README = ROOT / "README.md"
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


def with_size(readme: str, package: Path) -> str:
    """README.md with the size of the trusted base, rounded up to the next 500 lines."""
    total = sum(lines_of_code(path) for path in (package / "verifier").rglob("*.py"))
    return re.sub(
        r"fewer than [0-9,]+ lines of code", f"fewer than {total // 500 * 500 + 500:,} lines of code", readme
    )


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), table(ROOT / "rankproof")), encoding="utf-8")
    README.write_text(with_size(README.read_text(encoding="utf-8"), ROOT / "rankproof"), encoding="utf-8")

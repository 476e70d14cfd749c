"""Verifiers with one check disabled, built from the syntax trees of the real one.

A mutant is the whole package under another name, with one place of one module changed. It is noticed when it says
something else than the corpus demands about at least one file, or breaks down.
"""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, FrameType, ModuleType

from corpus.judging import Demand, Verifier, disagreements

import rankproof.verifier

PACKAGE = Path(rankproof.verifier.__file__).parent
NAME = "mutated_verifier"
PATIENCE = 2.0
"""Seconds for one file; the slowest of the corpus takes a tenth of that."""

APART = {"cli.py", "__main__.py"}
"""Modules that the corpus does not run: the command line has its own tests."""


@dataclass(frozen=True)
class Mutant:
    """One change of one module: a node of its syntax tree and what stands in its place.

    ``codes`` are those of the refusal that the change concerns.
    """

    file: str
    kind: str
    node: ast.AST
    instead: ast.AST
    codes: frozenset[str]

    @property
    def key(self) -> tuple[str, str, str]:
        """What the change is, without the line in which it stands; equal texts of a file are numbered from the second on."""
        text = ast.unparse(self.node)
        same = [node for node in ast.walk(sources()[self.file]) if type(node) is type(self.node)]
        place = [node for node in same if ast.unparse(node) == text].index(self.node)
        return self.file, self.kind, f"{text} ({place + 1})" if place else text

    @property
    def place(self) -> tuple[str, str, str, str]:
        """File, kind, the changed text (the second of two equal ones with its number), and the first line of its statement."""
        tree = sources()[self.file]
        holders = [x for x in ast.walk(tree) if isinstance(x, ast.stmt) and any(y is self.node for y in ast.walk(x))]
        statement = min(holders, key=lambda x: len(ast.unparse(x)))
        text = ast.unparse(self.node)
        same = [x for x in ast.walk(statement) if type(x) is type(self.node) and ast.unparse(x) == text]
        number = next(k for k, x in enumerate(same) if x is self.node)
        first = ast.unparse(statement).splitlines()[0]
        return self.file, self.kind, f"{text} ({number + 1})" if number else text, first

    def __str__(self) -> str:
        return f"{self.file}:{self.node.lineno} {self.kind}: {ast.unparse(self.node)[:100]}"

    def code(self) -> CodeType:
        """The changed module."""
        holder, name, index = _parents(self.file)[id(self.node)]
        _put(holder, name, index, ast.copy_location(self.instead, self.node))
        try:
            return compile(ast.fix_missing_locations(sources()[self.file]), f"<{self.file}>", "exec")
        finally:
            _put(holder, name, index, self.node)


def _put(holder: ast.AST, name: str, index: int | None, node: ast.AST) -> None:
    if index is None:
        setattr(holder, name, node)
    else:
        getattr(holder, name)[index] = node


@cache
def _parents(file: str) -> dict[int, tuple[ast.AST, str, int | None]]:
    """Where every node of a module stands, by its identity."""
    places: dict[int, tuple[ast.AST, str, int | None]] = {}
    for holder in ast.walk(sources()[file]):
        for name, value in ast.iter_fields(holder):
            if isinstance(value, ast.AST):
                places[id(value)] = holder, name, None
            elif isinstance(value, list):
                for index, node in enumerate(value):
                    if isinstance(node, ast.AST):
                        places[id(node)] = holder, name, index
    return places


@cache
def sources() -> dict[str, ast.Module]:
    """Syntax trees of the verifier by path inside the package."""
    return {
        path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(PACKAGE.rglob("*.py"))
    }


@cache
def in_use() -> tuple[str, ...]:
    """The modules that verifying loads: a rule that is not in the table refuses nothing."""
    with Loaded(None):
        loaded = [module.__spec__ for name, module in sys.modules.items() if name.partition(".")[0] == NAME]
        return tuple(sorted(spec.origin for spec in loaded if spec and spec.origin not in APART))


@cache
def _code(file: str) -> CodeType:
    return compile(sources()[file], f"<{file}>", "exec")


# Loading


class _Finder(MetaPathFinder, Loader):
    """Finds the modules of one mutant."""

    def __init__(self, mutant: Mutant | None) -> None:
        self.changed = mutant and mutant.file
        self.code = mutant and mutant.code()

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if fullname.partition(".")[0] != NAME:
            return None
        stem = "/".join(fullname.split(".")[1:])
        for file, package in ((f"{stem}.py", False), (f"{stem}/__init__.py".lstrip("/"), True)):
            if file in sources():
                return importlib.util.spec_from_loader(fullname, self, origin=file, is_package=package)
        return None

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        assert module.__spec__ is not None
        file = module.__spec__.origin
        assert file is not None
        exec(self.code if file == self.changed and self.code else _code(file), module.__dict__)


class Loaded:
    """A verifier loaded from changed sources; a context manager, because it occupies a name in ``sys.modules``."""

    def __init__(self, mutant: Mutant | None) -> None:
        self.finder = _Finder(mutant)

    def __enter__(self) -> Loaded:
        _forget()
        sys.meta_path.insert(0, self.finder)
        try:
            self.verifier = Verifier(NAME, None if self.finder.changed is None else PATIENCE)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        sys.meta_path.remove(self.finder)
        _forget()


def _forget() -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == NAME]:
        del sys.modules[name]


# Changing


def refusals_disabled() -> Iterator[Mutant]:
    """Every ``raise`` in turn does nothing."""
    for file in in_use():
        tree = sources()[file]
        for node in ast.walk(tree):
            if isinstance(node, ast.Raise) and node.exc is not None:
                yield Mutant(file, "refusal disabled", node, ast.Pass(), _codes(tree, node))


def conditions_weakened() -> Iterator[Mutant]:
    """Every operand of an ``or`` or an ``and`` that guards a refusal is left out in turn."""
    for file in in_use():
        tree = sources()[file]
        for guard, raised in _guards(tree):
            for node in ast.walk(guard.test):
                if isinstance(node, ast.BoolOp):
                    for i in range(len(node.values)):
                        rest = node.values[:i] + node.values[i + 1 :]
                        instead = rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
                        yield Mutant(file, f"operand {i} left out", node, instead, _codes(tree, raised))


SWAPPED: dict[type, type] = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}


def boundaries_moved() -> Iterator[Mutant]:
    """Every inequality that guards a refusal takes in, or leaves out, its boundary."""
    for file in in_use():
        tree = sources()[file]
        for guard, raised in _guards(tree):
            for node in ast.walk(guard.test):
                if isinstance(node, ast.Compare):
                    for i, op in enumerate(node.ops):
                        if type(op) in SWAPPED:
                            ops = [*node.ops[:i], SWAPPED[type(op)](), *node.ops[i + 1 :]]
                            instead = ast.Compare(node.left, ops, node.comparators)
                            yield Mutant(file, f"boundary {i} moved", node, instead, _codes(tree, raised))


def inequalities_shifted() -> Iterator[Mutant]:
    """Every inequality, of a guard or not, becomes true for one integer more, and for one less."""
    for file in in_use():
        for node in ast.walk(sources()[file]):
            if not isinstance(node, ast.Compare) or not any(type(op) in SWAPPED for op in node.ops):
                continue
            for i, op in enumerate(node.ops):
                if type(op) not in SWAPPED:
                    continue
                swapped = [*node.ops[:i], SWAPPED[type(op)](), *node.ops[i + 1 :]]
                yield Mutant(
                    file,
                    f"boundary {i} moved",
                    node,
                    ast.Compare(node.left, swapped, node.comparators),
                    frozenset(),
                )
                # a < b admits one integer less as a + 1 < b, and a <= b one more as a - 1 <= b; > and >= the other way.
                shift = ast.Sub() if isinstance(op, (ast.LtE, ast.Gt)) else ast.Add()
                sides = [node.left, *node.comparators]
                sides[i] = ast.BinOp(sides[i], shift, ast.Constant(1))
                yield Mutant(
                    file, f"side {i} shifted", node, ast.Compare(sides[0], node.ops, sides[1:]), frozenset()
                )


TABLES = {
    "claims.py": {"_inequalities"},
    "losses.py": {"multiplicity", "constant", "cost", "_uniform", "_rademacher"},
    "forms.py": {"quotient_dimension"},
    "spectrum.py": {"least", "most", "counted"},
    "units.py": {"read_units"},
    "rules/apolar_length.py": {"scheme_length"},
    "rules/flattening.py": {"flattening_divisor"},
    "rules/koszul.py": {"largest_unit_rank"},
    "rules/floor.py": {"_after"},
    "rules/signature.py": {"isotropic_codimension"},
}
"""Functions, besides ``derive`` of every rule, whose constants are what is proved."""


def constants_shifted() -> Iterator[Mutant]:
    """Every integer of a table of divisors, and of the functions that derive claims, is one larger, and one smaller.

    But not what a step may cost, nor the words of a refusal: nothing is proved by them.
    """
    for file in in_use():
        names = TABLES.get(file, set()) | ({"derive"} if file.startswith("rules/") else set())
        for function in ast.walk(sources()[file]):
            if not isinstance(function, ast.FunctionDef) or function.name not in names:
                continue
            aside = {id(inner) for node in ast.walk(function) if _is_aside(node) for inner in ast.walk(node)}
            for node in ast.walk(function):
                if isinstance(node, ast.Constant) and type(node.value) is int and id(node) not in aside:
                    for by in (1, -1):
                        yield Mutant(
                            file, f"shifted by {by}", node, ast.Constant(node.value + by), frozenset()
                        )


def _is_aside(node: ast.AST) -> bool:
    """Whether a node counts operations, or makes a sentence."""
    called = node.func if isinstance(node, ast.Call) else None
    counts = isinstance(called, ast.Name) and called.id in ("check_operations", "check_pairs", "check_sizes")
    return counts or isinstance(node, ast.JoinedStr)


DECIDING = {
    "claims.py",
    "primes.py",
    "quadratic.py",
    *(f"rules/{name}.py" for name in ("nonzero", "decomposition", "border_family", "flattening", "koszul")),
    *(f"rules/{name}.py" for name in ("quadric", "coprime_monomials", "over")),
}
"""Modules in which a branch decides what is proved, and not only how fast or in which words."""


def branches_forced() -> Iterator[Mutant]:
    """Every other condition of the deciding modules is always true, and always false."""
    for file in [file for file in in_use() if file in DECIDING]:
        tree = sources()[file]
        guards = {id(guard) for guard, _ in _guards(tree)}
        for node in ast.walk(tree):
            tests = [node.test] if isinstance(node, (ast.If, ast.IfExp)) and id(node) not in guards else []
            if isinstance(node, ast.comprehension):
                tests = node.ifs
            for test in tests:
                for value in (True, False):
                    yield Mutant(file, f"always {str(value).lower()}", test, ast.Constant(value), frozenset())


def _guards(tree: ast.Module) -> Iterator[tuple[ast.If, ast.Raise]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.If):
            raised = next((x for x in node.body if isinstance(x, ast.Raise)), None)
            if raised is not None:
                yield node, raised


def _codes(tree: ast.Module, raised: ast.Raise) -> frozenset[str]:
    return frozenset(
        code for call in ast.walk(raised) if isinstance(call, ast.Call) for code in codes_of(tree, call)
    )


def codes_of(tree: ast.Module, call: ast.Call) -> set[str]:
    """The codes that a call of Unreadable, Rejected or Undecided may carry; a name stands for all its assignments.

    The reader of lists with a limited length is told its code.
    """
    if isinstance(call.func, ast.Name) and call.func.id == "limited":
        return {str(ast.literal_eval(call.args[-1]))}
    if not (isinstance(call.func, ast.Name) and call.func.id in ("Unreadable", "Rejected", "Undecided")):
        return set()
    first = call.args[0]
    if isinstance(first, ast.Constant):
        return {str(first.value)}
    if isinstance(first, ast.Attribute):
        return set()  # a refusal passed on with its place; its code is counted where it is made
    assert isinstance(first, ast.Name), ast.unparse(call)
    function = next(
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and any(inner is call for inner in ast.walk(node))
    )
    return {
        leaf.value
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        and any(isinstance(t, ast.Name) and t.id == first.id for t in node.targets)
        for leaf in _results(node.value)
    }


def _results(value: ast.expr) -> list[ast.Constant]:
    if isinstance(value, ast.IfExp):
        return _results(value.body) + _results(value.orelse)
    assert isinstance(value, ast.Constant), ast.unparse(value)
    return [value]


# Judging


@cache
def callers(demands: tuple[Demand, ...]) -> dict[tuple[str, int], list[Demand]]:
    """For every function of the verifier, by file and line, the demands that call it: only they can notice its mutants."""
    found: dict[tuple[str, int], list[Demand]] = {}
    with Loaded(None) as loaded:
        for demand in demands:
            called: set[tuple[str, int]] = set()

            def note(frame: FrameType, event: str, _: object, called: set[tuple[str, int]] = called) -> None:
                code = frame.f_code
                if event == "call" and code.co_filename.startswith("<"):
                    called.add((code.co_filename[1:-1], code.co_firstlineno))

            sys.setprofile(note)
            try:
                loaded.verifier.find(demand)
            finally:
                sys.setprofile(None)
            for function in called:
                found.setdefault(function, []).append(demand)
    return found


def _function(mutant: Mutant) -> tuple[str, int] | None:
    """File and first line of the outermost function that holds a mutant's place; None at the level of the module."""
    for node in ast.walk(sources()[mutant.file]):
        if isinstance(node, ast.FunctionDef) and any(inner is mutant.node for inner in ast.walk(node)):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            return mutant.file, first
    return None


def first_disagreement(mutant: Mutant, demands: tuple[Demand, ...]) -> str | None:
    """How the corpus notices a mutant; None when it survives."""
    function = _function(mutant)
    concerned = demands if function is None else callers(demands).get(function, [])
    # The files refused with the disabled code are the likeliest to notice.
    ordered = sorted(concerned, key=lambda demand: demand.finding[1] not in mutant.codes)
    try:
        with Loaded(mutant) as loaded:
            return next(disagreements(loaded.verifier.find, ordered), None)
    except Exception as error:
        return f"does not load: {type(error).__name__}: {error}"

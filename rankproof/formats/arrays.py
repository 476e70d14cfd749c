"""Arrays of numbers from ``.npy`` bytes, pickled ones included, without running anything that a pickle asks for.

Python's own unpickler calls whatever a file names. Here the few pickle instructions that an array of numbers
consists of are read by an interpreter that knows three names and calls nothing: not even numpy's own
reconstruction code, which trusts its input.
"""

from __future__ import annotations

import pickletools
import re
from dataclasses import dataclass
from math import prod
from typing import Any, NoReturn

import numpy as np

from rankproof.errors import FormatError

# Python may write these under the old or the new module name of numpy.
_KNOWN = {
    ("numpy", "ndarray"): "ndarray",
    ("numpy", "dtype"): "dtype",
    ("numpy.core.multiarray", "_reconstruct"): "reconstruct",
    ("numpy._core.multiarray", "_reconstruct"): "reconstruct",
}
_LITERALS = {
    *(
        "BININT",
        "BININT1",
        "BININT2",
        "INT",
        "LONG",
        "LONG1",
        "LONG4",
        "BINFLOAT",
        "NONE",
        "NEWTRUE",
        "NEWFALSE",
    ),
    *("SHORT_BINBYTES", "BINBYTES", "BINBYTES8", "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8"),
}
_HEADER = re.compile(
    r"\{'descr': '(?P<type>[<>|=][a-zA-Z0-9]{1,8})', 'fortran_order': (?P<fortran>True|False), "
    r"'shape': \((?P<shape>(?:[0-9]{1,10}(?:, ?|(?=\))))*)\), \}\s*"
)
_LONGEST_HEADER = 2**12
_CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}
_NUMERIC_CODES = {f"{kind}{size}" for kind in "iu" for size in (1, 2, 4, 8)} | {"f2", "f4", "f8", "b1"}


@dataclass(frozen=True)
class _Name:
    """One of the names of `_KNOWN`, as a mark on the stack; it cannot be called."""

    what: str


@dataclass
class _Dtype:
    code: str
    order: str = "|"


@dataclass
class _Array:
    """An array as its pickle describes it; `content` is bytes, or a list for an array of objects."""

    shape: tuple[int, ...] = ()
    dtype: _Dtype | None = None
    fortran: bool = False
    content: Any = None


def read_array(data: bytes, where: str) -> list[np.ndarray]:
    """Numeric arrays of one ``.npy`` file: the items along its first axis.

    Parameters
    ----------
    data
        The bytes of the file.
    where
        How errors call it.

    Returns
    -------
    list of numpy.ndarray
        One array an item of the first axis. Entries are booleans, integers or floats; an item that was itself
        an array of Python numbers has dtype object.

    Raises
    ------
    FormatError
        If the bytes are no ``.npy`` file, or hold anything but numbers.
    """
    code, fortran, shape, start = _header(data, where)
    if code[1:] == "O":
        array = _Interpreter(where).run(data[start:])
        if not isinstance(array, _Array) or array.dtype is None or array.shape != shape:
            raise FormatError(
                f"{where}: the pickle is not the array of shape {shape} that its header announces"
            )
        return [_numbers(item, where) for item in _items(array, where)]
    if not shape:
        raise FormatError(f"{where} is a single number, not a list of arrays")
    return list(_decode(_Array(shape, _Dtype(code[1:], code[:1]), fortran, data[start:]), where))


def read_numbers(data: bytes, where: str) -> np.ndarray:
    """The numeric array of a ``.npy`` file that holds no Python objects.

    Raises
    ------
    FormatError
        If the bytes are no such file.
    """
    code, fortran, shape, start = _header(data, where)
    if code[1:] == "O":
        raise FormatError(f"{where} holds Python objects; save it as an array of integers")
    return _decode(_Array(shape, _Dtype(code[1:], code[:1]), fortran, data[start:]), where)


def described(data: bytes) -> tuple[str, tuple[int, ...]] | None:
    """Type code (``i8``, ``b1``, ``O``) and shape that a ``.npy`` file announces; None when it is none."""
    try:
        code, _, shape, _ = _header(data, "")
    except FormatError:
        return None
    return code[1:], shape


def _header(data: bytes, where: str) -> tuple[str, bool, tuple[int, ...], int]:
    """Type, order and shape of a ``.npy`` file, and where its entries begin."""
    width = {b"\x93NUMPY\x01\x00": 2, b"\x93NUMPY\x02\x00": 4}.get(data[:8])
    if width is None:
        raise FormatError(f"{where} is not an array in version 1 or 2 of the .npy format")
    end = 8 + width + int.from_bytes(data[8 : 8 + width], "little")
    text = data[8 + width : min(end, 8 + width + _LONGEST_HEADER)]
    # numpy evaluates this as a Python literal; it writes it in one way only, which is all that is read here.
    found = _HEADER.fullmatch(text.decode("latin-1"))
    if found is None or end > len(data):
        raise FormatError(
            f"{where} has a damaged .npy header, or one for structured entries, which are not read"
        )
    shape = tuple(int(n) for n in found["shape"].replace(" ", "").split(",") if n)
    return found["type"], found["fortran"] == "True", shape, end


class _Interpreter:
    """The subset of pickle that arrays of numbers are written in."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.stack: list[Any] = []
        self.marks: list[int] = []
        self.memo: dict[int, Any] = {}

    def run(self, data: bytes) -> Any:
        try:
            for opcode, argument, _ in pickletools.genops(data):
                self.step(opcode.name, argument)
            (value,) = self.stack
        # genops reports broken bytes as ValueError; the others come from instructions that find too little on the stack.
        except (ValueError, IndexError, KeyError, TypeError, OverflowError, MemoryError) as error:
            raise FormatError(f"{self.where}: the pickle is damaged ({error})") from None
        return value

    def step(self, opcode: str, argument: Any) -> None:
        stack = self.stack
        if opcode in _LITERALS:
            stack.append(_CONSTANTS.get(opcode, argument))
        elif opcode in ("PROTO", "FRAME", "STOP"):
            pass
        elif opcode in ("BINPUT", "LONG_BINPUT", "PUT"):
            self.memo[argument] = stack[-1]
        elif opcode == "MEMOIZE":
            self.memo[len(self.memo)] = stack[-1]
        elif opcode in ("BINGET", "LONG_BINGET", "GET"):
            stack.append(self.memo[argument])
        elif opcode == "MARK":
            self.marks.append(len(stack))
        elif opcode in ("EMPTY_TUPLE", "EMPTY_LIST"):
            stack.append(() if opcode == "EMPTY_TUPLE" else [])
        elif opcode in ("TUPLE1", "TUPLE2", "TUPLE3"):
            stack.append(tuple(self.take(int(opcode[-1]))))
        elif opcode in ("TUPLE", "LIST"):
            items = self.take_marked()
            stack.append(tuple(items) if opcode == "TUPLE" else items)
        elif opcode in ("APPEND", "APPENDS"):
            items = self.take(1) if opcode == "APPEND" else self.take_marked()
            if not isinstance(stack[-1], list):
                self.refuse("it appends to something that is no list")
            stack[-1].extend(items)
        elif opcode == "GLOBAL":
            stack.append(self.name(*argument.split(" ", 1)))
        elif opcode == "STACK_GLOBAL":
            stack.append(self.name(*self.take(2)))
        elif opcode == "REDUCE":
            stack.append(self.construct(*self.take(2)))
        elif opcode == "BUILD":
            (state,) = self.take(1)
            self.fill(stack[-1], state)
        else:
            self.refuse(f"it uses the instruction {opcode}")

    def take(self, count: int) -> list[Any]:
        if len(self.stack) < count:
            raise ValueError("too little on the stack")
        items = self.stack[-count:]
        del self.stack[-count:]
        return items

    def take_marked(self) -> list[Any]:
        start = self.marks.pop()
        items = self.stack[start:]
        del self.stack[start:]
        return items

    def name(self, module: Any, name: Any) -> _Name:
        what = _KNOWN.get((module, name))
        if what is None:
            self.refuse(f"it asks Python for {module}.{name}")
        return _Name(what)

    def construct(self, what: Any, arguments: Any) -> _Array | _Dtype:
        if what == _Name("dtype"):
            return _Dtype(str(arguments[0]))
        if what == _Name("reconstruct") and arguments[0] == _Name("ndarray"):
            return _Array()
        self.refuse("it builds something that is no array")

    def fill(self, thing: Any, state: Any) -> None:
        # Lengths are checked because a state that is cut short leaves a thing half built.
        if isinstance(thing, _Dtype) and isinstance(state, tuple) and len(state) >= 8:
            if any(part is not None for part in state[2:5]):
                self.refuse(f"its numbers have the structured type {thing.code}")
            thing.order = str(state[1])
        elif isinstance(thing, _Array) and isinstance(state, tuple) and len(state) == 5:
            _, shape, dtype, fortran, content = state
            sizes_are_plain = isinstance(shape, tuple) and all(type(n) is int and n >= 0 for n in shape)
            if not sizes_are_plain or not isinstance(dtype, _Dtype) or type(fortran) is not bool:
                self.refuse("an array in it has no proper shape or type")
            thing.shape, thing.dtype, thing.fortran, thing.content = shape, dtype, fortran, content
        else:
            self.refuse("it changes something that is no array")

    def refuse(self, what: str) -> NoReturn:
        raise FormatError(
            f"{self.where}: {what}, and a pickle may run any program; only arrays of numbers are read from pickles."
            " Save the factor matrices as plain integer arrays"
        )


def _items(array: _Array, where: str) -> list[Any]:
    if (
        not isinstance(array.content, list)
        or len(array.content) != prod(array.shape)
        or len(array.shape) != 1
    ):
        raise FormatError(
            f"{where}: an array of objects must be a plain list of arrays, but it has shape {array.shape}"
        )
    return array.content


def _numbers(item: Any, where: str) -> np.ndarray:
    """One item of an array of objects: a numeric array, or an array of Python integers and floats."""
    if not isinstance(item, _Array) or item.dtype is None:
        raise FormatError(
            f"{where}: an array of arrays holds {type(item).__name__} where an array of numbers is expected"
        )
    if item.dtype.code[:1] != "O":
        return _decode(item, where)
    content = item.content
    if not isinstance(content, list) or len(content) != prod(item.shape):
        raise FormatError(f"{where}: an array of shape {item.shape} does not have its entries")
    for x in content:
        if type(x) not in (int, float, bool):
            raise FormatError(
                f"{where}: an array of Python objects holds {type(x).__name__} where a number is expected"
            )
    array = np.empty(len(content), dtype=object)
    array[:] = content
    return array.reshape(item.shape, order="F" if item.fortran else "C")


def _decode(array: _Array, where: str) -> np.ndarray:
    dtype = array.dtype
    if dtype is None or dtype.code not in _NUMERIC_CODES or dtype.order not in ("<", ">", "|", "="):
        code = dtype.code if dtype else "?"
        hint = "; schemes with complex coefficients are not read from this format" if code[:1] == "c" else ""
        raise FormatError(
            f"{where}: entries of numpy type {code!r} are not numbers that can be read exactly{hint}"
        )
    kind = np.dtype(dtype.code).newbyteorder(dtype.order)
    expected = prod(array.shape) * kind.itemsize
    if not isinstance(array.content, bytes) or len(array.content) != expected:
        size = len(array.content) if isinstance(array.content, bytes) else 0
        raise FormatError(
            f"{where}: an array of shape {array.shape} needs {expected} bytes and has {size}; the file is damaged"
        )
    return np.frombuffer(array.content, dtype=kind).reshape(array.shape, order="F" if array.fortran else "C")

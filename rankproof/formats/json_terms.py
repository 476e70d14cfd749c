"""JSON with a tensor and its terms written out: ``{"T": [[i, j, k, v], ...], "S": scale, "terms": [[[i, j, k, v], ...], ...]}``.

Every term is a sparse tensor; it is taken apart into three vectors, which shows that it has rank one. The terms add up to
S times the tensor T that the file carries.
"""

from __future__ import annotations

from fractions import Fraction

from rankproof.errors import FormatError
from rankproof.formats.json_matrices import exact
from rankproof.formats.scheme import Factor, Scheme
from rankproof.formats.source import Source
from rankproof.problem.field import QQ, Algebraic, Scalar, rational
from rankproof.problem.space import MAX_DIMENSION, Space
from rankproof.problem.target import Target

NAME = "json-terms"
SUMMARY = 'JSON {"T": tensor, "S": scale, "terms": tensors of rank one}, entries [i, j, k, value]'

_Word = tuple[int, int, int]
_Tensor = dict[_Word, Scalar]
_Vector = dict[int, Scalar]


def sniff(source: Source) -> bool:
    """Whether the file is a JSON object with a tensor and terms."""
    value = source.json
    return value is not None and {"T", "terms"} <= value.keys()


def read(source: Source) -> list[Scheme]:
    """The scheme of a file, with the tensor that the file carries.

    Raises
    ------
    FormatError
        If an entry is none, or a term has not rank one.
    """
    value = source.json or {}
    target = _tensor(value["T"], f"{source.name}, T")
    scale = exact(value.get("S", 1), f"{source.name}, S")
    terms = value["terms"]
    if not isinstance(terms, list) or not terms or not target or not scale:
        raise FormatError(f"{source.name}: T, S and terms must not be empty or zero")
    products = [
        _vectors(_tensor(term, f"{source.name}, term {k}"), f"{source.name}, term {k}")
        for k, term in enumerate(terms)
    ]
    dims = [
        1 + max(max(word[axis] for word in target), *(max(p[axis], default=0) for p in products))
        for axis in range(3)
    ]
    by_scale = 1 / Fraction(scale) if not isinstance(scale, Algebraic) else scale.inverse()
    columns = [[p[axis] for p in products] for axis in range(3)]
    # The first vector carries the size of the term.
    columns[0] = [{i: _plain(x * by_scale) for i, x in u.items()} for u in columns[0]]
    U, V, W = (
        Factor.of_vectors(n, (sorted(vector.items()) for vector in vectors))
        for n, vectors in zip(dims, columns, strict=True)
    )
    about = Target.from_entries(Space.tensor(*dims), {word: QQ.reduce(x) for word, x in target.items()})
    return [Scheme(source.name, None, (U, V, W), format=NAME, about=about)]


def _tensor(value: object, where: str) -> _Tensor:
    if not isinstance(value, list):
        raise FormatError(f"{where} is not a list of entries [i, j, k, value]")
    tensor: _Tensor = {}
    for entry in value:
        if not isinstance(entry, list) or len(entry) != 4:
            raise FormatError(f"{where}: {entry!r} is not an entry [i, j, k, value]")
        *indices, x = entry
        if not all(type(i) is int and 0 <= i < MAX_DIMENSION for i in indices):
            raise FormatError(f"{where}: {indices} are not three indices from 0")
        word = (indices[0], indices[1], indices[2])
        if word in tensor:
            raise FormatError(f"{where}: the entry {indices} is given twice")
        if c := exact(x, where):
            tensor[word] = c
    return tensor


def _vectors(term: _Tensor, where: str) -> tuple[_Vector, _Vector, _Vector]:
    """Vectors u, v, w with u (x) v (x) w equal to a term."""
    if not term:
        return {}, {}, {}
    i, j, k = pivot = min(term)
    u = {word[0]: x for word, x in term.items() if word[1:] == (j, k)}
    v = {word[1]: x / Fraction(term[pivot]) for word, x in term.items() if (word[0], word[2]) == (i, k)}  # type: ignore[operator,arg-type]
    w = {word[2]: x / Fraction(term[pivot]) for word, x in term.items() if word[:2] == (i, j)}  # type: ignore[operator,arg-type]
    # The sizes are compared first, so that a dense lie does not cost more than the term itself.
    if len(u) * len(v) * len(w) != len(term) or any(
        a * b * c != term.get((p, q, r)) for p, a in u.items() for q, b in v.items() for r, c in w.items()
    ):
        raise FormatError(f"{where} has not rank one, so the terms are not products of three vectors")
    return u, {q: _plain(x) for q, x in v.items()}, {r: _plain(x) for r, x in w.items()}


def _plain(x: Scalar) -> Scalar:
    return rational(x) if isinstance(x, Fraction) else x

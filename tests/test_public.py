"""The library's front door."""

from __future__ import annotations

import ast
import importlib.metadata
import importlib.resources
import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import sympy

import rankproof as rp

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def square() -> rp.Result:
    """x*y + z**2 in untied units over CC: 2 units, exactly."""
    return rp.certify("x*y + z**2", units="untied", field="CC")


def test_every_public_name_resolves_and_is_listed() -> None:
    for name in rp.__all__:
        assert getattr(rp, name) is not None
    assert set(rp.__all__) <= set(dir(rp))


def test_type_checkers_see_the_names_that_exist_at_run_time() -> None:
    tree = ast.parse(Path(rp.__file__).read_text(encoding="utf-8"))
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    declared = {
        alias.asname for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    assert declared == set(rp.__all__) - {"__version__"}


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = rp.no_such_name


def test_the_versions_agree() -> None:
    assert importlib.metadata.version("rankproof") == rp.__version__
    assert f"version: {rp.__version__}" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_the_schema_and_the_type_marker_are_installed() -> None:
    files = importlib.resources.files("rankproof")
    assert files.joinpath("py.typed").is_file()
    schema = files.joinpath("certificate", "schema", "certificate-1.json")
    assert json.loads(schema.read_text(encoding="utf-8"))["$schema"].startswith("https://json-schema.org/")


def test_one_question_about_a_rank_has_a_lower_and_an_upper_bound(square: rp.Result) -> None:
    assert (square.lower, square.upper) == (2, 2)
    assert square.verdict.ok
    assert square.target == rp.parse("x*y + z**2")


def test_the_certificate_of_a_result_verifies_in_each_form(square: rp.Result, tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    square.certificate.write(path)
    verdicts = [
        rp.verify(square.certificate),
        rp.verify(square.certificate.to_bytes()),
        rp.verify(path),
        rp.verify(str(path)),
    ]
    assert {verdict.word for verdict in verdicts} == {"VERIFIED"}
    assert len({verdict.sha256 for verdict in verdicts}) == 1


def test_a_changed_certificate_does_not_verify(square: rp.Result) -> None:
    changed = json.loads(square.certificate.to_bytes())
    changed["conclusion"][0]["lower"] += 1
    verdict = rp.verify(json.dumps(changed).encode())
    assert not verdict.ok
    assert verdict.word in {"REJECTED", "UNREADABLE"}


def test_a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        rp.verify(tmp_path / "absent.json")


def test_several_questions_are_answered_one_by_one() -> None:
    result = rp.certify("x*y", units="tied,untied", field="QQ,CC", border=False)
    assert result.answer("untied", "CC").upper == 1
    assert result.answer("tied", rp.CC).lower == 2
    with pytest.raises(rp.UsageError, match="4 answers match"):
        _ = result.lower
    assert "tied rank over QQ: 2" in repr(result)
    assert repr(result).count("\n") == 0


def test_a_result_shows_itself_in_a_notebook(square: rp.Result) -> None:
    assert square._repr_html_().lstrip().startswith("<")


def test_a_report_says_what_each_method_did(square: rp.Result) -> None:
    assert {outcome.status for outcome in square.report} <= {
        "found",
        "nothing found",
        "not applicable",
        "skipped",
    }


def test_the_same_target_is_read_from_text_sympy_and_arrays() -> None:
    x, y = sympy.symbols("x y")
    by_text = rp.certify("x*y", units="untied", field="CC", border=False)
    by_sympy = rp.certify(x * y, units="untied", field="CC", border=False)
    by_target = rp.certify(rp.Target.from_sympy(x * y), units=["untied"], field=[rp.CC], border=False)
    assert by_text.target == by_sympy.target == by_target.target
    assert by_text.upper == by_sympy.upper == by_target.upper == 1


def test_a_list_is_a_polynomial_map() -> None:
    x, y = sympy.symbols("x y")
    by_text = rp.certify(["x**2-y**2", "2*x*y"], units="untied", field="CC", border=False)
    by_sympy = rp.certify([x**2 - y**2, 2 * x * y], units="untied", field="CC", border=False)
    assert by_text.target == by_sympy.target == rp.parse("x**2-y**2; 2*x*y")


def test_an_integer_array_is_a_tensor() -> None:
    identity = np.zeros((2, 2, 2), dtype=int)
    identity[0, 0, 0] = identity[1, 1, 1] = 1
    result = rp.certify(identity, field="QQ", border=False)
    assert result.target == rp.parse("GHZ(3)")
    assert (result.lower, result.upper) == (2, 2)


def test_floats_are_refused_with_the_repair() -> None:
    with pytest.raises(rp.TargetError, match="denominators|integer"):
        rp.certify(np.ones((2, 2, 2)))
    with pytest.raises(rp.TargetError, match="write an exact rational such as 1/2"):
        rp.certify("0.5*x**2")


@pytest.mark.parametrize("thing", [3, Fraction(1, 2), None, object()])
def test_what_is_not_a_target_is_refused(thing: object) -> None:
    with pytest.raises(rp.TargetError, match="is not a target"):
        rp.certify(thing)


def test_an_inhomogeneous_polynomial_names_the_two_ways_on() -> None:
    with pytest.raises(rp.TargetError, match=r"degree 2, 1.*affine=True"):
        rp.certify("x**2 + y")
    assert rp.parse("x**2 + y", affine=True).space.variables_count == 3
    assert [target.space.form_degree for target in rp.read_targets("x**2 + y")] == [2, 1]


def test_unknown_units_and_fields_are_usage_errors() -> None:
    with pytest.raises(rp.UsageError):
        rp.certify("x**2*y", units="bound")
    with pytest.raises(rp.RankproofError, match="GF"):
        rp.certify("x**2*y", field="GF(4)")


def test_every_error_is_a_rankproof_error_with_an_exit_status() -> None:
    errors = [rp.UsageError, rp.TargetError, rp.FormatError, rp.NothingProved, rp.SelfCheckFailed]
    assert all(issubclass(error, rp.RankproofError) for error in errors)
    assert [error.exit_status for error in errors] == [2, 3, 3, 4, 70]


def test_somebody_s_scheme_becomes_a_decomposition(tmp_path: Path) -> None:
    path = tmp_path / "scheme.exp"
    path.write_text("a1*b1*c2\na1*b2*c1\na2*b1*c1\n")
    (found,) = rp.read_schemes(path, "W(3)")
    assert found.ok
    assert found.target == rp.parse("W(3)")
    assert isinstance(found.decomposition, rp.Decomposition)
    assert not found.decomposition.residual(found.target)
    U, V, W = found.decomposition.to_numpy()
    assert U.shape == V.shape == W.shape == (2, 3)
    assert rp.Decomposition.from_numpy(U, V, W) == found.decomposition
    assert found.data is not None
    assert rp.Certificate.from_bytes(found.data).decompositions() == (found.decomposition,)
    (wrong,) = rp.read_schemes(path, "GHZ(3)", ring="QQ")
    assert not wrong.ok
    assert wrong.decomposition is None
    assert "is not GHZ(3) over ZZ" in wrong.reason

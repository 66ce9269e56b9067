"""The suite itself: which tests stay in one process, and what a run says of its progress and of what it left out."""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType

import pytest

import benchmarks
import tools
from tests import without_qt
from tests.in_one_process import CODE_OF_LESSONS, group

ALONE = ("-p", "no:jax-explorer", "-p", "no:pytest-qt")
"""Without plugins that are installed here: Qt may be missing."""
SAYS_WHERE = """
import os, pathlib, pytest
@pytest.mark.parametrize("number", range(8))
def test_it(number):
    with pathlib.Path(__file__).with_suffix(".txt").open("a") as file:
        print(os.environ["PYTEST_XDIST_WORKER"], file=file)
"""


@pytest.mark.rest
def test_the_tests_of_a_file_run_in_one_process(pytester: pytest.Pytester) -> None:
    pytester.makeconftest("from tests.in_one_process import pytest_xdist_make_scheduler")
    pytester.makepyfile(test_one=SAYS_WHERE, test_other=SAYS_WHERE)
    pytester.runpytest_subprocess("-n", "2", *ALONE).assert_outcomes(passed=16)
    where = [{*(pytester.path / f"{name}.txt").read_text().split()} for name in ("test_one", "test_other")]
    assert sorted(map(sorted, where)) == [["gw0"], ["gw1"]]


def test_what_asks_about_a_kind_of_the_corpus_runs_in_one_process() -> None:
    corpus = "tests/corpus/test_corpus.py"
    assert group(f"{corpus}::test_a_case[nan/by_operation a_root]") == group(f"{corpus}::test_a_page[nan]") != corpus


def test_what_asks_about_a_lesson_runs_in_one_process() -> None:
    lessons, questions = "tests/scenarios/test_lessons.py", "tests/scenarios/test_questions.py"
    assert group(f"{lessons}::test_every_lesson[trees]") == group(f"{questions}::test_until[trees]") != lessons
    assert group(f"{lessons}::test_the_guide") == lessons
    for test in ("test_scenarios.py::test_it[trees]", "test_claims.py::test_it[U1]"):
        assert group(f"tests/scenarios/{test}") == CODE_OF_LESSONS


def test_a_run_says_in_lines_how_far_it_is_and_what_failed(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it="def test_well():\n    pass\ndef test_badly():\n    assert False")
    output = pytester.runpytest_subprocess("-q", "-p", "tests.progress", *ALONE).stdout
    output.fnmatch_lines(["*tests: 50 % (1 of 2), 0 failed", "FAILED *test_badly", "*tests: 100 % (2 of 2), 1 failed"])


def test_a_run_says_how_many_tests_it_left_out_and_why(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_it="import pytest\n@pytest.mark.parametrize('n', range(3))\ndef test_it(n):\n    pytest.skip('no strace')",
        test_modules="import PySide6.QtCore\ndef test_one():\n    pass\ndef test_other():\n    pass",
        test_late="def test_late(qtbot):\n    pass\ndef test_import():\n    import PySide6.QtCore",
    )
    words = ("-q", "-p", "tests.progress", *without_qt.ARGUMENTS, *ALONE)
    done = pytester.runpytest_subprocess(*words)
    done.stdout.fnmatch_lines([f"4 tests left out: {without_qt.REASON}", "3 tests left out: no strace"])
    assert done.ret == pytest.ExitCode.OK


@pytest.mark.rest
@pytest.mark.parametrize("package", [benchmarks, tools], ids=lambda package: package.__name__)
def test_what_a_benchmark_or_a_tool_takes_from_elsewhere_is_there(package: ModuleType) -> None:
    found = [each.name for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
    assert found
    for name in found:
        if not name.endswith("__main__"):
            importlib.import_module(name)

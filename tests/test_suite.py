"""The suite itself: which tests stay in one process, and which tests a change selects."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import quick
from tests.in_one_process import CODE_OF_LESSONS, group

SAYS_WHERE = """
import os, pathlib, pytest
@pytest.mark.parametrize("number", range(8))
def test_it(number):
    with pathlib.Path(__file__).with_suffix(".txt").open("a") as file:
        print(os.environ["PYTEST_XDIST_WORKER"], file=file)
"""


def test_the_tests_of_a_file_run_in_one_process(pytester: pytest.Pytester) -> None:
    pytester.makeconftest("from tests.in_one_process import pytest_xdist_make_scheduler")
    pytester.makepyfile(test_one=SAYS_WHERE, test_other=SAYS_WHERE)
    pytester.runpytest_subprocess("-n", "2", "-p", "no:jax-explorer").assert_outcomes(passed=16)
    where = [{*(pytester.path / f"{name}.txt").read_text().split()} for name in ("test_one", "test_other")]
    assert sorted(map(sorted, where)) == [["gw0"], ["gw1"]]


def test_what_asks_about_a_lesson_runs_in_one_process() -> None:
    lessons, questions = "tests/scenarios/test_lessons.py", "tests/scenarios/test_questions.py"
    assert group(f"{lessons}::test_every_lesson[trees]") == group(f"{questions}::test_until[trees]") != lessons
    assert group(f"{lessons}::test_the_guide") == lessons
    for test in (
        "test_scenarios.py::test_it[trees]",
        "test_figures.py::test_a_seed",
        "test_second_set.py::test_a_split",
    ):
        assert group(f"tests/scenarios/{test}") == CODE_OF_LESSONS


def test_the_quick_tests_are_those_that_import_what_changed_directly_or_not(tmp_path: Path) -> None:
    texts = {
        "explorer/__init__.py": "",
        "explorer/low.py": "",
        "explorer/middle.py": "from explorer import low",
        "explorer/other.py": "",
        "views/all.py": 'found = import_module(f"{__package__}.{name}")',
        "tests/test_all.py": "import views.all",
        "views/__init__.py": "",
        "views/late.py": "def f():\n    import explorer.middle",
        "tests/__init__.py": "",
        "tests/test_low.py": "from explorer.low import x",
        "tests/test_middle.py": "from explorer import middle",
        "tests/test_late.py": "from views.late import f",
        "tests/test_other.py": "import explorer.other",
        "tests/test_documents.py": "",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    late = ["tests/test_all.py", "tests/test_late.py"]
    assert [*quick.chosen(["explorer/low.py"], tmp_path)][:2] == ["tests/test_low.py", "tests/test_middle.py"]
    assert sorted(quick.chosen(["explorer/low.py"], tmp_path))[:2] == late
    assert sorted(quick.chosen(["views/late.py"], tmp_path)) == late
    (tmp_path / "views" / "late.py").unlink()
    assert [*quick.chosen(["views/late.py"], tmp_path)] == ["tests/test_late.py"]
    assert quick.chosen(["tests/test_other.py"], tmp_path) == {"tests/test_other.py": "changed"}
    assert quick.chosen(["docs/timing.md"], tmp_path) == {"tests/test_documents.py": "reads docs/timing.md"}


def test_the_quick_table_names_what_is_there() -> None:
    readers = {each for those in quick.READ_BY.values() for each in those} - {"*"}
    assert [each for each in readers if not (quick.ROOT / each).exists()] == []
    modules = quick.importers()
    assert [each for starter, those in quick.STARTS.items() for each in (starter, *those) if each not in modules] == []


def test_a_run_says_in_lines_how_far_it_is_and_what_failed(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it="def test_well():\n    pass\ndef test_badly():\n    assert False")
    output = pytester.runpytest_subprocess("-q", "-p", "tests.progress", "-p", "no:jax-explorer").stdout
    output.fnmatch_lines(["*tests: 50 % (1 of 2), 0 failed", "FAILED *test_badly", "*tests: 100 % (2 of 2), 1 failed"])


@pytest.mark.parametrize("processes", [(), ("-n", "1")], ids=["here", "in another process"])
def test_a_run_ends_in_time_and_what_is_left_is_no_failure(pytester: pytest.Pytester, processes: tuple[str]) -> None:
    pytester.makepyfile(test_it=SAYS_WHERE.replace('os.environ["PYTEST_XDIST_WORKER"]', "number"))
    words = ("-q", *processes, "-p", "tests.progress", "-p", "no:jax-explorer", "--most-seconds=1e-9")
    done = pytester.runpytest_subprocess(*words)
    assert done.ret == pytest.ExitCode.OK
    done.stdout.fnmatch_lines(["* tests are left to the full run."])

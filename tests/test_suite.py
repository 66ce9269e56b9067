"""How the suite itself runs: what stays in one process."""

from __future__ import annotations

import pytest

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


@pytest.mark.parametrize(
    ("test", "wanted"),
    [
        ("tests/scenarios/test_lessons.py::test_every_lesson[seed_and_key]", "the lesson seed_and_key"),
        ("tests/scenarios/test_questions.py::test_until[seed_and_key]", "the lesson seed_and_key"),
        ("tests/scenarios/test_lessons.py::test_the_guide", "tests/scenarios/test_lessons.py"),
        ("tests/scenarios/test_scenarios.py::test_the_code_runs[seed_and_key]", CODE_OF_LESSONS),
        ("tests/scenarios/test_figures.py::test_a_seed_and_a_key", CODE_OF_LESSONS),
    ],
)
def test_what_asks_about_a_lesson_runs_in_one_process(test: str, wanted: str) -> None:
    assert group(test) == wanted

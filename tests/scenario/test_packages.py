"""A lesson with missing packages names them, with the install command."""

from __future__ import annotations

import sys

import pytest

from explorer.messages import Failure, Snapshot
from explorer.scenario import packages
from explorer.scenario.measures import Evidence
from explorer.scenario.page import Reading, page_of
from tests.scenario.lessons import changed

LACKING = changed(requires=("json", "no_such_package"))
FAILED = Snapshot(1, "cpu:0", complete=True, failure=Failure("ModuleNotFoundError", "No module named 'x'"))


def test_what_is_there_is_not_missing() -> None:
    assert packages.missing(LACKING) == ("no_such_package",)
    assert not packages.sentence(changed(requires=("json",)))


def test_the_command_installs_into_the_python_that_runs_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    assert packages.install_command(("one", "two")).endswith(" -m pip install one two")
    monkeypatch.setattr(sys, "executable", "/my programs/python")
    assert "my programs" in str(packages.sentence(LACKING))
    if sys.platform != "win32":
        assert packages.install_command(("one",)) == "'/my programs/python' -m pip install one"


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_page_of_the_lesson_says_it(language: str) -> None:
    page = page_of(LACKING, language, Reading(), Evidence())
    assert page.problem == packages.sentence(LACKING).in_language(language)
    assert "no_such_package" in page.problem
    assert page.text


def test_running_says_the_same_sentence() -> None:
    failure = packages.explained(FAILED, LACKING).failure
    assert failure is not None
    assert failure.explanation == packages.sentence(LACKING)


def test_other_failures_keep_their_own_words() -> None:
    other = Snapshot(1, "cpu:0", complete=True, failure=Failure("ValueError", "x", explanation="y"))
    assert packages.explained(other, LACKING) is other
    assert packages.explained(FAILED, changed()) is FAILED

"""Failures that are no exceptions of the program."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import explorer
from explorer.messages import Failure
from explorer.messages.basics import NO_EXCEPTIONS
from explorer.text.text import say


def made() -> set[str]:
    """Return the types of failures that our own code names."""
    root = Path(explorer.__file__).parent
    code = (path.read_text("utf-8") for part in ("link", "worker") for path in (root / part).rglob("*.py"))
    return {found for text in code for found in re.findall(r'\bFailure\(\s*"(\w+)"', text)}


def test_each_end_that_is_no_exception_has_words_of_its_own() -> None:
    assert len(made()) > 5
    assert made() <= NO_EXCEPTIONS.keys()


@pytest.mark.parametrize(
    ("failure", "name", "words"),
    [
        (Failure("Stopped", say("The run was stopped.")), "stopped", "The run was stopped."),
        (Failure("Stopped", ""), "stopped", "stopped"),
        (Failure("ValueError", "two"), "ValueError", "ValueError: two"),
        (Failure("KeyboardInterrupt", ""), "KeyboardInterrupt", "KeyboardInterrupt"),
    ],
)
def test_a_failure_is_called_what_python_calls_it_where_it_is_an_exception(
    failure: Failure, name: str, words: str
) -> None:
    assert (failure.name, str(failure.words)) == (name, words)

"""The worker's sentences in other languages: none is missing, and none loses what is filled in."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from explorer.worker.errors import explanations
from explorer.worker.fixes import words
from explorer.worker.runs import equation_values
from explorer.worker.spoken import say
from explorer.worker.timing import point

WORKER = Path(say.__file__).parents[1]


@pytest.fixture(autouse=True)
def spoken_in_english() -> Iterator[None]:
    yield
    say.speak("en")


def constants() -> set[str]:
    """Return every text that stands in the worker's code, apart from the catalogues."""
    paths = (path for path in WORKER.rglob("*.py") if path.stem != "korean")
    nodes = (node for path in paths for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def templates() -> set[str]:
    """Return every template that a call of ``say`` names, and every constant that one is made with."""
    found = {each.text for each in explanations.EXPLANATIONS} | set(words.LABELS.values())
    found |= {point.RECOMPILED, point.REPEATED, point.HANDED_OVER}
    found.add(equation_values.FORGOTTEN)
    for path in WORKER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say":
                found |= {
                    each.value
                    for each in ast.walk(node.args[0])
                    if isinstance(each, ast.Constant) and isinstance(each.value, str)
                }
    return found


@pytest.mark.parametrize("language", sorted(say.CATALOGUES))
def test_every_sentence_has_a_translation(language: str) -> None:
    asked = templates()
    assert len(asked) > 250
    assert sorted(asked - set(say.CATALOGUES[language])) == []


@pytest.mark.parametrize("language", sorted(say.CATALOGUES))
def test_translations_name_the_same_parts(language: str) -> None:
    for template, translation in say.CATALOGUES[language].items():
        assert parts(template) == parts(translation), template


@pytest.mark.parametrize("language", sorted(say.CATALOGUES))
def test_every_sentence_of_a_catalogue_is_still_in_the_code(language: str) -> None:
    assert sorted(set(say.CATALOGUES[language]) - constants()) == []


def test_an_explanation_of_an_error_is_in_the_language_that_was_asked_for() -> None:
    message = "Attempted boolean conversion of traced array with shape bool[]."
    english = explanations.explanation(("TracerBoolConversionError",), message, ["x"])
    say.speak("ko")
    korean = explanations.explanation(("TracerBoolConversionError",), message, ["x"])
    assert "depends on the argument x" in english
    assert "인자 x에 달려" in korean
    assert "{" not in korean


def test_a_sentence_that_has_no_translation_is_said_in_english() -> None:
    say.speak("ko")
    assert say.say("{n} of a kind", n=3) == "3 of a kind"
    assert say.say("{count} keys", count=3) == "key 3개"
    say.speak("en")
    assert say.say("{count} keys", count=3) == "3 keys"


def parts(text: str) -> set[str]:
    return set(re.findall(r"\{(\w*)\}", text))

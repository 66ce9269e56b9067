"""The worker's sentences in other languages: none is missing, none is left over, and none loses what is filled in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.mofile import read_mo
from explorer.worker.spoken import say

from explorer.text.josa import filled
from explorer.worker.errors import explanations
from resources.translations import worker
from resources.translations.said_again import said_again

FILES = sorted(say.FOLDER.glob("worker_*.po"))
each_file = pytest.mark.parametrize("translation", FILES, ids=lambda path: path.stem)


@pytest.fixture(autouse=True)
def spoken_in_english() -> Iterator[None]:
    yield
    say.speak("en")


def texts(translation: Path) -> dict[str, str]:
    """Return the translations in a file by the sentences in the code."""
    return {each.id: each.string for each in worker.catalogue(translation) if each.id}


@each_file
def test_a_catalogue_holds_the_sentences_of_the_code(translation: Path) -> None:
    asked, known = {each.id for each in worker.collected() if each.id}, set(texts(translation))
    assert len(asked) > 300
    missing, obsolete = sorted(asked - known), sorted(known - asked)
    assert (missing, obsolete) == ([], []), "run: python -m resources.translations"


@each_file
def test_every_sentence_has_a_finished_translation(translation: Path) -> None:
    assert worker.missing(translation) == []


@each_file
def test_translations_name_the_same_parts(translation: Path) -> None:
    for template, text in texts(translation).items():
        assert parts(template) == parts(text), template


@each_file
def test_a_compiled_catalogue_says_what_its_source_says(translation: Path) -> None:
    with translation.with_suffix(".mo").open("rb") as file:
        compiled = {each.id: each.string for each in read_mo(file) if each.id}
    assert sorted(compiled.items() ^ texts(translation).items()) == [], "run: python -m resources.translations"


def test_every_sentence_that_was_said_can_be_said_again_in_another_language() -> None:
    into_korean, back = said_again("en", "ko"), said_again("ko", "en")
    (korean,) = FILES
    for template, text in texts(korean).items():
        filling = {name: f"x{number}" for number, name in enumerate(sorted(parts(template)))}
        said = filled(text, **filling)
        assert into_korean(template.format(**filling)) == said
        # What is one in Korean may be two in English, which say the same.
        assert into_korean(back(said)) == said


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('say("{n} keys", n=3)', ["{n} keys"]),
        ('say("one" if n == "1" else "many")', ["one", "many"]),
        ('TEXT = (\n    "in "\n    "two lines"\n)\nsay(TEXT)', ["in two lines"]),
        ('WORDS = {"jit": "", "vmap": "for all"}\nsay(WORDS[name])', ["for all"]),
        ('WORDS = {"vmap": "for all"}\nsay(WORDS.get(name, "for {name}"), name=name)', ["for all", "for {name}"]),
        ('COSTS = ((patch, later("Missed.")),)', ["Missed."]),
        ('say("{some} and {last}", some=", ".join(rest), last=say("one more"))', ["{some} and {last}", "one more"]),
        ('print("nothing")', []),
    ],
)
def test_sentences_are_found_in_the_code(code: str, found: list[str]) -> None:
    assert [text for _, text in worker.sentences(code, "x.py")] == found


def test_a_sentence_that_cannot_be_found_in_the_code_is_told() -> None:
    with pytest.raises(ValueError, match=r"x\.py:2: no text in say\(words\)"):
        list(worker.sentences("def f(words):\n    return say(words)", "x.py"))


def test_a_sentence_that_changed_keeps_its_translation_until_somebody_has_looked_at_it(tmp_path: Path) -> None:
    translation = tmp_path / "worker_ko.po"
    before = FILES[0].read_text(encoding="utf-8")
    translation.write_text(before.replace("The program asked to quit.", "The program wants to quit."), encoding="utf-8")
    worker.read_code(translation)
    worker.compile_file(translation, translation.with_suffix(".mo"))
    assert worker.missing(translation) == ["The program asked to quit."]
    assert texts(translation)["The program asked to quit."] == "프로그램이 끝내기를 요청했습니다."
    with translation.with_suffix(".mo").open("rb") as file:
        assert "The program asked to quit." not in {each.id for each in read_mo(file)}


def test_an_explanation_of_an_error_is_in_the_language_that_was_asked_for() -> None:
    message = "Attempted boolean conversion of traced array with shape bool[]."
    english = explanations.explanation(("TracerBoolConversionError",), message, ["x"])
    say.speak("ko")
    korean = explanations.explanation(("TracerBoolConversionError",), message, ["x"])
    assert "depends on the argument x" in english
    assert "인자 x에 달려" in korean
    assert "{" not in korean
    assert "Content-Type" not in korean


def test_a_sentence_that_has_no_translation_is_said_in_english() -> None:
    say.speak("ko")
    assert say.say("{n} of a kind", n=3) == "3 of a kind"
    assert say.say("{count} keys", count=3) == "key 3개"
    say.speak("en")
    assert say.say("{count} keys", count=3) == "3 keys"


def test_a_language_without_a_catalogue_is_answered_in_english() -> None:
    say.speak("ko")
    say.speak("tlh")
    assert say.say("{count} keys", count=3) == "3 keys"


def parts(text: str) -> set[str]:
    """Return the names in braces; raises ValueError where they cannot be filled in."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}

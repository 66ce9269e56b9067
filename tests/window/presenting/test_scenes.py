"""What stands on the stage."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.messages import Failure, Snapshot, Span, Variant
from tests.window.place import Place
from views.code.problem_card import ProblemCard


def seen(place: Place) -> tuple[str, ...]:
    """Return what can be seen, from left to right."""
    window = place.window
    panes = (pane.objectName().removesuffix("_pane") for pane in window.area.panes if pane.isVisible())
    words, code = (("words",) if window.story.isVisible() else ()), (("code",) if window.code.isVisible() else ())
    return (*words, *code, *panes)


@pytest.fixture(autouse=True)
def _presenting(place: Place) -> None:
    place.desk.on_command("present")


def test_digits_choose_a_pane_the_code_or_both(place: Place, qtbot: QtBot) -> None:
    place.desk.lesson.go_on()
    told = []
    for key in "1623556":
        qtbot.keyClick(place.window, key)
        QApplication.processEvents()
        told.append(seen(place))
    assert told == [
        ("words", "keys"),
        ("code", "keys"),
        ("words", "noise"),
        ("words", "program"),
        ("code",),
        ("words", "code"),
        ("code", "noise"),
    ]
    assert place.window.code.width() == pytest.approx(place.window.area.width(), rel=0.3)


@pytest.mark.parametrize("digit", "123456")
def test_no_digit_shows_what_the_question_hides(place: Place, qtbot: QtBot, digit: str) -> None:
    assert place.desk.lesson.page.ask is not None
    qtbot.keyClick(place.window, digit)
    assert all(pane.is_covered for pane in place.window.area.panes if pane.isVisible())
    place.desk.lesson.go_on()
    qtbot.keyClick(place.window, digit)
    assert not any(pane.is_covered for pane in place.window.area.panes)


def test_where_the_words_are_folded_a_digit_is_never_typed_into_the_code(place: Place, qtbot: QtBot) -> None:
    before = place.session.workspace.source
    for key in "56245":
        qtbot.keyClick(place.window.focusWidget() or place.window, key)
    assert place.session.workspace.source == before


def test_the_words_come_back_with_the_next_page_and_after_the_presentation(place: Place, qtbot: QtBot) -> None:
    qtbot.keyClick(place.window, "5")
    place.desk.lesson.go_on()
    assert seen(place) == ("words", "noise")
    qtbot.keyClick(place.window, "6")
    place.desk.on_command("present")
    assert "words" in seen(place)


def test_theme_and_language_change_by_keys(place: Place, qtbot: QtBot) -> None:
    themes = []
    for _ in range(3):
        qtbot.keyClick(place.window, "t")
        themes.append(place.window.theme.name)
    assert themes == ["dark", "projector", "light"]
    assert "… 3 lines" in place.window.code.text.marks.counts.values()
    qtbot.keyClick(place.window, "l")
    assert place.desk.appearance.language == "ko"
    assert place.window.isFullScreen()
    assert "… 3줄" in place.window.code.text.marks.counts.values()
    qtbot.keyClick(place.window, "l")
    assert place.desk.appearance.language == "en"


def test_a_program_that_fails_says_what_and_why_below_the_code(place: Place, qtbot: QtBot) -> None:
    failure = Failure("NameError", "name 'seed_' is not defined", Span(10, 4, 10, 9), "There is no such name here.")
    place.desk.lesson.go_on()
    assert seen(place) == ("words", "noise")
    place.client.say(Snapshot(place.client.request.run, "cpu:0", True, failure=failure))
    assert seen(place) == ("words", "code")
    assert place.window.code.findChild(ProblemCard).isVisible()
    qtbot.keyClick(place.window, "2")
    assert seen(place) == ("words", "noise")
    variants = (Variant("shared_key", 19), Variant("key_per_example", 24))
    place.client.answer("shared_key", variants=variants)
    assert seen(place) == ("words", "noise")

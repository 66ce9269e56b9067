"""A story is shown step by step; a program without one takes one line."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QLabel, QTextBrowser, QToolButton
from pytestqt.qtbot import QtBot

from explorer.scenario import Scenario, Step, Texts
from views.story_view import StoryView
from views.theme import DARK, LIGHT, Theme

STEPS = (Step("Look", "See `one key` here."), Step("Why", "Because."), Step("Mend it", "Split."))
KOREAN = (Step("보기", "`one key`를 보세요."), Step("이유", "왜냐하면."), Step("고치기", "나눕니다."))
TOLD = Scenario(
    "told", "built-in", "/told/code.py", "", Texts("Told", "이야기"), 1, stories={"en": STEPS, "ko": KOREAN}
)
BARE = Scenario("/bare.py", "file", "/bare.py", "", Texts("bare.py"))


@pytest.fixture
def view(qtbot: QtBot) -> StoryView:
    made = StoryView()
    qtbot.addWidget(made)
    made.show_story(TOLD, "en")
    made.resize(450, 330)
    made.show()
    return made


def with_steps(scenario: Scenario, name: str, steps: tuple[Step, ...]) -> Scenario:
    return Scenario(name, scenario.origin, scenario.path, "", scenario.title, stories={"en": steps})


def text(view: StoryView) -> QTextBrowser:
    return view.findChild(QTextBrowser)


def words(view: StoryView) -> list[str]:
    """Return the texts of the labels in sight."""
    return [label.text() for label in view.findChildren(QLabel) if label.isVisible() and label.text()]


def button(view: StoryView, name: str) -> QToolButton:
    return next(each for each in view.findChildren(QToolButton) if each.accessibleName() == name)


def test_a_story_begins_at_its_first_step(view: StoryView) -> None:
    assert words(view) == ["Told", "1 of 3"]
    assert text(view).toPlainText() == "Look\nSee one key here."
    assert not button(view, "Previous step").isEnabled()


def test_buttons_walk_the_steps(view: StoryView, qtbot: QtBot) -> None:
    for name, place, heading in [("Next step", 2, "Why"), ("Next step", 3, "Mend it"), ("Previous step", 2, "Why")]:
        qtbot.mouseClick(button(view, name), Qt.MouseButton.LeftButton)
        assert words(view)[1] == f"{place} of 3"
        assert text(view).toPlainText().startswith(heading)
    view.show_next_step()
    assert not button(view, "Next step").isEnabled()


def test_page_keys_walk_the_steps_and_stop_at_the_ends(view: StoryView, qtbot: QtBot) -> None:
    view.activateWindow()
    text(view).setFocus()
    qtbot.waitUntil(text(view).hasFocus)
    seen = []
    for key in [Qt.Key.Key_PageDown] * 3 + [Qt.Key.Key_PageUp] * 3:
        qtbot.keyClick(text(view), key)
        seen.append(words(view)[1][0])
    assert seen == ["2", "3", "3", "2", "1", "1"]


def test_a_page_key_reads_a_long_step_to_its_end_first(view: StoryView, qtbot: QtBot) -> None:
    long = with_steps(TOLD, "long", (Step("Long", "line\n\n" * 60), Step("Long too", "line\n\n" * 60)))
    view.show_story(long, "en")
    view.activateWindow()
    text(view).setFocus()
    qtbot.waitUntil(text(view).hasFocus)
    qtbot.keyClick(text(view), Qt.Key.Key_PageDown)
    assert words(view)[1] == "1 of 2"
    assert text(view).verticalScrollBar().value() > 0
    bar = text(view).verticalScrollBar()
    bar.setValue(bar.maximum())
    qtbot.keyClick(text(view), Qt.Key.Key_PageDown)
    assert words(view)[1] == "2 of 2"
    assert bar.value() == 0


def test_another_language_keeps_the_step_and_another_scenario_begins_anew(view: StoryView) -> None:
    view.show_next_step()
    view.show_story(TOLD, "ko")
    assert words(view) == ["이야기", "2 of 3"]
    assert text(view).toPlainText().startswith("이유")
    view.show_story(with_steps(TOLD, "other", STEPS), "en")
    assert words(view)[1] == "1 of 3"


def test_a_story_that_became_shorter_shows_its_last_step(view: StoryView) -> None:
    view.show_next_step()
    view.show_next_step()
    view.show_story(with_steps(TOLD, "told", STEPS[:2]), "en")
    assert words(view)[1] == "2 of 2"


def test_a_program_without_a_story_leaves_the_room_to_the_code(view: StoryView) -> None:
    tall = view.minimumHeight()
    view.show_story(BARE, "en")
    assert words(view) == ["bare.py", "Your own file: edit the code, the panes follow."]
    assert not text(view).isVisible()
    assert view.maximumHeight() < tall
    view.show_story(TOLD, "en")
    assert (view.minimumHeight(), view.maximumHeight() > 10_000) == (tall, True)


def test_a_scenario_of_one_step_needs_no_buttons(view: StoryView) -> None:
    view.show_story(with_steps(TOLD, "short", STEPS[:1]), "en")
    assert words(view) == ["Told"]
    assert not button(view, "Next step").isVisible()


def test_what_is_wrong_with_a_scenario_is_told(view: StoryView) -> None:
    view.show_story(Scenario("b", "mine", "/b/code.py", "", Texts("B"), problem="scenario.toml is broken."), "en")
    assert "scenario.toml is broken." in words(view)


@pytest.mark.parametrize("theme", [LIGHT, replace(DARK, scale=1.5)])
def test_code_is_tinted_and_fixed_pitch_at_every_text_size(view: StoryView, theme: Theme) -> None:
    view.apply_theme(theme)
    cursor = QTextCursor(text(view).document())
    cursor.setPosition(text(view).toPlainText().index("one key") + 2)
    code = cursor.charFormat()
    cursor.setPosition(text(view).toPlainText().index("here") + 2)
    plain = cursor.charFormat()
    assert code.background().color() != plain.background().color()
    assert code.font().family() == theme.mono_font().family()
    assert code.font().pointSizeF() == pytest.approx(theme.mono_font().pointSizeF())

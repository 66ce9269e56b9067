"""A room votes by keys: hidden until the answer is revealed, and in several rounds; and sees a black screen."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QSpinBox, QTextBrowser
from pytestqt.qtbot import QtBot

from explorer.library import library
from explorer.messages import Report, Snapshot, TimingDone, TimingRequest
from tests.figures.measured import measured
from tests.views.made import picture
from tests.window.presenting.stages import present, press
from tests.window.ui import Ui
from views.parts.labels import ShortLabel
from views.story.vote_bars import VoteBars, VoteTally
from views.window.stage.overlay import Overlay

A, B, C, E, V = (getattr(Qt.Key, f"Key_{letter}") for letter in "ABCEV")


@pytest.fixture
def stage(ui: Ui, qtbot: QtBot) -> Ui:
    """Return a presentation of a lesson whose first page asks, with three choices."""
    present(ui, qtbot)
    return ui


def digits(number: str) -> list[Qt.Key]:
    return [Qt.Key(Qt.Key.Key_0 + int(digit)) for digit in number]


def bars(ui: Ui) -> VoteBars:
    return ui.window.story.findChild(VoteBars)


def counted(ui: Ui) -> list[list[list[int]]]:
    return [ballot.rounds for ballot in ui.desk.presentation.lectern.voting.ballots]


def test_each_key_counts_a_vote_and_the_room_sees_only_how_many(stage: Ui) -> None:
    assert not bars(stage).isVisible()
    press(A, B, B, C)
    assert bars(stage).words() == "4 votes counted"
    press(B, C, shift=True)
    press(C, shift=True)
    assert bars(stage).words() == "2 votes counted"
    assert counted(stage) == [[[1, 1, 0]]]
    assert not stage.desk.lesson.page.revealed


def test_votes_are_right_or_wrong_only_with_the_selection_of_the_page(stage: Ui) -> None:
    stage.desk.files.open_by_id("seed_and_key")
    press(A, B)
    stage.session.workspace.choose_variant("same_key_twice")
    equal = (picture([0.5, 0.5]),)
    run = stage.client.request.run
    stage.client.say(Snapshot(run, "cpu:0", True, reports=(Report("same_key_twice", "ok", pictures=equal),)))
    stage.desk.lesson.go_on()
    tally = bars(stage).tally
    assert (tally.revealed, tally.right) == (True, None)
    words = stage.window.story.findChild(QTextBrowser).toPlainText()
    assert "This page asks about “NumPy”. Back to it" in words
    stage.window.story.selection_wanted.emit()
    assert stage.session.workspace.controls.variant == "numpy_global_state"
    assert "This page asks" not in stage.window.story.findChild(QTextBrowser).toPlainText()


def test_a_number_before_the_letter_counts_so_many_at_once(stage: Ui) -> None:
    press(*digits("40"))
    assert bars(stage).words() == "0 votes counted, + 40…"
    press(B)
    press(*digits("307"), C)
    press(B)
    assert bars(stage).words() == "348 votes counted"
    press(*digits("50"))
    press(B, shift=True)
    assert counted(stage) == [[[0, 0, 307]]], "no more than there were"


def test_a_single_digit_opens_its_pane_as_before(stage: Ui) -> None:
    number = stage.desk.presentation.lectern.number
    press(*digits("5"))
    assert stage.window.story.isVisible()
    number._on_end()
    assert not stage.window.story.isVisible()
    press(*digits("12"))
    number._on_end()
    assert not number.digits
    assert counted(stage) == []


def test_escape_and_the_answer_drop_a_number(stage: Ui) -> None:
    number = stage.desk.presentation.lectern.number
    press(*digits("40"), Qt.Key.Key_Escape)
    assert (number.digits, stage.desk.presentation.is_on) == ("", True)
    press(*digits("40"))
    stage.desk.lesson.go_on()
    assert not number.digits


@pytest.mark.rest
def test_the_reveal_shows_the_bars_and_no_more_votes_are_counted_also_after_the_page_was_turned(stage: Ui) -> None:
    press(A, B, B, B)
    stage.desk.lesson.go_on()
    tally = bars(stage).tally
    assert (tally.rounds, tally.revealed) == (((1, 3, 0),), True)
    assert [line.rpartition(": ")[2] for line in bars(stage).words().split("\n")] == ["1 · 25%", "3 · 75%", "0 · 0%"]
    press(A)
    press(A, shift=True)
    assert counted(stage) == [[[1, 3, 0]]]
    stage.desk.lesson.go_on()
    assert not bars(stage).isVisible()
    press(Qt.Key.Key_PageUp)
    assert bars(stage).isVisible()
    press(A)
    assert counted(stage) == [[[1, 3, 0]]]


@pytest.mark.rest
def test_a_second_vote_is_reported_next_to_the_first(stage: Ui) -> None:
    press(A, A, V)
    assert bars(stage).words() == "Vote 2: 0 votes counted"
    press(V, B, A)
    assert bars(stage).words() == "Vote 2: 2 votes counted"
    stage.desk.lesson.go_on()
    tally = bars(stage).tally
    assert (tally.rounds, tally.shown) == (((2, 0, 0), (1, 1, 0)), (0, 1))
    assert counted(stage) == [[[2, 0, 0], [1, 1, 0]]]


def test_to_vote_again_after_the_answer_asks_again(stage: Ui) -> None:
    press(A)
    for _ in range(2):
        stage.desk.lesson.go_on()
        press(V)
        assert not stage.desk.lesson.page.revealed
    press(C)
    assert counted(stage) == [[[1, 0, 0], [0, 0, 1]]]


def test_without_votes_to_repeat_it_says_what_the_key_does(stage: Ui) -> None:
    stage.desk.lesson.go_on()
    press(V)
    assert stage.desk.lesson.page.revealed
    assert stage.window.findChild(Overlay).sentence.startswith("V votes again after a vote")


def test_while_all_pages_are_seen_no_vote_is_counted(stage: Ui) -> None:
    press(Qt.Key.Key_G)
    press(A, B)
    press(Qt.Key.Key_Escape)
    assert counted(stage) == []
    press(A)
    assert counted(stage) == [[[1, 0, 0]]]


def test_without_a_presentation_letters_count_nothing(ui: Ui, qtbot: QtBot) -> None:
    ui.window.show()
    ui.window.story.setFocus()
    qtbot.keyClick(ui.window.story, A)
    assert counted(ui) == []
    ui.desk.on_command("present")
    qtbot.waitUntil(ui.window.isActiveWindow)
    title = ui.window.story.findChild(ShortLabel)
    press(A)
    assert title.text() == "1 vote counted"
    ui.desk.on_command("present")
    assert title.text() == "Noise for a batch"


def test_only_the_first_and_the_last_vote_that_anybody_voted_in_are_shown() -> None:
    assert VoteTally(("a",), ((0,),)).shown == ()
    assert VoteTally(("a",), ((1,), (0,), (2,), (3,), (0,))).shown == (0, 3)
    assert VoteTally(("a",), ((1,), (0,))).shown == (0,)


def test_a_vote_on_times_that_cannot_decide_is_not_judged(ui: Ui, qtbot: QtBot) -> None:
    """Neither choice is marked on the stage, and the times are shown."""
    ui.session.workspace.open(next(each for each in library.built_in() if each.id == "selu_eager_or_jit"))
    present(ui, qtbot)
    press(A, B, B)
    ui.client.say(Snapshot(ui.client.request.run, "cpu:0", True, reports=(Report("selu", "ok"),)))
    ui.session.timings.start()
    asked = ui.client.last(TimingRequest)
    for transform, median_s in (("eager", 2.2e-3), ("jit", 1e-3)):
        point = measured("selu", transform, 1_000_000, median_s)
        ui.client.say(msgspec.structs.replace(point, run=asked.run, swept="n"))
    ui.client.say(TimingDone(asked.run, 1.0))
    ui.desk.lesson.go_on()
    ask = ui.desk.lesson.page.ask
    assert ask.undecided == "selu (eager) 2.20 ms, selu (jit) 1.00 ms: 2.2 times"
    assert ask.undecided in ui.window.story.findChild(QTextBrowser).toPlainText()
    assert "✓" not in bars(ui).words()


# -- a black screen, by keys that are text where text is typed --------------------------------------------------------


Key = Qt.Key


@pytest.mark.rest
def test_a_black_screen_takes_the_key_that_brings_the_stage_back(stage: Ui) -> None:
    lectern, page = stage.desk.presentation.lectern, stage.desk.lesson.page
    for back in (Key.Key_PageDown, Key.Key_A, Key.Key_Escape, Key.Key_Period):
        press(Key.Key_Period)
        assert lectern.blank is not None
        assert lectern.blank.geometry() == stage.window.rect()
        assert stage.window.grab().toImage().pixelColor(stage.window.rect().center()) == QColor("#000000")
        press(Key.Key_Shift)
        assert lectern.blank is not None
        press(back)
        assert lectern.blank is None
    assert stage.desk.lesson.page == page
    assert stage.desk.presentation.is_on
    assert lectern.voting.tally() is None
    press(Key.Key_Period)
    QTest.mouseClick(lectern.blank, Qt.MouseButton.LeftButton)
    assert lectern.blank is None


def test_b_is_black_only_where_nothing_is_asked(stage: Ui) -> None:
    lectern = stage.desk.presentation.lectern
    press(Key.Key_B)
    assert lectern.blank is None
    stage.desk.lesson.go_on()
    press(Key.Key_B)
    assert lectern.blank is not None
    press(Key.Key_B)
    assert lectern.blank is None


def test_the_end_of_the_presentation_puts_everything_away(stage: Ui) -> None:
    lectern = stage.desk.presentation.lectern
    press(Key.Key_Period)
    stage.desk.presentation.end()
    assert (lectern.blank, stage.window.findChild(Overlay).isHidden()) == (None, True)


@pytest.mark.parametrize("kind", [QLineEdit, QSpinBox, None], ids=["line", "number", "code"])
def test_what_is_typed_into_a_box_or_the_code_is_no_key_of_the_presentation(
    stage: Ui, qtbot: QtBot, kind: type[QLineEdit | QSpinBox] | None
) -> None:
    box = kind(stage.window) if kind else stage.window.code
    box.show()
    box.setFocus()
    qtbot.keyClicks(QApplication.focusWidget(), "7a.bfs")
    lectern = stage.desk.presentation.lectern
    assert "7" in (box.text() if kind else stage.session.workspace.source)
    assert (lectern.blank, stage.window.findChild(Overlay).isHidden()) == (None, True)
    assert lectern.voting.tally() is None
    if kind:
        box.deleteLater()

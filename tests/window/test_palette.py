"""The command palette: what it finds, in which order, and what choosing does."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from explorer.messages import Focus, LensRequest, Report
from explorer.window import connections
from tests.window.presenting.stages import present, press
from tests.window.ui import WITH_A_FINDING, Ui
from views.window.commands import CommandTable
from views.window.palette import Palette, PaletteEntry, found


def entry(text: str, kind: str = "", also: str = "") -> PaletteEntry:
    return PaletteEntry(text, kind, lambda: None, also=also)


@pytest.mark.parametrize(
    ("words", "texts"),
    [
        ("", ["The jit cache", "jit", "Rejitting", "vmap"]),
        ("jit", ["jit", "The jit cache", "Rejitting"]),
        ("CACHE jit", ["The jit cache"]),
        ("map lesson", ["vmap"]),
        ("벡터", ["vmap"]),
        ("jit vmap", []),
    ],
)
def test_the_best_match_comes_first_and_each_word_counts(words: str, texts: list[str]) -> None:
    entries = [entry("The jit cache"), entry("jit"), entry("Rejitting"), entry("vmap", "lesson", "벡터화")]
    assert [each.text for each in found(entries, words)] == texts


def opened(ui: Ui) -> Palette:
    QTest.keyClick(QApplication.focusWidget() or ui.window, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier | SHIFT)
    (palette,) = (each for each in ui.window.findChildren(Palette) if each.isVisible())
    return palette


SHIFT = Qt.KeyboardModifier.ShiftModifier


def choose(ui: Ui, words: str, *keys: Qt.Key) -> None:
    opened(ui)
    QTest.keyClicks(QApplication.focusWidget(), words)
    press(*keys, Qt.Key.Key_Return)


def test_every_command_that_can_be_given_is_there_until_another_part_gets_the_keyboard(ui: Ui) -> None:
    commands = [each for each in CommandTable().commands() if not each.id.startswith(("recent_", "palette"))]
    can = {each.name for each in commands if ui.window.action(each.id).isEnabled()}
    palette = opened(ui)
    assert {each.name for each in commands} & set(palette.texts) == can
    ui.window.code.setFocus()
    assert not palette.isVisible()


def test_a_lesson_that_was_opened_before_is_there_once(ui: Ui) -> None:
    ui.desk.files.open_by_id("seed_and_key")
    ui.desk.files.open_by_id("split_tree")
    assert opened(ui).texts.count("A seed and a key") == 1


@pytest.mark.rest
def test_a_command_a_lesson_and_a_variant_are_chosen_by_typing(ui: Ui) -> None:
    ui.ran(WITH_A_FINDING)
    choose(ui, "dark theme")
    assert ui.desk.appearance.settings.theme == "dark"
    choose(ui, "key_per")
    assert ui.session.workspace.controls.variant == "key_per_example"
    for words in ("tree of keys", "split_tr"):
        choose(ui, words)
        assert ui.session.workspace.scenario.id == "split_tree"
        ui.desk.files.open_by_id("seed_and_key")


def test_a_finding_is_chosen_but_not_while_a_question_is_open(ui: Ui) -> None:
    ui.ran(WITH_A_FINDING)
    assert "All rows are equal." not in opened(ui).texts
    press(Qt.Key.Key_Escape)
    ui.desk.lesson.go_on()
    choose(ui, "rows are")
    assert ui.session.marks().focus == Focus("finding", 0, "shared_key")
    assert ui.window.findings.isVisible()


@pytest.mark.rest
def test_escape_gives_the_keyboard_back_and_ends_no_presentation(ui: Ui, qtbot: object) -> None:
    present(ui, qtbot)
    before = QApplication.focusWidget()
    palette = opened(ui)
    press(Qt.Key.Key_A, Qt.Key.Key_PageDown, Qt.Key.Key_Escape)
    assert not palette.isVisible()
    assert QApplication.focusWidget() is before
    assert ui.desk.presentation.is_on
    assert ui.desk.presentation.lectern.voting.tally() is None, "letters are typed, and count no vote"
    assert ui.desk.lesson.page.place == 0


@pytest.mark.rest
def test_on_a_stage_it_opens_instead_of_the_list_of_lessons(ui: Ui, qtbot: object) -> None:
    present(ui, qtbot)
    ui.desk.on_command("lessons")
    assert [each.isVisible() for each in ui.window.findChildren(Palette)] == [True]
    press(Qt.Key.Key_Escape)
    ui.desk.presentation.end()
    assert not ui.window.scenarios.isVisible()


@pytest.mark.rest
def test_a_lens_is_found_by_its_name_and_opens_in_the_program_pane(ui: Ui) -> None:
    connections.add_plots(ui.window, ui.session, ui.desk)
    ui.ran(Report("shared_key", "ok", lenses=("memory",)))
    ui.desk.lesson.uncover()
    choose(ui, "memory program")
    assert ui.window.area.by_name["program"].isVisible()
    (asked,) = (each for each in ui.client.asked if isinstance(each, LensRequest))
    assert (asked.lens, asked.variant) == ("memory", "shared_key")

"""Links between lessons, and courses: where they lead, and back."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QComboBox, QLineEdit, QTextBrowser

from tests.window.ui import Ui


def story(ui: Ui) -> str:
    (text,) = ui.window.story.findChildren(QTextBrowser)
    return text.toPlainText()


def opened(ui: Ui) -> str:
    scenario = ui.session.workspace.scenario
    assert scenario is not None
    return scenario.id


def test_the_first_page_leads_to_what_the_lesson_builds_on_and_alt_left_back(ui: Ui) -> None:
    ui.desk.files.open_by_id("big_draw_or_many")
    assert "Before this: One key for the batch" in story(ui)
    (text,) = ui.window.story.findChildren(QTextBrowser)
    text.anchorClicked.emit(QUrl("lesson:one_key_for_the_batch"))
    assert opened(ui) == "one_key_for_the_batch"
    ui.desk.on_command("back")
    assert opened(ui) == "big_draw_or_many"


def test_the_last_page_leads_to_the_words_that_the_lesson_teaches(ui: Ui, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(ui.desk.help, "show_term", asked.append)
    while not ui.desk.lesson.page.tasks:
        ui.desk.lesson.go_on()
    assert "In the glossary:" in story(ui)
    (text,) = ui.window.story.findChildren(QTextBrowser)
    text.anchorClicked.emit(QUrl("term:vmap"))
    assert asked == ["vmap"]


@pytest.mark.rest
def test_the_last_page_leads_to_the_next_lesson_whatever_is_searched_for(ui: Ui) -> None:
    ui.window.scenarios.findChild(QLineEdit).setText("one key for the batch")
    assert "Next lesson:" not in story(ui)
    while not (ui.desk.lesson.page.is_last and ui.desk.lesson.page.revealed):
        ui.desk.lesson.go_on()
    after = ui.window.scenarios.neighbour(1, searched=False)
    assert f"Next lesson: {ui.desk.files.title_of(after)}" in story(ui)
    (text,) = ui.window.story.findChildren(QTextBrowser)
    text.anchorClicked.emit(QUrl(f"lesson:{after}"))
    assert opened(ui) == after
    ui.desk.on_command("present")
    while not (ui.desk.lesson.page.is_last and ui.desk.lesson.page.revealed):
        ui.desk.lesson.go_on()
    assert "Next lesson:" not in story(ui), "the end page names it"


def test_a_course_is_opened_at_its_first_lesson_and_leads_on_in_its_order(ui: Ui, tmp_path: Path) -> None:
    sheet = tmp_path / "course.toml"
    sheet.write_text('title = { en = "Mine" }\nlessons = ["split_tree", "stop_gradient", "no_such"]\n')
    assert ui.desk.files.open_by_id(str(tmp_path))
    assert opened(ui) == "split_tree"
    assert "no_such" in ui.window.notice.accessibleName()
    ui.desk.on_command("next_scenario")
    assert opened(ui) == "stop_gradient"
    (chosen,) = ui.window.scenarios.findChildren(QComboBox)
    assert chosen.currentText() == "Mine"
    assert [chosen.itemText(row) for row in range(chosen.count())] == [
        "All lessons",
        "From zero",
        "A lecture of 90 minutes",
        "A lecture of 45 minutes",
        "Mine",
    ]

"""Links between lessons, and courses: where they lead, and back."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QComboBox, QInputDialog, QLineEdit, QTextBrowser, QTreeWidget

from explorer.library import courses
from tests.window.ui import Ui


def story(ui: Ui) -> str:
    (text,) = ui.window.story.findChildren(QTextBrowser)
    return text.toPlainText()


def opened(ui: Ui) -> str:
    return ui.session.workspace.scenario.id


def test_the_first_page_leads_to_what_the_lesson_builds_on_and_alt_left_back(ui: Ui) -> None:
    ui.desk.files.open_by_id("shared_by_closure")
    assert "Before this: Noise for a batch" in story(ui)
    assert {"one_key_for_the_batch", opened(ui)} - ui.window.findings._lessons.keys() == {opened(ui)}
    (text,) = ui.window.story.findChildren(QTextBrowser)
    text.anchorClicked.emit(QUrl("lesson:one_key_for_the_batch"))
    assert opened(ui) == "one_key_for_the_batch"
    ui.desk.on_command("back")
    assert opened(ui) == "shared_by_closure"


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
    ui.desk.on_command("previous_scenario")
    assert opened(ui) == "split_tree"
    (chosen,) = ui.window.scenarios.findChildren(QComboBox)
    assert chosen.currentText() == "Mine"
    assert [chosen.itemText(row) for row in range(chosen.count())] == [
        "All lessons",
        "From zero",
        "A lecture of 90 minutes",
        "A lecture of 45 minutes",
        "Mine",
    ]


# -- courses with lessons of one's own --------------------------------------------------------------------------------


LESSON = """\
def f():
    return 1.0
"""


def own_course(folder: Path, sheet: str) -> Path:
    (folder / "mine").mkdir(parents=True)
    (folder / "mine" / "code.py").write_text(LESSON, encoding="utf-8")
    (folder / "mine" / "scenario.toml").write_text('title = { en = "Mine" }\n', encoding="utf-8")
    (folder / "course.toml").write_text(sheet, encoding="utf-8")
    return folder


def test_a_course_with_a_lesson_of_ones_own_opens_like_a_file(ui: Ui, tmp_path: Path, yes: None) -> None:
    folder = own_course(tmp_path / "week 1", 'title = { en = "Week 1" }\nlessons = ["mine", "seed_and_key"]\n')
    for target in (folder, folder / "course.toml"):
        ui.desk.files.open_by_id("one_key_for_the_batch")
        assert ui.desk.files.open_by_id(str(target))
        assert ui.session.workspace.scenario.title.text("en") == "Mine"
        assert [each.title.text("en") for each in ui.window.scenarios._listed] == ["Mine", "A seed and a key"]


def test_a_course_that_was_fixed_is_read_anew(ui: Ui, tmp_path: Path, yes: None) -> None:
    folder = own_course(tmp_path / "week", 'title = { en = "Week" }\nlessons = ["mine", "sed_and_key"]\n')
    ui.desk.files.open_by_id(str(folder))
    assert "there is no lesson sed_and_key" in ui.window.notice.accessibleName()
    (folder / "course.toml").write_text('title = { en = "Week" }\nlessons = ["mine", "seed_and_key"]\n')
    ui.desk.files.open_by_id(str(folder))
    assert len(ui.window.scenarios._listed) == 2


def test_a_course_without_lessons_is_reported_and_changes_nothing(ui: Ui, tmp_path: Path) -> None:
    (tmp_path / "course.toml").write_text('title = { en = "Week 1" }\n', encoding="utf-8")
    before = ui.window.scenarios._listed
    assert not ui.desk.files.open_by_id(str(tmp_path))
    assert ui.window.notice.accessibleName() == "Week 1 is a course without lessons."
    assert ui.window.scenarios._listed == before


# -- pages that a course chooses --------------------------------------------------------------------------------------


def test_the_pages_that_a_course_chooses_are_read_from_the_first_until_all_lessons_are_listed(
    ui: Ui, tmp_path: Path
) -> None:
    sheet = 'title = { en = "Mine" }\nlessons = ["seed_and_key:2,4", "split_tree"]\n'
    (tmp_path / "course.toml").write_text(sheet, encoding="utf-8")
    ui.desk.files.open_by_id(str(tmp_path))
    lesson, read = ui.desk.lesson, []
    assert ui.session.workspace.controls.variant == "same_key_twice"
    for _ in range(4):
        read.append((lesson.page.number, lesson.page.count, lesson.page.place, lesson.page.revealed))
        lesson.go_on()
    assert read == [(0, 2, 1, False), (0, 2, 1, True), (1, 2, 3, False), (1, 2, 3, True)]
    ui.window.scenarios.choose_course("")
    assert (lesson.page.number, lesson.page.count, lesson.page.place) == (3, 5, 3)


def test_a_lesson_is_added_to_a_course_from_the_list(ui: Ui, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QInputDialog, "getItem", lambda *_: ("Week 3", True))
    for pages in ("1-2", "9"):
        monkeypatch.setattr(QInputDialog, "getText", lambda *_, pages=pages: (pages, True))
        ui.window.scenarios.show_current("seed_and_key")
        ui.window.scenarios.findChild(QTreeWidget).actions()[0].trigger()
    assert ui.window.notice.accessibleName().startswith("seed_and_key has no page 9")
    ui.window.scenarios.choose_course(courses.own()[0].id)
    assert ui.window.scenarios.course.lessons[0].pages == (0, 1)

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox

from tests.window.ui import Ui, answer

LESSON = """\
def f():
    return 1.0
"""


def course(folder: Path, sheet: str) -> Path:
    (folder / "mine").mkdir(parents=True)
    (folder / "mine" / "code.py").write_text(LESSON, encoding="utf-8")
    (folder / "mine" / "scenario.toml").write_text('title = { en = "Mine" }\n', encoding="utf-8")
    (folder / "course.toml").write_text(sheet, encoding="utf-8")
    return folder


def test_a_course_with_a_lesson_of_ones_own_opens_like_a_file(
    ui: Ui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(monkeypatch, QMessageBox.StandardButton.Yes)
    folder = course(tmp_path / "week 1", 'title = { en = "Week 1" }\nlessons = ["mine", "seed_and_key"]\n')
    for target in (folder, folder / "course.toml"):
        ui.desk.files.open_by_id("one_key_for_the_batch")
        assert ui.desk.files.open_by_id(str(target))
        assert ui.session.workspace.scenario is not None
        assert ui.session.workspace.scenario.title.text("en") == "Mine"
        assert [each.title.text("en") for each in ui.window.scenarios._listed] == ["Mine", "A seed and a key"]


def test_a_course_that_was_fixed_is_read_anew(ui: Ui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, QMessageBox.StandardButton.Yes)
    folder = course(tmp_path / "week", 'title = { en = "Week" }\nlessons = ["mine", "sed_and_key"]\n')
    ui.desk.files.open_by_id(str(folder))
    assert "names what is no lesson: sed_and_key" in ui.window.notice.accessibleName()
    (folder / "course.toml").write_text('title = { en = "Week" }\nlessons = ["mine", "seed_and_key"]\n')
    ui.desk.files.open_by_id(str(folder))
    assert len(ui.window.scenarios._listed) == 2


@pytest.mark.parametrize(
    ("sheet", "words"),
    [
        ("title = ", "not valid TOML"),
        ("lessons = []", "title is missing"),
        ('title = { en = "A" }\ntitel = 1', "did you mean title?"),
        ('title = { en = "A" }\nlessons = ["../secret"]', "no lesson: ../secret"),
        ("\0", "not text"),
    ],
)
def test_what_is_wrong_with_a_course_is_reported(
    ui: Ui, tmp_path: Path, sheet: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(monkeypatch, QMessageBox.StandardButton.Yes)
    ui.desk.files.open_by_id(str(course(tmp_path / "bad", sheet)))
    assert words in ui.window.notice.accessibleName()


def test_a_course_without_lessons_is_reported_and_changes_nothing(ui: Ui, tmp_path: Path) -> None:
    (tmp_path / "course.toml").write_text('title = { en = "Week 1" }\n', encoding="utf-8")
    before = ui.window.scenarios._listed
    assert not ui.desk.files.open_by_id(str(tmp_path))
    assert ui.window.notice.accessibleName() == "Week 1 is a course without lessons."
    assert ui.window.scenarios._listed == before

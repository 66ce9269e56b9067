"""The pace of a lecture: which lesson this is, and what is left."""

from __future__ import annotations

import pytest

from explorer.library import courses
from explorer.window.presenting.pace import Pace
from tests.window.ui import Ui


@pytest.mark.parametrize(
    ("lesson", "passed_min", "left"),
    [
        (0, 0, "45 min left, 4 lessons to go"),
        (3, 33, "12 min left, 1 lesson to go"),
        (4, 45, "0 min left, the last lesson"),
        (2, 48, "3 min over, 2 lessons to go"),
    ],
)
def test_what_is_left_is_said(ui: Ui, lesson: int, passed_min: int, left: str) -> None:
    course = courses.find("lecture_45")
    ui.desk.files.take_course(course)
    ui.desk.files.open_by_id(course.lessons[lesson].id)
    pace = Pace(ui.window, ui.session.workspace)
    pace.begin()
    pace._began_s -= 60 * passed_min
    assert pace.lesson() == f"Lesson {lesson + 1} of 5"
    assert pace.left() == left


def test_a_lesson_outside_of_the_course_has_no_place(ui: Ui) -> None:
    ui.desk.files.take_course(courses.find("lecture_45"))
    ui.desk.files.open_by_id("mlp_forward_with_dropout")
    pace = Pace(ui.window, ui.session.workspace)
    assert (pace.here, pace.lesson(), pace.left()) == (-1, "", "")

"""Courses: their lessons, their order, and the report on an unreadable one."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.library import courses, library

TITLE = 'title = { en = "Mine", ko = "내 강의" }\n'
LESSONS = {each.id: each for each in library.built_in()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, order in (("second", 2), ("first", 1)):
        lesson = tmp_path / name
        lesson.mkdir()
        (lesson / "code.py").write_text("x = 1\n")
        (lesson / "scenario.toml").write_text(f'title = {{ en = "{name}" }}\nchapter = 1\norder = {order}\n')
    return tmp_path


def made(folder: Path, sheet: str) -> courses.Course:
    (folder / courses.COURSE).write_text(sheet, encoding="utf-8")
    return courses.find(str(folder))


def test_ours_are_read_whole_and_may_be_asked_for_by_name() -> None:
    ours = [(each.id, each.minutes, len(each.lessons), each.problem) for each in courses.built_in()]
    assert ours == [("from_zero", 0, 18, ""), ("lecture_90", 90, 10, ""), ("lecture_45", 45, 5, "")]
    assert courses.find("lecture_45") == courses.built_in()[2]
    assert courses.find("no such course") is courses.find("one_key_for_the_batch") is courses.find("\0") is None


@pytest.mark.parametrize("course", courses.built_in(), ids=lambda course: course.id)
def test_in_a_course_nothing_is_used_before_it_is_taught(course: courses.Course) -> None:
    names = [each.id for each in course.lessons]
    late = [(each.id, need) for each in course.lessons for need in each.needs if need in names[names.index(each.id) :]]
    assert late == []


def test_from_zero_teaches_everything_that_its_lessons_need() -> None:
    course = courses.find("from_zero")
    names = {each.id for each in course.lessons}
    assert {need for each in course.lessons for need in each.needs} <= names


def test_a_folder_is_a_course_of_the_lessons_in_it_and_may_name_ours(folder: Path) -> None:
    found = made(folder, TITLE)
    assert [Path(each.id).name for each in found.lessons] == ["first", "second"]
    assert {each.origin for each in found.lessons} == {"file"}
    named = made(folder, TITLE + 'lessons = ["second", "seed_and_key"]\n')
    assert [Path(each.id).name for each in named.lessons] == ["second", "seed_and_key"]
    assert named.lessons[1] == LESSONS["seed_and_key"]
    assert courses.find(str(folder / courses.COURSE)) == named
    assert (named.title.text("ko"), named.problem) == ("내 강의", "")


@pytest.mark.parametrize(
    ("sheet", "words"),
    [
        ("title = ", "is not valid TOML"),
        ("minutes = 90", "`title` is missing"),
        (TITLE + 'lessons = ["seed_and_key", "no_such"]', "course.toml, line 2: there is no lesson no_such."),
        (TITLE + 'lessons = ["seed_and_key", "../first"]', "there is no lesson ../first."),
        (
            TITLE + 'lessons = ["seed_and_key",\n "seed_and_key:2"]',
            "course.toml, line 3: it names seed_and_key:2 twice.",
        ),
        (
            TITLE + 'lessons = ["seed_and_key", "split_tree:1-9"]',
            "course.toml, line 2: split_tree has no page 1-9: choose from its pages 1 to 5, such as 1-2,4.",
        ),
        *(
            (TITLE + f'lessons = ["seed_and_key", "split_tree:{bad}"]', "no page")
            for bad in ("0", "3-2", "1,", "", "a")
        ),
    ],
)
def test_what_is_wrong_with_a_course_is_reported_and_the_rest_is_there(folder: Path, sheet: str, words: str) -> None:
    found = made(folder, sheet)
    assert words in found.problem
    assert [each.id for each in found.lessons] == (["seed_and_key"] if "seed_and_key" in sheet else [])


def test_a_course_chooses_pages_of_a_lesson(folder: Path) -> None:
    found = made(folder, TITLE + 'lessons = ["seed_and_key:1-2, 4", "split_tree:2", "kept_and_spent"]\n')
    assert [each.pages for each in found.lessons] == [(0, 1, 3), (1,), ()]


def test_lessons_are_added_to_a_course_of_ones_own_which_is_written_with_the_first() -> None:
    courses.add("Week 3", LESSONS["seed_and_key"], "1-2")
    (course,) = courses.own()
    sheet = Path(course.id) / courses.COURSE
    sheet.write_text("minutes = 20\n" + sheet.read_text(), encoding="utf-8")
    assert courses.add("Week 3", LESSONS["split_tree"], "") == courses.own()[0]
    assert [(each.id, each.pages) for each in courses.own()[0].lessons] == [
        ("seed_and_key", (0, 1)),
        ("split_tree", ()),
    ]
    assert (courses.own()[0].minutes, len(courses.own())) == (20, 1)


def test_what_cannot_be_added_to_a_course_changes_nothing() -> None:
    with pytest.raises(ValueError, match="has no page 9"):
        courses.add("Week 3", LESSONS["seed_and_key"], "9")
    assert courses.own() == ()
    courses.add("Week 3", LESSONS["seed_and_key"], "")
    sheet = Path(courses.own()[0].id) / courses.COURSE
    sheet.write_text('title = { en = "Week 3" }\nlessons = ["seed_and_key" # the ] of it\n]\n', encoding="utf-8")
    with pytest.raises(ValueError, match="in an editor"):
        courses.add("Week 3", LESSONS["split_tree"], "")
    assert len(courses.own()[0].lessons) == 1


def test_each_lesson_needs_only_what_stands_before_it() -> None:
    names = list(LESSONS)
    late = [(name, need) for name in names for need in LESSONS[name].needs if need not in names[: names.index(name)]]
    assert late == []

"""Courses, folders with a course.toml, built in or the user's own: lists them, finds one, adds a lesson to one."""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path

import msgspec
from msgspec import structs

import resources
from explorer.library import library, own_file, paths, untitled
from explorer.library.code_files import UnreadableCode
from explorer.library.folder import from_folder, is_scenario_folder, read_words
from explorer.library.sheet import SheetMistakes, read_sheet
from explorer.scenario.page import places
from explorer.scenario.scenario import CHAPTERS, Course, Scenario
from explorer.scenario.texts import Texts

COURSE = "course.toml"


class CourseSheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A course.toml as its author writes it."""

    title: Texts
    minutes: int = 0
    lessons: tuple[str, ...] = ()
    """Folders next to the sheet, or ids of built-in lessons, each with the pages to read where it is not all of them,
    such as ``seed_and_key:1-2,4``; empty for all folders next to the sheet."""


@functools.cache
def built_in() -> tuple[Course, ...]:
    """Return the built-in courses, those without a length first, then the longest; they are read once."""
    found = [_read(each.parent) for each in _built_in_folder().glob(f"*/{COURSE}")]
    return tuple(sorted(found, key=lambda each: (each.minutes > 0, -each.minutes, each.id)))


def own() -> tuple[Course, ...]:
    """Return the courses in the user's own folder."""
    return tuple(_read(each.parent) for each in sorted(paths.my_scenarios_folder().glob(f"*/{COURSE}")))


def add(title: str, lesson: Scenario, pages: str) -> Course:
    """Add `lesson` with its `pages`, such as 1-2,4, or all, to the user's own course with this title, or to a new one.

    Raises ValueError with the reason why it is impossible, OSError where the sheet cannot be written.
    """
    course = next((each for each in own() if title in each.title), None)
    folder = Path(course.id) if course is not None else untitled.folder_for(title)
    words = f"title = {{ en = {json.dumps(title, ensure_ascii=False)} }}\nlessons = []\n"
    words = read_words(folder / COURSE) if course is not None else words
    entry = f"{lesson.id}:{pages}" if pages else lesson.id
    if isinstance(problem := _lesson(folder, entry), str):
        raise ValueError(problem)
    found = re.search(r"^lessons\s*=\s*\[(.*?),?\s*\]", words, re.DOTALL | re.MULTILINE)
    before = (found[1] + "," if found[1] else "") if found else ""
    lessons = f"lessons = [{before}\n    {json.dumps(entry, ensure_ascii=False)},\n]"
    changed = f"{words[: found.start()]}{lessons}{words[found.end() :]}" if found else f"{words}\n{lessons}\n"
    try:
        is_added = read_sheet(changed, CourseSheet).lessons == (*read_sheet(words, CourseSheet).lessons, entry)
    except SheetMistakes:
        is_added = False
    if not is_added:
        raise ValueError(f"Add {entry} to {folder / COURSE} in an editor: its list of lessons has something unusual.")
    own_file.write_atomically(folder / COURSE, changed.encode())
    return _read(folder)


def find(target: str) -> Course | None:
    """Return the course with this id, or the one in the folder at this path; None where there is none."""
    try:
        own = _built_in_folder() / target / COURSE if Path(target).name == target else None
        if own is not None and own.is_file():
            return _read(own.parent)
        path = Path(target).expanduser().resolve(strict=True)
        sheet = path if path.name == COURSE else path / COURSE
        return _read(sheet.parent) if sheet.is_file() else None
    except (OSError, RuntimeError, ValueError):
        return None


@functools.cache
def _built_in_folder() -> Path:
    return Path(resources.__file__).resolve().parent / "courses"


def _read(folder: Path) -> Course:
    name = folder.name if folder.parent == _built_in_folder() else str(folder)
    bare = Course(name, Texts(folder.name.replace("_", " ").capitalize()))
    try:
        words = read_words(folder / COURSE)
        sheet = read_sheet(words, CourseSheet)
    except SheetMistakes as error:
        return structs.replace(bare, problem=f"{COURSE} cannot be read. {error}")
    except UnreadableCode as error:
        return structs.replace(bare, problem=str(error))
    found: dict[str, Scenario] = {}
    problems = []
    for entry in sheet.lessons:
        lesson = _lesson(folder, entry)
        if isinstance(lesson, Scenario) and lesson.id not in found:
            found[lesson.id] = lesson
        else:
            problem = f"it names {entry} twice." if isinstance(lesson, Scenario) else lesson
            problems.append(f"{COURSE}, line {_line(words, entry)}: {problem}")
    lessons = tuple(found.values()) if sheet.lessons else _lessons_in(folder)
    return Course(name, sheet.title, lessons, sheet.minutes, " ".join(problems))


def _line(words: str, entry: str) -> int:
    """Return the line of the sheet `words` with this entry of its lessons, counted from 1."""
    found = re.search(f"[\"']{re.escape(entry)}[\"']", words)
    return words.count("\n", 0, found.start() if found else 0) + 1


def _lesson(folder: Path, entry: str) -> Scenario | str:
    """Return the lesson that `entry` names in the course in `folder`, with its pages, else what is wrong with it."""
    name, colon, pages = entry.partition(":")
    place = folder / name
    if place.parent == folder and is_scenario_folder(place):
        lesson = structs.replace(from_folder(place, "file"), id=str(place))
    else:
        found = library.named(name)
        if found is None:
            return f"there is no lesson {name}."
        lesson = found
    return _with_pages(lesson, pages) if colon else lesson


def _with_pages(lesson: Scenario, words: str) -> Scenario | str:
    """Return `lesson` with the pages that `words` choose, such as 1-2,4, else what is wrong with them."""
    count, pages = len(places(lesson)), set[int]()
    for part in words.split(","):
        found = re.fullmatch(r"\s*(\d{1,3})\s*(?:-\s*(\d{1,3})\s*)?", part)
        numbers = range(int(found[1]), int(found[2] or found[1]) + 1) if found else ()
        if not numbers or not 1 <= numbers[0] <= numbers[-1] <= count:
            return f"{lesson.id} has no page {part.strip()}: choose from its pages 1 to {count}, such as 1-2,4."
        pages.update(numbers)
    return structs.replace(lesson, pages=tuple(each - 1 for each in sorted(pages)))


def _lessons_in(folder: Path) -> tuple[Scenario, ...]:
    """Return all lessons in `folder`, in the order given by their sheets."""
    found = [from_folder(each, "file") for each in folder.iterdir() if is_scenario_folder(each)]
    found.sort(key=lambda each: (each.chapter % len(CHAPTERS), each.order, each.id))
    return tuple(structs.replace(each, id=str(folder / each.id)) for each in found)

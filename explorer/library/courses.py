"""Courses: folders with a course.toml, built in or the user's own."""

from __future__ import annotations

import functools
from pathlib import Path

import msgspec
from msgspec import structs

import resources
from explorer.library import library
from explorer.library.code_files import UnreadableCode
from explorer.library.folder import from_folder, is_scenario_folder, read_words
from explorer.library.sheet import SheetMistakes, read_sheet
from explorer.scenario.scenario import CHAPTERS, Course, Scenario
from explorer.scenario.texts import Texts

COURSE = "course.toml"


class Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A course.toml as its author writes it."""

    title: Texts
    minutes: int = 0
    lessons: tuple[str, ...] = ()
    """Folders next to the sheet, or ids of built-in lessons; empty for all folders next to the sheet."""


@functools.cache
def built_in() -> tuple[Course, ...]:
    """Return the built-in courses, those without a length first, then the longest; they are read once."""
    found = [_read(each.parent) for each in _built_in_folder().glob(f"*/{COURSE}")]
    return tuple(sorted(found, key=lambda each: (each.minutes > 0, -each.minutes, each.id)))


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
        sheet = read_sheet(read_words(folder / COURSE), Sheet)
    except SheetMistakes as error:
        return structs.replace(bare, problem=f"{COURSE} cannot be read. {error}")
    except UnreadableCode as error:
        return structs.replace(bare, problem=str(error))
    known = {name: each for each in library.built_in() for name in (each.id, *each.replaces)}
    found = {each: _lesson(folder, each, known) for each in sheet.lessons} or _lessons_in(folder)
    missing = ", ".join(each for each, lesson in found.items() if lesson is None)
    return Course(
        name,
        sheet.title,
        tuple(lesson for lesson in found.values() if lesson is not None),
        sheet.minutes,
        f"{COURSE} names what is no lesson: {missing}." if missing else "",
    )


def _lesson(folder: Path, name: str, known: dict[str, Scenario]) -> Scenario | None:
    """Return the lesson `name` of the course in `folder`; None where there is none."""
    place = folder / name
    if place.parent == folder and is_scenario_folder(place):
        return structs.replace(from_folder(place, "file"), id=str(place))
    return known.get(name)


def _lessons_in(folder: Path) -> dict[str, Scenario | None]:
    """Return all lessons in `folder`, in the order given by their sheets."""
    found = [from_folder(each, "file") for each in folder.iterdir() if is_scenario_folder(each)]
    found.sort(key=lambda each: (each.chapter % len(CHAPTERS), each.order, each.id))
    return {each.id: structs.replace(each, id=str(folder / each.id)) for each in found}

"""The targets of a check of many: files, files and lessons of a folder, a course, or homework."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec import structs

from explorer.library import courses, library, recording_file
from explorer.library.folder import from_file, from_folder, is_scenario_folder
from explorer.messages.recorded_run import is_recording
from explorer.scenario.scenario import Scenario
from explorer.scenario.texts import Texts


class Target(NamedTuple):
    """One target that was read; the `problem` of its scenario says why it cannot run."""

    name: str
    scenario: Scenario


def is_many(word: str) -> bool:
    """Return whether `word` is a folder of files or of lessons, or a course, and no lesson."""
    if any(each.id == word for each in library.built_in()):
        return False
    path = Path(word).expanduser()
    if is_pattern(word):
        return True
    if courses.find(word) is None and not path.is_dir():
        return False
    return not is_scenario_folder(path) and any(_within(word))


def is_pattern(word: str) -> bool:
    """Return whether `word` is a file pattern; a shell does not expand one in quotes."""
    return glob.has_magic(word) and not os.path.exists(word)  # noqa: PTH110  # says no to a name of any kind


def matching(word: str) -> list[Path]:
    """Return the Python files and lesson folders that match the pattern `word`, ordered by name."""
    found = map(Path, sorted(glob.glob(str(Path(word).expanduser()), recursive=True)))  # noqa: PTH207
    return [path for path in found if is_scenario_folder(path) or _is_code(path)]


def read(words: Sequence[str], *, handed_in: bool) -> list[Target]:
    """Return the targets that `words` name; `handed_in` folders are searched recursively. Raises UnknownTarget."""
    found: dict[str, Target] = {}
    for word in words:
        for target in _handed_in(word, alone=len(words) == 1) if handed_in else _named(word):
            found.setdefault(target.name, target)
    targets = list(found.values())
    return sorted(targets, key=lambda each: each.name) if handed_in else targets


def _named(word: str) -> Iterator[Target]:
    if is_many(word):
        yield from _within(word)
        return
    try:
        if is_recording(word):
            raise library.UnreadableCode(recording_file.DOES_NOT_RUN.format(word))
        yield Target(word, library.open_target(word))
    except library.UnreadableCode as error:
        yield Target(word, Scenario(word, "file", word, "", Texts(word), problem=str(error)))


def _within(word: str) -> Iterator[Target]:
    course = courses.find(word)
    if course is not None:
        yield from (Target(each.id, each) for each in course.lessons)
        if course.problem:
            yield Target(word, Scenario(word, "file", "", "", course.title, problem=course.problem))
        return
    folder = Path(word).expanduser()
    for path in matching(word) if is_pattern(word) else sorted(folder.iterdir()):
        if is_scenario_folder(path):
            lesson = from_folder(path.resolve(), "file")
            yield Target(str(path), structs.replace(lesson, id=str(path)))
        elif _is_code(path):
            yield Target(str(path), from_file(path.resolve(), "file", str(path)))


def _handed_in(word: str, *, alone: bool) -> Iterator[Target]:
    folder = Path(word).expanduser()
    if not folder.is_dir():
        yield from _named(word)
        return
    # Systems for handing in give each student a folder.
    for place, folders, names in os.walk(folder):
        folders[:] = [each for each in folders if not each.startswith((".", "__"))]
        for path in (Path(place, name) for name in names if _is_code(Path(place, name))):
            name = path.relative_to(folder).as_posix() if alone else str(path)
            yield Target(name, from_file(path.resolve(), "file", name))


def _is_code(path: Path) -> bool:
    return path.suffix == ".py" and not path.name.startswith((".", "__")) and path.is_file()

"""Reads one scenario from a folder or a bare Python file; its notes; ``located``, the line of a complaint."""

from __future__ import annotations

import contextlib
import functools
import os
import re
from pathlib import Path

import msgspec
from msgspec import structs

from explorer.library import paths
from explorer.library.code_files import UnreadableCode, read_code
from explorer.library.sheet import SheetMistakes, read_sheet
from explorer.scenario import sheet_check
from explorer.scenario.questions import shuffled
from explorer.scenario.scenario import CHAPTERS, Exercise, Provenance, Scenario, Step, StepPlan, TimingPlan, VariantPlan
from explorer.scenario.texts import Texts

_NOTE_OR_FENCE = re.compile(
    r"^[ \t]*```.*?^[ \t]*```[ \t]*$|<!--[ \t]*note:(?P<note>.*?)(?:-->|\Z)", re.DOTALL | re.MULTILINE | re.IGNORECASE
)
"""Matches code, which stays as it is, and notes. A note without an end reaches to the end of the text, so that it is
never shown."""
_PLACE = re.compile("[ \\t]*\ue000(\\d+)\ue001")
"""The mark that replaces a note: its number between two private-use characters."""


def separate_notes(markdown: str) -> tuple[str, tuple[str, ...]]:
    """Return `markdown` with a mark instead of each note, and the notes."""
    notes: list[str] = []

    def mark(found: re.Match[str]) -> str:
        if found["note"] is None:
            return found[0]
        notes.append("\n".join(line.strip() for line in found["note"].strip().splitlines()))
        return f"\ue000{len(notes) - 1}\ue001"

    return _NOTE_OR_FENCE.sub(mark, re.sub("[\ue000\ue001]", "", markdown)), tuple(notes)


def notes_put_away(words: str, notes: tuple[str, ...]) -> tuple[str, str]:
    """Return `words` without marks, and the notes of the marks as paragraphs."""
    found_notes = [notes[int(found[1])] for found in _PLACE.finditer(words)]
    return _PLACE.sub("", words), "\n\n".join(note for note in found_notes if note)


def unended_note(markdown: str) -> int:
    """Return the line of the note in `markdown` that has no end, counted from 1; 0 where each has one."""
    for found in _NOTE_OR_FENCE.finditer(markdown):
        if found["note"] is not None and not found[0].endswith("-->"):
            return markdown.count("\n", 0, found.start()) + 1
    return 0


MOST_DEVICES = 64
"""Each virtual CPU device has its own threads and memory."""
MOST_WORDS = 100_000
"""Bytes of a story or a sheet; the longest built-in one has 4,000."""
CODE, SHEET = "code.py", "scenario.toml"
STORY = re.compile(r"story\.(\w+)\.md")


class ScenarioSheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario.toml as its author writes it."""

    title: Texts
    chapter: int = 0
    order: int = 0
    needs: tuple[str, ...] = ()
    replaces: tuple[str, ...] = ()
    compare: str = ""
    requires: tuple[str, ...] = ()
    devices: int = 1
    on_cpu: bool = False
    variants: tuple[VariantPlan, ...] = ()
    timing: TimingPlan = TimingPlan()
    steps: tuple[StepPlan, ...] = ()
    exercises: tuple[Exercise, ...] = ()


def is_scenario_folder(path: Path) -> bool:
    """Return whether `path` is a folder with a code.py or a scenario.toml."""
    # An unreadable folder does not count; Path would raise.
    return any(os.path.isfile(f"{path}{os.sep}{name}") for name in (CODE, SHEET))  # noqa: PTH113


def from_file(path: Path, origin: Provenance, name: str) -> Scenario:
    """Return the bare Python file at `path` as a scenario with id `name`."""
    source, problem = _code_or_problem(path)
    return Scenario(name, origin, str(path), source, Texts(path.name), problem=problem)


def from_folder(folder: Path, origin: Provenance) -> Scenario:
    """Return the scenario in `folder`, its id the folder's name; its `problem` names the unreadable parts.

    It is read again only when one of the files has changed.
    """
    # At each switch of lesson every folder is asked: a Path for each of the files would take longer than the disk.
    names = (CODE, SHEET, *sorted(_stories(folder).values()))
    return _read(folder, origin, tuple((name, paths.stamp(f"{folder}{os.sep}{name}")) for name in names))


def _stories(folder: Path) -> dict[str, str]:
    """Return the names of the stories in `folder` by language; English comes first."""
    try:
        names = [name for name in os.listdir(folder) if name.startswith("story.")]  # noqa: PTH208
    except OSError:
        return {}
    names.sort(key=lambda name: (name != "story.en.md", name))
    return {found[1]: name for name in names if (found := STORY.fullmatch(name))}


@functools.lru_cache(maxsize=512)
def _read(folder: Path, origin: Provenance, _stamps: tuple[tuple[str, paths.Stamp | None], ...]) -> Scenario:
    source, problem = _code_or_problem(folder / CODE)
    sheet, sheet_problem = _sheet_or_problem(folder / SHEET)
    stories, story_problem = _stories_or_problem(folder)
    scenario = Scenario(
        id=folder.name,
        origin=origin,
        path=str(folder / CODE),
        source=source,
        title=sheet.title,
        chapter=sheet.chapter,
        order=sheet.order,
        needs=sheet.needs,
        replaces=sheet.replaces,
        variants=sheet.variants,
        requires=sheet.requires,
        timing=structs.replace(sheet.timing, variants=sheet.timing.variants or _timed(sheet.variants)),
        compare=sheet.compare,
        devices=sheet.devices,
        on_cpu=sheet.on_cpu or sheet.devices > 1,
        stories=stories,
        steps=shuffled(sheet.steps),
        exercises=sheet.exercises,
        problem=" ".join(filter(None, (problem, sheet_problem, story_problem))),
    )
    if scenario.problem:
        return scenario
    return structs.replace(
        scenario, problem=" ".join(located(each, folder) for each in sheet_check.complaints(scenario))
    )


def _timed(variants: tuple[VariantPlan, ...]) -> tuple[str, ...]:
    """Return the names of the `variants` that are timed unless the sheet says which; empty for all."""
    sound = tuple(plan.name for plan in variants if not plan.error)
    return sound if len(sound) < len(variants) else ()


def located(complaint: str, folder: Path) -> str:
    """Return `complaint` about a step or an exercise of the scenario in `folder`, after its file and line."""
    found = re.match(r"(?:(story\.\w+\.md), step|Step|Question of step|(Exercise)) (\d+):? ", complaint)
    if found is None:
        return complaint
    name, header = found[1] or SHEET, "## " if found[1] else "[[exercises]]" if found[2] else "[[steps]]"
    lines = read_words(folder / name).splitlines()
    starts = [row for row, line in enumerate(lines) if line.startswith(header)] + [len(lines)]
    part = range(*starts[int(found[3]) - 1 : int(found[3]) + 1])
    quoted = [each.strip("`") for each in re.findall(r"`.+?`|\{\{.+?\}\}", complaint)]
    words = set(re.findall(r"\w{3,}", complaint))
    row = next((row for each in quoted for row in part if each in lines[row]), None)
    if row is None:
        # The line that shares most with it.
        row = max(part, key=lambda row: sum(map(len, words & set(re.findall(r"\w+", lines[row])))))
    return f"{name}, line {row + 1}: {complaint if not found[1] else complaint[found.end() :]}"


def _code_or_problem(path: Path) -> tuple[str, str]:
    try:
        return read_code(path), ""
    except UnreadableCode as error:
        return "", str(error)


def _sheet_or_problem(path: Path) -> tuple[ScenarioSheet, str]:
    """Return the content of scenario.toml; without a readable one only a title from the folder's name."""
    bare = ScenarioSheet(Texts(path.parent.name.replace("_", " ").capitalize()))
    if not os.path.exists(path):  # noqa: PTH110
        return bare, ""
    try:
        sheet = read_sheet(read_words(path), ScenarioSheet)
    except SheetMistakes as error:
        return bare, f"{SHEET} cannot be read. {error}"
    except UnreadableCode as error:
        return bare, str(error)
    if sheet.devices not in range(1, MOST_DEVICES + 1):
        problem = f"{SHEET} is made for {sheet.devices} devices; there can be 1 to {MOST_DEVICES}."
        return structs.replace(sheet, devices=1), problem
    return sheet, _contradiction(sheet)


def _contradiction(sheet: ScenarioSheet) -> str:
    names = [plan.name for plan in sheet.variants]
    twice = next((name for name in names if names.count(name) > 1), "")
    if twice:
        return f"{SHEET} names the variant {twice} twice."
    if sheet.chapter not in (0, *CHAPTERS):
        return f"{SHEET} says chapter {sheet.chapter}, but chapters count from 1 to {len(CHAPTERS)}."
    unnamed = next((name for name in sheet.requires if not name.isidentifier()), None)
    if unnamed is not None:
        return f"{SHEET} requires {unnamed!r}, which is not the name of a package as `import` takes it."
    if sheet.timing.values and not sheet.timing.parameter:
        return f"{SHEET} has values for timing, but does not say of which parameter."
    return ""


def _stories_or_problem(folder: Path) -> tuple[dict[str, tuple[Step, ...]], str]:
    stories: dict[str, tuple[Step, ...]] = {}
    problem = ""
    for language, name in _stories(folder).items():
        try:
            words = read_words(folder / name)
            stories[language] = _steps(words)
        except UnreadableCode as error:
            problem = str(error)
        else:
            if not stories[language]:
                problem = f"{name} has no step: each begins with a ## heading."
            if line := unended_note(words):
                problem = f"{name}, line {line}: this note has no end. Write --> after it."
    return stories, problem


def read_words(path: Path) -> str:
    """Return the text of a story or sheet. Raises UnreadableCode, also for a text that is too long."""
    with contextlib.suppress(OSError):
        if path.stat().st_size > MOST_WORDS:
            raise UnreadableCode(f"{path.name} has over {MOST_WORDS // 1000} kB: it is not read.")
    return read_code(path)


def _steps(markdown: str) -> tuple[Step, ...]:
    """Return the steps of a story: each second-level heading begins one. Words before the first are left out."""
    words, notes = separate_notes(markdown)
    steps: list[tuple[str, list[str]]] = []
    fenced = False
    for line in words.splitlines():
        fenced ^= line.lstrip().startswith("```")
        if line.startswith("## ") and not fenced:
            steps.append((line[3:].strip(), []))
        elif steps:
            steps[-1][1].append(line)
    return tuple(_step(title, lines, notes) for title, lines in steps)


def _step(title: str, lines: list[str], notes: tuple[str, ...]) -> Step:
    """Return one step; a line with only ``---`` separates the first part from the revealed part."""
    marker = next((at for at, line in enumerate(lines) if line.strip() == "---"), len(lines))
    text, note = notes_put_away("\n".join([title, *lines[:marker]]), notes)
    reveal, reveal_note = notes_put_away("\n".join(lines[marker + 1 :]), notes)
    title, _, text = text.partition("\n")
    return Step(title.strip(), text.strip(), reveal.strip(), note, reveal_note)

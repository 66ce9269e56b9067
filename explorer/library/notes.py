"""Lecturer's notes in a story: ``<!-- note: ... -->``, taken out before the text is shown."""

from __future__ import annotations

import re

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
        notes.append(_without_indentation(found["note"]))
        return f"\ue000{len(notes) - 1}\ue001"

    return _NOTE_OR_FENCE.sub(mark, re.sub("[\ue000\ue001]", "", markdown)), tuple(notes)


def notes_put_away(words: str, notes: tuple[str, ...]) -> tuple[str, str]:
    """Return `words` without marks, and the notes of the marks as paragraphs."""
    found_notes = [notes[int(found[1])] for found in _PLACE.finditer(words)]
    return _PLACE.sub("", words), "\n\n".join(note for note in found_notes if note)


def _without_indentation(note: str) -> str:
    return "\n".join(line.strip() for line in note.strip().splitlines())


def unended_note(markdown: str) -> int:
    """Return the line of the note in `markdown` that has no end, counted from 1; 0 where each has one."""
    for found in _NOTE_OR_FENCE.finditer(markdown):
        if found["note"] is not None and not found[0].endswith("-->"):
            return markdown.count("\n", 0, found.start()) + 1
    return 0

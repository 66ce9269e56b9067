"""Measurements in other words: what was measured stays as it is."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from explorer.messages import Measurement

Again = Callable[[str], str]
"""Gives for a sentence the same in another language, and itself where it knows none."""


def in_other_words(measurement: Measurement, again: Again) -> Measurement:
    """Return `measurement` with its badges and notes said `again`."""
    return replace(
        measurement,
        badges=tuple(replace(badge, sentence=again(badge.sentence)) for badge in measurement.badges),
        notes=tuple(replace(note, text=_note_again(note.text, again)) for note in measurement.notes),
    )


def _note_again(text: str, again: Again) -> str:
    said = again(text)
    if said != text:
        return said
    # Some notes are a sentence of a badge that goes on behind a colon.
    whole = f"{text[:1].upper()}{text[1:]}."
    said = again(whole)
    return f"{said[:1].lower()}{said[1:].removesuffix('.')}" if said != whole else text

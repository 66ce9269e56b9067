"""The sentences of the worker in the language of the person who asked: English in the code, others in a catalogue."""

from __future__ import annotations

from explorer.worker.spoken import korean

CATALOGUES = {"ko": korean.SENTENCES}
"""For each language its templates by the English ones; what is missing there is said in English."""

_now: dict[str, str] = {}


def speak(language: str) -> None:
    """Say everything in `language` from now on."""
    _now.clear()
    _now.update(CATALOGUES.get(language, {}))


def say(template: str, **parts: object) -> str:
    """Return `template` in the language of the person, with `parts` filled in."""
    return _now.get(template, template).format(**parts)


def noted(text: str) -> str:
    """Return a fixed `text` that was written down in English, in the language of the person."""
    return _now.get(text, text)

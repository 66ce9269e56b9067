"""The sentences of the worker in the language of the person who asked: English in the code, others in a catalogue."""

from __future__ import annotations

import gettext

from explorer.text.catalogue import catalogue
from explorer.text.josa import filled


def speak(language: str) -> None:
    """Say everything in `language` from now on; in English what its catalogue lacks, and all where there is none."""
    _now[0] = catalogue(language)


def say(template: str, **parts: object) -> str:
    """Return `template` in the language of the person, with `parts` filled in."""
    return filled(noted(template), **parts)


def noted(text: str) -> str:
    """Return a fixed `text` that was written down in English, in the language of the person."""
    # gettext keeps what it knows of the catalogue itself under the empty text.
    return _now[0].gettext(text) if text else ""


def later(text: str) -> str:
    """Return `text` as it is: so is marked, for those who collect the sentences, what goes to `noted` by and by."""
    return text


_now = [gettext.NullTranslations()]
"""The catalogue of the language that is spoken."""

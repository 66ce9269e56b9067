"""The sentences of the worker in the language of the person who asked: English in the code, others in a catalogue."""

from __future__ import annotations

import gettext
from functools import cache
from pathlib import Path

from explorer import OUR_FILES
from explorer.figures.josa import filled

# By its place: a program of the person's may have a package `resources` of its own, which an import would hide.
FOLDER = Path(OUR_FILES).parent / "resources" / "translations"


def speak(language: str) -> None:
    """Say everything in `language` from now on; in English what its catalogue lacks, and all where there is none."""
    _now[0] = _catalogue(language)


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


@cache
def _catalogue(language: str) -> gettext.NullTranslations:
    path = FOLDER / f"worker_{language}.mo"
    if not path.is_file():
        return gettext.NullTranslations()
    with path.open("rb") as compiled:
        return gettext.GNUTranslations(compiled)


_now = [gettext.NullTranslations()]
"""The catalogue of the language that is spoken."""

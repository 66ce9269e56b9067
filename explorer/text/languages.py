"""The languages that the window speaks, found by the files that are there, and what is to be known of each."""

from __future__ import annotations

import tomllib

import msgspec

from explorer.text import catalogue


class Language(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of a file such as ``ko.toml``, next to the catalogues."""

    name: str
    """What those call it who speak it."""
    english: str
    fonts: str = ""
    """Debian's package with a font for it, where an ordinary system may have none."""
    large_numbers: tuple[tuple[float, str], ...] = ()
    """What it counts large numbers in, from the largest on: ``[1e6, "{} million"]``."""


def known_languages() -> tuple[str, ...]:
    """Return the languages that the window speaks: English, and each that has a catalogue."""
    found = (*catalogue.FOLDER.glob("jax-explorer_*.qm"), *catalogue.FOLDER.glob("worker_*.mo"))
    return ("en", *sorted({path.stem.partition("_")[2] for path in found}))


def about(language: str) -> Language:
    """Return what is known of `language`; of one without a file its code."""
    path = catalogue.FOLDER / f"{language}.toml"
    if not path.is_file():
        return Language(language, language)
    return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Language)

"""The languages of the window, found by their files, and the properties of each."""

from __future__ import annotations

import tomllib

import msgspec

from explorer.text import catalogue


class Language(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of a file such as ``ko.toml``, next to the catalogues."""

    name: str
    """The language's own name for itself."""
    english: str
    fonts: str = ""
    """The Debian package with a font for it, where a usual system may have none."""
    large_numbers: tuple[tuple[float, str], ...] = ()
    """Its words for large numbers, from the largest on: ``[1e6, "{} million"]``."""


def known_languages() -> tuple[str, ...]:
    """Return the languages that the window speaks: English, and each that has a catalogue."""
    found = (*catalogue.FOLDER.glob("jax-explorer_*.qm"), *catalogue.FOLDER.glob("worker_*.mo"))
    return ("en", *sorted({path.stem.partition("_")[2] for path in found}))


def about(language: str) -> Language:
    """Return the properties of `language`; for one without a file only its code."""
    path = catalogue.FOLDER / f"{language}.toml"
    if not path.is_file():
        return Language(language, language)
    return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Language)

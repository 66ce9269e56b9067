"""The languages of the window, found by their files: their properties, and the catalogue of the worker's texts."""

from __future__ import annotations

import gettext
import tomllib
from functools import cache
from pathlib import Path

import msgspec

from explorer import OUR_FILES

# By its path: user code may have its own package `resources`, which an import would hide.
FOLDER = Path(OUR_FILES).parent / "resources" / "translations"


@cache
def _read(folder: Path, language: str) -> gettext.NullTranslations:
    """Return the translations into `language`; those of a language without a catalogue leave every text in English."""
    path = folder / f"worker_{language}.mo"
    if not path.is_file():
        return gettext.NullTranslations()
    with path.open("rb") as compiled:
        return gettext.GNUTranslations(compiled)


def translated(text: str, language: str) -> str:
    """Return `text` in `language`, or in English where the catalogue lacks it."""
    # gettext keeps what it knows of the catalogue itself under the empty text.
    return _read(FOLDER, language).gettext(text) if text else ""


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
    found = (*FOLDER.glob("jax-explorer_*.qm"), *FOLDER.glob("worker_*.mo"))
    return ("en", *sorted({path.stem.partition("_")[2] for path in found}))


def about(language: str) -> Language:
    """Return the properties of `language`; for one without a file only its code."""
    path = FOLDER / f"{language}.toml"
    if not path.is_file():
        return Language(language, language)
    return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Language)

"""The catalogues that translate the texts of the worker and of the checks, which are in English in the code."""

from __future__ import annotations

import gettext
from functools import cache
from pathlib import Path

from explorer import OUR_FILES

# By its path: user code may have its own package `resources`, which an import would hide.
FOLDER = Path(OUR_FILES).parent / "resources" / "translations"


def catalogue(language: str) -> gettext.NullTranslations:
    """Return the translations into `language`; those of a language without a catalogue leave every text in English."""
    return _read(FOLDER, language)


@cache
def _read(folder: Path, language: str) -> gettext.NullTranslations:
    path = folder / f"worker_{language}.mo"
    if not path.is_file():
        return gettext.NullTranslations()
    with path.open("rb") as compiled:
        return gettext.GNUTranslations(compiled)


def translated(text: str, language: str) -> str:
    """Return `text` in `language`, or in English where the catalogue lacks it."""
    # gettext keeps what it knows of the catalogue itself under the empty text.
    return catalogue(language).gettext(text) if text else ""

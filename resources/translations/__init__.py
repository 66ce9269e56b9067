"""All texts in other languages, as the tools of translators keep them, and the command that brings them up to date."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]


def known_languages() -> tuple[str, ...]:
    """Return the languages that the window speaks: English, and each that has a file here."""
    return ("en", *sorted(path.stem.removeprefix("jax-explorer_") for path in FOLDER.glob("jax-explorer_*.qm")))

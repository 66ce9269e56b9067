"""All texts in other languages, as the tools of translators keep them, and the command that brings them up to date."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]

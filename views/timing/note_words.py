"""A note on a timing as it is shown: what stands before its colon is as in the code, the rest is told already."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication


def note_in_words(note: str) -> str:
    """Return `note`, such as ``unstable: ...``, in the language of the window."""
    kind, colon, rest = note.partition(": ")
    kinds = {
        "unstable": QCoreApplication.translate("timing_notes", "unstable"),
        "first call": QCoreApplication.translate("timing_notes", "first call"),
    }
    return f"{kinds[kind]}: {rest}" if colon and kind in kinds else note

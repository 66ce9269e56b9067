"""The sentence in place of what a recording does not have."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication


def not_recorded() -> str:
    """Return the sentence for a pane of a recording that has nothing to show."""
    return QCoreApplication.translate(
        "NotRecorded", "The recording does not have this. To see it, choose “Open as a program” and run the program."
    )

"""The name of a control that has no words of its own: read out, and shown where the pointer rests."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget


def name(part: QWidget, words: str) -> None:
    """Call `part` by `words`."""
    part.setAccessibleName(words)
    part.setToolTip(words)

"""The accessible name of a control without its own label, also shown as a tooltip."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget


def name(part: QWidget, words: str) -> None:
    part.setAccessibleName(words)
    part.setToolTip(words)

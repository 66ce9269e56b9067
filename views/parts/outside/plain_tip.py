"""Words from a program or a lesson where Qt would take them for HTML, with pictures from anywhere."""

from __future__ import annotations

from html import escape

from PySide6.QtGui import Qt


def plain_tip(words: str) -> str:
    """Return `words` for a tool tip so that they stand there as they are."""
    if not Qt.mightBeRichText(words):
        return words
    return f'<p style="white-space: pre-wrap">{escape(words)}</p>'

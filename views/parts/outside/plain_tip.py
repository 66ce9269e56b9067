"""Words of a program or a lesson in tool tips, where Qt would parse them as HTML with pictures from anywhere."""

from __future__ import annotations

from PySide6.QtGui import Qt

from explorer.text.html import tag


def plain_tip(words: str) -> str:
    """Return `words` for a tool tip, escaped so that Qt does not read them as HTML."""
    if not Qt.mightBeRichText(words):
        return words
    return tag("p", words, style="white-space: pre-wrap")

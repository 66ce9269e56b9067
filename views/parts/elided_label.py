"""One line of text that is elided where there is no room; on a stage nothing is cut."""

from __future__ import annotations

import re
from typing import Literal

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from views.parts.outside.plain_tip import plain_tip

NAME = re.compile(r"^\S+: ")
"""The name of a variant before what is said of it."""
Fit = Literal["elided", "clauses", "wrapped", "whole or nothing"]
"""The handling of a text that does not fit in one line."""


def shorter(verdict: str) -> list[str]:
    """Return ever shorter forms of a `verdict` on one or two variants: without names, reasons, the second, details.

    A last clause says more than a first one: ``43 keys spent, 40 shared by 64 examples``.
    """
    parts = verdict.split(" | ")
    bare = [NAME.sub("", part) if len(parts) > 1 else part for part in parts]
    brief = [part.partition(": ")[0] for part in bare]
    clauses = brief[0].split(", ")
    forms = [verdict, " | ".join(bare), " | ".join(brief), bare[0]]
    return [*forms, *(", ".join(clauses[:count]) for count in range(len(clauses), 1, -1)), clauses[-1], clauses[0]]


class ElidedLabel(QLabel):
    """One line that shrinks in favour of its neighbours; the tooltip has the whole text."""

    def __init__(self) -> None:
        super().__init__()
        self._text = ""
        self._fit: Fit = "elided"
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def show_text(self, text: str) -> None:
        if text != self._text:
            self._text = text
            self.setAccessibleName(text)
            self._elide()

    def fit(self, how: Fit) -> None:
        """Elide a text that does not fit in one line, after leaving out whole clauses or not, wrap it, or hide it."""
        self._fit = how
        self.setWordWrap(how == "wrapped")
        self._elide()

    def resizeEvent(self, _event: QResizeEvent) -> None:
        self._elide()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._elide()

    def _elide(self) -> None:
        shown = self._text
        if self._fit != "wrapped":
            room = max(0, self.contentsRect().width())
            metrics, texts = self.fontMetrics(), shorter(shown) if self._fit == "clauses" else [shown]
            fitting = next((each for each in texts if metrics.horizontalAdvance(each) <= room), texts[-1])
            shown = metrics.elidedText(fitting, Qt.TextElideMode.ElideRight, room)
        if self._fit == "whole or nothing" and shown != self._text:
            shown = ""
        self.setText(shown)
        self.setToolTip(plain_tip(self._text) if shown != self._text else "")

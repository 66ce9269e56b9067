"""ElidedLabel, ShortLabel: texts that are elided, shortened or wrapped; joint() of lines; counts_in_words()."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import QCoreApplication, QEvent, QPointF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QResizeEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from views.parts.own_document import plain_tip

NAME = re.compile(r"^\S+: ")
"""The name of a variant before what is said of it."""
Fit = Literal["elided", "clauses", "wrapped", "whole or nothing"]
"""The handling of a text that does not fit in one line."""


def shorter(verdict: str) -> list[str]:
    """Return ever shorter forms of a `verdict` on one or two variants: without names, reasons, the second, details.

    A last clause with a number says more than a first one: ``43 keys spent, 40 shared by 64 examples``.
    """
    parts = verdict.split(" | ")
    bare = [NAME.sub("", part) if len(parts) > 1 else part for part in parts]
    brief = [part.partition(": ")[0] for part in bare]
    clauses = brief[0].split(", ")
    forms = [verdict, " | ".join(bare), " | ".join(brief), bare[0]]
    last = clauses[-1:] if re.search(r"\d", clauses[-1]) else []
    return [*forms, *(", ".join(clauses[:count]) for count in range(len(clauses), 1, -1)), *last, clauses[0]]


def counts_in_words(kinds: Sequence[str]) -> str:
    """Return how many there are of each kind of finding: ``1 error, 2 bugs``."""
    translate = QCoreApplication.translate
    plain = (
        ("error", translate("CountWords", "1 error"), translate("CountWords", "{count} errors")),
        ("bug", translate("CountWords", "1 bug"), translate("CountWords", "{count} bugs")),
        ("warning", translate("CountWords", "1 warning"), translate("CountWords", "{count} warnings")),
        ("note", translate("CountWords", "1 note"), translate("CountWords", "{count} notes")),
    )
    counts = ((kinds.count(kind), one, many) for kind, one, many in plain)
    return ", ".join(one if count == 1 else many.format(count=count) for count, one, many in counts if count)


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


_JOINTS = tuple(map(re.compile, (r"[\s({\[,.=]", "_|(?<=[a-z])(?=[A-Z])")))
"""Places where a line may break, the best ones first."""
_NO_BEGINNING = ",.:)]}"
"""Characters with which no line begins."""


def joint(text: str, start: int, end: int) -> int:
    """Return the best place to break the line `start` to `end` of `text`; 0 where it ends well or has none."""
    if end >= len(text) or not (text[end - 1 : end + 1].isalnum() or text[end] in _NO_BEGINNING):
        return 0
    first = start + len(text[start:end]) - len(text[start:end].lstrip())
    found = ([each.end() for each in joint.finditer(text, first, end)] for joint in _JOINTS)
    return next((places[-1] for places in found if places), 0)


class ShortLabel(QLabel):
    """Shows plain text in a limited number of lines; the last one is elided where necessary."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._most_lines = 2
        self._wrapping = QTextOption()
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)

    def set_most_lines(self, lines: int) -> None:
        """Let the text take up to `lines` lines, at least one."""
        self._most_lines = max(1, lines)
        self._lay_out_anew()

    def break_words(self, breaks: bool) -> None:
        """Break a word that is too long for a line, at a joint where it has one, instead of eliding it."""
        mode = QTextOption.WrapMode
        self._wrapping.setWrapMode(mode.WrapAtWordBoundaryOrAnywhere if breaks else mode.WordWrap)
        self._lay_out_anew()

    def lines(self, width: float) -> list[str]:
        """Return the lines of the label at `width`, with unlimited height."""
        return self._lines(width, self._most_lines)

    def _lines(self, width: float, most: int) -> list[str]:
        text = self.text()
        # QTextLayout begins a new line at U+2028 only.
        layout = QTextLayout(text.replace("\n", "\u2028"), self.font())
        layout.setTextOption(self._wrapping)
        layout.beginLayout()
        starts: list[int] = []
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(1.0, width))
            start, mode = line.textStart(), self._wrapping.wrapMode()
            if mode != QTextOption.WrapMode.WordWrap and (place := joint(text, start, start + line.textLength())):
                line.setNumColumns(place - start, max(1.0, width))
            starts.append(line.textStart())
        layout.endLayout()
        shown = [text[start:stop] for start, stop in zip(starts, [*starts[1:], len(text)], strict=True)]
        if len(shown) > most:
            shown = [*shown[: most - 1], text[starts[most - 1] :].replace("\n", " ")]
        metrics = QFontMetricsF(self.font())
        # The last line goes on too long where there are more; any other does where a single word is too long for it.
        return [
            line
            if metrics.horizontalAdvance(line.rstrip()) <= width
            else metrics.elidedText(line.rstrip(), Qt.TextElideMode.ElideRight, width)
            for line in shown
        ]

    def _lines_in_sight(self) -> list[str]:
        """Return the lines that there is room for now: none is cut."""
        room = int((self.height() + 1) / self._line_height())
        return self._lines(self.width(), max(1, min(self._most_lines, room)))

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        return round(max(1, len(self.lines(width))) * self._line_height()) + 1

    def sizeHint(self) -> QSize:
        return QSize(0, self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, round(self._line_height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._write_tool_tip()

    def setText(self, text: str) -> None:
        if text != self.text():
            super().setText(text)
            self._write_tool_tip()

    def _lay_out_anew(self) -> None:
        self._write_tool_tip()
        self.updateGeometry()
        self.update()

    def _write_tool_tip(self) -> None:
        whole = "".join(self._lines_in_sight()) == self.text()
        self.setToolTip("" if whole else plain_tip(self.text()))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setClipRect(event.rect())
        painter.setPen(self.palette().color(self.foregroundRole()))
        metrics, lines = QFontMetricsF(self.font()), self._lines_in_sight()
        across = self.alignment() & Qt.AlignmentFlag.AlignHCenter
        down = self.alignment() & Qt.AlignmentFlag.AlignVCenter
        top = max(0.0, self.height() - len(lines) * self._line_height()) / 2 if down else 0.0
        for number, line in enumerate(lines):
            left = max(0.0, self.width() - metrics.horizontalAdvance(line.rstrip())) / 2 if across else 0.0
            painter.drawText(QPointF(left, top + number * self._line_height() + metrics.ascent()), line.rstrip())
        painter.end()

    def _line_height(self) -> float:
        return QFontMetricsF(self.font()).lineSpacing()

"""LineMarks: marks on, under and next to the lines of a text, and their painting; line_colours()."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen

from explorer.messages import Level, Snapshot
from explorer.messages.lenses import LineCost
from views.theme import Theme

VEIL_ALPHA = 150
DIFFERENCE_ALPHA = 22
TYPES_GAP = 16
"""Pixels between the end of a line and its types."""
LEAST_CUT = 14
"""Least number of letters that are left of a type which is cut in its middle: fewer cannot be read."""
_DTYPES = re.compile(r"~?\b[a-z]+\d*(?:_\w+)?(?=\[[^\]])")

Places = Iterable[tuple[int, QRectF]]
"""Visible rows, counted from 0, with their rectangles in the viewport, of full width."""


class LineMarks(msgspec.Struct, frozen=True):
    """The marks of a text, by row; rows count from 0."""

    origins: Sequence[int] = ()
    """For each row its line of the program, 0 for none."""
    colours: Mapping[int, int] = {}
    """The number of the colour of lines of the program."""
    marked: frozenset[int] = frozenset()
    """Rows that are outlined."""
    signs: Mapping[int, Level] = {}
    """Rows with a sign next to them."""
    only_here: Mapping[int, str] = {}
    """Rows that the compared text lacks: "+" for new ones, "-" for removed ones, else neither."""
    counts: Mapping[int, str] = {}
    """Rows with a count at their end."""
    types: Mapping[int, str] = {}
    """Rows with types at their end."""
    costs: Mapping[int, LineCost] = {}
    """Rows with a bar in the margin."""
    veiled: bool = False
    """Whether the text is grey, for it is not the present one."""

    def origin(self, row: int) -> int:
        """Return the program line of `row`, 0 for none."""
        return self.origins[row] if 0 <= row < len(self.origins) else 0

    @property
    def clearness(self) -> float:
        """The opacity of the text, from 0 to 1: it may be under the veil."""
        return 1 - VEIL_ALPHA / 255 if self.veiled else 1.0


def line_colours(snapshot: Snapshot) -> Mapping[int, int]:
    """Return for each line of the code that became equations the number of its colour, in the order of the lines.

    Lines that make no equations do not count: a comment written above changes no colour, and neighbours differ.
    """
    programs = (report.program for report in snapshot.reports if report.program)
    lines = set[int]().union(*(program.lines for program in programs))
    return {line: number for number, line in enumerate(sorted(lines - {0}))}


def paint_under(painter: QPainter, theme: Theme, marks: LineMarks, places: Places, current: int) -> None:
    """Paint the marks under the text: tints, outlines, and the `current` row."""
    for row, place in places:
        if row in marks.only_here:
            painter.fillRect(place, _difference_tint(theme, marks.only_here[row]))
        if row in marks.marked:
            painter.fillRect(place, theme.focus_fill())
        elif row == current and row not in marks.only_here:
            painter.fillRect(place, QColor(theme.panel))
    for row, place in places:
        if row in marks.marked:
            _outline(painter, theme, marks.marked, row, place)


def outline_width(theme: Theme) -> int:
    """Return the width of the outline in pixels; below the last row of a run it is on the next row."""
    return theme.px(2)


def paint_counts(
    painter: QPainter, theme: Theme, marks: LineMarks, ends: Iterable[tuple[int, QRectF]], written: int
) -> None:
    """Write the counts after the `ends` of lines.

    A count without room covers the end of its line, except for the row that is being `written`.
    """
    painter.setFont(theme.font(0.9))
    most = painter.window().right() - theme.px(4)
    for row, end in ends:
        if text := marks.counts.get(row):
            wide = painter.fontMetrics().horizontalAdvance(text) + theme.px(10)
            behind = end.right() + theme.px(12)
            left = behind if row == written else min(behind, most - wide)
            tag = QRectF(left, end.top() + 1, wide, end.height() - 2)
            painter.setPen(QPen(QColor(theme.note), 1))
            painter.setBrush(QColor(theme.background))
            painter.drawRoundedRect(tag, theme.px(3), theme.px(3))
            painter.drawText(tag, Qt.AlignmentFlag.AlignCenter, text)


def paint_types(painter: QPainter, theme: Theme, marks: LineMarks, ends: Iterable[tuple[int, QRectF]]) -> None:
    """Write the types after the `ends` of lines as far as there is room; a count has precedence."""
    painter.setFont(theme.mono_font(0.9))
    painter.setPen(QColor(theme.dim))
    letters = painter.fontMetrics()
    for row, end in ends:
        left = end.right() + theme.px(TYPES_GAP)
        room = QRectF(left, end.top(), painter.window().right() - theme.px(4) - left, end.height())
        if row in marks.types and row not in marks.counts and room.width() >= letters.averageCharWidth():
            text = type_within(marks.types[row], letters, int(room.width()))
            painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)


def type_within(text: str, letters: QFontMetrics, width: int) -> str:
    """Return `text` as far as it fits: without the dtypes of shapes, then without its middle, then a sign for it."""
    shapes = _DTYPES.sub("", text)
    for each in (text, shapes):
        if letters.horizontalAdvance(each) <= width:
            return each
    if width < LEAST_CUT * letters.averageCharWidth():
        return "\N{HORIZONTAL ELLIPSIS}"
    return letters.elidedText(shapes, Qt.TextElideMode.ElideMiddle, width)


def paint_veil(painter: QPainter, theme: Theme, place: QRect) -> None:
    """Grey the area `place`."""
    veil = QColor(theme.background)
    veil.setAlpha(VEIL_ALPHA)
    painter.fillRect(place, veil)


def difference_colour(theme: Theme, sign: str) -> QColor:
    """Return the colour of the sign of a line that the compared text lacks."""
    return QColor({"+": theme.good, "-": theme.bug}.get(sign, theme.dim))


def _difference_tint(theme: Theme, sign: str) -> QColor:
    tint = difference_colour(theme, sign)
    tint.setAlpha(DIFFERENCE_ALPHA)
    return tint


def _outline(painter: QPainter, theme: Theme, marked: frozenset[int], row: int, place: QRectF) -> None:
    """Draw the part of the outline around a run of marked rows that belongs to `row`."""
    width = outline_width(theme)
    painter.setPen(QPen(QColor(theme.focus), width))
    # An underscore stands on the last pixels of its row: on the line it could not be seen.
    inner = place.adjusted(width / 2, width / 2, -width / 2, width / 2)
    painter.drawLine(inner.topLeft(), inner.bottomLeft())
    painter.drawLine(inner.topRight(), inner.bottomRight())
    if row - 1 not in marked:
        painter.drawLine(inner.topLeft(), inner.topRight())
    if row + 1 not in marked:
        painter.drawLine(inner.bottomLeft(), inner.bottomRight())

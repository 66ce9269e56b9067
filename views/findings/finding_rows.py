"""`FindingRow` in the list, drawn with its sign by `FindingDelegate`; `LookRows` for clean and unchecked parts."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec
from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QIcon, QPainter, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from explorer.focus.variant_names import shown_variant
from explorer.messages import TOP_LEVEL, Coverage, Focus, Report
from views.theme import LIGHT, Theme

Kind = Literal["error", "bug", "warning", "note", "unseen", "fine", "waiting", "jax"]
KINDS: tuple[Kind, ...] = ("error", "bug", "warning", "note", "jax", "unseen", "fine", "waiting")
"""The most serious first; answers of JAX, which were asked for, before what is clean: a stage has room for two rows."""
SIZE = 14
"""Pixels."""
PIXMAP_SCALE = 4
"""Drawn larger than shown, so that it stays sharp on dense screens."""


def level_colour(kind: Kind, theme: Theme) -> str:
    """Return the colour of the word and the sign of `kind`."""
    colours = {"error": theme.bug, "bug": theme.bug, "warning": theme.note, "note": theme.note, "fine": theme.good}
    return colours.get(kind, theme.dim)


@functools.cache
def sign(kind: Kind, theme: Theme) -> QIcon:
    """Return the sign of `kind`: each has its own shape, so that none depends on colour alone.

    A cross for an error, a filled octagon for a bug, a filled triangle for a warning, a hollow one for a note, a tick
    for clean, a dashed circle for unchecked parts, dots for running, a speech bubble for answers of JAX.
    """
    size = theme.px(SIZE) * PIXMAP_SCALE
    pixmap = QPixmap(size, size)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(size / SIZE, size / SIZE)
    colour = QColor(level_colour(kind, theme))
    painter.setPen(QPen(colour, 2.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    if kind in ("bug", "warning"):
        painter.setBrush(colour)
    _draw_shape(painter, kind)
    painter.end()
    return QIcon(pixmap)


def _draw_shape(painter: QPainter, kind: Kind) -> None:
    if kind == "error":
        painter.drawLine(QPointF(3, 3), QPointF(11, 11))
        painter.drawLine(QPointF(3, 11), QPointF(11, 3))
    elif kind == "bug":
        corners = ((4.5, 2), (9.5, 2), (12, 4.5), (12, 9.5), (9.5, 12), (4.5, 12), (2, 9.5), (2, 4.5))
        painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in corners]))
    elif kind in ("warning", "note"):
        painter.drawPolygon(QPolygonF([QPointF(7, 2), QPointF(12.5, 12), QPointF(1.5, 12)]))
    elif kind == "fine":
        painter.drawPolyline(QPolygonF([QPointF(2, 7.5), QPointF(5.5, 11), QPointF(12, 3)]))
    elif kind == "unseen":
        for start in range(0, 360, 72):
            painter.drawArc(QRectF(2, 2, 10, 10), start * 16, 40 * 16)
    elif kind == "jax":
        bubble = ((2, 2.5), (12, 2.5), (12, 9), (7, 9), (4, 12), (4, 9), (2, 9))
        painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in bubble]))
    else:
        for x in (2.5, 7.0, 11.5):
            painter.drawEllipse(QRectF(x - 0.5, 6.5, 1, 1))


ROW_ROLE = Qt.ItemDataRole.UserRole
MARKED_ROLE = Qt.ItemDataRole.UserRole + 1
NARROW_EMS = 45
"""Width in letters M below which the line of code is written under the sentence instead of next to it."""

AnyIndex = QModelIndex | QPersistentModelIndex


class FindingRow(msgspec.Struct, frozen=True):
    """One row of the list, with its links."""

    kind: Kind
    level: str
    """The word for `kind`."""
    sentence: str
    place: str = ""
    """Variant and line, in words."""
    variant: str = ""
    focus: Focus | None = None
    line: int = 0
    """Line of the current code; 0 where it does not exist there."""
    details: str = ""
    finding: int = -1
    """Index into the report's findings, -1 for rows that are none."""
    lesson: str = ""
    """The id of the lesson about it; empty for none."""
    link: str = ""
    """The text of the link to that lesson."""
    check: str = ""
    """The kind of the finding, which the word for its level explains; empty for rows that are none."""
    faint: bool = False
    """Whether it is greyed, because the program has changed since."""


class _Columns(msgspec.Struct, frozen=True):
    """The rectangles of the parts of a row."""

    sign: QRect
    level: QRect
    sentence: QRect
    place: QRect
    link: QRect

    @property
    def bottom(self) -> int:
        return max(each.bottom() for each in (self.sentence, self.place, self.level, self.link)) + 1


class FindingDelegate(QStyledItemDelegate):
    """Draws the Row of an index (ROW_ROLE), marked according to MARKED_ROLE."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._rows: tuple[FindingRow, ...] = ()
        self._level_width = self._place_width = 0
        """Pixels of the widest of all rows, so that the columns are aligned."""

    def set_rows(self, rows: tuple[FindingRow, ...]) -> None:
        """Line the columns up over all of `rows`."""
        self._rows = rows
        self._measure()

    def apply_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._measure()

    def _measure(self) -> None:
        plain, bold = QFontMetrics(self._theme.font()), QFontMetrics(self._theme.font(bold=True))
        self._level_width = max((bold.horizontalAdvance(each.level) for each in self._rows), default=0)
        words = [word for each in self._rows for word in (each.place, each.link)]
        self._place_width = max(map(plain.horizontalAdvance, words), default=0)

    def is_on_link(self, option_rect: QRect, row: FindingRow, point: QPoint) -> bool:
        """Return whether `point` is on the link to the lesson, in a `row` drawn in `option_rect`."""
        return bool(row.lesson) and self._columns(row, option_rect).link.contains(point)

    def is_on_level(self, option_rect: QRect, row: FindingRow, point: QPoint) -> bool:
        """Return whether `point` is on the level, which links to the kind of finding."""
        return bool(row.check) and self._columns(row, option_rect).level.contains(point)

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        view = option.widget
        width = view.viewport().width() if hasattr(view, "viewport") else option.rect.width()
        return QSize(0, self._columns(index.data(ROW_ROLE), QRect(0, 0, width, 0)).bottom + self._theme.px(5))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        row: FindingRow = index.data(ROW_ROLE)
        theme = self._theme
        marked = bool(index.data(MARKED_ROLE))
        columns = self._columns(row, option.rect)
        painter.save()
        self._draw_ground(painter, option, marked)
        sign(row.kind, theme).paint(painter, columns.sign)
        painter.setPen(QColor(level_colour(row.kind, theme)))
        level = theme.font(bold=True)
        level.setUnderline(bool(row.check))
        painter.setFont(level)
        # Letters of another font, as those of Hangul, and lines under them may reach below the height of this one.
        whole = Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextDontClip
        painter.drawText(columns.level, whole, row.level)
        painter.setPen(QColor(theme.dim if row.faint else theme.text))
        painter.setFont(theme.font(bold=marked, italic=row.faint))
        painter.drawText(columns.sentence, Qt.TextFlag.TextWordWrap, row.sentence)
        painter.setPen(QColor(theme.dim))
        painter.setFont(theme.font())
        painter.drawText(columns.place, whole, row.place)
        underlined = theme.font()
        underlined.setUnderline(True)
        painter.setFont(underlined)
        painter.drawText(columns.link, whole, row.link)
        painter.restore()

    def _draw_ground(self, painter: QPainter, option: QStyleOptionViewItem, marked: bool) -> None:
        theme = self._theme
        if marked:
            painter.fillRect(option.rect, theme.focus_fill())
            bar = QRect(option.rect.topLeft(), QSize(theme.px(4), option.rect.height()))
            painter.fillRect(bar, QColor(theme.focus))
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(QColor(theme.focus), 2))
            painter.drawRect(option.rect.adjusted(1, 1, -1, -1))

    def _columns(self, row: FindingRow, room: QRect) -> _Columns:
        theme = self._theme
        plain, bold = QFontMetrics(theme.font()), QFontMetrics(theme.font(bold=True))
        left, top, gap = room.left() + theme.px(12), room.top() + theme.px(5), theme.px(12)
        side = theme.px(SIZE)
        marker = QRect(left, top + (plain.height() - side) // 2, side, side)
        level = QRect(marker.right() + theme.px(6), top, self._level_width, plain.height())
        narrow = room.width() < NARROW_EMS * plain.horizontalAdvance("M")
        start = level.right() + gap
        end = room.right() - gap - (0 if narrow else self._place_width + gap)
        # Measured in bold, so that a row keeps its height when it is marked.
        wanted = bold.boundingRect(QRect(0, 0, max(1, end - start), 100_000), Qt.TextFlag.TextWordWrap, row.sentence)
        sentence = QRect(start, top, max(1, end - start), wanted.height())
        corner = (start, sentence.bottom() + 1) if narrow else (end + gap, top)
        place = QRect(*corner, self._place_width, plain.height() if row.place else 0)
        link = QRect(place.left(), top, 0, 0)
        if row.link:
            under = place.bottom() + 1 if row.place else place.top()
            link = QRect(place.left(), under, plain.horizontalAdvance(row.link), plain.height())
        return _Columns(marker, level, sentence, place, link)


def place_of(variant: str) -> str:
    """Return the name of `variant` as the place of a row; empty for a whole file, whose lines say enough."""
    return shown_variant(variant) if variant != TOP_LEVEL else ""


class LookRows(QObject):
    """Makes rows and words in the language of the interface."""

    def rows(self, report: Report) -> Iterator[FindingRow]:
        """Yield a row for the clean parts of `report`, and one for each unchecked part; none before the run's end."""
        if report.status != "ok":
            return
        place = place_of(report.name)
        clean = [look for look in report.coverage if look.is_clean]
        if clean:
            details = "\n".join(str(look.sentence) for look in clean)
            yield FindingRow("fine", "", _in_a_row(clean), place, report.name, details=details)
        unseen = [look for look in report.coverage if _is_unseen(look)]
        if unseen:
            yield FindingRow("unseen", "", _in_a_row(unseen), place, report.name)

    def verdict(self, counts: str, reports: Sequence[Report], *, complete: bool) -> str:
        """Return the `counts` of findings in all `reports`, or that there are none, with the coverage."""
        if not counts and not complete:
            return self.tr("none so far")
        coverage = [look for report in reports for look in report.coverage]
        names = {look.part: str(look.name) for look in coverage}
        taken = [name for part, name in names.items() if all(_is_taken(part, report) for report in reports)]
        unseen = dict.fromkeys(str(look.name) for look in coverage if _is_unseen(look))
        words = counts or (self.tr("none in {parts}").format(parts=", ".join(taken)) if taken else self.tr("none"))
        if not unseen:
            return words
        return self.tr("{found}; not checked: {parts}").format(found=words, parts=", ".join(unseen))


def _in_a_row(coverage: Sequence[Coverage]) -> str:
    return " · ".join(look.words for look in coverage)


def _is_unseen(look: Coverage) -> bool:
    return look.extent in ("timeout", "failed")


def _is_taken(part: str, report: Report) -> bool:
    return any(look.part == part and look.was_taken for look in report.coverage)

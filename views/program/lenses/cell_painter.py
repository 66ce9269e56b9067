"""CellPainter, the delegate of the lens table: measures and paints texts, chips of axes, bars and grids."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

import msgspec
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QHelpEvent, QPainter, QPen
from PySide6.QtWidgets import QAbstractItemView, QStyledItemDelegate, QStyleOptionViewItem, QToolTip

from explorer.messages.lenses import Cell, Chip, Grid, Piece, Tone
from views.parts.own_document import plain_tip
from views.program.lenses import grids
from views.program.lenses.model import LINE, Index, LensModel
from views.theme import LIGHT, Theme

BREAKS = " ,"
"""Characters after which a line may break."""
JOINTS = "_."
"""Those after which it breaks where a word does not fit into a line."""

Width = Callable[[str, str], float]
"""Returns the width of a text in a face, in pixels."""


class TextPart(msgspec.Struct, frozen=True):
    """A part of a text in one line."""

    number: int
    """The number of the text, counted from 0."""
    text: str
    start: int
    """Where in the text it begins."""
    line: int
    left: float
    """Pixels from where the first text begins."""


def in_lines(texts: Sequence[tuple[str, str]], room: float, space: float, width: Width) -> Iterator[TextPart]:
    """Yield `texts`, each with its face, `space` pixels apart in lines of `room` pixels; longer words are broken."""
    line, left = 0, 0.0
    for number, (text, face) in enumerate(texts):
        at = 0
        while at < len(text):
            rest = text[at:]
            fits = _fitting(rest, room - left, face, width)
            end = len(rest) if fits == len(rest) else _last(BREAKS, rest, fits)
            if not end and left:
                line, left = line + 1, 0.0
                continue
            part = rest[: end or _last(JOINTS, rest, fits) or max(1, fits)]
            yield TextPart(number, part, at, line, left)
            at += len(part)
            if at < len(text):
                line, left = line + 1, 0.0
            else:
                left += width(part, face) + space


def _last(marks: str, text: str, fits: int) -> int:
    """Return the number of letters up to the last of `marks` in the first `fits` letters of `text`; 0 for none."""
    return 1 + max(text.rfind(each, 0, fits) for each in marks)


def _fitting(text: str, room: float, face: str, width: Width) -> int:
    """Return the number of letters of `text` that fit, ignoring a trailing space."""
    if width(text.rstrip(), face) <= room:
        return len(text)
    fewest, most = 0, len(text)
    while most - fewest > 1:
        middle = (fewest + most) // 2
        if width(text[:middle].rstrip(), face) <= room:
            fewest = middle
        else:
            most = middle
    return fewest


LINE_BAR = 4
"""Width of the bar in the colour of a line."""
GAP = 6
"""Pixels next to the content of a cell, and between bar and text."""
INDENT = 12
"""Pixels of indentation at each depth."""
DEEPEST = 6
"""The deepest indentation of cells, so that the text has room."""
BAR = 160
"""Pixels that the longest bar wants."""
LEAST_BAR = 0.35
"""The longest bar's share of a cell, where the texts next to the bars would leave less."""

_WORD = re.compile(f"\\S{{1,10}}(?!\\S)|[^{BREAKS}]+,?")
"""Long words may break at commas."""
TOO_SHORT = 7
"""Letters below which a cut piece of text is left out, because it would say nothing."""


class CellPainter(QStyledItemDelegate):
    """Paints the cells of a LensModel."""

    def __init__(self, model: LensModel) -> None:
        super().__init__()
        self.current = -1
        """The row that the arrow keys start from."""
        self._figure = 0.0
        """How wide the widest figure next to a bar is."""
        self._beside_bars = 0.0
        """How wide the longest text next to a bar is."""
        self._model = model
        self._theme = LIGHT
        self.apply_theme(LIGHT)

    def apply_theme(self, theme: Theme) -> None:
        """Take colours and text size from `theme`."""
        self._theme = theme
        bold = theme.mono_font()
        bold.setBold(True)
        self._fonts: dict[str, QFont] = {"code": theme.mono_font(), "words": theme.font(), "title": bold}
        self._metrics = {face: QFontMetricsF(font) for face, font in self._fonts.items()}
        self._space = self._metrics["code"].horizontalAdvance(" ")
        named = {"bug": theme.bug, "note": theme.note, "dim": theme.dim, "text": theme.text, "panel": theme.panel}
        self._colours = {name: QColor(colour) for name, colour in named.items()}

    @property
    def height(self) -> int:
        """Pixels that a row needs."""
        highest = max(metrics.height() for metrics in self._metrics.values())
        return round(highest) + self._theme.px(4)

    def height_of(self, lines: int) -> int:
        """Return the height in pixels of a row with `lines` lines of text."""
        return self.height + (lines - 1) * self._leading

    @property
    def _leading(self) -> int:
        return self.height - self._theme.px(4)

    def line_width(self) -> int:
        """Return how wide the column of the lines is."""
        largest = max((row.line for row in self._model.table.rows), default=0)
        digits = self._metrics["code"].horizontalAdvance("9" * max(2, len(str(largest))))
        return round(digits) + self._theme.px(LINE_BAR) + 2 * self._theme.px(4)

    def width_of(self, cell: Cell) -> float:
        """Return how wide `cell` is with the space around it, without its bar."""
        grid = grids.size(cell.grid, self._theme).width() + self._theme.px(GAP) if cell.grid else 0.0
        return self._left(cell) + self._pieces_width(cell) + grid

    def _pieces_width(self, cell: Cell) -> float:
        return sum(self._width(each.text, _face(each.tone)) + self._space for each in cell.pieces)

    def needed(self, column: int) -> float:
        """Return how wide a column of the Table has to be for its longest cell."""
        cells = [row.cells[column] for row in self._model.table.rows]
        barred = [cell for cell in cells if cell.bar]
        if barred:
            self._figure = max(self._figure_width(cell) for cell in barred)
            self._beside_bars = max(self._pieces_width(cell) for cell in barred)
        longest = max(cells, key=lambda cell: len(cell.text) + 2 * cell.depth, default=Cell())
        if gridded := [cell for cell in cells if cell.grid]:
            longest = max(longest, *gridded, key=self.width_of)
        heading = QFontMetricsF(self._theme.font()).horizontalAdvance(str(self._model.table.headings[column]))
        bar = self._theme.px(BAR) if barred else 0
        return max(self.width_of(longest) + bar, heading) + 2 * self._theme.px(GAP)

    def least(self, column: int) -> float:
        """Return how wide a column of the Table has to be so that no word of it is broken or cut."""
        cells = [row.cells[column] for row in self._model.table.rows]
        words = str(self._model.table.headings[column]).split()
        heading = max(map(self._metrics["words"].horizontalAdvance, words), default=0.0)
        return max((heading, *map(self._least_width, cells))) + 2 * self._theme.px(GAP)

    def _least_width(self, cell: Cell) -> float:
        # A figure such as "12 % ± 3" is not broken.
        bar = self._figure_width(cell) + 2 * self._theme.px(GAP) if cell.bar else 0.0
        grid = grids.size(cell.grid, self._theme).width() if cell.grid else 0.0
        return self._left(cell) + max(self._longest_word(cell), grid, bar)

    def _figure_width(self, cell: Cell) -> float:
        return self._width(cell.pieces[0].text, _face(cell.pieces[0].tone))

    def _longest_word(self, cell: Cell) -> float:
        words = ((word, _face(each.tone)) for each in cell.pieces for word in _WORD.findall(each.text))
        return max((self._width(word, face) for word, face in words), default=0.0)

    # -- painting ---------------------------------------------------------------------------------------------

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        place, row, column = QRectF(option.rect), index.row(), index.column()
        if row == self.current or column == LINE:
            painter.fillRect(place, self._colours["panel"])
        if row in self._model.lit:
            painter.fillRect(place, self._theme.focus_fill())
        if column == LINE:
            self._line(painter, place, row)
        else:
            self._cell(painter, place, self._model.table.rows[row].cells[column - 1])
        self._outline(painter, place, index)

    def _outline(self, painter: QPainter, place: QRectF, index: Index) -> None:
        """Draw the part of the outline around a run of lit rows that belongs to one cell."""
        lit, row, width = self._model.lit, index.row(), self._theme.px(2)
        if row not in lit:
            return
        painter.setPen(QPen(QColor(self._theme.focus), width))
        inner = place.adjusted(width / 2, width / 2, -width / 2, -width / 2)
        if row - 1 not in lit:
            painter.drawLine(QPointF(place.left(), inner.top()), QPointF(place.right(), inner.top()))
        if row + 1 not in lit:
            painter.drawLine(QPointF(place.left(), inner.bottom()), QPointF(place.right(), inner.bottom()))
        if index.column() == LINE:
            painter.drawLine(QPointF(inner.left(), place.top()), QPointF(inner.left(), place.bottom()))
        if index.column() == len(self._model.table.headings):
            painter.drawLine(QPointF(inner.right(), place.top()), QPointF(inner.right(), place.bottom()))

    def _line(self, painter: QPainter, place: QRectF, number: int) -> None:
        row, theme = self._model.row(number), self._theme
        if row is None or not row.line:
            return
        number_of = self._model.colours.get(row.line)
        colour, bar = QColor(theme.dim), theme.px(LINE_BAR)
        if number_of is not None:
            colour = QColor(theme.series_colour(number_of))
            painter.fillRect(QRectF(place.right() - bar, place.top(), bar, place.height()), colour)
        if self._model.begins_line(number):
            painter.setFont(self._fonts["code"])
            painter.setPen(colour)
            where = place.adjusted(0, 0, -bar - theme.px(4), 0)
            painter.drawText(where, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(row.line))

    def _cell(self, painter: QPainter, place: QRectF, cell: Cell) -> None:
        if cell.bar:
            place = self._bar(painter, place, cell)
        if self._theme.on_stage and cell.grid is None:
            self._in_lines(painter, place, cell)
            return
        x, end = place.left() + self._left(cell), place.right() - self._theme.px(2)
        for piece in cell.pieces:
            kind, text = _face(piece.tone), piece.text
            if x + self._width(text, kind) > end:
                text = self._metrics[kind].elidedText(text, Qt.TextElideMode.ElideRight, max(0.0, end - x))
                if len(text) <= TOO_SHORT and piece is not cell.pieces[0]:
                    return
            self._text(painter, QRectF(x, place.top(), 0, place.height()), piece, text)
            if text != piece.text:
                return
            x += self._width(text, kind) + self._space
        if cell.grid is not None:
            grids.paint(painter, self._grid_box(place, cell, cell.grid), cell.grid, self._theme)

    def _text(self, painter: QPainter, where: QRectF, piece: Piece, text: str, start: int = 0) -> None:
        """Write `text`, the part of `piece` from letter `start` on, with its chips, at the left of `where`."""
        kind = _face(piece.tone)
        metrics = self._metrics[kind]
        painter.setFont(self._fonts[kind])
        painter.setPen(self._colours.get(piece.tone.removesuffix(" code"), self._colours["text"]))
        base = where.center().y() + (metrics.ascent() - metrics.descent()) / 2
        painter.drawText(QPointF(where.left(), base), text)
        for chip in piece.chips:
            if 0 <= chip.start - start < len(text):
                own = replace(chip, start=chip.start - start, end=chip.end - start)
                self._chip(painter, where, text, own, metrics)

    def lines_of(self, cell: Cell, width: float) -> int:
        """Return the number of lines of the text of `cell` at `width` pixels, without leaving any text out."""
        room = width - self._longest_bar(width) - self._theme.px(GAP) if cell.bar else width
        return 1 + max((stretch.line for stretch in self._stretches(cell, room)), default=0)

    def _stretches(self, cell: Cell, width: float) -> Iterator[TextPart]:
        texts = [(piece.text, _face(piece.tone)) for piece in cell.pieces]
        return in_lines(texts, width - self._left(cell) - self._theme.px(2), self._space, self._width)

    def _in_lines(self, painter: QPainter, place: QRectF, cell: Cell) -> None:
        """Write all of `cell`, in as many lines as that takes."""
        stretches = list(self._stretches(cell, place.width()))
        lines = 1 + max((stretch.line for stretch in stretches), default=0)
        top = place.center().y() - self.height_of(lines) / 2
        left = place.left() + self._left(cell)
        for stretch in stretches:
            line = QRectF(left + stretch.left, top + stretch.line * self._leading, 0, self.height)
            self._text(painter, line, cell.pieces[stretch.number], stretch.text, stretch.start)

    def _grid_box(self, place: QRectF, cell: Cell, grid: Grid) -> QRectF:
        left = place.left() + self._left(cell) + self._pieces_width(cell)
        room = place.right() - self._theme.px(GAP) - left
        size = grids.size(grid, self._theme)
        height = min(size.height(), place.height() - self._theme.px(4))
        return QRectF(left, place.center().y() - height / 2, max(0.0, min(room, size.width())), height)

    def _chip(self, painter: QPainter, where: QRectF, whole: str, chip: Chip, metrics: QFontMetricsF) -> None:
        """Paint a chip over a part of the text `whole`, which is already painted."""
        before, text = whole[: chip.start], whole[chip.start : chip.end]
        left, width = where.left() + metrics.horizontalAdvance(before), metrics.horizontalAdvance(text)
        box = QRectF(left, where.center().y() - metrics.height() / 2, width, metrics.height())
        colour, ground = QColor(self._theme.series_colour(chip.axis)), QColor(self._theme.background)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colour, 1))
        painter.setBrush(ground if chip.hollow else colour)
        painter.drawRoundedRect(box.adjusted(-0.5, 0.5, 0.5, -0.5), 2, 2)
        painter.setPen(colour if chip.hollow else ground)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def _bar(self, painter: QPainter, place: QRectF, cell: Cell) -> QRectF:
        """Paint a bar and return the room that is left to the text."""
        theme = self._theme
        most = self._longest_bar(place.width())
        height = place.height() * 0.5
        box = QRectF(place.left() + theme.px(GAP), place.center().y() - height / 2, max(2.0, most * cell.bar), height)
        painter.fillRect(box, QColor(theme.focus))
        return place.adjusted(most + theme.px(GAP), 0, 0, 0)

    # -- measures ---------------------------------------------------------------------------------------------

    def _longest_bar(self, width: float) -> float:
        """Return the longest bar in a column `width` wide: what the texts leave, or what figures alone would."""
        free = width - 3 * self._theme.px(GAP)
        return max(0.0, min(width * LEAST_BAR, free - self._figure), free - self._beside_bars)

    def _left(self, cell: Cell) -> float:
        return self._theme.px(GAP) + min(cell.depth, DEEPEST) * self._theme.px(INDENT)

    def _width(self, text: str, face: str) -> float:
        return self._metrics[face].horizontalAdvance(text)

    # -- tips -------------------------------------------------------------------------------------------------

    def helpEvent(self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: Index) -> bool:
        """Show the whole text of a cell that does not fit."""
        if event.type() != QEvent.Type.ToolTip:
            return super().helpEvent(event, view, option, index)
        cell = self._model.cell(index)
        text = self.tip(index, option.rect.width())
        if cell.grid is not None:
            box = self._grid_box(QRectF(option.rect), cell, cell.grid)
            text = grids.tip(box, cell.grid, event.pos().toPointF(), self._theme)
        QToolTip.showText(event.globalPos(), plain_tip(text), view)
        return True

    def tip(self, index: Index, width: float) -> str:
        """Return the tip of a cell that is `width` pixels wide: its text where that does not fit, else empty."""
        cell = self._model.cell(index)
        room = width - self._longest_bar(width) - self._theme.px(GAP) if cell.bar else width
        return cell.text if self.width_of(cell) - self._space > room - self._theme.px(2) else ""


def _face(tone: Tone) -> str:
    if tone == "title":
        return "title"
    return "code" if tone.endswith("code") else "words"

"""Functions that draw a heatmap layer by layer: cells, texts, letters, numbers, marked rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPen

from explorer.figures.row_letters import RowLetters, Runs, letter
from views.noise.arrays.heat_colours import Pixels, Scale, levels, text_colour
from views.noise.arrays.picture_choice import value_words
from views.noise.heatmap.cell_geometry import CellGeometry, PlotPainter, ticks

Matrix = npt.NDArray[Any]

MOST_CELL_TEXTS = 600
LEAST_BRACKET_PIXELS = 4.0
"""Least average pixels of a bracket; a coloured strip replaces shorter ones."""
LEAST_MARK_PIXELS = 3.0
RIGHT_MIDDLE = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def draw_cells(paint: PlotPainter, matrix: Matrix, scale: Scale, table: Pixels) -> None:
    """Draw the cells in view, each in one flat colour: none is averaged, every k-th is taken where they are many."""
    rows, columns = paint.geometry.rows_drawn(), paint.geometry.columns_drawn()
    cells = matrix[rows.start : rows.stop : rows.step, columns.start : columns.stop : columns.step]
    pixels = np.ascontiguousarray(table[levels(cells, scale)])
    height, width = pixels.shape
    image = QImage(pixels.data, width, height, width * 4, QImage.Format.Format_RGB32)
    last_row, last_column = rows.start + height * rows.step - 1, columns.start + width * columns.step - 1
    target = paint.geometry.cell_rectangle(rows.start, last_row, columns.start, last_column)
    paint.painter.drawImage(target, image)


def draw_cell_texts(paint: PlotPainter, matrix: Matrix, scale: Scale, table: Pixels) -> bool:
    """Write the value into every visible cell, in as many digits as fit in all; return whether they fit."""
    geometry, painter = paint.geometry, paint.painter
    rows, columns = geometry.rows_drawn(), geometry.columns_drawn()
    painter.setFont(paint.theme.font(0.8))
    metrics = QFontMetricsF(painter.font())
    if geometry.cell_height < metrics.height() or len(rows) * len(columns) > MOST_CELL_TEXTS:
        return False
    cells = matrix[rows.start : rows.stop, columns.start : columns.stop]
    places = levels(cells, scale)
    texts = _texts_that_fit(cells, metrics, geometry.cell_width - 4)
    finite = np.isfinite(cells) if cells.dtype.kind == "f" else np.ones(cells.shape, bool)
    for (row, column), text in np.ndenumerate(texts):
        if not finite[row, column]:
            # Its mark is in its middle.
            continue
        painter.setPen(text_colour(int(table[places[row, column]]), on_stage=paint.theme.on_stage))
        cell = geometry.cell_rectangle(
            rows.start + row, rows.start + row, columns.start + column, columns.start + column
        )
        painter.drawText(cell, Qt.AlignmentFlag.AlignCenter, text)
    return texts.size > 0


def _texts_that_fit(cells: Matrix, metrics: QFontMetricsF, width: float) -> npt.NDArray[np.object_]:
    """Return the values as texts of 4, 3 or 2 digits, an empty array where even the shortest are too wide."""
    for digits in (4, 3, 2):
        texts = [[value_words(value, digits) for value in row] for row in cells]
        if max(metrics.horizontalAdvance(text) for row in texts for text in row) <= width:
            return np.array(texts, object)
    return np.empty((0, 0), object)


def draw_letters(paint: PlotPainter, letters: RowLetters, gutter: QRectF) -> None:
    """Bracket every run of equal rows in `gutter`, with its letter where there is room; one alone needs none."""
    geometry = paint.geometry
    seen = letters.runs.between(geometry.window.top, geometry.window.bottom)
    if (seen.stop - seen.start) * LEAST_BRACKET_PIXELS > gutter.height():
        _draw_strip(paint, letters, gutter)
        return
    paint.painter.setFont(paint.theme.font(0.85, bold=True))
    metrics = QFontMetricsF(paint.painter.font())
    free_from = gutter.top()
    for first, last, number in zip(
        letters.runs.first[seen], letters.runs.last[seen], letters.numbers[seen], strict=True
    ):
        top, bottom = max(gutter.top(), geometry.y(first)), min(gutter.bottom(), geometry.y(last + 1))
        _draw_bracket(paint, int(number), gutter, top, bottom)
        middle = (top + bottom - metrics.height()) / 2
        middle = max(gutter.top(), min(gutter.bottom() - metrics.height(), middle))
        if middle < free_from or len(letters.numbers) == 1:
            continue
        free_from = middle + metrics.height() * 0.8
        paint.painter.setPen(QColor(paint.theme.text))
        place = QRectF(gutter.left(), middle, gutter.width() - paint.theme.px(9), metrics.height())
        paint.painter.drawText(place, RIGHT_MIDDLE, letter(int(number)))


def _draw_bracket(paint: PlotPainter, number: int, gutter: QRectF, top: float, bottom: float) -> None:
    right, arm = gutter.right() - 2, paint.theme.px(4)
    gap = min(1.5, (bottom - top) / 6)
    points = [
        QPointF(right, top + gap),
        QPointF(right - arm, top + gap),
        QPointF(right - arm, bottom - gap),
        QPointF(right, bottom - gap),
    ]
    paint.painter.setPen(QPen(QColor(paint.theme.series_colour(number)), max(1.5, 1.5 * paint.theme.scale)))
    paint.painter.drawPolyline(points)


def _draw_strip(paint: PlotPainter, letters: RowLetters, gutter: QRectF) -> None:
    rows = paint.geometry.rows_drawn()
    colours = np.array([QColor(colour).rgba() for colour in paint.theme.series], np.uint32)
    numbers = letters.of_row[rows.start : rows.stop : rows.step]
    pixels = np.where(numbers >= 0, colours[numbers % len(colours)], np.uint32(0))[:, np.newaxis].copy()
    image = QImage(pixels.data, 1, len(numbers), 4, QImage.Format.Format_ARGB32)
    last = rows.start + len(numbers) * rows.step
    top, width = paint.geometry.y(rows.start), paint.theme.px(6)
    paint.painter.drawImage(QRectF(gutter.right() - width, top, width - 2, paint.geometry.y(last) - top), image)


def draw_row_numbers(paint: PlotPainter, gutter: QRectF, marked: Runs) -> None:
    """Write round row numbers into `gutter`, and in bold the first one of every marked run."""
    geometry, painter = paint.geometry, paint.painter
    window, metrics = geometry.window, QFontMetricsF(paint.theme.font(0.8))
    numbers = ticks(window.top, window.bottom, geometry.cell_height, 1.4 * metrics.height())
    in_bold = marked.first[marked.between(window.top, window.bottom)][: int(gutter.height())].tolist()
    taken: list[float] = []
    for row, bold in [(row, True) for row in in_bold] + [(row, False) for row in numbers]:
        # The number of a first row that is lower than text stands a little below its middle, and whole.
        y = max(metrics.height() / 2, geometry.y(row + 0.5))
        if not gutter.top() <= y <= gutter.bottom() or any(abs(y - other) < metrics.height() for other in taken):
            continue
        taken.append(y)
        painter.setFont(paint.theme.font(0.8, bold=bold))
        painter.setPen(QColor(paint.theme.text if bold else paint.theme.dim))
        place = QRectF(gutter.left(), y - metrics.height() / 2, gutter.width() - 4, metrics.height())
        painter.drawText(place, RIGHT_MIDDLE, f"{row:,}")


def draw_column_numbers(paint: PlotPainter, below: QRectF) -> None:
    """Write round column numbers into the strip `below` the cells."""
    geometry, painter = paint.geometry, paint.painter
    painter.setFont(paint.theme.font(0.8))
    painter.setPen(QColor(paint.theme.dim))
    metrics = QFontMetricsF(painter.font())
    room = metrics.horizontalAdvance(f"{geometry.columns:,}") + 10
    for number in ticks(geometry.window.left, geometry.window.right, geometry.cell_width, room):
        x = geometry.x(number + 0.5)
        if below.left() <= x <= below.right():
            left = min(x - room / 2, below.right() - room + 5)
            place = QRectF(left, below.top(), room, below.height())
            painter.drawText(place, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom, f"{number:,}")


def draw_marked_rows(paint: PlotPainter, marked: Runs) -> None:
    """Outline each run of `marked` rows and tint it; the line is outside of the cells, so that none is hidden."""
    painter, theme, plot = paint.painter, paint.theme, paint.geometry.plot
    width = 2 * theme.scale
    stretches = _stretches(paint.geometry, marked)
    for colour, reach, fill in (
        (theme.background, 1.25 * width, QColor(Qt.GlobalColor.transparent)),
        (theme.focus, 0.5 * width, theme.focus_fill()),
    ):
        pen = QPen(QColor(colour), width)
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        painter.setPen(pen)
        painter.setBrush(fill)
        left, across = plot.left() + width / 2, plot.width() - width
        painter.drawRects([QRectF(left, top - reach, across, bottom - top + 2 * reach) for top, bottom in stretches])
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _stretches(geometry: CellGeometry, marked: Runs) -> list[tuple[float, float]]:
    """Return (top, bottom) in pixels of the runs in view; runs that touch on screen become one."""
    seen = marked.between(geometry.window.top, geometry.window.bottom)
    tops, bottoms = geometry.y(marked.first[seen]), geometry.y(marked.last[seen] + 1)
    missing = np.maximum(0.0, LEAST_MARK_PIXELS - (bottoms - tops)) / 2
    tops, bottoms = tops - missing, bottoms + missing
    gaps = np.flatnonzero(tops[1:] > bottoms[:-1] + 1)
    starts, ends = np.append(0, gaps + 1), np.append(gaps, len(tops) - 1)
    return list(zip(tops[starts].tolist(), bottoms[ends].tolist(), strict=True)) if len(tops) else []

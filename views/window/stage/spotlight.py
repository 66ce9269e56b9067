"""The target of a spotlight: line of code, paragraph, row or part of the window under the mouse."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QAbstractItemView, QPlainTextEdit, QTextEdit, QWidget

from views.window.main_window import MainWindow
from views.window.pane import Pane


def lit(window: MainWindow, at: QPoint, *, whole: bool = False) -> QRect:
    """Return the area of the line or row at `at`, in the coordinates of `window`; or the `whole` part of the window.

    It is empty outside of all parts.
    """
    found = window.childAt(at)
    if found is None:
        return QRect()
    part = _part(window, found)
    around = _area(window, part, part.rect())
    area = QRect() if whole else _line_or_row(window, found, at).intersected(around)
    return around if area.isEmpty() else area


def _part(window: MainWindow, found: QWidget) -> QWidget:
    """Return the part of the window that contains `found`: a pane, the words, the code, the lists, or a bar."""
    parts = (*window.area.panes, window.story, window.code_column, window.bottom)
    above: QWidget | None = found
    while above is not None and above not in parts:
        above = above.parentWidget()
    if isinstance(above, Pane):
        return above.widget() or above
    return above or found


def _line_or_row(window: MainWindow, found: QWidget, at: QPoint) -> QRect:
    """Return the line, paragraph or row at `at`; empty where `found` has none."""
    # Not at the top: NumPy must not hold up the first picture of the window.
    from views.noise.heatmap.cell_plot import CellPlot

    view = found.parentWidget()
    here = found.mapFrom(window, at)
    if isinstance(found, CellPlot):
        area = found.row_area(here)
        return area if area.isEmpty() else _area(window, found, area)
    area = QRect()
    if isinstance(view, QPlainTextEdit | QTextEdit) and found is view.viewport():
        area = _paragraph(view, here)
    elif isinstance(view, QAbstractItemView) and found is view.viewport():
        area = view.visualRect(view.indexAt(here))
    if area.isEmpty():
        return QRect()
    return _area(window, found, QRect(0, area.top(), found.width(), area.height()))


def _paragraph(view: QPlainTextEdit | QTextEdit, here: QPoint) -> QRect:
    """Return the line or paragraph at `here`, with all its lines where it is wrapped; of empty ones the one above."""
    cursor = view.cursorForPosition(here)
    block = cursor.block()
    # Below the end there is none.
    if here.y() > view.cursorRect(cursor).bottom() + view.cursorRect(cursor).height():
        return QRect()
    while block.isValid() and not block.text().strip():
        block = block.previous()
    if not block.isValid():
        return QRect()
    cursor.setPosition(block.position() + block.length() - 1)
    end = view.cursorRect(cursor)
    cursor.setPosition(block.position())
    return view.cursorRect(cursor).united(end)


def _area(window: MainWindow, of: QWidget, area: QRect) -> QRect:
    return QRect(of.mapTo(window, area.topLeft()), area.size())

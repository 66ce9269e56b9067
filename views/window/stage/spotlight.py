"""The target of a spotlight: line of code, paragraph or row under the mouse."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QAbstractItemView, QPlainTextEdit, QTextEdit

from views.window.main_window import MainWindow


def lit(window: MainWindow, at: QPoint) -> QRect:
    """Return the area of the line, paragraph or row at `at`, in the coordinates of `window`; empty for none."""
    # Not at the top: NumPy must not hold up the first picture of the window.
    from views.noise.heatmap.cell_plot import CellPlot

    found = window.childAt(at)
    if found is None:
        return QRect()
    view, here, area = found.parentWidget(), found.mapFrom(window, at), QRect()
    if isinstance(found, CellPlot):
        area = found.row_area(here)
    elif isinstance(view, QPlainTextEdit | QTextEdit) and found is view.viewport():
        area = _whole_width(_paragraph(view, here), found.width())
    elif isinstance(view, QAbstractItemView) and found is view.viewport():
        area = _whole_width(view.visualRect(view.indexAt(here)), found.width())
    area = area.intersected(found.rect())
    return QRect(found.mapTo(window, area.topLeft()), area.size()) if not area.isEmpty() else QRect()


def _whole_width(area: QRect, width: int) -> QRect:
    return QRect(0, area.top(), width, area.height())


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

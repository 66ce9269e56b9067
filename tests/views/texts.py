"""Every text that a part of the window shows."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QWidget,
)

from views.text.line_text import LineText

ROLES = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)


def texts_in(part: QWidget) -> Iterator[str]:
    """Yield the texts of `part` and of all in it that is shown, some more than once."""
    for widget in (part, *part.findChildren(QWidget)):
        if widget is part or widget.isVisibleTo(part):
            yield from filter(None, _texts_of(widget))


def _texts_of(widget: QWidget) -> Iterator[str]:
    yield from (widget.accessibleName(), widget.accessibleDescription())
    yield from (widget.toolTip(), widget.statusTip(), widget.windowTitle())
    if isinstance(widget, QLabel | QAbstractButton | QLineEdit):
        yield widget.text()
    elif isinstance(widget, QPlainTextEdit | QTextEdit):
        yield widget.toPlainText()
    elif isinstance(widget, QComboBox):
        yield from (widget.itemText(place) for place in range(widget.count()))
    elif isinstance(widget, QTabBar):
        yield from (widget.tabText(place) for place in range(widget.count()))
        yield from (widget.tabToolTip(place) for place in range(widget.count()))
    elif isinstance(widget, QAbstractItemView) and widget.model() is not None:
        for row in range(widget.model().rowCount(QModelIndex())):
            yield from (str(widget.model().index(row, 0).data(role) or "") for role in ROLES)
    if isinstance(widget, LineText) and widget.tip_of_row is not None:
        yield from map(widget.tip_of_row, range(widget.blockCount()))

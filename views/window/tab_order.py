"""in_order(), takers(): the Tab order of a window, part by part. Qt's own is that of construction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def in_order(window: QWidget, parts: Sequence[QWidget]) -> list[QWidget]:
    """Return the widgets in `parts` of `window` that Tab reaches, part by part, within a part in Qt's order."""
    takers = [widget for widget in _chain(window) if _takes_tab(widget)]
    return [widget for part in parts for widget in takers if part is widget or part.isAncestorOf(widget)]


def takers(part: QWidget) -> list[QWidget]:
    """Return `part` and its descendants that Tab reaches, in the order of their construction."""
    # To ask for them along Qt's own chain lets pyqtgraph's menus outlive their plots.
    return [widget for widget in (part, *part.findChildren(QWidget)) if _takes_tab(widget)]


def _chain(window: QWidget) -> Iterator[QWidget]:
    widget = window.nextInFocusChain()
    while widget is not None and widget is not window:
        yield widget
        widget = widget.nextInFocusChain()


def _takes_tab(widget: QWidget) -> bool:
    # Most are hidden, and to ask for the policy, an enum, takes five times as long.
    if not widget.isVisible():
        return False
    takes = widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None
    return bool(takes) and widget.isEnabled()

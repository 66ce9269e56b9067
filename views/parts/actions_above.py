"""Menu entries that a part takes from its ancestors."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget


def actions_above(widget: QWidget) -> Iterator[QAction]:
    """Yield the actions of the ancestors of `widget`, from the inside out, without those of the window."""
    above = widget.parentWidget()
    while above is not None and not above.isWindow():
        yield from above.actions()
        above = above.parentWidget()

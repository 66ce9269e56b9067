"""A button that opens a menu."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QStyleOptionToolButton, QToolButton


class MenuButton(QToolButton):
    """Opens its menu by Return and the down arrow too; Qt alone opens it by the space bar only."""

    def __init__(self) -> None:
        super().__init__()
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)

    def initStyleOption(self, option: QStyleOptionToolButton) -> None:  # noqa: N802
        """Leave out Qt's arrow: the text has one. A style sheet would keep the colours of an earlier theme."""
        super().initStyleOption(option)
        option.features &= ~QStyleOptionToolButton.ToolButtonFeature.HasMenu

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down):
            self.showMenu()
        else:
            super().keyPressEvent(event)

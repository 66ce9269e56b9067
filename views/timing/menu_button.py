"""A button that opens a menu, by the mouse or by any key that a user would try."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QToolButton


class MenuButton(QToolButton):
    """Opens its menu by Return and the down arrow too; Qt alone opens it by the space bar only."""

    def __init__(self) -> None:
        super().__init__()
        self.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down):
            self.showMenu()
        else:
            super().keyPressEvent(event)

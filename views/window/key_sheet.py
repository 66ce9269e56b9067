"""The sheet of keys: every command of the window that has keys, under the title of its menu."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from explorer.text.html import Html, html, tag
from views.window.commands import Command, plain

TITLE_BAR = 40
"""Pixels of the screen that the system's frame takes."""


class KeySheet(QDialog):
    """Shows the keys of `commands` until it is closed."""

    def __init__(self, parent: QWidget, title: str, commands: Sequence[Command]) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        text = QLabel(sheet_text(commands), textFormat=Qt.TextFormat.RichText)
        # Large letters on a small screen have to be scrolled.
        within = QScrollArea(widgetResizable=True)
        within.setFrameShape(QFrame.Shape.NoFrame)
        within.setWidget(text)
        layout.addWidget(within)
        layout.addWidget(buttons)
        margins = self.sizeHint() - within.sizeHint() + QSize(within.verticalScrollBar().sizeHint().width(), 0)
        room = self.screen().availableSize() - QSize(0, TITLE_BAR)
        if (text.sizeHint() + margins).width() > room.width():
            text.setText(sheet_text(commands, columns=1))
        self.resize((text.sizeHint() + margins).boundedTo(room))


def sheet_text(commands: Sequence[Command], *, columns: int = 2) -> str:
    """Return the keys of `commands` in HTML: menu by menu, in one column or in two that are as even as they can be."""
    grouped = groupby((each for each in commands if each.keys), lambda command: command.menu)
    menus = [(plain(menu), list(each)) for menu, each in grouped]
    lines = [1 + len(each) for _, each in menus]
    cut = min(range(len(menus)), key=lambda place: max(sum(lines[:place]), sum(lines[place:])))
    parts = (menus[:cut], menus[cut:]) if columns == 2 else (menus,)
    cells = (tag("td", *(_menu_text(*menu) for menu in part)) for part in parts)
    return tag("table", tag("tr", *cells), cellspacing=16)


def _menu_text(title: str, commands: Sequence[Command]) -> Html:
    rows = (tag("tr", tag("td", each.name), tag("td", ", ".join(each.key_names))) for each in commands)
    table = tag("table", *rows, cellpadding=2, style="white-space: nowrap")
    return html(tag("p", tag("b", title)), table)

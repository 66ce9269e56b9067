"""The sheet of keys: every command of the window that has keys, under the title of its menu."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from views.window.commands import Command, plain


def show_keys(parent: QWidget, title: str, commands: Sequence[Command]) -> None:
    """Show the keys of `commands` in a dialog."""
    sheet = QMessageBox(parent)
    sheet.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    sheet.setWindowTitle(title)
    sheet.setTextFormat(Qt.TextFormat.RichText)
    sheet.setText(sheet_text(commands))
    sheet.open()


def sheet_text(commands: Sequence[Command]) -> str:
    """Return the keys of `commands` in HTML, one column for each menu."""
    with_keys = [command for command in commands if command.keys]
    menus = groupby(with_keys, lambda command: command.menu)
    return f"<table cellspacing=16><tr>{''.join(_column(plain(menu), each) for menu, each in menus)}</tr></table>"


def _column(title: str, commands: Iterable[Command]) -> str:
    rows = "".join(
        f"<tr><td>{escape(each.name)}</td><td>{escape(', '.join(each.key_names))}</td></tr>" for each in commands
    )
    return f"<td><b>{escape(title)}</b><table cellpadding=2>{rows}</table></td>"

"""Menus and shortcuts as one table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu


@dataclass(frozen=True)
class Command:
    """One thing that a person can ask for.

    Attributes:
        id: its name, also the object name of its action.
        menu: title of the menu that it stands in.
        text: as the menu shows it, with a mnemonic.
        shortcut: keys that work everywhere in the window, separated by commas; empty for none.
        checkable: whether it is a switch.
        tip: a sentence for the tooltip.
    """

    id: str
    menu: str
    text: str
    shortcut: str = ""
    checkable: bool = False
    tip: str = ""


def build(window: QMainWindow, commands: tuple[Command | str, ...], run: Callable[[str], None]) -> dict[str, QAction]:
    """Fill the menu bar of `window` and return the actions by id; a bare string is a menu to add a line to.

    `run` gets the id of the command that was triggered.
    """
    actions: dict[str, QAction] = {}
    menus: dict[str, QMenu] = {}
    for command in commands:
        if isinstance(command, str):
            menus[command].addSeparator()
            continue
        if command.menu not in menus:
            menus[command.menu] = window.menuBar().addMenu(command.menu)
        action = QAction(window)
        action.setObjectName(command.id)
        action.setCheckable(command.checkable)
        action.setShortcuts([QKeySequence(keys) for keys in command.shortcut.split(", ")] if command.shortcut else [])
        _name(action, command)
        action.triggered.connect(_Trigger(run, command.id))
        menus[command.menu].addAction(action)
        # Its keys work while the menu bar is hidden, too.
        window.addAction(action)
        actions[command.id] = action
    return actions


def name_again(actions: dict[str, QAction], commands: tuple[Command | str, ...]) -> None:
    """Give `actions` and their menus the words of `commands`, which is the same table in another language."""
    for command in commands:
        if isinstance(command, Command):
            _name(actions[command.id], command)
            for menu in actions[command.id].associatedObjects():
                if isinstance(menu, QMenu):
                    menu.setTitle(command.menu)


def _name(action: QAction, command: Command) -> None:
    action.setText(command.text)
    keys = f" ({action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)})" if command.shortcut else ""
    action.setToolTip((command.tip or command.text.replace("&", "").rstrip("…")) + keys)


@dataclass(frozen=True)
class _Trigger:
    """A slot that knows its command, without a lambda that would keep the window alive."""

    run: Callable[[str], None]
    id: str

    def __call__(self, _checked: bool = False) -> None:
        self.run(self.id)

"""What a person can ask for, as one record each: menus, tool bar, keys and the sheet of keys are made of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QMenuBar


@dataclass(frozen=True)
class Command:
    """One thing that a person can ask for; what it does, the desk finds by its id.

    Attributes:
        id: its name, also that of its icon and of its action.
        menu: title of the menu that it stands in.
        text: as the menu shows it, with a mnemonic.
        shortcut: keys that work everywhere in the window, separated by commas; empty for none.
        checkable: whether it is a switch.
        tip: a sentence for the tooltip.
        bar: its place among the buttons of the tool bar, counted from 1; 0 for none.
        begins_group: whether a line parts it from what stands above it in the menu.
    """

    id: str
    menu: str
    text: str
    shortcut: str = ""
    checkable: bool = False
    tip: str = ""
    bar: int = 0
    begins_group: bool = False

    @property
    def name(self) -> str:
        """Its text without the signs that only a menu needs."""
        return plain(self.text)

    @property
    def keys(self) -> list[QKeySequence]:
        return [QKeySequence(keys) for keys in self.shortcut.split(", ") if keys]

    @property
    def key_names(self) -> list[str]:
        """The keys as this system calls them."""
        return [keys.toString(QKeySequence.SequenceFormat.NativeText) for keys in self.keys]


def plain(text: str) -> str:
    """Return a text of a menu without its mnemonic, which stands in brackets behind Korean words, and its dots."""
    return re.sub(r"\(&\w\)|&|…", "", text)


def build(window: QMainWindow, commands: Sequence[Command]) -> QActionGroup:
    """Give `window` a menu bar of `commands` and return their actions, each named by its command's id."""
    bar = QMenuBar()
    window.setMenuBar(bar)
    group = QActionGroup(window)
    group.setExclusionPolicy(QActionGroup.ExclusionPolicy.None_)
    menus: dict[str, QMenu] = {}
    for command in commands:
        menu = menus[command.menu] = menus.get(command.menu) or bar.addMenu(command.menu)
        if command.begins_group:
            menu.addSeparator()
        menu.addAction(_action(group, command))
    # Their keys work while the menu bar is hidden, too.
    window.addActions(group.actions())
    return group


def _action(group: QActionGroup, command: Command) -> QAction:
    action = QAction(command.text, group, checkable=command.checkable)
    action.setObjectName(command.id)
    action.setShortcuts(command.keys)
    action.setToolTip(" ".join([command.tip or command.name, *(f"({keys})" for keys in command.key_names[:1])]))
    return action

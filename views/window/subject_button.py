"""The function of a script that a pane is about, and the choice of another."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu

from views.parts.menu_button import MenuButton

if TYPE_CHECKING:
    from explorer.session.controls import Controls


MOST_LETTERS = 22


class SubjectButton(MenuButton):
    """Names the function and the line of its first call; hidden where a variant is shown.

    Signals:
        chosen: the name of the function.
    """

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setAutoRaise(True)
        self.setToolTip(self.tr("The function in this pane, with the arguments of its first call in the run"))
        self.setAccessibleName(self.tr("Function"))
        self.setMenu(QMenu(self))
        self.hide()

    def show_controls(self, controls: Controls) -> None:
        """Offer the functions that the script of `controls` calls, if its top level is shown."""
        menu, words = self.menu(), self.tr("{name}, line {line}")
        menu.clear()
        for each in controls.subjects if controls.of_script else ():
            name = each.name if len(each.name) < MOST_LETTERS else f"{each.name[:MOST_LETTERS]}…"
            text = words.format(name=name, line=each.line)
            if each.name == controls.subject:
                self.setText(f"{text} ▾")
            action = menu.addAction(text.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(each.name == controls.subject)
            action.triggered.connect(partial(self.chosen.emit, each.name))
        self.setVisible(bool(controls.of_script))

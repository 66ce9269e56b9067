"""HelpMenu: the sheet of keys (KeySheet), the tour, the glossary and About."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

import shiboken6
from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QLabel,
    QMessageBox,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from explorer.text.html import Html, html, tag
from views.help.glossary_window import CHECK, GlossaryWindow, term_at
from views.text.document_edits import characters
from views.text.line_text import LineText
from views.window.commands import Command, plain
from views.window.main_window import MainWindow

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


class HelpMenu(QObject):
    """Shows the sheet of keys, the tour and the glossary.

    Signals:
        lesson_wanted: the id of a lesson that was chosen in the glossary.
    """

    lesson_wanted = Signal(str)

    def __init__(
        self,
        window: MainWindow,
        language: str,
        title_of: Callable[[str], str],
        further_keys: Callable[[], Sequence[Command]],
    ) -> None:
        """`title_of` returns the title of the lesson with an id, empty for none; `further_keys` those of no menu."""
        super().__init__(window)
        self._window = window
        self._title_of = title_of
        self._further_keys = further_keys
        self._language = language
        self._glossary: GlossaryWindow | None = None

    def commands(self) -> dict[str, Callable[[], object]]:
        return {
            "keys": self._show_keys,
            "tour": self._window.tour.show,
            "glossary": self._show_glossary,
            "about": self._about,
        }

    def show_term(self, term: str) -> None:
        """Show the glossary's entry with the id `term`."""
        glossary = self._open_glossary()
        if glossary is None:
            window = self._window
            glossary = self._glossary = GlossaryWindow(window, self._language, window.theme, self._title_of)
            glossary.lesson_wanted.connect(self.lesson_wanted)
        glossary.show_term(term)
        glossary.show()
        glossary.raise_()
        glossary.activateWindow()

    def show_check(self, kind: str) -> None:
        """Show the explanation of a kind of finding, and of its fix."""
        self.show_term(f"{CHECK}{kind}")

    def _show_glossary(self) -> None:
        """Show the word at the cursor where the glossary has it."""
        glossary, term = self._open_glossary(), None
        if isinstance(text := QApplication.focusWidget(), LineText):
            cursor = text.textCursor()
            line = cursor.block().text()
            term = term_at(line, characters(line, cursor.positionInBlock()))
        self.show_term(term.id if term is not None else glossary.term if glossary is not None else "")

    def _open_glossary(self) -> GlossaryWindow | None:
        is_open = self._glossary is not None and shiboken6.isValid(self._glossary) and self._glossary.isVisible()
        return self._glossary if is_open else None

    def _show_keys(self) -> None:
        window = self._window
        further = tuple(self._further_keys())
        # While presenting, theirs are what is looked for.
        commands = (*further, *window.commands) if window.isFullScreen() else (*window.commands, *further)
        KeySheet(window.whole, plain(window.action("keys").text()), commands).open()

    def _about(self) -> None:
        text = self.tr("See what JAX hides: keys, noise, program and time.")
        # Not at the top: nothing else of the first picture needs it.
        from importlib.metadata import version

        title = f"JAX Explorer {version('jax-explorer')}"
        QMessageBox.about(self._window, "JAX Explorer", html(tag("b", title), tag("p", text)))

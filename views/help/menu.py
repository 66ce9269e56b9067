"""The commands of the Help menu."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import shiboken6
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMessageBox

from explorer.text.html import html, tag
from views.help.glossary import CHECK
from views.help.glossary_window import GlossaryWindow
from views.help.what_is_this import WhatIsThis
from views.window.commands import Command, plain
from views.window.key_sheet import KeySheet
from views.window.main_window import MainWindow


class HelpMenu(QObject):
    """Shows the sheet of keys, the tour, the glossary, and "What is this?".

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
        self.what_is_this = WhatIsThis(window, language)
        self.what_is_this.term_wanted.connect(self.show_term)

    def commands(self) -> dict[str, Callable[[], object]]:
        """Return the action of each command."""
        return {
            "keys": self._show_keys,
            "tour": self._window.tour.show,
            "glossary": self._show_glossary,
            "what_is_this": self.what_is_this.ask,
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
        glossary = self._open_glossary()
        self.show_term(glossary.term if glossary is not None else self.what_is_this.last)

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

"""Appearance keeps theme, text size, language and known remotes, and applies the look to the window."""

from __future__ import annotations

from typing import get_args

import msgspec
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from explorer.library.settings import Settings
from explorer.link.remotes.remote import Remote
from explorer.text.languages import known_languages
from explorer.window import languages
from views import theme
from views.theme import ThemeName
from views.window.main_window import MainWindow


class Appearance(QObject):
    """Keeps the appearance and applies it to the application and the window.

    Signals:
        changed: theme, text size or language.
        language_changed: the window needs texts in another language.
    """

    changed = Signal()
    language_changed = Signal()

    def __init__(self, application: QApplication, window: MainWindow, chosen: Settings, language: str = "") -> None:
        super().__init__(window)
        self._application = application
        self._window = window
        self.settings = chosen
        """The settings, with the current appearance."""
        self.is_language_asked_for = bool(language)
        """Whether the command line names the language."""
        self.language = language or chosen.language or languages.system_language()
        """Language of the window and of the stories, for example ``ko``."""
        self._code_size, self._least = 1.0, 0.0
        self._applied = theme.chosen(chosen.theme, chosen.scale)
        """The appearance that the application was created with, see `app.make_application`."""

    def apply(self) -> None:
        """Apply the appearance to all parts."""
        settings = self.settings
        wanted = theme.chosen(settings.theme, settings.scale, self._code_size, self._least)
        if wanted != self._applied:
            theme.apply_to_application(self._application, wanted)
            self._applied = wanted
        theme.apply_to_tree(self._window, wanted)
        for name in get_args(ThemeName):
            self._window.action(name).setChecked(name == wanted.name)
        for language in known_languages():
            self._window.action(f"language_{language}").setChecked(language == self.language)

    def choose_theme(self, name: ThemeName) -> None:
        """Show everything in theme `name`."""
        self._choose(theme=name)

    def choose_language(self, language: str) -> None:
        """Show everything in `language`."""
        before, self.language = self.language, language
        if language == before:
            self._choose(language=language)
            return
        self.settings = msgspec.structs.replace(self.settings, language=language)
        self.changed.emit()
        languages.install(self._application, language)
        self.language_changed.emit()

    def step_scale(self, steps: int) -> None:
        """Increase or decrease the text size by `steps`; 0 restores the normal size."""
        self._choose(scale=theme.next_scale(self.settings.scale, steps) if steps else 1.0)

    def keep_tour_seen(self) -> None:
        """Remember that the user has seen the tour."""
        self.settings = msgspec.structs.replace(self.settings, tour_seen=True)

    def keep_remote(self, remote: Remote) -> None:
        """Remember `remote`, instead of an earlier one of the same name."""
        others = (each for each in self.settings.remotes if each.name != remote.name)
        self.settings = msgspec.structs.replace(self.settings, remotes=(*others, remote))

    def apply_to_tree(self, name: ThemeName, scale: float, code_size: float = 1.0, least: float = 0.0) -> None:
        """Apply theme `name` at text size `scale`, code at `code_size`, no text smaller than `least` of that."""
        self._code_size, self._least = code_size, least
        self._choose(theme=name, scale=scale)

    def _choose(self, **changes: object) -> None:
        self.settings = msgspec.structs.replace(self.settings, **changes)
        self.apply()
        self.changed.emit()

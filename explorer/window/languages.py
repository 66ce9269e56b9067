"""install() sets the window's language for Qt and the worker's texts; system_language() is the system's."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from explorer.text import languages
from explorer.text.languages import known_languages
from explorer.text.text import choose_language


def system_language() -> str:
    """Return the language of the system where the window speaks it, else ``en``."""
    name = QLocale.system().name()
    return next((each for each in (name, name.partition("_")[0]) if each in known_languages()), "en")


def install(application: QCoreApplication, language: str) -> None:
    """Use `language` for all further texts, including Qt's own."""
    for old in application.findChildren(QTranslator):
        application.removeTranslator(old)
        old.deleteLater()
    for name, folder in (
        (f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)),
        (f"jax-explorer_{language}", str(languages.FOLDER)),
    ):
        translator = QTranslator(application)
        if translator.load(name, folder):
            application.installTranslator(translator)
    choose_language(language)

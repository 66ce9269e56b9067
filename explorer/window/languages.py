"""The language of the window: Qt's translators for new texts, and the texts that stand there already said again."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from xml.etree import ElementTree

from PySide6.QtCore import QLibraryInfo, QLocale, QObject, Qt, QTranslator
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QTabWidget, QTreeWidget, QWidget

from resources.translations import FOLDER, known_languages

TEXTS = ("text", "iconText", "toolTip", "statusTip", "accessibleName", "placeholderText", "windowTitle", "title")
"""Properties of Qt's classes that hold a text for the person."""


def system_language() -> str:
    """Return the language of the system where the window speaks it, else ``en``."""
    language = QLocale.system().name().partition("_")[0]
    return language if language in known_languages() else "en"


def install(application: QApplication, language: str) -> None:
    """Let every text that is asked for from now on be in `language`, Qt's own too."""
    for old in application.findChildren(QTranslator):
        application.removeTranslator(old)
        old.deleteLater()
    for name, folder in (
        (f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)),
        (f"jax-explorer_{language}", str(FOLDER)),
    ):
        translator = QTranslator(application)
        if translator.load(name, folder):
            application.installTranslator(translator)


def say_again(window: QWidget, before: str, after: str) -> None:
    """Put each fixed text in `window` that stands there in language `before` into `after`.

    So no widget needs to know that languages exist. What is composed of numbers and names is written anew by its view,
    with the next result.
    """
    known = _sources(before)
    for each in (window, *window.findChildren(QObject)):
        for name in TEXTS:
            text = each.property(name)
            if isinstance(text, str) and text in known and not (name == "text" and isinstance(each, QLineEdit)):
                each.setProperty(name, _translated(each, known, after, text))
        _say_items_again(each, partial(_translated, each, known, after))


def translations(language: str) -> dict[tuple[str, str], str]:
    """Return the translation into `language` of each (context, text in the code); empty for English."""
    path = FOLDER / f"jax-explorer_{language}.ts"
    if not path.exists():
        return {}
    return {
        (context.findtext("name", ""), message.findtext("source", "")): message.findtext("translation", "")
        for context in ElementTree.parse(path).iter("context")
        for message in context.iter("message")
    }


def _say_items_again(widget: QObject, translated: Callable[[str], str]) -> None:
    if isinstance(widget, QTabWidget):
        for index in range(widget.count()):
            widget.setTabText(index, translated(widget.tabText(index)))
    if isinstance(widget, QTreeWidget):
        heading = widget.headerItem()
        for column in range(heading.columnCount()):
            heading.setText(column, translated(heading.text(column)))
    if isinstance(widget, QComboBox):
        for index in range(widget.count()):
            widget.setItemText(index, translated(widget.itemText(index)))
            if tip := widget.itemData(index, Qt.ItemDataRole.ToolTipRole):
                widget.setItemData(index, translated(tip), Qt.ItemDataRole.ToolTipRole)


@cache
def _sources(language: str) -> dict[str, dict[str, str]]:
    """Return for each text as it stands on screen in `language` what it is in the code, by context."""
    found: dict[str, dict[str, str]] = {}
    spoken = translations(language)
    for context, source in spoken or translations(known_languages()[-1]):
        found.setdefault(spoken.get((context, source), source), {})[context] = source
    return found


_translations = cache(translations)


def _translated(owner: QObject, known: dict[str, dict[str, str]], language: str, text: str) -> str:
    """Return `text`, a text of `owner`, in `language`; as it is where it is none of ours."""
    sources = known.get(text)
    if not sources:
        return text
    # The same word may be another one elsewhere; it was said by the owner or by what the owner stands in.
    context = next((name for name in _class_names(owner) if name in sources), next(iter(sources)))
    return _translations(language).get((context, sources[context]), sources[context])


def _class_names(owner: QObject) -> list[str]:
    names: list[str] = []
    each: QObject | None = owner
    while each is not None:
        names += [kind.__name__ for kind in type(each).__mro__]
        each = each.parent()
    return names

"""GlossaryWindow, terms(): the words of window and lessons and the kinds of findings, explained, searched."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import msgspec
from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QTextCursor
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

import resources
from explorer.diagnostics import page
from explorer.diagnostics.check import Check
from explorer.diagnostics.registry import checks
from explorer.scenario.texts import Texts, read
from explorer.text.languages import known_languages
from views.parts.controls import HairlineSplitter, fill
from views.parts.markdown import fill_document
from views.parts.own_document import LESSON_SCHEME, TERM_SCHEME, TextBrowser
from views.theme import Theme

FILE = Path(resources.__file__).parent / "glossary.toml"
_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_JAX = frozenset(("", "jax", "random", "jr", "jrandom", "tree", "tree_util", "lax", "self"))
"""Modules whose names have JAX's meaning: the split of a string is not that of keys."""
_NUMPY = frozenset(("np", "numpy"))


class Term(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One term.

    Attributes:
        id: its id in other terms, links and tests.
        text: a sentence or two, code in it between backticks.
        words: its names in code, jaxprs and HLO.
        see: ids of other terms.
        lesson: the id of the lesson that teaches it; empty for none.
    """

    id: str
    title: Texts
    text: Texts
    words: tuple[str, ...] = ()
    see: tuple[str, ...] = ()
    lesson: str = ""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    term: tuple[Term, ...]


@functools.cache
def terms() -> dict[str, Term]:
    """Return every term by its id, in the order of the file, which groups related terms."""
    return {each.id: each for each in read(tomllib.loads(FILE.read_text(encoding="utf-8")), _File).term}


CHECK = "check:"
"""The prefix of the id of an entry about a kind of finding."""


@functools.cache
def entries() -> dict[str, Term]:
    """Return every entry of the glossary by its id: the terms, then a page for each kind of finding."""
    pages = {f"{CHECK}{kind}": check for kind, check in checks().items()}
    return terms() | {
        name: Term(name, Texts(check.id), _page(check), lesson=check.lesson()) for name, check in pages.items()
    }


def _page(check: Check) -> Texts:
    english, *others = ((each, page.body(check, each, depth=4)) for each in known_languages())
    return Texts(english[1], **dict(others))


@functools.cache
def _by_word() -> dict[str, Term]:
    return {word: term for term in terms().values() for word in term.words}


def term_at(line: str, column: int) -> Term | None:
    """Return the term for the word at `column` of a line of code, jaxpr or HLO; None for any other name."""
    for name in _NAME.finditer(line):
        if name.start() <= column <= name.end():
            end = name.end() if (dot := line.find(".", column, name.end())) < 0 else dot
            *owners, word = line[name.start() : end].split(".")
            is_meant = (owners or [""])[-1] in _JAX and (owners or [""])[0] not in _NUMPY
            return _by_word().get(word) if is_meant else None
    return None


def found(words: str, language: str) -> list[Term]:
    """Return the terms that have every one of `words`: those with one of them in their name first."""
    wanted = words.casefold().split()
    here = [each for each in entries().values() if all(word in _all_of(each, language) for word in wanted)]
    return sorted(here, key=lambda each: not any(word in _name_of(each, language) for word in wanted))


def _name_of(term: Term, language: str) -> str:
    """Return its name in `language` and in English, which code is written in."""
    return f"{term.title.text(language)} {term.title.text('en')} {' '.join(term.words)}".casefold()


def _all_of(term: Term, language: str) -> str:
    return f"{_name_of(term, language)} {term.text.text(language)}".casefold()


SIZE = (940, 560)
"""Pixels at text size 1, limited by the screen."""
LIST_SHARE = 0.26
_MOVING = (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp)


class GlossaryWindow(QDialog):
    """Stays next to the main window until it is closed.

    Signals:
        lesson_wanted: the id of the lesson that teaches a word.
    """

    lesson_wanted = Signal(str)

    def __init__(self, parent: QWidget, language: str, theme: Theme, title_of: Callable[[str], str]) -> None:
        super().__init__(parent)
        self._language, self._theme, self._title_of = language, theme, title_of
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Glossary"))
        self._search = QLineEdit(clearButtonEnabled=True)
        self._search.setPlaceholderText(self.tr("Search"))
        self._search.setAccessibleName(self.tr("Search the glossary"))
        self._list = QListWidget()
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._list.setAccessibleName(self.tr("Words"))
        self._list.setWordWrap(True)
        self._list.setResizeMode(QListWidget.ResizeMode.Adjust)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._none = QLabel(self.tr("The glossary has no such word."), wordWrap=True)
        self._text = TextBrowser()
        self._text.setAccessibleName(self.tr("Meaning"))
        self._lay_out()
        self._search.textChanged.connect(self._list_found)
        self._list.currentItemChanged.connect(self._show_current)
        self._text.anchorClicked.connect(self._follow)
        self._list_found()

    @property
    def term(self) -> str:
        """The id of the word that is shown; empty for none."""
        item = self._list.currentItem()
        return str(item.data(Qt.ItemDataRole.UserRole)) if item is not None else ""

    def show_term(self, term: str) -> None:
        """Show the entry of the term with the id `term`."""
        if term not in self._ids():
            self._search.clear()
        if term in (ids := self._ids()):
            self._list.setCurrentRow(ids.index(term))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk through the list from the search field, too."""
        if event.key() in _MOVING and self._search.hasFocus():
            QGuiApplication.sendEvent(self._list, event)
        elif event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)

    def _ids(self) -> list[str]:
        return [str(self._list.item(row).data(Qt.ItemDataRole.UserRole)) for row in range(self._list.count())]

    def _list_found(self) -> None:
        before, here = self.term, found(self._search.text(), self._language)
        self._list.clear()
        for term in here:
            item = QListWidgetItem(term.title.text(self._language), self._list)
            item.setData(Qt.ItemDataRole.UserRole, term.id)
        ids = [term.id for term in here]
        searches = bool(self._search.text())
        self._list.setCurrentRow(ids.index(before) if before in ids and not searches else 0)
        self._none.setVisible(not here)

    def _show_current(self) -> None:
        term = entries().get(self.term)
        fill_document(self._text.document(), self._markdown(term) if term else "", self._theme)
        self._text.moveCursor(QTextCursor.MoveOperation.Start)

    def _markdown(self, term: Term) -> str:
        parts = [f"### {term.title.text(self._language)}", term.text.text(self._language)]
        links = (f"[{terms()[each].title.text(self._language)}]({TERM_SCHEME}:{each})" for each in term.see)
        if term.see:
            parts.append(self.tr("See also: {}").format(", ".join(links)))
        if title := self._title_of(term.lesson):
            parts.append(self.tr("Lesson: {}").format(f"[{title}]({LESSON_SCHEME}:{term.lesson})"))
        return "\n\n".join(parts)

    def _follow(self, link: QUrl) -> None:
        if link.scheme() == TERM_SCHEME:
            self.show_term(link.path())
        else:
            self.lesson_wanted.emit(link.path())

    def _lay_out(self) -> None:
        theme, left = self._theme, QWidget()
        fill(QVBoxLayout(left), self._search, self._none, (self._list, 1), spacing=-1).addStretch()
        both = HairlineSplitter(Qt.Orientation.Horizontal)
        both.addWidget(left)
        both.addWidget(self._text)
        layout = QHBoxLayout(self)
        layout.addWidget(both)
        room = self.screen().availableGeometry()
        width, height = (
            min(theme.px(each), most) for each, most in zip(SIZE, (room.width(), room.height()), strict=True)
        )
        self.resize(width, height)
        both.setSizes([int(LIST_SHARE * width), int((1 - LIST_SHARE) * width)])

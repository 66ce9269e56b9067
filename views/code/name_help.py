"""NameHelp: completion, call hint, hover and definitions: when to ask the worker, how to show its answers."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import QCoreApplication, QObject, QPoint, QRect, QStringListModel, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QApplication, QCompleter, QFrame, QListView, QToolTip

from explorer.messages import NameAnswer, NameQuestion
from explorer.text.html import Html, html, start, tag
from views.text.document_edits import characters, utf16_length
from views.text.highlighters import is_code
from views.text.line_text import LineText
from views.theme import restyle

LETTERS_TO_OPEN = 2
HINT_MS = 60_000
FARTHEST = 10_000
"""The most characters after the bracket of a call with an open hint."""

Matter = Literal["names", "call", "hover", "definition"]
_WORD = re.compile(r"(?:(?<!\w)[^\W\d]\w*)?\Z")
_NEW_NAME = re.compile(r"(?:\b(?:def|class|as|for|lambda|import)\s+|\d|(?<!\w)\d[\d_]*\.)\Z")
"""The text before a new name that the user is making up, or before the rest of a number."""
_CALLED = re.compile(r"(?:(?<!\bdef )(?<!\bclass )\b[^\W\d]\w*|[)\]])\Z")
"""The text before a bracket of a call."""
_MOVING = (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp)
_ACCEPTING = (Qt.Key.Key_Tab, Qt.Key.Key_Return, Qt.Key.Key_Enter)


class NameHelp(QObject):
    """Asks while the user types; only the answer to the newest question of its kind is shown.

    Signals:
        asked: a NameQuestion.
        defined: line and column where the name is bound, None if it is not bound in the code.
    """

    asked = Signal(object)
    defined = Signal(object)

    def __init__(self, text: LineText, source: Callable[[], str]) -> None:
        super().__init__(text)
        self._text, self._source = text, source
        self._numbers = itertools.count(1)
        self._newest: dict[Matter, int] = {}
        self._typed = ""
        self._begins = 0
        """The position of the word that is completed."""
        self._call = -1
        """The position of the bracket whose call the hint explains, -1 for none."""
        self._resting = QPoint()
        self._completer = QCompleter(self)
        self._completer.setModel(QStringListModel(self._completer))
        self._completer.setWidget(text)
        self._completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._list = QListView()
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._completer.setPopup(self._list)
        # A Qt.Popup would take the keyboard, and with it the window's shortcuts and the editor's own keys.
        self._list.setWindowFlags(Qt.WindowType.ToolTip)
        self._list.setStyleSheet("border: 1px solid palette(placeholder-text)")
        self._list.setAccessibleName(self.tr("Names that fit"))
        self._completer.activated.connect(self._accept)
        text.verticalScrollBar().valueChanged.connect(self.close)
        text.rested.connect(self._on_rested)
        text.cursorPositionChanged.connect(self._on_cursor_moved)

    def wants(self, event: QKeyEvent) -> bool:
        """Return whether `event` belongs to the open popup, and is no shortcut of another widget."""
        return event.key() == Qt.Key.Key_Escape and (self._list.isVisible() or self._hints)

    def take_key(self, event: QKeyEvent) -> bool:
        """Handle `event` in the open popup; return whether nothing else should handle it."""
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        control, key = modifiers == Qt.KeyboardModifier.ControlModifier, event.key()
        self._typed = "" if control else event.text()
        if control and key == Qt.Key.Key_Space:
            self._complete()
        elif self.wants(event):
            self.close()
        elif modifiers or not self._list.isVisible():
            return False
        elif key in _MOVING:
            QCoreApplication.sendEvent(self._list, event)
        elif key in _ACCEPTING and (chosen := self._list.currentIndex().data()) not in (None, self._word()):
            # A name that is written already is not chosen once more: Enter begins a line then.
            self._accept(chosen)
        else:
            return False
        return True

    def text_changed(self) -> None:
        """Follow the newest edit."""
        typed, self._typed = self._typed, ""
        word, cursor = self._word(), self._text.textCursor()
        cursor.setPosition(self._start())
        is_in_code = is_code(cursor.block(), max(0, self._text.textCursor().positionInBlock() - 1))
        if typed == "(" and is_in_code and _CALLED.search(self._before(cursor)[:-1]):
            self._call = self._start() - 1
            cursor.setPosition(self._call)
            self._ask("call", cursor)
        if self._list.isVisible() and self._start() == self._begins and word:
            self._show_list()
        elif typed == "." or (typed.isidentifier() and len(word) >= LETTERS_TO_OPEN):
            if is_in_code and not _NEW_NAME.search(self._before(cursor)):
                self._complete()
        else:
            self._close_list()

    def show_answer(self, answer: NameAnswer) -> None:
        """Show `answer` where it still fits the cursor."""
        matter = next((each for each, number in self._newest.items() if number == answer.number), "")
        if matter == "names" and self._start() == self._begins:
            self._completer.setModel(QStringListModel(answer.names, self._completer))
            self._show_list()
        elif matter == "call" and answer.title:
            self._show_hint(answer)
        elif matter == "definition":
            self.defined.emit(answer.defined)
        elif matter == "hover" and answer.title:
            row = self._text.cursorForPosition(self._resting).blockNumber()
            already = self._text.tip_of_row(row) if self._text.tip_of_row else ""
            problem = Html(html(start("hr"), already).replace("\n", "<br>")) if already else ""
            place = self._text.viewport().mapToGlobal(self._resting)
            QToolTip.showText(place, tag("div", self._described(answer), problem), self._text)

    def ask_for_definition(self) -> None:
        """Ask where the name at the cursor is bound."""
        self._ask("definition", self._text.textCursor())

    def close(self) -> None:
        """Close the popup and forget pending questions."""
        if self._hints:
            QToolTip.hideText()
        self._call = -1
        self._list.hide()
        self._newest.clear()

    # -- names --------------------------------------------------------------------------------

    def _complete(self) -> None:
        self._begins = self._start()
        self._ask("names", self._text.textCursor())

    def _show_list(self) -> None:
        """List the completions of the word before the cursor."""
        self._completer.setCompletionPrefix(self._word())
        if self._completer.completionCount() < 2 and self._completer.currentCompletion() in ("", self._word()):
            self._list.hide()
            return
        cursor = self._text.textCursor()
        cursor.setPosition(self._begins)
        place = self._text.cursorRect(cursor).translated(self._text.viewport().pos())
        self._list.setFont(self._text.font())
        place.setWidth(self._list.sizeHintForColumn(0) + 2 * self._text.fontMetrics().height())
        restyle(self._list)
        self._completer.complete(place)
        self._list.setCurrentIndex(self._completer.completionModel().index(0, 0))

    def _close_list(self) -> None:
        self._list.hide()
        self._newest.pop("names", None)

    def _accept(self, name: str) -> None:
        self._close_list()
        self._typed = ""
        cursor = self._text.textCursor()
        cursor.setPosition(self._begins, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(name)

    def _before(self, cursor: QTextCursor) -> str:
        return cursor.block().text()[: characters(cursor.block().text(), cursor.positionInBlock())]

    def _word(self) -> str:
        return str(_WORD.findall(self._before(self._text.textCursor()))[0])

    def _start(self) -> int:
        return self._text.textCursor().position() - utf16_length(self._word())

    # -- what a call takes, what a name is ----------------------------------------------------

    @property
    def _hints(self) -> bool:
        return self._call >= 0 and QToolTip.isVisible()

    def _show_hint(self, answer: NameAnswer) -> None:
        line, viewport = self._text.cursorRect(), self._text.viewport()
        below = viewport.mapToGlobal(line.bottomLeft())
        QToolTip.showText(below, self._described(answer), self._text, QRect(), HINT_MS)
        # Above the line it covers neither the list of names nor what is written next.
        for tip in QApplication.topLevelWidgets():
            if tip.inherits("QTipLabel"):
                tip.move(below.x(), max(0, below.y() - line.height() - tip.height()))

    def _described(self, answer: NameAnswer) -> Html:
        title = tag("b", answer.title, style=f"font-family: '{self._text.font().family()}'")
        return html(title, start("br"), answer.doc) if answer.doc else title

    def _on_rested(self, place: QPoint) -> None:
        cursor = self._text.cursorForPosition(place)
        over_text = self._text.cursorRect(cursor).adjusted(-place.x(), 0, 12, 0).contains(place)
        if over_text and is_code(cursor.block(), cursor.positionInBlock()) and not self._list.isVisible():
            self._resting = place
            self._ask("hover", cursor)

    def _on_cursor_moved(self) -> None:
        if self._start() != self._begins:
            self._close_list()
        if self._call < 0:
            return
        inside = self._text.textCursor()
        near = 0 < inside.anchor() - self._call < FARTHEST
        if near:
            inside.setPosition(self._call, QTextCursor.MoveMode.KeepAnchor)
        written = inside.selectedText() if near else ""
        if written.count("(") <= written.count(")"):
            self.close()

    def _ask(self, matter: Matter, cursor: QTextCursor) -> None:
        self._newest[matter] = next(self._numbers)
        column = len(self._before(cursor))
        line = cursor.blockNumber() + 1
        self.asked.emit(NameQuestion(self._newest[matter], self._source(), line, column, completes=matter == "names"))

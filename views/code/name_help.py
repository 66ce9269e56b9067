"""Completion, call hint and hover of the editor: when to ask the worker, and what to do with its answers."""

from __future__ import annotations

import re

from PySide6.QtCore import QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QLabel, QToolTip

from explorer.messages import Name, NameAnswer, NameMatter, NameQuestion
from views.code.completion import MOST_ROWS, Completion
from views.code.words_of_names import call_hint, described
from views.text.document_edits import characters, plain_text
from views.text.highlighters import is_code
from views.text.line_text import LineText
from views.theme import LIGHT, Theme

LETTERS_TO_OPEN = 2
HINT_WIDTH = 560

_WORD = re.compile(r"(?<!\w)[^\W\d]\w*\Z")
_NEW_NAME = re.compile(r"(?:\b(?:def|class|as|for|lambda|import)\s+|\d|(?<!\w)\d[\d_]*\.)\Z")
"""What stands before a name that the person is just making up, or before what goes on with a number."""
_STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: MOST_ROWS - 1, Qt.Key.Key_PageUp: 1 - MOST_ROWS}
_ACCEPTING = (Qt.Key.Key_Tab, Qt.Key.Key_Return, Qt.Key.Key_Enter)


class NameHelp(QObject):
    """Asks while the person types; an answer to anything but the newest question of its matter is dropped.

    Signals:
        asked: a NameQuestion.
    """

    asked = Signal(object)

    def __init__(self, text: LineText) -> None:
        super().__init__(text)
        self._text = text
        self._theme = LIGHT
        self._numbers = 0
        self._newest: dict[NameMatter, int] = {}
        self._typed = ""
        self._wanted = False
        """Whether the person asked for the list, or it opens by itself."""
        self._names: tuple[Name, ...] = ()
        self._resting: QPoint | None = None
        """Where the pointer rests, while a hover is asked for; None while a completion is being described."""
        self._list = Completion(text)
        self._hint = QLabel(text, textFormat=Qt.TextFormat.RichText)
        self._hint.setAccessibleName(self.tr("What this call takes"))
        self._hint.hide()
        self._list.chosen.connect(self._accept)
        self._list.current_changed.connect(self._describe_chosen)
        text.verticalScrollBar().valueChanged.connect(self.close)
        text.rested.connect(self._on_rested)
        text.cursorPositionChanged.connect(self._on_cursor_moved)

    @property
    def completing(self) -> bool:
        """Whether the list of names is open."""
        return self._list.isVisible()

    def wants(self, event: QKeyEvent) -> bool:
        """Return whether `event` is for what is open here, and nobody else's shortcut."""
        return event.key() == Qt.Key.Key_Escape and (self._list.isVisible() or self._hint.isVisible())

    def take_key(self, event: QKeyEvent) -> bool:
        """Do what `event` means here; return whether that is all it means."""
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        control = event.modifiers() == Qt.KeyboardModifier.ControlModifier
        self._typed = "" if control else event.text()
        if control and event.key() == Qt.Key.Key_Space:
            self._wanted = True
            self._ask("complete")
        elif plain and event.key() == Qt.Key.Key_Escape and self.wants(event):
            self.close()
        elif plain and self.completing and event.key() in _STEPS:
            self._list.step(_STEPS[Qt.Key(event.key())])
        elif plain and self.completing and event.key() in _ACCEPTING and self._list.current != self._word():
            self._accept(self._list.current)
        else:
            # A name that is written already is not chosen once more: Enter begins a line then.
            if self.completing and event.key() in _ACCEPTING:
                self._list.hide()
            return False
        return True

    def text_changed(self) -> None:
        """Follow what the person has just typed."""
        typed, self._typed = self._typed, ""
        if typed in ("(", ",") or self._hint.isVisible():
            self._ask("call")
        word = self._word()
        opens = (typed.isidentifier() and len(word) >= LETTERS_TO_OPEN) or typed == "."
        if (opens and self._may_open(word)) or (self.completing and word):
            self._narrow(word)
            self._ask("complete")
        else:
            self._list.hide()
            self._wanted = False
            self._newest.pop("complete", None)

    def show_answer(self, answer: NameAnswer) -> None:
        """Show `answer` where it is still about what the person is doing."""
        if self._newest.get(answer.matter) != answer.number:
            return
        if answer.matter == "complete":
            self._show_names(answer.names, answer.prefix)
        elif answer.matter == "call":
            self._show_hint(answer)
        elif self._resting is not None:
            self._show_tip(answer)
        elif self.completing:
            self._list.show_description(answer)

    def close(self) -> None:
        """Close what is open and forget what was asked."""
        self._newest.clear()
        self._list.hide()
        self._hint.hide()

    def apply_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._list.apply_theme(theme)
        self._hint.setFont(theme.font())
        self._hint.setMargin(theme.px(4))
        self._hint.setStyleSheet(f"background: {theme.panel}; color: {theme.text}; border: 1px solid {theme.dim};")

    # -- asking -----------------------------------------------------------------------------------------------

    def _ask(self, matter: NameMatter, cursor: QTextCursor | None = None, chosen: str = "") -> None:
        cursor = cursor or self._text.textCursor()
        self._numbers += 1
        self._newest[matter] = self._numbers
        column = characters(cursor.block().text(), cursor.positionInBlock())
        source = plain_text(self._text.document())
        self.asked.emit(NameQuestion(self._numbers, matter, source, cursor.blockNumber() + 1, column, chosen))

    def _describe_chosen(self, name: str) -> None:
        self._resting = None
        self._ask("describe", chosen=name.rstrip("="))

    def _on_rested(self, place: QPoint) -> None:
        cursor = self._text.cursorForPosition(place)
        over_text = self._text.cursorRect(cursor).adjusted(-place.x(), 0, self._theme.px(12), 0).contains(place)
        if over_text and is_code(cursor.block(), cursor.positionInBlock()) and not self.completing:
            self._resting = place
            self._ask("describe", cursor)

    def _may_open(self, word: str) -> bool:
        cursor = self._text.textCursor()
        before = self._before_cursor()
        code = is_code(cursor.block(), max(0, cursor.positionInBlock() - 1))
        return code and not _NEW_NAME.search(before[: len(before) - len(word)])

    def _before_cursor(self) -> str:
        cursor = self._text.textCursor()
        text = cursor.block().text()
        return text[: characters(text, cursor.positionInBlock())]

    def _word(self) -> str:
        found = _WORD.search(self._before_cursor())
        return found[0] if found else ""

    # -- showing ----------------------------------------------------------------------------------------------

    def _narrow(self, word: str) -> None:
        """Leave away at once what does not fit any more; the answer brings the rest."""
        if self.completing:
            self._show_names(tuple(each for each in self._names if each.text.startswith(word)), word)

    def _show_names(self, names: tuple[Name, ...], word: str) -> None:
        self._names = names
        if not self._wanted and not self._before_cursor().endswith(f".{word}"):
            # By itself the list offers nothing that Enter would turn a new name into.
            names = tuple(each for each in names if each.text.startswith(word))
        if not names or word != self._word() or [each.text for each in names] == [word]:
            self._list.hide()
            return
        self._list.show_names(names, word)
        cursor = self._text.textCursor()
        cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.MoveAnchor, len(word))
        self._list.place(self._text.window(), self._in_window(self._text.cursorRect(cursor)))

    def _show_hint(self, answer: NameAnswer) -> None:
        if not answer.parameters:
            self._hint.hide()
            return
        self._hint.setParent(self._text.window())
        self._hint.setText(call_hint(answer, self._theme))
        widest = min(self._theme.px(HINT_WIDTH), self._text.window().width())
        self._hint.setWordWrap(False)
        if self._hint.sizeHint().width() > widest:
            self._hint.setWordWrap(True)
            self._hint.resize(widest, self._hint.heightForWidth(widest))
        else:
            self._hint.resize(self._hint.sizeHint())
        cursor = self._in_window(self._text.cursorRect())
        left = max(0, min(cursor.left(), self._text.window().width() - self._hint.width()))
        above = cursor.top() - self._hint.height() - self._theme.px(2)
        self._hint.move(left, above if above >= 0 else cursor.bottom() + self._theme.px(2))
        self._hint.show()
        self._hint.raise_()

    def _show_tip(self, answer: NameAnswer) -> None:
        place, self._resting = self._resting, None
        words = described(answer, self._theme)
        if words and place is not None:
            row = self._text.cursorForPosition(place).blockNumber()
            already = self._text.tip_of_row(row) if self._text.tip_of_row else ""
            problem = f"<hr>{already}".replace("\n", "<br>") if already else ""
            QToolTip.showText(self._text.viewport().mapToGlobal(place), f"<div>{words}{problem}</div>", self._text)

    def _in_window(self, place: QRect) -> QRect:
        return QRect(self._text.viewport().mapTo(self._text.window(), place.topLeft()), place.size())

    # -- what the person did ----------------------------------------------------------------------------------

    def _accept(self, name: str) -> None:
        cursor = self._text.textCursor()
        word = self._word()
        self._typed = ""
        cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor, len(word))
        self._list.hide()
        cursor.insertText(name)
        self._text.setTextCursor(cursor)
        self._list.hide()

    def _on_cursor_moved(self) -> None:
        """A move without typing closes the list, and asks anew which argument the cursor is at."""
        if self._typed or not self._text.watched:
            return
        if self._hint.isVisible():
            self._ask("call")
        if self.completing and not self._word():
            self._list.hide()

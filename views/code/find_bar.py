"""The fields below the code: find and replace."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor, QTextDocument
from PySide6.QtWidgets import QGridLayout, QLabel, QLineEdit, QPlainTextEdit, QToolButton, QWidget

from views.parts.controls import name
from views.text.document_edits import one_step
from views.theme import DIM_TEXT, lettered, spaced

MOST_FOUND = 1000
"""Places that are counted and shown; more would only slow down typing."""


class FindBar(QWidget):
    """Searches for a word in one text.

    Signals:
        found_changed: the cursors that select the matches, in order.
    """

    found_changed = Signal(object)

    def __init__(self, text: QPlainTextEdit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self._found: list[QTextCursor] = []
        self._wanted = lettered(QLineEdit(), code=True)
        self._replacement = lettered(QLineEdit(), code=True)
        self._count = QLabel()
        self._count.setForegroundRole(DIM_TEXT)
        self._case = _button(self.tr("Aa"), self.tr("Match case"))
        self._case.setCheckable(True)
        self._previous = _button("‹", self.tr("Previous match (Shift+F3)"))
        self._next = _button("›", self.tr("Next match (F3)"))
        self._replace = _button(self.tr("Replace"), self.tr("Replace this match and go to the next"))
        self._replace_all = _button(self.tr("Replace all"), self.tr("Replace every match, in one undo step"))
        self._close = _button("✕", self.tr("Close (Esc)"))
        self._lay_out()
        self._connect()
        self.setAutoFillBackground(True)
        self.setAccessibleName(self.tr("Find and replace"))
        self.hide()

    @property
    def has_found(self) -> bool:
        """Whether there is a match to go to."""
        return bool(self._found)

    def open(self, *, replacing: bool) -> None:
        """Show the bar with the selection as the word to find."""
        for part in (self._replacement, self._replace, self._replace_all):
            part.setVisible(replacing)
        selected = self._text.textCursor().selectedText()
        if selected and "\u2029" not in selected:
            self._wanted.setText(selected)
        self.show()
        self._wanted.selectAll()
        self._wanted.setFocus()
        self.search()

    def close_bar(self) -> None:
        """Hide the bar and focus the text."""
        self.hide()
        self._found = []
        self.found_changed.emit([])
        self._text.setFocus()

    def search(self) -> None:
        """Search the text again."""
        self._found = self._all_places()
        self.found_changed.emit(list(self._found))
        self._show_count()

    def go_to_next(self) -> None:
        """Select the next match after the cursor; after the last the first."""
        start = self._text.textCursor().selectionEnd()
        later = [each for each in self._found if each.selectionStart() >= start]
        self._select((later or self._found)[:1])

    def go_to_previous(self) -> None:
        """Select the match before the cursor; before the first the last."""
        start = self._text.textCursor().selectionStart()
        earlier = [each for each in self._found if each.selectionEnd() <= start]
        self._select((earlier or self._found)[-1:])

    def replace_one(self) -> None:
        """Replace the selection, if it is a match, and go to the next match."""
        cursor = self._text.textCursor()
        if any(_same_place(each, cursor) for each in self._found):
            cursor.insertText(self._replacement.text())
            self.search()
        self.go_to_next()

    def replace_all(self) -> None:
        """Replace all matches in one undo step."""
        places = self._all_places(limit=None)
        if places:
            with one_step(places[0]):
                for place in places:
                    place.insertText(self._replacement.text())
        self.search()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # Otherwise the window's own use of Esc would win.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape:
                event.accept()
            return False
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._on_key(watched, event)
        return False

    def _on_key(self, watched: QObject, event: QKeyEvent) -> bool:
        entered = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        backwards = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        elif entered and watched is self._replacement:
            self.replace_one()
        elif entered and watched is self._wanted:
            (self.go_to_previous if backwards else self.go_to_next)()
        else:
            return False
        return True

    def _all_places(self, limit: int | None = MOST_FOUND) -> list[QTextCursor]:
        wanted, document = self._wanted.text(), self._text.document()
        flags = QTextDocument.FindFlag.FindCaseSensitively if self._case.isChecked() else QTextDocument.FindFlag(0)
        places: list[QTextCursor] = []
        place = document.find(wanted, 0, flags) if wanted else QTextCursor()
        while not place.isNull() and (limit is None or len(places) < limit):
            places.append(place)
            place = document.find(wanted, place, flags)
        return places

    def _select(self, places: list[QTextCursor]) -> None:
        if places:
            self._text.setTextCursor(places[0])
            self._text.ensureCursorVisible()
        self._show_count()

    def _show_count(self) -> None:
        cursor = self._text.textCursor()
        number = next((n for n, each in enumerate(self._found, 1) if _same_place(each, cursor)), 0)
        count = f"{MOST_FOUND}+" if len(self._found) == MOST_FOUND else str(len(self._found))
        if not self._wanted.text():
            words = ""
        elif not self._found:
            words = self.tr("not found")
        elif number:
            words = self.tr("{number} of {count}").format(number=number, count=count)
        else:
            words = self.tr("{count} found").format(count=count)
        self._count.setText(words)
        for part in (self._previous, self._next, self._replace, self._replace_all):
            part.setEnabled(bool(self._found))

    def _lay_out(self) -> None:
        self._wanted.setPlaceholderText(self.tr("Find"))
        name(self._wanted, self.tr("Find"))
        self._replacement.setPlaceholderText(self.tr("Replace with"))
        name(self._replacement, self.tr("Replace with"))
        layout = spaced(QGridLayout(self), 8, 4, 8, 4, spacing=4)
        for column, part in enumerate((self._wanted, self._case, self._count, self._previous, self._next, self._close)):
            layout.addWidget(part, 0, column)
        layout.addWidget(self._replacement, 1, 0)
        layout.addWidget(self._replace, 1, 1, 1, 2)
        layout.addWidget(self._replace_all, 1, 3, 1, 3)
        layout.setColumnStretch(0, 1)
        QWidget.setTabOrder(self._wanted, self._replacement)

    def _connect(self) -> None:
        self._wanted.textChanged.connect(self.search)
        self._case.toggled.connect(self.search)
        self._next.clicked.connect(self.go_to_next)
        self._previous.clicked.connect(self.go_to_previous)
        self._replace.clicked.connect(self.replace_one)
        self._replace_all.clicked.connect(self.replace_all)
        self._close.clicked.connect(self.close_bar)
        for part in self.findChildren(QWidget):
            part.installEventFilter(self)


def _same_place(one: QTextCursor, other: QTextCursor) -> bool:
    return (one.selectionStart(), one.selectionEnd()) == (other.selectionStart(), other.selectionEnd())


def _button(text: str, tip: str) -> QToolButton:
    button = QToolButton(autoRaise=True)
    button.setText(text)
    button.setToolTip(tip)
    button.setAccessibleName(tip)
    return button

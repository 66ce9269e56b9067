"""Help on the clicked or focused part, and on words of code and programs (Qt's What's This?)."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QHelpEvent, QTextCursor, QWhatsThisClickedEvent
from PySide6.QtWidgets import QApplication, QWhatsThis, QWidget

from explorer.text.html import Html, filled_with, html, tag
from views.help.glossary import Term, term_at, terms
from views.parts.explained import linked
from views.parts.web_links import TERM_SCHEME
from views.text.document_edits import characters
from views.text.line_text import LineText
from views.window.main_window import MainWindow


class WhatIsThis(QObject):
    """Explains parts of a window, with the sentences of `views.parts.explained`.

    Signals:
        term_wanted: the id of the word of the glossary whose link was clicked.
    """

    term_wanted = Signal(str)

    def __init__(self, window: MainWindow, language: str) -> None:
        super().__init__(window)
        self._window = window
        self._language = language
        self.last = ""
        """Id of the word that was explained last; empty for none yet."""

    def ask(self) -> None:
        """Explain the focused part, if asked by keys, else the part that is clicked next."""
        # Not earlier: the event filter is needed only now.
        for widget in self._window.findChildren(QWidget):
            if widget.whatsThis():
                widget.installEventFilter(self)
        if QApplication.keyboardModifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._explain_keyboard()
        else:
            QWhatsThis.enterWhatsThisMode()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QWhatsThisClickedEvent):
            scheme, _, term = event.href().partition(":")
            if scheme == TERM_SCHEME:
                QWhatsThis.hideText()
                self.term_wanted.emit(term)
            return True
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.WhatsThis and isinstance(watched, LineText):
            place = watched.viewport().mapFromGlobal(event.globalPos())
            return self._explain_word(watched, watched.cursorForPosition(place), event.globalPos())
        return False

    def _explain_keyboard(self) -> None:
        part = QApplication.focusWidget()
        if isinstance(part, LineText):
            place = part.viewport().mapToGlobal(part.cursorRect().bottomLeft())
            if self._explain_word(part, part.textCursor(), place):
                return
        while part is not None and not part.whatsThis():
            part = part.parentWidget()
        if part is not None:
            QWhatsThis.showText(part.mapToGlobal(part.rect().center()), part.whatsThis(), part)

    def _explain_word(self, text: LineText, cursor: QTextCursor, place: QPoint) -> bool:
        """Explain the word at `cursor`; return whether it is one of the glossary."""
        line = cursor.block().text()
        term = term_at(line, characters(line, cursor.positionInBlock()))
        if term is None:
            return False
        self.last = term.id
        QWhatsThis.showText(place, self._html(term), text)
        return True

    def _html(self, term: Term) -> Html:
        title, words = term.title.text(self._language), linked(term.text.text(self._language))
        see = ", ".join(linked(f"[{terms()[each].title.text(self._language)}]({each})") for each in term.see)
        also, more = filled_with(self.tr("See also: {}"), Html(see)), self.tr("In the glossary")
        parts = (words, also, linked(f"[{more}]({term.id})"))
        return html(tag("b", title), *(tag("p", each) for each in parts))

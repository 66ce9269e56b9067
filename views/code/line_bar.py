"""A field below the code that asks for a line to go to."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent, QIntValidator, QKeyEvent, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QWidget

from views.parts.naming import name
from views.text.line_text import LineText
from views.theme import DIM_TEXT, LIGHT, Theme


class LineBar(QWidget):
    """Goes to a line of one text by Enter; Escape changes nothing."""

    def __init__(self, text: LineText, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self._wanted = QLineEdit()
        name(self._wanted, self.tr("Line to go to"))
        self._range = QLabel()
        self._range.setForegroundRole(DIM_TEXT)
        self._layout = QHBoxLayout(self)
        self._layout.addWidget(QLabel(self.tr("Go to line")))
        self._layout.addWidget(self._wanted)
        self._layout.addWidget(self._range, 1)
        self._wanted.installEventFilter(self)
        self.setAutoFillBackground(True)
        self.setAccessibleName(self.tr("Go to line"))
        self.apply_theme(LIGHT)
        self.hide()

    def open(self) -> None:
        """Ask for a line."""
        last = self._text.blockCount()
        self._wanted.setValidator(QIntValidator(1, 10 * last + 9, self._wanted))
        self._range.setText(self.tr("1 to {}").format(last))
        self._wanted.setText(str(self._text.textCursor().blockNumber() + 1))
        self._wanted.selectAll()
        self.show()
        self._wanted.setFocus()

    def apply_theme(self, theme: Theme) -> None:
        self._layout.setContentsMargins(theme.px(8), theme.px(4), theme.px(8), theme.px(4))
        self._layout.setSpacing(theme.px(8))
        self._wanted.setFont(theme.mono_font())
        self._wanted.setFixedWidth(theme.px(90))

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusOut and isinstance(event, QFocusEvent):
            if event.reason() not in (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason):
                self.hide()
            return False
        if not isinstance(event, QKeyEvent):
            return False
        if event.type() == QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_Escape:
            # Otherwise the window's own use of Esc would win.
            event.accept()
        elif event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Escape:
            self._close()
            return True
        elif event.type() == QEvent.Type.KeyPress and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._go()
            return True
        return False

    def _go(self) -> None:
        """Go to the line; to the last one where there are fewer."""
        if self._wanted.text():
            row = min(max(1, int(self._wanted.text())), self._text.blockCount()) - 1
            self._text.go_to(QTextCursor(self._text.document().findBlockByNumber(row)))
        self._close()

    def _close(self) -> None:
        self.hide()
        self._text.setFocus()

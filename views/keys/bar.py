"""The line above the keys: search, the form of the picture, saving it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QLineEdit, QToolButton, QWidget

from views.keys.forest.screen import Choice
from views.theme import DIM_TEXT, Theme


class SearchLine(QLineEdit):
    """Signals: next_asked, with Enter; previous_asked, with Shift+Enter; left, with Escape."""

    next_asked = Signal()
    previous_asked = Signal()
    left = Signal()

    def event(self, event: QEvent) -> bool:
        # Otherwise the window's own use of Esc would win.
        asks = event.type() == QEvent.Type.ShortcutOverride
        if asks and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            shifted = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            (self.previous_asked if shifted else self.next_asked).emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class KeyBar(QWidget):
    """Signals: form_chosen(Choice), save_asked. The search line has its own."""

    form_chosen = Signal(str)
    save_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.search = SearchLine(self)
        self.search.setPlaceholderText(self.tr("6d3a or example 5"))
        self.search.setAccessibleName(self.tr("Find a key"))
        self.search.setToolTip(self.tr("Find a key by its digits or by its example. Enter goes to the next one."))
        self.search.setClearButtonEnabled(True)
        self._found = QLabel(self)
        self._found.setForegroundRole(DIM_TEXT)
        self._forms = QButtonGroup(self)
        self._line = QHBoxLayout(self)
        self._line.setContentsMargins(0, 0, 0, 0)
        self._line.addWidget(self.search, 1)
        self._line.addWidget(self._found)
        for choice, words, tip in self._choices():
            button = self._button(words, tip)
            button.setCheckable(True)
            button.setChecked(choice == "auto")
            button.setProperty("choice", choice)
            self._forms.addButton(button)
        save = self._button("SVG", self.tr("Save the picture as SVG"))
        save.setAccessibleName(save.toolTip())
        save.clicked.connect(self.save_asked)
        self._forms.buttonClicked.connect(self._choose)

    def found(self) -> str:
        """Return how the search went, as shown."""
        return self._found.text()

    def show_found(self, words: str) -> None:
        """Say how the search went."""
        self._found.setText(words)

    def apply_theme(self, theme: Theme) -> None:
        """Rescale."""
        self._line.setSpacing(theme.px(4))
        self._found.setFont(theme.font(0.85))
        for button in self.findChildren(QToolButton):
            button.setFont(theme.font(0.85))

    def _choices(self) -> tuple[tuple[Choice, str, str], ...]:
        return (
            ("auto", self.tr("Auto"), self.tr("A tree if there is room, otherwise an icicle")),
            ("icicle", self.tr("Icicle"), self.tr("Each key is a rectangle above everything made from it")),
            ("tree", self.tr("Tree"), self.tr("Each key is a symbol, with lines to its children")),
        )

    def _button(self, words: str, tip: str) -> QToolButton:
        """Return a button at the end of the line."""
        button = QToolButton(self)
        button.setText(words)
        button.setToolTip(tip)
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._line.addWidget(button)
        return button

    def _choose(self, button: QToolButton) -> None:
        self.form_chosen.emit(button.property("choice"))

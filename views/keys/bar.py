"""The line above the keys: the form of the picture, saving it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QToolButton, QWidget

from views.keys.forest.screen import Choice
from views.parts.tabs import TabButton
from views.theme import Theme


class KeyBar(QWidget):
    """Signals: form_chosen(Choice), save_asked."""

    form_chosen = Signal(str)
    save_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._forms = QButtonGroup(self)
        self._line = QHBoxLayout(self)
        self._line.setContentsMargins(0, 0, 0, 0)
        for choice, words, tip in self._choices():
            button = TabButton(words, tip)
            button.setChecked(choice == "auto")
            button.setProperty("choice", choice)
            self._forms.addButton(button)
            self._line.addWidget(button)
        self._line.addStretch()
        save = QToolButton(autoRaise=True)
        save.setText("SVG")
        save.setToolTip(self.tr("Save the picture as SVG"))
        save.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        save.setAccessibleName(save.toolTip())
        save.clicked.connect(self.save_asked)
        self._line.addWidget(save)
        self._forms.buttonClicked.connect(self._choose)

    def apply_theme(self, theme: Theme) -> None:
        """Rescale."""
        self._line.setSpacing(0)
        for button in self.findChildren(TabButton):
            button.apply_theme(theme)

    def _choices(self) -> tuple[tuple[Choice, str, str], ...]:
        return (
            ("auto", self.tr("Auto"), self.tr("A tree if there is room, otherwise an icicle")),
            ("icicle", self.tr("Icicle"), self.tr("Each key is a rectangle above everything made from it")),
            ("tree", self.tr("Tree"), self.tr("Each key is a symbol, with lines to its children")),
        )

    def _choose(self, button: TabButton) -> None:
        self.form_chosen.emit(button.property("choice"))

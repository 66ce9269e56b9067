"""The tour: one line above the panes at the first start, which says what they show and how to go on."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton

from views.theme import Theme


class Tour(QFrame):
    """A line with a button, part of the window's layout."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("tour")
        self._words = QLabel(
            self.tr(
                "See what JAX hides: keys, noise, program and time of the code on the left, live. Ctrl+O opens yours."
            ),
            wordWrap=True,
        )
        self._close = QPushButton(self.tr("Got it"))
        self._close.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._close.setToolTip(self.tr("Close this line; the Help menu shows it again"))
        self._close.clicked.connect(self.hide)
        self._layout = QHBoxLayout(self)
        self._layout.addWidget(self._words, stretch=1)
        self._layout.addWidget(self._close)
        self.setAccessibleName(self._words.text())
        self.hide()

    def apply_theme(self, theme: Theme) -> None:
        self._words.setFont(theme.font(bold=True))
        self._layout.setContentsMargins(theme.px(12), theme.px(4), theme.px(8), theme.px(4))
        self.setStyleSheet(f"#tour {{ background: {theme.focus_fill_on(theme.background).name()}; }}")

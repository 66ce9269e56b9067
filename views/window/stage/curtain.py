"""A layer over the whole stage: the ground of pages outside of the lesson."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from views.theme import Theme
from views.window.main_window import MainWindow


class Curtain(QWidget):
    """Covers the window `stage` as long as it is shown."""

    def __init__(self, stage: MainWindow) -> None:
        super().__init__(stage)
        self._stage = stage
        self.setAutoFillBackground(True)
        self.hide()
        stage.installEventFilter(self)

    def draw(self) -> None:
        """Cover the stage."""
        self.apply_theme(self._stage.theme)
        self.setGeometry(self._stage.rect())
        self.show()
        self.raise_()

    def apply_theme(self, theme: Theme) -> None:
        """Apply the colours and text size of `theme`."""
        palette = self.palette()
        palette.setColor(self.backgroundRole(), theme.background)
        self.setPalette(palette)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self._stage and not self.isHidden():
            self.setGeometry(self._stage.rect())
        return False

"""The page after the last one of a lesson: the next lesson, and how to go back."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from views.theme import BUG_TEXT, DIM_TEXT, Theme
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


TITLE_SIZE = 1.6
"""The size of the next lesson's title, relative to words."""


class EndPage(Curtain):
    """Says that a lesson is over, and which is the next."""

    def __init__(self, stage: MainWindow) -> None:
        super().__init__(stage)
        self._place = _line()
        self._place.setForegroundRole(DIM_TEXT)
        self._ended = _line()
        self._trouble = _line()
        self._trouble.setForegroundRole(BUG_TEXT)
        self._on = _line()
        self._title = _line()
        self._back = _line()
        self._back.setForegroundRole(DIM_TEXT)
        self._layout = QVBoxLayout(self)
        self._layout.addStretch(2)
        for line in (self._place, self._ended, self._trouble, self._on, self._title, self._back):
            self._layout.addWidget(line)
        self._layout.addStretch(3)

    def tell(self, ended: str, following: str, place: str = "", trouble: str = "") -> None:
        """Show that the lesson `ended` is over and `following` comes next, none where that is empty.

        `place` is that of `ended` in its course. Where a lesson between them could not be opened, `trouble` says why.
        """
        self._place.setText(place)
        self._place.setVisible(bool(place))
        self.setAccessibleName(self.tr("End of the lesson"))
        self._ended.setText(self.tr("The lesson ends here: {}").format(ended))
        self._trouble.setText(trouble)
        self._trouble.setVisible(bool(trouble))
        on, last = (
            self.tr("Press Page Down again for the next lesson:"),
            self.tr("This is the last lesson in the list."),
        )
        self._on.setText(on if following else last)
        self._title.setText(following)
        self._title.setVisible(bool(following))
        self._back.setText(self.tr("Page Up goes back."))
        self.setAccessibleDescription(" ".join(self.words))

    @property
    def words(self) -> tuple[str, ...]:
        """Return the page's text, line by line."""
        lines = (self._place, self._ended, self._trouble, self._on, self._title, self._back)
        return tuple(line.text() for line in lines if line.text())

    def apply_theme(self, theme: Theme) -> None:
        super().apply_theme(theme)
        edge = theme.px(48)
        self._layout.setContentsMargins(edge, edge, edge, edge)
        self._layout.setSpacing(theme.px(16))
        self._title.setFont(theme.font(TITLE_SIZE, bold=True))


def _line() -> QLabel:
    line = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
    line.setAlignment(Qt.AlignmentFlag.AlignHCenter)
    return line

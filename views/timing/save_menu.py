"""Saves the contents of the timing pane: a page as a picture with its caption, all figures as CSV."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPixmap
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from views.theme import Theme
from views.timing.menu_button import MenuButton


def captioned(page: QWidget, caption: str, theme: Theme) -> QPixmap:
    """Return a picture of `page` with `caption` under it."""
    picture, font = page.grab(), theme.font(0.85)
    ratio, margin = picture.devicePixelRatio(), theme.px(8)
    width, height = round(picture.width() / ratio), round(picture.height() / ratio)
    room = QRect(margin, height + margin // 2, width - 2 * margin, 10_000)
    wanted = QFontMetrics(font).boundingRect(room, Qt.TextFlag.TextWordWrap, caption).height() + margin
    whole = QPixmap(round(width * ratio), round((height + wanted) * ratio))
    whole.setDevicePixelRatio(ratio)
    whole.fill(QColor(theme.background))
    painter = QPainter(whole)
    painter.drawPixmap(0, 0, picture)
    painter.setFont(font)
    painter.setPen(QColor(theme.dim))
    painter.drawText(room, Qt.TextFlag.TextWordWrap, caption)
    painter.end()
    return whole


class SaveMenu(MenuButton):
    """A button with a menu; the contents come from the functions that it is given."""

    def __init__(self, picture: Callable[[], QPixmap], csv: Callable[[], str], report: Callable[[str], None]) -> None:
        super().__init__()
        self._picture, self._csv, self._tell = picture, csv, report
        self.setText(self.tr("Save ▾"))
        self.setToolTip(self.tr("Save the plot or its figures"))
        self.setAccessibleName(self.tr("Save the plot or its figures"))
        menu = QMenu(self)
        menu.addAction(self.tr("This plot as a picture…")).triggered.connect(self._save_picture)
        menu.addAction(self.tr("All figures as CSV…")).triggered.connect(self._save_csv)
        self.setMenu(menu)

    def _save_picture(self) -> None:
        # Taken before the dialog covers anything.
        picture = self._picture()
        if path := self._path("timing.png", self.tr("Pictures (*.png)")):
            self._say(path, picture.save(path, "PNG"))

    def _save_csv(self) -> None:
        text = self._csv()
        if path := self._path("timing.csv", self.tr("Comma-separated values (*.csv)")):
            try:
                Path(path).write_text(text, encoding="utf-8")
            except OSError:
                self._say(path, False)
            else:
                self._say(path, True)

    def _path(self, name: str, kinds: str) -> str:
        return QFileDialog.getSaveFileName(self, self.tr("Save"), name, kinds)[0]

    def _say(self, path: str, done: bool) -> None:
        text = self.tr("Saved as {path}.") if done else self.tr("{path} could not be written.")
        self._tell(text.format(path=path))

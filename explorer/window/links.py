"""Web addresses in stories and explanations: shown first, opened only when a person says so."""

from __future__ import annotations

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMessageBox

from views.window.main_window import MainWindow

SCHEMES = ("http", "https")
LONGEST = 400
"""Characters of an address that are shown; what is longer is not opened."""


class Links(QObject):
    """Opens web addresses in the person's browser."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window

    def ask(self, address: str) -> None:
        """Show `address` as it will be asked for, and open it if the person agrees; what is no web address is told."""
        url = QUrl(address, QUrl.ParsingMode.StrictMode)
        # As the browser asks for it: letters that look like others cannot hide in it.
        shown = bytes(url.toEncoded().data()).decode("ascii")
        if not url.isValid() or url.scheme() not in SCHEMES or not url.host() or len(shown) > LONGEST:
            told = self.tr("This link is not opened, because it is no web address: {}")
            self._window.notice.tell(told.format((shown or address)[:LONGEST]))
            return
        box = QMessageBox(QMessageBox.Icon.Question, self.tr("Open a web page"), "", parent=self._window)
        box.setText(self.tr("Open this address in your browser?"))
        box.setInformativeText(shown)
        box.addButton(self.tr("Open"), QMessageBox.ButtonRole.AcceptRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(QMessageBox.StandardButton.Cancel)
        if box.exec() != QMessageBox.StandardButton.Cancel:
            QDesktopServices.openUrl(url)

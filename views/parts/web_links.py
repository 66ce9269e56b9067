"""Links in stories and explanations: a web address is shown first, and opened only when a user says so."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMessageBox, QWidget

SCHEMES = ("http", "https")
LESSON_SCHEME, TERM_SCHEME, VARIANT_SCHEME, SELECTION_SCHEME = "lesson", "term", "variant", "selection"
"""The schemes of links to a lesson, a term of the glossary and a variant, followed by the id or name; and to what the
page is about."""
LONGEST = 400
"""The most characters of an address; a longer one is not opened."""


def ask(asker: QWidget, address: str) -> None:
    """Show the full `address`, and open it if the user agrees; other schemes are reported."""
    url = QUrl(address, QUrl.ParsingMode.StrictMode)
    # As the browser asks for it: letters that look like others cannot hide in it.
    shown = bytes(url.toEncoded().data()).decode("ascii")
    translate = QCoreApplication.translate
    box = QMessageBox(asker.window())
    box.setTextFormat(Qt.TextFormat.PlainText)
    if not url.isValid() or url.scheme() not in SCHEMES or not url.host() or len(shown) > LONGEST:
        box.setText(translate("WebLinks", "This link was not opened, because it is not a web address:"))
        box.setInformativeText((shown or address)[:LONGEST])
        box.exec()
        return
    box.setText(translate("WebLinks", "Open this address in your browser?"))
    box.setInformativeText(shown)
    box.addButton(translate("WebLinks", "Open"), QMessageBox.ButtonRole.AcceptRole)
    box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
    if box.exec() != QMessageBox.StandardButton.Cancel:
        QDesktopServices.openUrl(url)

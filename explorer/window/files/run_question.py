"""The question whether a program from elsewhere may run, with all of its files to read."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from explorer.library.consents import Files

MOST_SHOWN = 100_000
"""The most characters of code in the question; the editor shows more."""


class RunQuestion(QMessageBox):
    """Asks with three answers: Yes, Open to read without running, No."""

    def __init__(self, question: str, files: Files, window: QWidget) -> None:
        buttons = QMessageBox.StandardButton
        super().__init__(
            QMessageBox.Icon.Question, self.tr("Open"), question, buttons.Yes | buttons.Open | buttons.No, window
        )
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.button(buttons.Open).setText(self.tr("&Read first"))
        self.setDefaultButton(buttons.Open)
        self.setDetailedText(code_of(files))


def code_of(files: Files) -> str:
    """Return the names of `files` and what they say; a last line reports what is left out."""
    named = sorted(files)
    parts = [_titled(name, files[name]) for name in named]
    if len(named) > 1:
        parts.insert(0, "\n".join(named))
    whole = "\n\n".join(parts)
    if len(whole) <= MOST_SHOWN:
        return whole
    text = QCoreApplication.translate("RunQuestion", "{} more characters are not shown here. Read them before you run.")
    return f"{whole[:MOST_SHOWN]}\n\n{text.format(f'{len(whole) - MOST_SHOWN:,}')}"


def _titled(name: str, content: bytes) -> str:
    return f"──── {name} ({len(content):,} bytes) ────\n{content.decode(errors='replace')}".rstrip()

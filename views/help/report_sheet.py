"""The text of a problem report, shown before it is saved or copied; nothing is sent."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QFrame, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from views.theme import Theme


class ReportSheet(QDialog):
    """Shows the report, with the code or without.

    Signals:
        save_wanted: the text as it is shown.
    """

    save_wanted = Signal(str)

    def __init__(self, parent: QWidget, theme: Theme, text: Callable[[bool], str]) -> None:
        """`text` returns the report, with the code if it is given True."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Report a problem"))
        words = QLabel(
            self.tr("This is everything the file will contain. Nothing is sent: save it, and share it yourself."),
            wordWrap=True,
        )
        self._text = QPlainTextEdit(readOnly=True)
        self._text.setFrameShape(QFrame.Shape.NoFrame)
        self._text.setFont(theme.mono_font())
        self._text.setAccessibleName(self.tr("The report"))
        with_code = QCheckBox(self.tr("With my &code"))
        with_code.toggled.connect(lambda wanted: self._text.setPlainText(text(wanted)))
        self._text.setPlainText(text(False))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        save = buttons.addButton(self.tr("&Save…"), QDialogButtonBox.ButtonRole.ActionRole)
        copy = buttons.addButton(self.tr("C&opy"), QDialogButtonBox.ButtonRole.ActionRole)
        save.clicked.connect(lambda: self.save_wanted.emit(self._text.toPlainText()))
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._text.toPlainText()))
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        for part in (words, self._text, with_code, buttons):
            layout.addWidget(part)
        self.resize(parent.size() * 0.7)

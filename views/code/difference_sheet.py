"""Two versions of a text next to each other, read-only."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QGridLayout, QLabel, QWidget

from views.text.differences import only_in_one_text
from views.text.highlighters import MOST_COLOURED, PythonHighlighter
from views.text.line_text import LineText
from views.text.long_text import GradualText
from views.theme import Theme

SIZE = (1000, 560)


class DifferenceSheet(QDialog):
    """Shows the file `name` on disk and in the editor, with the differing lines marked."""

    def __init__(self, parent: QWidget, name: str, on_disk: str, here: str) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("{}: on disk, and here").format(name))
        self._texts = (LineText(self, numbered=True), LineText(self, numbered=True))
        is_short = max(len(on_disk), len(here)) <= MOST_COLOURED
        self._highlighters = [PythonHighlighter(text.document()) for text in self._texts] if is_short else []
        only = only_in_one_text(on_disk, here)
        layout = QGridLayout(self)
        sides = ((self.tr("On disk"), on_disk, only.first, "-"), (self.tr("Here"), here, only.second, "+"))
        for column, (text, (title, source, rows, sign)) in enumerate(zip(self._texts, sides, strict=True)):
            gradual = GradualText(text)
            gradual.ended.connect(self._show_first)
            gradual.show(source, coloured=is_short)
            text.setReadOnly(True)
            text.setAccessibleName(title)
            text.show_only_here(dict.fromkeys(rows, sign))
            layout.addWidget(QLabel(title, textFormat=Qt.TextFormat.PlainText), 0, column)
            layout.addWidget(text, 1, column)
        self._first = [min(rows, default=0) for rows in (only.first, only.second)]
        self.resize(min(SIZE[0], parent.window().width()), min(SIZE[1], parent.window().height()))

    def apply_theme(self, theme: Theme) -> None:
        """Apply colours and text size, and scroll to the first difference."""
        for highlighter in self._highlighters:
            highlighter.apply_theme(theme)
        self._show_first()

    def _show_first(self) -> None:
        for text, row in zip(self._texts, self._first, strict=True):
            text.setReadOnly(True)
            text.show_first(max(0, row - 2))

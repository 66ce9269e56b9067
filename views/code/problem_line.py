"""The one line below the editor: the problem at the cursor in words, and where the cursor is."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from views.code.problems import Problem
from views.parts.elided_label import ElidedLabel
from views.theme import LIGHT, Theme


class ProblemLine(QWidget):
    """Tells the problem of the cursor's line, else the first there is with its line number."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._message = ElidedLabel()
        self._position = QLabel()
        self._position.setProperty("role", "dim")
        self._layout = QHBoxLayout(self)
        self._layout.addWidget(self._message, 1)
        self._layout.addWidget(self._position)
        self.setAutoFillBackground(True)
        self.apply_theme(LIGHT)

    def message(self) -> str:
        """Return the whole of what is told, also where it is too long for the line."""
        return self._message.accessibleName()

    def show_problems(self, problems: Sequence[Problem], row: int, column: int, told: Problem | None = None) -> None:
        """Show what of `problems` concerns the cursor at `row` and `column`, both counted from 0.

        `told` is told elsewhere already, which leaves only its line to say.
        """
        words = self.tr("line {line}, column {column}").format(line=row + 1, column=column + 1)
        self._position.setText(words)
        here = next((each for each in problems if row in each.rows), None)
        shown = here or next(iter(problems), None)
        tells = shown is not None and shown is not told
        self._message.show_text(self._words(shown, at_cursor=here is not None) if shown and tells else "")
        if shown:
            palette = QPalette(self._message.palette())
            colour = QColor(self._theme.bug if shown.level == "bug" else self._theme.note)
            palette.setColor(QPalette.ColorRole.WindowText, colour)
            self._message.setPalette(palette)

    def apply_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._layout.setContentsMargins(theme.px(8), theme.px(3), theme.px(8), theme.px(3))
        self._layout.setSpacing(theme.px(8))

    def _words(self, problem: Problem, *, at_cursor: bool) -> str:
        if at_cursor:
            return problem.sentence
        return self.tr("Line {line}: {sentence}").format(line=problem.rows[0] + 1, sentence=problem.sentence)

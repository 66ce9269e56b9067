"""The choices of a question as buttons, in as many columns as fit, each with its key; long ones in lines."""

from __future__ import annotations

import html
from collections.abc import Iterator

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QLayout, QPushButton, QSizePolicy, QStyle, QVBoxLayout, QWidget

from views.parts.markdown import MARKED, plain
from views.theme import Theme, Themed, lettered, restyle, spaced

FIRST_KEY = "\u2460"
"""The key 1 in a circle, so that it is not read as part of a choice that is a number itself."""
FIRST_LETTER = "\u24b6"
"""The letter A in a circle: choices have letters while votes are counted, because digits have another meaning then."""
LEAST_PX = 200
"""Least pixels of width of a choice; a longer text is wrapped."""
MOST_PX = 420
"""Most pixels of width of a choice, at text size 1."""


class ChoiceBar(Themed, QWidget):
    """Shows a question and its choices.

    Signals:
        chosen: the number of the choice, counted from 0.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._labels: tuple[str, ...] = ()
        self.buttons: list[QPushButton] = []
        """The buttons in sight, in the order of the choices."""
        self._texts: list[str] = []
        """The label of each button as one line, and its width in pixels."""
        self._widths: list[int] = []
        self._columns = self._lines_for = 0
        self._question = lettered(QLabel(wordWrap=True, textFormat=Qt.TextFormat.RichText), bold=True)
        self._words = ""
        self._has_letters = False
        self._grid = spaced(QGridLayout(), spacing=8)
        layout = spaced(QVBoxLayout(self), 12, 4, 12, 8, spacing=6)
        # Its least width is that of one column, whatever number of them there is now.
        layout.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        layout.addWidget(self._question)
        layout.addLayout(self._grid)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.setAccessibleName(self.tr("Question"))

    def show_question(self, question: str, labels: tuple[str, ...]) -> None:
        """Ask `question`, with code between backticks and new terms between asterisks, a button for each label."""
        self._words = question
        self._question.setAccessibleName(plain(question))
        self._write_question()
        if len(labels) != len(self.buttons):
            self._make_buttons(len(labels))
        if labels != self._labels:
            self._labels = labels
            self._write_labels()
        self._arrange()

    def show_letters(self, letters: bool) -> None:
        """Label each choice by a letter, for votes, or by the digit that chooses it."""
        if letters != self._has_letters:
            self._has_letters = letters
            self._write_labels()
            self._arrange()

    def choose(self, number: int) -> None:
        """Choose the choice `number`, counted from 0, where there is one."""
        if number < len(self.buttons):
            self.chosen.emit(number)

    def apply_theme(self, _theme: Theme) -> None:
        for button in self.buttons:
            restyle(button)
        self._write_question()
        self._write_labels()
        self._arrange()

    def minimumSizeHint(self) -> QSize:
        return QSize(
            min(self._widest(), self.theme.px(LEAST_PX)) + 2 * self.theme.px(12), super().minimumSizeHint().height()
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _write_question(self) -> None:
        """Mark code and new terms in the question; Qt's Markdown would not let code follow the text size."""
        family = self.theme.mono_font().family()
        code = f"<span style=\"font-family:'{family}'; font-weight:normal\">{{}}</span>"
        words = html.escape(self._words)
        self._question.setText(MARKED.sub(lambda m: code.format(m[1]) if m[1] else f"<i>{m[2]}</i>", words))

    def _write_labels(self) -> None:
        for number, (button, label) in enumerate(zip(self.buttons, self._labels, strict=True)):
            shown = label.replace("&", "&&").replace("`", "")
            sign = chr(ord(FIRST_LETTER if self._has_letters else FIRST_KEY) + number)
            button.setText(f"{sign}   {shown}")
            button.setAccessibleName(label.replace("`", ""))
            button.setToolTip("" if self._has_letters else self.tr("Key {}").format(number + 1))
        self._texts = [button.text() for button in self.buttons]
        self._widths = [button.sizeHint().width() for button in self.buttons]
        self._columns = 0

    def _make_buttons(self, count: int) -> None:
        for button in self.buttons:
            self._grid.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._labels = ()
        self.buttons = [QPushButton(self) for _ in range(count)]
        for button in self.buttons:
            button.show()
            button.setStyleSheet("text-align: left; padding: 3px 8px;")
            button.setAutoDefault(True)
            button.clicked.connect(self._on_click)

    def _on_click(self) -> None:
        self.choose(next(place for place, button in enumerate(self.buttons) if button is self.sender()))

    def _arrange(self) -> None:
        """Lay the buttons out in as many columns as the widest of them allows."""
        # With fewer lines once a scroll bar is gone, it would come back, and so on for ever.
        bar = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        if not 0 <= self.width() - self._lines_for <= bar:
            self._lines_for = self.width()
        room = max(1, self.width() - 2 * self.theme.px(12))
        wide = min(self._widest(), self._most) + self.theme.px(8)
        columns = max(1, min(len(self.buttons), room // wide))
        most = min(room, self._most)
        least = min(room - (self.width() - self._lines_for), self._most)
        for button, text, width in zip(self.buttons, self._texts, self._widths, strict=False):
            metrics = QFontMetricsF(button.font())
            inner = metrics.horizontalAdvance(text) + least - width
            button.setText(_under_its_sign(text, metrics, inner) if width > least else text)
            button.setFixedWidth(min(most, self._widest()))
        if columns != self._columns:
            self._columns = columns
            for place, button in enumerate(self.buttons):
                self._grid.addWidget(button, place // columns, place % columns, Qt.AlignmentFlag.AlignLeft)

    @property
    def _most(self) -> int:
        """The pixels of the widest choice; on a stage all of the room."""
        return self.theme.px(MOST_PX) if not self.theme.on_stage else max(1, self.width())

    def _widest(self) -> int:
        return max(self._widths, default=1)


def _under_its_sign(text: str, metrics: QFontMetricsF, width: float) -> str:
    """Return `text` in lines of at most `width` pixels, each under the first word behind the sign."""
    sign = text[: -len(text[1:].lstrip())]
    under = " " * round(metrics.horizontalAdvance(sign) / metrics.horizontalAdvance(" "))
    words = text[len(sign) :]
    return sign + f"\n{under}".join(in_lines(words, metrics, width - metrics.horizontalAdvance(sign), len(words)))


def in_lines(words: str, metrics: QFontMetricsF, width: float, most: int) -> list[str]:
    """Return `words` in at most `most` lines, each at most `width` pixels wide; longer texts are cut."""
    lines = [""]
    for part in (part for word in words.split(" ") for part in _parts(word, metrics, width)):
        longer = f"{lines[-1]} {part}".lstrip()
        # The last line takes all that is left.
        if len(lines) < most and lines[-1] and metrics.horizontalAdvance(longer) > width:
            lines.append(part)
        else:
            lines[-1] = longer
    return [metrics.elidedText(line, Qt.TextElideMode.ElideRight, width) for line in lines]


def _parts(word: str, metrics: QFontMetricsF, width: float) -> Iterator[str]:
    """Yield `word`, or parts of one that is wider than `width` pixels, such as code: each as long as fits."""
    while len(word) > 1 and metrics.horizontalAdvance(word) > width:
        fitting = next((end for end in range(len(word), 1, -1) if metrics.horizontalAdvance(word[:end]) <= width), 1)
        yield word[:fitting]
        word = word[fitting:]
    yield word

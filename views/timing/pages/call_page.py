"""One call in stages, after how many calls jit has paid for its first one, and how far to trust the times."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from explorer.figures.curves import Figures
from explorer.messages import Value
from views.theme import Theme
from views.timing.pages.bars_page import BarsPage
from views.timing.pages.call_words import CallWords
from views.timing.timing_words import TimingWords


class CallPage(QWidget):
    """Bars, and sentences that stay below them."""

    def __init__(self) -> None:
        super().__init__()
        self._words, self._call_words = TimingWords(), CallWords()
        self._bars = BarsPage(self.tr("One call, stage by stage"))
        self._sentences = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self._sentences.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._sentences.setAccessibleName(self.tr("Break-even, and how far to trust the times"))
        self._sentences.setContentsMargins(8, 6, 8, 4)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._bars, 1)
        layout.addWidget(self._sentences)

    def show_call(self, figures: Figures, value: Value | None) -> None:
        """Show one call at `value` of the sweep; None where there is none yet."""
        timed = figures.timed(value) if value is not None else []
        groups = [self._call_words.anatomy(each, point) for each, point in timed]
        self._bars.show_groups(groups, self._call_words.lead() if groups else "")
        pairs = figures.pairs(value) if value is not None else {}
        sentences = [*self._words.break_evens(pairs), self._words.trust(figures)] if groups else []
        self._sentences.setText("\n".join(sentences))

    def apply_theme(self, theme: Theme) -> None:
        """Apply the colours and sizes of `theme`."""
        self._bars.apply_theme(theme)
        self._sentences.setFont(theme.font(0.95))

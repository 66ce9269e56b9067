"""Under which conditions each curve can be believed: a row with a sign for each, which opens to sentences."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from explorer.figures.curves import Figures, Series
from explorer.figures.trust import CurveBadge, broken, conditions
from views.parts.level_signs import SIZE, Kind, sign
from views.parts.outside.plain_tip import plain_tip
from views.theme import LIGHT, Theme
from views.timing.timing_words import TimingWords

SENTENCE = Qt.ItemDataRole.UserRole
SIGNS: dict[bool | None, Kind] = {True: "fine", False: "error", None: "waiting"}
ROOM_BESIDE_NAME = 52
"""For the arrow and the sign before the name of a curve, and a gap after it."""


class TrustPage(QWidget):
    """A tree: each curve with its sign and one word, and under it the conditions in sentences."""

    def __init__(self) -> None:
        super().__init__()
        self._theme = LIGHT
        self._words = TimingWords()
        self._figures = Figures.of(())
        self._opened: set[str] = set()
        self._shown: object = None
        self._tree = self._make_tree()
        self._sentence = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True, margin=8)
        self._sentence.setAccessibleName(self.tr("The condition in a sentence"))
        self._sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._tree, 1)
        layout.addWidget(self._sentence)
        self._tree.currentItemChanged.connect(self._on_current_changed)
        self._tree.itemExpanded.connect(self._on_expanded)
        self._tree.itemCollapsed.connect(self._on_collapsed)

    def show_figures(self, figures: Figures) -> None:
        """Show the conditions of every curve of `figures`; opened rows stay open."""
        self._figures = figures
        conditions_of = [(series, conditions(figures, series)) for series in figures.series]
        if (conditions_of, self._theme) == self._shown:
            return
        self._shown = (conditions_of, self._theme)
        self._tree.clear()
        for series, found in conditions_of:
            self._tree.addTopLevelItem(self._row(series, found))
        for number in range(self._tree.topLevelItemCount()):
            item = self._tree.topLevelItem(number)
            if item is not None:
                for place in range(item.childCount()):
                    item.child(place).setFirstColumnSpanned(True)
                item.setExpanded(item.text(0) in self._opened)
        self._fit_names()
        self._sentence.setText(self._words.trust(figures))

    def open_all(self) -> None:
        """Open every row, as paper has it."""
        self._tree.expandAll()
        self._sentence.setText(self._words.trust(self._figures, on_paper=True))

    def apply_theme(self, theme: Theme) -> None:
        """Apply the colours and sizes of `theme`."""
        self._theme = theme
        self._tree.setFont(theme.font(0.95))
        self._tree.header().setFont(theme.font(0.9))
        self._tree.setIconSize(QSize(theme.px(SIZE), theme.px(SIZE)))
        self._sentence.setFont(theme.font(0.95))
        self.show_figures(self._figures)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_names()

    def _fit_names(self) -> None:
        metrics = QFontMetrics(self._tree.font())
        longest = max((metrics.horizontalAdvance(series.label) for series in self._figures.series), default=0)
        self._tree.setColumnWidth(0, min(longest + self._theme.px(ROOM_BESIDE_NAME), self.width() // 2))

    def _make_tree(self) -> QTreeWidget:
        tree = QTreeWidget()
        tree.setFrameShape(QFrame.Shape.NoFrame)
        tree.setHeaderLabels([self.tr("curve"), self.tr("reliable?")])
        tree.setAccessibleName(self.tr("Conditions for each curve to be reliable"))
        tree.setAllColumnsShowFocus(True)
        tree.setRootIsDecorated(True)
        tree.setIndentation(16)
        tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # The name of a curve has up to half of the width and gives way in its middle; the word gives way at its end.
        tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        return tree

    # -- rows ---------------------------------------------------------------------------------

    def _row(self, series: Series, found: tuple[CurveBadge, ...]) -> QTreeWidgetItem:
        summary = self._words.summary(series, found)
        item = QTreeWidgetItem([series.label, summary])
        item.setData(0, SENTENCE, f"{series.label}: {summary}")
        item.setToolTip(0, plain_tip(series.label))
        item.setToolTip(1, plain_tip(summary))
        kind: Kind = "waiting" if not found else "note" if any(each.ok is False for each in found) else "fine"
        if broken(self._figures, series):
            kind = "error"
            item.setForeground(1, QColor(self._theme.bug))
        item.setIcon(0, sign(kind, self._theme))
        item.addChildren([self._part(condition) for condition in found])
        return item

    def _part(self, condition: CurveBadge) -> QTreeWidgetItem:
        sentence = self._words.condition(condition)
        part = QTreeWidgetItem([f"{self._words.state(condition)}: {self._words.badge(condition.name)}. {sentence}"])
        part.setIcon(0, sign(SIGNS[condition.ok], self._theme))
        part.setData(0, SENTENCE, sentence)
        part.setToolTip(0, plain_tip(sentence))
        return part

    # -- what the user does -----------------------------------------------------------------

    def _on_current_changed(self, item: QTreeWidgetItem | None, _before: QTreeWidgetItem | None) -> None:
        if item is not None:
            self._sentence.setText(item.data(0, SENTENCE))

    def _on_expanded(self, item: QTreeWidgetItem) -> None:
        self._opened.add(item.text(0))

    def _on_collapsed(self, item: QTreeWidgetItem) -> None:
        self._opened.discard(item.text(0))

"""The retrace meter: how often each jitted function was traced and compiled in the run on screen, and why."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from explorer.focus.variant_names import shown_variant
from explorer.messages import FunctionTraces, Snapshot, Span
from views.parts.level_signs import sign
from views.parts.outside.plain_tip import plain_tip
from views.parts.trace_words import TraceWords
from views.theme import LIGHT, Theme

MARGIN = 4
"""Around the words of a row, in pixels."""
PLACE = Qt.ItemDataRole.UserRole


class RowDelegate(QStyledItemDelegate):
    """Wraps a row to the width of the tree."""

    def __init__(self, tree: QTreeWidget) -> None:
        super().__init__(tree)
        self._tree = tree

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        hint, metrics, depth = super().sizeHint(option, index), option.fontMetrics, 2 if index.parent().isValid() else 1
        indent = depth * self._tree.indentation() + 2 * MARGIN
        if index.data(Qt.ItemDataRole.DecorationRole) is not None:
            indent += option.decorationSize.width() + 2 * MARGIN
        room = QRect(0, 0, self._tree.columnWidth(0) - indent, 10_000)
        wrapped = metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, index.data())
        hint.setHeight(max(hint.height(), wrapped.height() + MARGIN))
        return hint


class TracesPage(QWidget):
    """A row for each function, and under it the reasons.

    Signals:
        line_chosen: the line of the code that a chosen row is about.
    """

    line_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._theme = LIGHT
        self._words = TraceWords()
        self._shown: list[tuple[str, tuple[FunctionTraces, ...]]] = []
        self._unknown: tuple[bool, ...] | None = None
        """For each variant without data, whether some is to come; None before the first run."""
        self._of: tuple[str, ...] = ()
        """The functions of the code that is shown."""
        self._summary = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True, margin=8)
        self._summary.setAccessibleName(self.tr("Tracing in a sentence"))
        self._tree = QTreeWidget()
        self._tree.setFrameShape(QFrame.Shape.NoFrame)
        self._tree.setHeaderHidden(True)
        self._tree.setWordWrap(True)
        self._tree.setItemDelegate(RowDelegate(self._tree))
        # Rows are as high as their words take in the present width, which Qt does not see to by itself.
        self._tree.header().sectionResized.connect(self._tree.scheduleDelayedItemsLayout)
        self._tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._tree.setAccessibleName(self.tr("How often each function was traced, and why"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._summary)
        layout.addWidget(self._tree, 1)
        self._tree.itemClicked.connect(self._choose)
        self._tree.itemActivated.connect(self._choose)
        self._fill()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the traces of every variant in `snapshot`; unknown ones keep the older traces of the same functions."""
        known = [report for report in snapshot.reports if report.traces is not None]
        names = tuple(variant.name for variant in snapshot.variants)
        if not known and not snapshot.complete and names == self._of:
            return
        self._of = names
        shown = [(report.name, report.traces or ()) for report in known]
        missing = len(snapshot.reports) - len(known) or (snapshot.failure is not None and not known)
        unknown = (not snapshot.complete,) * missing if known or snapshot.complete else None
        if (shown, unknown) != (self._shown, self._unknown):
            self._shown, self._unknown = shown, unknown
            self._fill()

    def take_over(self, other: TracesPage) -> None:
        """Show the contents of `other`."""
        self._shown, self._unknown = other._shown, other._unknown
        self._fill()

    def apply_theme(self, theme: Theme) -> None:
        """Apply the colours and sizes of `theme`."""
        self._theme = theme
        self._summary.setFont(theme.font(0.95))
        self._tree.setFont(theme.font(0.95))
        self._fill()

    def _fill(self) -> None:
        shown = self._shown
        self._tree.clear()
        for variant, functions in shown:
            for traced in functions:
                text = self._words.function(traced)
                if len(shown) > 1 and traced.name != variant:
                    text = f"{shown_variant(variant)}: {text}"
                item = self._item(text, traced.span)
                item.setIcon(0, sign("note" if traced.traces > 1 else "fine", self._theme))
                item.addChildren([self._item(self._words.cause(event), event.span) for event in traced.events])
                self._tree.addTopLevelItem(item)
                item.setExpanded(traced.traces > 1)
        self._summary.setText(self._sentence([traced for _, functions in shown for traced in functions]))

    def _sentence(self, functions: Sequence[FunctionTraces]) -> str:
        if self._unknown is None:
            return self.tr("Traces are shown after the run.")
        if not self._unknown:
            return self._traced(functions)
        if any(self._unknown):
            missing = self.tr("Another variant is still running.")
        else:
            missing = self.tr("Runs that failed or timed out are not counted.")
        return f"{self._traced(functions)} {missing}" if self._shown else missing

    def _traced(self, functions: Sequence[FunctionTraces]) -> str:
        again = sum(traced.traces > 1 for traced in functions)
        if not functions:
            return self.tr("Nothing was traced: this variant calls no function that the code jits.")
        if again:
            words = self.tr("Traced more than once: {count} of {all} functions.")
            return words.format(count=again, all=len(functions))
        return self.tr("Every jitted function was traced once.")

    def _item(self, text: str, span: Span | None) -> QTreeWidgetItem:
        item = QTreeWidgetItem([text])
        item.setToolTip(0, plain_tip(text))
        item.setData(0, PLACE, span.line if span is not None else 0)
        return item

    def _choose(self, item: QTreeWidgetItem) -> None:
        if line := item.data(0, PLACE):
            self.line_chosen.emit(line)

"""KeyView, the Keys pane: the tree of every random key of a run, one or two variants side by side."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from explorer.messages import Marks, Snapshot
from views.keys.key_half import KeyHalf
from views.keys.screen import CHOICES
from views.keys.symbols import key_legend, legend_entries
from views.parts.labels import ShortLabel
from views.parts.tabs import Tabs
from views.parts.what_is_new import Parts
from views.theme import DIM_TEXT, LIGHT, Theme, apply_to_tree, lettered, spaced


class KeyView(QWidget):
    """Signals: focus_requested(Focus), verdict_changed(str), hover_text(str)."""

    focus_requested = Signal(object)
    verdict_changed = Signal(str)
    hover_text = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts = Parts("keys")
        self._verdict = ""
        self._bar = Tabs(
            (self.tr("Auto"), self.tr("Icicle"), self.tr("Tree")),
            (
                self.tr("A tree if there is room, otherwise an icicle"),
                self.tr("Each key is a rectangle above everything made from it"),
                self.tr("Each key is a symbol, with lines to its children"),
            ),
        )
        self._bar.choose(0)
        self._picture = QWidget(self)
        self._halves = (KeyHalf(self._picture), KeyHalf(self._picture))
        self._shown: tuple[KeyHalf, ...] = self._halves[:1]
        self._legend = key_legend(self._picture)
        self._notes = lettered(ShortLabel(self._picture), 0.85)
        self._around = spaced(QVBoxLayout(self), 4, spacing=4)
        self._grid = spaced(QGridLayout(self._picture), 4, spacing=4)
        self._build()
        self._connect()
        apply_to_tree(self, LIGHT)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the keys of the first one or two reports, or the reason why there are none."""
        reports = snapshot.reports[: len(self._halves)] or (None,)
        means_else = [half.take_meaning(report) for half, report in zip(self._halves, reports, strict=False)]
        if not self._parts.are_new(snapshot) and not any(means_else):
            return
        self._shown = shown = self._halves[: len(reports)]
        for number, half in enumerate(self._halves):
            half.set_shown(half in shown, captioned=len(shown) > 1)
            half.show_report(reports[number] if half in shown else None, snapshot)
            self._grid.setColumnStretch(number, int(half in shown))
        for half, other in zip(shown, reversed(shown), strict=True):
            half.canvas.set_other(other.canvas.picture)
        notes = dict.fromkeys(note for half in shown for note in half.notes())
        self._notes.setText("\n".join(notes))
        self._notes.setVisible(bool(notes))
        words = {state: word for half in shown for state, word in half.states().items()}
        self._legend.show_entries(legend_entries(words))
        self._colour_legend()
        self._show_verdict(" | ".join(dict.fromkeys(half.verdict for half in shown)))

    def show_marks(self, marks: Marks) -> None:
        """Outline the marked keys and bring the one in focus on screen."""
        for half in self._halves:
            half.show_marks(marks)

    def apply_theme(self, theme: Theme) -> None:
        for half in self._halves:
            half.apply_theme(theme)
        self._colour_legend()

    # -- parts ----------------------------------------------------------------------------------

    def _build(self) -> None:
        self.setAccessibleName(self.tr("Keys"))
        self._notes.setForegroundRole(DIM_TEXT)
        self._notes.hide()
        for number, half in enumerate(self._halves):
            self._grid.addWidget(half.caption, 0, number)
            self._grid.addWidget(half.canvas, 1, number)
            half.set_shown(number == 0, captioned=False)
        self._grid.setRowStretch(1, 1)
        self._grid.addWidget(self._legend, 2, 0, 1, len(self._halves))
        self._grid.addWidget(self._notes, 3, 0, 1, len(self._halves))
        self._around.addWidget(self._bar)
        self._around.addWidget(self._picture, 1)

    def _connect(self) -> None:
        for half in self._halves:
            half.focus_requested.connect(self.focus_requested)
            half.canvas.hover_text.connect(self.hover_text)
        self._bar.chosen.connect(self._choose_form)

    def _choose_form(self, place: int) -> None:
        for half in self._halves:
            half.canvas.set_form(CHOICES[place])

    def _colour_legend(self) -> None:
        """Colour the legend as the half with a misuse, else as the first."""
        worn = next((half.worn for half in self._shown if half.is_faulty), self._halves[0].worn)
        apply_to_tree(self._legend, worn)

    def _show_verdict(self, verdict: str) -> None:
        if verdict != self._verdict:
            self._verdict = verdict
            self.setAccessibleDescription(verdict)
            self.verdict_changed.emit(verdict)

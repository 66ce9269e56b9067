"""The Program pane: what the tracer and the compiler made of the code, for one variant or for two side by side."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetricsF, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSplitter, QToolButton, QVBoxLayout, QWidget

from explorer.messages import Focus, Form, Marks, Snapshot
from views.program.form_switch import FormSwitch
from views.program.half import ProgramHalf
from views.text.differences import DIFFERS, MOST_COMPARED, Differences, only_in_one
from views.text.line_marks import line_colours
from views.theme import LIGHT, Theme

LEAST_COLUMNS = 48
"""Of a program beside another one; with less room they stand below each other."""
LEAST_LINES = 11
"""Room in lines, of both together, from which on two programs can stand below each other."""
FRAME_LINES = 2
"""What stands around the text of one program, in lines."""


class ProgramView(QWidget):
    """Shows jaxpr, StableHLO or optimised HLO.

    Signals:
        form_requested: the Form that the person wants to see.
        name_reached: the variable that the person clicked or went to with keys, '' where there is none.
        focus_requested: a Focus on an equation or a code line.
        verdict_changed: how much program there is, in words.
    """

    form_requested = Signal(str)
    name_reached = Signal(str)
    focus_requested = Signal(object)
    verdict_changed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._snapshot: Snapshot | None = None
        self._marks = Marks()
        self._awaited: Form | None = None
        self._verdict = ""
        self._theme = LIGHT
        self._shares = [1, 1]
        """How the room is shared out between two programs."""
        self._folded = False
        self._comparing: bool | None = None
        self._compared: tuple[tuple[Form, str], ...] = ()
        """The two programs whose differences are marked."""
        self._too_many = QLabel(wordWrap=True)
        self._switch = FormSwitch()
        self._fold = QToolButton(autoRaise=True)
        self._copy = QToolButton(autoRaise=True)
        self._halves = (ProgramHalf(), ProgramHalf())
        self._lay_out()
        self._switch.form_chosen.connect(self._on_form_chosen)
        self._copy.clicked.connect(self._halves[0].copy)
        self._fold.clicked.connect(self._on_fold_clicked)
        for half in self._halves:
            half.focus_requested.connect(self.focus_requested)
            half.folds_changed.connect(self._show_fold_button)
            half.name_reached.connect(self.name_reached)
        self.setFocusProxy(self._halves[0])
        self.setAccessibleName(self.tr("Program"))
        self.apply_theme(LIGHT)
        self._show()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the programs of the one or two reports in `snapshot`."""
        self._snapshot = snapshot
        # A text that outlives its program, as what there was before a mistake, keeps its colours.
        if colours := line_colours(snapshot):
            for half in self._halves:
                half.show_colours(colours)
        forms = {report.program.form for report in snapshot.reports if report.program}
        if self._awaited in forms:
            self._awaited = None
        if forms and self._awaited is None:
            self._switch.show_form(forms.pop())
        self._show()

    def show_marks(self, marks: Marks) -> None:
        """Light up the equations of `marks`, or in other forms the lines."""
        self._marks = marks
        for half in self._halves:
            half.show_marks(marks)
            half.scroll_to(marks)

    def show_pointed(self, focus: Focus) -> None:
        """Bring `focus`, which a story points at, on screen: folds that hide it are opened."""
        for half in self._halves:
            half.open_to(focus)

    def apply_theme(self, theme: Theme) -> None:
        """Take colours and text size from `theme`."""
        self._theme = theme
        self._top.setContentsMargins(theme.px(4), 0, theme.px(4), 0)
        self._switch.apply_theme(theme)
        self._splitter.setHandleWidth(theme.px(1))
        self._too_many.setContentsMargins(theme.px(8), theme.px(2), theme.px(8), theme.px(2))
        for half in self._halves:
            half.apply_theme(theme)
        self._show()

    def _show(self) -> None:
        snapshot = self._snapshot
        reports = snapshot.reports[:2] if snapshot else ()
        failure = snapshot.failure if snapshot else None
        over = snapshot is not None and snapshot.complete
        comparing = len(reports) == 2
        if (reports or failure is None) and comparing != self._comparing:
            self._comparing = comparing
            self._halves[1].setVisible(comparing)
            self._copy.setVisible(not comparing)
            for half in self._halves:
                half.show_title(comparing)
        for place, half in enumerate(self._halves):
            half.show_report(reports[place] if place < len(reports) else None, self._switch.form, failure, over=over)
            half.show_marks(self._marks)
        self._show_differences(comparing=comparing)
        self._arrange()
        self._show_fold_button()
        self._tell_verdict()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Set two programs side by side, or below each other where their lines would not have room."""
        code = QFontMetricsF(self._theme.mono_font())
        comparing = self._halves[1].isVisibleTo(self)
        narrow = self._splitter.width() / 2 < LEAST_COLUMNS * code.averageCharWidth()
        tall = self._splitter.height() >= LEAST_LINES * code.height()
        stacked = comparing and narrow and tall
        for half in self._halves:
            half.show_detail(not stacked)
        self._splitter.setOrientation(Qt.Orientation.Vertical if stacked else Qt.Orientation.Horizontal)
        shares = [half.rows_shown + FRAME_LINES for half in self._halves] if stacked else [1, 1]
        if shares != self._shares:
            self._shares = shares
            self._splitter.setSizes([share * 1000 for share in shares])

    def _show_differences(self, *, comparing: bool) -> None:
        """Mark which lines of two programs in the same form stand in one of them only."""
        programs = tuple(half.compared for half in self._halves) if comparing else ()
        if programs == self._compared:
            return
        self._compared = programs
        only = Differences()
        if programs and programs[0][0] == programs[1][0] and all(text for _, text in programs):
            (form, first), (_, second) = programs
            only = only_in_one(first, second, form)
        self._tell_too_many(only.too_many)
        signs = "+-" if self._halves[1].is_as_it_was else DIFFERS * 2
        for half, rows, sign in zip(self._halves, (only.first, only.second), signs, strict=True):
            half.show_only_here(rows, sign)

    def _tell_too_many(self, lines: int) -> None:
        told = self.tr(
            "The differences are not marked: from the first to the last there are {lines} lines, and {most} are the "
            "most that are compared. A smaller batch or fewer steps of a loop in Python make a shorter program."
        )
        self._too_many.setText(told.format(lines=f"{lines:,}", most=f"{MOST_COMPARED:,}"))
        self._too_many.setVisible(lines > 0)

    def text(self) -> str:
        """Return the text of the first program."""
        return self._halves[0].text()

    def _tell_verdict(self) -> None:
        shown = [half.verdict() for half in self._halves if half.isVisibleTo(self)]
        verdict = " | ".join(filter(None, shown))
        if verdict != self._verdict:
            self._verdict = verdict
            self.verdict_changed.emit(verdict)

    def _show_fold_button(self) -> None:
        shown = [half for half in self._halves if half.isVisibleTo(self)]
        self._fold.setVisible(any(half.can_fold for half in shown))
        self._folded = any(half.any_folded for half in shown)
        self._fold.setText(self.tr("Open all") if self._folded else self.tr("Fold all"))

    def _on_fold_clicked(self) -> None:
        closed = not self._folded
        for half in self._halves:
            half.fold_all(closed)

    def _on_form_chosen(self, form: Form) -> None:
        self._awaited = form
        self._show()
        self.form_requested.emit(form)

    def _lay_out(self) -> None:
        self._fold.setToolTip(
            self.tr("Fold or open the jaxprs inside of equations; one alone with its arrow, or Space on its line")
        )
        self._copy.setText(self.tr("Copy"))
        self._copy.setToolTip(self.tr("Copy the whole text, exactly as JAX prints it"))
        self._top = QHBoxLayout()
        self._top.addWidget(self._switch)
        self._top.addStretch()
        self._top.addWidget(self._fold)
        self._top.addWidget(self._copy)
        self._splitter = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        for half in self._halves:
            self._splitter.addWidget(half)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(self._top)
        layout.addWidget(self._splitter, 1)
        layout.addWidget(self._too_many)
        self._too_many.setProperty("role", "dim")
        self._too_many.hide()

"""ProgramHalf: the program text of one variant with folds, marks and cost, in the colours of its code lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from explorer.focus.variant_names import shown_subject
from explorer.messages import TOP_LEVEL, Failure, Focus, Form, Marks, Program, Report, is_original
from views.parts.controls import fill
from views.parts.labels import ElidedLabel
from views.program.folds import FoldState, VisibleLines
from views.program.hover import Hover
from views.program.notice import Never, Notice
from views.program.program_text import Place, ProgramText
from views.program.program_words import cost_explained, cost_in_words, verdict
from views.text.enlarged import MOST_ENLARGED, Enlarged
from views.theme import DIM_TEXT, Theme, Themed, lettered, spaced


def equation_of_row(program: Program) -> list[int]:
    """Return for each line of the text the innermost equation on it, -1 for none."""
    rows = [-1] * (program.text.count("\n") + 1)
    for number, equation in enumerate(program.equations):
        # An equation inside another comes later and has the last word on its lines.
        for row in range(equation.first_line, equation.last_line + 1):
            rows[row] = number
    return rows


def start_row(program: Program) -> int:
    """Return the first line that matters: in HLO, tables and inner computations precede it.

    In a jaxpr, the programs of a library may precede all that comes from a line of user code, and the lines with which
    its program begins.
    """
    lines = program.text.split("\n") if program.form in ("jaxpr", "hlo") else []
    if program.form == "jaxpr":
        first = next((row for row, line in enumerate(program.lines) if line), 0)
        near = range(first, max(-1, first - LINES_BEFORE - 1), -1)
        return next((row for row in near if not lines[row].startswith(" ")), first)
    return next((row for row, line in enumerate(lines) if line.startswith("ENTRY")), 0)


def places_of(program: Program, equations: Iterable[int]) -> list[tuple[int, int]]:
    """Return the first and the last line of each of `equations` that there is."""
    known = program.equations
    return [(known[number].first_line, known[number].last_line) for number in equations if number < len(known)]


def lit_rows(program: Program, shown: VisibleLines, marks: Marks, variant: str) -> frozenset[int]:
    """Return the visible lines of `marks` in the program of `variant`; a folded one for its hidden lines."""
    if program.form == "jaxpr":
        return shown.rows_over(places_of(program, marks.equations.get(variant, frozenset())))
    lines = program.lines
    return frozenset(row for row, at in enumerate(shown.rows) if at < len(lines) and lines[at] in marks.lines)


LINES_BEFORE = 4
"""The most lines before the user's that are shown."""


class ProgramHalf(Themed, QWidget):
    """Shows one Report's program.

    Signals:
        focus_requested: a Focus on the equation, or in other forms on the code line, that the user went to.
        folds_changed: a fold was closed or opened, or the text has changed.
        name_reached: the variable that the user clicked or reached by keys, '' for none.
    """

    focus_requested = Signal(object)
    folds_changed = Signal()
    name_reached = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = self._subject = ""
        self._program = Program("jaxpr", "")
        self._failure: Failure | None = None
        self._marks = Marks()
        self._lit: frozenset[int] = frozenset()
        """The marked rows."""
        self._only_here: frozenset[int] = frozenset()
        self._sign = ""
        self._focus: Focus | None = None
        self._equation_of_row: list[int] = []
        self.folding = FoldState()
        self._shown = VisibleLines()
        self._title = lettered(ElidedLabel(), bold=True)
        self._notice = Notice()
        self._text = ProgramText(self)
        self._cost = spaced(QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText), 8, 2, 8, 2)
        self._cost_line = spaced(ElidedLabel(), 8, 2, 8, 2)
        self._detailed = True
        self._detail = spaced(ElidedLabel(), 8, 2, 8, 2)
        self._hover = Hover(self._text, self._detail)
        self._letters = Enlarged(self._text)
        self._lay_out()
        self._name_parts()
        self._connect()
        self._hover.name_reached.connect(self.name_reached)
        self.setFocusProxy(self._text)

    # -- what it shows ----------------------------------------------------------------------------------------

    def show_report(self, report: Report | None, form: Form, failure: Failure | None, *, over: bool = False) -> None:
        """Show the program of `report`; where there is none, the reason above the last text of the same variant.

        `form` is the chosen form, `failure` the reason why nothing could run; `over` says that the run has ended, so
        that nothing more will come.
        """
        name = report.name if report is not None else "" if failure is None else self._name
        subject = report.subject if report is not None else self._subject
        if (name, subject) != (self._name, self._subject):
            self._name, self._subject = name, subject
            self.folding.forget()
            self._show_program(Program(form, ""))
        if report is not None:
            self._title.show_text(shown_subject(report))
            self.setAccessibleName(self.tr("Program of {}").format(shown_subject(report)))
        program = report.program if report else None
        self._failure = failure or (program.failure if program else None)
        if self._failure is None and program is not None:
            self._show_program(program)
        waiting = program is None or program.form != form
        never: Never = "no variant" if over and report is None else ""
        if name == TOP_LEVEL and program is None and report is not None and report.status is not None:
            never = "top level"
        if report is not None and report.recorded and not (program and program.text):
            never = "recording"
        noticed = self._notice.show_state(self._program, form, self._failure, waiting=waiting, never=never)
        self._text.setVisible(bool(self._program.text) or not noticed)
        self._notice.fit(self.height(), alone=not self._text.isVisibleTo(self))
        self._text.mark(veiled=self._failure is not None)

    def show_colours(self, colours: Mapping[int, int]) -> None:
        """Colour the lines of the code by these numbers."""
        self._text.mark(colours=colours)

    def show_marks(self, marks: Marks) -> None:
        """Outline the marked lines; a folded line represents its hidden lines."""
        self._marks = marks
        self._lit = lit_rows(self._program, self._shown, marks, self._name)
        self._text.mark(marked=self._lit)

    def show_only_here(self, rows: frozenset[int], sign: str) -> None:
        """Mark those lines of the whole text that the program next to this one lacks, by `sign`."""
        self._only_here = rows
        self._sign = sign
        self._mark_only_here()

    def _mark_only_here(self) -> None:
        shown = frozenset(map(self._shown.row_of, self._only_here))
        self._text.mark(only_here=dict.fromkeys(shown, self._sign))

    @property
    def is_original(self) -> bool:
        """Whether this is the program of the original code."""
        return is_original(self._name)

    @property
    def compared(self) -> tuple[Form, str]:
        """The form and the text to compare with another's; an empty text for no program."""
        return self._program.form, self._program.text if self._failure is None else ""

    def scroll_to(self, marks: Marks) -> None:
        """Scroll to the marks of a new focus, unless it was chosen in this view."""
        focus, self._focus = self._focus, marks.focus
        rows = self._lit
        chosen_here = marks.focus and marks.focus.kind == "equation" and marks.focus.variant == self._name
        if rows and not chosen_here and marks.focus != focus:
            if marks.focus and marks.focus.kind == "finding":
                self._open_over_lit()
            start = self._shown.row_of(start_row(self._program))
            self._text.show_row(min((row for row in self._lit if row >= start), default=min(self._lit)))

    def open_to(self, focus: Focus) -> None:
        """Scroll to `focus`, which a story points at, and open the folds that hide it."""
        known = self._program.equations
        if focus.kind != "equation":
            self._open_over_lit()
        elif focus.variant == self._name and focus.index < len(known) and self._program.form == "jaxpr":
            row = known[focus.index].first_line
            if self.folding.open_over(row):
                self._show_lines(afresh=False)
            self._text.show_row(self._shown.row_of(row))

    def _open_over_lit(self) -> None:
        """Open the folds over the first marked equation, unless one of them is already visible."""
        lit = [first for first, _ in places_of(self._program, self._marks.equations.get(self._name, ()))]
        hidden = bool(lit) and self._program.form == "jaxpr" and not self._shown.shows(lit)
        if hidden and self.folding.open_over(min(lit)):
            self._show_lines(afresh=False)

    def show_title(self, shown: bool) -> None:
        """Show the name of the variant above the text, or not."""
        self._title.setVisible(shown)

    def show_detail(self, shown: bool) -> None:
        """Show a line below the text for the hovered name and the full cost; without it, tips show them."""
        self._detailed = shown
        self._detail.setVisible(shown and not self.theme.on_stage)
        self._show_cost()

    def _show_cost(self) -> None:
        cost = self._program.cost
        words = cost_in_words(cost) if cost else ""
        self._cost.setText(words)
        self._cost_line.show_text(words)
        self._cost.setVisible(cost is not None and self._detailed)
        self._cost_line.setVisible(cost is not None and not self._detailed)

    @property
    def rows_shown(self) -> int:
        """The number of visible lines, without folded ones."""
        return len(self._shown.rows)

    def verdict(self) -> str:
        """Return the keys that the program draws from, or its size, in words; empty when there is none."""
        return verdict(self._program, self._failure)

    # -- folding ----------------------------------------------------------------------------------------------

    def fold_all(self, closed: bool) -> None:
        """Fold or open everything."""
        self.folding.toggle_all(closed=closed)
        self._show_lines(afresh=False)

    def _on_fold_asked(self, row: int) -> None:
        if self.folding.toggle(self._shown.rows[row]):
            self._show_lines(afresh=False)

    # -- what the user points at ----------------------------------------------------------------------------

    def _on_row_chosen(self, row: int) -> None:
        text_row = self._shown.rows[row] if row < len(self._shown.rows) else -1
        equation = self._equation_of_row[text_row] if text_row >= 0 else -1
        line = self._text.marks.origin(row)
        if equation >= 0:
            self.focus_requested.emit(Focus("equation", equation, self._name))
        elif line:
            self.focus_requested.emit(Focus("line", line, self._name))

    def _exact_text(self, start: Place, end: Place) -> str:
        rows = self._shown.rows
        return self.folding.text_between((rows[start[0]], start[1]), (rows[end[0]], end[1]))

    # -- showing ----------------------------------------------------------------------------------------------

    def _show_program(self, program: Program) -> None:
        if program is self._program or program == self._program:
            return
        if program.form != self._program.form:
            self.folding.forget()
        afresh = program.form != self._program.form or not self._program.text
        if program.text != self._program.text or program.equations != self._program.equations:
            self.folding.take(program)
        self._program = program
        self._equation_of_row = equation_of_row(program)
        self._show_lines(afresh=afresh)
        start = self._shown.row_of(start_row(program))
        if afresh and (program.form == "hlo" or start >= LINES_BEFORE):
            self._text.show_first(start)
        self._show_cost()

    def _show_lines(self, *, afresh: bool) -> None:
        before, self._shown = self._shown, self.folding.shown()
        moved = len(before.rows) != len(self._shown.rows)
        lines = self._program.lines
        origins = [lines[row] if row < len(lines) else 0 for row in self._shown.rows]
        self._text.show_lines(self._shown, self._program.form, origins, afresh=afresh)
        if moved:
            # Marks are painted together with the lines that have moved under them.
            self._mark_rows()
        self._text.paint_changes()
        self._hover.take(self._program, self._equation_of_row, self._shown)
        if not moved:
            self._mark_rows()
        self._fit_letters()
        self.folds_changed.emit()

    def _fit_letters(self) -> None:
        """On a stage, enlarge the letters to the room that the program leaves."""
        lines = self._shown.text.split("\n") if self.theme.on_stage and self.rows_shown <= MOST_ENLARGED else ()
        self._letters.fit(lines)

    def _mark_rows(self) -> None:
        self.show_marks(self._marks)
        self._mark_only_here()

    # -- looks and building -----------------------------------------------------------------------------------

    def apply_theme(self, theme: Theme) -> None:
        self._notice.fit(self.height(), alone=not self._text.isVisibleTo(self))
        self._letters.apply_theme(theme)
        if self.folding.short != (theme.on_stage):
            self.folding.short = theme.on_stage
            self._show_lines(afresh=False)
        self._fit_letters()

    def minimumSizeHint(self) -> QSize:
        """Return a size for title and text alone: notices and costs come and go, and must not push panes around."""
        height = self._header.minimumSize().height() + self._text.minimumHeight()
        return QSize(super().minimumSizeHint().width(), height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._notice.fit(self.height(), alone=not self._text.isVisibleTo(self))

    def _lay_out(self) -> None:
        self._header = spaced(QHBoxLayout(), 8, 0, 4, 0)
        self._header.addWidget(self._title, 1)
        below = self._cost, self._cost_line, self._detail
        fill(QVBoxLayout(self), self._header, (self._notice, 1), (self._text, 1), *below)
        self._show_cost()

    def _name_parts(self) -> None:
        self._text.setAccessibleName(self.tr("Program text"))
        self._text.setAccessibleDescription(self.tr("Space folds or opens the line"))
        self._cost.setToolTip(cost_explained())
        self._detail.setForegroundRole(DIM_TEXT)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._fit_letters()
        return False

    def _connect(self) -> None:
        self._text.installEventFilter(self)
        self._text.row_chosen.connect(self._on_row_chosen)
        self._text.fold_asked.connect(self._on_fold_asked)
        self._text.exact_text = self._exact_text

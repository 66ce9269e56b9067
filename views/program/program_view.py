"""ProgramView, the Program pane: text or lens of one variant, or of two with their differences marked."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetricsF, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSplitter, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from explorer.focus.variant_names import shown_subject
from explorer.messages import Focus, Form, LensAnswer, Marks, Snapshot
from explorer.scenario.scenario import StepPlan
from explorer.text.html import html, tag
from views.parts.controls import fill
from views.parts.drawing import Drawing
from views.parts.tabs import Tabs
from views.program.form_switch import FormSwitch
from views.program.lenses.pages import LensPages
from views.program.program_half import ProgramHalf
from views.text.differences import DIFFERS, MOST_COMPARED, Differences, only_in_one
from views.text.line_marks import line_colours
from views.theme import DIM_TEXT, LIGHT, Theme, Themed, apply_to_tree, spaced

LEAST_COLUMNS = 48
"""Least columns of a program next to another one; with less room one is below the other, or behind a tab."""
LEAST_LINES = 28
"""Least height of the pane, in lines, for one program below the other."""
FRAME_LINES = 3
"""Lines of height around the text of one program."""


class ProgramView(Themed, QWidget):
    """Shows jaxpr, StableHLO or optimised HLO, or a lens on them.

    Signals:
        form_requested: the Form to show.
        lens_requested: the id of the lens to open, '' for none.
        rerun_requested: the Rerun to compute in addition.
        name_reached: the variable that the user clicked or reached by keys, '' for none.
        focus_requested: a Focus on an equation or a code line.
        verdict_changed: the size of the program, in words; of a recording, its lenses.
        costs_changed: the LineCost of each line in the open lens, after each of its answers; empty without any.
    """

    form_requested = Signal(str)
    lens_requested = Signal(str)
    rerun_requested = Signal(object)
    name_reached = Signal(str)
    focus_requested = Signal(object)
    verdict_changed = Signal(str)
    costs_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._snapshot: Snapshot | None = None
        self._marks = Marks()
        self._awaited: Form | None = None
        self._verdict = ""
        self._shares = [1, 1]
        """The division of the room between two programs."""
        self._folded = False
        self._comparing: bool | None = None
        self._compared: tuple[tuple[Form, str], ...] = ()
        """The two programs with marked differences."""
        self._names: list[str] = []
        self._front = 0
        """The half that is shown where only one of two is: on a stage, and in a small pane."""
        self._is_single = False
        """Whether only one of two is shown."""
        self._tabs = Tabs()
        self._sides = spaced(QLabel(wordWrap=True, textFormat=Qt.TextFormat.RichText), 8, 0, 8, 0)
        self._too_many = spaced(QLabel(wordWrap=True), 8, 2, 8, 2)
        self._switch = FormSwitch()
        self._fold = QToolButton(autoRaise=True)
        self._halves = (ProgramHalf(), ProgramHalf())
        self._lenses = LensPages()
        self._told: tuple[LensAnswer, ...] = ()
        """The answers whose costs are in the editor."""
        self._places = (QStackedWidget(), QStackedWidget())
        """Each has a half and the lens page that replaces it while a lens is open."""
        self._lay_out()
        self._switch.form_chosen.connect(self._on_form_chosen)
        self._switch.lens_chosen.connect(self.look_through)
        self._tabs.chosen.connect(self._show_half)
        self._fold.clicked.connect(self._on_fold_clicked)
        for half in self._halves:
            half.focus_requested.connect(self.focus_requested)
            half.folds_changed.connect(self._show_fold_button)
            half.name_reached.connect(self.name_reached)
        for page in self._lenses.pages:
            page.focus_requested.connect(self.focus_requested)
            page.rerun_requested.connect(self.rerun_requested)
        self.setFocusProxy(self._places[0])
        self.setAccessibleName(self.tr("Program"))
        apply_to_tree(self, LIGHT)
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
        self._lenses.show_snapshot(snapshot)
        self._show()

    def show_lenses(self, answers: Sequence[LensAnswer]) -> None:
        """Show the answers of the open lens about the variants."""
        self._lenses.show_lenses(answers)
        self._tell_costs()

    def look_through(self, lens: str, *, keeps_form: bool = False) -> None:
        """Open the lens with this id where the program offers it, '' for none, and request its answers."""
        self._lenses.wanted = lens
        self._show_lens()
        if lens and self._switch.form != "jaxpr" and not keeps_form:
            # A lens reports on the equations of the jaxpr.
            self._on_form_wanted("jaxpr")
        self.lens_requested.emit(lens)

    def show_plan(self, plan: StepPlan) -> None:
        """Open the lens that a step of the story names, or the text in the step's form."""
        wanted = plan.lens or ""
        if (plan.lens is not None or plan.form) and wanted != self._lenses.wanted:
            # A question may count in the form that the step asks for.
            self.look_through(wanted, keeps_form=bool(plan.form))

    def show_marks(self, marks: Marks) -> None:
        """Light up the equations of `marks`, or in other forms the lines, and show the program in focus."""
        if marks.focus is not None and marks.focus != self._marks.focus and self._is_single and not self.theme.on_stage:
            self._bring_to_front(marks.focus.variant)
        self._marks = marks
        for half in self._halves:
            half.show_marks(marks)
            half.scroll_to(marks)
        self._lenses.show_marks(marks)

    def show_pointed(self, focus: Focus) -> None:
        """Scroll to `focus`, which a story points at, and open the folds that hide it."""
        self._bring_to_front(focus.variant)
        for half in self._halves:
            half.open_to(focus)

    def apply_theme(self, theme: Theme) -> None:
        """Apply the colours and text size of `theme`."""
        self._splitter.setHandleWidth(theme.px(1))
        self._show()

    def _show(self) -> None:
        snapshot = self._snapshot
        reports = snapshot.reports[:2] if snapshot else ()
        failure = snapshot.failure if snapshot else None
        over = snapshot is not None and snapshot.complete
        comparing = len(reports) == 2
        names = [report.name for report in reports]
        if (reports or failure is None) and (comparing != self._comparing or names != self._names):
            self._comparing, self._names, self._front = comparing, names, 0
        for place, half in enumerate(self._halves):
            report = reports[place] if place < len(reports) else None
            half.show_report(report, self._switch.form, failure, over=over)
            half.show_marks(self._marks)
        self._place_halves()
        self._show_differences(comparing=comparing)
        self._show_lens()
        self._tell_verdict()

    def _place_halves(self) -> None:
        """Show both programs, or one and the name of the other."""
        comparing, on_stage = bool(self._comparing), self.theme.on_stage
        self._is_single = self._wants_single
        for number, place in enumerate(self._places):
            place.setVisible(number == self._front if self._is_single else number == 0 or comparing)
        for shown in (*self._halves, *self._lenses.pages):
            shown.show_title(comparing and not self._is_single)
        self._sides.setVisible(comparing and on_stage)
        self._tabs.setVisible(self._is_single and not on_stage)
        (self._second if self._is_single else self._top).addWidget(self._fold)
        if comparing and self._snapshot is not None and len(reports := self._snapshot.reports) > 1:
            names = [shown_subject(report) for report in reports[:2]]
            here, other = names[self._front], names[1 - self._front]
            self._sides.setText(html(tag("b", here), " · ", self.tr("Tab: {}").format(other)))
            self._tabs.show_names(names)
            self._tabs.choose(self._front)

    @property
    def _wants_single(self) -> bool:
        """Whether only one of two programs has room, in a small pane or on a stage."""
        return bool(self._comparing) and (self.theme.on_stage or (self._is_narrow and not self._is_tall))

    @property
    def _is_narrow(self) -> bool:
        """Whether two programs do not fit next to each other."""
        return self.width() / 2 < LEAST_COLUMNS * QFontMetricsF(self.theme.mono_font()).averageCharWidth()

    @property
    def _is_tall(self) -> bool:
        """Whether two programs fit below each other."""
        return self.height() > LEAST_LINES * QFontMetricsF(self.theme.mono_font()).height()

    def show_other_half(self) -> bool:
        """Show the other of two programs, where one is shown at a time; return whether there is another."""
        if not self._is_single:
            return False
        self._show_half(1 - self._front)
        return True

    def _show_half(self, number: int) -> None:
        self._front = number
        self._place_halves()
        self._arrange()

    def _bring_to_front(self, variant: str) -> None:
        """Show the program of `variant` where it is the other one."""
        names = [report.name for report in self._snapshot.reports[:2]] if self._snapshot is not None else []
        if variant in names and names.index(variant) != self._front:
            self.show_other_half()

    def _show_lens(self) -> None:
        """Show the pages of the lens instead of the texts, or the other way round."""
        lens = self._lenses.shown
        self._switch.show_lenses(self._lenses.offered, lens)
        for place, half, page in zip(self._places, self._halves, self._lenses.pages, strict=True):
            place.setCurrentWidget(page if lens else half)
            place.setFocusProxy(place.currentWidget())
        self._lenses.show()
        self._arrange()
        self._show_fold_button()
        self._tell_costs()

    def _tell_costs(self) -> None:
        """Report the costs of new answers, also of equal ones: lines may have been edited since the earlier ones."""
        before, self._told = self._told, self._lenses.answers
        if list(map(id, before)) != list(map(id, self._told)):
            self.costs_changed.emit(self._lenses.costs)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()
        self._show_fold_button()

    def _arrange(self) -> None:
        """Put two programs side by side, below each other where their lines would not fit, or show one of them."""
        if self._is_single != self._wants_single:
            self._place_halves()
        code = QFontMetricsF(self.theme.mono_font())
        stacked = bool(self._comparing) and not self._is_single and self._is_narrow
        for half in self._halves:
            half.show_detail(not stacked and not self._is_single)
        orientation = Qt.Orientation.Vertical if stacked else Qt.Orientation.Horizontal
        turned = self._splitter.orientation() != orientation
        self._splitter.setOrientation(orientation)
        by_length = stacked and not self._lenses.shown
        rows = [half.rows_shown for half in self._halves]
        room = int(self._splitter.height() / code.lineSpacing()) - 2 * FRAME_LINES
        # A short program is seen whole, and a very long one gets what is left.
        lengths = [min(each, max(min(rows), room - min(rows))) for each in rows]
        shares = [length + FRAME_LINES for length in lengths] if by_length else [1, 1]
        if turned or shares != self._shares:
            self._shares = shares
            self._splitter.setSizes([share * 1000 for share in shares])

    def _show_differences(self, *, comparing: bool) -> None:
        """Mark the lines that only one of two programs in the same form has."""
        programs = tuple(half.compared for half in self._halves) if comparing else ()
        if programs == self._compared:
            return
        self._compared = programs
        only = Differences()
        if programs and programs[0][0] == programs[1][0] and all(text for _, text in programs):
            (form, first), (_, second) = programs
            only = only_in_one(first, second, form)
        self._tell_too_many(only.too_many)
        signs = "+-" if self._halves[1].is_original else DIFFERS * 2
        for half, rows, sign in zip(self._halves, (only.first, only.second), signs, strict=True):
            half.show_only_here(rows, sign)

    def _tell_too_many(self, lines: int) -> None:
        text = self.tr(
            "Differences are not marked: they span {lines} lines, and at most {most} are compared. A smaller batch, "
            "or fewer iterations of a Python loop, makes the program shorter."
        )
        self._too_many.setText(text.format(lines=f"{lines:,}", most=f"{MOST_COMPARED:,}"))
        self._too_many.setVisible(lines > 0)

    def drawings(self) -> tuple[Drawing, ...]:
        """Return the lens tables of the variants on screen, for print; empty without a lens."""
        pages = self._lenses.pages[: 2 if self._comparing else 1] if self._lenses.shown else ()
        return tuple(each for page in pages if (each := page.drawing()) is not None)

    def _tell_verdict(self) -> None:
        verdict = " | ".join(filter(None, (half.verdict() for half in self._halves_in_use())))
        if verdict != self._verdict:
            self._verdict = verdict
            self.verdict_changed.emit(verdict)

    def _show_fold_button(self) -> None:
        # On a stage the texts need the room, and in a narrow pane the buttons in front of it.
        needed = self._switch.sizeHint().width() + self._fold.sizeHint().width()
        fits = not self.theme.on_stage and (self._is_single or needed <= self.width())
        shown = self._halves_in_use() if fits and not self._lenses.shown else ()
        self._fold.setVisible(any(half.folding.can_fold for half in shown))
        self._folded = any(half.folding.any_closed for half in shown)
        self._fold.setText(self.tr("Open all") if self._folded else self.tr("Fold all"))

    def _on_fold_clicked(self) -> None:
        closed = not self._folded
        for half in self._halves:
            half.fold_all(closed)

    def _halves_in_use(self) -> tuple[ProgramHalf, ...]:
        return self._halves if self._comparing else self._halves[:1]

    def _on_form_chosen(self, form: Form) -> None:
        left, self._lenses.wanted = self._lenses.wanted, ""
        self._on_form_wanted(form)
        if left:
            self.lens_requested.emit("")

    def _on_form_wanted(self, form: Form) -> None:
        self._awaited = form
        self._switch.show_form(form)
        self._show()
        self.form_requested.emit(form)

    def _lay_out(self) -> None:
        self._fold.setToolTip(
            self.tr(
                "Fold or open the jaxprs inside equations. For a single one, click its arrow or press Space on its line"
            )
        )
        self._top = spaced(QHBoxLayout(), 4, 0, 4, 0)
        self._top.addWidget(self._switch, 1)
        self._second = spaced(QHBoxLayout(), 4, 0, 4, 0)
        self._second.addWidget(self._tabs, 1)
        self._splitter = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        for place, half, page in zip(self._places, self._halves, self._lenses.pages, strict=True):
            place.addWidget(half)
            place.addWidget(page)
            self._splitter.addWidget(place)
        fill(QVBoxLayout(self), self._top, self._second, self._sides, (self._splitter, 1), self._too_many)
        self._too_many.setForegroundRole(DIM_TEXT)
        self._too_many.hide()

"""NoiseView, the noise pane: arrays of one report or two, their controls, curves over iterations or calls."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from explorer.figures.blamed_draw import draw_of, of_script, worst_draw
from explorer.figures.row_letters import RowGroups
from explorer.focus.variant_names import shown_variant
from explorer.messages import TOP_LEVEL, Calls, EquationValue, Marks, Picture, Report, Snapshot
from explorer.scenario.scenario import StepPlan, picture_words
from views.noise.arrays.picture_choice import ROLES, PictureChoice, PictureSlice
from views.noise.bars.picture_bar import ArrayList, AxisControls, ModeChooser, PictureChooser
from views.noise.bars.slider_lines import ValueBar, with_value
from views.noise.choices import NoiseChoices, ResolvedHalves, resolve
from views.noise.halves import BothHalves, MissingWords
from views.noise.heatmap.heatmap import ColourBar
from views.noise.heatmap.peak_curve import FEW
from views.noise.iterations_page import IterationsPage
from views.noise.pages.page import MODES
from views.parts.controls import fill
from views.parts.what_is_new import Parts
from views.theme import Theme


def control_style(theme: Theme) -> str:
    """Return the style sheet of the pane: Fusion shows a checked button by a shade that a projector swallows."""
    size, groove = theme.px(14), theme.px(3)
    return f"""
        QToolButton {{ color: {theme.text}; background: {theme.background}; border: 1px solid {theme.hairline};
                       border-radius: {theme.px(4)}px; padding: {theme.px(2)}px {theme.px(4)}px; }}
        QToolButton:hover, QToolButton:focus {{ border-color: {theme.focus}; }}
        QToolButton:checked {{ color: {theme.selection_text}; background: {theme.selection}; }}
        QSlider::groove:horizontal {{ height: {groove}px; background: {theme.hairline}; }}
        QSlider::handle:horizontal {{ width: {size}px; margin: -{(size - groove) // 2}px 0;
                                      border-radius: {size // 2}px; background: {theme.dim}; }}
        QSlider::handle:horizontal:focus {{ background: {theme.focus}; }}
        QSlider::handle:horizontal:disabled {{ background: {theme.hairline}; }}
    """


LOOP = 10
"""Recorded calls of a function from which on they are a loop, such as one that trains: its curves are shown first."""


class NoiseView(QWidget):
    """Shows the arrays of one report, or of two next to each other.

    Signals:
        focus_requested: a Focus on the row, or among draws on the draw, that was clicked or reached by a key.
        verdict_changed: the verdict in words, for the pane's title.
        hover_text: the text for the hovered thing, '' for none.
        steps_chosen: the iteration of each loop around the selected equation whose value is wanted.
        iteration_chosen: a Focus on an equation inside a loop, and the iterations of the loops around it.
    """

    focus_requested = Signal(object)
    verdict_changed = Signal(str)
    hover_text = Signal(str)
    steps_chosen = Signal(object)
    iteration_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts = Parts("pictures", "calls")
        self._snapshot: Snapshot | None = None
        self._reports: tuple[Report, ...] = ()
        self._marks = Marks()
        self._choices = NoiseChoices()
        self._groups = RowGroups()
        self._verdict = ""
        self._value: EquationValue | None = None
        self._wants_iterations: bool | None = None
        """Whether curves over the iterations are wanted; None for a loop's only."""
        self._wanted_name = ""
        self._choice_before = PictureChoice()
        """The choice before a value was shown."""
        self._is_curve = False
        """Whether the picture is a curve."""
        self._is_own_choice = False
        """Whether the user chose an array after the finding in focus."""
        self._blamed: Picture | None = None
        """The draw of a finding that is shown for it."""
        self.setAccessibleName(self.tr("Noise"))
        self.chooser = PictureChooser()
        self.axes = AxisControls()
        self.against = ArrayList(self.tr("Array on the y axis"))
        self._both = BothHalves()
        self.halves = self._both.halves
        self.modes = ModeChooser()
        self.over_iterations = QToolButton()
        self.iterations = IterationsPage()
        self.other_calls = IterationsPage()
        """The calls of a recording that is compared."""
        self._pages = QWidget()
        self.bar = ColourBar()
        self.value_bar = ValueBar()
        self._missing = MissingWords(self)
        self._lay_out()
        self._connect()
        self._refresh()

    def _lay_out(self) -> None:
        self.over_iterations.setText(self.tr("Iterations"))
        self.over_iterations.setCheckable(True)
        self.over_iterations.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.over_iterations.setAccessibleName(self.tr("Curves over the iterations"))
        for control in (self.against, self.axes.rows):
            self.chooser.add(control)
        bottom = QHBoxLayout()
        for widget in (self.modes, self.bar, self.over_iterations):
            bottom.addWidget(widget)
        bottom.insertStretch(2)
        fill(QHBoxLayout(self._pages), (self.iterations, 1), (self.other_calls, 1), spacing=12)
        bars = self.chooser, self.value_bar, self.axes
        column = fill(QVBoxLayout(self), *bars, (self._both, 1), (self._pages, 1), bottom, spacing=4)
        column.setContentsMargins(8, 4, 8, 4)

    def _connect(self) -> None:
        self.chooser.choice_changed.connect(self._follow_choice)
        self.axes.cut_changed.connect(self._follow_cut)
        self.against.activated.connect(self._follow_against)
        self.value_bar.steps_chosen.connect(self.steps_chosen)
        self.modes.mode_chosen.connect(self.show_mode)
        self.over_iterations.clicked.connect(self._follow_over_iterations)
        self.iterations.iteration_chosen.connect(self.iteration_chosen)
        for page in (self.iterations, self.other_calls):
            page.call_chosen.connect(self.focus_requested)
            page.hovered.connect(self.hover_text)
        self._both.focus_requested.connect(self.focus_requested)
        self._both.hovered.connect(self.hover_text)

    # -- what to show -------------------------------------------------------------------------

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the arrays of the first report, and of the second next to it."""
        self._snapshot = snapshot
        waits = any(half.picture is None for half in self.halves[: len(self._reports)])
        if self._parts.are_new(snapshot) or waits:
            self._refresh()

    def show_value(self, value: EquationValue | None) -> None:
        """Show the value of the selected equation among the arrays of its variant; None removes it."""
        before, self._value = self._value, value
        places = [(each.variant, each.equation) for each in (before, value) if each is not None]
        other = len(places) < 2 or places[0] != places[1]
        choice = self._choices.picture
        if value is None:
            choice = self._choice_before if choice.role == "value" else choice
        elif other and value.pictures:
            self._choice_before = choice if choice.role != "value" else self._choice_before
            choice = PictureChoice(role="value", name=self._wanted_name)
        self._choices = replace(self._choices, picture=choice, cut=None if other else self._choices.cut)
        self.value_bar.show_value(value)
        self.iterations.show_value(value)
        self._refresh()

    def show_value_named(self, name: str) -> None:
        """Show the variable `name` of the selected equation, now or when its values arrive; '' for the first."""
        self._wanted_name = name
        if self._value is not None and any(each.name == name for each in self._value.pictures):
            self._follow_choice(PictureChoice(role="value", name=name))

    def show_plan(self, plan: StepPlan) -> None:
        """Show the array that a step of the story is about, in the way that it names."""
        if plan.picture:
            self.show_picture_role(*picture_words(plan.picture))
            # Code without a story opens by a plan, too, which chooses nothing.
            self._is_own_choice = self._marks.focus is not None
        if plan.look:
            self.show_mode(plan.look)

    def forget(self) -> None:
        """Use the defaults for the next arrays."""
        self._choice_before, self._wants_iterations, self._is_own_choice = PictureChoice(), None, False
        self._pursue(NoiseChoices())

    def hold_back(self, has_two_halves: bool) -> None:
        """Leave reasons out of the verdicts, which would answer a question, or show them again."""
        for half in self.halves:
            half.hold_back(has_two_halves)
        self._level_heads()
        self._tell_verdict()

    def take_over(self, other: NoiseView) -> None:
        """Use the choices of `other`."""
        self._wants_iterations = other._wants_iterations
        self._choice_before, self._wanted_name = other._choice_before, other._wanted_name
        self._pursue(other._choices)

    def show_marks(self, marks: Marks) -> None:
        """Outline the marked rows."""
        is_other = marks.focus != self._marks.focus and marks.focus is not None and marks.focus.kind == "finding"
        self._is_own_choice = self._is_own_choice and not is_other
        self._marks = marks
        self._both.show_marks(marks)
        if is_other or (self._reports and self._reports[0].calls):
            self._refresh()

    def show_picture_role(self, role: str, name: str = "") -> None:
        """Show pictures of `role`, the one called `name`; does nothing for a role that does not exist."""
        if role in ROLES:
            self._follow_choice(PictureChoice(role=ROLES[ROLES.index(role)], name=name))

    def show_mode(self, mode: str) -> None:
        """Show the picture in one of MODES, if it suits, or with "auto" in the best one; else do nothing.

        "iterations" shows the values of a selected equation in a loop as curves.
        """
        if mode in ("auto", "iterations", *MODES):
            self._wants_iterations = True if mode == "iterations" else None
            self._choices = replace(self._choices, mode=MODES[MODES.index(mode)] if mode in MODES else None)
            self._refresh()

    def apply_theme(self, theme: Theme) -> None:
        self.setStyleSheet(control_style(theme))
        self._level_heads()

    def _pursue(self, choices: NoiseChoices) -> None:
        if choices != self._choices:
            self._choices = choices
            self._refresh()

    def _refresh(self) -> None:
        self._reports = with_value(self._snapshot.reports[:2] if self._snapshot is not None else (), self._value)
        wanted = self._unasked()
        choice = PictureChoice(wanted.role, wanted.name) if wanted is not None else self._choices.picture
        resolved = resolve(self._reports, replace(self._choices, picture=choice), self._groups)
        role = self.chooser.buttons[resolved.offer.role].text()
        self._both.show_resolved(self._snapshot, self._reports, resolved, role)
        self._show_controls(resolved)
        self._both.show_marks(self._marks)
        self._level_heads()
        self._tell_verdict()

    def _unasked(self) -> Picture | None:
        """Return the picture for the finding in focus, for a script, or for all draws; None for another choice."""
        self._blamed = None
        focus, report = self._marks.focus, self._reports[0] if self._reports else None
        if self._value is not None or report is None:
            return None
        worst = worst_draw(report) if self._choices.picture == PictureChoice("draw") else None
        if self._is_own_choice:
            return worst
        found = report.findings or ()
        if focus is not None and focus.kind == "finding" and focus.variant == report.name and focus.index < len(found):
            self._blamed = draw_of(report, found[focus.index])
        elif report.name == TOP_LEVEL:
            picture, is_blamed = of_script(report)
            self._blamed = picture if is_blamed else None
            return picture
        return self._blamed or worst

    def _show_controls(self, resolved: ResolvedHalves) -> None:
        view = resolved.leading
        picture = view.picture if view is not None else None
        shape = picture.shape if picture is not None else ()
        self._is_curve = resolved.mode == "line" and picture is not None and picture.values.shape[0] > FEW
        self.chooser.show_offer(resolved.offer)
        self.axes.show_picture(
            picture, view.cut if view is not None else PictureSlice(), whole_rows=resolved.mode != "heatmap"
        )
        self.chooser.setVisible(len(resolved.offer.roles) > 1 or len(resolved.offer.names) > 1 or len(shape) > 1)
        chosen = view.against_name if view is not None else ""
        place = resolved.partners.index(chosen) if chosen in resolved.partners else 0
        self.against.show_names(resolved.partners, self.tr("against {}"), place)
        self.against.setVisible(resolved.mode == "scatter")
        reasons = {mode: self._missing.reason(word) for mode, word in resolved.unsuited.items()}
        self.modes.show_modes(resolved.mode, reasons)
        self.modes.setVisible(bool(shape))
        scale = self._both.scale
        self.bar.setVisible(scale is not None)
        if scale is not None:
            self.bar.show_scale(scale, clips=resolved.clips and scale == resolved.scale)
        self._show_iterations()

    def _show_iterations(self) -> None:
        """Show the curves of a loop, or those of a recording's calls, instead of the picture, where they are wanted."""
        report = self._reports[0] if self._reports else None
        calls, is_asked = chosen_calls(report.calls if report is not None else (), self._marks.lines)
        is_alone = calls is not None and report is not None and not report.pictures
        second = self._reports[1] if len(self._reports) == 2 else None
        alike = (each for each in (second.calls if second is not None else ()) if calls and _are_alike(each, calls))
        other = next(alike, None)
        self.iterations.show_calls(
            calls, shown_variant(report.name) if report is not None and second is not None else ""
        )
        self.other_calls.show_calls(other, shown_variant(second.name) if second is not None else "")
        value, found = self._value, self.iterations.iterations
        self.over_iterations.setVisible(found is not None)
        name = calls.iterations.curves[0].name if calls is not None else ""
        self.over_iterations.setText(self.tr("Curves: {name}").format(name=name) if name else self.tr("Iterations"))
        self.over_iterations.setToolTip(
            self.tr("Show the values in all iterations of the loop as curves")
            if calls is None
            else self.tr("Show the numbers that a jitted function returned, over its calls")
        )
        is_loop = value is not None and found is not None and len(value.loops) == found.around
        by_itself = (is_asked or is_alone or is_loop) and self._blamed is None
        wanted = by_itself if self._wants_iterations is None else self._wants_iterations
        shown = found is not None and wanted
        self.over_iterations.setChecked(shown)
        self._pages.setVisible(shown)
        self.other_calls.setVisible(other is not None)
        self._both.setVisible(not shown)
        if shown:
            for each in (self.chooser, self.axes, self.modes, self.bar):
                each.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._level_heads()

    def _level_heads(self) -> None:
        self.value_bar.set_words_share(self.height())
        self._both.level_heads(self.height())

    def _tell_verdict(self) -> None:
        pages = [each.verdict for each in (self.iterations, self.other_calls) if each.isVisibleTo(self)]
        verdict = " | ".join(pages) or self._both.words
        if verdict and (pages or self._is_curve):
            verdict = (self.tr("curves: {}") if pages else self.tr("curve: {}")).format(verdict)
        self.setAccessibleDescription(verdict)
        if verdict != self._verdict:
            self._verdict = verdict
            self.verdict_changed.emit(verdict)

    # -- what the user does -----------------------------------------------------------------

    def _follow_choice(self, choice: PictureChoice) -> None:
        self._is_own_choice = True
        self._choices = replace(self._choices, picture=choice, cut=None)
        self._refresh()

    def _follow_cut(self, cut: PictureSlice) -> None:
        self._pursue(replace(self._choices, cut=cut))

    def _follow_against(self, place: int) -> None:
        self._pursue(replace(self._choices, against=self.against.itemData(place)))

    def _follow_over_iterations(self, checked: bool) -> None:
        self._wants_iterations = checked
        self._refresh()


def chosen_calls(calls: tuple[Calls, ...], lines: frozenset[int]) -> tuple[Calls | None, bool]:
    """Return the calls to show where `lines` are marked, and whether to show them unasked.

    They are the ones that a marked line makes or leads to, or whose NaN it makes; without such a line those with NaN or
    infinity, or of a long loop, or else the first ones on demand.
    """
    made = [each for each in calls if each.span.shown_line in lines]
    led = [each for each in calls if any(span.shown_line in lines for span in each.path)]
    caused = [each for each in calls if each.cause_line in lines]
    if found := [*made, *led, *caused]:
        return found[0], True
    bad = [each for each in calls if each.iterations.first_not_finite >= 0]
    long = [each for each in calls if each.iterations.length >= LOOP]
    return next(iter((*bad, *long, *calls)), None), bool((bad or long) and not lines)


def _are_alike(one: Calls, other: Calls) -> bool:
    return (one.function, one.span.line, len(one.path)) == (other.function, other.span.line, len(other.path))

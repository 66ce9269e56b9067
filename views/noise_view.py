"""The noise pane: one row per example, equal rows lettered, two variants side by side on one scale."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from explorer.messages import EquationValue, Focus, Marks, Picture, Report, Snapshot
from explorer.scenario import StepPlan, picture_words
from views.noise.aim import FIRST_AND_LAST, Aim, Resolved, resolve
from views.noise.cell_geometry import CellWindow
from views.noise.colour_bar import ColourBar
from views.noise.controls import AxisControls, PictureChooser, array_list
from views.noise.draw_rows import draw_of_row
from views.noise.half import NoiseHalf
from views.noise.missing import MissingWords
from views.noise.mode_chooser import ModeChooser
from views.noise.pair_bar import PairBar
from views.noise.picture_choice import ROLES, Wish
from views.noise.picture_slice import Cut
from views.noise.row_groups import RowGroups
from views.noise.row_pair import keys_of_pair
from views.noise.sight import MODES
from views.noise.value_bar import ValueBar, with_value
from views.parts import Parts
from views.theme import Theme


class NoiseView(QWidget):
    """Shows the arrays of one report, or of two next to each other.

    Signals:
        focus_requested: a Focus on the row, or among draws on the draw, that was clicked or reached by a key.
        verdict_changed: the verdict in words, for the pane's title.
        hover_text: what is under the pointer in words, '' when there is nothing.
        steps_chosen: in which rounds of the loops around the selected equation its value is wanted.
    """

    focus_requested = Signal(object)
    verdict_changed = Signal(str)
    hover_text = Signal(str)
    steps_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts = Parts(attrgetter("pictures"))
        self._snapshot: Snapshot | None = None
        self._reports: tuple[Report, ...] = ()
        self._marks = Marks()
        self._aim = Aim()
        self._groups = RowGroups()
        self._verdict = ""
        self._value: EquationValue | None = None
        self._wanted_name = ""
        self._wish_before = Wish()
        """What was shown before a value was."""
        self.setAccessibleName(self.tr("Noise"))
        self.chooser = PictureChooser()
        self.axes = AxisControls()
        self.against = array_list(self.tr("Array on the upright axis"))
        self.pair = PairBar()
        self.halves = (NoiseHalf(), NoiseHalf())
        self.modes = ModeChooser()
        self.ends = QToolButton()
        self.ends.setText(self.tr("First against last"))
        self.ends.setCheckable(True)
        self.ends.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.ends.setAccessibleName(self.tr("First against last example"))
        self.ends.setToolTip(self.tr("Hold two rows against each other; Ctrl and a click on a row takes any other"))
        self.bar = ColourBar()
        self.value_bar = ValueBar()
        self._missing = MissingWords(self)
        self._lay_out()
        self._connect()
        self._refresh()

    def _lay_out(self) -> None:
        self._sides = QHBoxLayout()
        for half in self.halves:
            self._sides.addWidget(half, 1)
        for control in (self.against, self.axes.rows):
            self.chooser.add(control)
        bottom = QHBoxLayout()
        for widget in (self.modes, self.bar, self.ends):
            bottom.addWidget(widget)
        bottom.insertStretch(2)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 4, 8, 4)
        column.setSpacing(4)
        for line in (self.chooser, self.value_bar, self.axes, self.pair):
            column.addWidget(line)
        column.addLayout(self._sides, 1)
        column.addLayout(bottom)

    def _connect(self) -> None:
        self.chooser.wish_changed.connect(self._follow_wish)
        self.axes.cut_changed.connect(self._follow_cut)
        self.against.activated.connect(self._follow_against)
        self.pair.pair_changed.connect(self.show_pair)
        self.value_bar.steps_chosen.connect(self.steps_chosen)
        self.modes.mode_chosen.connect(self.show_mode)
        self.ends.clicked.connect(self._follow_ends)
        self.bar.clicked.connect(self._follow_bar)
        first, second = self.halves
        for half in self.halves:
            half.pair_chosen.connect(self.show_pair)
        first.row_chosen.connect(self._focus_first)
        second.row_chosen.connect(self._focus_second)
        first.hovered.connect(self._hover_first)
        second.hovered.connect(self._hover_second)
        first.window_changed.connect(self._align_second)
        second.window_changed.connect(self._align_first)

    # -- what to show -------------------------------------------------------------------------

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the arrays of the first report, and of the second beside it."""
        self._snapshot = snapshot
        if self._parts.are_new(snapshot):
            self._refresh()

    def show_value(self, value: EquationValue | None) -> None:
        """Show the value of the selected equation among the arrays of its variant; None takes it away again."""
        other = value is None or self._value is None or _place(value) != _place(self._value)
        self._value = value
        wish = self._aim.wish
        if value is None:
            wish = self._wish_before if wish.role == "value" else wish
        elif other and value.pictures:
            self._wish_before = wish if wish.role != "value" else self._wish_before
            wish = Wish(role="value", name=self._wanted_name)
        self._aim = replace(self._aim, wish=wish, cut=None if other else self._aim.cut)
        self.value_bar.show_value(value)
        self._refresh()

    def show_value_named(self, name: str) -> None:
        """Show this one of the variables of the selected equation, now or when its values come; '' for the first."""
        self._wanted_name = name
        if self._value is not None and any(each.name == name for each in self._value.pictures):
            self._follow_wish(Wish(role="value", name=name))

    def show_plan(self, plan: StepPlan) -> None:
        """Show the array that a step of the story is about, in the way that it names."""
        if plan.picture:
            self.show_picture_role(*picture_words(plan.picture))
        if plan.look:
            self.show_mode(plan.look)

    def show_marks(self, marks: Marks) -> None:
        """Outline the marked rows."""
        self._marks = marks
        for half, report in zip(self.halves, self._reports, strict=False):
            half.mark_rows(marks.rows.get(report.name, frozenset()))

    def show_picture_role(self, role: str, name: str = "") -> None:
        """Show pictures of `role`, of those the one called `name`; nothing happens for a role that does not exist."""
        if role in ROLES:
            self._follow_wish(Wish(role=ROLES[ROLES.index(role)], name=name))

    def show_mode(self, mode: str) -> None:
        """See the picture as one of MODES, where it suits, or with "auto" as what suits it best; else do nothing."""
        if mode in MODES or mode == "auto":
            self._pursue(replace(self._aim, mode=MODES[MODES.index(mode)] if mode in MODES else None))

    def show_pair(self, rows: tuple[int, int] | None) -> None:
        """Hold two rows against each other, counted from the end where negative; None shows all rows again."""
        self._pursue(replace(self._aim, pair=rows))

    def apply_theme(self, theme: Theme) -> None:
        self.setStyleSheet(_button_style(theme))
        for part in (*self.halves, self.bar, self.axes):
            part.apply_theme(theme)
        self._sides.setSpacing(theme.px(12))
        self._level_heads()

    def _pursue(self, aim: Aim) -> None:
        if aim != self._aim:
            self._aim = aim
            self._refresh()

    def _refresh(self) -> None:
        self._reports = with_value(self._snapshot.reports[:2] if self._snapshot is not None else (), self._value)
        resolved = resolve(self._reports, self._aim, self._groups)
        self._show_halves(resolved)
        self._share_axes()
        self._show_controls(resolved)
        self.show_marks(self._marks)
        self._level_heads()
        self._tell_verdict()

    def _show_controls(self, resolved: Resolved) -> None:
        sight = resolved.leading
        picture = sight.picture if sight is not None else None
        self.chooser.show_offer(resolved.offer, self._aim.wish)
        self.axes.show_picture(
            picture, sight.cut if sight is not None else Cut(), whole_rows=resolved.mode != "heatmap"
        )
        self.chooser.setVisible(len(resolved.offer.roles) > 1 or len(resolved.offer.names) > 1 or _rank(picture) > 1)
        self.pair.show_pair(sight.pair if sight is not None else None, _rows(sight.axis, picture) if sight else 0)
        self.against.clear()
        for name in resolved.partners:
            self.against.addItem(self.tr("against {}").format(name), name)
        if sight is not None and sight.against_name in resolved.partners:
            self.against.setCurrentIndex(resolved.partners.index(sight.against_name))
        self.against.setVisible(resolved.mode == "scatter" and sight is not None and sight.pair is None)
        self.ends.setVisible(resolved.may_pair and resolved.mode != "similarity")
        self.ends.setChecked(sight is not None and sight.pair is not None)
        reasons = {mode: self._missing.reason(word) for mode, word in resolved.unsuited.items()}
        self.modes.show_modes(resolved.mode, reasons)
        self.modes.setVisible(_rank(picture) > 0)
        scale = next((half.scale for half in self.halves[: len(self._reports)] if half.scale is not None), None)
        self.bar.setVisible(scale is not None)
        if scale is not None:
            self.bar.show_scale(scale, clips=resolved.clips and scale == resolved.scale)

    def _show_halves(self, resolved: Resolved) -> None:
        first, second = self.halves
        second.setVisible(len(self._reports) == 2)
        if not self._reports:
            first.show_name("")
            first.show_sentence(self._missing.without_reports(self._snapshot))
        for half, report, sight in zip(self.halves, self._reports, resolved.sights, strict=False):
            half.show_name(report.name if len(self._reports) == 2 else "")
            if sight is None:
                role = self.chooser.buttons[resolved.offer.role].text()
                half.show_sentence(self._missing.without_picture(report, role))
            else:
                keys = keys_of_pair(report.keys, sight.picture, sight.pair) if sight.pair is not None else ""
                half.show_picture(sight, keys, bug=_is_shared(report, sight.picture))

    def _share_axes(self) -> None:
        """Let two histograms reach equally high and two scatter plots equally far, so that they can be compared."""
        first, second = self.halves
        modes = {half.mode for half in self.halves[: len(self._reports)]}
        if len(self._reports) < 2 or len(modes) != 1:
            return
        peak = max(first.histogram.peak, second.histogram.peak)
        across, upwards = zip(first.scatter.ranges, second.scatter.ranges, strict=True)
        for half in self.halves:
            half.histogram.set_peak(peak)
            half.scatter.set_ranges((_around(*across), _around(*upwards)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._level_heads()

    def _level_heads(self) -> None:
        """Let both plots begin and end at the same height, so that one row lies beside the other."""
        for half in self.halves:
            half.set_words_share(self.height(), self._sides.geometry().height())
        both = self.halves if len(self._reports) == 2 else ()
        width = (self._sides.geometry().width() - self._sides.spacing()) // 2
        head = max((half.head_height(width) for half in both), default=0)
        notes = max((half.notes_height(width) for half in both), default=0)
        for half in self.halves:
            half.set_head_height(head)
            half.set_notes_height(notes)

    def _tell_verdict(self) -> None:
        words = [half.words for half in self.halves[: max(1, len(self._reports))]]
        if len(words) == 2:
            words = [f"{report.name}: {each}" for report, each in zip(self._reports, words, strict=True)]
        verdict = " | ".join(words)
        self.setAccessibleDescription(verdict)
        if verdict != self._verdict:
            self._verdict = verdict
            self.verdict_changed.emit(verdict)

    # -- what the person does -----------------------------------------------------------------

    def _follow_wish(self, wish: Wish) -> None:
        self._pursue(replace(self._aim, wish=wish, cut=None))

    def _follow_cut(self, cut: Cut) -> None:
        rows_stay = self._aim.cut is None or self._aim.cut.row_axis == cut.row_axis
        self._pursue(replace(self._aim, cut=cut, pair=self._aim.pair if rows_stay else None))

    def _follow_against(self, place: int) -> None:
        self._pursue(replace(self._aim, against=self.against.itemData(place)))

    def _follow_ends(self, checked: bool) -> None:
        self.show_pair(FIRST_AND_LAST if checked else None)

    def _follow_bar(self, checked: bool) -> None:
        self._pursue(replace(self._aim, whole_scale=checked))

    def _focus_first(self, row: int) -> None:
        self._request_focus(0, row)

    def _focus_second(self, row: int) -> None:
        self._request_focus(1, row)

    def _request_focus(self, side: int, row: int) -> None:
        report, picture = self._reports[side], self.halves[side].picture
        draw = draw_of_row(report.keys, picture, row) if picture is not None else None
        self.focus_requested.emit(Focus("row", row, report.name) if draw is None else Focus("draw", draw, report.name))

    def _hover_first(self, words: str) -> None:
        self._tell_hover(0, words)

    def _hover_second(self, words: str) -> None:
        self._tell_hover(1, words)

    def _tell_hover(self, side: int, words: str) -> None:
        named = words and len(self._reports) == 2
        self.hover_text.emit(f"{self._reports[side].name}, {words}" if named else words)

    def _align_first(self, window: CellWindow) -> None:
        _align(self.halves[0], self.halves[1], window)

    def _align_second(self, window: CellWindow) -> None:
        _align(self.halves[1], self.halves[0], window)


def _place(value: EquationValue) -> tuple[str, int]:
    return value.variant, value.equation


def _around(first: tuple[float, float], second: tuple[float, float]) -> tuple[float, float]:
    return min(first[0], second[0]), max(first[1], second[1])


def _rank(picture: Picture | None) -> int:
    return len(picture.shape) if picture is not None else 0


def _rows(axis: int, picture: Picture | None) -> int:
    return picture.values.shape[axis] if picture is not None and picture.values.shape else 0


def _button_style(theme: Theme) -> str:
    # Fusion shows a checked button by a shade that a projector swallows.
    return f"""
        QToolButton {{ color: {theme.text}; background: {theme.background}; border: 1px solid {theme.hairline};
                       border-radius: {theme.px(4)}px; padding: {theme.px(2)}px {theme.px(4)}px; }}
        QToolButton:hover, QToolButton:focus {{ border-color: {theme.focus}; }}
        QToolButton:checked {{ color: {theme.selection_text}; background: {theme.selection}; }}
    """


def _align(follower: NoiseHalf, leader: NoiseHalf, window: CellWindow) -> None:
    if follower.heatmap.shape == leader.heatmap.shape:
        follower.heatmap.show_window(window)


def _is_shared(report: Report, picture: Picture) -> bool:
    """Return whether a finding at level bug says that the examples of this array share noise."""
    if picture.role == "value":
        return False
    for finding in report.findings or ():
        axis = finding.axis or 0
        if finding.kind == "shared-noise" and finding.level == "bug" and axis < len(picture.shape):
            return finding.examples in (None, picture.shape[axis])
    return False

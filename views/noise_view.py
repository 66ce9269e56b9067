"""The noise pane: one row per example, equal rows lettered, two variants side by side on one scale."""

from __future__ import annotations

from operator import attrgetter

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from explorer.messages import Focus, Marks, Picture, Report, Snapshot
from explorer.scenario import StepPlan
from views.noise.cell_geometry import CellWindow
from views.noise.colour_bar import ColourBar
from views.noise.controls import AxisControls, PictureChooser
from views.noise.draw_rows import draw_of_row
from views.noise.half import NoiseHalf
from views.noise.heat_colours import Scale, scale_of
from views.noise.picture_choice import Offer, Wish, offer_for
from views.noise.picture_slice import Cut, first_and_last
from views.parts import Parts
from views.theme import Theme


class NoiseView(QWidget):
    """Shows the arrays of one report, or of two next to each other.

    Signals:
        focus_requested: a Focus on the row, or among draws on the draw, that was clicked or reached by a key.
        verdict_changed: the verdict in words, for the pane's title.
        hover_text: the cell under the pointer and its value in words, '' when there is none.
    """

    focus_requested = Signal(object)
    verdict_changed = Signal(str)
    hover_text = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts = Parts(attrgetter("pictures"))
        self._snapshot: Snapshot | None = None
        self._reports: tuple[Report, ...] = ()
        self._marks = Marks()
        self._wish = Wish()
        self._cut: Cut | None = None
        """What the person chose; None for rows along the axis of the examples."""
        self._verdict = ""
        self.setAccessibleName(self.tr("Noise"))
        self.chooser = PictureChooser()
        self.axes = AxisControls()
        self.halves = (NoiseHalf(), NoiseHalf())
        self.ends = QToolButton()
        self.ends.setText(self.tr("First against last"))
        self.ends.setCheckable(True)
        self.ends.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.ends.setAccessibleName(self.tr("First against last example"))
        self.bar = ColourBar()
        self._lay_out()
        self._connect()
        self._refresh()

    def _lay_out(self) -> None:
        self._sides = QHBoxLayout()
        for half in self.halves:
            self._sides.addWidget(half, 1)
        bottom = QHBoxLayout()
        bottom.addWidget(self.bar, 1)
        bottom.addStretch(0)
        bottom.addWidget(self.ends)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 4, 8, 4)
        column.setSpacing(4)
        column.addWidget(self.chooser)
        column.addWidget(self.axes)
        column.addLayout(self._sides, 1)
        column.addLayout(bottom)

    def _connect(self) -> None:
        self.chooser.wish_changed.connect(self._follow_wish)
        self.axes.cut_changed.connect(self._follow_cut)
        self.ends.toggled.connect(self._refresh)
        first, second = self.halves
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

    def show_plan(self, plan: StepPlan) -> None:
        """Show the kind of array that a step of the story is about."""
        if plan.picture:
            self._follow_wish(Wish(role=plan.picture))

    def show_marks(self, marks: Marks) -> None:
        """Outline the marked rows."""
        self._marks = marks
        for half, report in zip(self.halves, self._reports, strict=False):
            half.mark_rows(marks.rows.get(report.name, frozenset()))

    def apply_theme(self, theme: Theme) -> None:
        self.setStyleSheet(_button_style(theme))
        for part in (*self.halves, self.bar, self.axes):
            part.apply_theme(theme)
        self._sides.setSpacing(theme.px(12))
        self._level_heads()

    def _refresh(self) -> None:
        self._reports = self._snapshot.reports[:2] if self._snapshot is not None else ()
        offer = offer_for(self._reports, self._wish)
        leading = offer.leading
        self.chooser.show_offer(offer, self._wish)
        self.axes.show_picture(leading, self._cut_of(leading))
        self.ends.setVisible(any(_has_two_rows(picture, self._cut_of(picture)) for picture in offer.pictures))
        scale = scale_of([picture for picture in offer.pictures if picture is not None])
        self.bar.show_scale(scale)
        self._show_halves(offer, scale)
        self.bar.setVisible(any(half.has_colours for half in self.halves[: len(self._reports)]))
        self.show_marks(self._marks)
        self._level_heads()
        self._tell_verdict()

    def _show_halves(self, offer: Offer, scale: Scale) -> None:
        first, second = self.halves
        second.setVisible(len(self._reports) == 2)
        if not self._reports:
            first.show_name("")
            first.show_sentence(self._sentence_without_reports())
        for half, report, picture in zip(self.halves, self._reports, offer.pictures, strict=False):
            half.show_name(report.name if len(self._reports) == 2 else "")
            if picture is None:
                half.show_sentence(self._sentence_without_picture(report, offer))
            else:
                bug = _is_shared(report, picture)
                half.show_picture(picture, scale, self._cut_of(picture), ends_only=self.ends.isChecked(), bug=bug)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._level_heads()

    def _level_heads(self) -> None:
        """Let both plots begin at the same height, so that one row lies beside the other."""
        for half in self.halves:
            half.set_words_share(self.height())
        both = self.halves[: len(self._reports)]
        width = (self._sides.geometry().width() - self._sides.spacing()) // 2
        height = max((half.head_height(width) for half in both), default=0) if len(both) == 2 else 0
        for half in self.halves:
            half.set_head_height(height)

    def _cut_of(self, picture: Picture | None) -> Cut:
        """Return what the person chose where `picture` has axes to choose from, else rows along its examples."""
        rank = len(picture.shape) if picture is not None else 0
        if self._cut is not None and rank > 2 and self._cut.row_axis < rank:
            return self._cut
        return Cut(picture.axis if picture is not None and rank else 0)

    # -- words --------------------------------------------------------------------------------

    def _sentence_without_reports(self) -> str:
        if self._snapshot is None:
            return self.tr("Nothing has run yet. The noise of each example will stand here.")
        if self._snapshot.failure is not None:
            return self.tr("The program did not start, so there is no noise to show. The output pane says why.")
        if self._snapshot.complete:
            return self.tr("There is no variant to show.")
        return self.tr("Waiting for the program …")

    def _sentence_without_picture(self, report: Report, offer: Offer) -> str:
        if report.pictures:
            role = self.chooser.buttons[offer.role].text()
            return self.tr("{} has nothing to show under “{}”.").format(report.name, role)
        if report.failure is not None and report.status in (None, "error"):
            line = report.failure.line
            if line is None:
                return self.tr("{} failed with {}. It returned nothing.").format(report.name, report.failure.type)
            sentence = self.tr("{} failed on line {} with {}. It returned nothing.")
            return sentence.format(report.name, line, report.failure.type)
        if report.status == "timeout":
            return self.tr("{} took too long and was stopped. It returned nothing.").format(report.name)
        if report.status == "stopped":
            return self.tr("{} was stopped. It returned nothing.").format(report.name)
        if report.pictures is None:
            return self.tr("Waiting for {} …").format(report.name)
        return self.tr("{} returned no array, so there is nothing to draw.").format(report.name)

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
        self._wish, self._cut = wish, None
        self._refresh()

    def _follow_cut(self, cut: Cut) -> None:
        self._cut = cut
        self._refresh()

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


def _has_two_rows(picture: Picture | None, cut: Cut) -> bool:
    return picture is not None and first_and_last(picture, cut.row_axis) is not None


def _button_style(theme: Theme) -> str:
    # Fusion shows a checked button by a shade that a projector swallows.
    return f"""
        QToolButton {{ color: {theme.text}; background: {theme.background}; border: 1px solid {theme.hairline};
                       border-radius: {theme.px(4)}px; padding: {theme.px(2)}px {theme.px(7)}px; }}
        QToolButton:hover, QToolButton:focus {{ border-color: {theme.focus}; }}
        QToolButton:checked {{ color: {theme.selection_text}; background: {theme.selection}; }}
    """


def _align(follower: NoiseHalf, leader: NoiseHalf, window: CellWindow) -> None:
    if follower.heatmap.shape == leader.heatmap.shape:
        follower.heatmap.show_window(window)


def _is_shared(report: Report, picture: Picture) -> bool:
    """Return whether a finding at level bug says that the examples of this array share noise."""
    for finding in report.findings or ():
        axis = finding.axis or 0
        if finding.kind == "shared-noise" and finding.level == "bug" and axis < len(picture.shape):
            return finding.examples in (None, picture.shape[axis])
    return False

"""The timing pane: curves over a parameter, one call stage by stage, break-even, and the figures as a table."""

from __future__ import annotations

import math
from datetime import datetime

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QPalette, QPixmap
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from explorer.controls import Controls
from explorer.messages import Focus, Hello, Marks, Measurement, Snapshot, Value
from explorer.scenario import StepPlan
from explorer.timing_about import About
from explorer.timing_csv import timing_csv
from explorer.timing_figures import Figures, Series, tick_text
from views.elided_label import ElidedLabel
from views.theme import LIGHT, Theme
from views.timing.break_even_page import BreakEvenPage
from views.timing.call_bars import CallBars
from views.timing.choice_menu import ChoiceMenu
from views.timing.legended_plot import LegendedPlot
from views.timing.lines import curves, drawn_series, ticks
from views.timing.memory_bars import MemoryBars
from views.timing.memory_words import MemoryWords
from views.timing.page_bar import PageBar
from views.timing.point_page import PointPage
from views.timing.save_menu import SaveMenu, captioned
from views.timing.series_look import legend
from views.timing.table import TimingTable
from views.timing.traces_page import TracesPage
from views.timing.trust_page import TrustPage
from views.timing.words import TimingWords

PICTURE_PX = (1000, 650)
REDRAW_MS = 200
"""Painting takes a core from what is being timed, so it is done five times a second at most."""
CURVES, ONE_CALL, ONE_POINT, BREAK_EVEN, MEMORY, TRUST, TRACES, TABLE, WAITING = range(9)


PLOTS = {
    CURVES: "curves",
    ONE_CALL: "one-call",
    ONE_POINT: "one-point",
    BREAK_EVEN: "break-even",
    MEMORY: "memory",
    TRUST: "trust",
    TABLE: "table",
}
PAGES = {**PLOTS, TRACES: "traces"}


class TimingView(QWidget):
    """Shows the measurements of one timing run as they come.

    Signals:
        focus_requested: a Focus on the measured point, or on the line, that was chosen.
        verdict_changed: the headline for the pane's title.
        hover_text: what the point under the pointer says; empty when there is none.
        timing_chosen: the TimingChoice that the person ticked.
        timing_wanted: everything shall be timed anew.
    """

    focus_requested = Signal(object)
    verdict_changed = Signal(str)
    hover_text = Signal(str)
    timing_chosen = Signal(object)
    timing_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._theme = LIGHT
        self._words = TimingWords()
        self._memory_words = MemoryWords()
        self._figures = Figures.of(())
        self._strong: frozenset[str] = frozenset()
        self._hidden: frozenset[str] = frozenset()
        """Names of the legend whose curves are not shown."""
        self._focus: Focus | None = None
        self._state = ""
        self._verdict = ""
        self._is_behind = self._is_held = False
        self._pause = QTimer(self, singleShot=True, interval=REDRAW_MS)
        self._hello: Hello | None = None
        self._flags: tuple[tuple[str, str], ...] = ()
        self._chosen_page: int | None = None
        self._chosen_value: Value | None = None
        self._chosen_series: Series | None = None
        self.setAutoFillBackground(True)
        self._make_parts()
        self._lay_out()
        self._connect_parts()
        self.apply_theme(LIGHT)

    # -- what comes from outside --------------------------------------------------------------

    def show_measurements(self, measurements: tuple[Measurement, ...]) -> None:
        """Show `measurements`, all of this run so far; at once, or with those that follow within 200 ms.

        While a first call is under way nothing is drawn, because a compilation uses every core.
        """
        self._figures = Figures.of(measurements)
        newest = measurements[-1] if measurements else None
        self._is_held = newest is not None and not newest.final and newest.samples_s is None
        if self._pause.isActive() or self._is_held:
            self._is_behind = True
        else:
            self._refresh()
            self._pause.start()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show what was traced in the run of the program."""
        self._traces.show_snapshot(snapshot)
        self._flags = snapshot.flags or self._flags

    def show_hello(self, hello: Hello) -> None:
        """Take the versions and devices of the worker, for captions."""
        self._hello = hello

    def show_controls(self, controls: Controls) -> None:
        """Offer what `controls` say can be timed."""
        self._choice.show_controls(controls)

    def show_timing_state(self, text: str) -> None:
        """Show `text`, a sentence on the run: waiting, running, cut short; empty for nothing to say."""
        self._state = text
        self._refresh()

    def show_plan(self, plan: StepPlan) -> None:
        """Show the page that a step of the story is about."""
        if plan.page:
            self._chosen_page = next((page for page, name in PAGES.items() if name == plan.page), None)
            self._refresh_page()

    def show_marks(self, marks: Marks) -> None:
        """Draw the curves of the marked variants stronger, and ring the point in focus."""
        self._focus = marks.focus
        if marks.curves != self._strong:
            self._strong = marks.curves
            self._refresh_curves()
        self._show_selected()

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours and sizes of `theme`."""
        self._theme = theme
        for part in (self._curves, self._bars, self._point, self._break_even, self._memory, self._trust, self._table):
            part.apply_theme(theme)
        self._traces.apply_theme(theme)
        self._pages.apply_theme(theme)
        self._series.setFont(theme.font(0.95))
        self._values.setFont(theme.font(0.95))
        self._values_label.setFont(theme.font(0.95))
        self._waiting.setFont(theme.font(1.1))
        self._remarks.setFont(theme.font(0.92))
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, theme.background)
        self.setPalette(palette)
        self._stack.setPalette(palette)
        self._refresh()

    # -- what leaves the window ---------------------------------------------------------------

    def about(self) -> About:
        """Return device, versions, flags and date of what is shown."""
        return About.of(self._figures.points.values(), self._hello, self._flags, datetime.now().astimezone())

    def picture(self) -> QPixmap:
        """Return the page that is shown as a picture with its caption, large enough to be printed."""
        return self._printed().page_picture(self._page(), self.about().caption)

    def pictures(self) -> dict[str, QPixmap]:
        """Return a picture of every plot by the name of its file."""
        printed, caption = self._printed(), self.about().caption
        return {f"timing-{name}.png": printed.page_picture(page, caption) for page, name in PLOTS.items()}

    def page_picture(self, page: int, caption: str) -> QPixmap:
        """Return `page` with `caption` under it, and show that page from now on."""
        self._chosen_page = page
        self._refresh_page()
        # The axes find their widths while they are painted.
        self._stack.grab()
        return captioned(self._stack, caption, self._theme)

    def _printed(self) -> TimingView:
        """Return a view of the same, as large as a picture shall be."""
        view = TimingView()
        view.apply_theme(self._theme)
        view.resize(PICTURE_PX[0], PICTURE_PX[1])
        view._hidden, view._strong = self._hidden, self._strong
        view._chosen_value, view._chosen_series = self._chosen_value, self._chosen_series
        view.show_measurements(tuple(self._figures.points.values()))
        # A view that is not shown lays itself out when it is painted.
        view.grab()
        return view

    def _csv(self) -> str:
        return timing_csv(self._figures.points.values(), self.about().columns)

    # -- parts --------------------------------------------------------------------------------

    def _make_parts(self) -> None:
        names = (
            *(self.tr("Curves"), self.tr("One call"), self.tr("One point"), self.tr("Break-even")),
            *(self.tr("Memory"), self.tr("Trust"), self.tr("Traces"), self.tr("Table")),
        )
        self._choice = ChoiceMenu()
        self._save = SaveMenu(self.picture, self._csv, self.hover_text.emit)
        self._pages = PageBar(names, (self._choice, self._save))
        self._series = QComboBox()
        self._series.setAccessibleName(self.tr("Curve"))
        self._series.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._series.setMinimumContentsLength(8)
        self._values = QComboBox()
        self._values.setAccessibleName(self.tr("Point of the sweep"))
        self._values.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._values_label = QLabel()
        self._values_label.setBuddy(self._values)
        self._curves = LegendedPlot(self.tr("Time of a call over the parameter"), "{:g}".format, tick_text)
        self._bars = CallBars()
        self._break_even = BreakEvenPage()
        self._point = PointPage()
        self._memory = MemoryBars()
        self._trust = TrustPage()
        self._traces = TracesPage()
        self._table = TimingTable()
        self._waiting = _words_label(self.tr("State of the timing"))
        self._waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._remarks = ElidedLabel()
        self._remarks.setContentsMargins(8, 2, 8, 4)
        self._remarks.setProperty("role", "dim")

    def _lay_out(self) -> None:
        bars, memory = _scrolled(self._bars), _scrolled(self._memory)
        self._stack = QStackedWidget()
        self._stack.setAutoFillBackground(True)
        for page in (
            self._curves,
            bars,
            self._point,
            self._break_even,
            memory,
            self._trust,
            self._traces,
            self._table,
            self._waiting,
        ):
            self._stack.addWidget(page)
        self._point_row = QWidget()
        row = QHBoxLayout(self._point_row)
        row.setContentsMargins(8, 4, 8, 4)
        row.addWidget(self._series, 1)
        row.addWidget(self._values_label)
        row.addWidget(self._values)
        row.addStretch(0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for part in (self._pages, self._point_row, self._stack, self._remarks):
            layout.addWidget(part, 1 if part is self._stack else 0)

    def _connect_parts(self) -> None:
        self._pause.timeout.connect(self._catch_up)
        self._pages.page_chosen.connect(self._on_page_chosen)
        self._series.activated.connect(self._on_series_chosen)
        self._choice.timing_chosen.connect(self.timing_chosen)
        self._choice.timing_wanted.connect(self.timing_wanted)
        self._values.activated.connect(self._on_value_chosen)
        self._curves.plot.point_chosen.connect(self._on_point_chosen)
        self._curves.plot.hover_text.connect(self.hover_text)
        self._curves.legend.hidden_changed.connect(self._on_hidden_chosen)
        self._traces.line_chosen.connect(self._on_line_chosen)
        self._table.point_chosen.connect(self._request_focus)
        self._break_even.hover_text.connect(self.hover_text)

    # -- what the person does -----------------------------------------------------------------

    def _on_page_chosen(self, page: int) -> None:
        self._chosen_page = page
        self._refresh_page()

    def _on_value_chosen(self, place: int) -> None:
        self._chosen_value = self._timed_values()[place]
        self._refresh_point()

    def _on_line_chosen(self, line: int) -> None:
        self.focus_requested.emit(Focus("line", line))

    def _on_hidden_chosen(self, names: frozenset[str]) -> None:
        self._hidden = names
        self._refresh_curves()

    def _on_series_chosen(self, place: int) -> None:
        self._chosen_series = self._offered_series()[place]
        self._refresh_point()

    def _on_point_chosen(self, line_and_point: tuple[int, int]) -> None:
        line, point = line_and_point
        value = self._figures.values[point]
        self._chosen_series = drawn_series(self._figures, self._hidden)[line]
        self._request_focus((self._chosen_series, value))
        self._chosen_value = value
        self._refresh_point()

    def _request_focus(self, key: tuple[Series, Value]) -> None:
        measured = self._figures.points.get(key)
        if measured is not None:
            device = self._figures.devices.index(key[0].device)
            self.focus_requested.emit(Focus("timing", device, measured.variant, measured.point))

    # -- showing ------------------------------------------------------------------------------

    def _show_selected(self) -> None:
        """Ring the point in focus and select its row."""
        key = self._key_in_focus()
        drawn = drawn_series(self._figures, self._hidden)
        shown = key is not None and key[0] in drawn
        place = (drawn.index(key[0]), self._figures.values.index(key[1])) if key is not None and shown else None
        self._curves.show_ring(place)
        self._table.show_selected(key)

    def _key_in_focus(self) -> tuple[Series, Value] | None:
        focus = self._focus
        if focus is None or focus.kind != "timing":
            return None
        wanted, devices = (focus.variant, focus.point), self._figures.devices
        found = [key for key, point in self._figures.points.items() if (point.variant, point.point) == wanted]
        return next((key for key in found if devices.index(key[0].device) == focus.index), None)

    def _catch_up(self) -> None:
        if self._is_behind and not self._is_held:
            self._refresh()
            self._pause.start()

    def _refresh(self) -> None:
        self._is_behind = False
        self._refresh_curves()
        self._refresh_point()
        self._refresh_words()
        self._refresh_page()

    def _refresh_curves(self) -> None:
        values = self._figures.values
        self._curves.plot.show_labels(self._figures.swept, self.tr("time of a call"))
        self._curves.plot.show_x_ticks(ticks(values) if self._figures.swept else [(0.0, "")])
        lines = curves(self._figures, self._theme, self._words, self._strong, self._hidden)
        self._curves.show_lines(lines, legend(self._figures, self._theme, self._words, self._strong, self._hidden))
        floor_s = self._figures.floor_s
        self._curves.plot.show_floor(floor_s and math.log10(floor_s), self._words.floor(floor_s) if floor_s else "")
        self._show_selected()

    def _refresh_point(self) -> None:
        """Show the point of the sweep that "One call", "One point" and "Break-even" are about."""
        offered, series = self._offered_series(), self._shown_series()
        values, value = self._offered_values(), self._value()
        with QSignalBlocker(self._values), QSignalBlocker(self._series):
            self._values.clear()
            self._values.addItems([str(each) for each in values])
            self._values.setCurrentIndex(values.index(value) if value in values else -1)
            self._series.clear()
            self._series.addItems([each.label for each in offered])
            self._series.setCurrentIndex(offered.index(series) if series in offered else -1)
        self._values_label.setText(self.tr("at {parameter} =").format(parameter=self._figures.swept))
        timed = self._figures.timed(value) if value is not None else []
        rightly = [(series, point) for series, point in timed if not series.wrong_way]
        self._bars.show_calls([self._words.anatomy(series, point) for series, point in rightly])
        self._break_even.show_point(self._figures, value)
        self._point.show_point(self._figures, (series, value) if series is not None and value is not None else None)

    def _refresh_words(self) -> None:
        remarks = self._words.remarks(self._figures)
        waiting = not self._timed_values()
        told = " ".join(filter(None, () if waiting else (self._state, remarks)))
        self._remarks.show_text(told)
        self._remarks.setVisible(bool(told))
        self._waiting.setText(remarks or self._state or self.tr("Nothing has been timed yet."))
        verdict = self._words.verdict(self._figures)
        if verdict != self._verdict:
            self._verdict = verdict
            self.verdict_changed.emit(verdict)

    def _refresh_page(self) -> None:
        page = self._page()
        self._pages.show_page(page)
        waiting = not self._timed_values()
        if page == MEMORY:
            self._memory.show_uses(self._memory_words.uses(self._figures), self._memory_words.remark(self._figures))
        if page == TRUST:
            self._trust.show_figures(self._figures)
        if page == TABLE:
            self._table.show_figures(self._figures)
            self._show_selected()
        # What was traced is known from the run of the program, without any timing.
        self._stack.setCurrentIndex(WAITING if waiting and page != TRACES else page)
        swept = bool(self._figures.swept)
        self._values_label.setVisible(swept)
        self._values.setVisible(swept)
        self._series.setVisible(page == ONE_POINT)
        about_one = page == ONE_POINT or (page in (ONE_CALL, BREAK_EVEN) and swept)
        self._point_row.setVisible(about_one and not waiting)
        self._refresh_point()

    def _timed_values(self) -> list[Value]:
        """Return the values that the pages on one point offer: only a first call from empty caches can be compared."""
        timed = {value: self._figures.timed(value) for value in self._figures.values}
        cold = [value for value, points in timed.items() if any(point.cold for _, point in points)]
        return cold or [value for value, points in timed.items() if points]

    def _value(self) -> Value | None:
        values = self._timed_values()
        if self._chosen_value in self._offered_values():
            return self._chosen_value
        return values[-1] if values else None

    def _offered_values(self) -> list[Value]:
        if self._page() != ONE_POINT:
            return self._timed_values()
        return [value for value in self._figures.values if self._figures.timed(value)]

    def _offered_series(self) -> list[Series]:
        return [series for series in self._figures.series if self._figures.of_series(series)]

    def _shown_series(self) -> Series | None:
        offered = self._offered_series()
        return self._chosen_series if self._chosen_series in offered else next(iter(offered), None)

    def _page(self) -> int:
        if self._chosen_page is not None:
            return self._chosen_page
        return CURVES if self._figures.swept or not self._figures.series else ONE_CALL


def _scrolled(inner: QWidget) -> QScrollArea:
    scrolled = QScrollArea(widgetResizable=True)
    scrolled.setFrameShape(QFrame.Shape.NoFrame)
    scrolled.setWidget(inner)
    return scrolled


def _words_label(name: str) -> QLabel:
    label = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True, margin=8)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setAccessibleName(name)
    return label

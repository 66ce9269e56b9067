"""TimingView, the timing pane: a run's pages and the choices on them; RunConditions for captions and CSV."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec
from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from explorer.figures.curves import Figures, Series, is_without_samples
from explorer.focus.focus_words import not_recorded
from explorer.messages import Focus, Hello, Marks, Measurement, Snapshot, Value
from explorer.scenario.scenario import StepPlan
from explorer.session.controls import Activity, Controls
from views.parts.controls import fill, name
from views.parts.labels import ElidedLabel
from views.parts.tabs import Tabs
from views.theme import DIM_TEXT, LIGHT, Theme, apply_to_tree, grounded, lettered, spaced
from views.timing.menus import ChoiceMenu
from views.timing.page_stack import CURVES, ONE_CALL, PAGES, WAITING, PageStack
from views.timing.timing_words import TimingWords


class PointRow(QWidget):
    """A list of the values of the parameter.

    Signals:
        changed: the user chose another value.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.chosen: Value | None = None
        """The user's choice, whether or not it is offered."""
        self._offered: Sequence[Value] = ()
        self._values = lettered(QComboBox(), 0.95)
        self._label = lettered(QLabel(textFormat=Qt.TextFormat.PlainText), 0.95)
        name(self._values, self.tr("Point of the sweep"))
        self._values.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._label.setBuddy(self._values)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 4, 8, 4)
        row.addWidget(self._label)
        row.addWidget(self._values)
        row.addStretch(1)
        self._values.activated.connect(self._on_chosen)

    @property
    def value(self) -> Value | None:
        """The chosen value where it is offered, else the last one; None where nothing is timed."""
        return self.chosen if self.chosen in self._offered else next(reversed(self._offered), None)

    def show_figures(self, figures: Figures) -> None:
        """Offer the values of `figures` at which calls can be compared."""
        self._offered = comparable_values(figures)
        texts = [str(each) for each in self._offered]
        with QSignalBlocker(self._values):
            self._values.clear()
            self._values.addItems(texts)
            self._values.setCurrentIndex(texts.index(str(self.value)) if texts else -1)
        self._label.setText(self.tr("at {parameter} =").format(parameter=figures.swept))

    def _on_chosen(self, place: int) -> None:
        self.chosen = self._offered[place]
        self.changed.emit()


def comparable_values(figures: Figures) -> list[Value]:
    """Return the values with a first call from empty caches, or the timed values where none has one."""
    timed = {value: figures.timed(value) for value in figures.values}
    cold = [value for value, points in timed.items() if any(point.cold for _, point in points)]
    return cold or [value for value, points in timed.items() if points]


class RunConditions(msgspec.Struct, frozen=True):
    """Device, versions, flags and date of a run."""

    devices: tuple[str, ...] = ()
    versions: str = ""
    flags: str = ""
    date: str = ""

    @staticmethod
    def of(
        measurements: Iterable[Measurement], hello: Hello | None, flags: tuple[tuple[str, str], ...], when: datetime
    ) -> RunConditions:
        """Return the circumstances of the run behind `measurements`."""
        ids = tuple(dict.fromkeys(each.device for each in measurements if each.device))
        kinds = {device.id: device.kind for device in hello.devices} if hello is not None else {}
        named = tuple(f"{each} ({kinds[each]})" if kinds.get(each) else each for each in ids)
        versions = f"jax {hello.jax}, jaxlib {hello.jaxlib}, Python {hello.python}" if hello is not None else ""
        return RunConditions(
            named, versions, ", ".join(f"{name}={value}" for name, value in flags), f"{when:%Y-%m-%d %H:%M}"
        )

    @property
    def caption(self) -> str:
        """All circumstances in one line."""
        return "; ".join(filter(None, ("; ".join(self.devices), self.versions, self.flags, self.date)))

    @property
    def columns(self) -> dict[str, str]:
        """Return the circumstances as columns of the CSV, by heading."""
        return {"versions": self.versions, "flags": self.flags, "date": self.date}


REDRAW_MS = 200
"""Milliseconds between two paintings: painting takes a core from the timing."""


class TimingView(QWidget):
    """Shows the measurements of one timing run as they arrive.

    Signals:
        focus_requested: a Focus on the measured point, or on the line, that was chosen.
        verdict_changed: the headline for the pane's title.
        hover_text: the text of the hovered point; empty for none.
        timing_chosen: the TimingChoice that the user ticked.
        timing_wanted: everything should be timed again.
    """

    focus_requested = Signal(object)
    verdict_changed = Signal(str)
    hover_text = Signal(str)
    timing_chosen = Signal(object)
    timing_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._words = TimingWords()
        self._figures = Figures.of(())
        self._focus: Focus | None = None
        self._state = ""
        self._comes = False
        self.verdict = ""
        self._is_behind = self._is_sampling = self._lacks_functions = self._is_recorded = self._is_of_script = False
        self._still_runs = False
        self._pause = QTimer(self, singleShot=True, interval=REDRAW_MS)
        self._hello: Hello | None = None
        self._flags: tuple[tuple[str, str], ...] = ()
        self._chosen_page: int | None = None
        grounded(self, lambda theme: theme.background)
        self._make_parts()
        self._connect_parts()
        apply_to_tree(self, LIGHT)

    # -- what comes from outside --------------------------------------------------------------

    def show_measurements(self, measurements: tuple[Measurement, ...]) -> None:
        """Show `measurements`, all of this run so far; at once, or with those of the next 200 ms.

        During a first call nothing is drawn, because a compilation uses every core.
        """
        self._figures = Figures.of(measurements)
        self._is_sampling = bool(measurements) and is_without_samples(measurements[-1])
        if self._pause.isActive() or self._is_sampling:
            self._is_behind = True
        else:
            self._refresh()
            self._pause.start()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Take the flags of the program's run, for captions, and whether it is recorded, or still runs."""
        self._flags = snapshot.flags or self._flags
        known = snapshot.recorded, not snapshot.complete
        if known != (self._is_recorded, self._still_runs):
            self._is_recorded, self._still_runs = known
            self._refresh_words()

    def show_hello(self, hello: Hello) -> None:
        """Take the versions and devices of the worker, for captions."""
        self._hello = hello

    def show_controls(self, controls: Controls) -> None:
        """Offer the choices that `controls` allow for timing."""
        self._choice.show_controls(controls)
        lacks_functions = bool(controls.variants) and not controls.functions
        is_of_script = bool(controls.of_script)
        if (lacks_functions, is_of_script) != (self._lacks_functions, self._is_of_script):
            # With the function in its title, the pane has no room for the headline there.
            self._lacks_functions, self._is_of_script = lacks_functions, is_of_script
            self._refresh()

    def show_timing_state(self, text: str) -> None:
        """Show `text`, a sentence on the run: waiting, running, cut short; empty for none."""
        self._state = text
        self._refresh()

    def show_activity(self, activity: Activity) -> None:
        """Show that times are being measured, instead of times, while none are there yet."""
        if activity.timing_comes != self._comes:
            self._comes = activity.timing_comes
            self._refresh_words()

    def show_plan(self, plan: StepPlan) -> None:
        """Show the page that a step of the story is about."""
        if plan.page:
            self._chosen_page = next((page for page, name in PAGES.items() if name == plan.page), None)
            self._refresh_page()

    def show_marks(self, marks: Marks) -> None:
        """Draw the curves of the marked variants stronger, and ring the point in focus."""
        self._focus = marks.focus
        self.pages.curves.show_strong(marks.curves)
        self.pages.curves.show_point(self._key_in_focus())

    def apply_theme(self, theme: Theme) -> None:
        """Apply the colours and sizes of `theme`."""
        self._remarks.fit("wrapped" if theme.on_stage else "elided")
        self._refresh()

    # -- what leaves the window ---------------------------------------------------------------

    def about(self) -> RunConditions:
        """Return device, versions, flags and date of the shown figures."""
        return RunConditions.of(self._figures.points.values(), self._hello, self._flags, datetime.now().astimezone())

    def printed(self, size: tuple[int, int], theme: Theme) -> TimingView:
        """Return a view of the same page in `theme`, of `size` pixels."""
        view = TimingView()
        apply_to_tree(view, theme)
        view.resize(*size)
        view._hello, view._flags = self._hello, self._flags
        view._row.chosen = self._row.chosen
        view.show_measurements(tuple(self._figures.points.values()))
        # A view that is not shown lays itself out when it is painted.
        view.grab()
        return view

    # -- parts --------------------------------------------------------------------------------

    def _make_parts(self) -> None:
        self.names = names = self.tr("Curves"), self.tr("One call")
        self._choice = lettered(ChoiceMenu(), 0.95)
        self._tabs = Tabs(names)
        self._tabs.setAccessibleName(self.tr("Timing page"))
        bar = spaced(fill(QHBoxLayout(), (self._tabs, 1), self._choice), 4, 0, 4, 0, spacing=4)
        self._row = PointRow()
        self.pages = PageStack()
        self._headline, self._remarks = lettered(ElidedLabel(), bold=True), lettered(ElidedLabel(), 0.92)
        self._headline.setContentsMargins(8, 2, 8, 2)
        self._headline.fit("wrapped")
        self._remarks.setContentsMargins(8, 2, 8, 4)
        self._remarks.setForegroundRole(DIM_TEXT)
        fill(QVBoxLayout(self), bar, self._headline, self._row, (self.pages, 1), self._remarks)

    def _connect_parts(self) -> None:
        pages = self.pages
        self._pause.timeout.connect(self._catch_up)
        self._tabs.chosen.connect(self.choose_page)
        self._row.changed.connect(self._refresh_point)
        self._choice.timing_chosen.connect(self.timing_chosen)
        self._choice.timing_wanted.connect(self.timing_wanted)
        pages.curves.point_chosen.connect(self._on_point_chosen)
        pages.curves.hover_text.connect(self.hover_text)

    # -- what the user does -----------------------------------------------------------------

    def choose_page(self, page: int) -> None:
        """Show `page` from now on, whatever suits the times best."""
        self._chosen_page = page
        self._refresh_page()

    def _on_point_chosen(self, key: tuple[Series, Value]) -> None:
        measured, device = self._figures.points[key], self._figures.devices.index(key[0].device)
        self.focus_requested.emit(Focus("timing", device, measured.variant, measured.point))
        self._row.chosen = key[1]
        self._refresh_point()

    # -- showing ------------------------------------------------------------------------------

    def _key_in_focus(self) -> tuple[Series, Value] | None:
        focus = self._focus
        if focus is None or focus.kind != "timing":
            return None
        wanted, devices = (focus.variant, focus.point), self._figures.devices
        found = [key for key, point in self._figures.points.items() if (point.variant, point.point) == wanted]
        return next((key for key in found if devices.index(key[0].device) == focus.index), None)

    def _catch_up(self) -> None:
        if self._is_behind and not self._is_sampling:
            self._refresh()
            self._pause.start()

    def _refresh(self) -> None:
        self._is_behind = False
        self.pages.curves.show_figures(self._figures)
        self._refresh_page()

    def _refresh_words(self) -> None:
        remarks = self._words.remarks(self._figures)
        doubts = "; ".join(self._words.doubts(self._figures)) if self.page == CURVES else ""
        text = ". ".join(filter(None, (doubts, remarks, self._state) if self.is_timed else ()))
        self._remarks.show_text(text)
        self._remarks.setVisible(bool(text))
        nothing = self.tr("Nothing has been timed yet. Press Time.")
        if self._comes:
            nothing = self.tr("Timing has started. The first results come in a moment.")
        if self._lacks_functions and not self._still_runs:
            # Which functions a script calls is known once it has run.
            nothing = self.tr("Timing needs a function that this file calls with arrays, and there is none.")
        if self._is_recorded:
            nothing = not_recorded()
        self.pages.waiting.setText(remarks or self._state or nothing)
        verdict = "" if self._lacks_functions else self._words.verdict(self._figures)
        self._headline.show_text(verdict)
        self._headline.setVisible(self._is_of_script and self.is_timed)
        if verdict != self.verdict:
            self.verdict = verdict
            self.verdict_changed.emit(verdict)

    def _refresh_page(self) -> None:
        self._refresh_words()
        page = self.page
        self._tabs.choose(page)
        self.pages.setCurrentIndex(page if self.is_timed else WAITING)
        if page == CURVES:
            self.pages.curves.show_point(self._key_in_focus())
        self._refresh_point()

    def _refresh_point(self) -> None:
        """Show the point of the sweep that "One call" is about."""
        self._row.show_figures(self._figures)
        self._row.setVisible(self.page == ONE_CALL and bool(self._figures.swept) and self.is_timed)
        if self.pages.currentIndex() == ONE_CALL:
            self.pages.call.show_call(self._figures, self._row.value)

    @property
    def is_timed(self) -> bool:
        """Whether a time can be shown."""
        return not self._lacks_functions and bool(comparable_values(self._figures))

    @property
    def page(self) -> int:
        if self._chosen_page is not None:
            return self._chosen_page
        return CURVES if self._figures.swept or not self._figures.series else ONE_CALL

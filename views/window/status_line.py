"""StatusLine: the selected or hovered thing, the worker's activity, whether the panes are current."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QElapsedTimer, QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import QLabel, QStatusBar

from explorer.messages import Hello, Marks, Snapshot
from explorer.session.controls import Activity
from views.parts.labels import ElidedLabel
from views.theme import Theme, spaced

TICK_MS = 500
QUIET_MS = 200
"""A run that ends sooner is not announced: the words would only flicker at every keystroke."""


PASSING_MS = 8_000
"""How long news stays on screen."""


class StatusLine(QStatusBar):
    """Left: a sentence on the focus or the thing under the pointer. Right: device, state.

    Signals:
        stop_wanted: the run is to be stopped.
    """

    stop_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        spaced(self, 8, 0, 8, 0)
        self.setSizeGripEnabled(False)
        self._sentence = ElidedLabel()
        self._device = spaced(QLabel(textFormat=Qt.TextFormat.PlainText), 0, 0, 8, 0)
        self.state = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.state.setAccessibleName(self.tr("State"))
        self._marks = ""
        self._gone = ""
        """The sentence about a selection that is gone."""
        self._activity: Activity | None = None
        self._snapshot: Snapshot | None = None
        self._covered = False
        """Whether results of the run are hidden: they would answer a question."""
        self._tells_of_run = False
        """The words at the right end are of a run that was under way."""
        self._since = QElapsedTimer()
        self._tick = QTimer(self, interval=TICK_MS)
        self._tick.timeout.connect(self._show_state)
        self._quiet = QTimer(self, singleShot=True, interval=QUIET_MS)
        self._quiet.timeout.connect(self._show_state)
        self._passing = QTimer(self, singleShot=True, interval=PASSING_MS)
        self._passing.timeout.connect(self._pass)
        self._news = ""
        """The newest event."""
        self.addWidget(self._sentence, 1)
        for label in (self._device, self.state):
            self.addPermanentWidget(label)

    def show_hover(self, text: str) -> None:
        """Show the hover text; an empty text brings the selection back."""
        self._sentence.show_text(text or self._marks)

    def show_marks(self, marks: Marks) -> None:
        """Show the selection; the sentence about a lost one is shown for a while."""
        gone = marks.sentence if marks.focus is None else ""
        is_news, self._gone = gone not in ("", self._gone), gone
        self._marks = marks.sentence if not gone else ""
        if is_news:
            self.tell(gone)
        elif not gone:
            self._sentence.show_text(self._marks)

    def tell(self, news: str) -> None:
        """Show `news` for a while or until another text replaces it."""
        self._news = news
        self._sentence.show_text(news)
        self._passing.start()

    def show_hello(self, hello: Hello) -> None:
        """Show which jax runs."""
        self._device.setToolTip(f"jax {hello.jax}, jaxlib {hello.jaxlib}, Python {hello.python}")

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show where the outputs really are."""
        self._snapshot = snapshot
        self._show_device(snapshot)
        if not self._quiet.isActive():
            self._show_state()

    def cover(self, covered: bool) -> None:
        """Hide texts that would answer a question, or show them again."""
        self._covered = covered
        if self._snapshot is not None:
            self._show_device(self._snapshot)
        if not self._quiet.isActive():
            self._show_state()

    def _show_device(self, snapshot: Snapshot) -> None:
        reports = () if self._covered else snapshot.reports
        used = sorted({device for report in reports for device in report.ran_on})
        where = ", ".join(used) or snapshot.device
        flags = filter(None, (self._flag_words(name, value) for name, value in snapshot.flags))
        # Facts that are known only at the end would flicker at every keystroke.
        if used or snapshot.complete or snapshot.is_empty or self._covered or not self._device.text():
            self._device.setText("  ".join([self.tr("ran on {}").format(where) if used else where, *flags]))

    def show_activity(self, activity: Activity) -> None:
        """Show the worker's activity and whether the panes are current."""
        if self._activity is None or self._activity.worker != activity.worker:
            self._since.restart()
            if activity.worker.sentence and activity.worker.name != "dead":
                self.tell(str(activity.worker.sentence))
        self._activity = activity
        busy = _is_busy(activity)
        if busy and not self._tick.isActive():
            self._tick.start()
            self._quiet.start()
        elif not busy:
            self._tick.stop()
            self._quiet.stop()
        # At a keystroke the words stay, unless they are about a cancelled run.
        if not self._quiet.isActive() and (not activity.due or self._tells_of_run):
            self._show_state()

    def apply_theme(self, theme: Theme) -> None:
        self.setStyleSheet(
            f"QStatusBar {{ border-top: 1px solid {theme.hairline}; }} QStatusBar::item {{ border: none; }}"
        )
        # While it is hidden, Qt does not report a new height of its labels.
        QCoreApplication.sendEvent(self, QEvent(QEvent.Type.LayoutRequest))

    def sentence(self) -> str:
        """Return the words at the left end, in full."""
        return self._sentence.accessibleName()

    def escape(self) -> bool:
        """Stop a run that takes longer than a second; return whether there is one."""
        runs = self._activity is not None and self._activity.worker.name == "running" and self._seconds >= 1
        if runs:
            self.stop_wanted.emit()
        return runs

    @property
    def _seconds(self) -> int:
        return self._since.elapsed() // 1000

    def _pass(self) -> None:
        if self.sentence() == self._news:
            self._sentence.show_text(self._marks)

    def _show_state(self) -> None:
        if self._activity is not None:
            self.state.setText(self._words(self._activity))
            self._tells_of_run = _is_busy(self._activity)

    def _flag_words(self, name: str, value: str) -> str:
        """Return the words on a flag that is not as JAX sets it; empty for any other."""
        known = {
            ("jax_enable_x64", "True"): self.tr("x64"),
            ("jax_threefry_partitionable", "False"): self.tr("draws as before JAX 0.5"),
        }
        return known.get((name, value), "")

    def _words(self, activity: Activity) -> str:
        if _is_busy(activity):
            return self._running_words(activity.worker.name)
        if activity.worker.name == "away":
            return self.tr("not connected")
        if activity.worker.name == "dead":
            return self.tr("the worker did not start: see Findings")
        if activity.due:
            return self.tr("runs in a moment")
        if self._snapshot is not None and self._snapshot.is_empty:
            return ""
        if activity.stale:
            if activity.stopped_at:
                return self.tr("stopped at line {}: the panes show an older run").format(activity.stopped_at)
            return self.tr("stopped: the panes show an older run")
        if self._snapshot is None:
            return ""
        if self._covered:
            return self.tr("has run")
        if self._snapshot.failures:
            return self.tr("failed: {}").format(self._snapshot.failures[0].name)
        if not (took := self._snapshot.elapsed_s):
            # A recorded run took its time elsewhere.
            return ""
        words = self.tr("{} s").format(f"{took:.1f}") if took >= 1 else self.tr("{} ms").format(round(took * 1000))
        return (self.tr("ran in {}, times follow") if activity.timing_comes else self.tr("up to date in {}")).format(
            words
        )

    def _running_words(self, name: str) -> str:
        """Return the work under way, after its first second with its time."""
        checks = str(self._snapshot.checks) if self._snapshot is not None and not self._covered else ""
        words = {
            "starting": self.tr("starting JAX"),
            "running": checks or self.tr("running"),
            "timing": self.tr("timing"),
            "stopping": self.tr("stopping"),
        }[name]
        if self._seconds < 1:
            return words
        more = self.tr("{what}, {seconds} s. Esc stops") if name == "running" else self.tr("{what}, {seconds} s")
        return more.format(what=words, seconds=self._seconds)


def _is_busy(activity: Activity) -> bool:
    return activity.worker.name in ("starting", "running", "timing", "stopping")

"""The timing runs of the window: their start, their devices, their measurements, and whether these are current."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from explorer.figures import curves
from explorer.messages import Measurement, RunRequest, TimingDone, TimingRequest, unmarked
from explorer.session.controls import Controls
from explorer.session.questions import Query
from explorer.text.josa import filled

PAUSE_MS = 900
"""Timing starts when the user has paused: it keeps both cores busy."""
BY_ITSELF_S = 10
"""Most seconds of unrequested timing while the user works at the machine."""
LEAST_S = 1
"""Least remaining seconds for which such a run goes on; with less, the existing measurements stay."""


class Timings(QObject):
    """Holds the measurements of one run, over one device or several, one after the other.

    Signals:
        changed: all Measurements of the run, after each new one.
        reported: a sentence about the run; empty for none.
        ended: the run on one device has finished.
        start_dropped: a run that was due does not start.
    """

    changed = Signal(object)
    reported = Signal(str)
    ended = Signal()
    start_dropped = Signal()

    def __init__(
        self,
        plan: Callable[[], Sequence[TimingRequest] | None],
        submit: Callable[[RunRequest], None],
        controls: Controls,
        clock: Callable[[], float],
        parent: QObject,
    ) -> None:
        """Get the requests from `plan`, one for each device, whenever a run starts; None postpones the run.

        Measure by `clock`, in seconds, how much time unrequested runs have used.
        """
        super().__init__(parent)
        self.by_itself_s: float = BY_ITSELF_S
        """Most seconds of unrequested runs, on all devices together, per change of the program."""
        self._clock = clock
        self._since: float | None = None
        """The clock at the start of the unrequested run under way."""
        self._used_s = 0.0
        self._used_on: list[TimingRequest] = []
        """The seconds of such runs, and the choice of things to time that they are of."""
        self._plan, self._submit, self._controls = plan, submit, controls
        self.program = 0
        """The number of the current program, as in `Revision.results`."""
        self._timed = 0
        """The program that was last timed, or left to the user to time."""
        self._first, self._first_of = 0, 0
        """Number of the first request of the newest run, and the program that it times."""
        self.query: Query[TimingRequest, dict[tuple[str, ...], Measurement]] = Query("limit_s")
        """The request on one device, and the cached measurements of finished runs on all devices."""
        self._further: list[TimingRequest] = []
        """The same on further devices."""
        self._measured: dict[tuple[str, ...], Measurement] = {}
        self._measured_of = 0
        """The program that these are of."""
        self._interrupted: int | None = None
        """The program whose run, under way or about to start, was interrupted."""
        self._put_off = False
        """A run was asked for that must wait for `go_on`, whatever the program is then."""
        self._is_through = False
        """The newest run has measured all that it was asked for, on every device."""
        self._by_itself = False
        """Whether the newest run was started automatically."""
        self._requests: Sequence[TimingRequest] = ()
        """All requests of the newest run."""
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._begin)

    @property
    def measurements(self) -> tuple[Measurement, ...]:
        """The newest measurement of each point."""
        return tuple(self._measured.values())

    @property
    def stale(self) -> bool:
        """Whether the measurements belong to an older program."""
        return bool(self._measured) and self._measured_of != self.program

    @property
    def due(self) -> bool:
        """Whether a run is about to start by itself."""
        return self._pause.isActive()

    @property
    def is_coming(self) -> bool:
        """Whether a run is about to start, or waits for another request."""
        return self.due or self._put_off

    @property
    def unfinished(self) -> bool:
        """Whether the measurements are not all that there will be, or are of an older state."""
        return not self._is_through or self._first_of != self.program or self.due or self._put_off

    # -- when it starts -----------------------------------------------------------------------

    def start(self) -> None:
        """Measure everything again, after the requests that come first."""
        self._by_itself = False
        self._begin()

    def _begin(self) -> None:
        self._pause.stop()
        requests = self._plan()
        self._put_off = requests is None
        if requests and self._by_itself:
            requests = self._paced(requests)
        if requests:
            self._requests = requests
            self._is_through = False
            self._end_points()
            self._first, self._interrupted = requests[0].run, None
            self._first_of = self._timed = self.program
            self.reported.emit("")
            self._measure(requests)
        elif not self._put_off:
            self.start_dropped.emit()

    def follow(self, controls: Controls) -> None:
        """Start soon after a changed choice or with automatic timing switched on; stop when it is switched off."""
        before, self._controls = self._controls, controls
        by_itself = controls.time_automatically
        if controls.of_script != before.of_script and before.of_script:
            # The current or next measurement is of another function.
            self.query.asked, self._measured, self._is_through = None, {}, False
            self.changed.emit(())
            if by_itself:
                self._by_itself = True
                self._pause.start()
        elif controls.timing != before.timing or by_itself > before.time_automatically:
            self._by_itself = True
            self._pause.start()
        elif by_itself < before.time_automatically:
            self._pause.stop()

    def stop(self) -> None:
        """Cancel the automatic start, a postponed run and the runs on further devices."""
        self._pause.stop()
        self._note_used()
        self._interrupted, self._put_off, self._further = None, False, []

    def give_way(self, awaited: RunRequest | None) -> None:
        """Pause for another request: timing that is `awaited` or about to start starts again after `go_on`.

        No further device is started before that.
        """
        if self.due:
            self._interrupted = self.program
        elif isinstance(awaited, TimingRequest):
            self._interrupted = self._first_of
            self._note_used()
        self._further = []
        self._pause.stop()

    def go_on(self) -> None:
        """Restart an interrupted run where the program is unchanged."""
        starts = self._put_off or self._interrupted == self.program
        self._interrupted, self._put_off = None, False
        if starts:
            self._pause.start()

    def program_ran(self) -> None:
        """Time the program that has just run, where that is automatic; else go on."""
        timed, self._timed = self._timed, self.program
        if timed == self.program or not self._controls.time_automatically:
            self.go_on()
        elif self._is_of_the_same() or self._was_measured():
            self._keep()
        else:
            self._by_itself = True
            self._pause.start()

    def _is_of_the_same(self) -> bool:
        """Return whether everything that would be timed now has been: only its comparison differs."""
        asked = self._plan() if self._is_through and self._measured_of == self._first_of else None
        return bool(asked) and self.query.what(*asked or ()) == self.query.what(*self._requests)

    def _was_measured(self) -> bool:
        """Restore the cached measurements for the current choice; return whether there were any."""
        asked = self._plan() or ()
        measured = self.query.known(*asked) if asked else None
        if measured is None:
            return False
        self._requests, self._measured, self._is_through = asked, dict(measured), True
        self.reported.emit("")
        return True

    def _paced(self, requests: Sequence[TimingRequest]) -> Sequence[TimingRequest]:
        """Return `requests` with their remaining time as the limit; [] where too little is left and all is measured."""
        what = self.query.what(*requests)
        if what != self._used_on:
            self._used_on, self._used_s = what, 0.0
        if self._used_s > self.by_itself_s - LEAST_S:
            if what == self.query.what(*self._requests) and self._measured and self._measured_of == self._first_of:
                self._keep()
                return ()
            # It was interrupted again and again, and has nothing to show for its time.
            self._used_s = 0.0
        return [replace(each, limit_s=(self.by_itself_s - self._used_s) / len(requests)) for each in requests]

    def _note_used(self) -> None:
        """Note that an unrequested run has ended, or was interrupted."""
        if self._since is not None:
            self._used_s += self._clock() - self._since
            self._since = None

    def _keep(self) -> None:
        """Cache the measurements as those of the current program."""
        self._first_of = self._measured_of = self.program
        # A request in between was answered that no time is known.
        self.changed.emit(self.measurements)

    # -- what came of it ----------------------------------------------------------------------

    def outdate(self) -> None:
        """Time the next run of the program again, even if the program is unchanged."""
        self._requests = ()
        self._used_on = []

    def forget(self) -> None:
        """Drop all measurements, for another scenario."""
        self.stop()
        self.query.asked, self._measured, self._is_through = None, {}, False
        self.changed.emit(())
        self.reported.emit("")

    def take(self, message: Measurement | TimingDone) -> None:
        """Take the worker's answer to this run; drop late answers to earlier ones."""
        asked = self.query.answered(message.run)
        if asked is None:
            return
        if isinstance(message, Measurement):
            # Measurements of two runs are not comparable: nothing of the one before stays.
            own = {place: each for place, each in self._measured.items() if each.run >= self._first}
            if not own and curves.is_without_samples(message):
                return
            own[(str(message.run), message.variant, *message.point)] = message
            self._measured, self._measured_of = own, self._first_of
            self.changed.emit(self.measurements)
        else:
            self._end(asked, message)

    def _end(self, asked: TimingRequest, done: TimingDone) -> None:
        further, self._further = self._further, []
        self._is_through = done.failure is None and not done.cut_short and not further
        self._note_used()
        self._end_points()
        if self._is_through:
            self.query.note(self._measured, *self._requests)
        self.ended.emit()
        if done.failure is not None:
            self.reported.emit(self.tr("Timing ended: {}").format(unmarked(done.failure.message)))
        elif done.cut_short:
            stays, nothing = self.tr("Timing was cut short; what was measured stays."), self.tr("Not measured yet.")
            self.reported.emit(stays if self._measured else nothing)
        elif further:
            self.reported.emit(
                filled(
                    self.tr("Timing on {other} now, not in turns with {device}."),
                    other=further[0].device,
                    device=asked.device,
                )
            )
            self._measure(further)
        else:
            self.reported.emit(self._sampling_advice(done))

    def _sampling_advice(self, done: TimingDone) -> str:
        """Return advice for unstable or missing points; empty where there are none."""
        if done.left_out:
            text = self.tr("Stopped after {limit} s. Not measured: {values}. Press Time (Ctrl+T) to measure them, too.")
            return text.format(limit=f"{self.by_itself_s:g}", values=", ".join(map(str, done.left_out)))
        if not any(map(curves.is_unstable, self._measured.values())):
            return ""
        if self._by_itself:
            return self.tr("Press Time (Ctrl+T) for more than these {limit} s.").format(limit=f"{self.by_itself_s:g}")
        return self.tr("Time again (Ctrl+T) when the machine is idle.")

    def _end_points(self) -> None:
        """Mark all measurements as complete: no more samples come."""
        if self._is_through or any(not each.final for each in self._measured.values()):
            self._measured = {place: curves.ended(each) for place, each in self._measured.items()}
            self.changed.emit(self.measurements)

    def _measure(self, requests: Sequence[TimingRequest]) -> None:
        self.query.asked, *self._further = requests
        if self._by_itself:
            self._since = self._clock()
        self._submit(self.query.asked)

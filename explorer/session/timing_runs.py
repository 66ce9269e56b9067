"""The timing runs of the window: when one starts, on which devices, what it measured, and whether that still fits."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QTimer, Signal

from explorer.figures import curves
from explorer.messages import Measurement, RunRequest, TimingDone, TimingRequest
from explorer.session.controls import Controls

PAUSE_MS = 900
"""Timing starts when the person has paused: it keeps both cores busy."""


class Timings(QObject):
    """Holds the measurements of one run, over one device or several, one after the other.

    Signals:
        changed: every Measurement of the run, after each that came.
        told: a sentence on the run; empty where there is nothing to say.
        ended: the run on one device is through.
    """

    changed = Signal(object)
    told = Signal(str)
    ended = Signal()

    def __init__(
        self,
        plan: Callable[[], Sequence[TimingRequest] | None],
        submit: Callable[[RunRequest], None],
        controls: Controls,
        parent: QObject,
    ) -> None:
        """Ask what to measure of `plan`, one request for each device, whenever a run starts; None puts it off."""
        super().__init__(parent)
        self._plan, self._submit, self._controls = plan, submit, controls
        self._asked: TimingRequest | None = None
        self._waiting: list[TimingRequest] = []
        """The same on further devices."""
        self._measured: dict[tuple[str, ...], Measurement] = {}
        self._begins = False
        """No sample has come of this run yet; what is held is of the one before."""
        self._outdated = False
        """The code or the controls have changed since this run was asked for."""
        self._interrupted = self._put_off = False
        """Whether the run starts again, or at all, as soon as `go_on` says that nothing is in the way any more."""
        self.stale = False
        """The measurements that are held are of an older state."""
        self._is_through = False
        """The run has measured all that it was asked for, on every device."""
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self.start)

    @property
    def measurements(self) -> tuple[Measurement, ...]:
        """The newest measurement of each point."""
        return tuple(self._measured.values())

    @property
    def due(self) -> bool:
        """Whether a run is about to start by itself."""
        return self._pause.isActive()

    @property
    def unfinished(self) -> bool:
        """Whether the measurements are not all that there will be, or are of an older state."""
        return not self._is_through or self._outdated or self.stale or self.due or self._interrupted or self._put_off

    # -- when it starts -----------------------------------------------------------------------

    def start(self) -> None:
        """Measure everything anew, if there is anything to be measured; after what is in the way."""
        self.hold()
        requests = self._plan()
        self._put_off = requests is None
        if requests:
            self._begins, self._outdated, self._interrupted = True, False, False
            self._is_through = False
            self.told.emit("")
            self._waiting = list(requests)
            self._go_on()

    def follow(self, controls: Controls) -> None:
        """Start soon where something else is ticked or timing starts by itself now; hold where it does no longer."""
        before, self._controls = self._controls, controls
        by_itself = controls.time_automatically
        if controls.timing != before.timing or by_itself > before.time_automatically:
            self.start_soon()
        elif by_itself < before.time_automatically:
            self.hold()

    def start_soon(self) -> None:
        """Start once nothing has happened for a moment."""
        self._pause.start()

    def hold(self) -> None:
        """Do not start by itself."""
        self._pause.stop()

    def stop(self) -> None:
        """Do not start by itself, nor after what is in the way."""
        self.hold()
        self._interrupted = self._put_off = False

    def give_way(self, running: RunRequest | None) -> None:
        """Let something else go first: the timing that is `running`, or about to, starts again after `go_on`."""
        self._interrupted |= self.due or isinstance(running, TimingRequest)
        self.hold()

    def go_on(self) -> None:
        """Start after what went first, if that was in the way."""
        if self._interrupted or self._put_off:
            self._interrupted = self._put_off = False
            self.start_soon()

    # -- what came of it ----------------------------------------------------------------------

    def forget(self) -> None:
        """Begin with no measurements, as of another scenario."""
        self._asked, self._waiting = None, []
        self._interrupted = self._put_off = False
        self._measured, self._outdated, self.stale, self._is_through = {}, False, False, False
        self.changed.emit(())

    def outdate(self) -> None:
        """Note that the code or the controls have changed; nothing of this run goes on."""
        self._outdated, self._interrupted = True, False
        self.stale = bool(self._measured)

    def take(self, message: Measurement | TimingDone) -> None:
        """Take over what the worker says of this run; what it says of an earlier one comes too late."""
        if self._asked is None or message.run != self._asked.run:
            return
        if isinstance(message, Measurement):
            if self._begins:
                if curves.is_without_samples(message):
                    return
                # What one run measured is not comparable with what another did: nothing of the one before stays.
                self._measured, self._begins = {}, False
            self._measured[(str(message.run), message.variant, *message.point)] = message
            self.stale = self._outdated
            self.changed.emit(self.measurements)
        else:
            self._end(self._asked, message)

    def _end(self, asked: TimingRequest, done: TimingDone) -> None:
        further, self._waiting = self._waiting, []
        self._is_through = done.failure is None and not done.cut_short and not further
        if self._is_through or any(not each.final for each in self._measured.values()):
            self._measured = {place: curves.ended(each) for place, each in self._measured.items()}
            self.changed.emit(self.measurements)
        self.ended.emit()
        if done.failure is not None:
            self.told.emit(self.tr("Timing ended: {}").format(done.failure.message))
        elif done.cut_short:
            self.told.emit(self.tr("Timing was cut short; what was measured stays."))
        elif further:
            self.told.emit(
                self.tr("Now on {other}; not in turns with {device}.").format(
                    other=further[0].device, device=asked.device
                )
            )
            self._waiting = further
            self._go_on()
        else:
            self.told.emit("")

    def _go_on(self) -> None:
        self._asked, *self._waiting = self._waiting
        self._submit(self._asked)

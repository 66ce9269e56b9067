"""The timing run of the window: what was measured so far, and whether it still fits what is on screen."""

from __future__ import annotations

from dataclasses import dataclass, field

from explorer import timing_figures
from explorer.messages import Measurement


@dataclass
class TimingRun:
    """Holds the measurements of one run; a new run begins with a new one of these."""

    number: int = 0
    """Of its request."""
    other_device: str = ""
    """On which it goes on once it is through."""
    stale: bool = False
    """Something has changed since, so that the measurements are of an older state."""
    interrupted: bool = False
    """A value was asked for while it ran or was about to."""
    _measured: dict[tuple[str, ...], Measurement] = field(default_factory=dict)

    @property
    def measurements(self) -> tuple[Measurement, ...]:
        """The newest measurement of each point."""
        return tuple(self._measured.values())

    def take(self, measurement: Measurement) -> None:
        """Add `measurement`, in place of an earlier one of its point."""
        self._measured[(str(measurement.run), measurement.variant, *measurement.point)] = measurement

    def end(self) -> bool:
        """Note that nothing more comes; return whether that changed what is known of any point."""
        unfinished = any(not each.final for each in self._measured.values())
        if unfinished:
            self._measured = {place: timing_figures.ended(each) for place, each in self._measured.items()}
        return unfinished

    def outdate(self) -> None:
        """Note that the code or the controls have changed."""
        self.stale = bool(self._measured)

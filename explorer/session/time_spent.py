"""The time spent on automatic timing runs."""

from __future__ import annotations

from collections.abc import Callable

from explorer.messages import TimingRequest


class Spent:
    """The time used by automatic runs, for one choice of things to time."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._what: list[TimingRequest] = []
        self._used_s = 0.0
        self._since: float | None = None
        """The clock at the start of the run under way."""

    def on(self, what: list[TimingRequest]) -> float:
        """Return the seconds used on `what`; 0.0 where it differs from the last choice."""
        if what != self._what:
            self._what, self._used_s = what, 0.0
        return self._used_s

    def begin(self) -> None:
        """A run begins."""
        self._since = self._clock()

    def end(self) -> None:
        """Note that the run has ended, or was interrupted."""
        if self._since is not None:
            self._used_s += self._clock() - self._since
            self._since = None

    def forget(self) -> None:
        """Reset the used time."""
        self._what = []

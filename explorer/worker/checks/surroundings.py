"""Which of the frames on the stack are traced, and which stand around the trace."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import FrameType

from explorer.worker.internals.traces import BOUNDARIES


class Surroundings:
    """The frames of the person's code, from the one that runs outwards."""

    def __init__(self, frame: FrameType, is_persons: Callable[[str], bool]) -> None:
        self._traced: list[FrameType] = []
        self._around: list[FrameType] = []
        found = self._traced
        for each in _outwards(frame):
            if each.f_code.co_filename in BOUNDARIES:
                found = self._around
            elif is_persons(each.f_code.co_filename):
                found.append(each)

    def values(self) -> Iterator[object]:
        """Yield what the variables of the functions around the trace hold."""
        for frame in self._around:
            yield from frame.f_locals.values()

    @property
    def traced_function(self) -> str:
        """The name of the function that is traced."""
        return self._traced[-1].f_code.co_name if self._traced else ""

    def is_traced(self, name: str, line: int) -> bool:
        """Return whether the function `name`, which begins on `line`, is part of what is traced."""
        return any((each.f_code.co_name, each.f_code.co_firstlineno) == (name, line) for each in self._traced)


def _outwards(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back

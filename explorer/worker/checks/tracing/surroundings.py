"""Division of the stack's frames into those under trace and those around it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import FrameType

from explorer.worker.internals.traces import MAKES_PROGRAMS, TRANSFORMS


class Surroundings:
    """The frames of user code, innermost first, under trace and around it.

    The trace ends at the innermost jaxpr. Without one, it ends at the outermost vmap or derivative: objects left behind
    by an inner one disappear with its enclosing function.
    """

    def __init__(self, frame: FrameType, is_user_code: Callable[[str], bool]) -> None:
        self._traced: list[FrameType] = []
        self._around: list[FrameType] = []
        frames = list(_outwards(frame))
        files = [each.f_code.co_filename for each in frames]
        makers = [place for place, file in enumerate(files) if file in MAKES_PROGRAMS]
        transforms = [place for place, file in enumerate(files) if file == TRANSFORMS]
        end = makers[0] if makers else transforms[-1] if transforms else len(frames)
        for place, each in enumerate(frames):
            if is_user_code(each.f_code.co_filename):
                (self._traced if place < end else self._around).append(each)

    def values(self) -> Iterator[object]:
        """Yield the values of all variables in the functions around the trace."""
        for frame in self._around:
            yield from frame.f_locals.values()

    @property
    def traced_function(self) -> str:
        """Name of the traced function."""
        return self._traced[-1].f_code.co_name if self._traced else ""

    def is_traced(self, name: str, line: int) -> bool:
        """Return whether the function `name`, which begins on `line`, is under trace."""
        return any((each.f_code.co_name, each.f_code.co_firstlineno) == (name, line) for each in self._traced)


def _outwards(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back

"""Which of the frames on the stack are traced, and which stand around the trace."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import FrameType

from explorer.worker.internals.traces import MAKES_PROGRAMS, TRANSFORMS


class Surroundings:
    """The frames of user code, from the one that runs outwards.

    What is traced ends at the program that is made. Where none is made, it ends at the outermost vmap or derivative:
    what one of those inside it leaves behind is gone with the function around it.
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

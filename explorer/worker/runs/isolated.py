"""A program that has just loaded, and every further run of it, which no one sees and which leaves nothing behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from explorer.worker.code.user_code import LoadedProgram
from explorer.worker.process import exits, vital
from explorer.worker.process.clean import clean_state, outside
from explorer.worker.process.output import PrintedText
from explorer.worker.recording import recorder
from explorer.worker.recording.interrupt import Interrupt
from explorer.worker.recording.recorder import Recording


class Fresh(NamedTuple):
    """A program of which nothing has run but its top level and ``inputs``."""

    program: LoadedProgram
    loading: Recording
    """Of its top level, where keys may be made too."""
    making: Recording
    """Of ``inputs``."""
    printed: tuple[str, str]
    """What either has printed."""

    @property
    def inputs(self) -> Mapping[str, Any]:
        """Return the inputs that the variants are called with."""
        found: Mapping[str, Any] = self.making.result
        return found


def loaded(load: Callable[[], LoadedProgram], is_user_code: Callable[[str], bool], printed: PrintedText) -> Fresh:
    """Return what `load` does, with its inputs, both recorded. Raises what either raises."""
    printed.take()
    loading = _recorded(load, is_user_code)
    by_loading = printed.take()
    making = _recorded(loading.result.inputs, is_user_code)
    return Fresh(loading.result, loading, making, (by_loading, printed.take()))


def loaded_anew(program: LoadedProgram, printed: PrintedText) -> Fresh:
    """Return `program` loaded once more in a clean process, for a run to be shown; its top level has been heard."""
    clean_state.start_again()
    with printed.aside():
        loading = _recorded(program.anew, program.is_user_code)
    printed.take()
    making = _recorded(loading.result.inputs, program.is_user_code)
    return Fresh(loading.result, loading, making, ("", printed.take()))


def _recorded(function: Callable[[], Any], is_user_code: Callable[[str], bool]) -> Recording:
    with vital.limits_restored():
        recording = recorder.record(function, is_user_code=is_user_code)
    if recording.error is not None:
        raise recording.error
    return recording


def end_of_process() -> None:
    """Call what the program wants to be called when its process ends. Raises the last of what that raises."""
    error: BaseException | None = None
    for function, arguments, named in exits.take():
        try:
            function(*arguments, **named)
        except Interrupt:
            raise
        except BaseException as raised:
            error = raised
    if error is not None:
        raise error


@contextmanager
def isolated(printed: PrintedText, did: set[str], *, unless_endless: bool = False) -> Iterator[None]:
    """Let a program run once more in the block, in a clean process; what it prints and writes is not kept.

    With `unless_endless` a user hears what is printed all the same where the block takes long.

    Raises NotRunAgain where the program, which `did` this the first time, does what must not happen twice.
    """
    with printed.aside(unless_endless=unless_endless), clean_state.state_restored(), outside.rerun(did):
        yield

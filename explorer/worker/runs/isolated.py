"""A freshly loaded program and its further runs, which are hidden and leave nothing behind; and the last program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from typing import Any, NamedTuple

import msgspec

from explorer.messages import Request, TimingRequest
from explorer.text.text import Text, say
from explorer.worker.code import plots, transformed, user_code
from explorer.worker.code.user_code import LoadedProgram
from explorer.worker.process import devices, process_state
from explorer.worker.process.clean import clean_state, side_effects
from explorer.worker.process.clean.clean_state import ProcessState
from explorer.worker.process.output import PrintedText
from explorer.worker.process.user_modules import is_user_file
from explorer.worker.recording import recorder
from explorer.worker.recording.interrupt import Interrupt, TimeLimit
from explorer.worker.recording.recorder import Recording
from explorer.worker.runs.observe import Observer


class FreshProgram(NamedTuple):
    """A program that has run only its top level and ``inputs``."""

    program: LoadedProgram
    loading: Recording
    """Recording of the top level, which may make keys, too."""
    making: Recording
    """Recording of ``inputs``."""
    printed: tuple[str, str]
    """The output printed by each."""
    observer: Observer | None
    """The watch for their run and for the variant's call; None for none."""

    @property
    def inputs(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.making.result
        return found


def loaded(
    load: Callable[[], LoadedProgram],
    is_user_code: Callable[[str], bool],
    printed: PrintedText,
    cut_short: list[Recording] | None = None,
    *,
    observer: Observer | None = None,
    hides_output: bool = False,
) -> FreshProgram:
    """Return the program that `load` loads, with its inputs, both recorded. Raises the exceptions of both.

    The recording of a top level that raises is appended to `cut_short`. With `hides_output` that of the top level is
    dropped.
    """

    def recorded(function: Callable[[], Any], *, calls: bool = False, keeps: bool = False) -> Recording:
        watching = observer.loading() if observer is not None else None
        ends = (TimeLimit,) if keeps else ()
        recording = recorder.record(function, is_user_code=is_user_code, ends=ends, calls=calls, watching=watching)
        if recording.error is None:
            return recording
        if keeps and cut_short is not None:
            cut_short.append(recording)
        raise recording.error

    printed.take()
    with printed.aside() if hides_output else nullcontext():
        loading = recorded(load, calls=True, keeps=cut_short is not None)
    by_loading = printed.take()
    making = recorded(loading.result.inputs)
    return FreshProgram(loading.result, loading, making, (by_loading, printed.take()), observer)


def loaded_anew(program: LoadedProgram, printed: PrintedText, observer: Observer | None) -> FreshProgram:
    """Return `program` loaded anew in a clean process, for a visible run without the output of its top level."""
    clean_state.start_again()
    return loaded(program.anew, program.is_user_code, printed, observer=observer, hides_output=True)


def end_of_process() -> None:
    """Call the functions that the program registered for its process's end. Raises the last of their exceptions."""
    error: BaseException | None = None
    for function, arguments, named in process_state.take_exits():
        try:
            function(*arguments, **named)
        except Interrupt:
            raise
        except BaseException as raised:
            error = raised
    if error is not None:
        raise error


@contextmanager
def place_of(
    request: Request | TimingRequest, clean: ProcessState | None = None, *, only_typed: bool = False
) -> Iterator[ProcessState]:
    """Run the program of `request` in the block, on its device and with its flags. See `clean_state.place_for`.

    `plots.left_out_here` tells which plotting libraries it did without. Raises UnknownDevice.
    """
    with (
        # A new file has no path yet.
        plots.left_out(request.leaves_out_plots, lambda file: file == request.filename or is_user_file(file)),
        devices.running_on(devices.find(request.device)),
        transformed.flags(user_code.transforms_of(request)),
        clean_state.place_for(request.source, clean, only_typed=only_typed) as place,
    ):
        yield place


@contextmanager
def isolated(printed: PrintedText, did: set[str], *, unless_endless: bool = False) -> Iterator[None]:
    """Run a program once more in the block, in a clean process state; its output and side effects are dropped.

    With `unless_endless`, its output is shown after all if the block takes long. Raises NotRunAgain if the program,
    whose known side effects are `did`, does something that must not happen twice.
    """
    with printed.aside(unless_endless=unless_endless), clean_state.state_restored(), side_effects.rerun(did):
        yield


def forgotten() -> Text:
    """Return the reason why a program is no longer available."""
    return say("The program has run again since, or in another process. Run it once more to see values.")


class LastRun(msgspec.Struct, frozen=True):
    """The last program, for later questions, and the request that ran it."""

    request: Request
    program: LoadedProgram
    clean: ProcessState
    """The process state at its start, including random number generators."""

    @contextmanager
    def again(self, printed: PrintedText) -> Iterator[None]:
        """Run the block as the program ran, on its device and with its flags; its output is dropped.

        Raises side_effects.NotRunAgain for side effects outside of the process.
        """
        with place_of(self.request, self.clean), isolated(printed, set()):
            yield

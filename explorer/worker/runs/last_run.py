"""The program that has run last, for questions that are asked about it afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from explorer.messages import Request
from explorer.text.text import Text, say
from explorer.worker.code import transformed
from explorer.worker.code.user_code import LoadedProgram
from explorer.worker.process import devices
from explorer.worker.process.clean import clean_state
from explorer.worker.process.clean.clean_state import ProcessState
from explorer.worker.process.output import PrintedText
from explorer.worker.runs.isolated import isolated


def forgotten() -> Text:
    """Return why a program can no longer be asked about."""
    return say("The program has run again since, or in another process. Run it once more to see values.")


@dataclass(frozen=True)
class LastRun:
    """A program, and how it was run."""

    request: Request
    program: LoadedProgram
    clean: ProcessState
    """How the process was when it began, its random numbers included."""

    @contextmanager
    def again(self, printed: PrintedText) -> Iterator[None]:
        """Run the block in the state in which the program ran; what it prints is dropped.

        Raises outside.NotRunAgain where it does something outside of the process.
        """
        with self.in_its_place(), isolated(printed, set()):
            yield

    @contextmanager
    def in_its_place(self) -> Iterator[None]:
        """Let what is in the block begin as the program began: on its device, with its flags."""
        device = devices.find(self.request.device)
        with (
            devices.running_on(device),
            transformed.flags(self.request.transforms),
            clean_state.place_for(self.request.source, self.clean),
        ):
            yield

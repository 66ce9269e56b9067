"""The last program, for later questions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from explorer.messages import Request
from explorer.text.text import Text, say
from explorer.worker.code.user_code import LoadedProgram
from explorer.worker.process.clean.clean_state import ProcessState
from explorer.worker.process.output import PrintedText
from explorer.worker.runs.isolated import isolated, place_of


def forgotten() -> Text:
    """Return the reason why a program is no longer available."""
    return say("The program has run again since, or in another process. Run it once more to see values.")


class LastRun(msgspec.Struct, frozen=True):
    """A program, and the request that ran it."""

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

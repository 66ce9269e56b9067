"""A worker process for all sides: its command and variables, its state, its end in words, its line in a fault."""

from __future__ import annotations

import contextlib
import faulthandler
import os
import re
import signal
import sys
from pathlib import Path
from typing import Literal

import msgspec

from explorer import OUR_NAME
from explorer.text.text import Text, say, verbatim

WorkerDoes = Literal["starting", "idle", "running", "timing", "stopping", "dead", "away"]


class WorkerState(msgspec.Struct, frozen=True):
    """The worker's state; it is away from when its link has ended until the next try."""

    name: WorkerDoes
    sentence: Text | str = ""
    """Why it is dead or away, or why another process works now; empty where no explanation is needed."""


WORKER_COMMAND = (sys.executable, "-P", "-m", f"{OUR_NAME}.worker")
"""-P: a file numpy.py in the current folder must not replace NumPy."""

SIGNAL_WORDS = {
    "SIGSEGV": say("a segmentation fault"),
    "SIGABRT": say("an abort"),
    "SIGKILL": say("it was killed, perhaps because memory ran out"),
    "SIGBUS": say("a bus error"),
    "SIGFPE": say("an arithmetic fault"),
    "SIGILL": say("an illegal instruction"),
}
LOST_PIPE, RUINED = 119, 118
"""Exit codes of a worker that cannot answer: only the exit code can report that."""
OWN_EXITS = {
    LOST_PIPE: say("its program closed or replaced the pipe through which it answers"),
    RUINED: say("its program changed functions or modules that everything in its process needs"),
}
UNREADABLE = say("its answer could not be read, as if the program had written into the pipe")
CRASH_EXPLANATION = say(
    "The code runs in a separate process, so nothing else is harmed. A new process takes over: change the code, or "
    "run it again."
)


def compiled_folder() -> Path | None:
    """Return the folder of compiled programs, which is safe to delete; None for a user without a home."""
    home = os.environ.get("LOCALAPPDATA") or os.environ.get("XDG_CACHE_HOME")
    with contextlib.suppress(RuntimeError):
        # As that of the engine on a remote.
        return (Path(home) if home else Path.home() / ".cache") / "jax-explorer" / "compiled"
    return None


def worker_variables(cpu_devices: int = 1) -> dict[str, str]:
    """Return the environment variables of a worker, on top of the user's own, to be set before it imports jax."""
    return {
        "JAX_NUM_CPU_DEVICES": str(cpu_devices),
        # A GPU is shared with the screen and with others; JAX would take three quarters of it.
        "XLA_PYTHON_CLIENT_PREALLOCATE": "false",
        # A compile that a file on disk answers in 15 ms instead of 90 would be a false figure.
        "JAX_ENABLE_COMPILATION_CACHE": "false",
        "PYTHONIOENCODING": "utf-8",
    }


def program_ended(how: Text | str) -> Text:
    """Return the failure of a program that has ended its process."""
    return say("The program ended its process: {how}.", how=how)


def exit_words(code: int) -> Text:
    """Return how a process ended, in words; a negative `code` is the number of the signal that ended it."""
    if code >= 0:
        return OWN_EXITS.get(code) or say("it exited with code {code}", code=code)
    with contextlib.suppress(ValueError):
        name = signal.Signals(-code).name
        return SIGNAL_WORDS.get(name, verbatim(name))
    return say("it crashed")


_TELLS_FAULTS = "JAX_EXPLORER_FAULTS"
FAULTS_WANTED = {_TELLS_FAULTS: "1"}
"""Variables for a worker whose stderr is parsed instead of being shown."""
FAULT_BEGINS = "Fatal Python error: "
"""The first words of Python's report of a fatal fault of C code."""


def tell_faults_if_wanted() -> None:
    """Let Python write the stack of each thread to stderr when a fault ends this process."""
    if os.environ.pop(_TELLS_FAULTS, ""):
        faulthandler.enable(file=2, all_threads=True)


def line_of_fault(traceback: str, filename: str) -> int:
    """Return the innermost line of the code in `filename` in `traceback`; 0 where there is none."""
    found = re.search(rf'File "{re.escape(filename)}", line (\d+)', traceback)
    return int(found[1]) if found else 0

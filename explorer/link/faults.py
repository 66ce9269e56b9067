"""The position of a program in a fatal fault of C code: Python writes it to stderr, where the window reads it."""

from __future__ import annotations

import faulthandler
import os
import re

_VARIABLE = "JAX_EXPLORER_FAULTS"
WANTED = {_VARIABLE: "1"}
"""Variables for a worker whose stderr is parsed instead of being shown."""
BEGINS = "Fatal Python error: "
"""The first words of Python's fault report."""


def tell_if_wanted() -> None:
    """Let Python write the stack of each thread to stderr when a fault ends this process."""
    if os.environ.pop(_VARIABLE, ""):
        faulthandler.enable(file=2, all_threads=True)


def line_in(traceback: str, filename: str) -> int:
    """Return the innermost line of the code in `filename` in `traceback`; 0 where there is none."""
    found = re.search(rf'File "{re.escape(filename)}", line (\d+)', traceback)
    return int(found[1]) if found else 0

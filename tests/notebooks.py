"""Notebooks are run in a process of their own: nbclient leaves its event loop and sockets open in the one it ran in."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

RUN = """
import sys, nbclient, nbformat
book = nbformat.read(sys.argv[1], as_version=4)
nbclient.NotebookClient(book, timeout=240, kernel_name="python3", allow_errors=sys.argv[2] == "True").execute()
nbformat.write(book, sys.argv[1])
"""


def executed(file: Path, allow_errors: bool = False) -> Any:
    """Run the notebook `file` from top to bottom, in place, and return it as nbformat reads it."""
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    command = [sys.executable, "-c", RUN, str(file), str(allow_errors)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=400, check=False)
    assert done.returncode == 0, done.stderr
    return nbformat.read(file, as_version=4)

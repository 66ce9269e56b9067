"""JAX Explorer: the doors (command line, window, ``recording``), and behind each a room of its own.

A room may use those that stand below it in ARCHITECTURE.md, never one above it.
"""

import os
from pathlib import Path

# Files below it are ours and never the user's.
OUR_FILES = f"{Path(__file__).parent}{os.sep}"

OUR_NAME = __name__
"""In the wheel ``jax_explorer.explorer``, so that no one else's ``explorer`` is hidden; see ``hatch_build.py``."""
OUR_HOME = Path(__file__).parents[1 + __name__.count(".")]
"""The folder that `OUR_NAME` is imported from."""

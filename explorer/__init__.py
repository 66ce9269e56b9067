"""JAX Explorer: the doors (command line, window, ``recording``), and behind each a room of its own.

A room may use those that stand below it in ARCHITECTURE.md, never one above it.
"""

import os
from pathlib import Path

# Files below it are ours and never the person's.
OUR_FILES = f"{Path(__file__).parent}{os.sep}"

"""``jax-explorer`` and ``python -m jax_explorer``: the command line and the window."""

from __future__ import annotations

import sys

from explorer.__main__ import main

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())

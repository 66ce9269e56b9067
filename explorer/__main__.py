"""``python -m explorer`` is ``jax-explorer``."""

from __future__ import annotations

import sys

from explorer.cli import main

if __name__ == "__main__":
    sys.exit(main())

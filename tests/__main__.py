"""Runs every check that a change must pass: format, lint, types, import rules, dead code, tests."""

from __future__ import annotations

import subprocess
import sys

CHECKS = (
    ("ruff", "format", "--check", "."),
    ("ruff", "check", "."),
    ("mypy",),
    ("importlinter.cli", "lint"),
    ("vulture",),
)


def main() -> int:
    """Run the checks, then pytest with the arguments given; return the first exit code that is not 0."""
    if not sys.argv[1:]:
        for check in CHECKS:
            sys.stdout.write(f"== {' '.join(check)}\n")
            sys.stdout.flush()
            if code := subprocess.call([sys.executable, "-m", *check]):
                return code
    return subprocess.call([sys.executable, "-m", "pytest", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())

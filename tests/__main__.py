"""Runs what a change must pass: format, lint, types, import rules, dead code, and the tests on every core.

``python -m tests`` runs the quick tests, ``python -m tests --all`` all of them; other arguments go to pytest.
"""

from __future__ import annotations

import subprocess
import sys
import time

from explorer import qt_libraries
from tests import without_qt
from tests.progress import clock

CHECKS = {
    "format (ruff format)": ("-m", "ruff", "format", "--check", "."),
    "lint (ruff check)": ("-m", "ruff", "check", "."),
    "types (mypy)": ("-m", "mypy"),
    # import-linter has no module to run with -m.
    "imports (lint-imports)": ("-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"),
    "dead code (vulture)": ("-m", "vulture"),
}
ON_EVERY_CORE = ("-q", "-n", "auto", "--maxprocesses", "8", "-p", "tests.progress")
QUICK = ("-m", "not rest")
ALL = ("--hypothesis-profile", "all")


def main() -> int:
    """Run the checks and tests, or pytest with the arguments given; return the first exit code that is not 0."""
    arguments = sys.argv[1:]
    if arguments not in ([], ["--all"]):
        return subprocess.call([sys.executable, "-m", "pytest", *arguments])
    begun = time.monotonic()
    for number, (name, check) in enumerate(CHECKS.items(), 1):
        _say(f"{clock(time.monotonic() - begun)}  check {number} of {len(CHECKS)}: {name}")
        if code := subprocess.call([sys.executable, *check]):
            return code
    chosen = ALL if arguments else QUICK
    if problem := qt_libraries.problem_seen_apart():
        _say(f"{problem}\nUntil then, only the tests that need no Qt run.")
        chosen += without_qt.ARGUMENTS
    which = "all tests" if arguments else "the quick tests; --test --all runs all"
    _say(f"{clock(time.monotonic() - begun)}  {which}")
    return subprocess.call([sys.executable, "-m", "pytest", *ON_EVERY_CORE, *chosen])


def _say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())

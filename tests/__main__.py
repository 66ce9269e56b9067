"""Runs every check that a change must pass: format, lint, types, import rules, dead code, tests on every core."""

from __future__ import annotations

import subprocess
import sys
import time

from explorer import system
from tests import quick
from tests.progress import clock
from tests.without_qt import ARGUMENTS

CHECKS = {
    "format (ruff format)": ("-m", "ruff", "format", "--check", "."),
    "lint (ruff check)": ("-m", "ruff", "check", "."),
    "types (mypy)": ("-m", "mypy"),
    # import-linter has no module to run with -m.
    "imports (lint-imports)": ("-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"),
    "dead code (vulture)": ("-m", "vulture"),
}
ON_EVERY_CORE = ("-q", "-n", "auto", "--maxprocesses", "8", "-p", "tests.progress", "-rfE")
QUICK = "--quick"
QUICK_S = 120
"""Seconds after which the quick tests end, the nearest to the change done."""
NEAREST_FIRST = ("--no-loadscope-reorder", f"--most-seconds={QUICK_S}")


def main() -> int:
    """Run the checks and all tests, or pytest with the arguments given; return the first exit code that is not 0."""
    arguments = sys.argv[1:]
    if arguments == [QUICK]:
        return _quick()
    if arguments:
        return subprocess.call([sys.executable, "-m", "pytest", *arguments])
    begun = time.monotonic()
    for number, (name, check) in enumerate(CHECKS.items(), 1):
        _say(f"{clock(time.monotonic() - begun)}  check {number} of {len(CHECKS)}: {name}")
        if code := subprocess.call([sys.executable, *check]):
            return code
    _say(f"{clock(time.monotonic() - begun)}  all tests")
    return subprocess.call([sys.executable, "-m", "pytest", *ON_EVERY_CORE, *_without_qt()])


def _without_qt() -> tuple[str, ...]:
    """Return the arguments that skip what needs Qt, and say why, if the system lacks Qt's libraries; else none."""
    if not (problem := system.problem_seen_apart()):
        return ()
    _say(f"{problem}\nWithout it, only the tests that need no Qt run.")
    return ARGUMENTS


def _quick() -> int:
    """Run the tests that a change since `main` can break, the nearest first, for two minutes at most."""
    files = quick.changed()
    tests = quick.chosen(files)
    _say(f"{len(files)} files differ from main; {len(tests)} test files can break by it, the nearest first:")
    for test, why in tests.items():
        _say(f"  {test}  ({why})")
    if not tests:
        return 0
    _say(f"They run for {clock(QUICK_S)} at most. CI runs everything: python3 start.py --test")
    return subprocess.call([sys.executable, "-m", "pytest", *ON_EVERY_CORE, *NEAREST_FIRST, *tests])


def _say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())

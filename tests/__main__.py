"""Runs every check that a change must pass: format, lint, types, import rules, dead code, tests on every core."""

from __future__ import annotations

import subprocess
import sys

CHECKS = (
    ("-m", "ruff", "format", "--check", "."),
    ("-m", "ruff", "check", "."),
    ("-m", "mypy"),
    # import-linter has no module to run with -m.
    ("-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"),
    ("-m", "vulture"),
)
ON_EVERY_CORE = ("-n", "auto", "--maxprocesses", "8")


def main() -> int:
    """Run the checks and all tests, or pytest with the arguments given; return the first exit code that is not 0."""
    if not sys.argv[1:]:
        for check in CHECKS:
            sys.stdout.write(f"== python {' '.join(check)}\n")
            sys.stdout.flush()
            if code := subprocess.call([sys.executable, *check]):
                return code
    return subprocess.call([sys.executable, "-m", "pytest", *(sys.argv[1:] or ON_EVERY_CORE)])


if __name__ == "__main__":
    sys.exit(main())

"""Says in plain lines how far the tests are, and what was left out: ``python -m pytest -p tests.progress``."""

from __future__ import annotations

import time
from collections import Counter

import pytest

STEP = 5
"""Percent between two lines."""


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Progress(config))


def clock(seconds: float) -> str:
    """Return a duration as minutes and seconds."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


class Progress:
    """Counts the finished tests, in the process that the user started."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._begun = time.monotonic()
        self._all = self._done = self._failed = self._printed = 0

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._all = max(self._all, len(session.items))

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        self._all = max(self._all, len(ids))

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """Count a test as ever, without a letter for each."""
        if hasattr(report, "wasxfail"):
            return None
        if report.failed:
            return ("failed" if report.when == "call" else "error"), "", ""
        return (report.outcome if report.when == "call" or report.skipped else ""), "", ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failed += 1
            self._say(f"FAILED {report.nodeid}")
        if report.when != "teardown":
            return
        self._done += 1
        percent = 100 * self._done // max(1, self._all)
        if percent // STEP > self._printed:
            self._printed = percent // STEP
            passed = time.monotonic() - self._begun
            self._say(f"{clock(passed)}  tests: {percent} % ({self._done} of {self._all}), {self._failed} failed")

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say how many tests were left out for each reason."""
        left_out: Counter[str] = Counter()
        for report in terminalreporter.stats.get("skipped", []):
            # A skipped module has no tests yet; tests.without_qt gives their number as its line.
            _, line, reason = report.longrepr
            left_out[reason.removeprefix("Skipped: ").partition(". ")[0]] += (
                line if isinstance(report, pytest.CollectReport) else 1
            )
        for reason, number in left_out.most_common():
            terminalreporter.write_line(f"{number} {'test' if number == 1 else 'tests'} left out: {reason}")

    def _say(self, words: str) -> None:
        reporter = self._config.pluginmanager.getplugin("terminalreporter")
        if reporter is not None:
            reporter.ensure_newline()
            reporter.write_line(words)
            reporter.flush()

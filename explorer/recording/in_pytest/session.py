"""The pytest plugin: records each test, fails it on findings that are not allowed, prints a summary."""

from __future__ import annotations

import functools
import os
import re
import sys
import time
from collections.abc import Callable, Generator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from explorer.commands import findings_report
from explorer.commands.code_excerpts import CODE
from explorer.commands.programs import saved_run
from explorer.commands.repository import relative
from explorer.messages import LEVELS, Finding, Report
from explorer.messages.recorded_run import ENDING
from explorer.recording.in_pytest import recorded_test
from explorer.recording.in_pytest import settings as project
from explorer.recording.in_pytest.recorded_test import ALLOWED, RecordedFacts, RunTotals
from explorer.recording.in_pytest.settings import PytestSettings
from explorer.worker.code.own_modules import OwnModules

MARK = "jax_keys_allow"
STRICT = "strict"
MOST_IN_NAME = 150
"""Characters of a test's id in the name of its recording."""
TEST_FOLDERS = {"test", "tests"}
HANDED_OVER = "jax_keys"
"""Key under which an xdist process leaves its counts for the controller."""


def of(config: pytest.Config) -> PytestPlugin:
    """Return the plugin to register. Raises UsageError for invalid settings."""
    try:
        return PytestPlugin(config, project.read(config.rootpath))
    except project.BadSettings as error:
        raise pytest.UsageError(str(error)) from None


class PytestPlugin:
    """Plugin that records each test, fails it on findings that are not allowed, and prints a summary."""

    def __init__(self, config: pytest.Config, settings: PytestSettings) -> None:
        self._config = config
        self._settings = settings
        self._studied = f"{config.rootpath}{os.sep}"
        self._is_strict = config.getoption("jax_keys") == STRICT
        self._tally = RunTotals()
        folder = config.getoption("jax_keys_save")
        self._save_to = config.invocation_params.dir / folder if folder else None
        source = config.rootpath / "src"
        own = source if source.is_dir() else config.rootpath
        self._own = OwnModules(str(own), hide_ours_alone=True)
        """A project may have a package with the name of one of ours."""
        self._own.begin()
        self._left: set[Finding] = set()
        """Tracers leaked by earlier tests that still exist."""
        self._lost = 0
        """Processes that ended before they reported their counts."""

    def pytest_unconfigure(self) -> None:
        """Restore the imports."""
        self._own.end()

    def pytest_runtestloop(self) -> None:
        """Import our modules before the first test, so that the test does not wait for it."""
        if "jax" in sys.modules:
            # A failure will repeat, and be reported, with the first test.
            with suppress(Exception):
                from explorer.worker.runs import in_process  # noqa: F401

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Record one test without its fixtures."""
        seen, begin = RecordedFacts(None if self._is_strict else self._of_tests(item)), time.perf_counter()

        def record() -> Any:
            return recorded_test.recorded(seen, self._studied, values=self._settings.values)

        has_passed = False
        try:
            with recorded_test.each_example(getattr(item, "obj", None), record) as is_in_examples:
                if is_in_examples:
                    result = yield
                else:
                    with record():
                        result = yield
            has_passed = True
        finally:
            gravest, rest = self._judged(item, seen)
            self._count(seen, time.perf_counter() - begin)
            if shown := rest if has_passed else [*gravest, *rest]:
                item.add_report_section("call", "jax keys", _quoted(shown))
        if gravest:
            self._save(item.nodeid, seen)
            quoted = _quoted(gravest)
            pytest.fail(f"{quoted}\n\n{self._allowance_advice(gravest)}", pytrace=False)
        return result

    def pytest_sessionfinish(self) -> None:
        """Pass the counts to the controller if this is a worker process."""
        if hasattr(self._config, "workeroutput"):
            self._config.workeroutput[HANDED_OVER] = self._tally.to_plain()

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Add the counts of another process."""
        counted = getattr(node, "workeroutput", {}).get(HANDED_OVER)
        if counted is None:
            self._lost += 1
            return
        self._tally.add_plain(counted)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the findings, their places, and the time taken."""
        terminalreporter.section("jax keys")
        for line in self._tally.lines(self._settings, is_strict=self._is_strict):
            terminalreporter.line(line)
        if self._lost:
            terminalreporter.line(f"processes that ended before they reported their counts: {self._lost}")

    # -- one test -----------------------------------------------------------------------------

    def _save(self, nodeid: str, seen: RecordedFacts) -> None:
        """Write the recording of a test to the folder for these; a failure to do so is counted as a problem."""
        if self._save_to is not None and seen.report is not None:
            with seen.timed():
                name = re.sub(r"[^\w.-]+", "_", nodeid)[-MOST_IN_NAME:]
                saved_run.save(self._save_to / f"{name}{ENDING}", seen.report)
            if seen.problem:
                self._tally.problems[seen.problem] += 1

    def _of_tests(self, item: pytest.Item) -> Callable[[str], bool]:
        """Return a predicate on files: collected as tests, in a folder of tests, or with a base of the test's class."""
        patterns = [*self._config.getini("python_files"), "conftest.py"]
        classes = getattr(getattr(item, "cls", None), "__mro__", ())
        files = {getattr(sys.modules.get(each.__module__), "__file__", None) for each in classes}

        @functools.cache
        def is_test(file: str) -> bool:
            path = Path(file)
            folders = Path(relative(file, self._settings.root)).parts[:-1]
            is_named_so = any(map(path.match, patterns)) or not TEST_FOLDERS.isdisjoint(folders)
            return is_named_so or path == item.path or file in files

        return is_test

    def _count(self, seen: RecordedFacts, seconds: float) -> None:
        if seen.was_recorded:
            self._tally.tests += 1
            self._tally.seconds += seconds
            self._tally.ours_s += seen.ours_s
        else:
            self._tally.others += 1
        if seen.problem:
            self._tally.problems[seen.problem] += 1

    def _judged(self, item: pytest.Item, seen: RecordedFacts) -> tuple[list[Finding], list[Finding]]:
        """Return the findings that fail a test, and all others that are not allowed; count all findings."""
        allowed = _allowed_by_marks(item)
        judged: list[Finding] = []
        left = {each for each in seen.findings if each.kind == "leaked-tracer"}
        for finding in filter(self._settings.counts, [each for each in seen.findings if each not in self._left]):
            allowance = self._settings.allowance(finding)
            if allowance is not None:
                self._tally.needed.add(allowance.words)
            is_allowed = allowance is not None or finding.kind in allowed
            level: str = ALLOWED if is_allowed else finding.level
            judged += [] if is_allowed else [finding]
            self._tally.rows[level, finding.kind, self._place(finding)] += 1
        self._left |= left
        judged.sort(key=lambda each: LEVELS.index(each.level))
        levels = self._settings.levels
        return [each for each in judged if each.level in levels], [each for each in judged if each.level not in levels]

    def _place(self, finding: Finding) -> str:
        for span in finding.all_spans:
            return f"{relative(span.file, self._settings.root)}:{span.line}"
        return ""

    def _allowance_advice(self, findings: list[Finding]) -> str:
        kinds = ", ".join(f'"{kind}"' for kind in dict.fromkeys(each.kind for each in findings))
        lines = [f"@pytest.mark.{MARK}({kinds})"]
        if place := self._place(findings[0]):
            lines.append(f'[tool.jax-explorer] in pyproject.toml: allow = ["{findings[0].kind} in {place}"]')
        return "\n".join(["If it is intended, either of these allows it:", *(f"  {line}" for line in lines)])


def _quoted(findings: list[Finding]) -> str:
    return findings_report.body_text(Report("", findings=tuple(findings)), CODE)


def _allowed_by_marks(item: pytest.Item) -> set[str]:
    """Return the kinds allowed by the marks of a test. Raises UsageError for an unknown kind."""
    try:
        return {
            kind
            for mark in item.iter_markers(MARK)
            for word in (mark.args or (project.ANY,))
            for kind in project.kinds_named(str(word))
        }
    except project.BadAllowance as error:
        raise pytest.UsageError(f"{item.nodeid}: {error}") from None

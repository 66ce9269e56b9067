"""Skips every test that needs Qt, where the system lacks its libraries: ``python -m pytest -p tests.without_qt``."""

from __future__ import annotations

import re
import sys
from collections.abc import Generator
from types import ModuleType
from typing import Any

import pytest

REASON = "Qt's libraries are missing"
ARGUMENTS = ("-p", "no:pytest-qt", "-p", "tests.without_qt")
_QT = ("PySide6", "pyqtgraph", "pytestqt")


class _NoQt:
    """Skips the test that imports Qt, or the whole module if it does so at its top."""

    def find_spec(self, name: str, *_: Any) -> None:
        if name.partition(".")[0] in _QT:
            pytest.skip(REASON, allow_module_level=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Know the settings of pytest-qt, and skip from here on: the first conftest is imported after this."""
    for name in ("qt_api", "qt_log_level_fail"):
        parser.addini(name, "of pytest-qt")
    parser.addini("qt_log_ignore", "of pytest-qt", type="linelist")
    sys.meta_path.insert(0, _NoQt())  # type: ignore[arg-type]
    # An empty plugin for the pytest that a test runs in this process.
    sys.modules["pytestqt.plugin"] = ModuleType("pytestqt.plugin")


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Name the module or folder that was skipped, and as its line the number of its tests."""
    report = yield
    if report.skipped and REASON in str(report.longrepr):
        files = [collector.path] if collector.path.is_file() else collector.path.rglob("test_*.py")
        number = sum(len(re.findall(r"^\s*def test_", file.read_text("utf-8"), re.MULTILINE)) for file in files)
        report.longrepr = (str(collector.path), number, f"Skipped: {REASON}")
    return report


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests of windows in another process."""
    for item in items:
        if item.get_closest_marker("window"):
            item.add_marker(pytest.mark.skip(reason=REASON))


@pytest.fixture(scope="session")
def qapp() -> None:
    pytest.skip(REASON)


@pytest.fixture
def qtbot() -> None:
    pytest.skip(REASON)

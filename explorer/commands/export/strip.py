"""A lesson in three pictures next to each other: its question, the answer, and the code with a fix."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtGui import QColor, QPainter, QPixmap

from explorer.commands.export.unseen import Unseen
from explorer.window.files import exported

STRIP = "strip.png"
SCALE = 1.6
"""The text size: a third of a page is small."""
GAP = 24
"""Pixels between the pictures."""
SETTLING_MS = 1500
"""After a change until the window asks for a run, and until all parts have their new size."""


def write(folder: Path, unseen: Unseen) -> Path:
    """Write the strip of the opened lesson into `folder` and return its file. Raises OSError."""
    frames = list(_frames(unseen))
    size = frames[0].size()
    whole = QPixmap((size.width() + GAP) * len(frames) - GAP, size.height())
    whole.fill(QColor(0, 0, 0, 0))
    painter = QPainter(whole)
    for number, frame in enumerate(frames):
        painter.drawPixmap(number * (size.width() + GAP), 0, frame)
    painter.end()
    if not whole.save(str(folder / STRIP), "PNG"):
        raise OSError(f"{folder / STRIP} could not be written")
    return folder / STRIP


def _frames(unseen: Unseen) -> Iterator[QPixmap]:
    window, session = unseen.window, unseen.session
    unseen.desk.appearance.wear(window.theme.name, SCALE)
    _settle(unseen)
    yield window.grab()
    unseen.desk.lesson.uncover()
    _settle(unseen)
    yield window.grab()
    session.ask_for_fixes()
    _settle(unseen)
    reports = session.snapshot.reports if session.snapshot else ()
    fixes = (fix for report in reports for finding in report.findings or () for fix in finding.fixes)
    if fix := next(fixes, None):
        window.code.apply_fix(fix)
        _settle(unseen)
        yield window.grab()


def _settle(unseen: Unseen) -> None:
    exported.wait_until_done(unseen.application, unseen.session, unseen.interrupts)
    pause = QEventLoop()
    QTimer.singleShot(SETTLING_MS, pause.quit)
    pause.exec()
    exported.wait_until_done(unseen.application, unseen.session, unseen.interrupts)

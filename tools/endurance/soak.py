"""The long day: lessons opened one after the other, each edited, in one window that must not grow."""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest

from explorer.library import library
from tools.endurance.desk import RealDesk
from tools.endurance.mutations import WORDS
from tools.endurance.promises import Record

EDITS = 10
"""For each switch of lesson."""
ROUND = 200
"""Switches after which the same lesson is opened and everything is counted."""
WARM = 5
"""The fraction of a run after which every lesson and page was visited, and the plateau begins."""
REST_S = 0.02
TYPED = tuple(word for word in WORDS if word.isascii() and word.isprintable())


def run(record: Record, most: int = sys.maxsize) -> None:
    """Switch and edit until the time of `record` is over, or `most` times."""
    chance = random.Random(record.seed)
    lessons = [each.id for each in library.everything() if each.origin == "built-in"]
    counts: list[tuple[int, int]] = []
    with tempfile.TemporaryDirectory() as folder:
        desk = RealDesk(Path(folder))
        try:
            while record.goes_on(most):
                record.begin("")
                _one(desk, record, chance, chance.choice(lessons))
                if record.runs % ROUND == 0 or record.runs == most:
                    counts.append(_counted(desk, lessons[0]))
                    sys.stderr.write(f"{record.runs} switches: {counts[-1][0]} QObjects, {counts[-1][1]} kB\n")
        finally:
            desk.close()
    warm = len(counts) // WARM
    for objects, kilobytes in counts[warm + 1 :]:
        before = counts[warm]
        record.figure("QObjects over those of the plateau", 1.01, "times").add(objects / before[0])
        record.figure("memory of the window over that of the plateau", 1.1, "times").add(kilobytes / before[1])


def _one(desk: RealDesk, record: Record, chance: random.Random, lesson: str) -> None:
    """Open `lesson`, read on, edit it and put it back."""
    desk.desk.files.open_by_id(lesson)
    desk.wait_for(lambda: False, REST_S)
    for _ in range(chance.randrange(3)):
        desk.desk.lesson.go_on()
    code = desk.window.code.text
    for _ in range(EDITS):
        record.count("edits")
        cursor = code.textCursor()
        cursor.setPosition(chance.randrange(len(code.toPlainText()) + 1))
        code.setTextCursor(cursor)
        if chance.random() < 0.3:
            cursor.movePosition(QTextCursor.MoveOperation.NextWord, QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
        else:
            for key in chance.choice(TYPED):
                # No one types two keys in one turn of the event loop.
                QTest.keyClick(code, key)
                desk.application.processEvents()
        desk.application.processEvents()
    desk.wait_for(lambda: False, chance.choice((0.0, 0.0, 0.0, 0.3)))
    desk.workspace.reset()
    desk.judge_holds(record, lesson)
    if troubles := desk.take_troubles():
        record.fail("window", troubles, desk.workspace.source)


def _counted(desk: RealDesk, lesson: str) -> tuple[int, int]:
    """Return how many QObjects there are with `lesson` open and done, and the memory of the window in kB."""
    desk.desk.files.open_by_id(lesson)
    desk.wait_for(desk.is_answered, 60)
    desk.settle()
    return len(desk.application.findChildren(QObject)) + len(desk.window.findChildren(QObject)), _kilobytes()


def _kilobytes() -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    return 1

"""A window in which someone types without a pause until the process is killed: python -m tools.endurance.typist."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest

from tools.endurance.desk import RealDesk

WIDTH = 6
"""Characters of one number, typed one by one: the remaining code shows which was the last."""


def main(folder: Path, target: str, name: str, log: Path) -> None:
    """Type numbers behind ``# NAME`` at the end of the code, and write to `log` when each one stood there."""
    desk = RealDesk(folder)
    desk.desk.files.open_by_id(target)
    desk.settle()
    code = desk.window.code.text
    code.moveCursor(QTextCursor.MoveOperation.End)
    code.setFocus()
    times = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    QTest.keyClick(code, Qt.Key.Key_Return)
    QTest.keyClicks(code, f"# {name} ")
    number = 0
    while True:
        QTest.keyClicks(code, f"{number:0{WIDTH}d}")
        os.write(times, f"{number} {time.time()}\n".encode())
        number += 1
        desk.application.processEvents()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3], Path(sys.argv[4]))

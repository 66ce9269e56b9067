"""GradualWork: long work in steps, with a turn of the event loop after each."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer


class GradualWork(QTimer):
    """Executes `steps`, with a turn of the event loop after each; ends with its `parent`."""

    def __init__(self, parent: QObject, steps: Iterator[None]) -> None:
        super().__init__(parent, interval=1)
        self._steps = steps
        self.timeout.connect(self._go_on)
        self.start()

    def finish(self) -> None:
        """Execute all remaining steps at once."""
        for _ in self._steps:
            pass
        self.drop()

    def drop(self) -> None:
        """Leave the remaining steps undone."""
        self.stop()
        self.deleteLater()

    def _go_on(self) -> None:
        if next(self._steps, self) is self:
            self.drop()

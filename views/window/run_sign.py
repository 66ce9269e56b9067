"""The sign of a run that takes long: how long it has run, and how to stop it."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from explorer.session.controls import Activity
from views.theme import LIGHT, Theme

AFTER_MS = 1000
"""Milliseconds until a run shows the sign: most end sooner."""
SIZE = 1.25
"""Of its text, relative to other words."""
STOPPED_MS = 6000
"""Milliseconds for which it then names the line at which the program stopped."""
EDGE = 24
"""Pixels between it and the lower edge, at text size 1."""


class RunSign(QPushButton):
    """A button in `window` over the lower edge of its part `above`, hidden until a run takes longer than a second.

    It covers neither the `words` nor the `lists`, where it can: there may be a question, or a finding.

    For a while after the user stopped the run, it names the line.

    Signals:
        came: whether it is shown now.
        stop_wanted: the run is to be stopped.
    """

    came = Signal(bool)
    stop_wanted = Signal()

    def __init__(self, window: QWidget, above: QWidget, words: QWidget, lists: QWidget) -> None:
        super().__init__(window)
        self._window, self._above, self._words, self._lists = window, above, words, lists
        self._theme = LIGHT
        self._worker = ""
        self._runs = QElapsedTimer()
        self._seconds = QTimer(self, interval=AFTER_MS)
        self._seconds.timeout.connect(self._tick)
        self._end = QTimer(self, interval=STOPPED_MS, singleShot=True)
        self._end.timeout.connect(self._go)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(self.escape)
        above.installEventFilter(self)
        self.hide()

    def show_activity(self, activity: Activity) -> None:
        """Show the sign while the worker runs a program, from its second second on, and for a while after a stop."""
        before, self._worker = self._worker, activity.worker.name
        if self._worker == "running":
            if before != "running":
                self._go()
                self._runs.start()
                self._seconds.start()
            return
        self._seconds.stop()
        if self._worker == "stopping":
            self._write(self.tr("Stopping."))
        elif before in ("running", "stopping") and activity.stopped_at and not self.isHidden():
            self._write(self.tr("Stopped at line {}.").format(activity.stopped_at))
            self._end.start()
        elif not self._end.isActive():
            self._go()

    def escape(self) -> bool:
        """Stop the run, or hide that it was stopped; return whether the sign was shown."""
        if self.isHidden():
            return False
        if self._end.isActive():
            self._go()
        elif self._worker == "running":
            self.stop_wanted.emit()
        return True

    def apply_theme(self, theme: Theme) -> None:
        """Apply the colours and the text size of `theme`."""
        self._theme = theme
        self.setFont(theme.font(SIZE, bold=True))
        self.setStyleSheet(
            f"color: {theme.background}; background: {theme.text}; border: none;"
            f" border-radius: {theme.px(8)}px; padding: {theme.px(10)}px {theme.px(18)}px;"
        )
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._above and event.type() == QEvent.Type.Resize:
            self._place()
        return False

    def _tick(self) -> None:
        self._write(self.tr("Running {} s. Esc stops.").format(self._runs.elapsed() // 1000))
        if self.isHidden():
            self.show()
            self.came.emit(True)
        self.raise_()

    def _go(self) -> None:
        self._end.stop()
        if not self.isHidden():
            self.hide()
            self.came.emit(False)

    def _write(self, text: str) -> None:
        self.setText(text)
        self.setAccessibleName(text)
        self._place()

    def _place(self) -> None:
        self.adjustSize()
        edge, room = self._theme.px(EDGE), self._above.rect()
        top, last = room.height() - self.height() - edge, room.width() - self.width() - edge
        corner = self._above.mapTo(self._window, QPoint())
        taken = [
            QRect(part.mapTo(self._window, QPoint()), part.size())
            for part in (self._words, self._lists)
            if part.isVisible()
        ]
        above_lists = self._lists.mapTo(self._above, QPoint()).y() - self.height() - edge
        places = [
            QRect(corner + QPoint(left, place), self.size())
            for place in (top, above_lists)
            for left in ((last + edge) // 2, last, edge)
        ]
        free = (each for each in places if not any(map(each.intersects, taken)))
        self.setGeometry(next(free, places[0]))

"""The window as a stage: the words of the story beside one large pane or the code, and back as it was."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer

from views.window.main_window import MainWindow, Shape

WORDS_SHARE = 0.36
"""How much of the width the words get."""
FINDINGS_SHARE, OUTPUT_SHARE = 0.44, 0.33
"""How much of the height what is found or printed gets below a pane: a finding and JAX's answer, or a few lines."""
BACK_ROW = 480
"""Height in pixels for which the normal text size is large enough for the back row."""
CODE_SIZE = 0.88
"""Of code beside words on the stage: so 64 columns have room, and code still looks as large as words."""
SETTLE_MS, SETTLE_TRIES = 40, 25
"""A window manager takes its time to give a window its old size; the parts are measured once it has."""


@dataclass(frozen=True)
class Before:
    """How the window was before."""

    geometry: QRect
    maximised: bool
    shape: Shape


class Stage(QObject):
    """Turns the window into a stage and back."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._before: Before | None = None
        self._waiting: Before | None = None
        """What the window is about to have the size for."""
        self._tries = 0
        window.installEventFilter(self)
        self._settle = QTimer(self, interval=SETTLE_MS)
        self._settle.timeout.connect(self._restore_parts)

    @property
    def is_up(self) -> bool:
        return self._before is not None

    def scale(self) -> float:
        """Return the text size that can be read in the back row, for the height that the screen has."""
        screen = self._window.screen()
        points = screen.logicalDotsPerInch() / 96
        return float(max(1.0, screen.size().height() / BACK_ROW / points))

    def put_up(self) -> None:
        """Fill the screen, without lists, menus and bars."""
        window = self._window
        self._restore_parts(at_once=True)
        self._before = Before(window.geometry(), window.isMaximized(), window.shape())
        for part in (window.scenarios, window.menuBar(), window.controls, window.status, window.bottom):
            part.hide()
        window.area.gather()
        window.showFullScreen()
        # Its keys steer the presentation, also where a detached pane had the keyboard.
        window.activateWindow()
        window.lesson.setOrientation(Qt.Orientation.Horizontal)

    def show_pane(self, name: str, *, with_lists: bool = False) -> None:
        """Show the pane ``keys``, ``noise``, ``program`` or ``timing`` large beside the words, or the ``code``.

        Below a pane there can stand what the program printed, or what was found.
        """
        window = self._window
        shows_code = name == "code"
        window.code_column.setVisible(shows_code)
        window.results.setVisible(not shows_code)
        window.bottom.setVisible(with_lists)
        for pane in window.area.panes:
            if pane.objectName() == f"{name}_pane":
                window.area.fill_with(pane.number)
        self._share_out()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Share the width out anew when the window has got the size of the screen."""
        if self.is_up and event.type() == QEvent.Type.Resize:
            self._share_out()
        return False

    def _share_out(self) -> None:
        window = self._window
        words = int(window.width() * WORDS_SHARE)
        splitter = window.whole if window.code_column.isHidden() else window.lesson
        splitter.setSizes([*([0] * (splitter.count() - 2)), words, window.width() - words])
        lists = int(
            window.height() * (FINDINGS_SHARE if window.bottom.currentWidget() is window.findings else OUTPUT_SHARE)
        )
        window.results.setSizes([window.height() - lists, lists])

    def take_down(self) -> None:
        """Bring the window back as it was."""
        before, self._before = self._before, None
        if before is None:
            return
        window = self._window
        if before.maximised:
            window.showMaximized()
        else:
            window.showNormal()
            window.setGeometry(before.geometry)
        self._waiting, self._tries = before, SETTLE_TRIES
        self._settle.start()
        self._restore_parts()

    def _restore_parts(self, *, at_once: bool = False) -> None:
        """Give the parts their sizes as soon as the window has its own."""
        before, self._tries = self._waiting, self._tries - 1
        if before is None:
            return
        # At least twice: until the texts have been laid out at their old size, nothing can be narrower than they are.
        there = self._window.size() == before.geometry.size() and self._tries < SETTLE_TRIES - 1
        self._window.restore_shape(before.shape)
        if there or at_once or self._tries <= 0:
            self._waiting = None
            self._settle.stop()

"""A presentation on two screens, run in its own process: writes the states as JSON.

Qt knows its screens from the start, so the other tests have one.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from explorer.library import library
from explorer.library.settings import Settings
from tests.window.ui import Ui
from views import theme
from views.story.vote_bars import VoteBars

Key = Qt.Key
MOST_SCREENS = 4
"""Of one page of the lesson."""
GEOMETRY = 40, 40, 1000, 700
"""Left, top, width and height of the window on the desk: larger than the least that any font needs."""


def state(ui: Ui) -> dict[str, object]:
    """Return the positions of all parts."""
    lectern = ui.desk.presentation.lectern
    view = lectern.presenter.view
    return {
        "stage": ui.window.screen().name(),
        "full": ui.window.isFullScreen(),
        "presenter": view.screen().name() if view is not None and view.isVisible() else "",
        "still": lectern.screens.still.screen().name() if lectern.screens.still is not None else "",
        "sign": lectern.overlay.sign,
        "on": ui.desk.presentation.is_on,
    }


def presenter_state(ui: Ui) -> dict[str, object]:
    """Return the contents of the presenter's window."""
    view = ui.desk.presentation.lectern.presenter.view
    assert view is not None
    return {
        "notes": view.notes.toPlainText(),
        "next": view.coming.toPlainText(),
        "answer": view.answer.text() if view.answer.isVisible() else "",
        "votes": view.votes.words(),
        "on stage": ui.window.story.findChild(VoteBars).words(),
        "labels": [label.text() for label in view.findChildren(QLabel)],
        "mirror": view.mirror.picture.size().toTuple(),
    }


def main() -> None:
    application = QApplication([])
    theme.apply_to_application(application, theme.LIGHT)
    ui = Ui(application, Settings())
    ui.desk.take_up(library.open_target("one_key_for_the_batch"))
    ui.window.showNormal()
    ui.window.setGeometry(*GEOMETRY)
    states: dict[str, object] = {}

    def settle() -> None:
        for _ in range(5):
            QTest.qWait(20)

    def do(name: str, what: Callable[[], object]) -> None:
        what()
        settle()
        states[name] = state(ui)

    def press_there(key: Key) -> None:
        QTest.keyClick(ui.desk.presentation.lectern.presenter.view, key)

    settle()
    desk, lectern = ui.desk, ui.desk.presentation.lectern
    everything = lectern.screens.all
    do("begun", lambda: desk.on_command("present"))
    QTest.qWait(600)
    states["asked"] = presenter_state(ui)
    for key in (Key.Key_A, Key.Key_B, Key.Key_B):
        press_there(key)
    states["voted"] = presenter_state(ui)
    press_there(Key.Key_Period)
    states["blank"] = lectern.blank is not None and lectern.blank.parent() is ui.window
    press_there(Key.Key_PageDown)
    states["unblanked"] = (lectern.blank is None, desk.lesson.page.revealed)
    # A page that is longer than the screen, with this machine's font, is read to its end first.
    for _ in range(MOST_SCREENS):
        if not desk.lesson.page.revealed:
            press_there(Key.Key_PageDown)
            settle()
    states["revealed"] = desk.lesson.page.revealed
    states["told"] = presenter_state(ui)
    do("frozen", lambda: press_there(Key.Key_F))
    still = lectern.screens.still
    before = still.grab().toImage() if still is not None else None
    desk.lesson.go_on()
    settle()
    states["stands still"] = still is not None and still.grab().toImage() == before
    QTest.keyClick(ui.window.story, Key.Key_Period)
    blank = lectern.blank
    black = still is not None and still.grab().toImage().pixelColor(200, 200) == QColor("#000000")
    states["black over still"] = blank is not None and black
    QTest.keyClick(ui.window.story, Key.Key_Period)
    do("thawed", lambda: QTest.keyClick(ui.window.story, Key.Key_F))
    do("swapped", lambda: desk.on_command("swap_screens"))
    do("swapped back", lambda: desk.on_command("swap_screens"))
    QTest.keyClick(ui.window.story, Key.Key_F)
    lectern.screens.all = lambda: everything()[:1]
    do("unplugged while frozen", lectern.screens.arrange)
    do("freeze with one", lectern.screens.toggle_freeze)
    states["sentence"] = lectern.overlay.sentence
    lectern.screens.all = everything
    do("plugged in", lectern.screens.arrange)
    do("spoken", lambda: ui.desk.on_command("language_ko"))
    states["korean"] = presenter_state(ui)["labels"]
    ui.desk.on_command("language_en")
    do("ended", lambda: ui.desk.on_command("present"))
    states["geometry"] = ui.window.geometry().getRect()
    ui.desk.on_command("present")
    settle()
    view = ui.desk.presentation.lectern.presenter.view
    do("closed", view.close)
    sys.stdout.write(json.dumps(states))
    ui.window.close()


if __name__ == "__main__":
    main()

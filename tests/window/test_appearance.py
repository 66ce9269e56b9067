"""Theme, text size and language: a changed window looks like a new one, and little is made again for that."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit

from explorer.library import library
from explorer.library.settings import Settings
from explorer.window import connections, languages
from tests.window.ui import Ui, finish_steps
from views import theme
from views.theme import ThemeName


@pytest.fixture
def made(qapp: QApplication) -> Iterator[Callable[[Settings], Ui]]:
    """Return a function that opens a window which starts with the given settings."""
    opened = []

    def make(chosen: Settings) -> Ui:
        languages.install(qapp, chosen.language)
        theme.apply_to_application(qapp, theme.chosen(chosen.theme, chosen.scale))
        ui = Ui(qapp, chosen)
        opened.append(ui)
        connections.add_plots(ui.window, ui.session, ui.desk)
        ui.window.resize(1400, 900)
        ui.window.show()
        ui.desk.take_up(library.open_target("one_key_for_the_batch"))
        ui.desk.files.list_scenarios()
        return ui

    yield make
    for ui in opened:
        ui.close()


def picture(ui: Ui) -> QImage:
    """Return the window as it is painted once nothing more follows, scrolled to the first line of code."""
    before, after = QImage(), ui.window.grab().toImage()
    while before != after or any(each.isActive() for each in ui.window.findChildren(QTimer)):
        finish_steps(ui.window)
        # The handle of a scroll bar depends on the lines out of sight; Qt wraps them when they come in sight.
        for each in ui.window.findChildren(QPlainTextEdit):
            for row in range(each.document().blockCount()):
                each.document().documentLayout().blockBoundingRect(each.document().findBlockByNumber(row))
        ui.window.code.text.show_first(0)
        QTest.qWait(10)
        before, after = after, ui.window.grab().toImage()
    return after


@pytest.mark.parametrize(
    ("name", "scale", "language"), [("dark", 1.0, "en"), ("light", 1.3, "en"), ("projector", 0.8, "ko")]
)
def test_a_changed_window_looks_like_one_that_starts_so(
    made: Callable[[Settings], Ui], name: ThemeName, scale: float, language: str
) -> None:
    changed = made(Settings(language="en"))
    before = picture(changed)
    changed.desk.appearance.apply_to_tree(name, scale)
    changed.desk.appearance.choose_language(language)
    after = picture(changed)
    changed.window.close()
    assert after != before
    assert after == picture(made(Settings(theme=name, scale=scale, language=language)))

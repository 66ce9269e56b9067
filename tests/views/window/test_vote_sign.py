"""The sign of votes by phone: the back row reads it, and every phone its code."""

from __future__ import annotations

import pytest
import segno
from PySide6.QtGui import QFontMetrics
from pytestqt.qtbot import QtBot

from views.theme import THEMES, ThemeName, chosen
from views.window.main_window import MainWindow
from views.window.stage.stage import WORDS_SHARE
from views.window.stage.vote_sign import LEAST, QUIET, VoteSign

LONGEST, CODE = "255.255.255.255:65535", "4821"


@pytest.mark.parametrize("size", [(1280, 720), (1024, 768)])
@pytest.mark.parametrize("theme", THEMES)
def test_the_code_is_dark_on_white_and_the_letters_are_large(
    qtbot: QtBot, size: tuple[int, int], theme: ThemeName
) -> None:
    window = MainWindow()
    qtbot.addWidget(window)
    window.apply_theme(chosen(theme, 1.0))
    sign = VoteSign(window)
    sign.apply_theme(window.theme)
    window.resize(*size)
    # As on a stage.
    window.scenarios.hide()
    window.story.setFixedWidth(int(WORDS_SHARE * window.width()))
    window.show()
    sign.tell(LONGEST, CODE)
    picture = sign.grab().toImage()
    modules = segno.make_qr(f"http://{LONGEST}/#{CODE}").matrix
    one, edge = sign._pixels, sign._edge()
    around = len(modules) + 2 * QUIET
    for down in range(around):
        for along in range(around):
            at = [edge + each * one + one // 2 for each in (along, down)]
            within = all(QUIET <= each < around - QUIET for each in (down, along))
            dark = within and modules[down - QUIET][along - QUIET]
            assert picture.pixelColor(*at).name() == ("#000000" if dark else "#ffffff")
    metrics = QFontMetrics(sign._fonts()[-1])
    # Letters are made of whole pixels.
    assert metrics.capHeight() >= window.height() * LEAST - 1
    assert sign._fits(metrics)
    assert CODE in sign.accessibleName()

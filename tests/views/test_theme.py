"""The fonts of words and of code: ours on every system, whatever fonts it has; what follows the theme."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QMargins
from PySide6.QtGui import QFont, QFontDatabase, QFontMetricsF, QRawFont, QTextLayout
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.test_korean import HANGUL
from views import theme

ROOT = Path(__file__).parents[2]
NO_FONTS = """<?xml version="1.0"?><fontconfig><cachedir>{folder}</cachedir></fontconfig>"""
FAMILIES = """
from PySide6.QtGui import QFontInfo, QGuiApplication
from views.theme import LIGHT
application = QGuiApplication([])
for font in (LIGHT.font(), LIGHT.font(bold=True), LIGHT.mono_font()):
    print(QFontInfo(font).family())
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="no other system can hide its fonts from a program")
def test_words_are_set_in_inter_and_code_in_jetbrains_mono_where_the_system_has_no_font(tmp_path: Path) -> None:
    settings = tmp_path / "fonts.conf"
    settings.write_text(NO_FONTS.format(folder=tmp_path))
    command = [sys.executable, "-c", FAMILIES]
    environment = os.environ | {"FONTCONFIG_FILE": str(settings)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:3] == ["Inter", "Inter", "JetBrains Mono"]


def test_hangul_falls_to_a_font_for_it(qtbot: QtBot) -> None:
    installed = {*theme.HANGUL_IN_CODE} & {*QFontDatabase.families()}
    if not installed:
        pytest.skip("no font with Hangul is installed here")
    for font in (theme.LIGHT.font(), theme.LIGHT.mono_font()):
        assert families_of("key", font) == {font.family()}
        assert families_of("난수", font) <= installed


def test_bold_words_are_in_a_weight_of_the_font_itself(qtbot: QtBot) -> None:
    """And not in the regular one, smeared."""
    for family in (theme.WORDS, theme.CODE):
        assert {"Regular", "Bold", "Italic", "Bold Italic"} <= {*QFontDatabase.styles(family)}
    plain, bold = (QFontMetricsF(theme.LIGHT.font(bold=each)) for each in (False, True))
    assert bold.horizontalAdvance("examples") > plain.horizontalAdvance("examples")


def test_every_sign_on_screen_is_in_our_fonts(qtbot: QtBot) -> None:
    """Another font's has another height and look on each system, or is a box."""
    fonts = [QRawFont.fromFont(QFont(family)) for family in (theme.WORDS, theme.CODE)]
    texts = [*ROOT.glob("views/**/*.py"), *ROOT.glob("explorer/**/*.py"), *ROOT.glob("resources/translations/*.ts")]
    signs = {sign for path in texts for sign in path.read_text(encoding="utf-8") if sign > "~"}
    shown = sorted(sign for sign in signs if not HANGUL.match(sign))
    assert "✓" in shown
    assert [sign for sign in shown if not any(font.glyphIndexesForString(sign)[0] for font in fonts)] == []


def test_what_a_part_declares_follows_the_theme(qtbot: QtBot) -> None:
    whole = QWidget()
    qtbot.addWidget(whole)
    column, row = theme.spaced(QVBoxLayout(whole), 12, 0, 8, 4), theme.spaced(QHBoxLayout(), spacing=8)
    column.addLayout(row)
    label = theme.grounded(theme.lettered(QLabel("words"), 0.9, bold=True), lambda worn: worn.panel)
    row.addWidget(label)
    for worn in (theme.chosen("dark", 1.5), theme.chosen("projector", 2.0)):
        theme.apply_to_tree(whole, worn)
        assert column.contentsMargins() == QMargins(*(round(worn.scale * px) for px in (12, 0, 8, 4)))
        assert row.spacing() == 8 * worn.scale
        assert label.font() == worn.font(0.9, bold=True)
        assert label.palette().color(label.backgroundRole()).name() == worn.panel


def families_of(words: str, font: QFont) -> set[str]:
    """Return the families that `words` are painted in."""
    layout = QTextLayout(words, font)
    layout.beginLayout()
    layout.createLine()
    layout.endLayout()
    return {run.rawFont().familyName() for run in layout.glyphRuns()}

"""The legibility of two lessons from the back row, and the detection of illegible texts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from tests.endurance.back_row.painted import Text, painted
from tests.endurance.back_row.weak import projected

pytestmark = pytest.mark.rest

LESSONS = ("one_key_for_the_batch", "first_jaxpr")
SCREEN = "1280x720"


def texts_of(window: QWidget) -> dict[str, Text]:
    return {text.words: text for text in painted(window)[0]}


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(400, 100)
    return made


def test_a_text_is_found_with_its_size_place_and_colour(window: QWidget) -> None:
    label = QLabel("Heights", window)
    label.setStyleSheet("font-size: 40px; color: #b3261e")
    label.setGeometry(100, 20, 300, 60)
    window.show()
    found = texts_of(window)["Heights"]
    assert found.colour == QColor("#b3261e")
    assert 40 * 0.6 < found.capital < 40 * 0.8
    assert found.ink.left() >= 100
    assert found.widget is label
    assert not found.is_cut


def test_what_is_beyond_the_edge_of_a_widget_is_cut(window: QWidget) -> None:
    for number, (words, width) in enumerate({"whole words": 300, "cut words": 30}.items()):
        QLabel(words, window).setGeometry(0, 50 * number, width, 40)
    window.show()
    found = texts_of(window)
    assert not found["whole words"].is_cut
    assert found["cut words"].is_cut


@pytest.mark.parametrize(
    ("colour", "on_the_wall"),
    # As ImageMagick says: convert xc:COLOUR -level 15%,85% -modulate 100,70
    [
        ("#ffffff", "#ffffff"),
        ("#000000", "#000000"),
        ("#57606a", "#4a535d"),
        ("#b3261e", "#ab1e1e"),
        ("#ffd33d", "#ded842"),
    ],
)
def test_a_weak_projector_makes_of_colours_what_imagemagick_says(colour: str, on_the_wall: str) -> None:
    seen, expected = projected(QColor(colour)), QColor(on_the_wall)
    pairs = zip(seen.getRgb()[:3], expected.getRgb()[:3], strict=True)
    assert all(abs(one - other) <= 2 for one, other in pairs), seen.name()


@pytest.mark.process
@pytest.mark.window
def test_the_back_row_reads_two_lessons(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.endurance", "back_row", "--lessons", *LESSONS, "--sizes", SCREEN]
    done = subprocess.run(
        [*command, "--themes", "projector", "--languages", "en", "--failures", str(tmp_path)],
        check=False,
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "texts measured" in done.stdout

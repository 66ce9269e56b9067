"""The stage is on the room's screen and the presenter's window on the laptop; screens come and go."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.window.presenting.stages import present, press
from tests.window.presenting.two_screens import GEOMETRY
from tests.window.ui import Ui
from views.window.stage.overlay import Overlay

ROOM, LAPTOP = "room", "laptop"
COMMON = {"y": 0, "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}
SCREENS = {
    "synchronousWindowSystemEvents": True,
    "windowFrameMargins": False,
    "screens": [
        {"name": LAPTOP, "x": 0, "width": 1366, "height": 768, **COMMON},
        {"name": ROOM, "x": 1366, "width": 1920, "height": 1080, **COMMON},
    ],
}


@pytest.fixture(scope="module")
def states(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("screens")
    screens = folder / "screens.json"
    screens.write_text(json.dumps(SCREENS))
    homes = {f"XDG_{name}_HOME": str(folder) for name in ("CONFIG", "STATE", "DATA", "CACHE")}
    environment = {**os.environ, **homes, "QT_QPA_PLATFORM": f"offscreen:configfile={screens}"}
    command = [sys.executable, "-m", "tests.window.presenting.two_screens"]
    root = Path(__file__).parents[3]
    done = subprocess.run(command, env=environment, cwd=root, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def place_of(states: dict[str, Any], name: str) -> tuple[str, str, str, bool]:
    """Return on which screens stage, presenter's window and still picture are, and whether the stage fills its own."""
    state = states[name]
    return state["stage"], state["presenter"], state["still"], state["full"]


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("begun", (ROOM, LAPTOP, "", True)),
        ("frozen", (LAPTOP, LAPTOP, ROOM, True)),
        ("thawed", (ROOM, LAPTOP, "", True)),
        ("swapped", (LAPTOP, ROOM, "", True)),
        ("swapped back", (ROOM, LAPTOP, "", True)),
        ("unplugged while frozen", (LAPTOP, "", "", True)),
        ("freeze with one", (LAPTOP, "", "", True)),
        ("plugged in", (ROOM, LAPTOP, "", True)),
        ("spoken", (ROOM, LAPTOP, "", True)),
        ("ended", (LAPTOP, "", "", False)),
        ("closed", (LAPTOP, "", "", False)),
    ],
)
def test_everything_is_on_its_screen(states: dict[str, Any], name: str, where: tuple[str, str, str, bool]) -> None:
    assert place_of(states, name) == where
    assert states[name]["on"] == (name not in ("ended", "closed"))
    assert bool(states[name]["sign"]) == (name == "frozen")


def test_the_presenter_knows_notes_answer_and_what_comes(states: dict[str, Any]) -> None:
    asked, revealed = states["asked"], states["told"]
    assert asked["notes"].startswith("Read in_axes=(0, None) aloud")
    assert asked["answer"].startswith("The answer: ")
    assert asked["next"].startswith("The answer\n")
    assert asked["mirror"] == [1920, 1080]
    assert revealed["notes"].startswith("Point at the bracket")
    assert revealed["answer"] == ""
    assert revealed["next"].startswith("One example and the batch\n")


def test_the_presenter_sees_the_counts_that_the_room_does_not_see_yet(states: dict[str, Any]) -> None:
    assert states["asked"]["votes"] == ""
    counts = [line.rpartition(": ")[2] for line in states["voted"]["votes"].split("\n")]
    assert counts == ["1 · 33%", "2 · 67%", "0 · 0%"]
    assert states["voted"]["on stage"] == "3 votes counted"


def test_keys_work_from_the_presenters_window(states: dict[str, Any]) -> None:
    assert states["blank"]
    assert states["unblanked"] == [True, False]
    assert states["revealed"]


def test_what_is_frozen_stands_still_and_can_be_black(states: dict[str, Any]) -> None:
    assert states["stands still"]
    assert states["black over still"]


def test_the_presenters_window_speaks_the_language_of_the_stage(states: dict[str, Any]) -> None:
    assert "메모" in states["korean"]


def test_the_window_is_back_where_it_was(states: dict[str, Any]) -> None:
    assert states["geometry"] == list(GEOMETRY)


@pytest.mark.rest
def test_with_one_screen_freezing_says_what_it_needs(ui: Ui, qtbot: QtBot) -> None:
    present(ui, qtbot)
    press(Qt.Key.Key_F)
    overlay = ui.window.findChild(Overlay)
    assert overlay.sentence == "Freezing the audience view needs a second screen."
    assert overlay.isVisible()
    assert ui.desk.presentation.lectern.presenter.view is None
    ui.desk.on_command("swap_screens")
    assert overlay.sentence == "There is only one screen to present on."


def test_the_screens_are_swapped_only_while_presenting(ui: Ui) -> None:
    ui.window.show()
    ui.desk.on_command("swap_screens")
    assert ui.window.notice.isVisible()

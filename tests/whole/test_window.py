"""The whole application, end to end, in a real window under its own display server."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from explorer.library import drafts

needs_x = pytest.mark.skipif(
    not (shutil.which("Xvfb") and shutil.which("xdotool")), reason="Xvfb and xdotool are not installed"
)
pytestmark = [pytest.mark.window, pytest.mark.process]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Return an environment with temporary settings, drafts and scenarios, and no display."""
    own = {f"XDG_{kind}_HOME": str(tmp_path / kind.lower()) for kind in ("CONFIG", "STATE", "DATA", "CACHE")}
    settings = tmp_path / "config" / "jax-explorer" / "settings.json"
    settings.parent.mkdir(parents=True)
    # At a first start the tour would have the keyboard.
    settings.write_text('{"tour_seen": true}', encoding="utf-8")
    inherited = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    # As a user has it.
    for name in ("QT_QPA_PLATFORM", "JAX_DISABLE_MOST_OPTIMIZATIONS", "XLA_FLAGS"):
        inherited.pop(name, None)
    return {**inherited, **own, "LC_ALL": "C.UTF-8"}


@pytest.fixture
def display() -> Iterator[str]:
    """A display for one test, on which the window is wide enough for all four panes."""
    reader, writer = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writer), "-screen", "0", "2240x1300x24", "-nolisten", "tcp"],
        pass_fds=[writer],
        stderr=subprocess.DEVNULL,
    )
    os.close(writer)
    with os.fdopen(reader) as pipe:
        number = pipe.readline().strip()
    yield f":{number}"
    server.terminate()
    server.wait()


@needs_x
def test_a_user_can_do_the_main_job_in_a_real_window(environment: dict[str, str], display: str, tmp_path: Path) -> None:
    done = _driven("tests.whole.window_drive", environment, display)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "choose_another_scenario: ok" in done.stdout
    found = [json.loads(file.read_bytes()) for file in (tmp_path / "state").rglob(f"*{drafts.ENDING}")]
    assert any("while True: pass" in draft["source"] for draft in found)


@pytest.mark.rest
@needs_x
def test_transforms_and_values_are_a_click_away_in_a_real_window(environment: dict[str, str], display: str) -> None:
    done = _driven("tests.whole.transforms_drive", environment, display)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "see_iterations: ok" in done.stdout


def _driven(module: str, environment: dict[str, str], display: str) -> subprocess.CompletedProcess[str]:
    environment = {**environment, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb"}
    return _ran(["-m", module], environment, Path(__file__).parents[2])


def _ran(words: list[str], environment: dict[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *words]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=240, check=False
    )


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux can lack a display")
def test_without_a_display_the_ways_to_one_are_named(environment: dict[str, str], tmp_path: Path) -> None:
    done = _ran(["-P", "-m", "explorer", "own.py"], environment, tmp_path)
    assert done.returncode == 2
    assert "no display" in done.stderr
    assert "ssh -X" in done.stderr
    assert "jax-explorer export" in done.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux can lack a display")
def test_a_display_that_does_not_answer_is_named(environment: dict[str, str], tmp_path: Path) -> None:
    done = _ran(["-P", "-m", "explorer"], {**environment, "DISPLAY": ":987"}, tmp_path)
    assert done.returncode == 2
    assert "no display" in done.stderr
    assert ":987" in done.stderr

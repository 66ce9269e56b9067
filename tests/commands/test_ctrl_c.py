"""Ctrl-C ends a command at any moment."""

from __future__ import annotations

import os
import pkgutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from explorer import __main__ as command_line
from explorer.link.pipe import WorkerPipe
from tests.commands.programs import write

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is another thing there"),
]


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    return write(tmp_path, "endless.py", "while True: pass\n")


def press() -> None:
    signal.raise_signal(signal.SIGINT)


class PressedWhenThrownAway:
    """Presses Ctrl-C where Python ignores exceptions."""

    def __del__(self) -> None:
        press()


@pytest.mark.rest
@pytest.mark.parametrize(
    ("moment", "when", "how"),
    [
        ("explorer.cli.main", "before", press),
        ("explorer.link.pipe.WorkerPipe.hello", "before", press),
        ("explorer.messages.frames.encode", "before", press),
        ("explorer.messages.frames.encode", "after", PressedWhenThrownAway),
        ("threading.Timer.start", "before", press),
        ("threading.Timer.start", "after", press),
        ("threading.Timer.cancel", "before", press),
    ],
)
def test_ctrl_c_is_never_lost(
    moment: str,
    when: str,
    how: Callable[[], object],
    endless: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["jax-explorer", "check", str(endless), "--timeout", "2"])
    # The command line puts one of its own there.
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    holder, real = pytest.MonkeyPatch(), pkgutil.resolve_name(moment)

    def pressed(*given: Any, **named: Any) -> Any:
        holder.undo()
        if when == "before":
            how()
        result = real(*given, **named)
        if when == "after":
            how()
        return result

    holder.setattr(moment, pressed)
    try:
        assert command_line.main() == 2
    except KeyboardInterrupt:
        pytest.fail("it was let out")
    finally:
        holder.undo()
    assert capfd.readouterr().err.endswith("jax-explorer: stopped\n")
    # Python would wait for them at its end.
    assert [each for each in threading.enumerate() if not each.daemon] == [threading.main_thread()]


def test_ctrl_c_in_the_imports_of_the_command_line_ends_it_with_a_word(endless: Path) -> None:
    script = (
        "import signal, sys\n"
        "class Presses:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'explorer.scenario': signal.raise_signal(signal.SIGINT)\n"
        "from explorer.__main__ import main\n"
        "sys.meta_path.insert(0, Presses())\n"
        f"sys.argv = ['jax-explorer', 'check', {str(endless)!r}]\n"
        "sys.exit(main())\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (2, "jax-explorer: stopped\n")


@pytest.mark.rest
def test_a_worker_that_is_still_starting_leaves_ctrl_c_to_the_command() -> None:
    """A terminal sends it to both."""
    with WorkerPipe() as worker:
        has_greeted = threading.Event()

        def press_there() -> None:
            while not has_greeted.wait(0.01):
                os.kill(worker._process.pid, signal.SIGINT)

        presses = threading.Thread(target=press_there)
        presses.start()
        try:
            assert worker.hello().devices
        finally:
            has_greeted.set()
            presses.join()

"""``OffscreenWindow``, the whole application without a screen, and ``jax-explorer export``, its pictures."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import get_args

from explorer.library.settings import Settings
from explorer.link.remotes.remote import HERE, Remote
from explorer.messages import Snapshot
from explorer.scenario.scenario import Scenario

PATIENCE_S = 120.0
"""Seconds for a variant or a timing run: no user waits, and the machine may be busy."""
SETTLING = 10
"""Turns of the event loop after which newly shown widgets have their layout."""


class OffscreenWindow:
    """The whole application without a screen, which runs the opened scenario; edits and settings are not saved.

    Attributes:
        application, window, session, desk: its parts.
        interrupts: the received signals; a KeyboardInterrupt inside of Qt would crash the process.
    """

    def __init__(
        self,
        language: str,
        theme_name: str = "light",
        *,
        times: bool = True,
        line_types: bool = False,
        remote: Remote = HERE,
    ) -> None:
        """Run the opened scenario at `remote`; with `line_types`, the code has them at line ends."""
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        from explorer import app
        from explorer.link.client import WorkerClient
        from explorer.session.session import Session
        from explorer.session.workspace import Workspace
        from explorer.window import connections
        from explorer.window.commands import Desk
        from views.theme import ThemeName
        from views.window.main_window import MainWindow

        self.interrupts: list[int] = []
        self._before = signal.signal(signal.SIGINT, lambda number, _frame: self.interrupts.append(number))
        theme = next(each for each in get_args(ThemeName) if each == theme_name)
        chosen = Settings(theme=theme, remotes=() if remote.is_here else (remote,))
        self.application = app.make_application(chosen, language)
        self._client = WorkerClient(spare=False)
        if remote.is_here:
            self._client.start()
        workspace = Workspace(time_automatically=times, keeps_drafts=False, timeout_s=PATIENCE_S, line_types=line_types)
        self.session = Session(self._client, workspace)
        self.session.timings.by_itself_s = PATIENCE_S
        self.window = MainWindow()
        self.desk = Desk(self.application, self.window, self.session, chosen, language, keeps_settings=False)
        connections.connect(self.window, self.session, self._client, self.desk)
        connections.add_plots(self.window, self.session, self.desk)
        workspace.choose_remote(remote.name)
        self.window.show()

    def wait(self) -> bool:
        """Run the event loop until the window is idle; return whether it became so in time."""
        from explorer.window.files import exported

        return exported.wait_until_done(self.application, self.session, self.interrupts)

    def settle(self) -> None:
        """Let newly shown widgets get their layout."""
        for _ in range(SETTLING):
            self.application.processEvents()

    def __enter__(self) -> OffscreenWindow:
        return self

    def __exit__(self, *_: object) -> None:
        self.window.close()
        self._client.close()
        signal.signal(signal.SIGINT, self._before)


def run(
    scenario: Scenario,
    directory: str,
    *,
    variant: str,
    language: str,
    theme_name: str,
    size: tuple[int, int],
    device: str,
    remote: Remote = HERE,
    line_types: bool = False,
) -> int:
    """Write all that `exported.write` writes, and return the exit code. Raises OSError.

    The program runs at `remote`. With `line_types`, the code in the window has them at line ends.
    """
    Path(directory).mkdir(parents=True, exist_ok=True)
    with OffscreenWindow(language, theme_name, line_types=line_types, remote=remote) as unseen:
        from explorer.window.files import exported

        window, session = unseen.window, unseen.session
        unseen.desk.take_up(scenario, device, variant)
        # After the window took the size of the last run, or of the screen.
        window.resize(*size)
        unseen.desk.files.list_scenarios()
        finished = unseen.wait()
        if variant not in ("", session.workspace.controls.variant):
            sys.stderr.write(f"jax-explorer: there is no function named {variant} in this code\n")
            return 2
        unseen.desk.lesson.uncover()
        unseen.settle()
        written = exported.write(Path(directory), window, session)
        more = exported.write_lenses(Path(directory), unseen.application, window, session, unseen.interrupts)
    for path in dict.fromkeys((*written.files, *more)):
        print(path)  # noqa: T201
    for sentence in written.left_out:
        sys.stderr.write(f"jax-explorer: {sentence}\n")
    return _exit_code(session.snapshot, finished)


def _exit_code(snapshot: Snapshot | None, finished: bool) -> int:
    if not finished:
        sys.stderr.write("jax-explorer: the program was still running, so the pictures show its results so far\n")
        return 2
    if snapshot is None:
        return 2
    if snapshot.failure is not None:
        sys.stderr.write(f"jax-explorer: {snapshot.failure.type}: {snapshot.failure.message}\n")
        return 2
    return 0

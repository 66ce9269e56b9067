"""``jax-explorer export``: the window without a screen, until everything is there, then its pictures."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import get_args

from explorer.library.settings import Settings
from explorer.messages import Snapshot
from explorer.scenario.scenario import Scenario

SETTLING = 10
"""Rounds of the event loop in which what has just been uncovered gets its place."""


class Unseen:
    """The whole application without a screen, which runs what is opened in it; its edits and settings are not kept.

    Attributes:
        application, window, session, desk: its parts.
        interrupts: the signals that came; raised inside of Qt, KeyboardInterrupt would end the process with a crash.
    """

    def __init__(self, language: str, theme_name: str = "light", *, times: bool = True) -> None:
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
        chosen = Settings(theme=next(each for each in get_args(ThemeName) if each == theme_name))
        self.application = app.make_application(chosen, language)
        self._client = WorkerClient(spare=False)
        self._client.start()
        self.session = Session(self._client, Workspace(time_automatically=times, keeps_drafts=False))
        self.window = MainWindow()
        self.desk = Desk(self.application, self.window, self.session, chosen, language, keeps_settings=False)
        connections.connect(self.window, self.session, self._client, self.desk)
        connections.add_plots(self.window, self.session, self.desk)
        self.window.show()

    def __enter__(self) -> Unseen:
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
) -> int:
    """Write everything that `export.write` writes and return the exit code. Raises OSError for the directory."""
    Path(directory).mkdir(parents=True, exist_ok=True)
    with Unseen(language, theme_name) as unseen:
        from explorer.window.files import exported

        application, window, session = unseen.application, unseen.window, unseen.session
        unseen.desk.take_up(scenario, device, variant)
        # After the window took the size of the last run, or of the screen.
        window.resize(*size)
        unseen.desk.files.list_scenarios()
        finished = exported.wait_until_done(application, session, unseen.interrupts)
        if variant not in ("", session.workspace.controls.variant):
            sys.stderr.write(f"jax-explorer: there is no function named {variant} in this code\n")
            return 2
        unseen.desk.lesson.uncover()
        for _ in range(SETTLING):
            application.processEvents()
        written = exported.write(Path(directory), window, session)
        written += exported.write_lenses(Path(directory), application, window, session, unseen.interrupts)
    for path in written:
        print(path)  # noqa: T201
    return _exit_code(session.snapshot, finished)


def _exit_code(snapshot: Snapshot | None, finished: bool) -> int:
    if not finished:
        sys.stderr.write("jax-explorer: the program was still running, so the pictures show what was there by then\n")
        return 2
    if snapshot is None:
        return 2
    if snapshot.failure is not None:
        sys.stderr.write(f"jax-explorer: {snapshot.failure.type}: {snapshot.failure.message}\n")
        return 2
    return 0

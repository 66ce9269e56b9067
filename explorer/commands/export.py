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
    interrupts: list[int] = []
    # Raised inside of Qt, KeyboardInterrupt would end the process with a crash.
    before = signal.signal(signal.SIGINT, lambda number, _frame: interrupts.append(number))
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from explorer import app
    from explorer.link.client import WorkerClient
    from explorer.session.session import Session
    from explorer.session.workspace import Workspace
    from explorer.window import connections
    from explorer.window.commands import Desk
    from explorer.window.files import exported
    from views.theme import ThemeName
    from views.window.main_window import MainWindow

    name = next(each for each in get_args(ThemeName) if each == theme_name)
    chosen = Settings(theme=name)
    application = app.make_application(chosen, language)
    client = WorkerClient(spare=False)
    client.start()
    session = Session(client, Workspace(keeps_drafts=False))
    window = MainWindow()
    desk = Desk(application, window, session, chosen, language, keeps_settings=False)
    connections.connect(window, session, client, desk)
    connections.add_plots(window, session, desk)
    window.show()
    try:
        desk.take_up(scenario, device, variant)
        # After the window took the size of the last run, or of the screen.
        window.resize(*size)
        desk.files.list_scenarios()
        finished = exported.wait_until_done(application, session, interrupts)
        if variant not in ("", session.workspace.controls.variant):
            sys.stderr.write(f"jax-explorer: there is no function named {variant} in this code\n")
            return 2
        desk.lesson.uncover()
        for _ in range(SETTLING):
            application.processEvents()
        written = exported.write(Path(directory), window, session)
        written += exported.write_lenses(Path(directory), application, window, session, interrupts)
    finally:
        window.close()
        client.close()
        signal.signal(signal.SIGINT, before)
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

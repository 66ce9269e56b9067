"""The whole application in a window without a screen, for pictures and handouts."""

from __future__ import annotations

import os
import signal
from typing import get_args

from explorer.library.settings import Settings
from explorer.link.remotes.remote import HERE, Remote

PATIENCE_S = 120.0
"""Seconds for a variant or a timing run: no user waits, and the machine may be busy."""


class Unseen:
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

    def __enter__(self) -> Unseen:
        return self

    def __exit__(self, *_: object) -> None:
        self.window.close()
        self._client.close()
        signal.signal(signal.SIGINT, self._before)

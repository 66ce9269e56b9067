"""A window with everything in it but a worker."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QObject, QPoint, QRect
from PySide6.QtWidgets import QApplication, QMessageBox

from explorer.library.settings import Settings
from explorer.messages import Finding, Report, Snapshot, Span, Variant
from explorer.session.session import Session
from explorer.session.workspace import Workspace
from explorer.window.commands import Desk
from explorer.window.frame import Frame
from tests.session.client import Client
from views.parts.steps import GradualWork
from views.window.main_window import MainWindow

VARIANTS = (Variant("shared_key", 19), Variant("key_per_example", 24))
FINDING = Finding("shared-noise", "bug", "All `rows` are equal.", (Span(21, 4, 21, 8),))
WITH_A_FINDING = Report("shared_key", "ok", findings=(FINDING,))


class Ui:
    """The window, the desk and the session."""

    def __init__(self, qapp: QApplication, chosen: Settings, *language: str) -> None:
        self.client = Client()
        self.session = Session(self.client, Workspace(time_automatically=False))  # type: ignore[arg-type]
        self.frame = Frame(qapp, self.session, self.client, chosen, *language)  # type: ignore[arg-type]

    @property
    def window(self) -> MainWindow:
        """The window that is open now."""
        return self.frame.window

    @property
    def desk(self) -> Desk:
        """Its desk."""
        return self.frame.desk

    def ran(self, *reports: Report, complete: bool = True, **fields: Any) -> None:
        """Let the lesson on one key for the batch have run."""
        fields = {"variants": VARIANTS, **fields}
        self.client.say(Snapshot(self.client.request.run, "cpu:0", complete, reports=reports, **fields))

    def close(self) -> None:
        """Close the window that is open now."""
        self.window.close()
        self.window.deleteLater()


def places(ui: Ui) -> dict[str, QRect]:
    """Return where each part of the window is."""
    window = ui.window
    parts = {"story": window.story, "code": window.code_column, "lists": window.bottom, **window.area.by_name}
    return {
        name: QRect(part.mapTo(window, QPoint(0, 0)), part.size()) for name, part in parts.items() if part.isVisible()
    }


def panes(ui: Ui) -> list[str]:
    """Return the names of the panes in sight."""
    return [name for name, pane in ui.window.area.by_name.items() if pane.isVisible()]


def finish_steps(window: QObject) -> None:
    """Do at once what `window` does in the next turns of its event loop."""
    while waiting := [steps for steps in window.findChildren(GradualWork) if steps.isActive()]:
        waiting[0].finish()


def answer(monkeypatch: pytest.MonkeyPatch, button: QMessageBox.StandardButton) -> None:
    """Let every question be answered so."""
    monkeypatch.setattr(QMessageBox, "exec", lambda *_: button.value)

"""LeftOut reports what does not run here: a notebook's lines of IPython, plots without their library."""

from __future__ import annotations

from PySide6.QtCore import QObject

from explorer.library import notebook
from explorer.messages import Snapshot
from explorer.scenario.scenario import Scenario
from explorer.scenario.texts import Texts
from explorer.session.workspace import Workspace
from views.window.notice_bar import NoticeBar


class LeftOut(QObject):
    """Reports once for each opened program what is left out of it."""

    def __init__(self, notice: NoticeBar, workspace: Workspace) -> None:
        super().__init__(notice)
        self._notice = notice
        self._workspace = workspace
        self._opened = Scenario("", "file", "", "", Texts(""))
        self._has_told_plots = False

    def open(self, scenario: Scenario) -> None:
        """Report that `scenario` is the copy of a notebook, and which lines are left out of it."""
        is_same, self._opened = self._opened.id == scenario.id, scenario
        if not is_same:
            self._has_told_plots = False
            if sentence := self._sentence():
                self._notice.add(sentence)

    def take_snapshot(self, snapshot: Snapshot | None) -> None:
        """Report plotting libraries that the program of `snapshot` went on without."""
        if snapshot is None or not snapshot.left_out or self._has_told_plots:
            return
        self._has_told_plots, notice = True, self._notice
        if notice.accessibleName() == self._sentence():
            notice.hide()
        plots = self.tr("plots (not installed: {})").format(", ".join(snapshot.left_out))
        notice.add(self._sentence(plots), ("raise_plots", self.tr("Show the error")))

    def on_answer(self, answer: str) -> None:
        """Handle a button of the notice bar."""
        if answer == "raise_plots":
            self._workspace.raise_missing_plots()

    def _sentence(self, plots: str = "") -> str:
        is_copy = notebook.is_notebook(self._opened.path)
        parts = "; ".join(filter(None, (notebook.left_out_words(self._opened.source) if is_copy else "", plots)))
        copy = self.tr("A copy of the notebook, in Python.") if is_copy else ""
        return " ".join(filter(None, (copy, self.tr("Left out: {}.").format(parts) if parts else "")))

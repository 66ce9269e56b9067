"""Things that a lecturer shows in addition to the pages: votes, the parameter strip, the end page, all pages."""

from __future__ import annotations

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from explorer.messages import Value
from explorer.scenario.page import PageQuestion
from explorer.window.presenting.lectern import Lectern
from tools.endurance.desk import RealDesk
from views.story.vote_bars import VoteBars
from views.window.stage.chips import ParameterStrip, StageChips
from views.window.stage.overview import EndPage, Overview
from views.window.stage.presenter_window import PresenterWindow

HANDS = 12
"""For the first choice; each further one gets one less."""
Key = Qt.Key


class Brought:
    """Presses the keys for it, and says which parts of the window are there then."""

    def __init__(self, desk: RealDesk) -> None:
        self._desk = desk

    @property
    def _lectern(self) -> Lectern:
        return self._desk.desk.presentation.lectern

    def laptop(self) -> PresenterWindow | None:
        """Return the presenter's window, where there is a screen for it."""
        view = self._lectern.presenter.view
        return view if view is not None and view.isVisible() else None

    def vote(self, ask: PageQuestion) -> None:
        """Let the room vote twice on the question that is open."""
        voting = self._lectern.voting
        for _ in range(2):
            voting.vote_again()
            for choice in range(len(ask.choices)):
                for _ in range(max(1, HANDS - choice)):
                    voting.count(choice)

    def votes(self) -> tuple[QWidget, ...]:
        """Show votes on the revealed page; return the widgets while the question is open."""
        tally, story = self._lectern.voting.tally(), self._desk.window.story
        if tally is None or not tally.revealed:
            return ()
        story.show_tally(tally)
        return (story,)

    def hide_votes(self) -> None:
        """Show a revealed page without votes."""
        tally = self._lectern.voting.tally()
        if tally is not None and tally.revealed:
            self._desk.window.story.show_tally(None)

    def turn_half(self) -> bool:
        """Show the other of two programs, as Tab does; return whether there is another."""
        return self._desk.window.area.show_other_half()

    def bring_strip(self) -> tuple[QWidget, ...]:
        """Open the strip, with something in it that is not as the lesson says."""
        workspace = self._desk.workspace
        controls = workspace.controls
        changed = ((each, _other(each.value)) for each in controls.parameters)
        setting = next(((each, value) for each, value in changed if value is not None), None)
        if setting is not None:
            workspace.set_parameter(msgspec.structs.replace(setting[0], value=setting[1]))
        self._press(Key.Key_P)
        return self._of(ParameterStrip, StageChips)

    def put_strip_away(self) -> None:
        self._press(Key.Key_P)
        self._press(Key.Key_Backspace)

    def turn_to_end(self) -> tuple[QWidget, ...]:
        """Turn to the page behind the last one."""
        for _ in range(2):
            if not self._of(EndPage):
                self._press(Key.Key_PageDown)
        return self._of(EndPage)

    def leave_end(self) -> None:
        self._press(Key.Key_PageUp)

    def open_overview(self) -> tuple[QWidget, ...]:
        """Show all pages."""
        self._press(Key.Key_G)
        return self._of(Overview)

    def close_overview(self) -> None:
        self._press(Key.Key_Escape)
        assert not self._of(Overview), "the next lesson would be measured under it"

    def _press(self, key: Qt.Key) -> None:
        window = self._desk.window
        focused = window.focusWidget()
        # On two screens Qt may hold the other window for the active one.
        QTest.keyClick(focused if focused is not None else window.story, key)
        self._desk.settle()

    def _of(self, *kinds: type[QWidget]) -> tuple[QWidget, ...]:
        found = (each for kind in kinds for each in self._desk.window.findChildren(kind))
        return tuple(each for each in found if each.isVisible() and not isinstance(each, VoteBars))


def _other(value: Value) -> Value | None:
    """Return another value for a parameter, None where none is plain."""
    return None if isinstance(value, bool | str) else value + 1

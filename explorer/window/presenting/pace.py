"""The pace of a lecture: the lesson among those of its course, and the time that is left for the others."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject

from explorer.scenario.page import places
from explorer.session.workspace import Workspace
from views.window.main_window import MainWindow

MINUTE_S = 60


class Pace(QObject):
    """Compares the time since the presentation began with the minutes of the chosen course.

    All texts are empty while all lessons are listed, and for a lesson that the course does not have.
    """

    def __init__(self, window: MainWindow, workspace: Workspace) -> None:
        super().__init__(window)
        self._window = window
        self._workspace = workspace
        self._began_s = 0.0

    def begin(self) -> None:
        """Start the clock."""
        self._began_s = time.monotonic()

    def go_on_from(self, before: Pace) -> None:
        """Go on with the clock of the window `before` this one."""
        self._began_s = before._began_s

    @property
    def passed_s(self) -> int:
        """Seconds since the presentation began."""
        return int(time.monotonic() - self._began_s)

    @property
    def here(self) -> int:
        """The place of the open lesson in the course, counted from 0; -1 where it has none."""
        course, scenario = self._window.scenarios.course, self._workspace.scenario
        ids = [each.id for each in course.lessons] if course is not None else []
        return ids.index(scenario.id) if scenario is not None and scenario.id in ids else -1

    def lesson(self) -> str:
        """Return the lesson's number in the course, for example ``Lesson 4 of 11``."""
        course, here = self._window.scenarios.course, self.here
        if course is None or here < 0:
            return ""
        return self.tr("Lesson {} of {}").format(here + 1, len(course.lessons))

    def left(self) -> str:
        """Return the time and the lessons that are left, and when this lesson should end; empty without a length.

        Each page takes the same time.
        """
        course, here = self._window.scenarios.course, self.here
        if course is None or here < 0 or not course.minutes:
            return ""
        left, to_go = course.minutes - self.passed_s // MINUTE_S, len(course.lessons) - here - 1
        minutes = self.tr("{} min left").format(left) if left >= 0 else self.tr("{} min over").format(-left)
        pages = [max(1, len(places(each))) for each in course.lessons]
        planned = round(course.minutes * sum(pages[: here + 1]) / sum(pages))
        if to_go == 0:
            return self.tr("{minutes}, the last lesson").format(minutes=minutes)
        until = self.tr("this one until minute {}").format(planned)
        if to_go == 1:
            return self.tr("{minutes}, 1 lesson to go").format(minutes=minutes) + f", {until}"
        return self.tr("{minutes}, {count} lessons to go").format(minutes=minutes, count=to_go) + f", {until}"

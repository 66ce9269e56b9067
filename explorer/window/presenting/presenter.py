"""Updates of the presenter's window, with the pace of the lecture."""

from __future__ import annotations

import time
from datetime import datetime

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from explorer.scenario.page import Page, places
from explorer.session.workspace import Workspace
from explorer.window.lesson import Lesson
from explorer.window.presenting.screens import Screens
from explorer.window.presenting.voting import Voting
from views.story.scenario_list import ScenarioList
from views.story.vote_bars import VoteTally
from views.theme import apply_to_tree
from views.window.main_window import MainWindow
from views.window.stage.presenter_window import PresenterNotes, PresenterWindow

MINUTE_S = 60


class Pace(QObject):
    """Compares the time since the presentation began with the minutes of the chosen course.

    All texts are empty while all lessons are listed, and for a lesson that the course does not have.
    """

    def __init__(self, scenarios: ScenarioList, workspace: Workspace) -> None:
        super().__init__(scenarios)
        self._scenarios = scenarios
        self._workspace = workspace
        self.began_s = 0.0
        """Since the epoch: a lecture goes on after a crash."""

    def begin(self) -> None:
        """Start the clock; in a later lesson of a course, only where its minutes are over."""
        course = self._scenarios.course
        if course is None or self.here <= 0 or self.passed_s > course.minutes * MINUTE_S:
            self.began_s = time.time()

    @property
    def passed_s(self) -> int:
        """Seconds since the presentation began."""
        return int(time.time() - self.began_s)

    @property
    def here(self) -> int:
        """The place of the open lesson in the course, counted from 0; -1 where it has none."""
        course, scenario = self._scenarios.course, self._workspace.scenario
        ids = [each.id for each in course.lessons] if course is not None else []
        return ids.index(scenario.id) if scenario is not None and scenario.id in ids else -1

    def lesson(self) -> str:
        """Return the lesson's number in the course, for example ``Lesson 4 of 11``."""
        course, here = self._scenarios.course, self.here
        if course is None or here < 0:
            return ""
        return self.tr("Lesson {} of {}").format(here + 1, len(course.lessons))

    def left(self) -> str:
        """Return the time and the lessons that are left, and when this lesson should end; empty without a length.

        Each page takes the same time.
        """
        course, here = self._scenarios.course, self.here
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


SECOND_MS = 1000
MIRROR_MS = 250
"""Least milliseconds between two pictures of the stage."""
MIRROR_SHARE = 10
"""Pictures of the stage take at most a tenth of the time: the stage comes first."""


class Presenter(QObject):
    """Opens the presenter's window where there is a screen for it, and updates it.

    Signals:
        command_given: the name of a button that was pressed there.
        opened: the PresenterWindow, which has just been made.
    """

    command_given = Signal(str)
    opened = Signal(object)

    def __init__(self, window: MainWindow, lesson: Lesson, screens: Screens, voting: Voting, pace: Pace) -> None:
        super().__init__(window)
        self._window = window
        self._lesson = lesson
        self._screens = screens
        self._voting = voting
        self._pace = pace
        self._scale = 1.0
        self._worn = window.theme
        """The theme of the window when this one was coloured."""
        self.view: PresenterWindow | None = None
        self._seconds = QTimer(self, interval=SECOND_MS)
        self._seconds.timeout.connect(self._show_time)
        self._pictures = QTimer(self, singleShot=True, interval=MIRROR_MS)
        self._pictures.timeout.connect(self._take_picture)
        voting.tally_changed.connect(self._show_tally)
        screens.arranged.connect(self.arrange)
        screens.frozen_changed.connect(self._show_state)

    def begin(self, scale: float) -> None:
        """Words have the size `scale` on the laptop's screen."""
        self._scale = scale

    def end(self) -> None:
        """Close the window."""
        self._seconds.stop()
        self._pictures.stop()
        if self.view is not None:
            self.view.put_away()
            self.view = None

    def arrange(self) -> None:
        """Open the window on the laptop's screen, or close it where the stage has the only screen."""
        if not self._screens.are_two:
            self.end()
            return
        if self.view is None:
            self._open()
        view, area = self.view, self._screens.laptop().availableGeometry()
        if view is not None and (not area.contains(view.geometry().center()) or not view.isVisible()):
            view.showNormal()
            view.setScreen(self._screens.laptop())
            view.setGeometry(area)
            view.showMaximized()
        # While the picture stands still, the stage is on this screen, and on top.
        (self._window if self._screens.is_frozen or view is None else view).raise_()

    def show_page(self, page: Page) -> None:
        """Show the lecturer's information about `page`."""
        if self.view is None:
            return
        prompt = self._lesson.prompt
        asks = page.ask is not None and not page.revealed
        place = self.tr("page {} of {}").format(page.number + 1, page.count) if page.count else ""
        place = " · ".join(filter(None, (self._pace.lesson(), place)))
        title = prompt.next_title or (self.tr("The answer") if asks else "")
        script = PresenterNotes(place, prompt.note, prompt.answer, asks, title, prompt.next_text)
        self.view.show_script(script)
        self._pictures.start(MIRROR_MS)

    # -- the window -------------------------------------------------------------------------

    def _open(self) -> None:
        view = self.view = PresenterWindow()
        view.setWindowIcon(self._window.windowIcon())
        self._wear()
        view.command_given.connect(self.command_given)
        view.closing.connect(self._on_closing)
        # The keys of the menus work from here, too.
        commands = [each for each in self._window.commands if each.keys and not each.in_code]
        view.addActions([self._window.action(each.id) for each in commands])
        self.opened.emit(view)
        self._seconds.start()
        self._show_time()
        self._show_state()
        self._show_tally(self._voting.tally())
        self.show_page(self._lesson.page)

    def _wear(self) -> None:
        """Apply the stage's theme, at the text size of this screen."""
        self._worn = self._window.theme
        if self.view is not None:
            apply_to_tree(self.view, replace(self._worn, scale=self._scale, code_size=1.0))

    def _on_closing(self) -> None:
        if self.view is not None:
            self.view.deleteLater()
        self.view = None
        self.command_given.emit("present")

    def _show_time(self) -> None:
        if self.view is not None:
            passed = self._pace.passed_s
            hours, minutes = divmod(passed // 60, 60)
            elapsed = f"{hours}:{minutes:02}:{passed % 60:02}" if hours else f"{minutes}:{passed % 60:02}"
            self.view.show_time(f"{datetime.now().astimezone():%H:%M}", elapsed, self._pace.left())

    def _show_tally(self, tally: VoteTally | None) -> None:
        if self.view is not None:
            self.view.show_tally(tally)

    def _show_state(self) -> None:
        if self.view is not None:
            frozen = self.tr("Frozen: the audience sees a still picture. F unfreezes it.")
            self.view.show_state(frozen if self._screens.is_frozen else "")
            self._pictures.start(0)

    def _take_picture(self) -> None:
        if self.view is None:
            return
        began_s = time.monotonic()
        if self._worn != self._window.theme:
            self._wear()
        if self.view.isVisible():
            still = self._screens.still
            self.view.mirror.show_picture(still.picture if still is not None else self._window.grab())
        took_ms = int(1000 * (time.monotonic() - began_s))
        self._pictures.start(max(MIRROR_MS, MIRROR_SHARE * took_ms))

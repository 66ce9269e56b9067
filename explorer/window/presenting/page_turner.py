"""`PageTurner` turns pages while presenting, and keeps how each was left; `OverviewControl` opens any of them."""

from __future__ import annotations

import msgspec
from PySide6.QtCore import QObject

from explorer.messages import Value
from explorer.scenario.scenario import Scenario, StepPlan
from explorer.session.workspace import Workspace
from explorer.window.files.files import Files
from explorer.window.lesson import Lesson
from explorer.window.presenting.presenter import Pace
from views.window.stage.overview import CourseLessons, EndPage, Overview
from views.window.stage.stage import Stage


class OverviewControl(QObject):
    """Opens the overview, and goes to the page or lesson chosen there."""

    def __init__(self, stage: Stage, lesson: Lesson, files: Files, pace: Pace, walk: PageTurner) -> None:
        super().__init__(stage)
        self._stage, self._lesson, self._files, self._pace, self._walk = stage, lesson, files, pace, walk
        self._overview = Overview(stage.window)
        self._overview.page_wanted.connect(self._go)
        self._overview.lesson_selected.connect(self._list_pages)
        self._listed: Scenario | None = None
        """The lesson whose pages are listed."""

    @property
    def is_open(self) -> bool:
        """Whether the overview can be seen."""
        return not self._overview.isHidden()

    def toggle(self) -> None:
        if self.is_open:
            self.close()
        elif self._lesson.page.count:
            self._walk.note_leaving()
            course, here = self._files.course, self._pace.here
            lessons = course.lessons if course is not None and here >= 0 else ()
            titles = [each.title.text(self._lesson.language) for each in lessons]
            pace = " · ".join(filter(None, (self._pace.lesson(), self._pace.left())))
            self._list_pages(-1)
            self._overview.open(CourseLessons(titles, here, pace))

    def close(self) -> None:
        if self.is_open:
            self._overview.hide()
            self._stage.take_keyboard()

    def step(self, by: int) -> None:
        """Select another page."""
        self._overview.step(by)

    def _list_pages(self, number: int) -> None:
        """List the pages of lesson `number` of the course; below 0 those of the open one."""
        course = self._files.course
        self._listed = course.lessons[number] if course is not None and number >= 0 else None
        page, title = self._lesson.page, self._listed.title.text(self._lesson.language) if self._listed else ""
        here = page.number if number in (-1, self._pace.here) else 0
        headings = [each.heading for each in self._lesson.pages(self._listed)]
        self._overview.list_pages(title or page.title, headings, here)

    def _go(self, number: int) -> None:
        """Open page `number` of the listed lesson."""
        self.close()
        listed = self._listed
        if listed is not None and listed.id != self._lesson.half[0]:
            self._files.open_by_id(listed.id)
            if self._lesson.half[0] != listed.id or number < 0:
                return
        place = self._lesson.pages()[number].place
        if place != self._lesson.page.place:
            self._lesson.jump_to(place)


class PageState(msgspec.Struct, frozen=True):
    """The state of a page when it was left."""

    scenario: str
    place: int
    revealed: bool
    plan: StepPlan
    """The selection on it."""
    settings: dict[str, Value]
    """The parameters that were set."""

    @property
    def where(self) -> tuple[str, int]:
        """The lesson and the page."""
        return self.scenario, self.place


class PageTurner(QObject):
    """Turns pages, also from lesson to lesson, and keeps how each was left."""

    def __init__(self, stage: Stage, workspace: Workspace, lesson: Lesson, files: Files, pace: Pace) -> None:
        super().__init__(stage)
        self._story, self._notice = stage.window.story, stage.window.notice
        self._pace = pace
        self._workspace = workspace
        self._lesson = lesson
        self._files = files
        self._end = EndPage(stage.window)
        self._pages: dict[tuple[str, int], PageState] = {}
        self._before: list[PageState] = []
        """The pages from which other lessons were opened, the last at the end."""
        self._here: PageState | None = None
        self._ahead = 1
        """The lesson that the end page offers, counted from this one."""

    @property
    def is_at_end(self) -> bool:
        """Whether the page behind the last one is shown."""
        return not self._end.isHidden()

    def begin(self) -> None:
        self._pages, self._before, self._here = {}, [], None

    def leave_end(self) -> None:
        """Close the end page."""
        self._end.hide()

    def note_page(self) -> None:
        """Show the page that was turned to as it was left.

        If it is of another lesson, remember the page before it, to go back to.
        """
        was, now = self._here, self.seen()
        self.leave_end()
        if now is not None and (was is None or was.where != now.where) and (left := self._pages.get(now.where)):
            self._workspace.put_back(left.plan, left.settings)
        self._here = self.seen()
        if was is not None and now is not None and was.scenario != now.scenario:
            self._before.append(self._pages.get(was.where, was))

    def note_leaving(self) -> None:
        """Keep the selection of the page before it is left."""
        now = self.seen()
        if now is not None:
            self._here = self._pages[now.where] = now

    def read_on(self) -> None:
        """Go to the end of this page, to the next one, after the last to the end page, and to the next lesson."""
        if self.is_at_end:
            self._open_next()
        else:
            self._story.read_on()

    def read_back(self) -> None:
        """Go back to the earlier page, in the state in which it was left."""
        if self.is_at_end:
            self.leave_end()
        else:
            self._story.read_back()

    def turn(self, step: int) -> None:
        """Go beyond the last page, or back before the first."""
        if step > 0:
            self._ahead = 1
            self._show_end()
        elif self._before:
            left = self._before.pop()
            if self._open(left.scenario):
                self._lesson.go_to(left.place, revealed=left.revealed)
        else:
            target, _ = self._files.neighbour(-1)
            if target and self._open(target):
                self._lesson.go_to(self._lesson.pages()[-1].place, revealed=True)

    # -- small parts --------------------------------------------------------------------------

    def _open_next(self) -> None:
        target, title = self._files.neighbour(self._ahead)
        if not target:
            return
        now = self._workspace.scenario
        self._files.open_by_id(target)
        if self._workspace.scenario is now:
            # It stays where it is, says why, and offers the lesson after that.
            self._ahead += 1
            why = self._notice.accessibleName()
            self._show_end(self.tr("{lesson} could not be opened: {why}").format(lesson=title, why=why))
        else:
            self.leave_end()

    def _open(self, target: str) -> bool:
        """Open the lesson `target`, and keep the list of lessons to return to; return whether it is open."""
        before = list(self._before)
        self._files.open_by_id(target)
        self._before = before
        opened = self._workspace.scenario
        return opened is not None and opened.id == target

    def _show_end(self, trouble: str = "") -> None:
        _, following = self._files.neighbour(self._ahead)
        course = self._files.course
        of_course = course.title.text(self._lesson.language) if course is not None and self._pace.here >= 0 else ""
        self._end.tell(self._lesson.page.title, following, self._pace.lesson(), trouble, of_course)
        self._end.draw()

    def seen(self) -> PageState | None:
        """Return the page with the selection on it."""
        scenario, page = self._workspace.scenario, self._lesson.page
        if scenario is None:
            return None
        return PageState(scenario.id, page.place, page.revealed, self._workspace.selection, self._workspace.settings)

"""CrashRecovery notes the position while the window is open, and offers it at the start after a crash."""

from __future__ import annotations

from typing import get_args

from PySide6.QtCore import QObject, QTimer

from explorer.library import courses
from explorer.library.progress import CrashedPositions, Position
from explorer.scenario.page import places
from explorer.session.session import Session
from explorer.text.languages import known_languages
from explorer.window.appearance import Appearance
from explorer.window.files.files import Files
from explorer.window.lesson import Lesson
from explorer.window.presenting.presentation import Presentation
from views.theme import ThemeName
from views.window.notice_bar import NoticeBar

DELAY_MS = 300
"""Milliseconds until a new position is written; it changes several times while a page is turned."""


class CrashRecovery(QObject):
    """Writes the position while the window is open, and goes back to the one that a crash has left."""

    def __init__(
        self,
        notice: NoticeBar,
        session: Session,
        lesson: Lesson,
        files: Files,
        appearance: Appearance,
        presentation: Presentation,
    ) -> None:
        super().__init__(notice)
        self._notice = notice
        self._workspace = session.workspace
        self._lesson = lesson
        self._files = files
        self._appearance = appearance
        self._presentation = presentation
        self._left: CrashedPositions | None = None
        self._named = False
        """Whether something else was named at this start: that is what the keyboard is for."""
        self._soon = QTimer(self, singleShot=True, interval=DELAY_MS)
        self._soon.timeout.connect(self._keep)

    @property
    def is_asking(self) -> bool:
        """Whether the question about a position is open."""
        return self._left is not None

    @property
    def wants_enter(self) -> bool:
        """Whether the question is open, and Enter is its answer."""
        return self.is_asking and not self._named

    def note(self, _changed: object = None) -> None:
        """Write the position soon; not before the user has decided about an earlier one."""
        if self._left is None and not self._soon.isActive():
            self._soon.start()

    def offer(self, left: CrashedPositions, *, named: bool = False) -> None:
        """Ask whether to go on at the newest position of `left`; Enter agrees, unless `named` and not in a lecture."""
        position, scenario = left.newest, self._workspace.scenario
        if position is None or scenario is None:
            left.discard()
            return
        course = self._files.course
        is_there = position.target == scenario.id or (course is not None and course.id == position.course)
        self._left, self._named = left, named and not (is_there or position.presents)
        self._soon.stop()
        self.show_again()

    def show_again(self) -> None:
        """Ask again, where the question is open, in another language."""
        position = self._left.newest if self._left is not None else None
        if position is None:
            return
        language = self._appearance.language
        title = self._files.title_of(position.target)
        course = courses.find(position.course) if position.course else None
        where = f"{course.title.text(language)}, {title}" if course is not None else title
        text = self.tr("JAX Explorer ended unexpectedly in “{}”, page {}. Go on there?")
        self._notice.ask(
            text.format(where, position.number + 1),
            ("go_on", self.tr("Go on")),
            ("stay", self.tr("No")),
            enter=not self._named,
            audience="",
        )

    def on_answer(self, answer: str) -> None:
        """Handle a button of the notice bar."""
        if self._left is None or answer not in ("go_on", "stay"):
            return
        left, self._left = self._left, None
        if answer == "go_on" and left.newest is not None:
            self._go_on(left.newest)
        else:
            self._workspace.offer_draft()
        left.discard()
        self.note()

    def close(self) -> None:
        """Forget an offered position that was not taken."""
        if self._left is not None:
            self._left.discard()

    def continue_from(self, before: CrashRecovery) -> None:
        """Ask the question that is open in the window `before` this one."""
        self._left, self._named = before._left, before._named
        self.show_again()
        self.note()

    def _go_on(self, position: Position) -> None:
        if (course := courses.find(position.course) if position.course else None) is not None:
            self._files.take_course(course)
        opened = self._workspace.scenario
        if opened is None or opened.id != position.target:
            self._files.open_by_id(position.target)
            opened = self._workspace.scenario
        if opened is None or opened.id != position.target:
            return
        self._notice.hide()
        if (draft := self._workspace.left_draft()) is not None and not self._workspace.controls.edited:
            self._workspace.use_draft(draft)
        else:
            self._workspace.offer_draft()
        if position.place in places(opened):
            self._lesson.go_to(position.place, revealed=position.revealed)
        self._workspace.put_back(position.plan, position.settings)
        if position.presents:
            self._lesson.shown |= set(position.shown)
            self._presentation.lectern.voting.take_up(position.ballots)
            self._presentation.begin()
            self._presentation.lectern.pace.began_s = position.began_s
            if position.swapped:
                self._presentation.lectern.screens.swap()
        if position.theme in get_args(ThemeName):
            self._appearance.choose_theme(position.theme)  # type: ignore[arg-type]
        if position.language in known_languages() and not self._appearance.is_language_asked_for:
            # At the end: the window is made anew.
            self._appearance.choose_language(position.language)

    def _keep(self) -> None:
        scenario, page, course = self._workspace.scenario, self._lesson.page, self._files.course
        if scenario is None:
            return
        lectern = self._presentation.lectern
        self._workspace.keep_position(
            Position(
                scenario.id,
                page.place,
                page.revealed,
                self._workspace.selection,
                self._workspace.settings,
                course.id if course is not None else "",
                self._presentation.is_on,
                self._appearance.settings.theme,
                self._appearance.language,
                lectern.screens.is_swapped,
                lectern.voting.ballots,
                page.number,
                lectern.pace.began_s,
                tuple(sorted(self._lesson.shown)),
            )
        )

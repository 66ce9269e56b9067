"""Presentation mode: the lesson page by page on a full screen, controlled by the two keys of a clicker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar, get_args

import msgspec
from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from explorer.messages import Focus
from explorer.scenario.page import Page
from explorer.session.session import Session
from explorer.text.languages import known_languages
from explorer.window.appearance import Appearance
from explorer.window.arranging import Arranging
from explorer.window.files.files import Files
from explorer.window.lesson import Lesson
from explorer.window.presenting.lectern import Lectern, StageKeys
from explorer.window.presenting.page_turner import OverviewControl, PageState, PageTurner
from explorer.window.presenting.presenter import Pace
from explorer.window.presenting.scenes import Scenes, StripControl
from views.theme import ThemeName
from views.window.layout import PANES, PaneName
from views.window.stage.stage import CODE_SIZE, LEAST_SIZE, Stage

T = TypeVar("T")
VOTES = ("vote", "vote_back", "vote_again")
"""Rows of keys that count votes on the page's question."""


class StateBefore(msgspec.Struct, frozen=True):
    """The state that a presentation changes and restores."""

    theme: ThemeName
    scale: float
    page: PageState | None
    focus: Focus | None


class Presentation(QObject):
    """Begins and ends a presentation, and shows the pane that each page is about.

    Attributes:
        stage: the audience's view.
        scenes: chooses what it shows.

    Signals:
        changed: it has begun or ended, or a vote was counted.
    """

    changed = Signal()

    def __init__(
        self, stage: Stage, session: Session, lesson: Lesson, appearance: Appearance, files: Files, arranging: Arranging
    ) -> None:
        super().__init__(stage)
        self.stage = stage
        self._session = session
        self._workspace = session.workspace
        self._lesson = lesson
        self._appearance = appearance
        self._arranging = arranging
        self.scenes = Scenes(stage, lesson)
        pace = Pace(stage.window.scenarios, self._workspace)
        self._walk = PageTurner(stage, self._workspace, lesson, files, pace)
        self._strip = StripControl(stage, self._workspace, lesson)
        self._pages = OverviewControl(stage, lesson, files, pace, self._walk)
        self._workspace.opening.connect(self._pages.close)
        self.lectern = Lectern(stage, self._workspace, lesson, pace)
        self.lectern.screens.arranged.connect(self._fit)
        self.lectern.presenter.opened.connect(self._give_keys)
        self.lectern.voting.tally_changed.connect(self.changed)
        self.lectern.presenter.command_given.connect(self._on_button)
        self._before: StateBefore | None = None
        self._fitted = 0.0
        """The text size that the stage has asked for last."""
        self._half: tuple[str, int, bool] | None = None
        """The page whose scene is shown."""
        keys, window = StageKeys(self), stage.window
        self._keys = keys.shortcuts(window, self._slots())
        for words in filter(None, (window.story.focusProxy(), window.centralWidget())):
            self._keys += keys.shortcuts(words, self._turns(), Qt.ShortcutContext.WidgetShortcut)

    @property
    def is_on(self) -> bool:
        return self._before is not None

    def continue_from(self, before: Presentation) -> None:
        """Present what is presented in the window `before` this one."""
        if before._before is not None:
            self.begin()
            self._before = before._before
            self.stage.continue_from(before.stage)
            self.scenes.continue_from(before.scenes)
        self.lectern.continue_from(before.lectern)
        if before._walk.is_at_end:
            self._walk.turn(1)

    def begin(self) -> None:
        """Fill the screen with the words of the story and one pane, both large."""
        settings, session = self._appearance.settings, self._session
        self._before = StateBefore(settings.theme, settings.scale, self._walk.seen(), session.marks().focus)
        self._arranging.hold(True)
        self._walk.begin()
        session.keep_results(True)
        self.lectern.begin(settings.scale)
        self.stage.put_up(self.lectern.screens.room())
        self._fit()
        self._half = None
        self.stage.clear()
        self._strip.begin()
        self._take_keys(True)
        self._lesson.present(True)
        self.show_page(self._lesson.page)
        # New parts that are not laid out yet may have asked for more than the screen has.
        QTimer.singleShot(0, self.lectern.screens, self.lectern.screens.arrange)
        self.lectern.presenter.arrange()
        self.stage.take_keyboard()
        self.changed.emit()

    def show_pane(self, name: PaneName) -> None:
        """Show the pane `name` on the stage."""
        self._uncover(partial(self.scenes.show_pane, name))

    def end(self) -> None:
        """Restore the earlier state; on another page than at the beginning only the window."""
        before, self._before = self._before, None
        if before is None:
            return
        self._take_keys(False)
        self._lesson.present(False)
        self._session.keep_results(False)
        self._pages.close()
        self._walk.leave_end()
        self.lectern.end()
        self._fitted = 0.0
        self._appearance.apply_to_tree(before.theme, before.scale)
        self.stage.take_down()
        self._arranging.hold(False)
        page, now = before.page, self._walk.seen()
        if page is not None and now is not None and page.where == now.where:
            # Steps only set parameters; what is not set any more, the user gave up.
            still_set = {name: value for name, value in page.settings.items() if name in self._workspace.settings}
            self._workspace.put_back(page.plan, still_set)
            self._session.choose_focus(before.focus)
        self.changed.emit()

    def show_page(self, page: Page) -> None:
        """Show the pane of `page`; the code where that pane is covered until the question is answered."""
        half = self._lesson.half
        turned, self._half = half != self._half, half
        if self.is_on:
            self.lectern.show_page(page)
        if self.is_on and turned:
            self._walk.note_page()
            self.scenes.open(page)
            self._strip.show_controls(self._workspace.controls)

    def turn_scenario(self, step: int) -> None:
        """Go beyond the last page, or back before the first."""
        if self.is_on:
            self._walk.turn(step)

    def note_leaving(self) -> None:
        """Save the state of the page before it is left."""
        if self.is_on:
            self._walk.note_leaving()

    def leave(self) -> None:
        """Close the overview, stop what runs, close one overlay or go back to the page's scene; else end."""
        if self._pages.is_open:
            self._pages.close()
        elif self.stage.window.status.escape():
            return
        elif self._strip.is_open:
            self._strip.close()
        elif self.stage.part_has_keyboard():
            self.stage.take_keyboard()
        elif not (self.lectern.leave() or (not self._walk.is_at_end and self.scenes.back_to(self._lesson.page))):
            self.end()

    def _take_keys(self, presenting: bool) -> None:
        """Let the keys steer the presentation from any widget, instead of the story's own keys."""
        self.stage.window.story.give_up_keys(presenting)
        self.stage.window.action("present").setChecked(presenting)
        for key in self._keys:
            key.setEnabled(presenting)

    def _fit(self) -> None:
        """Apply the font scale of the current screen, if it differs from the earlier one."""
        wanted, settings = self.stage.scale(), self._appearance.settings
        if self._before is not None and wanted != self._fitted:
            self._fitted = wanted
            self._appearance.apply_to_tree(settings.theme, max(self._before.scale, wanted), CODE_SIZE, LEAST_SIZE)
            # It has its width only in the next turn of Qt's loop.
            QTimer.singleShot(0, self.stage.window.story, self.stage.window.story.bring_answer_into_sight)

    def _give_keys(self, presenter: QWidget) -> None:
        """Let the keys work in the presenter's window as on the stage."""
        for key in StageKeys(self).shortcuts(presenter, self._slots() | self._turns()):
            key.setEnabled(True)
        QShortcut(QKeySequence("Esc"), presenter).activated.connect(self.leave)
        QShortcut(QKeySequence("Tab"), presenter).activated.connect(self.stage.window.area.show_other_half)

    def _on_button(self, name: str) -> None:
        slots = self._slots()
        if name in slots:
            slots[name][0]()
        else:
            self.stage.window.action(name).trigger()

    def _read(self, step: int) -> None:
        """Turn the page, or in the overview select another one. Unread words come first, also hidden ones."""
        story, beside = self.stage.window.story, (self.stage.window.code, self.stage.window.findings)
        if self._pages.is_open:
            self._pages.step(step)
        elif story.has_more and story.isHidden() and not self._walk.is_at_end:
            self.scenes.open(self._lesson.page)
        elif step > 0 and not (self._walk.is_at_end or story.has_more) and any(part.read_on() for part in beside):
            return
        elif step > 0:
            self._walk.read_on()
        else:
            self._walk.read_back()

    def _turns(self) -> dict[str, tuple[Callable[[], object], ...]]:
        """Return the actions of the keys that turn pages where no other part needs them."""
        return {"turn": tuple(partial(self._read, step) for step in (1, 1, -1, -1))}

    def _uncover(self, slot: Callable[[], object]) -> None:
        """Call `slot` after clearing overlays on the stage, because its effect must be visible."""
        self._pages.close()
        self._walk.leave_end()
        slot()

    def _vote(self, slot: Callable[[], object]) -> None:
        """Call `slot`, which is about votes, unless the question is hidden."""
        if not self._pages.is_open:
            slot()

    def _press(self, digit: str, slot: Callable[[], object] = lambda: None) -> None:
        """Call `slot`; while a question is open, `digit` may begin the number of votes before a letter."""
        if self.lectern.voting.asks and not self._pages.is_open:
            self.lectern.number.add(digit, slot)
        else:
            slot()

    def _slots(self) -> dict[str, tuple[Callable[[], object], ...]]:
        """Return the actions of the keys of each row of the table."""
        on_stage: dict[str, tuple[Callable[[], object], ...]] = {
            "stage_pane": tuple(partial(self.scenes.choose_pane, name) for name in PANES),
            "stage_code": (self.scenes.show_code,),
            "stage_both": (self.scenes.show_both,),
            "strip": (self._strip.toggle,),
            "back_to_lesson": (self._strip.back_to_lesson,),
        }
        uncovered = {row: tuple(partial(self._uncover, slot) for slot in slots) for row, slots in on_stage.items()}
        digits, tools = map(str, range(1, 7)), self.lectern.slots()
        layouts, looks = ("stage_pane", "stage_code", "stage_both"), self._appearance
        return {
            **uncovered,
            **{row: tuple(partial(self._press, next(digits), slot) for slot in uncovered[row]) for row in layouts},
            "digit": tuple(partial(self._press, digit) for digit in "7890"),
            "read_on": (partial(self._read, 1),),
            "read_back": (partial(self._read, -1),),
            "pages": (self._pages.toggle,),
            "next_theme": (lambda: looks.choose_theme(_after(looks.settings.theme, get_args(ThemeName))),),
            "next_language": (lambda: looks.choose_language(_after(looks.language, known_languages())),),
            **tools,
            **{row: tuple(partial(self._vote, slot) for slot in tools[row]) for row in VOTES},
        }


def _after(now: T, all_of_them: Sequence[T]) -> T:
    """Return the value after `now`, and after the last the first."""
    return all_of_them[(all_of_them.index(now) + 1) % len(all_of_them)]

"""Walks presented lessons page by page, and measures each page in every theme and language."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QWidget

from tools.endurance.back_row.brought import Brought
from tools.endurance.back_row.judged import Judged, judged
from tools.endurance.desk import RealDesk
from views.theme import ThemeName

ANSWER_S = 90.0
"""The most seconds for a page's results on a busy machine."""
TIMES_S = 40.0
"""The same of times, which are not taken for ever where no one asked for them."""
STILL_S = 0.15
"""Seconds without events after which delayed events have come."""


@dataclass(frozen=True)
class PageSeen:
    """One page as the room saw it, and every text of it."""

    lesson: str
    page: str
    """Its number from 1, with "ask", "told", "votes" or "other half"; or "exercises", "strip", "end", "overview"."""
    theme: str
    language: str
    texts: tuple[Judged, ...]


@dataclass(frozen=True)
class Worn:
    """The themes and languages of the pages; with a `turn` each lesson in one theme, another each time."""

    themes: tuple[ThemeName, ...]
    languages: tuple[str, ...]
    turn: int | None = None

    def themes_of(self, lesson: int, language: str) -> tuple[ThemeName, ...]:
        """Return the themes for lesson number `lesson`."""
        if self.turn is None:
            return self.themes
        return (self.themes[(lesson + self.turn + self.languages.index(language)) % len(self.themes)],)


class Walk:
    """Presents lessons in one window."""

    def __init__(self, desk: RealDesk, worn: Worn, pictures: str) -> None:
        self._desk, self._worn = desk, worn
        self._pictures = Path(pictures) if pictures else None
        self._lesson, self._number, self._language = "", -1, ""
        desk.window.action("present").trigger()
        self._settle()
        self._brought = Brought(desk)

    def lesson(self, lesson: str) -> Iterator[PageSeen]:
        """Go through `lesson` in each language and yield its pages, each in every theme."""
        self._lesson, self._number = lesson, self._number + 1
        looks = self._desk.desk.appearance
        spoken = looks.language
        # A change of language makes the whole window anew: it is made once for all pages.
        for language in sorted(self._worn.languages, key=lambda each: each != spoken):
            self._language = language
            looks.choose_language(language)
            self._desk.desk.files.open_by_id(lesson)
            self._desk.desk.lesson.go_to(0)
            self._settle()
            yield from self._pages()

    def _pages(self) -> Iterator[PageSeen]:
        story, brought = self._desk.desk.lesson, self._brought
        number = 0
        while True:
            page = story.page
            if page.tasks or page.place != number or not page.count:
                yield from self._page("exercises")
                break
            if page.ask is not None and not page.revealed:
                brought.vote(page.ask)
                yield from self._page(f"{number + 1} ask")
                story.go_on()
            yield from self._page(f"{number + 1} told")
            number += 1
            if story.page.is_last:
                break
            story.go_on()
        yield from self._besides()

    def _besides(self) -> Iterator[PageSeen]:
        """Yield the last page with everything that a lecturer may show in addition."""
        brought = self._brought
        for name, bring, put_away in (
            ("strip", brought.bring_strip, brought.put_strip_away),
            ("end", brought.turn_to_end, brought.leave_end),
            ("overview", brought.open_overview, brought.close_overview),
        ):
            parts = bring()
            yield from self._in_themes(name, *parts)
            put_away()

    def _page(self, name: str) -> Iterator[PageSeen]:
        self._take_times()
        for seen in self._in_themes(name):
            yield seen
            if bars := self._brought.votes():
                self._settle(waits=False)
                yield self._seen(name.replace("told", "votes"), seen.theme, *bars)
                self._brought.hide_votes()
            if self._brought.turn_half():
                self._settle(waits=False)
                yield self._seen(f"{name} other half", seen.theme)
                self._brought.turn_half()

    def _in_themes(self, name: str, *within: QWidget) -> Iterator[PageSeen]:
        # What is worn is checked first: a change costs more than a look.
        looks = self._desk.desk.appearance
        worn = looks.settings.theme
        for theme in sorted(self._worn.themes_of(self._number, self._language), key=lambda each: each != worn):
            if theme != looks.settings.theme:
                looks.choose_theme(theme)
            self._brought.hide_votes()
            self._settle(waits=False)
            yield self._seen(name, theme, *within)

    def _seen(self, name: str, theme: str, *within: QWidget) -> PageSeen:
        window, view = self._desk.window, self._brought.laptop()
        if self._pictures is not None:
            self._pictures.mkdir(parents=True, exist_ok=True)
            file = f"{self._lesson}-{name.replace(' ', '-')}-{theme}-{self._language}"
            window.grab().save(str(self._pictures / f"{file}.png"))
            if view is not None:
                view.grab().save(str(self._pictures / f"{file}-laptop.png"))
        texts = (*judged(window, *within), *(judged(view) if view is not None and not within else ()))
        return PageSeen(self._lesson, name, theme, self._language, texts)

    def _take_times(self) -> None:
        self._settle()
        timings = self._desk.session.timings
        if self._desk.desk.lesson.plan.pane != "timing" or not timings.unfinished:
            return
        self._desk.workspace.choose_time_automatically(True)
        self._desk.wait_for(lambda: not timings.unfinished, TIMES_S)
        self._desk.workspace.choose_time_automatically(False)

    def _settle(self, *, waits: bool = True) -> None:
        desk = self._desk
        if waits:
            desk.wait_for(desk.is_answered, ANSWER_S)
        end = time.monotonic() + STILL_S
        while time.monotonic() < end:
            desk.application.processEvents()
            time.sleep(0.01)
        if waits:
            desk.wait_for(desk.is_answered, ANSWER_S)
        desk.settle()

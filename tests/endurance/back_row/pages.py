"""Walks presented lessons page by page, and measures each page in every theme and language."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.endurance.back_row.judged import Judged, judged
from tests.endurance.desk import RealDesk
from views.theme import ThemeName

ANSWER_S = 90.0
"""What a page's results may take on a busy machine."""
TIMES_S = 40.0
"""The same of times, which are not taken for ever where nobody asked for them."""
STILL_S = 0.15
"""So long nothing happens any more: what is delayed has come."""


@dataclass(frozen=True)
class PageSeen:
    """One page as the room saw it, and every text of it."""

    lesson: str
    page: str
    """Its number from 1, with "ask" or "told"; "exercises" for the last."""
    theme: str
    language: str
    texts: tuple[Judged, ...]


class Walk:
    """Presents lessons in one window."""

    def __init__(
        self, desk: RealDesk, themes: tuple[ThemeName, ...], languages: tuple[str, ...], pictures: str
    ) -> None:
        self._desk, self._themes, self._languages = desk, themes, languages
        self._pictures = Path(pictures) if pictures else None
        desk.window.action("present").trigger()
        self._settle()

    def lesson(self, lesson: str) -> Iterator[PageSeen]:
        """Go through `lesson` and yield its pages, each in every theme and language."""
        desk, story = self._desk, self._desk.desk.lesson
        desk.desk.files.open_by_id(lesson)
        self._settle()
        number = 0
        while True:
            page = story.page
            if page.tasks or page.place != number or not page.count:
                yield from self._page(lesson, "exercises")
                return
            if page.ask is not None and not page.revealed:
                yield from self._page(lesson, f"{number + 1} ask")
                story.go_on()
            yield from self._page(lesson, f"{number + 1} told")
            number += 1
            if story.page.is_last:
                return
            story.go_on()

    def _page(self, lesson: str, name: str) -> Iterator[PageSeen]:
        self._take_times()
        # What is worn is looked at first: a change costs more than a look.
        looks = self._desk.desk.looks
        spoken = looks.language
        for language in sorted(self._languages, key=lambda each: each != spoken):
            looks.choose_language(language)
            self._settle()
            worn = looks.settings.theme
            for theme in sorted(self._themes, key=lambda each: each != worn):
                looks.choose_theme(theme)
                self._settle(waits=False)
                if self._pictures is not None:
                    self._pictures.mkdir(parents=True, exist_ok=True)
                    file = f"{lesson}-{name.replace(' ', '-')}-{theme}-{language}.png"
                    self._desk.window.grab().save(str(self._pictures / file))
                yield PageSeen(lesson, name, theme, language, tuple(judged(self._desk.window)))

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
            time.sleep(0.002)
        if waits:
            desk.wait_for(desk.is_answered, ANSWER_S)
        desk.settle()

"""A course as a record: lessons in its own order."""

from __future__ import annotations

import msgspec

from explorer.scenario.scenario import Scenario
from explorer.scenario.texts import Texts


class Course(msgspec.Struct, frozen=True):
    """Lessons that are taught one after the other."""

    id: str
    """The name of a built-in course, the folder of any other."""
    title: Texts
    lessons: tuple[Scenario, ...] = ()
    minutes: int = 0
    """The minutes that it takes to teach; 0 where unknown."""
    problem: str = ""
    """Why it is incomplete, in a sentence; the lessons that were found are listed."""

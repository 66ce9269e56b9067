"""A course as a record: some lessons in an order of its own."""

from __future__ import annotations

import msgspec

from explorer.scenario.scenario import Scenario
from explorer.scenario.texts import Texts


class Course(msgspec.Struct, frozen=True):
    """Lessons that are given one after the other."""

    id: str
    """The name of one that comes with the application, the folder of another."""
    title: Texts
    lessons: tuple[Scenario, ...] = ()
    minutes: int = 0
    """How long it takes to give, 0 where no one says."""
    problem: str = ""
    """Why it could not be read whole, in a sentence; the lessons that were found are there all the same."""

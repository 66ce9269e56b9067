"""A program of the user's own in the window: no page of a lesson covers it, and no file is read again."""

from __future__ import annotations

from explorer.scenario.scenario import Scenario
from explorer.scenario.texts import Texts


def own_program(name: str, source: str) -> Scenario:
    """Return `source` as a scenario without a story."""
    return Scenario(name, "new", "", source, Texts(name))

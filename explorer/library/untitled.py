"""New files without a path: their code is kept as a draft until it is saved under a name."""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from itertools import count

from explorer.library import drafts
from explorer.scenario.scenario import Scenario
from explorer.scenario.texts import in_each_language
from explorer.text.text import say

START = """\
import jax
import jax.numpy as jnp


def f():
    return jnp.arange(3.0) ** 2
"""
"""A program that runs at once, short enough to be written over."""
_ID = re.compile(r"untitled_(\d+)_\d+")


def new(edited: Collection[str]) -> Scenario:
    """Return a new file; `edited` are the ids of all that is edited in this window.

    Its id says which process made it: two windows do not write over each other's drafts.
    """
    numbers = {number for target in {*edited, *drafts.targets()} if (number := _number(target))}
    return _scenario(f"untitled_{next(n for n in count(1) if n not in numbers)}_{os.getpid()}")


def find(target: str) -> Scenario | None:
    """Return the new file with the id `target`; None where that is the id of something else."""
    return _scenario(target) if _number(target) else None


def unsaved() -> tuple[Scenario, ...]:
    """Return the new files that have been written in and not saved, by number."""
    found = [scenario for target in drafts.targets() if (scenario := find(target))]
    return tuple(sorted(found, key=lambda scenario: (_number(scenario.id), scenario.id)))


def _scenario(name: str) -> Scenario:
    number = _number(name)
    return Scenario(
        name, "new", f"untitled_{number}.py", START, in_each_language(say("Untitled {number}", number=number))
    )


def _number(target: str) -> int:
    found = _ID.fullmatch(target)
    return int(found[1]) if found else 0

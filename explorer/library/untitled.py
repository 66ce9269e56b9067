"""New files, without a path until they are saved; and new scenarios, folders written from the template."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Collection
from itertools import count
from pathlib import Path

import resources
from explorer.library import drafts, own_file, paths
from explorer.scenario.scenario import Scenario
from explorer.scenario.texts import in_each_language
from explorer.text.text import say

FOLDER = Path(resources.__file__).parent / "scenario_template"


def folder_for(title: str) -> Path:
    """Return a folder for a scenario called `title` in the user's own scenarios that is not there yet."""
    name = re.sub(r"\W+", "_", title.strip().lower()).strip("_") or "scenario"
    parent = paths.my_scenarios_folder()
    numbered = (parent / f"{name}_{number}" for number in range(2, 10_000))
    return next((each for each in (parent / name, *numbered) if not each.exists()), parent / name)


def write(title: str) -> Path:
    """Write a new scenario called `title` and return its folder. Raises OSError when that fails."""
    folder = folder_for(title)
    for file in FOLDER.glob("*.*"):
        content = file.read_text(encoding="utf-8")
        if file.name == "scenario.toml":
            content = _with_title(content, title.strip())
        own_file.write_atomically(folder / file.name, content.encode())
    return folder


def _with_title(sheet: str, title: str) -> str:
    """Return `sheet` with another title in its first line; the rest is kept, including its layout."""
    old, rest = sheet.split("\n", 1)
    # A JSON string is a TOML string, too.
    quoted = json.dumps(title, ensure_ascii=False)
    titles = ", ".join(f"{language} = {quoted}" for language in tomllib.loads(old)["title"])
    return f"title = {{ {titles} }}\n{rest}"


START = """\
import jax
import jax.numpy as jnp


def f():
    return jnp.arange(3.0) ** 2
"""
"""A program that runs at once, short enough to be written over."""
_ID = re.compile(r"untitled_(\d+)_\d+")


def new(edited: Collection[str]) -> Scenario:
    """Return a new file. Its id is none of `edited` and names the process, so that two windows do not share drafts."""
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

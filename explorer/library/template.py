"""A new scenario in the person's own folder, to begin from: the lesson that docs/writing-scenarios.md explains."""

from __future__ import annotations

import json
import re
from pathlib import Path

import resources
from explorer.library import paths

FILES = ("code.py", "scenario.toml", "story.en.md", "story.ko.md")


def text(file: str) -> str:
    """Return the content of one of FILES."""
    return (Path(resources.__file__).parent / "scenario_template" / file).read_text(encoding="utf-8")


def folder_for(title: str) -> Path:
    """Return a folder for a scenario called `title` in the person's own scenarios that is not there yet."""
    name = re.sub(r"\W+", "_", title.strip().lower()).strip("_") or "scenario"
    parent = paths.my_scenarios_folder()
    numbered = (parent / f"{name}_{number}" for number in range(2, 10_000))
    return next((each for each in (parent / name, *numbered) if not each.exists()), parent / name)


def write(title: str) -> Path:
    """Write a new scenario called `title` and return its folder. Raises OSError when that fails."""
    folder = folder_for(title)
    for file in FILES:
        content = text(file)
        if file == "scenario.toml":
            content = _with_title(content, title.strip())
        paths.write_atomically(folder / file, content.encode())
    return folder


def _with_title(sheet: str, title: str) -> str:
    """Return `sheet` under another title, as its first line; the rest is kept as it is, with its layout."""
    _, rest = sheet.split("\n", 1)
    # What JSON makes of a text is a text of TOML too.
    quoted = json.dumps(title, ensure_ascii=False)
    return f"title = {{ en = {quoted}, ko = {quoted} }}\n{rest}"

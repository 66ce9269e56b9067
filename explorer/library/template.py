"""A new scenario in the user's own folder, to begin from: the lesson that docs/writing-scenarios.md explains."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import resources
from explorer.library import own_file, paths

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

"""Likely remotes: environments next to the opened file, active ones, hosts in the ssh configuration."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

FOLDERS = (".venv", "venv", "env", ".pixi/envs/default")
"""Usual folders of an environment next to its code."""
VARIABLES = ("VIRTUAL_ENV", "CONDA_PREFIX", "UV_PROJECT_ENVIRONMENT")
MOST_ABOVE = 4
"""The number of parent folders of the opened file that are searched."""


def found(path: str) -> list[str]:
    """Return texts for `remote_of`: for the file at `path`, which may be empty, then for the whole machine."""
    offers = [*_environments_near(path), *filter(None, map(os.environ.get, VARIABLES)), *_of_conda(), *_of_ssh()]
    here = Path(sys.prefix).absolute()
    return [each for each in dict.fromkeys(offers) if each.startswith("ssh ") or Path(each).absolute() != here]


def _environments_near(path: str) -> Iterator[str]:
    for folder in list(Path(path).absolute().parents)[:MOST_ABOVE] if path else ():
        for name in FOLDERS:
            if any((folder / name / each).exists() for each in ("bin/python", "Scripts/python.exe")):
                yield str(folder / name)


def _of_conda() -> Iterator[str]:
    """Yield the environments in conda's own list."""
    yield from (each for each in _lines(Path.home() / ".conda" / "environments.txt") if Path(each).is_dir())


def _of_ssh() -> Iterator[str]:
    for line in _lines(Path.home() / ".ssh" / "config"):
        if named := re.match(r"\s*host\s+(.+)", line, re.IGNORECASE):
            yield from (f"ssh {host}" for host in named[1].split() if not re.search(r"[*?!]", host))


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []

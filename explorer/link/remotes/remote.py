"""A remote: the command that starts its Python, from the user's words, or why there is none; likely remotes."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath, PureWindowsPath

import msgspec

from explorer.text.text import TextError, say

FOLDERS = (".venv", "venv", "env", ".pixi/envs/default")
"""Usual folders of an environment next to its code."""
VARIABLES = ("VIRTUAL_ENV", "CONDA_PREFIX", "UV_PROJECT_ENVIRONMENT")
MOST_ABOVE = 4
"""The number of parent folders of the opened file that are searched."""


def likely_remotes(path: str) -> list[str]:
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


SSH_OPTIONS_WITH_WORD = frozenset("BbcDEeFIiJLlmOopQRSWw")
"""Options of ssh with a value in the next word (ssh(1))."""
ASKED_OF_SSH = ("-T", *("-o", "ConnectTimeout=20"), *("-o", "ServerAliveInterval=5"), *("-o", "ServerAliveCountMax=3"))
"""No terminal; and ssh ends where a host does not answer, or stops answering, even while nothing is written."""


class Remote(msgspec.Struct, frozen=True):
    """Where a worker runs.

    Attributes:
        name: its name in the window; empty for this Python.
        command: the command that starts a Python there, without Python's arguments; empty for this Python.
    """

    name: str = ""
    command: tuple[str, ...] = ()

    @property
    def is_here(self) -> bool:
        """Whether it is the Python that the window itself runs in."""
        return not self.command

    @property
    def is_linked(self) -> bool:
        """Whether it is behind a link, which may be slow or break."""
        return len(self.command) > 1

    def started_with(self, arguments: Sequence[str]) -> list[str]:
        """Return the whole command that starts a Python there with these `arguments`."""
        if _program(self.command[0]) != "ssh":
            return [*self.command, *arguments]
        # A shell reads it there.
        return [self.command[0], *ASKED_OF_SSH, *self.command[1:], *map(shlex.quote, arguments)]


HERE = Remote()


class NoRemote(TextError):
    """The words name no remote."""


def remote_of(words: str, known: Sequence[Remote] = ()) -> Remote:
    """Return the remote for `words`: one of the `known`, an interpreter or its environment's folder, or a command.

    ``ssh HOST`` and other commands that name no Python get ``python3`` behind them. Raises NoRemote.
    """
    words = words.strip()
    if not words:
        return HERE
    for each in known:
        if each.name == words:
            return each
    path = Path(words).expanduser()
    if path.exists():
        return _interpreter(path)
    try:
        parts = shlex.split(words, posix=os.name == "posix")
    except ValueError as error:
        raise NoRemote(say("{remote} cannot be read as a command: {more}.", remote=words, more=error)) from None
    if len(parts) < 2:
        raise NoRemote(
            say(
                "Cannot use {remote}: it is not a Python, an environment or a command such as `ssh {remote}`.",
                remote=words,
            )
        )
    return _linked(parts)


def _interpreter(path: Path) -> Remote:
    """Return the remote of the Python at `path`, or in the environment that is the folder there."""
    if path.is_dir():
        inside = [path / "bin" / "python", path / "Scripts" / "python.exe", path / "python.exe"]
        python = next((each for each in inside if each.exists()), None)
        if python is None:
            raise NoRemote(say("{remote} is not an environment: there is no Python in it.", remote=path))
        return Remote(_name_of_environment(path.absolute()), (str(python.absolute()),))
    if not os.access(path, os.X_OK):
        raise NoRemote(say("{remote} is not a Python: it cannot be run.", remote=path))
    # Not resolved: the python of an environment is a link to one outside of it.
    python = path.absolute()
    folder = python.parent.parent if python.parent.name in ("bin", "Scripts") else python.parent
    is_environment = (folder / "pyvenv.cfg").exists() or (folder / "conda-meta").exists()
    return Remote(_name_of_environment(folder) if is_environment else str(python), (str(python),))


def _name_of_environment(folder: Path) -> str:
    """Return the usual name of an environment: for `project/.venv` the project."""
    plain = folder.name.lstrip(".") in ("venv", "env", "default")
    return f"{folder.parent.name}/{folder.name}" if plain and folder.parent.name else folder.name


def _linked(parts: list[str]) -> Remote:
    program = _program(parts[0])
    if program == "ssh":
        return _over_ssh(parts)
    if program == "docker" and parts[1:2] == ["exec"] and not {"-i", "--interactive"} & {*parts}:
        # Without it nothing is read there.
        parts = [*parts[:2], "-i", *parts[2:]]
    if not _program(parts[-1]).startswith(("python", "pypy")):
        parts = [*parts, "python3"]
    before = [each for each in parts[1:-1] if not each.startswith("-") and each != "exec"]
    return Remote(before[-1] if before else program, tuple(parts))


def _over_ssh(parts: list[str]) -> Remote:
    words = iter(range(1, len(parts)))
    for place in words:
        option = parts[place]
        if not option.startswith("-"):
            python = parts[place + 1 :] or ["python3"]
            return Remote(option.rpartition("@")[2], (*parts[: place + 1], *python))
        if len(option) == 2 and option[1] in SSH_OPTIONS_WITH_WORD:
            next(words, None)
    raise NoRemote(say("{remote} names no host.", remote=shlex.join(parts)))


def _program(path: str) -> str:
    """Return the name of the program at `path`, which may be written for any system."""
    name = PureWindowsPath(path).name if "\\" in path else PurePosixPath(path).name
    return name.lower().removesuffix(".exe")

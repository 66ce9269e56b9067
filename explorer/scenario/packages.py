"""The packages that a lesson needs in addition to JAX and NumPy, and advice for missing ones.

The code runs in the window's interpreter, so a package is available to both or to neither.
"""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

from msgspec.structs import replace

from explorer.diagnostics.installing import install_command
from explorer.link.remotes.remote import HERE, Remote
from explorer.messages import Failure, Snapshot
from explorer.scenario.scenario import Scenario
from explorer.text.text import NOTHING, Text, say

_ONE = (
    "This lesson needs the package {names}, and the Python that runs its code has none. Its text and its code can be "
    "read; to run it, install the package there and run the lesson again: {command}"
)
_SEVERAL = (
    "This lesson needs the packages {names}, and the Python that runs its code does not have them. Its text and its "
    "code can be read; to run it, install them there and run the lesson again: {command}"
)
_NOT_SENT = (
    "{name} is next to this file on this computer, and only the code itself was sent to {remote}. Copy it "
    "there, to the same path."
)
_MISSES = {
    "ModuleNotFoundError": re.compile(r"No module named '(\w+)"),
    "FileNotFoundError": re.compile(r"No such file or directory: '([^']+)'"),
}
"""Errors about a file that may lie next to the program, and the pattern of its name in the message."""


def missing(scenario: Scenario) -> tuple[str, ...]:
    return tuple(name for name in scenario.requires if not _is_there(name))


def sentence(scenario: Scenario) -> Text:
    """Return the sentence about missing packages of `scenario`, with the install command; empty for none."""
    names = missing(scenario)
    if not names:
        return NOTHING
    return say(_ONE if len(names) == 1 else _SEVERAL, names=", ".join(names), command=install_command(names))


def explained(snapshot: Snapshot, scenario: Scenario, remote: Remote = HERE) -> Snapshot:
    """Return `snapshot`, explained where it ran at `remote` without the files next to the program."""
    if remote.is_linked:
        path = scenario.filename
        reports = tuple(replace(each, failure=_not_sent(each.failure, path, remote)) for each in snapshot.reports)
        snapshot = replace(snapshot, failure=_not_sent(snapshot.failure, path, remote), reports=reports)
    return snapshot


def _not_sent(failure: Failure | None, path: str, remote: Remote) -> Failure | None:
    """Return `failure`, with advice where the missing file lies next to the file at `path`."""
    if failure is None or failure.type not in _MISSES:
        return failure
    found = _MISSES[failure.type].search(failure.original or str(failure.message))
    name = found[1] if found else ""
    folder = Path(path).parent
    may_be_local = Path(path).is_absolute() and not Path(name).is_absolute()
    there = next((each for each in (name, f"{name}.py") if name and may_be_local and (folder / each).exists()), "")
    if not there:
        return failure
    return replace(failure, explanation=say(_NOT_SENT, name=there, remote=remote.name))


def _is_there(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False

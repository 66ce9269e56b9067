"""The packages that a lesson needs beside JAX and NumPy: whether they are there, and what to do where they are not.

The code runs in the interpreter that the window runs in, so what is not there for one is not there for the other.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from importlib.util import find_spec

from msgspec.structs import replace

from explorer.messages import Snapshot
from explorer.scenario.scenario import Scenario, Texts

_ONE = Texts(
    "This lesson needs the package {names}, and the Python that runs its code has none. Its text and its code can be "
    "read; to run it, install the package there and run the lesson again: {command}",
    "이 레슨에는 {names} 패키지가 필요한데, 코드를 실행하는 Python에 없습니다. 글과 코드는 읽을 수 있습니다. "
    "실행하려면 이 명령으로 거기에 설치하고 레슨을 다시 실행하세요: {command}",
)
_SEVERAL = Texts(
    "This lesson needs the packages {names}, and the Python that runs its code does not have them. Its text and its "
    "code can be read; to run it, install them there and run the lesson again: {command}",
    _ONE.ko,
)


def missing(scenario: Scenario) -> tuple[str, ...]:
    """Return which of the packages that `scenario` requires are not there."""
    return tuple(name for name in scenario.requires if not _is_there(name))


def sentence(scenario: Scenario, language: str) -> str:
    """Return which packages `scenario` lacks and what installs them; empty where it lacks none."""
    names = missing(scenario)
    if not names:
        return ""
    template = (_ONE if len(names) == 1 else _SEVERAL).text(language)
    return template.format(names=", ".join(names), command=install_command(names))


def install_command(names: tuple[str, ...]) -> str:
    """Return what a person types to install `names` for the interpreter that runs the code."""
    words = [sys.executable, "-m", "pip", "install", *names]
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)


def explained(snapshot: Snapshot, scenario: Scenario, language: str) -> Snapshot:
    """Return `snapshot` with the same sentence as its explanation where it failed for want of such a package."""
    failure = snapshot.failure
    if failure is None or failure.type != "ModuleNotFoundError" or not (words := sentence(scenario, language)):
        return snapshot
    return replace(snapshot, failure=replace(failure, explanation=words))


def _is_there(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False

"""Lists and opens every scenario: built-in, from packages, the user's own, and any file, notebook or recording."""

from __future__ import annotations

import contextlib
import difflib
import functools
import importlib.util
import os
import sys
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

import msgspec

import scenarios
from explorer.library import paths, recording_file, untitled
from explorer.library.code_files import UnreadableCode, read_code, write_code
from explorer.library.folder import CODE, SHEET, from_file, from_folder, is_scenario_folder
from explorer.library.notebook import is_notebook
from explorer.messages.recorded_run import is_recording
from explorer.scenario.scenario import CHAPTERS, Provenance, Scenario
from explorer.scenario.texts import Texts

__all__ = [
    "UnknownTarget",
    "UnreadableCode",
    "built_in",
    "everything",
    "lost",
    "named",
    "open_target",
    "read_code",
    "write_code",
]
ENTRY_POINTS = "jax_explorer.scenarios"


class UnknownTarget(Exception):
    """An unknown scenario or file; the message lists the known ones and suggests the next step."""


def built_in() -> tuple[Scenario, ...]:
    """Return the built-in scenarios, by chapter and order."""
    return tuple(_in_folder(_built_in_folder(), "built-in"))


def everything() -> tuple[Scenario, ...]:
    """Return all scenarios: built-in ones, those of installed packages, the user's own.

    An incomplete one has its `problem` set. A repeated id is replaced by the path.
    """
    found: dict[str, Scenario] = {}
    mine = (*_in_folder(paths.my_scenarios_folder(), "mine"), *untitled.unsaved())
    for scenario in (*built_in(), *_from_packages(), *mine):
        key = scenario.id if scenario.id not in found else scenario.path
        found[key] = msgspec.structs.replace(scenario, id=key)
    return tuple(found.values())


def named(name: str) -> Scenario | None:
    """Return the scenario with this id, or the one that replaces it; None where there is none."""
    folder = _built_in_folder()
    if name in os.listdir(folder) and is_scenario_folder(folder / name):  # noqa: PTH208
        return from_folder(folder / name, "built-in")
    return next((each for each in everything() if name in (each.id, *each.replaces)), None)


def reading_ahead() -> Iterator[None]:
    """Yield after each scenario that was read, so that `everything` later only checks for changes."""
    for _ in _from_packages():
        yield
    for entry in _built_in_folder().iterdir():
        if is_scenario_folder(entry):
            from_folder(entry, "built-in")
            yield


def open_target(target: str) -> Scenario:
    """Return the scenario with this id or path. Raises UnknownTarget; UnreadableCode if its code cannot be read."""
    if is_recording(target):
        return recording_file.scenario(_file(target), recording_file.read(_file(target)))
    scenario = untitled.find(target) or named(target)
    if scenario is None:
        known = everything()
        scenario = _at_path(target, known)
        if scenario is None:
            raise UnknownTarget(_nothing_there(target, known))
    if scenario.problem and not scenario.source:
        raise UnreadableCode(scenario.problem)
    return scenario


def _file(target: str) -> Path:
    path = Path(target).expanduser()
    if not path.is_file():
        raise UnknownTarget(f"There is no file {target}.")
    return path.resolve()


@functools.cache
def _built_in_folder() -> Path:
    return Path(scenarios.__path__[0]).resolve()


def lost(target: str, edited: Collection[str]) -> Scenario | None:
    """Return a scenario without code for a file that was `edited` and has disappeared from the disk."""
    path = Path(target)
    there_is = path.is_absolute() and target in edited
    return Scenario(target, "file", target, "", Texts(path.name)) if there_is else None


def _in_folder(folder: Path, origin: Provenance) -> list[Scenario]:
    """Return the scenarios in `folder`: folders with a code.py or a scenario.toml, and bare .py files."""
    try:
        entries = sorted(folder.resolve().iterdir())
    except OSError:
        return []
    found = [from_folder(entry, origin) for entry in entries if is_scenario_folder(entry)]
    if origin == "mine":
        found += [from_file(entry, "mine", entry.stem) for entry in entries if entry.suffix == ".py"]
    return sorted(found, key=lambda each: (each.chapter % len(CHAPTERS), each.order, each.id))


def _from_packages() -> Iterator[Scenario]:
    for name, module in _announced(tuple(paths.stamp(place) for place in sys.path)):
        folder = _folder_of_module(module)
        if folder is None:
            problem = f"The package announces scenarios in {module}, but there is no such module."
            yield Scenario(name, "package", "", "", Texts(name), problem=problem)
        else:
            yield from _in_folder(folder, "package")


@functools.lru_cache(maxsize=1)
def _announced(_stamps: tuple[paths.Stamp | None, ...]) -> tuple[tuple[str, str], ...]:
    """Return (name, module) of the scenarios that packages announce; their locations have these `_stamps`."""
    # Not at the top: it takes longer than everything else here, and opening a built-in scenario needs none of it.
    import importlib.metadata

    points = importlib.metadata.entry_points(group=ENTRY_POINTS)
    return tuple(sorted((point.name, point.value) for point in points))


def _folder_of_module(name: str) -> Path | None:
    """Return the folder of module `name` without importing it: it may import jax, or take its time."""
    top, *rest = name.split(".")
    spec = None
    with contextlib.suppress(ImportError, ValueError):
        spec = importlib.util.find_spec(top)
    for location in (spec and spec.submodule_search_locations) or ():
        place = Path(location).joinpath(*rest)
        if place.is_dir() or place.with_suffix(".py").is_file():
            return place if place.is_dir() else place.parent
    return None


def _at_path(target: str, known: Iterable[Scenario]) -> Scenario | None:
    """Return the scenario at path `target`; None where there is none."""
    try:
        path = Path(target).expanduser().resolve(strict=True)
    except (OSError, RuntimeError, ValueError):
        return None
    if path.name == CODE and (path.parent / SHEET).exists():
        path = path.parent
    code = path / CODE if path.is_dir() else path
    listed = next((each for each in known if each.path == str(code)), None)
    if listed is not None:
        return listed
    if path.is_dir():
        scenario = from_folder(path, "file") if is_scenario_folder(path) else None
        return scenario and msgspec.structs.replace(scenario, id=str(path))
    if path.suffix != ".py" and not is_notebook(path):
        raise UnreadableCode(f"{path} is no Python file and no notebook: its name does not end in .py or .ipynb.")
    return from_file(path, "file", str(path))


def _nothing_there(target: str, known: Iterable[Scenario]) -> str:
    path = Path(target)
    if os.path.isdir(target):  # noqa: PTH112  # says no to a name of any kind, where Path raises
        return f"{target} is a folder without a {CODE}, so it is no scenario."
    if path.suffix == ".py" or is_notebook(path):
        siblings = path.parent.glob(f"*{path.suffix}") if path.parent.is_dir() else ()
        near = difflib.get_close_matches(path.name, [each.name for each in siblings], n=3)
        hint = f" Near it there is {_either(near)}." if near else " Check the path, or give the id of a scenario."
        return f"There is no file {target}.{hint}"
    near = difflib.get_close_matches(target, [each.id for each in known], n=3)
    hint = f" Did you mean {_either(near)}?" if near else ""
    return f"There is no scenario or file named {target}.{hint} `jax-explorer list` shows all scenarios."


def _either(names: list[str]) -> str:
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)

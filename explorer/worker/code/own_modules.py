"""Imports of the modules next to a program, also under a name of ours or Python's; the program's folder (`home`)."""

from __future__ import annotations

import builtins
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES, SOURCE_SUFFIXES, ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

from explorer import OUR_FILES, OUR_NAME

INSTALLED = re.compile(r"[\\/](site|dist)-packages[\\/]")
OURS = frozenset({"explorer", "views", "scenarios", "resources"}) if OUR_NAME == "explorer" else frozenset()
"""Our own packages, which no user program means; in the wheel they have other names."""


class OwnModules:
    """Lets a program import its neighbours, from `begin` to `end`, while our own imports are unaffected.

    Modules imported earlier, by us, are removed if they would hide a file of that name next to the program. Modules
    that Python itself imports before any program stay, as they would without us.
    """

    def __init__(self, folder: str, besides: str = "", *, hide_ours_alone: bool = False) -> None:
        local = importable(Path(folder)) - {besides}
        if hide_ours_alone:
            # For a program that has begun: all other loaded modules are its own.
            local &= OURS
        known = local & {*sys.stdlib_module_names, *(name.partition(".")[0] for name in sys.modules)}
        elsewhere = [each for each in sys.path if each and each != folder]
        known |= {name for name in local - known if PathFinder.find_spec(name, elsewhere) is not None}
        # Most folders have none; and modules loaded by Python take precedence for any program.
        self._names = (known - _loaded_by_python() if known else known) | (OURS & local)
        self._folder = folder
        self._path = sys.path[:]
        self._aside: dict[str, ModuleType] = {}
        self._import: Callable[..., Any] = builtins.__import__
        self._ours_are_in = 0

    def begin(self) -> None:
        """Remove the modules that hide the user's own."""
        if self._names:
            self._aside = self._taken_out()
            self._import = builtins.__import__
            sys.meta_path.insert(0, self)
            builtins.__import__ = self._guarded  # type: ignore[assignment]

    def end(self) -> None:
        """Restore everything."""
        if self._names:
            builtins.__import__ = self._import
            if self in sys.meta_path:
                sys.meta_path.remove(self)
            self._taken_out()
            sys.modules.update(self._aside)

    def find_spec(
        self, name: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of `name` next to the program, possibly of a folder without ``__init__.py``."""
        return PathFinder.find_spec(name, [self._folder]) if name in self._names and not self._ours_are_in else None

    def imported(self) -> dict[str, ModuleType]:
        """Return the imported modules of the program that hide others."""
        return {name: each for name, each in sys.modules.items() if name.partition(".")[0] in self._names}

    def _taken_out(self) -> dict[str, ModuleType]:
        return {name: sys.modules.pop(name) for name in self.imported()}

    def _guarded(self, name: str, namespace: Any = None, *others: Any, **more: Any) -> Any:
        """Import as Python does; for our own modules, as without the program."""
        file = namespace.get("__file__") if isinstance(namespace, dict) else None
        if not (isinstance(file, str) and file.startswith(OUR_FILES)):
            return self._import(name, namespace, *others, **more)
        with self._ours():
            return self._import(name, namespace, *others, **more)

    @contextmanager
    def _ours(self) -> Iterator[None]:
        if self._ours_are_in:
            yield
            return
        theirs, path = self._taken_out(), sys.path
        sys.modules.update(self._aside)
        sys.path, self._ours_are_in = self._path, 1
        try:
            yield
        finally:
            sys.path, self._ours_are_in = path, 0
            self._aside = self._taken_out()
            sys.modules.update(theirs)


def importable(folder: Path) -> set[str]:
    """Return the names of the importable modules in `folder`; an empty set if it is unreadable."""
    found: set[str] = set()
    with suppress(OSError):
        for entry in folder.iterdir():
            suffix = next((each for each in (*EXTENSION_SUFFIXES, *SOURCE_SUFFIXES) if entry.name.endswith(each)), "")
            if suffix:
                found.add(entry.name.removesuffix(suffix))
            elif entry.is_dir() and (entry.name in OURS or (entry / "__init__.py").is_file()):
                found.add(entry.name)
    return found


@cache
def _loaded_by_python() -> set[str]:
    """Return the modules that Python loads before it runs a program."""
    import subprocess

    command = [sys.executable, "-P", "-c", "import sys; print(*sys.modules)"]
    output = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return {*sys.builtin_module_names, *(name.partition(".")[0] for name in output.split())}


class _Current:
    modules: OwnModules | None = None
    home = ""


def of_program(filename: str) -> None:
    """Let the program in a file import its neighbours, until the next program."""
    end()
    path = Path(filename)
    _Current.home = ""
    if path.is_absolute():
        _Current.home = f"{path.parent}{os.sep}"
        _Current.modules = OwnModules(str(path.parent), besides=path.name.partition(".")[0])
        _Current.modules.begin()


def home() -> str:
    """Return the folder of the last program, with a trailing separator; empty without a folder."""
    return _Current.home


def own_name(filename: str) -> str:
    """Return the name of a module file next to the last program, or below; empty for any other file."""
    below = filename.removeprefix(_Current.home) if _Current.home else filename
    return "" if below == filename or INSTALLED.search(below) else below


def end() -> None:
    """End the import rules of the last program."""
    modules, _Current.modules = _Current.modules, None
    if modules is not None:
        modules.end()


@contextmanager
def put_aside() -> Iterator[None]:
    """Suspend the import rules of the current program in the block."""
    modules, folder = _Current.modules, _Current.home
    theirs = modules.imported() if modules is not None else {}
    end()
    try:
        yield
    finally:
        end()
        _Current.modules, _Current.home = modules, folder
        if modules is not None:
            modules.begin()
            sys.modules.update(theirs)

"""Runs a user's program as Python does: as ``__main__``, with its arguments; ``after_import``, a hook on a module."""

from __future__ import annotations

import builtins
import gc
import importlib.util
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass  # noqa: TID251
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType, TracebackType
from typing import IO, Any, cast

from explorer import OUR_FILES
from explorer.worker.code.own_modules import OwnModules

INTERRUPTED = 130
"""A shell's exit code for a program that Ctrl-C ended."""


class NoSuchProgram(Exception):
    """A missing program; the message names what is missing."""


# msgspec is not imported before the program: it may bring its own.
@dataclass(frozen=True)
class Script:
    """A program to run, named as on the command line."""

    name: str
    arguments: tuple[str, ...] = ()
    is_module: bool = False
    """Whether the name is that of a module, as after ``python -m``."""

    @property
    def file(self) -> str:
        """The path of the file, from the current folder on; empty for a module."""
        return "" if self.is_module else str(Path(self.name).absolute())


def run(script: Script, has_ended: Callable[[], None] = lambda: None) -> BaseException | None:
    """Run `script` to its end and return its exception, SystemExit and KeyboardInterrupt included; None for none.

    `has_ended` is called while the program's objects still exist. Raises NoSuchProgram.
    """
    path = _first_of_path(script)
    with _as_main(script, path) as main:
        try:
            code = _module_code(script, main) if script.is_module else _file_code(script, main)
            exec(code, main.__dict__)
        except NoSuchProgram:
            raise
        except BaseException as error:
            return error
        finally:
            has_ended()
    return None


def studied(script: Script) -> str:
    """Return the folder of user code that `script` belongs to, even if it is installed.

    That is the whole package of a module, and the folder of a file unless other packages are installed there.
    """
    if script.is_module:
        spec = _found(script.name.partition(".")[0])
        folders = spec.submodule_search_locations if spec is not None else None
        return f"{next(iter(folders))}{os.sep}" if folders else (spec.origin or "" if spec is not None else "")
    path = Path(script.name).absolute()
    return str(path) if path.parent.name in ("site-packages", "dist-packages") else f"{path.parent}{os.sep}"


def exit_code(error: BaseException | None) -> int:
    """Return the code with which Python ends a program that raised `error`."""
    if error is None:
        return 0
    if isinstance(error, SystemExit):
        return 0 if error.code is None else error.code if isinstance(error.code, int) else 1
    return INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1


def say_error(error: BaseException) -> None:
    """Print `error` as Python prints it when a program ends, without our own frames."""
    if isinstance(error, SystemExit):
        if error.code is not None and not isinstance(error.code, int):
            with suppress(Exception):
                sys.stderr.write(f"{error.code}\n")
        return
    try:
        _leave_out_our_frames(error)
        sys.excepthook(type(error), error, error.__traceback__)
    except BaseException as failed:
        # It is the program's own hook.
        with suppress(BaseException):
            cast(IO[str], sys.__stderr__).write(f"Error in sys.excepthook: {type(failed).__name__}\n")


# -- what Python does before it runs a program ------------------------------------------------


def _first_of_path(script: Script) -> str:
    if script.is_module:
        return str(Path.cwd())
    if not Path(script.name).is_file():
        what = "It is a folder." if Path(script.name).is_dir() else "Check the path."
        raise NoSuchProgram(f"There is no file {script.name} to run. {what}")
    return str(Path(script.name).resolve().parent)


@contextmanager
def _as_main(script: Script, path: str) -> Iterator[ModuleType]:
    """Make an empty ``__main__``, and the arguments and path of `script`, the process's own inside the block."""
    saved = sys.modules["__main__"], sys.argv, sys.path[:]
    main = ModuleType("__main__")
    main.__dict__["__builtins__"] = builtins
    sys.modules["__main__"] = main
    sys.argv = [script.name, *script.arguments]
    own = OwnModules(path)
    if not sys.flags.safe_path:
        sys.path[0] = path
        own.begin()
    try:
        yield main
    finally:
        if not sys.flags.safe_path:
            own.end()
        sys.modules["__main__"], sys.argv, sys.path[:] = saved


def _file_code(script: Script, main: ModuleType) -> CodeType:
    filename = str(Path(script.name).absolute())
    loader = SourceFileLoader("__main__", filename)
    main.__file__ = filename
    main.__loader__ = loader
    # Not by the loader, which leaves compiled code in the folder.
    return compile(loader.get_data(filename), filename, "exec", dont_inherit=True)


def _module_code(script: Script, main: ModuleType) -> CodeType:
    spec = _found(script.name)
    if spec is not None and spec.submodule_search_locations is not None:
        spec = _found(f"{script.name}.__main__")
    if spec is None or spec.origin is None or not hasattr(spec.loader, "get_code"):
        raise NoSuchProgram(f"There is no module {script.name} to run.")
    code = cast(Any, spec.loader).get_code(spec.name)
    main.__file__ = sys.argv[0] = spec.origin
    main.__loader__, main.__spec__, main.__package__ = spec.loader, spec, spec.parent
    return cast(CodeType, code)


def _found(name: str) -> ModuleSpec | None:
    try:
        return importlib.util.find_spec(name)
    except ModuleNotFoundError as error:
        # A package around it that is missing; a module that the package itself lacks is its own failure.
        if error.name and name.startswith(error.name):
            return None
        raise


# -- what Python says after it ----------------------------------------------------------------


def _leave_out_our_frames(error: BaseException) -> None:
    # They may go in a circle, and be as many as one likes.
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        each = waiting.pop()
        if each is not None and id(each) not in seen:
            seen.add(id(each))
            each.__traceback__ = without_ours(each.__traceback__)
            waiting += [each.__cause__, each.__context__]


def without_ours(rest: TracebackType | None) -> TracebackType | None:
    """Return a traceback like `rest` without our own frames."""
    entries = []
    while rest is not None:
        if not rest.tb_frame.f_code.co_filename.startswith(OUR_FILES):
            entries.append(rest)
        rest = rest.tb_next
    for entry in reversed(entries):
        # Ctrl-C may come between two lines, at an instruction that belongs to none.
        line = entry.tb_lineno or entry.tb_frame.f_code.co_firstlineno
        rest = TracebackType(rest, entry.tb_frame, entry.tb_lasti, line)
    return rest


@contextmanager
def after_import(name: str, act: Callable[[], object]) -> Iterator[None]:
    """Call `act` once module `name` has been imported in the block; now, if it has been imported already."""
    if name in sys.modules:
        act()
        yield
        return
    watch = _Watch(name, act)
    sys.meta_path.insert(0, watch)
    try:
        yield
    finally:
        if watch in sys.meta_path:
            sys.meta_path.remove(watch)


class _Watch:
    """Precedes Python's own finders until its module is imported."""

    def __init__(self, name: str, act: Callable[[], object]) -> None:
        self._name = name
        self._act = act

    def find_spec(
        self, name: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != self._name:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            self._extend(spec.loader)
        return spec

    def _extend(self, loader: importlib.abc.Loader) -> None:
        execute = loader.exec_module

        def exec_module(module: ModuleType) -> None:
            collects = gc.isenabled()
            # Nothing of what is imported goes again: collections would take a sixth of the time.
            gc.disable()
            try:
                execute(module)
                self._act()
            finally:
                if collects:
                    gc.enable()

        # A loader of our own would show in the module.
        loader.exec_module = exec_module  # type: ignore[method-assign]

"""Does something as soon as a program has imported a module, so that nothing has to be imported before it."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from types import ModuleType


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
    """Stands in front of Python's own finders until it has been asked for its module."""

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
            execute(module)
            self._act()

        # A loader of our own would show in the module.
        loader.exec_module = exec_module  # type: ignore[method-assign]

"""Replacements of plotting libraries that are not installed: every call works and shows nothing."""

from __future__ import annotations

import dis
import operator
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

import numpy as np

from explorer import OUR_FILES

NAMES = ("matplotlib", "mpl_toolkits", "seaborn", "IPython", "google.colab")
"""Packages that show something and compute nothing."""
_BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "or", "and")
_NOT_IN_SIGHT = ("<frozen", OUR_FILES)
"""Beginnings of the files between an import and its finder."""


class PlotStub:
    """A figure, axes, or whatever else a plotting library returns."""

    __array_ufunc__ = None
    """NumPy leaves operators to us."""

    def __init__(self, *given: Any, **_named: Any) -> None:
        self._count = 0
        if given and not isinstance(given[0], str):
            # There is a bar for each height, and a colour for each number.
            with suppress(TypeError):
                self._count = len(given[0])

    def __call__(self, *given: Any, **_named: Any) -> Any:
        return PlotStub(*given)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _NO_NOTHING.get(name, PlotStub())

    def __getitem__(self, _key: object) -> Any:
        return PlotStub()

    def __setitem__(self, _key: object, _value: object) -> None: ...

    def __delitem__(self, _key: object) -> None: ...

    def __len__(self) -> int:
        return self._count

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Any]:
        return iter([PlotStub() for _ in range(_unpacked(self._count))])

    def __next__(self) -> Any:
        return PlotStub()

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None: ...

    def __mro_entries__(self, _bases: tuple[Any, ...]) -> tuple[type, ...]:
        return (PlotStub,)

    def __float__(self) -> float:
        return 0.0

    def __int__(self) -> int:
        return 0

    def __format__(self, _spec: str) -> str:
        return ""

    def __neg__(self) -> Any:
        return PlotStub()


for _each in _BINARY:
    for _name in (f"__{_each}__", f"__r{_each}__"):
        setattr(PlotStub, _name, lambda _self, _other: PlotStub())
for _each in ("lt", "le", "gt", "ge"):
    setattr(PlotStub, f"__{_each}__", lambda _self, _other: False)


def _unpacked(otherwise: int) -> int:
    """Return the number of names on the left of the assignment that iterates; `otherwise` where it is none."""
    frame = sys._getframe(2)
    code, at = frame.f_code.co_code, frame.f_lasti
    return code[at + 1] if dis.opname[code[at]] in ("UNPACK_SEQUENCE", "UNPACK_EX") else otherwise


def _axes(nrows: int = 1, ncols: int = 1, *_: Any, squeeze: bool = True, **_named: Any) -> Any:
    """Return axes in the shape in which Matplotlib returns them."""
    found = np.empty((operator.index(nrows), operator.index(ncols)), object)
    for at in np.ndindex(found.shape):
        found[at] = PlotStub()
    if not squeeze:
        return found
    return found.item() if found.size == 1 else found.squeeze()


def _no_text(*_: Any, **_named: Any) -> str:
    return ""


def _colours() -> dict[str, list[str]]:
    return {"color": [f"C{number}" for number in range(10)]}


_NO_NOTHING = {"subplots": _axes, "by_key": _colours, "to_jshtml": _no_text, "to_html5_video": _no_text}
"""The functions whose results programs look into."""


class PlotModule(ModuleType):
    """A module whose every name is Nothing."""

    def __getattr__(self, name: str) -> Any:
        # The import of a part of the package asks first whether that is there.
        if name.startswith("__") or name == "pyplot":
            raise AttributeError(name)
        return _subplots if name == "subplots" else getattr(PlotStub(), name)


def _subplots(*given: Any, **named: Any) -> tuple[Any, Any]:
    return PlotStub(), _axes(*given, **named)


class _Finder(MetaPathFinder, Loader):
    """The last of Python's finders: what the others found is installed."""

    def __init__(self) -> None:
        self.is_user_file: Callable[[str], bool] = lambda _file: False
        self.found: dict[str, None] = {}

    def find_spec(
        self, name: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package = next((each for each in NAMES if f"{each}.".startswith(f"{name}.") or name.startswith(f"{each}.")), "")
        if not package or not self.is_user_file(_importing()):
            # A library does without, as it would in Python.
            return None
        self.found[package] = None
        return ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return PlotModule(spec.name)

    def exec_module(self, module: ModuleType) -> None: ...


_FINDER = _Finder()


def _importing() -> str:
    """Return the file with the import that is under way."""
    frame: Any = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename.startswith(_NOT_IN_SIGHT):
        frame = frame.f_back
    return "" if frame is None else frame.f_code.co_filename


@contextmanager
def left_out(wanted: bool, is_user_file: Callable[[str], bool]) -> Iterator[None]:
    """Let user code import missing plotting libraries in the block, if `wanted`."""
    if _FINDER in sys.meta_path:
        yield
        return
    _FINDER.is_user_file, _FINDER.found = is_user_file, {}
    if wanted:
        sys.meta_path.append(_FINDER)
    try:
        yield
    finally:
        if _FINDER in sys.meta_path:
            sys.meta_path.remove(_FINDER)


def left_out_here() -> tuple[str, ...]:
    """Return the libraries that were imported so in this block, or in the last one."""
    return tuple(_FINDER.found)

"""Changes of a program to foreign modules and classes, by comparison; their reversal; what its text could change."""

from __future__ import annotations

import ast
import builtins
import re
import sys
import warnings
from collections.abc import Collection
from types import ModuleType
from typing import Any, NamedTuple

from explorer import OUR_FILES, OUR_NAME
from explorer.worker.code.user_code import MODULE_NAME
from explorer.worker.process import user_modules

_CAN_BE_CHANGED = 1 << 9
"""The flag Py_TPFLAGS_HEAPTYPE: the class can be modified (https://docs.python.org/3/c-api/typeobj.html)."""
_CONSTANTS = (bool, int, float, complex, str, bytes, tuple, frozenset)
_CONTAINERS = (dict, list, set)
_NOTHING = object()


class Patch(NamedTuple):
    """One changed name of a module or class."""

    owner: Any
    name: str
    value: Any
    """The current value, `_NOTHING` if it is deleted."""
    before: Any


Patches = dict[tuple[int, str], Patch]


class KnownContents:
    """The known modules and classes, with their contents when first seen."""

    def __init__(self) -> None:
        self._modules: dict[str, ModuleType] = {}
        self._owners: dict[int, tuple[Any, dict[str, Any]]] = {}
        self.came_changed = False
        """Whether a module contained a user's object when first seen, so that its original value is lost."""

    def learn(self) -> None:
        """Add the modules imported since, with their classes, but not the user's own."""
        user_names = user_modules.now()
        theirs = _names(user_names) if self._modules else frozenset()
        for name, module in list(sys.modules.items()):
            if module is self._modules.get(name) or not isinstance(module, ModuleType) or name in user_names:
                continue
            self._modules[name] = module
            file = getattr(module, "__file__", None) or ""
            # Multiprocessing has another name for the main module.
            if module not in (sys, sys.modules["__main__"]) and not file.startswith(OUR_FILES):
                self._learn_one(module, theirs)

    def _learn_one(self, module: ModuleType, theirs: Collection[str]) -> None:
        contents = dict(vars(module))
        self._owners[id(module)] = module, contents
        for value in contents.values():
            if theirs and _made_by(theirs, value):
                self.came_changed = True
            elif isinstance(value, type) and value.__flags__ & _CAN_BE_CHANGED and id(value) not in self._owners:
                self._owners[id(value)] = value, dict(vars(value))

    def patches(self) -> Patches:
        """Return the changes; libraries' changes to themselves are accepted."""
        theirs = _names(user_modules.now())
        found: Patches = {}
        for key, (owner, contents) in self._owners.items():
            if _differs(vars(owner), contents):
                for patch in _changes(owner, contents):
                    if _counts(patch, theirs):
                        found[key, patch.name] = patch
                    elif patch.value is _NOTHING:
                        contents.pop(patch.name, None)
                    else:
                        contents[patch.name] = patch.value
        return found

    def put(self, wanted: Patches, there: Patches) -> bool:
        """Replace the patches `there` by the patches `wanted`; return whether all could be set."""
        done = True
        for key, patch in there.items():
            if key not in wanted:
                done = _set(patch.owner, patch.name, patch.before) and done
        for key, patch in wanted.items():
            if key not in there or there[key].value is not patch.value:
                done = _set(patch.owner, patch.name, patch.value) and done
        return done


_REACHING = ("setattr", "delattr", "__dict__", "vars", "globals", "exec", "eval", "patch", "monkeypatch", "reload")


def may_patch(source: str) -> bool:
    """Return whether the code of `source` could change foreign modules and classes, judged by its text."""
    try:
        with warnings.catch_warnings(action="ignore"):
            nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError):
        return True
    for node in nodes:
        if isinstance(node, ast.Attribute):
            stores = not isinstance(node.ctx, ast.Load)
            if node.attr in _REACHING or (
                stores and not (isinstance(node.value, ast.Name) and node.value.id == "self")
            ):
                return True
        elif isinstance(node, ast.Name) and node.id in (*_REACHING, "builtins", "__builtins__"):
            return True
    return False


_INSIDES = re.compile(
    r"ctypes|get_referents|addaudithook|(?<!\batexit)\.register\("
    r"|__kwdefaults__|\.__(code|defaults)__\s*=(?!=)|[\"']__(code|defaults)__"
)


def may_reach_memory(source: str) -> bool:
    """Return whether the code of `source` could change what nothing reports, such as the insides of objects."""
    return _INSIDES.search(source) is not None


def _names(user_names: Collection[str]) -> frozenset[str]:
    """Return the names of the user's modules, including those of the program itself."""
    return frozenset({*user_names, MODULE_NAME, "__main__"})


def _differs(now: Any, contents: dict[str, Any]) -> bool:
    try:
        return bool(now != contents)
    except Exception:  # arrays and other objects without a plain comparison
        return True


def _changes(owner: Any, contents: dict[str, Any]) -> list[Patch]:
    now = dict(vars(owner))
    pairs = [(name, now.get(name, _NOTHING), contents.get(name, _NOTHING)) for name in now.keys() | contents.keys()]
    return [Patch(owner, *each) for each in pairs if each[1] is not each[2]]


def _counts(patch: Patch, theirs: Collection[str]) -> bool:
    """Return whether the patch is not a library's own change, such as a cache that it fills late."""
    value, before = patch.value, patch.before
    if _is_ours(value) or _is_ours(before):
        return False
    if _made_by(theirs, value):
        return True
    if isinstance(before, _CONTAINERS) and not isinstance(value, _CONTAINERS):
        # The container of a cache was replaced.
        return True
    public = not patch.name.startswith("_")
    if before is _NOTHING:
        return public and (isinstance(value, _CONSTANTS) or patch.owner is builtins)
    return callable(before) or (public and isinstance(before, _CONSTANTS))


def _set(owner: Any, name: str, value: Any) -> bool:
    try:
        if isinstance(owner, ModuleType):
            if value is _NOTHING:
                vars(owner).pop(name, None)
            else:
                vars(owner)[name] = value
        elif value is _NOTHING:
            type.__delattr__(owner, name)
        else:
            type.__setattr__(owner, name, value)
    except Exception:
        return False
    return True


def _is_ours(value: Any) -> bool:
    code = getattr(value, "__code__", None)
    if code is not None:
        return str(getattr(code, "co_filename", "")).startswith(OUR_FILES)
    kind = value if isinstance(value, type) else type(value)
    return str(kind.__module__).startswith(f"{OUR_NAME}.")


def _made_by(modules: Collection[str], value: Any) -> bool:
    """Return whether `value` is a function, class or instance of these `modules`."""
    return _module(value) in modules or _module(type(value)) in modules


def _module(value: Any) -> str:
    name = getattr(value, "__module__", None) if callable(value) else None
    return name if isinstance(name, str) else ""

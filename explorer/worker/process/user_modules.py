"""The user's own modules, imported anew in each run as in a new process; is_user_code(): which files are theirs."""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path
from types import ModuleType

from explorer import OUR_FILES
from explorer.worker.code import own_modules
from explorer.worker.code.plots import PlotModule
from explorer.worker.code.user_code import MODULE_NAME

_PYTHONS = (f"{sysconfig.get_path('stdlib')}{os.sep}", OUR_FILES)
_PATH = [f"{Path(each).absolute()}{os.sep}" for each in sys.path if each]
"""The import path of this process before any program; libraries are found there."""
_modules = sys.modules
_at_first = dict(sys.modules)


_others: dict[str, ModuleType] = {}
"""Cache of modules that are not the user's, valid for the program folder below."""
_others_home = [""]


def now() -> dict[str, ModuleType]:
    """Return the imported modules of the user, by name."""
    home = own_modules.home()
    if _others_home[0] != home:
        _others_home[0] = home
        _others.clear()
    found = {}
    for name, each in list(sys.modules.items()):
        if _others.get(name) is not each:
            if _is_user_code(name, each):
                found[name] = each
            else:
                _others[name] = each
    return found


def replaced() -> dict[str, ModuleType | None]:
    """Return the replacements of modules that were loaded before any program; None for deleted ones."""
    return {name: found for name, each in _at_first.items() if (found := sys.modules.get(name)) is not each}


def put(wanted: dict[str, ModuleType], stand_ins: dict[str, ModuleType | None]) -> None:
    """Set the imported modules of the user to `wanted`, and the replacements of other modules to `stand_ins`."""
    # Python itself keeps using the first dict.
    sys.modules = _modules
    for name in now():
        if name not in wanted:
            del sys.modules[name]
    for name in replaced():
        sys.modules[name] = _at_first[name]
    for name, stand_in in stand_ins.items():
        if stand_in is None:
            sys.modules.pop(name, None)
        else:
            sys.modules[name] = stand_in
    sys.modules.update(wanted)


def _is_user_code(name: str, module: object) -> bool:
    if name == MODULE_NAME or type(name) is not str or isinstance(module, PlotModule):
        return True
    if _at_first.get(name) is module:
        return False
    try:
        file = getattr(module, "__file__", None)
    except BaseException:  # any object may be in sys.modules, and raise on access
        return True
    if isinstance(file, str):
        return is_user_file(file)
    parent = sys.modules.get(name.partition(".")[0])
    made_by_hand = getattr(module, "__spec__", None) is None and not hasattr(module, "__path__")
    # Compiled libraries make such modules, with an underscore in front.
    return made_by_hand and not name.startswith("_") and (parent is module or parent is None)


def is_user_file(file: str) -> bool:
    """Return whether the module in `file` is the user's: not installed, and found next to the program."""
    if file.startswith("<"):
        return False
    home = own_modules.home()
    below = file.removeprefix(home) if home and file.startswith(home) else file
    if file.startswith(_PYTHONS) or own_modules.INSTALLED.search(below):
        return False
    library = max((len(each) for each in _PATH if file.startswith(each)), default=0)
    return library == 0 or (bool(home) and file.startswith(home) and len(home) >= library)


def is_user_code(file: str) -> bool:
    """Return whether the code of `file` is the user's: typed, or in a file of theirs."""
    return (file.startswith("<") and not file.startswith("<frozen ")) or is_user_file(file)

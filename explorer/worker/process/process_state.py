"""Settings that a program may change: those put back, those that use its process up; and its exit handlers."""

from __future__ import annotations

import atexit
import decimal
import gc
import locale
import logging
import os
import pickle
import random
import signal
import socket
import sys
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from explorer.worker.internals import jax_settings
from explorer.worker.process import user_modules

try:
    import resource
except ImportError:
    resource = None  # type: ignore[assignment]


class Setting(NamedTuple):
    """One setting that is put back."""

    read: Callable[[], Any]
    """Returns a value that can be compared and restored."""
    put: Callable[[Any], object]
    always: bool = False
    """Whether it is put also where it reads the same, because a part of it cannot be read."""


_LISTS = ("path", "argv", "meta_path", "path_hooks", "warnoptions")
_NAMES = ("stdin", "stdout", "stderr", "__stdin__", "__stdout__", "__stderr__", "excepthook", "displayhook")
"""Names of ``sys``."""
_TIMERS = [getattr(signal, name) for name in ("ITIMER_REAL", "ITIMER_VIRTUAL", "ITIMER_PROF") if hasattr(signal, name)]
_NEW_LOGGER: tuple[Any, ...] = (logging.NOTSET, True, False, (), ())


# -- put back ---------------------------------------------------------------------------------


def _lists() -> list[tuple[str, Any, list[Any]]]:
    return [(name, getattr(sys, name), list(getattr(sys, name))) for name in _LISTS]


def _put_lists(wanted: list[tuple[str, Any, list[Any]]]) -> None:
    for name, own, content in wanted:
        own[:] = content
        setattr(sys, name, own)


def _folder() -> str:
    with suppress(OSError):
        return str(Path.cwd())
    return ""


def _put_environment(wanted: dict[str, str]) -> None:
    for name in os.environ.keys() - wanted.keys():
        del os.environ[name]
    os.environ.update(wanted)
    if hasattr(time, "tzset"):
        time.tzset()


def _put_warnings(wanted: list[Any]) -> None:
    # With each change Python also forgets which warnings it has shown.
    warnings.resetwarnings()
    in_force: Any = warnings.filters
    in_force[:] = wanted


def _put_tracing(wanted: tuple[Any, Any]) -> None:
    sys.settrace(wanted[0])
    sys.setprofile(wanted[1])


def _put_numpy(wanted: tuple[Any, Any]) -> None:
    np.set_printoptions(**wanted[0])
    np.seterr(**wanted[1])


def _loggers() -> dict[str, tuple[Any, ...]]:
    """Return the level, propagation, state, handlers and filters of the loggers that are set up, by name."""
    known = {"": logging.root, **logging.root.manager.loggerDict}.items()
    found = {name: each for name, each in known if isinstance(each, logging.Logger)}
    set_up = {
        name: (each.level, each.propagate, each.disabled, tuple(each.handlers), tuple(each.filters))
        for name, each in found.items()
    }
    return {name: each for name, each in set_up.items() if each != _NEW_LOGGER}


def _put_loggers(wanted: dict[str, tuple[Any, ...]]) -> None:
    for name in _loggers().keys() | wanted.keys():
        each = logging.getLogger(name or None)
        level, each.propagate, each.disabled, handlers, filters = wanted.get(name, _NEW_LOGGER)
        each.handlers[:], each.filters[:] = handlers, filters
        each.setLevel(level)


def _matplotlib() -> tuple[dict[str, Any], list[int]]:
    module, drawing = sys.modules.get("matplotlib"), sys.modules.get("matplotlib.pyplot")
    if module is None or not isinstance(getattr(module, "rcParams", None), dict):
        return {}, []
    return dict(module.rcParams), drawing.get_fignums() if drawing and hasattr(drawing, "get_fignums") else []


def _put_matplotlib(wanted: tuple[dict[str, Any], list[int]]) -> None:
    module, drawing = sys.modules["matplotlib"], sys.modules.get("matplotlib.pyplot")
    look = wanted[0] or {name: value for name, value in module.rcParamsDefault.items() if name != "backend"}
    for name, value in look.items():
        dict.__setitem__(module.rcParams, name, value)
    if drawing is not None:
        for number in set(drawing.get_fignums()) - set(wanted[1]):
            drawing.close(number)


Exit = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]
_exits: list[Exit] = []
_register = atexit.register


def _registered(function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Callable[..., Any]:
    """Register like ``atexit.register``, and keep the handlers of user code."""
    if user_modules.is_user_code(sys._getframe(1).f_code.co_filename):
        _exits.append((function, arguments, named))
    return _register(function, *arguments, **named)


def exits() -> list[Exit]:
    """Return the handlers of user code, in the order of their registration."""
    return list(_exits)


def put_exits(wanted: list[Exit]) -> None:
    """Register the handlers `wanted` instead of those that are registered."""
    for function, _, _ in _exits:
        atexit.unregister(function)
    _exits[:] = wanted
    for function, arguments, named in wanted:
        _register(function, *arguments, **named)


def take_exits() -> list[Exit]:
    """Return the handlers to call now, in order, and unregister them."""
    found = _exits[::-1]
    put_exits([])
    return found


atexit.register = _registered
PUT_BACK = {
    "the current folder": Setting(_folder, os.chdir),
    "the environment": Setting(lambda: dict(os.environ), _put_environment),
    "the paths of imports": Setting(_lists, _put_lists),
    "the streams and hooks": Setting(lambda: {name: vars(sys).get(name) for name in _NAMES}, vars(sys).update),
    "the limit of recursion": Setting(sys.getrecursionlimit, sys.setrecursionlimit),
    "tracing of Python": Setting(lambda: (sys.gettrace(), sys.getprofile()), _put_tracing),
    "the warnings": Setting(lambda: list(warnings.filters), _put_warnings, always=True),
    "the context of decimal": Setting(
        lambda: decimal.getcontext().__reduce__()[1], lambda wanted: decimal.setcontext(decimal.Context(*wanted))
    ),
    "the numbers of random": Setting(random.getstate, random.setstate),
    "the numbers of NumPy": Setting(
        # Bytes, because arrays have no plain comparison.
        lambda: pickle.dumps(np.random.get_state()),
        lambda wanted: np.random.set_state(pickle.loads(wanted)),
    ),
    "the settings of NumPy": Setting(lambda: (np.get_printoptions(), np.geterr()), _put_numpy),
    "the settings of JAX": Setting(jax_settings.now, jax_settings.put),
    "the settings of Matplotlib": Setting(_matplotlib, _put_matplotlib),
    "the logging": Setting(_loggers, _put_loggers),
    "what is called at the end": Setting(exits, put_exits),
}


class ProcessSettings(msgspec.Struct, frozen=True):
    """Settings of JAX, NumPy and Python that a program may change."""

    values: dict[str, Any]
    """By name."""

    @classmethod
    def now(cls) -> ProcessSettings:
        """Return the current settings."""
        return cls({name: setting.read() for name, setting in PUT_BACK.items()})

    def restore(self) -> list[str]:
        """Restore these settings; return the names of those that failed."""
        left = []
        for name, setting in PUT_BACK.items():
            wanted = self.values[name]
            try:
                if setting.always or not same(setting.read(), wanted):
                    setting.put(wanted)
            except Exception:  # a deleted folder, or a generator of another kind
                left.append(name)
        return left


# -- not put back -----------------------------------------------------------------------------


def others() -> list[object]:
    """Return the rarer settings, which are not put back: a program that changes one has used its process up."""
    masked = signal.pthread_sigmask(signal.SIG_BLOCK, ()) if hasattr(signal, "pthread_sigmask") else None
    return [
        _mask(),
        masked,
        [signal.getsignal(each) for each in signal.valid_signals()],
        [signal.getitimer(each)[0] > 0 for each in _TIMERS],
        [resource.getrlimit(getattr(resource, each)) for each in dir(resource) if each.startswith("RLIMIT_")],
        (gc.isenabled(), gc.get_debug(), gc.get_threshold(), list(gc.callbacks)),
        (sys.getswitchinterval(), sys.get_int_max_str_digits(), sys.dont_write_bytecode, sys.breakpointhook),
        (sys.get_coroutine_origin_tracking_depth(), sys.get_asyncgen_hooks(), sys.unraisablehook),
        getattr(sys.modules.get("asyncio.events"), "_event_loop_policy", None),
        (threading.gettrace(), threading.getprofile(), threading.stack_size(), socket.getdefaulttimeout()),
        (locale.setlocale(locale.LC_ALL), np.getbufsize(), np.geterrcall()),
        (logging.root.manager.disable, [logging.getLevelName(each) for each in range(0, 60, 10)]),
        dict(getattr(sys.stdout, "__dict__", {})),
    ]


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def same(one: object, other: object) -> bool:
    """Return whether two readings are equal. They may hold any object: a comparison that fails counts as different."""
    with suppress(Exception):
        return bool(one == other)
    return False

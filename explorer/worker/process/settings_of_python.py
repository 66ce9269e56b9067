"""Process-wide settings of Python and the system, each with functions to read and restore it."""

from __future__ import annotations

import gc
import locale
import os
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

from explorer.worker.process import vital
from explorer.worker.process.output import Stream


class Setting(NamedTuple):
    """One process-wide setting that a program may change."""

    read: Callable[[], Any]
    """Returns a value that can be compared and restored."""
    put: Callable[[Any], object]
    always: bool = False
    """Whether it is put also where it reads the same, because a part of it cannot be read."""


_LISTS = ("path", "argv", "meta_path", "path_hooks", "warnoptions")
_NAMES = (
    *("stdin", "stdout", "stderr", "__stdin__", "__stdout__", "__stderr__", "excepthook", "displayhook"),
    *("breakpointhook", "unraisablehook", "dont_write_bytecode", "tracebacklimit", "ps1", "ps2", "pycache_prefix"),
)
"""Names of ``sys``."""
_ABSENT = object()
_SIGNALS = sorted(signal.valid_signals())
_TIMERS = [getattr(signal, name) for name in ("ITIMER_REAL", "ITIMER_VIRTUAL", "ITIMER_PROF") if hasattr(signal, name)]


def _lists() -> list[tuple[str, Any, list[Any]]]:
    return [(name, getattr(sys, name), list(getattr(sys, name))) for name in _LISTS]


def _put_lists(wanted: list[tuple[str, Any, list[Any]]]) -> None:
    for name, own, content in wanted:
        own[:] = content
        setattr(sys, name, own)


def _names() -> list[Any]:
    return [vars(sys).get(name, _ABSENT) for name in _NAMES]


def _stream() -> dict[str, Any]:
    """Return the attributes that a program set on our stream, as in ``sys.stdout.write = ...``."""
    return dict(vars(sys.stdout)) if isinstance(sys.stdout, Stream) else {}


def _put_stream(wanted: dict[str, Any]) -> None:
    own = vars(sys.stdout)
    own.clear()
    own.update(wanted)


def _put_names(wanted: list[Any]) -> None:
    for name, value in zip(_NAMES, wanted, strict=True):
        if value is not _ABSENT:
            setattr(sys, name, value)
        elif name in vars(sys):
            delattr(sys, name)


def _folder() -> str:
    with suppress(OSError):
        return str(Path.cwd())
    return ""


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _put_environment(wanted: dict[str, str]) -> None:
    zone = os.environ.get("TZ")
    for name in [name for name in os.environ if name not in wanted]:
        del os.environ[name]
    for name, value in wanted.items():
        if os.environ.get(name) != value:
            os.environ[name] = value
    if zone != wanted.get("TZ") and hasattr(time, "tzset"):
        time.tzset()


def _put_warnings(wanted: list[Any]) -> None:
    # With each change Python also forgets which warnings it has shown.
    warnings.resetwarnings()
    in_force: Any = warnings.filters
    in_force[:] = wanted


def _signals() -> dict[int, Any]:
    """Return the handlers known to Python; only the main thread may set any."""
    if threading.current_thread() is not threading.main_thread():
        return {}
    return {number: handler for number in _SIGNALS if (handler := signal.getsignal(number)) is not None}


def _put_signals(wanted: dict[int, Any]) -> None:
    for number, handler in _signals().items():
        if handler is not wanted.get(number):
            # A signal that still waits (another thread's turn, or held back) is dropped by this; with its usual
            # handler it would end the process.
            signal.signal(number, signal.SIG_IGN)
            signal.signal(number, wanted[number])


def _timers() -> list[bool]:
    return [signal.getitimer(each)[0] > 0 for each in _TIMERS]


def _stop_timers(wanted: list[bool]) -> None:
    for each, runs in zip(_TIMERS, wanted, strict=True):
        if not runs:
            signal.setitimer(each, 0)


def _collector() -> tuple[Any, ...]:
    return gc.isenabled(), gc.get_debug(), gc.get_threshold(), list(gc.callbacks)


def _put_collector(wanted: tuple[Any, ...]) -> None:
    enabled, debug, threshold, callbacks = wanted
    (gc.enable if enabled else gc.disable)()
    gc.set_debug(debug)
    gc.set_threshold(*threshold)
    gc.callbacks[:] = callbacks


def _put_tracing(wanted: tuple[Any, ...]) -> None:
    sys.settrace(wanted[0])
    sys.setprofile(wanted[1])
    threading.settrace(wanted[2])
    threading.setprofile(wanted[3])


def _coroutines() -> tuple[Any, ...]:
    return sys.get_coroutine_origin_tracking_depth(), tuple(sys.get_asyncgen_hooks())


def _put_coroutines(wanted: tuple[Any, ...]) -> None:
    sys.set_coroutine_origin_tracking_depth(wanted[0])
    sys.set_asyncgen_hooks(*wanted[1])


def _policy() -> Any:
    events = sys.modules.get("asyncio.events")
    return getattr(events, "_event_loop_policy", None)


def _put_policy(wanted: Any) -> None:
    vars(sys.modules["asyncio.events"])["_event_loop_policy"] = wanted


def _blocked_signals() -> set[int]:
    return set(signal.pthread_sigmask(signal.SIG_BLOCK, ())) if hasattr(signal, "pthread_sigmask") else set()


PYTHON = {
    "the current folder": Setting(_folder, os.chdir),
    "the environment": Setting(lambda: dict(os.environ), _put_environment),
    "the mask of new files": Setting(_mask, os.umask),
    "the paths of imports": Setting(_lists, _put_lists),
    "the streams and hooks of Python": Setting(_names, _put_names),
    "the stream itself": Setting(_stream, _put_stream),
    "the limit of recursion": Setting(sys.getrecursionlimit, sys.setrecursionlimit),
    "the switch interval": Setting(sys.getswitchinterval, sys.setswitchinterval),
    "the limit of digits": Setting(sys.get_int_max_str_digits, sys.set_int_max_str_digits),
    "tracing of Python": Setting(
        lambda: (sys.gettrace(), sys.getprofile(), threading.gettrace(), threading.getprofile()), _put_tracing
    ),
    "the warnings": Setting(lambda: list(warnings.filters), _put_warnings, always=True),
    # Before the signals: without its handler, the next signal of a timer ends the process. Always: one whose signal
    # still waits reads as stopped, and starts again when the signal comes.
    "the timers": Setting(_timers, _stop_timers, always=True),
    "the signals": Setting(_signals, _put_signals),
    "the signals that are held back": Setting(
        _blocked_signals, lambda wanted: signal.pthread_sigmask(signal.SIG_SETMASK, wanted)
    ),
    "the coroutines": Setting(_coroutines, _put_coroutines),
    "the loops of asyncio": Setting(_policy, _put_policy),
    "the patience of sockets": Setting(socket.getdefaulttimeout, socket.setdefaulttimeout),
    "the stacks of threads": Setting(threading.stack_size, threading.stack_size),
    "the garbage collector": Setting(_collector, _put_collector),
    "the locale": Setting(
        lambda: locale.setlocale(locale.LC_ALL), lambda wanted: locale.setlocale(locale.LC_ALL, wanted)
    ),
    "the limits of the process": Setting(vital.limits, vital.put_limits),
    "the numbers of random": Setting(random.getstate, random.setstate),
}

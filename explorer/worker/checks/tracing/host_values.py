"""Python's random numbers, clocks and their seeders among functions (`host_kind`); a clock as if a year later."""

from __future__ import annotations

import datetime
import functools
import os
import random
import secrets
import time
import uuid
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from explorer.worker.internals.clocks import Clock

HostKind = Literal["random", "clock", "print"]

_GENERATORS = (np.random.Generator, np.random.RandomState, np.random.BitGenerator, random.Random)
_NOT_DRAWN = {"seed", "get_state", "set_state", "getstate", "setstate", "spawn", "jumped", "bit_generator"}
_CLOCKS = {"time", "perf_counter", "monotonic", "process_time", "thread_time"}
_LATER_S = 34_567_891
_KINDS: dict[int, HostKind] = {
    **{id(each): "random" for each in (secrets.token_bytes, secrets.token_hex, secrets.token_urlsafe, os.urandom)},
    **{id(each): "random" for each in (secrets.choice, secrets.randbelow, secrets.randbits)},
    **{id(each): "clock" for each in (uuid.uuid1, uuid.uuid4)},
    **{id(getattr(time, f"{name}{unit}")): "clock" for name in _CLOCKS for unit in ("", "_ns")},
}
"""By id: a user function may define ``__eq__``."""
_SEEDERS = {id(each) for each in (np.random.default_rng, np.random.RandomState, np.random.Generator, random.Random)}


def host_kind(function: Any) -> HostKind | None:
    """Return the kind of `function`, None if its results are reproducible."""
    while isinstance(function, functools.partial):
        function = function.func
    if type(function) is Clock:
        function = function.genuine
    known = _KINDS.get(id(function))
    if known is not None:
        return known
    holder, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
    if isinstance(holder, _GENERATORS):
        return None if name in _NOT_DRAWN else "random"
    if isinstance(holder, type) and issubclass(holder, datetime.date) and name in ("now", "utcnow", "today"):
        return "clock"
    return None


def as_if_later(function: Any) -> Any:
    """Return a function that reads the same clock as `function`, but a year ahead, because a clock may tick slowly."""

    @functools.wraps(function)
    def read(*arguments: Any, **named: Any) -> Any:
        value = function(*arguments, **named)
        if isinstance(value, datetime.date):
            return value + datetime.timedelta(seconds=_LATER_S)
        if isinstance(value, int | float):
            return value + _LATER_S * (10**9 if function.__name__.endswith("_ns") else 1)
        return value

    return read


def is_seeder(function: Any) -> bool:
    """Return whether `function` makes or restarts a generator from a seed."""
    if id(function) in _SEEDERS or function is np.random.seed:
        return True
    return getattr(function, "__name__", "") == "seed" and isinstance(getattr(function, "__self__", None), _GENERATORS)


def generator_of(function: Callable[..., Any]) -> object:
    """Return the generator that `function` draws from or restarts, or None."""
    while isinstance(function, functools.partial):
        function = function.func
    if function is np.random.seed:
        function = np.random.random_sample
    holder = getattr(function, "__self__", None)
    return holder if isinstance(holder, _GENERATORS) else None

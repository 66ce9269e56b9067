"""Which functions give another value each time that Python calls them: random numbers, clocks, identifiers."""

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

HostKind = Literal["random", "clock"]

_GENERATORS = (np.random.Generator, np.random.RandomState, np.random.BitGenerator, random.Random)
_NOT_DRAWN = {"seed", "get_state", "set_state", "getstate", "setstate", "spawn", "jumped", "bit_generator"}
_CLOCKS = {"time", "perf_counter", "monotonic", "process_time", "thread_time"}
_KINDS: dict[int, HostKind] = {
    **{id(each): "random" for each in (secrets.token_bytes, secrets.token_hex, secrets.token_urlsafe, os.urandom)},
    **{id(each): "random" for each in (secrets.choice, secrets.randbelow, secrets.randbits)},
    **{id(each): "clock" for each in (uuid.uuid1, uuid.uuid4)},
    **{id(getattr(time, f"{name}{unit}")): "clock" for name in _CLOCKS for unit in ("", "_ns")},
}
"""By identity: a function of the person's may compare as it likes."""
_SEEDERS = {id(each) for each in (np.random.default_rng, np.random.RandomState, np.random.Generator, random.Random)}


def host_kind(function: Any) -> HostKind | None:
    """Return what `function` reads, None for nothing that is new each time."""
    while isinstance(function, functools.partial):
        function = function.func
    known = _KINDS.get(id(function))
    if known is not None:
        return known
    holder, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
    if isinstance(holder, _GENERATORS):
        return None if name in _NOT_DRAWN else "random"
    if isinstance(holder, type) and issubclass(holder, datetime.date) and name in ("now", "utcnow", "today"):
        return "clock"
    return None


def is_seeder(function: Any) -> bool:
    """Return whether `function` makes a generator, or starts one anew, from a seed that it is given."""
    if id(function) in _SEEDERS or function is np.random.seed:
        return True
    return getattr(function, "__name__", "") == "seed" and isinstance(getattr(function, "__self__", None), _GENERATORS)


def generator_of(function: Callable[..., Any]) -> object:
    """Return the generator that `function` draws from, or starts anew; None without one."""
    while isinstance(function, functools.partial):
        function = function.func
    if function is np.random.seed:
        function = np.random.random_sample
    holder = getattr(function, "__self__", None)
    return holder if isinstance(holder, _GENERATORS) else None

"""Compiled programs that runs and processes share: XLA compiles the same program once, however many need it.

JAX's own cache would show in its configuration, lock and list its folder at each program, and never be cut.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import itertools
import os
import platform
import re
import time
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import partial, wraps
from pathlib import Path
from typing import Any

import jax
from jax._src import cache_key, compiler
from jax.experimental.compilation_cache import compilation_cache

MOST_BYTES = 64 << 20
"""The most that the folder keeps when it is cut."""
SELDOM = 16
"""One of so many processes cuts it: to look at thousands of files takes 60 ms."""
_SUFFIX = ".xla"


class CompiledOnDisk:
    """The compiled programs in `folder`, which only the user may read: loading one is running it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if os.getpid() % SELDOM == 0:
                self.cut()

    def get(self, key: str, backend: Any, devices: Any, options: Any) -> Any:
        """Return the program `key` for `devices`, or None."""
        path = self._path(key)
        try:
            found = backend.deserialize_executable(zlib.decompress(path.read_bytes()), devices, options)
        except FileNotFoundError:
            return None
        except Exception:  # it is damaged, or another XLA wrote it
            with suppress(OSError):
                path.unlink()
            return None
        with suppress(OSError):
            os.utime(path)
        return found

    def put(self, key: str, executable: Any) -> None:
        """Keep `executable`, unless it cannot be kept."""
        path = self._path(key)
        new = path.with_suffix(f".{os.getpid()}")
        # A full disk, no folder, a backend without a format: it is compiled again then.
        with suppress(Exception):
            new.write_bytes(zlib.compress(executable.serialize(), 1))
            new.replace(path)

    def _path(self, key: str) -> Path:
        # A home that is moved to another processor must not bring instructions that this one lacks.
        return self._folder / (hashlib.sha256(f"{key} {_processor()}".encode()).hexdigest() + _SUFFIX)

    def cut(self) -> None:
        """Delete the programs that were used longest ago, and what a process left half written."""
        files = [(each, each.stat()) for each in self._folder.iterdir()]
        kept = 0
        for path, found in sorted(files, key=lambda each: each[1].st_mtime, reverse=True):
            kept += found.st_size
            half = path.suffix != _SUFFIX and found.st_mtime < time.time() - 3600
            if kept > MOST_BYTES or half:
                path.unlink(missing_ok=True)


@functools.cache
def _processor() -> str:
    with suppress(OSError), Path("/proc/cpuinfo").open(encoding="ascii", errors="replace") as lines:
        return next((line for line in lines if line.startswith(("flags", "Features"))), "")
    return platform.processor()


MOST = 256
"""The most programs that are kept."""
_MAY_NOTICE = re.compile(
    r"^\s*(?:import|from)\b.*\b(?:time|timeit|datetime)\b|\b(?:as_text|monitoring|profiler)\b", re.MULTILINE
)
"""Programs that may read a clock, or the text of a compiled program, which has lines of the code.

The modules next to a program are not looked at.
"""
_kept: OrderedDict[str, Any] = OrderedDict()
_state = {"on": False}
_last = ["", False]
_disk: list[CompiledOnDisk] = []
_unwritten: list[tuple[str, Any]] = []
"""Programs that were compiled in the block."""
_DISK_CACHE = ("compilation_cache_dir", "enable_compilation_cache")


def install(disk: CompiledOnDisk | None = None) -> None:
    """Let JAX ask here, and `disk`, before it compiles: inside of `sharing`."""
    _disk[:] = [*_disk, *([] if disk is None else [disk])]
    genuine = compiler.compile_or_get_cached
    if hasattr(genuine, "__wrapped__"):
        return
    signature = inspect.signature(genuine)

    @wraps(genuine)
    def compile_or_find(*given: Any, **named: Any) -> Any:
        asked = signature.bind(*given, **named).arguments if _state["on"] else {}
        key = _key(asked) if asked else ""
        _last[:] = key, key in _kept
        if not key:
            return genuine(*given, **named)
        if key not in _kept:
            _kept[key] = _read_or_made(key, asked, partial(genuine, *given, **named))
            if len(_kept) > MOST:
                _kept.popitem(last=False)
        _kept.move_to_end(key)
        return _kept[key]

    module: Any = compiler
    module.compile_or_get_cached = compile_or_find


def _read_or_made(key: str, asked: Mapping[str, Any], make: Callable[[], Any]) -> Any:
    for disk in _disk:
        found = disk.get(key, asked["backend"], asked["executable_devices"], asked["compile_options"])
        if found is not None:
            _last[1] = True
            return found
    made = make()
    _unwritten.append((key, made))
    return made


@contextmanager
def sharing(source: str) -> Iterator[None]:
    """Share the compiled programs of the block with those of other blocks, if the program `source` cannot notice."""
    install()
    try:
        with _switched(not _MAY_NOTICE.search(source)):
            yield
    finally:
        # Only now: the results of the block were waited for.
        for (key, made), disk in itertools.product(_unwritten, _disk):
            disk.put(key, made)
        _unwritten.clear()


def compiled_uncached(lowered: Any) -> Any:
    """Return `lowered`, a jax.stages.Lowered, compiled for its text.

    A program from the disk cache of JAX, or shared here, has the lines of the code that it was compiled for.
    """
    with _switched(False), ExitStack() as at_the_end:
        folder, is_on = (getattr(jax.config, f"jax_{name}", None) for name in _DISK_CACHE)
        if folder and is_on:
            # JAX checks only once for a disk cache, unless it is reset.
            at_the_end.callback(compilation_cache.reset_cache)
            at_the_end.callback(jax.config.update, "jax_enable_compilation_cache", True)
            jax.config.update("jax_enable_compilation_cache", False)
            compilation_cache.reset_cache()
        return lowered.compile()


def last() -> tuple[str, bool]:
    """Return the program that JAX needed last ('' if unknown), and whether it was there: its time is no one's."""
    return str(_last[0]), bool(_last[1])


def forget() -> None:
    """Free the programs that are kept here."""
    _kept.clear()


@contextmanager
def _switched(on: bool) -> Iterator[None]:
    before, _state["on"] = _state["on"], on
    try:
        yield
    finally:
        _state["on"] = before


def _key(asked: Mapping[str, Any]) -> str:
    """Return a name for the program with everything that XLA compiles it for; empty if it may not be shared."""
    # A program for several devices reports the lines of its exchanges; lines of another program would be wrong.
    devices = asked["devices"]
    if asked["host_callbacks"] or devices.size > 1:
        return ""
    try:
        found = cache_key.get(asked["computation"], devices, asked["compile_options"], asked["backend"])
    except Exception:  # JAX's own cache may refuse, too
        return ""
    return f"{found} {devices.flat[0].id}"

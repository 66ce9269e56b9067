"""The programs that XLA compiled for earlier processes, on disk: the next start need not compile them again.

JAX's own cache would show in its configuration, lock and list its folder at each program, and never be cut.
"""

from __future__ import annotations

import functools
import hashlib
import os
import platform
import time
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any

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

"""The files that were opened during an action, as the kernel of Linux reports them."""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

IN_OPEN = 0x20
EVENT = struct.Struct("iIII")


@contextmanager
def opened(files: Iterable[Path]) -> Iterator[set[Path]]:
    """Fill the set that is given with those of `files` that anyone opens within."""
    libc = ctypes.CDLL(None, use_errno=True)
    watcher = libc.inotify_init1(os.O_NONBLOCK)
    names = {libc.inotify_add_watch(watcher, os.fsencode(file), IN_OPEN): file for file in files}
    assert -1 not in names
    found: set[Path] = set()
    try:
        yield found
        try:
            events = os.read(watcher, 65536)
        except BlockingIOError:
            events = b""
        while events:
            descriptor, _mask, _cookie, length = EVENT.unpack_from(events)
            found.add(names[descriptor])
            events = events[EVENT.size + length :]
    finally:
        os.close(watcher)

"""Arrays of JAX that share their memory with a NumPy array, and whether that has changed since.

``jax.device_put`` copies nothing if the memory of a NumPy array is aligned: https://github.com/jax-ml/jax/issues/37830.
"""

from __future__ import annotations

import sys
import weakref
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

import numpy as np
from jax._src import array, dispatch, source_info_util, traceback_util

from explorer.worker.internals.guard import Guard

MOST_READ = 1 << 16
"""Maximum number of compared bytes of a buffer, evenly spread over it."""
_MODULE: Any = dispatch

source_info_util.register_exclusion(__file__)
traceback_util.register_exclusion(__file__)


class Shared:
    """An array of JAX that shares the memory of a NumPy array. It keeps neither alive."""

    def __init__(self, made: Any, buffer: np.ndarray[Any, Any]) -> None:
        owner = buffer
        while isinstance(owner.base, np.ndarray):
            owner = owner.base
        self.address, self._size = buffer.ctypes.data, buffer.nbytes
        # A view may end before the array does. The owner of the memory does not.
        self._made, self._owner = weakref.ref(made), weakref.ref(owner)
        self._sum = self._checksum(owner)

    @property
    def is_alive(self) -> bool:
        """Whether the program still has the array of JAX."""
        return self._made() is not None

    @property
    def has_changed(self) -> bool:
        """Whether the memory has other numbers than at first."""
        owner = self._owner()
        return owner is not None and self._checksum(owner) != self._sum

    def _checksum(self, owner: np.ndarray[Any, Any]) -> int:
        numbers = np.ndarray((self._size,), np.uint8, owner, self.address - owner.ctypes.data)
        # An odd step meets each byte of a number.
        return zlib.crc32(numbers[:: self._size // MOST_READ | 1].tobytes())

    def at_its_end(self, tell: Callable[[], None]) -> None:
        """Call `tell` when the array of JAX ends."""
        made = self._made()
        if made is not None:
            self._made = weakref.ref(made, lambda _: tell())


@contextmanager
def watching(tell: Callable[[FrameType, Shared], None]) -> Iterator[Guard]:
    """Call `tell` with the frame of JAX that puts a NumPy array on a device without a copy in the block.

    What it raises does not reach the program: the guard that is yielded has it. Where this version of JAX does it
    elsewhere nothing is reported.
    """
    guard, put = Guard(), getattr(_MODULE, "_batched_device_put_impl", None)
    if put is None:
        yield guard
        return

    def look(frame: FrameType, given: tuple[Any, ...], made: Any) -> None:
        for buffer, each in zip(given, made, strict=False):
            if type(buffer) is np.ndarray and type(each) is array.ArrayImpl and buffer.nbytes:
                shared = _shared(each, buffer)
                if shared is not None:
                    tell(frame, shared)

    def watched(*given: Any, **about: Any) -> Any:
        made = put(*given, **about)
        guard(look, sys._getframe(1), given, made)
        return made

    _MODULE._batched_device_put_impl = watched
    try:
        yield guard
    finally:
        if _MODULE._batched_device_put_impl is watched:
            _MODULE._batched_device_put_impl = put


def _shared(made: Any, buffer: np.ndarray[Any, Any]) -> Shared | None:
    # An array on several devices has no address, and memory with gaps is no buffer.
    with suppress(ValueError, RuntimeError):
        if made.unsafe_buffer_pointer() == buffer.ctypes.data:
            return Shared(made, buffer)
    return None

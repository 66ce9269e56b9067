"""Counts the programs that JAX compiles, about 1.4 MB each, and frees them before the worker has grown large."""

from __future__ import annotations

import ctypes
import gc
import sys

import jax
import jax.monitoring

from explorer.worker.internals import shared_compiles

MANY = 300
"""The number that is freed when another file runs, which needs few of them."""
MOST = 1_000
"""The number that is freed while one file is edited: its next run compiles anew what it needs."""
_COMPILED = "/backend_compile_duration"


class CompiledPrograms:
    """Counts what JAX compiles, and frees it before the worker has grown large."""

    def __init__(self) -> None:
        self._filename = ""
        self._count = 0
        jax.monitoring.register_event_duration_secs_listener(self._on_event)

    def free_if_many(self, filename: str) -> None:
        """Free all compiled programs if there are too many for a run of the file `filename`."""
        most = MOST if filename == self._filename else MANY
        self._filename = filename
        if self._count < most:
            return
        self._count = 0
        shared_compiles.forget()
        jax.clear_caches()
        gc.collect()
        if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)):
            # The C library keeps freed memory in pieces otherwise: all but a tenth of it.
            trim(0)

    def _on_event(self, event: str, *_: object, **__: object) -> None:
        self._count += event.endswith(_COMPILED)

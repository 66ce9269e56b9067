"""Turns off what would be timed along, such as checkers and the cache on disk, and counts compilations."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import jax
import jax.monitoring
from jax.experimental.compilation_cache import compilation_cache

MISLEADING_FLAGS = (
    "jax_debug_nans",
    "jax_debug_infs",
    "jax_debug_key_reuse",
    "jax_check_tracer_leaks",
    "jax_enable_checks",
    "jax_disable_jit",
    "jax_log_compiles",
    "jax_explain_cache_misses",
    "jax_enable_compilation_cache",
)
"""With jax_debug_nans, for example, a call of 5 microseconds takes 3.5 times as long.

Flags: https://docs.jax.dev/en/latest/debugging/flags.html.
"""


@contextmanager
def undisturbed() -> Iterator[None]:
    """Turn off the flags that distort times, and restore them at the end."""
    before = {name: getattr(jax.config, name) for name in MISLEADING_FLAGS if hasattr(jax.config, name)}
    with ExitStack() as at_the_end:
        # JAX checks only once for a disk cache, unless it is reset.
        at_the_end.callback(compilation_cache.reset_cache)
        for name, value in before.items():
            at_the_end.callback(jax.config.update, name, value)
            jax.config.update(name, False)
        compilation_cache.reset_cache()
        yield


class CompilationCount:
    """Counter of the programs that XLA compiles, as a context manager.

    The event name is not part of JAX's documented interface; under another name the count stays 0.
    """

    def __init__(self) -> None:
        self._count = 0

    def __enter__(self) -> CompilationCount:
        jax.monitoring.register_event_duration_secs_listener(self._on_event)
        return self

    def __exit__(self, *reason: object) -> None:
        jax.monitoring.unregister_event_duration_listener(self._on_event)

    def count(self) -> int:
        """Return the number of programs compiled since the start."""
        return self._count

    def _on_event(self, event: str, duration_secs: float, **_: str | int) -> None:  # noqa: ARG002
        self._count += event.endswith("/backend_compile_duration")

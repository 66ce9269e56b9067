"""JAX as it must be while the clock runs: no checker, no log and no cache on disk that would be timed along."""

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
"""With jax_debug_nans, for one, a call of 5 microseconds takes 3.5 times as long."""


@contextmanager
def undisturbed() -> Iterator[None]:
    """Turn the flags off that make a timing mislead, and back as they were at the end."""
    before = {name: getattr(jax.config, name) for name in MISLEADING_FLAGS if hasattr(jax.config, name)}
    with ExitStack() as at_the_end:
        # JAX asks only once whether there is a cache on disk, unless it is made to ask again.
        at_the_end.callback(compilation_cache.reset_cache)
        for name, value in before.items():
            at_the_end.callback(jax.config.update, name, value)
            jax.config.update(name, False)
        compilation_cache.reset_cache()
        yield


def flags_on() -> tuple[str, ...]:
    """Return which of the flags that mislead are on."""
    return tuple(name for name in MISLEADING_FLAGS if getattr(jax.config, name, False))


class CompilationCount:
    """Counts the programs that XLA compiles, in use as a context.

    The name of the event is not part of JAX's documented interface; under another name nothing is counted.
    """

    def __init__(self) -> None:
        self._count = 0

    def __enter__(self) -> CompilationCount:
        jax.monitoring.register_event_duration_secs_listener(self._on_event)
        return self

    def __exit__(self, *reason: object) -> None:
        jax.monitoring.unregister_event_duration_listener(self._on_event)

    def count(self) -> int:
        """Return how many programs have been compiled since the start."""
        return self._count

    def _on_event(self, event: str, duration_secs: float, **_: str | int) -> None:  # noqa: ARG002
        self._count += event.endswith("/backend_compile_duration")

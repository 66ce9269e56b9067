"""Traces of user code that JAX's caches do not shorten, and parts of JAX replaced while it traces."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import wraps
from pathlib import Path
from typing import Any

import jax
from jax._src import config, pjit

JAX = str(Path(jax.__file__).parent)
"""The folder of JAX's own code."""
Genuine = Callable[..., Any]


@contextmanager
def instead(place: Any, name: str, part: Genuine) -> Iterator[None]:
    """Replace the attribute `name` of `place` by `part` for this thread in the block; `part` receives it first."""
    genuine, thread = getattr(place, name), threading.get_ident()

    @wraps(genuine)
    def ours(*arguments: Any, **named: Any) -> Any:
        if threading.get_ident() != thread:
            return genuine(*arguments, **named)
        return part(genuine, *arguments, **named)

    setattr(place, name, ours)
    try:
        yield
    finally:
        setattr(place, name, genuine)


class IsolatedTraces:
    """A falsy value of the flag ``jax_debug_key_reuse`` that is distinct from False.

    JAX caches traces and batched jaxprs, and a cache hit shows nothing. It keeps separate caches for each value of
    certain flags, so under each instance everything is traced anew once.
    """

    def __bool__(self) -> bool:
        return False

    @contextmanager
    def in_force(self) -> Iterator[None]:
        """Set the flag to this value for this thread in the block."""
        flag: Any = config.debug_key_reuse
        self._saved = flag.swap_local(self)
        try:
            yield
        finally:
            flag.set_local(self._saved)

    @contextmanager
    def of_user_code(self) -> Iterator[None]:
        """Set the flag in the block, except for jitted functions of JAX itself.

        These contain no user code, and JAX has many of them in its caches.
        """

        def infer(genuine: Genuine, function: Any, *rest: Any, **named: Any) -> Any:
            code = getattr(inspect.unwrap(function), "__code__", None)
            if code is None or not code.co_filename.startswith(JAX):
                return genuine(function, *rest, **named)
            with self.lifted():
                return genuine(function, *rest, **named)

        with (
            self.in_force(),
            instead(pjit, "_infer_params", infer) if hasattr(pjit, "_infer_params") else nullcontext(),
        ):
            yield

    @contextmanager
    def lifted(self) -> Iterator[None]:
        """Restore the flag's previous value in the block."""
        flag: Any = config.debug_key_reuse
        now = flag.swap_local(self._saved)
        try:
            yield
        finally:
            flag.set_local(now)

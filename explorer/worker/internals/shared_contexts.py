"""An MLIR context that lowerings share: JAX makes one for each, which takes longer than to lower a small program."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from jax._src.interpreters import mlir

MOST = 64
"""The most lowerings in one context: it keeps the constants of all."""


@dataclass
class _Shared:
    """The context, and the thread that uses it: none while nothing is shared."""

    thread: int | None = None
    context: Any = None
    uses: int = 0


_shared = _Shared()


def install() -> None:
    """Let JAX ask here before it makes a context, unless this version of JAX makes them elsewhere."""
    genuine = getattr(mlir, "make_ir_context", None)
    if genuine is None or hasattr(genuine, "__wrapped__"):
        return
    module: Any = mlir
    module.make_ir_context = _sharing_maker(genuine)


def _sharing_maker(genuine: Callable[[], Any]) -> Callable[[], Any]:
    @functools.wraps(genuine)
    def make_or_share() -> Any:
        if _shared.thread != threading.get_ident():
            return genuine()
        if _shared.context is None or _shared.uses == MOST:
            _shared.context, _shared.uses = genuine(), 0
        _shared.uses += 1
        return _shared.context

    return make_or_share


@contextmanager
def sharing(wanted: bool = True) -> Iterator[None]:
    """Share contexts among the lowerings of this thread in the block, or make one for each in it."""
    install()
    before, _shared.thread = _shared.thread, threading.get_ident() if wanted else None
    try:
        yield
    finally:
        _shared.thread = before
        if before is None:
            _shared.context = None

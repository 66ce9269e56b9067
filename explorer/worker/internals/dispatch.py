"""Routes the operations of a program through JAX's dispatch point to a hook of ours, for JAX 0.10 to 0.12.

JAX has no public one. This is its dispatch point for key checks: while the flag ``jax_debug_key_reuse`` is on, every
operation on concrete arrays goes through one function of ``jax.experimental.key_reuse``, and the compiled fast path is
off. The flag: https://docs.jax.dev/en/latest/jax.experimental.key_reuse.html.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

import jax
from jax._src import config, core, pjit, source_info_util
from jax._src import dispatch as placing
from jax.experimental.key_reuse import _core as key_reuse

from explorer.text.text import Text, say
from explorer.worker.internals.guard import replaced

Dispatch = Callable[..., Any]


class OperationHook(Protocol):
    """Executor of the operations of a recorded program."""

    def __call__(
        self, primitive: Any, implementation: Dispatch, arguments: tuple[Any, ...], parameters: dict[str, Any]
    ) -> Any:
        """Return the results of the operation."""

    def note(self, words: Text) -> None:
        """Record a note on the recording for the user."""


_RECORDED = "recorded"
"""Value of the flag during a recording. JAX treats it as true, and caches traces apart from those of its own checks."""
_SET_BY_PROGRAM = say("The program set jax_debug_key_reuse itself: later draws could not be seen.")
_hooks: list[OperationHook] = []
_checked_before: list[bool] = []
"""For each hook, whether JAX's own checks were on when it was installed."""


@contextmanager
def dispatched_to(hook: OperationHook) -> Iterator[None]:
    """Route every operation in the block to ``hook(primitive, implementation, arguments, parameters)``."""
    if _hooks:
        # The outer hook may have allowed calls that bypass the dispatch point.
        forget_fast_ways()
    saved = key_reuse.call_impl_with_key_reuse_checks, key_reuse.check_key_reuse_jaxpr
    before = config.debug_key_reuse.get_global()

    def is_checked() -> bool:
        """Return whether the program itself turned JAX's checks on."""
        flag: object = config.debug_key_reuse.value
        return flag is True or (flag == _RECORDED and before is True)

    def call(primitive: Any, implementation: Dispatch, *arguments: Any, **parameters: Any) -> Any:
        if is_checked():

            def recorded(*arguments: Any, **parameters: Any) -> Any:
                return hook(primitive, implementation, arguments, parameters)

            return saved[0](primitive, recorded, *arguments, **parameters)
        return hook(primitive, implementation, arguments, parameters)

    def check(jaxpr: Any) -> None:
        # JAX's static check raises during tracing; that is right only if the program asked for it.
        if is_checked():
            saved[1](jaxpr)

    key_reuse.call_impl_with_key_reuse_checks, key_reuse.check_key_reuse_jaxpr = call, check  # type: ignore[assignment]
    _hooks.append(hook)
    _checked_before.append(bool(before))
    # Global, not by the context manager: the program may start threads.
    config.debug_key_reuse.set_global(_RECORDED)
    try:
        yield
    finally:
        after: object = config.debug_key_reuse.get_global()
        if after is False:
            hook.note(_SET_BY_PROGRAM)
        if after == _RECORDED:
            config.debug_key_reuse.set_global(before)
        _hooks.pop()
        _checked_before.pop()
        key_reuse.call_impl_with_key_reuse_checks, key_reuse.check_key_reuse_jaxpr = saved


_PJIT: Any = pjit


def forget_fast_ways() -> None:
    """Empty the C++ fast-path caches of jit, so that each function's next call goes through Python.

    The traces and executables stay: they are cached with the functions, and ``jax.jit(f)`` finds them for the same `f`.
    """
    _PJIT._cpp_pjit_cache_fun_only.clear()
    _PJIT._cpp_pjit_cache_explicit_attributes.clear()
    _PJIT._jax.PjitFunctionCache.clear_all()


@contextmanager
def placements_watched(listener: Callable[[Sequence[Any]], None]) -> Iterator[None]:
    """Pass the results of each ``device_put`` of concrete arrays in the block to `listener`: none is dispatched."""
    put = placing._batched_device_put_impl

    def watched(*arguments: Any, **parameters: Any) -> Any:
        outputs = put(*arguments, **parameters)
        listener(outputs)
        return outputs

    with replaced(placing, "_batched_device_put_impl", watched):
        yield


def undispatched() -> Any:
    """Return a context in which this thread's operations take JAX's usual path, with its usual caches."""
    return jax.debug_key_reuse(False)


@contextmanager
def dispatched_again() -> Iterator[None]:
    """Route operations in the block through the dispatch point, even inside an ``undispatched`` block."""
    saved = config.debug_key_reuse.swap_local(config.config_ext.unset), _own.calls_back
    _own.calls_back = True
    try:
        with source_info_util.reset_name_stack():
            yield
    finally:
        config.debug_key_reuse.set_local(saved[0])
        _own.calls_back = saved[1]


class _ThreadState(threading.local):
    calls_back = False


_own = _ThreadState()


def is_called_back() -> bool:
    """Return whether this thread is inside ``dispatched_again``, while XLA waits in the middle of a program."""
    return _own.calls_back


def is_recording() -> bool:
    """Return whether a recording is active in this process, not necessarily in this thread."""
    return bool(_hooks)


def is_dispatched() -> bool:
    """Return whether operations of this thread go through the dispatch point to one of our hooks."""
    return bool(_hooks) and bool(config.debug_key_reuse.value)


def is_dispatched_to(hook: object) -> bool:
    """Return whether operations of this thread go to `hook` and not to JAX's checks, turned on by the program."""
    flag: object = config.debug_key_reuse.value
    return bool(flag == _RECORDED and _hooks and _hooks[-1] is hook and not _checked_before[-1])


def is_for_all() -> bool:
    """Return whether the current hook also handles operations without keys."""
    return bool(_hooks) and bool(getattr(_hooks[-1], "is_for_all", False))


def returned(name: str, result: Any) -> None:
    """Report the `result` of a call in user code, written as `name`, to the current hook."""
    report = getattr(_hooks[-1], "returned", None) if _hooks else None
    if report is not None:
        report(name, result)


def note(words: Text) -> None:
    """Pass `words` to the current recording, if any."""
    if _hooks:
        _hooks[-1].note(words)


def concrete(arguments: Sequence[Any]) -> list[Any]:
    """Return `arguments` without the wrappers of tracing. Raises UnexpectedTracerError for a leaked tracer."""
    lowered = [core.full_lower(argument) for argument in arguments]
    core.check_eval_args(lowered)
    return lowered

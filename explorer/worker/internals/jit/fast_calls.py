"""`FastPaths` for jitted calls seen before, plain, rewritten or with watched outputs, for JAX 0.10 to 0.12.

While operations go through the dispatch point, jit calls each program through Python, ten times slower than a small
program itself. A program without draws needs one look: then jit may use its own fast path. A program with draws runs
rewritten, on a fast path of ours: a second jitted function next to the user's, with the same rules for equal calls,
that runs the rewritten programs. So does one whose outputs are watched, as it is: its arguments pass through Python.
"""

from __future__ import annotations

import sys
import time
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

import jax
import msgspec
from jax._src import config, core, pjit, source_info_util, traceback_util, tree_util
from jax._src.interpreters import pxla

from explorer.worker.internals import dispatch
from explorer.worker.internals.guard import Guard
from explorer.worker.internals.jit.jit_calls import NAMES
from explorer.worker.internals.jit.watched_outputs import WatchedOutputs

# Frames of this file stand between a call and its trace, and belong to no user code.
source_info_util.register_exclusion(__file__)
traceback_util.register_exclusion(__file__)

_GENUINE = {name: getattr(pjit, name) for name in (*NAMES, "jit_evict_fn")}
_KIND: Any = type(jax.jit(lambda: None))
"""The type of a jitted function."""
_CAPACITY = 8192
_CALL = "cache_miss"
"""The function that jit calls without a fast path: only then will the program run."""
_COPIES = 0.05
"""The most time that copies of donated arguments take, as a share of the run."""
_COPIES_AT_ONCE_S = 0.1
"""More time for them, at the start."""
_BYTES_PER_S = 2e9
"""A low estimate of the speed of a copy, which nothing waits for."""


class Rewritten(Protocol):
    """A replacement for a program, with additional outputs."""

    @property
    def call(self) -> Callable[..., Any]:
        """A jitted function from flat arguments to flat outputs and a pytree of additional arrays."""


class CallHook(Protocol):
    """Recorder of calls, which decides about fast paths."""

    def may_be_fast(self) -> bool:
        """Return whether calls may currently use a fast path, even those that draw."""

    def is_plain(self, parameters: dict[str, Any], arguments: Sequence[Any]) -> bool:
        """Return whether a jit with these `parameters` needs no recording, regardless of the values in `arguments`."""

    def rewritten(self, parameters: dict[str, Any], arguments: Sequence[Any]) -> Rewritten | None:
        """Return the replacement for every call of a jit with these `parameters`, or None."""

    def took(self, rewritten: Rewritten, arrays: Any) -> None:
        """Record a call of `rewritten` that returned the additional `arrays`."""

    def watched(self, function: object, parameters: dict[str, Any]) -> WatchedOutputs | None:
        """Return the outputs to pass on after each call of `function`, a jit with these `parameters`; None for none."""

    def given(self, call: CallWithArguments | None) -> None:
        """Take the arguments of the call whose watched outputs come next in this thread; None if none come."""


class CallWithArguments(msgspec.Struct):
    """A call of a jitted function with its arguments."""

    own_call: _OwnCall
    function: Any
    args: tuple[Any, ...]
    keywords: dict[str, Any]
    copies: Sequence[tuple[Any, Any]] = ()
    """Each array with a copy, of a call that donates some."""

    @property
    def bytes(self) -> int:
        """The bytes of its arguments."""
        return self.own_call.bytes

    def program(self) -> tuple[Any, list[Any]]:
        """Return the jaxpr of the call, and its flat arguments."""
        infer: Any = _GENUINE["_infer_params"]
        parameters, flat = infer(self.function, self.own_call.about, self.args, self.keywords)
        copies = {id(array): copy for array, copy in self.copies}
        return parameters.params["jaxpr"], [copies.get(id(each), each) for each in flat]


class FastPaths:
    """Context in which calls that `hook` has already seen use a fast path, while operations go to that hook.

    A class, not a generator: it must be able to exit when the program has exhausted the recursion limit.
    """

    def __init__(self, hook: CallHook) -> None:
        self._way = _SlowPath(hook)
        self._is_in_use = False

    def __enter__(self) -> None:
        module: Any = pjit
        if any(getattr(module, name) is not each for name, each in _GENUINE.items()):
            # Another watcher needs every call.
            return
        way, evict = self._way, _GENUINE["jit_evict_fn"]

        def evict_too(jitted: Any) -> None:
            evict(jitted)
            way.evict()

        self._is_in_use = True
        module._infer_params, module._run_python_pjit = way.infer, way.run
        module._get_fastpath_data = way.fast_path
        module.jit_evict_fn = _KIND.clear_cache = evict_too

    def __exit__(self, *_: object) -> None:
        if not self._is_in_use:
            return
        module: Any = pjit
        for name in NAMES:
            setattr(module, name, _GENUINE[name])
        module.jit_evict_fn = _KIND.clear_cache = _GENUINE["jit_evict_fn"]
        self._way.own_calls.clear()
        self._way.cache.clear()
        if self._way.has_plain:
            dispatch.forget_fast_ways()


class _Done(NamedTuple):
    """The outputs of a program that already ran, instead of jit's lookup result."""

    outputs: Any


class _Missed(NamedTuple):
    """Marker for a call without a fast path, with jit's lookup result."""

    parameters: Any
    flat: Any


class _Watched(list[Any]):
    """The flat outputs of a program, on their way to the data of its fast path."""

    outputs: WatchedOutputs


class _OwnCall(msgspec.Struct):
    """Our jitted function next to one of the user's."""

    about: Any
    """The jit options of the user's function; held, because its address identifies it."""
    function: weakref.ref[Any]
    call: Callable[..., Any]
    bytes: int = 0
    """The bytes of the arguments of its last program."""
    is_watched: bool = True
    """Whether the outputs of its last program are watched."""


class _NoArray:
    effects = consts = ()


_RAN = (None, None, None, _NoArray, None, None, None)


class _SlowPath:
    """Replacement for jit's slow path during a recording: first calls, and programs that draw."""

    def __init__(self, hook: CallHook) -> None:
        self._hook = hook
        self.own_calls: dict[int, _OwnCall] = {}
        self._rewritten: dict[int, Rewritten] = {}
        """Rewritten programs by id."""
        self._guard = Guard()
        self.cache = pjit._jax.PjitFunctionCache(capacity=_CAPACITY)  # type: ignore[attr-defined]
        self.has_plain = False
        self._begin_s = time.monotonic()
        self._copies_s = 0.0

    def infer(self, function: Any, about: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Find or trace a program, or run the rewritten one at once."""
        own_call = self._guard.call_or(self._own_call, function, about, sys._getframe(1).f_code.co_name, instead=None)
        if own_call is None:
            genuine: Any = _GENUINE["_infer_params"]
            return genuine(function, about, args, keywords)
        if own_call.is_watched:
            self._hook.given(self._guard.call_or(self._given, own_call, function, args, keywords, instead=None))
        # The first call takes this path, too, so that all calls come from one place.
        out = own_call.call(*args, **keywords)
        if type(out) is _Missed:
            return out
        outputs, by_number = out
        for number, arrays in by_number.items():
            self._hook.took(self._rewritten[number], arrays)
        return _Done(outputs), ()

    def _given(self, own_call: _OwnCall, function: Any, args: Any, keywords: Any) -> CallWithArguments | None:
        """Return the arguments of a call, before it donates any; None if copying these takes too long."""
        about = own_call.about
        if not about.donate_argnums and not about.donate_argnames:
            return CallWithArguments(own_call, function, args, keywords)
        begin = time.monotonic()
        if self._copies_s > _COPIES * (begin - self._begin_s) + _COPIES_AT_ONCE_S:
            return None
        # The program itself reports arrays that are deleted, or on different devices.
        with suppress(Exception), dispatch.undispatched():
            arrays = [each for each in jax.tree.leaves((args, keywords)) if isinstance(each, jax.Array)]
            copies = list(zip(arrays, copied(arrays), strict=True))
            self._copies_s += time.monotonic() - begin + own_call.bytes / _BYTES_PER_S
            return CallWithArguments(own_call, function, args, keywords, copies)
        return None

    def run(self, parameters: Any, flat: Any, function: Any, args: Any, keywords: Any) -> Any:
        """Run the program found by `infer`."""
        if type(parameters) is _Done:
            return (parameters.outputs, *_RAN)
        is_call = dispatch.is_dispatched() and core.trace_state_clean()
        watched = self._hook.watched(function, parameters.params) if is_call else None
        ran = self._run(parameters, flat, function, args, keywords)
        if watched is None:
            return ran
        outputs, out_flat, *rest = ran
        watched.returned(out_flat)
        passed = _Watched(out_flat)
        passed.outputs = watched
        return (outputs, passed, *rest)

    def fast_path(self, executable: Any, tree: Any, args_flat: Any, out_flat: Any, *rest: Any) -> Any:
        """Return the data of a fast path, which passes the watched outputs on."""
        genuine: Any = _GENUINE["_get_fastpath_data"]
        data = genuine(executable, tree, args_flat, out_flat, *rest)
        return out_flat.outputs.watching(data, len(out_flat)) if type(out_flat) is _Watched else data

    def _run(self, parameters: Any, flat: Any, function: Any, args: Any, keywords: Any) -> Any:
        genuine: Any = _GENUINE["_run_python_pjit"]
        is_known = self._is_ours() and not (parameters.consts or _is_traced(flat))
        if is_known and self._hook.is_plain(parameters.params, flat):
            self.has_plain = True
            with dispatch.undispatched():
                return genuine(parameters, flat, function, args, keywords)
        return genuine(parameters, flat, function, args, keywords)

    def evict(self) -> None:
        """Drop all functions next to the user's: one of these needs a new trace."""
        self.own_calls.clear()

    def _is_ours(self) -> bool:
        """Return whether operations of this thread go to our hook, without checks of JAX that the program turned on."""
        return (
            dispatch.is_dispatched_to(self._hook)
            and core.trace_state_clean()
            and not config.debug_nans.value
            and not config.debug_infs.value
        )

    def _own_call(self, function: Any, about: Any, requested_by: str) -> _OwnCall | None:
        """Return our function next to `function`, which was jitted with the options `about`, or None.

        `requested_by` is the name of the JAX function that looks for a program.
        """
        if requested_by != _CALL or not self._is_ours() or not self._hook.may_be_fast():
            return None
        number = id(about)
        known = self.own_calls.get(number)
        if known is not None and known.function() is function:
            return known
        if about.device is not None or about.backend is not None:
            return None
        forget = self.own_calls.pop
        try:
            reference = weakref.ref(function, lambda _: forget(number, None))
        except TypeError:
            return None
        own_call = _OwnCall(about, reference, function)
        own_call.call = _like(about, self._miss(own_call), self.cache)
        self.own_calls[number] = own_call
        return own_call

    def _miss(self, own_call: _OwnCall) -> Callable[..., Any]:
        def cache_miss(*args: Any, **keywords: Any) -> tuple[Any, Any, bool]:
            infer: Any = _GENUINE["_infer_params"]
            function = own_call.function()
            parameters, flat = infer(function, own_call.about, args, keywords)
            if parameters.consts or _is_traced(flat):
                self._hook.given(None)
                return _Missed(parameters, flat), None, False
            watched = self._hook.watched(function, parameters.params)
            own_call.is_watched = watched is not None
            if watched is None:
                self._hook.given(None)
            own_call.bytes = sum(getattr(each, "nbytes", 0) for each in flat)
            with dispatch.undispatched():
                rewritten = self._hook.rewritten(parameters.params, flat)
            if rewritten is not None:
                self._rewritten[id(rewritten)] = rewritten
                call: Any = rewritten.call
                own, given = infer(call._fun, call._jit_info, tuple(flat), {})
                outputs, data = _run(own, given, call._fun, parameters.out_tree, self._guard, watched, id(rewritten))
            elif watched is not None and self._hook.is_plain(parameters.params, flat):
                outputs, data = _run(parameters, flat, function, parameters.out_tree, self._guard, watched)
            else:
                return _Missed(parameters, flat), None, False
            return outputs, data, False

        return cache_miss


def _run(
    parameters: Any,
    flat: Sequence[Any],
    function: Any,
    tree: Any,
    guard: Guard,
    watched: WatchedOutputs | None,
    number: int | None = None,
) -> tuple[tuple[Any, dict[int, Any]], Any]:
    """Return the outputs of the program with the `parameters`, and the data that jit needs for its fast path.

    The outputs are the user's, with the structure `tree`, and a dict: from the `number` of a rewritten program to its
    additional outputs. Those that are `watched` are passed on, now and in each call.
    """
    with dispatch.undispatched():
        run: Any = _GENUINE["_run_python_pjit"]
        outputs, out_flat, _, args_flat, jaxpr, executable, profiler, constants = run(
            parameters, flat, function, tuple(flat), {}
        )
        own_calls = {} if number is None else {number: outputs[1]}
        of_user = out_flat if number is None else outputs[0]
        returned = jax.tree.unflatten(tree, of_user), own_calls
        if watched is not None:
            watched.returned(of_user)
        if parameters.consts:
            return returned, None

        def fast() -> Any:
            forms = [tree, tree_util.tree_structure(own_calls)]
            given = tree_util.PyTreeDef.from_node_data_and_children(tree_util.dispatch_registry, (tuple, None), forms)
            genuine: Any = _GENUINE["_get_fastpath_data"]
            data = genuine(executable, given, args_flat, out_flat, jaxpr.effects, jaxpr.consts, profiler, constants)
            return data if watched is None else watched.watching(data, len(out_flat))

        return returned, guard.call_or(fast, instead=None)


def _like(about: Any, cache_miss: Callable[..., Any], cache: Any) -> Any:
    """Return a jitted function with the same rules for equal calls as one jitted with `about`; calls `cache_miss`."""
    key = pxla.JitGlobalCppCacheKeys(
        donate_argnums=about.donate_argnums,
        donate_argnames=about.donate_argnames,
        device=None,
        backend=None,
        in_shardings_treedef=about.in_shardings_treedef,
        in_shardings_leaves=about.in_shardings_leaves,
        out_shardings_treedef=about.out_shardings_treedef,
        out_shardings_leaves=about.out_shardings_leaves,
        in_layouts_treedef=about.in_layouts_treedef,
        in_layouts_leaves=about.in_layouts_leaves,
        out_layouts_treedef=about.out_layouts_treedef,
        out_layouts_leaves=about.out_layouts_leaves,
        compiler_options_kvs=about.compiler_options_kvs,
    )
    return pjit._jax.pjit(  # type: ignore[attr-defined]
        "recorded",
        # No reference to the user's function, so that the program can release it.
        lambda *_, **__: None,
        cache_miss,
        about.static_argnums,
        about.static_argnames,
        key,
        tree_util.dispatch_registry,
        pxla.cc_shard_arg,
        cache,
    )


copied = jax.jit(lambda arrays: [jax.numpy.copy(each) for each in arrays])
"""Copies of arrays, before the program donates them."""


def _is_traced(flat: Sequence[Any]) -> bool:
    return any(isinstance(each, core.Tracer) for each in flat)

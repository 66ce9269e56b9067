"""Calls of jitted functions that were checked before, by a way as fast as jit's own, for JAX 0.10 to 0.12.

While operations go through the dispatch point, jit calls each program by way of Python, which takes ten times as long
as a small program itself. Of what draws nothing, one look is enough: then jit may take its own fast way. What draws is
run rewritten, and for that has a fast way of ours: a second function of jit's own kind next to the user's, with the
same rules for what makes two calls alike, whose programs are the rewritten ones.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import jax
from jax._src import config, core, pjit, source_info_util, traceback_util, tree_util
from jax._src.interpreters import pxla

from explorer.worker.internals import dispatch
from explorer.worker.internals.guard import Guard
from explorer.worker.internals.jit.jit_calls import NAMES

# These frames are no one's code: they stand between a call and what is traced for it.
source_info_util.register_exclusion(__file__)
traceback_util.register_exclusion(__file__)

_NEEDED = (*NAMES, "_cpp_pjit", "jit_evict_fn")
_GENUINE = {name: getattr(pjit, name, None) for name in _NEEDED}
_KIND: Any = type(jax.jit(lambda: None))
"""What a jitted function is."""
_CAPACITY = 8192
_CALL = "cache_miss"
"""The function that jit calls where it has no fast way: only then someone wants the program to run."""


class Rewritten(Protocol):
    """A program instead of the user's, that returns more than that does."""

    @property
    def call(self) -> Callable[..., Any]:
        """A jitted function of flat arguments; it returns flat outputs and something of arrays besides."""


class Hook(Protocol):
    """Who records calls, and tells which of them may go a fast way."""

    def may_be_fast(self) -> bool:
        """Return whether calls just now may go a fast way, also those that draw."""

    def is_plain(self, parameters: dict[str, Any], arguments: Sequence[Any]) -> bool:
        """Return whether nothing of a jit with these `parameters` need be seen, whatever its `arguments` hold."""

    def rewritten(self, parameters: dict[str, Any], arguments: Sequence[Any]) -> Rewritten | None:
        """Return what may run instead of a jit with these `parameters` at every call; None where nothing may."""

    def took(self, rewritten: Rewritten, arrays: Any) -> None:
        """Take down that `rewritten` was called, and returned `arrays` besides."""


class taken:  # noqa: N801
    """Lets what `hook` has seen once go a fast way, as long as operations in the block are dispatched to it.

    It is no generator, because where a program has left hardly any calls to nest it must still be able to end.
    """

    def __init__(self, hook: Hook) -> None:
        self._way = _Way(hook)
        self._is_in_use = False

    def __enter__(self) -> None:
        module: Any = pjit
        if any(each is None or getattr(module, name) is not each for name, each in _GENUINE.items()):
            # In another version of JAX, or where someone else has to know of each call.
            return
        way, evict = self._way, _GENUINE["jit_evict_fn"]

        def evict_too(jitted: Any) -> None:
            evict(jitted)  # type: ignore[misc]
            way.evict()

        self._is_in_use = True
        module._infer_params, module._run_python_pjit = way.infer, way.run
        module.jit_evict_fn = _KIND.clear_cache = evict_too

    def __exit__(self, *_: object) -> None:
        if not self._is_in_use:
            return
        module: Any = pjit
        module._infer_params, module._run_python_pjit = _GENUINE["_infer_params"], _GENUINE["_run_python_pjit"]
        module.jit_evict_fn = _KIND.clear_cache = _GENUINE["jit_evict_fn"]
        self._way.own_calls.clear()
        self._way.cache.clear()
        if self._way.has_plain:
            dispatch.forget_fast_ways()


class _Done(NamedTuple):
    """Instead of a program that jit has found: it has run."""

    outputs: Any


class _Missed(NamedTuple):
    """There is no fast way for a call: what jit has found for it."""

    parameters: Any
    flat: Any


class _OwnCall(NamedTuple):
    """A function of jit's own kind next to one of the user's."""

    about: Any
    """What the user's was jitted with, identified by its address; so held on to."""
    function: weakref.ref[Any]
    call: Callable[..., Any]


class _Nothing:
    effects = consts = ()


_RAN = (None, None, None, _Nothing, None, None, None)


class _Way:
    """The path of jit in a recording without a fast path: at a first call, or for code that draws."""

    def __init__(self, hook: Hook) -> None:
        self._hook = hook
        self.own_calls: dict[int, _OwnCall] = {}
        self._rewritten: dict[int, Rewritten] = {}
        """What was run instead of another program, by its address."""
        self._guard = Guard()
        self.cache = pjit._jax.PjitFunctionCache(capacity=_CAPACITY)  # type: ignore[attr-defined]
        self.has_plain = False

    def infer(self, function: Any, about: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Look for a program, or trace one; or have run the one next to it already."""
        own_calls = self._guard.ask(self._own_call, function, about, sys._getframe(1).f_code.co_name, instead=None)
        if own_calls is None:
            genuine: Any = _GENUINE["_infer_params"]
            return genuine(function, about, args, keywords)
        # Also the first time, so that all calls come from one place.
        out = own_calls(*args, **keywords)
        if type(out) is _Missed:
            return out
        outputs, by_number = out
        ((number, arrays),) = by_number.items()
        self._hook.took(self._rewritten[number], arrays)
        return _Done(outputs), ()

    def run(self, parameters: Any, flat: Any, function: Any, args: Any, keywords: Any) -> Any:
        """Run the program that was found."""
        genuine: Any = _GENUINE["_run_python_pjit"]
        if type(parameters) is _Done:
            return (parameters.outputs, *_RAN)
        if not self._is_ours() or parameters.consts or _is_traced(flat):
            return genuine(parameters, flat, function, args, keywords)
        if self._hook.is_plain(parameters.params, flat):
            self.has_plain = True
            with dispatch.undispatched():
                return genuine(parameters, flat, function, args, keywords)
        return genuine(parameters, flat, function, args, keywords)

    def evict(self) -> None:
        """Forget what runs next to the user's functions: one of them should be traced again."""
        self.own_calls.clear()

    def _is_ours(self) -> bool:
        """Return whether an operation here would be dispatched to our hook, and to no check of JAX's."""
        return (
            dispatch.goes_to(self._hook)
            and core.trace_state_clean()
            and not config.debug_nans.value
            and not config.debug_infs.value
        )

    def _own_call(self, function: Any, about: Any, asker: str) -> Callable[..., Any] | None:
        """Return the function next to `function`, which was jitted with `about`; None where there can be none.

        `asker` is the name of the function of JAX's that looks for a program.
        """
        if asker != _CALL or not self._is_ours() or not self._hook.may_be_fast():
            return None
        number = id(about)
        known = self.own_calls.get(number)
        if known is not None and known.function() is function:
            return known.call
        if about.device is not None or about.backend is not None:
            return None
        forget = self.own_calls.pop
        try:
            reference = weakref.ref(function, lambda _: forget(number, None))
        except TypeError:
            return None
        call: Callable[..., Any] = _like(about, self._miss(reference, about), self.cache)
        self.own_calls[number] = _OwnCall(about, reference, call)
        return call

    def _miss(self, reference: weakref.ref[Any], about: Any) -> Callable[..., Any]:
        def cache_miss(*args: Any, **keywords: Any) -> tuple[Any, Any, bool]:
            infer: Any = _GENUINE["_infer_params"]
            parameters, flat = infer(reference(), about, args, keywords)
            rewritten = None
            if not parameters.consts and not _is_traced(flat):
                with dispatch.undispatched():
                    rewritten = self._hook.rewritten(parameters.params, flat)
            if rewritten is None:
                return _Missed(parameters, flat), None, False
            self._rewritten[id(rewritten)] = rewritten
            outputs, data = _run(rewritten, flat, parameters.out_tree, self._guard)
            return outputs, data, False

        return cache_miss


def _run(rewritten: Rewritten, flat: Sequence[Any], tree: Any, guard: Guard) -> tuple[tuple[Any, dict[int, Any]], Any]:
    """Return what `rewritten` gives, and what jit needs to know to run it again.

    It gives the user's outputs as `tree`, and by the number of `rewritten` what it returns besides.
    """
    call: Any = rewritten.call
    with dispatch.undispatched():
        infer: Any = _GENUINE["_infer_params"]
        run: Any = _GENUINE["_run_python_pjit"]
        parameters, given = infer(call._fun, call._jit_info, tuple(flat), {})
        outputs, out_flat, _, args_flat, jaxpr, executable, profiler, constants = run(
            parameters, given, call._fun, tuple(flat), {}
        )
        own_calls = {id(rewritten): outputs[1]}
        returned = jax.tree.unflatten(tree, outputs[0]), own_calls
        if parameters.consts:
            return returned, None

        def fast() -> Any:
            # Of what the program gets nothing is asked: it is of its own classes.
            forms = [tree, tree_util.tree_structure(own_calls)]
            given = tree_util.PyTreeDef.from_node_data_and_children(tree_util.dispatch_registry, (tuple, None), forms)
            fast_path: Any = _GENUINE["_get_fastpath_data"]
            return fast_path(executable, given, args_flat, out_flat, jaxpr.effects, jaxpr.consts, profiler, constants)

        return returned, guard.ask(fast, instead=None)


def _like(about: Any, cache_miss: Callable[..., Any], cache: Any) -> Any:
    """Return a function that tells calls apart as what was jitted with `about` does, and asks `cache_miss`."""
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
        # What it is the place of must not be held on to: the program may let go of it.
        lambda *_, **__: None,
        cache_miss,
        about.static_argnums,
        about.static_argnames,
        key,
        tree_util.dispatch_registry,
        pxla.cc_shard_arg,
        cache,
    )


def _is_traced(flat: Sequence[Any]) -> bool:
    return any(isinstance(each, core.Tracer) for each in flat)

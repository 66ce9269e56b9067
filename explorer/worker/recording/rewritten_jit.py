"""Rewriting of a jitted function with key operations, so that the keys become additional outputs.

The rewritten function runs under ``jax.jit`` like the original and returns the same bits.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any

import jax
from jax.extend.core import ClosedJaxpr
from msgspec.structs import replace

from explorer.worker.internals import jaxprs, patches
from explorer.worker.recording import rewritten_program
from explorer.worker.recording.events import TracedEvent, key_count, masked
from explorer.worker.recording.jaxpr_interpreter import Interpreter
from explorer.worker.recording.rewritten_program import RewrittenJit

FIRST_ROOM = 1 << 14
"""Initial room in keys per ``while``; a longer loop runs again with more."""


class _Rewritings:
    """The rewritten forms of one jaxpr, by jit options and room."""

    def __init__(self) -> None:
        self.room = FIRST_ROOM
        self.made: dict[Any, RewrittenJit] = {}


_rewritings: weakref.WeakKeyDictionary[ClosedJaxpr, _Rewritings] = weakref.WeakKeyDictionary()
"""Kept as long as JAX keeps the jaxpr, so that unchanged code is not compiled again."""


def traced(parameters: dict[str, Any], arguments: Sequence[Any], most_keys: int, room: int = 0) -> RewrittenJit:
    """Return the jit operation with these `parameters`, rewritten and traced.

    Loops get room for `room` keys, or the room that sufficed last time, but less if the total would exceed `most_keys`.
    Keys outside of loops may still exceed it.
    """
    forms = _rewritings.setdefault(parameters["jaxpr"], _Rewritings())
    forms.room = max(forms.room, room)
    room = forms.room
    while True:
        rewritten = rewritten_jit(parameters, room)
        if rewritten.events is None:
            rewritten.call.trace(*arguments)  # type: ignore[attr-defined]
        if rewritten.keys <= most_keys or not room or not jaxprs.has_while(parameters["jaxpr"].jaxpr):
            return rewritten
        room //= 16


def rewritten_jit(parameters: dict[str, Any], room: int) -> RewrittenJit:
    """Return the jit operation with these `parameters`, rewritten; each ``while`` has room for `room` keys."""
    jaxpr = parameters["jaxpr"]
    forms = _rewritings.setdefault(jaxpr, _Rewritings())
    key = (room if jaxprs.has_while(jaxpr.jaxpr) else 0, *(_key(parameters.get(name)) for name in _JIT_OPTIONS))
    if key not in forms.made:
        forms.made[key] = _jitted(jaxpr, parameters, room)
    return forms.made[key]


_JIT_OPTIONS = ("name", "in_shardings", "out_shardings", "donated_invars", "compiler_options_kvs")


def _key(option: Any) -> Any:
    return tuple(option) if isinstance(option, list) else option


def _jitted(jaxpr: ClosedJaxpr, parameters: dict[str, Any], room: int) -> RewrittenJit:
    # The cached value must not keep the cache's key alive.
    reference = weakref.ref(jaxpr)
    name = parameters["name"]

    def run(*arguments: Any) -> tuple[list[Any], list[Any]]:
        interpreter = Interpreter(lambda inner: rewritten_jit(inner, room), room)
        outputs = interpreter.closed(reference(), arguments)
        interpreter.caught = [_as_of_sampler(each, outputs) for each in interpreter.caught]
        branch = patches.mapped_branch(name)
        if branch is not None:
            masks = [masked(each, arguments[0]) for each in interpreter.caught]
            interpreter.caught = [TracedEvent(event.in_branch(branch), arrays) for event, arrays in masks]
        rewritten.packed = rewritten_program.places(interpreter.caught)
        rewritten.events = tuple(replace(event, fields=tuple(arrays)) for event, arrays in interpreter.caught)
        rewritten.notes = frozenset(interpreter.notes)
        rewritten.length = interpreter.moment
        rewritten.keys = sum(key_count(arrays) for _, arrays in interpreter.caught)
        rewritten.draws = sum(key_count(arrays) for event, arrays in interpreter.caught if event.operation == "draw")
        if rewritten.packed is not None:
            return outputs, [rewritten_program.packed(interpreter.caught)]
        return outputs, [tuple(arrays.values()) for _, arrays in interpreter.caught]

    run.__name__ = run.__qualname__ = name
    rewritten = RewrittenJit(jax.jit(run, **_jit_options(parameters)))
    return rewritten


def _as_of_sampler(caught: TracedEvent, outputs: list[Any]) -> TracedEvent:
    """Return a draw inside a JAX sampler with the dtype of the sampler's result."""
    event, arrays = caught
    if event.operation != "draw" or len(outputs) != 1 or not event.is_inside_jax:
        return caught
    return TracedEvent(replace(event, dtype=outputs[0].dtype.name), arrays)


def _jit_options(parameters: dict[str, Any]) -> dict[str, Any]:
    """Return the ``jax.jit`` options that affect the program: shardings, donation and compiler options."""
    options: dict[str, Any] = {}
    ins, outs = parameters["in_shardings"], parameters["out_shardings"]
    if any(jaxprs.is_specified(each) for each in ins):
        options["in_shardings"] = tuple(each if jaxprs.is_specified(each) else None for each in ins)
    if any(jaxprs.is_specified(each) for each in outs):
        options["out_shardings"] = [each if jaxprs.is_specified(each) else None for each in outs], None
    if any(parameters["donated_invars"]) and not jaxprs.has_while(parameters["jaxpr"].jaxpr):
        # A while may run again with more room, and needs its arguments.
        options["donate_argnums"] = tuple(place for place, given in enumerate(parameters["donated_invars"]) if given)
    if parameters.get("compiler_options_kvs"):
        options["compiler_options"] = dict(parameters["compiler_options_kvs"])
    return options

"""Programs compiled ahead of time: JAX calls them past its dispatch point, so we call the jit they came from.

Ahead-of-time compilation: https://docs.jax.dev/en/latest/aot.html.
"""

from __future__ import annotations

import functools
import weakref
from typing import Any, NamedTuple

import jax
from jax.extend.core import primitives
from jax.stages import Compiled, Lowered

from explorer.text.text import say
from explorer.worker.internals.dispatch import is_dispatched, is_for_all, note
from explorer.worker.internals.jaxprs import has_random, text_draws

UNSEEN = say("A program ran that was compiled before the recording or elsewhere: its draws could not be seen.")


class _Made(NamedTuple):
    """The source of a compiled program: parameters and constants of the equivalent jit operation."""

    parameters: dict[str, Any]
    constants: list[Any]


_lowered: weakref.WeakKeyDictionary[Lowered, _Made] = weakref.WeakKeyDictionary()
_compiled: weakref.WeakKeyDictionary[Compiled, _Made] = weakref.WeakKeyDictionary()
_draws: weakref.WeakKeyDictionary[Compiled, bool] = weakref.WeakKeyDictionary()
"""Whether a compiled program of unknown origin draws random numbers."""


def install() -> None:
    """Make ``jax.stages`` remember programs compiled during a recording, and record their calls."""
    stages: Any = jax.stages
    lower, compile_, call = stages.Traced.lower, stages.Lowered.compile, stages.Compiled.__call__

    @functools.wraps(lower)
    def remember_lowered(self: Any, *arguments: Any, **options: Any) -> Any:
        result = lower(self, *arguments, **options)
        # Traced outside a recording, it lacks the marks for the lineage. Mutable types have no plain jaxpr.
        if is_dispatched() and not self.jaxpr.is_high:
            _lowered[result] = _Made(dict(self._params), list(self._consts))
        return result

    @functools.wraps(compile_)
    def remember_compiled(self: Any, compiler_options: Any = None, **options: Any) -> Any:
        result = compile_(self, compiler_options, **options)
        made = _lowered.get(self)
        if made is not None:
            own = (*made.parameters["compiler_options_kvs"], *(compiler_options or {}).items())
            _compiled[result] = made._replace(parameters={**made.parameters, "compiler_options_kvs": own})
        return result

    @functools.wraps(call)
    def call_recorded(self: Any, *arguments: Any, **named: Any) -> Any:
        return _called(self, arguments, named) if is_dispatched() else call(self, *arguments, **named)

    def _called(compiled: Any, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        made = _compiled.get(compiled)
        if made is None and _seems_to_draw(compiled):
            note(UNSEEN)
        if made is None or not (is_for_all() or has_random(made.parameters["jaxpr"].jaxpr)):
            return call(compiled, *arguments, **named)
        flat, tree = jax.tree.flatten((arguments, named))
        if tree != compiled.in_tree or not _fit(flat, made):
            # JAX raises the right error for them.
            return call(compiled, *arguments, **named)
        outputs = primitives.jit_p.bind(*made.constants, *flat, **made.parameters)
        return jax.tree.unflatten(compiled.out_tree, outputs)

    stages.Traced.lower = remember_lowered
    stages.Lowered.compile = remember_compiled
    stages.Compiled.__call__ = call_recorded


def _fit(arguments: list[Any], made: _Made) -> bool:
    """Return whether a program compiled from `made` accepts these `arguments`; it never accepts tracers."""
    if any(isinstance(argument, jax.core.Tracer) for argument in arguments):
        return False
    given = [jax.typeof(argument) for argument in arguments]
    wanted = made.parameters["jaxpr"].in_avals[len(made.constants) :]
    return [(each.shape, each.dtype) for each in given] == [(each.shape, each.dtype) for each in wanted]


def _seems_to_draw(compiled: Compiled) -> bool:
    if compiled not in _draws:
        _draws[compiled] = text_draws(compiled.as_text() or "")
    return _draws[compiled]

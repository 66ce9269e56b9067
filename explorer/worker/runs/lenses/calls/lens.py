"""The calls lens of one variant: it runs in a freshly loaded program, and each call of jit is watched."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

import jax
import jax.numpy as jnp
import msgspec

from explorer.messages import Transforms
from explorer.messages.lenses.calls import MOST_CALLS, CallsLens
from explorer.text.text import Text, say
from explorer.worker.code import calls, transformed, trees
from explorer.worker.code.calls import placed
from explorer.worker.code.user_code import LoadedProgram
from explorer.worker.errors.failure import failure
from explorer.worker.internals.jit import jit_calls
from explorer.worker.process.output import PrintedText
from explorer.worker.recording.interrupt import Interrupt
from explorer.worker.runs.lens import Asked, LensWork
from explorer.worker.runs.lenses.calls.watched import MOST_SEEN, Watched

_NUMBERS = bool | int | float | complex
FEW = 2
"""Smaller numbers of calls do not show a second call: then the variant runs once more."""


def calls_lens(
    program: LoadedProgram, variant: str, transforms: Transforms, printed: PrintedText, subject: str = ""
) -> CallsLens:
    """Return the calls of jitted functions in `variant` of `program`, a script's in `subject`, under `transforms`.

    The variant runs twice if it makes one call, and under jit if it makes none. Loading the program may raise;
    exceptions of the variant are in the lens, with the calls before them.
    """
    if jit_calls.NOT_WATCHED:
        return CallsLens(sentence=say("Calls cannot be recorded with this version of JAX."))
    watched = Watched(program.is_user_code, program.source)
    notes: list[Text] = []
    error: BaseException | None = None
    with watched.watching(), printed.tapped(watched.wrote):
        loaded = program.anew(until=subject)
        call, inputs = transformed.prepared(loaded, variant, loaded.inputs(), transforms)
        watched.module = loaded.module.__dict__
        watched.tell()
        try:
            _run(watched, call, inputs, lambda: _inputs(watched, loaded, call), subject or variant, notes)
        except Interrupt:
            raise
        except BaseException as raised:
            error = raised
    if watched.count >= MOST_SEEN:
        notes.append(
            say("The first {shown} of more than {seen} calls are shown.", shown=MOST_CALLS, seen=f"{MOST_SEEN:,}")
        )
    elif watched.count > MOST_CALLS:
        notes.append(say("The first {shown} of {seen} calls are shown.", shown=MOST_CALLS, seen=f"{watched.count:,}"))
    calls = tuple(sorted(watched.calls, key=lambda each: each.number))
    lens = CallsLens(calls, watched.count, watched.traces, tuple(notes))
    if not calls:
        lens = msgspec.structs.replace(lens, sentence=say("No call of a jitted function of this code was seen."))
    error = error or watched.error
    if error is not None:
        found = failure(error, program.is_user_code)
        return msgspec.structs.replace(lens, failure=found)
    return lens


def _inputs(watched: Watched, loaded: LoadedProgram, call: Callable[..., Any]) -> dict[str, Any]:
    with watched.aside():
        # The first call may have deleted arguments that a script made.
        made = loaded.anew(until=loaded.called) if loaded.called else loaded
        return calls.arguments_of(call, made.inputs())


def _run(
    watched: Watched,
    call: Callable[..., Any],
    inputs: dict[str, Any],
    again: Callable[[], dict[str, Any]],
    variant: str,
    notes: list[Text],
) -> None:
    """Run `call` until there are enough calls to show. Raises its exceptions."""
    trees.waited_for(calls.call(call, inputs))
    if watched.count >= FEW:
        return
    if watched.count:
        notes.append(say("One run makes one call, so {variant} is run twice.", variant=variant))
        trees.waited_for(calls.call(call, again()))
        return
    by_position, by_name = placed(call, inputs)
    statics = [each for each, value in enumerate(by_position) if not _is_traced(value)]
    static_names = [name for name, value in by_name.items() if not _is_traced(value)]
    jitted = jax.jit(_as_user(call, watched.module.get(variant)), static_argnums=statics, static_argnames=static_names)
    notes.append(
        say(
            "{variant} calls no jitted function. Here it runs under jax.jit itself, twice with the same arguments.",
            variant=variant,
        )
    )
    for given in (inputs, again()):
        trees.waited_for(calls.call(jitted, given))
    changed = _with_another_type(again())
    if changed is None:
        return
    name, other = changed
    count = len(watched.calls), watched.count
    try:
        trees.waited_for(calls.call(jitted, other))
    except Interrupt:
        raise
    except Exception:
        # It has run twice on the arguments it was written for.
        del watched.calls[count[0] :]
        watched.count = count[1]
        return
    notes.append(say("A third time {name} has another dtype.", name=name))


def _as_user(call: Callable[..., Any], function: Any) -> Callable[..., Any]:
    """Return `call`, disguised as the user's `function` for jit."""
    if call is function or not isinstance(function, FunctionType):
        return call

    @functools.wraps(function)
    def called(*by_position: Any, **by_name: Any) -> Any:
        return call(*by_position, **by_name)

    return called


def _with_another_type(inputs: Mapping[str, Any]) -> tuple[str, dict[str, Any]] | None:
    """Return the name of the first float32 array, and the inputs with that array as float16; None without one."""
    for name, value in inputs.items():
        if isinstance(value, jax.Array) and value.dtype == jnp.float32:
            return name, {**inputs, name: value.astype(jnp.float16)}
    return None


def _is_traced(value: Any) -> bool:
    """Return whether an argument holds arrays and only traceable leaves; a single number counts as a constant."""
    leaves = trees.leaves(value)
    return any(hasattr(each, "dtype") for each in leaves) and all(
        hasattr(each, "dtype") or isinstance(each, _NUMBERS) for each in leaves
    )


def _tell(asked: Asked) -> CallsLens:
    with asked.again():
        request, ran = asked.request, asked.ran
        return calls_lens(ran.program, request.variant, ran.request.transforms, asked.channel.printed, request.subject)


# For a failed variant, the calls before the failure explain it.
LENS = LensWork(lambda ended: ended.jits, _tell)

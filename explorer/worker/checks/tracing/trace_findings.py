"""Findings on side effects during traces: stale state, host calls, leaked tracers; most useful first, no repeats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec

from explorer.diagnostics.registry import lesson_of
from explorer.messages import Finding, Level
from explorer.text.text import Text, say
from explorer.worker.checks.tracing.instrumentation import LeakedTracer, StaleState, TraceEvents
from explorer.worker.internals import traces
from explorer.worker.internals.spans import SpanFinder, whole_line


def found(
    noted: Iterable[TraceEvents],
    stale: Iterable[StaleState],
    leaks: Iterable[LeakedTracer],
    is_user_code: Callable[[str], bool],
) -> Iterator[Finding]:
    """Yield the findings for side effects in `noted`, `stale` values and tracers in `leaks`."""
    made = [
        *(_change(each) if each.kind is None else _reading(each) for each in noted),
        *map(_stale, stale),
        *(_leak(each, is_user_code) for each in leaks),
    ]
    for each in made:
        yield msgspec.structs.replace(each, lesson=lesson_of(each.kind))


# -- random numbers and clocks ----------------------------------------------------------------


def _reading(noted: TraceEvents) -> Finding:
    span = noted.place.span
    parts = {"called": f"`{noted.place.text}`", "line": span.line, "function": _function(noted.function)}
    if noted.kind == "clock":
        return _clock(noted, parts)
    if noted.kind == "print":
        message = say(
            "{called} on line {line} runs while {function} is traced: once for each trace, not once for each call. To "
            "print in every call, use jax.debug.print.",
            **parts,
        )
        return Finding("host-state", "note", message, (span,))
    if noted.way == "examples":
        message = say(
            "{called} on line {line} draws once for all examples of a vmap: it runs Python once for the whole batch, "
            "so each example gets the same number. Split a key, map over the keys, and draw with jax.random.",
            **parts,
        )
        return Finding("host-random", "bug", message, (span,), count=noted.count)
    if noted.reaches is False:
        message = say(
            "{called} on line {line} draws while {function} is traced, once for each trace and not for each call. "
            "The number does not reach the result, so this does no harm.",
            **parts,
        )
        return Finding("host-random", "note", message, (span,), count=noted.count)
    message = say(
        "{called} on line {line} draws while {function} is traced, and the number becomes part of the program: "
        "every call, and every iteration of a loop, gets the same one. JAX traces a function once for each "
        "combination of shapes, dtypes and static values, and Python does not run after that. Pass a key in as an "
        "argument, and draw with jax.random.",
        **parts,
    )
    return Finding("host-random", "bug", message, (span,), count=noted.count)


def _clock(noted: TraceEvents, parts: dict[str, object]) -> Finding:
    if noted.reaches:
        message = say(
            "{called} on line {line} is read while {function} is traced, and its value becomes part of the program: "
            "every call gets the same. JAX traces a function once for each combination of shapes, dtypes and static "
            "values, and Python does not run after that. Read it outside, and pass it in as an argument.",
            **parts,
        )
    else:
        message = say(
            "{called} on line {line} is read while {function} is traced: it describes the trace, not a call of the "
            "program. To time a call, read the clock around it, and wait with jax.block_until_ready.",
            **parts,
        )
    level: Level = "bug" if noted.reaches else "note"
    return Finding("host-random", level, message, (noted.place.span,), count=noted.count)


# -- state ------------------------------------------------------------------------------------


def _change(noted: TraceEvents) -> Finding:
    span = noted.place.span
    parts = {"name": f"`{noted.place.text}`", "line": span.line, "function": _function(noted.function)}
    if noted.is_lost:
        message = say(
            "{name} is changed on line {line} while {function} is traced, and the change is lost: JAX traces copies of "
            "the arguments. Return the new value, and let the caller keep it; for a model of Flax NNX, use nnx.jit.",
            **parts,
        )
        return Finding("host-state", "bug", message, (span,))
    if noted.reaches:
        message = say(
            "{name} is changed on line {line} while {function} is traced, and the program depends on it. JAX traces "
            "a function once for each combination of shapes, dtypes and static values: the change happens then, and "
            "all calls compute with the value of that time. Pass it in as an argument, and return the new one.",
            **parts,
        )
        return Finding("host-state", "bug", message, (span,), count=noted.count)
    message = say(
        "{name} is changed on line {line} while {function} is traced: once for each trace, not once for each call. "
        "The program does not depend on it, so this is fine for a cache or a count of traces.",
        **parts,
    )
    return Finding("host-state", "note", message, (span,), count=noted.count)


def _stale(stale: StaleState) -> Finding:
    names = ", ".join(dict.fromkeys(f"`{each.text}`" for each in stale.places))
    lines = ", ".join(map(str, sorted({each.span.line for each in stale.places})))
    message = say(
        "{names} is changed on line {lines}, and {function}, which was traced before and reads it, still computes "
        "with the old value. A value that a traced function reads from outside becomes part of its program. Pass it "
        "in as an argument that is not static: as an array, or in a pytree.",
        names=names,
        lines=lines,
        function=_function(stale.function),
    )
    spans = [each.span for each in stale.places]
    if stale.filename:
        spans.append(whole_line(stale.filename, stale.line))
    return Finding("host-state", "bug", message, tuple(spans))


# -- tracers ----------------------------------------------------------------------------------


def _leak(leak: LeakedTracer, is_user_code: Callable[[str], bool]) -> Finding:
    made = SpanFinder(is_user_code).innermost(traces.made_at(leak.tracer))
    span = leak.place.span if leak.place is not None else made
    parts = {"name": f"`{leak.name}`", "line": span.line if span else 0}
    if leak.place is not None:
        message = say(
            "{name}, set on line {line}, holds a tracer although its trace is over. A tracer stands for a value "
            "only while JAX traces: computing with it later raises UnexpectedTracerError. Return the value from the "
            "function instead.",
            **parts,
        )
    else:
        message = say(
            "{name} holds a tracer although its trace is over. A tracer stands for a value only while JAX traces: "
            "computing with it later raises UnexpectedTracerError. Return the value from the function instead.",
            **parts,
        )
    spans = dict.fromkeys(each for each in (span, made) if each is not None)
    return Finding("leaked-tracer", "bug", message, tuple(spans))


def _function(name: str) -> Text | str:
    """Return the description of the traced function `name`."""
    if not name or name.startswith("<unknown"):
        return say("a function")
    return say("a lambda") if name == "<lambda>" else f"`{name}`"

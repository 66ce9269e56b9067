"""`find`: findings on functions that are compiled repeatedly, from the requests that jit received in a run.

Tracing and caching: https://docs.jax.dev/en/latest/jit-compilation.html.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from explorer.diagnostics.registry import lesson_of
from explorer.messages import Finding, FunctionTraces, Span, TraceReason
from explorer.text.text import Text, say

LEAST = 3
"""Smallest number of recompilations for one cause; the first ones belong to a program's start."""
_REMEDIES: dict[TraceReason, Text] = {
    "new function object": say(
        "Each time it is another function object, from a def, a lambda or a partial that runs again, or from "
        "reading a method (`a.step`), and jit keeps its programs with the object. Make the function, and jit it, once "
        "before the loop."
    ),
    "new static value": say(
        "A static argument has another value each time, and its value is part of the program. Pass it as an array, if "
        "no shape and no branch depends on it; make a function or another object once, before the loop."
    ),
    "new shape": say(
        "An argument has another shape each time, and a program is made for one shape. Pad to a few sizes, or leave "
        "the last incomplete batch out."
    ),
    "new dtype": say(
        "An argument has another dtype each time, and a program is made for one dtype. Convert it before the call."
    ),
    "new structure": say(
        "The arguments have another structure each time: other dict keys, another nesting, or other static data, such "
        "as a new function in a pytree. Pass the same structure in every call."
    ),
    "other": say("The JAX settings around the call differ each time: a flag, a mesh or a context. Set them once."),
}
"""Explanation and remedy for each reason; weak types have a check of their own."""
_OF_BODY = say(
    "Outside of jit, JAX compiles a loop or a branch again for each new function object. Define the function once "
    "before the loop, or jit the function around it."
)


def find(traces: Iterable[FunctionTraces], bodies: Iterable[FunctionTraces] = ()) -> Iterator[Finding]:
    """Yield a warning for each function that was traced and compiled repeatedly for the same reason.

    `bodies` are the bodies of JAX's loops and branches outside of jit.
    """
    for each, is_body in [*((each, False) for each in traces), *((each, True) for each in bodies)]:
        counts: Counter[tuple[TraceReason, Span | None]] = Counter()
        for event in each.events:
            counts[event.reason, event.span] += event.count
        often = [reason for (reason, _), count in counts.most_common() if count >= LEAST and reason in _REMEDIES]
        # A function made for several purposes is a different one each time.
        reason = next((reason for reason in often if reason != "new function object" or each.alike >= LEAST), None)
        if reason is not None and each.compiles >= LEAST:
            anew = is_body and reason == "new function object"
            yield _finding(each, reason, _OF_BODY if anew else _REMEDIES[reason])


def _finding(function: FunctionTraces, reason: TraceReason, why: Text | str) -> Finding:
    message = say(
        "{function} was compiled {count} times in this run. {why}",
        function=say("A lambda") if function.name == "<lambda>" else f"`{function.name}`",
        count=f"{function.compiles:,}",
        why=why,
    )
    calls = [event.span for event in function.events if event.reason == reason and event.span is not None]
    spans = dict.fromkeys([*([function.span] if function.span else []), *calls])
    lesson = lesson_of("recompiles", reason)
    return Finding("recompiles", "warning", message, tuple(spans)[:4], count=function.compiles, lesson=lesson)

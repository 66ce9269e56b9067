"""Watches a run for functions compiled again, for an argument with a weak type in one of the calls only.

Weak types: https://docs.jax.dev/en/latest/type_promotion.html#weak-types. A program that this slowed down, by a carry
that loses its weak type: https://github.com/google-deepmind/mujoco/issues/2306.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any

import jax.monitoring
import msgspec
from msgspec.structs import replace

from explorer import OUR_FILES
from explorer.diagnostics.registry import lesson_of
from explorer.messages import Finding, Span
from explorer.text.text import say
from explorer.worker.internals import traces
from explorer.worker.internals.guard import Guard
from explorer.worker.internals.jit import jaxpr_lookups
from explorer.worker.internals.jit.jaxpr_lookups import JaxprLookup, same
from explorer.worker.internals.spans import SpanFinder, innermost_frame
from explorer.worker.syntax.code_tree import code_file

KIND = "weak-type-recompile"
_COMPILED = "/backend_compile_duration"
"""Suffix of the event that JAX reports for each compilation."""


class _Call(msgspec.Struct, frozen=True):
    """A call that traced a function."""

    asked: JaxprLookup
    function: int
    """Number of the function object."""
    purpose: str
    """The transformation around the call."""
    code: CodeType
    at: int
    """The instruction of the call."""


class Watch:
    """Detector for one stretch of a program; `is_user_code` decides by file name."""

    def __init__(self, is_user_code: Callable[[str], bool]) -> None:
        self._is_user_code, self._spans = is_user_code, SpanFinder(is_user_code)
        self._objects = jaxpr_lookups.FunctionObjects()
        self._guard = Guard()
        self._calls: dict[tuple[str, int], list[_Call]] = {}
        """By where the function is defined."""
        self._waiting: dict[str, _Call] = {}
        """By name of the function: the last call that traced it. It counts once a program is compiled for it."""
        self._found: dict[Span, Finding] = {}

    @contextmanager
    def watching(self) -> Iterator[Guard]:
        """Compare the traces in the block by jit."""
        jax.monitoring.register_event_duration_secs_listener(self._on_event)
        try:
            with jaxpr_lookups.reporting_lookups(self._look) as self._guard:
                yield self._guard
        finally:
            jax.monitoring.unregister_event_duration_listener(self._on_event)

    def findings(self) -> Iterable[Finding]:
        """Return a finding for each call that compiled a function again."""
        return list(self._found.values())

    def _look(self, asked: JaxprLookup) -> None:
        # Within another program nothing is compiled; under vmap the types are not those of a call.
        purpose = traces.under_way()
        if asked.requested_by != "jit" or asked.filename.startswith(OUR_FILES) or purpose in ("program", "examples"):
            return
        frame = innermost_frame(sys._getframe(1), self._is_user_code)
        if frame is None or not self._is_users(asked):
            return
        number = self._objects.number(asked.function)
        # Its code alone is held: a method that stayed alive would be found again by jit, and not compiled.
        asked = replace(asked, function=getattr(asked.function, "__code__", None))
        now = _Call(asked, number, purpose, frame.f_code, frame.f_lasti)
        self._waiting[asked.name] = now

    def _is_users(self, asked: JaxprLookup) -> bool:
        if self._is_user_code(asked.filename):
            return not jaxpr_lookups.made_by_jax(asked.function)
        return jaxpr_lookups.wrapped_code(asked, self._is_user_code) is not None

    def _on_event(self, event: str, duration_secs: float, **about: str | int) -> None:  # noqa: ARG002 (a name of JAX)
        if event.endswith(_COMPILED):
            self._guard(self._compiled, str(about.get("fun_name", "")).removeprefix("jit(").removesuffix(")"))

    def _compiled(self, name: str) -> None:
        now = self._waiting.pop(name, None)
        if now is None:
            return
        calls = self._calls.setdefault((now.asked.filename, now.asked.line), [])
        for before in calls:
            number = _weak_alone(before.asked.values, now.asked.values) if _are_alike(before, now) else None
            if number is not None:
                self._find(before, now, number)
                break
        calls.append(now)

    def _find(self, before: _Call, now: _Call, number: int) -> None:
        here, first = self._spans.span(now.code, now.at), self._spans.span(before.code, before.at)
        if here is not None and first is not None:
            is_now = now.asked.values[number].weak_type
            argument = _argument(*((now, here) if is_now else (before, first)), now.asked.names[number])
            self._found.setdefault(here, _finding(now.asked, before.asked, number, here, first, argument))


def _are_alike(one: _Call, other: _Call) -> bool:
    # Several derivatives of a function are compared only if they are taken at one place.
    if one.purpose != other.purpose or (one.purpose and (one.code, one.at) != (other.code, other.at)):
        return False
    return one.function == other.function and same(one.asked.structure, other.asked.structure)


def _weak_alone(before: tuple[Any, ...], now: tuple[Any, ...]) -> int | None:
    """Return the number of the first argument that differs, if the arguments differ by weak types alone."""
    differing = [number for number, each in enumerate(now) if not same(each, before[number])]
    for number in differing:
        one, other = before[number], now[number]
        if getattr(one, "weak_type", None) is getattr(other, "weak_type", None):
            return None
        if not same(one.strip_weak_type(), other.strip_weak_type()):
            return None
    return differing[0] if differing else None


def _argument(call: _Call, span: Span, name: str) -> Span | None:
    """Return where the argument called `name` stands in the call at `span`."""
    code = code_file(call.code.co_filename)
    node = code.at(span) if code is not None else None
    node = node.value if isinstance(node, ast.Expr) else node
    given = call.asked.function
    if code is None or not isinstance(node, ast.Call) or not isinstance(given, CodeType):
        return None
    names = given.co_varnames[: given.co_argcount]
    by_name = [each.value for each in node.keywords if each.arg == name]
    at_place = node.args[names.index(name) :][:1] if name in names else []
    found = [*by_name, *at_place]
    if not found or isinstance(found[0], ast.Starred):
        return None
    return msgspec.structs.replace(code.span(found[0]), file=span.file)


def _finding(
    now: JaxprLookup, before: JaxprLookup, number: int, here: Span, first: Span, argument: Span | None
) -> Finding:
    name = now.names[number]
    parts: dict[str, object] = {
        "function": say("A lambda") if now.name == "<lambda>" else f"`{now.name}`",
        "line": here.line,
        "name": f"`{name}`",
        "now": _type(now.values[number]),
        "before": _type(before.values[number]),
        "first": first.line,
        "dtype": now.values[number].dtype.name,
    }
    message = say(
        "{function} was compiled again for a later call on line {line}, because of a weak type alone: {name} is "
        "{now} there and was {before} in an earlier one. A Python number has a weak type. Pass the same type in every "
        "call, as with jnp.{dtype}(x)."
        if here == first
        else "{function} was compiled again for the call on line {line}, because of a weak type alone: {name} is {now} "
        "there and was {before} on line {first}. A Python number has a weak type. Pass the same type in every call, "
        "as with jnp.{dtype}(x).",
        **parts,
    )
    spans = dict.fromkeys(each for each in (here, argument or first) if each is not None)
    return Finding(KIND, "warning", message, tuple(spans), lesson=lesson_of(KIND))


def _type(aval: Any) -> str:
    """Return an array type in JAX's notation: ``f32[3]``, or ``~f32[3]`` for a weak type."""
    return "~" * bool(aval.weak_type) + str(aval.str_short(True)).removeprefix("~")

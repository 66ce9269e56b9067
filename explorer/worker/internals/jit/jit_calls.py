"""Watches each call of a jitted function, with or without a trace, for JAX 0.10 to 0.12.

Calls of a known program use a fast path without Python. While watched, all calls take the path of the first one: jit
looks up its caches in Python and finds the same programs.
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import count
from typing import Any, Protocol

import jax
from jax._src import config, pjit

from explorer.worker.internals import traces
from explorer.worker.internals.guard import Guard, replaced
from explorer.worker.internals.jit.jaxpr_lookups import JaxprLookup, StaticValue

_PLACE = re.compile(r"(?P<name>.*) at (?P<file>.*):(?P<line>\d+)", re.DOTALL)
NAMES = ("_infer_params", "_run_python_pjit", "_get_fastpath_data")
"""JAX's functions that look up a program, run it, and prepare the fast path."""


class CallObserver(Protocol):
    """Observer of calls."""

    def wants(self, asked: JaxprLookup) -> bool:
        """Return whether to report calls of the function in `asked`, whose argument fields are empty."""

    def begin(self, asked: JaxprLookup, settings: object, *, is_call: bool) -> None:
        """Record the start of a lookup; without `is_call`, only the lookup was requested, as by ``f.lower``.

        `settings` is JAX's trace context: other settings give another program.
        """

    def found(self) -> None:
        """Record that the program was found and is about to run."""

    def end(self, error: BaseException | None) -> None:
        """Record the end of the call, with its exception, if any."""


@contextmanager
def calls_watched(watch: CallObserver) -> Iterator[tuple[Callable[[], None], Guard]]:
    """Report each call of a jitted function in this thread to `watch`, in the block.

    Yield a function that stops the reports, and the guard that keeps exceptions of `watch` from the program.
    """
    module: Any = pjit
    genuine = {name: getattr(module, name) for name in NAMES}
    way = _SlowPath(watch, genuine)

    def stop() -> None:
        way.is_over = True
        module._get_fastpath_data = genuine["_get_fastpath_data"]

    hooks: tuple[Callable[..., Any], ...] = (way.infer, way.run, lambda *_, **__: None)
    with ExitStack() as stack:
        for name, hook in zip(NAMES, hooks, strict=True):
            stack.enter_context(replaced(module, name, hook))
        yield stop, way.guard


class _SlowPath:
    """Replacement for jit's slow path while calls are watched."""

    def __init__(self, watch: CallObserver, genuine: Mapping[str, Callable[..., Any]]) -> None:
        self.is_over = False
        """Whether new calls are no longer reported."""
        self.guard = Guard()
        self._watch = watch
        self._infer, self._run = genuine["_infer_params"], genuine["_run_python_pjit"]
        self._thread = threading.get_ident()
        self._numbers = count()
        self._known: dict[int, tuple[Any, bool]] = {}
        """By id of the jit options: the options, held so that the id stays valid, and whether calls are reported."""
        self._waiting: list[Any] = []
        """Functions whose programs were found and are about to run."""

    def infer(self, function: Any, about: Any, args: tuple[Any, ...], keywords: Mapping[str, Any]) -> Any:
        """Find or trace a program."""
        if not self._is_wanted(function, about):
            return self._infer(function, about, args, keywords)
        is_call = sys._getframe(1).f_code.co_name == "cache_miss"
        self.guard(self._begin, function, about, args, keywords, is_call)
        try:
            found = self._infer(function, about, args, keywords)
        except BaseException as error:
            self.guard(self._watch.end, error)
            raise
        self.guard(self._watch.found)
        if is_call:
            self._waiting.append(function)
        else:
            self.guard(self._watch.end, None)
        return found

    def _begin(
        self, function: Any, about: Any, args: tuple[Any, ...], keywords: Mapping[str, Any], is_call: bool
    ) -> None:
        asked = _asked(next(self._numbers), function, about, *arguments(about, args, keywords))
        self._watch.begin(asked, config.trace_context(), is_call=is_call)

    def run(self, parameters: Any, flat: Any, function: Any, *rest: Any) -> Any:
        """Run the program found by `infer`."""
        if threading.get_ident() != self._thread or not self._waiting or self._waiting[-1] is not function:
            return self._run(parameters, flat, function, *rest)
        self._waiting.pop()
        try:
            found = self._run(parameters, flat, function, *rest)
            if parameters.params["jaxpr"].effects and not traces.under_way():
                # Its prints belong to this call.
                jax.block_until_ready(found[0])
                jax.effects_barrier()
        except BaseException as error:
            self.guard(self._watch.end, error)
            raise
        self.guard(self._watch.end, None)
        return found

    def _is_wanted(self, function: Any, about: Any) -> bool:
        if self.is_over or threading.get_ident() != self._thread or self.guard.error is not None:
            return False
        known = self._known.get(id(about))
        if known is None:
            wanted = self._watch.wants(_asked(0, function, about, (), (), None))
            known = self._known[id(about)] = about, wanted
        return known[1]


def arguments(
    about: Any, args: tuple[Any, ...], keywords: Mapping[str, Any]
) -> tuple[tuple[str, ...], tuple[Any, ...], Any]:
    """Return the names, values and structure of a call's arguments, for `JaxprLookup`."""
    static_numbers, static_names = set(about.static_argnums), set(about.static_argnames)
    positions = _positions(getattr(about, "fun_signature", None), len(args))
    by_position = enumerate(zip(positions, args, strict=True))
    given = [(name, number in static_numbers, value) for number, (name, value) in by_position]
    given += [(name, name in static_names, value) for name, value in keywords.items()]
    names: list[str] = []
    values: list[Any] = []
    forms: list[Any] = []
    for name, is_static, value in given:
        if is_static:
            names.append(name)
            values.append(StaticValue(value))
            forms.append("static")
            continue
        try:
            leaves, form = jax.tree_util.tree_flatten_with_path(value)
        except Exception:  # a dict with unsortable keys, or a failing user class: jit raises the right error
            leaves, form = [((), value)], None
        names += [f"{name}{jax.tree_util.keystr(path)}" for path, _ in leaves]
        values += [_type(leaf) for _, leaf in leaves]
        forms.append(form)
    return tuple(names), tuple(values), (len(args), tuple(keywords), tuple(forms))


def _asked(number: int, function: Any, about: Any, names: Any, values: Any, structure: Any) -> JaxprLookup:
    found = _PLACE.fullmatch(str(getattr(about, "fun_sourceinfo", "") or ""))
    name = found["name"] if found else str(getattr(function, "__name__", ""))
    filename, line = (found["file"], int(found["line"])) if found else ("", 0)
    return JaxprLookup(number, function, name, filename, line, names, values, structure, None)


def _positions(signature: Any, length: int) -> list[str]:
    """Return the names of the first `length` arguments."""
    found: list[str] = []
    for each in signature.parameters.values() if signature is not None else ():
        if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD):
            found.append(each.name)
        elif each.kind is each.VAR_POSITIONAL:
            found += [f"{each.name}[{number}]" for number in range(length - len(found))]
    found += [f"argument {number}" for number in range(len(found), length)]
    return found[:length]


def _type(leaf: Any) -> Any:
    try:
        return jax.typeof(leaf)
    except Exception:  # jit raises the right error
        return type(leaf).__name__

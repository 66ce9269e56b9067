"""Where in user code an operation on keys comes from: its name there, its span, the vmaps around it."""

from __future__ import annotations

import ast
import itertools
import linecache
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

import jax

from explorer import OUR_FILES
from explorer.messages import Span
from explorer.worker.internals import sources
from explorer.worker.internals.jit import fast_calls
from explorer.worker.internals.patches import VMAP
from explorer.worker.internals.spans import Position, SpanFinder
from explorer.worker.recording.events import CallStack

_JAX = f"{Path(jax.__file__).parent}{os.sep}"
_SAMPLERS = re.compile(r"(_src[\\/])?(random|nn|example_libraries)\b")
"""Parts of JAX, relative to it, whose functions people call to draw; the rest of JAX only passes calls on."""
_KEY_FUNCTIONS = {"split", "fold_in", "key", "PRNGKey", "clone", "wrap_key_data", "random_split", "random_fold_in"}
_PASSES_ON = re.compile(r"(^|\.)_(?!_)|(Meta|BoundMethod|Partial)\.__call__$")
"""Names of a library's private functions, of those that make instances of its classes, and of those that call what
they hold."""
_TANGENT_MAPS = ("jacfwd.<locals>", "jacrev.<locals>")
_LAUNCHER = f"{OUR_FILES}commands{os.sep}"
"""Where a program is started from: who started us is not in the program."""
_BETWEEN = fast_calls.__file__
"""A file of ours that has frames between a call and what is traced for it, the first time."""
_PARAMETER_MAKERS = {"flax": "Scope.param", "haiku": "get_parameter"}
"""By library the function that makes a parameter of a model."""
_SHARD_MAP = f"{_JAX}_src{os.sep}shard_map.py"
_ON_PURPOSE = re.compile(r"#\s*jax-explorer:\s*on purpose\b")
"""The comment on a line that says that what is shared or used again there is meant."""
_FIXED = re.compile(r"\b(eval|evaluation|test|val|valid|validation|fixed|plot|vis|preview|common)_(key|rng|seed)s?\b")
"""Names of keys that are often fixed on purpose, so that pictures and figures of different times can be compared."""


@dataclass(frozen=True)
class VmapLevel:
    """One vmap that an operation went through."""

    size: int
    axis: int | None
    """Axis of the key array that it maps, counted among all mapped axes; None where it does not map the key."""
    tangents: bool = False
    """Whether it maps over directions of a derivative, so that sharing the key is right."""
    call: Span | None = None
    """Where user code called the mapped function."""
    makes_parameter: bool = False
    """Whether a library makes a parameter there of which all examples have one, for a model that it makes outside."""


@dataclass(frozen=True)
class CallSite:
    """The place in user code that an operation belongs to."""

    name: str
    """The function as the user wrote it."""
    span: Span | None
    inside: str
    """The sampler or library function that splits, seeds or folds internally; empty for the user's own."""
    library: bool
    """Whether `name` is a function of a library other than JAX."""
    levels: tuple[VmapLevel, ...]
    """Outermost first."""
    again: bool
    """Whether it repeats an operation for a derivative."""
    position: int
    """A number for the place that called a function of JAX, for what led there, and for the function."""
    place: int
    """A number for the place inside that function."""
    path: tuple[Span, ...] = ()
    """The calls in user code that led there, outermost first; the last is `span`."""
    devices: Span | None = None
    """Where user code called what runs on several devices."""
    imports: bool = False
    """Whether a library does it while it is imported."""
    written: str = ""
    """Of a library's function that makes a key of a seed: its call in user code."""


class CallSiteFinder:
    """Finds call sites, for one analysis."""

    def __init__(self, is_user_code: Callable[[str], bool]) -> None:
        self._is_user_code = is_user_code
        self._spans = SpanFinder(is_user_code)
        self._numbers: dict[tuple[tuple[int, int], ...], int] = {}
        self._looked_at: set[Span] = set()
        self.fixed: set[Span] = set()
        """Calls that are given a key whose name says that it is fixed."""
        self.marked: set[Span] = set()
        """The comments, on lines that were met, that say that what happens there is on purpose."""

    def call_site(self, source: CallStack, operation: str) -> CallSite:
        """Return the call site of an operation that comes from `source`."""
        frames = [frame for each in source.tracebacks for frame in zip(*each.raw_frames(), strict=True)]
        frames = [frame for frame in frames if frame[0].co_filename != _BETWEEN]
        frames = list(itertools.takewhile(lambda frame: not frame[0].co_filename.startswith(_LAUNCHER), frames))
        all_users = [place for place, (code, _) in enumerate(frames) if self._is_user_code(code.co_filename)]
        user_frame = all_users[0] if all_users else None
        outside_jax = [sources.is_user_file(code.co_filename) for code, _ in frames]
        calling = outside_jax.index(True) if True in outside_jax else len(frames)
        span = self._spans.span(*frames[user_frame]) if user_frame is not None else None
        name, library = _name_and_kind(frames[: _ours(frames) if user_frame is None else user_frame], operation)
        if user_frame and span and "<locals>" in name:
            # A library's closure, which the user knows by another name.
            is_called = frames[user_frame - 1][0].co_qualname == name
            name = _written_name(frames[user_frame][0].co_filename, span, is_called) or name
        imports, is_seeded, name = library and name == "<module>", library and operation == "seed", _public(name)
        own = operation == "draw" or user_frame is None or (name in _KEY_FUNCTIONS and not library)
        return CallSite(
            name=name,
            span=span,
            inside="" if own else name,
            library=library,
            levels=self._levels(source.stack, frames),
            again=_repeats(source.stack),
            position=self._number([*frames[calling:], *_function_called(frames[:calling])]),
            place=self._number(frames[:calling]),
            path=tuple(span for place in reversed(all_users) if (span := self._seen(*frames[place])) is not None),
            devices=self._spread_from(frames),
            imports=imports,
            written=_text(frames[user_frame or 0][0].co_filename, span) if is_seeded and span else "",
        )

    def _seen(self, code: CodeType, offset: int) -> Span | None:
        """Return the span of a place of user code, whose lines are checked for marks."""
        span = self._spans.span(code, offset)
        if span is not None and span not in self._looked_at:
            self._looked_at.add(span)
            for line in range(span.line, span.end_line + 1):
                if comment := _ON_PURPOSE.search(linecache.getline(code.co_filename, line)):
                    self.marked.add(Span(line, comment.start(), line, comment.end(), span.file))
            if _FIXED.search(_text(code.co_filename, span)):
                self.fixed.add(span)
        return span

    def _spread_from(self, frames: list[Position]) -> Span | None:
        # Each operation inside is one more shard_map while JAX carries them out one by one.
        spreading = [place for place, (code, _) in enumerate(frames) if code.co_filename == _SHARD_MAP]
        return self._spans.innermost(frames[spreading[-1] :]) if spreading else None

    def _number(self, frames: list[Position]) -> int:
        # Two code objects compare by their instructions, which is slow.
        return self._numbers.setdefault(tuple((id(code), offset) for code, offset in frames), len(self._numbers))

    def _levels(self, stack: sources.NameStack, frames: list[Position]) -> tuple[VmapLevel, ...]:
        marks = sources.vmap_levels(stack)
        # Innermost first, like the marks.
        calls = [frames[place + 1 :] for place, (code, _) in enumerate(frames) if _is_vmap(code)]
        tangents = [_maps_tangents(callers) for callers in calls]
        spans = [self._spans.innermost(callers) for callers in calls]
        makers = [_parameter_maker(frames[: len(frames) - len(callers)], callers) for callers in calls]
        if len(calls) != len(marks):
            tangents, spans, makers = [any(tangents)] * len(marks), [None] * len(marks), [""] * len(marks)
        levels = []
        # The outermost vmap was the last to add its axis, so axes are dealt out from there.
        free = list(range(sum(axis is not None for _, axis in marks)))
        unmapped = sources.unmapped_sizes(stack)
        for (size, axis), over_tangents, call, maker in zip(
            marks[::-1], tangents[::-1], spans[::-1], makers[::-1], strict=True
        ):
            place = free.pop(min(axis, len(free) - 1)) if axis is not None else None
            is_shared = maker == "haiku" or (maker == "flax" and size in unmapped)
            levels.append(VmapLevel(size, place, over_tangents, call, is_shared))
        return tuple(levels)


def _ours(frames: list[Position]) -> int | None:
    """Return where in `frames` (innermost first) this program begins, which called a function that is no one's code."""
    return next((place for place, (code, _) in enumerate(frames) if code.co_filename.startswith(OUR_FILES)), None)


def _name_and_kind(frames: list[Position], operation: str) -> tuple[str, bool]:
    """Return the qualified name of the outermost function in `frames` (innermost first) that a user would call.

    With it comes whether it belongs to a library other than JAX.
    """
    passing_on = None
    for code, _ in reversed(frames):
        filename, name = code.co_filename, code.co_qualname
        if filename.startswith(_JAX):
            if _is_sampler(code):
                return passing_on or (name, False)
        elif not filename.startswith(OUR_FILES) and sources.is_user_file(filename):
            if not _PASSES_ON.search(name):
                return name, True
            passing_on = passing_on or (name, True)
    return passing_on or (operation, False)


def _function_called(frames: list[Position]) -> list[Position]:
    """Return the start of the outermost of JAX's samplers in `frames` (innermost first), nothing if there is none."""
    samplers = [(code, 0) for code, _ in frames if _is_sampler(code)]
    return samplers[-1:]


def _is_sampler(code: CodeType) -> bool:
    return code.co_filename.startswith(_JAX) and bool(_SAMPLERS.match(code.co_filename[len(_JAX) :]))


def _text(filename: str, span: Span) -> str:
    lines = [linecache.getline(filename, number) for number in range(span.line, span.end_line + 1)]
    lines[-1] = lines[-1][: span.end_column]
    return "".join(lines)[span.column :]


def _written_name(filename: str, span: Span, is_called: bool) -> str:
    """Return the name of the function in the call at `span`, empty if it has none there.

    If it is not called itself it is transformed first, as in ``jax.vmap(function)(...)``. A module may be made and
    called at once, as in ``hk.Linear(3)(...)``.
    """
    try:
        call = ast.parse(_text(filename, span), mode="eval").body
    except SyntaxError:
        return ""
    function = call.func if isinstance(call, ast.Call) else None
    if not is_called and not isinstance(function, ast.Call):
        return ""
    if isinstance(function, ast.Call):
        maker, given = _last_name(function.func), _last_name(function.args[0]) if function.args else ""
        return maker if maker[:1].isupper() else given or (maker if is_called else "")
    return _last_name(function)


def _last_name(expression: ast.expr | None) -> str:
    if isinstance(expression, ast.Attribute):
        return expression.attr
    return expression.id if isinstance(expression, ast.Name) else ""


def _public(qualified: str) -> str:
    """Return the last part of a qualified name that says something."""
    parts = [part for part in qualified.split(".") if part != "<locals>"]
    special = parts[-1].startswith("__") and parts[-1].endswith("__") and len(parts) > 1
    name = parts[-2] if special else parts[-1]
    return name.strip("_") or name


def _is_vmap(code: CodeType) -> bool:
    return code.co_qualname == VMAP and code.co_filename.startswith(_JAX)


def _parameter_maker(inner: list[Position], outer: list[Position]) -> str:
    """Return the library that makes a parameter inside a vmap, of frames `inner`, for a model made `outer`; else "".

    A parameter of Haiku's that is made there and kept outside is never mapped; one of Flax's is not, where the vmap
    returns anything that is not.
    """
    for code, _ in inner:
        for library, name in _PARAMETER_MAKERS.items():
            if code.co_qualname == name and _is_of(code, library):
                return library if any(_is_of(other, library) for other, _ in outer) else ""
    return ""


def _is_of(code: CodeType, library: str) -> bool:
    return f"{os.sep}{library}{os.sep}" in code.co_filename


def _maps_tangents(callers: list[Position]) -> bool:
    """Return whether the vmap that these frames called, innermost first, is one that JAX makes for a Jacobian."""
    caller = next((code for code, _ in callers if "reraise_with_filtered_traceback" not in code.co_qualname), None)
    return caller is not None and caller.co_filename.startswith(_JAX) and caller.co_qualname.startswith(_TANGENT_MAPS)


def _repeats(stack: sources.NameStack) -> bool:
    """Return whether the name stack is that of a second computation: rematerialised, or of a backward pass."""
    return "rematted_computation" in sources.scopes(stack) or "transpose" in sources.transforms(stack)

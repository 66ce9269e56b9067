"""Locates key operations in user code: function, span, surrounding vmaps, comments that say "on purpose"."""

from __future__ import annotations

import ast
import itertools
import linecache
import opcode
import os
import re
from collections import defaultdict
from collections.abc import Callable
from types import CodeType

import msgspec

from explorer import OUR_FILES
from explorer.messages import Span
from explorer.worker.code import own_modules
from explorer.worker.internals import sources
from explorer.worker.internals.jit import fast_calls
from explorer.worker.internals.patches import VMAP
from explorer.worker.internals.sources import JAX_FILES
from explorer.worker.internals.spans import Position, SpanFinder
from explorer.worker.lineage.call_roles import CallRole, call_roles, chosen, permuted_array, text_of, underscore_targets
from explorer.worker.recording.events import CallStack
from explorer.worker.syntax.code_tree import last_name

_SAMPLERS = re.compile(r"(_src[\\/])?(random|nn|example_libraries)\b")
"""Parts of JAX, relative to its folder, whose functions users call to draw; other JAX functions only forward calls."""
_KEY_FUNCTIONS = {"split", "fold_in", "key", "PRNGKey", "clone", "wrap_key_data", "random_split", "random_fold_in"}
_PASSES_ON = re.compile(r"(^|\.)_(?!_)|(Meta|BoundMethod|Partial)\.__call__$")
"""A library's private functions, functions that make instances of its classes, and functions that call a stored one."""
_TANGENT_MAPS = ("jacfwd.<locals>", "jacrev.<locals>")
_LAUNCHER = f"{OUR_FILES}commands{os.sep}"
"""Frames from here on outwards started the program and do not belong to it."""
_BETWEEN = fast_calls.__file__
"""One of our files, whose frames stand between a call and its first trace."""
_PARAMETER_MAKERS = {"flax": "Scope.param", "haiku": "get_parameter"}
"""For each library, the function that makes a model parameter."""
_RNGS = {
    f"flax{os.sep}nnx": "nnx.split_rngs(splits=...)",
    f"flax{os.sep}core": "split_rngs={...: True}",
    f"flax{os.sep}linen": "split_rngs={...: True}",
    "haiku": "split_rng=True",
}
"""By the folder of a library with a vmap of its own, how a program has it split the key for each example."""
_SHARD_MAP = f"{JAX_FILES}_src{os.sep}shard_map.py"
_ON_PURPOSE = re.compile(r"#\s*jax-explorer:\s*on purpose\b")
"""The comment that marks sharing or reuse on its line as intended."""
_PRECALL = opcode.opmap.get("PRECALL")


class VmapLevel(msgspec.Struct, frozen=True):
    """One vmap around an operation."""

    size: int
    axis: int | None
    """Axis of the key array that this vmap maps, counted among all mapped axes; None if it does not map the key."""
    tangents: bool = False
    """Whether it maps over tangent directions (`jacfwd`, `hessian`), where all of them rightly share one key."""
    call: Span | None = None
    """The call of the mapped function in user code."""
    makes_parameter: bool = False
    """Whether a library makes a model parameter under this vmap that all examples share."""
    rngs: str = ""
    """How the library whose own vmap this is gives each example a key; empty for `jax.vmap` itself."""


class CallSite(msgspec.Struct, frozen=True):
    """The place in user code of a key operation."""

    name: str
    """The function, as written in user code."""
    span: Span | None
    inside: str
    """The sampler or library function that splits, seeds or folds internally; empty for a direct call by user code."""
    library: bool
    """Whether `name` is a function of a library other than JAX."""
    levels: tuple[VmapLevel, ...]
    """Outermost first."""
    again: bool
    """Whether the backward pass or rematerialisation repeats the operation."""
    position: int
    """Number of this call of a JAX function: equal for equal call stacks and functions."""
    place: int
    """Number of the position inside that function."""
    path: tuple[Span, ...] = ()
    """The calls in user code that lead to the operation, outermost first; the last one is `span`."""
    devices: Span | None = None
    """The call in user code that runs on several devices."""
    imports: bool = False
    """Whether a library runs the operation at import."""
    written: str = ""
    """Source text of the call in user code, for a library function; else empty."""
    permuted: str = ""
    """Source text of the array whose rows `jax.random.permutation` puts in order here; empty for other functions."""
    chosen: Span | None = None
    """The call of `where` or `select` that takes the numbers drawn here, or others, element by element."""
    own: str = ""
    """The file next to the program that the function is of; empty for a function of a library or of JAX."""
    ignored: frozenset[int] = frozenset()
    """The children of a split that the code calls `_`."""


class CallSiteFinder:
    """Finder of call sites, for one analysis."""

    def __init__(self, is_user_code: Callable[[str], bool]) -> None:
        self._is_user_code = is_user_code
        self._spans = SpanFinder(is_user_code)
        self._numbers: dict[tuple[tuple[int, int], ...], int] = {}
        self._instructions: dict[tuple[int, int], tuple[int, int]] = {}
        self._looked_at: set[Span] = set()
        self.call_roles: defaultdict[CallRole, set[Span]] = defaultdict(set)
        """What the code around the visited calls says of them."""
        self.marked: set[Span] = set()
        """"On purpose" comments on the visited lines."""

    def call_site(self, source: CallStack, operation: str) -> CallSite:
        """Return the call site of an operation recorded at `source`."""
        frames = [frame for each in source.tracebacks for frame in zip(*each.raw_frames(), strict=True)]
        frames = [frame for frame in frames if frame[0].co_filename != _BETWEEN]
        frames = list(itertools.takewhile(lambda frame: not frame[0].co_filename.startswith(_LAUNCHER), frames))
        all_users = [place for place, (code, _) in enumerate(frames) if self._is_user_code(code.co_filename)]
        user_frame = all_users[0] if all_users else None
        outside_jax = [sources.is_user_file(code.co_filename) for code, _ in frames]
        calling = outside_jax.index(True) if True in outside_jax else len(frames)
        span = self._spans.span(*frames[user_frame]) if user_frame is not None else None
        called = _called(frames[: _ours(frames) if user_frame is None else user_frame])
        name, library = (
            called.co_qualname if called else operation,
            bool(called and not called.co_filename.startswith(JAX_FILES)),
        )
        here = (frames[user_frame][0].co_filename, span) if user_frame is not None and span else None
        if user_frame and here and "<locals>" in name:
            # A library's closure, which the user knows by another name.
            name = _written_name(*here, is_called=frames[user_frame - 1][0].co_qualname == name) or name
        imports, name = library and name == "<module>", _public(name)
        own = operation == "draw" or user_frame is None or (name in _KEY_FUNCTIONS and not library)
        return CallSite(
            name=name,
            span=span,
            inside="" if own else name,
            library=library,
            levels=self._levels(source.stack, frames),
            again=_repeats(source.stack),
            position=self._number([*frames[calling:], *_function_called(frames[:calling])]),
            # A sampler may have been traced earlier, with other watches of ours around JAX's operations.
            place=self._number([each for each in frames[:calling] if not each[0].co_filename.startswith(OUR_FILES)]),
            path=tuple(
                span
                for place in reversed(all_users)
                if (span := self._seen(*frames[place], of_jax=place > 0 and _is_of_jax(frames[place - 1][0])))
            ),
            devices=self._spread_from(frames),
            imports=imports,
            written=text_of(*here) if library and here else "",
            permuted=permuted_array(*here) if here and name == "permutation" and not library else "",
            chosen=chosen(*here) if here and operation == "draw" else None,
            own=own_modules.own_name(called.co_filename) if called is not None and library else "",
            ignored=underscore_targets(*here) if here and operation == "split" else frozenset(),
        )

    def _seen(self, code: CodeType, offset: int, *, of_jax: bool) -> Span | None:
        """Return the span of a position in user code, and collect the "on purpose" comments on its lines.

        `of_jax` says whether a function of JAX is called there: it has no effect but its result.
        """
        span = self._spans.span(code, offset)
        if span is not None and span not in self._looked_at:
            self._looked_at.add(span)
            for line in range(span.line, span.end_line + 1):
                if comment := _ON_PURPOSE.search(linecache.getline(code.co_filename, line)):
                    self.marked.add(Span(line, comment.start(), line, comment.end(), span.file))
            for role in call_roles(code.co_filename, span, of_jax):
                self.call_roles[role].add(span)
        return span

    def _spread_from(self, frames: list[Position]) -> Span | None:
        # JAX runs the body one operation at a time, and each operation is one more shard_map.
        spreading = [place for place, (code, _) in enumerate(frames) if code.co_filename == _SHARD_MAP]
        return self._spans.innermost(frames[spreading[-1] :]) if spreading else None

    def _number(self, frames: list[Position]) -> int:
        place = tuple(self._instruction(code, offset) for code, offset in frames)
        return self._numbers.setdefault(place, len(self._numbers))

    def _instruction(self, code: CodeType, offset: int) -> tuple[int, int]:
        """Return the identity of an instruction: Python 3.11 makes a call at either of two, PRECALL and then CALL."""
        # Two code objects compare by their instructions, which is slow.
        key = id(code), offset
        if key not in self._instructions:
            is_first = 0 <= offset < len(code.co_code) and code.co_code[offset] == _PRECALL
            self._instructions[key] = id(code), offset + 4 if is_first else offset
        return self._instructions[key]

    def _levels(self, stack: sources.NameStack, frames: list[Position]) -> tuple[VmapLevel, ...]:
        marks = sources.vmap_levels(stack)
        # Innermost first, like the marks.
        calls = [frames[place + 1 :] for place, (code, _) in enumerate(frames) if _is_vmap(code)]
        tangents = [_maps_tangents(callers) for callers in calls]
        spans = [self._spans.innermost(callers) for callers in calls]
        makers = [_parameter_maker(frames[: len(frames) - len(callers)], callers) for callers in calls]
        rngs = [_rngs_of(callers) for callers in calls]
        if len(calls) != len(marks):
            none = [""] * len(marks)
            tangents, spans, makers, rngs = [any(tangents)] * len(marks), [None] * len(marks), none, none
        levels = []
        # The outermost vmap was the last to add its axis, so axes are dealt out from there.
        free = list(range(sum(axis is not None for _, axis in marks)))
        unmapped = sources.unmapped_sizes(stack)
        for (size, axis), over_tangents, call, maker, split in zip(
            marks[::-1], tangents[::-1], spans[::-1], makers[::-1], rngs[::-1], strict=True
        ):
            place = free.pop(min(axis, len(free) - 1)) if axis is not None else None
            is_shared = maker == "haiku" or (maker == "flax" and size in unmapped)
            levels.append(VmapLevel(size, place, over_tangents, call, is_shared, split))
        return tuple(levels)


def _ours(frames: list[Position]) -> int | None:
    """Return the index in `frames` (innermost first) of our first frame, which called a function outside user code."""
    return next((place for place, (code, _) in enumerate(frames) if code.co_filename.startswith(OUR_FILES)), None)


def _called(frames: list[Position]) -> CodeType | None:
    """Return the outermost function in `frames` (innermost first) that a user would call, or None."""
    passing_on = None
    for code, _ in reversed(frames):
        filename = code.co_filename
        if filename.startswith(JAX_FILES):
            if _is_sampler(code):
                return passing_on or code
        elif not filename.startswith(OUR_FILES) and sources.is_user_file(filename):
            if not _PASSES_ON.search(code.co_qualname):
                return code
            passing_on = passing_on or code
    return passing_on


def _function_called(frames: list[Position]) -> list[Position]:
    """Return the start of the outermost JAX sampler in `frames` (innermost first), or nothing."""
    samplers = [(code, 0) for code, _ in frames if _is_sampler(code)]
    return samplers[-1:]


def _is_sampler(code: CodeType) -> bool:
    return code.co_filename.startswith(JAX_FILES) and bool(_SAMPLERS.match(code.co_filename[len(JAX_FILES) :]))


def _written_name(filename: str, span: Span, is_called: bool) -> str:
    """Return the name of the function in the call at `span`, or an empty string.

    A function that is not called itself is transformed first, as in ``jax.vmap(function)(...)``. A module may be made
    and called at once, as in ``hk.Linear(3)(...)``.
    """
    try:
        call = ast.parse(text_of(filename, span), mode="eval").body
    except SyntaxError:
        return ""
    function = call.func if isinstance(call, ast.Call) else None
    if not is_called and not isinstance(function, ast.Call):
        return ""
    if isinstance(function, ast.Call):
        maker, given = last_name(function.func), last_name(function.args[0]) if function.args else ""
        return maker if maker[:1].isupper() else given or (maker if is_called else "")
    return last_name(function)


def _public(qualified: str) -> str:
    """Return the last meaningful part of a qualified name."""
    parts = [part for part in qualified.split(".") if part != "<locals>"]
    special = parts[-1].startswith("__") and parts[-1].endswith("__") and len(parts) > 1
    name = parts[-2] if special else parts[-1]
    return name.strip("_") or name


def _is_vmap(code: CodeType) -> bool:
    return code.co_qualname == VMAP and code.co_filename.startswith(JAX_FILES)


def _parameter_maker(inner: list[Position], outer: list[Position]) -> str:
    """Return the library that makes a parameter in the frames `inner` of a vmap, for a model made in `outer`; else "".

    Haiku never maps a parameter that it makes under a vmap and keeps outside. Flax does not map it if any output of the
    vmap is unmapped.
    """
    for code, _ in inner:
        for library, name in _PARAMETER_MAKERS.items():
            if code.co_qualname == name and _is_of(code, library):
                return library if any(_is_of(other, library) for other, _ in outer) else ""
    return ""


def _rngs_of(callers: list[Position]) -> str:
    """Return how a library's vmap, which `callers` (innermost first) begin with, gives each example a key."""
    own = next((code for code, _ in callers if not code.co_filename.startswith(JAX_FILES)), None)
    return next((split for library, split in _RNGS.items() if own is not None and _is_of(own, library)), "")


def _is_of_jax(code: CodeType) -> bool:
    return code.co_filename.startswith((JAX_FILES, OUR_FILES))


def _is_of(code: CodeType, library: str) -> bool:
    return f"{os.sep}{library}{os.sep}" in code.co_filename


def _maps_tangents(callers: list[Position]) -> bool:
    """Return whether JAX made this vmap for a Jacobian; `callers` are the frames that called it, innermost first."""
    caller = next((code for code, _ in callers if "reraise_with_filtered_traceback" not in code.co_qualname), None)
    return (
        caller is not None and caller.co_filename.startswith(JAX_FILES) and caller.co_qualname.startswith(_TANGENT_MAPS)
    )


def _repeats(stack: sources.NameStack) -> bool:
    """Return whether the name stack belongs to rematerialisation or a backward pass."""
    return "rematted_computation" in sources.scopes(stack) or "transpose" in sources.transforms(stack)

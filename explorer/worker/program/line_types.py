"""The types of the values that each line of user code makes, observed while JAX traces it.

The tracers themselves are read: under vmap they have the types of one example, which the finished jaxpr lacks.
"""

from __future__ import annotations

import ast
import linecache
import sys
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from types import FrameType
from typing import Any, NamedTuple

import jax
import numpy as np
from jax.extend.core import Var

from explorer.messages import LineType, LineTypes
from explorer.worker.internals.batching.levels import (
    Location,
    OuterCall,
    RunningVmap,
    calls_noted,
    levels_around,
    location,
)
from explorer.worker.program.equations import type_text
from explorer.worker.program.varying import VaryingAxes

MOST_VALUES = 6
"""Largest number of values reported of one form; an ellipsis stands for more."""
MOST_FORMS = 4
"""Largest number of forms reported per line."""
MOST_SEEN = 1000
"""Largest number of times that a line is observed."""
_EXPRESSIONS = ("<lambda>", "<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
"""Names of code objects that have no statements."""


@contextmanager
def line_types_noted(
    is_user_code: Callable[[str], bool], *, untraced: bool = False
) -> Iterator[Callable[[], dict[int, LineTypes]]]:
    """Yield a function that returns the types of all lines that this thread traces in the block, by line.

    With `untraced`, lines that make arrays without a trace are included.
    """
    watch, before = _Watch(is_user_code, untraced=untraced), sys.gettrace()
    with calls_noted() as calls:
        sys.settrace(watch.on_frame)
        running: FrameType | None = sys._getframe()
        while running is not None:
            # They have begun before, as the program's own file has.
            if running.f_trace is None:
                running.f_trace = watch.on_frame(running, "call", None)
            running = running.f_back
        try:
            # Values that a line assigns come before those that a lambda on it returns.
            yield lambda: _Found({**watch.of_lambdas, **watch.values}, calls).line_types()
        finally:
            sys.settrace(before)


class _Value(NamedTuple):
    type: str
    location: Location | None
    """None for a value that is not traced."""


class _Values(NamedTuple):
    """The values that a line made, and the vmaps around it."""

    values: tuple[_Value, ...]
    around: tuple[RunningVmap, ...]


ValuesByLine = defaultdict[int, dict[_Values, None]]
"""In the order of the run, without repetitions."""


# -- observation --------------------------------------------------------------------------------


class _Statement(NamedTuple):
    line: int
    targets: tuple[ast.expr, ...]
    returns: bool
    repeats: bool
    """Whether it is the head of a loop, whose body may be on the same line."""


Statements = Mapping[int, tuple[_Statement, ...]]
"""By line, the statements that it is part of, in the order of the code."""


class _Watch:
    """Reads the values of each line of user code as soon as it has run."""

    def __init__(self, is_user_code: Callable[[str], bool], *, untraced: bool) -> None:
        self.values: ValuesByLine = defaultdict(dict)
        self.of_lambdas: ValuesByLine = defaultdict(dict)
        self._is_user_code, self.untraced = is_user_code, untraced
        self._known: dict[str, bool] = {}
        self._statements: dict[str, Statements] = {}

    def on_frame(self, frame: FrameType, event: str, _: object) -> Any:
        """Return the trace function of a frame of user code, None for others."""
        name = frame.f_code.co_filename
        is_user_code = self._known.get(name)
        if is_user_code is None:
            is_user_code = self._known[name] = self._is_user_code(name)
        if not is_user_code or event != "call":
            return None
        if name not in self._statements:
            with suppress(Exception):  # its text may not be known
                self._statements[name] = _statements(name)
        return _Frame(self, frame, self._statements.get(name, {})).on_event


class _Frame:
    """Observer of one running function of user code."""

    def __init__(self, watch: _Watch, frame: FrameType, statements: Statements) -> None:
        self._watch = watch
        self._is_expression = frame.f_code.co_name in _EXPRESSIONS
        self._statements = statements
        self._around = levels_around(frame.f_back)
        self._line = 0
        self._now: tuple[_Statement, ...] = ()
        """The statements of the current line."""

    def on_event(self, frame: FrameType, event: str, value: Any) -> Any:
        """Record the values of a statement that has ended. Nothing that fails here reaches the program."""
        with suppress(Exception):
            self._observe(frame, event, value)
        return self.on_event

    def _observe(self, frame: FrameType, event: str, value: Any) -> None:
        if event == "exception":
            if not issubclass(value[0], StopIteration):
                self._now = ()
        elif self._is_expression:
            if event == "return" and frame.f_code.co_name == "<lambda>":
                self._note(self._watch.of_lambdas, frame.f_code.co_firstlineno, [value])
        elif event == "return":
            self._end(frame, value)
        elif event == "line":
            line = frame.f_lineno
            following = self._statements.get(line, ())
            # A statement of several lines, or with a comprehension, may still be running.
            ends = line == self._line and any(each.repeats for each in following)
            self._end(frame, going_on=() if ends else following)
            self._line, self._now = line, following

    def _end(self, frame: FrameType, returned: Any = None, going_on: tuple[_Statement, ...] = ()) -> None:
        last = {each.line: each for each in self._now if each not in going_on}
        self._now = ()
        for line, each in last.items():
            self._note(self._watch.values, line, [returned] if each.returns else _assigned(each.targets, frame))

    def _note(self, lines: ValuesByLine, line: int, values: Iterable[Any]) -> None:
        # A user object may raise at any access.
        made = tuple(islice((each for value in values for each in _leaves(value)), MOST_VALUES + 1))
        wanted = any(each.location is not None or (self._watch.untraced and "[" in each.type) for each in made)
        if wanted and len(lines[line]) < MOST_SEEN:
            more = (*made[:MOST_VALUES], _Value("…", None)) if len(made) > MOST_VALUES else made
            lines[line][_Values(more, self._around)] = None


def _assigned(targets: Sequence[ast.expr], frame: FrameType) -> Iterator[Any]:
    for target in targets:
        with suppress(LookupError, AttributeError, TypeError, ValueError):
            yield _value_of(target, frame)


def _value_of(target: ast.expr, frame: FrameType) -> Any:
    """Return the value of `target` without running user code. Raises an exception where that is impossible."""
    if isinstance(target, ast.Name):
        names = frame.f_locals
        if target.id in names:
            return names[target.id]
        if target.id in frame.f_code.co_names:
            return frame.f_globals[target.id]
    elif isinstance(target, ast.Attribute):
        return vars(_value_of(target.value, frame))[target.attr]
    elif isinstance(target, ast.Subscript):
        container = _value_of(target.value, frame)
        key = target.slice.value if isinstance(target.slice, ast.Constant) else _value_of(target.slice, frame)
        if type(container) in (dict, list) and type(key) in (str, int):
            return container[key]
    raise LookupError


def _leaves(value: Any) -> Iterator[_Value]:
    """Yield the arrays in `value`; of other values only their Python type."""
    if isinstance(value, jax.core.Tracer):
        yield _Value(type_text(jax.typeof(value)), location(value))
    elif isinstance(value, jax.Array | np.ndarray | np.generic):
        with suppress(TypeError):
            yield _Value(type_text(jax.typeof(value)), None)
    elif type(value) is dict:
        for each in value.values():
            yield from _leaves(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _leaves(each)
    elif value is not None:
        # A function, such as that of jax.vjp, may be a tree of the arrays that it keeps.
        leaves = [value] if callable(value) else jax.tree.leaves(value)
        if leaves and leaves[0] is not value:
            yield from _leaves(leaves)
        elif leaves:
            yield _Value(type(value).__name__, None)


def _statements(filename: str) -> Statements:
    """Return the assignments and returns of the code in `filename`."""
    found: defaultdict[int, list[_Statement]] = defaultdict(list)
    with warnings.catch_warnings(action="ignore"):
        tree = ast.parse("".join(linecache.getlines(filename)))
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            end = node.end_lineno or node.lineno
            if blocks := getattr(node, "body", None):
                # The head of a block.
                end = max(node.lineno, min(end, blocks[0].lineno - 1))
            repeats = isinstance(node, ast.For | ast.AsyncFor | ast.While)
            statement = _Statement(node.lineno, tuple(_targets(node)), isinstance(node, ast.Return), repeats)
            for line in range(node.lineno, end + 1):
                found[line].append(statement)
    return {line: tuple(statements) for line, statements in found.items()}


def _targets(node: ast.stmt) -> Iterator[ast.expr]:
    """Yield the targets that `node` assigns, without those named ``_``."""
    targets: list[ast.expr | None] = []
    if isinstance(node, ast.Assign):
        targets = [node.targets[0]]
    elif isinstance(node, ast.AugAssign | ast.AnnAssign | ast.For | ast.AsyncFor):
        targets = [node.target]
    elif isinstance(node, ast.With | ast.AsyncWith):
        targets = [each.optional_vars for each in node.items]
    for target in targets:
        yield from _single(target)


def _single(target: ast.expr | None) -> Iterator[ast.expr]:
    if isinstance(target, ast.Tuple | ast.List):
        for each in target.elts:
            yield from _single(each)
    elif isinstance(target, ast.Starred):
        yield from _single(target.value)
    elif target is not None and not (isinstance(target, ast.Name) and target.id == "_"):
        yield target


# -- what is mapped -----------------------------------------------------------------------------


class _Context(NamedTuple):
    """The vmaps that map a variable of a jaxpr in one call of the jaxpr, and all vmaps around that call."""

    mapped: frozenset[RunningVmap]
    around: tuple[RunningVmap, ...]


class _Found:
    """Finder of the vmaps around all values, after the trace."""

    def __init__(self, values: Mapping[int, Mapping[_Values, None]], calls: Sequence[OuterCall]) -> None:
        self._values = values
        self._contexts: defaultdict[Var, list[_Context]] = defaultdict(list)
        wanted = {each.variable for call in calls for each in call.operands}
        wanted |= {
            each.location.variable
            for of_line in values.values()
            for made in of_line
            for each in made.values
            if each.location is not None
        }
        # An outer jaxpr is called after the calls inside of it.
        for call in reversed(calls):
            varying = VaryingAxes()
            varying.carry_in(call.primitive, call.parameters, [self._varies(each) for each in call.operands])
            for variable in wanted & varying.known.keys():
                if variable is not None:
                    self._contexts[variable].append(_Context(varying.known[variable], call.around))

    def line_types(self) -> dict[int, LineTypes]:
        """Return the types by line."""
        return {
            line: tuple(dict.fromkeys(form for each in made for form in self._forms(each)))[:MOST_FORMS]
            for line, made in sorted(self._values.items())
        }

    def _forms(self, made: _Values) -> Iterator[tuple[LineType, ...]]:
        """Yield the types of `made` for each call of the jaxpr that it belongs to."""
        known = [self._known(each.location) for each in made.values if each.location is not None]
        count = max(map(len, known), default=0)
        first = next((contexts[-1].around for contexts in known if contexts), ())
        inner = made.around[_common(first, made.around) :]
        if _common(first, made.around) < len(first) or not count:
            # Its own trace was no call under vmap.
            yield tuple(_line_type(each, frozenset(), made.around) for each in made.values)
        for number in reversed(range(count)):
            contexts = [self._known(each.location)[number : number + 1] for each in made.values]
            around = next(context[0].around for context in contexts if context)
            yield tuple(
                _line_type(each, context[0].mapped if context else frozenset(), (*around, *inner))
                for each, context in zip(made.values, contexts, strict=True)
            )

    def _known(self, place: Location | None) -> list[_Context]:
        """Return the contexts of a value, that of the last call first."""
        return self._contexts.get(place.variable, []) if place is not None and place.variable is not None else []

    def _varies(self, place: Location) -> frozenset[RunningVmap]:
        known = self._known(place)
        return place.mapped | known[-1].mapped if known else place.mapped


def _line_type(value: _Value, outer: frozenset[RunningVmap], around: tuple[RunningVmap, ...]) -> LineType:
    if value.location is None and "[" not in value.type:
        return LineType(value.type)
    # All examples have the same array if vmap does not trace it.
    mapped = outer | value.location.mapped if value.location is not None else frozenset()
    return LineType(
        value.type,
        tuple([each.size for each in around if each in mapped]),
        tuple([each.size for each in around if each not in mapped]),
    )


def _common(one: Sequence[RunningVmap], other: Sequence[RunningVmap]) -> int:
    """Return the number of equal levels at the start of both."""
    return next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )

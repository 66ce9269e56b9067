"""States of a training loop, as of an optimizer, that each iteration takes from before the loop again.

JAX's functions change nothing in place: https://docs.jax.dev/en/latest/stateful-computations.html. The code says which
argument of a call in a loop stays the same while another one is carried; the trace of that call, which of its results
is the successor of that argument.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path as File
from types import FrameType
from typing import NamedTuple

import jax
import msgspec

from explorer import OUR_FILES
from explorer.diagnostics.registry import lesson_of
from explorer.messages import Finding, Span
from explorer.text.text import Text, say
from explorer.worker.checks.leaf_flow import LeafFlow, Part, Path
from explorer.worker.checks.loop_calls import (
    LoopCall,
    is_of_one_object,
    is_read,
    loop_around,
    passed,
    same_calls,
)
from explorer.worker.errors.code_flow import Code, called, code_of, parameters
from explorer.worker.errors.code_tree import FunctionNode, is_quotable
from explorer.worker.internals.guard import Guard
from explorer.worker.internals.jit import jit_traces
from explorer.worker.internals.jit.jit_traces import Asked
from explorer.worker.internals.spans import SpanFinder

KIND = "state-not-carried"
_LOOP = re.compile(r"jit\b.*\b(for|while)\b|\b(for|while)\b.*jit\b", re.DOTALL)
_JAX = str(File(jax.__file__).parent)


def may_find(source: str) -> bool:
    """Return whether `source` may call a compiled function in a loop."""
    return _LOOP.search(source) is not None


class Watch:
    """Detector for one stretch of a program; `is_user_code` decides by file name."""

    def __init__(self, is_user_code: Callable[[str], bool]) -> None:
        self._is_user_code, self._spans = is_user_code, SpanFinder(is_user_code)
        self._found: dict[Span, Finding] = {}

    def watching(self) -> AbstractContextManager[Guard]:
        """Look at each trace by jit in the block."""
        return jit_traces.asked_for_jaxprs(self._look)

    def findings(self) -> Iterable[Finding]:
        """Return a finding for each call."""
        return list(self._found.values())

    def _look(self, asked: Asked) -> None:
        if asked.asker != "jit" or not self._is_user_code(asked.filename) or jit_traces.made_by_jax(asked.function):
            return
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename.startswith((_JAX, OUR_FILES)):
            frame = frame.f_back
        # A library would change the arguments in between.
        standing = self._standing(frame)
        if standing is not None:
            for iteration in self._iterations(frame, *standing, asked):
                for finding in iteration.findings():
                    self._found.setdefault(finding.spans[0], finding)

    def _standing(self, frame: FrameType | None) -> tuple[Code, ast.Call, Span] | None:
        """Return the call in user code that `frame` stands in."""
        if frame is None or not self._is_user_code(frame.f_code.co_filename):
            return None
        code, span = code_of(frame.f_code.co_filename), self._spans.span(frame.f_code, frame.f_lasti)
        node = code.at(span) if code is not None and span is not None else None
        while isinstance(node, ast.Expr | ast.Return | ast.Assign | ast.AnnAssign):
            node = node.value
        return (code, node, span) if code is not None and span is not None and isinstance(node, ast.Call) else None

    def _iterations(
        self, frame: FrameType | None, code: Code, call: ast.Call, span: Span, asked: Asked
    ) -> Iterator[_Iteration]:
        """Yield the calls in loops that are, or are like, the one that `frame` stands in."""
        given = _by_place(asked, call)
        loop: ast.For | ast.While | FunctionNode | None = loop_around(code, call)
        if loop is None:
            # The first call may only compile.
            for each, around in same_calls(code, call):
                place = msgspec.structs.replace(code.tree.span(each), file=span.file)
                yield _Iteration(code, each, around, asked, place, _by_place(asked, each))
        while loop is None:
            function = code.tree.function_around(call)
            frame = frame.f_back if frame is not None else None
            outer = self._standing(frame)
            if function is None or outer is None:
                return
            if isinstance(code.tree.parents[call], ast.Return | ast.Lambda):
                code, call, span = outer
                given = {key: other for key, node in given.items() if (other := passed(call, function, node))}
                loop = loop_around(code, call)
            elif parameters(function) and is_of_one_object(*outer[:2], parameters(function)[0]):
                loop = function  # a method that is called in a loop
            else:
                return
        yield _Iteration(code, call, loop, asked, span, given)


class _Given(NamedTuple):
    """An argument of the call, or an element of a tuple that is one."""

    text: str
    node: ast.expr
    part: Part
    name: str
    """What the function calls it; empty if unknown."""


class _Iteration:
    """A call in a loop that traced its function."""

    def __init__(
        self, code: Code, call: ast.Call, loop: ast.AST, asked: Asked, span: Span, given: dict[str, ast.expr]
    ) -> None:
        self._at, self._asked, self._span, self._by_place = LoopCall(code, call, loop), asked, span, given

    def findings(self) -> Iterator[Finding]:
        """Yield a finding for each state that is not carried."""
        if not any(self._at.is_fixed(each) for argument in self._by_place.values() for each in ast.walk(argument)):
            return
        self._flow = LeafFlow(self._asked)
        self._at.follow_results(dict(self._flow.result.parts()))
        given = list(self._given())
        carried = list(self._carried(given))
        for state in given if carried else ():
            if state.part.tree.num_leaves and self._at.is_fixed(state.node) and not self._has_loop(state.name):
                found = self._dropped(state, carried) or self._not_returned(state, carried)
                if found is not None:
                    yield found

    # -- the code -----------------------------------------------------------------------------

    def _given(self) -> Iterator[_Given]:
        """Yield the arguments of the call with their parts of the trace."""
        start = number = 0
        for place, tree in self._asked.structure:
            if tree == "static":
                number += 1
                continue
            if place in self._by_place:
                name = self._asked.names[number] if tree.num_leaves else ""
                yield from self._elements(self._by_place[place], Part(tree, start), re.split(r"\W", name)[0])
            start, number = start + tree.num_leaves, number + tree.num_leaves

    def _elements(self, node: ast.expr, part: Part, name: str) -> Iterator[_Given]:
        if isinstance(node, ast.Tuple) and len(node.elts) == len(part.tree.children()):
            for number, each in enumerate(node.elts):
                yield from self._elements(each, part.child(number), "")
        else:
            yield _Given(self._at.written(node), node, part, name)

    # -- the trace ----------------------------------------------------------------------------

    def _carried(self, given: list[_Given]) -> Iterator[tuple[Part, Part]]:
        """Yield each argument, and its successor, that the next iteration gets from this one."""
        for path, targets in self._at.targets.items():
            texts, made = set(map(self._at.written, targets)), self._at.results[path]
            for each in given:
                is_its = each.text in texts and self._at.lasts(each.node) and self._at.goes_on(each.node)
                if is_its and self._flow.are_alike(each.part, made) and self._flow.changed(each.part, made, loops=True):
                    yield each.part, made

    def _dropped(self, state: _Given, carried: list[tuple[Part, Part]]) -> Finding | None:
        """Return a finding if the loop uses no successor of `state`."""
        alike = {path: made for path, made in self._at.results.items() if self._flow.are_alike(state.part, made)}
        alike = {path: made for path, made in alike.items() if len(alike) == 1 or self._has_name(path, state.name)}
        if len(alike) != 1 or self._at.is_carried_elsewhere(state.text):
            return None
        (path, made), *_ = alike.items()
        changed = self._flow.changed(state.part, made)
        is_one = self._is_of_optimizer(state, carried, path, changed) or self._is_average(state, made, changed)
        return self._finding(state, path) if changed and is_one and not self._at.is_kept(path) else None

    def _is_of_optimizer(self, state: _Given, carried: list[tuple[Part, Part]], path: Path, changed: list[int]) -> bool:
        """Return whether `state` has an array for each one of what is carried, and decides about that."""
        for before, after in carried:
            if not self._flow.uses(after.leaves, changed):
                continue
            copies = [each for each in self._copies(state.part, before) if set(each.leaves) & set(changed)]
            if any(each.tree != state.part.tree for each in copies) and before.tree.num_nodes > 1:
                return True
            # A gradient looks the same, and the state of a recurrent network of one array.
            is_through = not self._flow.uses(after.leaves, changed, without=self._at.results[path])
            if copies and is_through and self._has_name(path, state.name):
                return True
        return False

    def _copies(self, state: Part, carried: Part) -> list[Part]:
        shapes = [self._flow.kind(each)[0] for each in carried.leaves]
        return [
            each
            for _, each in state.parts()
            if each.tree == carried.tree and [self._flow.kind(leaf)[0] for leaf in each.leaves] == shapes
        ]

    def _is_average(self, state: _Given, made: Part, changed: list[int]) -> bool:
        """Return whether `state` only collects something in each call, and is used after the loop or besides it."""
        root = next(each for each in ast.walk(state.node) if isinstance(each, ast.Name))
        own = set(ast.walk(self._at.call))
        reads = [each for in_loop in (True, False) for each in self._at.reads(root.id, in_loop=in_loop)]
        is_read = any(each not in own for each in reads)
        is_array = any(self._flow.kind(each)[0] for each in changed)
        return (
            is_read
            and is_array
            and state.part.tree.num_nodes > 1
            and not self._flow.uses(self._flow.outputs_beside(made), state.part.leaves)
        )

    def _not_returned(self, state: _Given, carried: list[tuple[Part, Part]]) -> Finding | None:
        """Return a finding if the function makes a successor of `state` and does not return it."""
        function, code = self._definition()
        is_returned = any(self._flow.are_alike(state.part, each) for each in self._at.results.values())
        if function is None or code is None or is_returned:
            return None
        if not any(
            each.tree != state.part.tree and before.tree.num_nodes > 1 and self._flow.uses(after.leaves, each.leaves)
            for before, after in carried
            for each in self._copies(state.part, before)
        ):
            return None
        for each in ast.walk(function):
            match each:
                case ast.Assign(targets=[ast.Tuple(elts=[*_, ast.Name(id=new)])], value=ast.Call() as call):
                    names = {getattr(argument, "id", "") for argument in call.args}
                    is_update = new == state.name or "update" in called(call)
                    if state.name in names and is_update and not _is_read_after(function, new, each):
                        file = self._asked.filename if self._span.file else ""
                        place = msgspec.structs.replace(code.tree.span(each), file=file)
                        return self._finding_inside(state, place)
        return None

    # -- the function -------------------------------------------------------------------------

    def _definition(self) -> tuple[FunctionNode | None, Code | None]:
        code = code_of(self._asked.filename)
        for each in code.functions[self._asked.name] if code is not None else ():
            if min([each.lineno, *(one.lineno for one in getattr(each, "decorator_list", []))]) == self._asked.line:
                return each, code
        return None, None

    def _has_loop(self, name: str) -> bool:
        """Return whether the function itself has a loop that carries what it calls `name`."""
        inside = list(ast.walk(self._definition()[0] or self._at.call))
        looped = [each for loop in inside if isinstance(loop, ast.For | ast.While) for each in ast.walk(loop)]
        return any(isinstance(each, ast.Name) and each.id == name and not is_read(each) for each in looped)

    def _has_name(self, path: Path, name: str) -> bool:
        """Return whether the function returns at `path` what it calls `name`, or the new one of it."""
        function, code = self._definition()
        returned = [each for each in ast.walk(function) if isinstance(each, ast.Return)] if function else []
        new = re.compile(rf"(new|next|updated)?_?{re.escape(name)}_?(new|next|updated|out|\d|t)?")
        for each in returned if name else ():
            node = each.value
            for number in path:
                node = node.elts[number] if isinstance(node, ast.Tuple) and number < len(node.elts) else None
            is_own = code is not None and code.tree.function_around(each) is function
            if is_own and isinstance(node, ast.Name) and new.fullmatch(node.id):
                return True
        return False

    # -- the finding --------------------------------------------------------------------------

    def _finding(self, state: _Given, path: Path) -> Finding:
        target = next((each for each in self._at.targets.get(path, [])), None)
        parts = {"line": self._span.line, "state": f"`{state.text}`", "function": self._called()}
        targets, value, added = self._assigned(state, path, target)
        if targets:
            short = (
                f"{self._at.written(self._at.call.func)}(...)" if value == self._at.written(self._at.call) else "..."
            )
            is_short = is_quotable(self._span, f"{targets} = {value}")
            message = say(
                "Each iteration starts from the same {state} again. Nothing keeps the next one, which {function} "
                "returns on line {line}. Momenta, averages and counts in it stay at their first values. Write "
                "{written}.",
                **parts,
                written=f"`{targets} = {value if is_short else short}`",
                targets=targets,
                value=value,
            )
        else:
            message = say(
                "Each iteration starts from the same {state} again. The loop does not pass on the next one, which "
                "{function} returns on line {line}. Momenta, averages and counts in it stay at their first values. Add "
                "{written} after the call.",
                **parts,
                written=f"`{added or f'{state.text} = ...'}`",
                added=added,
            )
        second = self._at.code.tree.span(target) if target is not None else self._span
        return self._made(message, msgspec.structs.replace(second, file=self._span.file))

    def _assigned(self, state: _Given, path: Path, target: ast.expr | None) -> tuple[str, str, str]:
        """Return the targets and the value that would carry `state`, or else a statement to add; empty if unknown."""
        code, call = self._at.code.tree, self._at.call
        match code.statement_around(call), target:
            case _, ast.Name(id=name) if self._at.reads(name, in_loop=False):
                return "", "", f"{state.text} = {name}"
            case ast.Assign(targets=[ast.Tuple() as targets], value=value), ast.Name() if target in ast.walk(targets):
                written, before = code.written(targets), code.span(target).column - code.span(targets).column
                if targets.lineno == targets.end_lineno:
                    new = f"{written[:before]}{state.text}{written[before + len(target.id) :]}"
                    return new, code.written(value), ""
            case ast.Assign(
                targets=[one], value=ast.Subscript(value=value, slice=ast.Constant(value=int(index)))
            ), None:
                count = len(self._flow.result.tree.children())
                if value is call and len(path) == 1 and -count <= index < count:
                    texts = ["_"] * count
                    texts[index], texts[path[0]] = code.written(one), state.text
                    return ", ".join(texts), code.written(call), ""
            case ast.Assign(targets=[ast.Name(id=name)], value=value), None if value is call and path:
                access = self._flow.result.access(path)
                return "", "", f"{state.text} = {name}{access}" if access else ""
        return "", "", ""

    def _finding_inside(self, state: _Given, place: Span) -> Finding:
        message = say(
            "Each iteration starts from the same {state} again. {function} makes the next one on line {inside}, and "
            "does not return it. Momenta, averages and counts in it stay at their first values. Return it, and assign "
            "it to {state} on line {line}.",
            state=f"`{state.text}`",
            function=self._called(),
            inside=place.line,
            line=self._span.line,
        )
        return self._made(message, place)

    def _made(self, message: Text, second: Span) -> Finding:
        return Finding(KIND, "warning", message, tuple(dict.fromkeys((self._span, second))), lesson=lesson_of(KIND))

    def _called(self) -> str:
        function = self._at.call.func
        text = self._at.written(function)
        return f"`{text if is_quotable(self._at.code.tree.span(function), text) else self._asked.name}`"


def _by_place(asked: Asked, call: ast.Call) -> dict[str, ast.expr]:
    """Return the arguments of `call` by what the trace calls them; empty if unknown."""
    passed = [*call.args, *(each.value for each in call.keywords)]
    if not isinstance(asked.structure, tuple) or any(isinstance(each, ast.Starred) for each in passed):
        return {}
    places = [place for place, _ in asked.structure if place.startswith("argument ")]
    first = len(places) - len(call.args)  # a partial function has the first ones already
    by_name = {each.arg: each.value for each in call.keywords if each.arg is not None}
    if first < 0 or len(by_name) < len(call.keywords):
        return {}
    return dict(zip(places[first:], call.args, strict=True)) | by_name


def _is_read_after(function: FunctionNode, name: str, statement: ast.stmt) -> bool:
    last = statement.end_lineno or statement.lineno
    reads = [each for each in ast.walk(function) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)]
    return any(each.id == name and each.lineno > last for each in reads)

"""States of a training loop, as of an optimizer, that each iteration takes from before the loop again.

JAX's functions change nothing in place: https://docs.jax.dev/en/latest/stateful-computations.html. The code says which
argument of a call in a loop stays the same while another one is carried; the trace of that call, which of its results
is the successor of that argument.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
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
from explorer.worker.errors.code_flow import Code, called, code_of, parameters
from explorer.worker.errors.code_tree import FunctionNode, is_quotable
from explorer.worker.internals.guard import Guard
from explorer.worker.internals.jit import jit_traces
from explorer.worker.internals.jit.jit_traces import Asked
from explorer.worker.internals.spans import SpanFinder

KIND = "state-not-carried"
_LOOP = re.compile(r"jit\b.*\b(for|while)\b|\b(for|while)\b.*jit\b", re.DOTALL)
_ON_PURPOSE = re.compile(
    r"(?<![a-zA-Z])(init|initial|first|start|fresh|blank|zeros?|empty|fixed|frozen|base|ref|orig|old|prev|reset|target"
    r"|teacher|template|dummy)(?![a-z])|0$"
)
"""Names of what each iteration should begin with."""
_JAX = str(File(jax.__file__).parent)
_CHANGES = {"update", "pop", "popitem", "setdefault", "clear", "append", "extend", "insert", "copy_"}
_MAKERS = {"__init__", "__post_init__", "setup", "__new__"}


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
        loop: ast.For | ast.While | FunctionNode | None = _loop(code, call)
        if loop is None:
            # The first call may only compile.
            for each, around in _same_calls(code, call):
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
                given = {key: other for key, node in given.items() if (other := _passed(call, function, node))}
                loop = _loop(code, call)
            else:
                # A method that is called in a loop.
                loop = function if parameters(function) and _is_of_one_object(outer[0], outer[1]) else None
                if loop is None:
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
        self._code, self._call, self._asked, self._span, self._by_place = code, call, asked, span, given
        self._object = parameters(loop)[0] if isinstance(loop, FunctionNode) else ""
        """What a method that is called in a loop calls its object, which alone lasts from call to call."""
        self._written = code.tree.written
        self._scope = code.tree.function_around(call) or code.tree.tree
        self._in_loop = set(ast.walk(loop))
        self._kept: set[Path] = set()
        """The results that the loop uses."""
        self._targets: dict[Path, list[ast.expr]] = defaultdict(list)
        """The names that the results are given to."""

    def findings(self) -> Iterator[Finding]:
        """Yield a finding for each state that is not carried."""
        if not any(self._is_fixed(each) for argument in self._by_place.values() for each in ast.walk(argument)):
            return
        self._flow = LeafFlow(self._asked)
        self._results = dict(self._flow.result.parts())
        self._follow((), self._call)
        given = list(self._given())
        carried = list(self._carried(given))
        for state in given:
            if carried and state.part.tree.num_leaves and self._is_fixed(state.node) and not self._has_loop(state.name):
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
            yield _Given(self._written(node), node, part, name)

    def _follow(self, path: Path, node: ast.expr) -> None:
        """Record where the loop uses the result at `path`, which `node` is."""
        parent = self._code.tree.parents[node]
        match parent:
            case ast.Expr():
                pass
            case ast.Assign(targets=targets):
                for each in targets:
                    self._give(path, each)
            case ast.Tuple(elts=several) if isinstance(self._code.tree.parents[parent], ast.Assign):
                for each in getattr(self._code.tree.parents[parent], "targets", []):
                    names = each.elts if isinstance(each, ast.Tuple) and len(each.elts) == len(several) else [each]
                    self._give(path, names[several.index(node) if len(names) > 1 else 0])
            case ast.AnnAssign(target=target):
                self._give(path, target)
            case ast.Call(args=[argument]) if argument is node and called(parent) == "block_until_ready":
                self._follow(path, parent)
            case ast.Subscript(slice=ast.Constant(value=key)) | ast.Attribute(attr=key):
                number = self._results[path].step(key)
                if number is None:
                    self._kept.add(path)
                else:
                    self._follow((*path, number), parent)
            case _:
                self._kept.add(path)

    def _give(self, path: Path, target: ast.expr) -> None:
        if isinstance(target, ast.Tuple | ast.List):
            for number, each in enumerate(target.elts):
                if (*path, number) in self._results and not isinstance(each, ast.Starred):
                    self._give((*path, number), each)
                else:
                    self._kept.add(path)
        else:
            self._targets[path].append(target)
            if not isinstance(target, ast.Name):
                self._kept.add(path)
            else:
                for each in self._reads(target.id, in_loop=True):
                    self._follow(path, each)

    def _reads(self, name: str, *, in_loop: bool) -> list[ast.Name]:
        """Return where the scope reads a variable: in an iteration, or after the call and elsewhere."""
        return [
            each
            for each in ast.walk(self._scope)
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load) and each.id == name
            if in_loop == (each in self._in_loop or self._code.tree.function_around(each) is not self._function)
            if (in_loop or each.lineno > self._call.lineno) and self._code.binding(each)[0] in (self._scope, None)
        ]

    @property
    def _function(self) -> FunctionNode | None:
        return self._code.tree.function_around(self._call)

    def _is_fixed(self, node: ast.AST) -> bool:
        """Return whether `node` is a variable, or a part of one, that no iteration changes."""
        root = node
        while isinstance(root, ast.Attribute | ast.Subscript):
            root = root.value
        if not isinstance(node, ast.expr) or not isinstance(root, ast.Name):
            return False
        text, names = self._written(node), {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        if _ON_PURPOSE.search(text) or not self._lasts(node):
            return False
        for each in self._code.tree.parents:
            match each:
                case ast.Global(names=several) | ast.Nonlocal(names=several) if root.id in several:
                    return False
                case ast.Name(id=name, ctx=ast.Store() | ast.Del()) if name in names and each in self._in_loop:
                    return False
                case ast.Attribute(ctx=ast.Store() | ast.Del()) | ast.Subscript(ctx=ast.Store() | ast.Del()):
                    if self._is_changed_by(each, node, text):
                        return False
                case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _CHANGES and each in self._in_loop:
                    if _overlap(self._written(value), text):
                        return False
        return True

    def _lasts(self, node: ast.expr) -> bool:
        return not self._object or (isinstance(node, ast.Attribute) and self._written(node.value) == self._object)

    def _is_changed_by(self, store: ast.Attribute | ast.Subscript, node: ast.expr, text: str) -> bool:
        if store in self._in_loop:
            is_known = isinstance(store, ast.Attribute) or isinstance(store.slice, ast.Constant)
            return _overlap(self._written(store if is_known else store.value), text)
        if not isinstance(store, ast.Attribute) or not isinstance(node, ast.Attribute) or store.attr != node.attr:
            return False
        # Another method may be called in the loop.
        around = self._code.tree.function_around(store)
        return around is not self._function and getattr(around, "name", "") not in _MAKERS

    # -- the trace ----------------------------------------------------------------------------

    def _carried(self, given: list[_Given]) -> Iterator[tuple[Part, Part]]:
        """Yield each argument, and its successor, that the next iteration gets from this one."""
        for path, targets in self._targets.items():
            texts, made = set(map(self._written, targets)), self._results[path]
            for each in given:
                is_its = each.text in texts and self._lasts(each.node) and self._goes_on(each.node)
                if is_its and self._flow.are_alike(each.part, made) and self._flow.changed(each.part, made, loops=True):
                    yield each.part, made

    def _goes_on(self, node: ast.expr) -> bool:
        """Return whether no iteration sets the variable `node` to something other than what it was or has become."""
        values = self._code.attribute(node.attr) if isinstance(node, ast.Attribute) else []
        values = self._code.binding(node)[1] if isinstance(node, ast.Name) else values
        own = {self._written(each) for targets in self._targets.values() for each in targets}
        return all(
            any(
                part is self._call or self._written(part) in own
                for part in ast.walk(value)
                if isinstance(part, ast.expr)
            )
            for value in values
            if value in self._in_loop
        )

    def _is_kept(self, path: Path) -> bool:
        return any(each[: len(path)] == path[: len(each)] for each in self._kept)

    def _dropped(self, state: _Given, carried: list[tuple[Part, Part]]) -> Finding | None:
        """Return a finding if the loop uses no successor of `state`."""
        alike = {path: made for path, made in self._results.items() if self._flow.are_alike(state.part, made)}
        alike = {path: made for path, made in alike.items() if len(alike) == 1 or self._has_name(path, state.name)}
        if len(alike) != 1 or self._is_carried_elsewhere(state):
            return None
        (path, made), *_ = alike.items()
        changed = self._flow.changed(state.part, made)
        is_one = self._is_of_optimizer(state, carried, path, changed) or self._is_average(state, made, changed)
        return self._finding(state, path) if changed and is_one and not self._is_kept(path) else None

    def _is_of_optimizer(self, state: _Given, carried: list[tuple[Part, Part]], path: Path, changed: list[int]) -> bool:
        """Return whether `state` has an array for each one of what is carried, and decides about that."""
        for before, after in carried:
            if not self._flow.uses(after.leaves, changed):
                continue
            copies = [each for each in self._copies(state.part, before) if set(each.leaves) & set(changed)]
            if any(each.tree != state.part.tree for each in copies) and before.tree.num_nodes > 1:
                return True
            # A gradient looks the same, and the state of a recurrent network of one array.
            is_through = not self._flow.uses(after.leaves, changed, without=self._results[path])
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
        own = set(ast.walk(self._call))
        reads = [each for in_loop in (True, False) for each in self._reads(root.id, in_loop=in_loop)]
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
        if (
            function is None
            or code is None
            or any(self._flow.are_alike(state.part, each) for each in self._results.values())
        ):
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
                    passed = {getattr(argument, "id", "") for argument in call.args}
                    is_update = new == state.name or "update" in called(call)
                    if state.name in passed and is_update and not _is_read_after(function, new, each):
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
        loops = [
            each for each in ast.walk(self._definition()[0] or self._call) if isinstance(each, ast.For | ast.While)
        ]
        return any(
            isinstance(each, ast.Name) and each.id == name and not _is_read(each)
            for loop in loops
            for each in ast.walk(loop)
        )

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

    def _is_carried_elsewhere(self, state: _Given) -> bool:
        """Return whether another call of the same function carries `state`: this one may be there to compile it."""
        for each in ast.walk(self._scope):
            if isinstance(each, ast.Assign) and each.targets and self._call not in set(ast.walk(each)):
                calls = [one for one in ast.walk(each.value) if isinstance(one, ast.Call)]
                if any(self._written(one.func) == self._written(self._call.func) for one in calls):
                    parts = [one for target in each.targets for one in ast.walk(target) if isinstance(one, ast.expr)]
                    if state.text in map(self._written, parts):
                        return True
        return False

    # -- the finding --------------------------------------------------------------------------

    def _finding(self, state: _Given, path: Path) -> Finding:
        target = next((each for each in self._targets.get(path, [])), None)
        parts = {"line": self._span.line, "state": f"`{state.text}`", "function": self._called()}
        targets, added = self._assigned(state, path, target)
        call = self._written(self._call)
        if targets:
            call = call if is_quotable(self._span, f"{targets} = {call}") else f"{self._written(self._call.func)}(...)"
            message = say(
                "Each iteration starts from the same {state} again. Nothing keeps the next one, which {function} "
                "returns on line {line}. Momenta, averages and counts in it stay at their first values. Write "
                "{written}.",
                **parts,
                written=f"`{targets} = {call}`",
                targets=targets,
            )
        else:
            message = say(
                "Each iteration starts from the same {state} again. The loop does not pass on the next one, which "
                "{function} returns on line {line}. Momenta, averages and counts in it stay at their first values. Add "
                "{written} after the call.",
                **parts,
                written=f"`{added}`",
                added=added,
            )
        second = self._code.tree.span(target) if target is not None else self._span
        return self._made(message, msgspec.structs.replace(second, file=self._span.file))

    def _assigned(self, state: _Given, path: Path, target: ast.expr | None) -> tuple[str, str]:
        """Return the targets that would carry `state`, or else the statement to add."""
        statement = self._code.tree.statement_around(self._call)
        match statement, target:
            case _, ast.Name(id=name) if self._reads(name, in_loop=False):
                return "", f"{state.text} = {name}"
            case ast.Assign(targets=[ast.Tuple() as targets], value=value), ast.Name() if value is self._call:
                if target in targets.elts:
                    texts = [state.text if each is target else self._written(each) for each in targets.elts]
                    return ", ".join(texts), ""
            case ast.Assign(
                targets=[one], value=ast.Subscript(value=value, slice=ast.Constant(value=int(index)))
            ), None:
                count = len(self._flow.result.tree.children())
                if value is self._call and len(path) == 1 and -count <= index < count:
                    texts = ["_"] * count
                    texts[index], texts[path[0]] = self._written(one), state.text
                    return ", ".join(texts), ""
            case ast.Assign(targets=[ast.Name(id=name)], value=value), None if value is self._call and path:
                return "", f"{state.text} = {name}{''.join(f'[{each}]' for each in path)}"
        return "", f"{state.text} = {self._asked.name}(...)[{']['.join(map(str, path))}]" if path else state.text

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
        text = self._written(self._call.func)
        return f"`{text}`" if is_quotable(self._code.tree.span(self._call.func), text) else f"`{self._asked.name}`"


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


def _passed(call: ast.Call, function: FunctionNode, node: ast.expr) -> ast.expr | None:
    """Return the argument of `call` for the parameter `node` of `function`."""
    names, name = parameters(function), getattr(node, "id", "")
    if isinstance(call.func, ast.Attribute) and names[:1] == ["self"]:
        names = names[1:]
    by_name = [each.value for each in call.keywords if each.arg == name]
    place = names.index(name) if name in names else len(names)
    found = [*by_name, *call.args[place : place + 1]]
    return found[0] if found and not any(isinstance(each, ast.Starred) for each in call.args) else None


def _same_calls(code: Code, call: ast.Call) -> Iterator[tuple[ast.Call, ast.For | ast.While]]:
    """Yield the calls in loops, near `call`, of the function that it calls by name, and their loops."""
    if isinstance(call.func, ast.Name) and len(code.binding(call.func)[1]) < 2:
        for each in ast.walk(code.tree.function_around(call) or code.tree.tree):
            if isinstance(each, ast.Call) and each is not call and isinstance(each.func, ast.Name):
                loop = _loop(code, each)
                if each.func.id == call.func.id and len(each.args) == len(call.args) and loop is not None:
                    yield each, loop


def _loop(code: Code, call: ast.Call) -> ast.For | ast.While | None:
    """Return the innermost loop whose body has `call` in it, and may run twice."""
    inner: ast.AST = call
    for each in code.tree.around(call):
        if isinstance(each, FunctionNode):
            return None
        if isinstance(each, ast.For | ast.While) and inner in each.body and not _runs_once(each):
            return each
        inner = each
    return None


def _is_of_one_object(code: Code, call: ast.Call) -> bool:
    """Return whether `call` is in a loop, and each iteration calls a method of the same object."""
    loop, node = _loop(code, call), call.func.value if isinstance(call.func, ast.Attribute) else call.func
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    stored = {each.id for each in ast.walk(loop or call) if isinstance(each, ast.Name) and not _is_read(each)}
    return loop is not None and bool(names) and not names & stored


def _is_read(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Load)


def _runs_once(loop: ast.For | ast.While) -> bool:
    if any(isinstance(each, ast.Break | ast.Return | ast.Raise) for each in loop.body):
        return True
    match getattr(loop, "iter", None):
        case (
            ast.List(elts=[_]) | ast.Tuple(elts=[_]) | ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=1)])
        ):
            return True
    return False


def _overlap(one: str, other: str) -> bool:
    """Return whether the variables written so are the same one, or one is a part of the other."""
    short, long = sorted((one, other), key=len)
    return long.startswith(short) and long[len(short) :][:1] in ("", ".", "[")


def _is_read_after(function: FunctionNode, name: str, statement: ast.stmt) -> bool:
    last = statement.end_lineno or statement.lineno
    reads = [each for each in ast.walk(function) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)]
    return any(each.id == name and each.lineno > last for each in reads)

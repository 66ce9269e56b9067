"""Where arrays of a running frame come from and go, read in the code of its callers (`UserCallStack`)."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from types import FrameType

from explorer.worker.internals.spans import SpanFinder
from explorer.worker.syntax.code_flow import DEEPEST, ELEMENTWISE, MAKES_AXES, MOST_STEPS, FollowedFile, followed_file
from explorer.worker.syntax.code_tree import last_name
from explorer.worker.syntax.scopes import FunctionNode, arguments


class UserCallStack:
    """The calls in user code that a frame of a run stands in."""

    def __init__(self, frame: FrameType, is_user_code: Callable[[str], bool], spans: SpanFinder) -> None:
        self._frames: list[tuple[FrameType, bool]] = []
        """Innermost first; whether the one before is called by it directly."""
        self._spans = spans
        self._left = 0
        """Expressions that may still be visited for the current answer."""
        is_direct, each = True, frame
        following: FrameType | None = frame
        while following is not None:
            each, following = following, following.f_back
            is_own = is_user_code(each.f_code.co_filename)
            if is_own:
                self._frames.append((each, is_direct))
            is_direct = is_own

    def here(self) -> tuple[FollowedFile, ast.expr | ast.stmt] | None:
        """Return the parsed file of the innermost frame and the node that it runs, or None."""
        return self._standing(0)

    def _standing(self, place: int) -> tuple[FollowedFile, ast.expr | ast.stmt] | None:
        if place >= len(self._frames):
            return None
        frame = self._frames[place][0]
        code, span = followed_file(frame.f_code.co_filename), self._spans.span(frame.f_code, frame.f_lasti)
        node = code.tree.at(span) if code is not None and span is not None else None
        return (code, node) if code is not None and node is not None else None

    def _caller(self, function: FunctionNode, place: int = 0) -> int:
        """Return the number of the first frame from `place` on that calls `function`, beyond all if none does."""
        name = getattr(function, "name", "<lambda>")
        first = min([function.lineno, *(each.lineno for each in getattr(function, "decorator_list", []))])
        for number, (frame, _) in enumerate(self._frames[place:], place):
            if frame.f_code.co_name == name and frame.f_code.co_firstlineno == first:
                return number + 1
        return len(self._frames)

    def reduced(self, place: int = 0) -> str:
        """Return the name of the reduction that takes all elements of what frame `place` computes; empty if none."""
        found = self._standing(place)
        return found[0].reduced(found[1], lambda function: self._returned(function, place)) if found is not None else ""

    def _returned(self, function: FunctionNode, place: int) -> str:
        caller = self._caller(function, place)
        found = self._standing(caller)
        is_direct = found is not None and self._frames[caller][1] and isinstance(found[1], ast.Call)
        return self.reduced(caller) if is_direct else ""

    def ends(self, at_call: Callable[[ast.Call, bool], str]) -> set[str]:
        """Return where what is computed here ends: see `Code.ends`. It is followed through the calls that return it."""
        found = self.here()
        return self._ends(*found, at_call, DEEPEST) if found is not None else set()

    def _ends(self, code: FollowedFile, node: ast.AST, at_call: Callable[[ast.Call, bool], str], deep: int) -> set[str]:
        def returned(function: FunctionNode) -> set[str]:
            found = self._standing(self._caller(function))
            if found is None or not isinstance(found[1], ast.Call) or deep == 0:
                return {"kept"}
            return self._ends(*found, at_call, deep - 1)

        return code.ends(node, at_call, returned)

    def has_made_axes(self, code: FollowedFile, node: ast.AST) -> bool:
        """Return whether the user gave `node` an axis on purpose, as far as it is the same elements from there on."""
        self._left = MOST_STEPS
        return self._has(code, node, {}, DEEPEST)

    def _has(self, code: FollowedFile, node: ast.AST, given: dict[str, list[ast.expr]], deep: int) -> bool:
        """Return the same where the parameters of the function around have been `given` something by name."""
        self._left -= 1
        if deep == 0 or self._left < 0:
            return True

        def has(*nodes: ast.AST) -> bool:
            return any(self._has(code, each, given, deep - 1) for each in nodes)

        match node:
            case ast.Subscript(value=value, slice=index):
                return any(_is_new_axis(each) for each in ast.walk(index)) or has(value)
            case ast.BinOp(left=left, op=operation, right=right):
                return not isinstance(operation, ast.MatMult) and has(left, right)
            case ast.Compare(left=left, comparators=others):
                return has(left, *others)
            case ast.UnaryOp(operand=value) | ast.NamedExpr(value=value) | ast.Starred(value=value):
                return has(value)
            case ast.IfExp(body=one, orelse=other):
                return has(one, other)
            case ast.Tuple(elts=values) | ast.List(elts=values) | ast.Dict(values=values):
                return has(*values)
            case ast.Attribute(value=value, attr=name):
                of_name = code.attribute(name)
                return name in MAKES_AXES or has(*of_name) or ((name == "T" or not of_name) and has(value))
            case ast.Name():
                return self._of_name(code, node, given, deep)
            case ast.Call():
                return self._of_call(code, node, given, deep)
        return False

    def _of_name(self, code: FollowedFile, name: ast.Name, given: dict[str, list[ast.expr]], deep: int) -> bool:
        scope, values = code.binding(name)
        if any(self._has(code, each, given, deep - 1) for each in values):
            return True
        function = scope.node if scope is not None else None
        if not isinstance(function, FunctionNode) or name.id not in _parameters(function):
            return False
        if name.id in given:
            return any(self._has(code, each, {}, deep - 1) for each in given[name.id])
        found = self._standing(self._caller(function))
        if found is None or not isinstance(found[1], ast.Call):
            # Of a function that others called before, every call that names it may be the one.
            calls = [each for each in code.tree.parents if isinstance(each, ast.Call) and _names(each, function)]
            return any(
                self._has(code, each, {}, deep - 1) for call in calls for each in _passed(call, function, name.id)
            )
        return any(self._has(found[0], each, {}, deep - 1) for each in _passed(found[1], function, name.id))

    def _of_call(self, code: FollowedFile, call: ast.Call, given: dict[str, list[ast.expr]], deep: int) -> bool:
        name, values = last_name(call.func), [*call.args, *(each.value for each in call.keywords)]
        keeps = any(each.arg == "keepdims" and getattr(each.value, "value", True) for each in call.keywords)
        if name in MAKES_AXES or keeps:
            return True
        if name in ELEMENTWISE:
            values += [call.func.value] if isinstance(call.func, ast.Attribute) else []
            return any(self._has(code, each, given, deep - 1) for each in values)
        if not name:
            # A function made here: ``jax.vmap(lambda x: x[None])(xs)``.
            made = [each for each in ast.walk(call.func) if isinstance(each, ast.Subscript | ast.Call)]
            return any(
                _is_new_axis(part) if isinstance(each, ast.Subscript) else last_name(each.func) in MAKES_AXES
                for each in made
                for part in (ast.walk(each.slice) if isinstance(each, ast.Subscript) else (each,))
            )
        for function in code.functions.get(name, []):
            passed = {each: _passed(call, function, each) for each in _parameters(function)}
            # What was given to this call stands in the scope around it.
            for each in _returned(code, function):
                if self._has(code, each, {**given, **passed}, deep - 1):
                    return True
        return False


def _returned(code: FollowedFile, function: FunctionNode) -> Iterator[ast.expr]:
    if isinstance(function, ast.Lambda):
        yield function.body
        return
    for each in ast.walk(function):
        if isinstance(each, ast.Return) and each.value is not None and code.tree.function_around(each) is function:
            yield each.value


def _parameters(function: FunctionNode) -> list[str]:
    return [each.arg for each in arguments(function)]


def _names(call: ast.Call, function: FunctionNode) -> bool:
    name = getattr(function, "name", "")
    return bool(name) and last_name(call.func) == name


def _passed(call: ast.Call, function: FunctionNode, name: str) -> list[ast.expr]:
    """Return the expressions that `call` of `function`, or of a transformed one, may pass as its parameter `name`."""
    for each in call.keywords:
        if each.arg == name:
            return [each.value]
    names = _parameters(function)
    if names[:1] == ["self"]:
        names = names[1:]
    plain = not any(isinstance(each, ast.Starred) for each in call.args) and function.args.vararg is None
    place = names.index(name) if name in names else len(names)
    if plain and len(call.args) + len(call.keywords) >= len(names) - len(function.args.defaults) and place < len(names):
        return call.args[place : place + 1]
    return [*call.args, *(each.value for each in call.keywords)]


def _is_new_axis(node: ast.AST) -> bool:
    match node:
        case ast.Constant(value=None) | ast.Attribute(attr="newaxis") | ast.Name(id="newaxis"):
            return True
    return False

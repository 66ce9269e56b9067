"""A call in a loop as the code has it: the arguments that stay the same, and where its results go."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator

from explorer.worker.checks.leaf_flow import Part, Path
from explorer.worker.errors.code_flow import Code, called, parameters
from explorer.worker.errors.code_tree import FunctionNode

_ON_PURPOSE = re.compile(
    r"(?<![a-zA-Z])(init|initial|first|start|fresh|blank|zeros?|empty|fixed|frozen|base|ref|orig|old|prev|reset|target"
    r"|teacher|template|dummy)(?![a-z])|0$"
)
"""Names of what each iteration should begin with."""
_CHANGES = {"update", "pop", "popitem", "setdefault", "clear", "append", "extend", "insert", "copy_"}
_MAKERS = {"__init__", "__post_init__", "setup", "__new__"}


class LoopCall:
    """A call in a loop, or in a method that is called in one."""

    def __init__(self, code: Code, call: ast.Call, loop: ast.AST) -> None:
        self.code, self.call, self.written = code, call, code.tree.written
        self.object = parameters(loop)[0] if isinstance(loop, FunctionNode) else ""
        """What a method that is called in a loop calls its object, which alone lasts from call to call."""
        self.targets: dict[Path, list[ast.expr]] = defaultdict(list)
        """The variables that the results are given to."""
        self.results: dict[Path, Part] = {}
        self._scope = code.tree.function_around(call) or code.tree.tree
        self._in_loop = set(ast.walk(loop))
        self._kept: set[Path] = set()
        """The results that the loop uses."""

    def follow_results(self, results: dict[Path, Part]) -> None:
        """Record where the `results` go."""
        self.results = results
        self._follow((), self.call)

    def _follow(self, path: Path, node: ast.expr) -> None:
        """Record where the loop uses the result at `path`, which `node` is."""
        parent = self.code.tree.parents[node]
        match parent:
            case ast.Expr():
                pass
            case ast.Assign(targets=targets):
                for each in targets:
                    self._give(path, each)
            case ast.Tuple(elts=several) if isinstance(self.code.tree.parents[parent], ast.Assign):
                for each in getattr(self.code.tree.parents[parent], "targets", []):
                    names = each.elts if isinstance(each, ast.Tuple) and len(each.elts) == len(several) else [each]
                    self._give(path, names[several.index(node) if len(names) > 1 else 0])
            case ast.AnnAssign(target=target):
                self._give(path, target)
            case ast.Call(args=[argument]) if argument is node and called(parent) == "block_until_ready":
                self._follow(path, parent)
            case ast.Subscript(slice=ast.Constant(value=key)) | ast.Attribute(attr=key):
                number = self.results[path].step(key)
                if number is None:
                    self._kept.add(path)
                else:
                    self._follow((*path, number), parent)
            case _:
                self._kept.add(path)

    def _give(self, path: Path, target: ast.expr) -> None:
        if isinstance(target, ast.Tuple | ast.List):
            for number, each in enumerate(target.elts):
                if (*path, number) in self.results and not isinstance(each, ast.Starred):
                    self._give((*path, number), each)
                else:
                    self._kept.add(path)
        else:
            self.targets[path].append(target)
            if not isinstance(target, ast.Name):
                self._kept.add(path)
            else:
                for each in self.reads(target.id, in_loop=True):
                    self._follow(path, each)

    def reads(self, name: str, *, in_loop: bool) -> list[ast.Name]:
        """Return where the scope reads a variable: in an iteration, or after the call and elsewhere."""
        return [
            each
            for each in ast.walk(self._scope)
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load) and each.id == name
            if in_loop == (each in self._in_loop or self.code.tree.function_around(each) is not self._function)
            if (in_loop or each.lineno > self.call.lineno) and self.code.binding(each)[0] in (self._scope, None)
        ]

    @property
    def _function(self) -> FunctionNode | None:
        return self.code.tree.function_around(self.call)

    def is_fixed(self, node: ast.AST) -> bool:
        """Return whether `node` is a variable, or a part of one, that no iteration changes."""
        root = node
        while isinstance(root, ast.Attribute | ast.Subscript):
            root = root.value
        if not isinstance(node, ast.expr) or not isinstance(root, ast.Name):
            return False
        text, names = self.written(node), {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        if _ON_PURPOSE.search(text) or not self.lasts(node):
            return False
        for each in self.code.tree.parents:
            match each:
                case ast.Global(names=several) | ast.Nonlocal(names=several) if root.id in several:
                    return False
                case ast.Name(id=name, ctx=ast.Store() | ast.Del()) if name in names and each in self._in_loop:
                    return False
                case ast.Attribute(ctx=ast.Store() | ast.Del()) | ast.Subscript(ctx=ast.Store() | ast.Del()):
                    if self._is_changed_by(each, node, text):
                        return False
                case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _CHANGES and each in self._in_loop:
                    if _overlap(self.written(value), text):
                        return False
        return True

    def lasts(self, node: ast.expr) -> bool:
        """Return whether the next iteration may have the variable `node`."""
        return not self.object or (isinstance(node, ast.Attribute) and self.written(node.value) == self.object)

    def _is_changed_by(self, store: ast.Attribute | ast.Subscript, node: ast.expr, text: str) -> bool:
        if store in self._in_loop:
            is_known = isinstance(store, ast.Attribute) or isinstance(store.slice, ast.Constant)
            return _overlap(self.written(store if is_known else store.value), text)
        if not isinstance(store, ast.Attribute) or not isinstance(node, ast.Attribute) or store.attr != node.attr:
            return False
        # Another method may be called in the loop.
        around = self.code.tree.function_around(store)
        return around is not self._function and getattr(around, "name", "") not in _MAKERS

    def goes_on(self, node: ast.expr) -> bool:
        """Return whether no iteration sets the variable `node` to something other than what it was or has become."""
        values = self.code.attribute(node.attr) if isinstance(node, ast.Attribute) else []
        values = self.code.binding(node)[1] if isinstance(node, ast.Name) else values
        own = {self.written(each) for targets in self.targets.values() for each in targets}
        return all(
            any(
                part is self.call or self.written(part) in own for part in ast.walk(value) if isinstance(part, ast.expr)
            )
            for value in values
            if value in self._in_loop
        )

    def is_kept(self, path: Path) -> bool:
        """Return whether the loop uses the result at `path`, or a part of it."""
        return any(each[: len(path)] == path[: len(each)] for each in self._kept)

    def is_carried_elsewhere(self, name: str) -> bool:
        """Return whether another call of the same function carries `name`: this one may be there to compile it."""
        for each in ast.walk(self._scope):
            if isinstance(each, ast.Assign) and each.targets and self.call not in set(ast.walk(each)):
                calls = [one for one in ast.walk(each.value) if isinstance(one, ast.Call)]
                if any(self.written(one.func) == self.written(self.call.func) for one in calls):
                    parts = [one for target in each.targets for one in ast.walk(target) if isinstance(one, ast.expr)]
                    if name in map(self.written, parts):
                        return True
        return False


def passed(call: ast.Call, function: FunctionNode, node: ast.expr) -> ast.expr | None:
    """Return the argument of `call` for the parameter `node` of `function`."""
    names, name = parameters(function), getattr(node, "id", "")
    if isinstance(call.func, ast.Attribute) and names[:1] == ["self"]:
        names = names[1:]
    by_name = [each.value for each in call.keywords if each.arg == name]
    place = names.index(name) if name in names else len(names)
    found = [*by_name, *call.args[place : place + 1]]
    return found[0] if found and not any(isinstance(each, ast.Starred) for each in call.args) else None


def same_calls(code: Code, call: ast.Call) -> Iterator[tuple[ast.Call, ast.For | ast.While]]:
    """Yield the calls in loops, near `call`, of the function that it calls by name, and their loops."""
    if isinstance(call.func, ast.Name) and len(code.binding(call.func)[1]) < 2:
        for each in ast.walk(code.tree.function_around(call) or code.tree.tree):
            if isinstance(each, ast.Call) and each is not call and isinstance(each.func, ast.Name):
                loop = loop_around(code, each)
                if each.func.id == call.func.id and len(each.args) == len(call.args) and loop is not None:
                    yield each, loop


def loop_around(code: Code, call: ast.Call) -> ast.For | ast.While | None:
    """Return the innermost loop whose body has `call` in it, and may run twice."""
    inner: ast.AST = call
    for each in code.tree.around(call):
        if isinstance(each, FunctionNode):
            return None
        if isinstance(each, ast.For | ast.While) and inner in each.body and not _runs_once(each):
            return each
        inner = each
    return None


def is_of_one_object(code: Code, call: ast.Call, parameter: str) -> bool:
    """Return whether `call` is in a loop, and its argument for the first `parameter` is the same in each iteration."""
    loop, node = loop_around(code, call), next(iter(call.args), None)
    if isinstance(call.func, ast.Attribute) and parameter == "self":
        node = call.func.value
    names = {each.id for each in ast.walk(node or call) if isinstance(each, ast.Name)}
    stored = {each.id for each in ast.walk(loop or call) if isinstance(each, ast.Name) and not is_read(each)}
    return loop is not None and node is not None and bool(names) and not names & stored


def is_read(name: ast.Name) -> bool:
    """Return whether the variable is read there, and not bound."""
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

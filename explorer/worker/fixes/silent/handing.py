"""One more argument for a function that is traced, handed through all functions down to it from where nothing is."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from explorer.messages import Edit, Span
from explorer.worker.errors.code_tree import CodeTree, FunctionNode
from explorer.worker.fixes.silent.rewriting import behind_arguments, last_name

WRAPPERS = {"jit", "grad", "value_and_grad", "checkpoint", "remat", "partial"}
"""What takes a function and returns one with the same last arguments."""
_TRACING = WRAPPERS - {"partial"} | {
    "vmap", "pmap", "shard_map", "scan", "fori_loop", "while_loop", "cond", "switch", "jacfwd", "jacrev", "hessian",
    "make_jaxpr", "eval_shape", "vectorize", "linearize", "jvp", "vjp", "map",
}  # fmt: skip
_MOST_FUNCTIONS = 6
"""Through which an argument is handed."""

ValueAt = Callable[[ast.Call | None], str]
"""Returns what to hand over in a call outside of traces; None stands for the return of ``inputs``."""


@dataclass
class Handing:
    """Collects the edits that hand `name` over. Raises ValueError where the code does not show how."""

    code: CodeTree
    name: str
    value_at: ValueAt
    for_each: str = ""
    """How a vmap gets one for each example, of ``{value}`` and an ``{example}`` argument; empty where it cannot."""
    shadows: bool = False
    """Whether the functions read `name` from outside now, and shall read the argument."""
    edits: list[Edit] = field(default_factory=list)
    _done: list[FunctionNode] = field(default_factory=list)

    def to(self, function: FunctionNode) -> None:
        """Give `function` the argument, and hand it over wherever it is called."""
        if function in self._done:
            return
        self._done.append(function)
        taken = bound_in(function) if self.shadows else names_in(function)
        if len(self._done) > _MOST_FUNCTIONS or self.name in taken:
            raise ValueError
        self.edits.append(parameter(self.code, function, self.name))
        sites = list(calls_of(self.code, function))
        for call, is_mapped in sites:
            self._in_call(call, is_mapped)
        if self._is_variant(function):
            self._from_inputs()
        elif not sites:
            raise ValueError

    def _in_call(self, call: ast.Call, is_mapped: bool) -> None:
        around = self.code.function_around(call)
        traced = around if around is not None and is_traced(self.code, around) else None
        if traced is not None and in_loop(self.code, call):
            raise ValueError
        value = self.name if traced is not None else self.value_at(call)
        if is_mapped:
            if not self.for_each or call.keywords:
                raise ValueError
            value = self.for_each.format(value=value, example=self.code.written(call.args[0]))
        self.edits.append(behind_arguments(self.code, call, f"{self.name}={value}" if call.keywords else value))
        if traced is not None:
            self.to(traced)

    def _is_variant(self, function: FunctionNode) -> bool:
        inputs = _inputs(self.code)
        if inputs is None or not isinstance(function, ast.FunctionDef) or function not in self.code.tree.body:
            return False
        needed = {each.arg for each in function.args.args}
        return bool(needed) and not function.name.startswith("_") and needed <= _given(inputs)

    def _from_inputs(self) -> None:
        inputs = _inputs(self.code)
        assert inputs is not None
        if self.name in _given(inputs):
            raise ValueError
        if isinstance(inputs, ast.Call):
            edit = behind_arguments(self.code, inputs, f"{self.name}={self.value_at(None)}")
        else:
            end = self.code.span(inputs)
            place = Span(end.end_line, end.end_column - 1, end.end_line, end.end_column - 1)
            comma = "" if self.code.lines[place.line - 1][: place.column].rstrip().endswith((",", "{")) else ", "
            edit = Edit(place, "", f'{comma}"{self.name}": {self.value_at(None)}')
        if edit not in self.edits:
            self.edits.append(edit)


def parameter(code: CodeTree, function: FunctionNode, name: str) -> Edit:
    """Return the edit that adds the parameter `name` behind all others."""
    own = function.args
    if own.vararg or own.kwarg or own.kwonlyargs or own.defaults:
        raise ValueError
    every = [*own.posonlyargs, *own.args]
    if every:
        last = every[-1]
        line, column = last.end_lineno or last.lineno, last.end_col_offset or 0
        if not code.lines[line - 1].isascii():
            raise ValueError
        return Edit(Span(line, column, line, column), "", f", {name}")
    if isinstance(function, ast.Lambda):
        raise ValueError
    column = code.lines[function.lineno - 1].index(f"{function.name}(") + len(function.name) + 1
    return Edit(Span(function.lineno, column, function.lineno, column), "", name)


# -- who calls whom ---------------------------------------------------------------------------


def calls_of(code: CodeTree, function: FunctionNode) -> Iterator[tuple[ast.Call, bool]]:
    """Yield the calls of `function`, by its name or through wrappers, and whether a vmap maps it there.

    Raises ValueError where it goes elsewhere.
    """
    first: list[ast.AST] = [function] if isinstance(function, ast.Lambda) else reads(code, function.name)
    waiting = [(each, False) for each in first]
    seen: set[str] = set()
    if not isinstance(function, ast.Lambda) and len(_definitions(code, function.name)) > 1:
        raise ValueError
    while waiting:
        node, is_mapped = waiting.pop(0)
        parent = code.parents[node]
        wrapper = last_name(parent.func) if isinstance(parent, ast.Call) and parent.args[:1] == [node] else ""
        if isinstance(parent, ast.Call) and parent.func is node:
            yield parent, is_mapped
        elif wrapper in WRAPPERS:
            waiting.append((parent, is_mapped))
        elif isinstance(parent, ast.Call) and wrapper == "vmap" and len(parent.args) == 1 and not parent.keywords:
            waiting.append((parent, True))
        elif isinstance(parent, ast.Assign) and [type(each) for each in parent.targets] == [ast.Name]:
            name = last_name(parent.targets[0])
            if name not in seen:
                seen.add(name)
                waiting += [(each, is_mapped) for each in reads(code, name)]
        else:
            raise ValueError


def is_traced(code: CodeTree, function: FunctionNode, seen: tuple[FunctionNode, ...] = ()) -> bool:
    """Return whether JAX traces `function`, as far as the text shows it."""
    if function in seen:
        return False
    around = code.function_around(function)
    if around is not None and is_traced(code, around, (*seen, function)):
        return True
    if isinstance(function, ast.Lambda):
        parent = code.parents.get(function)
        return isinstance(parent, ast.Call) and last_name(parent.func) in _TRACING
    if any(last_name(each) in _TRACING for part in function.decorator_list for each in ast.walk(part)):
        return True
    for node in reads(code, function.name):
        parent = code.parents[node]
        if isinstance(parent, ast.Call) and parent.func is not node and last_name(parent.func) in _TRACING:
            return True
        caller = code.function_around(node)
        if caller is not None and caller is not function and is_traced(code, caller, (*seen, function)):
            return True
    return False


def names_in(function: FunctionNode) -> set[str]:
    """Return every name that stands in `function`, its arguments among them."""
    found = {each.id for each in ast.walk(function) if isinstance(each, ast.Name)}
    return found | {each.arg for each in ast.walk(function) if isinstance(each, ast.arg)}


def bound_in(function: FunctionNode) -> set[str]:
    """Return the names that `function` sets, its arguments among them."""
    found = {each.id for each in ast.walk(function) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    return found | {each.arg for each in ast.walk(function) if isinstance(each, ast.arg)}


def in_loop(code: CodeTree, node: ast.AST) -> bool:
    """Return whether `node` is carried out more than once in one call of the function around it."""
    for each in code.around(node):
        if isinstance(each, FunctionNode):
            return False
        if isinstance(each, ast.For | ast.While | ast.comprehension | ast.ListComp | ast.GeneratorExp):
            return True
    return False


def reads(code: CodeTree, name: str) -> list[ast.AST]:
    """Return where `name` is read, also as an attribute of anything."""
    names = (each for each in ast.walk(code.tree) if isinstance(each, ast.Name | ast.Attribute))
    return [each for each in names if last_name(each) == name and isinstance(each.ctx, ast.Load)]


def _definitions(code: CodeTree, name: str) -> list[ast.FunctionDef]:
    return [each for each in ast.walk(code.tree) if isinstance(each, ast.FunctionDef) and each.name == name]


def _inputs(code: CodeTree) -> ast.Call | ast.Dict | None:
    """Return the dict of arguments that ``inputs`` returns."""
    for node in code.tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == "inputs":
            values = [each.value for each in ast.walk(node) if isinstance(each, ast.Return)]
            if len(values) == 1 and isinstance(values[0], ast.Call) and last_name(values[0].func) == "dict":
                return values[0]
            if len(values) == 1 and isinstance(values[0], ast.Dict):
                return values[0]
    return None


def _given(inputs: ast.Call | ast.Dict) -> set[str]:
    if isinstance(inputs, ast.Call):
        return {each.arg for each in inputs.keywords if each.arg}
    return {each.value for each in inputs.keys if isinstance(each, ast.Constant) and isinstance(each.value, str)}

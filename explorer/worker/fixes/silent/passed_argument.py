"""A new argument for a traced function, passed down through all callers from the first untraced one."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field

from explorer.messages import Edit, Span
from explorer.worker.errors.code_tree import CodeTree, FunctionNode
from explorer.worker.fixes.functions import WRAPPERS, bound_in, parameters
from explorer.worker.fixes.silent.rewriting import behind_arguments, last_name
from explorer.worker.fixes.thread_argument import CallSite, inputs_of, reads, returned_inputs, thread_argument

_TRACING = {
    *WRAPPERS, "vmap", "pmap", "shard_map", "scan", "fori_loop", "while_loop", "cond", "switch", "jacfwd", "jacrev",
    "hessian", "make_jaxpr", "eval_shape", "vectorize", "linearize", "jvp", "vjp", "map",
}  # fmt: skip
_MOST_FUNCTIONS = 6
"""The largest number of functions through which an argument is passed."""

ValueAt = Callable[[ast.Call | None], str]
"""Returns the expression to pass in a call outside of traces; None stands for the return of ``inputs``."""


@dataclass
class PassedArgument:
    """The edits that pass `name` along. Raises ValueError if the code does not show a way."""

    code: CodeTree
    name: str
    value_at: ValueAt
    for_each: str = ""
    """A vmap's expression for one value per example, with ``{value}`` and ``{example}``; empty if there is none."""
    shadows: bool = False
    """Whether the functions read `name` from an enclosing scope, and should read the argument instead."""
    edits: list[Edit] = field(default_factory=list)
    _done: list[FunctionNode] = field(default_factory=list)

    def to(self, function: FunctionNode) -> None:
        """Add the argument to `function`, and pass it in every call.

        Raises ValueError if the name is taken, nothing calls `function`, or more than `_MOST_FUNCTIONS` are involved.
        """
        if function in self._done:
            return
        self._done.append(function)
        taken = bound_in(function) if self.shadows else names_in(function)
        if len(self._done) > _MOST_FUNCTIONS or self.name in taken:
            raise ValueError
        made = list(thread_argument(self.code, function, self.name, self._value_at))
        self.edits += made
        if self._is_variant(function):
            self._from_inputs()
        elif len(made) == 1:
            # Nothing calls it.
            raise ValueError

    def _value_at(self, site: CallSite) -> str:
        call = site.call
        around = self.code.function_around(call)
        traced = around if around is not None and is_traced(self.code, around) else None
        if traced is not None and in_loop(self.code, call):
            raise ValueError
        value = self.name if traced is not None else self.value_at(call)
        if site.is_mapped:
            if not self.for_each or call.keywords:
                raise ValueError
            value = self.for_each.format(value=value, example=self.code.written(call.args[0]))
        if traced is not None:
            self.to(traced)
        return value

    def _is_variant(self, function: FunctionNode) -> bool:
        given = inputs_of(self.code)
        if len(given) != 1 or not isinstance(function, ast.FunctionDef) or function not in self.code.tree.body:
            return False
        own = parameters(function)
        needed = {each.arg for each in own[: len(own) - len(function.args.defaults)]}
        return bool(needed) and not function.name.startswith("_") and needed <= given[0].keys()

    def _from_inputs(self) -> None:
        (inputs,) = returned_inputs(self.code)
        if inputs is None or self.name in inputs_of(self.code)[0]:
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


# -- callers ----------------------------------------------------------------------------------


def is_traced(code: CodeTree, function: FunctionNode, seen: tuple[FunctionNode, ...] = ()) -> bool:
    """Return whether JAX traces `function`, as far as the source text shows."""
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
    """Return every name in `function`, including its arguments."""
    found = {each.id for each in ast.walk(function) if isinstance(each, ast.Name)}
    return found | {each.arg for each in ast.walk(function) if isinstance(each, ast.arg)}


def in_loop(code: CodeTree, node: ast.AST) -> bool:
    """Return whether one call of the enclosing function can execute `node` more than once."""
    for each in code.around(node):
        if isinstance(each, FunctionNode):
            return False
        if isinstance(each, ast.For | ast.While | ast.comprehension | ast.ListComp | ast.GeneratorExp):
            return True
    return False

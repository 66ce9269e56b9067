"""Fixes for state outside of a traced function: pass it in as an argument, and return the new one.

See https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#pure-functions.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from explorer.messages import Edit, Finding, Fix, Span
from explorer.worker.errors.code_tree import CodeTree, FunctionNode
from explorer.worker.fixes.fix_labels import label
from explorer.worker.fixes.silent.passed_argument import PassedArgument, in_loop, is_traced, names_in
from explorer.worker.fixes.silent.rewriting import edited, last_name, rewritten
from explorer.worker.fixes.thread_argument import CallSite, calls_of, with_argument, with_parameter

State = ast.Name | ast.Attribute | ast.Subscript


def proposed(code: CodeTree, finding: Finding) -> Iterator[Fix]:
    """Yield the fix that passes the state changed at the first of `spans` into the traced function.

    If that function changes the state, it returns the new value, and its callers store it.
    """
    statement = next((each for each in code.covering(finding.spans[0]) if isinstance(each, ast.stmt)), None)
    state = _changed(statement)
    if statement is None or state is None:
        return
    if len(finding.spans) > 1:
        # It was traced before the change, and reads the state.
        reader = next((each for each in ast.walk(code.tree) if _begins(each, finding.spans[-1])), None)
        if isinstance(reader, FunctionNode):
            yield _passed_in(code, state, _reader(code, state, reader))
        return
    function = code.function_around(statement)
    if isinstance(function, ast.FunctionDef):
        yield _passed_through(code, state, function)


def _changed(statement: ast.stmt | None) -> State | None:
    """Return the only object that `statement` changes, or None."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
    elif isinstance(statement, ast.AugAssign):
        target = statement.target
    else:
        return None
    if isinstance(target, ast.Subscript):
        return target if isinstance(target.slice, ast.Constant) else None
    return target if isinstance(target, ast.Name | ast.Attribute) else None


def _begins(node: ast.AST, span: Span) -> bool:
    decorators = getattr(node, "decorator_list", [])
    return isinstance(node, FunctionNode) and span.line in (node.lineno, *(each.lineno for each in decorators))


def _name_of(state: State) -> str:
    """Return the name of a parameter for `state`."""
    if isinstance(state, ast.Subscript):
        index = state.slice.value if isinstance(state.slice, ast.Constant) else ""
        return index if isinstance(index, str) and index.isidentifier() else last_name(state.value)
    return last_name(state)


def _places(code: CodeTree, function: FunctionNode, state: State) -> list[State]:
    """Return all occurrences of `state` in `function`."""
    written = code.written(state)
    found = [each for each in ast.walk(function) if isinstance(each, State) and code.written(each) == written]
    if any(code.function_around(each) is not function for each in found):
        raise ValueError
    return found


# -- state that is only read ------------------------------------------------------------------


def _reader(code: CodeTree, state: State, function: FunctionNode) -> FunctionNode:
    """Return `function` if it reads `state` itself, else the only traced function that does."""
    if _places(code, function, state):
        return function
    functions = [each for each in ast.walk(code.tree) if isinstance(each, ast.FunctionDef) and is_traced(code, each)]
    (found,) = [each for each in functions if _places(code, each, state)]
    return found


def _passed_in(code: CodeTree, state: State, function: FunctionNode) -> Fix:
    name, written = _name_of(state), code.written(state)
    handing = PassedArgument(code, name, lambda _: written, shadows=isinstance(state, ast.Name))
    handing.to(function)
    # An argument with the name of the state leaves the body unchanged.
    edits = [code.replace(each, name) for each in _places(code, function, state)] if name != written else []
    return rewritten(code, label("pass_in", state=written), edited(code.text, [*edits, *handing.edits]))


# -- state that is changed --------------------------------------------------------------------


def _passed_through(code: CodeTree, state: State, function: ast.FunctionDef) -> Fix:
    """Return the fix that passes `state` to `function` and returns the new state with its result."""
    name, written = _name_of(state), code.written(state)
    returns = [each for each in ast.walk(function) if isinstance(each, ast.Return)]
    own = [each for each in returns if code.function_around(each) is function]
    if not own or len(own) != len(returns) or not isinstance(function.body[-1], ast.Return):
        raise ValueError
    edits = [code.replace(each, name) for each in _places(code, function, state)] if name != written else []
    if name != written and name in names_in(function):
        raise ValueError
    edits += _declarations(code, function, name)
    edit, place = with_parameter(code, function, name)
    edits.append(edit)
    for each in own:
        if each.value is None:
            raise ValueError
        edits.append(code.insert_after(each.value, f", {name}"))
    if any(isinstance(each.value, ast.Tuple) for each in own):
        raise ValueError
    text = edited(code.text, [*edits, *_from_callers(code, function, state, name, place)])
    return rewritten(code, label("pass_through", state=written), text)


def _declarations(code: CodeTree, function: ast.FunctionDef, name: str) -> list[Edit]:
    """Return the edits that remove the global or nonlocal declaration of `name`."""
    found = [each for each in ast.walk(function) if isinstance(each, ast.Global | ast.Nonlocal) and name in each.names]
    edits = []
    for each in found:
        if each.names != [name]:
            raise ValueError
        edits.append(Edit(Span(each.lineno, 0, each.lineno + 1, 0), f"{code.lines[each.lineno - 1]}\n", ""))
    return edits


def _from_callers(code: CodeTree, function: ast.FunctionDef, state: State, name: str, place: int) -> Iterator[Edit]:
    """Yield the edits that pass the state to each call of `function`, and store the new state, statement by statement.

    Several calls in one statement keep their order.
    """
    by_statement: dict[ast.stmt, list[CallSite]] = {}
    for site in calls_of(code, function):
        call = site.call
        statement = code.statement_around(call)
        around = code.function_around(call)
        is_simple = isinstance(statement, ast.Assign | ast.Return | ast.Expr | ast.AugAssign)
        traced = around is not None and is_traced(code, around)
        if statement is None or not is_simple or site.is_mapped or traced or _runs_separately(code, call, statement):
            raise ValueError
        by_statement.setdefault(statement, []).append(site)
    if not by_statement:
        raise ValueError
    is_global = any(isinstance(each, ast.Global) for each in ast.walk(function))
    declared = set()
    for statement, sites in by_statement.items():
        around = code.function_around(statement)
        if is_global and isinstance(around, ast.FunctionDef) and around not in declared:
            declared.add(around)
            yield code.insert_before(_first_statement(around), f"global {name}")
        called = [(each.call, _at(code, each.call, state, function), place - each.given) for each in sites]
        yield from _hoisted(code, statement, called, name)


def _hoisted(code: CodeTree, statement: ast.stmt, sites: list[tuple[ast.Call, str, int]], name: str) -> Iterator[Edit]:
    """Yield the edits that pass the state at each call, as the argument `name`, and store the new one."""
    taken = {each.id for each in ast.walk(code.tree) if isinstance(each, ast.Name)}
    results = (each for each in ("result", *(f"result_{n}" for n in range(2, 99))) if each not in taken)
    sites = sorted(sites, key=lambda each: (each[0].lineno, each[0].col_offset))
    if any(other is not each and other in ast.walk(each) for each, *_ in sites for other, *_ in sites):
        raise ValueError
    lines = []
    for call, attribute, place in sites:
        end = with_argument(code, call, place, name, attribute)
        inside = end.span.column - code.span(call).column
        if end.span.line != code.span(call).line:
            raise ValueError
        text = code.written(call)
        given = f"{text[:inside]}{end.new}{text[inside:]}"
        if isinstance(statement, ast.Assign) and statement.value is call and len(statement.targets) == 1:
            yield code.replace(statement, f"{code.written(statement.targets[0])}, {attribute} = {given}")
            return
        result = next(results)
        lines.append(f"{result}, {attribute} = {given}")
        yield code.replace(call, result)
    start = code.span(statement)
    indent = code.lines[start.line - 1][: start.column]
    yield Edit(Span(start.line, 0, start.line, 0), "", "".join(f"{indent}{line}\n" for line in lines))


def _at(code: CodeTree, call: ast.Call, state: State, function: ast.FunctionDef) -> str:
    """Return the text of `state` at `call`: for a method, an attribute of the method's object."""
    written = code.written(state)
    root = next(each.id for each in ast.walk(state) if isinstance(each, ast.Name))
    if root != "self":
        is_argument = root in {each.arg for each in function.args.args}
        if is_argument and root not in [last_name(each) for each in call.args]:
            raise ValueError
        return written
    if not isinstance(call.func, ast.Attribute):
        raise ValueError
    return f"{code.written(call.func.value)}{written.removeprefix('self')}"


def _runs_separately(code: CodeTree, call: ast.Call, statement: ast.stmt) -> bool:
    """Return whether one execution of `statement` may execute `call` several times, or not at all."""
    for each in code.around(call):
        if each is statement:
            return False
        if isinstance(each, ast.Lambda | ast.BoolOp | ast.IfExp) or in_loop(code, call) != in_loop(code, statement):
            return True
    return True


def _first_statement(function: ast.FunctionDef) -> ast.stmt:
    first = function.body[0]
    is_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return function.body[1] if is_docstring else first

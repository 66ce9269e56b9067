"""Calls that take a key, and a new key for each: by a split or fold_in, on each device, and in a replaced state."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from functools import partial

import msgspec

from explorer.messages import Edit, Fix, Span
from explorer.worker.fixes.fix_labels import label
from explorer.worker.fixes.functions import function_of
from explorer.worker.fixes.spelling import fold_in, free_name, is_key_like, names_of_keys, split
from explorer.worker.syntax.code_tree import CodeTree, last_name, tried
from explorer.worker.syntax.scopes import FunctionNode

_BODY = {"scan": 0, "fori_loop": 2, "while_loop": 1}
"""Loops of JAX, each with the number of the argument that is its body."""
_LOOKS_ONLY = ("key_data", "print", "len", "append", "isinstance")
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


class KeyUse(msgspec.Struct, frozen=True):
    """One call that takes a key."""

    call: ast.Call
    key: ast.expr
    """The argument."""


def uses_at(code: CodeTree, spans: Sequence[Span]) -> list[KeyUse]:
    """Return the calls at `spans` that take a key, without repetition, in source order."""
    found: dict[ast.AST, KeyUse] = {}
    for span in spans:
        for node in code.covering(span):
            if isinstance(node, ast.Call) and (key := _key_of(code, node)) is not None:
                found.setdefault(key, KeyUse(node, key))
                break
    return sorted(found.values(), key=lambda each: (each.key.lineno, each.key.col_offset))


def uses_in(scope: FunctionNode | ast.Module, keys: Collection[str] = ()) -> dict[str, list[KeyUse]]:
    """Return the calls in the body of `scope` that take a key, by the key's name, without those in inner functions.

    A name counts if it is in `keys` or looks like the name of a key.
    """
    found: dict[str, list[KeyUse]] = {}
    body = [scope.body] if isinstance(scope, ast.Lambda) else scope.body
    for node in (each for part in body for each in _open(part)):
        if isinstance(node, ast.Call) and last_name(node.func) not in _LOOKS_ONLY:
            given = [*node.args, *(each.value for each in node.keywords)]
            for argument in (part for each in given for part in _parts(each)):
                if isinstance(argument, ast.Name) and (argument.id in keys or is_key_like(argument)):
                    found.setdefault(argument.id, []).append(KeyUse(node, argument))
    for uses in found.values():
        uses.sort(key=lambda each: (each.key.lineno, each.key.col_offset))
    return found


def _open(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _open(child)


def _key_of(code: CodeTree, call: ast.Call) -> ast.expr | None:
    given = [*call.args, *(each.value for each in call.keywords)]
    named = [each.value for each in call.keywords if each.arg and is_key_like(ast.Name(each.arg))]
    alike = [each for argument in given for each in _parts(argument) if is_key_like(each)]
    names = [each for each in call.args[:1] if isinstance(each, ast.Name) and function_of(code, each) is None]
    simple = (each for each in (*named, *alike, *names) if not isinstance(each, ast.Dict | ast.Tuple | ast.List))
    return next(simple, None)


def _parts(argument: ast.expr) -> Iterator[ast.expr]:
    """Yield `argument`, or the elements that it contains: dicts pass keys by name too."""
    if isinstance(argument, ast.Dict):
        yield from (part for each in argument.values for part in _parts(each))
    elif isinstance(argument, ast.Tuple | ast.List):
        yield from (part for each in argument.elts for part in _parts(each))
    else:
        yield argument


# -- a split before each use ------------------------------------------------------------------


def split_before(code: CodeTree, uses: Sequence[KeyUse], *, last: bool) -> Iterator[Edit]:
    """Yield the edits that split the key before each of `uses`; without `last`, before each but the last.

    Raises ValueError for a key that is neither a name nor an attribute of self.
    """
    by_statement: dict[ast.stmt, list[KeyUse]] = {}
    for use in uses:
        statement = code.statement_around(use.call)
        if statement is None or not _can_be_set(use.key):
            raise ValueError
        by_statement.setdefault(statement, []).append(use)
    for number, (statement, here) in enumerate(by_statement.items()):
        stays = not last and number == len(by_statement) - 1
        yield from _split_for(code, statement, here, stays=stays)


def _split_for(code: CodeTree, statement: ast.stmt, uses: Sequence[KeyUse], *, stays: bool) -> Iterator[Edit]:
    """Yield the edits that split the key above `statement`; with `stays`, the last use keeps the remaining key."""
    key, scope = code.written(uses[0].key), code.function_around(statement)
    changed = uses[:-1] if stays else uses
    if not changed or any(code.written(each.key) != key for each in uses):
        if changed:
            raise ValueError
        return
    if len(changed) == 1:
        name = free_name(code, scope, "subkey")
        yield code.insert_before(statement, f"{key}, {name} = {split(code, key)}")
        yield code.replace(changed[0].key, name)
        return
    name = free_name(code, scope, "subkeys")
    yield code.insert_before(statement, f"{key}, *{name} = {split(code, key, str(len(changed) + 1))}")
    for number, use in enumerate(changed):
        yield code.replace(use.key, f"{name}[{number}]")


def _can_be_set(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) or (isinstance(node, ast.Attribute) and last_name(node.value) == "self")


# -- fold_in --------------------------------------------------------------------------------


def folded(code: CodeTree, nodes: Sequence[ast.expr]) -> Iterator[Edit]:
    """Yield the edits that fold the iteration number and the position in `nodes` into the keys `nodes`.

    Raises ValueError for a single key outside a loop.
    """
    counted: dict[ast.AST, str] = {}
    for number, node in enumerate(nodes):
        text = code.written(node)
        for count, edits in iteration_indices(code, node, counted):
            yield from edits
            text = fold_in(code, text, count)
        if not counted and len(nodes) == 1:
            raise ValueError
        if len(nodes) > 1:
            text = fold_in(code, text, str(number))
        yield code.replace(node, text)


def iteration_indices(code: CodeTree, node: ast.AST, counted: dict[ast.AST, str]) -> Iterator[tuple[str, list[Edit]]]:
    """Yield the name of the iteration number of each loop around `node`, and the edits that define that name.

    Loops in `counted` have one already; the others are added to it.
    """
    for loop in _loops(code, node):
        edits: list[Edit] = []
        if loop not in counted:
            counted[loop], edits = _count_of(code, loop, list(counted.values()))
        yield counted[loop], edits


def comes_again(code: CodeTree, use: KeyUse) -> bool:
    """Return whether a loop of the function reuses the key of `use` without setting it."""
    name = use.key.id if isinstance(use.key, ast.Name) else ""
    loops = [*_loops(code, use.call), *(each for each in code.around(use.call) if isinstance(each, ast.While))]
    return in_a_loop(code, use.call) and not any(_sets(loop, name) for loop in loops)


def bodies(code: CodeTree, loops: Collection[str] = tuple(_BODY)) -> list[FunctionNode]:
    """Return the functions of the code through which a JAX loop, one of `loops`, carries a value."""
    calls = [each for each in code.parents if isinstance(each, ast.Call) and last_name(each.func) in loops]
    given = [(call.args, _BODY[last_name(call.func)]) for call in calls]
    found = [function_of(code, arguments[place]) for arguments, place in given if len(arguments) > place]
    return [each for each in found if each is not None]


def is_set_there(code: CodeTree, use: KeyUse) -> bool:
    """Return whether the statement of `use` also assigns the name of its key."""
    statement = code.statement_around(use.call)
    return isinstance(statement, ast.Assign) and _sets(statement, last_name(use.key))


def _sets(node: ast.AST, name: str) -> bool:
    names = (each for each in ast.walk(node) if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load))
    return any(each.id == name for each in names)


def in_a_loop(code: CodeTree, node: ast.AST) -> bool:
    """Return whether `node` is evaluated in each iteration of a loop or comprehension of its function."""
    return any(True for _ in _loops(code, node)) or any(
        isinstance(each, ast.While) for each in code.around(node) if not isinstance(each, FunctionNode)
    )


Loop = ast.For | ast.comprehension


def _loops(code: CodeTree, node: ast.AST) -> Iterator[Loop]:
    """Yield the loops of the function whose iterations each evaluate `node` once, the innermost first."""
    inner = node
    for outer in code.around(node):
        if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef):
            return
        if isinstance(outer, ast.For) and inner is not outer.iter and inner not in outer.orelse:
            yield outer
        elif isinstance(outer, _Comprehension):
            own = outer.generators
            yield from reversed(own[: own.index(inner)] if isinstance(inner, ast.comprehension) else own)
        inner = outer


def _count_of(code: CodeTree, loop: Loop, taken: Sequence[str]) -> tuple[str, list[Edit]]:
    """Return the name of the iteration number of `loop`, and the edits that define it."""
    made = loop.iter if isinstance(loop.iter, ast.Call) else None
    name = last_name(made.func) if made is not None else ""
    if name == "range" and isinstance(loop.target, ast.Name) and loop.target.id != "_":
        return loop.target.id, []
    if name == "enumerate" and isinstance(loop.target, ast.Tuple) and isinstance(loop.target.elts[0], ast.Name):
        return loop.target.elts[0].id, []
    within: ast.AST = next((each for each in code.around(loop) if isinstance(each, FunctionNode)), code.tree)
    number = free_name(code, within, *(each for each in ("i", "j", "k", "number") if each not in taken))
    if name == "range":
        return number, [code.replace(loop.target, number)]
    target = code.written(loop.target)
    bare = isinstance(loop.target, ast.Tuple) and not target.startswith("(")
    return number, [
        code.replace(loop.target, f"{number}, ({target})" if bare else f"{number}, {target}"),
        code.insert_ahead(loop.iter, "enumerate("),
        code.insert_after(loop.iter, ")"),
    ]


def closed_over(code: CodeTree, function: FunctionNode) -> list[str]:
    """Return the key-like names that `function` reads from an enclosing scope."""
    keys = names_of_keys(code)
    scope = code.scopes[function]
    first = {name: min((each.lineno, each.col_offset) for each in scope.uses(name)) for name in scope.free}
    names = [name for name in sorted(first, key=first.__getitem__) if name in keys or is_key_like(ast.Name(name))]
    return [name for name in names if not _is_no_key(code, name)]


def _is_no_key(code: CodeTree, name: str) -> bool:
    """Return whether `name` names a function, a class or a module."""
    return any(
        (isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name)
        or (isinstance(node, ast.alias) and (node.asname or node.name) == name)
        for node in code.parents
    )


_NAMING_AXES = ("PartitionSpec", "P", "make_mesh", "Mesh", "pmap")


def folded_by_device(code: CodeTree, spans: Sequence[Span]) -> Iterator[Fix]:
    """Yield the fixes that fold the device index into the keys passed to the calls at `spans`."""
    calls = (each for each in code.parents if isinstance(each, ast.Call) and last_name(each.func) in _NAMING_AXES)
    texts = (each for call in calls for each in ast.walk(call) if isinstance(each, ast.Constant))
    names = dict.fromkeys(each.value for each in texts if isinstance(each.value, str))
    uses = uses_at(code, spans)
    for name in names if uses else ():
        number = f'jax.lax.axis_index("{name}")'
        keys = list(dict.fromkeys(each.key for each in uses))
        words = label("fold_devices", key=code.written(keys[0]))
        edits = [(each, fold_in(code, code.written(each), number)) for each in keys]
        yield from tried(code, words, partial(_replaced, code, edits))


def _replaced(code: CodeTree, new: Sequence[tuple[ast.expr, str]]) -> list[Edit]:
    return [code.replace(node, text) for node, text in new]


def split_in_states(code: CodeTree, spans: Sequence[Span]) -> Iterator[Fix]:
    """Yield the fixes for a key in a replaced state: the new state gets a new key too."""
    for use in uses_at(code, spans):
        if isinstance(use.key, ast.Attribute) and isinstance(use.key.value, ast.Name):
            words = label("split_first", key=code.written(use.key))
            yield from tried(code, words, partial(_key_of_state, code, use.key, use.key.value.id))


def _key_of_state(code: CodeTree, key: ast.Attribute, state: str) -> Iterator[Edit]:
    scope, statement = code.function_around(key), code.statement_around(key)
    if scope is None or statement is None:
        raise ValueError
    calls = (each for each in ast.walk(scope) if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute))
    (replaced,) = (
        each for each in calls if last_name(each.func) in ("replace", "_replace") and _owner(each.func) == state
    )
    next_key, used = free_name(code, scope, key.attr, "next_key"), free_name(code, scope, "subkey")
    yield code.insert_before(statement, f"{next_key}, {used} = {split(code, code.written(key))}")
    yield code.replace(key, used)
    yield code.insert_after(replaced.keywords[-1], f", {key.attr}={next_key}")


def _owner(function: ast.expr) -> str:
    return function.value.id if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) else ""

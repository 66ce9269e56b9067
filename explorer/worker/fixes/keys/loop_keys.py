"""One key per iteration for a scan, map or fori_loop whose body closes over a key."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from explorer.messages import Edit
from explorer.worker.errors.code_tree import CodeTree, FunctionNode
from explorer.worker.fixes.functions import function_of, loads, parameters
from explorer.worker.fixes.keys import closures
from explorer.worker.fixes.keys.counts import counts
from explorer.worker.fixes.spelling import fold_in, last_name, split

_BODY = {"scan": 0, "map": 0, "fori_loop": 2}


@dataclass(frozen=True)
class LoopKeys:
    """One JAX loop and its body function."""

    call: ast.Call
    name: str
    body: FunctionNode

    def edits(self, code: CodeTree, key: str, way: int) -> list[Edit]:
        """Return the edits that pass a key of its own to each iteration, counting the iterations in way number `way`.

        Raises ValueError or IndexError if there is no such way.
        """
        if self.name == "fori_loop":
            return [] if way else list(self._folded(code, key))
        return list(self._split(code, key, way))

    def _folded(self, code: CodeTree, key: str) -> Iterator[Edit]:
        number = parameters(self.body)[0]
        name = "i" if number.arg == "_" else number.arg
        if name != number.arg:
            yield code.replace(number, name)
        own = fold_in(code, key, name)
        yield from (code.replace(each, own) for each in loads(self.body, key))
        yield from closures.handed_down(code, self.body, key, own)

    def _split(self, code: CodeTree, key: str, way: int) -> Iterator[Edit]:
        given = parameters(self.body)[-1]
        every = self._over()
        is_none = every is None or (isinstance(every, ast.Constant) and every.value is None)
        is_used = bool(loads(self.body, given.arg))
        if is_none and not is_used:
            length = next(each.value for each in self.call.keywords if each.arg == "length")
            text = split(code, key, [code.written(length)][way])
            yield code.replace(every, text) if every is not None else code.insert_after(self.call.args[-1], f", {text}")
        elif every is not None and not is_none:
            text = split(code, key, list(counts(code, every))[way])
            if is_used:
                yield code.insert_ahead(every, "(")
                yield code.insert_after(every, f", {text})")
            else:
                yield code.replace(every, text)
        else:
            raise ValueError
        yield from self._unpacked(code, given, key) if is_used else self._renamed(code, given, key)
        own = f"{given.arg}[1]" if is_used and isinstance(self.body, ast.Lambda) else key
        yield from closures.handed_down(code, self.body, key, own)

    def _over(self) -> ast.expr | None:
        place = 2 if self.name == "scan" else 1
        named = next((each.value for each in self.call.keywords if each.arg == "xs"), None)
        return self.call.args[place] if len(self.call.args) > place else named

    def _renamed(self, code: CodeTree, given: ast.arg, key: str) -> Iterator[Edit]:
        yield code.replace(given, key)

    def _unpacked(self, code: CodeTree, given: ast.arg, key: str) -> Iterator[Edit]:
        if isinstance(self.body, ast.Lambda):
            yield from (code.replace(each, f"{given.arg}[0]") for each in loads(self.body, given.arg))
            yield from (code.replace(each, f"{given.arg}[1]") for each in loads(self.body, key))
            return
        first = self.body.body[0]
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and len(self.body.body) > 1:
            first = self.body.body[1]
        yield code.insert_before(first, f"{given.arg}, {key} = {given.arg}")


def bodies(code: CodeTree) -> list[FunctionNode]:
    """Return the functions of the code through which a JAX loop carries a value."""
    places = {"scan": 0, "fori_loop": 2, "while_loop": 1}
    calls = [each for each in code.parents if isinstance(each, ast.Call) and last_name(each.func) in places]
    given = [(call.args, places[last_name(call.func)]) for call in calls]
    found = [function_of(code, arguments[place]) for arguments, place in given if len(arguments) > place]
    return [each for each in found if each is not None]


def loop_keys_in(code: CodeTree) -> list[LoopKeys]:
    """Return the JAX loops whose body functions are defined in the code."""
    found = []
    for node in code.parents:
        place = _BODY.get(last_name(node.func)) if isinstance(node, ast.Call) else None
        if place is None or not isinstance(node, ast.Call) or len(node.args) <= place:
            continue
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        if last_name(node.func) == "map" and (owner is None or last_name(owner) != "lax"):
            continue
        body = function_of(code, node.args[place])
        if body is not None and parameters(body):
            found.append(LoopKeys(node, last_name(node.func), body))
    return found

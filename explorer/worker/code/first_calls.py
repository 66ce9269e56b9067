"""The functions that a script calls, with first arguments and counts (`ScriptCalls`); an awaited call ends a run."""

from __future__ import annotations

import ast
import builtins
import gc
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from inspect import Parameter, Signature, signature
from types import BuiltinMethodType, CodeType, FunctionType, MethodType
from typing import Any, NamedTuple

import jax
import msgspec

from explorer.worker.code import trees
from explorer.worker.internals import dispatch, traces
from explorer.worker.internals.sources import JAX_FILES

_NOTE_CALL, _ARGS, _NAMED, _NOTE_RESULT = (
    f"__jax_explorer_{name}__" for name in ("note_call", "args", "named", "note_result")
)
_NEVER_OWN = {*sys.stdlib_module_names, "jax", "numpy"}
MOST_WRAPPERS = 12
MOST_SEEN = 200
"""The most functions, and the most lists of numbers, that are followed."""
MOST_LETTERS = 40


class FirstCallReached(BaseException):
    """The function whose first call was awaited has been called; the program ends there."""


class CalledFunction(msgspec.Struct):
    """A function that the script called with values of its own: a function of its code, or one under a transform."""

    name: str
    line: int
    """The line of the first call."""
    jitted: bool
    function: Callable[..., Any]
    given: dict[str, Any]
    """The named arguments of the first call; arrays are replaced by their types."""
    calls: int = 0
    mapped: bool = False
    """Whether it is a function under vmap."""
    inside: str = ""
    """The function in whose program it is called; empty for a call of its own."""

    @property
    def takes_arrays(self) -> bool:
        """Whether an argument holds an array."""
        return any(hasattr(each, "shape") for each in trees.leaves(self.given))


class CallPlace(NamedTuple):
    """A call in the code: what is called, as it is written."""

    written: str
    line: int
    column: int


class ScriptCalls:
    """The calls of a script's run. With a function `awaited`, its first call ends the run."""

    def __init__(self, is_user_code: Callable[[str], bool], awaited: str = "") -> None:
        self._is_user_code = is_user_code
        self._awaited = awaited
        self._places: list[CallPlace] = []
        self._keys: dict[Any, CalledFunction] = {}
        self._library_keys: dict[Any, CalledFunction] = {}
        self._stack = _Stack()
        self._code: CodeType | None = None
        """The code with notes, kept because ids name its parts below."""
        self._plain: dict[int, CodeType] = {}
        """The code as it is written, by the id of each part with notes."""
        self.lists: dict[int, tuple[CallPlace, list[Any]]] = {}
        """By id: a list to which the script appends, and where it does."""
        self.found: tuple[Callable[..., Any], dict[str, Any]] | None = None
        """The awaited function, and the named arguments of its call."""

    @property
    def called(self) -> dict[str, CalledFunction]:
        """The functions by name, in the order of their first calls."""
        return {each.name: each for each in self._keys.values()}

    @property
    def of_libraries(self) -> dict[str, CalledFunction]:
        """The functions of libraries that got arrays, by name: they may call functions of the script."""
        return {each.name: each for each in self._library_keys.values()}

    def compiled(self, source: str, filename: str, namespace: dict[str, Any]) -> CodeType:
        """Return the code of `source`; run in `namespace`, it reports its calls here before it makes them itself."""
        plain = compile(source, filename, "exec", dont_inherit=True)
        try:
            tree = ast.parse(source, filename)
            tree = ast.fix_missing_locations(_Calls(self._places, tree).visit(tree))
            code = compile(tree, filename, "exec", dont_inherit=True)
            self._code, self._plain = code, dict(_side_by_side(code, plain))
        except (RecursionError, ValueError, SyntaxError):
            return plain
        stack = self._stack
        namespace |= {_NOTE_CALL: partial(partial, self._note_call), _NOTE_RESULT: _note_result}
        namespace |= {_ARGS: lambda: stack.items[-1][0], _NAMED: lambda: stack.items.pop()[1]}
        return code

    def end(self) -> None:
        """Let the functions of the program run as they are written: notes would be timed with them."""
        for each in gc.get_objects():
            if type(each) is FunctionType and (plain := self._plain.get(id(each.__code__))):
                each.__code__ = plain

    def _note_call(self, place: int, function: Any, /, *args: Any, **named: Any) -> Any:
        """Note the arguments of the call at `place`, and return the function to call."""
        self._stack.items.append((args, named))
        if type(function) is BuiltinMethodType:
            if function.__name__ == "append" and type(function.__self__) is list and len(self.lists) < MOST_SEEN:
                self.lists.setdefault(id(function.__self__), (self._places[place], function.__self__))
        elif not isinstance(function, type) and not traces.under_way():
            try:
                self._record_call(self._places[place], function, args, named)
            except FirstCallReached:
                self._stack.items.pop()
                raise
            except Exception:  # an object of the program's that answers strangely
                pass
        return function

    def _record_call(self, at: CallPlace, function: Any, args: tuple[Any, ...], named: dict[str, Any]) -> None:
        call: Any = getattr(type(function), "__call__", None)  # noqa: B004  # the method itself is wanted
        if callable(getattr(call, "lower", None)):
            # The jitted method of a class, called by its object.
            function = MethodType(call, function)
        own, jitted, transform = self._unwrapped(function)
        # A decorator's wrappers have one code.
        key: Any = (own.__code__, own.__qualname__, transform) if own is not None else at.written
        keys = self._keys
        if own is None and not jitted:
            if not any(isinstance(each, jax.Array) for each in (*args, *named.values())) or _is_of_jax(function):
                return
            # Each call may be about another function.
            keys, key = self._library_keys, at
        known = keys.get(key)
        if known is None:
            if len(keys) >= MOST_SEEN:
                return
            name = self._name(at, own.__qualname__ if own is not None else "", transform)
            callee, given = _as_named(_kept_bound(function), args, named)
            if name == self._awaited:
                self.found = callee, given
                raise FirstCallReached
            known = keys[key] = CalledFunction(name, at.line, jitted, callee, _types(given))
            known.mapped = transform == "vmap" and not jitted
        known.calls += 1

    def _unwrapped(self, function: Any) -> tuple[FunctionType | None, bool, str]:
        """Return the user's function in `function`, whether that is jitted, and the outermost other transform."""
        jitted, transform = False, ""
        for _ in range(MOST_WRAPPERS):
            if type(function) is MethodType:
                function = function.__func__
            elif isinstance(function, partial):
                function = function.func
            elif type(function) is FunctionType and self._is_user_code(function.__code__.co_filename):
                return function, jitted, transform
            else:
                inner = getattr(function, "__wrapped__", None)
                if not callable(inner):
                    own = getattr(type(function), "__call__", None)  # noqa: B004  # the method itself is wanted
                    if type(own) is FunctionType and self._is_user_code(own.__code__.co_filename):
                        return own, jitted, transform
                    file = getattr(getattr(function, "__code__", None), "co_filename", JAX_FILES)
                    return None, jitted and not file.startswith(JAX_FILES), transform
                if callable(getattr(type(function), "lower", None)):
                    jitted = True
                elif type(function) is FunctionType:
                    # JAX's own frame around its transforms.
                    inside = [each.cell_contents for each in function.__closure__ or ()]
                    within = inside[0] if function.__code__.co_name.startswith("reraise") else function
                    transform = transform or within.__code__.co_qualname.partition(".")[0]
                function = inner
        return None, False, ""

    def _name(self, at: CallPlace, own: str, transform: str) -> str:
        """Return the function's `own` name; as it is called, for another; a longer one if that is taken."""
        own = own.rpartition("<locals>.")[2]
        name = at.written if len(at.written) <= MOST_LETTERS else own or at.written[:MOST_LETTERS]
        if own and not transform and "<" not in own:
            name = own
        elif transform and at.written.endswith(")"):
            name = f"{transform}({own})"
        taken = {*self.called, *self.of_libraries}
        return name if name not in taken else f"{name} ({at.line})"


class _Stack(threading.local):
    def __init__(self) -> None:
        self.items: list[tuple[tuple[Any, ...], dict[str, Any]]] = []
        """The arguments of the calls that are about to be made."""


class _Calls(ast.NodeTransformer):
    """Makes ``f(x)`` note its arguments; the caller still calls ``f``, so no frame stands between both."""

    def __init__(self, places: list[CallPlace], tree: ast.Module) -> None:
        self._places = places
        nodes = list(ast.walk(tree))
        own = {each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
        own |= {each.name for each in nodes if isinstance(each, ast.FunctionDef)}
        imported = {
            each.asname or each.name.partition(".")[0]
            for node in nodes
            if isinstance(node, ast.Import | ast.ImportFrom)
            for each in node.names
            if ((node.module or "") if isinstance(node, ast.ImportFrom) else each.name).partition(".")[0] in _NEVER_OWN
        }
        self._foreign = (imported | set(dir(builtins))) - own

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Change a call of what may be the user's."""
        root = node.func
        while isinstance(root, ast.Attribute):
            root = root.value
        is_foreign = isinstance(root, ast.Name) and root.id in self._foreign
        place = CallPlace(ast.unparse(node.func), node.lineno, node.col_offset)
        # Only printed results are noted.
        node.args, printed = ([], node.args) if place.written == "print" else (node.args, [])
        self.generic_visit(node)
        node.args += [self._followed(each) for each in printed]
        if is_foreign:
            return node
        self._places.append(place)
        take = _at(node, _call_of(_NOTE_CALL, ast.Constant(len(self._places) - 1), node.func))
        noted = _at(node, ast.Call(take, node.args, node.keywords))
        args, named = ast.Starred(_call_of(_ARGS), ast.Load()), ast.keyword(None, _call_of(_NAMED))
        return _at(node, ast.Call(noted, [args], [named]))

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        """Note the result of a call that gets a name."""
        value, node.value = node.value, ast.Constant(None)
        self.generic_visit(node)
        node.value = self._followed(value)
        return node

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        """Note the result of a call that becomes text."""
        node.value = self._followed(node.value)
        return node

    def _followed(self, node: ast.expr) -> ast.expr:
        """Return `node`, changed; if it is a call, its result is noted."""
        if not isinstance(node, ast.Call):
            changed: ast.expr = self.visit(node)
            return changed
        written = ast.Constant(ast.unparse(node.func)[:MOST_LETTERS])
        return _at(node, _call_of(_NOTE_RESULT, written, self.visit(node)))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Leave annotations as they are: they may become strings."""
        returns, node.returns = node.returns, None
        self.generic_visit(node)
        node.returns = returns
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.value = self.visit(node.value) if node.value is not None else None
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return node


def _side_by_side(made: CodeType, plain: CodeType) -> Iterator[tuple[int, CodeType]]:
    """Yield the id of each code object in `made`, with its counterpart in `plain`."""
    yield id(made), plain
    inner = ([each for each in code.co_consts if isinstance(each, CodeType)] for code in (made, plain))
    for pair in zip(*inner, strict=True):
        yield from _side_by_side(*pair)


def _note_result(name: str, result: Any) -> Any:
    """Return the `result` of the call that is written as `name`, and report it."""
    if not traces.under_way():
        dispatch.returned(name, result)
    return result


def _is_of_jax(function: Any) -> bool:
    return (getattr(function, "__module__", None) or "jax").partition(".")[0] in ("jax", "jaxlib", "numpy")


def _kept_bound(function: Any) -> Any:
    """Return `function` to be kept; of a jitted method another one, because jit forgets the program with the method."""
    method = getattr(function, "__wrapped__", None)
    return MethodType(method.__func__, method.__self__) if type(method) is MethodType else function


def _call_of(name: str, *args: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(args), [])


def _at(node: ast.Call, made: ast.Call) -> ast.Call:
    """Return `made` with the position of `node`, also for its new parts."""
    for each in (made, made.func, *made.args, *made.keywords):
        if not hasattr(each, "lineno"):
            ast.copy_location(each, node)
    return ast.copy_location(made, node)


def _types(given: dict[str, Any]) -> dict[str, Any]:
    """Return `given` with the types of its arrays: the program may delete them, or need the memory."""
    try:
        found: dict[str, Any] = jax.tree.map(_type, given)
    except Exception:  # a tree that JAX cannot flatten
        return given
    return found


def _type(leaf: Any) -> Any:
    if not isinstance(leaf, jax.Array):
        return leaf
    return jax.ShapeDtypeStruct(leaf.shape, leaf.dtype, weak_type=jax.typeof(leaf).weak_type)


def _as_named(
    function: Callable[..., Any], args: tuple[Any, ...], named: dict[str, Any]
) -> tuple[Callable[..., Any], dict[str, Any]]:
    """Return `function` and its arguments by name; around one that takes any number of them, one that names each."""
    try:
        known = signature(function)
        given = known.bind(*args, **named).arguments
    except (TypeError, ValueError):
        known, given = Signature(), {}
    kinds = {name: each.kind for name, each in known.parameters.items()}
    if given.keys() == kinds.keys() & given.keys() and (given or not (args or named)):
        found: dict[str, Any] = {}
        for name, value in given.items():
            if kinds[name] is Parameter.VAR_POSITIONAL:
                break
            found |= value if kinds[name] is Parameter.VAR_KEYWORD else {name: value}
        else:
            return function, found

    def call(*args: Any, **named: Any) -> Any:
        return function(*args, **named)

    by_place = {f"argument_{number}": value for number, value in enumerate(args)}
    parameters = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in by_place]
    parameters += [Parameter(name, Parameter.KEYWORD_ONLY) for name in named]
    call.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    call.__name__ = getattr(function, "__name__", "call")
    return call, by_place | named

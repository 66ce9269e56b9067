"""Reads in the code where an array goes from an expression, and where it comes from, without running it."""

from __future__ import annotations

import ast
import functools
import linecache
from collections import defaultdict
from collections.abc import Callable, Iterator
from types import FrameType

from explorer.messages import Span
from explorer.worker.errors.code_tree import CodeTree, FunctionNode, readable
from explorer.worker.internals.spans import SpanFinder

REDUCTIONS = {"sum", "mean", "average", "prod", "max", "min", "std", "var", "median", "any", "all", "norm", "logsumexp"}
REDUCTIONS |= {"amax", "amin", "count_nonzero"} | {f"nan{each}" for each in ("sum", "mean", "max", "min", "std", "var")}
ELEMENTWISE = {"square", "abs", "absolute", "fabs", "power", "exp", "exp2", "expm1", "log", "log1p", "log2", "log10"}
ELEMENTWISE |= {"sqrt", "sign", "sin", "cos", "tan", "tanh", "sinh", "cosh", "where", "clip", "minimum", "maximum"}
ELEMENTWISE |= {"add", "subtract", "multiply", "divide", "true_divide", "logaddexp", "negative", "reciprocal", "pow"}
ELEMENTWISE |= {"sigmoid", "log_sigmoid", "softplus", "relu", "gelu", "elu", "silu", "swish", "logit", "expit", "round"}
ELEMENTWISE |= {"nan_to_num", "isfinite", "isnan", "isclose", "equal", "not_equal", "greater", "less", "logical_and"}
ELEMENTWISE |= {"logical_or", "logical_not", "greater_equal", "less_equal", "astype", "conj", "real", "imag", "float32"}
ELEMENTWISE |= {"asarray", "array", "device_put", "stop_gradient", "arctan", "arctan2", "erf", "cosh", "log_cosh"}
MAKES_AXES = {"reshape", "expand_dims", "broadcast_to", "broadcast_in_dim", "broadcast_arrays", "atleast_2d", "outer"}
MAKES_AXES |= {"atleast_3d", "column_stack", "meshgrid", "ix_", "ogrid", "mgrid", "tile", "rearrange", "unsqueeze"}
MAKES_AXES |= {
    "repeat",
    "view",
    "newaxis",
    "broadcasted_iota",
    "indices",
    "transpose",
    "swapaxes",
    "moveaxis",
    "vstack",
}
DEEPEST = 24
"""So many names and calls are followed, one from the other."""
MOST_STEPS = 2_000
"""So many expressions are looked at for one answer."""

Scope = FunctionNode | ast.Module


class Code:
    """The code of one file, in which expressions are followed."""

    def __init__(self, tree: CodeTree) -> None:
        self.tree = tree
        self._at: dict[Span, ast.expr | ast.stmt] = {}
        self._ending: dict[tuple[int, int], ast.Call] = {}
        """Calls by where they end: of those over several lines Python does not say where they begin."""
        self._bound: dict[tuple[Scope, str], list[ast.expr]] = defaultdict(list)
        """What is given to a name of a scope, or to an attribute of that name anywhere."""
        self._uses: dict[tuple[Scope, str], list[ast.Name]] = defaultdict(list)
        self.functions: dict[str, list[FunctionNode]] = defaultdict(list)
        self._left = 0
        """So many more expressions may be looked at for the answer under way."""
        for node in tree.parents:
            if isinstance(node, ast.expr | ast.stmt):
                # Outer ones come first: of two in the same place it is the outer one that Python's position is of.
                self._at.setdefault(tree.span(node), node)
            if isinstance(node, ast.Call):
                span = tree.span(node)
                self._ending.setdefault((span.end_line, span.end_column), node)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                self._uses[self._scope(node), node.id].append(node)
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                self.functions[node.name].append(node)
            for target, value in _given(node):
                for name, part in _parts(target, value):
                    if isinstance(name, ast.Attribute):
                        self._bound[tree.tree, f".{name.attr}"].append(part)
                    elif isinstance(name, ast.Name):
                        self._bound[self._scope(name), name.id].append(part)
                        if isinstance(part, ast.Lambda):
                            self.functions[name.id].append(part)

    def at(self, span: Span) -> ast.expr | ast.stmt | None:
        """Return the node exactly at `span`, or None."""
        exactly = self._at.get(Span(span.line, span.column, span.end_line, span.end_column))
        return exactly if exactly is not None else self._ending.get((span.end_line, span.end_column))

    def _scope(self, node: ast.AST) -> Scope:
        return self.tree.function_around(node) or self.tree.tree

    def _scopes(self, node: ast.AST) -> Iterator[Scope]:
        yield from (each for each in self.tree.around(node) if isinstance(each, FunctionNode))
        yield self.tree.tree

    def binding(self, name: ast.Name) -> tuple[Scope | None, list[ast.expr]]:
        """Return the scope in which `name` is bound, if any, and what is given to it there: nothing to a parameter."""
        for scope in self._scopes(name):
            given = self._bound.get((scope, name.id), [])
            if given or (not isinstance(scope, ast.Module) and name.id in parameters(scope)):
                return scope, given
        return None, []

    def attribute(self, name: str) -> list[ast.expr]:
        """Return all expressions assigned to an attribute `name`."""
        return self._bound.get((self.tree.tree, f".{name}"), [])

    def behind(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield all parts of `node`, and of what is given to the names in it."""
        waiting, seen = [node], {node}
        while waiting:
            for each in ast.walk(waiting.pop()):
                yield each
                if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load):
                    new = [value for value in self.binding(each)[1] if value not in seen]
                    waiting += new
                    seen.update(new)

    # -- forward ------------------------------------------------------------------------------

    def reduced(self, node: ast.AST, returned: Callable[[FunctionNode], str] = lambda _: "") -> str:
        """Return the name of the reduction, to one number, that takes all elements of what `node` makes; empty if none.

        `returned` says the same of what a function returns.
        """
        self._left = MOST_STEPS
        return self._reduced(node, returned, DEEPEST)

    def _reduced(self, node: ast.AST, returned: Callable[[FunctionNode], str], deep: int) -> str:
        parent = self.tree.parents.get(node)
        self._left -= 1
        if deep == 0 or self._left < 0 or parent is None:
            return ""
        match parent:
            case ast.BinOp(op=operation) if not isinstance(operation, ast.MatMult):
                pass
            case ast.UnaryOp() | ast.Compare() | ast.IfExp() | ast.keyword():
                pass
            case ast.Attribute(attr=name) if name in REDUCTIONS | ELEMENTWISE:
                # Asked by its call.
                pass
            case ast.Call(func=function):
                name = called(parent)
                others = len(parent.args) + len(parent.keywords) - (node is not function)
                if name in REDUCTIONS and (node is function or node in parent.args[:1]) and not others:
                    return name
                if name not in REDUCTIONS | ELEMENTWISE or any(each.arg == "keepdims" for each in parent.keywords):
                    return ""
            case ast.Assign(targets=[ast.Name(id=name) as target]) | ast.AnnAssign(target=ast.Name(id=name) as target):
                scope = self._scope(target)
                if len(self._bound[scope, name]) == 1:
                    uses = self._uses[scope, name]
                    return next(filter(None, (self._reduced(each, returned, deep - 1) for each in uses)), "")
                return ""
            case ast.Return() | ast.Lambda():
                around = self.tree.function_around(node)
                return returned(around) if around is not None else ""
            case _:
                return ""
        return self._reduced(parent, returned, deep)

    def ends(
        self,
        node: ast.AST,
        at_call: Callable[[ast.Call, bool], str],
        returned: Callable[[FunctionNode], set[str]] = lambda _: {"kept"},
    ) -> set[str]:
        """Return where what `node` makes ends: what `at_call` says of the calls that take it, ``compared`` or ``kept``.

        `at_call` gets a call, and whether only operations by element came before; an empty text goes on. `returned`
        says the same of what a function returns.
        """
        ends: set[str] = set()
        seen: set[ast.AST] = set()
        waiting = [(node, True)]
        while waiting:
            each, is_plain = waiting.pop()
            parent = self.tree.parents.get(each)
            if each in seen:
                continue
            seen.add(each)
            match parent:
                case ast.Call():
                    said = at_call(parent, is_plain)
                    ends |= {said} if said else set()
                    waiting += [] if said else [(parent, is_plain and called(parent) in ELEMENTWISE)]
                case ast.Compare():
                    ends.add("compared")
                case ast.BinOp(op=operation):
                    waiting.append((parent, is_plain and not isinstance(operation, ast.MatMult)))
                case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                    targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target]
                    names = [name for each in targets for name, _ in _parts(each, ast.Constant(None))]
                    uses = [use for name in names if isinstance(name, ast.Name) for use in self._of(name)]
                    waiting += [(use, is_plain) for use in uses]
                    ends |= set() if uses else {"kept"}
                case ast.Return() | ast.Lambda():
                    around = self.tree.function_around(each)
                    ends |= returned(around) if around is not None else {"kept"}
                case ast.expr() | ast.keyword():
                    waiting.append((parent, is_plain))
                case _:
                    ends.add("kept")
        return ends

    def _of(self, name: ast.Name) -> list[ast.Name]:
        return self._uses[self._scope(name), name.id]


def parameters(function: FunctionNode) -> list[str]:
    """Return the names of the parameters of `function`, in their order."""
    given = function.args
    named = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return named + [each.arg for each in (given.vararg, given.kwarg) if each is not None]


def called(call: ast.Call) -> str:
    """Return the last name of what is called; empty where that is an expression."""
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _given(node: ast.AST) -> Iterator[tuple[ast.AST, ast.expr]]:
    """Yield each target that `node` gives something to, and what."""
    match node:
        case ast.Assign(targets=targets, value=value):
            yield from ((each, value) for each in targets)
        case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.AugAssign(target=target, value=value):
            yield target, value
        case ast.NamedExpr(target=target, value=value):
            yield target, value
        case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
            yield target, value
        case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
            yield target, value
        case ast.Call(keywords=keywords):
            # Of a record that is made: ``Batch(x=...)``.
            for each in keywords:
                if each.arg is not None:
                    yield ast.Attribute(each.value, each.arg, ast.Store()), each.value


def _parts(target: ast.AST, value: ast.expr) -> Iterator[tuple[ast.AST, ast.expr]]:
    if isinstance(target, ast.Tuple | ast.List):
        same = isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts)
        for place, each in enumerate(target.elts):
            part = value.elts[place] if same and isinstance(value, ast.Tuple | ast.List) else value
            yield from _parts(each.value if isinstance(each, ast.Starred) else each, part)
    else:
        yield target, value


@functools.lru_cache(maxsize=8)
def _code(source: str) -> Code | None:
    tree = readable(source)
    return Code(tree) if tree is not None else None


def code_of(filename: str) -> Code | None:
    """Return the code of the file called `filename`, None where it cannot be read."""
    return of_source("".join(linecache.getlines(filename)))


def of_source(source: str) -> Code | None:
    """Return the code `source`, None where it cannot be read."""
    return _code(source)


# -- with a run --------------------------------------------------------------------------------


class Stack:
    """The calls in user code that a frame of a run stands in."""

    def __init__(self, frame: FrameType, is_user_code: Callable[[str], bool], spans: SpanFinder) -> None:
        self._frames: list[tuple[FrameType, bool]] = []
        """Innermost first; whether the one before is called by it directly."""
        self._spans = spans
        self._left = 0
        """So many more expressions may be looked at for the answer under way."""
        is_direct, each = True, frame
        following: FrameType | None = frame
        while following is not None:
            each, following = following, following.f_back
            is_own = is_user_code(each.f_code.co_filename)
            if is_own:
                self._frames.append((each, is_direct))
            is_direct = is_own

    def here(self) -> tuple[Code, ast.expr | ast.stmt] | None:
        """Return the parsed file of the innermost frame and the node that it runs, or None."""
        return self._standing(0)

    def calls(self) -> Iterator[tuple[Code, ast.Call, Span]]:
        """Yield the calls that are under way, innermost first, up to one whose place is unknown."""
        for place, (frame, _) in enumerate(self._frames):
            found, span = self._standing(place), self._spans.span(frame.f_code, frame.f_lasti)
            node = found[1] if found is not None else None
            while isinstance(node, ast.Expr | ast.Return | ast.Assign):
                node = node.value
            if found is None or span is None or not isinstance(node, ast.Call):
                return
            yield found[0], node, span

    def _standing(self, place: int) -> tuple[Code, ast.expr | ast.stmt] | None:
        if place >= len(self._frames):
            return None
        frame = self._frames[place][0]
        code, span = code_of(frame.f_code.co_filename), self._spans.span(frame.f_code, frame.f_lasti)
        node = code.at(span) if code is not None and span is not None else None
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

    def _ends(self, code: Code, node: ast.AST, at_call: Callable[[ast.Call, bool], str], deep: int) -> set[str]:
        def returned(function: FunctionNode) -> set[str]:
            found = self._standing(self._caller(function))
            if found is None or not isinstance(found[1], ast.Call) or deep == 0:
                return {"kept"}
            return self._ends(*found, at_call, deep - 1)

        return code.ends(node, at_call, returned)

    def has_made_axes(self, code: Code, node: ast.AST) -> bool:
        """Return whether the user gave `node` an axis on purpose, as far as it is the same elements from there on."""
        self._left = MOST_STEPS
        return self._has(code, node, {}, DEEPEST)

    def _has(self, code: Code, node: ast.AST, given: dict[str, list[ast.expr]], deep: int) -> bool:
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

    def _of_name(self, code: Code, name: ast.Name, given: dict[str, list[ast.expr]], deep: int) -> bool:
        scope, values = code.binding(name)
        if any(self._has(code, each, given, deep - 1) for each in values):
            return True
        if scope is None or isinstance(scope, ast.Module) or name.id not in parameters(scope):
            return False
        if name.id in given:
            return any(self._has(code, each, {}, deep - 1) for each in given[name.id])
        found = self._standing(self._caller(scope))
        if found is None or not isinstance(found[1], ast.Call):
            # Of a function that others called before, every call that names it may be the one.
            calls = [each for each in ast.walk(code.tree.tree) if isinstance(each, ast.Call) and _names(each, scope)]
            return any(self._has(code, each, {}, deep - 1) for call in calls for each in _passed(call, scope, name.id))
        return any(self._has(found[0], each, {}, deep - 1) for each in _passed(found[1], scope, name.id))

    def _of_call(self, code: Code, call: ast.Call, given: dict[str, list[ast.expr]], deep: int) -> bool:
        name, values = called(call), [*call.args, *(each.value for each in call.keywords)]
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
                _is_new_axis(part) if isinstance(each, ast.Subscript) else called(each) in MAKES_AXES
                for each in made
                for part in (ast.walk(each.slice) if isinstance(each, ast.Subscript) else (each,))
            )
        for function in code.functions.get(name, []):
            passed = {each: _passed(call, function, each) for each in parameters(function)}
            # What was given to this call stands in the scope around it.
            for each in _returned(code, function):
                if self._has(code, each, {**given, **passed}, deep - 1):
                    return True
        return False


def _returned(code: Code, function: FunctionNode) -> Iterator[ast.expr]:
    if isinstance(function, ast.Lambda):
        yield function.body
        return
    for each in ast.walk(function):
        if isinstance(each, ast.Return) and each.value is not None and code.tree.function_around(each) is function:
            yield each.value


def _names(call: ast.Call, function: FunctionNode) -> bool:
    name = getattr(function, "name", "")
    return bool(name) and called(call) == name


def _passed(call: ast.Call, function: FunctionNode, name: str) -> list[ast.expr]:
    """Return the expressions that `call` of `function`, or of a transformed one, may pass as its parameter `name`."""
    for each in call.keywords:
        if each.arg == name:
            return [each.value]
    names = parameters(function)
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

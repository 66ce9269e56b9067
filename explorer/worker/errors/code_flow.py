"""Reads in the code where a value goes from an expression, and where it comes from, without running it."""

from __future__ import annotations

import ast
import functools
import linecache
from collections import defaultdict
from collections.abc import Callable, Iterator

from explorer.messages import Span
from explorer.worker.errors.code_tree import CodeTree, FunctionNode, readable

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
MAKES_AXES |= {"atleast_3d", "column_stack", "vstack", "meshgrid", "ix_", "ogrid", "mgrid", "tile", "rearrange"}
MAKES_AXES |= {"repeat", "view", "newaxis", "broadcasted_iota", "indices", "transpose", "swapaxes", "moveaxis"}
MAKES_AXES.add("unsqueeze")
DEEPEST = 24
"""Maximum length of a chain of names and calls."""
MOST_STEPS = 2_000
"""Maximum number of visited expressions for one answer."""

Scope = FunctionNode | ast.Module


class FollowedFile:
    """The code of one file, in which expressions are followed."""

    def __init__(self, tree: CodeTree) -> None:
        self.tree = tree
        self._at: dict[Span, ast.expr | ast.stmt] = {}
        self._ending: dict[tuple[int, int], ast.Call] = {}
        """Calls by where they end: of those over several lines Python does not say where they begin."""
        self._bound: dict[tuple[Scope, str], list[ast.expr]] = defaultdict(list)
        """Expressions assigned to a name of a scope, or to an attribute of that name anywhere."""
        self._uses: dict[tuple[Scope, str], list[ast.Name]] = defaultdict(list)
        self.functions: dict[str, list[FunctionNode]] = defaultdict(list)
        self._left = 0
        """Expressions that may still be visited for the current answer."""
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
            # A keyword of a new record: ``Batch(x=...)``.
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
def _code(source: str) -> FollowedFile | None:
    tree = readable(source)
    return FollowedFile(tree) if tree is not None else None


def followed_file(filename: str) -> FollowedFile | None:
    """Return the code of the file called `filename`, None where it cannot be read."""
    return of_source("".join(linecache.getlines(filename)))


def of_source(source: str) -> FollowedFile | None:
    """Return the code `source`, None where it cannot be read."""
    return _code(source)

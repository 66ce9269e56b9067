"""Follows a value through the code of a file, to its origin and to its uses, without running it."""

from __future__ import annotations

import ast
import functools
from collections import defaultdict
from collections.abc import Callable, Iterator

from explorer.worker.syntax.code_tree import CodeTree, code_file, last_name
from explorer.worker.syntax.scopes import FunctionNode, Scope, bindings_by, parts_of

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


class FollowedFile:
    """The code of one file, in which expressions are followed."""

    def __init__(self, tree: CodeTree) -> None:
        self.tree = tree
        self._attributes: dict[str, list[ast.expr]] = defaultdict(list)
        self.functions: dict[str, list[FunctionNode]] = defaultdict(list)
        self._left = 0
        """Expressions that may still be visited for the current answer."""
        for node in tree.parents:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                self.functions[node.name].append(node)
            elif isinstance(node, ast.Call):
                # A keyword of a new record: ``Batch(x=...)``.
                for each in node.keywords:
                    self._attributes[each.arg or ""].append(each.value)
            for binding in bindings_by(node):
                if isinstance(binding.node, ast.Attribute) and isinstance(binding.value, ast.expr):
                    self._attributes[binding.node.attr].append(binding.value)
                elif isinstance(binding.node, ast.Name) and isinstance(binding.value, ast.Lambda):
                    self.functions[binding.node.id].append(binding.value)

    def binding(self, name: ast.Name) -> tuple[Scope | None, list[ast.expr]]:
        """Return the scope in which `name` is bound, if any, and what is given to it there: nothing to a parameter."""
        scope = self.tree.names[name].owner(name.id)
        given = [each.value for each in scope.bindings[name.id]] if scope is not None else []
        return scope, [each for each in given if isinstance(each, ast.expr)]

    def attribute(self, name: str) -> list[ast.expr]:
        """Return all expressions assigned to an attribute `name`."""
        return self._attributes.get(name, [])

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
                name = last_name(parent.func)
                others = len(parent.args) + len(parent.keywords) - (node is not function)
                if name in REDUCTIONS and (node is function or node in parent.args[:1]) and not others:
                    return name
                if name not in REDUCTIONS | ELEMENTWISE or any(each.arg == "keepdims" for each in parent.keywords):
                    return ""
            case ast.Assign(targets=[ast.Name() as target]) | ast.AnnAssign(target=ast.Name() as target):
                if len(self.binding(target)[1]) == 1:
                    uses = self._uses(target)
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
                    waiting += [] if said else [(parent, is_plain and last_name(parent.func) in ELEMENTWISE)]
                case ast.Compare():
                    ends.add("compared")
                case ast.BinOp(op=operation):
                    waiting.append((parent, is_plain and not isinstance(operation, ast.MatMult)))
                case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                    targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target]
                    names = [part.node for each in targets for part in parts_of(each, ast.Constant(None))]
                    uses = [use for name in names if isinstance(name, ast.Name) for use in self._uses(name)]
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

    def _uses(self, name: ast.Name) -> list[ast.Name]:
        scope = self.tree.names[name].owner(name.id)
        return list(scope.uses(name.id)) if scope is not None else []


def followed_file(filename: str) -> FollowedFile | None:
    """Return the code of the file called `filename`, None where it cannot be read."""
    tree = code_file(filename)
    return _followed(tree) if tree is not None else None


@functools.lru_cache(maxsize=8)
def _followed(tree: CodeTree) -> FollowedFile:
    return FollowedFile(tree)

"""The arguments of ``inputs``, and the code that a variant consists of, read off the code without running it."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Mapping
from functools import lru_cache

from explorer.messages import Value

_SIGNATURE = re.compile(r"^def inputs\(.*?\)[^():]*:", re.DOTALL | re.MULTILINE)
"""The definition of ``inputs`` without its body: to read that alone takes no time, at every keystroke."""


@lru_cache(maxsize=4)
def input_names(source: str) -> frozenset[str] | None:
    """Return the names of all arguments of ``inputs`` in `source`; None where its definition does not say."""
    arguments = _arguments(source)
    if arguments is None or arguments.kwarg is not None:
        return None
    return frozenset(each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs))


def known_settings(settings: Mapping[str, Value], source: str) -> dict[str, Value]:
    """Return the `settings` that ``inputs`` in `source` has as arguments; all where its definition is unknown."""
    known = input_names(source) if settings else None
    return {name: value for name, value in settings.items() if known is None or name in known}


def fitting_settings(settings: Mapping[str, Value], source: str) -> dict[str, Value]:
    """Return the `settings` that have the type of their default in ``inputs`` in `source`, or no known default."""
    defaults = signature_defaults(source) if settings else {}
    return {name: value for name, value in settings.items() if fits(value, defaults.get(name, value))}


def fits(value: Value, default: Value) -> bool:
    """Return whether `value` can replace `default`, as 8 can replace 8.0."""
    if type(value) is type(default):
        return True
    if isinstance(value, float):
        return type(default) is int and value.is_integer()
    return type(value) is int and type(default) is float


def signature_defaults(source: str) -> Mapping[str, Value]:
    """Return the literal defaults of the arguments of ``inputs``, from its definition alone; cheap at any time."""
    found = _SIGNATURE.search(source)
    return _defaults(found[0]) if found else {}


@lru_cache(maxsize=4)
def _defaults(signature: str) -> dict[str, Value]:
    return input_parameters(f"{signature} ...")


def input_parameters(source: str) -> dict[str, Value]:
    """Return the arguments of ``inputs`` in `source` that have a literal default, with that default."""
    arguments = _arguments(source)
    if arguments is None:
        return {}
    places = [*arguments.posonlyargs, *arguments.args]
    with_default = places[len(places) - len(arguments.defaults) :]
    pairs = [
        *zip(with_default, arguments.defaults, strict=True),
        *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
    ]
    return {each.arg: default for each, node in pairs if (default := _literal(node)) is not None}


def input_lines(source: str) -> dict[str, int]:
    """Return the line of `source`, counted from 1, of each argument of ``inputs``."""
    arguments = _arguments(source)
    if arguments is None:
        return {}
    return {each.arg: each.lineno for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}


def _arguments(source: str) -> ast.arguments | None:
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError):
        return None
    return next((node.args for node in body if isinstance(node, ast.FunctionDef) and node.name == "inputs"), None)


def _literal(node: ast.expr | None) -> Value | None:
    try:
        value = ast.literal_eval(node) if node is not None else None
    except ValueError:
        return None
    return value if isinstance(value, bool | int | float | str) else None


@lru_cache(maxsize=8)
def variant_code(source: str, variant: str) -> str | None:
    """Return the code of `variant` in `source` and of all there that it uses, by name; None without such a variant."""
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError):
        return None
    known: dict[str, list[ast.stmt]] = {}
    for node in body:
        for name in _names_of(node, known):
            known.setdefault(name, []).append(node)
    found: dict[int, ast.stmt] = {}
    waiting = [*known.get(variant, ())]
    for node in waiting:
        if id(node) not in found:
            found[id(node)] = node
            names = (each.id for each in ast.walk(node) if isinstance(each, ast.Name))
            waiting += [each for name in names for each in known.get(name, ())]
    return "\n".join(ast.unparse(_bare(node)) for node in found.values()) if found else None


def _names_of(node: ast.stmt, known: Collection[str]) -> list[str]:
    """Return the names that `node` defines; for a call such as ``register(Plain)``, the first one that is `known`."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Expr):
        return [word for word in re.findall(r"\w+", ast.unparse(node)) if word in known][:1]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)]


def _bare(node: ast.stmt) -> ast.stmt:
    copy = ast.parse(ast.unparse(node)).body[0]
    for each in ast.walk(copy):
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
            # A name is no code: a search for `fold_in` must not find a variant called `fold_in_each_step`.
            each.name = "_"
            each.args = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
        if (
            isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            and ast.get_docstring(each) is not None
        ):
            each.body = each.body[1:] or [ast.Pass()]
    return copy

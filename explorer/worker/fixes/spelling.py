"""Spelling in one program: its calls of jax.random, the names of keys, unused names, and text in brackets."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from explorer.worker.syntax.code_tree import CodeTree, last_name

_KEY = re.compile(r"(?:.*_)?(?:sub)?(?:key|rng|prng|k)s?\d*(?:_.*)?", re.IGNORECASE)
_MAKERS = ("key", "PRNGKey", "split", "fold_in")


def random_module(code: CodeTree) -> str:
    """Return the program's name for jax.random."""
    for node in code.parents:
        if isinstance(node, ast.Import):
            names = [each.asname for each in node.names if each.name == "jax.random" and each.asname]
        elif isinstance(node, ast.ImportFrom) and node.module == "jax":
            names = [each.asname or each.name for each in node.names if each.name == "random"]
        else:
            continue
        if names:
            return str(names[0])
    return "jax.random"


def split(code: CodeTree, key: str, count: str = "") -> str:
    """Return the call that splits `key` into two, or into `count`."""
    return f"{random_module(code)}.split({key}, {count})" if count else f"{random_module(code)}.split({key})"


def fold_in(code: CodeTree, key: str, data: str) -> str:
    """Return the call that folds `data` into `key`."""
    return f"{random_module(code)}.fold_in({key}, {data})"


def in_brackets(code: CodeTree, node: ast.expr) -> str:
    """Return the text of `node`, in brackets if a neighbouring operator would take only a part of it."""
    plain = isinstance(node, ast.Constant | ast.Name | ast.Attribute | ast.Call | ast.Subscript)
    return code.written(node) if plain else f"({code.written(node)})"


def is_key_like(node: ast.AST) -> bool:
    """Return whether `node` has a typical name of a key, or is a call that makes a key."""
    if isinstance(node, ast.Call):
        return last_name(node.func) in _MAKERS
    return _KEY.fullmatch(last_name(node)) is not None


def names_of_keys(code: CodeTree) -> set[str]:
    """Return the names that are assigned a new key, whatever they look like."""
    made = [each for each in code.parents if isinstance(each, ast.Assign) and isinstance(each.value, ast.Call)]
    made = [each for each in made if is_key_like(each.value)]
    targets = [node for each in made for target in each.targets for node in ast.walk(target)]
    return {node.id for node in targets if isinstance(node, ast.Name)}


def free_name(code: CodeTree, within: ast.AST | None, *wanted: str) -> str:
    """Return the first of the names `wanted` that is unused `within`, else the first name with a number."""
    taken = set(_names(within or code.tree))
    every = (*wanted, *(f"{wanted[0]}_{number}" for number in range(2, 99)))
    return next(name for name in every if name not in taken)


def _names(within: ast.AST) -> Iterator[str]:
    for node in ast.walk(within):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg

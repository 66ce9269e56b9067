"""What an expression in the editor is, as far as that can be known without running any of the person's code.

Nothing is called and no property is read: attributes are looked up in the dictionaries of objects and classes. What a
call or a property gives is taken from its return annotation.
"""

from __future__ import annotations

import ast
import builtins
import functools
import inspect
import types
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy
import numpy as np

DEEPEST = 12
"""Assignments and attributes followed for one name."""


@dataclass(frozen=True)
class Thing:
    """What is known of an expression: its value, or at least the class that it is an instance of."""

    value: Any = None
    kind: type | None = None
    """The class where the value itself is not known."""
    words: str = ""
    """What it holds: ``float32[32,10]``."""
    bound: bool = False
    """Whether it is a function that gets its first argument from the object that it was looked up in."""

    @property
    def known(self) -> bool:
        """Whether the value itself is known."""
        return self.kind is None


@dataclass(frozen=True)
class Scope:
    """Where names are looked up: in the function around the cursor, the module, Python's own."""

    module: Mapping[str, Any] = field(default_factory=dict)
    arguments: Mapping[str, Thing] = field(default_factory=dict)
    """What ``inputs`` returned, by name: the parameters of variants hold these."""
    parameters: frozenset[str] = frozenset()
    """Of the functions around the cursor."""
    assigned: Mapping[str, ast.expr] = field(default_factory=dict)
    """What the functions around the cursor assign to their names."""


def thing_of(value: Any) -> Thing:
    """Return `value` as a Thing that does not keep it in memory."""
    return Thing(kind=type(value), words=in_words(value))


def resolve(expression: ast.expr, scope: Scope, depth: int = 0) -> Thing | None:
    """Return what `expression` is, None where that is not known."""
    if depth > DEEPEST:
        return None
    step = depth + 1
    match expression:
        case ast.Name(name):
            return _named(name, scope, step)
        case ast.Attribute(of, name):
            owner = resolve(of, scope, step)
            return attribute(owner, name) if owner else None
        case ast.Call(function):
            called = resolve(function, scope, step)
            return _result_of(called) if called else None
        case ast.Subscript(of):
            owner = resolve(of, scope, step)
            return _item_of(owner) if owner else None
        case ast.BinOp(left, _, right):
            sides = (resolve(left, scope, step), resolve(right, scope, step))
            return next((Thing(kind=jax.Array) for side in sides if side and _is_array(side)), None)
        case ast.UnaryOp(_, operand):
            inner = resolve(operand, scope, step)
            return Thing(kind=jax.Array) if inner and _is_array(inner) else None
        case ast.Constant(value):
            return Thing(value)
        case ast.List() | ast.Tuple() | ast.Dict():
            return Thing(kind={ast.List: list, ast.Tuple: tuple, ast.Dict: dict}[type(expression)])
    return None


def attribute(owner: Thing, name: str) -> Thing | None:
    """Return what attribute `name` of `owner` is, without running a property of it."""
    holder = owner.value if owner.known else owner.kind
    if isinstance(holder, types.ModuleType):
        return _of_module(holder, name)
    try:
        found = inspect.getattr_static(holder, name)
    except AttributeError:
        return None
    if isinstance(found, staticmethod | classmethod):
        return Thing(found.__func__, bound=isinstance(found, classmethod))
    if isinstance(found, property):
        if name == "at" and _is_array(owner):
            return Thing(kind=_indexing_classes()[0])
        if name in ("T", "mT", "real", "imag") and _is_array(owner):
            return Thing(kind=jax.Array)
        return _annotated(found.fget) or Thing(kind=object)
    if isinstance(found, types.GetSetDescriptorType | types.MemberDescriptorType):
        return Thing(kind=object)
    return Thing(found, bound=isinstance(found, types.FunctionType) and not isinstance(owner.value, type))


def attributes(owner: Thing) -> list[str]:
    """Return the names of the attributes of `owner`, in no particular order."""
    if owner.known and isinstance(owner.value, types.ModuleType):
        return dir(owner.value)
    names: set[str] = set()
    kind = owner.kind or (owner.value if isinstance(owner.value, type) else type(owner.value))
    for base in type.__dict__["__mro__"].__get__(kind):
        names.update(type.__dict__["__dict__"].__get__(base))
    if owner.known and not isinstance(owner.value, type):
        own = inspect.getattr_static(owner.value, "__dict__", None)
        names.update(own if isinstance(own, dict) else getattr(owner.value, "__dict__", ()) if own else ())
    return list(names)


def python_function(called: Any) -> types.FunctionType | None:
    """Return the Python function behind `called`: itself, or what JAX or functools have wrapped."""
    for _ in range(DEEPEST):
        if isinstance(called, types.FunctionType) and "__wrapped__" not in called.__dict__:
            return called
        if not isinstance(called, types.FunctionType | types.MethodType) and not _is_librarys(called):
            return None
        called = getattr(called, "__wrapped__", getattr(called, "__func__", None))
    return None


@functools.cache
def _indexing_classes() -> tuple[type, type]:
    """Return the classes of ``x.at`` and ``x.at[i]``, which have no public names and which no annotation tells."""
    at = jax.numpy.zeros(()).at
    return type(at), type(at[...])


def _is_librarys(value: Any) -> bool:
    return type(value).__module__.partition(".")[0] in ("jax", "jaxlib", "numpy", "functools")


def in_words(value: Any) -> str:
    """Return what `value` is, shortly: dtype and shape of an array, a number as it is, else the type."""
    kind = type(value)
    if isinstance(value, jax.Array | np.ndarray):
        return f"{value.dtype}[{','.join(map(str, value.shape))}]"
    if value is None or kind in (bool, int, float, complex, str):
        text = repr(value) if kind is not int or -(10**20) < value < 10**20 else "a large int"
        return text if len(text) <= 60 else f"{text[:57]}..."
    if kind in (list, tuple, dict, set):
        return f"{kind.__name__} of {len(value)}"
    return kind.__qualname__


def _named(name: str, scope: Scope, depth: int) -> Thing | None:
    if name in scope.assigned:
        return resolve(scope.assigned[name], scope, depth)
    if name in scope.parameters:
        return scope.arguments.get(name)
    if name in scope.module:
        return Thing(scope.module[name])
    return Thing(getattr(builtins, name)) if hasattr(builtins, name) else None


def _of_module(module: types.ModuleType, name: str) -> Thing | None:
    # JAX's modules give deprecated and lazy names out through a function of theirs; others' are not called.
    if name in module.__dict__:
        return Thing(module.__dict__[name])
    if module.__name__.partition(".")[0] in ("jax", "numpy"):
        try:
            return Thing(getattr(module, name))
        except Exception:  # a deprecated name may warn or raise whatever it likes
            return None
    return None


def _result_of(called: Thing) -> Thing | None:
    if called.known and called.bound and "_IndexUpdate" in getattr(called.value, "__qualname__", ""):
        return Thing(kind=jax.Array)
    if not called.known:
        return None
    if isinstance(called.value, type):
        return Thing(kind=called.value)
    if isinstance(called.value, jax.numpy.ufunc):
        return Thing(kind=jax.Array)
    return _annotated(called.value)


def _item_of(owner: Thing) -> Thing | None:
    if _is_array(owner):
        return Thing(kind=jax.Array)
    kind = owner.kind or type(owner.value)
    if kind is _indexing_classes()[0]:
        return Thing(kind=_indexing_classes()[1])
    getter = inspect.getattr_static(kind, "__getitem__", None)
    return _annotated(getter)


def _annotated(function: Any) -> Thing | None:
    """Return what `function` says that it returns."""
    inner = python_function(function)
    said = inner.__annotations__.get("return") if inner else None
    if isinstance(said, str):
        said = _looked_up(said, inner.__globals__ if inner else {})
    return Thing(kind=said) if isinstance(said, type) else None


def _looked_up(name: str, where: Mapping[str, Any]) -> Any:
    first, *others = name.split(".")
    found = where.get(first, getattr(builtins, first, None)) if first.isidentifier() else None
    for other in others:
        found = found.__dict__.get(other) if isinstance(found, types.ModuleType) else None
    return found


def _is_array(thing: Thing) -> bool:
    kind = thing.kind or type(thing.value)
    return isinstance(kind, type) and (issubclass(kind, jax.Array) or issubclass(kind, np.ndarray))

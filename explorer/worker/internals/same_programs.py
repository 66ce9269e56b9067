"""Whether two traces of one function compute the same (`same_program`); a hash of a program's operations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import jax
import numpy as np
from jax._src.interpreters import partial_eval
from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, jaxprs_in_params

from explorer.worker.internals.jaxprs import key_words

_DEBUG_ONLY = ("debug_callback", "debug_print")
_NAMES = ("name", "debug_info")
"""Parameters without influence on the result."""


def same_program(one: ClosedJaxpr, other: ClosedJaxpr) -> bool:
    """Return whether both compute the same; debug prints and dead code do not count."""
    return _same_closed(_needed(one), _needed(other))


def form(closed: ClosedJaxpr) -> int:
    """Return a hash of a program's operations and their types, without its values."""
    return hash(tuple(_forms(closed.jaxpr)))


def _forms(jaxpr: Jaxpr) -> Iterator[object]:
    for equation in jaxpr.eqns:
        # The sharding is part of an array's type, but does not make another program.
        types = [each.aval for each in (*equation.invars, *equation.outvars)]
        yield equation.primitive.name, *((getattr(each, "shape", None), getattr(each, "dtype", each)) for each in types)
        for inner in jaxprs_in_params(equation.params):
            yield from _forms(inner)


def _needed(closed: ClosedJaxpr) -> ClosedJaxpr:
    """Return `closed` without dead code and debug prints."""
    equations = [each for each in closed.jaxpr.eqns if not _is_debug_only(each)]
    jaxpr: Any = closed.jaxpr if len(equations) == len(closed.jaxpr.eqns) else closed.jaxpr.replace(eqns=equations)
    live, _ = partial_eval.dce_jaxpr(jaxpr, True, instantiate=True)
    return ClosedJaxpr(live, closed.consts)


def _is_debug_only(equation: JaxprEqn) -> bool:
    return equation.primitive.name in _DEBUG_ONLY and not equation.outvars


def _same_closed(one: ClosedJaxpr, other: ClosedJaxpr) -> bool:
    constants = [dict(zip(each.jaxpr.constvars, each.consts, strict=True)) for each in (one, other)]
    return _same_jaxpr(one.jaxpr, other.jaxpr, *constants)


def _same_jaxpr(one: Jaxpr, other: Jaxpr, constants: Mapping[Any, Any], others: Mapping[Any, Any]) -> bool:
    pairs = dict(zip([*one.invars, *one.constvars], [*other.invars, *other.constvars], strict=False))

    def same_atoms(atoms: Iterable[Any], counterparts: Iterable[Any]) -> bool:
        atoms, counterparts = list(atoms), list(counterparts)
        return len(atoms) == len(counterparts) and all(map(same_atom, atoms, counterparts))

    def same_atom(atom: Any, counterpart: Any) -> bool:
        if isinstance(atom, Literal) or isinstance(counterpart, Literal):
            values = getattr(atom, "val", None), getattr(counterpart, "val", None)
            return isinstance(atom, Literal) and isinstance(counterpart, Literal) and _same_value(*values)
        if atom in constants and counterpart in others:
            return _same_value(constants[atom], others[counterpart])
        return pairs.get(atom) is counterpart

    equations = [[each for each in jaxpr.eqns if not _is_debug_only(each)] for jaxpr in (one, other)]
    if len(one.invars) != len(other.invars) or len(equations[0]) != len(equations[1]):
        return False
    for equation, counterpart in zip(*equations, strict=True):
        if (
            equation.primitive is not counterpart.primitive
            or len(equation.outvars) != len(counterpart.outvars)
            or not same_atoms(equation.invars, counterpart.invars)
            or not _same_parameters(equation.params, counterpart.params)
        ):
            return False
        pairs.update(zip(equation.outvars, counterpart.outvars, strict=True))
    return same_atoms(one.outvars, other.outvars)


def _same_parameters(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return one.keys() == other.keys() and all(
        _same_parameter(one[name], other[name]) for name in one if name not in _NAMES
    )


def _same_parameter(one: Any, other: Any) -> bool:
    if isinstance(one, ClosedJaxpr) and isinstance(other, ClosedJaxpr):
        return _same_closed(one, other)
    if isinstance(one, Jaxpr) and isinstance(other, Jaxpr):
        return _same_jaxpr(one, other, {}, {})
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        return len(one) == len(other) and all(map(_same_parameter, one, other))
    # Functions, such as rules and callbacks, cannot be compared.
    return callable(one) or callable(other) or _same_value(one, other)


def _same_value(one: Any, other: Any) -> bool:
    """Return whether two values are equal; also True for values that cannot be compared, such as tracers."""
    if one is other or isinstance(one, jax.core.Tracer) or isinstance(other, jax.core.Tracer):
        return True
    try:
        if hasattr(one, "dtype") or isinstance(one, int | float | complex):
            return bool(
                np.array_equal(_numbers(one), _numbers(other), equal_nan=np.asarray(_numbers(one)).dtype.kind in "fc")
            )
        return bool(one == other)
    except Exception:  # a user's ``__eq__`` may raise
        return True


def _numbers(value: Any) -> Any:
    is_key = isinstance(value, jax.Array) and jax.numpy.issubdtype(value.dtype, jax.dtypes.prng_key)
    return np.asarray(key_words(value) if is_key else value)

"""The arguments of a variant, for the choice of a transform."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from explorer.messages import Argument
from explorer.worker.code import calls, trees

_RAW_KEYS = {(2,), (4,)}
"""Shapes of a raw key of threefry and of rbg."""


def described(
    function: Callable[..., Any], inputs: Mapping[str, Any], known: dict[tuple[str, bool], Argument] | None = None
) -> tuple[Argument, ...]:
    """Return the arguments that `function` takes out of `inputs`, in the order of its signature.

    `known` caches the descriptions of these inputs for further functions.
    """
    known = {} if known is None else known
    given = calls.arguments_of(function, inputs)
    found = []
    for name, by_name in _in_order(function, given):
        if (name, by_name) not in known:
            known[name, by_name] = _argument(name, given[name], by_name=by_name)
        found.append(known[name, by_name])
    return tuple(found)


def _in_order(function: Callable[..., Any], given: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    """Yield each name and whether it is keyword-only."""
    try:
        parameters = calls.signature_of(function).parameters
    except (TypeError, ValueError):
        yield from ((name, True) for name in given)
        return
    for name, parameter in parameters.items():
        if name in given:
            yield name, parameter.kind is parameter.KEYWORD_ONLY
    # Names collected by ** come last.
    yield from ((name, True) for name in given if name not in parameters)


def _argument(name: str, value: Any, *, by_name: bool) -> Argument:
    leaves = trees.leaves(value)
    if not leaves or not all(isinstance(leaf, jax.Array | np.ndarray) for leaf in leaves):
        is_float = isinstance(value, float)
        return Argument(name, type(value).__name__, is_array=False, is_float=is_float, by_name=by_name)
    is_tree = leaves[0] is not value
    return Argument(
        name,
        f"{type(value).__name__} of {len(leaves)} array{'s' * (len(leaves) > 1)}" if is_tree else _type(value),
        _common(leaves),
        is_float=all(jnp.issubdtype(leaf.dtype, jnp.inexact) for leaf in leaves),
        is_key=all(map(_is_key, leaves)),
        is_tree=is_tree,
        by_name=by_name,
    )


def _type(value: Any) -> str:
    text: str = jax.typeof(value).str_short(short_dtypes=True)
    return text


def _common(leaves: list[Any]) -> tuple[int, ...]:
    """Return the leading axes common to all `leaves`."""
    shape = tuple(leaves[0].shape)
    for leaf in leaves[1:]:
        same = [mine == other for mine, other in zip(shape, leaf.shape, strict=False)]
        shape = shape[: [*same, False].index(False)]
    return shape


def _is_key(leaf: Any) -> bool:
    if jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key):
        return True
    return leaf.dtype == np.uint32 and tuple(leaf.shape[-1:]) in _RAW_KEYS

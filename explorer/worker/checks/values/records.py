"""Records of checked places, as rows from NumPy arrays or tracers; replacement values to test if a place matters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.extend.core import JaxprEqn

from explorer.worker.internals import jaxprs
from explorer.worker.jaxpr.traced import where

FIELDS = 5
"""Fields of a record: count, total, and three numbers that describe the first failure."""


def dtype_of(value: Any) -> np.dtype[Any]:
    """Return the dtype of an array, or of a literal in a jaxpr."""
    # Keys have a dtype that NumPy does not know.
    known: Any = getattr(value, "dtype", None)
    return jax.dtypes.canonicalize_dtype(jnp.result_type(value)) if known is None else known


def of_indices(rows: Any, beyond: Any, xp: Any) -> Any:
    """Return the record int[FIELDS] of out-of-bounds `rows`: count, total, first such index, its column, 0."""
    if not beyond.size:
        return xp.zeros(FIELDS, whole())
    place = xp.argmax(beyond.reshape(-1))
    per_row = beyond.any(-1)
    return _record(xp, per_row.sum(), per_row.size, rows.reshape(-1)[place], place % rows.shape[-1], 0)


def of_numbers(operands: Sequence[Any], result: Any, wrong: Any, xp: Any) -> Any:
    """Return the record int[FIELDS] of `wrong` results: count, total, operands and result of the first one.

    For a single operand, the second number is 1 if the operand is an integer.
    """
    if not wrong.size:
        return xp.zeros(FIELDS, whole())
    place = xp.argmax(wrong.reshape(-1))
    flat = [xp.asarray(each).reshape(-1) for each in operands]
    first, *second = (_bits(each[place % each.size]) for each in flat)
    second = second or [not jnp.issubdtype(flat[0].dtype, jnp.floating)]
    return _record(xp, wrong.sum(), wrong.size, first, *second, result.reshape(-1)[place])


def whole() -> Any:
    """Return the dtype of records: JAX's widest integer."""
    return jax.dtypes.canonicalize_dtype(np.int64)


def _record(xp: Any, count: Any, total: int, *numbers: Any) -> Any:
    record = xp.stack([xp.asarray(each).astype(whole()) for each in (count, total, *numbers)])
    return xp.where(record[0] > 0, record, 0)


def _bits(value: Any) -> Any:
    """Return an integer unchanged, and a float as the integer with the bits of its float32."""
    if not jnp.issubdtype(value.dtype, jnp.floating):
        return value
    narrow = value.astype(np.float32)
    return narrow.view(np.int32) if isinstance(value, np.generic) else lax.bitcast_convert_type(narrow, jnp.int32)


def together(earlier: Any, later: Any) -> Any:
    """Return the merged records of two stretches of a run: counts added, numbers of the first failure."""
    if earlier.dtype == jnp.bool_:
        return earlier | later
    leading = jnp.where(earlier[:, :1] > 0, earlier, later)
    return jnp.concatenate([earlier[:, :2] + later[:, :2], leading[:, 2:]], axis=1)


# -- replacing --------------------------------------------------------------------------------


def otherwise(equation: JaxprEqn, arguments: list[Any], other: Any, beyond: Any) -> tuple[Any, Any]:
    """Return the replacement for the result of an indexing operation (`other` for a read), and the mask of elements."""
    name, parameters = equation.primitive.name, equation.params
    if name == "gather":
        return other, jnp.expand_dims(beyond.any(-1), parameters["dimension_numbers"].offset_dims)
    if name == "dynamic_slice":
        return other, beyond.any()
    if name == "dynamic_update_slice":
        return arguments[0], beyond.any()
    modes = lax.GatherScatterMode
    mode = modes.CLIP if parameters["mode"] == modes.FILL_OR_DROP else modes.FILL_OR_DROP
    bound = equation.replace(params={**parameters, "mode": mode})
    return jaxprs.bind(bound, arguments)[0], beyond.any()


def changed(values: Any, how: Any) -> Any:
    """Return different `values`: larger ones if `how` is positive, else ones of the opposite sign."""
    if values.dtype == jnp.bool_:
        return ~values
    if jnp.issubdtype(values.dtype, jax.dtypes.prng_key):
        return jax.random.wrap_key_data(~jax.random.key_data(values), impl=jax.random.key_impl(values))
    if jnp.issubdtype(values.dtype, jnp.inexact):
        values = jnp.where(jnp.isfinite(values), values, 1)
    one = jnp.ones((), values.dtype)
    return jnp.where(how > 0, values + values + one, -values - values - one)


def others_drawn(weights: Any, how: Any) -> Any:
    """Return in place of summed or logarithmic `weights` those with which the last is drawn, or the first."""
    count = weights.shape[-1]
    is_drawn = (jnp.arange(count) == count - 1) | (how < 0)
    return jnp.broadcast_to(jnp.where(is_drawn, 1e6, 0).astype(weights.dtype), weights.shape)


def spread(wrong: Any, shape: tuple[int, ...]) -> Any:
    """Return `wrong` for each draw of this `shape`: its axes are the last ones, or those of examples the first."""
    if wrong.shape != shape[len(shape) - wrong.ndim :]:
        wrong = wrong.reshape(wrong.shape + (1,) * (len(shape) - wrong.ndim))
    return jnp.broadcast_to(wrong, shape) if wrong.ndim <= len(shape) else wrong.any()


def of_running(predicate: Any, carried: Any) -> Any:
    """Return `carried`, with the values of finished examples replaced by those of a running one.

    The program ignores the results of a loop body for finished examples.
    """
    examples = carried.reshape(predicate.size, *carried.shape[predicate.ndim :])
    one = examples[jnp.argmax(predicate.reshape(-1))]
    return where(predicate, carried, jnp.broadcast_to(one, carried.shape))

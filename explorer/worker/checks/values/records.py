"""The records of a checked place: arrays of one size, from NumPy values and traced ones alike.

And what a place might have given instead, for the question whether it matters.
"""

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
"""Of a record: how often, of how many, and three numbers that tell the first of them."""


def dtype_of(value: Any) -> np.dtype[Any]:
    """Return the dtype of an array, or of a number in a jaxpr."""
    # Keys have one that is none of NumPy's.
    known: Any = getattr(value, "dtype", None)
    return jax.dtypes.canonicalize_dtype(jnp.result_type(value)) if known is None else known


def of_indices(rows: Any, beyond: Any, xp: Any) -> Any:
    """Return how many of `rows` are beyond the end, of how many; the first index that is, and its column."""
    if not beyond.size:
        return xp.zeros(FIELDS, whole())
    place = xp.argmax(beyond.reshape(-1))
    per_row = beyond.any(-1)
    return _record(xp, per_row.sum(), per_row.size, rows.reshape(-1)[place], place % rows.shape[-1], 0)


def of_numbers(operands: Sequence[Any], result: Any, wrong: Any, xp: Any) -> Any:
    """Return how many results are wrong, of how many; the operands and the result of the first, where they match.

    Of one operand the second number tells whether it is whole.
    """
    if not wrong.size:
        return xp.zeros(FIELDS, whole())
    place = xp.argmax(wrong.reshape(-1))
    flat = [xp.asarray(each).reshape(-1) for each in operands]
    first, *second = (_bits(each[place % each.size]) for each in flat)
    second = second or [not jnp.issubdtype(flat[0].dtype, jnp.floating)]
    return _record(xp, wrong.sum(), wrong.size, first, *second, result.reshape(-1)[place])


def whole() -> Any:
    """Return the dtype of records: the widest whole numbers that JAX has."""
    return jax.dtypes.canonicalize_dtype(np.int64)


def _record(xp: Any, count: Any, total: int, *numbers: Any) -> Any:
    record = xp.stack([xp.asarray(each).astype(whole()) for each in (count, total, *numbers)])
    return xp.where(record[0] > 0, record, 0)


def _bits(value: Any) -> Any:
    """Return a whole number as it is, and a float as the whole number that has the bits of its 32."""
    if not jnp.issubdtype(value.dtype, jnp.floating):
        return value
    narrow = value.astype(np.float32)
    return narrow.view(np.int32) if isinstance(value, np.generic) else lax.bitcast_convert_type(narrow, jnp.int32)


def together(earlier: Any, later: Any) -> Any:
    """Return the records of two stretches of a run as those of both: the counts added, the numbers of the first."""
    if earlier.dtype == jnp.bool_:
        return earlier | later
    leading = jnp.where(earlier[:, :1] > 0, earlier, later)
    return jnp.concatenate([earlier[:, :2] + later[:, :2], leading[:, 2:]], axis=1)


# -- replacing --------------------------------------------------------------------------------


def otherwise(equation: JaxprEqn, arguments: list[Any], other: Any, beyond: Any) -> tuple[Any, Any]:
    """Return what an operation that indexes might have given, which is `other` where it reads, and where."""
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
    """Return other `values`: larger ones if `how` is above 0, or of the other sign."""
    if values.dtype == jnp.bool_:
        return ~values
    if jnp.issubdtype(values.dtype, jax.dtypes.prng_key):
        return jax.random.wrap_key_data(~jax.random.key_data(values), impl=jax.random.key_impl(values))
    if jnp.issubdtype(values.dtype, jnp.inexact):
        values = jnp.where(jnp.isfinite(values), values, 1)
    one = jnp.ones((), values.dtype)
    return jnp.where(how > 0, values + values + one, -values - values - one)


def of_running(predicate: Any, carried: Any) -> Any:
    """Return `carried` with the values of an example that goes on in place of those that are done.

    What a body does with those, beyond the end of everything, is nothing that the program asks for.
    """
    examples = carried.reshape(predicate.size, *carried.shape[predicate.ndim :])
    one = examples[jnp.argmax(predicate.reshape(-1))]
    return where(predicate, carried, jnp.broadcast_to(one, carried.shape))

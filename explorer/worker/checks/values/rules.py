"""Rules for bad values of one operation: indices, overflows, probabilities, NaN. `xp` is numpy or jax.numpy."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import jax
import msgspec
import numpy as np
from jax import lax

from explorer.worker.recording import fetching

Parameters = Mapping[str, Any]
Sort = Literal["index", "overflow", "probability"]
"""Sorts of value checks: indices in bounds, integers that fit, probabilities between 0 and 1."""

# -- indices ----------------------------------------------------------------------------------

_SLICES = ("dynamic_slice", "dynamic_update_slice")


def is_indexing(name: str) -> bool:
    """Return whether the operation `name` takes data-dependent indices."""
    return name == "gather" or name in _SLICES or (name.startswith("scatter") and name != "scatter_dim")


class Bounds(msgspec.Struct, frozen=True):
    """Valid range of an operation's indices, one entry per index column."""

    lengths: tuple[int, ...]
    """Lengths of the indexed axes."""
    sizes: tuple[int, ...]
    """Number of elements read or written from each index on."""
    clamped: bool
    """Whether an index beyond the end is clamped; else it reads a fill value, or writes nothing.

    Modes: https://docs.jax.dev/en/latest/_autosummary/jax.Array.at.html.
    """
    reads: bool

    @property
    def most(self) -> tuple[int, ...]:
        """The largest index of each column."""
        return tuple(length - size for length, size in zip(self.lengths, self.sizes, strict=True))


def bounds(name: str, parameters: Parameters, shapes: Sequence[tuple[int, ...]]) -> Bounds:
    """Return the bounds of an indexing operation with operands of these `shapes`."""
    shape = shapes[0]
    if name in _SLICES:
        sizes = tuple(parameters["slice_sizes"]) if name == "dynamic_slice" else shapes[1]
        return Bounds(shape, sizes, clamped=True, reads=name == "dynamic_slice")
    numbers = parameters["dimension_numbers"]
    clamped = parameters["mode"] != lax.GatherScatterMode.FILL_OR_DROP
    if name == "gather":
        axes, sizes = tuple(numbers.start_index_map), tuple(parameters["slice_sizes"])
    else:
        axes, sizes = tuple(numbers.scatter_dims_to_operand_dims), _window(numbers, len(shape), shapes[2])
    lengths, taken = tuple(shape[each] for each in axes), tuple(sizes[each] for each in axes)
    return Bounds(lengths, taken, clamped, reads=name == "gather")


def _window(numbers: Any, rank: int, update: tuple[int, ...]) -> tuple[int, ...]:
    """Return the number of elements along each axis that one index of a scatter writes."""
    left_out = {*numbers.inserted_window_dims, *getattr(numbers, "operand_batching_dims", ())}
    window = iter(numbers.update_window_dims)
    return tuple(1 if axis in left_out else update[next(window)] for axis in range(rank))


def read_by_rules(name: str, operands: Sequence[Any]) -> Sequence[Any]:
    """Return the `operands` that the rules inspect."""
    if not is_indexing(name):
        return operands
    if name in _SLICES:
        return operands[1:] if name == "dynamic_slice" else operands[2:]
    return operands[1:2]


def indices(name: str, operands: Sequence[Any], xp: Any) -> Any:
    """Return the indices of an operation, int[..., columns], with the columns of its bounds."""
    scalars = read_by_rules(name, operands)
    if name not in _SLICES:
        return scalars[0]
    return xp.stack([xp.asarray(each) for each in scalars]) if len(scalars) else np.zeros(0, np.int32)


def outside(rows: Any, limits: Bounds) -> Any:
    """Return a mask of the indices `rows` beyond the end or before the start, bool[..., columns]."""
    most = np.minimum(np.array(limits.most, np.int64), np.iinfo(rows.dtype).max).astype(rows.dtype)
    return (rows < 0) | (rows > most)


# -- integers ---------------------------------------------------------------------------------


def _cumulated(sums: str) -> Callable[[Any, Sequence[Any], Parameters], Any]:
    def cumulated(xp: Any, operands: Sequence[Any], parameters: Parameters) -> Any:
        axis, reverse = parameters["axis"], parameters.get("reverse", False)
        operand = xp.flip(operands[0], axis) if reverse else operands[0]
        result = getattr(xp, sums)(operand, axis=axis)
        return xp.flip(result, axis) if reverse else result

    return cumulated


def _product(_xp: Any, operands: Sequence[Any], parameters: Parameters) -> Any:
    left, right = operands
    return lax.dot_general(left, right, parameters["dimension_numbers"], precision=lax.Precision.HIGHEST)


_IN_FLOATS: dict[str, Callable[[Any, Sequence[Any], Parameters], Any]] = {
    "add": lambda _, operands, __: operands[0] + operands[1],
    "sub": lambda _, operands, __: operands[0] - operands[1],
    "mul": lambda _, operands, __: operands[0] * operands[1],
    "square": lambda _, operands, __: operands[0] * operands[0],
    "pow": lambda _, operands, __: operands[0] ** operands[1],
    "integer_pow": lambda _, operands, parameters: operands[0] ** parameters["y"],
    "shift_left": lambda xp, operands, _: operands[0] * xp.exp2(operands[1]),
    "reduce_sum": lambda xp, operands, parameters: xp.sum(operands[0], axis=tuple(parameters["axes"])),
    "reduce_prod": lambda xp, operands, parameters: xp.prod(operands[0], axis=tuple(parameters["axes"])),
    "cumsum": _cumulated("cumsum"),
    "cumprod": _cumulated("cumprod"),
    "dot_general": _product,
    "convert_element_type": lambda _, operands, __: operands[0],
}
"""Integer operations whose result may overflow, evaluated on floats, whose range suffices for the test."""


_OF_PIXELS = ("add", "sub", "mul", "reduce_sum", "reduce_prod")


def may_overflow(name: str, given: Any, result: Any) -> bool:
    """Return whether an operation on a first operand of dtype `given` may overflow the integer dtype `result`.

    Unsigned integers are excluded: hashes and generators wrap around on purpose. Those of 8 and 16 bits are pixels and
    samples, and their sums are not.
    """
    kinds = getattr(given, "kind", ""), getattr(result, "kind", "")
    if name not in _IN_FLOATS or kinds[1] not in ("i", "u"):
        return False
    if name == "convert_element_type":
        is_narrower = kinds == ("i", "i") and result.itemsize < given.itemsize
        return is_narrower or (kinds[0] == "f" and (kinds[1] == "i" or result.itemsize < 4))
    return kinds == ("i", "i") or (kinds == ("u", "u") and result.itemsize < 4 and name in _OF_PIXELS)


def overflowed(name: str, operands: Sequence[Any], parameters: Parameters, result: Any, xp: Any) -> Any:
    """Return a mask of the elements of `result` that overflowed.

    An n-bit integer that wraps around is off by at least 2**n; float rounding is smaller, as long as the result fits.
    """
    wide = xp.float64 if xp is np or result.dtype.itemsize > 4 else xp.float32
    floats = [xp.asarray(each).astype(wide) for each in operands]
    expected = _IN_FLOATS[name](xp, floats, parameters)
    off_by = abs(expected - xp.asarray(result).astype(wide))
    if name == "convert_element_type":
        # Casts truncate fractions. NaN is no number.
        return ~(off_by <= 1)
    return ~(off_by < 2.0 ** (8 * result.dtype.itemsize - 1))


# -- probabilities ----------------------------------------------------------------------------

MOST_ROUNDED = 0.02
"""Beyond 0 and 1, of a number that rounding has taken there."""


def improbable(operation: str, given: Any, xp: Any) -> Any:
    """Return a mask of the numbers `given` to ``bernoulli`` or ``choice`` that are no probabilities.

    What ``choice`` is given are weights, which need not sum to 1.
    """
    slack = MOST_ROUNDED if given.dtype.itemsize < 4 else MOST_ROUNDED / 1000
    numbers = given.astype(xp.float32)
    return ~(numbers >= -slack) | ((numbers > 1 + slack) & (operation == "bernoulli"))


# -- NaN and inf ------------------------------------------------------------------------------

LARGEST_ON_HOST = 1 << 16
"""Largest number of elements that NumPy checks on the host; larger arrays are checked on their device."""
ELEMENTWISE = {"add", "sub", "mul", "div", "rem", "max", "min", "pow", "integer_pow", "sqrt", "rsqrt", "cbrt", "log"}
ELEMENTWISE |= {"log1p", "exp", "exp2", "expm1", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh"}
ELEMENTWISE |= {"tanh", "asinh", "acosh", "atanh", "logistic", "erf_inv", "lgamma", "digamma", "square"}
"""Elementwise operations, for which the operands of an element are known."""

MOVING = {"reshape", "broadcast_in_dim", "squeeze", "slice", "transpose", "concatenate", "select_n", "rev", "copy"}
MOVING |= {"expand_dims", "dynamic_slice", "stage", "device_put", "iota", "neg", "split"}
"""Operations that make no new NaN or inf."""

_all_finite = jax.jit(lambda array: jax.numpy.isfinite(array).all())


def is_inexact(array: Any) -> bool:
    """Return whether the dtype of `array` has NaN."""
    dtype = getattr(array, "dtype", None)
    kind = getattr(dtype, "kind", "")
    # Dtypes outside of NumPy have their own kind; the lookup of a name is slow.
    return kind in ("f", "c") or (kind == "V" and "float" in str(dtype))


def is_finite(array: Any) -> bool:
    """Return whether `array` has neither NaN nor inf. Raises fetching.FailedArray if it cannot be fetched."""
    if not is_inexact(array):
        return True
    if math.prod(array.shape) > LARGEST_ON_HOST:
        return bool(fetching.fetched(_all_finite(array)))
    return bool(np.isfinite(fetching.fetched(array)).all())

"""Pictures of a variant's outputs, draws, outputs minus inputs, and single values; with groups of equal examples."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, cast

import jax
import jax.numpy as jnp
import msgspec
import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from explorer.figures.equal_rows import Groups, bit_equal_rows, close_rows
from explorer.messages import Array, Finding, Picture, PictureRole, ShardRange, Span
from explorer.text.text import NOTHING, Text, joined, say, sentences
from explorer.worker.pictures import arrays
from explorer.worker.pictures import verdicts as words

MOST_KEYS = 4
"""Number of keys that are written out."""


def verdict(aval: Any, array: Any, picture: Picture) -> Text:
    """Return a one-line description of `array`: ``c: f32[32,10] from -2.1 to 3.4, no NaN``."""
    title = joined(": ", (picture.name, aval.str_short(short_dtypes=True)))
    if jnp.issubdtype(aval.dtype, jax.dtypes.prng_key):
        return joined(" ", (title, _hexadecimal(np.asarray(jax.random.key_data(array)))))
    if 0 in picture.shape:
        return say("{title} without any values", title=title)
    if not picture.shape:
        return joined(" = ", (title, f"{picture.values.numpy()[()]}"))
    if picture.dtype == "bool":
        shown = picture.values.numpy()
        return say("{title}, {true} of {all} true", title=title, true=f"{int(shown.sum()):,}", all=f"{shown.size:,}")
    words = say("{title} from {low} to {high}", title=title, low=f"{picture.low:.4g}", high=f"{picture.high:.4g}")
    return joined(", ", (words, _not_finite(picture))) if jnp.issubdtype(aval.dtype, jnp.inexact) else words


def _not_finite(picture: Picture) -> Text:
    if not picture.not_finite:
        return say("no NaN")
    shown = picture.values.numpy()
    if shown.size < np.prod(picture.shape):
        return say("{count} NaN or infinite", count=f"{picture.not_finite:,}")
    nan = int(np.isnan(shown).sum())
    infinite = picture.not_finite - nan
    counted = say("{count} NaN", count=f"{nan:,}")
    return joined("", (counted, say(", {count} infinite", count=f"{infinite:,}"))) if infinite else counted


def _hexadecimal(data: np.ndarray[Any, Any]) -> Text:
    keys = data.reshape(-1, data.shape[-1])
    shown = [" ".join(f"{word:08x}" for word in key) for key in keys[:MOST_KEYS]]
    left_out = len(keys) - len(shown)
    more = say(" and {count} more", count=f"{left_out:,}") if left_out else Text()
    return joined("", (", ".join(shown), more))


MOST = 64
"""Largest number of shards that are reported."""


def holders(array: Any, axis: int) -> tuple[ShardRange, ...]:
    """Return the shards of a jax.Array along `axis` with their devices; () for a single one and other arrays."""
    if not isinstance(array, jax.Array) or isinstance(array, jax.core.Tracer) or not 0 <= axis < array.ndim:
        return ()
    if len(array.sharding.device_set) == 1:
        return ()
    found: dict[tuple[int, int], list[str]] = {}
    places: dict[Any, Any] = dict(array.sharding.devices_indices_map(array.shape))
    for device, index in places.items():
        start, stop, _ = index[axis].indices(array.shape[axis])
        found.setdefault((start, stop), []).append(f"{device.platform}:{device.id}")
    if not 1 < len(found) <= MOST:
        return ()
    return tuple(ShardRange(start, stop, ", ".join(devices)) for (start, stop), devices in sorted(found.items()))


MAX_ELEMENTS = 2**28
"""Larger arrays are copied from the device only in part."""
MAX_SENT = 2**24
"""Largest number of values sent per picture: 4096 x 4096 arrive whole."""
MAX_SENT_TOGETHER = 2**25
MAX_PICTURES = 200
MAX_EXAMPLES = 1_000_000
"""Largest number of examples to compare."""
MAX_ELSEWHERE = 2**20
"""In larger arrays, only examples are compared, not slices along other axes."""
MAX_CLOSE_EXAMPLES = 10_000
"""Among more rows, some agree within rounding by chance."""

NDArray = npt.NDArray[Any]
Draw = tuple[str, Span | None, NDArray]


class OutputArray(msgspec.Struct, frozen=True):
    """One array of a pytree, not yet copied."""

    path: str
    array: Any
    note: Text = NOTHING
    axis: int | None = None
    """The axis of the examples, if known."""


class PictureSource(msgspec.Struct, frozen=True):
    """The source of one picture."""

    role: PictureRole
    name: Text | str
    array: Any
    span: Span | None = None
    note: Text = NOTHING
    subtract: Any = None
    mapped: tuple[int, ...] = ()
    """The example axes of the vmaps around it, if known."""
    axis: int | None = None
    """The axis of the examples, if known."""
    counts: Collection[int] | None = None
    """The numbers of examples in the run, if they are known: other rows are none."""


def pictures(
    outputs: Any,
    inputs: Mapping[str, Any],
    findings: Sequence[Finding],
    draws: Sequence[Draw] = (),
    axes: Sequence[int | None] = (),
    counts: Collection[int] | None = None,
) -> tuple[Picture, ...]:
    """Return a picture of each array in the pytree `outputs`, of each draw, and of each output minus its input.

    `draws` holds (name, span of the call, noise), with names such as ``normal, line 4``. An output is paired with each
    floating-point argument in `inputs` of equal shape, and with leaves at the same pytree path. Strings, objects,
    deleted arrays and tracers are skipped; () means that no array is left. `axes` has the example axis of each leaf of
    `outputs`, if known. With `counts`, rows of an output are called examples only where there are that many.
    """
    leaves = list(_leaves(outputs, axes))
    # Where axes are known, an output without one has no examples but those of the run's draws.
    others = counts or () if axes else counts
    sources = [
        PictureSource(
            "output",
            f"output{leaf.path}",
            leaf.array,
            note=leaf.note,
            axis=leaf.axis,
            counts=others if leaf.axis is None else counts,
        )
        for leaf in leaves
    ]
    sources += [*_draws(draws), *_differences(leaves, inputs)]
    left_out = len(sources) - MAX_PICTURES
    sources = sources[:MAX_PICTURES]
    rooms = arrays.rooms([math.prod(source.array.shape) for source in sources], MAX_SENT, MAX_SENT_TOGETHER)
    made = _on_one_axis(
        [_picture(source, findings, room) for source, room in zip(sources, rooms, strict=True)],
        lambda place, axis: _picture(replace(sources[place], axis=axis), findings, rooms[place]),
    )
    if left_out > 0:
        rest = say("Arrays that are not shown: {count}.", count=f"{left_out:,}")
        made[-1] = msgspec.structs.replace(made[-1], note=sentences(made[-1].note, rest))
    return tuple(made)


def value(name: Text | str, array: Any, mapped: tuple[int, ...] = ()) -> Picture | None:
    """Return a picture of the value of variable `name`; None unless it is an array of numbers or keys.

    `mapped` are the example axes of the vmaps around it, outermost first.
    """
    leaf = _leaf("", array)
    if leaf is None:
        return None
    source = PictureSource("value", name, leaf.array, note=leaf.note, mapped=mapped)
    picture = _picture(source, (), MAX_SENT)
    return msgspec.structs.replace(picture, verdict=verdict(jax.typeof(array), array, picture))


def _on_one_axis(made: list[Picture], along: Callable[[int, int], Picture]) -> list[Picture]:
    """Return the pictures `made`, with each output along the example axis of its difference picture.

    `along` remakes a picture, given its index and the axis.
    """
    axes = {str(each.name).partition(" - ")[0]: each.axis for each in made if each.role == "difference"}
    return [
        along(place, axes[str(each.name)])
        if each.role == "output" and axes.get(str(each.name), 0) > each.axis
        else each
        for place, each in enumerate(made)
    ]


# -- collecting arrays ------------------------------------------------------------------------


def _leaves(tree: Any, axes: Sequence[int | None] = ()) -> Iterator[OutputArray]:
    try:
        leaves = [(jax.tree_util.keystr(path), each) for path, each in jax.tree_util.tree_leaves_with_path(tree)]
    except Exception:  # a dict with unsortable keys, or another tree that JAX cannot flatten
        return
    for (path, value), axis in zip(leaves, axes if len(axes) == len(leaves) else [None] * len(leaves), strict=True):
        leaf = _leaf(path, value)
        if leaf is not None:
            yield replace(leaf, axis=axis)


def _leaf(path: str, value: Any) -> OutputArray | None:
    """Return `value` as an array of numbers, or None."""
    if isinstance(value, (bool, int, float, complex)):
        value = np.asarray(value)
    if isinstance(value, jax.core.Tracer) or (isinstance(value, jax.Array) and value.is_deleted()):
        return None
    if not isinstance(value, (jax.Array, np.ndarray, np.generic)):
        return None
    if jnp.issubdtype(value.dtype, jax.dtypes.prng_key):
        key_data = jax.random.key_data(cast(jax.Array, value))
        return OutputArray(path, jnp.atleast_2d(key_data), say("These are keys, shown as their key data."))
    return OutputArray(path, value) if _is_numeric(value.dtype) else None


def _is_numeric(dtype: Any) -> bool:
    return dtype.kind == "b" or (dtype.kind != "m" and bool(jnp.issubdtype(dtype, np.number)))


def _is_float(array: Any) -> bool:
    return bool(jnp.issubdtype(array.dtype, np.floating))


def _draws(draws: Sequence[Draw]) -> Iterator[PictureSource]:
    seen: dict[str, int] = {}
    for name, span, noise in draws:
        seen[name] = seen.get(name, 0) + 1
        leaf = _leaf("", noise)
        if leaf is not None:
            yield PictureSource(
                "draw", name if seen[name] == 1 else f"{name} ({seen[name]})", leaf.array, span, leaf.note
            )


def _differences(outputs: Sequence[OutputArray], inputs: Mapping[str, Any]) -> Iterator[PictureSource]:
    arguments = [(name, leaf) for name, tree in inputs.items() for leaf in _leaves(tree)]
    for output in outputs:
        if not _is_float(output.array) or output.array.ndim == 0 or output.array.size > MAX_ELEMENTS:
            continue
        for name, argument in arguments:
            same_place = argument.path in ("", output.path)
            if same_place and argument.array.shape == output.array.shape and _is_float(argument.array):
                title = f"output{output.path} - {name}{argument.path}"
                yield PictureSource("difference", title, output.array, subtract=argument.array, axis=output.axis)


# -- one picture ------------------------------------------------------------------------------


class ArrayFacts(msgspec.Struct, frozen=True):
    """The facts about one array."""

    shown: NDArray
    """The array, or its start, in a dtype that every consumer supports."""
    scope: arrays.Range
    groups: Groups
    verdict: Text
    note: Text = NOTHING


def _picture(source: PictureSource, findings: Sequence[Finding], room: int) -> Picture:
    shape = tuple(source.array.shape)
    values = _values(source) if math.prod(shape) <= MAX_ELEMENTS else None
    axis, sharing = _examples(source, values, findings)
    cropped_shape = arrays.cropped_shape(shape, axis, room)
    seen = _seen(source, values, axis, sharing) if values is not None else _beginning(source, cropped_shape)
    return Picture(
        role=source.role,
        name=source.name,
        shape=shape,
        dtype=str(source.array.dtype),
        values=arrays.sent(seen.shown, cropped_shape),
        axis=axis,
        mapped=source.mapped,
        groups=Array.of(seen.groups),
        distinct=_distinct(seen.groups),
        verdict=seen.verdict,
        span=source.span,
        low=seen.scope.low,
        high=seen.scope.high,
        not_finite=seen.scope.not_finite,
        note=sentences(source.note, words.cropped(shape, cropped_shape, axis), seen.note),
        shards=holders(source.array, axis),
    )


class HostArray(msgspec.Struct, frozen=True):
    """One array in host memory."""

    raw: NDArray
    shown: NDArray
    """The same in a dtype that every consumer supports."""


def _values(source: PictureSource) -> HostArray:
    raw = arrays.host(source.array)
    shown = arrays.shown(raw)
    if source.subtract is not None:
        raw = shown = arrays.difference(shown, arrays.shown(arrays.host(source.subtract)))
    return HostArray(raw, shown)


def _examples(
    source: PictureSource, values: HostArray | None, findings: Sequence[Finding]
) -> tuple[int, Finding | None]:
    """Return the axis of the examples, and the first finding of shared noise with that number of examples.

    A finding counts vmaps from the outermost, whose outputs may have another example axis. Of the axes of the right
    length, the one with equal slices is taken, else the one with the finding's number. A draw has the findings of its
    own line only: another key may have made it.
    """
    shape = tuple(source.array.shape)
    known = source.axis if source.axis is not None else source.mapped[0] if source.mapped else None
    for finding in findings:
        own = finding.axis or 0 if known is None else known
        is_of_another = source.role == "draw" and source.span not in finding.spans
        if finding.kind != "shared-noise" or is_of_another or own >= len(shape):
            continue
        fits = [axis for axis in range(len(shape)) if finding.examples in (None, shape[axis])]
        if known is None and finding.examples is not None and values is not None:
            others = sorted(fits, key=lambda axis: axis != own)
            found = next((axis for axis in others if _repeats_along(source, values, axis) is not None), own)
            own = found
        if own in fits:
            return own, finding
    return known or 0, None


def _repeats_along(source: PictureSource, values: HostArray, axis: int, *, exact: bool = False) -> int | None:
    """Return the number of distinct slices along `axis`; None if all differ, or may be equal by chance.

    Constant slices, such as padding and dead units, count as distinct. With `exact`, slices that agree only within
    rounding do, too.
    """
    rows = arrays.rows(values.raw, axis)
    if rows.shape[0] < 2 or rows.shape[1] < 1 or rows.size > MAX_ELSEWHERE:
        return None
    groups = bit_equal_rows(rows) if exact else _groups(rows, source, axis)[0]
    first = np.ascontiguousarray(rows[:, :1]).view(np.uint8)
    bits = np.ascontiguousarray(rows).view(np.uint8).reshape(len(rows), rows.shape[1], -1)
    varied = (bits != first.reshape(len(rows), 1, -1)).any(axis=(1, 2))
    distinct = len(np.unique(groups[varied])) + int(np.count_nonzero(~varied))
    scope = arrays.value_range(values.shown)
    row_bits = arrays.value_bits(source.array.dtype, values.shown, scope) * rows.shape[1]
    return None if distinct == len(rows) or words.may_repeat(row_bits, len(rows), distinct) else distinct


def _beginning(source: PictureSource, cropped_shape: Sequence[int]) -> ArrayFacts:
    """Return the facts about an array that is too large to compare: its start and its size."""
    array = source.array
    shown = arrays.shown(arrays.host(array[tuple(slice(stop) for stop in cropped_shape)]))
    verdict = words.too_large(array.size, array.size * array.dtype.itemsize)
    note = say("Range and counts are for the values shown.")
    return ArrayFacts(shown, arrays.value_range(shown), np.empty(0, np.int32), verdict, note)


def _seen(source: PictureSource, values: HostArray, axis: int, sharing: Finding | None) -> ArrayFacts:
    shown = values.shown
    scope = arrays.value_range(shown)
    rows = arrays.rows(values.raw, axis)
    groups, rounded = _groups(rows[:MAX_EXAMPLES], source, axis)
    constant = len(groups) == len(rows) and _distinct(groups) == 1 and _is_constant(rows[0])
    found = words.Comparison(
        shape=shown.shape,
        axis=axis,
        compared=len(groups),
        distinct=_distinct(groups),
        row_bits=arrays.value_bits(source.array.dtype, shown, scope) * rows.shape[1],
        constant=str(shown.flat[0]).replace("nan", "NaN") if constant else "",
        rounded=rounded,
        of_rows=source.counts is not None and len(rows) not in source.counts,
        elsewhere=_elsewhere(source, values, axis) if _distinct(groups) == len(groups) > 1 else None,
    )
    return ArrayFacts(shown, scope, groups, words.verdict(found, sharing), _note(source, found))


def _elsewhere(source: PictureSource, values: HostArray, axis: int) -> tuple[int, int, int] | None:
    """Return (axis, slices, distinct slices) of the first axis other than `axis` with equal slices, or None."""
    if source.role == "value" or values.raw.ndim < 2:
        return None
    others = (
        (other, _repeats_along(source, values, other, exact=True)) for other in range(values.raw.ndim) if other != axis
    )
    return next(((other, values.raw.shape[other], few) for other, few in others if few is not None), None)


def _groups(rows: NDArray, source: PictureSource, axis: int) -> tuple[Groups, bool]:
    """Return int32[examples], equal for equal examples, and whether equality is only within rounding."""
    groups = bit_equal_rows(rows)
    if source.subtract is None or _distinct(groups) < 2 or len(rows) > MAX_CLOSE_EXAMPLES:
        return groups, False
    close = close_rows(rows, arrays.rows(_rounding(source), axis))
    return (close, True) if _distinct(close) < _distinct(groups) else (groups, False)


def _rounding(source: PictureSource) -> NDArray:
    """Return the largest difference of two differences that stem from the same noise, shaped like the output.

    Adding noise to x rounds by at most half a unit in the last place of the sum, and so does the subtraction. For two
    examples, that is twice the relative spacing of the coarser dtype.
    """
    eps = max(arrays.spacing(array.dtype) for array in (source.array, source.subtract))
    output, argument = (arrays.shown(arrays.host(array)) for array in (source.array, source.subtract))
    largest: NDArray = np.maximum(np.abs(output), np.abs(argument))
    return 2 * eps * largest


def _distinct(groups: Groups) -> int:
    return int(groups.max(initial=-1)) + 1


def _is_constant(example: NDArray) -> bool:
    """Return whether all values of the example are equal, bit for bit."""
    bits = np.ascontiguousarray(example).view(np.uint8).reshape(len(example), example.itemsize)
    return len(bits) > 0 and bool((bits == bits[0]).all())


def _note(source: PictureSource, found: words.Comparison) -> Text:
    notes = []
    if jnp.issubdtype(source.array.dtype, np.complexfloating):
        notes.append(say("Complex values, shown as their magnitude."))
    if found.rounded:
        notes.append(say("Examples count as equal where they agree to within the rounding of the subtraction."))
    if found.shape and found.compared < found.examples:
        notes.append(say("Only the first {count} examples are compared.", count=f"{found.compared:,}"))
    return sentences(*notes)

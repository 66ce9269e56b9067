"""For the devices lens: arrays as shards; a record of the arrays and programs of a run on several devices.

A sharding says which device has which part: no value is accessed.
"""

from __future__ import annotations

import ast
import math
import weakref
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import jax
import msgspec
from jax.extend.core import jaxprs_in_params
from msgspec.structs import replace

from explorer.messages import Span
from explorer.text.text import Text
from explorer.worker.internals import compiled, dispatch, sources
from explorer.worker.internals.spans import Position, SpanFinder
from explorer.worker.syntax.code_tree import code_file

Role = Literal["input", "inside", "output"]
Bounds = tuple[tuple[int, int], ...]


class Shard(msgspec.Struct, frozen=True):
    """One device's shard of an array."""

    device: int
    """JAX's id of the device."""
    index: str
    """The range of the array, in Python's notation: ``[0:4, :]``."""
    place: tuple[int, ...]
    """Index of the shard along each axis, from 0."""
    bytes: int
    replicated: bool
    """Whether another device holds the same range."""


class ShardedArray(msgspec.Struct, frozen=True):
    """One array of a run, and its shards."""

    name: str
    """``x``, ``params['w']``; ``output`` or ``output[1]`` for an output; empty without a name in the code."""
    type: str
    """JAX's notation: ``f32[8,4]``."""
    role: Role
    sharding: str
    """JAX's repr: ``NamedSharding(mesh=Mesh('i': 4), spec=P('i',))``; empty for a NumPy array."""
    cut: tuple[int, ...] = ()
    """Number of shards along each axis."""
    pieces: tuple[Shard, ...] = ()
    """In the order of the sharding's devices; () for a NumPy array, which is on no device."""
    line: int = 0
    """The line in user code that made it, 0 for none."""
    made_by: str = ""
    """The operation: ``device_put``, ``jit of step``."""
    times: int = 1
    """Number of similar arrays made by that line."""
    moved: bool = False
    """Whether it is an argument of `made_by` on other devices, which JAX moved for the call."""


def sharded(array: Any, name: str, role: Role) -> ShardedArray:
    """Return the shards of `array`, of JAX or NumPy. Raises ValueError for unequal shards."""
    if not isinstance(array, jax.Array):
        return ShardedArray(name, type_text(array), role, "")
    return laid_out(array, array.sharding, name, role)


def laid_out(array: Any, sharding: jax.sharding.Sharding, name: str, role: Role) -> ShardedArray:
    """Return the shards of an array with the shape and dtype of `array` under `sharding`."""
    # Of a key, the bytes of its key data.
    itemsize = int(getattr(array.dtype, "itemsize", 0))
    cut, found = shards_of(array.shape, sharding.addressable_devices_indices_map(array.shape), itemsize)
    return ShardedArray(name, type_text(array), role, str(sharding), cut, found)


def shards_of(
    shape: Sequence[int], indices: Mapping[Any, Sequence[slice] | None], itemsize: int
) -> tuple[tuple[int, ...], tuple[Shard, ...]]:
    """Return the number of parts along each axis of an array of `shape`, and each device's shard.

    `indices` has the slices of each device, None for the whole array, as in a sharding's ``devices_indices_map``;
    `itemsize` is in bytes per element.
    """
    bounds_by_device = {device: _bounds(shape, index) for device, index in indices.items()}
    holders = Counter(bounds_by_device.values())
    starts = [sorted({each[axis] for each in bounds_by_device.values()}) for axis in range(len(shape))]
    found = [
        Shard(
            device.id,
            index_text(shape, bounds),
            tuple(starts[axis].index(each) for axis, each in enumerate(bounds)),
            math.prod(stop - start for start, stop in bounds) * itemsize,
            holders[bounds] > 1,
        )
        for device, bounds in bounds_by_device.items()
    ]
    return tuple(map(len, starts)), tuple(found)


def _bounds(shape: Sequence[int], index: Sequence[slice] | None) -> Bounds:
    whole = index if index is not None else (slice(None),) * len(shape)
    return tuple(each.indices(size)[:2] for each, size in zip(whole, shape, strict=True))


def index_text(shape: Sequence[int], bounds: Bounds) -> str:
    """Return a range of an array in Python's notation, ``[0:4, :]``; ``[]`` for a scalar."""
    written = (
        ":" if (start, stop) == (0, size) else f"{start}:{stop}"
        for (start, stop), size in zip(bounds, shape, strict=True)
    )
    return f"[{', '.join(written)}]"


def type_text(array: Any) -> str:
    """Return the type of `array` in JAX's notation: ``f32[8,4]``."""
    plain: Any = jax.core.ShapedArray(array.shape, array.dtype)
    return str(plain.str_short(short_dtypes=True))


def is_spread(leaf: Any) -> bool:
    """Return whether `leaf` is an array on more than one device."""
    return isinstance(leaf, jax.Array) and not isinstance(leaf, jax.core.Tracer) and len(leaf.sharding.device_set) > 1


# -- a run that is watched ------------------------------------------------------------------------------------------


def written_names(
    positions: Sequence[Position], span: Span | None, is_user_code: Callable[[str], bool], count: int
) -> list[str]:
    """Return the names of `count` results of the expression at `span`, of the first of `positions`; '' for none."""
    filename = next((code.co_filename for code, _ in positions if is_user_code(code.co_filename)), "")
    if span is not None and filename:
        code = code_file(filename)
        value = code.at(span) if code is not None else None
        match code.parents.get(value) if code is not None and value is not None else None:
            case ast.Assign(targets=[target]):
                names = [getattr(each, "id", "") for each in getattr(target, "elts", [target])]
                if len(names) == count:
                    return names
    return [""] * count


MOST_NOTED = 2_000
"""Largest number of distinct arrays."""
_PUT = "device_put"
_PMAPPED = "_fun"
"""JAX's name for the function that it makes from a pmap."""
_PMAP_FILE, _SHARD_MAP_FILE = (str(Path(jax.__file__).parent / "_src" / name) for name in ("pmap.py", "shard_map.py"))
_GIVES = "_match_spec"
"""The JAX function that makes the outputs of a shard_map."""


class ShardedRun(msgspec.Struct):
    """A program that several devices ran together."""

    compiled: Callable[[], Any]
    """Returns the jax.stages.Compiled, or an equivalent object."""
    line: int
    """The line of the call in user code, 0 for none."""
    program_of_run: Any
    """Object kept alive so that the id in its key stays valid."""
    operation: str
    """The operation behind the program."""
    given: tuple[tuple[str, Any], ...]
    """For each argument, (name, jax.ShapeDtypeStruct with sharding); None for non-arrays."""
    times: int = 1


class RecordedArrays(msgspec.Struct):
    """The arrays that a run placed on several devices, in order; equal ones from one place are merged."""

    arrays: list[ShardedArray] = []
    left_out: int = 0
    programs: dict[tuple[Any, ...], ShardedRun] = {}
    names: dict[int, str] = {}
    """Names of the inputs, by id of their arrays."""
    _places: dict[tuple[Any, ...], int] = {}
    _made: dict[int, tuple[weakref.ref[Any], int]] = {}
    """By id of each living array: the array, and its entry."""

    def add(self, array: Any, name: str, made_by: str, span: Span | None) -> None:
        """Record `array`, named `name` by the code at `span`."""
        kind = (span, name, made_by, array.shape, array.dtype, array.sharding)
        place = self._places.get(kind)
        if place is not None:
            self.arrays[place] = replace(self.arrays[place], times=self.arrays[place].times + 1)
        elif len(self.arrays) >= MOST_NOTED:
            self.left_out += 1
            return
        else:
            place = self._places[kind] = len(self.arrays)
            line = span.line if span else 0
            self.arrays.append(replace(sharded(array, name, "inside"), line=line, made_by=made_by))
        self._made[id(array)] = weakref.ref(array), place

    def name_of(self, array: Any) -> str:
        """Return the name of `array` in the code, '' if unknown."""
        place = self.place_of(array)
        return self.names.get(id(array), "") if place is None else self.arrays[place].name

    def place_of(self, array: Any) -> int | None:
        """Return the entry of `array`, None if it has none."""
        reference, place = self._made.get(id(array), (None, None))
        return place if reference is not None and reference() is array else None


@contextmanager
def noted(is_user_code: Callable[[str], bool], names: dict[int, str]) -> Iterator[RecordedArrays]:
    """Record the arrays that operations in the block place on several devices; `names` has those of arrays by id."""
    found = RecordedArrays(names=names)
    hook = _Hook(found, is_user_code)
    with dispatch.placements_watched(hook.put), dispatch.dispatched_to(hook):
        yield found
        jax.effects_barrier()


class _Hook:
    """Executor that runs a program's operations unchanged, and checks the placement of their results."""

    def __init__(self, found: RecordedArrays, is_user_code: Callable[[str], bool]) -> None:
        self._noted = found
        self._is_user_code = is_user_code
        self._spans = SpanFinder(is_user_code)
        self._inside = 0
        """Number of running operations that JAX executes in pieces."""

    def note(self, words: Text) -> None:
        """Ignore notes, which are about keys."""

    def __call__(
        self, primitive: Any, implementation: Callable[..., Any], arguments: tuple[Any, ...], parameters: dict[str, Any]
    ) -> Any:
        values = dispatch.concrete(arguments)
        if primitive.name != "jit" and any(True for _ in jaxprs_in_params(parameters)):
            # Its jaxpr runs in pieces, or as a jit; both pass here again.
            self._inside += 1
            try:
                outputs = implementation(*values, **parameters)
            finally:
                self._inside -= 1
        else:
            outputs = self._carried_out(primitive, implementation, values, parameters)
        if primitive.name != _PUT:
            given = outputs if primitive.multiple_results else [outputs]
            self._look(primitive.name, parameters, given)
        return outputs

    def _carried_out(
        self, primitive: Any, implementation: Callable[..., Any], values: list[Any], parameters: dict[str, Any]
    ) -> Any:
        with dispatch.undispatched():
            if primitive.name == _PUT or dispatch.is_called_back():
                return implementation(*values, **parameters)
            program_of_run = parameters["jaxpr"] if primitive.name == "jit" else primitive
            runs = _compiled_getter(primitive, values, parameters)
            outputs = implementation(*values, **parameters)
        if any(map(is_spread, values)) or any(map(is_spread, jax.tree.leaves(outputs))):
            kind = (id(program_of_run), primitive.name, tuple(map(_placement, values)), _settings(parameters))
            known = self._noted.programs.get(kind)
            if known is not None:
                known.times += 1
            else:
                positions = self._positions()
                span = self._spans.innermost(positions)
                called = _operation(primitive.name, parameters, positions)
                names = _own_names(parameters, len(values))
                given = tuple(
                    (self._noted.name_of(each) or own, _as_type(each, always=True))
                    for each, own in zip(values, names, strict=True)
                )
                self._noted.programs[kind] = ShardedRun(runs, span.line if span else 0, program_of_run, called, given)
        return outputs

    def put(self, given: Sequence[Any]) -> None:
        """Check the results of a device_put."""
        self._look(_PUT, {}, given)

    def _look(self, primitive: str, parameters: dict[str, Any], given: Sequence[Any]) -> None:
        if self._inside or not any(map(is_spread, given)):
            return
        positions = self._positions()
        operation = _operation(primitive, parameters, positions)
        within = [place for place, (code, _) in enumerate(positions) if code.co_filename == _SHARD_MAP_FILE]
        if within:
            # Without jit, each operation of the function is dispatched.
            if not any(positions[place][0].co_name == _GIVES for place in within):
                return
            positions = positions[within[-1] :]
        span = self._spans.innermost(positions)
        for name, each in zip(written_names(positions, span, self._is_user_code, len(given)), given, strict=True):
            if is_spread(each):
                self._noted.add(each, name, operation, span)

    def _positions(self) -> list[Position]:
        return [frame for each in sources.current_source()[0] for frame in zip(*each.raw_frames(), strict=True)]


def _operation(primitive: str, parameters: dict[str, Any], positions: Sequence[Position]) -> str:
    """Return the name of an operation, including the function name for a jit."""
    if any(code.co_filename == _SHARD_MAP_FILE for code, _ in positions):
        return "shard_map"
    name = str(parameters.get("name") or "")
    if name == _PMAPPED and any(code.co_filename == _PMAP_FILE for code, _ in positions):
        return "pmap"
    return f"{primitive} of {name.lstrip('_')}" if primitive == "jit" and name.isidentifier() else primitive


def _own_names(parameters: dict[str, Any], count: int) -> list[str]:
    """Return the names of the `count` arguments of a jitted function, '' unless it is an identifier."""
    debug_info = getattr(getattr(parameters.get("jaxpr"), "jaxpr", None), "debug_info", None)
    found = [str(each) for each in getattr(debug_info, "arg_names", None) or ()]
    return [each if each.isidentifier() else "" for each in found] if len(found) == count else [""] * count


def _compiled_getter(primitive: Any, values: list[Any], parameters: dict[str, Any]) -> Callable[[], Any]:
    """Return a function that returns the compiled program for an operation with these `values`."""
    if primitive.name == "jit":
        return compiled.what_runs(values, parameters)
    types = [_as_type(each) for each in values]
    return lambda: jax.jit(lambda *given: primitive.bind(*given, **parameters)).lower(*types).compile()


def _as_type(value: Any, *, always: bool = False) -> Any:
    """Return the type of an array, with its sharding if committed or `always`; with `always`, None for non-arrays."""
    if not isinstance(value, jax.Array):
        return None if always else value
    where = value.sharding if always or value.committed else None
    return jax.ShapeDtypeStruct(value.shape, value.dtype, sharding=where)


def _placement(value: Any) -> Any:
    return (value.shape, value.dtype, value.sharding) if isinstance(value, jax.Array) else type(value)


def _settings(parameters: dict[str, Any]) -> tuple[str, ...]:
    """Return the parameters that distinguish calls of an operation, as text, without the jaxpr."""
    return tuple(f"{name}={value}" for name, value in parameters.items() if name not in ("jaxpr", "ctx_mesh"))

"""Sharding: the shards of a program's arrays on devices, and the transfers between devices.

See https://docs.jax.dev/en/latest/parallel.html.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, Literal, Self

import msgspec
from msgspec.structs import replace

from explorer.messages.lenses.lens import Lens, LensSpec
from explorer.text.text import Text, say

MOST_PARTS, MOST_BYTES = 10_000, 1 << 52
"""The most arrays, and shards of all of them; the largest size and count."""


class Piece(msgspec.Struct, frozen=True, array_like=True):
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
    role: Literal["input", "inside", "output"]
    sharding: str
    """JAX's repr: ``NamedSharding(mesh=Mesh('i': 4), spec=P('i',))``; empty for a NumPy array."""
    cut: tuple[int, ...] = ()
    """Number of shards along each axis."""
    pieces: tuple[Piece, ...] = ()
    """In the order of the sharding's devices; () for a NumPy array, which is on no device."""
    line: int = 0
    """The line in user code that made it, 0 for none."""
    made_by: str = ""
    """The operation: ``device_put``, ``jit of step``."""
    times: int = 1
    """Number of similar arrays made by that line."""
    moved: bool = False
    """Whether it is an argument of `made_by` on other devices, which JAX moved for the call."""


class Collective(msgspec.Struct, frozen=True):
    """One operation of a compiled program that exchanges data between devices."""

    operation: str
    """``all-reduce``, ``all-gather``, ``reduce-scatter``, ``collective-permute``, ``all-to-all`` ..."""
    name: str
    """Name of the instruction in the optimised HLO, the first of similar ones."""
    line: int
    """The line in user code, 0 for none."""
    given: str
    """The input type per device: ``f32[2]``."""
    given_bytes: int
    shape: str
    """The output type per device: ``f32[8]``."""
    bytes: int
    """Output bytes per device."""
    groups: tuple[tuple[int, ...], ...] = ()
    """The groups of devices that exchange data; () for an unknown notation of the compiler."""
    pairs: tuple[tuple[int, int], ...] = ()
    """Pairs (source device, target device), if the operation has them."""
    in_loop: bool = False
    """Whether it runs in each iteration of a loop."""
    times: int = 1
    """Number of similar operations of that line in the run; a surrounding loop counts once."""


class DevicesLens(Lens, frozen=True, tag=True):
    """The shards of one variant, sent again with more details after compilation."""

    arrays: tuple[ShardedArray, ...] = ()
    """Inputs, then intermediate arrays, then outputs."""
    left_out: int = 0
    """Number of further arrays."""
    devices: tuple[int, ...] = ()
    """The ids of all devices involved."""
    collectives: tuple[Collective, ...] | None = None
    """Collectives of the compiled programs that the run called, in order; None if unknown."""
    notes: tuple[Text, ...] = ()
    """Notes for the user."""

    def all_lines(self) -> Iterator[int]:
        yield from (each.line for each in self.arrays)
        yield from (each.line for each in self.collectives or ())

    def with_lines(self, line: Callable[[int], int]) -> Self:
        return replace(
            self,
            arrays=tuple(replace(each, line=line(each.line)) for each in self.arrays),
            collectives=self.collectives and tuple(replace(each, line=line(each.line)) for each in self.collectives),
        )

    def problem(self, last_line: int) -> str:
        pieces = [(array, piece) for array in self.arrays for piece in array.pieces]
        moved = self.collectives or ()
        parts = [math.prod(each.cut) for each in self.arrays]
        if max(len(self.arrays), len(pieces), len(moved), *parts) > MOST_PARTS:
            return "it has too many arrays or shards"
        if any(count < 1 for each in self.arrays for count in each.cut):
            return "a shard is not there"
        for array, piece in pieces:
            if len(piece.place) != len(array.cut) or not all(
                map(range.__contains__, map(range, array.cut), piece.place)
            ):
                return "a shard is not there"
        if not all(0 <= each <= last_line for each in self.all_lines()):
            return "a line is not there"
        counts = (self.left_out, *(piece.bytes for _, piece in pieces), *(each.times for each in self.arrays))
        if not all(0 <= each <= MOST_BYTES for each in (*counts, *(each for some in moved for each in _counts(some)))):
            return "a size or a count is impossible"
        return ""

    def as_json(self) -> list[dict[str, Any]]:
        return [_array(each) for each in self.arrays]


def _counts(collective: Collective) -> tuple[int, ...]:
    return collective.given_bytes, collective.bytes, collective.times


def _array(array: ShardedArray) -> dict[str, Any]:
    return {
        "array": array.name,
        "sharding": array.sharding,
        "pieces": [
            {"device": each.device, "index": each.index, "replicated": each.replicated} for each in array.pieces
        ],
    }


LENS = LensSpec(
    "devices",
    DevicesLens,
    name=say("devices"),
    tip=say("Shows which device holds which part of each array"),
    about=say(
        "The [sharding](sharding) of each array: its parts, each with the number of its [device](device). Copies "
        "are hatched. Below are the [collectives](collective), with the bytes that each device gets."
    ),
)

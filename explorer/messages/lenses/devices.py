"""Sharding: the pieces of a program's arrays on devices, and the transfers between devices."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from explorer.messages.lenses.lens import Lens, LensSpec
from explorer.text.text import Text, say


class Piece(msgspec.Struct, frozen=True, array_like=True):
    """One device's piece of an array."""

    device: int
    """JAX's number of the device."""
    index: str
    """Which part of the array, as Python writes it: ``[0:4, :]``."""
    place: tuple[int, ...]
    """Which of the parts it is along each axis, counted from 0."""
    bytes: int
    replicated: bool
    """Whether another device holds the same part."""


class ShardedArray(msgspec.Struct, frozen=True):
    """One array of a run, and where its pieces are."""

    name: str
    """``x``, ``params['w']``, of an output ``output`` or ``output[1]``; empty for one that the code gives no name."""
    type: str
    """As JAX writes it: ``f32[8,4]``."""
    role: Literal["input", "inside", "output"]
    sharding: str
    """As JAX writes it: ``NamedSharding(mesh=Mesh('i': 4), spec=P('i',))``; empty for an array of NumPy."""
    cut: tuple[int, ...] = ()
    """Into how many parts each axis is cut."""
    pieces: tuple[Piece, ...] = ()
    """In the order of JAX's own devices of the sharding; () for an array of NumPy, which is on no device."""
    line: int = 0
    """The user's line that made it, 0 for none."""
    made_by: str = ""
    """The operation: ``device_put``, ``jit of step``."""
    times: int = 1
    """How often that line made one like it."""
    moved: bool = False
    """Whether it is an argument of `made_by` that lay elsewhere: JAX moved it for the call."""


class Collective(msgspec.Struct, frozen=True):
    """One operation of a compiled program in which devices send each other data."""

    operation: str
    """``all-reduce``, ``all-gather``, ``reduce-scatter``, ``collective-permute``, ``all-to-all`` ..."""
    name: str
    """Of the instruction in the optimised HLO, the first of those that are alike."""
    line: int
    """The user's line, 0 for none."""
    given: str
    """The type of what each device hands in: ``f32[2]``."""
    given_bytes: int
    shape: str
    """The type of what each device gets: ``f32[8]``."""
    bytes: int
    """Of what each device gets."""
    groups: tuple[tuple[int, ...], ...] = ()
    """The devices that exchange, one group next to the other; () where the compiler says it in a way not known here."""
    pairs: tuple[tuple[int, int], ...] = ()
    """From which device to which, for an operation that says so."""
    in_loop: bool = False
    """Whether it is done in each iteration of a loop."""
    times: int = 1
    """How often the run did it or one like it of that line, a loop that it is in counted once."""


class DevicesLens(Lens, frozen=True, tag=True):
    """The shards of one variant. It comes again, more complete, when the program is compiled."""

    arrays: tuple[ShardedArray, ...] = ()
    """Inputs, then what the run made, then outputs."""
    left_out: int = 0
    """How many further arrays there are."""
    devices: tuple[int, ...] = ()
    """The numbers of all devices that hold any of it."""
    collectives: tuple[Collective, ...] | None = None
    """Of the compiled programs that the run called, in its order; None where that is not known."""
    notes: tuple[Text, ...] = ()
    """Sentences on what there is to know."""

    def as_json(self) -> list[dict[str, Any]]:
        return [_array(each) for each in self.arrays]


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

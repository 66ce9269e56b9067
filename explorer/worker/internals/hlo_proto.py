"""A compiled program as XLA's protocol buffers: its schedule, its frames of Python, and its buffers.

The field numbers are those of xla/service/hlo.proto and xla/xla_data.proto. The wire format is read by hand, because
JAX comes without a package for it: https://protobuf.dev/programming-guides/encoding/.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

_DTYPES = {
    1: "bool", 2: "i8", 3: "i16", 4: "i32", 5: "i64", 6: "u8", 7: "u16", 8: "u32", 9: "u64", 10: "f16", 11: "f32",
    12: "f64", 15: "c64", 16: "bf16", 18: "c128", 19: "f8_e5m2", 20: "f8_e4m3fn", 21: "i4", 22: "u4",
}  # fmt: skip
"""JAX's short names of XLA's element types."""
_TUPLE = 13

Index = tuple[int, ...]
"""The place of an array in a tuple of tuples, () for no tuple."""
Place = tuple[int, Index]
"""(id of an instruction, the place in its result)."""


class Instruction(msgspec.Struct):
    """One instruction of a scheduled module."""

    id: int = 0
    name: str = ""
    opcode: str = ""
    operation: str = ""
    """JAX's name for it: ``jit(f)/transpose(jvp())/mul``."""
    frame: int = 0
    operands: list[int] = []
    called: list[int] = []
    """Ids of the called computations."""
    computation: int = 0
    parameter: int = 0
    """Its number, for a parameter."""
    element: int = 0
    """Its index, for a get-tuple-element."""
    iterations: int = 0
    """Trip count of a loop, if the compiler knows it; else 0."""
    fusion: str = ""
    """The kind of a fusion: ``kLoop``, or ``kCustom`` for one that a library runs."""
    shape: bytes = b""

    def type_of(self, index: Index) -> str:
        """Return the type of the array at `index` in JAX's notation, ``tuple`` for a tuple."""
        shape = self.shape
        for each in index:
            shape = [value for number, value in fields(shape) if number == 4][each]
        found = dict(fields(shape))
        if found.get(2) == _TUPLE:
            return "tuple"
        sizes = [size for number, value in fields(shape) if number == 3 for size in _numbers(value)]
        return f"{_DTYPES.get(found.get(2, 0), '?')}[{','.join(map(str, sizes))}]"


class Module(msgspec.Struct):
    """The optimised program with its schedule."""

    name: str = ""
    instructions: dict[int, Instruction] = {}
    schedule: dict[int, list[int]] = {}
    """For each computation the ids of its instructions, in the order in which they run."""
    contents: dict[int, list[int]] = {}
    """The instructions of each computation, operands first."""
    roots: dict[int, int] = {}
    """The root instruction of each computation."""
    parameters: dict[tuple[int, int], int] = {}
    """The instruction of each (computation, number of its parameter)."""
    entry: int = 0
    _frames: bytes = b""

    def frames(self) -> dict[int, list[tuple[str, int]]]:
        """Return for each frame id its (file, line) pairs, innermost first."""
        files, locations, frames = [""], [("", 0)], [(0, 0)]
        for number, value in fields(self._frames):
            if number == 1:
                files.append(value.decode())
            elif number in (3, 4):
                found = dict(fields(value))
                if number == 3:
                    locations.append((files[found.get(1, 0)], found.get(3, 0)))
                else:
                    frames.append((found.get(1, 0), found.get(2, 0)))
        stacks: dict[int, list[tuple[str, int]]] = {0: []}
        for number, (location, _) in enumerate(frames[1:], 1):
            stack, each, seen = [locations[location]], frames[number][1], {number}
            while each and each not in seen:
                seen.add(each)
                stack.append(locations[frames[each][0]])
                each = frames[each][1]
            stacks[number] = stack
        return stacks


def type_bytes(written: str) -> int:
    """Return the bytes of an array of a type in JAX's notation: 12 for ``f32[3]``; 0 for a tuple."""
    dtype, _, shape = written.rstrip("]").partition("[")
    bits = re.search(r"\d+", dtype)
    size = int(bits[0]) if bits else 8 if dtype == "bool" else 0
    return -(-size * math.prod(map(int, filter(None, shape.split(",")))) // 8)


class Buffer(NamedTuple):
    """One value of the program in memory."""

    id: int
    bytes: int
    place: Place
    """The instruction that defines it."""
    allocation: int
    offset: int
    merged: int
    """The same number for values that have to share their bytes, as those that a loop carries from pass to pass."""


class Allocation(NamedTuple):
    """A stretch of memory that the program is given or asks for."""

    number: int
    bytes: int
    is_argument: bool
    is_output: bool
    is_constant: bool
    is_local: bool
    """Whether it belongs to the stack of a thread."""


def module(serialized: bytes) -> Module:
    """Return a serialized HloModuleProto."""
    found = Module()
    for number, value in fields(serialized):
        if number == 1:
            found.name = value.decode()
        elif number == 3:
            _add_computation(found, value)
        elif number == 6:
            found.entry = value
        elif number == 7:
            for _, sequence in fields(value):
                parts = dict(fields(sequence))
                order = [each for at, ids in fields(parts.get(2, b"")) if at == 1 for each in _numbers(ids)]
                found.schedule[parts.get(1, 0)] = order
        elif number == 17:
            found._frames = value
    return found


def buffers(serialized: bytes) -> tuple[list[Buffer], list[Allocation]]:
    """Return the buffers and allocations of a serialized BufferAssignmentProto; nothing where a compiler has none."""
    logical: dict[int, tuple[int, Place]] = {}
    merged: dict[int, int] = {}
    allocations, assigned = [], []
    others: list[tuple[int, Place]] = []
    for number, value in fields(serialized):
        if number == 1:
            parts = dict(fields(value))
            logical[parts.get(1, 0)] = parts.get(2, 0), _place(parts[3])
        elif number == 2:
            parts = dict(fields(value))
            others.append((parts.get(1, 0), _place(parts[2])))
        elif number == 3:
            parts = dict(fields(value))
            index, size = parts.get(1, 0), parts.get(2, 0)
            allocations.append(Allocation(index, size, *(bool(parts.get(each)) for each in (5, 7, 12, 3))))
            for at, each in fields(value):
                if at == 9:
                    slot = dict(fields(each))
                    assigned.append((slot.get(1, 0), slot.get(3, 0), index, slot.get(2, 0)))
    by_place = {place: each for each, (_, place) in logical.items()}

    def first(each: int) -> int:
        while merged.get(each, each) != each:
            each = merged[each]
        return each

    for each, place in others:
        if place in by_place:
            one, other = sorted((first(each), first(by_place[place])))
            merged[other] = one
    made = [Buffer(each, size, logical[each][1], at, offset, first(each)) for each, size, at, offset in assigned]
    return made, allocations


def fields(message: bytes) -> Iterator[tuple[int, Any]]:
    """Yield (number, value) of each field: an integer, or bytes. Raises ValueError for what is no message."""
    at = 0
    while at < len(message):
        tag, at = _varint(message, at)
        kind = tag & 7
        if kind == 0:
            value, at = _varint(message, at)
            yield tag >> 3, value
            continue
        if kind == 2:
            length, at = _varint(message, at)
        elif kind in (1, 5):
            length = 8 if kind == 1 else 4
        else:
            raise ValueError(f"no wire type: {kind}")
        if at + length > len(message):
            raise ValueError("a message ends too early")
        yield tag >> 3, message[at : at + length]
        at += length


def _varint(message: bytes, at: int) -> tuple[int, int]:
    found = shift = 0
    while True:
        if at >= len(message):
            raise ValueError("a message ends too early")
        byte = message[at]
        at += 1
        found |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return found, at


def _numbers(value: Any) -> Iterator[int]:
    """Yield the numbers of one field, packed or not."""
    if isinstance(value, int):
        yield value
        return
    at = 0
    while at < len(value):
        each, at = _varint(value, at)
        yield each


def _place(location: bytes) -> Place:
    index = [each for number, value in fields(location) if number == 3 for each in _numbers(value)]
    return dict(fields(location)).get(4, 0), tuple(index)


def _add_computation(to: Module, computation: bytes) -> None:
    parts = dict(fields(computation))
    own = parts.get(5, 0)
    to.roots[own] = parts.get(6, 0)
    for number, value in fields(computation):
        if number == 2:
            each = _instruction(value, own)
            to.instructions[each.id] = each
            to.contents.setdefault(own, []).append(each.id)
            if each.opcode == "parameter":
                to.parameters[own, each.parameter] = each.id


def _instruction(message: bytes, computation: int) -> Instruction:
    found = Instruction(computation=computation)
    for number, value in fields(message):
        if number in _TEXTS:
            setattr(found, _TEXTS[number], value.decode())
        elif number in _VALUES:
            setattr(found, _VALUES[number], value)
        elif number in _LISTS:
            getattr(found, _LISTS[number]).extend(_numbers(value))
        elif number == 7:
            parts = dict(fields(value))
            found.operation, found.frame = parts.get(2, b"").decode(), parts.get(15, 0)
        elif number == 43 and (trips := _TRIPS.search(value)):
            found.iterations = int(trips[1])
    return found


_TRIPS = re.compile(rb'"known_trip_count":\{"n":"(\d+)"')
_TEXTS = {1: "name", 2: "opcode", 11: "fusion"}
_VALUES = {3: "shape", 9: "parameter", 13: "element", 35: "id"}
_LISTS = {36: "operands", 38: "called"}

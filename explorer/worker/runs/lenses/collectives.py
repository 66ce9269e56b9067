"""The collectives, by which devices exchange data, read from the text of optimised HLO for the devices lens."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

from explorer.worker.internals import compiled, hlo_proto
from explorer.worker.internals.compiled import Computation

Groups = tuple[tuple[int, ...], ...]


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
    shape: str
    """The output type per device: ``f32[8]``."""
    bytes: int
    """Output bytes per device."""
    groups: Groups
    """The groups of devices that exchange data; () for an unknown notation of the compiler."""
    pairs: tuple[tuple[int, int], ...]
    """Pairs (source device, target device), if the operation has them."""
    in_loop: bool
    """Whether it runs in each iteration of a loop."""
    times: int = 1
    """Number of similar operations of that line in the run; a surrounding loop counts once."""


_LISTED = re.compile(r"replica_groups=\{((?:\{[\d,]*\},?)*)\}")
_IOTA = re.compile(r"replica_groups=\[([\d,]+)\]<=\[([\d,]+)\](?:T\(([\d,]+)\))?")
_MESH = re.compile(r"replica_groups=mesh\[([^\]]*)\](, device_ids=\S+)? \{([^}]*)\}")
_AXIS = re.compile(r"'([^']+)'=(\d+)")
_AXIS_OF_GROUP = re.compile(r"'([^']+)'(?::\((\d+)\)(\d+))?")
_PAIRS = re.compile(r"source_target_pairs=\{((?:\{\d+,\d+\},?)*)\}")


def groups(attributes: str, count: int) -> Groups | None:
    """Return the groups of exchanging devices among `count`, by position in the program; None if unknown.

    `attributes` is the text after the operands of an instruction: ``replica_groups={{0,1},{2,3}}``,
    ``replica_groups=[2,2]<=[2,2]T(1,0)`` or ``replica_groups=mesh['a'=2,'b'=2] {'a'}``.
    """
    if listed := _LISTED.search(attributes):
        found = tuple(_numbers(each) for each in re.findall(r"\{([\d,]*)\}", listed[1]))
        return found or (tuple(range(count)),)
    if iota := _IOTA.search(attributes):
        shape, dims = _numbers(iota[1]), _numbers(iota[2])
        order = np.arange(np.prod(dims)).reshape(dims)
        if iota[3]:
            order = order.transpose(_numbers(iota[3]))
        return _rows(order.reshape(shape))
    mesh = _MESH.search(attributes)
    return _along(mesh[1], mesh[3]) if mesh and not mesh[2] else None


def pairs(attributes: str) -> tuple[tuple[int, int], ...]:
    """Return the (source, target) pairs of a collective-permute, by position in the program."""
    found = _PAIRS.search(attributes)
    return tuple((int(a), int(b)) for a, b in re.findall(r"\{(\d+),(\d+)\}", found[1])) if found else ()


def _along(mesh: str, grouped: str) -> Groups | None:
    """Return the groups along the axes `grouped` of a `mesh`; ``'a':(2)4`` is the part of size 4 of axis a after 2."""
    sizes = {name: int(size) for name, size in _AXIS.findall(mesh)}
    shape: list[int] = []
    wanted: list[int] = []
    parts = {name: (int(before), int(size)) for name, before, size in _AXIS_OF_GROUP.findall(grouped) if size}
    whole = {name for name, _, size in _AXIS_OF_GROUP.findall(grouped) if not size}
    for name, size in sizes.items():
        if name in parts:
            before, middle = parts[name]
            wanted.append(len(shape) + 1)
            shape += [before, middle, size // (before * middle)]
        else:
            if name in whole:
                wanted.append(len(shape))
            shape.append(size)
    if len(wanted) != len(parts) + len(whole):
        return None
    order = np.arange(np.prod(shape)).reshape(shape)
    length = int(np.prod([shape[axis] for axis in wanted]))
    return _rows(np.moveaxis(order, wanted, range(-len(wanted), 0)).reshape(-1, length))


def _rows(order: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> Groups:
    return tuple(tuple(map(int, row)) for row in order)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(each) for each in text.split(",") if each)


def named(found: Groups, devices: Sequence[int]) -> Groups:
    """Return groups of positions in the program as groups of device ids."""
    return tuple(tuple(devices[place] if place < len(devices) else place for place in each) for each in found)


_ARRAY = re.compile(r"\b([a-z]\w*)\[([\d,]*)\]")


def collectives(text: str, lines: Sequence[int], devices: Sequence[int]) -> tuple[Collective, ...]:
    """Return the collectives in `text`, an optimised HLO module, in its order.

    `lines` has the user's line for each line of `text`, `devices` the device id at each position of the program. A
    start and its done are one operation.
    """
    computations, _ = compiled.parsed(text)
    in_loops = _in_loops(computations)
    found = []
    for computation, operations in computations.items():
        ends = {each.operands[0]: each.type for each in operations.values() if each.opcode.endswith("-done")}
        for name, each in operations.items():
            exchange = compiled.EXCHANGE.fullmatch(each.opcode)
            if not exchange:
                continue
            given = " ".join(operations[operand].type for operand in each.operands if operand in operations)
            whole = ends.get(name, each.type)
            moves = named(pairs(each.attributes), devices)
            who = groups(each.attributes, len(devices)) or ()
            found.append(
                Collective(
                    exchange[1],
                    name,
                    lines[each.row] if each.row < len(lines) else 0,
                    jax_types(given),
                    jax_types(whole),
                    type_bytes(whole),
                    () if moves else named(who, devices),
                    tuple((source, target) for source, target in moves),
                    computation in in_loops,
                )
            )
    return tuple(found)


def type_bytes(written: str) -> int:
    """Return the bytes of the arrays in an HLO type: 32 for ``(f32[4]{0}, f32[4]{0})``."""
    return sum(map(hlo_proto.type_bytes, _jax_arrays(written)))


def jax_types(written: str) -> str:
    """Return an HLO type in JAX's notation: ``i32[4]`` for ``s32[4]{0}``, ``2 × i32[4]`` for two of them."""
    counts = Counter(_jax_arrays(written))
    return " ".join(each if count == 1 else f"{count} × {each}" for each, count in counts.items())


def _jax_arrays(written: str) -> list[str]:
    return [f"{_jax_dtype(dtype)}[{shape}]" for dtype, shape in _ARRAY.findall(written)]


def _jax_dtype(dtype: str) -> str:
    if dtype == "pred":
        return "bool"
    return f"i{dtype[1:]}" if re.fullmatch(r"s\d+", dtype) else dtype


def _in_loops(computations: Mapping[str, Computation]) -> set[str]:
    """Return the computations inside loops, directly or by calls."""
    calls: dict[str, set[str]] = {}
    wanted: set[str] = set()
    for name, operations in computations.items():
        for each in operations.values():
            called = {*each.called.values(), *each.branches}
            calls.setdefault(name, set()).update(called)
            wanted |= called if each.opcode == "while" else set()
    reached: set[str] = set()
    while wanted - reached:
        name = (wanted - reached).pop()
        reached.add(name)
        wanted |= calls.get(name, set())
    return reached

"""The groups of devices in an HLO instruction, in XLA's several notations."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

Groups = tuple[tuple[int, ...], ...]
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

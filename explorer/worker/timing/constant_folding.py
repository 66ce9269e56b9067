"""Detection of constant folding: a compiled program that returns a constant is misleadingly fast."""

from __future__ import annotations

import re

COPIES = frozenset({"constant", "copy", "bitcast", "tuple", "get-tuple-element", "broadcast", "reshape", "transpose"})
"""Operations that only move or repeat data; a program of these alone computes nothing."""
CALLS = frozenset({"fusion", "call", "parallel"})
"""Operations that run the computation that they name."""

_COMPUTATION = re.compile(r"^(ENTRY )?%?([\w.\-]+) \(.*\{\s*$")
_OPERATION = re.compile(r"^\s*(ROOT )?%?([\w.\-]+) = .*?\s([a-z][\w\-]*)\((.*)$")
_NAME = re.compile(r"%([\w.\-]+)")


def is_folded(hlo: str) -> bool:
    """Return whether the result of optimised HLO text neither depends on an argument nor needs computation.

    False for unreadable text: the format is not documented.
    """
    computations, entry = _parsed(hlo)
    if entry not in computations:
        return False
    operations, root = computations[entry]
    found = _reachable(operations, root)
    kinds = {operations[name][0] for name in found}
    return "parameter" not in kinds and not any(_computes(computations, operations[name]) for name in found)


Operation = tuple[str, tuple[str, ...]]
"""(opcode, all names in its line)"""
Computation = tuple[dict[str, Operation], str]
"""(operations by name, name of the result)"""


def _parsed(hlo: str) -> tuple[dict[str, Computation], str]:
    computations: dict[str, Computation] = {}
    entry, name, root = "", "", ""
    operations: dict[str, Operation] = {}
    for line in hlo.splitlines():
        if head := _COMPUTATION.match(line):
            name, root, operations = head[2], "", {}
            entry = name if head[1] else entry
        elif line.startswith("}") and name:
            computations[name], name = (operations, root), ""
        elif name and (found := _OPERATION.match(line)):
            operations[found[2]] = (found[3], tuple(_NAME.findall(found[4])))
            root = found[2] if found[1] else root
    return computations, entry


def _reachable(operations: dict[str, Operation], root: str) -> set[str]:
    found: set[str] = set()
    waiting = [root] if root in operations else []
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [each for each in operations[name][1] if each in operations]
    return found


def _computes(computations: dict[str, Computation], operation: Operation) -> bool:
    kind, names = operation
    if kind in CALLS:
        inner = [computations[name][0] for name in names if name in computations]
        return not inner or any(_computes(computations, each) for body in inner for each in body.values())
    return kind not in COPIES and kind != "parameter"

"""Reads the text of a compiled program into computations and their operations; which of them exchange data."""

from __future__ import annotations

import re

import msgspec

_HEADER = re.compile(r"^(?P<entry>ENTRY )?%?(?P<name>[\w.\-]+) \(.*\{$")
_INSTRUCTION = re.compile(r"^\s+(?P<root>ROOT )?%?(?P<name>[\w.\-]+) = (?P<rest>.*)$")
_NAME = re.compile(r"%([\w.\-]+)")
_CALLED = re.compile(r"\b(calls|to_apply|body|condition|true_computation|false_computation)=%?([\w.\-]+)")
EXCHANGE = re.compile(
    r"(all-gather|all-reduce|reduce-scatter|(?:ragged-)?all-to-all|collective-(?:permute|broadcast))(?:-start)?"
)
"""The opcode of an operation between devices, or of its start; its end, ``-done``, is the same operation."""
_BRANCHES = re.compile(r"\b(?:branch_computations|called_computations)=\{([^}]*)\}")


class HloOperation(msgspec.Struct, frozen=True):
    """One operation of a compiled program."""

    type: str
    opcode: str
    operands: tuple[str, ...]
    attributes: str
    row: int
    """The line of the text, from 0."""
    is_root: bool = False
    """Whether it is the result of its computation."""

    @property
    def called(self) -> dict[str, str]:
        """The computations that it runs, by their role."""
        return dict(_CALLED.findall(self.attributes))

    @property
    def branches(self) -> list[str]:
        """The computations that it lists, of which it may run one."""
        return [name for listed in _BRANCHES.findall(self.attributes) for name in _NAME.findall(listed)]


Computation = dict[str, HloOperation]
"""Instructions by name."""


def parsed(text: str) -> tuple[dict[str, Computation], str]:
    """Return the computations of an optimised HLO module by name, and the name of the first one that runs."""
    computations: dict[str, Computation] = {}
    entry, current = "", None
    for row, line in enumerate(text.splitlines()):
        header = _HEADER.match(line)
        if header:
            current = computations[header["name"]] = {}
            entry = header["name"] if header["entry"] else entry
        elif line.startswith("}"):
            current = None
        elif current is not None:
            found = _INSTRUCTION.match(line)
            if found:
                made = _instruction(found["rest"], row, is_root=bool(found["root"]))
                if made is not None:
                    current[found["name"]] = made
    return computations, entry


def _instruction(rest: str, row: int, *, is_root: bool) -> HloOperation | None:
    end = _closing(rest, 0) + 1 if rest.startswith("(") else rest.find(" ")
    found = re.match(r" ([a-z][\w\-]*)\(", rest[end:])
    if found is None:
        return None
    start = end + found.end()
    stop = _closing(rest, start - 1)
    return HloOperation(rest[:end], found[1], tuple(_NAME.findall(rest[start:stop])), rest[stop:], row, is_root)


def _closing(text: str, start: int) -> int:
    """Return the index of the parenthesis that closes the one at `start`."""
    depth = 0
    for place in range(start, len(text)):
        depth += (text[place] == "(") - (text[place] == ")")
        if not depth:
            return place
    return len(text)

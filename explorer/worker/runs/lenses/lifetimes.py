"""For the memory lens: when each buffer of a compiled program is live; bytes that a library may need in addition.

The moments count the instructions in the order in which they run, with the body of a loop laid out once, before the
loop itself. A buffer is live from the instruction that defines it to the last one that reads it.

**Loops.** A loop carries an array in the same bytes all the time: its initial value, the parameter of its body, the
result of its body and its own result. To follow the initial value through all of them makes each pair of these clash:
42 pairs for the gradient of a scan. They are four values, one after the other, as in single static assignment: the
compiler lists each with the place that defines it, and a value ends where another is defined in its place. Only what
a loop hands on unchanged is one value throughout. Taken so, nothing clashes.

**In place.** An operation on elements may write its result over its operand. Both are live at that one moment, and
counted once, as everything else in equal bytes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import msgspec

from explorer.worker.internals.hlo_proto import Allocation, Buffer, Index, Instruction, Module, Place, type_bytes

_LAID_OUT = ("while", "call", "conditional", "async-start")
_SAME = ("bitcast", "optimization-barrier", "async-done", "async-update")
"""Instructions whose result is their operand."""


class BufferLife(msgspec.Struct):
    """One buffer, and when it is live."""

    buffer: Buffer
    start: int
    end: int
    last: int
    """Id of the instruction that needs it last; the defining one if nothing does."""
    is_output: bool = False


class Lifetimes:
    """The moments of a module, and the lives of its buffers."""

    def __init__(self, module: Module, buffers: Sequence[Buffer], allocations: Sequence[Allocation]) -> None:
        self.module = module
        self.order: list[int] = []
        """The instruction of each moment."""
        self.at: dict[int, int] = {}
        """The moment of each instruction."""
        self.spans: dict[int, tuple[int, int]] = {}
        """First and last moment of each computation that is laid out."""
        self._lay_out(module.entry)
        self._allocations = {each.number: each for each in allocations}
        self._defined = {each.place for each in buffers}
        self._users: dict[int, list[tuple[Instruction, int]]] = defaultdict(list)
        for each in module.instructions.values():
            for number, operand in enumerate(each.operands):
                self._users[operand].append((each, number))
        self._callers: dict[int, list[Instruction]] = defaultdict(list)
        for each in module.instructions.values():
            if each.opcode in _LAID_OUT:
                for called in each.called:
                    self._callers[called].append(each)
        self.lives = [
            self._life(each) for each in buffers if not self._allocations[each.allocation].is_local and each.bytes
        ]

    def _lay_out(self, computation: int) -> None:
        begin = len(self.order)
        for number in self.module.schedule.get(computation, ()):
            each = self.module.instructions[number]
            if each.opcode in _LAID_OUT:
                # The condition of a loop runs before its body, and is the second one called.
                for called in reversed(each.called) if each.opcode == "while" else each.called:
                    if called in self.module.schedule and called not in self.spans:
                        self._lay_out(called)
            self.at[number] = len(self.order)
            self.order.append(number)
        self.spans[computation] = begin, max(begin, len(self.order) - 1)

    # -- one value alone ------------------------------------------------------------------------------------------

    def _life(self, buffer: Buffer) -> BufferLife:
        made = self.module.instructions[buffer.place[0]]
        start = self.at.get(made.id, 0)
        if made.opcode == "parameter":
            start = self.spans.get(made.computation, (start, start))[0]
        found = BufferLife(buffer, start, max(start, self.at.get(made.id, 0)), made.id)
        for caller in self._callers[made.computation] if made.opcode == "parameter" else ():
            if caller.opcode == "while":
                # The body needs what its condition does not read.
                found.end = max(found.end, self.spans[caller.called[0]][0])
        for place in self._places(buffer.place):
            self._extend(found, place)
        kind = self._allocations[buffer.allocation]
        if kind.is_constant or (kind.is_argument and not kind.is_output):
            # The caller keeps an argument that it does not donate.
            found.start, found.end = 0, len(self.order) - 1
        return found

    def _places(self, first: Place) -> Iterator[Place]:
        """Yield all places of the value that is defined at `first`."""
        seen, waiting = {first}, [first]
        while waiting:
            place = waiting.pop()
            yield place
            for each in self._onwards(place):
                if each not in seen and each not in self._defined:
                    seen.add(each)
                    waiting.append(each)

    def _onwards(self, place: Place) -> Iterator[Place]:
        """Yield the places where the value at `place` is too, by the meaning of the instructions."""
        number, index = place
        own = self.module.instructions[number]
        if self.module.roots.get(own.computation) == number:
            for caller in self._callers[own.computation]:
                if caller.opcode != "while":
                    yield caller.id, index
                elif own.computation == caller.called[0]:
                    # A result of the body, not of the condition.
                    yield caller.id, index
                    yield from self._parameters(caller, index)
        for each, operand in self._users[number]:
            yield from self._taken(each, operand, index)

    def _taken(self, by: Instruction, operand: int, index: Index) -> Iterator[Place]:
        """Yield the places to which `by` hands the value at `index` of its operand number `operand`."""
        if by.opcode == "tuple":
            yield by.id, (operand, *index)
        elif by.opcode == "get-tuple-element" and index and index[0] == by.element:
            yield by.id, index[1:]
        elif by.opcode in _SAME:
            yield by.id, index
        elif by.opcode == "while":
            yield by.id, index
            yield from self._parameters(by, index)
        elif by.opcode in ("call", "async-start"):
            yield self.module.parameters[by.called[0], operand], index
        elif by.opcode == "conditional" and operand:
            yield self.module.parameters[by.called[operand - 1], 0], index

    def _parameters(self, loop: Instruction, index: Index) -> Iterator[Place]:
        for called in loop.called:
            yield self.module.parameters[called, 0], index

    def _extend(self, live: BufferLife, place: Place) -> None:
        """Make `live` last until everything that uses the value at `place` has run."""
        number, index = place
        own = self.module.instructions[number]
        if self.module.roots.get(own.computation) == number:
            if own.computation == self.module.entry:
                live.is_output = True
            if own.computation in self.spans:
                self._until(live, self.spans[own.computation][1], number)
        for each, _ in self._users[number]:
            if each.id not in self.at:
                continue
            if each.opcode == "get-tuple-element" and index and index[0] != each.element:
                continue
            begins = [self.spans[called][0] for called in each.called if called in self.spans]
            # Inside, the value goes on as a parameter, or a loop has its own in these bytes.
            self._until(live, min(begins) if begins and each.opcode in _LAID_OUT else self.at[each.id], each.id)

    def _until(self, live: BufferLife, moment: int, by: int) -> None:
        if moment >= live.end:
            live.end = moment
            if self.module.instructions[by].opcode not in ("tuple", "get-tuple-element", *_SAME):
                live.last = by


_NOT_KEPT = ("parameter", "constant", "broadcast", "bitcast", "iota", "tuple", "get-tuple-element")
"""Instructions in a fusion that need no memory of their own."""


def library_bytes(module: Module, each: Instruction) -> int:
    """Return the bytes that a library may need for an instruction, in memory of its own; 0 for one that XLA compiles.

    No buffer says so. A fusion that a library runs has the arrays inside it, at most at one time: it may also work
    piece by piece. Its result is a buffer. What a library needs to reorder blocks of a matrix product is not counted.
    """
    inside, made = _inside(module, each), {own.id for own in _made_inside(module, each)}
    ends = {operand: moment for moment, own in enumerate(inside) for operand in own.operands}
    most = live = 0
    leaving: dict[int, int] = defaultdict(int)
    for moment, own in enumerate(inside):
        if own.id in made:
            size = type_bytes(own.type_of(()))
            live += size
            leaving[ends.get(own.id, moment)] += size
        most = max(most, live)
        live -= leaving[moment]
    return most


def largest_inside(module: Module, each: Instruction) -> Instruction:
    """Return the first of the largest arrays that a library makes inside of an instruction; itself if there is none."""
    return max(_made_inside(module, each), key=lambda own: type_bytes(own.type_of(())), default=each)


def _inside(module: Module, each: Instruction) -> list[Instruction]:
    """Return the instructions that a library runs for a fusion, in order; none where XLA compiles it."""
    if each.fusion != "kCustom":
        return []
    return [module.instructions[number] for number in module.contents[each.called[0]]]


def _made_inside(module: Module, each: Instruction) -> list[Instruction]:
    return [own for own in _inside(module, each) if own.opcode not in _NOT_KEPT and own.id not in module.roots.values()]

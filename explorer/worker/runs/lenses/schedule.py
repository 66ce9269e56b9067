"""For the memory lens: the `Memory` of one compiled call: its buffers, the live bytes at each moment, totals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import compress
from typing import Any, Literal, NamedTuple

import msgspec
import numpy as np
from msgspec.structs import replace

from explorer.messages import Failure
from explorer.text.text import NOTHING, Text, say
from explorer.worker.errors.failure import failure
from explorer.worker.internals import hlo_proto
from explorer.worker.internals.compiled import assigned_buffers, devices_of
from explorer.worker.internals.hlo_proto import Allocation, Instruction
from explorer.worker.program.origins import Origins
from explorer.worker.program.program import Call, compiled_call
from explorer.worker.recording.interrupt import Interrupt
from explorer.worker.runs.lenses.lifetimes import BufferLife, Lifetimes, largest_inside, library_bytes

MOST = 400
"""Largest number of blocks to show."""
COUNTS = 20
"""A library's memory is reported from this part of the program's on."""
LEAST = 1_000
"""A block smaller than the peak divided by this is not shown."""
_FREE = ("parameter", "constant", "tuple", "get-tuple-element", "bitcast", "after-all", "optimization-barrier")
"""Instructions that compute nothing: they are no moments of the picture."""
BlockKind = Literal["argument", "output", "constant", "residual", "temporary"]


class Block(NamedTuple):
    """One buffer of the compiled program; the values that a loop carries in the same bytes are one."""

    kind: BlockKind
    """A residual is a temporary that the forward pass keeps for the backward pass."""
    type: str
    """JAX's notation: ``f32[8,4]``."""
    bytes: int
    spans: tuple[tuple[int, int], ...]
    """First and last moment of each stretch in which it is live."""
    name: str
    """The name of the argument, or of the one that it copies: ``params['w']``."""
    operation: str
    """The primitive that made it."""
    line: int
    """The line in user code that made it, 0 for none."""
    last_line: int
    """The line that needs it last, 0 for none or for a buffer that stays to the end."""
    donated: bool
    """Whether it is an argument whose memory the program may reuse."""


class CompiledLoop(NamedTuple):
    """A loop of the compiled program, laid out once."""

    start: int
    end: int
    """First and last moment of its body."""
    iterations: int
    """0 if they depend on data."""


class Library(NamedTuple):
    """Memory that a library allocates in one instruction, of which XLA's buffers say nothing."""

    bytes: int
    """Bytes of the arrays inside the instruction: it may need less, if it works piece by piece."""
    line: int
    """The line in user code of the largest of them, 0 for none."""
    type: str
    """That one in JAX's notation."""


class Memory(msgspec.Struct, frozen=True):
    """The memory of one call of a variant, compiled by XLA for the CPU.

    A moment is one instruction of the compiled program, in the order of its schedule.
    """

    blocks: tuple[Block, ...] = ()
    """In the order in which they begin, without the smallest ones."""
    lines: tuple[int, ...] = ()
    """The line in user code of each moment, 0 for none."""
    live: tuple[int, ...] = ()
    """Bytes that are live at each moment, all buffers included."""
    loops: tuple[CompiledLoop, ...] = ()
    argument_bytes: int = 0
    output_bytes: int = 0
    """Outside of donated arguments."""
    temporary_bytes: int = 0
    """XLA's one allocation for all temporaries."""
    devices: int = 1
    """Number of devices that each take this memory."""
    products: bool = False
    """Whether it has matrix products or convolutions, for which libraries reorder blocks in memory of their own."""
    library: Library | None = None
    """The largest one, if it counts."""
    left_out: int = 0
    """Number of further buffers."""
    left_out_bytes: int = 0
    """The most that they need at one moment."""
    sentence: Text = NOTHING
    failure: Failure | None = None

    @property
    def reserved(self) -> int:
        """Bytes that one call takes from the operating system, with its arguments."""
        return self.argument_bytes + self.output_bytes + self.temporary_bytes

    @property
    def peak(self) -> int:
        """The moment with the most live bytes, the first of equal ones."""
        return max(range(len(self.live)), key=self.live.__getitem__, default=0)

    @property
    def peak_bytes(self) -> int:
        return max(self.live, default=0)

    def at(self, moment: int) -> list[Block]:
        """Return the blocks that are live at `moment`, the largest first."""
        found = [each for each in self.blocks if any(start <= moment <= end for start, end in each.spans)]
        return sorted(found, key=lambda each: -each.bytes)


def memory_of(call: Call, inputs: Mapping[str, Any], is_user_code: Callable[[str], bool]) -> Memory:
    """Return the memory of one call of `call` with the arguments `inputs`; failures are reported in it."""
    try:
        compiled = compiled_call(call, inputs)
    except Interrupt:
        raise
    except BaseException as error:
        sentence = say("It cannot be compiled as one program, so its memory is not known.")
        return Memory(sentence=sentence, failure=failure(error, is_user_code))
    found = assigned_buffers(compiled)
    if found is None:
        return Memory(
            sentence=say("Memory is not known on this device: its compiler does not say where it puts the buffers.")
        )
    module, (buffers, allocations) = hlo_proto.module(found[0]), hlo_proto.buffers(found[1])
    memory = _Schedule(Lifetimes(module, buffers, allocations), allocations, is_user_code).memory()
    return replace(memory, devices=len(devices_of(compiled)))


class _Schedule:
    """The lives of the buffers of one program, over the instructions that compute something."""

    def __init__(
        self, lifetimes: Lifetimes, allocations: Sequence[Allocation], is_user_code: Callable[[str], bool]
    ) -> None:
        self._lifetimes = lifetimes
        self._module = lifetimes.module
        self._allocations = {each.number: each for each in allocations}
        self._origins = Origins(self._module, is_user_code)
        at_work = [self._module.instructions[each].opcode not in _FREE for each in lifetimes.order]
        at_work[-1] = at_work[-1] or not any(at_work)
        self._order = [number for number, works in zip(lifetimes.order, at_work, strict=True) if works]
        """The instruction of each moment of the picture."""
        self._moments = np.cumsum(at_work) - 1
        """The moment of the picture for each instruction; those that compute nothing belong to the one before."""
        self._count = len(self._order)

    def memory(self) -> Memory:
        live = self._live(self._lifetimes.lives)
        blocks, rest = self._blocks(int(max(live, default=0)))
        totals = {"argument": 0, "output": 0, "temporary": 0}
        for each in self._allocations.values():
            if not (each.is_constant or each.is_local):
                totals["argument" if each.is_argument else "output" if each.is_output else "temporary"] += each.bytes
        return Memory(
            blocks=tuple(blocks),
            lines=tuple(self._origins.line(number) for number in self._order),
            live=tuple(map(int, live)),
            loops=tuple(self._loops()),
            argument_bytes=totals["argument"],
            output_bytes=totals["output"],
            temporary_bytes=totals["temporary"],
            products=any(each.opcode in ("dot", "convolution") for each in self._module.instructions.values()),
            library=self._library(totals["temporary"] + totals["output"]),
            left_out=len(rest),
            left_out_bytes=int(max(self._live(rest), default=0)),
        )

    def _span(self, live: BufferLife) -> tuple[int, int]:
        """Return the first and last moment of the picture."""
        start, end = (max(0, int(self._moments[each])) for each in (live.start, live.end))
        if start < end and self._module.instructions[live.buffer.place[0]].opcode in _FREE and live.start:
            # As the parameter of a loop, which begins with the next one.
            start += 1
        return start, end

    def _live(self, lives: Sequence[BufferLife]) -> Any:
        """Return the bytes in use at each moment, each byte counted once."""
        change = np.zeros(self._count + 1, np.int64)
        meeting = defaultdict(list)
        for each in lives:
            start, end = self._span(each)
            change[start] += each.buffer.bytes
            change[end + 1] -= each.buffer.bytes
            for moment in {start, end}:
                meeting[each.buffer.allocation, moment].append(_bytes(each))
        total = np.cumsum(change)[:-1]
        # Only a buffer that ends and one that begins at a moment may share bytes there.
        for (_, moment), held in meeting.items():
            total[moment] -= sum(high - low for low, high in held) - _covered(held)
        return total

    def _library(self, beside: int) -> Library | None:
        """Return the largest memory that a library may need, if it counts `beside` what the program asks for."""
        sizes = {each: library_bytes(self._module, self._module.instructions[each]) for each in self._order}
        largest = max(sizes, key=sizes.__getitem__)
        if sizes[largest] * COUNTS <= beside:
            return None
        inside = largest_inside(self._module, self._module.instructions[largest])
        line = self._origins.line(inside.id) or self._origins.line(largest)
        return Library(sizes[largest], line, inside.type_of(()))

    def _loops(self) -> list[CompiledLoop]:
        found = []
        for each in self._module.instructions.values():
            span = self._lifetimes.spans.get(each.called[0]) if each.opcode == "while" else None
            if span is not None:
                start, end = (max(0, int(self._moments[moment])) for moment in span)
                found.append(CompiledLoop(min(start + 1, end), end, each.iterations))
        return sorted(found, key=lambda loop: (loop.start, -loop.end))

    # -- blocks ---------------------------------------------------------------------------------------------------

    def _blocks(self, peak: int) -> tuple[list[Block], list[BufferLife]]:
        """Return the blocks to show, and the buffers that are not among them."""
        slots: dict[tuple[int, ...], list[BufferLife]] = defaultdict(list)
        for each in self._lifetimes.lives:
            buffer = each.buffer
            slots[buffer.merged, buffer.allocation, buffer.offset, self._is_argument(each)].append(each)
        groups = sorted(slots.values(), key=lambda group: -group[0].buffer.bytes)
        counts = [group[0].buffer.bytes * LEAST >= peak and self._type(group[0]) != "tuple" for group in groups]
        shown = list(compress(groups, counts))
        kept, others = shown[:MOST], [*shown[MOST:], *compress(groups, [not each for each in counts])]
        rest = [each for group in others for each in group]
        spans = self._apart([sorted(group, key=lambda each: each.start) for group in kept])
        blocks = [self._block(group, held) for group, held in zip(kept, spans, strict=True) if held]
        return sorted(blocks, key=lambda block: (block.spans[0][0], block.kind != "argument", -block.bytes)), rest

    def _apart(self, groups: Sequence[Sequence[BufferLife]]) -> list[tuple[tuple[int, int], ...]]:
        """Return the spans of each group; where one takes over the bytes of another, that ends a moment before."""
        spans = [self._spans(group) for group in groups]
        begins: dict[tuple[int, int], list[tuple[int, int, int]]] = defaultdict(list)
        for number, group in enumerate(groups):
            for start, _ in spans[number]:
                begins[group[0].buffer.allocation, start].append((number, *_bytes(group[0])))
        found = []
        for number, group in enumerate(groups):
            low, high = _bytes(group[0])
            held = []
            for start, end in spans[number]:
                followers = begins[group[0].buffer.allocation, end]
                taken = any(each != number and first < high and low < last for each, first, last in followers)
                if not taken or start < end:
                    held.append((start, end - taken))
            found.append(tuple(held))
        return found

    def _block(self, group: Sequence[BufferLife], spans: tuple[tuple[int, int], ...]) -> Block:
        """Return the block of values in the same bytes, in the order of their beginnings."""
        made, latest = min(group, key=self._rank), max(group, key=lambda each: each.end)
        defining = self._module.instructions[made.buffer.place[0]]
        origin = self._module.instructions[self._origins.origin(defining.id)]
        allocation = self._allocations[made.buffer.allocation]
        kind = self._kind(group, allocation, origin, self._module.instructions[latest.last])
        is_copy = origin.opcode == "parameter" and origin.computation == self._module.entry
        is_kept = any(each.is_output for each in group) or (
            kind in ("argument", "constant") and not allocation.is_output
        )
        return Block(
            kind,
            self._type(made),
            made.buffer.bytes,
            spans,
            origin.operation if is_copy else "",
            "" if is_copy else self._origins.primitive(origin.id),
            0 if is_copy else self._origins.line(origin.id) or self._origins.line(defining.id),
            0 if is_kept else self._origins.line(latest.last),
            kind == "argument" and allocation.is_output,
        )

    def _type(self, live: BufferLife) -> str:
        number, index = live.buffer.place
        return self._module.instructions[number].type_of(index)

    def _rank(self, live: BufferLife) -> tuple[bool, bool, int]:
        """Return the sort key by which the first value of a block describes it: in a loop, the one made by its body."""
        made = self._module.instructions[live.buffer.place[0]]
        return made.opcode in ("parameter", "while"), made.computation == self._module.entry, live.start

    def _is_argument(self, live: BufferLife) -> bool:
        made = self._module.instructions[live.buffer.place[0]]
        return made.opcode == "parameter" and made.computation == self._module.entry

    def _kind(
        self, group: Sequence[BufferLife], allocation: Allocation, origin: Instruction, needed: Instruction
    ) -> BlockKind:
        if self._is_argument(group[0]):
            return "argument"
        if allocation.is_constant:
            return "constant"
        if any(each.is_output for each in group):
            return "output"
        is_residual = _BACKWARD not in origin.operation and _BACKWARD in needed.operation
        return "residual" if is_residual else "temporary"

    def _spans(self, group: Sequence[BufferLife]) -> tuple[tuple[int, int], ...]:
        found: list[tuple[int, int]] = []
        for start, end in map(self._span, group):
            if found and start <= found[-1][1] + 1:
                found[-1] = found[-1][0], max(found[-1][1], end)
            else:
                found.append((start, end))
        return tuple(found)


_BACKWARD = "transpose("
"""Part of JAX's name of each operation of a backward pass."""


def _bytes(live: BufferLife) -> tuple[int, int]:
    return live.buffer.offset, live.buffer.offset + live.buffer.bytes


def _covered(stretches: Iterable[tuple[int, int]]) -> int:
    """Return the number of bytes in at least one of the (first, end) `stretches`."""
    found = reached = 0
    for low, high in sorted(stretches):
        found += max(0, high - max(low, reached))
        reached = max(reached, high)
    return found

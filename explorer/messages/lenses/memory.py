"""Memory of one compiled call: the buffers of the program, and when each of them is live."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal, Self

import msgspec
from msgspec.structs import replace

from explorer.messages.lenses.lens import Lens, LensSpec
from explorer.text.text import say

MOST_BLOCKS, MOST_MOMENTS, MOST_DRAWN, MOST_BYTES = 1_000, 1_000_000, 100_000_000, 1 << 52
"""More blocks, moments, moments of all blocks together, and bytes no recording has."""

COUNTS_FROM = 1.25
"""A call without jit is shown if it needs so many times the memory."""
BlockKind = Literal["argument", "output", "constant", "residual", "temporary"]


class Block(msgspec.Struct, frozen=True):
    """One buffer of the compiled program; the values that a loop carries in the same bytes are one."""

    kind: BlockKind
    """A residual is a temporary that the forward pass keeps for the backward pass."""
    type: str
    """JAX's notation: ``f32[8,4]``."""
    bytes: int
    spans: tuple[tuple[int, int], ...]
    """First and last moment of each stretch in which it is live."""
    name: str = ""
    """Of an argument, or of the one that it is a copy of: ``params['w']``."""
    operation: str = ""
    """The primitive that made it."""
    line: int = 0
    """The line in user code that made it, 0 for none."""
    last_line: int = 0
    """The line that needs it last, 0 for none or for a buffer that stays to the end."""
    donated: bool = False
    """Whether it is an argument whose memory the program may reuse."""


class Loop(msgspec.Struct, frozen=True, array_like=True):
    """A loop of the compiled program, laid out once."""

    start: int
    end: int
    """First and last moment of its body."""
    iterations: int
    """0 if they depend on data."""


class Library(msgspec.Struct, frozen=True):
    """Memory that a library allocates in one instruction, of which XLA's buffers say nothing."""

    bytes: int
    """Of the arrays inside the instruction: it may need less, if it works piece by piece."""
    line: int
    """The line in user code of the largest of them, 0 for none."""
    type: str = ""
    """That one in JAX's notation, if there are several."""


class Kept(msgspec.Struct, frozen=True):
    """The arrays that one global name of the program holds between calls."""

    name: str
    line: int
    """The line in user code that first binds the name, 0 if unknown."""
    count: int
    """Number of arrays after one call."""
    bytes: int
    """Their bytes then."""
    before: int
    """The bytes before that call."""


class EagerArray(msgspec.Struct, frozen=True):
    """An array that is there at the peak of a call without jit."""

    type: str
    """JAX's notation: ``f32[8,4]``."""
    bytes: int
    line: int
    """The line in user code that made it, 0 for none."""


class MemoryLens(Lens, frozen=True, tag=True):
    """The memory of one call of a variant, compiled by XLA for the CPU.

    A moment is one instruction of the compiled program, in the order of its schedule.
    """

    blocks: tuple[Block, ...] = ()
    """In the order in which they begin, without the smallest ones."""
    lines: tuple[int, ...] = ()
    """The line in user code of each moment, 0 for none."""
    live: tuple[int, ...] = ()
    """Bytes that are live at each moment, all buffers included."""
    loops: tuple[Loop, ...] = ()
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
    eager: tuple[EagerArray, ...] | None = None
    """The arrays at the peak of a call that is not compiled as a whole, without its arguments; None if unknown."""
    kept: tuple[Kept, ...] | None = None
    """What the program holds between calls, the most first; None if that is not known."""

    @property
    def reserved(self) -> int:
        """Bytes that one call takes from the operating system, with its arguments."""
        return self.argument_bytes + self.output_bytes + self.temporary_bytes

    @property
    def eager_bytes(self) -> int:
        """Bytes at the peak of a call without jit, with its arguments; 0 if unknown, or if jit makes no difference."""
        size = self.argument_bytes + sum(each.bytes for each in self.eager or ())
        return size if self.eager and size > COUNTS_FROM * self.reserved else 0

    @property
    def peak(self) -> int:
        """The moment with the most live bytes, the first of equal ones."""
        return max(range(len(self.live)), key=self.live.__getitem__, default=0)

    def all_lines(self) -> Iterator[int]:
        yield from self.lines
        for each in self.blocks:
            yield from (each.line, each.last_line)
        if self.library:
            yield self.library.line
        yield from (each.line for each in self.kept or ())
        yield from (each.line for each in self.eager or ())

    def with_lines(self, line: Callable[[int], int]) -> Self:
        return replace(
            self,
            blocks=tuple(replace(each, line=line(each.line), last_line=line(each.last_line)) for each in self.blocks),
            lines=tuple(map(line, self.lines)),
            library=self.library and replace(self.library, line=line(self.library.line)),
            eager=self.eager and tuple(replace(each, line=line(each.line)) for each in self.eager),
            kept=self.kept and tuple(replace(each, line=line(each.line)) for each in self.kept),
        )

    def problem(self, last_line: int) -> str:
        moments = len(self.live)
        drawn = [span for each in self.blocks for span in each.spans]
        stretches = [*drawn, *((each.start, each.end) for each in self.loops)]
        if len(self.lines) != moments or not all(each.spans for each in self.blocks):
            return "its moments do not fit"
        if not all(0 <= start <= end < moments for start, end in stretches):
            return "a moment is not there"
        if (
            max(map(len, (self.blocks, self.kept or (), self.eager or ()))) > MOST_BLOCKS
            or max(moments, len(stretches)) > MOST_MOMENTS
        ):
            return "it has too many buffers or moments"
        if sum(end - start + 1 for start, end in drawn) > MOST_DRAWN:
            return "it has too many buffers or moments"
        if not all(0 <= each <= last_line for each in self.all_lines()):
            return "a line is not there"
        if not all(0 <= each <= MOST_BYTES for each in self._all_counts()) or not self.devices:
            return "a size or a count is impossible"
        return ""

    def _all_counts(self) -> Iterator[int]:
        yield from self.live
        yield from (each.bytes for each in self.blocks)
        yield from (each.iterations for each in self.loops)
        yield from (self.argument_bytes, self.output_bytes, self.temporary_bytes, self.devices)
        yield from (each.bytes for each in self.eager or ())
        yield from (number for each in self.kept or () for number in (each.count, each.bytes, each.before))
        yield from (self.left_out, self.left_out_bytes, self.library.bytes if self.library else 0)

    def at(self, moment: int) -> list[Block]:
        """Return the blocks that are live at `moment`, the largest first."""
        found = [each for each in self.blocks if any(start <= moment <= end for start, end in each.spans)]
        return sorted(found, key=lambda each: -each.bytes)

    def as_json(self) -> dict[str, Any]:
        return {
            "buffers": [
                {
                    "kind": each.kind,
                    "type": each.type,
                    "bytes": each.bytes,
                    "name": each.name,
                    "line": each.line,
                    "last_line": each.last_line,
                    "live": [list(span) for span in each.spans],
                }
                for each in self.blocks
            ],
            "lines": list(self.lines),
            "live_bytes": list(self.live),
            "peak_bytes": max(self.live, default=0),
            "peak_line": self.lines[self.peak] if self.lines else 0,
            "reserved_bytes": self.reserved,
            "devices": self.devices,
            "products": self.products,
            "library_bytes": self.library.bytes if self.library else 0,
            "eager": None if self.eager is None else [msgspec.structs.asdict(each) for each in self.eager],
            "kept": None if self.kept is None else [msgspec.structs.asdict(each) for each in self.kept],
        }


LENS = LensSpec(
    "memory",
    MemoryLens,
    name=say("memory"),
    tip=say("Shows which arrays of the compiled program are in memory when, and its peak"),
    about=say(
        "The arrays of the compiled program, stacked from its first instruction to its last: [XLA](xla) says where it "
        "puts each of them, and when each is live follows from its schedule. Click one, and the line that made it "
        "lights up in the code. The body of a loop is drawn once."
    ),
)

"""The memory lens: the buffers at the peak of one call, then the others; and all of them as a stack over time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from explorer.figures.curves import bytes_text
from explorer.messages.lenses import Cell, Lens, LineCost, Piece, Row, Stack, Strip, Table, text_cell
from explorer.text.text import NOTHING, Text, joined, say
from explorer.worker.runs.lens import LensInput, LensWork, has_arrays
from explorer.worker.runs.lenses.schedule import Block, Library, Memory, memory_of

COUNTS = 100
"""Smaller buffers are reported from this part of the peak on."""
MOST_NAMED = 3
"""Groups of buffers in the sentence about the peak."""
_Group = list[Block]


def lens_of(memory: Memory) -> Lens:
    """Return the answer: what needs more than the peak comes first, then the buffers at the peak."""
    return Lens(
        table=_table(memory) if memory.blocks else Table(),
        summary=tuple(_summary(memory)) if memory.blocks else (),
        bytes=memory.reserved if memory.blocks else 0,
        data=_data(memory),
        sentence=memory.sentence,
        failure=memory.failure,
    )


def _data(memory: Memory) -> dict[str, Any]:
    fields = ("kind", "type", "bytes", "name", "line", "last_line")
    return {
        "buffers": [
            {**{name: getattr(each, name) for name in fields}, "live": [list(span) for span in each.spans]}
            for each in memory.blocks
        ],
        "lines": list(memory.lines),
        "live_bytes": list(memory.live),
        "peak_bytes": memory.peak_bytes,
        "peak_line": memory.lines[memory.peak] if memory.lines else 0,
        "reserved_bytes": memory.reserved,
        "devices": memory.devices,
        "products": memory.products,
        "library_bytes": memory.library.bytes if memory.library else 0,
    }


def _table(memory: Memory) -> Table:
    at_peak = set(map(id, memory.at(memory.peak)))
    groups = [_groups(each for each in memory.blocks if (id(each) in at_peak) == at) for at in (True, False)]
    titles = say("at the peak"), say("at other times")
    rows = list(_library_rows(memory))
    row_of: dict[int, int] = {}
    for title, some, is_peak in zip(titles, groups, (True, False), strict=True):
        if some:
            size = bytes_text(memory.peak_bytes) if is_peak else ""
            rows.append(Row((text_cell(title, "title"), text_cell(size, "title"), Cell())))
        for group in some:
            row_of |= {id(each): len(rows) for each in group}
            rows.append(_row(group, memory.peak_bytes, together=is_peak))
    levels = _levels(memory)
    whole = max(size for size, _ in levels)
    return Table(
        (say("array"), say("memory"), say("needed until")),
        (
            say("The arrays of the compiled program, with the line that made them"),
            say("The bytes of the arrays in the row"),
            say("The line that reads them last"),
        ),
        tuple(rows),
        (0.44, 0.32, 0.24),
        _stack(memory, row_of, levels),
        tuple(_costs(memory, whole)),
        whole=whole,
    )


# -- rows ----------------------------------------------------------------------------------------------------------


def _library_rows(memory: Memory) -> Iterator[Row]:
    """Yield the row of a library that may need more memory than there is at the peak."""
    library = memory.library
    if library is None or library.bytes <= memory.peak_bytes:
        return
    pieces = [Piece(say("in a library"), "title")]
    if library.type:
        pieces += [Piece(say("arrays such as"), "words"), Piece(library.type)]
    size = f"\N{LESS-THAN OR EQUAL TO}{bytes_text(library.bytes)}"
    yield Row((Cell(tuple(pieces)), _size(size, 1.0), Cell()), -1, library.line)


def _groups(blocks: Iterable[Block]) -> list[_Group]:
    """Return the blocks that a row shows together, the largest groups first."""
    found: dict[tuple[object, ...], _Group] = defaultdict(list)
    for each in blocks:
        found[each.kind, each.type, each.line, each.last_line, _root(each.name), each.donated].append(each)
    return sorted(found.values(), key=lambda group: -_bytes(group))


def _row(group: _Group, most: int, *, together: bool) -> Row:
    """Return the row of similar blocks; they are live `together`, or else one after the other."""
    first, size = group[0], _bytes(group) if together else group[0].bytes
    pieces = [Piece(f"{len(group):,} ×", "note")] if len(group) > 1 else []
    pieces.append(Piece(first.type))
    if first.name and first.kind == "argument":
        pieces.append(Piece(first.name if len(group) == 1 else _root(first.name), "title"))
    pieces.append(Piece(_kind(first), "words"))
    if first.operation:
        pieces.append(Piece(first.operation, "dim code"))
    until = say("the end")
    if first.last_line:
        until = say("line {line}", line=first.last_line)
    elif first.kind in ("residual", "temporary") or first.donated:
        until = NOTHING
    words: Text | str = bytes_text(size)
    if len(group) > 1 and not together:
        words = say("{bytes} each", bytes=words)
    cells = (Cell(tuple(pieces)), _size(words, size / most if most else 0.0), text_cell(until, "words"))
    return Row(cells, -1, first.line)


def _size(words: Text | str, part: float) -> Cell:
    return Cell((Piece(words),), bar=part)


def _kind(block: Block) -> Text:
    if block.kind == "argument" and block.donated:
        return say("donated argument")
    if block.kind not in ("argument", "constant") and block.name:
        return say("copy of {name}", name=_root(block.name))
    return {
        "argument": say("argument"),
        "output": say("output"),
        "constant": say("constant"),
        "residual": say("residual"),
        "temporary": say("temporary"),
    }[block.kind]


def _root(name: str) -> str:
    """Return the argument of a leaf: ``params`` for ``params['w'][0]``."""
    return name.partition("[")[0].partition(".")[0]


def _bytes(blocks: Iterable[Block]) -> int:
    return sum(each.bytes for each in blocks)


# -- the stack, and the costs of lines -------------------------------------------------------------------------------


def _levels(memory: Memory) -> list[tuple[float, Text]]:
    """Return the heights of all that one call takes, and their names, the lowest first."""
    reserved = memory.reserved
    levels = [(float(reserved), say("taken from the system: {bytes}", bytes=bytes_text(reserved)))]
    if memory.library:
        most = reserved + memory.library.bytes
        levels.append((float(most), say("with a library's memory, at most: {bytes}", bytes=bytes_text(most))))
    return levels


def _stack(memory: Memory, row_of: dict[int, int], levels: Sequence[tuple[float, Text]]) -> Stack:
    strips = (
        Strip(row_of[id(block)], float(block.bytes), steps, block.line, block.kind, block.type, _tip(block))
        for block, steps in zip(memory.blocks, _bottoms(memory), strict=True)
    )
    return Stack(
        len(memory.live),
        float(max(memory.reserved, memory.peak_bytes)),
        tuple(strips),
        memory.peak,
        float(memory.peak_bytes),
        say("peak: {bytes}", bytes=bytes_text(memory.peak_bytes)),
        tuple(levels),
        memory.lines,
        tuple((each.start, each.end, f"× {each.iterations:,}" if each.iterations else "× ?") for each in memory.loops),
        say("height: bytes; from left to right: operations in their order"),
    )


def _bottoms(memory: Memory) -> list[tuple[tuple[int, int, float], ...]]:
    """Return for each block where it lies: (first moment, last moment, bytes below it); earlier ones lie lower."""
    filled = np.zeros(len(memory.live), np.int64)
    found = []
    for block in memory.blocks:
        steps: list[tuple[int, int, float]] = []
        for start, end in block.spans:
            below = filled[start : end + 1]
            edges = [0, *(np.flatnonzero(np.diff(below)) + 1).tolist(), len(below)]
            steps += [(start + low, start + high - 1, float(below[low])) for low, high in pairwise(edges)]
            below += block.bytes
        found.append(tuple(steps))
    return found


def _tip(block: Block) -> Text:
    words = say("{type}, {bytes}: {kind}", type=block.type, bytes=bytes_text(block.bytes), kind=_kind(block))
    parts: list[Text] = [joined(" ", (words, block.name if block.kind == "argument" else ""))]
    if block.line:
        made = say("made by line {line}", line=block.line)
        parts.append(joined(" ", (made, f"({block.operation})" if block.operation else "")))
    if block.last_line:
        parts.append(say("needed until line {line}", line=block.last_line))
    return joined("\n", parts)


def _costs(memory: Memory, whole: float) -> Iterator[LineCost]:
    """Yield the bytes of the arrays at the peak by the line that made them; a whole bar is `whole` bytes.

    A library may need more: its bar is paler.
    """
    found: defaultdict[int, int] = defaultdict(int)
    for each in memory.at(memory.peak):
        found[each.line] += each.bytes
    library = memory.library
    for line in dict.fromkeys((*found, library.line) if library else found):
        size = most = found[line]
        tip = say("{bytes} of the {all} at the peak", bytes=bytes_text(size), all=bytes_text(memory.peak_bytes))
        text = bytes_text(size)
        if library and line == library.line:
            most += library.bytes
            tip = joined("\n", (tip if size else NOTHING, _library_words(library)))
            text = f"\N{LESS-THAN OR EQUAL TO}{bytes_text(most)}"
        if line and most:
            yield LineCost(size / whole, most / whole, text, tip, line)


# -- sentences -----------------------------------------------------------------------------------------------------


def _summary(memory: Memory) -> Iterator[Piece]:
    """Yield the peak, what may need more, and how it is known."""
    peak, library = Piece(_peak_words(memory), "title"), memory.library
    more = [Piece(_library_words(library), "note")] if library else []
    # As in the rows, what is more than the peak comes first.
    yield from (*more, peak) if library and library.bytes > memory.peak_bytes else (peak, *more)
    words = say(
        "The call takes {all} from the system: arguments {arguments}, outputs {outputs}, temporaries {temporaries}.",
        all=bytes_text(memory.reserved),
        arguments=bytes_text(memory.argument_bytes),
        outputs=bytes_text(memory.output_bytes),
        temporaries=bytes_text(memory.temporary_bytes),
    )
    yield Piece(words, "words")
    if memory.devices > 1:
        yield Piece(say("This is one of {count} devices; each takes as much.", count=memory.devices), "words")
    if memory.products:
        yield Piece(say("Libraries for matrix products and convolutions take more, often 10 to 60 MiB."), "words")
    if memory.left_out_bytes * COUNTS > memory.peak_bytes:
        words = say(
            "Smaller arrays, not shown: {count}, at most {bytes}.",
            count=f"{memory.left_out:,}",
            bytes=bytes_text(memory.left_out_bytes),
        )
        yield Piece(words, "dim")
    words = say(
        "It is compiled as one program: sizes are from XLA's buffer assignment for the CPU, lifetimes from its "
        "schedule."
    )
    yield Piece(words, "dim")


def _peak_words(memory: Memory) -> Text:
    by_kind: dict[tuple[object, ...], _Group] = defaultdict(list)
    for each in memory.at(memory.peak):
        by_kind[each.kind, each.line].append(each)
    groups = sorted(by_kind.values(), key=lambda group: -_bytes(group))
    parts = [_group_words(each) for each in groups[:MOST_NAMED]]
    if rest := [block for group in groups[MOST_NAMED:] for block in group]:
        parts.append(say("others ({bytes})", bytes=bytes_text(_bytes(rest))))
    line, size, what = memory.lines[memory.peak], bytes_text(memory.peak_bytes), joined(", ", parts)
    if line:
        return say("Peak: {bytes} live at line {line}: {what}.", bytes=size, line=line, what=what)
    return say("Peak: {bytes} live: {what}.", bytes=size, what=what)


def _group_words(group: _Group) -> Text:
    first, size = group[0], bytes_text(_bytes(group))
    parts = {"count": len(group), "bytes": size, "line": first.line}
    of_lines = {
        "output": say("outputs of line {line}: {count} ({bytes})", **parts),
        "residual": say("residuals of line {line}: {count} ({bytes})", **parts),
        "temporary": say("temporaries of line {line}: {count} ({bytes})", **parts),
    }
    without = {
        "argument": say("arguments: {count} ({bytes})", **parts),
        "constant": say("constants: {count} ({bytes})", **parts),
        "output": say("outputs: {count} ({bytes})", **parts),
        "residual": say("residuals: {count} ({bytes})", **parts),
        "temporary": say("temporaries: {count} ({bytes})", **parts),
    }
    return {**without, **(of_lines if first.line else {})}[first.kind]


def _library_words(library: Library) -> Text:
    size = bytes_text(library.bytes)
    if library.line:
        return say(
            "A library computes line {line} in memory of its own, which is not shown: between 0 and {bytes}.",
            line=library.line,
            bytes=size,
        )
    return say("A library computes a part in memory of its own, which is not shown: between 0 and {bytes}.", bytes=size)


# -- the answer ----------------------------------------------------------------------------------------------------


def _compute(asked: LensInput) -> Lens:
    with asked.again():
        return lens_of(memory_of(*asked.prepared()))


LENS = LensWork(has_arrays, _compute)

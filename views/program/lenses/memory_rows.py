"""The rows of the memory lens: the buffers at the peak, then the others; and all of them as a stack over time."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

from PySide6.QtCore import QCoreApplication

from explorer.focus.variant_names import shown_variant
from explorer.messages.late_numpy import np
from explorer.messages.lenses.memory import Block, EagerArray, Library, MemoryLens
from views.parts.byte_words import bytes_text
from views.parts.line_cost import LineCost
from views.program.lenses.table_records import Cell, Piece, Row, Stack, Strip, Table, text_cell
from views.program.lenses.view import NOTHING_SEEN, LensView, Seen

COUNTS = 100
"""Smaller buffers are reported from this part of the peak on."""
MOST_NAMED = 3
"""Groups of buffers in the sentence about the peak."""
MOST_ABOVE = 1.6
"""The picture shows what a library or a call without jit needs up to so much of what the compiled call takes."""
_Group = list[Block]


def table(lens: MemoryLens, seen: Seen = NOTHING_SEEN) -> Table:
    """Return a row for each group of similar buffers, and the stack of all buffers.

    What needs more than the peak comes first: a call without jit, or a library; then the buffers at the peak.
    """
    if not lens.blocks and not lens.eager_bytes:
        return Table()
    at_peak = set(map(id, lens.at(lens.peak)))
    groups = [_groups(each for each in lens.blocks if (id(each) in at_peak) == at) for at in (True, False)]
    titles = (
        QCoreApplication.translate("MemoryLens", "under jit, at the peak")
        if lens.eager_bytes
        else QCoreApplication.translate("MemoryLens", "at the peak"),
        QCoreApplication.translate("MemoryLens", "at other times"),
    )
    rows = [*_eager_rows(lens), *_library_rows(lens)]
    row_of: dict[int, int] = {}
    for title, some, is_peak in zip(titles, groups, (True, False), strict=True):
        if not some:
            continue
        total = bytes_text(lens.live[lens.peak]) if is_peak else ""
        rows.append(Row((text_cell(title, "title"), text_cell(total, "title"), Cell())))
        for group in some:
            row_of |= {id(each): len(rows) for each in group}
            rows.append(_row(group, max(lens.live), together=is_peak))
    rows += _kept_rows(lens)
    return Table(
        (
            QCoreApplication.translate("MemoryLens", "array"),
            QCoreApplication.translate("MemoryLens", "memory"),
            QCoreApplication.translate("MemoryLens", "needed until"),
        ),
        (
            QCoreApplication.translate(
                "MemoryLens", "The arrays of the compiled program, with the line that made them"
            ),
            QCoreApplication.translate("MemoryLens", "The bytes of the arrays in the row"),
            QCoreApplication.translate("MemoryLens", "The line that reads them last"),
        ),
        tuple(rows),
        (0.44, 0.32, 0.24),
        _stack(lens, row_of, seen) if lens.blocks else None,
        _costs(lens, _whole(seen.shared or (lens,))),
    )


def summary(lens: MemoryLens, seen: Seen = NOTHING_SEEN) -> list[Piece]:
    """Return the sentences below the rows: the peak, what may need more, the comparison, and how it is known."""
    if not lens.blocks:
        return _without_jit(lens)
    may_need_more = [Piece(_eager_words(lens), "note")] if lens.eager_bytes else []
    if lens.library:
        may_need_more.append(Piece(_library_words(lens.library), "note"))
    peak = Piece(_peak_words(lens), "title")
    # As in the rows, what is more than the peak comes first.
    is_more = lens.eager_bytes or (lens.library and lens.library.bytes > max(lens.live))
    pieces = [*may_need_more, peak] if is_more else [peak, *may_need_more]
    if compared := _compared(lens, seen):
        pieces.append(Piece(compared, "title"))
    pieces.append(Piece(_reserved_words(lens), "words"))
    if lens.devices > 1:
        words = QCoreApplication.translate("MemoryLens", "This is one of {count} devices; each takes as much.")
        pieces.append(Piece(words.format(count=lens.devices), "words"))
    if lens.products:
        words = QCoreApplication.translate(
            "MemoryLens", "Libraries for matrix products and convolutions take more, often 10 to 60 MiB."
        )
        pieces.append(Piece(words, "words"))
    if lens.left_out_bytes * COUNTS > max(lens.live):
        words = QCoreApplication.translate("MemoryLens", "Smaller arrays, not shown: {count}, at most {bytes}.")
        pieces.append(Piece(words.format(count=f"{lens.left_out:,}", bytes=bytes_text(lens.left_out_bytes)), "dim"))
    pieces += _kept_words(lens)
    if lens.kept is not None and lens.eager is None:
        # The call was made, but looking at it took too long.
        words = QCoreApplication.translate(
            "MemoryLens", "The peak of a call without jit is not known: it has too many steps to look at each."
        )
        pieces.append(Piece(words, "dim"))
    words = QCoreApplication.translate(
        "MemoryLens",
        "It is compiled as one program: sizes are from XLA's buffer assignment for the CPU, lifetimes from its "
        "schedule.",
    )
    return [*pieces, Piece(words, "dim")]


def _shared(lenses: Sequence[MemoryLens]) -> tuple[MemoryLens, ...]:
    """Return the lenses of all variants, in the order of the pages."""
    return tuple(lenses)


def _costs(lens: MemoryLens, whole: float) -> dict[int, LineCost]:
    """Return the bytes of the arrays at the peak by the line that made them; a whole bar is `whole` bytes.

    They are those of a call without jit, if the code is written so and needs more. A library may need more: its bar is
    paler.
    """
    found: defaultdict[int, int] = defaultdict(int)
    words = QCoreApplication.translate("MemoryLens", "{bytes} of the {all} at the peak")
    peak = lens.live[lens.peak]
    arrays: Sequence[EagerArray | Block] = lens.at(lens.peak)
    if lens.eager_bytes:
        words = QCoreApplication.translate("MemoryLens", "Without jit: {bytes} of at least {all}")
        arrays, peak = lens.eager or (), lens.eager_bytes
    for each in arrays:
        found[each.line] += each.bytes
    tips = {line: words.format(bytes=bytes_text(size), all=bytes_text(peak)) for line, size in found.items()}
    costs = {
        line: LineCost(size / whole, size / whole, bytes_text(size), tips[line]) for line, size in found.items() if size
    }
    if lens.library and not lens.eager_bytes:
        line, size = lens.library.line, found[lens.library.line] + lens.library.bytes
        tip = "\n".join(filter(None, (tips.get(line, ""), _library_words(lens.library))))
        text = f"\N{LESS-THAN OR EQUAL TO}{bytes_text(size)}"
        costs[line] = LineCost(found[line] / whole, size / whole, text, tip)
    return {line: cost for line, cost in costs.items() if line}


# -- sentences ---------------------------------------------------------------------------------------------------


def _peak_words(lens: MemoryLens) -> str:
    line, live = lens.lines[lens.peak], bytes_text(lens.live[lens.peak])
    words = QCoreApplication.translate("MemoryLens", "Peak: {bytes} live: {what}.")
    if line:
        words = QCoreApplication.translate("MemoryLens", "Peak: {bytes} live at line {line}: {what}.")
    if line and lens.eager_bytes:
        words = QCoreApplication.translate("MemoryLens", "Under jit, peak: {bytes} live at line {line}: {what}.")
    groups = sorted(_by_kind(lens.at(lens.peak)), key=lambda group: -_bytes(group))
    parts = [_group_words(each) for each in groups[:MOST_NAMED]]
    if rest := [block for group in groups[MOST_NAMED:] for block in group]:
        others = QCoreApplication.translate("MemoryLens", "others ({bytes})")
        parts.append(others.format(bytes=bytes_text(_bytes(rest))))
    return words.format(bytes=live, line=line, what=", ".join(parts))


def _by_kind(blocks: Iterable[Block]) -> list[_Group]:
    found: dict[tuple[object, ...], _Group] = defaultdict(list)
    for each in blocks:
        found[each.kind, each.line].append(each)
    return list(found.values())


def _group_words(group: _Group) -> str:
    first = group[0]
    words = {
        "argument": QCoreApplication.translate("MemoryLens", "arguments: {count} ({bytes})"),
        "output": QCoreApplication.translate("MemoryLens", "outputs of line {line}: {count} ({bytes})"),
        "constant": QCoreApplication.translate("MemoryLens", "constants: {count} ({bytes})"),
        "residual": QCoreApplication.translate("MemoryLens", "residuals of line {line}: {count} ({bytes})"),
        "temporary": QCoreApplication.translate("MemoryLens", "temporaries of line {line}: {count} ({bytes})"),
    }[first.kind]
    if not first.line:
        words = {
            "output": QCoreApplication.translate("MemoryLens", "outputs: {count} ({bytes})"),
            "residual": QCoreApplication.translate("MemoryLens", "residuals: {count} ({bytes})"),
            "temporary": QCoreApplication.translate("MemoryLens", "temporaries: {count} ({bytes})"),
        }.get(first.kind, words)
    return words.format(line=first.line, count=len(group), bytes=bytes_text(_bytes(group)))


def _reserved_words(lens: MemoryLens) -> str:
    words = QCoreApplication.translate(
        "MemoryLens",
        "The call takes {all} from the system: arguments {arguments}, outputs {outputs}, temporaries {temporaries}.",
    )
    return words.format(
        all=bytes_text(lens.reserved),
        arguments=bytes_text(lens.argument_bytes),
        outputs=bytes_text(lens.output_bytes),
        temporaries=bytes_text(lens.temporary_bytes),
    )


def _without_jit(lens: MemoryLens) -> list[Piece]:
    """Return the sentences on a program of which nothing is left under jit."""
    if not lens.eager_bytes:
        return []
    nothing = QCoreApplication.translate("MemoryLens", "Under jit nothing is computed: it returns no array.")
    return [Piece(_eager_words(lens), "title"), Piece(nothing, "words"), *_kept_words(lens)]


def _eager_words(lens: MemoryLens) -> str:
    words = QCoreApplication.translate("MemoryLens", "{type} of line {line}")
    largest = [first for first, _ in _eager_groups(lens)[:MOST_NAMED]]
    what = ", ".join(words.format(type=each.type, line=each.line) if each.line else each.type for each in largest)
    words = QCoreApplication.translate("MemoryLens", "Without jit, one call had at least {bytes} in memory: {what}.")
    sentences = [words.format(bytes=bytes_text(lens.eager_bytes), what=what)]
    if lens.blocks:
        sentences.append(QCoreApplication.translate("MemoryLens", "The picture is of the call under jit."))
    return " ".join(sentences)


def _kept_words(lens: MemoryLens) -> list[Piece]:
    """Return sentences on what the program holds between calls, and on what one call added to that."""
    if lens.kept is None:
        return []
    grown = [each for each in lens.kept if each.bytes > each.before]
    if not grown:
        return [Piece(QCoreApplication.translate("MemoryLens", "A call leaves no new arrays in global names."), "dim")]
    words = QCoreApplication.translate("MemoryLens", "One call left {bytes} more in global names: {names}.")
    more = bytes_text(sum(each.bytes - each.before for each in grown))
    return [Piece(words.format(bytes=more, names=", ".join(each.name for each in grown[:MOST_NAMED])), "note")]


def _library_words(library: Library) -> str:
    words = QCoreApplication.translate(
        "MemoryLens", "A library computes a part in memory of its own, which is not shown: between 0 and {bytes}."
    )
    if library.line:
        words = QCoreApplication.translate(
            "MemoryLens",
            "A library computes line {line} in memory of its own, which is not shown: between 0 and {bytes}.",
        )
    return words.format(line=library.line, bytes=bytes_text(library.bytes))


def _compared(lens: MemoryLens, seen: Seen) -> str:
    """Return how much more or less than the other variant this one takes, '' without another one."""
    reserved = [each.reserved for each in seen.shared or ()]
    if len(reserved) != 2 or lens.reserved not in reserved:
        return ""
    reserved.remove(lens.reserved)
    other = reserved[0]
    if not other or not lens.reserved:
        return ""
    words = QCoreApplication.translate(
        "MemoryLens", "{variant} takes {ratio}× the memory of the other: {own}, not {other}."
    )
    return words.format(
        variant=shown_variant(seen.variant),
        ratio=f"{lens.reserved / other:.2g}",
        own=bytes_text(lens.reserved),
        other=bytes_text(other),
    )


# -- rows --------------------------------------------------------------------------------------------------------


def _eager_groups(lens: MemoryLens) -> list[tuple[EagerArray, int]]:
    """Return an array of each type and line at the peak without jit, with their number, those with most bytes first."""
    return sorted(Counter(lens.eager or ()).items(), key=lambda pair: -pair[0].bytes * pair[1])


def _most_above(lens: MemoryLens) -> int:
    """Return the bytes of a whole bar in the rows of what needs more than the peak."""
    return max(lens.eager_bytes, lens.library.bytes if lens.library else 0)


def _library_rows(lens: MemoryLens) -> list[Row]:
    """Return the row of a library that may need more memory than there is at the peak."""
    if not lens.library or lens.library.bytes <= max(lens.live):
        return []
    title = Piece(QCoreApplication.translate("MemoryLens", "in a library"), "title")
    such_as = Piece(QCoreApplication.translate("MemoryLens", "arrays such as"), "words")
    largest = [such_as, Piece(lens.library.type, "code")] if lens.library.type else []
    size = lens.library.bytes
    memory = Cell((Piece(f"\N{LESS-THAN OR EQUAL TO}{bytes_text(size)}", "code"),), bar=size / _most_above(lens))
    return [Row((Cell((title, *largest)), memory, Cell()), -1, lens.library.line)]


def _eager_rows(lens: MemoryLens) -> list[Row]:
    """Return the rows of the arrays at the peak without jit, where that is higher."""
    whole = lens.eager_bytes
    if not whole:
        return []
    title = QCoreApplication.translate("MemoryLens", "without jit, at its peak")
    rows = [Row((text_cell(title, "title"), text_cell(bytes_text(whole), "title"), Cell()))]
    for each, count in _eager_groups(lens):
        pieces = [Piece(f"{count:,} ×", "note")] if count > 1 else []
        size = each.bytes * count
        memory = Cell((Piece(bytes_text(size), "code"),), bar=size / _most_above(lens))
        rows.append(Row((Cell((*pieces, Piece(each.type, "code"))), memory, Cell()), -1, each.line))
    return rows


def _kept_rows(lens: MemoryLens) -> list[Row]:
    """Return the rows of what the program holds between calls."""
    if not lens.kept:
        return []
    title = QCoreApplication.translate("MemoryLens", "held between calls")
    total = sum(each.bytes for each in lens.kept)
    rows = [Row((text_cell(title, "title"), text_cell(bytes_text(total), "title"), Cell()))]
    for each in lens.kept:
        pieces = [Piece(each.name, "code"), Piece(_count_words(each.count), "words")]
        memory = Cell((Piece(bytes_text(each.bytes), "code"),), bar=each.bytes / max(total, 1))
        grown = each.bytes - each.before
        more = QCoreApplication.translate("MemoryLens", "+{bytes} by one call").format(bytes=bytes_text(grown))
        rows.append(Row((Cell(tuple(pieces)), memory, text_cell(more if grown > 0 else "", "note")), -1, each.line))
    return rows


def _count_words(count: int) -> str:
    if count == 1:
        return QCoreApplication.translate("MemoryLens", "1 array")
    return QCoreApplication.translate("MemoryLens", "{count} arrays").format(count=f"{count:,}")


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
    pieces.append(Piece(first.type, "code"))
    if first.name and first.kind == "argument":
        pieces.append(Piece(first.name if len(group) == 1 else _root(first.name), "title"))
    pieces.append(Piece(_kind_words(first), "words"))
    if first.operation:
        pieces.append(Piece(first.operation, "dim code"))
    until = QCoreApplication.translate("MemoryLens", "the end")
    if first.last_line:
        until = QCoreApplication.translate("MemoryLens", "line {line}").format(line=first.last_line)
    elif first.kind in ("residual", "temporary") or first.donated:
        until = ""
    text = bytes_text(size)
    if len(group) > 1 and not together:
        text = QCoreApplication.translate("MemoryLens", "{bytes} each").format(bytes=text)
    memory = Cell((Piece(text, "code"),), bar=size / most if most else 0.0)
    return Row((Cell(tuple(pieces)), memory, text_cell(until, "words")), -1, first.line)


def _kind_words(block: Block) -> str:
    if block.kind == "argument" and block.donated:
        return QCoreApplication.translate("MemoryLens", "donated argument")
    if block.kind not in ("argument", "constant") and block.name:
        return QCoreApplication.translate("MemoryLens", "copy of {name}").format(name=_root(block.name))
    return {
        "argument": QCoreApplication.translate("MemoryLens", "argument"),
        "output": QCoreApplication.translate("MemoryLens", "output"),
        "constant": QCoreApplication.translate("MemoryLens", "constant"),
        "residual": QCoreApplication.translate("MemoryLens", "residual"),
        "temporary": QCoreApplication.translate("MemoryLens", "temporary"),
    }[block.kind]


def _root(name: str) -> str:
    """Return the argument of a leaf: ``params`` for ``params['w'][0]``."""
    return name.partition("[")[0].partition(".")[0]


def _bytes(blocks: Iterable[Block]) -> int:
    return sum(each.bytes for each in blocks)


# -- the stack ---------------------------------------------------------------------------------------------------


def _levels(lens: MemoryLens) -> list[tuple[float, str]]:
    """Return the heights of all that one call takes, and their names, the lowest first."""
    levels = {QCoreApplication.translate("MemoryLens", "taken from the system: {bytes}"): lens.reserved}
    if lens.library:
        words = QCoreApplication.translate("MemoryLens", "with a library's memory, at most: {bytes}")
        levels[words] = lens.reserved + lens.library.bytes
    if lens.eager_bytes:
        levels[QCoreApplication.translate("MemoryLens", "without jit, at least: {bytes}")] = lens.eager_bytes
    found = [(float(size), words.format(bytes=bytes_text(size))) for words, size in levels.items()]
    return sorted(found, key=lambda level: level[0])


def _whole(lenses: Iterable[MemoryLens]) -> float:
    """Return the most that a call of one of them takes, or may take."""
    return max((height for lens in lenses for height, _ in _levels(lens)), default=0.0)


def _stack(lens: MemoryLens, row_of: dict[int, int], seen: Seen) -> Stack:
    peak = QCoreApplication.translate("MemoryLens", "peak: {bytes}")
    bottoms = _bottoms(lens)
    lenses = seen.shared or (lens,)
    drawn = float(max(max((each.reserved, *each.live)) for each in lenses))
    return Stack(
        len(lens.live),
        min(_whole(lenses), MOST_ABOVE * drawn),
        tuple(
            Strip(row_of[id(block)], float(block.bytes), steps, block.line, block.kind, block.type, _tip(block))
            for block, steps in zip(lens.blocks, bottoms, strict=True)
        ),
        lens.peak,
        float(lens.live[lens.peak]),
        peak.format(bytes=bytes_text(lens.live[lens.peak])),
        tuple(_levels(lens)),
        lens.lines,
        tuple((each.start, each.end, f"× {each.iterations:,}" if each.iterations else "× ?") for each in lens.loops),
    )


def _bottoms(lens: MemoryLens) -> list[tuple[tuple[int, int, float], ...]]:
    """Return for each block where it lies: (first moment, last moment, bytes below it); earlier ones lie lower."""
    filled = np.zeros(len(lens.live), np.int64)
    found = []
    for block in lens.blocks:
        steps: list[tuple[int, int, float]] = []
        for start, end in block.spans:
            below = filled[start : end + 1]
            edges = [0, *(np.flatnonzero(np.diff(below)) + 1).tolist(), len(below)]
            steps += [(start + low, start + high - 1, float(below[low])) for low, high in pairwise(edges)]
            below += block.bytes
        found.append(tuple(steps))
    return found


def _tip(block: Block) -> str:
    words = QCoreApplication.translate("MemoryLens", "{type}, {bytes}: {kind}")
    parts = [words.format(type=block.type, bytes=bytes_text(block.bytes), kind=_kind_words(block))]
    if block.kind == "argument":
        parts[0] += f" {block.name}"
    if block.line:
        made = QCoreApplication.translate("MemoryLens", "made by line {line}").format(line=block.line)
        parts.append(f"{made} ({block.operation})" if block.operation else made)
    if block.last_line:
        parts.append(QCoreApplication.translate("MemoryLens", "needed until line {line}").format(line=block.last_line))
    return "\n".join(parts)


VIEW = LensView(table, summary, shared=_shared)

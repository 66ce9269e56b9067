"""The rows of the devices lens: each array with its pieces, then the transfers between devices."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from itertools import product

from PySide6.QtCore import QCoreApplication

from explorer.messages.lenses.devices import Collective, DevicesLens, ShardedArray
from explorer.messages.lenses.devices import Piece as ShardPiece
from views.parts.byte_words import bytes_text
from views.program.lenses.table_records import Cell, Grid, Piece, Row, Share, Table, text_cell
from views.program.lenses.view import NOTHING_SEEN, LensView, Seen

MOST_LINES = 8
"""Of a row."""


def table(lens: DevicesLens, _seen: Seen = NOTHING_SEEN) -> Table:
    """Return the inputs, the arrays made in the run and the outputs, then the collectives of the compiled program."""
    if not lens.arrays:
        return Table()
    return Table(
        (
            QCoreApplication.translate("DevicesLens", "array"),
            QCoreApplication.translate("DevicesLens", "parts"),
            QCoreApplication.translate("DevicesLens", "which device"),
        ),
        (
            QCoreApplication.translate(
                "DevicesLens", "The arguments, the arrays that the run put on several devices, and the outputs"
            ),
            QCoreApplication.translate(
                "DevicesLens", "How many parts each axis has, and how many devices hold each part"
            ),
            QCoreApplication.translate(
                "DevicesLens", "The parts at their positions in the array, with device numbers; copies are hatched"
            ),
        ),
        (*map(_array, lens.arrays), *_collectives(lens)),
        (0.36, 0.27, 0.37),
    )


def summary(lens: DevicesLens, _seen: Seen = NOTHING_SEEN) -> list[Piece]:
    """Return the sentences below the rows."""
    pieces = []
    if lens.collectives == ():
        words = QCoreApplication.translate("DevicesLens", "The devices exchange no data.")
        pieces.append(Piece(words, "words"))
    if len(lens.devices) == 1:
        words = QCoreApplication.translate("DevicesLens", "Everything is on one device.")
        pieces.append(Piece(words, "words"))
    if lens.left_out:
        words = QCoreApplication.translate("DevicesLens", "More arrays, not shown: {count}.")
        pieces.append(Piece(words.format(count=f"{lens.left_out:,}"), "words"))
    return pieces + [Piece(str(each), "words") for each in lens.notes]


# -- arrays ------------------------------------------------------------------------------------------------------


def _array(array: ShardedArray) -> Row:
    pieces = [Piece(array.name, "title")] if array.name else []
    pieces.append(Piece(array.type, "dim code"))
    if array.times > 1:
        pieces.append(Piece(f"×{array.times:,}", "note"))
    if array.moved:
        moved = QCoreApplication.translate("DevicesLens", "for {operation}").format(operation=array.made_by)
        pieces.append(Piece(moved, "words"))
    elif array.made_by and array.role == "inside":
        pieces.insert(len(pieces) if array.name else 0, Piece(array.made_by, "dim code" if array.name else "code"))
    grid = _grid(array)
    lines = min(grid.rows, MOST_LINES) if grid else 1
    return Row(
        (Cell(tuple(pieces)), text_cell(parts_words(array), "words"), Cell(grid=grid)), -1, array.line, lines=lines
    )


def parts_words(array: ShardedArray) -> str:
    """Return the number of parts of `array` along its axes, and the number of devices for each, in words."""
    if not array.pieces:
        return QCoreApplication.translate("DevicesLens", "NumPy: on no device")
    parts = math.prod(array.cut)
    copies = len(array.pieces) // parts
    if len(array.pieces) == 1:
        words = QCoreApplication.translate("DevicesLens", "on device {device}")
        return words.format(device=array.pieces[0].device)
    if parts == 1:
        return QCoreApplication.translate("DevicesLens", "{copies} copies").format(copies=copies)
    cut = " × ".join(map(str, array.cut))
    if copies == 1:
        return cut
    return QCoreApplication.translate("DevicesLens", "{cut}, {copies} copies").format(cut=cut, copies=copies)


def _grid(array: ShardedArray) -> Grid | None:
    """Return the parts in the layout of the array: the last cut axis to the right, earlier ones downwards."""
    if not array.pieces:
        return None
    holders: dict[tuple[int, ...], list[ShardPiece]] = defaultdict(list)
    for piece in array.pieces:
        holders[piece.place].append(piece)
    cut_axes = [axis for axis, count in enumerate(array.cut) if count > 1]
    # What is cut along its first axis alone lies in rows, unless it is the only axis.
    across = len(array.cut) == 1 or len(cut_axes) > 1 or cut_axes != [0]
    columns = array.cut[cut_axes[-1]] if cut_axes and across else 1
    return Grid(
        columns,
        tuple(
            tuple(Share(each.device, _tip(array, each.device, place, holders)) for each in holders[place])
            for place in product(*map(range, array.cut))
        ),
    )


def _tip(
    array: ShardedArray, device: int, place: tuple[int, ...], holders: dict[tuple[int, ...], list[ShardPiece]]
) -> str:
    shard = next(each for each in holders[place] if each.device == device)
    words = QCoreApplication.translate("DevicesLens", "Device {device} holds {index} of {array}, {bytes}.")
    text = words.format(
        device=device, index=shard.index, array=array.name or array.made_by, bytes=bytes_text(shard.bytes)
    )
    others = ", ".join(str(each.device) for each in holders[place] if each.device != device)
    if others:
        also = QCoreApplication.translate("DevicesLens", "Also on: {devices}.")
        text += " " + also.format(devices=others)
    return f"{text}\n{array.sharding}"


# -- collectives -------------------------------------------------------------------------------------------------


def _collectives(lens: DevicesLens) -> Iterable[Row]:
    if not lens.collectives:
        return
    title = QCoreApplication.translate("DevicesLens", "collectives")
    yield Row((text_cell(title, "title"), Cell(), Cell()))
    for each in lens.collectives:
        yield _collective(each)


def _collective(each: Collective) -> Row:
    types = each.shape if each.given == each.shape else f"{each.given} → {each.shape}"
    pieces = [Piece(each.operation, "code"), Piece(types, "dim code")]
    if each.times > 1:
        pieces.append(Piece(f"×{each.times:,}", "note"))
    words = QCoreApplication.translate("DevicesLens", "{bytes} each")
    if each.in_loop:
        words = QCoreApplication.translate("DevicesLens", "{bytes} each, in each iteration of a loop")
    return Row(
        (Cell(tuple(pieces)), text_cell(words.format(bytes=bytes_text(each.bytes)), "words"), _who(each)), -1, each.line
    )


def _who(each: Collective) -> Cell:
    if each.pairs:
        return text_cell("  ".join(f"{source}→{target}" for source, target in each.pairs), "code")
    if not each.groups:
        return Cell()
    fields = tuple(tuple(Share(device, each.name) for device in group) for group in each.groups)
    return Cell(grid=Grid(len(fields), fields, hatched=False))


VIEW = LensView(table, summary)

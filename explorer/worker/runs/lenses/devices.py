"""The devices lens: the shards of each array on each device, and the collectives."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import product
from typing import Any

import jax
import msgspec
import numpy as np
from msgspec.structs import replace

from explorer.figures.curves import bytes_text
from explorer.messages import Failure
from explorer.messages.lenses import Cell, Grid, Lens, Piece, Row, Share, Table, Words, text_cell
from explorer.text.text import NOTHING, Text, joined, say, sentences
from explorer.worker.code import calls, trees
from explorer.worker.errors.failure import failure
from explorer.worker.internals.compiled import compiled_text, devices_of, shardings_taken
from explorer.worker.program.hlo_lines import hlo_lines
from explorer.worker.program.program import Call
from explorer.worker.recording.interrupt import Interrupt
from explorer.worker.runs.lens import FinishedRun, LensInput, LensWork
from explorer.worker.runs.lenses.collectives import Collective, collectives
from explorer.worker.runs.lenses.shards import (
    RecordedArrays,
    Role,
    Shard,
    ShardedArray,
    ShardedRun,
    is_spread,
    laid_out,
    noted,
    sharded,
)

MOST = 200
"""Largest number of arrays to show."""
MOST_PROGRAMS = 50
"""Largest number of compiled programs to check."""
MOST_LINES = 8
"""The most lines of a row."""


class Devices(msgspec.Struct, frozen=True):
    """The shards of one variant."""

    arrays: tuple[ShardedArray, ...] = ()
    """Inputs, then intermediate arrays, then outputs."""
    left_out: int = 0
    """Number of further arrays."""
    devices: tuple[int, ...] = ()
    """The ids of all devices involved."""
    collectives: tuple[Collective, ...] | None = None
    """Collectives of the compiled programs that the run called, in order; None if unknown."""
    notes: tuple[Text, ...] = ()
    sentence: Text = NOTHING
    failure: Failure | None = None


def who_holds_what(
    call: Call, inputs: Mapping[str, Any], is_user_code: Callable[[str], bool]
) -> tuple[Devices, RecordedArrays]:
    """Return the shards of the arrays in one real run of `call` with its arguments `inputs`.

    `is_user_code` decides by file name. Exceptions of the run are reported in the record.
    """
    named = [each for name, value in inputs.items() for each in _leaves(value, name, "input")]
    taken = [array for array, _ in named]
    made = RecordedArrays()
    try:
        with noted(is_user_code, {id(leaf): array.name for array, leaf in named}) as made:
            outputs = trees.waited_for(calls.call(call, inputs))
    except Interrupt:
        raise
    except BaseException as error:
        raised = failure(error, is_user_code)
        return Devices(sentence=say("It cannot be run, so there is nothing to show."), failure=raised), made
    leaves = list(_leaves(outputs, "output", "output"))
    given = [_known(array, leaf, made) for array, leaf in leaves]
    # One array may be several outputs.
    places = {id(leaf): place for (_, leaf), (_, place) in zip(leaves, given, strict=True)}
    lens = _lens(taken, made, [array for array, _ in given], Counter(places.values()))
    if not lens.arrays:
        lens = replace(lens, sentence=say("It takes no arrays and makes none, so no device holds any."))
    return lens, made


def with_collectives(lens: Devices, made: RecordedArrays, is_user_code: Callable[[str], bool]) -> Devices:
    """Return `lens` with the collectives of the run's programs, and the arguments that JAX moved for their calls.

    A note reports unreadable programs.
    """
    found: dict[Collective, Collective] = {}
    for ran in list(made.programs.values())[:MOST_PROGRAMS]:
        try:
            program = ran.compiled()
            text, order = compiled_text(program), [each.id for each in devices_of(program)]
        except Interrupt:
            raise
        except BaseException as error:
            what = failure(error, is_user_code).words
            return _noting(lens, say("The data that devices exchange is not known: {what}", what=what))
        if not text:
            return _noting(
                lens,
                say(
                    "The compiled program cannot be read on this device, so the data that devices exchange is "
                    "not known."
                ),
            )
        exchanges = collectives(text, hlo_lines(text, is_user_code), order)
        for each in exchanges:
            placed = replace(each, line=each.line or ran.line)
            alike = replace(placed, name="")
            known = found.setdefault(alike, replace(placed, times=0))
            found[alike] = replace(known, times=known.times + ran.times)
        lens = _with_moved(lens, ran, shardings_taken(program))
    if len(made.programs) > MOST_PROGRAMS:
        words = say(
            "Only the first {count} of {all} compiled programs are searched for data that devices exchange.",
            count=MOST_PROGRAMS,
            all=f"{len(made.programs):,}",
        )
        lens = _noting(lens, words)
    return replace(lens, collectives=tuple(found.values()))


def _lens(
    taken: list[ShardedArray], made: RecordedArrays, given: list[ShardedArray], are_outputs: Counter[int | None]
) -> Devices:
    others = (replace(each, times=each.times - are_outputs[place]) for place, each in enumerate(made.arrays))
    inside = [each for each in others if each.times > 0]
    everything = (taken, inside, given)
    counts = _shares([len(each) for each in everything])
    left_out = sum(map(len, everything)) - sum(counts) + made.left_out
    devices = sorted({piece.device for each in (*taken, *inside, *given) for piece in each.pieces})
    shown = tuple(array for each, count in zip(everything, counts, strict=True) for array in each[:count])
    return Devices(shown, left_out, tuple(devices))


def _with_moved(lens: Devices, ran: ShardedRun, shardings: Mapping[int, Any]) -> Devices:
    """Return `lens` with the arguments that JAX moved to the devices of a program, inserted before its outputs."""
    moved = []
    for number, (name, given) in enumerate(ran.given):
        sharding = shardings.get(number)
        if given is None or sharding is None or sharding.num_devices == 1:
            continue
        if given.sharding.is_equivalent_to(sharding, len(given.shape)):
            continue
        # JAX gives no shard positions for unequal shards.
        with suppress(ValueError):
            array = laid_out(given, sharding, name, "inside")
            moved.append(replace(array, line=ran.line, made_by=ran.operation, times=ran.times, moved=True))
    before = [place for place, each in enumerate(lens.arrays) if (each.line, each.made_by) == (ran.line, ran.operation)]
    outputs = [place for place, each in enumerate(lens.arrays) if each.role == "output"]
    place = (*before, *outputs, len(lens.arrays))[0]
    arrays = list(lens.arrays)
    for each in moved:
        alike = next((at for at, other in enumerate(arrays) if replace(other, times=each.times) == each), None)
        if alike is not None:
            arrays[alike] = replace(each, times=arrays[alike].times + each.times)
        elif len(arrays) < MOST:
            arrays.insert(place, each)
            place += 1
        else:
            lens = replace(lens, left_out=lens.left_out + 1)
    return replace(lens, arrays=tuple(arrays))


def _shares(counts: Sequence[int]) -> list[int]:
    """Return the numbers of inputs, intermediate arrays and outputs to show, given their `counts`."""
    shares = [min(count, MOST // 3) for count in counts]
    for place, count in enumerate(counts):
        shares[place] += min(count - shares[place], MOST - sum(shares))
    return shares


def _known(array: ShardedArray, leaf: Any, made: RecordedArrays) -> tuple[ShardedArray, int | None]:
    """Return an output with the operation that made it, and its index among the made arrays."""
    place = made.place_of(leaf)
    if place is None:
        return array, None
    known = made.arrays[place]
    return replace(array, line=known.line, made_by=known.made_by), place


def _leaves(tree: Any, name: str, role: Role) -> Iterable[tuple[ShardedArray, Any]]:
    """Yield (record, array) for each array in `tree`, named `name`; nothing for a tree that JAX cannot flatten."""
    try:
        found, _ = jax.tree_util.tree_flatten_with_path(tree)
    except Exception:
        return
    for path, leaf in found:
        value = trees.honest(leaf)
        if isinstance(value, jax.Array | np.ndarray) and not isinstance(value, jax.core.Tracer):
            yield sharded(value, name + jax.tree_util.keystr(path), role), leaf


def _noting(lens: Devices, sentence: Text) -> Devices:
    return replace(lens, notes=(*lens.notes, sentence))


# -- the table -----------------------------------------------------------------------------------------------------


def lens_of(found: Devices) -> Lens:
    """Return the answer: inputs, arrays made in the run and outputs, then the collectives of the compiled program."""
    table = Table(
        (say("array"), say("parts"), say("which device")),
        (
            say("The arguments, the arrays that the run put on several devices, and the outputs"),
            say("How many parts each axis has, and how many devices hold each part"),
            say("The parts at their positions in the array, with device numbers; copies are hatched"),
        ),
        (*map(_array, found.arrays), *_collectives(found.collectives or ())),
        (0.36, 0.27, 0.37),
    )
    words = [say("The devices exchange no data.")] if found.collectives == () else []
    if len(found.devices) == 1:
        words.append(say("Everything is on one device."))
    if found.left_out:
        words.append(say("More arrays, not shown: {count}.", count=f"{found.left_out:,}"))
    return Lens(
        table=table if found.arrays else Table(),
        summary=tuple(Piece(each, "words") for each in (*words, *found.notes)),
        data=[_record(each) for each in found.arrays],
        sentence=found.sentence,
        failure=found.failure,
    )


def _record(array: ShardedArray) -> dict[str, Any]:
    pieces = [{"device": each.device, "index": each.index, "replicated": each.replicated} for each in array.pieces]
    return {"array": array.name, "sharding": array.sharding, "pieces": pieces}


def _array(array: ShardedArray) -> Row:
    pieces = [Piece(array.name, "title")] if array.name else []
    pieces.append(Piece(array.type, "dim code"))
    if array.times > 1:
        pieces.append(Piece(f"×{array.times:,}", "note"))
    if array.moved:
        pieces.append(Piece(say("for {operation}", operation=array.made_by), "words"))
    elif array.made_by and array.role == "inside":
        pieces.insert(len(pieces) if array.name else 0, Piece(array.made_by, "dim code" if array.name else "code"))
    grid = _grid(array)
    height = min(grid.rows, MOST_LINES) if grid else 1
    cells = (Cell(tuple(pieces)), text_cell(_parts(array), "words"), Cell(grid=grid))
    return Row(cells, -1, array.line, height=height)


def _parts(array: ShardedArray) -> Words:
    """Return the number of parts of `array` along its axes, and the number of devices for each, in words."""
    if not array.pieces:
        return say("NumPy: on no device")
    parts = math.prod(array.cut)
    copies = len(array.pieces) // parts
    if len(array.pieces) == 1:
        return say("on device {device}", device=array.pieces[0].device)
    if parts == 1:
        return say("{copies} copies", copies=copies)
    cut = " × ".join(map(str, array.cut))
    return cut if copies == 1 else say("{cut}, {copies} copies", cut=cut, copies=copies)


def _grid(array: ShardedArray) -> Grid | None:
    """Return the parts in the layout of the array: the last cut axis to the right, earlier ones downwards."""
    if not array.pieces:
        return None
    holders: dict[tuple[int, ...], list[Shard]] = defaultdict(list)
    for piece in array.pieces:
        holders[piece.place].append(piece)
    cut_axes = [axis for axis, count in enumerate(array.cut) if count > 1]
    # An array that is cut along its first axis alone lies in rows, unless it is the only axis.
    across = len(array.cut) == 1 or len(cut_axes) > 1 or cut_axes != [0]
    columns = array.cut[cut_axes[-1]] if cut_axes and across else 1
    fields = (holders[place] for place in product(*map(range, array.cut)))
    return Grid(
        columns, tuple(tuple(Share(each.device, _tip(array, each, field)) for each in field) for field in fields)
    )


def _tip(array: ShardedArray, shard: Shard, holders: Iterable[Shard]) -> Text:
    words = say(
        "Device {device} holds {index} of {array}, {bytes}.",
        device=shard.device,
        index=shard.index,
        array=array.name or array.made_by,
        bytes=bytes_text(shard.bytes),
    )
    others = ", ".join(str(each.device) for each in holders if each.device != shard.device)
    also = say("Also on: {devices}.", devices=others) if others else NOTHING
    return joined("\n", (sentences(words, also), array.sharding))


def _collectives(found: Sequence[Collective]) -> Iterator[Row]:
    if found:
        yield Row((text_cell(say("collectives"), "title"), Cell(), Cell()))
    for each in found:
        types = each.shape if each.given == each.shape else f"{each.given} → {each.shape}"
        pieces = [Piece(each.operation), Piece(types, "dim code")]
        if each.times > 1:
            pieces.append(Piece(f"×{each.times:,}", "note"))
        words = say("{bytes} per device", bytes=bytes_text(each.bytes))
        if each.in_loop:
            words = say("{bytes} per device, in each iteration of a loop", bytes=bytes_text(each.bytes))
        yield Row((Cell(tuple(pieces)), text_cell(words, "words"), _devices_cell(each)), -1, each.line)


def _devices_cell(each: Collective) -> Cell:
    if each.pairs or not each.groups:
        return text_cell("  ".join(f"{source}→{target}" for source, target in each.pairs))
    fields = tuple(tuple(Share(device, each.name) for device in group) for group in each.groups)
    return Cell(grid=Grid(len(fields), fields, hatched=False))


_SPREADING = ("NamedSharding", "shard_map", "pmap", "PmapSharding", "set_mesh", "PositionalSharding")
"""Names in code that shard arrays."""


def _applies_to(finished: FinishedRun) -> bool:
    if finished.failed:
        return False
    program, arrays = finished.program, trees.leaves((finished.outputs, dict(finished.arguments)))
    if any(map(is_spread, arrays)) or (program is not None and program.spread):
        return True
    unknown = program is not None and program.failure is not None
    # For a program that cannot be traced as a whole, only its source can tell.
    return (
        unknown
        and jax.device_count() > 1
        and any(word in finished.source for word in _SPREADING)
        and any(isinstance(each, jax.Array | np.ndarray) for each in arrays)
    )


def _compute(asked: LensInput) -> Lens:
    with asked.again():
        prepared = asked.prepared()
        shards, made = who_holds_what(*prepared)
        if not shards.sentence:
            asked.send(lens_of(shards))
            shards = with_collectives(shards, made, prepared[2])
        return lens_of(shards)


LENS = LensWork(_applies_to, _compute)

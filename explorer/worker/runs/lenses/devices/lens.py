"""The devices lens: the shards of each array on each device, and the collectives."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import jax
import numpy as np
from msgspec.structs import replace

from explorer.messages.lenses.devices import Collective, DevicesLens, ShardedArray
from explorer.text.text import Text, say
from explorer.worker.code import calls, trees
from explorer.worker.errors.failure import failure
from explorer.worker.internals.compiled import arrays_made, arrays_taken, compiled_text, devices_of, shardings_taken
from explorer.worker.program.hlo_lines import hlo_lines
from explorer.worker.program.program import Call
from explorer.worker.recording.interrupt import Interrupt
from explorer.worker.runs.lens import Asked, Ended, LensWork
from explorer.worker.runs.lenses.devices.collectives import collectives
from explorer.worker.runs.lenses.devices.pieces import Role, is_spread, laid_out, sharded
from explorer.worker.runs.lenses.devices.watch import Noted, ShardedRun, noted

MOST = 200
"""Largest number of arrays to show."""
_PARAMETER = re.compile(r' parameter\((\d+)\).*\bop_name="([^"]*)"')
MOST_PROGRAMS = 50
"""Largest number of compiled programs to check."""


def devices_lens(call: Call, inputs: Mapping[str, Any], is_user_code: Callable[[str], bool]) -> DevicesLens:
    """Return the whole lens for `call` with its arguments `inputs`; failures are reported in it."""
    shards, made = who_holds_what(call, inputs, is_user_code)
    return with_collectives(shards, made, is_user_code)


def who_holds_what(
    call: Call, inputs: Mapping[str, Any], is_user_code: Callable[[str], bool]
) -> tuple[DevicesLens, Noted]:
    """Return the shards of the arrays in one real run of `call` with its arguments `inputs`.

    `is_user_code` decides by file name. Exceptions of the run are reported in the record.
    """
    named = [each for name, value in inputs.items() for each in _leaves(value, name, "input")]
    taken = [array for array, _ in named]
    made = Noted()
    try:
        with noted(is_user_code, {id(leaf): array.name for array, leaf in named}) as made:
            outputs = trees.waited_for(calls.call(call, inputs))
    except Interrupt:
        raise
    except BaseException as error:
        raised = failure(error, is_user_code)
        return DevicesLens(sentence=say("It cannot be run, so there is nothing to show."), failure=raised), made
    leaves = list(_leaves(outputs, "output", "output"))
    given = [_known(array, leaf, made) for array, leaf in leaves]
    # One array may be several outputs.
    places = {id(leaf): place for (_, leaf), (_, place) in zip(leaves, given, strict=True)}
    lens = _lens(taken, made, [array for array, _ in given], Counter(places.values()))
    if not lens.arrays:
        lens = replace(lens, sentence=say("It takes no arrays and makes none, so no device holds any."))
    return lens, made


def with_collectives(lens: DevicesLens, made: Noted, is_user_code: Callable[[str], bool]) -> DevicesLens:
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
            raised = failure(error, is_user_code)
            what = f"{raised.type}: {raised.message}"
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


def lens_of_compiled(compiled: Any, is_user_code: Callable[[str], bool]) -> DevicesLens | None:
    """Return the shards of the arguments and outputs of `compiled`, and its collectives; None on a single device.

    `is_user_code` decides by file name.
    """
    order = [each.id for each in devices_of(compiled)]
    if len(order) < 2:
        return None
    text = compiled_text(compiled)
    names = {
        int(number): name.replace("\\'", "'") for number, name in _PARAMETER.findall(text.rpartition("\nENTRY ")[2])
    }
    made = arrays_made(compiled)
    arrays = [
        *((names.get(number, ""), "input", *each) for number, *each in arrays_taken(compiled)),
        *((f"output {number}" if len(made) > 1 else "output", "output", *each) for number, each in enumerate(made, 1)),
    ]
    found: list[ShardedArray] = []
    for name, role, array, sharding in arrays[:MOST]:
        # JAX gives no shard positions for unequal shards.
        with suppress(ValueError):
            found.append(laid_out(array, sharding, name, role))
    exchanges = collectives(text, hlo_lines(text, is_user_code), order) if text else None
    return DevicesLens(tuple(found), len(arrays) - len(found), tuple(sorted(order)), exchanges)


def _lens(
    taken: list[ShardedArray], made: Noted, given: list[ShardedArray], are_outputs: Counter[int | None]
) -> DevicesLens:
    others = (replace(each, times=each.times - are_outputs[place]) for place, each in enumerate(made.arrays))
    inside = [each for each in others if each.times > 0]
    everything = (taken, inside, given)
    counts = _shares([len(each) for each in everything])
    left_out = sum(map(len, everything)) - sum(counts) + made.left_out
    devices = sorted({piece.device for each in (*taken, *inside, *given) for piece in each.pieces})
    shown = tuple(array for each, count in zip(everything, counts, strict=True) for array in each[:count])
    return DevicesLens(shown, left_out, tuple(devices))


def _with_moved(lens: DevicesLens, ran: ShardedRun, shardings: Mapping[int, Any]) -> DevicesLens:
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


def _known(array: ShardedArray, leaf: Any, made: Noted) -> tuple[ShardedArray, int | None]:
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


def _noting(lens: DevicesLens, sentence: Text) -> DevicesLens:
    return replace(lens, notes=(*lens.notes, sentence))


_SPREADING = ("NamedSharding", "shard_map", "pmap", "PmapSharding", "set_mesh", "PositionalSharding")
"""Names in code that shard arrays."""


def _has_to_say(ended: Ended) -> bool:
    if ended.failed:
        return False
    program, arrays = ended.program, trees.leaves((ended.outputs, dict(ended.taken)))
    if any(map(is_spread, arrays)) or (program is not None and program.spread):
        return True
    unknown = program is not None and program.failure is not None
    # For a program that cannot be traced as a whole, only its source can tell.
    return unknown and _may_spread(ended.source) and any(isinstance(each, jax.Array | np.ndarray) for each in arrays)


def _may_spread(source: str) -> bool:
    """Return whether code may shard arrays, judged by its words and the number of devices."""
    return any(word in source for word in _SPREADING) and jax.device_count() > 1


def _tell(asked: Asked) -> DevicesLens:
    with asked.again():
        prepared = asked.prepared()
        shards, made = who_holds_what(*prepared)
        if shards.sentence:
            return shards
        asked.tell(shards)
        return with_collectives(shards, made, prepared[2])


LENS = LensWork(_has_to_say, _tell, of_compiled=lens_of_compiled)

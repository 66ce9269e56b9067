"""Checks of the devices lens that need eight devices: each is run by its name in a process that has them."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec
from msgspec.structs import replace

from explorer.messages import FromWorker, LensRequest, Request
from explorer.worker.pictures.pictures import pictures
from explorer.worker.runs import analyse
from explorer.worker.runs import lens as lens_answers
from explorer.worker.runs.lenses.devices import MOST, Devices, who_holds_what, with_collectives
from explorer.worker.runs.lenses.shards import ShardedArray, sharded
from explorer.worker.runs.original import WorkerCache
from tests.worker.analysed import channel as channel_to

P = PartitionSpec


def mesh(*sizes: int, axes: str = "ijk") -> Mesh:
    names = tuple(axes[: len(sizes)])
    return jax.make_mesh(sizes, names, axis_types=(AxisType.Auto,) * len(sizes))


def lens_of(call: Any, **inputs: Any) -> Devices:
    return with_collectives(*who_holds_what(call, inputs, __file__.__eq__), __file__.__eq__)


def agrees(array: jax.Array, found: ShardedArray) -> None:
    """Compare the report on `array` with its own shards, index for index."""
    shards = {each.device.id: each for each in array.addressable_shards}
    assert [each.device for each in found.pieces] == [
        each.id for each in array.sharding.addressable_devices_indices_map(array.shape)
    ]
    assert set(shards) == {each.device for each in found.pieces}
    for piece in found.pieces:
        shard = shards[piece.device]
        whole = [each.indices(size)[:2] for each, size in zip(shard.index, array.shape, strict=True)]
        written = [each.split(":") for each in piece.index[1:-1].split(", ") if each]
        read = [(int(each[0] or 0), int(each[1] or size)) for each, size in zip(written, array.shape, strict=True)]
        assert read == whole, (piece, shard.index)
        same = [other for other in shards.values() if other.index == shard.index]
        assert piece.replicated == (len(same) > 1)
        assert piece.bytes == shard.data.nbytes
        assert all(place < count for place, count in zip(piece.place, found.cut, strict=True))
    assert math.prod(found.cut) == len({str(each.index) for each in shards.values()})
    assert found.sharding == str(array.sharding)


def random_sharding(numbers: np.random.Generator) -> tuple[tuple[int, ...], NamedSharding]:
    """Return a shape and a sharding that fits it: of some mesh, some of its axes unused, some together."""
    sizes = [(8,), (2, 4), (4, 2), (2, 2, 2), (1, 8), (2, 2), (3,), (1,), (8, 1, 1), (5,)][numbers.integers(10)]
    devices = numbers.permutation(np.array(jax.devices()))[: math.prod(sizes)].reshape(sizes)
    names = "ijk"[: len(sizes)]
    made = Mesh(devices, tuple(names))
    rank = int(numbers.integers(0, 5))
    left, spec, shape = list(numbers.permutation(list(names))), [], []
    for _ in range(rank):
        taken = tuple(str(left.pop()) for _ in range(min(len(left), int(numbers.integers(0, 3)))))
        spec.append(None if not taken else taken if len(taken) > 1 else taken[0])
        shape.append(math.prod(made.shape[each] for each in taken) * int(numbers.integers(1, 4)))
    return tuple(shape), NamedSharding(made, P(*spec))


def check_pieces_are_the_shards() -> None:
    numbers = np.random.default_rng(0)
    for _ in range(200):
        shape, sharding = random_sharding(numbers)
        dtype = [np.float32, np.int8, np.bool_, np.complex64][numbers.integers(4)]
        array = jax.device_put(np.zeros(shape, dtype), sharding)
        agrees(array, sharded(array, "x", "input"))


def check_pieces_of_one_device_of_pmap_of_keys_and_of_nothing() -> None:
    arrays = [
        jnp.ones((3, 2)),
        jax.device_put(jnp.ones(3), jax.devices()[5]),
        jax.pmap(lambda x: x + 1)(jnp.ones((8, 2))),
        jax.pmap(lambda x: x.sum())(jnp.ones((4, 2))),
        jax.device_put(jnp.ones(()), NamedSharding(mesh(2, 4), P())),
        jax.device_put(jnp.zeros((0, 8)), NamedSharding(mesh(8), P(None, "i"))),
        jax.device_put(jnp.zeros((8, 0)), NamedSharding(mesh(8), P("i"))),
    ]
    for array in arrays:
        agrees(array, sharded(array, "x", "input"))
    keys = jax.device_put(jax.random.split(jax.random.key(0), 8), NamedSharding(mesh(8), P("i")))
    found = sharded(keys, "keys", "input")
    assert (found.type, found.cut) == ("key<fry>[8]", (8,))
    assert {each.bytes for each in found.pieces} == {8}


# -- what is reported a run -----------------------------------------------------------------------------------------


def check_what_the_run_put_on_devices_has_the_name_and_the_line_of_the_code() -> None:
    def program(x: Any) -> Any:
        rows = jax.device_put(x, NamedSharding(mesh(4, 2), P("i", "j")))
        doubled = rows
        for _ in range(3):
            doubled = doubled * 2
        a, b = jax.jit(lambda x: (x, x.T))(doubled)
        return {"a": a, "sum": jax.jit(jnp.sum)(b)}

    first = program.__code__.co_firstlineno
    lens = lens_of(program, x=jnp.ones((8, 8)))
    rows = [(each.role, each.name, each.made_by, each.line - first, each.times) for each in lens.arrays[1:]]
    assert rows == [
        ("inside", "rows", "device_put", 1, 1),
        ("inside", "doubled", "jit of multiply", 4, 3),
        ("inside", "b", "jit", 5, 1),
        ("output", "output['a']", "jit", 5, 1),
        ("output", "output['sum']", "jit of sum", 6, 1),
    ], rows
    assert (lens.arrays[0].role, lens.arrays[0].name, lens.devices) == ("input", "x", tuple(range(8)))


def check_where_arguments_are_moved_is_what_the_compiled_program_says_itself() -> None:
    closed_over = jnp.arange(64.0).reshape(8, 8)
    rows, columns = (NamedSharding(mesh(4, 2), spec) for spec in (P("i"), P(None, "j")))

    def two_of_three(unused: Any, a: Any, b: Any) -> Any:
        return (a @ closed_over + b).sum(0)

    jitted = jax.jit(two_of_three, in_shardings=(None, rows, columns))
    values = [jnp.ones(3), jnp.ones((8, 8)), jnp.ones((8, 8))]

    def program(a: Any, b: Any, unused: Any) -> Any:
        return jitted(unused, a, b)

    lens = lens_of(program, unused=values[0], a=values[1], b=values[2])
    moved = {each.name: each for each in lens.arrays if each.moved}
    assert list(moved) == ["a", "b"], moved
    shardings = jitted.lower(*values).compile().input_shardings[0]
    for name, sharding in zip("ab", shardings[-2:], strict=True):
        agrees(jax.device_put(values[1], sharding), replace(moved[name], sharding=str(sharding)))
    assert [moved[each].cut for each in "ab"] == [(4, 1), (1, 2)]


# -- as the worker is asked for it ---------------------------------------------------------------------------------

SOURCE = """
import jax, jax.numpy as jnp, numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P, AxisType

def inputs(): return dict(x=jnp.ones((8, 2)))
def mesh(count=8): return jax.make_mesh((count,), ("i",), axis_types=(AxisType.Auto,), devices=jax.devices()[:count])
def put(x): return jax.device_put(x, NamedSharding(mesh(), P("i")))
def back(x): return np.asarray(put(x))
def pinned(x): return jax.lax.with_sharding_constraint(x, NamedSharding(mesh(), P("i")))
def constrained(x): return float(jax.jit(pinned)(x).sum())
def sine(x): return jax.shard_map(jnp.sin, mesh=mesh(), in_specs=P("i"), out_specs=P("i"))(x)
def inside(x): return jnp.asarray(jax.device_get(jax.jit(sine)(x)))
def mapped(x): return jax.pmap(jnp.sin)(x)
def alone(x): return jax.device_put(x, NamedSharding(mesh(1), P("i")))
def plain(x): return jnp.sin(x)
"""


def check_it_is_offered_where_more_than_one_device_has_a_part() -> None:
    channel = channel_to()
    for form in ("jaxpr", "stablehlo", "hlo"):
        snapshot = analyse.analyse(Request(1, SOURCE, "<own>", form=form), channel)
        offered = {each.name for each in snapshot.reports if "devices" in each.lenses}
        assert offered == {"put", "back", "pinned", "constrained", "sine", "inside", "mapped"}, (form, offered)


def told(answer: Any) -> list[str]:
    """Return the sentences below the table."""
    return [each.text for each in answer.lens.summary]


def check_arrays_are_reported_before_the_programs_are_read() -> None:
    sent: list[FromWorker] = []
    channel, cache = channel_to(sent), WorkerCache()
    analyse.analyse(Request(1, SOURCE, "<own>", variants=("inside", "plain")), channel, cache)
    sent.clear()
    answer = lens_answers.answer(LensRequest(2, 1, "inside", "devices"), cache.values.ran, channel)
    (first,) = sent
    silent = "The devices exchange no data."
    assert (first.complete, silent in told(first), answer.complete) == (False, False, True)
    assert [row.cells[0].text for row in answer.lens.table.rows] == [
        "x f32[8,2]",
        "x f32[8,2] for jit of sine",
        "jit of sine f32[8,2]",
        "output f32[8,2]",
    ]
    assert silent in told(answer)


# -- what goes wrong, and what is large ----------------------------------------------------------------------------


def check_what_cannot_run_says_why() -> None:
    def distant(x: Any) -> Any:
        return jax.jit(jnp.add)(jax.device_put(x, jax.devices()[1]), jax.device_put(x, jax.devices()[2]))

    wrong = {
        "A mesh of shape (16,) needs one device for each of its positions": lambda x: jax.device_put(
            x, NamedSharding(mesh(16), P("i"))
        ),
        "into 8 equal parts": lambda x: jax.device_put(x, NamedSharding(mesh(8), P("i"))),
        "these arguments are on different ones": distant,
    }
    for words, call in wrong.items():
        lens = lens_of(call, x=jnp.ones(6))
        assert lens.sentence
        assert words in str(lens.failure.explanation), lens.failure
        assert lens.arrays == ()


def check_uneven_parts_inside_a_jit() -> None:
    def program(x: Any) -> Any:
        return jax.jit(lambda x: jax.lax.with_sharding_constraint(x, NamedSharding(mesh(4), P("i"))) * 2)(x)

    lens = lens_of(program, x=jnp.ones(6))
    assert str(lens.sentence) == ""
    assert lens.arrays[-1].cut == (1,)


def check_a_large_array_makes_no_large_record() -> None:
    import msgspec

    def program(x: Any) -> Any:
        return jax.device_put(x, NamedSharding(mesh(8), P("i")))

    lens = lens_of(program, x=jnp.ones(1_000_000))
    assert len(msgspec.msgpack.encode(lens)) < 3_000


def check_of_many_arrays_some_are_shown_and_the_rest_is_counted() -> None:
    def program(x: Any) -> Any:
        return [jax.device_put(x + n, NamedSharding(mesh(8), P("i"))) for n in range(300)]

    lens = lens_of(program, x=jnp.ones(8))
    assert len(lens.arrays) <= MOST
    assert len(lens.arrays) + lens.left_out == 301


def check_a_program_without_arrays_says_so() -> None:
    assert "no device holds any" in str(lens_of(lambda: 3).sentence)


def check_a_picture_says_which_device_holds_which_example() -> None:
    values = jnp.arange(32.0).reshape(16, 2)
    array = jax.device_put(values, NamedSharding(mesh(8), P("i")))
    (picture,) = pictures(array, {}, ())
    for shard in array.addressable_shards:
        start, stop, _ = shard.index[0].indices(16)
        assert {picture.holder(example) for example in range(start, stop)} == {f"cpu:{shard.device.id}"}
    both = jax.device_put(values, NamedSharding(mesh(4, 2), P("i", "j")))
    (picture,) = pictures(both, {}, ())
    for shard in both.addressable_shards:
        start, _, _ = shard.index[0].indices(16)
        assert f"cpu:{shard.device.id}" in picture.holder(start).split(", ")
    for whole in (P(None, "i"), P()):
        (picture,) = pictures(jax.device_put(jnp.ones((16, 8)), NamedSharding(mesh(8), whole)), {}, ())
        assert picture.shards == ()
    (picture,) = pictures(values, {}, ())
    assert picture.shards == ()

"""Checks of the devices lens that need eight devices: each is run by its name in a process that has them."""

from __future__ import annotations

import math
import sys
import traceback
from collections import Counter
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec

from explorer.messages import LensRequest, LensTold, Request
from explorer.messages.lenses.devices import Collective, DevicesLens, ShardedArray
from explorer.worker.internals.compiled import compiled_text, cost
from explorer.worker.process.channel import Channel
from explorer.worker.process.interrupts import Interrupts
from explorer.worker.process.output import PrintedText
from explorer.worker.runs import analyse
from explorer.worker.runs.kept import Kept
from explorer.worker.runs.lenses.devices.lens import MOST, devices_lens
from explorer.worker.runs.lenses.devices.pieces import sharded

P = PartitionSpec


def mesh(*sizes: int, axes: str = "ijk") -> Mesh:
    names = tuple(axes[: len(sizes)])
    return jax.make_mesh(sizes, names, axis_types=(AxisType.Auto,) * len(sizes))


def told(call: Any, **inputs: Any) -> DevicesLens:
    return devices_lens(call, inputs, lambda filename: filename == __file__)


def agrees(array: jax.Array, found: ShardedArray) -> None:
    """Hold what is told of `array` to its own shards, index for index."""
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


# -- what is told of a run -----------------------------------------------------------------------------------------


def check_what_the_run_put_on_devices_has_the_name_and_the_line_of_the_code() -> None:
    def program(x: Any) -> Any:
        rows = jax.device_put(x, NamedSharding(mesh(4, 2), P("i", "j")))
        doubled = rows
        for _ in range(3):
            doubled = doubled * 2
        a, b = jax.jit(lambda x: (x, x.T))(doubled)
        return {"a": a, "sum": jax.jit(jnp.sum)(b)}

    first = program.__code__.co_firstlineno
    lens = told(program, x=jnp.ones((8, 8)))
    rows = [(each.role, each.name, each.made_by, each.line - first, each.times) for each in lens.arrays[1:]]
    assert rows == [
        ("inside", "rows", "device_put", 1, 1),
        ("inside", "doubled", "jit of multiply", 4, 3),
        ("inside", "b", "jit", 5, 1),
        ("output", "output['a']", "jit", 5, 1),
        ("output", "output['sum']", "jit of sum", 6, 1),
    ], rows
    assert (lens.arrays[0].role, lens.arrays[0].name, lens.devices) == ("input", "x", tuple(range(8)))


def all_told(lens: DevicesLens) -> tuple[Collective, ...]:
    assert lens.collectives is not None, lens.notes
    return lens.collectives


def check_what_jax_moves_for_a_call_is_told_where_it_then_is() -> None:
    def body(x: Any, key: Any, unused: Any) -> Any:
        return x + jax.random.normal(key, x.shape)

    def program(x: Any, key: Any) -> Any:
        rows = jax.device_put(x, NamedSharding(mesh(8), P("i")))
        specs = (P("i"), P(), P())
        return jax.jit(jax.shard_map(body, mesh=mesh(8), in_specs=specs, out_specs=P("i")))(rows, key, jnp.ones(3))

    lens = told(program, x=jnp.ones((8, 2)), key=jax.random.key(0))
    rows = [(each.role, each.name, each.cut, each.moved) for each in lens.arrays]
    assert rows == [
        ("input", "x", (1, 1), False),
        ("input", "key", (), False),
        ("inside", "rows", (8, 1), False),
        ("inside", "key", (), True),
        ("output", "output", (8, 1), False),
    ], rows
    moved = lens.arrays[3]
    assert [each.device for each in moved.pieces] == list(range(8))
    assert all(each.replicated for each in moved.pieces)
    assert (moved.made_by, moved.line) == ("jit of body", program.__code__.co_firstlineno + 3)


def check_collectives_of_shard_map() -> None:
    def body(a: Any) -> Any:
        total = jax.lax.psum(a, "i")
        rows = jax.lax.all_gather(a, "j")
        moved = jax.lax.ppermute(a, "i", [(0, 1), (1, 2), (2, 3), (3, 0)])
        part = jax.lax.psum_scatter(jnp.tile(a, (2, 1)), "j", tiled=True)
        return total + rows.sum() + moved + part

    def program(x: Any) -> Any:
        return jax.jit(jax.shard_map(body, mesh=mesh(4, 2), in_specs=P("i", "j"), out_specs=P("i", "j")))(x)

    first = body.__code__.co_firstlineno
    found = {each.operation: each for each in all_told(told(program, x=jnp.ones((8, 8))))}
    along_i, along_j = ((0, 2, 4, 6), (1, 3, 5, 7)), ((0, 1), (2, 3), (4, 5), (6, 7))
    seen = {name: (each.line - first, each.given_bytes, each.bytes, each.groups) for name, each in found.items()}
    assert seen == {
        "all-reduce": (1, 32, 32, along_i),
        "all-gather": (2, 32, 64, along_j),
        "collective-permute": (3, 32, 32, ()),
        "reduce-scatter": (4, 64, 32, along_j),
    }, seen
    assert found["collective-permute"].pairs == ((0, 2), (2, 4), (4, 6), (6, 0), (1, 3), (3, 5), (5, 7), (7, 1))


def check_the_collective_of_a_matrix_product_in_pieces() -> None:
    def program(a: Any, b: Any) -> Any:
        a = jax.device_put(a, NamedSharding(mesh(4, 2), P("i", "j")))
        b = jax.device_put(b, NamedSharding(mesh(4, 2), P("j", None)))
        return jax.jit(jnp.matmul)(a, b)

    (only,) = all_told(told(program, a=jnp.ones((8, 8)), b=jnp.ones((8, 16))))
    assert (only.operation, only.shape, only.bytes, only.times) == ("all-reduce", "f32[2,16]", 2 * 16 * 4, 1), only
    assert only.groups == ((0, 1), (2, 3), (4, 5), (6, 7))
    assert only.line == program.__code__.co_firstlineno + 3


def check_collectives_go_between_the_devices_of_the_mesh_in_its_order() -> None:
    backwards = Mesh(np.array(jax.devices()[::-1]).reshape(4, 2), ("i", "j"))

    def program(x: Any) -> Any:
        spec = P("i", "j")
        return jax.jit(jax.shard_map(lambda a: jax.lax.psum(a, "j"), mesh=backwards, in_specs=spec, out_specs=P("i")))(
            x
        )

    (only,) = all_told(told(program, x=jnp.ones((8, 8))))
    assert only.groups == ((7, 6), (5, 4), (3, 2), (1, 0)), only


def check_a_collective_in_a_loop_and_one_that_runs_often() -> None:
    def body(a: Any) -> Any:
        return jax.lax.scan(lambda c, _: (jax.lax.pmean(c, "i"), None), a, length=3)[0]

    step = jax.jit(jax.shard_map(body, mesh=mesh(8), in_specs=P("i"), out_specs=P("i"), check_vma=False))

    def program(x: Any) -> Any:
        return step(step(step(x)))

    # The first call is handed an array of one device.
    assert [(each.operation, each.in_loop, each.times) for each in all_told(told(program, x=jnp.ones(8)))] == [
        ("all-reduce", True, 1),
        ("all-reduce", True, 2),
    ]


def check_shard_map_without_jit() -> None:
    def program(x: Any) -> Any:
        return jax.shard_map(lambda a: jax.lax.psum(a, "i"), mesh=mesh(8), in_specs=P("i"), out_specs=P())(x)

    lens = told(program, x=jnp.ones(8))
    rows = [(each.name, each.made_by, each.moved) for each in lens.arrays]
    assert rows == [("x", "", False), ("x", "shard_map", True), ("output", "shard_map", False)], rows
    assert [(each.operation, each.bytes) for each in all_told(lens)] == [("all-reduce", 4)], lens.collectives


def check_random_collectives_beside_the_text_and_beside_what_they_must_be() -> None:
    numbers = np.random.default_rng(1)
    count, per_device = 0, {}
    for _ in range(24):
        sizes = ((8,), (4, 2), (2, 4), (2, 2, 2))[numbers.integers(4)]
        axis = "ijk"[numbers.integers(len(sizes))]
        length = dict(zip("ijk", sizes, strict=False))[axis]
        width = int(numbers.integers(1, 5))
        dtype = (jnp.float32, jnp.int32)[numbers.integers(2)]
        where = int(numbers.integers(5))
        cycle = [(place, (place + 1) % length) for place in range(length)]
        name, function, bytes_each = (
            ("all-reduce", lambda a, axis=axis: jax.lax.psum(a, axis), 1),
            ("all-gather", lambda a, axis=axis: jax.lax.all_gather(a, axis, tiled=True), length),
            ("collective-permute", lambda a, axis=axis, to=cycle: jax.lax.ppermute(a, axis, to), 1),
            ("reduce-scatter", lambda a, axis=axis: jax.lax.psum_scatter(a, axis, tiled=True), 1 / length),
            ("all-to-all", lambda a, axis=axis: jax.lax.all_to_all(a, axis, 0, 0, tiled=True), 1),
        )[where]
        made = mesh(*sizes)
        spec = P(tuple("ijk"[: len(sizes)]))
        jitted = jax.jit(jax.shard_map(function, mesh=made, in_specs=spec, out_specs=spec, check_vma=False))
        x = jax.device_put(jnp.ones((8 * 8, width), dtype), NamedSharding(made, spec))
        found = all_told(told(lambda x, jitted=jitted: jitted(x), x=x))
        text = compiled_text(jitted.lower(x).compile())
        assert dict(Counter(each.operation for each in found)) == cost(jitted.lower(x).compile(), text).exchanges
        assert len(found) <= 1, found
        for each in found:
            assert (each.operation, each.bytes) == (name, 8 * width * 4 * bytes_each), (each, text)
            assert each.given_bytes == 8 * width * 4
            groups = each.groups or ()
            assert all(len(group) == length for group in groups)
            if groups:
                assert sorted(device for group in groups for device in group) == list(range(8))
            along = np.moveaxis(np.arange(8).reshape(sizes), "ijk".index(axis), -1).reshape(-1, length).tolist()
            if groups:
                assert sorted(map(list, groups)) == sorted(along)
            else:
                steps = {(group[a], group[b]) for group in along for a, b in cycle}
                assert set(each.pairs) == steps
            per_device[name] = count = count + 1
    assert len(per_device) == 5, per_device


def check_a_mesh_whose_axes_are_part_of_types() -> None:
    def program(x: Any) -> Any:
        rows = jax.reshard(x, P("i", None))
        return rows, jnp.sum(rows, axis=0)

    with jax.set_mesh(jax.make_mesh((8,), ("i",))):
        lens = told(program, x=jnp.ones((8, 8)))
    assert [(each.name, each.type, each.cut) for each in lens.arrays[1:]] == [
        ("output[0]", "f32[8,8]", (8, 1)),
        ("output[1]", "f32[8]", (1,)),
    ], lens.arrays
    assert [each.operation for each in all_told(lens)] == ["all-reduce"]


def check_operations_one_by_one_on_an_array_in_pieces() -> None:
    def program(x: Any) -> Any:
        return jax.lax.reduce_sum_p.bind(
            jax.device_put(x, NamedSharding(mesh(8), P("i"))), axes=(0,), out_sharding=None
        )

    assert [each.operation for each in all_told(told(program, x=jnp.ones((8, 2))))] == ["all-reduce"]


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
    channel = Channel(lambda _: None, PrintedText(lambda _: None), Interrupts())
    for form in ("jaxpr", "stablehlo", "hlo"):
        snapshot = analyse.analyse(Request(1, SOURCE, "<own>", form=form), channel)
        offered = {each.name for each in snapshot.reports if "devices" in each.lenses}
        assert offered == {"put", "back", "pinned", "constrained", "sine", "inside", "mapped"}, (form, offered)


def check_arrays_are_told_before_the_programs_are_looked_at() -> None:
    sent: list[object] = []
    channel, kept = Channel(sent.append, PrintedText(lambda _: None), Interrupts()), Kept()
    analyse.analyse(Request(1, SOURCE, "<own>", variants=("inside", "plain")), channel, kept)
    sent.clear()
    answer = analyse.lens(LensRequest(2, 1, "inside", "devices"), channel, kept)
    (first,) = sent
    assert isinstance(first, LensTold)
    assert isinstance(first.lens, DevicesLens)
    assert isinstance(answer.lens, DevicesLens)
    assert (first.complete, first.lens.collectives, answer.complete) == (False, None, True)
    assert [(each.role, each.name, each.moved) for each in answer.lens.arrays] == [
        ("input", "x", False),
        ("inside", "x", True),
        ("inside", "", False),
        ("output", "output", False),
    ]
    assert answer.lens.collectives == ()


# -- what goes wrong, and what is large ----------------------------------------------------------------------------


def check_what_cannot_run_says_why() -> None:
    def far_apart(x: Any) -> Any:
        return jax.jit(jnp.add)(jax.device_put(x, jax.devices()[1]), jax.device_put(x, jax.devices()[2]))

    wrong = {
        "A mesh of shape (16,) has a device at each place": lambda x: jax.device_put(
            x, NamedSharding(mesh(16), P("i"))
        ),
        "cut into 8 equal parts": lambda x: jax.device_put(x, NamedSharding(mesh(8), P("i"))),
        "these arguments are on different ones": far_apart,
    }
    for words, call in wrong.items():
        lens = told(call, x=jnp.ones(6))
        assert lens.sentence
        assert lens.failure is not None
        assert words in lens.failure.explanation, lens.failure
        assert lens.arrays == ()


def check_uneven_parts_inside_a_jit() -> None:
    def program(x: Any) -> Any:
        return jax.jit(lambda x: jax.lax.with_sharding_constraint(x, NamedSharding(mesh(4), P("i"))) * 2)(x)

    lens = told(program, x=jnp.ones(6))
    assert lens.sentence == ""
    assert lens.arrays[-1].cut == (1,)


def check_a_large_array_makes_no_large_record() -> None:
    import msgspec

    def program(x: Any) -> Any:
        return jax.device_put(x, NamedSharding(mesh(8), P("i")))

    lens = told(program, x=jnp.ones(1_000_000))
    assert len(msgspec.msgpack.encode(lens)) < 3_000


def check_of_many_arrays_some_are_shown_and_the_rest_is_counted() -> None:
    def program(x: Any) -> Any:
        return [jax.device_put(x + n, NamedSharding(mesh(8), P("i"))) for n in range(300)]

    lens = told(program, x=jnp.ones(8))
    assert len(lens.arrays) <= MOST
    assert len(lens.arrays) + lens.left_out == 301


def check_a_program_without_arrays_says_so() -> None:
    assert "no device holds any" in told(lambda: 3).sentence


if __name__ == "__main__":
    for name, check in list(globals().items()):
        if name.startswith("check_"):
            try:
                check()
                sys.stdout.write(f"{name}\t\0")
            except Exception:
                sys.stdout.write(f"{name}\t{traceback.format_exc()}\0")

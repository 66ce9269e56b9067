"""Checks of communication between devices: each needs eight devices, and runs by its name in a process with them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

from explorer.worker.internals.compiled import compiled_text, cost
from explorer.worker.runs.lenses.collectives import Collective
from explorer.worker.runs.lenses.devices import Devices, who_holds_what, with_collectives
from tests.worker.runs.lenses.devices_truth import mesh


def lens_of(call: Any, **inputs: Any) -> Devices:
    return with_collectives(*who_holds_what(call, inputs, __file__.__eq__), __file__.__eq__)


def collectives_of(lens: Devices) -> tuple[Collective, ...]:
    assert lens.collectives is not None, lens.notes
    return lens.collectives


def check_what_jax_moves_for_a_call_is_reported_where_it_then_is() -> None:
    def body(x: Any, key: Any, unused: Any) -> Any:
        return x + jax.random.normal(key, x.shape)

    def program(x: Any, key: Any) -> Any:
        rows = jax.device_put(x, NamedSharding(mesh(8), P("i")))
        specs = (P("i"), P(), P())
        return jax.jit(jax.shard_map(body, mesh=mesh(8), in_specs=specs, out_specs=P("i")))(rows, key, jnp.ones(3))

    lens = lens_of(program, x=jnp.ones((8, 2)), key=jax.random.key(0))
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
    found = {each.operation: each for each in collectives_of(lens_of(program, x=jnp.ones((8, 8))))}
    along_i, along_j = ((0, 2, 4, 6), (1, 3, 5, 7)), ((0, 1), (2, 3), (4, 5), (6, 7))
    seen = {name: (each.line - first, each.bytes, each.groups) for name, each in found.items()}
    assert seen == {
        "all-reduce": (1, 32, along_i),
        "all-gather": (2, 64, along_j),
        "collective-permute": (3, 32, ()),
        "reduce-scatter": (4, 32, along_j),
    }, seen
    assert found["collective-permute"].pairs == ((0, 2), (2, 4), (4, 6), (6, 0), (1, 3), (3, 5), (5, 7), (7, 1))


def check_the_collective_of_a_matrix_product_in_pieces() -> None:
    def program(a: Any, b: Any) -> Any:
        a = jax.device_put(a, NamedSharding(mesh(4, 2), P("i", "j")))
        b = jax.device_put(b, NamedSharding(mesh(4, 2), P("j", None)))
        return jax.jit(jnp.matmul)(a, b)

    (only,) = collectives_of(lens_of(program, a=jnp.ones((8, 8)), b=jnp.ones((8, 16))))
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

    (only,) = collectives_of(lens_of(program, x=jnp.ones((8, 8))))
    assert only.groups == ((7, 6), (5, 4), (3, 2), (1, 0)), only


def check_a_collective_in_a_loop_and_one_that_runs_often() -> None:
    def body(a: Any) -> Any:
        return jax.lax.scan(lambda c, _: (jax.lax.pmean(c, "i"), None), a, length=3)[0]

    step = jax.jit(jax.shard_map(body, mesh=mesh(8), in_specs=P("i"), out_specs=P("i"), check_vma=False))

    def program(x: Any) -> Any:
        return step(step(step(x)))

    # The first call is handed an array of one device, and has a program of its own.
    (only,) = collectives_of(lens_of(program, x=jnp.ones(8)))
    assert (only.operation, only.in_loop, only.times) == ("all-reduce", True, 3)


def check_shard_map_without_jit() -> None:
    def program(x: Any) -> Any:
        return jax.shard_map(lambda a: jax.lax.psum(a, "i"), mesh=mesh(8), in_specs=P("i"), out_specs=P())(x)

    lens = lens_of(program, x=jnp.ones(8))
    rows = [(each.name, each.made_by, each.moved) for each in lens.arrays]
    assert rows == [("x", "", False), ("x", "shard_map", True), ("output", "shard_map", False)], rows
    assert [(each.operation, each.bytes) for each in collectives_of(lens)] == [("all-reduce", 4)], lens.collectives


def check_random_collectives_against_the_text_and_the_expected_ones() -> None:
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
        found = collectives_of(lens_of(lambda x, jitted=jitted: jitted(x), x=x))
        text = compiled_text(jitted.lower(x).compile())
        assert dict(Counter(each.operation for each in found)) == cost(jitted.lower(x).compile(), text).exchanges
        assert len(found) <= 1, found
        for each in found:
            assert (each.operation, each.bytes) == (name, 8 * width * 4 * bytes_each), (each, text)
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
        lens = lens_of(program, x=jnp.ones((8, 8)))
    assert [(each.name, each.type, each.cut) for each in lens.arrays[1:]] == [
        ("output[0]", "f32[8,8]", (8, 1)),
        ("output[1]", "f32[8]", (1,)),
    ], lens.arrays
    assert [each.operation for each in collectives_of(lens)] == ["all-reduce"]


def check_operations_one_by_one_on_an_array_in_pieces() -> None:
    def program(x: Any) -> Any:
        return jax.lax.reduce_sum_p.bind(
            jax.device_put(x, NamedSharding(mesh(8), P("i"))), axes=(0,), out_sharding=None
        )

    assert [each.operation for each in collectives_of(lens_of(program, x=jnp.ones((8, 2))))] == ["all-reduce"]

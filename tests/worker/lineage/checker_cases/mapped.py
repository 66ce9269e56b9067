"""One key, or one for each, under vmap in its disguises and on several devices."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax import lax, random
from jax.sharding import AxisType, PartitionSpec

from tests.worker.lineage.checker_cases.table import CaseTable

TABLE = CaseTable()
case = TABLE.case

X = jnp.ones((4, 3))


def key() -> Any:
    return random.key(7)


def add_noise(x: Any, key: Any) -> Any:
    return x + random.normal(key, x.shape)


# -- vmap in its disguises ---------------------------------------------------------------------


@case("shared", shares=(0, 4, 1))
def vmap_that_does_not_map_the_key() -> Any:
    return jax.vmap(add_noise, in_axes=(0, None))(X, key())


@case("shared", shares=(0, 4, 1))
def vmap_of_a_closure() -> Any:
    noise_key = key()
    return jax.vmap(lambda x: add_noise(x, noise_key))(X)


@case("shared", shares=(0, 4, 1))
def vmap_that_makes_the_key_inside() -> Any:
    return jax.vmap(lambda x: add_noise(x, random.key(3)))(X)


@case("shared", shares=(0, 4, 1))
def vmap_that_splits_inside() -> Any:
    def one(x: Any, key: Any) -> Any:
        first, second = random.split(key)
        return add_noise(add_noise(x, first), second)

    return jax.vmap(one, in_axes=(0, None))(X, key())


@case("shared", shares=(0, 4, 1))
def vmap_over_a_broadcast_key() -> Any:
    return jax.vmap(add_noise)(X, jnp.broadcast_to(key(), 4))


@case("shared", shares=(0, 4, 2))
def vmap_over_repeated_keys() -> Any:
    return jax.vmap(add_noise)(X, jnp.repeat(random.split(key(), 2), 2))


@case("shared", shares=(0, 4, 1))
def vmap_over_a_stack_of_one_key() -> Any:
    noise_key = key()
    return jax.vmap(add_noise)(X, jnp.stack([noise_key] * 4))


@case("shared", shares=(0, 4, 1))
def vmap_under_jit() -> Any:
    return jax.jit(jax.vmap(add_noise, in_axes=(0, None)))(X, key())


@case("shared", shares=(0, 4, 1))
def vmap_of_jit() -> Any:
    return jax.vmap(jax.jit(add_noise), in_axes=(0, None))(X, key())


@case("shared", shares=(1, 4, 1))
def vmap_of_vmap_with_one_key_a_row() -> Any:
    both = jax.vmap(jax.vmap(add_noise, in_axes=(0, None)))
    return both(jnp.ones((2, 4, 3)), random.split(key(), 2))


@case("shared", shares=(0, 3, 1))
def vmap_along_the_second_axis() -> Any:
    return jax.vmap(add_noise, in_axes=(1, None), out_axes=1)(X, key())


@case("shared", shares=(0, 4, 1))
def vmap_of_a_derivative() -> Any:
    return jax.vmap(jax.grad(lambda x, key: add_noise(x * x, key).sum()), in_axes=(0, None))(X, key())


@case("shared", shares=(0, 4, 1))
def vmap_of_a_scan() -> Any:
    noise_key = key()

    def one(x: Any) -> Any:
        return lax.scan(lambda x, key: (add_noise(x, key), None), x, random.split(noise_key, 3))[0]

    return jax.vmap(one)(X)


@case("shared", shares=(0, 3, 1))
def vmap_of_cond_with_one_key() -> Any:
    noise_key = key()
    return jax.vmap(lambda x: lax.cond(x > 1, lambda: random.normal(noise_key), lambda: 0.0))(jnp.arange(5))


@case("shared", shares=(0, 4, 1))
def vectorize_that_leaves_the_key_out() -> Any:
    noise_key = key()
    return jnp.vectorize(lambda x: x + random.normal(noise_key))(X)


@case("shared", shares=(0, 4, 1))
def vmap_over_a_dictionary_but_not_its_key() -> Any:
    def one(example: Any) -> Any:
        return add_noise(example["x"], example["key"])

    return jax.vmap(one, in_axes=({"x": 0, "key": None},))({"x": X, "key": key()})


@case("shared", shares=(0, 3, 1))
def vmap_of_while_with_one_key() -> Any:
    noise_key = key()

    def iterations(count: Any) -> Any:
        def body(state: Any) -> Any:
            done, key, x = state
            key, sub = random.split(key)
            return done + 1, key, x + random.normal(sub)

        return lax.while_loop(lambda state: state[0] < count, body, (0, noise_key, 0.0))[2]

    return jax.vmap(iterations)(jnp.arange(1, 4))


@case("shared", shares=(0, 4, 1))
def custom_vmap_that_does_not_map_the_key() -> Any:
    function = jax.custom_batching.custom_vmap(add_noise)
    function.def_vmap(lambda _, __, x, key: (jax.vmap(add_noise, in_axes=(0, None))(x, key), True))
    return jax.vmap(function, in_axes=(0, None))(X, key())


@case("reuse and shared")
def one_key_for_all_of_map_in_batches() -> Any:
    noise_key = key()
    return lax.map(lambda x: add_noise(x, noise_key), X, batch_size=2)


@case("ok")
def the_index_of_a_named_axis_folded_in() -> Any:
    parent = key()
    return jax.vmap(lambda x: add_noise(x, random.fold_in(parent, lax.axis_index("i"))), axis_name="i")(X)


@case("ok")
def both_signs_of_one_draw_in_each_example() -> Any:
    def pair(x: Any, key: Any) -> Any:
        noise = random.normal(key, x.shape)
        return x + noise, x - noise

    return jax.vmap(pair)(X, random.split(key(), 4))


@case("ok")
def a_key_for_each_example() -> Any:
    return jax.vmap(add_noise)(X, random.split(key(), 4))


@case("ok")
def the_number_of_the_example_folded_in() -> Any:
    parent = key()
    return jax.vmap(lambda x, i: add_noise(x, random.fold_in(parent, i)))(X, jnp.arange(4))


@case("ok")
def vmap_of_cond_on_a_key_for_each() -> Any:
    def one(x: Any, key: Any) -> Any:
        return lax.cond(x > 1, random.normal, random.uniform, key)

    return jax.vmap(one)(jnp.arange(4), random.split(key(), 4))


@case("ok")
def one_draw_for_all_made_outside() -> Any:
    noise = random.normal(key(), (3,))
    return jax.vmap(lambda x: x + noise)(X)


@case("ok")
def vmap_over_one_example() -> Any:
    return jax.vmap(add_noise, in_axes=(0, None))(X[:1], key())


@case("ok")
def one_brightness_for_an_image() -> Any:
    return jax.vmap(lambda image, key: image * random.uniform(key))(jnp.ones((4, 2, 2)), random.split(key(), 4))


# -- devices -----------------------------------------------------------------------------------


@case("shared", devices=2)
def pmap_that_does_not_map_the_key() -> Any:
    return jax.pmap(add_noise, in_axes=(0, None))(jnp.ones((jax.device_count(), 3)), key())


@case("ok")
def pmap_over_keys() -> Any:
    count = jax.device_count()
    return jax.pmap(add_noise)(jnp.ones((count, 3)), random.split(key(), count))


def _on_each_device(function: Any) -> Any:
    mesh = jax.make_mesh((jax.device_count(),), ("i",), axis_types=(AxisType.Auto,))
    specs = (PartitionSpec("i"), PartitionSpec())
    sharded = jax.shard_map(function, mesh=mesh, in_specs=specs, out_specs=PartitionSpec("i"))
    return jax.jit(sharded)(jnp.ones(jax.device_count()), key())


@case("shared", devices=2)
def shard_map_with_a_replicated_key() -> Any:
    return _on_each_device(add_noise)


@case("ok")
def shard_map_that_folds_its_index_in() -> Any:
    return _on_each_device(lambda x, key: add_noise(x, random.fold_in(key, lax.axis_index("i"))))

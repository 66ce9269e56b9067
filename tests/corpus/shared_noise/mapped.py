"""One key, or one for each, under vmap in its disguises and on several devices."""

import jax
import jax.numpy as jnp
from jax import lax, random
from jax.sharding import AxisType, PartitionSpec

X = jnp.ones((4, 3))


def key():
    return random.key(7)


def add_noise(x, key):
    return x + random.normal(key, x.shape)


def _on_each_device(function):
    mesh = jax.make_mesh((jax.device_count(),), ("i",), axis_types=(AxisType.Auto,))
    specs = (PartitionSpec("i"), PartitionSpec())
    sharded = jax.shard_map(function, mesh=mesh, in_specs=specs, out_specs=PartitionSpec("i"))
    return jax.jit(sharded)(jnp.ones(jax.device_count()), key())


def _on_a_mesh_of_two_axes(function, out_specs):
    sizes = -(-jax.device_count() // 2), min(2, jax.device_count())
    mesh = jax.make_mesh(sizes, ("data", "model"), axis_types=(AxisType.Auto,) * 2)
    specs = PartitionSpec("data", "model"), PartitionSpec("model"), PartitionSpec()
    sharded = jax.shard_map(function, mesh=mesh, in_specs=specs, out_specs=out_specs)
    return jax.jit(sharded)(jnp.ones((sizes[0], 4)), jnp.ones((4, 3)), key())


# -- vmap in its disguises ---------------------------------------------------------------------


def vmap_that_does_not_map_the_key():  # bug: shared-noise
    # shared along axis 0 by 4 examples, 1 key
    return jax.vmap(add_noise, in_axes=(0, None))(X, key())


def vmap_that_splits_inside():  # bug: shared-noise
    # shared along axis 0 by 4 examples, 1 key
    def one(x, key):
        first, second = random.split(key)
        return add_noise(add_noise(x, first), second)

    return jax.vmap(one, in_axes=(0, None))(X, key())


def vmap_over_a_broadcast_key():  # bug: shared-noise
    # shared along axis 0 by 4 examples, 1 key
    return jax.vmap(add_noise)(X, jnp.broadcast_to(key(), 4))


def vmap_over_repeated_keys():  # bug: shared-noise
    # shared along axis 0 by 4 examples, 2 keys
    return jax.vmap(add_noise)(X, jnp.repeat(random.split(key(), 2), 2))


def vmap_under_jit():  # bug: shared-noise
    # shared along axis 0 by 4 examples, 1 key
    return jax.jit(jax.vmap(add_noise, in_axes=(0, None)))(X, key())


def vmap_of_jit():  # bug: shared-noise
    # shared along axis 0 by 4 examples, 1 key
    return jax.vmap(jax.jit(add_noise), in_axes=(0, None))(X, key())


def vmap_of_vmap_with_one_key_a_row():  # bug: shared-noise
    # shared along axis 1 by 4 examples, 1 key
    both = jax.vmap(jax.vmap(add_noise, in_axes=(0, None)))
    return both(jnp.ones((2, 4, 3)), random.split(key(), 2))


def vmap_along_the_second_axis():  # bug: shared-noise
    # shared along axis 0 by 3 examples, 1 key
    return jax.vmap(add_noise, in_axes=(1, None), out_axes=1)(X, key())


def vmap_of_a_derivative():  # bug: shared-noise
    # shared along axis 0 by 4 examples, 1 key
    return jax.vmap(jax.grad(lambda x, key: add_noise(x * x, key).sum()), in_axes=(0, None))(X, key())


def vmap_of_a_scan():  # bug: shared-noise
    # shared along axis 0 by 4 examples, 1 key
    noise_key = key()

    def one(x):
        return lax.scan(lambda x, key: (add_noise(x, key), None), x, random.split(noise_key, 3))[0]

    return jax.vmap(one)(X)


def vmap_of_cond_with_one_key():
    # shared along axis 0 by 3 examples, 1 key
    noise_key = key()

    def one(x):
        return lax.cond(x > 1, lambda: random.normal(noise_key), lambda: 0.0)  # bug: shared-noise

    return jax.vmap(one)(jnp.arange(5))


def vectorize_that_leaves_the_key_out():
    # shared along axis 0 by 4 examples, 1 key
    noise_key = key()
    return jnp.vectorize(lambda x: x + random.normal(noise_key))(X)  # bug: shared-noise


def vmap_over_a_dictionary_but_not_its_key():  # bug: shared-noise
    # shared along axis 0 by 4 examples, 1 key
    def one(example):
        return add_noise(example["x"], example["key"])

    return jax.vmap(one, in_axes=({"x": 0, "key": None},))({"x": X, "key": key()})


def vmap_of_while_with_one_key():
    # shared along axis 0 by 3 examples, 1 key
    noise_key = key()

    def iterations(count):
        def body(state):
            done, key, x = state
            key, sub = random.split(key)
            return done + 1, key, x + random.normal(sub)  # bug: shared-noise

        return lax.while_loop(lambda state: state[0] < count, body, (0, noise_key, 0.0))[2]

    return jax.vmap(iterations)(jnp.arange(1, 4))


def custom_vmap_that_does_not_map_the_key():  # bug: shared-noise
    # shared along axis 0 by 4 examples, 1 key
    function = jax.custom_batching.custom_vmap(add_noise)
    function.def_vmap(lambda _, __, x, key: (jax.vmap(add_noise, in_axes=(0, None))(x, key), True))
    return jax.vmap(function, in_axes=(0, None))(X, key())


def one_key_for_all_of_map_in_batches():  # bug: shared-noise
    noise_key = key()
    return lax.map(lambda x: add_noise(x, noise_key), X, batch_size=2)


def the_same_keys_in_each_chain():  # bug: shared-noise
    # shared along axis 0 by 2 examples, 1 key
    chains = jax.vmap(jax.vmap(add_noise), in_axes=(0, None))
    return chains(jnp.ones((2, 4, 3)), random.split(key(), 4))


def one_key_for_all_chains():  # bug: shared-noise
    # shared along axis 0 by 2 examples, 1 key
    noise_key = key()
    return jax.vmap(jax.vmap(lambda x: add_noise(x, noise_key)))(jnp.ones((2, 4, 3)))


def vmap_in_a_loop():  # bug: shared-noise
    # shared along axis 0 by 4 examples, 1 key
    step = jax.vmap(add_noise, in_axes=(0, None))
    return lax.scan(lambda x, key: (step(x, key), None), X, random.split(key(), 5))[0]


def the_index_of_a_named_axis_folded_in():
    parent = key()
    return jax.vmap(lambda x: add_noise(x, random.fold_in(parent, lax.axis_index("i"))), axis_name="i")(X)


def both_signs_of_one_draw_in_each_example():
    def pair(x, key):
        noise = random.normal(key, x.shape)
        return x + noise, x - noise

    return jax.vmap(pair)(X, random.split(key(), 4))


def a_key_for_each_example():
    return jax.vmap(add_noise)(X, random.split(key(), 4))


def the_number_of_the_example_folded_in():
    parent = key()
    return jax.vmap(lambda x, i: add_noise(x, random.fold_in(parent, i)))(X, jnp.arange(4))


def vmap_of_cond_on_a_key_for_each():
    def one(x, key):
        return lax.cond(x > 1, random.normal, random.uniform, key)

    return jax.vmap(one)(jnp.arange(4), random.split(key(), 4))


def one_draw_for_all_made_outside():
    noise = random.normal(key(), (3,))
    return jax.vmap(lambda x: x + noise)(X)


def vmap_over_one_example():
    return jax.vmap(add_noise, in_axes=(0, None))(X[:1], key())


# -- devices -----------------------------------------------------------------------------------


def pmap_that_does_not_map_the_key():  # bug: shared-noise
    # takes 2 devices
    return jax.pmap(add_noise, in_axes=(0, None))(jnp.ones((jax.device_count(), 3)), key())


def pmap_over_keys():
    count = jax.device_count()
    return jax.pmap(add_noise)(jnp.ones((count, 3)), random.split(key(), count))


def shard_map_with_a_replicated_key():  # bug: shared-noise
    # takes 2 devices
    return _on_each_device(lambda x, key: lax.pmean(add_noise(x, key), "i"))


def shard_map_that_folds_its_index_in():
    return _on_each_device(lambda x, key: add_noise(x, random.fold_in(key, lax.axis_index("i"))))


def shard_map_with_one_example_on_several_devices():
    # takes 4 devices
    def layer(x, w, key):
        mine = random.fold_in(key, lax.axis_index("data"))
        return lax.psum(x @ w, "model") + random.normal(mine, (1, 3))

    return _on_a_mesh_of_two_axes(layer, PartitionSpec("data"))


def shard_map_that_drops_parts_of_all_examples_alike():
    # takes 4 devices
    def layer(x, w, key):
        y = lax.psum(x @ w, "model")
        return lax.pmean(jnp.where(random.bernoulli(key, 0.5, y.shape), y, 0), "data")  # bug: shared-noise

    return _on_a_mesh_of_two_axes(layer, PartitionSpec())


def shard_map_with_a_key_for_one_of_two_axes_of_examples():
    # takes 4 devices
    def layer(x, _w, key):
        return x + random.normal(random.fold_in(key, lax.axis_index("data")), x.shape)  # bug: shared-noise

    return _on_a_mesh_of_two_axes(layer, PartitionSpec("data", "model"))

"""The situations in the tests of JAX's own key checker, each as a small program that runs: single operations."""

import jax
import jax.numpy as jnp
from jax import lax, random


def key():
    return random.key(7)


# -- one operation, and whether it uses the key up ---------------------------------------------


def drawn_before_and_after_an_unknown_operation():
    # restates test_unknown
    noise_key = key()
    return random.bits(lax.optimization_barrier(noise_key)), random.bits(noise_key)  # bug: key-reuse


def drawn_and_its_clone_drawn():
    # restates test_random_clone, test_clone_eager
    noise_key = key()
    return random.uniform(noise_key), random.uniform(random.clone(noise_key))


def drawn_after_it_was_split():
    # restates test_split
    # at "random.split(noise_key)", "random.bits(noise_key)"
    noise_key = key()
    return random.split(noise_key), random.bits(noise_key)  # bug: key-reuse


def gamma_then_bits():
    # restates test_gamma
    # at "random.gamma(noise_key, 1.0)", "random.bits(noise_key)"
    noise_key = key()
    return random.gamma(noise_key, 1.0), random.bits(noise_key)  # bug: key-reuse


# -- a key that is moved is the same key -------------------------------------------------------


def drawn_and_drawn_with_a_new_axis():
    # restates test_broadcast_in_dim, test_reuse_after_broadcast
    noise_key = key()
    return random.bits(noise_key) + jax.vmap(random.bits)(noise_key[None])  # bug: key-reuse


def drawn_and_its_copy_drawn():
    # restates test_copy
    noise_key = key()
    return random.bits(noise_key), random.bits(jnp.array(noise_key, copy=True))  # bug: key-reuse


def only_the_copy_of_a_copy_is_drawn():
    # restates test_jaxpr_type_signature[copy], test_jaxpr_type_signature[convert_element_type]
    noise_key = key()
    return random.bits(jnp.array(jnp.array(noise_key), dtype=noise_key.dtype))


def drawn_before_and_after_device_put():
    # restates test_device_put
    noise_key = key()
    return random.bits(jax.device_put(noise_key)), random.bits(noise_key)  # bug: key-reuse


def one_of_two_put_together_is_drawn_again():
    # restates test_device_put_multiple
    first, second = random.key(1), random.key(2)
    moved = jax.device_put((first, second))
    return random.bits(moved[0]), random.bits(moved[1]), random.bits(second)  # bug: key-reuse


def squeezed_in_two_ways():
    # restates test_squeeze, test_reuse_after_squeeze
    one = random.split(key(), 1)
    return random.bits(one.squeeze()) + random.bits(lax.squeeze(one, (0,)))  # bug: key-reuse


def drawn_and_drawn_in_another_shape():
    # restates test_reshape, test_reuse_after_reshape
    noise_key = key()
    return random.bits(noise_key) + random.bits(noise_key.reshape((1,)).squeeze())  # bug: key-reuse


def concatenated_and_drawn():
    # restates test_concatenate
    keys = lax.concatenate([random.split(random.key(1)), random.split(random.key(2))], 0)
    return jax.vmap(random.bits)(keys)


def drawn_and_drawn_again_among_others():
    # restates test_concatenate
    first, second = random.split(random.key(1)), random.split(random.key(2))
    keys = lax.concatenate([first, second], 0)
    return jax.vmap(random.bits)(keys), random.bits(first[0])  # bug: key-reuse


def one_element_is_drawn_twice():
    # restates test_slice
    keys = random.split(key())
    return random.bits(keys[0]), random.bits(keys[1]), random.bits(keys[0])  # bug: key-reuse


def a_dynamic_slice_is_drawn():
    # restates test_jaxpr_type_signature[dynamic_slice]
    keys = random.split(key(), 3)
    return jax.vmap(random.bits)(lax.dynamic_slice(keys, (1,), (2,)))


def written_among_others_and_drawn_here_too():
    # restates test_jaxpr_type_signature[dynamic_update_slice]
    keys, other = random.split(key(), 3), random.split(random.key(8), 1)  # note: unused-key
    return jax.vmap(random.bits)(lax.dynamic_update_slice(keys, other, (1,))), random.bits(other[0])  # bug: key-reuse


def compared_and_drawn():
    # restates test_equality_checks[eq], test_equality_checks[ne]
    first, second = random.key(1), random.key(2)
    return first == second, first != second, random.bits(first), random.bits(second)

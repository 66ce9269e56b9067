"""The situations in the tests of JAX's own key checker, each as a small program that runs: single operations."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax import lax, random

from tests.worker.lineage.checker_cases.table import CaseTable

TABLE = CaseTable()
case = TABLE.case


def key() -> Any:
    return random.key(7)


# -- one operation, and whether it uses the key up ---------------------------------------------


@case("ok", "test_assertions, test_seed")
def a_new_key_is_drawn_once() -> Any:
    return random.bits(key())


@case("ok", "test_unknown")
def passed_through_an_operation_the_checker_does_not_know() -> Any:
    return random.bits(lax.optimization_barrier(key()))


@case("reuse", "test_unknown")
def drawn_before_and_after_an_unknown_operation() -> Any:
    noise_key = key()
    return random.bits(lax.optimization_barrier(noise_key)), random.bits(noise_key)


@case("reuse", "test_consume, test_bits", at=("random.bits(noise_key)", "random.bits(noise_key)"))
def bits_twice() -> Any:
    noise_key = key()
    return random.bits(noise_key), random.bits(noise_key)


@case("ok", "test_random_clone, test_clone_eager")
def drawn_and_its_clone_drawn() -> Any:
    noise_key = key()
    return random.uniform(noise_key), random.uniform(random.clone(noise_key))


@case("ok", "test_split")
def children_of_a_split_are_drawn() -> Any:
    return [random.bits(each) for each in random.split(key())]


@case("reuse", "test_split", at=("random.split(noise_key)", "random.bits(noise_key)"))
def drawn_after_it_was_split() -> Any:
    noise_key = key()
    return random.split(noise_key), random.bits(noise_key)


@case("ok", "test_fold_in")
def folded_and_the_new_key_drawn() -> Any:
    return random.bits(random.fold_in(key(), 2))


@case("ok", "test_wrap")
def raw_words_wrapped_and_drawn() -> Any:
    return random.bits(random.wrap_key_data(jnp.array([3, 5], jnp.uint32)))


@case("ok", "test_unwrap")
def drawn_after_its_words_were_read() -> Any:
    noise_key = key()
    return random.key_data(noise_key), random.bits(noise_key)


@case("reuse", "test_gamma", at=("random.gamma(noise_key, 1.0)", "random.bits(noise_key)"))
def gamma_then_bits() -> Any:
    noise_key = key()
    return random.gamma(noise_key, 1.0), random.bits(noise_key)


@case("ok", "test_jaxpr_type_signature[random_gamma], test_function_type_signature[random_gamma]")
def gamma_once() -> Any:
    return random.gamma(key(), 1.0)


# -- a key that is moved is the same key -------------------------------------------------------


@case("reuse", "test_broadcast_in_dim, test_reuse_after_broadcast")
def drawn_and_drawn_with_a_new_axis() -> Any:
    noise_key = key()
    return random.bits(noise_key) + jax.vmap(random.bits)(noise_key[None])


@case("ok", "test_jaxpr_type_signature[broadcast_in_dim]")
def given_an_axis_and_drawn() -> Any:
    return jax.vmap(random.bits)(key()[None])


@case("reuse", "test_copy")
def drawn_and_its_copy_drawn() -> Any:
    noise_key = key()
    return random.bits(noise_key), random.bits(jnp.array(noise_key, copy=True))


@case("ok", "test_jaxpr_type_signature[copy], test_jaxpr_type_signature[convert_element_type]")
def only_the_copy_of_a_copy_is_drawn() -> Any:
    noise_key = key()
    return random.bits(jnp.array(jnp.array(noise_key), dtype=noise_key.dtype))


@case("reuse", "test_device_put")
def drawn_before_and_after_device_put() -> Any:
    noise_key = key()
    return random.bits(jax.device_put(noise_key)), random.bits(noise_key)


@case("reuse", "test_device_put_multiple")
def one_of_two_put_together_is_drawn_again() -> Any:
    first, second = random.key(1), random.key(2)
    moved = jax.device_put((first, second))
    return random.bits(moved[0]), random.bits(moved[1]), random.bits(second)


@case("ok", "test_device_put_multiple")
def two_put_together_are_drawn() -> Any:
    moved = jax.device_put((random.key(1), random.key(2)))
    return random.bits(moved[0]), random.bits(moved[1])


@case("reuse", "test_squeeze, test_reuse_after_squeeze")
def squeezed_in_two_ways() -> Any:
    one = random.split(key(), 1)
    return random.bits(one.squeeze()) + random.bits(lax.squeeze(one, (0,)))


@case("ok", "test_jaxpr_type_signature[squeeze]")
def squeezed_and_drawn() -> Any:
    return random.bits(jnp.squeeze(key()[None]))


@case("reuse", "test_reshape, test_reuse_after_reshape")
def drawn_and_drawn_in_another_shape() -> Any:
    noise_key = key()
    return random.bits(noise_key) + random.bits(noise_key.reshape((1,)).squeeze())


@case("ok", "test_jaxpr_type_signature[reshape]")
def reshaped_and_drawn() -> Any:
    return jax.vmap(random.bits)(key().reshape((1,)))


@case("ok", "test_concatenate")
def concatenated_and_drawn() -> Any:
    keys = lax.concatenate([random.split(random.key(1)), random.split(random.key(2))], 0)
    return jax.vmap(random.bits)(keys)


@case("reuse", "test_concatenate")
def drawn_and_drawn_again_among_others() -> Any:
    first, second = random.split(random.key(1)), random.split(random.key(2))
    keys = lax.concatenate([first, second], 0)
    return jax.vmap(random.bits)(keys), random.bits(first[0])


@case("ok", "test_slice")
def each_element_is_drawn_once() -> Any:
    keys = random.split(key())
    return random.bits(keys[0]), random.bits(keys[1])


@case("reuse", "test_slice")
def one_element_is_drawn_twice() -> Any:
    keys = random.split(key())
    return random.bits(keys[0]), random.bits(keys[1]), random.bits(keys[0])


@case("ok", "test_jaxpr_type_signature[dynamic_slice]")
def a_dynamic_slice_is_drawn() -> Any:
    keys = random.split(key(), 3)
    return jax.vmap(random.bits)(lax.dynamic_slice(keys, (1,), (2,)))


@case("ok", "test_jaxpr_type_signature[dynamic_update_slice]", notes=("unused-key",))
def written_among_others_and_drawn_there() -> Any:
    keys, other = random.split(key(), 3), random.split(random.key(8), 1)
    return jax.vmap(random.bits)(lax.dynamic_update_slice(keys, other, (1,)))


@case("reuse", "test_jaxpr_type_signature[dynamic_update_slice]", notes=("unused-key",))
def written_among_others_and_drawn_here_too() -> Any:
    keys, other = random.split(key(), 3), random.split(random.key(8), 1)
    return jax.vmap(random.bits)(lax.dynamic_update_slice(keys, other, (1,))), random.bits(other[0])


@case("ok", "test_equality_checks[eq], test_equality_checks[ne]")
def compared_and_drawn() -> Any:
    first, second = random.key(1), random.key(2)
    return first == second, first != second, random.bits(first), random.bits(second)

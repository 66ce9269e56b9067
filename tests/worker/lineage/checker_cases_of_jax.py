"""The situations in the tests of JAX's own key checker, each as a small program that runs.

Those tests partly ask whether a key is marked as consumed at some line. Here a further draw at that line asks the same:
it is reuse where the mark stands. The tests of the checker's data structures (sources, sinks, their text and
equality) have no program, and neither has its `consume`.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax import lax, random

from tests.worker.case_table import CaseTable

TABLE = CaseTable()
case = TABLE.case


def key() -> Any:
    return random.key(7)


# -- one operation, and whether it uses the key up --------------------------------------------


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


@case("reuse", "test_consume, test_bits")
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


@case("reuse", "test_split")
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


@case("reuse", "test_gamma")
def gamma_then_bits() -> Any:
    noise_key = key()
    return random.gamma(noise_key, 1.0), random.bits(noise_key)


@case("ok", "test_jaxpr_type_signature[random_gamma], test_function_type_signature[random_gamma]")
def gamma_once() -> Any:
    return random.gamma(key(), 1.0)


# -- a key that is moved is the same key ------------------------------------------------------


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


@case("ok", "test_jaxpr_type_signature[dynamic_update_slice]")
def written_among_others_and_drawn_there() -> Any:
    keys, other = random.split(key(), 3), random.split(random.key(8), 1)
    return jax.vmap(random.bits)(lax.dynamic_update_slice(keys, other, (1,)))


@case("reuse", "test_jaxpr_type_signature[dynamic_update_slice]")
def written_among_others_and_drawn_here_too() -> Any:
    keys, other = random.split(key(), 3), random.split(random.key(8), 1)
    return jax.vmap(random.bits)(lax.dynamic_update_slice(keys, other, (1,))), random.bits(other[0])


@case("ok", "test_equality_checks[eq], test_equality_checks[ne]")
def compared_and_drawn() -> Any:
    first, second = random.key(1), random.key(2)
    return first == second, first != second, random.bits(first), random.bits(second)


# -- jit --------------------------------------------------------------------------------------


@case("reuse", "test_jit_can_consume_input, test_simple_key_reuse_jit")
def drawn_by_two_jitted_calls() -> Any:
    noise_key = key()
    return jax.jit(random.bits)(noise_key), jax.jit(random.bits)(noise_key)


@case("reuse", "test_jit_can_return_consumed_output")
def drawn_inside_jit_returned_and_drawn() -> Any:
    @jax.jit
    def draw() -> Any:
        noise_key = key()
        return random.bits(noise_key), noise_key

    bits, noise_key = draw()
    return bits, random.bits(noise_key)


@case("ok", "test_jit_duplicate_inputs")
def given_twice_to_jit_and_drawn_once() -> Any:
    noise_key = key()
    return jax.jit(lambda first, _: random.bits(first))(noise_key, noise_key)


@case("reuse", "test_jit_duplicate_inputs")
def given_twice_to_jit_and_drawn_under_both_names() -> Any:
    noise_key = key()
    return jax.jit(lambda first, second: random.bits(first) + random.bits(second))(noise_key, noise_key)


@case("reuse", "test_jit_propagates_consumption_bit")
def handed_through_jit_and_drawn_on_both_sides() -> Any:
    noise_key = key()
    return random.bits(jax.jit(lambda: noise_key)()), random.bits(noise_key)


@case("reuse", "test_jit_duplicate_outputs")
def returned_twice_by_jit_and_both_drawn() -> Any:
    first, second = jax.jit(lambda key: (key, key))(key())
    return random.bits(first), random.bits(second)


@case("ok", "test_jit_duplicate_outputs")
def returned_twice_by_jit_and_one_drawn() -> Any:
    first, _ = jax.jit(lambda key: (key, key))(key())
    return random.bits(first)


@case("ok", "test_pjit_consumed_input")
def drawn_and_given_to_jit_that_ignores_it() -> Any:
    noise_key = key()
    return jax.jit(lambda _, x: x)(noise_key, random.bits(noise_key))


@case("reuse", "test_simple_reuse_nojit")
def twice_with_jit_disabled() -> Any:
    noise_key = key()
    with jax.disable_jit():
        return random.bits(noise_key), random.bits(noise_key)


@case("reuse", "test_closed_over_key_reuse_jit")
def closed_over_by_jit_that_is_called_twice() -> Any:
    noise_key = key()
    draw = jax.jit(lambda: random.uniform(noise_key))
    return draw(), draw()


@case("reuse", "test_key_reuse_within_jit, test_key_reuse_flag")
def twice_inside_jit() -> Any:
    @jax.jit
    def draw() -> Any:
        noise_key = key()
        return random.bits(noise_key) + random.bits(noise_key)

    return draw()


@case("ok", "test_key_reuse_flag")
def once_inside_jit() -> Any:
    return jax.jit(random.bits)(key())


# -- straight lines ---------------------------------------------------------------------------


@case("reuse", "test_reuse")
def uniform_twice() -> Any:
    noise_key = key()
    return random.uniform(noise_key) + random.uniform(noise_key)


@case("ok", "test_reuse_after_split")
def split_and_both_children_drawn() -> Any:
    first, second = random.split(key())
    return random.uniform(first) + random.uniform(second)


@case("reuse", "test_reuse_after_split")
def split_then_the_parent_drawn() -> Any:
    noise_key = key()
    children = random.split(noise_key)
    return random.uniform(noise_key), children


@case("reuse", "test_reuse_after_split")
def split_twice() -> Any:
    noise_key = key()
    children = random.split(noise_key)
    first, second = random.split(noise_key)
    return random.uniform(first), children, second


@case("ok", "test_repeated_fold_ins")
def folded_with_ten_numbers() -> Any:
    noise_key = key()
    return [random.uniform(random.fold_in(noise_key, step)) for step in range(10)]


# JAX's own checker lets it pass; but what is folded in makes a child whose key data the draw gives away.
@case("reuse", "test_reuse_after_fold_in")
def folded_and_drawn() -> Any:
    noise_key = key()
    return random.fold_in(noise_key, 1), random.uniform(noise_key)


# -- cond -------------------------------------------------------------------------------------


def _one_of_two(condition: bool, noise_key: Any) -> Any:
    return lax.cond(condition, random.uniform, random.normal, noise_key)


@case("ok", "test_cond_both_consumed, test_reuse_after_cond")
def cond_draws_on_either_side() -> Any:
    return _one_of_two(True, random.key(1)), _one_of_two(False, random.key(2))


@case("reuse", "test_cond_both_consumed, test_reuse_after_cond")
def drawn_after_cond_drew_on_either_side() -> Any:
    noise_key = key()
    return _one_of_two(True, noise_key) + random.uniform(noise_key)


@case("reuse", "test_cond_one_consumed, test_reuse_after_cond")
def drawn_after_the_side_that_draws_was_taken() -> Any:
    noise_key = key()
    return lax.cond(True, random.uniform, lambda _: 1.0, noise_key) + random.uniform(noise_key)


@case("ok", "test_cond_neither_consumed")
def drawn_after_cond_without_draws() -> Any:
    noise_key = key()
    return lax.cond(True, lambda _: 0.0, lambda _: 1.0, noise_key) + random.uniform(noise_key)


# -- vmap -------------------------------------------------------------------------------------


@case("ok", "test_simple_vmap, test_vmap")
def a_seed_for_each_example() -> Any:
    return jax.vmap(jax.jit(lambda seed: random.uniform(random.key(seed))))(jnp.arange(4))


@case("reuse and shared", "test_vmap")
def one_seed_for_all_examples_drawn_twice() -> Any:
    def one(_: Any) -> Any:
        noise_key = random.key(0)
        return random.bits(noise_key) + random.bits(noise_key)

    return jax.vmap(one)(jnp.arange(4))


@case("ok", "test_vmap_zero_sized_axis")
def no_examples_at_all() -> Any:
    def one(key: Any) -> Any:
        first, second = random.split(key)
        return random.bits(first) + random.bits(second)

    return jax.vmap(one)(random.split(key(), 0))


# -- scan -------------------------------------------------------------------------------------


@case("ok", "test_simple_scan")
def scan_that_splits_its_key() -> Any:
    def body(key: Any, _: Any) -> Any:
        key, sub = random.split(key)
        return key, random.bits(sub)

    return lax.scan(body, key(), jnp.arange(10))


@case("reuse", "test_scan_sink_on_consts")
def scan_that_closes_over_its_key() -> Any:
    noise_key = key()
    return lax.scan(lambda carry, _: (carry, random.uniform(noise_key)), None, jnp.arange(10))


@case("reuse", "test_scan_reuse_in_body")
def scan_that_hands_on_the_key_it_drew_from() -> Any:
    return lax.scan(lambda key, _: (key, random.bits(key)), key(), jnp.arange(10))


@case("ok", "test_scan_good_over_keys")
def map_over_keys() -> Any:
    return lax.map(random.bits, random.split(key(), 5))


@case("ok", "test_scan_consume_one")
def scan_that_splits_one_of_two_keys() -> Any:
    def body(keys: Any, x: Any) -> Any:
        return tuple(random.split(keys[0])), x

    return lax.scan(body, (random.key(1), random.key(2)), jnp.arange(10))


# -- while ------------------------------------------------------------------------------------


@case("ok", "test_while_simple")
def while_that_splits_its_key() -> Any:
    def body(state: Any) -> Any:
        key, sub = random.split(state[0])
        return key, state[1] + random.uniform(sub)

    return lax.while_loop(lambda state: state[1] < 3, body, (key(), 0.0))


@case("reuse", "test_while_bad_cond")
def while_whose_condition_draws_from_what_it_carries() -> Any:
    return lax.while_loop(
        lambda state: state[0] < random.uniform(state[1]), lambda state: (state[0] + 1, state[1]), (0, key())
    )


@case("reuse", "test_while_bad_body")
def while_that_hands_on_the_key_it_drew_from() -> Any:
    return lax.while_loop(
        lambda state: state[1] < 5, lambda state: (state[0], state[1] + random.randint(state[0], (), 1, 3)), (key(), 0)
    )


@case("reuse", "test_while_sink_on_body_consts")
def while_whose_body_closes_over_its_key() -> Any:
    noise_key = key()
    return lax.while_loop(lambda i: i < 5, lambda i: i + random.randint(noise_key, (), 1, 3), 0)


@case("reuse", "test_while_sink_on_cond_consts")
def while_whose_condition_closes_over_its_key() -> Any:
    noise_key = key()
    return lax.while_loop(lambda i: i < random.uniform(noise_key), lambda i: i + 1, 0)


# -- remat ------------------------------------------------------------------------------------


@jax.checkpoint
def _twice_as_noisy(x: Any, noise_key: Any) -> Any:
    return x * random.uniform(noise_key) + random.uniform(noise_key)


@jax.checkpoint
def _noisy(x: Any, noise_key: Any) -> Any:
    return x * random.uniform(noise_key)


@case("reuse", "test_remat")
def remat_of_two_draws() -> Any:
    return _twice_as_noisy(jnp.float32(1), key())


@case("reuse", "test_remat")
def derivative_of_remat_of_two_draws() -> Any:
    return jax.value_and_grad(_twice_as_noisy)(jnp.float32(1), key())


@case("ok", "test_remat")
def remat_of_one_draw() -> Any:
    return _noisy(jnp.float32(1), key())


@case("ok", "test_remat")
def derivative_of_remat_of_one_draw() -> Any:
    return jax.grad(_noisy)(jnp.float32(1), key())

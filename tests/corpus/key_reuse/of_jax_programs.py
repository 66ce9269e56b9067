"""The situations in the tests of JAX's own key checker, each as a small program that runs: jit, branches and loops."""

import jax
import jax.numpy as jnp
from jax import lax, random


def key():
    return random.key(7)


def _one_of_two(condition, noise_key):
    return lax.cond(condition, random.uniform, random.normal, noise_key)


@jax.checkpoint
def _twice_as_noisy(x, noise_key):
    return x * random.uniform(noise_key) + random.uniform(noise_key)


@jax.checkpoint
def _noisy(x, noise_key):
    return x * random.uniform(noise_key)


# -- jit ---------------------------------------------------------------------------------------


def drawn_by_two_jitted_calls():
    # restates test_jit_can_consume_input, test_simple_key_reuse_jit
    # at "jax.jit(random.bits)(noise_key)", "jax.jit(random.bits)(noise_key)"
    noise_key = key()
    return jax.jit(random.bits)(noise_key), jax.jit(random.bits)(noise_key)  # bug: key-reuse


def drawn_inside_jit_returned_and_drawn():
    # restates test_jit_can_return_consumed_output
    @jax.jit
    def draw():
        noise_key = key()
        return random.bits(noise_key), noise_key  # bug: key-reuse

    bits, noise_key = draw()
    return bits, random.bits(noise_key)


def given_twice_to_jit_and_drawn_under_both_names():
    # restates test_jit_duplicate_inputs
    noise_key = key()
    both = jax.jit(lambda first, second: random.bits(first) + random.bits(second))  # bug: key-reuse
    return both(noise_key, noise_key)


def handed_through_jit_and_drawn_on_both_sides():
    # restates test_jit_propagates_consumption_bit
    noise_key = key()
    return random.bits(jax.jit(lambda: noise_key)()), random.bits(noise_key)  # bug: key-reuse


def returned_twice_by_jit_and_both_drawn():
    # restates test_jit_duplicate_outputs
    first, second = jax.jit(lambda key: (key, key))(key())
    return random.bits(first), random.bits(second)  # bug: key-reuse


def drawn_and_given_to_jit_that_ignores_it():
    # restates test_pjit_consumed_input
    noise_key = key()
    return jax.jit(lambda _, x: x)(noise_key, random.bits(noise_key))


def twice_with_jit_disabled():
    # restates test_simple_reuse_nojit
    noise_key = key()
    with jax.disable_jit():
        return random.bits(noise_key), random.bits(noise_key)  # bug: key-reuse


def closed_over_by_jit_that_is_called_twice():
    # restates test_closed_over_key_reuse_jit
    noise_key = key()
    draw = jax.jit(lambda: random.uniform(noise_key))  # bug: key-reuse
    return draw(), draw()


def twice_inside_jit():
    # restates test_key_reuse_within_jit, test_key_reuse_flag
    @jax.jit
    def draw():
        noise_key = key()
        return random.bits(noise_key) + random.bits(noise_key)  # bug: key-reuse

    return draw()


# -- straight lines ----------------------------------------------------------------------------


def split_twice():
    # restates test_reuse_after_split
    # at "random.split(noise_key)", "random.split(noise_key)"
    noise_key = key()
    children = random.split(noise_key)  # bug: key-reuse
    first, second = random.split(noise_key)
    return random.uniform(first), children, second


# JAX's own checker lets it pass; but what is folded in makes a child whose key data the draw gives away.
def folded_and_drawn():
    # restates test_reuse_after_fold_in
    noise_key = key()
    return random.fold_in(noise_key, 1), random.uniform(noise_key)  # bug: key-reuse


# -- cond --------------------------------------------------------------------------------------


def cond_draws_on_either_side():
    # restates test_cond_both_consumed, test_reuse_after_cond
    return _one_of_two(True, random.key(1)), _one_of_two(False, random.key(2))


def drawn_after_cond_drew_on_either_side():  # bug: key-reuse
    # restates test_cond_both_consumed, test_reuse_after_cond
    noise_key = key()
    return _one_of_two(True, noise_key) + random.uniform(noise_key)


def drawn_after_the_side_that_draws_was_taken():
    # restates test_cond_one_consumed, test_reuse_after_cond
    noise_key = key()
    return lax.cond(True, random.uniform, lambda _: 1.0, noise_key) + random.uniform(noise_key)  # bug: key-reuse


def drawn_after_cond_without_draws():
    # restates test_cond_neither_consumed
    noise_key = key()
    return lax.cond(True, lambda _: 0.0, lambda _: 1.0, noise_key) + random.uniform(noise_key)


# -- vmap --------------------------------------------------------------------------------------


def a_seed_for_each_example():
    # restates test_simple_vmap, test_vmap
    return jax.vmap(jax.jit(lambda seed: random.uniform(random.key(seed))))(jnp.arange(4))


def one_seed_for_all_examples_drawn_twice():
    # restates test_vmap
    def one(_):
        noise_key = random.key(0)
        return random.bits(noise_key) + random.bits(noise_key)  # bug: key-reuse, bug: shared-noise

    return jax.vmap(one)(jnp.arange(4))


# -- scan --------------------------------------------------------------------------------------


def scan_that_splits_its_key():
    # restates test_simple_scan
    def body(key, _):
        key, sub = random.split(key)
        return key, random.bits(sub)

    return lax.scan(body, key(), jnp.arange(10))


def scan_that_closes_over_its_key():
    # restates test_scan_sink_on_consts
    # at "random.uniform(noise_key)", "random.uniform(noise_key)"
    noise_key = key()
    return lax.scan(lambda carry, _: (carry, random.uniform(noise_key)), None, jnp.arange(10))  # bug: key-reuse


def scan_that_hands_on_the_key_it_drew_from():
    # restates test_scan_reuse_in_body
    return lax.scan(lambda key, _: (key, random.bits(key)), key(), jnp.arange(10))  # bug: key-reuse


def scan_that_splits_one_of_two_keys():
    # restates test_scan_consume_one
    def body(keys, x):
        return tuple(random.split(keys[0])), x  # note: unused-key

    return lax.scan(body, (random.key(1), random.key(2)), jnp.arange(10))


# -- while -------------------------------------------------------------------------------------


def while_that_splits_its_key():
    # restates test_while_simple
    def body(state):
        key, sub = random.split(state[0])
        return key, state[1] + random.uniform(sub)

    return lax.while_loop(lambda state: state[1] < 3, body, (key(), 0.0))


def while_whose_condition_draws_from_what_it_carries():
    # restates test_while_bad_cond
    return lax.while_loop(
        lambda state: state[0] < random.uniform(state[1]),  # bug: key-reuse
        lambda state: (state[0] + 1, state[1]),
        (0, key()),
    )


def while_that_hands_on_the_key_it_drew_from():
    # restates test_while_bad_body
    return lax.while_loop(
        lambda state: state[1] < 5,
        lambda state: (state[0], state[1] + random.randint(state[0], (), 1, 3)),  # bug: key-reuse
        (key(), 0),
    )


def while_whose_body_closes_over_its_key():
    # restates test_while_sink_on_body_consts
    # at "random.randint(noise_key, (), 1, 3)", "random.randint(noise_key, (), 1, 3)"
    noise_key = key()
    return lax.while_loop(lambda i: i < 5, lambda i: i + random.randint(noise_key, (), 1, 3), 0)  # bug: key-reuse


def while_whose_condition_closes_over_its_key():
    # restates test_while_sink_on_cond_consts
    noise_key = key()
    return lax.while_loop(lambda i: i < random.uniform(noise_key), lambda i: i + 1, 0)  # bug: key-reuse


# -- remat -------------------------------------------------------------------------------------


def derivative_of_remat_of_two_draws():  # bug: key-reuse
    # restates test_remat
    return jax.value_and_grad(_twice_as_noisy)(jnp.float32(1), key())


def derivative_of_remat_of_one_draw():
    # restates test_remat
    return jax.grad(_noisy)(jnp.float32(1), key())

"""The situations in the tests of JAX's own key checker, each as a small program that runs: jit, branches and loops."""

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


# -- jit ---------------------------------------------------------------------------------------


@case(
    "reuse",
    "test_jit_can_consume_input, test_simple_key_reuse_jit",
    at=("jax.jit(random.bits)(noise_key)", "jax.jit(random.bits)(noise_key)"),
)
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


# -- straight lines ----------------------------------------------------------------------------


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


@case("reuse", "test_reuse_after_split", at=("random.split(noise_key)", "random.split(noise_key)"))
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


# -- cond --------------------------------------------------------------------------------------


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


# -- vmap --------------------------------------------------------------------------------------


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


# -- scan --------------------------------------------------------------------------------------


@case("ok", "test_simple_scan")
def scan_that_splits_its_key() -> Any:
    def body(key: Any, _: Any) -> Any:
        key, sub = random.split(key)
        return key, random.bits(sub)

    return lax.scan(body, key(), jnp.arange(10))


@case("reuse", "test_scan_sink_on_consts", at=("random.uniform(noise_key)", "random.uniform(noise_key)"))
def scan_that_closes_over_its_key() -> Any:
    noise_key = key()
    return lax.scan(lambda carry, _: (carry, random.uniform(noise_key)), None, jnp.arange(10))


@case("reuse", "test_scan_reuse_in_body")
def scan_that_hands_on_the_key_it_drew_from() -> Any:
    return lax.scan(lambda key, _: (key, random.bits(key)), key(), jnp.arange(10))


@case("ok", "test_scan_good_over_keys")
def map_over_keys() -> Any:
    return lax.map(random.bits, random.split(key(), 5))


@case("ok", "test_scan_consume_one", notes=("unused-key",))
def scan_that_splits_one_of_two_keys() -> Any:
    def body(keys: Any, x: Any) -> Any:
        return tuple(random.split(keys[0])), x

    return lax.scan(body, (random.key(1), random.key(2)), jnp.arange(10))


# -- while -------------------------------------------------------------------------------------


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


@case(
    "reuse",
    "test_while_sink_on_body_consts",
    at=("random.randint(noise_key, (), 1, 3)", "random.randint(noise_key, (), 1, 3)"),
)
def while_whose_body_closes_over_its_key() -> Any:
    noise_key = key()
    return lax.while_loop(lambda i: i < 5, lambda i: i + random.randint(noise_key, (), 1, 3), 0)


@case("reuse", "test_while_sink_on_cond_consts")
def while_whose_condition_closes_over_its_key() -> Any:
    noise_key = key()
    return lax.while_loop(lambda i: i < random.uniform(noise_key), lambda i: i + 1, 0)


# -- remat -------------------------------------------------------------------------------------


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

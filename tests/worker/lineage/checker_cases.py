"""Small programs of ours for key checkers: every way that we know to use a key wrongly, or rightly but oddly."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, random
from jax.experimental import io_callback
from jax.sharding import AxisType, PartitionSpec

from tests.worker.case_table import CaseTable

TABLE = CaseTable()
case = TABLE.case

X = jnp.ones((4, 3))


def key() -> Any:
    return random.key(7)


def add_noise(x: Any, key: Any) -> Any:
    return x + random.normal(key, x.shape)


# -- raw keys ---------------------------------------------------------------------------------


@case("reuse")
def raw_key_twice() -> Any:
    noise_key = random.PRNGKey(7)
    return random.normal(noise_key), random.uniform(noise_key)


@case("reuse")
def raw_key_twice_in_jit() -> Any:
    return jax.jit(lambda key: random.normal(key) + random.uniform(key))(random.PRNGKey(7))


@case("reuse")
def raw_key_in_a_python_loop() -> Any:
    noise_key = random.PRNGKey(7)
    return [random.normal(noise_key) for _ in range(3)]


@case("reuse")
def raw_key_closed_over_by_scan() -> Any:
    noise_key = random.PRNGKey(7)
    return lax.scan(lambda x, _: (x + random.normal(noise_key), None), 0.0, None, 3)


@case("reuse")
def raw_key_drawn_and_split() -> Any:
    noise_key = random.PRNGKey(7)
    return random.normal(noise_key), random.split(noise_key)


@case("ok")
def raw_keys_split_and_drawn() -> Any:
    return [random.normal(each) for each in random.split(random.PRNGKey(7), 3)]


@case("reuse")
def raw_and_typed_key_of_one_seed() -> Any:
    return random.normal(random.PRNGKey(7)), random.uniform(random.key(7))


@case("shared")
def raw_key_closed_over_by_vmap() -> Any:
    noise_key = random.PRNGKey(7)
    return jax.vmap(lambda x: add_noise(x, noise_key))(X)


# -- equal keys made in two ways --------------------------------------------------------------


@case("reuse")
def seed_made_twice() -> Any:
    return random.normal(random.key(3)), random.uniform(random.key(3))


@case("reuse")
def seed_made_in_each_round_of_a_scan() -> Any:
    return lax.scan(lambda x, _: (x + random.normal(random.key(0)), None), 0.0, None, 3)


@case("reuse")
def folded_with_equal_numbers() -> Any:
    parent = key()
    return random.normal(random.fold_in(parent, 1)), random.uniform(random.fold_in(parent, 1))


@case("reuse")
def folded_with_the_number_of_a_child() -> Any:
    parent = key()
    first, second = random.split(parent)
    return random.normal(first), random.normal(second), random.uniform(random.fold_in(parent, 1))


@case("ok")
def folded_with_the_number_of_no_child() -> Any:
    parent = key()
    first, second = random.split(parent)
    return random.normal(first), random.normal(second), random.uniform(random.fold_in(parent, 2))


@case("reuse")
def folded_modulo_two_in_a_loop() -> Any:
    parent = key()
    return lax.fori_loop(0, 4, lambda i, x: x + random.normal(random.fold_in(parent, i % 2)), 0.0)


@case("reuse")
def wrapped_again_from_its_words() -> Any:
    noise_key = key()
    return random.normal(noise_key), random.uniform(random.wrap_key_data(random.key_data(noise_key)))


@case("reuse")
def split_into_two_and_again_into_three() -> Any:
    parent = key()
    pair = jax.vmap(random.normal)(random.split(parent, 2))
    return pair, jax.vmap(random.normal)(random.split(parent, 3))


@case("ok")
def two_seeds() -> Any:
    return random.normal(random.key(3)), random.normal(random.key(4))


@case("ok")
def made_twice_and_drawn_once() -> Any:
    return random.normal(random.key(3)), random.key(3)


# -- vmap in its disguises --------------------------------------------------------------------


@case("shared")
def vmap_that_does_not_map_the_key() -> Any:
    return jax.vmap(add_noise, in_axes=(0, None))(X, key())


@case("shared")
def vmap_of_a_closure() -> Any:
    noise_key = key()
    return jax.vmap(lambda x: add_noise(x, noise_key))(X)


@case("shared")
def vmap_that_makes_the_key_inside() -> Any:
    return jax.vmap(lambda x: add_noise(x, random.key(3)))(X)


@case("shared")
def vmap_that_splits_inside() -> Any:
    def one(x: Any, key: Any) -> Any:
        first, second = random.split(key)
        return add_noise(add_noise(x, first), second)

    return jax.vmap(one, in_axes=(0, None))(X, key())


@case("shared")
def vmap_over_a_broadcast_key() -> Any:
    return jax.vmap(add_noise)(X, jnp.broadcast_to(key(), 4))


@case("shared")
def vmap_over_repeated_keys() -> Any:
    return jax.vmap(add_noise)(X, jnp.repeat(random.split(key(), 2), 2))


@case("shared")
def vmap_over_a_stack_of_one_key() -> Any:
    noise_key = key()
    return jax.vmap(add_noise)(X, jnp.stack([noise_key] * 4))


@case("shared")
def vmap_under_jit() -> Any:
    return jax.jit(jax.vmap(add_noise, in_axes=(0, None)))(X, key())


@case("shared")
def vmap_of_jit() -> Any:
    return jax.vmap(jax.jit(add_noise), in_axes=(0, None))(X, key())


@case("shared")
def vmap_of_vmap_with_one_key_a_row() -> Any:
    both = jax.vmap(jax.vmap(add_noise, in_axes=(0, None)))
    return both(jnp.ones((2, 4, 3)), random.split(key(), 2))


@case("shared")
def vmap_along_the_second_axis() -> Any:
    return jax.vmap(add_noise, in_axes=(1, None), out_axes=1)(X, key())


@case("shared")
def vmap_of_a_derivative() -> Any:
    return jax.vmap(jax.grad(lambda x, key: add_noise(x * x, key).sum()), in_axes=(0, None))(X, key())


@case("shared")
def vmap_of_a_scan() -> Any:
    noise_key = key()

    def one(x: Any) -> Any:
        return lax.scan(lambda x, key: (add_noise(x, key), None), x, random.split(noise_key, 3))[0]

    return jax.vmap(one)(X)


@case("shared")
def vmap_of_cond_with_one_key() -> Any:
    noise_key = key()
    return jax.vmap(lambda x: lax.cond(x > 1, lambda: random.normal(noise_key), lambda: 0.0))(jnp.arange(5))


@case("shared")
def vectorize_that_leaves_the_key_out() -> Any:
    noise_key = key()
    return jnp.vectorize(lambda x: x + random.normal(noise_key))(X)


@case("shared")
def vmap_over_a_dictionary_but_not_its_key() -> Any:
    def one(example: Any) -> Any:
        return add_noise(example["x"], example["key"])

    return jax.vmap(one, in_axes=({"x": 0, "key": None},))({"x": X, "key": key()})


@case("shared")
def vmap_of_while_with_one_key() -> Any:
    noise_key = key()

    def rounds(count: Any) -> Any:
        def body(state: Any) -> Any:
            done, key, x = state
            key, sub = random.split(key)
            return done + 1, key, x + random.normal(sub)

        return lax.while_loop(lambda state: state[0] < count, body, (0, noise_key, 0.0))[2]

    return jax.vmap(rounds)(jnp.arange(1, 4))


@case("shared")
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


# -- devices ----------------------------------------------------------------------------------


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


# -- loops and branches -----------------------------------------------------------------------


@case("reuse")
def typed_key_in_a_python_loop() -> Any:
    noise_key = key()
    return [random.normal(noise_key) for _ in range(3)]


@case("reuse")
def one_key_for_all_of_map() -> Any:
    noise_key = key()
    return lax.map(lambda x: add_noise(x, noise_key), X)


@case("reuse")
def one_key_in_a_derivative_of_a_loop() -> Any:
    noise_key = key()
    return jax.grad(lambda x: lax.fori_loop(0, 3, lambda _, y: y * random.normal(noise_key), x))(1.0)


@case("ok")
def loop_over_the_elements_of_keys() -> Any:
    keys = random.split(key(), 4)
    return lax.fori_loop(0, 4, lambda i, x: x + random.normal(keys[i]), 0.0)


@case("ok")
def python_loop_that_splits() -> Any:
    noise_key, total = key(), 0.0
    for _ in range(3):
        noise_key, sub = random.split(noise_key)
        total += random.normal(sub)
    return total


@case("ok")
def scan_that_splits() -> Any:
    def body(key: Any, _: None) -> Any:
        key, sub = random.split(key)
        return key, random.normal(sub)

    return lax.scan(body, key(), None, 3)


@case("ok")
def scan_that_folds_in_its_round() -> Any:
    parent = key()
    return lax.scan(lambda x, i: (x + random.normal(random.fold_in(parent, i)), None), 0.0, jnp.arange(3))


@case("ok")
def loop_of_one_round() -> Any:
    noise_key = key()
    return lax.fori_loop(0, 1, lambda _, x: x + random.normal(noise_key), 0.0)


@case("ok")
def drawn_after_a_branch_that_was_not_taken() -> Any:
    noise_key = key()
    return lax.cond(X.sum() < 0, lambda: random.normal(noise_key), lambda: 0.0), random.normal(noise_key)


@case("reuse")
def drawn_after_a_switch_that_drew() -> Any:
    noise_key = key()
    first = lax.switch(X.sum().astype(int) % 3, [random.normal, random.uniform, lambda _: 0.0], noise_key)
    return first, random.normal(noise_key)


@case("reuse")
def drawn_again_if_python_says_so() -> Any:
    noise_key = key()
    return random.uniform(noise_key) if random.normal(noise_key) < 100 else 0.0


# -- keys that are moved and looked at --------------------------------------------------------


@case("reuse")
def one_element_twice_by_a_dynamic_index() -> Any:
    keys, at = random.split(key(), 3), jnp.argmax(X[0])
    return random.normal(keys[at]), random.uniform(keys[at]), random.normal(keys[1]), keys[2]


@case("ok")
def looked_at_twice() -> Any:
    keys = random.split(key(), 3)
    return keys[0], random.normal(keys[0]), random.normal(keys[1]), keys[2:]


@case("ok")
def chosen_by_where() -> Any:
    first, second = random.split(key())
    return random.normal(jnp.where(X.sum() > 0, first, second)), second


@case("reuse")
def chosen_by_where_and_drawn_before() -> Any:
    first, second = random.split(key())
    return random.normal(first), random.normal(jnp.where(X.sum() > 0, first, second)), second


@case("ok")
def transposed() -> Any:
    return jax.vmap(jax.vmap(random.normal))(random.split(key(), (2, 3)).T)


@case("reuse")
def transposed_and_drawn_on_both_sides() -> Any:
    keys, draw = random.split(key(), (2, 3)), jax.vmap(jax.vmap(random.normal))
    return draw(keys), draw(keys.T)


@case("ok")
def shuffled_and_drawn() -> Any:
    keys = random.split(key(), 5)
    return jax.vmap(random.normal)(keys[:4][random.permutation(keys[4], 4)])


@case("reuse")
def each_of_some_indices_and_one_again() -> Any:
    keys = random.split(key(), 3)
    return [random.normal(keys[at]) for at in (0, 1, 2, 1)]


@case("ok")
def its_words_read_by_numpy() -> Any:
    noise_key = key()
    return np.asarray(random.key_data(noise_key)), random.normal(noise_key)


@case("reuse")
def in_two_leaves_of_a_tree() -> Any:
    noise_key = key()
    return jax.tree.map(random.normal, {"weights": noise_key, "biases": noise_key})


@case("ok")
def a_tree_of_keys() -> Any:
    first, second = random.split(key())
    return jax.tree.map(random.normal, {"weights": first, "biases": second})


@case("reuse")
def cloned_once_and_drawn_three_times() -> Any:
    noise_key = key()
    again = random.clone(noise_key)
    return random.normal(noise_key), random.normal(again), random.uniform(again)


# -- derivatives and other transformations ----------------------------------------------------


@case("ok")
def backward_pass_called_twice() -> Any:
    noise_key = key()
    _, backward = jax.vjp(lambda x: jnp.sin(x * random.normal(noise_key)), 1.0)
    return backward(1.0), backward(2.0)


@case("reuse")
def compiled_ahead_of_time_and_called_twice() -> Any:
    noise_key = key()
    draw = jax.jit(random.normal).lower(noise_key).compile()
    return draw(noise_key), draw(noise_key)


@case("shared")
def compiled_ahead_of_time_with_one_key_for_all() -> Any:
    one_key = key()
    noisy = jax.jit(jax.vmap(add_noise, in_axes=(0, None))).lower(X, one_key).compile()
    return noisy(X, one_key)


@case("ok")
def compiled_ahead_of_time_and_called_with_keys_of_a_loop() -> Any:
    noise_key, some = key(), []
    draw = jax.jit(random.normal).lower(noise_key).compile()
    for _ in range(3):
        noise_key, this = random.split(noise_key)
        some.append(draw(this))
    return some


@case("ok")
def derivative_of_a_draw() -> Any:
    noise_key = key()
    return jax.value_and_grad(lambda x: x * x * random.normal(noise_key))(1.0)


@case("reuse")
def drawn_in_a_function_and_again_in_its_derivative() -> Any:
    noise_key = key()

    def loss(x: Any) -> Any:
        return x * x * random.normal(noise_key)

    return loss(1.0), jax.grad(loss)(1.0)


@case("ok")
def forward_jacobian() -> Any:
    noise_key = key()
    return jax.jacfwd(lambda x: x * random.normal(noise_key, x.shape))(X[0])


@case("ok")
def reverse_jacobian() -> Any:
    noise_key = key()
    return jax.jacrev(lambda x: x * random.normal(noise_key, x.shape))(X[0])


@case("ok")
def hessian() -> Any:
    noise_key = key()
    return jax.hessian(lambda x: (x**3 * random.normal(noise_key, x.shape)).sum())(X[0])


@case("ok")
def rematerialised_in_a_scan() -> Any:
    def body(x: Any, key: Any) -> Any:
        return jnp.sin(x * random.normal(key)), None

    keys = random.split(key(), 3)
    return jax.grad(lambda x: lax.scan(jax.checkpoint(body), x, keys)[0])(1.0)


@case("reuse")
def twice_inside_custom_jvp() -> Any:
    noise_key = key()
    function = jax.custom_jvp(lambda x: x + random.normal(noise_key) + random.uniform(noise_key))
    function.defjvp(lambda primals, tangents: (function(*primals), tangents[0]))
    return function(1.0)


@case("ok")
def mask_made_again_by_the_backward_pass() -> Any:
    @jax.custom_vjp
    def drop(x: Any, key: Any) -> Any:
        return x * random.bernoulli(key, 0.5, x.shape)

    drop.defvjp(
        lambda x, key: (drop(x, key), key),
        lambda key, slope: (slope * random.bernoulli(key, 0.5, slope.shape), None),
    )
    noise_key = key()
    return jax.grad(lambda x: drop(x, noise_key).sum())(X)


# -- samplers ---------------------------------------------------------------------------------


@case("ok")
def samplers_that_split_for_themselves() -> Any:
    keys = random.split(key(), 4)
    return (
        random.permutation(keys[0], 5),
        random.choice(keys[1], 5, (2,), replace=False),
        random.poisson(keys[2], 3.0),
        random.categorical(keys[3], jnp.zeros(3)),
    )


@case("reuse")
def permutation_and_choice_from_one_key() -> Any:
    noise_key = key()
    return random.permutation(noise_key, 5), random.choice(noise_key, 5, (2,))


@case("reuse")
def inputs_and_targets_shuffled_alike() -> Any:
    # Often on purpose: the program cannot tell, the person can say so.
    noise_key = key()
    return random.permutation(noise_key, X), random.permutation(noise_key, jnp.arange(4))


@case("reuse")
def dirichlet_and_categorical_from_one_key() -> Any:
    noise_key = key()
    return random.categorical(noise_key, random.dirichlet(noise_key, jnp.ones(3)))


@case("shared")
def gamma_with_a_parameter_for_each_example() -> Any:
    noise_key = key()
    return jax.vmap(lambda shape: random.gamma(noise_key, shape))(jnp.arange(1.0, 5.0))


@case("ok")
def gamma_with_an_array_of_parameters() -> Any:
    return random.gamma(key(), jnp.arange(1.0, 5.0))


# -- other kinds of keys ----------------------------------------------------------------------


@case("reuse")
def rbg_key_twice() -> Any:
    noise_key = random.key(7, impl="rbg")
    return random.normal(noise_key), random.uniform(noise_key)


@case("shared")
def rbg_key_closed_over_by_vmap() -> Any:
    noise_key = random.key(7, impl="rbg")
    return jax.vmap(lambda x: add_noise(x, noise_key))(X)


@case("ok")
def equal_words_in_two_kinds_of_keys() -> Any:
    words = jnp.array([0, 0, 0, 7], jnp.uint32)
    return random.normal(random.wrap_key_data(words, impl="rbg")), random.normal(random.wrap_key_data(words[2:]))


# -- Python that compiled programs call -------------------------------------------------------


def on_the_host(words: Any) -> Any:
    return np.asarray(random.normal(random.wrap_key_data(jnp.asarray(words)), (3,)))


def called_back(key: Any) -> Any:
    return jax.pure_callback(on_the_host, jax.ShapeDtypeStruct((3,), jnp.float32), random.key_data(key))


@case("reuse")
def drawn_and_drawn_in_a_callback() -> Any:
    noise_key = key()
    return jax.jit(called_back)(noise_key), random.uniform(noise_key)


@case("ok")
def drawn_in_a_callback_with_a_key_of_its_own() -> Any:
    first, second = random.split(key())
    return jax.jit(called_back)(first), random.uniform(second)


@case("reuse")
def drawn_in_an_effect_and_after_it() -> Any:
    noise_key = key()
    shape = jax.ShapeDtypeStruct((3,), jnp.float32)
    noise = jax.jit(lambda key: io_callback(on_the_host, shape, random.key_data(key)))(noise_key)
    return noise + random.normal(noise_key, (3,))


@case("reuse")
def drawn_to_be_printed_and_drawn() -> Any:
    noise_key = key()

    @jax.jit
    def shown(key: Any) -> Any:
        jax.debug.callback(lambda words: on_the_host(words).sum(), random.key_data(key))
        return random.normal(key)

    return shown(noise_key)

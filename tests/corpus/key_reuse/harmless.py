"""Keys that are used again without harm, and with: a library's constants, shuffles in step, splits without a draw."""

from types import SimpleNamespace

import jax
import jax.numpy as jnp
from jax import random

from tests.worker.lineage import a_library

X = jnp.ones(3)
_IMPORTED = compile(
    """
from jax import random

CONSTANT = random.normal(random.key(5))


def noisy(x, key=random.key(42)):
    return x + random.normal(key, x.shape)


def fitted(x, key):
    return noisy(x) * random.normal(key, x.shape)
""",
    a_library.__file__.replace("a_library", "a_library_that_is_imported"),
    "exec",
)


def _of_an_import():
    library = {}
    exec(_IMPORTED, library)
    return SimpleNamespace(**library)


@jax.jit
def like_noise(key):
    return jnp.zeros_like(random.normal(key, (3,)))


# -- a library's keys ---------------------------------------------------------------------------


def a_constant_of_the_library():
    return [a_library.log_prob(X) for _ in range(3)], a_library.log_prob(2 * X)


def a_constant_of_the_library_for_each_example():
    return jax.vmap(a_library.log_prob)(jnp.ones((4, 3))), jax.vmap(lambda x: a_library.log_prob(x) + x)(X)


def one_seed_for_each_example():
    return jax.vmap(lambda x: x + a_library.noise((3,), seed=5))(X)  # bug: shared-noise


def my_key_and_that_constant():
    return random.normal(random.key(5), (3,)), a_library.log_prob(X)


def a_constant_that_is_split_only():
    return random.normal(random.key(5), (3,)), a_library.describe(X)


def one_seed_given_twice():
    return a_library.noise((3,), seed=5), a_library.noise((4,), seed=5)  # bug: key-reuse


def my_key_and_one_that_a_library_makes_from_my_number():
    # says "It is made on line L and line L, from the seed 5: make it once"
    rng = 5
    mine = random.normal(random.key(5), (3,))  # bug: key-reuse
    return mine, a_library.noise((3,), rng)


def my_child_and_that_of_a_library():
    # says "It is made on line L and line L, from the seed 0: make it once"
    mine, _ = random.split(random.fold_in(random.key(0), 1))  # bug: key-reuse
    tree = a_library.Tree(random.key(0))
    return random.normal(mine), tree.walked(1)


def my_key_and_the_default():
    library = _of_an_import()
    key = random.key(42)
    return random.normal(key, (3,)), library.noisy(X), library.noisy(2 * X)


def my_key_and_the_default_inside_a_call_with_another_key():
    library = _of_an_import()
    key, other = random.split(random.key(42))
    return random.normal(other, (3,)), library.fitted(X, key)


def my_key_of_the_seed_of_the_default_twice():
    # says "Split the key"
    # made "random.key(42)"
    # at "random.normal(key, (3,))", "random.uniform(key, (3,))"
    _of_an_import()
    key = random.key(42)
    return random.normal(key, (3,)), random.uniform(key, (3,))  # bug: key-reuse


def my_key_of_the_seed_of_the_default_given_twice():
    library = _of_an_import()
    key = random.key(42)
    return library.noisy(X, key=key), library.noisy(X, key=key)  # bug: key-reuse


# -- shuffles -----------------------------------------------------------------------------------


def shuffled_in_step():
    key = random.key(0)
    return random.permutation(key, jnp.ones((6, 2))), jnp.arange(6)[random.permutation(key, 6)]


def shuffled_in_step_in_each_epoch():
    images, labels = jnp.ones((6, 2)), jnp.arange(6)
    for key in random.split(random.key(0), 3):
        images, labels = random.permutation(key, images), random.permutation(key, x=labels)
    return images, labels


def shuffled_with_one_key_in_all_epochs():
    images, labels, key = jnp.ones((6, 2)), jnp.arange(6), random.key(0)
    for _ in range(3):
        images, labels = random.permutation(key, images), random.permutation(key, labels)  # bug: key-reuse
    return images, labels


def shuffled_to_other_orders():
    key = random.key(0)
    return random.permutation(key, jnp.ones((6, 2))), random.permutation(key, jnp.arange(7))  # bug: key-reuse


def one_array_shuffled_twice():
    key, labels = random.key(0), jnp.arange(6)
    return random.permutation(key, labels), random.permutation(key, labels)  # bug: key-reuse


def shuffled_and_drawn():
    key, labels = random.key(0), jnp.arange(6)
    return random.permutation(key, labels), random.normal(key, (6,))  # bug: key-reuse


# -- draws of which one is taken -----------------------------------------------------------------


def of_two_draws_where_takes_one():
    key = random.key(0)
    wide = 2 + 10 * random.normal(key, (3,))
    return jnp.where(X > 0, random.uniform(key, (3,)), wide)


def of_two_draws_select_takes_one_in_jit_and_each_step():
    @jax.jit
    def step(key):
        return jax.lax.select(X > 0, random.normal(key, (3,)), random.uniform(key, (3,)))

    return [step(key) for key in random.split(random.key(0), 3)]


def of_two_draws_where_takes_one_each_with_its_key():
    one, other = random.split(random.key(0))
    return jnp.where(X > 0, random.normal(one, (3,)), random.uniform(other, (3,)))


def of_two_draws_where_takes_one_twice_with_one_key():
    key = random.key(0)
    return [jnp.where(X > 0, random.normal(key, (3,)), random.uniform(key, (3,))) for _ in range(2)]  # bug: key-reuse


def of_two_draws_where_takes_one_and_a_third_draw():
    key = random.key(0)
    one = random.normal(key, (3,))  # bug: key-reuse
    other = random.uniform(key, (3,))
    return jnp.where(X > 0, one, other), random.gumbel(key, (3,))


def of_two_draws_one_is_shown_too():
    key = random.key(0)
    one = random.normal(key, (3,))  # bug: key-reuse
    return jnp.where(X > 0, one, random.uniform(key, (3,))), one


def of_two_mixed_draws_where_takes_one():
    key, mix = random.key(0), jnp.ones((3, 3))
    return jnp.where(X > 0, random.normal(key, (3,)) @ mix, random.uniform(key, (3,)) @ mix)  # bug: key-reuse


# -- splits without a draw, and draws for a shape -----------------------------------------------


def drawn_and_split_for_nothing():
    key = random.key(0)
    noise = random.normal(key, (3,))  # warning: key-reuse
    random.split(key)  # note: unused-key
    return noise


def split_twice_and_drawn_from():
    key = random.key(0)
    first = random.normal(random.split(key)[0])  # bug: key-reuse, note: unused-key
    return first, random.normal(random.split(key)[0])


def split_twice_and_returned():
    key = random.key(0)
    return random.split(key), random.split(key)  # bug: key-reuse


def drawn_for_its_shape():
    key = random.key(0)
    return like_noise(key), random.normal(key, (3,))


def drawn_for_its_shape_twice():
    key = random.key(0)
    return like_noise(key), like_noise(key)


def drawn_and_returned_in_jit():
    def step(key):
        return jnp.zeros_like(noise := random.normal(key, (3,))), noise  # bug: key-reuse

    key = random.key(0)
    return jax.jit(step)(key), random.normal(key, (3,))


def examples_of_the_shape_of_noise():  # note: shared-noise
    return jax.vmap(lambda x, key: x + like_noise(key), in_axes=(0, None))(X, random.key(0))


# -- keys that are fixed by their names ---------------------------------------------------------


def pictures_with_a_fixed_key():
    def picture(x, key):
        return x * random.normal(key, (3,))  # warning: key-reuse

    eval_key = random.key(0)
    return [picture(x, eval_key) for x in (1.0, 2.0)]


def two_samplers_with_a_fixed_key():
    eval_key = random.key(0)
    return random.normal(eval_key, (3,)), random.uniform(eval_key, (3,))  # bug: key-reuse


def members_with_a_common_key():
    common_key = random.key(0)
    return jax.vmap(lambda x, key: x + random.normal(key, (3,)), (0, None))(X, common_key)  # warning: shared-noise


def a_comment_says_that_the_key_is_the_same():
    key = random.key(0)
    first = random.normal(key, (3,))  # warning: key-reuse
    second = random.uniform(
        key,  # the same key, to compare the samplers
        (3,),
    )
    return first, second


def samples_that_only_go_into_a_picture():
    plt = SimpleNamespace(plot=lambda *_: None)
    for scale in (1.0, 2.0):
        sample = random.normal(random.key(0), (3,))  # warning: key-reuse
        plt.plot(scale * sample)


def samples_that_go_into_a_picture_and_a_sum():
    plt = SimpleNamespace(plot=lambda *_: None)
    total = 0.0
    for scale in (1.0, 2.0):
        sample = random.normal(random.key(0), (3,))  # bug: key-reuse
        plt.plot(scale * sample)
        total += sample
    return total


# -- names of what libraries wrap ----------------------------------------------------------------


def a_method_that_a_library_wraps():
    # says "by `sample` on line L, called twice there: "
    process, key = a_library.Process(), random.key(7)
    return process.sample(key), process.sample(key)  # bug: key-reuse


def a_module_that_is_called_at_once():
    # says "by `Layer` on line L, called twice there: "
    key = random.key(7)
    return a_library.Layer(3)(key), a_library.Layer(3)(key)  # bug: key-reuse


def a_module_that_is_mapped_by_a_library():
    # says "by `net` on line L, called twice there: "
    net, key = a_library.Layer(3), random.key(7)
    return a_library.mapped(net)(key), a_library.mapped(net)(key)  # bug: key-reuse


def a_function_without_a_name():
    # says "One key is used 2 times by `net` on line L, with the same numbers each time."
    net, key = a_library.Layer(3), random.key(7)
    return [a_library.mapped(lambda key, scale=scale: scale * net(key))(key) for scale in (1, 2)]  # bug: key-reuse


# -- seen once, or meant to be the same ------------------------------------------------------------


def a_warm_up_whose_result_is_dropped():
    sample = jax.jit(lambda key: random.normal(key, (3,)))
    key = random.key(0)
    sample(key).block_until_ready()
    return sample(key)


def draws_that_nothing_takes():
    key = random.key(0)
    random.normal(key, (3,))  # bug: key-reuse
    return random.normal(key, (3,))


def a_warm_up_and_two_results():
    sample = jax.jit(lambda key: random.normal(key, (3,)))  # bug: key-reuse
    key = random.key(0)
    sample(key)
    return sample(key), sample(key)


def twice_in_a_call_that_is_dropped():
    sample = jax.jit(lambda key: random.normal(key, (3,)) * random.uniform(key, (3,)))  # bug: key-reuse
    key = random.key(0)
    sample(key)
    return sample(key)


def first_weights_of_two_trainings():
    def init_weights(key):
        return random.normal(key, (3,))  # warning: key-reuse says "If the same numbers are meant"

    key = random.key(0)
    return init_weights(key) * 0.1, init_weights(key) * 0.01


def one_key_for_the_layers_of_first_weights():
    def init_weights(key):
        return [random.normal(key, (size,)) for size in (3, 3)]  # bug: key-reuse

    return init_weights(random.key(0))


def a_key_as_the_default_of_an_argument():
    def noise(size, key=random.key(0)):
        return random.normal(key, (size,))  # bug: key-reuse says "default of an argument, made once"

    return noise(3), noise(3)

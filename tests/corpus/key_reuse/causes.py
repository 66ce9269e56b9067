"""One cause, one bug: where its keys are made and passed on, which places use them, and what to do about it."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, random

X = jnp.ones((8, 3))


def key():
    return random.key(7)


def add_noise(x, key):
    return x + random.normal(key, x.shape)


def noise(key, count=3):
    return random.normal(key, (count,))


def make(seed):
    return random.key(seed)


def layers(key):
    first, second = random.split(key)
    return noise(first) + noise(second)


def _drawn_twice(state):
    return lax.rng_bit_generator(state, (3,))[1], lax.rng_bit_generator(state, (3,))[1]


# -- where keys are made and passed on ----------------------------------------------------------


def seeds_that_count_meet_another():  # bug: key-reuse
    # says "It is made on line L and line L, from the seed 1: make one key from one seed, and fold the"
    # says "changing number into it, as with jax.random.fold_in(key, i)."
    # made "random.key(1)", "random.key(epoch)"
    # passed "noise(random.key(1))"
    test = noise(random.key(1))
    for epoch in range(3):
        key = random.key(epoch)
        drop, shuffle = random.split(key)
        test += noise(drop) + random.permutation(shuffle, 3)
    return test


def seeds_in_three_places():  # bug: key-reuse
    # says "It is made more than once on line L, from the seed 5: make it once and split it, one key for each use."
    # made "make(5)", "make(5)", "random.key(5)"
    # passed "noise(make(5))", "layers(make(5))"
    return noise(make(5)), layers(make(5)), random.uniform(random.key(5))


def folded_in_each_of_two_makings():  # bug: key-reuse
    # says "They are made more than once on line L, from the same seeds: make each once and split it for each use."
    # made "random.key(1)", "random.key(1)"
    # passed "noise(random.fold_in(first, i))", "noise(random.fold_in(second, i))"
    first, second = random.key(1), random.key(1)
    return [noise(random.fold_in(first, i)) for i in range(2)], [noise(random.fold_in(second, i)) for i in range(2)]


def handed_on_twice():  # bug: key-reuse
    # says "Split the key on line L, where it is passed on, one key for each call."
    # made "random.key(0)"
    # passed "noise(key)", "noise(key, 4)"
    key = random.key(0)
    return noise(key), noise(key, 4)


def handed_on_in_a_loop():  # bug: key-reuse
    # says "Split the key where it repeats: in a loop around line L, one key for each iteration,"
    # says "or around the call on line L, one key for each call."
    # made "random.key(0)"
    # passed "layers(key)"
    key = random.key(0)
    return [layers(key) for _ in range(3)]


def handed_on_in_a_scan():  # bug: key-reuse
    # says "Split the key where it repeats: in a loop around line L, one key for each iteration,"
    # says "or around the call on line L, one key for each call."
    # made "random.key(0)"
    # passed "noise(key)"
    key = random.key(0)
    return lax.scan(lambda x, _: (x + noise(key), None), jnp.zeros(3), None, 4)[0]


def two_keys_handed_on_in_a_loop():
    # says "Split the key on line L, where it is passed on, one key for each call."
    # made "random.split(random.key(0))"
    # passed "step(drop, shuffle)"
    def step(first, second):
        return random.normal(first) + random.uniform(second)  # bug: key-reuse

    drop, shuffle = random.split(random.key(0))
    return [step(drop, shuffle) for _ in range(3)]


def folded_into_in_a_function_that_is_called_again():  # bug: key-reuse
    # says "with the same arguments they return the same numbers. The cause is a key that is passed on more than"
    # says " once: split that one on line L, one key for each call."
    # made "random.key(0)"
    # passed "step(key)"
    def step(key):
        return noise(random.fold_in(key, 1)) + noise(random.fold_in(key, 2), 1)

    key = random.key(0)
    return [step(key) for _ in range(3)]


def known_from_outside():
    # says "Split the key on line L, where it is passed on, one key for each call."
    # made "random.key(0)"
    # passed "draw()", "draw()"
    key = random.key(0)

    def draw():
        return random.normal(key)  # bug: key-reuse

    return draw(), draw()


def in_one_function():
    # says "their numbers are related. Split the key, one key for each use."
    # made "random.key(0)"
    key = random.key(0)
    return random.normal(key), random.uniform(key)  # bug: key-reuse


def made_and_used_twice_in_a_function_that_is_called_twice():
    # says "It is made more than once on line L, from the seed 3: make it once and split it, one key for each use."
    # made "random.key(3)"
    def step():
        key = random.key(3)
        return random.normal(key)  # bug: key-reuse

    return step(), step()


# -- which places use them ----------------------------------------------------------------------


def through_numpy():
    # at "random.normal(noise_key)", "random.uniform(again)"
    noise_key = key()
    again = random.wrap_key_data(np.asarray(random.key_data(noise_key)))
    return random.normal(noise_key), random.uniform(again)  # bug: key-reuse


def inside_custom_jvp():
    # at "random.normal(noise_key)", "random.uniform(noise_key)"
    noise_key = key()
    function = jax.custom_jvp(lambda x: x + random.normal(noise_key) + random.uniform(noise_key))  # bug: key-reuse
    function.defjvp(lambda primals, tangents: (function(*primals), tangents[0]))
    return jax.jvp(function, (1.0,), (1.0,))


def from_a_list_of_samplers():
    # at "sample(noise_key)", "sample(noise_key)"
    noise_key = key()
    return [sample(noise_key) for sample in (random.normal, random.uniform)]  # bug: key-reuse


def three_times():
    # says "by `normal` on line L, `uniform` on line L and `bits` on line L: "
    # at "random.normal(noise_key)", "random.uniform(noise_key)", "random.bits(noise_key)"
    noise_key = key()
    return random.normal(noise_key), random.uniform(noise_key), random.bits(noise_key)  # bug: key-reuse


def in_a_loop_and_after_it():
    # says "by `normal` on line L and `uniform` on line L, 4 times in all: "
    # at "random.normal(noise_key)", "random.uniform(noise_key)"
    noise_key = key()
    return [random.normal(noise_key) for _ in range(3)], random.uniform(noise_key)  # bug: key-reuse


def batches_that_are_all_equal():
    # says "`randint` on line L draws the same numbers 4 times.", "into the same children each time."
    # passed "batch(key)"
    def batch(key):
        _, now = random.split(key)
        return X[random.randint(now, (2,), 0, 8)]  # bug: key-reuse

    key = random.key(0)
    return [batch(key) for _ in range(4)]


def batches_that_are_all_equal_after_the_first_weights():
    # says "`randint` on line L draws the same numbers 4 times. One key is split more than once"
    def batch(key):
        _, now = random.split(key)
        return X[random.randint(now, (2,), 0, 8)]  # bug: key-reuse

    key = random.key(0)
    weights = layers(key)
    return weights, [batch(key) for _ in range(4)]


def six_times_on_six_lines():
    # says "by `normal` on line L, `uniform` on line L, `bits` on line L, `gumbel` on line L and 2 other lines: "
    # at "random.normal(noise_key)", "random.uniform(noise_key)", "random.bits(noise_key)", "random.gumbel(noise_key)"
    noise_key = key()
    return (
        random.normal(noise_key),  # bug: key-reuse
        random.uniform(noise_key),
        random.bits(noise_key),
        random.gumbel(noise_key),
        random.laplace(noise_key),
        random.cauchy(noise_key),
    )


def three_times_on_one_line():
    # says "by `normal` on line L, called 3 times there: "
    # at "random.normal(noise_key)", "random.normal(noise_key)", "random.normal(noise_key)"
    noise_key = key()
    return random.normal(noise_key), random.normal(noise_key), random.normal(noise_key)  # bug: key-reuse


def some_a_third_time():
    # says "by `normal` on line L, `uniform` on line L and `bits` on line L: "
    # at "jax.vmap(random.normal)(some)", "jax.vmap(random.uniform)(some)", "jax.vmap(random.bits)(some[:2])"
    some = random.split(key(), 5)
    first = jax.vmap(random.normal)(some)  # bug: key-reuse
    return first, jax.vmap(random.uniform)(some), jax.vmap(random.bits)(some[:2])


# -- what to do about it ------------------------------------------------------------------------


def used_twice_then_made_again():
    # says "Split the key, one key for each use."
    noise_key = key()
    return random.normal(noise_key), random.uniform(noise_key), random.fold_in(key(), 1)  # bug: key-reuse


def three_of_fold_in_made_twice():
    # says "3 keys are each used 2 times"
    # says "fold_in makes the same key more than once, from the same data: fold in other data each time, or"
    return [random.normal(random.fold_in(key(), number)) for _ in range(2) for number in range(3)]  # bug: key-reuse


def three_seeds_made_twice():
    # says "3 keys are each used 2 times", "from the same seeds: make each once and split it for each use."
    return [random.normal(random.key(number)) for _ in range(2) for number in range(3)]  # bug: key-reuse


def drawn_from_and_split():
    # says "the numbers drawn follow from the same key as the children."
    key = random.key(0)
    return random.normal(key), [random.normal(each) for each in random.split(key)]  # bug: key-reuse


def drawn_from_and_folded_into():
    # says "the numbers drawn follow from the same key as the children."
    key = random.key(0)
    return random.normal(key), [random.normal(random.fold_in(key, i)) for i in range(2)]  # bug: key-reuse


# -- keys of which nothing is drawn, and one draw -----------------------------------------------


def draws_of_nothing():
    noise_key = key()
    return random.normal(noise_key, (0, 3)), random.uniform(noise_key, (0,)), random.normal(noise_key)


def a_batch_of_nothing():
    return jax.vmap(add_noise, in_axes=(0, None))(X[:0], key()), jax.vmap(add_noise)(X[:0], random.split(key(), 0))


def a_loop_of_nothing():
    noise_key = key()
    return lax.scan(lambda x, key: (x + random.normal(key), None), 0.0, random.split(noise_key, 0))


def one_big_draw():
    return X + random.normal(key(), X.shape)


def samplers_with_keys_of_their_own():
    key_graph = random.split(key(), 4)
    return (
        random.poisson(key_graph[0], 3.0),
        random.choice(key_graph[1], 5, (2,), replace=False),
        random.beta(key_graph[2], 1.0, 2.0),
        jax.jit(lambda key: random.binomial(key, 10, 0.3))(key_graph[3]),
    )


# -- raw states ----------------------------------------------------------------------------------


def a_raw_state_drawn_from_twice():  # bug: key-reuse
    # says "Draw the next numbers from the state that it returns."
    return _drawn_twice(jnp.arange(4, dtype=jnp.uint32))


def a_raw_state_drawn_from_twice_in_jit():  # bug: key-reuse
    # says "Draw the next numbers from the state that it returns."
    return jax.jit(_drawn_twice)(jnp.arange(4, dtype=jnp.uint32))


def a_raw_state_that_is_carried_on():
    state = jnp.arange(4, dtype=jnp.uint32)
    for _ in range(3):
        state, bits = lax.rng_bit_generator(state, (3,))
    return bits

"""Programs that leave a child of a split unused: where its sibling is used instead, and where that is intended."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, random
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P

MESH = Mesh(np.array(jax.devices()[:1]), ("d",))
X = jnp.arange(4.0)


def root(seed=0):
    return random.key(seed)


# -- broken: the line is that of the split whose child was meant -------------------------------


def weights_and_biases():
    w_key, b_key = random.split(root())  # note: unused-key says "meant for", "One key made by"
    return random.normal(w_key, (3, 3)), random.normal(w_key, (3,))  # bug: key-reuse


def the_key_is_drawn_from_and_split():
    key, subkey = random.split(root())  # note: unused-key says "meant for"
    noise = random.normal(key, (3,))  # bug: key-reuse
    return noise, random.split(key)


def the_child_that_is_carried_on_is_unused():
    key, subkey = random.split(root())  # note: unused-key says "probably meant for one of these uses"
    return random.normal(subkey), random.normal(subkey)  # bug: key-reuse


def its_sibling_is_used_twice_on_purpose():
    first, second = random.split(root())  # note: unused-key
    drawn = random.normal(first)  # note: key-reuse
    return drawn, random.normal(first)  # jax-explorer: on purpose


def a_child_is_drawn_from_and_split():
    keys = random.split(root(), 3)  # note: unused-key says "meant for", "One key made by"
    return random.normal(keys[0]), random.split(keys[0]), random.normal(keys[1])  # bug: key-reuse


def three_of_five_in_each_step():
    def step(total, key):
        keys = random.split(key, 5)  # note: unused-key says "meant for", "12 keys made by"
        return total + random.normal(keys[1]) + random.normal(keys[1]), None  # bug: key-reuse

    return lax.scan(step, 0.0, random.split(root(), 3))[0]


def in_a_python_loop():
    key, out = root(), []
    for _ in range(3):
        key, subkey = random.split(key)  # note: unused-key says "meant for"
        out.append(random.normal(key, (2,)))  # bug: key-reuse
    return out


def in_a_jit():
    @jax.jit
    def dropout_and_noise(key, x):
        drop, noise = random.split(key)  # note: unused-key says "meant for"
        return x * random.bernoulli(drop, 0.5, x.shape) + random.normal(drop, x.shape)  # bug: key-reuse

    return dropout_and_noise(root(), X)


def in_a_scan():
    def step(key, x):
        key, subkey = random.split(key)  # note: unused-key says "meant for"
        return key, x + random.normal(key)  # bug: key-reuse

    return lax.scan(step, root(), X)


def in_a_comprehension():
    train, test = random.split(root())  # note: unused-key says "meant for"
    return [random.normal(train, (n,)) for n in (2, 3)]  # bug: key-reuse


def on_each_device():
    def noisy(key, x):
        a, b = random.split(key[0])  # note: unused-key says "meant for"
        return x + random.normal(a) + random.uniform(a)  # bug: key-reuse

    f = jax.shard_map(noisy, mesh=MESH, in_specs=(P("d"), P("d")), out_specs=P("d"), check_vma=False)
    return jax.jit(f)(random.split(root(), 1), X)


# -- sound ------------------------------------------------------------------------------------


def a_split_for_later():
    key, subkey = random.split(root())
    return random.normal(subkey)


def one_of_many():
    return random.normal(random.split(root(), 5)[0])  # note: unused-key


def all_are_used():
    w, b = random.split(root())
    return random.normal(w, (3, 3)), random.normal(b, (3,))


def carried_in_a_scan():
    def step(key, x):
        key, subkey = random.split(key)
        return key, x + random.normal(subkey)

    return lax.scan(step, root(), X)[1]


def a_layer_without_dropout():
    def layer(key, x, rate):
        w_key, drop_key = random.split(key)  # note: unused-key
        y = x @ random.normal(w_key, (4, 4))
        return y if rate == 0 else y * random.bernoulli(drop_key, rate, y.shape)

    return layer(root(), X, 0.0)


def a_branch_that_is_not_taken():
    a, b = random.split(root())  # note: unused-key
    return lax.cond(True, lambda: random.normal(a), lambda: random.normal(b))


def keys_for_the_largest_batch():
    keys = random.split(root(), 8)  # note: unused-key
    return jax.vmap(random.normal)(keys[:5])


def a_loop_that_ends_early():
    total = 0.0
    for key in random.split(root(), 9):  # note: unused-key
        total += random.uniform(key)
        if total > 1:
            break
    return total


def returned():
    key, subkey = random.split(root())
    return key, random.normal(subkey)


def folded_in():
    a, b = random.split(root())  # note: unused-key
    return [random.normal(random.fold_in(a, i)) for i in range(3)]


def in_a_jit_for_the_next_call():
    @jax.jit
    def step(key, x):
        key, subkey = random.split(key)
        return key, x + random.normal(subkey)

    key, x = root(), 0.0
    for _ in range(3):
        key, x = step(key, x)
    return x


def the_same_key_cloned():
    a, b = random.split(root())  # note: unused-key
    return random.normal(a), random.normal(random.clone(a))


# -- more -----------------------------------------------------------------------------------------


def the_other_one_twice():
    # no fix
    first, second = jax.random.split(jax.random.key(0))  # note: unused-key
    return jax.random.normal(first, (3,)), jax.random.uniform(first, (3,))  # bug: key-reuse


def carried_on():
    # in full
    key = jax.random.key(0)
    drawn = []
    for _ in range(3):
        key, sub = jax.random.split(key)
        drawn.append(jax.random.normal(sub))
    return drawn


def one_called_by_an_underscore():
    key, _ = (
        jax.random
        # A method called below its object.
        .split(root())
    )
    return random.normal(key, (2,))

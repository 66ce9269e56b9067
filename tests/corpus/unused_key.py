"""Programs that leave a child of a split unused: where its sibling is used instead, and where that is intended."""

import dataclasses
from functools import partial
from typing import Any

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
    key, subkey = random.split(root())  # note: unused-key says "it was meant for one of these uses"
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


def an_index_written_twice():
    keys = random.split(root(), 3)  # note: unused-key says "meant for"
    return random.normal(keys[0]), random.uniform(keys[0]), random.normal(keys[1])  # bug: key-reuse


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


def in_a_fori_loop():
    def body(i, state):
        key, total = state
        key, subkey = random.split(key)  # note: unused-key says "meant for"
        return key, total + random.uniform(key)  # bug: key-reuse

    return lax.fori_loop(0, 4, body, (root(), 0.0))[1]


def in_a_while_loop():
    def body(state):
        i, key, total = state
        key, subkey = random.split(key)  # note: unused-key says "meant for"
        return i + 1, key, total + random.uniform(key)  # bug: key-reuse

    return lax.while_loop(lambda state: state[0] < 3, body, (0, root(), 0.0))[2]


def under_vmap():
    def noisy(key, x):
        a, b = random.split(key)  # note: unused-key says "meant for"
        return x + random.normal(a) * random.uniform(a)  # bug: key-reuse

    return jax.vmap(noisy)(random.split(root(), 4), X)


def in_a_gradient():
    def loss(w, key):
        a, b = random.split(key)  # note: unused-key says "meant for"
        return jnp.sum((w * random.normal(a, (4,)) + random.normal(a, (4,))) ** 2)  # bug: key-reuse

    return jax.grad(loss)(1.0, root())


def in_a_branch():
    @jax.jit
    def f(key, x):
        a, b = random.split(key)  # note: unused-key says "meant for"
        return lax.cond(x > 0, lambda: random.normal(a), lambda: 0.0) + random.uniform(a)  # bug: key-reuse

    return f(root(), 1.0)


def a_class_of_layers():
    class Net:
        def __init__(self, key):
            first, second = random.split(key)  # note: unused-key says "meant for"
            self.w1 = random.normal(first, (4, 4))  # bug: key-reuse
            self.w2 = random.normal(first, (4, 4))

        def __call__(self, x):
            return jnp.tanh(x @ self.w1) @ self.w2

    return Net(root())(X)


def a_dataclass_of_keys():
    @dataclasses.dataclass
    class Keys:
        params: Any
        dropout: Any

    keys = Keys(*random.split(root()))  # note: unused-key says "meant for"
    return random.normal(keys.params), random.bernoulli(keys.params)  # bug: key-reuse


def in_a_closure():
    params_key, noise_key = random.split(root())  # note: unused-key says "meant for"

    def noise(shape):
        return random.normal(params_key, shape)  # bug: key-reuse

    return noise((2,)), noise((3,))


def in_a_partial():
    a, b = random.split(root())  # note: unused-key says "meant for"
    draw = partial(random.normal, a)
    return draw((2,)) + draw((2,))  # bug: key-reuse


def in_a_comprehension():
    train, test = random.split(root())  # note: unused-key says "meant for"
    return [random.normal(train, (n,)) for n in (2, 3)]  # bug: key-reuse


def raw_keys():
    key, subkey = random.split(random.PRNGKey(0))  # note: unused-key says "meant for"
    return random.normal(key), random.uniform(key)  # bug: key-reuse


def agents_and_environments():
    def act(key):
        return random.randint(key, (), 0, 4)

    def reset(key):
        return random.uniform(key, (2,))  # bug: key-reuse

    env_key, agent_key = random.split(root())  # note: unused-key says "meant for"
    return reset(env_key), act(env_key)


def an_epoch_of_batches():
    key, losses = root(), []
    for _ in range(2):
        key, shuffle_key, dropout_key = random.split(key, 3)  # note: unused-key says "meant for"
        order = random.permutation(shuffle_key, 4)  # bug: key-reuse
        losses.append((X[order] * random.bernoulli(shuffle_key, 0.5, (4,))).sum())
    return losses


def on_each_device():
    def noisy(key, x):
        a, b = random.split(key[0])  # note: unused-key says "meant for"
        return x + random.normal(a) + random.uniform(a)  # bug: key-reuse

    f = jax.shard_map(noisy, mesh=MESH, in_specs=(P("d"), P("d")), out_specs=P("d"), check_vma=False)
    return jax.jit(f)(random.split(root(), 1), X)


def dictionaries_of_keys():
    names = ("params", "dropout", "noise")
    keys = dict(zip(names, random.split(root(), 3), strict=True))  # note: unused-key says "meant for"
    return random.normal(keys["params"]), random.uniform(keys["params"]), random.normal(keys["noise"])  # bug: key-reuse


def metropolis():
    def step(x, key):
        move, accept = random.split(key)  # note: unused-key says "meant for"
        proposal = x + random.normal(move)  # bug: key-reuse
        return jnp.where(jnp.log(random.uniform(move)) < x**2 - proposal**2, proposal, x), x

    return lax.scan(step, 0.0, random.split(root(), 5))[1]


# -- sound ------------------------------------------------------------------------------------


def a_split_for_later():
    key, subkey = random.split(root())
    return random.normal(subkey)


def one_of_many():
    return random.normal(random.split(root(), 5)[0])  # note: unused-key


def all_are_used():
    w, b = random.split(root())
    return random.normal(w, (3, 3)), random.normal(b, (3,))


def carried_in_a_loop():
    key, out = root(), []
    for _ in range(3):
        key, subkey = random.split(key)
        out.append(random.normal(subkey))
    return out


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


def parameters_only():
    params_key, _, _ = random.split(root(), 3)
    return random.normal(params_key, (3,))


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


def under_vmap_for_each_example():
    def noisy(key, x):
        a, b = random.split(key)  # note: unused-key
        return x + random.normal(a)

    return jax.vmap(noisy)(random.split(root(), 4), X)


def a_class_that_splits_for_itself():
    class Keys:
        def __init__(self, seed):
            self.key = root(seed)

        def __call__(self):
            self.key, subkey = random.split(self.key)
            return subkey

    keys = Keys(0)
    return random.normal(keys()), random.uniform(keys())


def a_model_whose_second_head_is_off():
    class Model:
        def __init__(self, key, *, heads):
            keys = random.split(key, 2)  # note: unused-key
            self.weights = [random.normal(key, (4,)) for key in keys[:heads]]

    return Model(root(), heads=1).weights


def a_while_loop():
    def body(state):
        key, total = state
        key, subkey = random.split(key)
        return key, total + random.uniform(subkey)

    return lax.while_loop(lambda state: state[1] < 2, body, (root(), 0.0))[1]


def a_gradient():
    def loss(w, key):
        noise, other = random.split(key)  # note: unused-key
        return jnp.sum((w * random.normal(noise, (4,))) ** 2)

    return jax.value_and_grad(loss)(1.0, root())


def raw_keys_for_later():
    key, subkey = random.split(random.PRNGKey(0))
    return random.normal(subkey, (2,))


def a_test_set_that_is_not_drawn():
    train, test = random.split(root())  # note: unused-key
    return random.permutation(train, 4)


def the_same_key_cloned():
    a, b = random.split(root())  # note: unused-key
    return random.normal(a), random.normal(random.clone(a))


def batches_from_keys_in_a_dictionary():
    keys = dict(zip(("params", "dropout"), random.split(root()), strict=True))  # note: unused-key
    return random.normal(keys["params"], (3,))


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
    key, _ = random.split(root())
    return random.normal(key, (2,))


def one_whose_name_begins_with_an_underscore():
    key, _rest = random.split(root())
    return random.normal(key, (2,))

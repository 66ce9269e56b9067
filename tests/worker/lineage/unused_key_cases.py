"""Programs that leave a child of a split unused: where its sibling is used instead, and where that is intended."""

# ruff: noqa: RUF059

from __future__ import annotations

import dataclasses
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, random
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P

from tests.worker.checks.value_cases import Table

table = Table()
broken, sound = table.broken, table.sound

MESH = Mesh(np.array(jax.devices()[:1]), ("d",))
X = jnp.arange(4.0)


def root(seed: int = 0) -> Any:
    return random.key(seed)


# -- broken: the line is that of the split whose child was meant -------------------------------


@broken()
def weights_and_biases() -> Any:
    w_key, b_key = random.split(root())  # here
    return random.normal(w_key, (3, 3)), random.normal(w_key, (3,))


@broken()
def the_key_is_drawn_from_and_split() -> Any:
    key, subkey = random.split(root())  # here
    noise = random.normal(key, (3,))
    return noise, random.split(key)


@broken()
def in_a_python_loop() -> Any:
    key, out = root(), []
    for _ in range(3):
        key, subkey = random.split(key)  # here
        out.append(random.normal(key, (2,)))
    return out


@broken()
def an_index_written_twice() -> Any:
    keys = random.split(root(), 3)  # here
    return random.normal(keys[0]), random.uniform(keys[0]), random.normal(keys[1])


@broken()
def in_a_jit() -> Any:
    @jax.jit
    def dropout_and_noise(key: Any, x: Any) -> Any:
        drop, noise = random.split(key)  # here
        return x * random.bernoulli(drop, 0.5, x.shape) + random.normal(drop, x.shape)

    return dropout_and_noise(root(), X)


@broken()
def in_a_scan() -> Any:
    def step(key: Any, x: Any) -> Any:
        key, subkey = random.split(key)  # here
        return key, x + random.normal(key)

    return lax.scan(step, root(), X)


@broken()
def in_a_fori_loop() -> Any:
    def body(i: Any, state: Any) -> Any:
        key, total = state
        key, subkey = random.split(key)  # here
        return key, total + random.uniform(key)

    return lax.fori_loop(0, 4, body, (root(), 0.0))[1]


@broken()
def in_a_while_loop() -> Any:
    def body(state: Any) -> Any:
        i, key, total = state
        key, subkey = random.split(key)  # here
        return i + 1, key, total + random.uniform(key)

    return lax.while_loop(lambda state: state[0] < 3, body, (0, root(), 0.0))[2]


@broken()
def under_vmap() -> Any:
    def noisy(key: Any, x: Any) -> Any:
        a, b = random.split(key)  # here
        return x + random.normal(a) * random.uniform(a)

    return jax.vmap(noisy)(random.split(root(), 4), X)


@broken()
def in_a_gradient() -> Any:
    def loss(w: Any, key: Any) -> Any:
        a, b = random.split(key)  # here
        return jnp.sum((w * random.normal(a, (4,)) + random.normal(a, (4,))) ** 2)

    return jax.grad(loss)(1.0, root())


@broken()
def in_a_branch() -> Any:
    @jax.jit
    def f(key: Any, x: Any) -> Any:
        a, b = random.split(key)  # here
        return lax.cond(x > 0, lambda: random.normal(a), lambda: 0.0) + random.uniform(a)

    return f(root(), 1.0)


@broken()
def a_class_of_layers() -> Any:
    class Net:
        def __init__(self, key: Any) -> None:
            first, second = random.split(key)  # here
            self.w1 = random.normal(first, (4, 4))
            self.w2 = random.normal(first, (4, 4))

        def __call__(self, x: Any) -> Any:
            return jnp.tanh(x @ self.w1) @ self.w2

    return Net(root())(X)


@broken()
def a_dataclass_of_keys() -> Any:
    @dataclasses.dataclass
    class Keys:
        params: Any
        dropout: Any

    keys = Keys(*random.split(root()))  # here
    return random.normal(keys.params), random.bernoulli(keys.params)


@broken()
def in_a_closure() -> Any:
    params_key, noise_key = random.split(root())  # here

    def noise(shape: Any) -> Any:
        return random.normal(params_key, shape)

    return noise((2,)), noise((3,))


@broken()
def in_a_partial() -> Any:
    a, b = random.split(root())  # here
    draw = partial(random.normal, a)
    return draw((2,)) + draw((2,))


@broken()
def in_a_comprehension() -> Any:
    train, test = random.split(root())  # here
    return [random.normal(train, (n,)) for n in (2, 3)]


@broken()
def raw_keys() -> Any:
    key, subkey = random.split(random.PRNGKey(0))  # here
    return random.normal(key), random.uniform(key)


@broken()
def agents_and_environments() -> Any:
    def act(key: Any) -> Any:
        return random.randint(key, (), 0, 4)

    def reset(key: Any) -> Any:
        return random.uniform(key, (2,))

    env_key, agent_key = random.split(root())  # here
    return reset(env_key), act(env_key)


@broken()
def an_epoch_of_batches() -> Any:
    key, losses = root(), []
    for _ in range(2):
        key, shuffle_key, dropout_key = random.split(key, 3)  # here
        order = random.permutation(shuffle_key, 4)
        losses.append((X[order] * random.bernoulli(shuffle_key, 0.5, (4,))).sum())
    return losses


@broken()
def on_each_device() -> Any:
    def noisy(key: Any, x: Any) -> Any:
        a, b = random.split(key[0])  # here
        return x + random.normal(a) + random.uniform(a)

    f = jax.shard_map(noisy, mesh=MESH, in_specs=(P("d"), P("d")), out_specs=P("d"), check_vma=False)
    return jax.jit(f)(random.split(root(), 1), X)


@broken()
def dictionaries_of_keys() -> Any:
    names = ("params", "dropout", "noise")
    keys = dict(zip(names, random.split(root(), 3), strict=True))  # here
    return random.normal(keys["params"]), random.uniform(keys["params"]), random.normal(keys["noise"])


@broken()
def metropolis() -> Any:
    def step(x: Any, key: Any) -> Any:
        move, accept = random.split(key)  # here
        proposal = x + random.normal(move)
        return jnp.where(jnp.log(random.uniform(move)) < x**2 - proposal**2, proposal, x), x

    return lax.scan(step, 0.0, random.split(root(), 5))[1]


# -- sound ------------------------------------------------------------------------------------


@sound
def a_split_for_later() -> Any:
    key, subkey = random.split(root())
    return random.normal(subkey)


@sound
def one_of_many() -> Any:
    return random.normal(random.split(root(), 5)[0])


@sound
def all_are_used() -> Any:
    w, b = random.split(root())
    return random.normal(w, (3, 3)), random.normal(b, (3,))


@sound
def carried_in_a_loop() -> Any:
    key, out = root(), []
    for _ in range(3):
        key, subkey = random.split(key)
        out.append(random.normal(subkey))
    return out


@sound
def carried_in_a_scan() -> Any:
    def step(key: Any, x: Any) -> Any:
        key, subkey = random.split(key)
        return key, x + random.normal(subkey)

    return lax.scan(step, root(), X)[1]


@sound
def a_layer_without_dropout() -> Any:
    def layer(key: Any, x: Any, rate: float) -> Any:
        w_key, drop_key = random.split(key)
        y = x @ random.normal(w_key, (4, 4))
        return y if rate == 0 else y * random.bernoulli(drop_key, rate, y.shape)

    return layer(root(), X, 0.0)


@sound
def a_branch_that_is_not_taken() -> Any:
    a, b = random.split(root())
    return lax.cond(True, lambda: random.normal(a), lambda: random.normal(b))


@sound
def keys_for_the_largest_batch() -> Any:
    keys = random.split(root(), 8)
    return jax.vmap(random.normal)(keys[:5])


@sound
def a_loop_that_ends_early() -> Any:
    total = 0.0
    for key in random.split(root(), 9):
        total += random.uniform(key)
        if total > 1:
            break
    return total


@sound
def parameters_only() -> Any:
    params_key, _, _ = random.split(root(), 3)
    return random.normal(params_key, (3,))


@sound
def returned() -> Any:
    key, subkey = random.split(root())
    return key, random.normal(subkey)


@sound
def folded_in() -> Any:
    a, b = random.split(root())
    return [random.normal(random.fold_in(a, i)) for i in range(3)]


@sound
def in_a_jit_for_the_next_call() -> Any:
    @jax.jit
    def step(key: Any, x: Any) -> Any:
        key, subkey = random.split(key)
        return key, x + random.normal(subkey)

    key, x = root(), 0.0
    for _ in range(3):
        key, x = step(key, x)
    return x


@sound
def under_vmap_for_each_example() -> Any:
    def noisy(key: Any, x: Any) -> Any:
        a, _ = random.split(key)
        return x + random.normal(a)

    return jax.vmap(noisy)(random.split(root(), 4), X)


@sound
def a_class_that_splits_for_itself() -> Any:
    class Keys:
        def __init__(self, seed: int) -> None:
            self.key = root(seed)

        def __call__(self) -> Any:
            self.key, subkey = random.split(self.key)
            return subkey

    keys = Keys(0)
    return random.normal(keys()), random.uniform(keys())


@sound
def a_model_whose_second_head_is_off() -> Any:
    class Model:
        def __init__(self, key: Any, *, heads: int) -> None:
            keys = random.split(key, 2)
            self.weights = [random.normal(key, (4,)) for key in keys[:heads]]

    return Model(root(), heads=1).weights


@sound
def a_while_loop() -> Any:
    def body(state: Any) -> Any:
        key, total = state
        key, subkey = random.split(key)
        return key, total + random.uniform(subkey)

    return lax.while_loop(lambda state: state[1] < 2, body, (root(), 0.0))[1]


@sound
def a_gradient() -> Any:
    def loss(w: Any, key: Any) -> Any:
        noise, _ = random.split(key)
        return jnp.sum((w * random.normal(noise, (4,))) ** 2)

    return jax.value_and_grad(loss)(1.0, root())


@sound
def raw_keys_for_later() -> Any:
    key, subkey = random.split(random.PRNGKey(0))
    return random.normal(subkey, (2,))


@sound
def a_test_set_that_is_not_drawn() -> Any:
    train, test = random.split(root())
    return random.permutation(train, 4)


@sound
def the_same_key_cloned() -> Any:
    a, _ = random.split(root())
    return random.normal(a), random.normal(random.clone(a))


@sound
def batches_from_keys_in_a_dictionary() -> Any:
    keys = dict(zip(("params", "dropout"), random.split(root()), strict=True))
    return random.normal(keys["params"], (3,))

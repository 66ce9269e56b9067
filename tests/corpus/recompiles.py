"""Functions that are compiled again and again, and those that are compiled for each of a few purposes."""

import dataclasses
import functools
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P

# -- programs -------------------------------------------------------------------------------------


def in_a_loop():
    # fixed "jitted = jax.jit(lambda x: x * 2)", "total += jitted(jnp.ones(3)).sum()"
    total = 0.0
    for _ in range(4):
        total += jax.jit(lambda x: x * 2)(jnp.ones(3)).sum()  # warning: recompiles
    return total


@jax.jit
def total(x):
    return x.sum()


def two_shapes():
    # in full
    return total(jnp.ones(3)), total(jnp.ones(4))


# -- as it is met ---------------------------------------------------------------------------------


class Net:
    def __init__(self, w):
        self.w = w

    def forward(self, x):  # warning: recompiles
        return x * self.w


def a_bound_method_jitted_in_a_loop_of_new_objects():
    return [jax.jit(Net(1.0).forward)(2.0) for _ in range(5)]


@dataclasses.dataclass(frozen=True)
class Config:
    rate: float


@partial(jax.jit, static_argnums=1)  # warning: recompiles
def step(w, config):
    return w - config.rate * w


def a_config_that_is_hashed_by_value_and_changes():
    w = jnp.ones(2)
    for i in range(5):
        w = step(w, Config(0.1 / (i + 1)))
    return w


@jax.jit  # warning: recompiles
def next_token(tokens):
    return tokens.sum() % 7


def a_growing_sequence_in_decoding():
    tokens = jnp.array([1])
    for _ in range(5):
        tokens = jnp.concatenate([tokens, next_token(tokens)[None]])
    return tokens


@jax.jit  # warning: recompiles
def f(xs):
    return sum(xs)


def a_list_that_grows():
    xs, out = [], []
    for i in range(5):
        xs.append(float(i))
        out.append(f(xs))
    return out


class Config:
    def __init__(self, n):
        self.n = n


@partial(jax.jit, static_argnums=1)  # warning: recompiles
def f(x, config):
    return x * config.n


def a_static_dictionary_made_hashable():
    return [f(1.0, Config(2)) for _ in range(5)]


@partial(jax.jit, static_argnames=("mode",))  # warning: recompiles
def f(x, mode):
    return x


def a_static_string():
    return [f(1.0, mode=f"step {i}") for i in range(4)]


out = []

for i in range(5):
    out.append(jax.jit(lambda x: x + 1)(1.0))


def _again():
    x = 1.0
    for i in range(5):
        x = jax.jit(lambda x: x * 2)(x)  # warning: recompiles
    return x


def at_the_top_level_of_a_script():
    return _again()


@jax.jit  # warning: recompiles
def f(x):
    return x @ x


def flags_around_the_call():
    x = jnp.ones((2, 2))
    out = [f(x)]
    for precision in ("bfloat16", "tensorfloat32", "float32"):
        with jax.default_matmul_precision(precision):
            out.append(f(x))
    return out


@jax.jit  # warning: recompiles
def f(tree):
    return sum(jax.tree.leaves(tree))


def keys_that_come_and_go():
    return [f({f"layer{i}": 1.0}) for i in range(5)]


def lax_map_of_a_lambda():
    x = jnp.ones((3, 2))
    for _ in range(5):
        x = jax.lax.map(lambda row: row * 2, x)  # warning: recompiles
    return x


mesh = Mesh(np.array(jax.devices()[:1]), ("d",))


def shard_map_made_anew():
    x = jnp.ones(4)
    for _ in range(4):

        def body(y):  # warning: recompiles
            return y * 2

        x = jax.jit(jax.shard_map(body, mesh=mesh, in_specs=P("d"), out_specs=P("d")))(x)
    return x


@functools.cache
def make_step(rate):
    return jax.jit(lambda w: w - rate * w)


def a_cached_factory():
    w = 1.0
    for _ in range(6):
        w = make_step(0.1)(w)
    return w


def fit(activation):
    @jax.jit
    def step(w):
        return activation(w) * 0.9

    return step(1.0)


def a_function_for_each_of_several_purposes():
    return [fit(each) for each in (jnp.sin, jnp.cos, jnp.tanh, jax.nn.relu, jnp.exp)]


def eager_operations_of_jax_numpy_in_a_loop():
    x = jnp.ones(3)
    for i in range(6):
        x = jnp.where(x > i, jnp.linalg.norm(x), x.at[0].add(i))
        x = jax.nn.softmax(x) + jax.random.normal(jax.random.key(i), (3,))
    return x


def eagerly_in_many_shapes():
    return [jnp.ones(n).sum() for n in range(1, 9)]


def jit_is_off():
    x = 1.0
    with jax.disable_jit():
        for _ in range(5):
            x = jax.jit(lambda y: y + 1)(x)
    return x


def many_functions_each_once():
    steps = [jax.jit(lambda x, n=n: x + n) for n in (1, 2)]
    return [step(1.0) for step in steps for _ in range(4)]


@partial(jax.jit, static_argnames="training")
def f(x, training):
    return x * 0.5 if training else x


def two_static_values():
    return [f(1.0, training=flag) for flag in (True, False) * 5]


def a_new_function_in_a_pytree():
    @jax.jit  # warning: recompiles says "such as a new function in a pytree"
    def run(function, x):
        return function(x)

    return [run(jax.tree_util.Partial(lambda x: x + 1), jnp.ones(3)) for _ in range(5)]


def one_function_in_a_pytree():
    @jax.jit
    def run(function, x):
        return function(x)

    add = jax.tree_util.Partial(lambda x: x + 1)
    return [run(add, jnp.ones(3)) for _ in range(5)]

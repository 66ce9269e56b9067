"""Numbers of NumPy, of Python and of a clock that become part of a program, and those that do not."""

import datetime
import random
import time
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P

# -- programs -------------------------------------------------------------------------------------


@jax.jit
def numpy(x):
    # given jnp.ones(3)
    # no fix
    return x + np.random.normal(size=x.shape)  # bug: host-random


@jax.jit
def before(x, noise):
    # given jnp.ones(3), np.random.normal(size=3)
    # in full
    return x + noise


# -- as it is met ---------------------------------------------------------------------------------


def a_choice_in_pmap():
    return jax.pmap(lambda x: x + np.random.normal())(jnp.ones(1))  # bug: host-random


def make_noise(scale, rng=np.random.default_rng(3)):
    def noise(shape):
        return scale * rng.normal(size=shape)  # bug: host-random

    return noise


noise = make_noise(0.1)

f = jax.jit(lambda x: jnp.sin(x) + noise(x.shape))


def a_function_that_returns_a_noisy_one():
    return f(jnp.ones(3)), f(jnp.ones(3))


noise = partial(np.random.normal, 0.0, 2.0)


@jax.jit
def a_partial_of_a_generators_method(x):
    # given 1.0
    return x + noise()  # bug: host-random


f = jax.jit(lambda x: x + np.random.normal())  # bug: host-random

first = f(1.0)


def at_the_top_level_of_a_script():
    return first


def noisy(x):
    return x * np.random.normal()  # bug: host-random


def in_a_gradient_under_vmap():
    return jax.vmap(jax.grad(noisy))(jnp.ones(3))


class Agent:
    def __init__(self, epsilon):
        self.epsilon = epsilon

    @partial(jax.jit, static_argnums=0)
    def act(self, q):
        if np.random.rand() < self.epsilon:  # bug: host-random
            return jnp.int32(np.random.randint(4))  # bug: host-random
        return jnp.argmax(q)


def in_a_method_with_a_static_self():
    agent = Agent(1.5)
    return [agent.act(jnp.ones(4)) for _ in range(3)]


class Env:
    def reset(self):
        return {"pos": jnp.zeros(2), "t": 0}

    def step(self, state, action):
        wind = np.random.normal(size=2)  # bug: host-random
        return {"pos": state["pos"] + action + wind, "t": state["t"] + 1}, state["pos"].sum()


def in_an_environments_step_under_a_scan():
    env = Env()
    return jax.lax.scan(lambda s, a: env.step(s, a), env.reset(), jnp.ones((6, 2)))


mesh = Mesh(np.array(jax.devices()[:1]), ("d",))


def in_shard_map():
    def noisy(x):
        return x + np.random.normal()  # bug: host-random

    return jax.jit(jax.shard_map(noisy, mesh=mesh, in_specs=P("d"), out_specs=P("d")))(jnp.ones(4))


@jax.jit
def mapped_by_python(x):
    # given 1.0
    return x + sum(map(np.random.normal, [0.0, 1.0, 2.0]))  # bug: host-random


@jax.jit
def the_date_in_the_program(x):
    # given 1
    return x + datetime.datetime.now().microsecond  # bug: host-random


@jax.jit
def step(w, batch):
    return w - 0.1 * batch.mean()


def a_batch_for_each_step():
    rng, w = np.random.default_rng(0), 1.0
    for _ in range(3):
        w = step(w, rng.normal(size=4).astype("float32"))  # warning: weak-type-recompile
    return w


def a_fixed_matrix_in_vmap():
    return jax.vmap(lambda x: x @ np.random.RandomState(0).normal(size=(3, 2)))(jnp.ones((4, 3)))


rng = np.random.default_rng(0)


@jax.jit
def f(x):
    return x if rng is not None else -x


def a_generator_that_is_only_passed_on():
    return f(1.0), rng.normal()


@jax.jit
def a_name(x):
    # given 1.0
    with jax.named_scope("layer" + str(random.randrange(1000))):  # note: host-random
        return jnp.sin(x)


def f(x):
    return x + np.random.normal()


def eagerly():
    return f(1.0) + random.random() + time.time()


def normal(x):
    return x


def uniform(x):
    return x * 2


@jax.jit
def functions_of_ones_own_called_like_those(x):
    # given 1.0
    return normal(x) + uniform(x)


@jax.jit
def how_long_tracing_takes(x):
    # given 1.0
    start = time.time()  # note: host-random
    y = jnp.sin(x)
    print(time.time() - start)  # note: host-random, note: host-state
    return y


@jax.jit
def numpy_seeded_in_the_function(x):
    # given 1.0
    np.random.seed(1)
    return x + np.random.normal()


@jax.jit
def random_of_python_seeded_inside(x):
    # given jnp.arange(4.0)
    dice = random.Random(0)
    order = list(range(4))
    dice.shuffle(order)
    return x[np.array(order)]

"""State outside of a function that tracing reads or changes once, and state that is passed on."""

import functools
import types
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

count = counter = 0
seen = []
scale = 2.0


@jax.jit
def scaled(x):
    return x * scale


# -- programs -------------------------------------------------------------------------------------


@jax.jit
def f(x):
    global counter
    counter += 1  # bug: host-state
    return x * counter


def a_counter_in_a_loop():
    # no fix
    x = 1.0
    for _ in range(3):
        x = f(x)
    return x


def a_global_that_is_set_later():
    # no fix
    global scale
    a = scaled(1.0)
    scale = 3.0  # bug: host-state
    return a, scaled(1.0)


@jax.jit
def a_list(x):
    # given 1.0
    # given 1.0
    # no fix
    seen.append(0)  # bug: host-state
    return x * len(seen)


def a_nonlocal():
    # no fix
    count = 0

    @jax.jit
    def f(x):
        nonlocal count
        count += 1  # bug: host-state
        return x + count

    a = f(1.0)
    return a, f(1.0)


config = {"gain": 2.0}


@jax.jit
def f(x):
    return x * config["gain"]


def a_setting_that_is_read():
    # no fix
    a = f(1.0)
    config["gain"] = 4.0  # bug: host-state
    return a, f(1.0)


def a_variable_that_is_closed_over():
    # no fix
    w = 1.0
    f = jax.jit(lambda x: x * w)
    a = f(1.0)
    w = 3.0  # bug: host-state
    return a, f(1.0)


class Model:
    steps = 0

    @partial(jax.jit, static_argnums=0)
    def step(self, x):
        self.steps += 1  # bug: host-state
        return x + self.steps


def an_attribute_of_a_methods_object():
    # no fix
    model = Model()
    a = model.step(1.0)
    return a, model.step(1.0)


state = {"step": 0}


@jax.jit
def an_item(x):
    # given 1.0
    # given 1.0
    # no fix
    state["step"] += 1  # bug: host-state
    return x * state["step"]


@jax.jit
def f(x):
    global counter
    counter += 1  # bug: host-state
    return x * counter


def under_vmap():
    # no fix
    return jax.vmap(f)(jnp.ones(3))


@jax.jit
def step(x, count):
    return x * count, count + 1


def counter_that_is_sound():
    # in full
    x, count = step(jnp.ones(3), 1)
    return step(x, count)


# -- as it is met ---------------------------------------------------------------------------------


def _numbers():
    n = 0
    while True:
        n += 1
        yield n


source = _numbers()


@jax.jit
def a_generator_of_the_module_that_is_drawn_from_by_next(x):
    # given 1.0
    return x * next(source)  # bug: host-state


weights = np.ones(2)


def loss(x):
    return jnp.sum(weights * x)


gradient = jax.jit(jax.grad(loss))


def a_jitted_gradient_of_a_loss_that_reads_parameters():
    for _ in range(3):
        weights[:] = weights - 0.1 * np.asarray(gradient(jnp.ones(2)))  # bug: host-state
    return weights


def a_loop_variable_that_is_closed_over():
    f = jax.jit(lambda x: x * scale)
    out = []
    for scale in (1.0, 2.0, 3.0):  # bug: host-state
        out.append(f(1.0))
    return out


scale = 1.0

f = jax.jit(lambda x: x * scale)

first = f(2.0)

scale = 3.0  # bug: host-state

second = f(2.0)


def a_module_level_program():
    return second


settings = types.ModuleType("settings")

settings.bias = 1.0


@jax.jit
def f(x):
    return x + settings.bias


def a_module_of_settings():
    a = f(1.0)
    settings.bias = 5.0  # bug: host-state
    return a, f(1.0)


seen = set()


@jax.jit
def a_set(x):
    # given 1.0
    # given 1.0
    first = "f" not in seen
    seen.add("f")  # bug: host-state
    return x if first else -x


class Env:
    def __init__(self):
        self.t = 0

    def step(self, state, action):
        self.t += 1  # bug: host-state
        done = self.t >= 3
        return state + action, done


env = Env()


def an_environment_that_keeps_its_own_time():
    def body(state, action):
        state, done = env.step(state, action)
        return state, (state, done)

    return jax.lax.scan(body, 0.0, jnp.ones(6))


config = {"gain": 1.0}


@jax.jit
def amplify(x):
    return x * config["gain"]


@jax.jit
def tune(x):
    config["gain"] = 5.0  # bug: host-state, note: host-state
    return x


def changed_while_another_function_is_traced():
    a = amplify(1.0)
    return a, tune(1.0), amplify(1.0)


def body(x):
    global count
    count += 1  # bug: host-state
    return x + count


def in_pmap():
    f = jax.pmap(body)
    return f(jnp.ones(1)), f(jnp.ones(1))


class Config:
    deterministic = False


@jax.jit
def dropout(x, key):
    if Config.deterministic:
        return x
    return x * jax.random.bernoulli(key, 0.5, x.shape)


def the_mode_of_a_class():
    x, key = jnp.ones(4), jax.random.key(0)
    a = dropout(x, key)
    Config.deterministic = True  # bug: host-state
    return a, dropout(x, key)


traces = 0


@jax.jit
def f(x):
    global traces
    traces += 1  # note: host-state
    return x


def a_count_of_traces():
    f(1.0), f(jnp.ones(3))
    return traces


class Dense:
    def __init__(self, n):
        self.n = n
        self.cache = {}

    def __call__(self, x):
        self.last = x * self.n
        self.cache["y"] = self.last
        return self.last


@jax.jit
def a_module_made_inside(x):
    # given 1.0
    return Dense(3)(x)


def a_new_function_for_each_value():
    out = []
    for scale in (1.0, 2.0):
        out.append(jax.jit(lambda x: x * scale)(1.0))
    return out


class Probe:
    def __call__(self, x):
        self.shape = x.shape  # note: host-state
        return x * 2


def an_attribute_kept_for_looking_at_outside_of_jit():
    probe = Probe()
    y = jax.jit(probe)(jnp.ones(3))
    return y, probe.shape


def caches_cleared():
    global scale
    a = scaled(1.0)
    scale = 3.0
    jax.clear_caches()
    return a, scaled(1.0)


@functools.cache
def table(n):
    return np.arange(n) * 2.0


@jax.jit
def functools_cache(x):
    # given jnp.ones(3)
    # given jnp.ones(4)
    return x + table(x.shape[0])


calls = []


def under_vmap_eagerly():
    return jax.vmap(lambda x: (calls.append("mapped"), x * 2)[1])(jnp.ones(3))


def a_print_while_tracing():
    @jax.jit
    def step(x):
        print("step", x.shape)  # note: host-state says "`print` on line L runs while `step` is traced"
        return x + 1

    return step(jnp.ones(3)), step(jnp.zeros(3))


def a_print_in_the_body_of_a_loop():
    def body(total, x):
        print(x)  # note: host-state
        return total + x, x

    return jax.lax.scan(body, 0.0, jnp.ones(3))


def a_print_at_each_call():
    @jax.jit
    def step(x):
        jax.debug.print("{}", x)
        return x + 1

    return step(jnp.ones(3))


def an_attribute_of_a_static_argument():
    settings = type("Settings", (), {"scale": 1.0})()
    run = jax.jit(lambda settings, x: settings.scale * x, static_argnums=0)
    first = run(settings, jnp.ones(3))
    settings.scale = 2.0  # bug: host-state says "an argument that is not static"
    return first, run(settings, jnp.ones(3))


# -- arguments that are changed in place ------------------------------------------------------------


@jax.tree_util.register_dataclass
@dataclass
class Tally:
    total: jax.Array

    def add(self, x):
        self.total += x.sum()  # bug: host-state says "while `step` is traced, and the change is lost"


def an_object_that_is_changed_under_jit():
    @jax.jit
    def step(tally, x):
        tally.add(x)
        return 2 * x

    tally = Tally(jnp.zeros(()))
    return step(tally, jnp.ones(3)), step(tally, jnp.ones(3))


def an_item_of_an_argument():
    @jax.jit
    def step(state, x):
        state["steps"] += 1  # bug: host-state says "Return the new value, and let the caller keep it"
        return 2 * x

    return step({"steps": jnp.zeros(())}, jnp.ones(3))


def an_argument_that_is_changed_and_returned():
    @jax.jit
    def step(state, x):
        state["steps"] += 1
        return state, 2 * x

    return step({"steps": jnp.zeros(())}, jnp.ones(3))


def an_argument_that_is_changed_and_read():
    @jax.jit
    def loss(batch):
        batch["image"] = batch["image"] / 255
        return batch["image"].sum()

    return loss({"image": jnp.ones(3)})


def an_object_of_the_function_that_is_changed():
    @jax.jit
    def step(x):
        notes = {"sum": jnp.zeros(())}
        _note(notes, x)
        return 2 * x

    def _note(notes, x):
        notes["sum"] += x.sum()

    return step(jnp.ones(3))


def an_item_that_is_taken_out_of_an_argument():
    @jax.jit
    def step(options, x):
        return options.pop("scale") * x

    return step({"scale": 2.0, "other": 1.0}, jnp.ones(3))


def a_carry_that_is_changed():
    def body(carry, x):
        carry["sum"] += x
        return carry, x

    return jax.lax.scan(body, {"sum": 0.0}, jnp.ones(3))

"""Tracers that are kept after their trace, and values that may be kept."""

import dataclasses
import functools
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

cache, kept, store = {}, [], []
last = None

# -- programs -------------------------------------------------------------------------------------


@jax.jit
def a_function_that_holds_it(x):
    # given 1.0
    # no fix
    kept.append(lambda: x)  # bug: leaked-tracer
    return x


@jax.jit
def a_global_that_nobody_reads(x):
    # given 1.0
    # fixed ""
    # fixed "jax.debug.callback(lambda value: globals().update(last=value), x + 1)"
    global last
    last = x + 1  # bug: leaked-tracer
    return x


@jax.jit
def f(x):
    store.append(x * 2)  # bug: leaked-tracer
    return x


def a_list_that_is_read():
    # fixed "jax.debug.callback(store.append, x * 2)", "jax.effects_barrier()"
    y = f(1.0)
    return y + len(store)


class Store:
    pass


store = Store()


@jax.jit
def f(x):
    store.last = x  # bug: leaked-tracer
    return x


def an_attribute():
    # fixed 'jax.debug.callback(lambda value: setattr(store, "last", value), x)', "jax.effects_barrier()"
    f(1.0)
    return store.last is None


@jax.jit
def an_item(x):
    # given 1.0
    # fixed ""
    # fixed 'jax.debug.callback(lambda value: cache.update({"x": value}), x)'
    cache["x"] = x  # bug: leaked-tracer
    return x


@jax.jit
def kept_in_a_list(x):
    # given jnp.ones(3)
    # fixed "jax.debug.callback(kept.append, x * 2)"
    kept.append(x * 2)  # bug: leaked-tracer
    return x + 1


@jax.jit
def several_at_once(x):
    # given 1.0
    # no fix
    kept.extend([x, x])  # bug: leaked-tracer
    return x


def keep(x):
    cache["x"] = x  # bug: leaked-tracer


@jax.jit
def the_only_statement(x):
    # given 1.0
    # fixed "pass"
    # fixed 'jax.debug.callback(lambda value: cache.update({"x": value}), x)'
    keep(x)
    return x


@jax.jit
def what_the_function_reads_itself(x):
    # given 1.0
    # no fix
    cache["x"] = x  # bug: leaked-tracer
    return cache["x"] * 2


shapes = []


@jax.jit
def shape_kept(x):
    # given jnp.ones(3)
    # in full
    shapes.append(x.shape)  # note: host-state
    return x + 1


# -- as it is met ---------------------------------------------------------------------------------


table = None


@jax.jit
def a_constant_made_while_tracing(x):
    # given jnp.ones(3)
    global table
    if table is None:
        table = jnp.arange(3.0)  # bug: leaked-tracer
    return x + table


@dataclasses.dataclass
class State:
    loss: object = None


state = State()


@jax.jit
def a_dataclass_of_the_module(w):
    # given 1.0
    state.loss = w**2  # bug: leaked-tracer
    return w * 0.9


class Sampler:
    def __init__(self):
        self.key = jax.random.key(0)

    @partial(jax.jit, static_argnums=0)
    def draw(self):
        self.key, sub = jax.random.split(self.key)  # bug: leaked-tracer
        return jax.random.normal(sub)


sampler = Sampler()


def a_key_that_is_split_in_place():
    return sampler.draw()


def a_list_that_is_closed_over():
    losses = []

    @jax.jit
    def step(w):
        losses.append(w**2)  # bug: leaked-tracer
        return w - 0.1

    return step(1.0), len(losses)


def add(x, seen=[]):
    seen.append(x)  # bug: leaked-tracer
    return x


def a_mutable_default():
    return jax.jit(lambda x: add(x))(1.0)


def a_nonlocal():
    loss = None

    @jax.jit
    def step(w):
        nonlocal loss
        loss = w**2  # bug: leaked-tracer
        return w - 0.1

    return step(1.0)


class Model:
    def __init__(self):
        self.hooks = {}

    def layer(self, name, x):
        y = jnp.tanh(x)
        self.hooks.setdefault(name, []).append(y)  # bug: leaked-tracer
        return y

    def __call__(self, x):
        return self.layer("b", self.layer("a", x))


model = Model()


def activations_in_hooks():
    return jax.jit(model)(1.0)


values = []

out = jax.jit(lambda x: (values.append(x), x)[1])(1.0)  # bug: leaked-tracer


def at_the_top_level_of_a_script():
    return out


log = []


@jax.jit
def augmented_concatenation(x):
    # given 1.0
    global log
    log += [x]  # bug: leaked-tracer
    return x


class BatchNorm:
    def __init__(self):
        self.mean = 0.0

    def __call__(self, x):
        self.mean = 0.9 * self.mean + 0.1 * x.mean()  # bug: leaked-tracer
        return x - self.mean


norm = BatchNorm()

grad = jax.jit(jax.grad(lambda w, x: norm(x * w).sum()))


def batch_statistics_in_an_attribute():
    return grad(1.0, jnp.arange(4.0))


@functools.cache
def table(n):
    return jnp.arange(n) * 2  # bug: leaked-tracer


@jax.jit
def functools_cache_of_an_array(x):
    # given jnp.ones(3)
    return x + table(x.shape[0])


points = []


def f(x):
    points.append(x)  # bug: leaked-tracer
    return x**2


def in_jax_linearize():
    return jax.linearize(f, 1.0)[0]


seen = []


def in_pmap():
    return jax.pmap(lambda x: (seen.append(x), x)[1])(jnp.ones(1))  # bug: leaked-tracer


activations = []


def loss(w):
    activations.append(jnp.sin(w))  # bug: leaked-tracer
    return w**2


def under_a_gradient_eagerly():
    return jax.grad(loss)(1.0)


def under_vmap_eagerly():
    seen = []

    def f(x):
        seen.append(x)  # bug: leaked-tracer
        return x * 2

    return jax.vmap(f)(jnp.ones(3))


class Buffers:
    def __init__(self):
        self.zeros = {}

    def get(self, n):
        if n not in self.zeros:
            self.zeros[n] = jnp.zeros(n)  # bug: leaked-tracer
        return self.zeros[n]


buffers = Buffers()


@jax.jit
def zeros_made_in_a_lazy_method(x):
    # given jnp.ones(2)
    return jnp.concatenate([x, buffers.get(2)])


compiled = {}


def get(n):
    if n not in compiled:
        compiled[n] = jax.jit(lambda x: x**n)
    return compiled[n]


def a_cache_of_compiled_functions():
    return get(2)(3.0) + get(2)(4.0) + get(3)(1.0)


@jax.jit
def a_cache_of_numpys_arrays(x):
    # given jnp.ones(3)
    # given jnp.ones((2, 3))
    if "t" not in cache:
        cache["t"] = np.arange(3.0)  # note: host-state
    return x + cache["t"]


@jax.jit
def a_generator_in_the_function(x):
    # given 2.0
    def powers():
        y = x
        while True:
            yield y
            y = y * x

    source = powers()
    return next(source) + next(source)


def loss(w, state):
    state["rate"] = jax.nn.sigmoid(w)
    return w * state["rate"], state


@jax.jit
def a_gradient_inside_jit_that_changes_a_dictionary_of_the_function(w, state):
    # given 1.0, {"rate": 0.5}
    g, state = jax.grad(loss, has_aux=True)(w, state)
    return g, state


def per_example(x):
    terms = []

    def loss(w):
        terms.append(w * x)
        return w * x

    return jax.grad(loss)(1.0)


def a_gradient_inside_vmap_that_changes_a_list_of_the_function():
    return jax.vmap(per_example)(jnp.ones(3))


def a_linear_function_kept_outside():
    y, push = jax.linearize(jnp.sin, 1.0)
    kept.append(push)
    return push(1.0)


class Linear:
    def __init__(self, key):
        self.params = {"w": jax.random.normal(key, (3,))}

    def apply(self, params, x):
        return params["w"] @ x


def a_module_with_parameters():
    model = Linear(jax.random.key(0))
    step = jax.jit(jax.grad(lambda params, x: model.apply(params, x)))
    for _ in range(3):
        g = step(model.params, jnp.ones(3))
        model.params = jax.tree.map(lambda p, d: p - 0.1 * d, model.params, g)
    return model.params


def a_scan_whose_body_has_its_own_list():
    def body(carry, x):
        parts = [carry]
        parts.append(x)
        return sum(parts), None

    return jax.lax.scan(body, 0.0, jnp.arange(3.0))


@jax.jit
def an_accumulator_in_the_function(xs):
    # given jnp.ones(3)
    total = 0.0

    def add(x):
        nonlocal total
        total = total + x

    for i in range(3):
        add(xs[i])
    return total


class Model:
    def __call__(self, x):
        return x * 2

    def run(self, x):
        self.last = jax.jit(self.__call__)(x)
        return self.last


def an_attribute_set_outside():
    return Model().run(1.0)


history = []


def eagerly(x):
    # given jnp.ones(3)
    history.append(x * 2)
    return x


@functools.lru_cache
def positions(n):
    return np.arange(n)


@jax.jit
def functools_lru_cache_of_shapes(x):
    # given jnp.ones(3)
    return x + positions(x.shape[0])


texts = []


@jax.jit
def the_trace_of_a_function_looked_at(x):
    # given 1.0
    texts.append(str(x))  # note: host-state
    return x

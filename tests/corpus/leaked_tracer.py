"""Tracers that are kept after their trace, and values that may be kept."""

import functools

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


def a_linear_function_kept_outside():
    y, push = jax.linearize(jnp.sin, 1.0)
    kept.append(push)
    return push(1.0)


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


texts = []


@jax.jit
def the_trace_of_a_function_looked_at(x):
    # given 1.0
    texts.append(str(x))  # note: host-state
    return x

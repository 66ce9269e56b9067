"""Functions that a weak type compiles again, as they are met in issues and in teaching, in our own words.

After https://github.com/jax-ml/jax/issues/3163 and https://github.com/jax-ml/jax/issues/4274 (a sum that begins as a
Python number), https://github.com/google/jaxopt/issues/451 (a step size in a state),
https://github.com/pyro-ppl/numpyro/issues/463 (warm-up and sampling), https://github.com/google-deepmind/optax/issues/1440
(an average that begins as 0.0), https://github.com/liesel-devs/liesel/issues/364 (a state loses its weak types),
https://github.com/PlasmaControl/DESC/pull/1963 (attributes made by ``float``),
https://github.com/patrick-kidger/equinox/issues/817 and https://github.com/google-deepmind/mujoco/issues/2306.
"""

import functools
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import jit, lax

KEY = jax.random.key(0)
X = jnp.linspace(-1.0, 2.0, 6)
ONE = jnp.float32(1.0)
Y = np.cos(np.linspace(0.0, 1.0, 6)).astype(np.float32)


def a_sum_of_steps():
    step = jax.jit(lambda total, n: total + n * jnp.int32(1))
    total = 0
    for n in range(4):
        total = step(total, n)  # warning: weak-type-recompile
    return total


def a_sum_with_a_strong_constant():
    f = jax.jit(lambda x: x + np.float32(0.0))
    x = 0.0
    y = f(x)
    return f(y)  # warning: weak-type-recompile


def a_decorated_function():
    @jax.jit
    def loss_so_far(mean, count):
        return (mean * count + jnp.sum(X)) / (count + 1)

    mean = 0.0
    for count in range(3):
        mean = loss_so_far(mean, count)  # warning: weak-type-recompile
    return mean


def a_partial_of_jit():
    @functools.partial(jax.jit, static_argnames="times")
    def grown(x, times):
        return x * ONE * times

    x = 1.0
    for _ in range(3):
        x = grown(x, times=2)  # warning: weak-type-recompile
    return x


def a_name_of_the_argument():
    @jit
    def step(x, temperature):
        return x * temperature

    step(X, temperature=1.0)
    return step(X, temperature=jnp.float32(0.5))  # warning: weak-type-recompile


def annealing():
    soft = jax.jit(lambda logits, temperature: jax.nn.softmax(logits / temperature))
    temperature, out = 1.0, X
    for _ in range(3):
        out = soft(out, temperature)  # warning: weak-type-recompile
        temperature = jnp.maximum(jnp.float32(0.9) * temperature, 0.5)
    return out


def a_learning_rate_of_a_schedule():
    update = jax.jit(lambda w, rate: w - rate * w)
    w = update(X, 0.1)
    for n in range(1, 3):
        w = update(w, jnp.exp(-jnp.float32(n)))  # warning: weak-type-recompile
    return w


def a_weight_of_a_loss():
    elbo = jax.jit(lambda x, beta: jnp.mean(x**2) + beta * jnp.mean(jnp.abs(x)))
    warm = elbo(X, 0.0)
    return warm + elbo(X, jnp.asarray(0.5, jnp.float32))  # warning: weak-type-recompile


def a_state_of_two():
    class State(NamedTuple):
        x: Any
        size: Any

    @jax.jit
    def update(state):
        return State(state.x - state.size * state.x, jnp.minimum(state.size, ONE))

    state = State(X, 0.5)
    for _ in range(3):
        state = update(state)  # warning: weak-type-recompile
    return state


def a_state_in_a_dictionary():
    @jax.jit
    def update(state):
        return {"x": state["x"] * 0.9, "average": 0.9 * state["average"] + 0.1 * jnp.mean(state["x"])}

    state = {"x": X, "average": 0.0}
    for _ in range(3):
        state = update(state)  # warning: weak-type-recompile
    return state


def a_state_in_a_tuple():
    @jax.jit
    def kalman(belief, seen):
        mean, variance = belief
        gain = variance / (variance + ONE)
        return mean + gain * (seen - mean), (1 - gain) * variance

    belief = (0.0, 10.0)
    for seen in X:
        belief = kalman(belief, seen)  # warning: weak-type-recompile
    return belief


def a_weak_array():
    f = jax.jit(lambda x: x + ONE)
    y = f(jnp.asarray(2.0))
    return f(y)  # warning: weak-type-recompile


def a_full_array():
    f = jax.jit(lambda x: x * jnp.arange(3.0))
    y = jnp.full(3, 2.0)
    for _ in range(2):
        y = f(y)  # warning: weak-type-recompile
    return y


def an_average_of_weights():
    ema = jax.jit(lambda old, new: jax.tree.map(lambda a, b: 0.9 * a + 0.1 * b, old, new))
    old = {"w": 0.0, "b": 0.0}
    for _ in range(2):
        old = ema(old, {"w": ONE, "b": ONE})  # warning: weak-type-recompile
    return old


def a_numpy_number_next():
    f = jax.jit(lambda x: x**2)
    f(3.0)
    return f(np.float32(2.0))  # warning: weak-type-recompile


def a_mean_of_numpy():
    centred = jax.jit(lambda x, mean: x - mean)
    first = centred(X, 0.0)
    return first + centred(X, Y.mean())  # warning: weak-type-recompile


def an_array_first():
    f = jax.jit(lambda x: jnp.sin(x))
    f(ONE)
    return f(0.5)  # warning: weak-type-recompile


def an_integer():
    f = jax.jit(lambda n: n * 2)
    f(jnp.int32(1))
    return f(7)  # warning: weak-type-recompile


def a_complex_number():
    f = jax.jit(lambda z: jnp.abs(z))
    f(1j)
    return f(jnp.complex64(2j))  # warning: weak-type-recompile


def a_counter_of_steps():
    @jax.jit
    def train_step(state):
        return {"step": state["step"] + jnp.int32(1), "w": state["w"] * 0.5}

    state = {"step": 0, "w": X}
    for _ in range(2):
        state = train_step(state)  # warning: weak-type-recompile
    return state


def a_place_in_a_cache():
    write = jax.jit(lambda cache, at, x: lax.dynamic_update_slice(cache, x[None], (at,)))
    cache = write(X, 0, ONE)
    for at in jnp.arange(1, 3):
        cache = write(cache, at, ONE)  # warning: weak-type-recompile
    return cache


def an_index_of_a_range():
    at = jax.jit(lambda i: X[i])
    first = at(0)
    return first + sum(at(i) for i in jnp.arange(2))  # warning: weak-type-recompile


def a_step_in_time():
    euler = jax.jit(lambda y, dt: y - dt * y)
    y = euler(X, 0.1)
    return euler(y, jnp.float32(0.05))  # warning: weak-type-recompile


def newtons_method():
    @jax.jit
    def newton(x):
        return x - (x**2 - jnp.float32(2.0)) / (2 * x)

    x = 1.0
    while abs(x**2 - 2.0) > 1e-3:
        x = newton(x)  # warning: weak-type-recompile
    return x


def bisection():
    @jax.jit
    def halved(low, high):
        middle = ONE * (low + high) / 2
        return jnp.where(middle**2 < ONE * 2, middle, low), jnp.where(middle**2 < ONE * 2, high, middle)

    low, high = 0.0, 2.0
    for _ in range(3):
        low, high = halved(low, high)  # warning: weak-type-recompile
    return low


def momentum():
    @jax.jit
    def step(w, velocity):
        velocity = 0.9 * velocity + w
        return w - 0.1 * velocity, velocity

    w, velocity = ONE, 0.0
    for _ in range(3):
        w, velocity = step(w, velocity)  # warning: weak-type-recompile
    return w


def a_carry_of_scans():
    @jax.jit
    def epoch(best):
        return lax.scan(lambda best, x: (jnp.minimum(best, x), None), jnp.float32(best), X)[0]

    best = 100.0
    for _ in range(2):
        best = epoch(best)  # warning: weak-type-recompile
    return best


def rewards_of_an_episode():
    @jax.jit
    def discounted(returns, reward):
        return reward + 0.99 * returns

    returns = 0.0
    for reward in X[:3]:
        returns = discounted(returns, reward)  # warning: weak-type-recompile
    return returns


def epsilon_of_exploration():
    explores = jax.jit(lambda key, epsilon: jax.random.uniform(key) < epsilon)
    epsilon, found = 1.0, []
    for key in jax.random.split(KEY, 3):
        found.append(explores(key, epsilon))  # warning: weak-type-recompile
        epsilon = jnp.float32(0.9) * epsilon
    return found


def in_a_method():
    class Filter:
        def __init__(self):
            self.value = 0.0
            self.step = jax.jit(lambda value, x: 0.8 * value + 0.2 * x)

        def __call__(self, x):
            self.value = self.step(self.value, x)  # warning: weak-type-recompile
            return self.value

    low_pass = Filter()
    return [low_pass(x) for x in X[:3]]


def in_a_helper():
    scaled = jax.jit(lambda x, by: x * by)

    def call(by):
        return scaled(X, by)  # warning: weak-type-recompile

    return call(2.0) + call(ONE)


def with_donated_buffers():
    add = jax.jit(lambda total, x: total + x, donate_argnums=())
    total = 0.0
    for x in Y[:3]:
        total = add(total, x)  # warning: weak-type-recompile
    return total


def of_several_arguments():
    line = jax.jit(lambda a, b: a * X + b)
    first = line(1.0, 0.0)
    return first + line(ONE, jnp.float32(0.1))  # warning: weak-type-recompile


def a_made_step_size():
    class Settings:
        def __init__(self, rate):
            self.rate = float(rate)

    step = jax.jit(lambda w, rate: w - rate)
    w = step(X, Settings(0.1).rate)
    return step(w, jnp.float32(Settings(0.1).rate))  # warning: weak-type-recompile


def warm_up_and_sampling():
    @jax.jit
    def sample(state, size):
        return state + size * jax.random.normal(KEY, state.shape)

    state = sample(X, 0.5)
    adapted = jnp.exp(jnp.log(jnp.float32(0.5)) + 0.1)
    return sample(state, adapted)  # warning: weak-type-recompile


def a_gradient_in_a_loop():
    @jax.jit
    def loss(w):
        return (w - ONE) ** 2

    w = 0.0
    for _ in range(3):
        w = w - ONE * 0.1 * jax.grad(loss)(w)  # warning: weak-type-recompile
    return w


def a_gradient_under_jit():
    slope = jax.jit(jax.grad(lambda w: (w - 2.0) ** 2))
    w = 0.0
    for _ in range(3):
        w = w - jnp.float32(0.1) * slope(w)  # warning: weak-type-recompile
    return w


def a_value_and_a_gradient():
    both = jax.jit(jax.value_and_grad(lambda w: jnp.sum((w * X - Y) ** 2)))
    w = 1.0
    for _ in range(2):
        _, slope = both(w)  # warning: weak-type-recompile
        w = w - 0.1 * slope * ONE
    return w


def a_map_over_examples():
    each = jax.jit(jax.vmap(lambda x, scale: x * scale, (0, None)))
    first = each(X, 2.0)
    return each(first, ONE)  # warning: weak-type-recompile


def a_default_of_a_function():
    forward = jax.jit(lambda x, rate: x * (1 - rate))

    def predicted(x, rate=0.0):
        return forward(x, rate)  # warning: weak-type-recompile

    return predicted(X) + predicted(X, jnp.float32(0.1))


def a_random_number():
    jitter = jax.jit(lambda x, by: x + by)
    first = jitter(X, 0.0)
    return first + jitter(X, jax.random.uniform(KEY))  # warning: weak-type-recompile


def a_norm():
    clip = jax.jit(lambda x, most: x / jnp.maximum(1.0, jnp.linalg.norm(x) / most))
    first = clip(X, 1.0)
    return clip(first, jnp.linalg.norm(X))  # warning: weak-type-recompile

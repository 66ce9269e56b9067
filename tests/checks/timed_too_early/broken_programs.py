"""Clocks that are read too early, as they are met in questions, benchmarks and training loops, in our own words.

After https://docs.jax.dev/en/latest/async_dispatch.html and https://docs.jax.dev/en/latest/benchmarking.html, and a
question on the second run that is slower than the first (https://openillumi.com/en/en-jax-async-dispatch-benchmark-guide):
each of the two timed the call alone.
"""

import functools
import time

import jax
import jax.numpy as jnp

X = jax.block_until_ready(jnp.eye(500))


@jax.jit
def work(x):
    return jax.lax.fori_loop(0, 14, lambda _, x: jnp.tanh(x @ x), x)


@jax.jit
def loss(x):
    return jnp.mean(work(x)), work(x)


# All is compiled here: compiling an operation in a program would take as long as the work.
jax.block_until_ready((work(X), loss(X), X @ X + 1.0))


def wall_time():
    start = time.time()
    y = work(X)
    return y, time.time() - start  # warning: timed-too-early


def two_names():
    t0 = time.time()
    y = work(X)
    t1 = time.time()  # warning: timed-too-early
    return y, t1 - t0


def each_time_in_a_list():
    times, kept = [], []
    for _ in range(2):
        start = time.time()
        y = work(X)
        times.append(time.time() - start)  # warning: timed-too-early
        kept.append(y)
    return times, kept


def two_runs_to_compare():
    start = time.time()
    first = work(X)
    t_1 = time.time() - start  # warning: timed-too-early
    first.block_until_ready()
    begin = time.time()
    second = work(X)
    t_2 = time.time() - begin  # warning: timed-too-early
    return second, t_1, t_2


def operations_at_once():
    # Compiled first: beside a busy machine the computation may end before all of this is compiled.
    jax.block_until_ready(work(X) @ X + 1.0)
    start = time.perf_counter()
    y = work(X) @ X + 1.0
    return y, time.perf_counter() - start  # warning: timed-too-early


def a_map_over_examples():
    several = jax.jit(jax.vmap(work))
    batch = jax.block_until_ready(jnp.stack([X, X]))
    jax.block_until_ready(several(batch))
    start = time.time()
    y = several(batch)
    return y, time.time() - start  # warning: timed-too-early


def a_gradient():
    slope = jax.jit(jax.grad(lambda x: jnp.sum(functools.reduce(jnp.matmul, [x] * 12))))
    jax.block_until_ready(slope(X))
    start = time.time()
    y = slope(X)
    y = work(y)
    return y, time.time() - start  # warning: timed-too-early


def a_helper():
    def timed(function, *arguments):
        start = time.perf_counter()
        result = function(*arguments)
        return result, time.perf_counter() - start  # warning: timed-too-early

    return timed(work, X)


def only_the_shape_is_read():
    start = time.time()
    y = work(X)
    print("a line")
    rows = y.shape[0]
    return y, rows / (time.time() - start)  # warning: timed-too-early


def a_slice_of_the_result():
    start = time.time()
    y = work(X)[0]
    return y, time.time() - start  # warning: timed-too-early


def a_sum_of_the_result():
    start = time.time()
    total = jnp.sum(work(X))
    return total, time.time() - start  # warning: timed-too-early


def a_result_that_is_kept_aside():
    results = []
    start = time.time()
    results.append(work(X))
    return results, time.time() - start  # warning: timed-too-early


def a_with_block():
    with jax.default_matmul_precision("float32"):
        start = time.time()
        y = work(X)
        took = time.time() - start  # warning: timed-too-early
    return y, took


def a_copy_to_the_device():
    start = time.time()
    y = work(jax.device_put(X))
    return y, time.time() - start  # warning: timed-too-early

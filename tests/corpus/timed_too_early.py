"""Clocks that are read too early, as they are met in questions, benchmarks and training loops, in our own words.

After https://docs.jax.dev/en/latest/async_dispatch.html and https://docs.jax.dev/en/latest/benchmarking.html, and a
question on the second run that is slower than the first (https://openillumi.com/en/en-jax-async-dispatch-benchmark-guide):
each of the two timed the call alone.

Sound ones: clocks that are read when the result is there, or that time something else; in our own words.

After https://docs.jax.dev/en/latest/benchmarking.html (wait for the result), https://docs.jax.dev/en/latest/async_dispatch.html
(the time of the call, and of the wait), and the lesson waiting_for_the_device.
"""

import time
import timeit

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
jax.block_until_ready((work(X)[0], loss(X), X @ X + 1.0))


jax.block_until_ready(work(X))


# -- programs -------------------------------------------------------------------------------------


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


def operations_at_once():
    # Compiled first: beside a busy machine the computation may end before all of this is compiled.
    jax.block_until_ready(work(X) @ X + 1.0)
    start = time.perf_counter()
    y = work(X) @ X + 1.0
    return y, time.perf_counter() - start  # warning: timed-too-early


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


def a_result_that_is_kept_aside():
    results = []
    start = time.time()
    results.append(work(X))
    return results, time.time() - start  # warning: timed-too-early


# -- sound ----------------------------------------------------------------------------------------


def compared():
    start = time.time()
    same = bool(jnp.all(work(X) == 0))
    return same, time.time() - start


def the_call_and_the_wait():
    start = time.time()
    y = work(X)
    called = time.time()
    y.block_until_ready()
    ready = time.time()
    return called - start, ready - called


def compilation():
    y = work(X)
    start = time.time()
    compiled = work.lower(X).compile()
    return y, compiled, time.time() - start


def a_trace():
    start = time.time()
    jaxpr = jax.make_jaxpr(work)(X)
    return jaxpr, time.time() - start


def python_while_jax_computes():
    y = work(X)
    start = time.time()
    total = sum(range(100))
    return y, total, time.time() - start


def readings_that_are_not_subtracted():
    before = time.time()
    y = work(X)
    after = time.time()
    return y, before, after


def a_deadline():
    until = time.monotonic() + 60
    y = work(X)
    return y, time.monotonic() < until


def a_seed():
    key = jax.random.key(int(time.time()) % 7)
    return jax.random.normal(key, (500, 500)) @ X, time.time()


def timeit_that_waits():
    return timeit.timeit(lambda: work(X).block_until_ready(), number=1)


# -- fixed ----------------------------------------------------------------------------------------


def clock():
    # fixed "jax.block_until_ready(y)"
    @jax.jit
    def work(x):
        return jax.lax.fori_loop(0, 40, lambda _, x: jnp.tanh(x @ x), x)

    x = jax.block_until_ready(jnp.ones((600, 600)))
    start = time.perf_counter()
    y = work(x)
    took = time.perf_counter() - start  # warning: timed-too-early
    return y, took


def waited():
    # in full
    @jax.jit
    def work(x):
        return jax.lax.fori_loop(0, 40, lambda _, x: jnp.tanh(x @ x), x)

    x = jax.block_until_ready(jnp.ones((600, 600)))
    start = time.perf_counter()
    y = work(x).block_until_ready()
    took = time.perf_counter() - start
    return y, took


def two_results():
    # fixed "jax.block_until_ready((y, total))"
    @jax.jit
    def work(x):
        y = jax.lax.fori_loop(0, 40, lambda _, x: jnp.tanh(x @ x), x)
        return y, y.sum()

    x = jax.block_until_ready(jnp.ones((600, 600)))
    start = time.perf_counter()
    y, total = work(x)
    took = time.perf_counter() - start  # warning: timed-too-early says "block_until_ready((y, total))"
    return y, total, took

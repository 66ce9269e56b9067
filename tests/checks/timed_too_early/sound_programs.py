"""Clocks that are read when the result is there, or that time something else; in our own words.

After https://docs.jax.dev/en/latest/benchmarking.html (wait for the result), https://docs.jax.dev/en/latest/async_dispatch.html
(the time of the call, and of the wait), and the lesson waiting_for_the_device.
"""

import time
import timeit

import jax
import jax.numpy as jnp

X = jax.block_until_ready(jnp.eye(300))


@jax.jit
def work(x):
    return jax.lax.fori_loop(0, 10, lambda _, x: jnp.tanh(x @ x), x)


jax.block_until_ready(work(X))


def waited_for_in_place():
    start = time.time()
    y = work(X).block_until_ready()
    return y, time.time() - start


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
    return jax.random.normal(key, (300, 300)) @ X, time.time()


def timeit_that_waits():
    return timeit.timeit(lambda: work(X).block_until_ready(), number=1)


def a_log_of_losses():
    start, losses = time.time(), []
    for _ in range(2):
        losses.append(float(jnp.mean(work(X))))
    return losses, time.time() - start

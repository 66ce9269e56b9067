"""Clocks that are read when the result is there, or that time something else; in our own words.

After https://docs.jax.dev/en/latest/benchmarking.html (wait for the result), https://docs.jax.dev/en/latest/async_dispatch.html
(the time of the call, and of the wait), and the lesson waiting_for_the_device.
"""

import time
import timeit

import jax
import jax.numpy as jnp
import numpy as np

X = jax.block_until_ready(jnp.eye(300))


@jax.jit
def work(x):
    return jax.lax.fori_loop(0, 10, lambda _, x: jnp.tanh(x @ x), x)


jax.block_until_ready(work(X))


def waited_for_in_place():
    start = time.time()
    y = work(X).block_until_ready()
    return y, time.time() - start


def waited_for_by_function():
    start = time.perf_counter()
    y = jax.block_until_ready(work(X))
    return y, time.perf_counter() - start


def waited_for_on_a_line():
    start = time.perf_counter()
    y = work(X)
    y.block_until_ready()
    return time.perf_counter() - start


def waited_for_after_a_loop():
    start = time.perf_counter()
    y = X
    for _ in range(2):
        y = work(y)
    jax.block_until_ready(y)
    return (time.perf_counter() - start) / 2


def a_number():
    start = time.time()
    total = float(jnp.sum(work(X)))
    return total, time.time() - start


def an_item():
    start = time.time()
    total = jnp.sum(work(X)).item()
    return total, time.time() - start


def an_array_of_numpy():
    start = time.time()
    y = np.asarray(work(X))
    return y, time.time() - start


def fetched():
    start = time.time()
    y = jax.device_get(work(X))
    return y, time.time() - start


def printed():
    start = time.time()
    y = work(X)
    print(y[0, 0])
    return time.time() - start


def a_sentence_with_the_result():
    start = time.time()
    y = work(X)
    print(f"first {y[0, 0]:.2f}")
    return time.time() - start


def a_list():
    start = time.time()
    rows = work(X).tolist()
    return len(rows), time.time() - start


def compared():
    start = time.time()
    same = bool(jnp.all(work(X) == 0))
    return same, time.time() - start


def an_assertion_of_numpy():
    start = time.time()
    y = work(X)
    np.testing.assert_allclose(y, y)
    return time.time() - start


def all_effects():
    start = time.time()
    y = work(X)
    jax.effects_barrier()
    jax.block_until_ready(y)
    return time.time() - start


def the_call_and_the_wait():
    start = time.time()
    y = work(X)
    called = time.time()
    y.block_until_ready()
    ready = time.time()
    return called - start, ready - called


def the_call_and_the_whole():
    start = time.time()
    y = work(X)
    called = time.time() - start
    y.block_until_ready()
    whole = time.time() - start
    return called, whole


def the_call_and_the_whole_by_name():
    start = time.time()
    y = work(X)
    called = time.time()
    y.block_until_ready()
    ready = time.time()
    return called - start, ready - start


def lowering():
    start = time.time()
    lowered = work.lower(X)
    return lowered, time.time() - start


def compilation():
    y = work(X)
    start = time.time()
    compiled = work.lower(X).compile()
    return y, compiled, time.time() - start


def a_trace():
    start = time.time()
    jaxpr = jax.make_jaxpr(work)(X)
    return jaxpr, time.time() - start


def shapes():
    start = time.time()
    shape = jax.eval_shape(work, X)
    return shape, time.time() - start


def numpy_alone():
    start = time.time()
    y = np.eye(30) @ np.eye(30)
    return y, time.time() - start


def python_while_jax_computes():
    y = work(X)
    start = time.time()
    total = sum(range(100))
    return y, total, time.time() - start


def one_reading():
    y = work(X)
    return y, time.time()


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


def a_helper_that_waits():
    def timed(function, *arguments):
        start = time.perf_counter()
        result = jax.block_until_ready(function(*arguments))
        return result, time.perf_counter() - start

    return timed(work, X)


def a_clock_as_an_attribute():
    class Model:
        clock = time.time

        def now(self):
            return self.clock()

    return Model().now() > 0, Model.clock.__name__


def a_wait_at_each_step():
    y = X
    start = time.time()
    for _ in range(2):
        y = work(y)
        y.block_until_ready()
    return time.time() - start


def a_log_of_losses():
    start, losses = time.time(), []
    for _ in range(2):
        losses.append(float(jnp.mean(work(X))))
    return losses, time.time() - start

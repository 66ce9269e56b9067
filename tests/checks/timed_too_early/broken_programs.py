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


def performance_counter():
    start = time.perf_counter()
    y = work(X)
    return y, time.perf_counter() - start  # warning: timed-too-early


def monotonic_time():
    start = time.monotonic()
    y = work(X)
    return y, time.monotonic() - start  # warning: timed-too-early


def time_of_the_process():
    start = time.process_time()
    y = work(X)
    return y, time.process_time() - start  # warning: timed-too-early


def nanoseconds():
    start = time.perf_counter_ns()
    y = work(X)
    return y, (time.perf_counter_ns() - start) / 1e6  # warning: timed-too-early


def two_names():
    t0 = time.time()
    y = work(X)
    t1 = time.time()  # warning: timed-too-early
    return y, t1 - t0


def a_name_of_its_own():
    clock = time.perf_counter
    start = clock()
    y = work(X)
    return y, clock() - start  # warning: timed-too-early


def in_a_sentence():
    start = time.time()
    y = work(X)
    text = f"took {time.time() - start:.3f} s"  # warning: timed-too-early
    return y, text


def printed():
    start = time.time()
    y = work(X)
    print("took", time.time() - start)  # warning: timed-too-early
    return y


def printed_later():
    start = time.time()
    y = work(X)
    end = time.time()  # warning: timed-too-early
    print("done")
    print("took", end - start)
    return y


def a_loop_of_calls():
    start = time.time()
    for _ in range(2):
        y = work(X)
    return y, (time.time() - start) / 2  # warning: timed-too-early


def a_loop_that_depends_on_itself():
    y = X
    start = time.time()
    for _ in range(2):
        y = work(y)
    return y, time.time() - start  # warning: timed-too-early


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


def a_first_run_that_is_waited_for():
    work(X).block_until_ready()
    start = time.time()
    y = work(X)
    return y, time.time() - start  # warning: timed-too-early


def a_tuple():
    start = time.time()
    mean, y = loss(X)
    return mean, y, time.time() - start  # warning: timed-too-early


def a_dictionary():
    start = time.time()
    out = {"y": work(X)}
    return out, time.time() - start  # warning: timed-too-early


def operations_at_once():
    start = time.perf_counter()
    y = work(X) @ X + 1.0
    return y, time.perf_counter() - start  # warning: timed-too-early


def several_calls():
    start = time.perf_counter()
    first = work(X)
    second = work(first)
    return second, time.perf_counter() - start  # warning: timed-too-early


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


def a_partial():
    run = functools.partial(work)
    start = time.time()
    y = run(X)
    return y, time.time() - start  # warning: timed-too-early


def a_compiled_function():
    compiled = work.lower(X).compile()
    start = time.time()
    y = compiled(X)
    return y, time.time() - start  # warning: timed-too-early


def a_helper():
    def timed(function, *arguments):
        start = time.perf_counter()
        result = function(*arguments)
        return result, time.perf_counter() - start  # warning: timed-too-early

    return timed(work, X)


def a_decorator():
    def timed(function):
        @functools.wraps(function)
        def wrapper(*arguments):
            start = time.perf_counter()
            result = function(*arguments)
            took = time.perf_counter() - start  # warning: timed-too-early
            return result, took

        return wrapper

    return timed(work)(X)


def a_step_of_training():
    state, steps = X, []
    began = time.time()
    for step in range(2):
        state = work(state)
        steps.append(step)
    per_second = len(steps) / (time.time() - began)  # warning: timed-too-early
    return state, per_second


def an_epoch():
    params = X
    for _ in range(1):
        tic = time.time()
        for _ in range(2):
            params = work(params)
        toc = time.time()  # warning: timed-too-early
        print(f"epoch took {toc - tic:.2f}")
    return params


def tokens_per_second():
    begin = time.monotonic()
    logits = work(X)
    speed = 500 / (time.monotonic() - begin)  # warning: timed-too-early
    return logits, speed


def in_milliseconds():
    begin = time.perf_counter()
    y = work(X)
    milliseconds = 1e3 * (time.perf_counter() - begin)  # warning: timed-too-early
    return y, milliseconds


def a_condition():
    start = time.time()
    y = work(X)
    if time.time() - start > 60:  # warning: timed-too-early
        print("slow")
    return y


def an_assertion():
    start = time.time()
    y = work(X)
    assert time.time() - start < 60  # warning: timed-too-early
    return y


def the_least_of_several():
    best = 1e9
    for _ in range(1):
        start = time.time()
        y = work(X)
        best = min(best, time.time() - start)  # warning: timed-too-early
    return y, best


def a_time_in_an_attribute():
    class Timer:
        pass

    watch = Timer()
    watch.start = time.time()
    y = work(X)
    watch.took = time.time() - watch.start  # warning: timed-too-early
    return y, watch


def in_a_method():
    class Model:
        def __call__(self, x):
            start = time.time()
            y = work(x)
            self.took = time.time() - start  # warning: timed-too-early
            return y

    return Model()(X)


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


def waited_for_only_afterwards():
    start = time.time()
    y = work(X)
    took = time.time() - start  # warning: timed-too-early
    y.block_until_ready()
    return took


def a_difference_of_a_later_line():
    before = time.time()
    y = work(X)
    after = time.time()  # warning: timed-too-early
    took = after - before
    return y, round(took, 3)

"""NumPy arrays that are changed after JAX took their memory, as they are met in public code, in our own words.

After https://github.com/jax-ml/jax/issues/37830 (``device_put`` takes the memory of a writeable array),
https://github.com/jax-ml/jax/pull/38086 (even with ``may_alias=False``), https://github.com/jax-ml/jax/issues/4486
(arrays of the CPU without a copy), loaders that fill one buffer, replay buffers, frames of an environment and
simulations.
"""

import functools
import random

import jax
import jax.numpy as jnp
import numpy as np

CPU = jax.devices("cpu")[0]


def aligned(*shape):
    """Return zeros at an address that JAX takes as it is."""
    memory = np.zeros(4 * int(np.prod(shape)) + 64, np.uint8)
    start = -memory.ctypes.data % 64
    return memory[start : start + 4 * int(np.prod(shape))].view(np.float32).reshape(shape)


def one_number():
    buffer = aligned(32)
    x = jax.device_put(buffer)  # bug: aliased-buffer
    buffer[0] = -1.0
    return x


def to_a_device():
    buffer = aligned(32)
    out = jax.device_put(buffer, CPU)  # bug: aliased-buffer
    buffer[0] = -1.0
    return out[0]


def by_name():
    buffer = aligned(32)
    out = jax.device_put(buffer, device=CPU)  # bug: aliased-buffer
    buffer[:] = 2.0
    return jnp.sum(out)


def without_an_alias_it_says():
    buffer = aligned(32)
    out = jax.device_put(buffer, CPU, may_alias=False)  # bug: aliased-buffer
    buffer[:] = 2.0
    return jnp.sum(out)


def all_numbers():
    frame = aligned(4, 8)
    x = jax.device_put(frame)  # bug: aliased-buffer
    frame[...] = 1.0
    return jnp.mean(x)


def in_place():
    weights = aligned(32)
    w = jax.device_put(weights)  # bug: aliased-buffer
    weights += 1.0
    return w * 2


def scaled_in_place():
    weights = aligned(32)
    weights[:] = 3
    w = jax.device_put(weights)  # bug: aliased-buffer
    weights *= 0.5
    return jnp.sum(w)


def filled():
    buffer = aligned(32)
    x = jax.device_put(buffer)  # bug: aliased-buffer
    buffer.fill(4.0)
    return x.sum()


def sorted_in_place():
    values = aligned(32)
    values[:] = np.arange(32)[::-1]
    x = jax.device_put(values)  # bug: aliased-buffer
    values.sort()
    return x[0]


def shuffled():
    values = aligned(32)
    values[:] = np.arange(32)
    x = jax.device_put(values)  # bug: aliased-buffer
    np.random.default_rng(0).shuffle(values)
    return x


def shuffled_by_python():
    values = aligned(32)
    values[:] = np.arange(32)
    x = jax.device_put(values)  # bug: aliased-buffer
    random.Random(1).shuffle(values)
    return x[:3]


def copied_into():
    buffer = aligned(32)
    x = jax.device_put(buffer)  # bug: aliased-buffer
    np.copyto(buffer, np.ones(32))
    return x


def drawn_into():
    buffer = aligned(32)
    noise = jax.device_put(buffer)  # bug: aliased-buffer
    np.random.default_rng(0).random(out=buffer, dtype=np.float32)
    return noise


def an_output_of_numpy():
    buffer = aligned(32)
    x = jax.device_put(buffer)  # bug: aliased-buffer
    np.add(buffer, 1.0, out=buffer)
    return x


def a_mask_of_numpy():
    buffer = aligned(32)
    x = jax.device_put(buffer)  # bug: aliased-buffer
    np.putmask(buffer, buffer == 0, 5.0)
    return x.max()


def a_row():
    table = aligned(4, 16)
    x = jax.device_put(table)  # bug: aliased-buffer
    table[1] = 1.0
    return x @ x.T


def a_column():
    table = aligned(4, 16)
    x = jax.device_put(table)  # bug: aliased-buffer
    table[:, 2] += 1.0
    return x


def a_slice_of_it():
    buffer = aligned(64)
    x = jax.device_put(buffer[:32])  # bug: aliased-buffer
    buffer[:16] = 1.0
    return x


def a_form_of_it():
    buffer = aligned(64)
    x = jax.device_put(buffer.reshape(8, 8))  # bug: aliased-buffer
    buffer[3] = 1.0
    return x


def two_arrays():
    images, labels = aligned(4, 16), aligned(16)
    x, y = jax.device_put((images, labels))  # bug: aliased-buffer
    labels[:] = 1.0
    return x, y


def a_dictionary():
    images, labels = aligned(4, 16), aligned(16)
    batch = jax.device_put({"x": images, "y": labels})  # bug: aliased-buffer
    images[:] = 1.0
    return batch["x"]


def in_a_container():
    buffer = aligned(16)
    batch = {"x": jax.device_put(buffer), "n": 16}  # bug: aliased-buffer
    buffer[:] = 1.0
    return batch["x"]


def a_map_over_a_tree():
    images = aligned(4, 16)
    batch = jax.tree.map(jax.device_put, {"x": images})  # bug: aliased-buffer
    images[:] = 1.0
    return batch


def a_partial():
    put = functools.partial(jax.device_put, device=CPU)
    buffer = aligned(16)
    x = put(buffer)  # bug: aliased-buffer
    buffer[:] = 1.0
    return x


def a_helper():
    def to_device(array):
        return jax.device_put(array)

    buffer = aligned(16)
    x = to_device(buffer)  # bug: aliased-buffer
    buffer[:] = 1.0
    return x


def a_lambda():
    to_device = lambda array: jax.device_put(array)  # noqa: E731
    buffer = aligned(16)
    x = to_device(buffer)  # bug: aliased-buffer
    buffer[:] = 1.0
    return x


def batches_in_a_list():
    buffer, batches = aligned(16), []
    for number in range(4):
        buffer[:] = number
        batches.append(jax.device_put(buffer))  # bug: aliased-buffer
    return batches


def batches_of_a_comprehension():
    buffer = aligned(16)

    def filled(number):
        buffer[:] = number
        return buffer

    batches = []
    for number in range(4):
        buffer[0] = number
        batches += [jax.device_put(filled(number + 1)), jax.device_put(buffer)]  # bug: aliased-buffer
    return batches


def states_of_a_simulation():
    state, states = aligned(16), []
    for _ in range(4):
        state += 0.1
        states.append(jax.device_put(state))  # bug: aliased-buffer
    return jnp.stack(states)


def states_by_name():
    state, states = aligned(16), {}
    for number in range(4):
        state += 0.1
        states[number] = jax.device_put(state)  # bug: aliased-buffer
    return states


def observations_of_an_environment():
    frame, observations = aligned(4, 4), []
    observation = jax.device_put(frame)  # bug: aliased-buffer
    for step in range(4):
        observations.append(observation)
        frame[0, step] = 1.0
        observation = jax.device_put(frame)  # bug: aliased-buffer
    return observations


def before_and_after():
    state = aligned(16)
    before = jax.device_put(state)  # bug: aliased-buffer
    state += 1.0
    after = jax.device_put(state)
    return after - before


def a_target_network():
    weights = aligned(16)
    target = jax.device_put(weights)  # bug: aliased-buffer
    for _ in range(3):
        weights -= 0.1
    return target


def a_constant_in_a_loop():
    data = aligned(16)
    x = jax.device_put(data)  # bug: aliased-buffer
    total = 0.0
    for step in range(3):
        total += float(x.sum())
        data[step] = 1.0
    return total


def a_while_loop():
    data = aligned(16)
    x = jax.device_put(data)  # bug: aliased-buffer
    steps = 0
    while steps < 3:
        y = x * 2
        data += 1.0
        steps += 1
    return y


def under_jit():
    data = aligned(16)
    x = jax.device_put(data)  # bug: aliased-buffer
    double = jax.jit(lambda x: 2 * x)
    data[:] = 1.0
    return double(x)


def closed_over():
    data = aligned(16)
    x = jax.device_put(data)  # bug: aliased-buffer
    data[:] = 1.0
    return jax.jit(lambda: x * 2)()


def read_by_numpy():
    data = aligned(16)
    x = jax.device_put(data)  # bug: aliased-buffer
    data[:] = 1.0
    return np.asarray(x)


def printed():
    data = aligned(16)
    x = jax.device_put(data)  # bug: aliased-buffer
    data[0] = 1.0
    print(x[0])


def in_a_branch():
    data = aligned(16)
    x = jax.device_put(data)  # bug: aliased-buffer
    if data[0] == 0:
        data[0] = 1.0
    return x


def in_a_method():
    class Loader:
        def batch(self):
            data = aligned(16)
            x = jax.device_put(data)  # bug: aliased-buffer
            data[:] = 9.0
            return x

    return Loader().batch()


def an_array_that_is_cleared():
    gradients = aligned(16)
    gradients[:] = 1.0
    total = jax.device_put(gradients)  # bug: aliased-buffer
    gradients[:] = 0.0
    return total / 2


def a_padded_batch():
    padded = aligned(4, 16)
    padded[:3] = 1.0
    x = jax.device_put(padded)  # bug: aliased-buffer
    padded[3:] = -1.0
    return x.mean(axis=1)

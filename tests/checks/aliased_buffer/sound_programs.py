"""NumPy arrays that JAX copies, or that are not changed while JAX uses their memory; in our own words.

After https://github.com/jax-ml/jax/issues/37830, https://github.com/jax-ml/jax/pull/899 (``jnp.array`` copies), and
loaders that fill one buffer and use each batch before the next.
"""

import jax
import jax.numpy as jnp
import numpy as np

from tests.checks.aliased_buffer.broken_programs import CPU, aligned


def not_changed():
    x = jax.device_put(aligned(16))
    return x + 1


def changed_before():
    buffer = aligned(16)
    buffer[:] = 1.0
    x = jax.device_put(buffer)
    return x * 2


def a_copy():
    buffer = aligned(16)
    x = jax.device_put(buffer.copy())
    buffer[:] = 1.0
    return x


def a_copy_of_numpy():
    buffer = aligned(16)
    x = jax.device_put(np.array(buffer))
    buffer[:] = 1.0
    return x


def an_array_of_jax():
    buffer = aligned(16)
    x = jnp.array(buffer)
    buffer[:] = 1.0
    return x


def as_an_array_of_jax():
    buffer = aligned(16)
    x = jnp.asarray(buffer)
    buffer[:] = 1.0
    return x


def another_dtype():
    buffer = np.zeros(16)
    x = jax.device_put(buffer)
    buffer[:] = 1.0
    return x


def not_aligned():
    memory = aligned(32)
    buffer = memory[1:17]
    x = jax.device_put(buffer)
    buffer[:] = 1.0
    return x


def with_gaps():
    buffer = aligned(64)
    x = jax.device_put(buffer[::2])
    buffer[:] = 1.0
    return x


def used_before():
    buffer = aligned(16)
    x = jax.device_put(buffer)
    total = float(x.sum())
    buffer[:] = 1.0
    return total


def each_batch_before_the_next():
    buffer, total = aligned(16), 0.0
    for number in range(4):
        buffer[:] = number
        x = jax.device_put(buffer)
        total += float(x.sum())
    return total


def each_batch_deleted():
    buffer, total = aligned(16), 0.0
    for number in range(4):
        buffer[:] = number
        x = jax.device_put(buffer)
        total += float(x.sum())
        del x
    return total


def changed_after_the_last_use_in_a_loop():
    buffer, totals = aligned(16), []
    for number in range(4):
        x = jax.device_put(buffer)
        totals.append(float(jnp.mean(x)))
        buffer += number
    return totals


def only_its_form_is_read():
    buffer = aligned(16)
    x = jax.device_put(buffer)
    buffer[:] = 1.0
    return x.shape, x.dtype, x.size


def given_anew():
    buffer = aligned(16)
    x = jax.device_put(buffer)
    x = x * 2
    x.block_until_ready()
    buffer[:] = 1.0
    return x


def another_buffer():
    buffer, other = aligned(16), aligned(16)
    x = jax.device_put(buffer)
    other[:] = 1.0
    return x


def a_new_buffer_of_the_same_name():
    buffer = aligned(16)
    x = jax.device_put(buffer)
    buffer = aligned(16)
    buffer[:] = 1.0
    return x


def a_result_and_not_a_change():
    buffer = aligned(16)
    x = jax.device_put(buffer)
    buffer = buffer + 1.0
    return x, buffer


def the_same_numbers():
    buffer = aligned(16)
    x = jax.device_put(buffer)
    buffer[:] = 0.0
    return x


def a_new_buffer_each_time():
    batches = []
    for number in range(4):
        buffer = aligned(16)
        buffer[:] = number
        batches.append(jax.device_put(buffer))
    return batches


def copies_in_a_list():
    buffer, batches = aligned(16), []
    for number in range(4):
        buffer[:] = number
        batches.append(jax.device_put(buffer.copy(), CPU))
    return batches


def copies_of_jax_in_a_list():
    buffer, batches = aligned(16), []
    for number in range(4):
        buffer[:] = number
        batches.append(jnp.array(buffer))
    return batches


def the_same_array_again_and_again():
    buffer = aligned(16)
    return [jax.device_put(buffer) for _ in range(4)]


def results_in_a_list():
    buffer, results = aligned(16), []
    for number in range(4):
        buffer[:] = number
        results.append(jax.block_until_ready(jax.device_put(buffer) * 2))
    return results


def under_jit():
    buffer, results = aligned(16), []
    double = jax.jit(lambda x: 2 * x)
    for number in range(4):
        buffer[:] = number
        results.append(jax.block_until_ready(double(buffer)))
    return results


def a_helper_of_copies():
    def to_device(array):
        return jax.device_put(array.copy())

    buffer = aligned(16)
    x = to_device(buffer)
    buffer[:] = 1.0
    return x


def an_array_of_jax_is_put():
    x = jax.device_put(jnp.zeros(16))
    y = x.at[0].set(1.0)
    return x, y


def a_number():
    count = 0
    x = jax.device_put(count)
    count += 1
    return x


def read_only():
    buffer = aligned(16)
    buffer.flags.writeable = False
    return jax.device_put(buffer) + 1


def numpy_alone():
    buffer = aligned(16)
    view = buffer[:8]
    buffer[:] = 1.0
    return view.sum()


def an_array_back_from_jax():
    x = jax.device_put(aligned(16))
    back = np.array(x)
    back[:] = 1.0
    return x, back

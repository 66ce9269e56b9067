"""What a scan may carry from step to step: records and totals of some readings."""

import jax
import jax.numpy as jnp


def inputs():
    """Eight readings."""
    return {"readings": jnp.array([3.5, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 5.0])}


def append_in_the_carry(readings):
    """Append the record of each step to the history that is carried."""

    def step(carry, reading):
        record, history = carry
        record = jnp.maximum(record, reading)
        return (record, jnp.append(history, record)), None

    (_, history), _ = jax.lax.scan(step, (0.0, jnp.zeros(0)), readings)
    return history


def start_with_an_array(readings):
    """Add up the readings; the start is an array."""

    def step(total, reading):
        return total + reading, None

    return jax.lax.scan(step, jnp.int32(0), readings)[0]


def start_with_a_number(readings):
    """Add up the readings; the start is a Python number."""

    def step(total, reading):
        return total + reading, None

    return jax.lax.scan(step, 0, readings)[0]


def box_and_count(readings):
    """Write each new record into a box, and count how many there are."""

    def step(carry, reading):
        box, count, record = carry
        is_new = reading > record
        box = jnp.where(is_new, box.at[count].set(reading), box)
        return (box, count + is_new, jnp.maximum(record, reading)), None

    box, count, _ = jax.lax.scan(step, (jnp.zeros_like(readings), 0, 0.0), readings)[0]
    return {"box": box, "count": count}


if __name__ == "__main__":
    for variant in (start_with_a_number, box_and_count):
        print(variant.__name__, variant(**inputs()))
    for variant in (append_in_the_carry, start_with_an_array):
        try:
            variant(**inputs())
        except TypeError as error:
            print(variant.__name__, str(error).splitlines()[2])

"""NumPy data in a loop: sent to the device in each call, or once."""

import jax
import jax.numpy as jnp
import numpy as np


def inputs(batches=3, n=4):
    """Batches of NumPy numbers, as a loader gives them."""
    return {"data": [np.full(n, 1.0 + number, np.float32) for number in range(batches)]}


@jax.jit
def step(total, batch):
    """Add a batch to a running total."""
    return total + batch.sum()


def send_in_each_call(data):
    """Pass the NumPy arrays to the jitted step."""
    total = jnp.float32(0)
    for batch in data:
        total = step(total, batch)
    return total


def guarded(data):
    """Do the same where no transfer may happen unasked."""
    total = jnp.float32(0)
    with jax.transfer_guard("disallow"):
        for batch in data:
            total = step(total, batch)
    return total


def sent_before(data):
    """Send each batch explicitly."""
    total = jnp.float32(0)
    with jax.transfer_guard("disallow"):
        for batch in data:
            total = step(total, jax.device_put(batch))
    return total


def python_number(data):
    """Make the total a number of Python in each step."""
    total = 0.0
    for batch in data:
        total = float(step(total, jax.device_put(batch)))
    return total


if __name__ == "__main__":
    for variant in (send_in_each_call, sent_before, python_number):
        print(variant.__name__, variant(**inputs()))
    try:
        guarded(**inputs())
    except Exception as error:
        print("guarded", type(error).__name__)

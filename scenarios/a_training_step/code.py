"""A training loop with Adam, written by hand: parameters and state go in, and new ones come out."""

import jax
import jax.numpy as jnp


def inputs(steps=100, seed=0):
    """64 examples of three features, and the number of training steps."""
    x = jax.random.normal(jax.random.key(seed), (64, 3))
    return {"x": x, "y": x @ jnp.array([1.0, -2.0, 0.5]), "steps": steps}


def loss(w, x, y):
    """Return the mean squared error of a linear model."""
    return jnp.mean((x @ w - y) ** 2)


def start():
    """Return the first weights, and the first state of Adam."""
    zero = jnp.zeros(3)
    return zero, {"mean": zero, "square": zero, "count": jnp.float32(0)}


@jax.jit
def step(w, state, x, y):
    """Return the weights and the state after one step of Adam."""
    slope = jax.grad(loss)(w, x, y)
    count = state["count"] + 1
    mean = 0.9 * state["mean"] + 0.1 * slope
    square = 0.999 * state["square"] + 0.001 * slope**2
    size = (mean / (1 - 0.9**count)) / (jnp.sqrt(square / (1 - 0.999**count)) + 1e-8)
    state = {"mean": mean, "square": square, "count": count}
    return w - 0.1 * size, state


def nothing_kept(x, y, steps):
    """Call the step, and keep nothing that it returns."""
    w, state = start()
    losses = []
    for _ in range(steps):
        step(w, state, x, y)
        losses.append(loss(w, x, y))
    return {"loss": jnp.stack(losses), "w": w}


def train(x, y, steps):
    """Keep the weights and the state."""
    w, state = start()
    losses = []
    for _ in range(steps):
        w, state = step(w, state, x, y)
        losses.append(loss(w, x, y))
    return {"loss": jnp.stack(losses), "w": w}


def state_not_kept(x, y, steps):
    """Keep the weights only."""
    w, state = start()
    losses = []
    for _ in range(steps):
        w, _ = step(w, state, x, y)
        losses.append(loss(w, x, y))
    return {"loss": jnp.stack(losses), "w": w}


def in_a_scan(x, y, steps):
    """Keep both, as the carry of a scan."""

    def body(carry, _):
        w, state = step(*carry, x, y)
        return (w, state), loss(w, x, y)

    (w, _), losses = jax.lax.scan(body, start(), length=steps)
    return {"loss": losses, "w": w}


if __name__ == "__main__":
    for variant in (nothing_kept, train, state_not_kept, in_a_scan):
        print(variant.__name__, variant(**inputs())["loss"][-1])

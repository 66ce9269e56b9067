import jax
import jax.numpy as jnp


@jax.jit
def f(xs):
    seen = []

    def body(carry, x):
        seen.append(x)  # bug: leaked-tracer
        return carry + x, None

    total, _ = jax.lax.scan(body, 0.0, xs)
    return total + len(seen)


def run():
    return f(jnp.arange(3.0))

import jax
import jax.numpy as jnp
from jax import lax


def line_search(f, w, g):
    def too_long(t):
        return f(w - t * g) > f(w)

    def shorter(t):
        return t * 0.5

    return lax.while_loop(too_long, shorter, jnp.float32(1.0))


def loss(w):
    return jnp.sum((w - 1.0) ** 4)


@jax.jit
def update(w):
    g = jax.grad(loss)(w)
    return w - line_search(loss, w, g) * g


def main():
    w = jnp.zeros(3)
    for _ in range(5):
        w = update(w)
    return w


if __name__ == "__main__":
    print(main())

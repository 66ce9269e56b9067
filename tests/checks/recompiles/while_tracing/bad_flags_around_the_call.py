import jax
import jax.numpy as jnp


@jax.jit  # warning: recompiles
def f(x):
    return x @ x


def run():
    x = jnp.ones((2, 2))
    out = [f(x)]
    for precision in ("bfloat16", "tensorfloat32", "float32"):
        with jax.default_matmul_precision(precision):
            out.append(f(x))
    return out

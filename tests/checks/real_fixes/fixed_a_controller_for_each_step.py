import jax
import jax.numpy as jnp


def make_controller(gain):
    @jax.jit
    def controller(x):
        return -gain * x

    return controller


def main():
    x, controller = jnp.ones(2), make_controller(2.0)
    for _ in range(5):
        x = x + 0.1 * controller(x)
    return x


if __name__ == "__main__":
    print(main())

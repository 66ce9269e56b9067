import jax
import jax.numpy as jnp


@jax.jit
def fold(state, data):
    return (state ^ jnp.uint32(data)) * jnp.uint32(16777619)


def main():
    state = jnp.uint32(2166136261)
    for i in range(6):
        state = fold(state, i)
    return state


if __name__ == "__main__":
    print(main())

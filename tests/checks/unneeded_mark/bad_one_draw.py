import jax


def run():
    return jax.random.normal(jax.random.key(0), (3,))  # jax-explorer: on purpose # note: unneeded-mark

"""Comments that a line is on purpose, where nothing would be reported and where it would."""

import jax

# -- programs -------------------------------------------------------------------------------------


def one_draw():
    # no fix
    return jax.random.normal(jax.random.key(0), (3,))  # jax-explorer: on purpose # note: unneeded-mark


def shared():
    # in full
    key = jax.random.key(0)
    first = jax.random.normal(key, (3,))  # note: key-reuse
    return first, jax.random.normal(key, (3,))  # jax-explorer: on purpose

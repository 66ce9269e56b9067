from functools import partial

import jax


@partial(jax.jit, static_argnames="training")
def f(x, training):
    return x * 0.5 if training else x


def run():
    return [f(1.0, training=flag) for flag in (True, False) * 5]

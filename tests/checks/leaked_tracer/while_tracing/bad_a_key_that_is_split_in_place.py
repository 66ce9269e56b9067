from functools import partial

import jax


class Sampler:
    def __init__(self):
        self.key = jax.random.key(0)

    @partial(jax.jit, static_argnums=0)
    def draw(self):
        self.key, sub = jax.random.split(self.key)  # bug: leaked-tracer
        return jax.random.normal(sub)


sampler = Sampler()


def run():
    return sampler.draw()

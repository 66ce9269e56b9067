import jax


class Sampler:
    def __init__(self):
        self.key = jax.random.key(0)

    def draw(self):
        self.key, value = step(self.key)
        return value


@jax.jit
def step(key):
    key, sub = jax.random.split(key)
    return key, jax.random.normal(sub)


def run():
    sampler = Sampler()
    return sampler.draw(), sampler.draw()

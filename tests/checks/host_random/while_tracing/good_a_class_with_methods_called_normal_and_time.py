import jax


class Sampler:
    def __init__(self, key):
        self.key = key

    def normal(self, shape):
        return jax.random.normal(self.key, shape)

    def time(self):
        return 3.0


@jax.jit
def f(key):
    sampler = Sampler(key)
    return sampler.normal((3,)) * sampler.time()


def run():
    return f(jax.random.key(1))

import jax


def fast(function):
    def wrapped(x):
        return jax.jit(lambda y: function(y))(x)  # warning: recompiles

    return wrapped


@fast
def f(x):
    return x + 1


def run():
    x = 1.0
    for _ in range(5):
        x = f(x)
    return x

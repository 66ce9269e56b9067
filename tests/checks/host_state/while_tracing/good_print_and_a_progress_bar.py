import jax


@jax.jit
def f(x):
    print("tracing", x.shape)
    return x


def run():
    for i in range(3):
        print(i, float(f(1.0)))
    return f(1.0)

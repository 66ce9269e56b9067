import jax

out = []
for i in range(5):
    out.append(jax.jit(lambda x: x + 1)(1.0))


def again():
    x = 1.0
    for i in range(5):
        x = jax.jit(lambda x: x * 2)(x)  # warning: recompiles
    return x


def run():
    return again()

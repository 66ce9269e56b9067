import jax


def fill(into, x):
    into["a"] = x
    into.setdefault("b", []).append(x)


@jax.jit
def f(x):
    out = {}
    fill(out, x)
    out.update(c=x)
    return out


def run():
    return f(1.0)

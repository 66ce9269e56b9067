import datetime

import jax


@jax.jit
def f(x):
    return x + datetime.timedelta(days=2).days + datetime.date(2020, 1, 1).year


def run():
    return f(1)

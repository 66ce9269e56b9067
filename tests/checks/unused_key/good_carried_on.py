import jax


def run():
    key = jax.random.key(0)
    drawn = []
    for _ in range(3):
        key, sub = jax.random.split(key)
        drawn.append(jax.random.normal(sub))
    return drawn

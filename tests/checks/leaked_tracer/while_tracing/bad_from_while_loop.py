import jax

steps = []


def run():
    def body(state):
        steps.append(state)  # bug: leaked-tracer
        return state * 2

    return jax.lax.while_loop(lambda s: s < 10, body, 1)

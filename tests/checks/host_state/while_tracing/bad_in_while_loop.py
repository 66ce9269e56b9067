import jax

rounds = 0


def run():
    def body(x):
        global rounds
        rounds += 1  # bug: host-state
        return x + rounds

    return jax.lax.while_loop(lambda x: x < 10, body, 0)

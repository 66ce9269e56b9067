import jax


@jax.tree_util.register_pytree_node_class
class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def tree_flatten(self):
        return (self.a, self.b), None

    @classmethod
    def tree_unflatten(cls, _, children):
        return cls(*children)


@jax.jit
def swap(pair):
    pair.a, pair.b = pair.b, pair.a
    return pair


def run():
    return swap(Pair(1.0, 2.0)).a

# %% right 1: the decorator
@jax.tree_util.register_dataclass
@dataclass
class Plain:
    scale: jax.Array
    shift: jax.Array


# %% right 1: two methods
@jax.tree_util.register_pytree_node_class
class Plain:
    def __init__(self, scale, shift):
        self.scale, self.shift = scale, shift

    def tree_flatten(self):
        return (self.scale, self.shift), None

    @classmethod
    def tree_unflatten(cls, _, children):
        return cls(*children)


# %% wrong 1: another class
def plain_class(x, scale):
    return apply(Registered(scale, 1.0), x)


# %% wrong 1: without jit
def apply(layer, x):
    return layer.scale * x + layer.shift


def plain_class(x, scale):
    return apply(Plain(scale, 1.0), x)

"""Objects in arguments, closures and globals that count, or refuse, whatever is done with them."""

import collections
import gc
import warnings
import weakref

import jax
import jax.numpy as jnp
import numpy as np

CALLS = collections.Counter()


def refuse(name):
    def method(self, *arguments):
        CALLS[name] += 1
        raise RuntimeError(f"nobody asks for {name}")

    return method


class Shy:
    """Refuses everything but being there."""

    def __init__(self, value):
        self.value = value

    def __getattr__(self, name):
        CALLS[f"getattr {name}"] += 1
        raise AttributeError(name)

    @property
    def shape(self):
        CALLS["shape"] += 1
        raise RuntimeError("a property that computes")


REFUSED = "eq ne lt bool len iter contains repr str format getitem array int float index sizeof reduce copy deepcopy"
for each in REFUSED.split():
    setattr(Shy, f"__{each}__", refuse(f"__{each}__"))
Shy.__hash__ = refuse("__hash__")


class Meta(type):
    def __instancecheck__(cls, other):
        CALLS["isinstance"] += 1
        return False

    def __repr__(cls):
        CALLS["repr of the class"] += 1
        raise RuntimeError("nobody asks for the class")

    __hash__ = refuse("hash of the class")
    __eq__ = refuse("eq of the class")


class Odd(metaclass=Meta):
    __slots__ = ("__weakref__", "scale")

    def __init__(self, scale):
        self.scale = scale

    def __call__(self, x):
        return x * self.scale

    def __del__(self):
        CALLS["deleted"] += 1


class Both(float):
    """A number that everybody takes for a plain one."""

    __eq__, __bool__ = refuse("eq of a float"), refuse("bool of a float")
    __hash__ = float.__hash__


class Rows(np.ndarray):
    """A NumPy array that records the operations on it."""

    def __array_finalize__(self, other):
        CALLS["array_finalize"] += 0

    __repr__, __bool__ = refuse("repr of an array"), refuse("bool of an array")


@jax.tree_util.register_pytree_node_class
class Pair:
    """A tree that computes when it is built and cannot be shown."""

    def __init__(self, first, second):
        self.first, self.second = jnp.asarray(first), jnp.asarray(second)

    def tree_flatten(self):
        return (self.first, self.second), None

    @classmethod
    def tree_unflatten(cls, about, children):
        CALLS["built"] += 1
        return cls(*children)

    __eq__, __repr__ = refuse("eq of a tree"), refuse("repr of a tree")
    __hash__ = refuse("hash of a tree")


SHY, ODD = Shy(2.0), Odd(3.0)


def inputs():
    return {"pair": Pair(1.0, 2.0), "key": jax.random.key(0)}


def f(pair, key):
    print("RUN")
    CALLS.clear()
    shy, rows, held = Shy(5.0), np.arange(3.0, dtype=np.float32).view(Rows), Odd(4.0)
    *keys, for_gradient, for_batch = jax.random.split(key, 6)

    @jax.jit
    def work(pair, key):
        return Pair(pair.first + SHY.value + shy.value * jax.random.normal(key), ODD(pair.second))

    for each in keys:
        made = work(pair, each)
        print(made.first, made.second)
    print(jax.vmap(work, in_axes=(None, 0))(pair, jax.random.split(for_batch, 3)).first)
    print(jax.jit(lambda x: x + 1)(rows), jnp.asarray(rows) * Both(2.0), jax.jit(lambda x: -x)(Both(3.0)))
    print(jax.grad(lambda pair: work(pair, for_gradient).first * pair.second)(pair).second)
    print(jax.lax.scan(lambda total, x: (Pair(total.first + held(x), total.second), x), pair, jnp.ones(3))[0].first)
    print(jax.pure_callback(lambda x: np.asarray(x) * held.scale, jax.ShapeDtypeStruct((), jnp.float32), 2.0))
    reference = weakref.ref(held)
    del held
    jax.clear_caches()
    gc.collect()
    print("gone", reference() is None)
    try:
        work(pair, Shy(1.0))
    except Exception as error:
        print(type(error).__name__)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.warn("a warning of the program", stacklevel=1)
        np.log(np.zeros(2)), jnp.zeros(2, "float64")
    print([each.category.__name__ for each in caught])
    CALLS.pop("built")  # how often JAX builds a tree is JAX's matter
    print(sorted(CALLS.items()))


if __name__ == "__main__":
    f(**inputs())

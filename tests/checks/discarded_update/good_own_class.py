import jax.numpy as jnp
import numpy as np


class Place:
    def __init__(self, holder, index):
        self.holder, self.index = holder, index

    def set(self, value):
        self.holder.values = self.holder.values.at[self.index].set(value)
        return self.holder.values

    def add(self, value):
        return self.set(self.holder.values[self.index] + value)


class Places:
    def __init__(self, holder):
        self.holder = holder

    def __getitem__(self, index):
        return Place(self.holder, index)


class Holder:
    """Changes itself, as its method returns the new array."""

    def __init__(self, values):
        self.values = values

    @property
    def at(self):
        return Places(self)


class Table:
    """As those of pandas: what `at` gives is a NumPy array."""

    def __init__(self):
        self.at = {"a": {"b"}, "c": np.zeros(2)}


def run():
    holder, table = Holder(jnp.zeros(3)), Table()
    holder.at[0].set(1.0)
    holder.at[1].add(2.0)
    table.at["a"].add("d")
    table.at["c"].fill(1.0)
    return holder.values, len(table.at["a"])

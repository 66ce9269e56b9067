"""A library, as far as tests are concerned: its file is not user code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jax import random


def log_prob(x: Any) -> Any:
    """Draw with the library's own constant key."""
    return x - random.normal(random.key(5), x.shape)


def noise(shape: tuple[int, ...], seed: int) -> Any:
    """Draw with a key made from the `seed` it is given."""
    return random.normal(random.key(seed), shape)


def describe(x: Any) -> int:
    """Split a constant, and draw from none of its children."""
    return len(random.split(random.key(5))) + x.ndim


class BoundMethod:
    """A method of a module, as Equinox wraps one."""

    def __init__(self, method: Callable[..., Any]) -> None:
        self._method = method

    def __call__(self, *arguments: Any) -> Any:
        """Call the stored function."""
        return self._method(*arguments)


class Process:
    """A module with a wrapped method."""

    def __getattribute__(self, name: str) -> Any:
        return BoundMethod(object.__getattribute__(self, name))

    def sample(self, key: Any) -> Any:
        """Draw with the key."""
        return random.normal(key, (3,))


def mapped(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return `function` and its outputs wrapped, as Haiku wraps mapped functions."""

    def wrapped(*arguments: Any) -> Any:
        return function(*arguments)

    return wrapped


def Layer(size: int) -> Callable[[Any], Any]:  # noqa: N802
    """Return a function that looks like a module."""
    return mapped(lambda key: random.normal(key, (size,)))


def fitted(key: Any) -> Any:
    """Draw twice with one child of the key, its own."""
    own, _ = random.split(key)
    return random.normal(own), random.uniform(own)


class Tree:
    """Numbers at the leaves of a tree of keys, from its root each time."""

    def __init__(self, key: Any) -> None:
        """Make the key of the root."""
        self.key = random.fold_in(key, 1)

    def walked(self, times: int) -> list[Any]:
        """Return one number for each time."""
        return [random.normal(random.split(self.key)[turn % 2]) for turn in range(times)]

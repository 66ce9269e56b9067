"""A program may return and pass objects that JAX cannot flatten, and raise errors that cannot print themselves."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import pytest

from explorer.worker.code import trees
from tests.worker.analysed import snapshot

UNSORTABLE = '{1: 2.0, "key": jax.random.key(0)}'


def run(source: str) -> tuple[str | None, str]:
    """Return how variant ``f`` of `source` ended, and the type of its failure."""
    found = snapshot(f"import jax\nimport jax.numpy as jnp\n{source}", variants=("f",), fixes=True, jax_checker=True)
    assert found.failure is None
    failure = found.reports[0].failure
    return found.reports[0].status, failure.type if failure else ""


@pytest.mark.parametrize(
    ("source", "ending"),
    [
        (f"def f():\n    return {UNSORTABLE}\n", ("ok", "")),
        (
            f"def inputs():\n    return dict(a={UNSORTABLE}, x=jnp.ones(3))\ndef f(a, x):\n    return x * a[1]\n",
            ("ok", ""),
        ),
        (
            "def g(a, x):\n    return x if x > a[1] else -x\n"
            f"def f():\n    return jax.jit(lambda x: g({UNSORTABLE}, x))(1.0)\n",
            ("error", "TracerBoolConversionError"),
        ),
        (
            "class E(Exception):\n    def __str__(self):\n        raise ValueError\ndef f():\n    raise E\n",
            ("error", "E"),
        ),
        ('from jax.numpy import sin\nsin = jax.jit(sin)\ndef f():\n    return sin("a")\n', ("error", "TypeError")),
    ],
    ids=["returned", "handed over", "in the way of an error", "an error without a text", "a name that is itself"],
)
def test_a_variant_ends_as_it_does_in_python(source: str, ending: tuple[str, str]) -> None:
    assert run(source) == ending


def test_a_variant_that_is_no_function_of_the_users_draws_under_its_name_in_jax() -> None:
    # A shape of its own: what JAX has traced for another program has the names of that one.
    source = "import jax\nfrom functools import partial\nf = partial(jax.random.normal, jax.random.key(0), (3, 1, 7))\n"
    found = snapshot(source, variants=("f",)).reports[0]
    assert [each.name for each in found.keys.sites if each.operation == "draw"] == ["normal"]


def test_a_tree_of_the_users_is_never_built_of_anything_of_ours() -> None:
    class Tree:
        def __init__(self, *parts: object) -> None:
            self.parts = parts

    def built(*parts: object) -> Tree:
        raise TypeError(parts)

    class Liar:
        shape = property(lambda _: 1 / 0)

    jax.tree_util.register_pytree_node(Tree, lambda tree: (tree.parts, None), built)
    whole = {"a": Tree(jnp.ones(2)), "b": 1.0}
    assert trees.plain(whole) is whole
    found, _ = jax.tree_util.tree_flatten_with_path(trees.plain({"a": Tree(Liar(), jnp.ones(2)), "b": 1.0}))
    assert [jax.tree_util.keystr(path) for path, _ in found] == [
        "['a'][<flat index 0>]",
        "['a'][<flat index 1>]",
        "['b']",
    ]
    assert not hasattr(found[0][1], "shape")
    assert found[2][1] == 1.0

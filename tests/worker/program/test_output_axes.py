"""The examples of a vmap are found in its output, for any out_axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from explorer.worker.program.program import output_axes
from tests.worker.analysed import report

KEYS = jax.random.split(jax.random.key(0), 3)
DRAWN: dict[str, tuple[Callable[[Any], Any], tuple[int | None, ...]]] = {
    "rows": (jax.vmap(lambda key: jax.random.normal(key, (4,))), (0,)),
    "columns": (jax.vmap(lambda key: jax.random.normal(key, (4,)), out_axes=1), (1,)),
    "columns under jit": (jax.jit(jax.vmap(lambda key: jax.random.normal(key, (4,)), out_axes=1)), (1,)),
    "counted from the end": (jax.vmap(lambda key: jax.random.normal(key, (4, 5)), out_axes=-1), (2,)),
    "each its own": (
        jax.vmap(lambda key: (jax.random.normal(key, (4,)), jnp.ones(2)), out_axes=(1, 0)),
        (1, None),
    ),
    "nothing mapped": (lambda _: jnp.ones((3, 3)), (None,)),
}


@pytest.mark.parametrize(("call", "axes"), DRAWN.values(), ids=DRAWN)
def test_the_examples_of_each_output_are_found(call: Callable[[Any], Any], axes: tuple[int | None, ...]) -> None:
    def variant(keys: Any) -> Any:
        return call(keys)

    assert output_axes(variant, {"keys": KEYS}) == axes


COLUMNS = """
import jax, jax.numpy as jnp

def inputs():
    return {"x": jnp.ones((3, 2))}

def columns(x):
    return jax.vmap(lambda column: column + jax.random.normal(jax.random.key(0), (3,)), in_axes=1, out_axes=1)(x)
"""


def test_equal_columns_are_reported_where_the_examples_are_columns() -> None:
    output, difference = report(COLUMNS, "columns").pictures or ()
    assert (output.axis, str(output.verdict)) == (
        1,
        "2 examples along axis 1, 1 distinct column: they all share one key",
    )
    assert difference.axis == 1

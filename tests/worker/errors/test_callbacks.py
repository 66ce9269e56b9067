"""An error of a callback is reported as itself, without frames of ours."""

from __future__ import annotations

import pytest

from tests.worker.analysed import report

PURE = "def f(): return jax.pure_callback(called, jax.ShapeDtypeStruct((), 'float32'), 1.0)\n"
PRINTS = "def f():\n    jax.debug.callback(called, 1.0)\n    jax.effects_barrier()\n"


@pytest.mark.parametrize("calls", [PURE, PRINTS])
def test_it_is_reported_with_the_line_that_raised_it(calls: str) -> None:
    failure = report(f"import jax\ndef called(x):\n    raise ValueError('why\\nand more')\n{calls}", "f").failure
    assert failure is not None
    assert failure.span is not None
    assert failure.message.endswith("why\nand more")
    assert failure.span.line == 3
    assert "explorer" not in failure.traceback + failure.original


WITHIN = """import jax
def inner(x):
    raise ValueError("why")
def outer(x):
    return jax.pure_callback(inner, jax.ShapeDtypeStruct((), "float32"), x)
def f():
    return jax.pure_callback(outer, jax.ShapeDtypeStruct((), "float32"), 1.0)
"""


def test_of_a_callback_within_a_callback_the_innermost_is_the_cause() -> None:
    failure = report(WITHIN, "f").failure
    assert failure is not None
    assert failure.span is not None
    assert (failure.message, failure.span.line) == ("ValueError: why", 3)
    assert "explorer" not in failure.traceback + failure.original

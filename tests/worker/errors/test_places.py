"""Every failure has its line, also where none of the program's own code was running."""

from __future__ import annotations

import pytest

from tests.worker.analysed import report, snapshot

JIT = "import jax\n\ndef inputs(n=2**63):\n    return dict(n=n)\n\n@jax.jit\ndef f(n):\n    return n\n"


@pytest.mark.parametrize(
    ("source", "kind", "line"),
    [
        ("x = 1\ny = '\0'\n", "SyntaxError", 2),
        ("if __name__ == '__main__':\n\0\n", "SyntaxError", 2),
        ("x = 1\n\ndef inputs():\n    x\n\ndef f(x):\n    return x\n", "BadProgram", 3),
        ("inputs = list\n\ndef f(x):\n    return x\n", "BadProgram", 1),
        ("def inputs(n=1):\n    pass\n\ndef inputs(key):\n    pass\n", "BadProgram", 4),
        ("inputs = lambda key: {}\n", "BadProgram", 1),
        # Whoever raises ours may give it any place.
        (
            "from explorer.worker.code.user_code import BadProgram\n\nraise BadProgram('it', span='x')\n",
            "BadProgram",
            3,
        ),
        ("def inputs():\n    return {}\n\ndef f(x):\n    return x\n", "NothingToRun", 4),
        (JIT, "OverflowError", 7),
    ],
    ids=[
        "a byte that is 0",
        "and in a script",
        "inputs without a return",
        "inputs that are a list",
        "inputs of two kinds",
        "a lambda",
        "an error of ours",
        "no such input",
        "an argument that JAX refuses",
    ],
)
def test_a_failure_outside_of_the_code_is_reported_with_the_line_that_is_meant(
    source: str, kind: str, line: int
) -> None:
    result = snapshot(source, variants=("f",) if "def f" in source else ())
    failures = [each for each in (result.failure, *(report.failure for report in result.reports)) if each]
    assert {(each.type, each.line) for each in failures} == {(kind, line)}


# -- callbacks ---------------------------------------------------------------------------------


PURE = "def f(): return jax.pure_callback(called, jax.ShapeDtypeStruct((), 'float32'), 1.0)\n"
PRINTS = "def f():\n    jax.debug.callback(called, 1.0)\n    jax.effects_barrier()\n"


@pytest.mark.parametrize("calls", [PURE, PRINTS])
def test_it_is_reported_with_the_line_that_raised_it(calls: str) -> None:
    failure = report(f"import jax\ndef called(x):\n    raise ValueError('why\\nand more')\n{calls}", "f").failure
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
    assert (failure.message, failure.span.line) == ("ValueError: why", 3)
    assert "explorer" not in failure.traceback + failure.original

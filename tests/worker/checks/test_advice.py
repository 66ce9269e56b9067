"""Each advice, applied to its program, removes the finding."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from explorer.messages import Report
from tests.worker.analysed import report

HEAD = "import jax, jax.numpy as jnp, numpy as np\n"
X64 = 'jax.config.update("jax_enable_x64", True)\n'


class Case(NamedTuple):
    """One program with a fault, the expected words about it, and the program after following them."""

    wrong: str
    words: tuple[str, ...]
    fixed: str


def slope(of: str, least: float = -1.0) -> str:
    """Return a program that returns ``f(x) = of`` and its gradient, at `least`, at 0 and above."""
    at = f"jnp.array([{least}, 0, 4])"
    return f"def f(x):\n    return ({of}).sum()\ndef main():\n    return jax.value_and_grad(f)({at})\n"


def value(of: str) -> str:
    return f"def main():\n    x = jnp.array([-1.0, 0, 4])\n    return {of}\n"


def body(*lines: str) -> str:
    return "def main():\n    " + "\n    ".join(lines) + "\n"


OVER = "jnp.maximum(x, 1e-6)"
SAFE = "jnp.where(x > 0, x, 1.0)"
STATIC = "import functools\n@functools.partial(jax.jit, static_argnames='act')\n"
TRAIN = "def f(params, x):\n    return getattr(jax.nn, params['act'])(x * params['w'])\n"
STEP = ("step = jax.jit(lambda x: x + jnp.ones(()))",)
BRANCH = "def f(x):\n    return x if x > 0 else -x\n"
SEPARATE = "def f(params, act, x):\n    return getattr(jax.nn, act)(x * params['w'])\n"

CASES = {
    "a root": Case(value("jnp.sqrt(x)"), (OVER, SAFE), value(f"jnp.sqrt({OVER})")),
    "the slope of a root, kept above": Case(slope("jnp.sqrt(x)"), (), slope(f"jnp.sqrt({OVER})")),
    "the slope of a root": Case(
        slope("jnp.sqrt(x)", 0.0), (SAFE, "second jnp.where"), slope(f"jnp.where(x > 0, jnp.sqrt({SAFE}), 0.0)")
    ),
    "one by a root": Case(value("jax.lax.rsqrt(x)"), (OVER,), value(f"jax.lax.rsqrt({OVER})")),
    "a power": Case(value("x ** 0.5"), (OVER,), value(f"{OVER} ** 0.5")),
    "a power that is too large": Case(
        body("x = jnp.array([1e30, 2.0])", "return x ** 2.5"),
        ("too large for float32", "scale"),
        body("x = jnp.array([1e30, 2.0]) / 1e20", "return x ** 2.5"),
    ),
    "one by nothing, as a power": Case(
        body("d = jnp.array([0.0, 2.0])", "return d ** -1"),
        ("jnp.where(d == 0, 1.0, d)",),
        body("d = jnp.array([0.0, 2.0])", "return jnp.where(d == 0, 1.0, d) ** -1"),
    ),
    "a sum of bytes": Case(
        body("x = jnp.array([200, 100], jnp.uint8)", "return x + x"),
        ("x.astype(jnp.int32)",),
        body("x = jnp.array([200, 100], jnp.uint8)", "x = x.astype(jnp.int32)", "return x + x"),
    ),
    "int32 that was asked for": Case(
        body("x = jnp.array([2**30], jnp.int32)", "return x * x"),
        ("jax_enable_x64", "use int64 where the code asks for int32"),
        X64 + body("x = jnp.array([2**30], jnp.int64)", "return x * x"),
    ),
    "int32 that was asked for, with 64 bits": Case(
        X64 + body("x = jnp.array([2**30], jnp.int32)", "return x * x"),
        ("x.astype(jnp.int64)",),
        X64 + body("x = jnp.array([2**30], jnp.int32)", "x = x.astype(jnp.int64)", "return x * x"),
    ),
    "a count that is int32 by default": Case(
        body("start = 2**31 - 2", "return start + jnp.arange(4)"),
        ("jax_enable_x64", "count in Python"),
        X64 + body("start = 2**31 - 2", "return start + jnp.arange(4)"),
    ),
    "NumPy's number that does not fit": Case(
        body("return jnp.asarray(np.array([2**40]))"),
        ("stores 0 instead of 1099511627776", "jax_enable_x64"),
        X64 + body("return jnp.asarray(np.array([2**40]))"),
    ),
    "an array that is written to": Case(
        body("x = jnp.ones(3)", "x[0] = 2.0", "return x"),
        ("x = x.at[i].set(value)", "unless x is an argument of jit"),
        body("x = jnp.ones(3)", "i, value = 0, 2.0", "x = x.at[i].set(value)", "return x"),
    ),
    "a word among the parameters": Case(
        "@jax.jit\n" + TRAIN + body("return f({'act': 'relu', 'w': 2.0}, 1.0)"),
        ("params['act'] cannot", "Take it out of params", "static_argnames"),
        STATIC + SEPARATE + body("return f({'w': 2.0}, 'relu', 1.0)"),
    ),
    "a word, closed over": Case(
        "@jax.jit\n" + TRAIN + body("return f({'act': 'relu', 'w': 2.0}, 1.0)"),
        ("close over it",),
        body(
            "act = 'relu'", "return jax.jit(lambda params, x: getattr(jax.nn, act)(x * params['w']))({'w': 2.0}, 1.0)"
        ),
    ),
    "a word as an argument": Case(
        "@jax.jit\n" + SEPARATE + body("return f({'w': 2.0}, 'relu', 1.0)"),
        ("static_argnames='act'",),
        STATIC + SEPARATE + body("return f({'w': 2.0}, 'relu', 1.0)"),
    ),
    "a word for a function of JAX": Case(
        body("return jnp.sin('a')"),
        ("jnp.sin takes numbers or arrays, and this is a str.",),
        body("return jnp.sin(1.0)"),
    ),
    "a module that JAX had": Case(
        body("from jax.experimental.maps import xmap"),
        (" has no module jax.experimental.maps", "removed", "jax.shard_map"),
        body("from jax import shard_map, jit, make_mesh"),
    ),
    "a key that is split twice": Case(
        body(
            "key = jax.random.key(0)",
            "a = jax.random.split(key)",
            "b = jax.random.split(key)",
            "return draw(a[0], b[1])",
        ),
        ("Split it once, into as many keys as you need",),
        body("key = jax.random.key(0)", "keys = jax.random.split(key, 2)", "return draw(keys[0], keys[1])"),
    ),
    "two calls alike": Case(
        body("key = jax.random.key(0)", "return jax.random.normal(key), jax.random.normal(key)"),
        ("they return the same numbers", "Split the key, one key for each use"),
        body(
            "key, other = jax.random.split(jax.random.key(0))",
            "return jax.random.normal(key), jax.random.normal(other)",
        ),
    ),
    "a seed for each turn meets another": Case(
        body(
            "first = jax.random.normal(jax.random.key(1))",
            "return first, [jax.random.normal(jax.random.key(i)) for i in range(3)]",
        ),
        ("make one key from one seed", "jax.random.fold_in(key, i)"),
        body(
            "start, key = jax.random.split(jax.random.key(1))",
            "first = jax.random.normal(start)",
            "return first, [jax.random.normal(jax.random.fold_in(key, i)) for i in range(3)]",
        ),
    ),
    "a weak type at first": Case(
        body(*STEP, "x = 0.0", "for _ in range(3): x = step(x)", "return x"),
        ("a later call", "in an earlier one", "jnp.float32(x)"),
        body(*STEP, "x = jnp.float32(0.0)", "for _ in range(3): x = step(x)", "return x"),
    ),
    "a whole number beyond the end": Case(
        body("return jnp.take(jnp.arange(4), 9)"),
        ("a fill value there", 'mode="fill"', "fill_value"),
        body('return jnp.take(jnp.arange(4), 9, mode="fill", fill_value=-1)'),
    ),
    "an if on a tracer": Case(
        "@jax.jit\n" + BRANCH + body("return f(1.0)"),
        ("with tracers", "jnp.where(test, a, b)", "static argument of jit"),
        "@jax.jit\ndef f(x):\n    return jnp.where(x > 0, x, -x)\n" + body("return f(1.0)"),
    ),
    "an if on a static argument": Case(
        "@jax.jit\n" + BRANCH + body("return f(1.0)"),
        ("static argument of jit",),
        BRANCH + body("return jax.jit(f, static_argnames='x')(1.0)"),
    ),
    "an output that is the same for all": Case(
        body("return jax.vmap(jnp.sin, out_axes=None)(jnp.ones(3))"),
        ("Omit out_axes",),
        body("return jax.vmap(jnp.sin)(jnp.ones(3))"),
    ),
    "a carry of another dtype": Case(
        body("return jax.lax.scan(lambda c, x: (c + x, None), jnp.int32(0), jnp.ones(3))"),
        ("jnp.zeros(shape, dtype)",),
        body("return jax.lax.scan(lambda c, x: (c + x, None), jnp.zeros((), jnp.float32), jnp.ones(3))"),
    ),
    "a carry that grows": Case(
        body("return jax.lax.scan(lambda c, x: (jnp.append(c, x), None), jnp.ones(0), jnp.ones(3))"),
        ("A growing array is an output of the step",),
        body("return jax.lax.scan(lambda c, x: (c, x), None, jnp.ones(3))"),
    ),
    "an array too large for the device": Case(
        body("return jax.vmap(lambda x: jnp.full((1 << 20, 1 << 20), x).max())(jnp.ones(3))"),
        ("a few examples at a time", "XLA_PYTHON_CLIENT_PREALLOCATE"),
        body("return jax.lax.map(lambda x: jnp.full((1 << 10,), x).max(), jnp.ones(3), batch_size=1)"),
    ),
}
DRAW = "def draw(one, other):\n    return jax.random.normal(one), jax.random.normal(other)\n"


def report_and_message(source: str) -> tuple[Report, str]:
    """Return the report of a program, and all sentences about its faults."""
    found = report(HEAD + DRAW + source, "main", hidden=("draw", "f"), traces=True, value_checks=True)
    sentences = [str(each.message) for each in found.findings or () if each.level != "note"]
    if found.failure:
        sentences.append(str(found.failure.explanation or found.failure.message))
    return found, " ".join(sentences)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_an_advice_helps_where_it_is_given(case: Case) -> None:
    _, before = report_and_message(case.wrong)
    assert before
    assert [each for each in case.words if each not in before] == [], before
    after, sentences = report_and_message(case.fixed)
    assert (after.status, sentences) == ("ok", "")

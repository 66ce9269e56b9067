"""Values of equations at any position, compared with plain JAX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from msgspec.structs import replace

from explorer.messages import Applied, EquationValue, Request, Snapshot, Transforms, ValueRequest
from explorer.worker.runs import analyse
from explorer.worker.runs.isolated import forgotten
from explorer.worker.runs.original import WorkerCache
from tests.worker import analysed

HEAD = """
import jax
import jax.numpy as jnp


def inputs():
    return dict(x=jnp.arange(1.0, 6.0), key=jax.random.key(7))

"""
X, KEY = jnp.arange(1.0, 6.0), jax.random.key(7)


class Asked:
    """One variant called ``f``, with questions about its equations."""

    def __init__(self, body: str, **fields: Any) -> None:
        self._channel, self._cache = analysed.channel(), WorkerCache()
        source = HEAD + body
        self.snapshot: Snapshot = analyse.analyse(Request(3, source, "<test>", **fields), self._channel, self._cache)
        report = self.snapshot.report("f")
        self.equations = report.program.equations
        self.text = report.program.text

    def sent(self, send: Callable[[Any], None]) -> None:
        """Pass preliminary answers to `send` from now on."""
        self._channel = replace(self._channel, send=send)

    def value(self, primitive: str, *steps: int, nth: int = 0, of: int = 3) -> EquationValue:
        places = [place for place, each in enumerate(self.equations) if each.primitive == primitive]
        return self._cache.values.answer(ValueRequest(4, of, "f", places[nth], steps), self._channel)

    def array(self, primitive: str, *steps: int, nth: int = 0) -> Any:
        found = self.value(primitive, *steps, nth=nth)
        assert found.pictures, found.sentence
        return found.pictures[0].values.numpy()


SCAN = """
def f(x):
    def body(carry, row):
        new = jnp.sin(carry) + row
        return new, new * 2
    return jax.lax.scan(body, 0.5, x{})
"""


def carries(rows: Any) -> list[Any]:
    found = [jnp.float32(0.5)]
    for row in rows:
        found.append(jnp.sin(found[-1]) + row)
    return found


@pytest.mark.rest
@pytest.mark.parametrize("step", [0, 1, 4])
def test_an_iteration_of_a_scan(step: int) -> None:
    asked = Asked(SCAN.format(""))
    np.testing.assert_allclose(asked.array("sin", step), jnp.sin(carries(X)[step]), rtol=1e-6)
    np.testing.assert_allclose(asked.array("mul", step), 2 * carries(X)[step + 1], rtol=1e-6)
    (loop,) = asked.value("sin", step).loops
    assert (loop.primitive, loop.length, loop.step) == ("scan", 5, step)
    assert asked.value("sin", 99).loops[0].step == 4, "beyond the last one it is shown"


@pytest.mark.rest
@pytest.mark.parametrize("step", [0, 3])
def test_an_iteration_of_a_scan_that_runs_backwards(step: int) -> None:
    asked = Asked(SCAN.format(", reverse=True"))
    np.testing.assert_allclose(asked.array("sin", step), jnp.sin(carries(X[::-1])[step]), rtol=1e-6)


@pytest.mark.rest
def test_a_scan_inside_a_scan_has_two_sliders() -> None:
    asked = Asked(
        "def f(x):\n"
        "    def outer(a, row):\n"
        "        return jax.lax.scan(lambda b, column: (b * column, None), a + row, x)[0], None\n"
        "    return jax.lax.scan(outer, 0.0, x)[0]\n"
    )
    outer = 0.0
    for row in X[:2]:
        outer = (outer + row) * jnp.prod(X)
    wanted = (outer + X[2]) * jnp.prod(X[:4])
    np.testing.assert_allclose(asked.array("mul", 2, 3), wanted, rtol=1e-5)
    assert [loop.step for loop in asked.value("mul", 2, 3).loops] == [2, 3]


@pytest.mark.rest
def test_keys_that_a_scan_carries_are_shown_in_hexadecimal() -> None:
    asked = Asked(
        "def f(key):\n"
        "    def body(key, _):\n"
        "        key, own = jax.random.split(key)\n"
        "        return key, jax.random.normal(own)\n"
        "    return jax.lax.scan(body, key, length=3)[1]\n"
    )
    key = KEY
    for _ in range(2):
        key = jax.random.split(key)[0]
    wanted = jax.random.key_data(jax.random.split(key))
    np.testing.assert_array_equal(asked.array("random_split", 2), wanted)
    verdict = str(asked.value("random_split", 2).pictures[0].verdict)
    assert "key<fry>[2]" in verdict
    assert " ".join(f"{word:08x}" for word in np.asarray(wanted[0])) in verdict


WHILE = "def f(x):\n    return jax.lax.while_loop(lambda c: c < {}, lambda c: c * 3.0, x[1])\n"


@pytest.mark.rest
def test_an_iteration_of_a_while_loop_and_that_there_is_none() -> None:
    asked = Asked(WHILE.format(100.0))
    assert asked.array("mul", 2) == 2.0 * 27
    assert asked.value("mul", 2).loops[0].length == 4
    assert not asked.array("lt", 4)
    assert asked.value("lt", 4).loops[0].length == 5
    asked = Asked(WHILE.format(1.0))
    assert "does not run" in str(asked.value("mul").sentence)
    assert not asked.array("lt")


@pytest.mark.rest
def test_an_iteration_of_a_while_loop_under_vmap_keeps_the_examples_that_are_done() -> None:
    loop = "jax.lax.while_loop(lambda c: c < 100, lambda c: c * 3, y)"
    asked = Asked(f"def f(x):\n    return jax.vmap(lambda y: {loop})(x)\n")
    carry = X
    for _ in range(4):
        carry = jnp.where(carry < 100, carry * 3, carry)
    np.testing.assert_array_equal(asked.array("mul", 4), carry * 3)
    np.testing.assert_array_equal(asked.array("lt", 4), carry < 100)
    assert asked.value("mul", 4).loops[0].length == 5


COND = "def f(x):\n    return jax.lax.cond(x[0] > {}, lambda a: jnp.sin(a), lambda a: jnp.cos(a), x[1])\n"


@pytest.mark.rest
@pytest.mark.parametrize(("limit", "taken", "not_taken"), [(0.0, "sin", "cos"), (9.0, "cos", "sin")])
def test_only_the_branch_that_is_taken_has_values(limit: float, taken: str, not_taken: str) -> None:
    asked = Asked(COND.format(limit))
    np.testing.assert_allclose(asked.array(taken), getattr(jnp, taken)(2.0), rtol=1e-6)
    without = asked.value(not_taken)
    assert not without.pictures
    assert "not taken" in str(without.sentence)


def test_the_branch_of_an_iteration_depends_on_the_iteration() -> None:
    asked = Asked(
        "def f(x):\n"
        "    def body(c, a):\n"
        "        return jax.lax.switch(a.astype(int), [jnp.sin, jnp.cos, jnp.tanh], c), None\n"
        "    return jax.lax.scan(body, 0.5, x)[0]\n"
    )
    without = asked.value("sin", 0)
    assert "number 0" in str(without.sentence)
    assert [loop.length for loop in without.loops] == [5]
    np.testing.assert_allclose(asked.array("cos", 0), jnp.cos(0.5), rtol=1e-6)
    np.testing.assert_allclose(asked.array("tanh", 1), jnp.tanh(jnp.cos(0.5)), rtol=1e-6)


@pytest.mark.rest
@pytest.mark.parametrize(
    ("body", "primitive", "wanted"),
    [
        ("def f(x):\n    return jnp.exp(x) + 1\n", "exp", lambda: jnp.exp(X)),
        ("def f(x):\n    return jax.jit(lambda x: jnp.exp(x) * 2)(x + 1)\n", "exp", lambda: jnp.exp(X + 1)),
        ("def f(x):\n    return jax.checkpoint(lambda x: jnp.exp(x) * 2)(x + 1)\n", "exp", lambda: jnp.exp(X + 1)),
        ("def f(x):\n    return jax.nn.relu(x - 3)\n", "max", lambda: jnp.maximum(X - 3, 0)),
        ("def f(x):\n    return jax.vmap(lambda a: jnp.exp(a) + 1)(x)\n", "exp", lambda: jnp.exp(X)),
        ("def f(x):\n    return jax.grad(lambda a: jnp.exp(a).sum())(x)\n", "exp", lambda: jnp.exp(X)),
        ("def f(key):\n    return jax.random.normal(key, (3,))\n", "random_bits", lambda: jax.random.bits(KEY, (3,))),
        ("def f(x):\n    return jnp.log(x - 2)\n", "log", lambda: jnp.log(X - 2)),
        (
            "def f(x):\n    y = jnp.zeros(3) + 1\n    return jax.jit(lambda: y * 2)() + x[0]\n",
            "mul",
            lambda: np.full(3, 2),
        ),
    ],
)
def test_an_equation_has_the_value_that_plain_jax_computes(
    body: str, primitive: str, wanted: Callable[[], Any]
) -> None:
    np.testing.assert_allclose(Asked(body).array(primitive), wanted(), rtol=1e-6)


@pytest.mark.rest
def test_under_a_vmap_of_the_row_each_example_is_a_row() -> None:
    asked = Asked(
        "def f(x, key):\n    return jax.random.normal(key, (2,)) * x\n", transforms=Transforms("f", (Applied("vmap"),))
    )
    product = asked.value("mul", nth=-1).pictures[0]
    assert product.shape == (5, 2)
    np.testing.assert_allclose(product.values.numpy(), jax.random.normal(KEY, (2,)) * X[:, None], rtol=1e-5)


def test_what_the_equation_reads_is_shown_behind_what_it_binds() -> None:
    asked = Asked("def f(x):\n    return jnp.exp(x) + x\n")
    pictures = asked.value("add").pictures
    assert len(pictures) == 3
    line = asked.text.splitlines()[asked.equations[1].first_line]
    assert f"{pictures[0].name}:f32[5] = add {pictures[1].name} {pictures[2].name}" in line
    np.testing.assert_allclose(pictures[1].values.numpy(), jnp.exp(X), rtol=1e-6)
    np.testing.assert_array_equal(pictures[2].values.numpy(), X)
    assert {each.role for each in pictures} == {"value"}


@pytest.mark.parametrize(
    ("body", "primitive", "words"),
    [
        ("def f(x):\n    return jnp.exp(x) + 1\n", "exp", "f32[5] from 2.718 to 148.4, no NaN"),
        ("def f(x):\n    return jnp.log(x - 3)\n", "log", "f32[5] from 0 to 0.6931, 2 NaN, 1 infinite"),
        ("def f(x):\n    return jnp.exp(x[0]) + 1\n", "exp", "f32[] = 2.71828"),
        ("def f(x):\n    return (x > 2).astype(int)\n", "gt", "bool[5], 3 of 5 true"),
        ("def f(key):\n    return jax.random.split(key)\n", "random_split", "key<fry>[2] "),
        ("def f(x):\n    return jnp.exp(x[:0])\n", "exp", "f32[0] without any values"),
    ],
)
def test_a_value_is_reported_in_words(body: str, primitive: str, words: str) -> None:
    assert words in str(Asked(body).value(primitive).pictures[0].verdict)


def test_more_elements_than_any_memory_holds_are_refused_with_their_number() -> None:
    asked = Asked("def f(x):\n    return jnp.broadcast_to(x[0], (10**5, 10**5, 10**5)) * 0.5\n")
    assert "f32[100000,100000,100000] has 1,000,000,000,000,000 elements" in str(asked.value("mul").sentence)


def test_a_question_about_an_older_run_is_not_answered_wrongly() -> None:
    asked = Asked("def f(x):\n    return jnp.exp(x)\n")
    assert asked.value("exp", of=2).sentence == forgotten()


def test_what_cannot_be_computed_is_a_sentence() -> None:
    asked = Asked(
        "def f(x):\n"
        "    def fails(_):\n"
        "        raise ValueError('not today')\n"
        "    y = jax.pure_callback(fails, x, x)\n"
        "    return jnp.exp(y)\n"
    )
    found = asked.value("exp")
    assert not found.pictures
    assert "could not be computed: " in str(found.sentence)


def test_what_the_program_prints_is_not_printed_again() -> None:
    asked = Asked("def f(x):\n    jax.debug.print('x {}', x)\n    return jnp.exp(x)\n")
    np.testing.assert_allclose(asked.array("exp"), jnp.exp(X), rtol=1e-6)
    printing = asked.value(
        "debug_print" if any(e.primitive == "debug_print" for e in asked.equations) else "debug_callback"
    )
    assert [each.values.numpy().tolist() for each in printing.pictures] == [X.tolist()]


MAPPED = [
    ("def f(x):\n    return jax.vmap(lambda a: jnp.exp(a) + 1)(x)\n", "exp", (0,)),
    ("def f(x):\n    return jax.vmap(lambda a: jnp.exp(a), in_axes=1)(x[None] * jnp.ones((3, 1)))\n", "exp", (1,)),
    ("def f(x):\n    return jax.vmap(lambda a: jnp.exp(a), out_axes=1)(x[:, None])\n", "transpose", (1,)),
    ("def f(x):\n    return jax.vmap(jax.jit(lambda a: jnp.exp(a) + x))(x)\n", "exp", (0,)),
    ("def f(x):\n    return jax.grad(lambda y: jax.vmap(jnp.sin)(y).sum())(x)\n", "cos", (0,)),
    ("def f(x):\n    return jax.vmap(jax.grad(jnp.sin))(x)\n", "cos", (0,)),
    (
        "def f(x):\n    row = jax.vmap(lambda a, b: jnp.exp(a) * b, (None, 0))\n"
        "    return jax.vmap(row, (0, None))(x, x[:3])\n",
        "mul",
        (0, 1),
    ),
    (
        "def f(x):\n    row = jax.vmap(lambda a, b: jnp.dot(a, b), (0, None))\n"
        "    return jax.vmap(row, (None, 2))(jnp.ones((4, 3)), x * jnp.ones((3, 2, 5)))\n",
        "dot_general",
        (2, 0),
    ),
    (
        "def f(x):\n    def body(c, a):\n        return jnp.sin(c) + a, None\n"
        "    return jax.vmap(lambda r: jax.lax.scan(body, 0.5, r)[0])(x[:, None] * x)\n",
        "sin",
        (0,),
    ),
    ("def f(x):\n    return jax.vmap(lambda a: a + jnp.exp(x[1:3]).sum())(x)\n", "exp", ()),
    ("def f(x):\n    return jnp.exp(x[:, None] * x)\n", "exp", ()),
]


@pytest.mark.parametrize(("body", "primitive", "axes"), MAPPED)
def test_the_axis_of_the_examples_is_the_one_that_vmap_chose(body: str, primitive: str, axes: tuple[int, ...]) -> None:
    for _ in range(2):  # JAX remembers what it batched, which must not hide it from the second look
        picture = Asked(body).value(primitive, nth=-1).pictures[0]
        assert picture.mapped == axes
        assert picture.axis == (axes[0] if axes else 0)


@pytest.mark.rest
def test_what_a_vmapped_equation_reads_has_its_own_axis_of_examples_or_is_shared() -> None:
    asked = Asked("def f(x):\n    return jax.vmap(lambda a, b: a @ b, (1, 0))(x[:, None] * x[:3], jnp.ones((3, 5)))\n")
    assert [each.mapped for each in asked.value("dot_general").pictures] == [(0,), (1,), (0,)]
    asked = Asked("def f(x, key):\n    return jax.vmap(lambda a: jax.random.normal(key, (4,)) + a)(x)\n")
    assert "all examples share it" in str(asked.value("random_bits").sentence)
    assert not asked.value("add", nth=-1).sentence


@pytest.mark.parametrize(
    ("body", "primitive", "name"),
    [
        (
            "def f(x):\n    return jax.lax.reduce(x, jnp.float32(0), lambda a, b: jnp.sin(a) + b, (0,))\n",
            "sin",
            "reduce",
        ),
        (
            "def f(x):\n    mesh = jax.make_mesh((1,), ('d',), axis_types=(jax.sharding.AxisType.Auto,))\n"
            "    spec = jax.sharding.PartitionSpec('d')\n"
            "    return jax.shard_map(jnp.exp, mesh=mesh, in_specs=spec, out_specs=spec)(x)\n",
            "exp",
            "shard_map",
        ),
    ],
)
def test_inside_what_works_on_pieces_there_is_a_sentence(body: str, primitive: str, name: str) -> None:
    asked = Asked(body)
    inside = asked.value(primitive)
    assert not inside.pictures
    assert f"Select {name} itself" in str(inside.sentence)
    assert asked.value(name).pictures


def test_code_that_is_typed_meanwhile_changes_nothing_of_a_value() -> None:
    asked = Asked("def f(x):\n    return jnp.sin(x) + jnp.zeros(5, float)\n")
    typed = 'import jax\njax.config.update("jax_enable_x64", True)\ndef f():\n    return 1\n'
    analyse.texts(Request(4, typed, "<test>", variants=("f",), texts_only=True), analysed.channel())
    assert asked.array("add").dtype == np.float32

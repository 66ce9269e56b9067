"""The curves of loops, compared to the last bit with loops in NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

from explorer.messages import Curve, EquationValue, Iterations
from explorer.worker.pictures import loop_curves
from tests.worker.runs.questions.test_values import Asked

NUMBERS = ("mean", "least", "most", "norm", "not_finite")


def numbers(array: Any) -> tuple[float, ...]:
    """Return what a curve has of `array`, in its own words."""
    flat = np.asarray(array).astype(np.float64).ravel()
    good = flat[np.isfinite(flat)]
    if not len(good):
        return (np.nan,) * 4 + (len(flat),)
    return good.mean(), good.min(), good.max(), np.sqrt((good * good).sum()), len(flat) - len(good)


def points(curve: Curve) -> list[tuple[float, ...]]:
    return list(zip(*(getattr(curve, name).numpy().tolist() for name in NUMBERS), strict=True))


def same(curve: Curve, arrays: list[Any]) -> None:
    np.testing.assert_array_equal(points(curve), [numbers(each) for each in arrays])


def iterations(body: str, primitive: str = "scan", *steps: int, nth: int = 0) -> Iterations:
    found = Asked(body).value(primitive, *steps, nth=nth).iterations
    assert found is not None
    return found


def scaled(start: Any, factors: Any, operation: Callable[[Any, Any], Any]) -> list[Any]:
    found = []
    for factor in factors:
        start = operation(start, factor)
        found.append(start)
    return found


DTYPES = ["float32", "float16", "bfloat16", "int32", "uint8"]
LOOPS = {
    "scan": "jax.lax.scan(lambda c, _: (c * c.dtype.type(3), None), start, None, 40)[0]",
    "fori_loop": "jax.lax.fori_loop(0, 40, lambda i, c: c * c.dtype.type(3), start)",
    "while": "jax.lax.while_loop(lambda s: s[1] < 40, lambda s: (s[0] * s[0].dtype.type(3), s[1] + 1), (start, 0))[0]",
}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("loop", LOOPS)
def test_a_carry_is_that_of_a_loop_in_numpy(loop: str, dtype: str) -> None:
    source = f"def f(x):\n    start = x.astype('{dtype}')\n    return {LOOPS[loop]}\n"
    found = iterations(source, "while" if loop == "while" else "scan")
    kind = jnp.dtype(dtype)
    with np.errstate(all="ignore"):
        arrays = scaled(np.arange(1, 6).astype(kind), [kind.type(3)] * 40, np.multiply)
    same(found.curves[1 if loop == "fori_loop" else 0], arrays)
    assert found.length == 40
    first = next((place for place, each in enumerate(arrays) if not np.isfinite(each.astype(float)).all()), -1)
    assert found.first_not_finite == first
    assert (first >= 0) == (dtype == "float16")


@pytest.mark.rest
def test_the_outputs_of_a_scan_have_their_names_and_run_backwards_with_it() -> None:
    found = iterations(
        "def f(x):\n"
        "    def step(total, row):\n"
        "        return {'sum': total['sum'] + row}, {'twice': row * 2, 'half': row[None] / 2}\n"
        "    return jax.lax.scan(step, {'sum': 0.0}, x, reverse=True)\n"
    )
    rows = np.arange(1, 6, dtype=np.float32)[::-1]
    named = {each.name: each for each in found.curves}
    assert list(named) == ["total['sum']", "output['half']", "output['twice']"]
    assert [each.role for each in found.curves] == ["carry", "output", "output"]
    assert named["output['half']"].type == "f32[1]"
    same(named["total['sum']"], scaled(np.float32(0), rows, np.add))
    same(named["output['twice']"], [row * 2 for row in rows])


NESTED = (
    "def f(x):\n"
    "    def outer(a, row):\n"
    "        return jax.lax.scan(lambda b, column: (b * column, b + column), a + row, x)[0], None\n"
    "    return jax.lax.scan(outer, 0.0, x)[0]\n"
)


@pytest.mark.rest
def test_a_loop_inside_a_loop_and_an_equation_inside_have_the_iterations_of_the_innermost_loop() -> None:
    rows = np.arange(1, 6, dtype=np.float32)
    begins = scaled(np.float32(0), rows, lambda a, row: scaled(a + row, rows, np.multiply)[-1])
    begin = begins[1] + rows[2]
    inner = iterations(NESTED, "scan", 2, nth=1)
    same(inner.curves[0], scaled(begin, rows, np.multiply))
    assert (inner.around, inner.length) == (1, 5)
    same(iterations(NESTED).curves[0], begins)
    product = iterations(NESTED, "mul", 2, 3)
    same(product.curves[0], scaled(begin, rows, np.multiply))
    assert (product.curves[0].role, product.curves[0].name, product.around) == ("value", "l", 1)


@pytest.mark.rest
def test_the_first_bad_iteration_and_the_equation_that_makes_it() -> None:
    asked = Asked(
        "def f(x):\n"
        "    @jax.jit\n"
        "    def step(c):\n"
        "        rest = jnp.log(c)\n"
        "        return c - 1.0 + 0.0 * rest\n"
        "    return jax.lax.fori_loop(0, 8, lambda i, c: step(c), x)\n"
    )
    found = asked.value("scan").iterations
    # Iterations 0 and 1 take the smallest element from 1 to 0; its logarithm is -inf in iteration 1, 0 x -inf is NaN.
    assert found.first_not_finite == 1
    assert asked.equations[found.origin].primitive == "log"
    assert [each.first_not_finite for each in found.curves] == [-1, 1]
    assert found.curves[1].not_finite.numpy().tolist() == [0, 1, 2, 3, 4, 5, 5, 5]
    assert asked.equations[found.curves[1].equation].primitive == "jit"
    inside = asked.value("log").iterations
    assert inside.first_not_finite == 1


@pytest.mark.rest
def test_a_nan_that_comes_from_outside_has_no_equation_that_makes_it() -> None:
    found = iterations("def f(x):\n    return jax.lax.scan(lambda c, row: (c + row, c), jnp.nan, x)\n")
    assert (found.first_not_finite, found.origin) == (0, -1)


@pytest.mark.parametrize(
    ("body", "primitive"),
    [
        ("jax.lax.scan(lambda c, row: (c + row, row), 0.0, x[:0])", "scan"),
        ("jax.lax.while_loop(lambda c: c < 0, lambda c: c + 1, x[0])", "while"),
    ],
)
def test_a_loop_without_iterations_has_curves_without_points(body: str, primitive: str) -> None:
    found = iterations(f"def f(x):\n    return {body}\n", primitive)
    assert found.length == 0
    assert all(points(each) == [] for each in found.curves)
    assert found.curves


def test_a_while_under_vmap_keeps_the_examples_that_are_done() -> None:
    found = iterations(
        "def f(x):\n    return jax.vmap(lambda y: jax.lax.while_loop(lambda c: c < 100, lambda c: c * 3, y))(x)\n",
        "while",
    )
    carry, wanted = np.arange(1, 6, dtype=np.float32), []
    while (carry < 100).any():
        carry = np.where(carry < 100, carry * 3, carry)
        wanted.append(carry)
    same(found.curves[0], wanted)


@pytest.mark.rest
def test_the_limit_of_a_fori_loop_is_no_curve() -> None:
    found = iterations("def f(x):\n    return jax.lax.fori_loop(0, x[2].astype(int), lambda i, c: c * 2, x)\n", "while")
    assert [each.name for each in found.curves] == ["i", "c"]


@pytest.mark.rest
def test_a_long_loop_has_few_points_and_its_one_bad_iteration_is_found_between_them() -> None:
    body = "(c + 1, jnp.where(c == 123_456, jnp.inf, 1.0))"
    found = iterations(f"def f(x):\n    return jax.lax.scan(lambda c, _: {body}, 0, None, 1_000_000)[1].sum()\n")
    shown = found.numbers.numpy()
    assert len(shown) <= loop_curves.MOST_POINTS
    assert (shown[-1], found.stride) == (999_999, 2000)
    np.testing.assert_array_equal(found.curves[0].mean.numpy(), shown + 1.0)
    assert found.first_not_finite == 123_456
    assert not found.curves[1].not_finite.numpy().any()


def test_large_arrays_have_fewer_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop_curves, "MOST_ELEMENTS", 64)
    monkeypatch.setattr(loop_curves, "_TOGETHER", 11)
    found = iterations("def f(x):\n    return jax.lax.scan(lambda c, _: (c + 1, None), x, None, 40)[0]\n")
    assert found.numbers.numpy().tolist() == [3, 7, 11, 15, 19, 23, 27, 31, 35, 39]
    same(found.curves[0], [np.arange(1, 6, dtype=np.float32) + number + 1 for number in found.numbers.numpy()])


@pytest.mark.rest
def test_keys_have_no_curve_and_python_is_not_called_again(capfd: pytest.CaptureFixture[str]) -> None:
    found = iterations(
        "def f(key):\n"
        "    def body(key, _):\n"
        "        key, own = jax.random.split(key)\n"
        "        return key, jax.random.normal(own)\n"
        "    return jax.lax.scan(body, key, length=3)[1]\n"
    )
    assert [each.name for each in found.curves] == ["output"]
    only = "jax.lax.scan(lambda key, _: (jax.random.split(key)[0], None), key, length=3)[0]"
    assert Asked(f"def f(key):\n    return {only}\n").value("scan").iterations is None
    printing = "def f(x):\n    def body(c, r):\n        jax.debug.print('{}', c)\n        return c + r, None\n"
    assert Asked(f"{printing}    return jax.lax.scan(body, 0.0, x)[0]\n").value("scan").iterations is None


def test_the_value_comes_before_the_curves() -> None:
    asked = Asked("def f(x):\n    return jax.lax.scan(lambda c, row: (c + row, None), 0.0, x)[0] * 2\n")
    sent: list[EquationValue] = []
    asked.sent(sent.append)
    whole = asked.value("scan")
    assert [(each.complete, each.iterations, each.pictures) for each in sent] == [(False, None, whole.pictures)]
    sent.clear()
    assert asked.value("scan").iterations is whole.iterations
    asked.value("mul")
    assert sent == []


def test_an_equation_behind_a_condition_has_no_curve() -> None:
    branch = "jax.lax.cond(row > 2, lambda: jnp.sin(c), lambda: c)"
    asked = Asked(f"def f(x):\n    return jax.lax.scan(lambda c, row: ({branch}, None), 0.0, x)[0]\n")
    assert asked.value("sin", 4).iterations is None
    assert asked.value("cond").iterations is not None

"""The numbers that jitted functions return to user code, over the calls of a recorded program."""

from __future__ import annotations

import linecache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from explorer.messages import Calls
from explorer.worker.internals.jit import fast_calls
from explorer.worker.recording import call_log
from explorer.worker.recording.call_log import CallSeries, Function, OutputSeries
from explorer.worker.runs import call_curves, in_process

FILE = "/home/somebody/curves.py"
START = "import jax\nimport jax.numpy as jnp\nimport numpy as np\n\n"
STEP = """
@jax.jit
def step(w, x):
    return w - 0.1 * (w - x), jnp.mean((w - x) ** 2)

"""
NOISY = """
@jax.jit
def step(w, x, key):
    w = w - 0.1 * (w - x + jax.random.normal(key, w.shape))
    return w, {"loss": jnp.mean((w - x) ** 2), "norm": jnp.sum(w)}

"""


def calls_of(source: str, *, values: bool = False) -> tuple[tuple[Calls, ...], dict[str, Any]]:
    """Return the curves of a program, and its names."""
    text = START + source
    linecache.cache[FILE] = (len(text), None, text.splitlines(keepends=True), FILE)
    names: dict[str, Any] = {}
    with in_process.recorded(FILE, values=values) as recording:
        exec(compile(text, FILE, "exec"), names)
    assert recording.calls is not None
    return in_process.report("curves.py", recording).calls, names


def outline(calls: tuple[Calls, ...]) -> list[tuple[str, list[int], int, list[str]]]:
    first = START.count("\n") + 1
    return [
        (
            each.function,
            [span.line - first for span in each.path if span.file == FILE],
            each.iterations.length,
            [curve.name for curve in each.iterations.curves],
        )
        for each in calls
    ]


# What a program calls, and its curves: function, lines of the calls, number of calls, names.
PROGRAMS: dict[str, tuple[str, list[tuple[str, list[int], int, list[str]]]]] = {
    "a tuple": (STEP + "w = jnp.ones(3)\nfor n in range(5):\n    w, loss = step(w, n)\n", [("step", [7], 5, ["loss"])]),
    "a dict, with draws": (
        NOISY + "w, key = jnp.ones(3), jax.random.key(0)\nfor n in range(5):\n"
        "    w, metrics = step(w, n, jax.random.fold_in(key, n))\n",
        [("step", [8], 5, ["metrics['loss']", "metrics['norm']"])],
    ),
    "no name": (STEP + "w = jnp.ones(3)\nfor n in range(5):\n    step(w, n)\n", [("step", [7], 5, ["output[1]"])]),
    "a star": (
        STEP + "w = jnp.ones(3)\nfor n in range(5):\n    *_, loss = step(w, n)\n",
        [("step", [7], 5, ["output[1]"])],
    ),
    "one number": (
        "f = jax.jit(lambda x: x * 2)\nfor n in range(3):\n    self = jnp.zeros(2)\n    value: object = f(n)\n",
        [("<lambda>", [3], 3, ["value"])],
    ),
    "one call": (STEP + "w, loss = step(jnp.ones(3), 1)\n", []),
    "one line called from two places": (
        STEP + "def once(w):\n    w, loss = step(w, 1)\n    return w\n\nw = jnp.ones(3)\nfor n in range(4):\n"
        "    w = once(w)\n    if n % 2:\n        w = once(w)\n",
        [("step", [11, 6], 4, ["loss"]), ("step", [13, 6], 2, ["loss"])],
    ),
    "nested loops": (
        STEP + "w = jnp.ones(3)\nfor epoch in range(3):\n    for n in range(4):\n        w, loss = step(w, n)\n",
        [("step", [8], 12, ["loss"])],
    ),
    "training and evaluation": (
        STEP
        + "@jax.jit\ndef evaluate(w):\n    return w.sum(), w.astype(int)[0]\n\nw = jnp.ones(3)\nfor n in range(6):\n"
        "    w, loss = step(w, n)\n    if n % 3 == 0:\n        total, count = evaluate(w)\n",
        [("step", [11], 6, ["loss"]), ("evaluate", [13], 2, ["total", "count"])],
    ),
    "several shapes": (
        STEP + "for n in range(6):\n    w, loss = step(jnp.ones(3 + n % 2), n)\n",
        [("step", [6], 6, ["loss"])],
    ),
    "a state that is donated": (
        "step = jax.jit(lambda state: ({'n': state['n'] + 1}, state['n'] * 2.0), donate_argnums=0)\n"
        "state = {'n': jnp.zeros(())}\nfor n in range(200):\n    state, loss = step(state)\n",
        [("<lambda>", [3], 200, ["loss"])],
    ),
    "a closed-over array": (
        "table = jnp.arange(4.0)\nf = jax.jit(lambda x: (table * x).sum())\nfor n in range(4):\n    y = f(n)\n",
        [("<lambda>", [3], 4, ["y"])],
    ),
    "under grad and vmap": (
        "f = jax.jit(lambda x: x * 2)\nfor n in range(4):\n    jax.grad(f)(1.0), jax.vmap(f)(jnp.ones(3))\n",
        [],
    ),
    "functions that JAX jits": ("for n in range(4):\n    loss = jnp.mean(jnp.ones(3))\n", []),
    "keys and arrays": (
        "f = jax.jit(lambda key: (jax.random.split(key)[0], jnp.ones(3)))\nkey = jax.random.key(0)\n"
        "for n in range(4):\n    key, xs = f(key)\n",
        [],
    ),
    "a class of the user's": (
        "from typing import NamedTuple\n\nclass Out(NamedTuple):\n    loss: object\n    w: object\n\n"
        "f = jax.jit(lambda w: Out(w.sum(), w * 2))\nw = jnp.ones(3)\nfor n in range(4):\n    out = f(w)\n",
        [("<lambda>", [9], 4, ["out.loss"])],
    ),
}


@pytest.mark.parametrize(("source", "expected"), PROGRAMS.values(), ids=PROGRAMS)
def test_the_calls_of_a_program_have_their_place_and_the_names_of_its_code(source: str, expected: list[Any]) -> None:
    calls, _ = calls_of(source)
    assert outline(calls) == expected


COUNTS = (2, 499, 500, 501, 1000, 1001, 2777)


@pytest.mark.parametrize("count", COUNTS)
def test_every_point_is_that_of_a_loop_of_numpy_to_the_last_bit(count: int) -> None:
    source = (
        f"w, seen = jnp.full(3, 5.0), []\nfor n in range({count}):\n    w, loss = step(w, n)\n    seen.append(loss)\n"
    )
    (calls,), names = calls_of(STEP + source)
    expected = np.array([np.float64(each) for each in names["seen"]])
    stride = 1
    while -(-count // stride) > call_log.MOST_POINTS:
        stride *= 2
    numbers = [min(start + stride, count) - 1 for start in range(0, count, stride)]
    found = calls.iterations
    (curve,) = found.curves
    assert (found.primitive, found.length, found.stride, found.first_not_finite) == ("calls", count, stride, -1)
    assert found.numbers.numpy().tolist() == numbers
    for column in (curve.mean, curve.least, curve.most):
        assert column.numpy().tobytes() == expected[numbers].tobytes()
    assert curve.norm.numpy().tobytes() == np.sqrt(np.square(expected[numbers])).tobytes()
    assert not curve.not_finite.numpy().any()


BEST = """
@jax.jit
def step(best, x):
    return jnp.minimum(best, {loss}), best

best = old = jnp.float32(jnp.inf)
for x in np.arange(5.0, 0.0, -1.0):
    best, old = step(best, x)
"""


@pytest.mark.parametrize(("loss", "first"), [("x", -1), ("jnp.log(x - 3.0)", 2), ("jnp.inf * x", -1)])
def test_infinity_that_the_first_call_got_is_nothing_until_a_number_has_come(loss: str, first: int) -> None:
    (calls,), _ = calls_of(BEST.format(loss=loss))
    assert calls.iterations.first_not_finite == first


@pytest.mark.parametrize("values", [False, True], ids=["keys", "values"])
@pytest.mark.parametrize("bad", [0, 1, 812, 1999])
def test_the_first_nan_is_found_also_between_the_points(bad: int, values: bool) -> None:
    source = f"w = jnp.ones(3)\nfor n in range(2000):\n    _, loss = step(w, jnp.nan if n == {bad} else n)\n"
    (calls,), _ = calls_of(STEP + source, values=values)
    found = calls.iterations
    assert (found.first_not_finite, found.curves[0].first_not_finite, found.stride) == (bad, bad, 4)
    assert found.curves[0].not_finite.numpy().sum() == (bad % 4 == 3)
    assert (calls.cause is None) == values


# A program, and the cause of its first NaN or infinity: the call, the line, and words of the sentence.
CAUSES: dict[str, tuple[str, tuple[int, int, str]]] = {
    "a log": (
        "@jax.jit\ndef f(w):\n    w = w - 1\n    return w, jnp.log(w).sum()\n\nw = jnp.array([3.0, 9.0])\n"
        "for n in range(90):\n    w, loss = f(w)\n",
        (2, 3, "`jnp.log(w)` on line 8 makes -inf (1 of 2 elements): `log(0)`."),
    ),
    "a draw, names and static arguments": (
        "import functools\n\n@functools.partial(jax.jit, static_argnames='power')\ndef f(key, *, n, power):\n"
        "    x = jax.random.uniform(key, (4,))\n    return x, (x / n['n'] ** power).sum()\n\n"
        "for n in range(9):\n    x, loss = f(jax.random.key(n), n={'n': jnp.float32(7 - n)}, power=2)\n",
        (7, 5, "makes inf (4 of 4 elements): "),
    ),
    "an argument that the call before returned": (
        "def distance(w, x):\n    d = ((w - x) ** 2).sum()\n    return jnp.where(d == 0, 0.0, jnp.sqrt(d))\n\n"
        "@jax.jit\ndef f(w, x):\n    loss, slope = jax.value_and_grad(distance)(w, x)\n"
        "    return {'w': w - 0.1 * slope}, loss\n\nw = jnp.ones(2)\nfor n in range(200):\n"
        "    out, loss = f(w, w if n == 150 else jnp.full(2, n))\n    w = out['w']\n",
        (150, 2, "in its argument w, which call 151 had returned. The gradient of `jnp.sqrt(d)` on line 7 makes inf"),
    ),
    "a donated state": (
        "f = jax.jit(lambda s: ({'w': s['w'] * 2}, jnp.exp(s['w']).sum()), donate_argnums=0)\n"
        "s = {'w': jnp.ones(2)}\nfor n in range(20):\n    s, loss = f(s)\n",
        (7, 0, "makes inf (2 of 2 elements): `exp(128)`"),
    ),
    "a scan": (
        "@jax.jit\ndef f(w):\n    def body(w, x):\n        return jnp.sqrt(w - x), None\n"
        "    return jax.lax.scan(body, w, jnp.arange(3.0))[0]\n\nfor n in range(5):\n    y = f(90.0 - n * 25)\n",
        (3, 3, "`jnp.sqrt(w - x)` on line 8 makes NaN: `sqrt(-0.3"),
    ),
    "infinity on purpose": (
        "@jax.jit\ndef f(best, x):\n    return jnp.minimum(best, x), jnp.log(x)\n\nfor n in range(5):\n"
        "    best, y = f(jnp.full(2, jnp.inf), 2.0 - n)\n",
        (2, 2, "`jnp.log(x)` on line 7 makes -inf: `log(0)`."),
    ),
    "an argument of the program": (
        STEP + "for n in range(5):\n    w, loss = step(jnp.ones(3), jnp.inf if n == 3 else n)\n",
        (3, -1, "The call got NaN or infinity in its argument x."),
    ),
    "a call that is not deterministic": (
        "seen = []\ndef other(x):\n    seen.append(x)\n    return np.float32('nan' if len(seen) == 3 else 0)\n\n"
        "f = jax.jit(lambda x: jax.pure_callback(other, jax.ShapeDtypeStruct((), 'float32'), x))\n"
        "for n in range(5):\n    y = f(1.0 * n)\n",
        (2, -1, "the call returned numbers that were all finite"),
    ),
    "effects": (
        "def other(x):\n    pass\n\n@jax.jit\ndef f(x):\n    jax.experimental.io_callback(other, None, x)\n"
        "    return jnp.log(x)\n\nfor n in range(5):\n    y = f(2.0 - n)\n",
        (2, -1, "The function has effects"),
    ),
    "large arguments": (
        "@jax.jit\ndef f(x):\n    return jnp.log(x[0])\n\nfor n in range(5):\n    y = f(jnp.full(2000, 2.0 - n))\n",
        (2, -1, "they have more than"),
    ),
    "a value of JAX's constants": (
        "table = jnp.arange(4.0)\nf = jax.jit(lambda x: (table / x).sum())\nfor n in range(4):\n    y = f(2.0 - n)\n",
        (2, 1, "on line 6 makes NaN (1 of 4 elements): `0 / 0`"),
    ),
}


@pytest.mark.parametrize(("source", "expected"), CAUSES.values(), ids=CAUSES)
def test_the_first_bad_call_is_evaluated_again_to_find_the_operation(
    source: str, expected: tuple[int, int, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(call_log, "MOST_BYTES", 4000)
    monkeypatch.setattr(call_curves, "PATIENCE_S", 60.0)
    # On a busy machine copies of donated arguments take longer than they may.
    monkeypatch.setattr(fast_calls, "_COPIES_AT_ONCE_S", 60.0)
    (calls,), _ = calls_of(source)
    number, line, words = expected
    assert (calls.cause.call, calls.cause.span.line - 5 if calls.cause.span else -1) == (number, line)
    assert words in str(calls.cause.sentence)
    assert calls.iterations.first_not_finite in (number, number + 1)


def test_a_search_that_takes_too_long_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_curves, "PATIENCE_S", 0.0)
    (calls,), _ = calls_of(CAUSES["a log"][0])
    assert (calls.cause.call, calls.cause.span) == (2, None)
    assert "0 s, then the search ended" in str(calls.cause.sentence)


def test_a_million_calls_have_few_points_and_leave_nothing_behind() -> None:
    about = Function("f", (("result", jax.typeof(jnp.float32(0))),))
    series = CallSeries(about, (), [OutputSeries()])
    rows = [[np.float32(n)] for n in range(1000)]
    rows[7] = [np.float32("inf")]
    most = 0
    for _ in range(1000):
        series.take(rows)
        most = max(most, len(series.points(series.outputs[0])))
    assert (series.length, series.stride, series.outputs[0].first_not_finite) == (1_000_000, 2048, 7)
    assert most <= call_log.MOST_POINTS
    assert len(series.numbers) == len(series.points(series.outputs[0])) == 489


def test_calls_wait_for_few_arrays_and_never_for_the_device() -> None:
    seen: list[tuple[int, int]] = []
    text = START + STEP + "w = jnp.ones(3)\nfor n in range(1000):\n    w, loss = step(w, n)\n    look()\n"
    with in_process.recorded(FILE) as recording:
        assert recording.calls is not None
        waiting = recording.calls
        look = {"look": lambda: seen.append((len(waiting._waiting), waiting._waiting_bytes))}
        exec(compile(text, FILE, "exec"), look)
        waiting.series()
    assert len(seen) == 1000
    assert max(seen) < (500, 0)
    # Three numbers; the first call has none before it.
    assert all(held == waiting_calls * 12 for waiting_calls, held in seen[call_log._WAITING :])
    assert (waiting._waiting_bytes, waiting._room) == (0, call_log.MOST_BYTES - 12)


def test_a_recording_without_calls_has_none_and_one_after_it_works() -> None:
    assert calls_of("x = jnp.ones(3)\n")[0] == ()
    (calls,), _ = calls_of(PROGRAMS["a tuple"][0])
    assert calls.iterations.length == 5

"""JAX's text of a variant, and the user's line for each of its lines."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax._src import core, pretty_printer

from explorer.messages import Cost, Form, Program
from explorer.worker.internals.compiled import cost
from explorer.worker.program.program import output_axes, program
from explorer.worker.recording.interrupt import Stopped
from tests.worker.analysed import report

FILENAME = "<test program>"
HEAD = "import functools, jax, jax.numpy as jnp\n"


def is_user_code(filename: str) -> bool:
    return filename == FILENAME


def function_of(source: str) -> Callable[..., Any]:
    """Return the function f that `source` defines below HEAD; its first line is line 2."""
    source = HEAD + source
    linecache.cache[FILENAME] = (len(source), None, source.splitlines(keepends=True), FILENAME)
    module: dict[str, Any] = {}
    exec(compile(source, FILENAME, "exec"), module)
    function: Callable[..., Any] = module["f"]
    return function


def jaxpr_of(source: str, **inputs: Any) -> Program:
    return program(function_of(source), inputs, "jaxpr", is_user_code)


KEY = jax.random.key(0)
ONES = jnp.ones(5)

PROGRAMS = {
    "nothing": ("def f(): return ()\n", {}),
    "one line": ("def f(x): return jnp.sin(x) + 1\n", {"x": ONES}),
    "sampler": ("def f(key): return jax.random.normal(key, (3,))\n", {"key": KEY}),
    "the same sampler twice": (
        "def f(key):\n  a, b = jax.random.split(key)\n  return jax.random.normal(a), jax.random.normal(b)\n",
        {"key": KEY},
    ),
    "scan": ("def f(x):\n  return jax.lax.scan(lambda c, t: (c + t, c * t), 0.0, x)\n", {"x": ONES}),
    "while and cond": (
        "def f(x):\n"
        "  body = lambda c: jax.lax.cond(c[0] > 3, lambda c: c * 2, lambda c: jnp.where(c > 1, 2.0, c), c)\n"
        "  return jax.lax.while_loop(lambda c: c.sum() < 9, body, x)\n",
        {"x": ONES},
    ),
    "vmap of grad of remat": (
        "def f(x):\n  return jax.vmap(jax.grad(jax.checkpoint(lambda x: jnp.tanh(x) ** 2)))(x)\n",
        {"x": ONES},
    ),
    "custom derivative": ("def f(x): return jax.grad(lambda x: jax.nn.relu(x).sum())(x)\n", {"x": ONES}),
    "closed over array": ("table = jnp.arange(9)\ndef f(x): return table[x.astype(int)]\n", {"x": ONES}),
    "odd characters in a string": (
        "def f(x):\n  jax.debug.print('a\\n\\tb\\r\\u2028😀 {x}', x=x)\n  y = jnp.sin(x)\n  return y * 2\n",
        {"x": ONES},
    ),
    "tabs and CRLF in the code": ("def f(x):\r\n\treturn jnp.sin(x) + 1\r\n", {"x": ONES}),
    "effects": ("def f(x):\n  jax.debug.print('{x}', x=x)\n  return x\n", {"x": ONES}),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_jaxpr_is_the_text_that_jax_prints_and_equations_stand_where_they_say(name: str) -> None:
    source, inputs = PROGRAMS[name]
    function = function_of(source)
    made = program(function, inputs, "jaxpr", is_user_code)
    assert made.failure is None
    assert made.text == str(jax.make_jaxpr(function)(*inputs.values()))
    rows = made.text.split("\n")
    assert len(made.lines) == len(rows)
    for equation in made.equations:
        stretch = "\n".join(rows[equation.first_line : equation.last_line + 1])
        assert equation.primitive in stretch
        assert all(output in stretch for output in equation.output.split())
    assert [each.first_line for each in made.equations] == sorted(each.first_line for each in made.equations)


def test_the_printer_is_put_back() -> None:
    before = core.pp_eqn, pretty_printer.text
    jaxpr_of("def f(x):\n  jax.debug.print('a\\nb')\n  return x + 1\n", x=ONES)
    assert (core.pp_eqn, pretty_printer.text) == before


def test_an_equation_with_line_breaks_in_a_string_has_all_of_its_lines() -> None:
    made = jaxpr_of("def f(x):\n  jax.debug.print('a\\nb\\nc {}', x)\n  return x + 1\n", x=ONES)
    first, second = made.equations
    rows = made.text.split("\n")
    stretch = "\n".join(rows[first.first_line : first.last_line + 1])
    assert "a\nb\nc" in stretch
    assert second.first_line == first.last_line + 1
    assert made.lines[first.first_line : first.last_line + 1] == (3,) * (first.last_line + 1 - first.first_line)


def test_equations_carry_span_depth_and_type() -> None:
    made = jaxpr_of("def f(x):\n  y = jnp.sin(x)\n  return jax.lax.scan(lambda c, t: (c * t, c + t), 0.0, y)\n", x=ONES)
    first, loop, *body = made.equations
    assert (first.primitive, first.depth, first.output) == ("sin", 0, "f32[5]")
    assert (first.span.line, first.span.column, first.span.end_column) == (3, 6, 16)
    assert (loop.primitive, loop.depth, loop.output) == ("scan", 0, "f32[] f32[5]")
    assert {each.depth for each in body} == {1}
    assert {each.span.line for each in body if each.span} == {4}


def test_equations_inside_a_library_belong_to_the_line_that_called_it() -> None:
    made = jaxpr_of(
        "def f(key, x):\n  n = jax.random.normal(key, x.shape)\n  return jnp.where(x > 0, n, x)\n", key=KEY, x=ONES
    )
    lines = {each.primitive: each.span.line if each.span else None for each in made.equations}
    assert (lines["random_bits"], lines["erf_inv"], lines["select_n"], lines["gt"]) == (3, 3, 4, 4)
    assert max(each.depth for each in made.equations) == 3


def test_equations_that_several_lines_share_belong_to_none() -> None:
    made = jaxpr_of("def f(key):\n  a = jax.random.normal(key)\n  return a + jax.random.normal(key)\n", key=KEY)
    calls = [each for each in made.equations if each.depth == 0 and each.primitive == "jit"]
    assert [each.span.line for each in calls if each.span] == [3, 4]
    assert {each.span for each in made.equations if each.primitive == "random_bits"} == {None}


def test_lines_show_the_innermost_line_of_user_code() -> None:
    made = jaxpr_of("def f(x):\n  def body(c, t):\n    return c * t, t\n  return jax.lax.scan(body, 0.0, x)\n", x=ONES)
    product = next(each for each in made.equations if each.primitive == "mul")
    loop = next(each for each in made.equations if each.primitive == "scan")
    assert made.lines[product.first_line] == 4
    assert made.lines[loop.first_line] == made.lines[loop.last_line] == 5
    assert made.lines[0] == 0


def test_arguments_stand_in_the_order_of_the_signature() -> None:
    made = jaxpr_of("def f(x, key): return x\n", key=KEY, x=ONES)
    assert made.text == "{ lambda ; a:f32[5] b:key<fry>[]. let  in (a,) }"


@pytest.mark.parametrize(
    "value", [3, 3.0, "relu", None, True, jnp.sin, (1, "a"), {"rate": 0.5, "name": None}, np.array(["a"])]
)
def test_what_is_no_array_stays_as_it_is(value: Any) -> None:
    seen = []
    program(lambda value, x: seen.append(value) or x, {"value": value, "x": ONES}, "jaxpr", is_user_code)
    assert seen[0] is value or seen[0] == value


def test_arrays_inside_containers_are_traced_and_their_neighbours_are_not() -> None:
    made = jaxpr_of(
        "def f(layer):\n  return layer['weight'].sum() * layer['size'] if layer['name'] == 'dense' else None\n",
        layer={"weight": np.ones(4, "float32"), "size": 4, "name": "dense"},
    )
    assert made.failure is None
    assert [each.primitive for each in made.equations] == ["reduce_sum", "mul"]


def test_keyword_only_arguments_are_handed_over_by_name() -> None:
    assert jaxpr_of("def f(x, *, scale): return x * scale\n", x=ONES, scale=ONES).failure is None


def test_a_jitted_function_is_shown_as_the_call_that_jax_makes_of_it() -> None:
    made = jaxpr_of("f = jax.jit(lambda x: x + 1)\n", x=ONES)
    assert [(each.primitive, each.depth) for each in made.equations] == [("jit", 0), ("add", 1)]


@pytest.mark.parametrize("form", ["jaxpr", "stablehlo", "hlo"])
def test_what_cannot_be_traced_is_a_failure_and_no_text(form: Form) -> None:
    made = program(function_of("def f(x):\n  if x[0] > 0:\n    return x\n"), {"x": ONES}, form, is_user_code)
    assert made.text == ""
    assert (made.failure.type, made.failure.line) == ("TracerBoolConversionError", 3)


def test_arguments_that_do_not_fit_are_a_failure() -> None:
    made = jaxpr_of("def f(x): return x\n", y=ONES)
    assert made.failure.type == "TypeError"


def test_a_cancelled_trace_is_not_a_failure_of_the_program() -> None:
    with pytest.raises(Stopped):
        jaxpr_of("from explorer.worker.recording.interrupt import Stopped\ndef f(x): raise Stopped\n", x=ONES)


LOWERED = (
    "def f(key, x):\n"
    "  first, second = jax.random.split(key)\n"
    "  n = jax.random.normal(first, x.shape)\n"
    "  def body(c, t):\n"
    "    return c + jnp.sin(t), t\n"
    "  total, _ = jax.lax.scan(body, 0.0, x)\n"
    "  return jnp.tanh(n) + total\n"
)


def test_stablehlo_is_the_text_that_jax_prints() -> None:
    function = function_of(LOWERED)
    made = program(function, {"key": KEY, "x": ONES}, "stablehlo", is_user_code)
    assert made.text == jax.jit(function).lower(KEY, ONES).as_text()
    assert made.equations == ()


def test_stablehlo_lines_are_traced_back_to_the_program() -> None:
    made = program(function_of(LOWERED), {"key": KEY, "x": ONES}, "stablehlo", is_user_code)
    assert lines_with(made, "stablehlo.tanh") == {8}
    assert lines_with(made, "call @_normal") == {4}
    assert lines_with(made, "stablehlo.sine") == {6}
    assert lines_with(made, "chlo.erf_inv") == {4}
    assert lines_with(made, "module @") == {0}
    assert 7 in lines_with(made, "stablehlo.while")


def test_hlo_lines_are_traced_back_to_the_program() -> None:
    made = program(function_of(LOWERED), {"key": KEY, "x": ONES}, "hlo", is_user_code)
    assert made.failure is None
    assert lines_with(made, " tanh(") == {8}
    assert lines_with(made, " sine(") == {6}
    assert lines_with(made, "HloModule") == {0}


def test_the_compiled_program_shows_its_cost() -> None:
    x = jnp.ones((8, 16))
    made = program(function_of("def f(x): return jnp.tanh(x @ x.T)\n"), {"x": x}, "hlo", is_user_code).cost
    assert made.flops is not None
    assert 2 * 8 * 8 * 16 <= made.flops <= 2 * 8 * 8 * 16 + 1000
    assert (made.argument_bytes, made.output_bytes, made.transcendentals) == (8 * 16 * 4, 8 * 8 * 4, 64)
    assert made.accessed_bytes is not None
    assert made.accessed_bytes >= 8 * 16 * 4 + 8 * 8 * 4


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("(jax.debug.print('{}', x), x @ x.T)[1]", ""),
        ("jax.lax.fori_loop(0, 5, lambda _, h: h * 2, x)", "loop"),
        ("jax.lax.while_loop(lambda h: h.sum() < 9, lambda h: h * 2, x)", "loop"),
        ("jnp.linalg.cholesky(x @ x.T)", "library"),
    ],
)
def test_the_work_of_a_library_is_not_known_and_that_of_a_loop_is_counted_once(code: str, why: str) -> None:
    made = program(function_of(f"def f(x): return {code}\n"), {"x": jnp.ones((3, 4))}, "hlo", is_user_code).cost
    assert (made.uncounted, made.flops is None) == (why, why == "library")
    assert (made.accessed_bytes is None) == (why == "loop")


@pytest.mark.parametrize(("platform", "result"), [("cpu", None), ("gpu", 7)])
def test_a_peak_is_reported_for_devices_whose_compiler_knows_one(platform: str, result: int | None) -> None:
    executable = SimpleNamespace(local_devices=lambda: [SimpleNamespace(platform=platform)])
    analysis = SimpleNamespace(peak_memory_in_bytes=7, temp_size_in_bytes=5)
    compiled = SimpleNamespace(
        cost_analysis=lambda: None, memory_analysis=lambda: analysis, runtime_executable=lambda: executable
    )
    assert (cost(compiled).peak_bytes, cost(compiled).temporary_bytes) == (result, 5)


def test_what_devices_send_each_other_is_read_off_the_compiled_text() -> None:
    text = (
        "HloModule jit_f, is_scheduled=true, num_partitions=4, entry_computation_layout={(f32[8]{0})->f32[8]{0}}\n"
        "ENTRY %main (a: u32[1]) -> u32[4] {\n"
        "  %all-gather = u32[4]{0} all-gather(%a), channel_id=1\n"
        "  %start = (u32[4]{0}, u32[8]{0}) all-reduce-start(%all-gather), channel_id=2\n"
        "  %done = u32[8]{0} all-reduce-done(%start)\n"
        "  %add = u32[4]{0} add(%all-gather, %all-gather)\n"
    )
    silent = SimpleNamespace(cost_analysis=lambda: None, memory_analysis=lambda: None)
    result = cost(silent, text)
    assert (result.devices, result.exchanges) == (4, {"all-gather": 1, "all-reduce": 1})
    assert cost(silent) == Cost()


@pytest.mark.parametrize("form", ["jaxpr", "stablehlo"])
def test_what_is_not_compiled_has_no_cost(form: Form) -> None:
    assert program(function_of("def f(x): return x + 1\n"), {"x": ONES}, form, is_user_code).cost is None


def test_a_backend_that_reports_nothing_gives_no_text_and_an_empty_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise RuntimeError("UNIMPLEMENTED")

    for question in ("as_text", "cost_analysis", "memory_analysis"):
        monkeypatch.setattr(jax.stages.Compiled, question, refuse)
    made = program(function_of("def f(x): return x + 1\n"), {"x": ONES}, "hlo", is_user_code)
    assert made == Program("hlo", "", cost=Cost())


def test_the_workers_own_files_do_not_appear_in_hlo() -> None:
    made = program(function_of(LOWERED), {"key": KEY, "x": ONES}, "hlo", is_user_code)
    assert "explorer/worker" not in made.text


def lines_with(made: Program, part: str) -> set[int]:
    """Return the user's lines of the text lines that contain `part`."""
    rows = made.text.splitlines()
    assert len(rows) == len(made.lines)
    return {line for row, line in zip(rows, made.lines, strict=True) if part in row}


# -- the axes of the examples in an output -----------------------------------------------------


KEYS = jax.random.split(jax.random.key(0), 3)
DRAWN: dict[str, tuple[Callable[[Any], Any], tuple[int | None, ...]]] = {
    "rows": (jax.vmap(lambda key: jax.random.normal(key, (4,))), (0,)),
    "columns": (jax.vmap(lambda key: jax.random.normal(key, (4,)), out_axes=1), (1,)),
    "columns under jit": (jax.jit(jax.vmap(lambda key: jax.random.normal(key, (4,)), out_axes=1)), (1,)),
    "counted from the end": (jax.vmap(lambda key: jax.random.normal(key, (4, 5)), out_axes=-1), (2,)),
    "each its own": (jax.vmap(lambda key: (jax.random.normal(key, (4,)), jnp.ones(2)), out_axes=(1, 0)), (1, None)),
    "nothing mapped": (lambda _: jnp.ones((3, 3)), (None,)),
}


@pytest.mark.parametrize(("call", "axes"), DRAWN.values(), ids=DRAWN)
def test_the_examples_of_each_output_are_found(call: Callable[[Any], Any], axes: tuple[int | None, ...]) -> None:
    def variant(keys: Any) -> Any:
        return call(keys)

    assert output_axes(variant, {"keys": KEYS}) == axes


IN_COLUMNS = """
import jax, jax.numpy as jnp

def inputs():
    return {"x": jnp.ones((3, 2))}

def columns(x):
    return jax.vmap(lambda column: column + jax.random.normal(jax.random.key(0), (3,)), in_axes=1, out_axes=1)(x)
"""


def test_equal_columns_are_reported_where_the_examples_are_columns() -> None:
    output, difference = report(IN_COLUMNS, "columns").pictures or ()
    assert (output.axis, str(output.verdict)) == (
        1,
        "2 examples along axis 1, 1 distinct column: they all share one key",
    )
    assert difference.axis == 1

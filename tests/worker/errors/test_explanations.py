"""Errors that learners meet, triggered for real; those with a fix are among the cases of fixes."""

from __future__ import annotations

import linecache
import re
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from explorer.diagnostics.check import Explanation
from explorer.diagnostics.errors import EXPLANATIONS, explaining
from explorer.library import library
from explorer.messages import Failure, Span
from explorer.worker.errors.failure import failure

FILENAME = "<test program>"

HEAD = "import jax, jax.numpy as jnp, numpy as np"


def is_user_code(filename: str) -> bool:
    return filename == FILENAME


def failure_of(source: str) -> Failure:
    """Run `source` as user code and return its failure."""
    linecache.cache[FILENAME] = (len(source), None, source.splitlines(keepends=True), FILENAME)
    try:
        exec(compile(source, FILENAME, "exec"), {"__name__": "program"})
    except BaseException as error:
        return failure(error, is_user_code)
    raise AssertionError("the program does not fail")


TRACING = [
    ("jax.jit(lambda x: int(x))(1.0)", "ConcretizationTypeError", "int(x)"),
    ("jax.jit(lambda n: jnp.arange(n))(3)", "ConcretizationTypeError", "The length of jnp.arange is a shape"),
    (
        "from jax.experimental import checkify as c; "
        "c.checkify(lambda x: x[5], errors=c.index_checks)(jnp.ones(3))[0].throw()",
        "JaxRuntimeError",
        "checkify",
    ),
    ("import fractions; jax.jit(lambda f: f)(fractions.Fraction(1, 2))", "TypeError", "the class Fraction"),
]
KEYS = [
    ("jax.random.split(jax.random.split(jax.random.key(0), 3))", "ValueError", "jax.random.split"),
    ("jax.random.normal(None)", "TypeError", "it is None"),
    ("jax.random.wrap_key_data(jnp.zeros(3, jnp.uint32))", "TypeError", "last axis has length 2"),
    ("jax.random.normal(jnp.zeros(2))", "TypeError", "the key comes first"),
]
MAPS = [
    ("jax.vmap(jnp.add, in_axes=(0, None))(x=jnp.ones(3), y=1.0)", "ValueError", "Map inside a function"),
    ("jax.vmap(jnp.add, in_axes=(None, None))(1.0, 2.0)", "ValueError", "excludes every argument"),
    ("jax.vmap(jnp.sin, in_axes=1)(jnp.ones(3))", "ValueError", "axis 1, but an argument of shape (3,)"),
    ("key = jax.random.key(0); jax.vmap(jnp.add, (0, 0))(jnp.ones(3), key)", "ValueError", "a random key. Split it"),
    (
        "jax.vmap(jax.random.normal)(jax.random.key(0))",
        "ValueError",
        "is a random key. Split it, one key for each example",
    ),
    ("jax.vmap(jnp.add, (0, 0))(jnp.ones(3), 2.0)", "ValueError", "Exclude this argument with None"),
    ("jax.vmap(lambda *_: 1)(jnp.ones(3), 2.0, jax.random.key(0))", "ValueError", "Exclude this argument with None"),
]
SHAPES = [
    ("jnp.ones((3, 4)) @ jnp.ones((3, 4))", "TypeError", "they have 4 and 3"),
    ("jnp.ones(3) + jnp.ones(4)", "TypeError", "The shapes (3,), (4,) do not fit"),
    ("jnp.where(True, jnp.ones(3), jnp.ones(4))", "ValueError", "(3,), (4,)"),
    ("jnp.ones(3).reshape(2, 2)", "TypeError", "whose product is 3"),
    ("jnp.concatenate([jnp.ones((2, 2)), jnp.ones((3, 3))])", "TypeError", "joined"),
    ("jax.lax.while_loop(lambda c: True, lambda c: jnp.ones(2), 0.0)", "TypeError", "loop"),
    ("jax.lax.cond(True, lambda x: x, lambda x: jnp.ones(2), 1.0)", "TypeError", "all branches"),
    ("jax.grad(jnp.sin)(3)", "TypeError", "int32 cannot change"),
    ("x = jnp.ones(3); jax.jit(lambda x: x + 1, donate_argnums=0)(x); x + 1", "RuntimeError", "This array was donated"),
    ("jax.tree.map(lambda a, b: a, {'a': 1}, {'b': 1})", "ValueError", "dicts with the same keys"),
    ("jax.tree.map(lambda a, b: a, [1, 2], [1])", "ValueError", "lists of the same length"),
    ("jax.grad(lambda x: jax.lax.while_loop(lambda c: c < 9, lambda c: 2 * c, x))(1.0)", "ValueError", "jax.lax.scan"),
    (
        "f = jax.custom_vjp(jnp.multiply); f.defvjp(lambda x, y: (x * y, y), lambda y, g: (g * y,)); "
        "jax.grad(f)(1.0, 2.0)",
        "TypeError",
        "one gradient for each argument",
    ),
    ("jnp.int32(3_000_000_000)", "OverflowError", "Turn on 64 bits"),
    ("jnp.arange(3) + 3_000_000_000", "OverflowError", "Turn on 64 bits"),
]
EXPLICIT = (
    "mesh = jax.make_mesh((1, 1), ('x', 'y'), axis_types=(jax.sharding.AxisType.Explicit,) * 2); "
    "laid = lambda *axes: jax.device_put(jnp.ones((4, 4)), jax.NamedSharding(mesh, jax.P(*axes))); "
    "a, b = laid('x', 'y'), laid('y', 'x'); "
)
MACHINE = [
    ("jnp.ones((1 << 20, 1 << 20))", "JaxRuntimeError", "This asks for 4 TiB."),
    ("jax.devices('nonesuch')", "RuntimeError", "JAX sees no nonesuch"),
    ("jax.make_mesh((64,), ('i',))", "ValueError", "begin with `jax.config.update"),
    (
        "mesh = jax.make_mesh((1,), 'i', (jax.sharding.AxisType.Auto,)); "
        "jax.shard_map(jnp.sin, mesh=mesh, in_specs=jax.P('i'), out_specs=jax.P())(jnp.ones(4))",
        "ValueError",
        "Combine the values",
    ),
    (f"{EXPLICIT}a + b", "ShardingTypeError", "Move one of them to the layout of the other with jax.sharding.reshard"),
    (f"{EXPLICIT}jnp.where(a > 0, a, b)", "ShardingTypeError", "Move one of them to the layout"),
    (
        f"{EXPLICIT}a @ a",
        "ShardingTypeError",
        # Since JAX 0.11.1 the operands may be sharded differently; only the sharding of the result is missing.
        "must be cut over the same mesh axis" if jax.__version_info__ < (0, 11, 1) else "Say it with out_sharding",
    ),
    (f"{EXPLICIT}a[jnp.array([0, 1])]", "ShardingTypeError", "cannot work out how the result is laid out"),
    (f"{EXPLICIT}jnp.sort(a)", "ShardingTypeError", "Gather it first with jax.sharding.reshard"),
    ("bytearray(1 << 60)", "MemoryError", "too little free memory"),
    ("f = lambda: f(); f()", "RecursionError", "called itself"),
    ("import no_such_package", "ModuleNotFoundError", " -m pip install no_such_package"),
    ("import sklearn", "ModuleNotFoundError", " -m pip install scikit-learn"),
    ("import jaxx", "ModuleNotFoundError", "There is no module jaxx. Did you mean jax?"),
    ("import jnp", "ModuleNotFoundError", "Write `import jax.numpy as jnp`."),
    ("import google.colab", "ModuleNotFoundError", "only where Colab runs a notebook"),
    ("raise SystemExit(3)", "SystemExit", "asked Python to quit"),
    ("nosuchname", "NameError", "Check the spelling"),
    ("del np; np.ones(3)", "NameError", "import numpy as np"),
    ("weights = 1; wieghts", "NameError", "Did you mean weights?"),
    ("(lambda: [total for total in total])()\ndef total(): ...", "NameError", "Nothing called total"),
    ("exec('def f():\\n  n += 1\\nf()')", "UnboundLocalError", "n is local, because"),
    ("jax.tree_map(abs, [1])", "AttributeError", "Use jax.tree.map;"),
    ("jnp.ones(3).numpy()", "AttributeError", "np.asarray(x)"),
    ("with jax.debug_nans(True): jnp.log(jnp.float32(-1))", "FloatingPointError", "the first nan, which log returned"),
    ("x = (1,", "SyntaxError", "bracket"),
    ("  x = 1", "IndentationError", "Lines of one block"),
]


@pytest.mark.parametrize(("line", "kind", "words"), TRACING + KEYS + MAPS + SHAPES + MACHINE)
def test_an_error_is_explained_on_its_line(line: str, kind: str, words: str) -> None:
    found = failure_of(f"{HEAD}\n{line}\n")
    assert (found.type, found.line) == (kind, 2)
    assert words in str(found.explanation)
    assert "{" not in str(found.explanation)
    assert len(str(found.message).splitlines()) <= 4


def test_the_argument_that_a_tracer_depends_on_is_named() -> None:
    found = failure_of(f"{HEAD}\n@jax.jit\ndef choose(x, flip):\n    return x if flip else -x\nchoose(1.0, True)\n")
    assert "records choose by running it once with" in str(found.explanation)
    assert "depends on the argument flip." in str(found.explanation)
    assert "static argument of jit" in str(found.explanation)


def test_vmap_gets_no_advice_to_use_static_arguments() -> None:
    found = failure_of(f"{HEAD}\njax.vmap(lambda x: x if x > 0 else -x)(jnp.ones(3))\n")
    assert "for all examples of vmap" in str(found.explanation)
    assert "static" not in str(found.explanation)


def test_the_span_is_the_failing_expression() -> None:
    source = f"{HEAD}\ndef f(x):\n    y = jnp.sin(x); z = x @ jnp.ones((3, 2))\n    return z\nf(jnp.ones((3, 4)))\n"
    assert failure_of(source).span == Span(3, 24, 3, 44)


def test_columns_count_characters_not_bytes() -> None:
    assert failure_of("이름 = '노이즈'; nosuchname\n").span == Span(1, 12, 1, 22)


def test_the_span_of_a_syntax_error_is_where_python_points() -> None:
    assert failure_of("x = 1\ny = (2,\n").span == Span(2, 4, 2, 5)


def test_an_error_inside_a_transformation_points_to_the_operation() -> None:
    source = f"{HEAD}\ndef f(x):\n    return jax.pure_callback(np.sin, x, x)\n\njax.grad(f)(1.0)\n"
    assert failure_of(source).line == 3


def test_a_kind_of_keys_is_named_without_its_functions() -> None:
    found = failure_of(f"{HEAD}\njax.random.wrap_key_data(jnp.zeros(3, jnp.uint32))\n")
    assert str(found.message).endswith("got shape=(3,) for impl=threefry2x32")


def test_the_same_error_has_the_same_message_in_each_run() -> None:
    source = f"{HEAD}\njax.vmap(lambda x: jnp.arange(x + 1))(jnp.arange(3))"
    message = failure_of(source).message
    assert re.search("This (Batch|Vmap)Tracer was created on line", message)
    assert "object id" not in message


def test_an_error_without_a_frame_of_the_users_has_no_span() -> None:
    try:
        jax.random.normal(jnp.ones(7))
    except TypeError as error:
        found = failure(error, is_user_code)
    assert found.span is None
    assert "random key" in str(found.explanation)


def test_a_leak_that_is_noticed_behind_the_users_code_points_to_what_leaked() -> None:
    source = f"""{HEAD}
@jax.jit
def leaks(x):
    def body(i, total):
        global last
        last = total * 2
        return total + i
    return jax.lax.fori_loop(0, 3, body, x) + last
"""
    linecache.cache[FILENAME] = (len(source), None, source.splitlines(keepends=True), FILENAME)
    program: dict[str, Any] = {"__name__": "program"}
    exec(compile(source, FILENAME, "exec"), program)
    with pytest.raises(jax.errors.UnexpectedTracerError) as raised:
        program["leaks"](1.0)
    assert failure(raised.value, is_user_code).span == Span(6, 15, 6, 24)
    assert failure(raised.value, str.isupper).span is None


def test_the_traceback_keeps_the_users_frames_and_the_last_of_the_library() -> None:
    source = (
        f"{HEAD}\ndef inner(x):\n    return x + jnp.ones(4)\ndef outer():\n    return inner(jnp.ones(3))\nouter()\n"
    )
    lines = failure_of(source).traceback.splitlines()
    frames = [line.strip() for line in lines if line.startswith("  File")]
    assert lines[0] == "Traceback (most recent call last):"
    assert [frame.rpartition(", ")[2] for frame in frames[:3]] == ["in <module>", "in outer", "in inner"]
    assert len(frames) == 4
    assert lines[-1].startswith("TypeError: add got incompatible shapes")


def test_an_error_without_a_message_ends_the_traceback_with_its_name() -> None:
    assert failure_of("raise ValueError\n").traceback.splitlines()[-1] == "ValueError"


def test_an_error_that_we_know_nothing_about_is_not_explained() -> None:
    assert str(failure_of("{}['a']\n").explanation) == ""


def test_boilerplate_is_left_out_of_the_message() -> None:
    message = failure_of(f"{HEAD}\njax.jit(lambda x: x[x > 0])(jnp.ones(3))\n").message
    assert message == "Array boolean indices must be concrete; got bool[3]"


def test_arrays_of_a_tree_are_distinguished_in_the_drawing() -> None:
    tree = "{'body': {'weights': jnp.ones((5, 4))}, 'head': {'weights': jnp.ones((3, 4))}}"
    found = failure_of(f"{HEAD}\njax.vmap(lambda parameters: 0.0)({tree})\n")
    assert [line.split()[0] for line in found.drawing.splitlines()] == ["…['body']['weights']", "…['head']['weights']"]


@pytest.mark.parametrize("known", [each for each in EXPLANATIONS if each.lesson], ids=lambda each: each.message[:40])
def test_every_lesson_that_an_explanation_leads_to_is_there(known: Explanation) -> None:
    assert known.lesson in {scenario.id for scenario in library.everything() if scenario.origin == "built-in"}


def test_an_error_leads_to_the_lesson_of_the_first_explanation_that_fits() -> None:
    concrete = ("ConcretizationTypeError", "TypeError")
    lessons = [
        found[0].lesson if (found := explaining(types, message)) else ""
        for types, message in [
            (concrete, "The size argument of jnp.nonzero must be given"),
            (concrete, "Abstract tracer value encountered"),
            (("ValueError",), "no words of JAX"),
        ]
    ]
    assert lessons == ["boolean_masks", "concrete_value_needed", ""]

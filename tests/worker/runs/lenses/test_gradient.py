"""The gradient lens agrees with JAX: its residuals, its equations, and the gradient's values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import jax.scipy.linalg
import pytest
from jax._src.ad_checkpoint import saved_residuals

from explorer.messages import Program
from explorer.worker.program.program import program as program_of
from explorer.worker.runs.lenses.gradient.facts import Facts, Gradient, facts
from explorer.worker.runs.lenses.gradient.links import Node
from tests.worker.runs.lenses import random_programs

X = jnp.arange(3.0)
FILES = (__file__, random_programs.__file__)


def lens(call: Callable[..., Any], /, **inputs: Any) -> Facts:
    """Return the lens with its values."""
    return facts(call, inputs, FILES.__contains__)


def traced(call: Callable[..., Any], **inputs: Any) -> Facts:
    """Return the lens by tracing alone."""
    found = Gradient.of(call, inputs, FILES.__contains__)
    return found.facts


def line_of(call: Callable[..., Any]) -> int:
    """Return the line of the body of a function of one line."""
    return call.__code__.co_firstlineno + 1


def by_id(found: Facts) -> dict[int, Node]:
    """Return all equations by their id."""
    return {each.id: each for each in (*found.forward, *found.backward)}


# -- held to JAX --------------------------------------------------------------------------------------


@pytest.mark.rest
@pytest.mark.parametrize("seed", [5, 9, 13, 26])
def test_residuals_are_those_that_jax_reports(seed: int) -> None:
    call, inputs = random_programs.program(seed), random_programs.inputs(seed)
    found = traced(call, **inputs)
    # Literals stand in the program: nothing is kept for them.
    saved = [each for each in saved_residuals(call, **inputs) if each[1] != "from a literal"]
    assert Counter(each.shape for each in found.residuals) == Counter(
        aval.str_short(short_dtypes=True) for aval, _ in saved
    )
    assert {each.argument for each in found.residuals} - {""} == {
        source.removeprefix("from the argument ").strip("'") for _, source in saved if source.startswith("from the arg")
    }


@pytest.mark.rest
def test_a_gradient_agrees_with_finite_differences_to_six_digits() -> None:
    def loss(x: Any, w: Any) -> Any:
        return jnp.where(w > 0.5, jnp.sin(x), jnp.tanh(x * w)).sum() ** 2

    with jax.enable_x64(True):
        check = lens(loss, **random_programs.inputs(0, "float64")).check
    assert check.agrees
    digits = re.search(r"agree to (\d+) digits", str(check.sentence))
    assert int(digits[1]) >= 6


@pytest.mark.rest
def test_a_custom_rule_that_is_no_derivative_is_distinguished_from_the_differences() -> None:
    @jax.custom_vjp
    def wrong(x: Any) -> Any:
        return x**2

    wrong.defvjp(lambda x: (x**2, x), lambda x, ct: (3 * x * ct,))
    found = lens(lambda x, y: (wrong(x) + y).sum(), x=X, y=X)
    assert not found.check.agrees
    assert "They differ for x." in str(found.check.sentence)


def network(x: Any, layers: Any, relu: Callable[[Any], Any]) -> Any:
    for layer in layers:
        x = relu(x @ layer)
    return (x**2).mean()


@pytest.mark.rest
@pytest.mark.parametrize("seed", range(3))
def test_the_corners_of_a_relu_network_are_no_alarm_and_hide_no_wrong_rule(seed: int) -> None:
    keys = jax.random.split(jax.random.key(seed), 5)
    layers = [jax.random.normal(each, (64, 64)) * 64**-0.5 for each in keys[1:]]
    x = jax.random.normal(keys[0], (128, 64))

    @jax.custom_vjp
    def wrong(x: Any) -> Any:
        return jax.nn.relu(x)

    wrong.defvjp(lambda x: (jax.nn.relu(x), x), lambda _, ct: (ct,))
    right, false = (
        lens(lambda x, layers, f=f: network(x, layers, f), x=x, layers=layers) for f in (jax.nn.relu, wrong)
    )
    assert right.check.agrees, right.check
    assert not false.check.agrees, false.check


def test_each_equation_of_the_jaxpr_pane_is_found_in_the_forward_pass() -> None:
    @jax.jit
    def layer(x: Any, w: Any) -> Any:
        return jnp.tanh(x @ w)

    def loss(x: Any, w: Any) -> Any:
        for _ in range(2):
            x = layer(x, w) * 2
        return jax.lax.scan(lambda c, e: (jnp.sin(c) * e, c), 1.0, x)[0]

    inputs = {"x": X, "w": jnp.eye(3)}
    pane: Program = program_of(loss, inputs, "jaxpr", FILES.__contains__)
    forward = traced(loss, **inputs).forward
    own = [each for each in forward if not each.added]
    assert {each.index for each in own} == set(range(len(pane.equations)))
    for each in own:
        assert (each.primitive, each.line) == (
            pane.equations[each.index].primitive,
            pane.equations[each.index].span.line,
        )
    assert {each.primitive for each in forward if each.added} >= {"cos"}


# -- one pass next to the other ---------------------------------------------------------------------------


def test_a_backward_equation_is_tied_to_the_iteration_of_the_loop_that_it_transposes() -> None:
    def loss(x: Any) -> Any:
        for _ in range(3):
            x = jnp.sin(x)
        return x.sum()

    found = traced(loss, x=X)
    backward = [each for each in found.backward if each.primitive == "mul"]
    sines = [each.id for each in found.forward if each.primitive == "sin"]
    assert [each.forward.id for each in backward] == sines[::-1]
    assert all(each.forward.line == each.line for each in backward)
    assert [each.made_by for each in found.residuals] == [each.id for each in found.forward if each.primitive == "cos"]


def test_the_residual_of_a_jitted_call_has_the_line_inside_of_it() -> None:
    @jax.jit
    def inside(x: Any) -> Any:
        return jnp.sin(x)

    (saved,) = traced(lambda x: inside(x).sum(), x=X).residuals
    assert (saved.shape, saved.bytes) == ("f32[3]", 12)
    assert saved.line == inside.__wrapped__.__code__.co_firstlineno + 2


def test_a_checkpoint_keeps_less_and_recomputes() -> None:
    def layers(x: Any) -> Any:
        return jnp.sin(jnp.sin(jnp.sin(x)))

    plain = traced(lambda x: layers(x).sum(), x=X)
    saved = traced(lambda x: jax.checkpoint(layers)(x).sum(), x=X)
    assert (plain.residual_bytes, plain.recomputed) == (36, 0)
    assert [each.argument for each in saved.residuals] == ["x"]
    assert saved.residual_bytes == 12
    again = [each for each in saved.backward if each.recomputed]
    assert saved.recomputed == len(again)
    assert [each.primitive for each in again].count("sin") == 2
    assert {each.forward.primitive for each in again} == {"sin"}


@pytest.mark.parametrize("policy", [None, "dots_saveable", "everything_saveable", "nothing_saveable"])
def test_a_checkpoint_keeps_what_jax_reports(policy: str | None) -> None:
    def layers(x: Any, w: Any) -> Any:
        for _ in range(3):
            x = jnp.sin(x @ w)
        return x

    chosen = getattr(jax.checkpoint_policies, policy) if policy else None
    saved = jax.checkpoint(layers, policy=chosen)

    def loss(x: Any, w: Any) -> Any:
        return saved(x, w).sum()

    inputs = {"x": jnp.ones((4, 4)), "w": jnp.ones((4, 4))}
    reported = [aval for aval, source in saved_residuals(loss, **inputs) if source != "from a literal"]
    assert traced(loss, **inputs).residual_bytes == sum(aval.size * aval.dtype.itemsize for aval in reported)


def test_a_gradient_inside_the_program_belongs_to_the_forward_pass() -> None:
    found = traced(lambda x: jax.grad(lambda y: (y**3).sum())(x).sum(), x=X)
    assert "integer_pow" in [each.primitive for each in found.forward]
    assert found.forward[-1].primitive == "reduce_sum"
    assert found.backward[0].forward is found.forward[-1]


# -- values ------------------------------------------------------------------------------------------------


def not_taken(x: Any) -> Any:
    return jnp.where(x > 0, jnp.sqrt(x), 0.0).sum()


def test_nan_out_of_the_branch_that_was_not_taken_is_named_where_it_appears() -> None:
    found = lens(not_taken, x=X)
    first = found.first_not_finite
    assert (first.made, first.line) == ("nan", line_of(not_taken))
    assert "the branch that was not taken gave 0 x inf" in str(first.sentence)
    equation = by_id(found)[first.id]
    assert equation in found.backward
    assert equation.forward.primitive == "sqrt"
    assert not equation.finite
    assert all(each.finite for each in found.backward if each.id < first.id)
    assert found.not_finite == ("x",)


NOT_FINITE = {
    "log": (lambda x: jnp.where(x > 0, x * jnp.log(x), 0.0).sum(), "nan", "the branch that was not taken"),
    "no where": (lambda x: jnp.sqrt(x).sum(), "inf", "the derivative that the forward pass keeps"),
    "forward": (lambda x: (1 / x).sum() ** 2, "inf", "the forward pass has made it before"),
    "in the backward pass of a scan": (
        lambda x: jax.lax.scan(lambda c, e: (c * e, c), 1e30, x + 1e15)[0],
        "inf",
        "made it before (scan",
    ),
    "in an iteration alone": (
        lambda x: jax.lax.scan(lambda c, e: (c + jnp.log(e - e) * 0, c), 0.0, x)[0],
        "nan",
        "first appears here: 0 x inf",
    ),
}


@pytest.mark.parametrize(("call", "made", "words"), NOT_FINITE.values(), ids=NOT_FINITE)
def test_what_is_not_finite_is_reported_with_its_cause(call: Callable[..., Any], made: str, words: str) -> None:
    first = lens(call, x=X).first_not_finite
    assert first.made == made
    assert words in str(first.sentence)


def test_nan_inside_of_a_scan_is_named_at_the_equation_in_its_iteration() -> None:
    def loss(x: Any) -> Any:
        def step(carry: Any, each: Any) -> Any:
            root = jnp.sqrt(each)
            return carry + jnp.where(each > 0, root, 0.0), None

        return jax.lax.scan(step, 0.0, x)[0]

    found = lens(loss, x=X)
    first = found.first_not_finite
    assert "the branch that was not taken" in str(first.sentence)
    assert first.line == loss.__code__.co_firstlineno + 2
    equation = by_id(found)[first.id]
    assert (equation.primitive, equation.depth, equation.finite) == ("mul", 1, False)


def test_a_second_where_leaves_nothing_to_report_and_nan_that_was_given_is_not_the_program_s() -> None:
    def fixed(x: Any) -> Any:
        return jnp.where(x > 0, jnp.sqrt(jnp.where(x > 0, x, 1.0)), 0.0).sum()

    found = lens(fixed, x=X)
    assert found.first_not_finite is None
    assert all(each.finite for each in (*found.forward, *found.backward))
    first = lens(lambda x: (x * x).sum(), x=X * jnp.nan).first_not_finite
    assert str(first.sentence) == "NaN first appears here: an argument already holds it."


def test_what_must_not_happen_twice_is_not_run() -> None:
    calls: list[int] = []

    def loss(x: Any) -> Any:
        jax.experimental.io_callback(calls.append, None, 1)
        return x.sum()

    found = lens(loss, x=X)
    assert not calls
    assert any("not run again" in str(each) for each in found.notes)
    assert found.backward[0].finite is None


# -- where the flow ends -----------------------------------------------------------------------------------


def test_arguments_without_a_gradient_are_named() -> None:
    def loss(x: Any, n: Any, key: Any, unused: Any, cut: Any, tree: Any) -> Any:
        saved = jax.lax.stop_gradient(cut)
        return (x * n * saved).sum() + jax.nn.softmax(x)[0] + tree["a"].sum()

    tree = {"a": X, "b": X}
    found = traced(loss, x=X, n=jnp.arange(3), key=jax.random.key(0), unused=X, cut=X, tree=tree)
    assert found.taken == ("x", "unused", "cut", "tree['a']", "tree['b']")
    arguments = {each.name: str(each.sentence) for each in found.ends if each.equation < 0}
    words = {
        "n": "integers (int32)",
        "key": "random key",
        "unused": "not used",
        "cut": "every way",
        "tree['b']": "not used",
    }
    assert arguments.keys() == words.keys()
    assert all(words[name] in sentence for name, sentence in arguments.items())
    # That inside of softmax is not the user's.
    (stop,) = (each for each in found.ends if each.name == "stop_gradient")
    (equation,) = (each for each in found.forward if each.index == stop.equation)
    assert equation.line == loss.__code__.co_firstlineno + 1


def test_a_sum_that_was_taken_is_reported_and_a_plain_python_float_can_be_differentiated() -> None:
    found = traced(lambda x: (x * x, jnp.argmax(x)), x=X)
    assert found.summed
    assert tuple(map(str, found.notes)) == (
        "The output is not a single number (f32[3]): this is the gradient of its sum.",
        "Outputs that are not floats are left out: they have no gradient.",
    )
    found = traced(lambda rate, n: rate**n, rate=3.0, n=2)
    assert found.taken == ("rate",)
    assert {each.index for each in found.forward} == {-1}


FLAT = {
    "round": (lambda x: (jnp.round(x) * x).sum(), ["round"], "round is flat"),
    "sign": (lambda x: (jnp.sign(x) * x).sum(), ["sign"], "sign is flat"),
    "comparison": (lambda x: jnp.where(x > 1, x, 0.0).sum(), ["gt"], "True or false"),
    "place of the largest": (lambda x: x[jnp.argmax(x)], ["argmax"], "Integers"),
    "cast": (lambda x: (x.astype(int) * x).sum(), ["convert_element_type"], "Integers"),
    "in a scan": (
        lambda x: jax.lax.scan(lambda c, e: (c + jnp.floor(e) * e, c), 0.0, x)[0],
        ["floor"],
        "floor is flat",
    ),
    "in a jit": (lambda x: (jax.jit(jnp.ceil)(x) * x).sum(), ["ceil"], "ceil is flat"),
    "not of what changes": (lambda x: (jnp.arange(3) < 2) @ x, [], ""),
    "after another": (lambda x: (jnp.sign(jnp.round(x)) * x).sum(), ["round"], "round is flat"),
}


@pytest.mark.parametrize(("call", "primitives", "words"), FLAT.values(), ids=FLAT)
def test_steps_that_let_no_gradient_back_are_reported(
    call: Callable[..., Any], primitives: list[str], words: str
) -> None:
    found = traced(call, x=X)
    flat = [each for each in found.ends if each.equation >= 0]
    assert [each.name for each in flat] == primitives
    assert all(words in str(each.sentence) for each in flat)
    indices = {each.index: each.primitive for each in found.forward}
    assert [indices[each.equation] for each in flat] == primitives
    # Nothing in the backward pass undoes it.
    ids = {each.id for each in found.forward if each.index in {one.equation for one in flat}}
    assert not [each for each in found.backward if each.forward and each.forward.id in ids]


# -- rules of the user's own -----------------------------------------------------------------------------


@jax.custom_vjp
def clipped(x: Any) -> Any:
    return x


def clipped_backward(_: None, cotangent: Any) -> Any:
    return (jnp.clip(cotangent, -1, 1),)


clipped.defvjp(lambda x: (x, None), clipped_backward)


@jax.custom_jvp
def slow(x: Any) -> Any:
    return jnp.log1p(x)


@slow.defjvp
def slow_slope(primals: Any, tangents: Any) -> Any:
    return slow(*primals), tangents[0] / (1 + primals[0])


def test_a_function_with_a_rule_is_one_call_and_what_its_rule_computes_belongs_to_it() -> None:
    found = traced(lambda x: (clipped(x) * 2 + slow(x)).sum(), x=X)
    calls = {each.called: each.id for each in found.forward if each.depth == 0 and each.called and not each.added}
    assert list(calls) == ["clipped", "slow"]
    of = {name: {each.primitive for each in found.backward if each.forward.id == calls[name]} for name in calls}
    assert of["clipped"] >= {"max", "min"}
    assert "div" in of["slow"]


# -- what has no gradient ----------------------------------------------------------------------------------


def nothing(x: Any) -> None:
    return None


def a_text(x: Any) -> str:
    return "loss"


def a_key(x: Any) -> Any:
    return jax.random.key(0)


def unfinished(residual: Any, cotangent: Any) -> Any:
    raise ValueError("my rule is not finished")


def ruled(backward: Callable[..., Any]) -> Callable[[Any], Any]:
    @jax.custom_vjp
    def twice(x: Any) -> Any:
        return x * 2

    twice.defvjp(lambda x: (x * 2, x), backward)
    return lambda x: twice(x).sum()


SAME = jax.ShapeDtypeStruct((3,), jnp.float32)
WITHOUT = {
    "integers": (lambda x: jnp.argmax(x) + 1, "returns no floats (i32[])", False),
    "true or false": (lambda x: x > 1, "returns no floats (bool[3])", False),
    "a key": (a_key, "returns no floats (key<fry>[])", False),
    "complex": (lambda x: x * 1j, "returns complex numbers (c64[3])", False),
    "nothing": (nothing, "returns no array", False),
    "a text": (a_text, "not an array (str)", True),
    "a text beside a number": (lambda x: {"loss": x.sum(), "note": "good"}, "not an array (str ['note'])", True),
    "a Python float": (lambda x: float(x.sum()), "cannot take this gradient: ConcretizationTypeError", True),
    "an error": (lambda x: x @ jnp.ones(4), "JAX cannot take this gradient: TypeError", True),
    "a while loop": (
        lambda x: jax.lax.while_loop(lambda c: c.sum() < 9, lambda c: c * 2, x + 1),
        "runs a while loop",
        True,
    ),
    "an operation without a derivative": (
        lambda x: jax.scipy.linalg.schur(jnp.outer(x, x))[0].sum(),
        "JAX has no derivative of schur.",
        True,
    ),
    "a callback": (lambda x: jax.pure_callback(lambda a: a, SAME, x).sum(), "calls back into Python", True),
    "a rule that raises": (ruled(unfinished), "ValueError: my rule is not finished", True),
    "a rule that gives too much": (ruled(lambda _, g: (g, g)), "Custom VJP bwd rule must produce", True),
}


@pytest.mark.parametrize(("call", "words", "failed"), WITHOUT.values(), ids=WITHOUT)
def test_why_there_is_no_gradient_is_reported(call: Callable[..., Any], words: str, failed: bool) -> None:
    found = lens(call, x=X)
    assert words in str(found.sentence)
    assert "\n" not in str(found.sentence)
    assert not found.forward
    assert (found.failure is not None) == failed


NOTED = {
    "a matrix": (lambda x: x[:, None] * x, X, ["not a single number (f32[3,3])"]),
    "a tree": (
        lambda x: {"a": x, "b": (x.sum(), jnp.arange(2))},
        X,
        ["not a single number (f32[3], f32[])", "not floats are left out"],
    ),
    "complex beside a float": (lambda x: (x * 1j, x.sum()), X, ["Complex outputs are left out"]),
    "a complex argument": (lambda x: (jnp.abs(x) ** 2).sum(), X * 1j, ["its conjugate points uphill"]),
    "no elements": (lambda x: (x * x).sum(), jnp.ones((0, 3)), ["have no elements, so neither has the gradient"]),
    "no elements returned": (lambda x: x[:0], X, ["The output has no elements"]),
    "a value that is not finite": (lambda x: (x * 1e38).sum() * 1e38, X, ["finite differences cannot check it"]),
    "a number that is not finite given": (lambda x: (x * x).sum(), X * jnp.nan, ["finite differences cannot"]),
}


@pytest.mark.parametrize(("call", "x", "words"), NOTED.values(), ids=NOTED)
def test_what_is_odd_about_a_gradient_is_noted(call: Callable[..., Any], x: Any, words: list[str]) -> None:
    notes = lens(call, x=x).notes
    assert len(notes) == len(words)
    assert all(each in str(note) for each, note in zip(words, notes, strict=True))


def test_a_tree_with_one_float_is_enough_and_without_floats_there_is_nothing_to_take_it_for() -> None:
    found = lens(lambda x: {"loss": (x * x).sum(), "n": jnp.arange(2), "none": None}, x=X)
    assert not found.summed
    assert found.check.agrees
    assert "No argument holds floats" in str(lens(lambda n: n * 2.0, n=jnp.arange(3)).sentence)


def test_a_residual_of_a_million_elements_is_reported_with_its_size() -> None:
    found = traced(lambda x: jnp.sin(x).sum(), x=jnp.ones((1000, 1000)))
    assert found.residual_bytes == 4_000_000
    assert any("f32[1000,1000]" in str(each) and "3.8 MiB" in str(each) for each in found.notes)

"""A jaxpr evaluated by our interpreter equals JAX to the bit, and keeps no value longer than it is read."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jax import lax
from jax.extend.core import JaxprEqn, jaxpr_as_fun

from explorer.messages import LOOPS
from explorer.worker.internals import jaxprs
from explorer.worker.jaxpr import interpreter, traced
from explorer.worker.jaxpr.interpreter import CALLS, evaluate, live

X = jnp.linspace(0.1, 2.0, 5)
OPERATIONS: list[Callable[[Any], Any]] = [
    jnp.sin,
    jax.jit(lambda x: x * 3 + 1),
    lambda x: lax.scan(lambda c, y: (c * y, c + y), x[0], x, reverse=True)[1],
    lambda x: lax.while_loop(lambda c: c.sum() < 40, lambda c: c * 2 + 1, jnp.abs(x)),
    lambda x: lax.cond(x[0] > 1, jnp.exp, lambda y: y - 2, x),
    jax.vmap(lambda y: lax.while_loop(lambda c: c < 9, lambda c: c * 3 + 1, jnp.abs(y))),
    jax.vmap(lambda y: lax.cond(y > 1, jnp.tanh, lambda z: z, y)),
    jax.checkpoint(lambda x: jnp.cos(x) * x),
    jax.nn.relu,
    jnp.cumsum,
]
PROGRAMS = st.lists(st.sampled_from(range(len(OPERATIONS))), min_size=1, max_size=4)


def program(places: list[int]) -> Callable[[Any], Any]:
    def run(x: Any) -> Any:
        for place in places:
            x = OPERATIONS[place](x)
        return x

    return run


def bits(values: Any) -> list[bytes]:
    return [np.asarray(each).tobytes() for each in values]


def opened(equation: JaxprEqn, arguments: list[Any]) -> list[Any]:
    """Return the outputs of `equation`, with its inner jaxprs evaluated by the interpreter."""
    name, parameters = equation.primitive.name, equation.params

    def body(jaxpr: Any) -> traced.Body:
        return lambda given: (evaluate(jaxpr, given, opened), ())

    if name in CALLS:
        return evaluate(parameters[CALLS[name]], arguments, opened)
    if name == "scan":
        return traced.scan(parameters, arguments, body(parameters["jaxpr"]))[0]
    if name == "cond":
        return traced.switch(arguments, map(body, parameters["branches"]))[0]
    if name == "while":
        of_test, of_body, start = jaxprs.while_parts(parameters, arguments)

        def ask(carry: list[Any]) -> Any:
            return evaluate(parameters["cond_jaxpr"], [*of_test, *carry], opened)[0]

        def one_iteration(predicate: Any, carry: list[Any]) -> tuple[Any, list[Any], tuple[()]]:
            following = evaluate(parameters["body_jaxpr"], [*of_body, *carry], opened)
            carry = traced.still_running(predicate, following, carry)
            return ask(carry), carry, ()

        return traced.loop(ask(start), start, one_iteration, (), lambda *_: ())[0]
    return jaxprs.bind(equation, arguments)


@pytest.mark.rest
@settings(max_examples=25, deadline=None)
@given(PROGRAMS)
def test_a_program_evaluated_by_hand_keeps_its_bits(places: list[int]) -> None:
    jaxpr = jax.make_jaxpr(program(places))(X)
    plain = jaxpr_as_fun(jaxpr)
    assert bits(evaluate(jaxpr, [X], jaxprs.bind)) == bits(plain(X))
    # Opened, XLA fuses it otherwise. That recording keeps the bits is held in tests/worker/recording.
    np.testing.assert_allclose(jax.jit(lambda x: evaluate(jaxpr, [x], opened))(X)[0], plain(X)[0], rtol=1e-4)


@pytest.mark.parametrize("name", LOOPS)
def test_the_iterations_of_a_loop_end_where_it_ends(name: str) -> None:
    wanted = {"scan": lambda x: lax.scan(lambda c, y: (c * y, c + y), x[0], x, reverse=True), "while": OPERATIONS[5]}
    jaxpr = jax.make_jaxpr(wanted[name])(X)
    ends: list[Any] = []

    def on_equation(equation: JaxprEqn, arguments: list[Any]) -> list[Any]:
        if equation.primitive.name == name:
            ends.extend(outputs for *_, outputs in interpreter.iterations(name, equation.params, arguments))
        return jaxprs.bind(equation, arguments)

    outputs = evaluate(jaxpr, [X], on_equation)
    assert len(ends) == (5 if name == "scan" else 3)
    if name == "scan":
        stacked = np.stack([np.asarray(each[1]) for each in ends[::-1]])
        assert bits([ends[-1][0], stacked]) == bits(outputs)


def test_only_what_is_wanted_is_evaluated() -> None:
    jaxpr = jax.make_jaxpr(lambda x: (jnp.sin(x), jnp.cos(x) + 1, jnp.exp(x)))(X)
    equations, needed = live(jaxpr.jaxpr, jaxpr.jaxpr.outvars[1:2])
    assert [each.primitive.name for each in equations] == ["cos", "add"]
    assert jaxpr.jaxpr.invars[0] in needed
    (found,) = evaluate(jaxpr, [X], jaxprs.bind, equations=equations, wanted=jaxpr.jaxpr.outvars[1:2])
    assert bits([found]) == bits([jnp.cos(X) + 1])


def test_a_value_is_let_go_once_it_is_read_for_the_last_time() -> None:
    class Value:
        def __init__(self, name: str) -> None:
            self.name = name

    made: dict[str, weakref.ref[Value]] = {}
    there: list[list[str]] = []

    def on_equation(equation: JaxprEqn, given: list[Value]) -> list[Value]:
        there.append([name for name, each in made.items() if each() is not None])
        value = Value(equation.primitive.name)
        made[value.name] = weakref.ref(value)
        return [value]

    jaxpr = jax.make_jaxpr(lambda x: jnp.exp(jnp.tan(jnp.cos(jnp.sin(x)))))(X)
    (last,) = evaluate(jaxpr, [Value("x")], on_equation, lift=lambda _: Value("literal"))
    assert there == [[], ["sin"], ["cos"], ["tan"]]
    assert last.name == "exp"


def test_what_has_no_value_is_none_for_those_who_read_it() -> None:
    jaxpr = jax.make_jaxpr(lambda x: jnp.sin(x) * 2.0)(X)
    read = []

    def on_equation(equation: JaxprEqn, given: list[Any]) -> list[Any] | None:
        read.append(given)
        return None

    assert evaluate(jaxpr, [1], on_equation) == [None]
    assert read[0] == [1]
    assert read[1][0] is None

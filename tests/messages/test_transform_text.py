"""The Python of a transformed call, and its insertion into the code."""

from __future__ import annotations

import ast

import pytest

from explorer.messages import Applied, Argument, Transforms, transform_text

X = Argument("x", "f32[32,10]", (32, 10), is_float=True)
KEY = Argument("key", "key<fry>[]", is_key=True)
KEYS = Argument("keys", "key<fry>[32]", (32,), is_key=True)
MODE = Argument("mode", "str", is_array=False)
PARAMS = Argument("params", "dict of 2 arrays", is_float=True, is_tree=True)

VMAP, JIT, GRAD, JVP = Applied("vmap"), Applied("jit"), Applied("grad"), Applied("jvp")


@pytest.mark.parametrize(
    ("arguments", "applied", "call"),
    [
        ((X, KEY), (), "f(x, key)"),
        ((), (JIT,), "jax.jit(f)()"),
        ((X, KEY), (VMAP, JIT), "jax.jit(jax.vmap(f, in_axes=(0, None)))(x, key)"),
        ((X, KEY), (JIT, VMAP), "jax.vmap(jax.jit(f), in_axes=(0, None))(x, key)"),
        ((X, KEYS), (VMAP,), "jax.vmap(f)(x, keys)"),
        ((X,), (VMAP,), "jax.vmap(f)(x)"),
        ((KEY,), (VMAP,), "jax.vmap(f, in_axes=(None,))(key)"),
        ((X, KEY), (Applied("vmap", {"x": 1}, out_axes=1),), "jax.vmap(f, in_axes=(1, None), out_axes=1)(x, key)"),
        ((X, KEY), (GRAD,), "jax.grad(f)(x, key)"),
        ((KEY, X), (GRAD,), "jax.grad(f, argnums=1)(key, x)"),
        ((X, KEY), (Applied("grad", summed=True),), "jax.grad(lambda x, key: f(x, key).sum())(x, key)"),
        ((X, MODE), (JIT,), "jax.jit(f, static_argnums=(1,))(x, mode)"),
        ((X, MODE), (Applied("checkpoint"),), "jax.checkpoint(f, static_argnums=(1,))(x, mode)"),
        ((X, KEY), (JVP,), "jax.jvp(lambda x: f(x, key), (x,), (jax.numpy.ones_like(x),))"),
        (
            (PARAMS, X),
            (JVP, JIT),
            "jax.jit(lambda params, x: jax.jvp(lambda params: f(params, x), (params,), "
            "(jax.tree.map(jax.numpy.ones_like, params),)))(params, x)",
        ),
    ],
)
def test_the_call_is_written_as_a_user_would(
    arguments: tuple[Argument, ...], applied: tuple[Applied, ...], call: str
) -> None:
    assert transform_text.call_text("f", arguments, applied) == call
    ast.parse(call)


def test_an_argument_by_name_only_stays_one() -> None:
    key = Argument("key", "key<fry>[]", is_key=True, by_name=True)
    assert transform_text.call_text("f", (X, key), ()) == "f(x, key=key)"
    call = transform_text.call_text("f", (X, key), (VMAP,))
    assert call == "jax.vmap(lambda x, key: f(x, key=key), in_axes=(0, None))(x, key)"


@pytest.mark.parametrize(
    ("flags", "statement"),
    [
        (Transforms(x64=True), "with jax.enable_x64(True): f(x)"),
        (Transforms(partitionable=False), "with jax.threefry_partitionable(False): f(x)"),
        (
            Transforms("f", (JIT,), x64=True, partitionable=False),
            "with jax.enable_x64(True), jax.threefry_partitionable(False): jax.jit(f)(x)",
        ),
        (Transforms("another", (JIT,)), "f(x)"),
    ],
)
def test_flags_stand_before_the_call(flags: Transforms, statement: str) -> None:
    assert transform_text.statement_text("f", (X,), flags) == statement
    ast.parse(statement)

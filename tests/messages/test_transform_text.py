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


SOURCE = "import jax\n\n\ndef f(x, key):\n    return x\n"
SCRIPT = SOURCE + '\n\nif __name__ == "__main__":\n    print(f(1, 2))\n'


@pytest.mark.parametrize("source", [SOURCE, SCRIPT, "# 값\n" + SCRIPT, SOURCE.replace("import jax\n", "")])
def test_the_call_becomes_a_function_of_the_code(source: str) -> None:
    code, name = transform_text.with_variant(source, "f", (X, KEY), Transforms("f", (VMAP, JIT)))
    assert name == "f_vmap_jit"
    functions = {node.name: node for node in ast.parse(code).body if isinstance(node, ast.FunctionDef)}
    body = ast.unparse(functions[name].body[-1])
    assert body == "return jax.jit(jax.vmap(f, in_axes=(0, None)))(x, key)"
    assert ("import jax" in ast.unparse(functions[name])) == ("import jax" not in source)
    assert code.startswith(source[:40])
    assert ("__main__" in code.splitlines()[-2]) == ("__main__" in source)


def test_a_name_that_is_taken_is_not_taken_again() -> None:
    once, first = transform_text.with_variant(SOURCE, "f", (X, KEY), Transforms("f", (JIT,)))
    _, second = transform_text.with_variant(once, "f", (X, KEY), Transforms("f", (JIT,)))
    assert (first, second) == ("f_jit", "f_jit_2")


def test_flags_go_into_the_function_too() -> None:
    code, name = transform_text.with_variant(SOURCE, "f", (X, KEY), Transforms("f", (), x64=True))
    assert name == "f_x64"
    assert "    with jax.enable_x64(True):\n        return f(x, key)\n" in code


def test_code_that_python_cannot_read_is_left_alone() -> None:
    with pytest.raises(SyntaxError):
        transform_text.with_variant("def f(:", "f", (X,), Transforms("f", (JIT,)))

"""Programs that fail, each with its expected message and its working edits."""

from __future__ import annotations

from typing import NamedTuple


class FixCase(NamedTuple):
    """One program; its variant is ``run``."""

    code: str
    type: str
    words: str
    """Words of the explanation; with the argument that the failing value depends on, where it has one."""
    fixed: tuple[str, ...]
    """For each fix, in order, the lines that it changes, joined by `` / ``."""


def jitted(body: str, call: str) -> str:
    """Return a program whose jitted function has `body`, the first line its parameters, and is called as `call`."""
    parameters, *lines = body.strip("\n").split("\n")
    return "\n".join(
        [f"@jax.jit\ndef g({parameters}):", *(f"    {line}" for line in lines), f"def run():\n    return {call}"]
    )


STAND_IN_X = "depends on the argument x."

CASES = (
    # -- a value is needed while tracing ----------------------------------------------------------------------
    FixCase(
        jitted("x\nif x > 0:\n    return x\nelse:\n    return -x", "g(1.0)"), "TracerBoolConversionError", STAND_IN_X,
        ("return jnp.where(x > 0, x, -x)", "return jax.lax.cond(x > 0, lambda: x, lambda: -x)",
         '@jax.jit(static_argnames="x")'),
    ),
    FixCase(
        jitted("x\nif 0 < x < 2 and not x == 1:\n    x += 2\nreturn x", "g(jnp.float32(1))"),
        "TracerBoolConversionError", STAND_IN_X,
        ("x = jnp.where(((0 < x) & (x < 2)) & (jnp.logical_not(x == 1)), x + 2, x)",
         "x = jax.lax.cond(((0 < x) & (x < 2)) & (jnp.logical_not(x == 1)), lambda: x + 2, lambda: x)"),
    ),
    FixCase(
        jitted("x, flip\ny = flip\nreturn x if y else -x", "g(jnp.ones(2), True)"),
        "TracerBoolConversionError", "depends on the argument flip.",
        ("return jnp.where(y, x, -x)", "return jax.lax.cond(y, lambda: x, lambda: -x)",
         '@jax.jit(static_argnames="flip")'),
    ),
    FixCase(
        "def g(x):\n    return 1 if x > 0 else 2\ndef run():\n    return jax.vmap(g)(jnp.ones(3))",
        "TracerBoolConversionError", STAND_IN_X,
        ("return jnp.where(x > 0, 1, 2)", "return jax.lax.cond(x > 0, lambda: 1, lambda: 2)"),
    ),
    FixCase(
        'from functools import partial\n@partial(jax.jit, static_argnames="a")\ndef g(x, a, flip):\n    if flip:\n'
        "        return x\n    return [x]\ndef run():\n    return g(1.0, 2, flip=True)",
        "TracerBoolConversionError", "depends on the argument flip.",
        ('@partial(jax.jit, static_argnames=("a", "flip"))',),
    ),
    FixCase(
        jitted("x\nwhile x > 1:\n    x = x / 2\nreturn x", "g(jnp.float32(5))"),
        "TracerBoolConversionError", STAND_IN_X,
        ("x = jax.lax.while_loop(lambda x: x > 1, lambda x: x / 2, x)",),
    ),
    FixCase(
        jitted("x\nn = 0\nwhile x > 1 and n < 9:\n    x = x / 2\n    n += 1\nreturn x, n", "g(jnp.float32(5))"),
        "TracerBoolConversionError", STAND_IN_X,
        ("def goes_on(state): / x, n = state / return (x > 1) & (n < 9) / def one_round(state): / x, n = state / "
         "return x, n / x, n = jax.lax.while_loop(goes_on, one_round, (x, n))",),
    ),
    FixCase(
        jitted("n, y\ntotal = 0.0\nfor i in range(1, n):\n    z = y * i\n    y = y + z\n    total = total + z\n"
               "return total", "g(3, 1.0)"),
        "TracerIntegerConversionError", "depends on the argument n.",
        ("def one_round(i, state): / y, total = state / return y, total / "
         "y, total = jax.lax.fori_loop(1, n, one_round, (y, total))", '@jax.jit(static_argnames="n")'),
    ),
    FixCase(
        jitted("x\nwhile x > 1:\n    if x > 5:\n        break\n    x = x / 2\nreturn x", "g(jnp.float32(3))"),
        "TracerBoolConversionError", STAND_IN_X, (),
    ),
    FixCase(
        jitted("x\nreturn max(x, 0.0)", "g(jnp.float32(5))"), "TracerBoolConversionError", STAND_IN_X,
        ("return jnp.maximum(x, 0.0)",),
    ),
    FixCase(
        jitted("i\nreturn [1.0, 2.0, 3.0][i]", "g(1)"), "TracerIntegerConversionError", "depends on the argument i.",
        ("return jnp.array([1.0, 2.0, 3.0])[i]", '@jax.jit(static_argnames="i")'),
    ),
    FixCase(
        jitted("x\nreturn np.sin(x) + 1", "g(1.0)"), "TracerArrayConversionError", STAND_IN_X,
        ("return jnp.sin(x) + 1",),
    ),
    FixCase(
        jitted("x\nreturn x[x > 0].sum()", "g(jnp.arange(3.0))"), "NonConcreteBooleanIndexError", "boolean mask",
        ("return jnp.sum(x, where=x > 0)", "return jnp.where(x > 0, x, 0).sum()"),
    ),
    FixCase(
        jitted("x\nreturn float(x) * 2", "g(jnp.float32(1))"), "ConcretizationTypeError", STAND_IN_X,
        ("return x.astype(float) * 2",),
    ),
    FixCase(
        jitted("x\nreturn jnp.sin(x).item()", "g(jnp.float32(1))"), "ConcretizationTypeError", STAND_IN_X,
        ("return jnp.sin(x)",),
    ),
    FixCase(
        jitted("x\nreturn jnp.nonzero(x > 1)", "g(jnp.arange(3.0))"), "ConcretizationTypeError", "jnp.nonzero",
        ("return jnp.nonzero(x > 1, size=(x > 1).size)",),
    ),
    FixCase(
        jitted("n\nreturn jnp.arange(n)", "g(3)"), "ConcretizationTypeError", "depends on the argument n.",
        ('@jax.jit(static_argnames="n")',),
    ),
    FixCase(
        jitted("n\nreturn jnp.zeros((n, 2))", "g(3)"), "TypeError", "A shape must be known",
        ('@jax.jit(static_argnames="n")',),
    ),
    FixCase(
        jitted("x, i\nreturn x[i:i + 3]", "g(jnp.arange(9.0), 2)"), "IndexError", "The ends of a slice",
        ("return jax.lax.dynamic_slice_in_dim(x, i, 3)", '@jax.jit(static_argnames="i")'),
    ),
    FixCase(
        "kept = []\n@jax.jit\ndef g(x):\n    y = x + 1\n    kept.append(y)\n    return y\ndef run():\n    g(1.0)\n"
        "    return kept[-1] + 1",
        "UnexpectedTracerError", "used after tracing ended",
        ("jax.debug.callback(kept.append, y) / jax.effects_barrier()",),
    ),
    # -- arguments of jit -------------------------------------------------------------------------------------
    FixCase(
        'from functools import partial\n@partial(jax.jit, static_argnames="sizes")\ndef g(x, sizes):\n'
        "    return x.reshape(sizes)\ndef run():\n    return g(jnp.arange(4.0), [2, 2])",
        "ValueError", "Pass a tuple", ("return g(jnp.arange(4.0), (2, 2))",),
    ),
    FixCase(
        'def g(name, x):\n    return x if name == "relu" else -x\nh = jax.jit(g)\ndef run():\n'
        '    return h("relu", 1.0)',
        "TypeError", "static_argnames='name'", ('h = jax.jit(g, static_argnames="name")',),
    ),
    # -- keys -------------------------------------------------------------------------------------------------
    FixCase(
        "def run():\n    keys = jax.random.split(jax.random.key(0), 3)\n    return jax.random.normal(keys, (2,))",
        "ValueError", "array of keys of shape (3,)",
        ("return jax.vmap(lambda key: jax.random.normal(key, (2,)))(keys)", "return jax.random.normal(keys[0], (2,))"),
    ),
    FixCase(
        "def run():\n    return jax.random.normal(0, (2,))", "TypeError", "must be a random key",
        ("return jax.random.normal(jax.random.key(0), (2,))",),
    ),
    FixCase(
        "def run():\n    key = jax.random.key(0)\n    return jax.random.normal(key + 1)", "TypeError", "not a number",
        ("return jax.random.normal(jax.random.fold_in(key, 1))",),
    ),
    FixCase(
        "def run():\n    return np.asarray(jax.random.key(0))", "TypeError", "NumPy cannot hold it",
        ("return np.asarray(jax.random.key_data(jax.random.key(0)))",),
    ),
    # -- vmap -------------------------------------------------------------------------------------------------
    FixCase(
        "def add(x, key):\n    return x + jax.random.normal(key)\ndef run():\n"
        "    x, key = jnp.ones(3), jax.random.key(0)\n    return jax.vmap(add)(x, key)",
        "ValueError", "has no such axis",
        ("return jax.vmap(add)(x, jax.random.split(key, len(x)))",),
    ),
    FixCase(
        "def run(x=jnp.ones(3), y=jnp.ones(4)):\n    return jax.vmap(lambda a, b: a + b.sum())(x, y)",
        "ValueError", "different lengths",
        ("return jax.vmap(lambda a, b: a + b.sum(), in_axes=(0, None))(x, y)",),
    ),
    FixCase(
        "def run(x=jnp.ones(3)):\n    return jax.vmap(jnp.add, in_axes=(0,))(x, x)", "ValueError", "one entry for each",
        ("return jax.vmap(jnp.add, in_axes=(0, 0))(x, x)",),
    ),
    FixCase(
        "def run(x=jnp.ones(3)):\n    return jax.vmap(jnp.sin, in_axes=1)(x)", "ValueError", "no such axis",
        ("return jax.vmap(jnp.sin, in_axes=0)(x)",),
    ),
    FixCase(
        "def run(x=jnp.ones(3)):\n    return jax.vmap(jnp.sin, out_axes=None)(x)", "ValueError", "out_axes=None",
        ("return jax.vmap(jnp.sin)(x)",),
    ),
    FixCase(
        "def run(x=jnp.ones(3)):\n    return jax.vmap(lambda a: (a, a), out_axes=(0,))(x)", "ValueError",
        "one entry for each output", ("return jax.vmap(lambda a: (a, a))(x)",),
    ),
    # -- shapes and dtypes ------------------------------------------------------------------------------------
    FixCase(
        "def run(xs=jnp.ones(3)):\n    return jax.lax.scan(lambda c, x: (c + jnp.ones(2), x), 0.0, xs)",
        "TypeError", "keep its shape and dtype",
        ("return jax.lax.scan(lambda c, x: (c + jnp.ones(2), x), jnp.full((2,), 0.0, jnp.float32), xs)",),
    ),
    FixCase(
        "def run(x=jnp.ones(3)):\n    return jax.grad(jnp.sin)(x)", "TypeError", "differentiates one number",
        ("return jax.grad(lambda *args: jnp.sin(*args).sum())(x)",),
    ),
    FixCase(
        "def run(x=jnp.ones(3)):\n    이름 = '😀'; x[0] = 2.0\n    return x", "TypeError", "are immutable",
        ("이름 = '😀'; x = x.at[0].set(2.0)",),
    ),
    FixCase(
        "def run(x=jnp.ones(3)):\n    x[1:] += 2.0\n    return x", "TypeError", "are immutable",
        ("x = x.at[1:].add(2.0)",),
    ),
    FixCase(
        "def run(x=jnp.ones((2, 3))):\n    return jnp.einsum('ij,jk->ik', x, x)", "ValueError", "j would be 2 and 3",
        (),
    ),
    FixCase(
        "def run(x=jnp.ones(3)):\n    return jax.lax.cond(True, lambda: x, lambda: (x, x))", "TypeError",
        "return the same structure", (),
    ),
    FixCase(
        "def run(x=jnp.ones(3)):\n    return jax.lax.scan(lambda c, a: (c[0] + a, a), (0.0, 1.0), x)", "TypeError",
        "Return the whole carry", (),
    ),
    FixCase(
        "def run():\n    return jax.lax.while_loop(lambda c: 3 - c, lambda c: c + 1, 0)", "TypeError",
        "one True or False", (),
    ),
)  # fmt: skip

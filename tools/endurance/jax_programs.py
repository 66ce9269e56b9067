"""Random programs that know JAX: nested transforms of odd functions, over arrays of odd types and sizes."""

from __future__ import annotations

import random

HEAD = """\
import builtins, functools, os, signal, threading
import jax, jax.numpy as jnp, numpy as np
from jax import lax
from jax.experimental import io_callback

def like(x): return jax.ShapeDtypeStruct(jnp.shape(x), jnp.result_type(x))
@jax.custom_jvp
def own_jvp(x): return x * x
@own_jvp.defjvp
def _(primals, tangents): return own_jvp(*primals), 3 * tangents[0]
@jax.custom_vjp
def own_vjp(x): return jnp.sum(x)
own_vjp.defvjp(lambda x: (jnp.sum(x), x), lambda kept, out: (out * kept,))
seen = []

"""
_DTYPES = """
bool int4 uint4 int8 uint8 int16 int32 uint32 int64 float16 bfloat16 float32 float64 complex64 complex128
float8_e4m3fn float8_e5m2
"""
DTYPES = tuple(_DTYPES.split())
SHAPES = ("()", "(0,)", "(1,)", "(3,)", "(0, 3)", "(3, 0)", "(1, 0, 2)", "(2, 3)", "(3, 3)", "(2, 1, 3)", "(65,)")
ARRAYS = (
    "jnp.ones({shape}, '{dtype}')",
    "jnp.zeros({shape}, '{dtype}')",
    "np.ones({shape}, np.float32)",
    "jnp.full({shape}, jnp.nan)",
    "jnp.arange(6.0).reshape(2, 3).astype('{dtype}')",
    "jax.random.normal(jax.random.key(3), {shape})",
    "jax.random.split(jax.random.key(0), 3)",
    "jax.random.PRNGKey(7)",
    "jax.random.key(1, impl='rbg')",
    "{{'a': jnp.ones({shape}), 'b': (None, 2.0)}}",
    "[jnp.ones({shape}, '{dtype}')] * 2",
    "np.zeros({shape}, jax.dtypes.float0)",
    "1e400",
    "2**63",
    "None",
)
FUNCTIONS = (
    "jnp.sin",
    "jnp.sum",
    "jnp.sort",
    "jnp.linalg.norm",
    "own_jvp",
    "own_vjp",
    "(lambda x: x)",
    "(lambda x: x * 2)",
    "(lambda x: x[..., :0])",
    "(lambda x: x @ x)",
    "(lambda x: x / 0)",
    "(lambda x: float(x))",
    "(lambda x: x if x.sum() > 0 else -x)",
    "(lambda x: seen.append(x) or x)",
    "(lambda x: jax.random.normal(jax.random.key(0), jnp.shape(x)) + x)",
    "(lambda x: jax.random.uniform(x))",
    "(lambda x: jax.vmap(jax.random.normal)(jax.random.split(x, 4)))",
    "(lambda x: jax.random.permutation(jax.random.fold_in(jax.random.key(0), 3), x))",
    "(lambda x: (jax.debug.print('{} {y}', x, y=1), x)[1])",
    "(lambda x: (jax.debug.callback(seen.append, x), x)[1])",
    "(lambda x: jax.pure_callback(lambda y: y, like(x), x))",
    "(lambda x: jax.pure_callback(lambda y: y[1:], like(x), x))",
    "(lambda x: io_callback(lambda y: y, like(x), x, ordered=True))",
    "(lambda x: jax.pure_callback(lambda y: 1 // 0, like(x), x))",
    "(lambda x: jnp.where(x > 0, jnp.log(x), jnp.inf))",
    "(lambda x: (y for y in (x, x)))",
    "(lambda x: x.at[100].set(1))",
    "(lambda x: lax.stop_gradient(lax.optimization_barrier(x)))",
    "(lambda x: lax.psum(x, 'i'))",
    "(lambda x: lax.bitcast_convert_type(x, jnp.uint8))",
    "(lambda *x, **more: (x, more))",
)
TRANSFORMS = (
    "jax.jit({f})",
    "jax.vmap({f})",
    "jax.vmap({f}, axis_name='i')",
    "jax.vmap({f}, in_axes={axis}, out_axes={axis})",
    "jax.grad({f})",
    "jax.grad(lambda x: jnp.sum({f}(x)))",
    "jax.value_and_grad({f}, has_aux=True)",
    "jax.grad({f}, holomorphic=True)",
    "jax.jacfwd({f})",
    "jax.jacrev({f})",
    "jax.hessian({f})",
    "jax.checkpoint({f})",
    "jax.named_call({f}, name='inner')",
    "jax.custom_jvp({f})",
    "functools.partial(jax.jit, static_argnums=0)({f})",
    "functools.partial(jax.jit, donate_argnums=0)({f})",
    "(lambda x: jax.jvp({f}, (x,), (x,)))",
    "(lambda x: jax.vjp({f}, x)[1](x))",
    "(lambda x: jax.linearize({f}, x)[1](x))",
    "(lambda x: lax.scan(lambda c, y: (c, {f}(y)), 0.0, x)[1])",
    "(lambda x: lax.scan(lambda c, y: ({f}(c), y), x, None, length=0)[0])",
    "(lambda x: lax.cond(jnp.size(x) > 1, {f}, lambda y: y, x))",
    "(lambda x: lax.switch(jnp.int32(9), [{f}, lambda y: y], x))",
    "(lambda x: lax.while_loop(lambda s: s[0] < 3, lambda s: (s[0] + 1, {f}(s[1])), (0, x))[1])",
    "(lambda x: lax.fori_loop(0, 3, lambda i, y: {f}(y), x))",
    "(lambda x: lax.map({f}, x, batch_size=2))",
    "(lambda x: jax.jit({f}).lower(x).compile()(x))",
    "(lambda x: jax.make_jaxpr({f})(x))",
    "(lambda x: jax.eval_shape({f}, x))",
    "(lambda x: jax.tree.map({f}, x))",
    "(lambda x: jax.block_until_ready({f}(x)))",
)
ODDITIES = (
    "jax.config.update('jax_enable_x64', True)",
    "jax.config.update('jax_debug_nans', True)",
    "builtins.len = lambda x: 7",
    "builtins.print = seen.append",
    "os.close(os.dup(1))",
    "os.close(os.open(os.devnull, os.O_RDONLY))",
    "os.waitpid(os.fork() or os._exit(0), 0)",
    "signal.signal(signal.SIGUSR1, lambda *_: seen.append(1)); signal.raise_signal(signal.SIGUSR1)",
    "signal.signal(signal.SIGALRM, lambda *_: None); signal.setitimer(signal.ITIMER_REAL, 1e-3)",
    "threading.Thread(target=lambda: jnp.ones(3).sum()).start()",
    "jax.random.normal = lambda *_: jnp.ones(3)",
    "jnp.sin = None",
    "jax.clear_caches()",
    "globals()['seen'] = (each for each in range(3))",
)


PLAIN = 0.5
"""The part of all arrays that most functions take."""


def program(chance: random.Random) -> str:
    """Return a program with one to three variants."""
    parts = [HEAD]
    if chance.random() < 0.2:
        parts.append(f"{chance.choice(ODDITIES)}\n")
    takes = chance.random() < 0.5
    if takes:
        parts.append(f"def inputs(): return dict(x={_array(chance)})\n")
    for name in "fgh"[: chance.choice((1, 1, 2, 3))]:
        odd = f"    {chance.choice(ODDITIES)}\n" if chance.random() < 0.2 else ""
        value = f"{_function(chance)}(x)" if takes else expression(chance)
        parts.append(f"def {name}({'x' if takes else ''}):\n{odd}    return {value}\n")
    return "".join(parts)


def expression(chance: random.Random) -> str:
    """Return a call of a function, transformed up to four times."""
    return f"{_function(chance)}({_array(chance)})"


def _function(chance: random.Random) -> str:
    found = chance.choice(FUNCTIONS)
    for _ in range(chance.randrange(5)):
        found = (
            chance.choice(TRANSFORMS).replace("{f}", found).replace("{axis}", chance.choice(("0", "1", "-1", "None")))
        )
    return found


def _array(chance: random.Random) -> str:
    if chance.random() < PLAIN:
        return chance.choice(("jnp.ones(3)", "jnp.ones((2, 3))", "jax.random.key(0)"))
    return chance.choice(ARRAYS).format(shape=chance.choice(SHAPES), dtype=chance.choice(DTYPES))

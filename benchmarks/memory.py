"""The memory lens and the operating system: the peak of a process while it runs a program once, on Linux.

Each program has a fresh process, whose arguments are there and whose program is compiled before the call: what a second
call reuses of the first would be missed. The rise of VmHWM is compared with what the lens says that the call takes,
without the arguments. The programs were written after the lens, and the lens was not changed for them.

``python -m benchmarks.memory NAME`` measures one program in this process.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

AIM = 0.1
_MIB = 2**20


@dataclass(frozen=True)
class Measured:
    """One program: bytes without its arguments."""

    name: str
    taken: int
    live: int
    rise: int
    pairs: int
    clashes: int

    def line(self) -> str:
        """Return it in one line."""
        taken, live, rise = (each / _MIB for each in (self.taken, self.live, self.rise))
        return (
            f"{self.name:30} rise {rise:5.0f} MiB, taken {taken:5.0f} ({taken / rise - 1:+4.0%}), "
            f"live peak {live:5.0f} ({live / rise - 1:+4.0%}), pairs {self.pairs}, clashes {self.clashes}"
        )


@dataclass(frozen=True)
class Agreement:
    """The number of programs for which a figure is within the aim."""

    what: str
    right: int
    total: int

    def line(self) -> str:
        """Return it in one line."""
        return f"{self.what:58} {self.right} of {self.total}"


def compare(_repeats: int) -> Iterable[Measured | Agreement]:
    """Yield each program, then the numbers of programs for which the figures agree."""
    found = []
    for name in PROGRAMS:
        made = subprocess.run([sys.executable, "-m", __name__, name], capture_output=True, text=True, check=True)
        found.append(Measured(name, *map(int, made.stdout.split()[-5:])))
        yield found[-1]
    for what, figures in (("taken", [each.taken for each in found]), ("live peak", [each.live for each in found])):
        close = sum(abs(figure / each.rise - 1) <= AIM for figure, each in zip(figures, found, strict=True))
        yield Agreement(f"{what} within {AIM:.0%} of the system's peak", close, len(found))
    yield Agreement("programs in which no buffers clash", sum(not each.clashes for each in found), len(found))


def measure(name: str) -> tuple[int, int, int, int, int]:
    """Return the figures of a Measured for one program, run once in this process."""
    import jax

    from explorer.worker.program.program import compiled_call
    from explorer.worker.runs.lenses.memory.lens import memory_lens
    from tests.worker.runs.lenses.memory_clashes import clashes, lifetimes

    function, inputs = PROGRAMS[name]()
    lens = memory_lens(function, inputs, lambda filename: filename == __file__)
    assert lens.live, lens.sentence
    compiled = compiled_call(function, inputs)
    pairs, found = clashes(lifetimes(compiled).lives)
    inputs = {name: jax.block_until_ready(jax.device_put(each)) for name, each in inputs.items()}
    Path("/proc/self/clear_refs").write_text("5")
    before = _status("VmRSS")
    jax.block_until_ready(compiled(*inputs.values()))
    rise = _status("VmHWM") - before
    arguments = lens.argument_bytes
    return lens.reserved - arguments, max(lens.live) - arguments, rise, pairs, len(found)


def _status(name: str) -> int:
    rows = Path("/proc/self/status").read_text().splitlines()
    return 1024 * next(int(each.split()[1]) for each in rows if each.startswith(name))


# -- programs ----------------------------------------------------------------------------------------------------

Made = tuple[Callable[..., Any], dict[str, Any]]


def _normal(*shape: int) -> Any:
    import jax

    return jax.random.normal(jax.random.key(len(shape)), shape) * 0.05


def attention() -> Made:
    """Return the gradient of one attention layer."""
    import jax
    import jax.numpy as jnp

    def loss(weights: Any, x: Any) -> Any:
        queries, keys, values = (jnp.einsum("bld,dhe->bhle", x, each) for each in weights)
        scores = jax.nn.softmax(jnp.einsum("bhle,bhme->bhlm", queries, keys), axis=-1)
        return jnp.einsum("bhlm,bhme->bhle", scores, values).sum()

    return jax.grad(loss), {"weights": [_normal(128, 4, 32)] * 3, "x": _normal(4, 1024, 128)}


def transformer(*, checkpoint: bool = False) -> Made:
    """Return value and gradient of four blocks of norm, two layers and a skip."""
    import jax
    import jax.numpy as jnp

    def block(x: Any, weights: Any) -> Any:
        up, down = weights
        normed = (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5)
        return x + jax.nn.gelu(normed @ up) @ down

    def loss(weights: Any, x: Any) -> Any:
        for each in weights:
            x = (jax.checkpoint(block) if checkpoint else block)(x, each)
        return (x**2).mean()

    return jax.value_and_grad(loss), {
        "weights": [(_normal(256, 1024), _normal(1024, 256))] * 4,
        "x": _normal(4096, 256),
    }


def adam() -> Made:
    """Return a step of Adam that donates parameters and moments."""
    import jax
    import jax.numpy as jnp

    def step(params: Any, first: Any, second: Any, x: Any) -> Any:
        def loss(params: Any) -> Any:
            y = x
            for each in params:
                y = jax.nn.relu(y @ each)
            return (y**2).mean()

        slopes = jax.grad(loss)(params)
        first = [0.9 * m + 0.1 * g for m, g in zip(first, slopes, strict=True)]
        second = [0.99 * v + 0.01 * g * g for v, g in zip(second, slopes, strict=True)]
        moved = zip(params, first, second, strict=True)
        return [p - 1e-3 * m / (jnp.sqrt(v) + 1e-8) for p, m, v in moved], first, second

    arrays = {name: [_normal(1024, 1024) + number for number in range(6)] for name in ("params", "first", "second")}
    return jax.jit(step, donate_argnums=(0, 1, 2)), {**arrays, "x": _normal(2048, 1024)}


def recurrent() -> Made:
    """Return the gradient of a gated recurrence over 64 steps."""
    import jax
    import jax.numpy as jnp

    def loss(weights: Any, xs: Any) -> Any:
        def step(state: Any, x: Any) -> Any:
            both = jnp.concatenate([state, x], axis=-1)
            gate, new = jax.nn.sigmoid(both @ weights[0]), jnp.tanh(both @ weights[1])
            return gate * state + (1 - gate) * new, None

        return jax.lax.scan(step, jnp.zeros(xs.shape[1:]), xs)[0].sum()

    return jax.grad(loss), {"weights": [_normal(512, 256)] * 2, "xs": _normal(64, 1024, 256)}


def runge_kutta(*, checkpoint: bool = False) -> Made:
    """Return the gradient through 40 steps of a fourth-order method."""
    import jax
    import jax.numpy as jnp

    def slope(y: Any, w: Any) -> Any:
        return jnp.tanh(y @ w)

    def loss(w: Any, y: Any) -> Any:
        def step(y: Any, _: Any) -> Any:
            one = slope(y, w)
            two = slope(y + 0.05 * one, w)
            three = slope(y + 0.05 * two, w)
            four = slope(y + 0.1 * three, w)
            return y + 0.1 / 6 * (one + 2 * two + 2 * three + four), None

        step = jax.checkpoint(step) if checkpoint else step
        return (jax.lax.scan(step, y, None, length=40)[0] ** 2).sum()

    return jax.grad(loss), {"w": _normal(128, 128), "y": _normal(8192, 128)}


def convolutions() -> Made:
    """Return the gradient of three convolutions with pooling."""
    import jax
    import jax.numpy as jnp

    def loss(kernels: Any, x: Any) -> Any:
        for each in kernels:
            x = jax.nn.relu(
                jax.lax.conv_general_dilated(x, each, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
            )
            x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        return x.sum()

    return jax.grad(loss), {"kernels": [_normal(3, 3, 3, 32), _normal(3, 3, 32, 32)], "x": _normal(32, 96, 96, 3)}


def means() -> Made:
    """Return clustering in a while loop that ends when the centres rest."""
    import jax
    import jax.numpy as jnp

    def cluster(points: Any) -> Any:
        def moved(state: Any) -> Any:
            return (jnp.abs(state[0] - state[1]).max() > 1e-3) & (state[2] < 5)

        def step(state: Any) -> Any:
            centres, _, count = state
            distances = ((points[:, None] - centres[None]) ** 2).sum(-1)
            near = jax.nn.one_hot(distances.argmin(1), len(centres))
            return (near.T @ points) / (near.sum(0)[:, None] + 1), centres, count + 1

        return jax.lax.while_loop(moved, step, (points[:256], points[:256] + 1, 0))[0]

    return cluster, {"points": _normal(200_000, 16)}


def bodies() -> Made:
    """Return 10 steps of bodies that attract each other."""
    import jax

    def simulate(places: Any, speeds: Any) -> Any:
        def step(_: Any, state: Any) -> Any:
            places, speeds = state
            apart = places[None] - places[:, None]
            pull = apart / ((apart**2).sum(-1) + 1e-2)[..., None] ** 1.5
            speeds = speeds + 0.01 * pull.sum(1)
            return places + 0.01 * speeds, speeds

        return jax.lax.fori_loop(0, 10, step, (places, speeds))

    return simulate, {"places": _normal(4096, 3), "speeds": _normal(4096, 3)}


def embedding() -> Made:
    """Return the gradient of a lookup in a table, and a softmax over its rows."""
    import jax
    import jax.numpy as jnp

    def loss(table: Any, words: Any) -> Any:
        logits = table[words] @ table.T
        return -jnp.take_along_axis(jax.nn.log_softmax(logits), words[:, None], 1).mean()

    return jax.grad(loss), {"table": _normal(20_000, 128), "words": jnp.arange(1024) * 7 % 20_000}


def jacobian() -> Made:
    """Return the Jacobian of each example."""
    import jax
    import jax.numpy as jnp

    def one(x: Any, w: Any) -> Any:
        return jnp.tanh(w @ jnp.tanh(w @ x))

    return jax.vmap(jax.jacrev(one), in_axes=(0, None)), {"x": _normal(512, 256), "w": _normal(256, 256)}


def solve() -> Made:
    """Return the solution of many systems."""
    import jax.numpy as jnp

    return (
        lambda a, b: jnp.linalg.solve(a @ jnp.swapaxes(a, 1, 2) + jnp.eye(a.shape[1]), b),
        {"a": _normal(256, 256, 256), "b": _normal(256, 256, 8)},
    )


def order() -> Made:
    """Return the sorted columns, their order, and quantiles."""
    import jax.numpy as jnp

    def sort(x: Any) -> Any:
        return jnp.sort(x, axis=0), jnp.argsort(x, axis=0), jnp.quantile(x, jnp.array([0.1, 0.9]), axis=1)

    return sort, {"x": _normal(100_000, 128)}


def spectrum() -> Made:
    """Return a filtered signal by FFT."""
    import jax.numpy as jnp

    def filtered(x: Any) -> Any:
        waves = jnp.fft.rfft(x, axis=-1)
        return jnp.fft.irfft(waves * jnp.exp(-jnp.arange(waves.shape[-1]) / 100.0), axis=-1)

    return filtered, {"x": _normal(4096, 8192)}


def noise() -> Made:
    """Return a mean over many draws for each example."""
    import jax
    import jax.numpy as jnp

    def estimate(key: Any, x: Any) -> Any:
        draws = jax.vmap(lambda key, each: each + jax.random.normal(key, (20_000,)))(jax.random.split(key, len(x)), x)
        return jnp.exp(draws).mean(1), jnp.sort(draws, axis=1)[:, 10_000]

    return estimate, {"key": jax.random.key(3), "x": _normal(2048)}


def curvature() -> Made:
    """Return a product with the Hessian, forward over reverse."""
    import jax
    import jax.numpy as jnp

    def product(w: Any, v: Any, x: Any) -> Any:
        def loss(w: Any) -> Any:
            return jnp.log1p(jnp.exp(jnp.sin(x @ w) @ w.T)).sum()

        return jax.jvp(jax.grad(loss), (w,), (v,))[1]

    return product, {"w": _normal(512, 512), "v": _normal(512, 512), "x": _normal(8192, 512)}


def branches() -> Made:
    """Return the gradient of a switch between three functions."""
    import jax
    import jax.numpy as jnp

    def loss(x: Any, which: Any) -> Any:
        ways = (lambda x: jnp.sin(x) * jnp.cos(x), lambda x: (x @ x.T) @ x, jnp.tanh)
        return jax.lax.switch(which, ways, x).sum()

    return jax.grad(loss), {"x": _normal(6000, 512), "which": jnp.int32(1)}


def prefix() -> Made:
    """Return a linear recurrence by an associative scan."""
    import jax

    def recurrence(a: Any, b: Any) -> Any:
        return jax.lax.associative_scan(lambda p, q: (p[0] * q[0], q[0] * p[1] + q[1]), (a, b))[1]

    return recurrence, {"a": _normal(4096, 4096), "b": _normal(4096, 4096)}


def chunks() -> Made:
    """Return pairwise distances, reduced chunk by chunk."""
    import jax

    def nearest(x: Any) -> Any:
        def chunk(rows: Any) -> Any:
            return jax.lax.top_k(-((rows[:, None] - x[None]) ** 2).sum(-1), 8)

        return jax.lax.map(chunk, x.reshape(8, -1, x.shape[1]))

    return nearest, {"x": _normal(16_000, 4)}


def _checked(make: Callable[..., Made]) -> Callable[[], Made]:
    return lambda: make(checkpoint=True)


PROGRAMS: dict[str, Callable[[], Made]] = {
    "attention": attention,
    "transformer": transformer,
    "transformer, checkpoint": _checked(transformer),
    "Adam, donated": adam,
    "recurrent": recurrent,
    "Runge-Kutta": runge_kutta,
    "Runge-Kutta, checkpoint": _checked(runge_kutta),
    "convolutions": convolutions,
    "k-means": means,
    "bodies": bodies,
    "embedding": embedding,
    "Jacobians": jacobian,
    "linear systems": solve,
    "sort": order,
    "FFT": spectrum,
    "noise": noise,
    "Hessian product": curvature,
    "switch": branches,
    "associative scan": prefix,
    "nearest in chunks": chunks,
}

if __name__ == "__main__":
    print(*measure(sys.argv[1]))

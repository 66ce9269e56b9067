"""The cost of watching a program while it is traced: one watched run next to one plain run, both newly loaded."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable

from benchmarks.compare import Comparison
from explorer.library import library
from explorer.scenario.scenario import VariantPlan

AIM = 1.5
STEPS = 200
EQUATIONS = 2_000
_TRAINING = f"""
import jax
import jax.numpy as jnp
import numpy as np

losses = []

def loss(weights, batch, key):
    for layer, subkey in zip(weights, jax.random.split(key, len(weights))):
        batch = jax.nn.relu(batch @ layer)
        batch = jnp.where(jax.random.bernoulli(subkey, 0.9, batch.shape), batch / 0.9, 0.0)
    return jnp.mean(batch**2)

@jax.jit
def step(weights, batch, key):
    slopes = jax.grad(loss)(weights, batch, key)
    return [layer - 0.01 * slope for layer, slope in zip(weights, slopes)]

def run():
    key, weights, rng = jax.random.key(0), [jnp.eye(256)] * 3, np.random.default_rng(0)
    for number in range({STEPS}):
        weights = step(weights, rng.normal(size=(128, 256)).astype("float32"), jax.random.fold_in(key, number))
        losses.append(number)
    return weights
"""
_LONG = f"""
import jax
import jax.numpy as jnp
import numpy as np

sizes = []

@jax.jit
def f(x):
    sizes.append(x.shape)
    parts = []
    for number in range({EQUATIONS // 2}):
        parts.append(jnp.sin(x) + number)
        x = parts[-1]
    return x

def run():
    rng = np.random.default_rng(0)
    return f(rng.normal(size=3))
"""
_EAGER = f"""
import jax
import jax.numpy as jnp
import numpy as np

seen = {{}}

def loss(w, x):
    return jnp.mean((x @ w) ** 2)

def run():
    rng, w = np.random.default_rng(0), jnp.ones(8)
    for number in range({STEPS}):
        w = w - 0.1 * jax.grad(loss)(w, rng.normal(size=(4, 8)))
        seen[number] = w
    return w
"""
_CHANGES = f"""
import jax
import jax.numpy as jnp

config = {{"rate": 0.1, "step": 0}}

@jax.jit
def step(w):
    return jnp.tanh(w @ w) - config["rate"] * w

def run():
    w = jnp.eye(128)
    for number in range({STEPS}):
        config["step"] = number
        w = step(w)
    return w
"""


def compare(repeats: int) -> Iterable[Comparison]:
    """Yield, for each program, the watched run against the plain one."""
    programs = {
        f"{STEPS} jitted training steps": (_TRAINING, "run"),
        f"a jitted function of {EQUATIONS:,} equations": (_LONG, "run"),
        f"{STEPS} eager steps with gradients": (_EAGER, "run"),
        f"{STEPS} steps with a change that another function may read": (_CHANGES, "run"),
    }
    for what, (source, variant) in programs.items():
        yield _compared(what, source, variant, repeats)
    headline = library.open_target("one_key_for_the_batch")
    yield _of_scenario("the headline scenario, against its recorded run", headline.source, headline.variants, repeats)
    for what, source in {
        f"{STEPS} jitted training steps": _TRAINING,
        f"a jitted function of {EQUATIONS:,} equations": _LONG,
        f"{STEPS} eager steps with gradients": _EAGER,
    }.items():
        yield _compared_in_own_process(f"{what}, in a process of its own", source, repeats)


def _of_scenario(what: str, source: str, variants: Iterable[VariantPlan], repeats: int) -> Comparison:
    """Return the seconds of watching the variants, each newly loaded, next to recording their keys."""
    from explorer.worker.checks.tracing.instrumentation import instrumented
    from explorer.worker.recording import recorder

    names = [each.name for each in variants]

    def recorded() -> None:
        for name in names:
            recorder.record(lambda name=name: _run(source, name, watched=False))

    def watched() -> None:
        # A source is read once for all its variants.
        instrumented.cache_clear()
        for name in names:
            _run(source, name, watched=True)

    recorded_s, watched_s = [], []
    for _ in range(repeats + 1):
        recorded_s.append(_seconds(recorded))
        watched_s.append(_seconds(watched))
    return Comparison(what, watched_s[1:], recorded_s[1:], AIM)


def _compared_in_own_process(what: str, source: str, repeats: int) -> Comparison:
    """Return the seconds of the tracing checks of `run`, without those of its key checks, next to a plain run."""
    plain_s, watched_s = [], []
    for _ in range(repeats + 1):
        plain_s.append(_seconds(lambda: _run_in_own_process(source, watched=False)))
        watched_s.append(_seconds(lambda: _run_in_own_process(source, watched=True)))
    return Comparison(what, watched_s[1:], plain_s[1:], AIM)


def _run_in_own_process(source: str, *, watched: bool) -> None:
    import jax

    from explorer.worker.checks.tracing import recompiles
    from explorer.worker.checks.tracing.live_inspection import LiveInspection
    from explorer.worker.code import user_code
    from explorer.worker.program.retraces import CompilationMeter

    def is_user_code(filename: str) -> bool:
        return filename == "<benchmark>"

    inspection, meter = LiveInspection(is_user_code), CompilationMeter(is_user_code)
    with contextlib.ExitStack() as stack:
        for each in (meter.watching(), inspection.watching()) if watched else ():
            stack.enter_context(each)
        jax.block_until_ready(user_code.load(source, "<benchmark>").function("run", ())())
    if watched:
        inspection.findings()
        list(recompiles.find(meter.traces(), meter.bodies()))


def _compared(what: str, source: str, variant: str, repeats: int) -> Comparison:
    from explorer.worker.checks.tracing.instrumentation import instrumented

    plain_s, watched_s = [], []
    for _ in range(repeats + 1):
        plain_s.append(_seconds(lambda: _run(source, variant, watched=False)))
        instrumented.cache_clear()
        watched_s.append(_seconds(lambda: _run(source, variant, watched=True)))
    # The first round compiles what JAX itself needs.
    return Comparison(what, watched_s[1:], plain_s[1:], AIM)


def _seconds(run: Callable[[], object]) -> float:
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


def _run(source: str, variant: str, *, watched: bool) -> None:
    import jax

    from explorer.worker.checks.tracing.inspection import Inspection, may_tell
    from explorer.worker.code import calls, user_code

    inspection = Inspection(lambda filename: filename == "<benchmark>")
    # As in the worker: a program without any place of the kind is not watched.
    watched = watched and may_tell(source, "<benchmark>")
    with inspection.watching() if watched else contextlib.nullcontext():
        program = user_code.load(source, "<benchmark>", compiled=inspection.compiled if watched else None)
        given = program.inputs()
        function = program.function(variant, given)
        jax.block_until_ready(calls.call(function, calls.arguments_of(function, given)))
        inspection.findings()

"""A recorded run of a program with a bug, for tests of what is done with recordings."""

from __future__ import annotations

import functools
import linecache

from explorer.commands.programs import saved_run
from explorer.messages.recorded_run import RecordedRun

FILE = "/home/somebody/work/noisy.py"
SOURCE = """
import jax
import jax.numpy as jnp

def add_noise(x, key):
    return x + jax.random.normal(key, x.shape)

xs = jnp.zeros((8, 4))
noisy = jax.vmap(add_noise, in_axes=(0, None))(xs, jax.random.key(0))
for key in jax.random.split(jax.random.key(1), 3):
    noisy += jax.random.uniform(key, (8, 4))
"""


@functools.cache
def recorded(source: str = SOURCE) -> RecordedRun:
    """Return what ``jax-explorer run -o`` would write of the program `source`."""
    from explorer.worker.runs import in_process

    names: dict[str, object] = {}
    with in_process.recorded(FILE) as recording:
        try:
            linecache.cache[FILE] = (len(source), None, source.splitlines(keepends=True), FILE)
            exec(compile(source, FILE, "exec"), names)
        except Exception as error:
            recording.error = error
    return saved_run.made(in_process.report("noisy.py", recording), FILE)

"""A recorded run of a program with a bug, for tests of what is done with recordings."""

from __future__ import annotations

import functools
import linecache

import msgspec

from explorer.commands.programs import saved_run
from explorer.messages import TOP_LEVEL, LensAnswer
from explorer.messages.lenses.memory import Block, Kept, Library, Loop, MemoryLens
from explorer.messages.recorded_run import RecordedRun
from explorer.text.text import say

FILE, OTHER_FILE = "/home/somebody/work/noisy.py", "/home/somebody/work/layers.py"
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


MEMORY = MemoryLens(
    blocks=(
        Block("argument", "f32[8,4]", 128, ((0, 3),), "x"),
        Block("temporary", "f32[8,4]", 128, ((0, 0), (2, 3)), operation="mul", line=6, last_line=9),
    ),
    lines=(0, 6, 6, 9),
    live=(256, 128, 256, 256),
    loops=(Loop(1, 2, 3),),
    argument_bytes=128,
    temporary_bytes=128,
    library=Library(64, 6),
    kept=(Kept("xs", 8, 1, 128, 0),),
)


@functools.cache
def recorded(source: str = SOURCE, other: str = "") -> RecordedRun:
    """Return what ``jax-explorer run -o`` would write of the program `source`, with a lens on that of SOURCE.

    It has the names in `other`, which is in another file of the user's.
    """
    from explorer.worker.runs import in_process

    names: dict[str, object] = {}
    with in_process.recorded(FILE) as recording:
        try:
            for file, text in ((OTHER_FILE, other), (FILE, source)):
                linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
                exec(compile(text, file, "exec"), names)
        except Exception as error:
            recording.error = error
    run = saved_run.made(in_process.report("noisy.py", recording), FILE)
    lens = LensAnswer(0, 0, TOP_LEVEL, "memory", MEMORY, say("This is `{name}`.", name="add_noise"))
    return msgspec.structs.replace(run, lenses=(lens,) if source == SOURCE else ())

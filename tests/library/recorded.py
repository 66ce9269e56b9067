"""A recorded run of a program with a bug, for tests of what is done with recordings."""

from __future__ import annotations

import functools
import linecache

import msgspec

from explorer.commands.programs import saved_run
from explorer.messages import TOP_LEVEL, LensAnswer
from explorer.messages.recorded_run import RecordedRun
from explorer.messages.tables import Lens, LineCost, Piece, Row, Stack, Strip, Table, text_cell
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


_STACK = Stack(
    4,
    256.0,
    (Strip(0, 128.0, ((0, 3, 0.0),)), Strip(1, 128.0, ((0, 0, 128.0), (2, 3, 128.0)), 6, "temporary", "f32[8,4]")),
    0,
    256.0,
    "peak: 256 B",
    ((256.0, "taken from the system: 256 B"),),
    (0, 6, 6, 9),
    ((1, 2, "× 3"),),
)
_ROWS = (
    Row((text_cell("f32[8,4] x argument"), text_cell("128 B"), text_cell("the end"))),
    Row((text_cell("f32[8,4] temporary mul"), text_cell("128 B"), text_cell(say("line {line}", line=9))), line=6),
)
_COSTS = (LineCost(0.4, 0.5, "128 B", "128 B of the 256 B at the peak", 6),)
MEMORY = Lens(
    table=Table(("array", "memory", "needed until"), ("", "", ""), _ROWS, (0.4, 0.3, 0.3), _STACK, _COSTS, whole=256.0),
    summary=(Piece(say("Peak: {bytes} live at line {line}: {what}.", bytes="256 B", line=9, what="x"), "title"),),
    bytes=256,
    data={"buffers": [{"line": 6, "bytes": 128}], "lines": [0, 6, 6, 9]},
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
    lens = LensAnswer(0, 0, TOP_LEVEL, "memory", MEMORY, say("This is {name}.", name="add_noise"))
    return msgspec.structs.replace(run, lenses=(lens,) if source == SOURCE else ())

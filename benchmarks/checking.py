"""CPU time of ``jax-explorer check`` against the script alone: the headline, and a file with ten variants."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.compare import Comparison
from explorer.library import library

HEADLINE = library.open_target("one_key_for_the_batch")
TEN = """import jax, jax.numpy as jnp

def inputs():
    return {"x": jnp.zeros((32, 10)), "key": jax.random.key(0)}
""" + "".join(
    f"""
def variant_{number}(x, key):
    keys = jax.random.split(key, len(x))
    return jax.vmap(lambda row, own: row + {number} * jax.random.normal(own, row.shape))(x, keys)
"""
    for number in range(10)
)
ALONE = """
import runpy, sys
import numpy as np
found = runpy.run_path(sys.argv[1])
for name in sys.argv[2:]:
    np.asarray(found[name](**found["inputs"]()))
"""


def compare(repeats: int) -> Iterator[Comparison]:
    """Yield the comparisons; what is compiled is on disk after the first round, which is not counted."""
    for what, source, names, aim in (
        ("check of the headline", HEADLINE.source, [each.name for each in HEADLINE.variants], 1.5),
        ("check of a file with ten variants", TEN, [f"variant_{number}" for number in range(10)], 3.0),
    ):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "program.py"
            file.write_text(source, encoding="utf-8")
            check, alone = ("-m", "jax_explorer", "check", str(file)), ("-c", ALONE, str(file), *names)
            rounds = [(_cpu_s(check, folder), _cpu_s(alone, folder)) for _ in range(repeats + 1)]
        ours, bare = zip(*rounds[1:], strict=True)
        yield Comparison(f"CPU time: {what} / the script alone", list(ours), list(bare), aim)
        yield Comparison("the same where nothing is compiled yet", [rounds[0][0]], [rounds[0][1]], aim)


def _cpu_s(words: tuple[str, ...], cache: str) -> float:
    """Return the CPU time of Python with `words` and of its children, in seconds."""
    before = os.times()
    environment = os.environ | dict.fromkeys(("XDG_CACHE_HOME", "LOCALAPPDATA"), cache)
    subprocess.run([sys.executable, *words], env=environment, stdout=subprocess.DEVNULL, check=False, timeout=300)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system

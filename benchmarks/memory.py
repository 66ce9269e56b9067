"""The memory lens and the operating system: the peak of a process while it runs a program once, on Linux.

Each program has a fresh process, whose arguments are there and whose program is compiled before the call: a second call
would reuse memory of the first unseen. The rise of VmHWM is compared with what the lens says that the call takes,
without the arguments. Where libraries need memory of their own, the lens says that it is not sure.

``python -m benchmarks.memory NAME`` measures one program in this process.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

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
    library: int
    """Bytes that a library may need in a fusion, 0 for none."""
    products: int
    """1 if libraries compute matrix products or convolutions, else 0."""

    def line(self) -> str:
        """Return it in one line."""
        taken, live, rise = (each / _MIB for each in (self.taken, self.live, self.rise))
        return (
            f"{self.name:30} rise {rise:5.0f} MiB, taken {taken:5.0f} ({taken / rise - 1:+4.0%}), "
            f"live peak {live:5.0f} ({live / rise - 1:+4.0%}), pairs {self.pairs}, clashes {self.clashes}"
            + (f", library up to {self.library / _MIB:.0f} MiB" if self.library else "")
            + (", products" if self.products else "")
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
    from benchmarks.memory_programs import programs

    found = []
    for name, _ in programs():
        made = subprocess.run([sys.executable, "-m", __name__, name], capture_output=True, text=True, check=True)
        found.append(Measured(name, *map(int, made.stdout.split()[-7:])))
        yield found[-1]
    sure = [each for each in found if not (each.library or each.products)]
    for what, some in (("all", found), ("the lens is sure", sure)):
        yield Agreement(
            f"taken within {AIM:.0%}, {what}", sum(_is_close(each.taken, each.rise) for each in some), len(some)
        )
    yield Agreement(
        f"live peak within {AIM:.0%}, all", sum(_is_close(each.live, each.rise) for each in found), len(found)
    )
    yield Agreement("no buffers clash", sum(not each.clashes for each in found), len(found))


def _is_close(figure: int, rise: int) -> bool:
    return abs(figure / rise - 1) <= AIM


def measure(name: str) -> tuple[int, ...]:
    """Return the figures of a Measured for one program, run once in this process."""
    import jax
    import jax.numpy as jnp

    from benchmarks import memory_programs
    from explorer.worker.program.program import compiled_call
    from explorer.worker.runs.lenses.schedule import memory_of
    from tests.worker.runs.lenses.test_memory import clashes, lifetimes

    function, made = dict(memory_programs.programs())[name]
    inputs = made()
    lens = memory_of(function, inputs, lambda filename: filename == memory_programs.__file__)
    assert lens.live, lens.sentence
    compiled = compiled_call(function, inputs)
    pairs, found = clashes(lifetimes(compiled).lives)
    # What JAX shares with NumPy cannot be donated.
    inputs = {name: jax.block_until_ready(jax.device_put(each, may_alias=False)) for name, each in inputs.items()}
    # Threads and their stacks are there after any first program.
    jax.block_until_ready(jax.jit(lambda x: jnp.tanh(x @ x))(jnp.ones((300, 300))))
    Path("/proc/self/clear_refs").write_text("5")
    before = _status("VmRSS")
    jax.block_until_ready(compiled(*inputs.values()))
    rise = _status("VmHWM") - before
    arguments, library = lens.argument_bytes, lens.library.bytes if lens.library else 0
    return lens.reserved - arguments, max(lens.live) - arguments, rise, pairs, len(found), library, lens.products * 1


def _status(name: str) -> int:
    rows = Path("/proc/self/status").read_text().splitlines()
    return 1024 * next(int(each.split()[1]) for each in rows if each.startswith(name))


if __name__ == "__main__":
    print(*measure(sys.argv[1]))

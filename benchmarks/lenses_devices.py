"""The devices lens: its cost next to the bare run that it watches, on virtual devices."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from benchmarks.compare import Comparison, Row

AIM = 1.5
SIZES = (10, 200)
DEVICES = 8
"""Where it runs alone."""


def compare(repeats: int) -> Iterable[Row]:
    """Yield the cost of the lens relative to the bare run of a jitted program, by equations, both newly compiled."""
    import jax

    # Behind another benchmark JAX has begun, and there is what there is.
    with suppress(RuntimeError):
        jax.config.update("jax_num_cpu_devices", DEVICES)
    for count in SIZES:
        yield _compared(count, repeats)


def _compared(count: int, repeats: int) -> Comparison:
    import jax

    from explorer.worker.runs.lenses.devices import who_holds_what, with_collectives

    bare_s, lens_s = [], []
    for _ in range(repeats + 1):
        call, inputs = _program(count)
        started = time.perf_counter()
        call(**inputs).block_until_ready()
        bare_s.append(time.perf_counter() - started)
        call, inputs = _program(count)
        started = time.perf_counter()
        with_collectives(*who_holds_what(call, inputs, __file__.__eq__), __file__.__eq__)
        lens_s.append(time.perf_counter() - started)
    return Comparison(f"devices of {count:,} equations on {jax.device_count()} devices", lens_s[1:], bare_s[1:], AIM)


def _program(count: int) -> tuple[Callable[..., Any], dict[str, Any]]:
    """Return a program that JAX has not compiled yet, and its inputs, with a shard for each device."""
    import jax
    import jax.numpy as jnp
    from jax.sharding import NamedSharding, PartitionSpec

    @jax.jit
    def program(x: Any) -> Any:
        for number in range(count // 4):
            x = jnp.sin(x) * x + number
        return x.sum()

    mesh = jax.make_mesh((jax.device_count(),), ("i",))
    return program, {"x": jax.device_put(jnp.ones((64, 3)), NamedSharding(mesh, PartitionSpec("i")))}

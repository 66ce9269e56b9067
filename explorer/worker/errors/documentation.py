"""Documentation pages about errors."""

from __future__ import annotations

import re

_JAX = "https://docs.jax.dev/en/latest/"
_IN_TEXT = re.compile(r"https?://docs\.jax\.dev/\S+?(?=[.,;)]?(?:\s|$))")

_LINKS = (
    (r"\bvmap\b|single key", f"{_JAX}_autosummary/jax.vmap.html"),
    (r"PRNG|key<", f"{_JAX}random-numbers.html"),
    (r"concrete values|static", f"{_JAX}_autosummary/jax.jit.html"),
    (r"\bscan\b", f"{_JAX}_autosummary/jax.lax.scan.html"),
    (r"while_loop|body_fun", f"{_JAX}_autosummary/jax.lax.while_loop.html"),
    (r"\bcond\b", f"{_JAX}_autosummary/jax.lax.cond.html"),
    (r"\bgrad\b|Gradient only defined", f"{_JAX}_autosummary/jax.grad.html"),
    (r"broadcasting", "https://numpy.org/doc/stable/user/basics.broadcasting.html"),
    (r"RESOURCE_EXHAUSTED|[Oo]ut of memory", f"{_JAX}gpu_memory_allocation.html"),
    (r"Unknown backend", f"{_JAX}installation.html"),
)


def link(message: str) -> str:
    """Return the documentation address in `message`, or that of a related page; empty for none."""
    named = _IN_TEXT.search(message)
    if named:
        return named[0]
    return next((address for pattern, address in _LINKS if re.search(pattern, message)), "")

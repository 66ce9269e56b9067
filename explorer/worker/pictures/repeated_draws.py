"""The raw noise of each draw, repeated from the keys that the run recorded.

A draw depends only on key and shape (https://docs.jax.dev/en/latest/jep/263-prng.html), so the bits are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from explorer.figures.key_tally import served_at_once
from explorer.messages import Finding, KeyGraph, Site, Span

STANDARD = frozenset({"normal", "uniform", "exponential", "gumbel", "laplace", "logistic", "cauchy"})
"""Samplers whose noise at default parameters is their standard form."""
MAX_ELEMENTS = 1 << 20
MAX_SITES = 8

THREEFRY_WORDS = 2
"""Words in a key of threefry2x32, whose batched draws follow each key."""
Draw = tuple[str, Span | None, npt.NDArray[Any]]


def draws(graph: KeyGraph, findings: Sequence[Finding] = ()) -> tuple[Draw, ...]:
    """Return (name, span, noise) for the first places that draw; noise is [examples, *shape of one draw].

    A place that draws once, without a batch, has no axis of examples. Samplers in STANDARD give their standard noise;
    others give the random bits as fractions, float32 in [0, 1). A draw that serves n examples is repeated n times, and
    shown for the first of several calls.
    A place in `findings` is not left out, and has the examples that the finding counts. Places with more than
    MAX_ELEMENTS values, and keys whose batched draws do not follow them, are skipped.
    """
    blamed = {site: each for each in reversed(findings) for site in each.sites}
    return tuple(draw for _, draw in sorted(islice(_draws(graph, blamed), MAX_SITES), key=lambda each: each[0]))


def _draws(graph: KeyGraph, blamed: Mapping[int, Finding]) -> Iterator[tuple[int, Draw]]:
    site_of, key_of, serves = graph.draw_site.numpy(), graph.draw_key.numpy(), served_at_once(graph)
    for number, site in sorted(enumerate(graph.sites), key=lambda each: each[0] not in blamed):
        if site.operation != "draw" or site.inside:
            continue
        chosen = np.flatnonzero(site_of == number)
        if not len(chosen):
            continue
        finding = blamed.get(number)
        if finding is not None and finding.examples and len(own := chosen[np.isin(key_of[chosen], finding.keys)]):
            chosen = own[:1] if serves[own[0]] > 1 else own[: finding.examples]
        elif (serves[chosen] > 1).all() and (graph.draw_example.numpy()[chosen] < 0).all():
            chosen = chosen[:1]
        repeats = serves[chosen]
        if int(repeats.sum()) * max(1, int(np.prod(site.shape, dtype=np.int64))) > MAX_ELEMENTS:
            continue
        keys = _keys(graph, key_of[chosen])
        if keys is not None:
            line = f", line {site.span.line}" if site.span else ""
            noise = np.repeat(_noise(keys, site), repeats, axis=0)
            yield number, (f"{site.name}{line}", site.span, noise[0] if len(noise) == 1 else noise)


def _keys(graph: KeyGraph, chosen: npt.NDArray[Any]) -> jax.Array | None:
    """Return the keys at `chosen` as one typed key array [n], or None unless all are of one threefry kind."""
    kinds = {graph.implementations[kind] for kind in graph.implementation.numpy()[chosen]}
    if len(kinds) != 1 or not (kind := kinds.pop()).startswith("threefry"):
        return None
    # Next to wider keys of another kind, they are padded on the left.
    words = jnp.asarray(graph.data.numpy()[chosen, -THREEFRY_WORDS:])
    keys: jax.Array = jax.random.wrap_key_data(words, impl=kind)
    return keys


def _noise(keys: jax.Array, site: Site) -> npt.NDArray[Any]:
    if site.name in STANDARD and site.dtype in ("float32", "float64"):
        sampler = getattr(jax.random, site.name)
        return np.asarray(jax.vmap(lambda key: sampler(key, site.shape, site.dtype))(keys))
    bits = jax.vmap(lambda key: jax.random.bits(key, site.shape, "uint32"))(keys)
    return np.asarray(bits).astype(np.float32) / np.float32(2**32)

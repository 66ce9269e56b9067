"""A sampler that was traced under other watches is followed as ever."""

from __future__ import annotations

import jax

from explorer.recording import recording
from tests.corpus.cases import case
from tests.worker.recorded import recorded


def test_a_sampler_that_was_traced_while_more_was_watched_is_the_same_sampler() -> None:
    jax.clear_caches()
    with recording():
        # Unlike `recorded`, it watches promotions too, with a frame of ours in the traceback of each equation.
        jax.random.normal(jax.random.key(0), (3,))
    assert recorded(case("unused-key", "in_a_comprehension").function()).states == ["split", "reused", "unused"]

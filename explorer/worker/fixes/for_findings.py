"""What mends a finding: a key for each example where they share one, a split before a second use, one jit, a where."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

from explorer.messages import Finding, Fix, Span
from explorer.worker.errors.code_tree import CodeTree, readable
from explorer.worker.fixes.keys import for_each, for_each_use
from explorer.worker.fixes.silent import bounds, host_random, host_state, jit_once, tracers, types, where_before

Maker = Callable[[CodeTree, tuple[Span, ...]], Iterator[Fix]]


def proposed_for_finding(finding: Finding, text: str) -> Iterator[Fix]:
    """Yield the fixes to try for `finding` of the code `text`, each once, the most fitting first; not tried yet."""
    code = readable(text)
    makers: dict[str, Maker] = {
        "shared-noise": lambda code, _spans: for_each.proposed(code, finding),
        "key-reuse": lambda code, _spans: for_each_use.proposed(code, finding),
        "recompiles": jit_once.before_the_loop,
        "nan": where_before.proposed,
        "host-random": host_random.proposed,
        "host-state": host_state.proposed,
        "leaked-tracer": tracers.proposed,
        "out-of-bounds": lambda code, _spans: bounds.proposed(code, finding),
        "silent-cast": types.proposed,
    }
    maker = makers.get(finding.kind)
    found: list[Fix] = []
    # The code may have any form: a maker that meets one it does not know has nothing to offer.
    with suppress(ValueError, TypeError, AttributeError, IndexError, KeyError, RuntimeError):
        for each in maker(code, finding.spans) if code and maker else ():
            if each not in found:
                found.append(each)
                yield each

"""Fixes that keep NaN out of a gradient: proposed by the rules for findings, and tried."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from explorer.messages import Finding, Fix, Request, Span
from explorer.text.text import Text
from explorer.worker.checks.values import rules
from explorer.worker.code import transformed
from explorer.worker.fixes.for_findings import proposed_for_finding
from explorer.worker.internals.spans import SpanFinder
from explorer.worker.process.channel import Channel
from explorer.worker.runs import fix_trials
from explorer.worker.runs.lenses.gradient.lens import Gradient, Values
from explorer.worker.runs.variant_run import VariantRun

_CLOSE = 1e-5
"""Tolerance for a different order of operations, relative and absolute."""


def proposed(gradient: Gradient, source: str) -> Iterator[Fix]:
    """Yield untested fixes that may keep NaN out of `gradient`, for the program `source`."""
    yield from proposed_for_finding(Finding("nan", "bug", Text(), spans=_spans(gradient)), source)


def tried(gradient: Gradient, request: Request, variant: str, channel: Channel) -> tuple[Fix, ...]:
    """Return the changes that make the gradient of `variant` finite and keep its values.

    Raises Stopped when cancelled.
    """
    before = gradient.values
    if before is None:
        return ()

    def judge(run: VariantRun) -> bool:
        prepared = transformed.prepared(run.loaded, variant, run.first.inputs, request.transforms)
        changed = Gradient.of(*prepared, run.loaded.is_user_code)
        if not isinstance(changed, Gradient):
            return False
        changed.evaluate()
        return changed.values is not None and _is_fixed(before, changed.values)

    return fix_trials.passing(proposed(gradient, request.source), request, channel, set(), judge, most=1)


def _spans(gradient: Gradient) -> tuple[Span, ...]:
    """Return the spans that may cause the NaN: the equation that makes it, and the one it transposes.

    The enclosing calls in user code follow.
    """
    node = gradient.first_not_finite
    nodes = [*node.all(), *(node.forward.all() if node.forward else ())] if node is not None else []
    finder = SpanFinder(lambda _: True)
    inner = [each.span for each in nodes]
    outer = [finder.span(*place) for each in nodes for place in each.places[1:]]
    return tuple(dict.fromkeys(each for each in (*inner, *outer) if each is not None))


def _is_fixed(before: Values, now: Values) -> bool:
    return (
        all(map(rules.is_finite, now.gradients))
        and _are_close(before.outputs, now.outputs)
        and _are_close(before.gradients, now.gradients, where_finite=True)
    )


def _are_close(before: list[Any], now: list[Any], *, where_finite: bool = False) -> bool:
    if [each.shape for each in before] != [each.shape for each in now]:
        return False
    for first, second in zip(before, now, strict=True):
        if first.dtype != second.dtype:
            return False
        if jnp.issubdtype(first.dtype, jax.dtypes.extended):
            # Keys are not compared.
            continue
        old, new = np.asarray(first, np.complex128), np.asarray(second, np.complex128)
        compared = np.isfinite(old) if where_finite else np.ones(old.shape, bool)
        if not np.allclose(old[compared], new[compared], _CLOSE, _CLOSE, equal_nan=True):
            return False
    return True

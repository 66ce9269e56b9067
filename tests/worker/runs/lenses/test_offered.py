"""Which lenses a variant that has run offers."""

from __future__ import annotations

from typing import Any

import pytest

from explorer.messages import Program, Request
from explorer.worker.process.channel import Channel
from explorer.worker.process.interrupts import Interrupts
from explorer.worker.process.output import PrintedText
from explorer.worker.runs.analyse import analyse
from explorer.worker.runs.lenses.lens import Ended
from explorer.worker.runs.lenses.registry import offered

SOURCE = """
import jax, jax.numpy as jnp
def inputs(): return dict(x=jnp.ones((3, 2)))
def loss(x): return (x**2).sum()
def each(x): return jax.jit(jax.vmap(jnp.sin))(x)
def count(x): return x.size
"""


@pytest.mark.parametrize("form", ["jaxpr", "stablehlo", "hlo"])
def test_a_lens_is_offered_where_it_has_something_to_say(form: Any) -> None:
    printed = PrintedText(lambda _: None)
    channel = Channel(lambda _: None, printed, Interrupts())
    snapshot = analyse(Request(1, SOURCE, "<own>", form=form), channel)
    found = {report.name: report.lenses for report in snapshot.reports}
    assert found == {"loss": ("gradient", "calls"), "each": ("vmap", "gradient", "calls"), "count": ("calls",)}


@pytest.mark.parametrize("outputs", [None, 3, "text", {"a": 1, 2: 3.0}], ids=str)
def test_what_holds_no_floats_has_no_gradient(outputs: object) -> None:
    assert offered(Ended(Program("jaxpr", ""), outputs, {"x": 1.0})) == ()

"""Which lenses a variant that has run offers."""

from __future__ import annotations

from typing import Any

import pytest

from explorer.messages import LensRequest, Program, Request
from explorer.worker.process.channel import Channel
from explorer.worker.process.interrupts import Interrupts
from explorer.worker.process.output import PrintedText
from explorer.worker.runs import lens_registry, lenses
from explorer.worker.runs.analyse import analyse, lens
from explorer.worker.runs.lens import Asked, Ended, LensWork
from explorer.worker.runs.lens_registry import offered
from explorer.worker.runs.original import WorkerCache
from tests import a_new_lens
from tests.a_new_lens import SizesLens

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
    assert found == {
        "loss": ("gradient", "calls", "memory", "time"),
        "each": ("vmap", "gradient", "calls", "memory", "time"),
        "count": ("calls", "memory", "time"),
    }


@pytest.mark.parametrize("outputs", [None, 3, "text", {"a": 1, 2: 3.0}], ids=str)
def test_what_holds_no_floats_has_no_gradient(outputs: object) -> None:
    assert offered(Ended(Program("jaxpr", ""), outputs, {"x": 1.0})) == ()


def test_a_lens_unknown_to_all_else_is_offered_and_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    def tell(asked: Asked) -> SizesLens:
        with asked.again():
            _, inputs, _ = asked.prepared()
            return SizesLens(tuple((name, value.nbytes) for name, value in inputs.items()))

    work = LensWork(lambda ended: not ended.failed and bool(ended.taken), tell)
    a_new_lens.add(monkeypatch, f"{lenses.__name__}.sizes", LENS=work)
    monkeypatch.setattr(lens_registry, "lenses", lens_registry.lenses.__wrapped__)
    channel, cache = Channel(lambda _: None, PrintedText(lambda _: None), Interrupts()), WorkerCache()
    (report, *_) = analyse(Request(1, SOURCE, "<own>", variants=("loss",)), channel, cache).reports
    with channel.interrupts.listening_to(2):
        answer = lens(LensRequest(2, 1, "loss", "sizes"), channel, cache)
    assert (report.lenses, answer.lens) == (("gradient", "calls", "memory", "time", "sizes"), SizesLens((("x", 24),)))

"""The lenses of a variant of a program that has run."""

from __future__ import annotations

from typing import Any

import pytest

from explorer.messages import FromWorker, LensAnswer, LensRequest, Program, Request, original_name
from explorer.messages.lenses import Lens
from explorer.worker.runs import analyse, lenses
from explorer.worker.runs import lens as lens_answers
from explorer.worker.runs.lens import FinishedRun, LensInput, LensWork, offered
from explorer.worker.runs.original import WorkerCache
from tests import a_new_lens
from tests.worker.analysed import channel as channel_to
from tests.worker.analysed import snapshot

SOURCE = """
import jax, jax.numpy as jnp
print("loaded")
def inputs(): return dict(x=jnp.ones((3, 2)), key=jax.random.key(0))
def noisy(x, key): return jax.vmap(lambda each, key: each + jax.random.normal(key), in_axes=(0, None))(x, key)
def broken(x): return open("there is no such file")
"""


def ask(variant: str, lens: str, rerun: str = "", of: int = 1) -> tuple[list[FromWorker], LensAnswer]:
    sent: list[FromWorker] = []
    channel = channel_to(sent)
    cache = WorkerCache()
    analyse.analyse(Request(1, SOURCE, "<own>", variants=("noisy",)), channel, cache)
    sent.clear()
    with channel.interrupts.listening_to(2):
        return sent, lens_answers.answer(LensRequest(2, of, variant, lens, rerun), cache.values.ran, channel)


@pytest.mark.rest
def test_the_key_that_all_examples_share_is_seen_before_any_noise() -> None:
    _, answer = ask("noisy", "vmap")
    draw = next(each for each in answer.lens.table.rows if each.is_draw)
    assert draw.cells[2].text == "all 3 draw the same"
    assert (answer.run, answer.about_run, answer.variant, answer.complete) == (2, 1, "noisy", True)


def test_the_findings_of_tracing_a_gradient_come_before_its_values() -> None:
    sent, answer = ask("noisy", "gradient")
    (first,) = sent
    assert (first.complete, answer.complete) == (False, True)
    before, after = first.lens.data, answer.lens.data
    assert [each["id"] for each in before["backward"]] == [each["id"] for each in after["backward"]]
    assert {each["finite"] for each in before["forward"]} == {None}
    assert True in {each["finite"] for each in after["forward"]}
    assert answer.lens.extra is None


def test_rows_are_computed_when_they_are_asked_for() -> None:
    sent, answer = ask("noisy", "gradient", "rows")
    assert (sent, bool(answer.lens.extra.sentence)) == ([], True)


@pytest.mark.parametrize(
    ("variant", "of", "sentence"),
    [
        ("noisy", 7, "Run it once more"),
        (original_name("noisy"), 1, "not for the code before the edits"),
        ("no such", 1, "It could not be computed"),
    ],
)
def test_where_there_is_nothing_to_show_a_sentence_says_why(variant: str, of: int, sentence: str) -> None:
    _, answer = ask(variant, "vmap", of=of)
    assert answer.lens is None
    assert sentence in str(answer.sentence)


def test_calls_are_reported_for_a_run_in_a_program_that_is_loaded_anew() -> None:
    _, answer = ask("noisy", "calls")
    assert [each["hit"] for each in answer.lens.data[:2]] == [False, True]


@pytest.mark.parametrize(
    ("body", "lenses"),
    [("jax.jit(lambda x: kept.append(x * 2))(x); return kept[0] + 1", ("calls",)), ("return kept[0] + x", ())],
    ids=["a tracer escapes", "no jit"],
)
def test_a_program_that_fails_offers_the_calls_until_then(body: str, lenses: tuple[str, ...]) -> None:
    source = f"import jax\nkept = []\ndef inputs(): return dict(x=1.0)\ndef fails(x): {body}\n"
    channel = channel_to()
    cache = WorkerCache()
    (report,) = analyse.analyse(Request(1, source, "<own>"), channel, cache).reports
    assert (report.status, report.lenses) == ("error", lenses)
    answer = lens_answers.answer(LensRequest(2, 1, "fails", "calls"), cache.values.ran, channel).lens
    assert answer.failure.line == 4
    assert [leak["name"] for call in answer.data for leak in call["leaks"]] == ["kept[0]"] * len(lenses)


# -- which lenses are offered ------------------------------------------------------------------


OFFERS = """
import jax, jax.numpy as jnp
def inputs(): return dict(x=jnp.ones((3, 2)))
def loss(x): return (x**2).sum()
def each(x): return jax.jit(jax.vmap(jnp.sin))(x)
def count(x): return x.size
"""


@pytest.mark.parametrize("form", ["jaxpr", "stablehlo", "hlo"])
def test_a_lens_is_offered_where_it_has_something_to_say(form: Any) -> None:
    found = {report.name: report.lenses for report in snapshot(OFFERS, form=form).reports}
    assert found == {
        "loss": ("gradient", "calls", "memory", "time"),
        "each": ("vmap", "gradient", "calls", "memory", "time"),
        "count": ("calls", "memory", "time"),
    }


@pytest.mark.parametrize("outputs", [None, 3, "text", {"a": 1, 2: 3.0}], ids=str)
def test_what_holds_no_floats_has_no_gradient(outputs: object) -> None:
    assert offered(FinishedRun(Program("jaxpr", ""), outputs, {"x": 1.0})) == ()


def test_a_lens_unknown_to_all_else_is_offered_and_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    def tell(asked: LensInput) -> Lens:
        with asked.again():
            _, inputs, _ = asked.prepared()
            return Lens(data={name: value.nbytes for name, value in inputs.items()})

    work = LensWork(lambda ended: not ended.failed and bool(ended.arguments), tell)
    a_new_lens.add(monkeypatch, f"{lenses.__name__}.sizes", LENS=work)
    monkeypatch.setattr(lens_answers, "lenses", lens_answers.lenses.__wrapped__)
    channel, cache = channel_to(), WorkerCache()
    (report, *_) = analyse.analyse(Request(1, OFFERS, "<own>", variants=("loss",)), channel, cache).reports
    with channel.interrupts.listening_to(2):
        answer = lens_answers.answer(LensRequest(2, 1, "loss", "sizes"), cache.values.ran, channel)
    assert (report.lenses, answer.lens) == (("gradient", "calls", "memory", "time", "sizes"), Lens(data={"x": 24}))

"""What a transform did to a variant of a program that has run."""

from __future__ import annotations

import pytest

from explorer.messages import LensName, LensRequest, LensTold, Request, name_as_it_was
from explorer.messages.lenses.calls import CallsLens
from explorer.messages.lenses.gradient import GradientLens
from explorer.messages.lenses.vmap import VmapLens
from explorer.worker.process.channel import Channel
from explorer.worker.process.interrupts import Interrupts
from explorer.worker.process.output import PrintedText
from explorer.worker.runs import analyse
from explorer.worker.runs.kept import Kept

SOURCE = """
import jax, jax.numpy as jnp
print("loaded")
def inputs(): return dict(x=jnp.ones((3, 2)), key=jax.random.key(0))
def noisy(x, key): return jax.vmap(lambda each, key: each + jax.random.normal(key), in_axes=(0, None))(x, key)
def broken(x): return open("there is no such file")
"""


def ask(variant: str, lens: LensName, *, of: int = 1) -> tuple[list[object], LensTold]:
    sent: list[object] = []
    channel = Channel(sent.append, PrintedText(lambda _: None), Interrupts())
    kept = Kept()
    analyse.analyse(Request(1, SOURCE, "<own>", variants=("noisy",)), channel, kept)
    sent.clear()
    return sent, analyse.lens(LensRequest(2, of, variant, lens), channel, kept)


def test_the_key_that_all_examples_share_is_seen_before_any_noise() -> None:
    _, told = ask("noisy", "vmap")
    assert isinstance(told.lens, VmapLens)
    draw = next(each for each in told.lens.equations if each.is_draw)
    assert (draw.shared, draw.mapped) == ((0,), ((),))
    assert (told.run, told.of, told.variant, told.complete) == (2, 1, "noisy", True)


def test_what_tracing_tells_of_a_gradient_comes_before_its_values() -> None:
    sent, told = ask("noisy", "gradient")
    (first,) = sent
    assert isinstance(first, LensTold)
    assert isinstance(first.lens, GradientLens)
    assert isinstance(told.lens, GradientLens)
    assert (first.complete, told.complete) == (False, True)
    assert [each.id for each in first.lens.backward] == [each.id for each in told.lens.backward]
    assert {each.finite for each in first.lens.forward} == {None}
    assert True in {each.finite for each in told.lens.forward}


@pytest.mark.parametrize(
    ("variant", "of", "sentence"),
    [
        ("noisy", 7, "Run it once more"),
        (name_as_it_was("noisy"), 1, "not for the code as it was"),
        ("no such", 1, "It could not be computed"),
    ],
)
def test_where_there_is_nothing_to_tell_a_sentence_says_why(variant: str, of: int, sentence: str) -> None:
    _, told = ask(variant, "vmap", of=of)
    assert told.lens is None
    assert sentence in told.sentence


def test_calls_are_told_of_a_run_in_a_program_that_is_loaded_anew() -> None:
    _, told = ask("noisy", "calls")
    assert isinstance(told.lens, CallsLens)
    assert [each.hit for each in told.lens.calls[:2]] == [False, True]

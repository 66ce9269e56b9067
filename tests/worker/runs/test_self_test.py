"""A newer, untested JAX: tiny programs find the working features, and the rest is switched off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jax
import pytest
from jax.experimental.key_reuse import _core as key_reuse

from explorer.worker.internals import patches
from explorer.worker.program import equations
from explorer.worker.recording import abilities
from explorer.worker.runs import analyse, in_process, self_test
from explorer.worker.runs.lens import FinishedRun
from explorer.worker.runs.lens_registry import offered
from explorer.worker.runs.lenses import vmap
from tests.worker import analysed

PROGRAM = """\
import jax, jax.numpy as jnp
def inputs():
    return {"x": jnp.ones(3)}
def f(x):
    key = jax.random.key(0)
    return jax.vmap(lambda each: each * jax.random.normal(key))(x)
"""


@pytest.fixture(autouse=True)
def as_it_was(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(abilities, "_off", set())
    monkeypatch.setattr(self_test, "_done", [])
    yield
    # What was traced while something was broken.
    jax.clear_caches()


def make_newer(monkeypatch: pytest.MonkeyPatch) -> None:
    newest = abilities.NEWEST_KNOWN
    monkeypatch.setattr(jax, "__version_info__", (newest[0], newest[1] + 1, 0))


@pytest.mark.rest
def test_with_the_jax_that_is_here_everything_works() -> None:
    assert self_test.failing() == ()


def test_a_known_jax_is_not_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(self_test, "failing", lambda: pytest.fail("It was tested."))
    assert not [note for note in analyse.hello().notes if "tested with" in str(note)]


@pytest.mark.rest
def test_a_newer_one_with_which_all_works_has_a_note_and_nothing_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    make_newer(monkeypatch)
    newest = ".".join(map(str, abilities.NEWEST_KNOWN))
    (note,) = (note for note in map(str, analyse.hello().notes) if "version" in note or "newer" in note)
    assert f"newer than {newest}" in note
    report = analysed.snapshot(PROGRAM).reports[0]
    assert [each.kind for each in report.findings or ()] == ["shared-noise"]


def test_without_the_place_where_operations_pass_nothing_is_reported_for_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    make_newer(monkeypatch)
    monkeypatch.delattr(key_reuse, "call_impl_with_key_reuse_checks")
    notes = analyse.hello().notes
    assert abilities.WITHOUT["keys"] in notes
    assert abilities.WITHOUT["lines"] not in notes
    report = analysed.snapshot(PROGRAM).reports[0]
    assert report.status == "ok"
    assert report.findings == ()
    (look,) = (each for each in report.coverage if each.part == "keys")
    assert not look.is_clean
    assert look.extent == "no"
    assert abilities.WITHOUT["keys"] in report.keys.notes


@pytest.mark.rest
def test_recording_a_block_says_so_too(monkeypatch: pytest.MonkeyPatch) -> None:
    make_newer(monkeypatch)
    monkeypatch.setattr(self_test, "failing", lambda: ("keys", "traces"))
    with in_process.recorded() as recording:
        jax.random.normal(jax.random.key(0))
    report = in_process.report("block", recording)
    assert report.findings == ()
    assert {each.part: each.extent for each in report.coverage if each.part != "values"} == {
        "keys": "no",
        "tracing": "no",
    }


@pytest.mark.rest
def test_what_does_not_mark_its_vmap_may_miss_shared_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patches, "KEY_OPERATIONS", {})
    jax.clear_caches()
    assert "sharing" in self_test.failing()


@pytest.mark.rest
def test_lenses_that_fail_are_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> Any:
        raise AttributeError("moved elsewhere")

    monkeypatch.setattr(vmap, "vmaps", fail)
    assert self_test.failing() == ("vmap",)
    abilities.switch_off("vmap")
    program = analysed.snapshot(PROGRAM).reports[0].program
    assert offered(FinishedRun(program, 1.0, {"x": 1.0})) == ("gradient", "memory")


def test_equations_without_lines_have_none_rather_than_wrong_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    abilities.switch_off("lines")
    jaxpr = jax.make_jaxpr(lambda x: x * 2.0)(1.0)
    _, found, lines = equations.text_and_equations(jaxpr, lambda filename: filename == __file__)
    assert [each.span for each in found] == [None]
    assert not any(lines)

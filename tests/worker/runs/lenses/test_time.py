"""Time by line: operations of a profile, and the lines of the compiled program that they belong to."""

from __future__ import annotations

import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from jax import lax

from explorer.messages import LensRequest, Request
from explorer.messages.lenses import Lens
from explorer.worker.internals import hlo_proto
from explorer.worker.internals.compiled import serialized_module
from explorer.worker.program.origins import Origins
from explorer.worker.program.program import compiled_jaxpr, traced
from explorer.worker.runs import analyse
from explorer.worker.runs import lens as lens_answers
from explorer.worker.runs.lenses import time as lens_module
from explorer.worker.runs.lenses.time import CALL, LineShare, Operation, operations, shares, time_lens
from explorer.worker.runs.original import WorkerCache
from tests.worker.analysed import channel as channel_to

X = jnp.ones((64, 64))


def looped(x: Any) -> Any:
    x = jnp.sort(x)
    x = jnp.exp(x)
    x = jnp.sin(x) * 2
    return lax.scan(lambda c, _: (jnp.tanh(c @ c), None), x, None, length=3)[0]


FIRST = looped.__code__.co_firstlineno


def is_ours(filename: str) -> bool:
    return filename == __file__


def module_of(function: Any) -> hlo_proto.Module:
    return hlo_proto.module(serialized_module(compiled_jaxpr(*traced(function, {"x": X}))))


def shares_of(lens: Lens) -> list[LineShare]:
    return [LineShare(**each) for each in lens.data["shares"]]


def by_lines(lens: Lens) -> dict[tuple[int, ...], float]:
    """Return the shares by line, from the first line of `looped` on."""
    return {tuple(line - FIRST for line in each.lines): round(each.share, 6) for each in shares_of(lens)}


def test_a_loop_is_not_counted_twice_and_a_fusion_names_all_its_lines() -> None:
    module = module_of(looped)
    entry = {each.opcode: each for each in module.instructions.values() if each.computation == module.entry}
    loop = entry["while"]
    body = [module.instructions[number] for number in module.contents[loop.called[0]]]
    inside = next(each for each in body if each.opcode in ("fusion", "dot", "custom-call", "call"))
    call = [
        Operation(entry["sort"].name, 0, 0.0, 40e6),
        Operation(entry["fusion"].name, 0, 40e6, 50e6),
        Operation(loop.name, 0, 50e6, 95e6),
        # On two threads at a time: together they take 40 of the 45 of the loop.
        Operation(inside.name, 0, 55e6, 85e6),
        Operation(inside.name, 0, 75e6, 95e6),
        Operation("not in the program", 0, 95e6, 100e6),
    ]
    lens = shares(module, [call] * 6, is_ours)
    assert by_lines(lens) == pytest.approx({(4,): 0.5, (1,): 0.363636, (2, 3): 0.090909, (): 0.045455}, rel=1e-3)
    assert [each.low for each in shares_of(lens)] == [each.share for each in shares_of(lens)]
    assert lens.data["calls"] == 6
    assert lens.data["operation_s"] == pytest.approx(0.11, rel=1e-3)


def test_short_operations_of_a_loop_count_without_the_profiler_and_without_interruptions() -> None:
    module = module_of(looped)
    entry = {each.opcode: each for each in module.instructions.values() if each.computation == module.entry}
    body = [module.instructions[number] for number in module.contents[entry["while"].called[0]]]
    inside = next(each for each in body if each.opcode in ("fusion", "dot", "custom-call", "call"))
    # Of 1,000 iterations one in ten is interrupted. The profiler takes 200 of the 1,200 ns, and 80 between two.
    ends, call = 0.0, []
    for number in range(1000):
        begin = ends + 80
        ends = begin + 1_200 + 50_000 * (number % 10 == 0)
        call.append(Operation(inside.name, 0, begin, ends))
    call = [
        Operation(entry["while"].name, 0, 0.0, ends + 80),
        *call,
        Operation(entry["fusion"].name, 0, ends + 80, ends + 80 + 222),
        Operation(entry["sort"].name, 0, ends + 500, ends + 500 + 1_000_200),
    ]
    lens = shares(module, [call] * 6, is_ours)
    found = by_lines(lens)
    assert (found[4,], found[1,]) == pytest.approx((0.5, 0.5), abs=0.01)
    assert lens.data["operation_s"] == pytest.approx(2e-3, rel=0.01)


def test_a_function_of_jax_that_is_called_twice_has_the_line_of_each_call() -> None:
    def transformed(x: Any) -> Any:
        x = jnp.fft.fft(x)
        x = x * 2
        return jnp.fft.fft(x)

    closed, values = traced(transformed, {"x": X + 0j})
    module = hlo_proto.module(serialized_module(compiled_jaxpr(closed, values)))
    origins = Origins(module, is_ours)
    lines = {origins.line(each.id) for each in module.instructions.values() if each.opcode == "fft"}
    first = transformed.__code__.co_firstlineno
    assert lines == {first + 1, first + 3}


def test_few_calls_give_no_interval_and_none_a_sentence() -> None:
    module = module_of(looped)
    (share,) = shares_of(shares(module, [[Operation("sort", 0, 0.0, 1.0)]], is_ours))
    assert (share.low, share.high) == (None, None)
    assert "saw no operation" in str(shares(module, [], is_ours).sentence)


# -- the profile --------------------------------------------------------------------------------------------------


def event(name: str, start: float, end: float, **stats: Any) -> SimpleNamespace:
    return SimpleNamespace(name=name, start_ns=start, end_ns=end, stats=list(stats.items()))


def test_operations_belong_to_the_call_in_which_they_began_and_end_when_the_last_thread_is_done() -> None:
    ran = {"hlo_module": "jit_f", "device_ordinal": 0}
    lines = [
        [event(CALL, 0, 100), event(CALL, 200, 300), event(CALL, 400, 500)],
        [event("add", 10, 20, hlo_op="add", _p=1, **ran), event("sort", 210, 220, hlo_op="sort", _p=4, **ran)],
        [event("sort", 30, 40, hlo_op="sort", _p=2, **ran), event("end: sort", 69, 70, _c=2)],
        # Its end is seen only after another operation.
        [event("add", 230, 240, hlo_op="add", _p=3, **ran), event("end: sort", 250, 251, _c=4)],
        # Another program, one that runs between the calls, and a call of which the profiler lost a part.
        [event("add", 50, 60, hlo_op="add", hlo_module="jit_other"), event("add", 150, 160, hlo_op="add", **ran)],
        [event("add", 450, 460, hlo_op="add", **ran)],
    ]
    profile = SimpleNamespace(planes=[SimpleNamespace(lines=[SimpleNamespace(events=each) for each in lines])])
    assert operations(profile, "jit_f") == [
        [Operation("add", 0, 10, 20), Operation("sort", 0, 30, 70)],
        [Operation("sort", 0, 210, 230), Operation("add", 0, 230, 240)],
    ]


# -- real calls ---------------------------------------------------------------------------------------------------


def test_the_line_with_far_more_work_has_the_largest_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lens_module, "MOST", lens_module.LEAST)

    def products(x: Any, w: Any) -> Any:
        little = x[:32] @ w
        return little, x @ w @ w

    x = jnp.ones((512, 512))
    lens = time_lens(jax.jit(products, donate_argnums=0), {"x": x, "w": x}, is_ours)
    assert lens.failure is None
    # Medians over the calls need not add up to one.
    assert all(0 < each.share <= 1 for each in shares_of(lens))
    first = products.__code__.co_firstlineno
    share = {each.lines: each.share for each in shares_of(lens)}
    # 32 times the work.
    assert share[first + 2,] > share.get((first + 1,), 0.0)
    assert not x.is_deleted()


SOURCE = """
import jax, jax.numpy as jnp
from jax.experimental import io_callback
def inputs(): return dict(x=jnp.ones((8, 8)))
def fine(x): return x @ x
def calls_back(x):
    io_callback(lambda: None, None)
    return x
def depends(x): return x if x.sum() > 0 else -x
"""


def test_it_measures_only_when_it_is_asked_to_and_leaves_no_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    channel, cache = channel_to(), WorkerCache()
    reports = analyse.analyse(Request(1, SOURCE, "<own>"), channel, cache).reports
    assert ["time" in each.lenses for each in reports] == [True, True, False]

    def ask(variant: str, rerun: str = "") -> Lens:
        with channel.interrupts.listening_to(2):
            answer = lens_answers.answer(LensRequest(2, 1, variant, "time", rerun), cache.values.ran, channel)
        assert isinstance(answer.lens, Lens), answer.sentence
        return answer.lens

    unasked = ask("fine")
    assert ([str(each.label) for each in unasked.offers], shares_of(unasked)) == (["Measure"], [])
    asked = ask("fine", "time")
    assert [each.lines for each in shares_of(asked)] == [(5,)]
    assert "side effects" in str(ask("calls_back", "time").sentence)
    assert list(tmp_path.iterdir()) == []

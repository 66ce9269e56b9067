"""The memory of compiled programs: lives of buffers that XLA's own layout confirms, and the lines behind them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jax import lax
from jax.experimental.compilation_cache import compilation_cache

from explorer.messages import LensRequest, Report, Request
from explorer.worker.internals import hlo_proto
from explorer.worker.internals.compiled import assigned_buffers
from explorer.worker.program.program import compiled_call
from explorer.worker.runs import analyse
from explorer.worker.runs import lens as lens_answers
from explorer.worker.runs.lenses import schedule
from explorer.worker.runs.lenses.lifetimes import BufferLife, Lifetimes
from explorer.worker.runs.lenses.schedule import Block, Memory, memory_of
from explorer.worker.runs.original import WorkerCache
from tests.worker.analysed import channel as channel_to

X, LAYERS = jnp.ones((64, 32)), [jnp.full((32, 32), 0.1)] * 4


def layer(x: Any, w: Any) -> Any:
    return jnp.tanh(x @ w)


def unrolled(params: Any, x: Any) -> Any:
    for w in params:
        x = layer(x, w)
    return (x**2).sum()


def scanned(params: Any, x: Any) -> Any:
    return (lax.scan(lambda x, w: (layer(x, w), None), x, jnp.stack(params))[0] ** 2).sum()


def checkpointed(params: Any, x: Any) -> Any:
    for w in params:
        x = jax.checkpoint(layer)(x, w)
    return (x**2).sum()


def scanned_checkpoint(params: Any, x: Any) -> Any:
    step = jax.checkpoint(lambda x, w: (layer(x, w), None))
    return (lax.scan(step, x, jnp.stack(params))[0] ** 2).sum()


def updated(loss: Callable[..., Any]) -> Callable[..., Any]:
    return lambda params, x: [w - 0.01 * g for w, g in zip(params, jax.grad(loss)(params, x), strict=True)]


def donated(params: Any, x: Any) -> Any:
    return jax.jit(updated(unrolled), donate_argnums=0)(params, x)


def nested(x: Any) -> Any:
    def outer(x: Any, w: Any) -> Any:
        inner, _ = lax.scan(lambda y, _: (jnp.tanh(y @ w), None), x, None, length=3)
        return inner, inner.sum()

    return lax.scan(outer, x, jnp.ones((4, 32, 32)))[0].sum()


def branched(x: Any) -> Any:
    return lax.cond(x.sum() > 0, lambda x: jnp.sin(x) @ x.T, lambda x: (x @ x.T) * 2, x).sum()


def swapped(x: Any) -> Any:
    return lax.fori_loop(0, 5, lambda _, pair: (pair[1], pair[0]), (x, x * 2))


PROGRAMS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    **{
        each.__name__: (updated(each), {"params": LAYERS, "x": X})
        for each in (unrolled, scanned, checkpointed, scanned_checkpoint)
    },
    "donated": (donated, {"params": LAYERS, "x": X}),
    "nested": (jax.grad(nested), {"x": X}),
    "branched": (jax.grad(branched), {"x": X}),
    "swapped": (swapped, {"x": X}),
    "while": (lambda x: lax.while_loop(lambda y: y.sum() > 1, lambda y: y * 0.5, x), {"x": X}),
    "updated in a loop": (lambda x: lax.fori_loop(0, 5, lambda i, x: x.at[i].set(x[i] * 2), x), {"x": X}),
    "permuted": (lambda x: jax.random.permutation(jax.random.key(1), x), {"x": X}),
    "sorted": (lambda x: (jnp.sort(x, axis=0), jnp.argsort(x, axis=1)), {"x": X}),
    "solved": (lambda x: jnp.linalg.solve(x.T @ x + jnp.eye(32), x.T), {"x": X}),
    "mapped": (lambda x: lax.map(lambda row: jnp.outer(row, row).sum(0), x), {"x": X}),
}


def answered(source: str, *variants: str) -> tuple[tuple[Report, ...], list[Any]]:
    """Return the reports on a program, and the lens of each of these variants."""
    channel, cache = channel_to(), WorkerCache()
    reports = analyse.analyse(Request(1, source, "<own>"), channel, cache).reports
    with channel.interrupts.listening_to(2):
        asked = [LensRequest(number, 1, name, "memory") for number, name in enumerate(variants, 2)]
        return reports, [lens_answers.answer(each, cache.values.ran, channel).lens for each in asked]


def lens_of(name: str) -> Memory:
    return memory_of(*PROGRAMS[name], lambda filename: filename == __file__)


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_bytes_are_those_of_xla_which_puts_nothing_live_at_the_same_ones(name: str) -> None:
    lens = lens_of(name)
    compiled = compiled_call(*PROGRAMS[name])
    pairs, found = clashes(lifetimes(compiled).lives)
    assert pairs
    assert found == []
    memory = compiled.memory_analysis()
    asked = memory.argument_size_in_bytes + memory.output_size_in_bytes + memory.temp_size_in_bytes
    # Each allocation has an alignment, and an output of several arrays a table of pointers.
    assert lens.reserved == pytest.approx(asked - memory.alias_size_in_bytes, abs=1024)
    assert lens.argument_bytes < max(lens.live) <= lens.reserved + sum(memory_of_constants(lens))
    for moment, live in enumerate(lens.live):
        shown = sum(each.bytes for each in lens.at(moment))
        assert 0 <= live - shown <= lens.left_out_bytes


def memory_of_constants(lens: Memory) -> list[int]:
    return [lens.left_out_bytes, *(each.bytes for each in lens.blocks if each.kind == "constant")]


def line(text: str) -> int:
    rows = Path(__file__).read_text("utf-8").splitlines()
    return next(number for number, row in enumerate(rows, 1) if text in row)


def of_kind(lens: Memory, kind: str) -> list[Block]:
    return [each for each in lens.blocks if each.kind == kind]


def test_a_gradient_keeps_one_array_of_each_layer_made_by_the_line_of_the_layer() -> None:
    lens = lens_of("unrolled")
    activations = [each for each in of_kind(lens, "residual") if each.type == "f32[64,32]" and each.operation == "tanh"]
    # The last one is needed at once.
    assert len(activations) >= len(LAYERS) - 1
    assert {each.line for each in activations} == {line("return jnp.tanh(x @ w)")}
    assert {each.name for each in of_kind(lens, "argument")} == {"x", *(f"params[{n}]" for n in range(len(LAYERS)))}
    assert {each.line for each in of_kind(lens, "output")} == {line("return lambda params, x: [w -")}


def test_a_scan_keeps_its_residuals_of_all_iterations_in_one_array_through_both_loops() -> None:
    lens = lens_of("scanned")
    assert [each.iterations for each in lens.loops] == [len(LAYERS)] * 2
    forward, backward = lens.loops
    stacked = [each for each in of_kind(lens, "residual") if each.type == "f32[4,64,32]"]
    assert stacked
    for each in stacked:
        ((start, end),) = each.spans
        assert start < forward.end < backward.start < end
    assert line("return jnp.tanh(x @ w)") in {each.line for each in stacked}


def test_outputs_take_the_place_of_donated_arguments_that_a_call_alone_reads() -> None:
    lens, without = lens_of("donated"), lens_of("unrolled")
    # What is left is the table of pointers to several outputs.
    assert lens.output_bytes == without.output_bytes - sum(w.nbytes for w in LAYERS) < 100
    assert [each.name for each in of_kind(lens, "argument") if each.donated] == [f"params[{n}]" for n in range(4)]

    def read_again(params: Any, x: Any) -> Any:
        return donated(params, x), params[0] + 1

    lens = memory_of(read_again, {"params": LAYERS, "x": X}, lambda filename: filename == __file__)
    assert not any(each.donated for each in lens.blocks)


def test_a_library_that_may_need_memory_of_its_own_is_reported() -> None:
    def softmax(x: Any) -> Any:
        return jax.nn.softmax(x @ x.T).sum(axis=0)

    def told(pattern: str) -> bool:
        return pattern in compiled_call(softmax, {"x": X}).as_text()

    lens = memory_of(softmax, {"x": X}, lambda filename: filename == __file__)
    assert (lens.library is not None) == told("kind=kCustom")


@pytest.mark.parametrize(("name", "has"), [("unrolled", True), ("scanned", True), ("swapped", False)])
def test_matrix_products_are_noticed_wherever_they_run(name: str, has: bool) -> None:
    assert lens_of(name).products == has


def test_another_device_is_said_to_be_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedule, "assigned_buffers", lambda _: None)
    lens = lens_of("swapped")
    assert "not known on this device" in str(lens.sentence)
    assert lens.blocks == ()


def test_a_program_of_the_window_is_answered_and_one_that_cannot_be_compiled_says_why() -> None:
    source = """
import jax.numpy as jnp
def inputs(): return dict(x=jnp.ones(300))
def fine(x):
    y = jnp.sort(x)
    return y[::-1] @ x
def depends(x): return x if x.sum() > 1 else -x
"""
    reports, (found, fails) = answered(source, "fine", "depends")
    assert ["memory" in each.lenses for each in reports] == [True, False]
    assert {5, 6} <= {each["line"] for each in found.data["buffers"]}
    assert fails.failure.line == 7


def test_lines_are_those_of_this_code_where_jax_keeps_programs_on_disk(tmp_path: Path) -> None:
    def function(lines_above: int) -> Callable[..., Any]:
        names: dict[str, Any] = {}
        source = "\n" * lines_above + "import jax.numpy as jnp\ndef f(x):\n    return jnp.sort(jnp.outer(x, x)).sum()\n"
        exec(compile(source, "user.py", "exec"), names)
        made = names["f"]
        assert callable(made)
        return made

    wanted = {
        "jax_compilation_cache_dir": str(tmp_path),
        "jax_persistent_cache_min_compile_time_secs": 0.0,
        "jax_persistent_cache_min_entry_size_bytes": -1,
    }
    before = {name: getattr(jax.config, name) for name in wanted}
    try:
        for name, value in wanted.items():
            jax.config.update(name, value)
        compilation_cache.reset_cache()
        x = jnp.ones(100)
        jax.jit(function(0))(x)
        assert list(tmp_path.iterdir())
        for above in (0, 5):
            lens = memory_of(function(above), {"x": x}, lambda name: name == "user.py")
            assert {each.line for each in lens.blocks} == {0, above + 3}
    finally:
        for name, value in before.items():
            jax.config.update(name, value)
        compilation_cache.reset_cache()


# -- the wire format ---------------------------------------------------------------------------------------------


def test_types_have_the_notation_of_jax() -> None:
    @jax.jit
    def some(a: Any, b: Any, c: Any) -> Any:
        return a, (b, c)

    module = compiled_call(some, {"a": jnp.ones((2, 3), bool), "b": jnp.ones(4, jnp.bfloat16), "c": jnp.int32(1)})
    found = hlo_proto.module(module.runtime_executable().hlo_modules()[0].as_serialized_hlo_module_proto())
    root = found.instructions[found.roots[found.entry]]
    types = [root.type_of((place,)) for place in range(3)]
    assert (root.type_of(()), types) == ("tuple", ["bool[2,3]", "bf16[4]", "i32[]"])
    assert [hlo_proto.type_bytes(each) for each in ("tuple", *types, "c64[2]")] == [0, 6, 8, 4, 16]


@given(st.lists(st.tuples(st.integers(1, 1000), st.integers(0, 2**64 - 1) | st.binary(max_size=300))))
def test_fields_are_read_as_they_are_written_and_a_cut_message_is_an_error(content: list[tuple[int, Any]]) -> None:
    def varint(value: int) -> bytes:
        parts = [value >> shift & 127 for shift in range(0, max(1, value.bit_length()), 7)]
        return bytes([each | 128 for each in parts[:-1]] + parts[-1:])

    written = b"".join(
        varint(number << 3) + varint(value)
        if isinstance(value, int)
        else varint(number << 3 | 2) + varint(len(value)) + value
        for number, value in content
    )
    assert list(hlo_proto.fields(written)) == content
    if content:
        with pytest.raises(ValueError, match="ends too early"):
            list(hlo_proto.fields(written[:-1]))


# -- buffers at overlapping bytes --------------------------------------------------------------


def lifetimes(compiled: Any) -> Lifetimes:
    """Return the lives of the buffers of a jax.stages.Compiled for the CPU."""
    found = assigned_buffers(compiled)
    return Lifetimes(hlo_proto.module(found[0]), *hlo_proto.buffers(found[1]))


def clashes(lives: Sequence[BufferLife]) -> tuple[int, list[str]]:
    """Return the number of pairs with overlapping bytes, and those of them that are live at once.

    At one moment both may be: that of an instruction that reads the one and writes the other over it.
    """
    by_allocation: dict[int, list[BufferLife]] = defaultdict(list)
    for each in lives:
        by_allocation[each.buffer.allocation].append(each)
    pairs, found = 0, []
    for group in by_allocation.values():
        group.sort(key=lambda live: live.start)
        for one, other in combinations(group, 2):
            a, b = one.buffer, other.buffer
            if a.offset < b.offset + b.bytes and b.offset < a.offset + a.bytes:
                pairs += 1
                if one.end > other.start:
                    found.append(f"{a} {one.start}-{one.end} and {b} {other.start}-{other.end}")
    return pairs, found

"""The tables of lenses: what stands in which row, with which marks, and the sentences below."""

from __future__ import annotations

import re
from pathlib import Path

from msgspec.structs import replace

from explorer.messages import Failure, Span
from explorer.messages.lenses import LENSES, Chip, Grid, Piece, Row, as_text
from explorer.text.text import say, verbatim
from explorer.worker.runs.lenses import calls, devices, memory, vmap
from explorer.worker.runs.lenses.cache_keys import CacheKey, CallInput, KeyDifference, StaleGlobal
from explorer.worker.runs.lenses.gradient import answer as gradient
from explorer.worker.runs.lenses.schedule import Library, Memory
from explorer.worker.runs.lenses.time import LineShare, lens_of_shares
from explorer.worker.runs.lenses.watched_calls import LensCall
from tests.figures.test_lens_json import fields
from tests.worker.runs.lenses.found import CALLS, DEVICES, GRADIENT, MEMORY, NESTED, VMAP, block, call

# -- vmap

VMAP_ROWS = """\
 | one example | all 32 (the batch) | became
9 | vmap of noisy | 32 examples
9 | key key<fry>[] | key<fry>[] | the same key for all 32
9 | x f32[10] | f32[10,32] | axis 1
3 | random_bits f32[10] | f32[10] | all 32 draw the same
3 | sub f32[10] | f32[10] | the same for all 32
3 | mul f32[10] | f32[10]
3 | add f32[10] | f32[32,10]
9 | output f32[10] | f32[32,10] | axis 0
"""
NESTED_ROWS = """\
 | one example | all examples (the batch) | became
 | vmap of f | i: 3 examples
 | a f32[4] | f32[i=3,4] | axis 0
 |   vmap of g | j: 5 examples
 |   b f32[4] | f32[j=5,4] | axis 0
 |   mul f32[4] | f32[i=3,j=5,4]
"""


def test_arguments_equations_and_outputs_stand_one_below_the_other() -> None:
    assert as_text(vmap.lens_of(VMAP).table, ()).replace("\t", " | ") == VMAP_ROWS


def test_the_axis_is_a_chip_and_what_has_none_is_grey() -> None:
    rows = vmap.lens_of(VMAP).table.rows
    assert [piece.chips for piece in rows[2].cells[1].pieces] == [(Chip(7, 9, 0),)]
    assert [piece.chips for piece in rows[6].cells[1].pieces] == [(Chip(4, 6, 0),)]
    assert rows[1].cells[1].pieces[0].tone == rows[4].cells[1].pieces[0].tone == "dim code"


def test_a_draw_from_a_key_that_all_share_is_a_bug() -> None:
    draw = vmap.lens_of(VMAP).table.rows[3]
    assert {piece.tone for cell in draw.cells for piece in cell.pieces} == {"bug code", "bug"}
    assert [piece.text for piece in vmap.lens_of(VMAP).summary] == [
        "Line 3: one key for all 32, so they draw the same numbers."
    ]


def test_nested_vmaps_have_a_letter_and_a_colour_each_and_a_copied_axis_is_hollow() -> None:
    assert as_text(vmap.lens_of(NESTED).table, ()).replace("\t", " | ") == NESTED_ROWS
    assert vmap.lens_of(NESTED).table.rows[-1].cells[1].pieces[0].chips == (Chip(4, 7, 0), Chip(8, 11, 1, hollow=True))


# -- calls

CALLS_ROWS = """\
 | call | arguments, results | what ran
9 | 1 traced step | x: f32[3] n=1 | leaves a tracer in seen[0]
4 |   for each in range(n): |  | 2 times
5 |   y = x + each | y: f32[3]
7 |   print(y) |  | printed JitTracer(float32[3])
9 | 2 cached step | x: f32[3] n=1 | no Python
10 | 3 fails step | x: f32[5] n=2 | ValueError: no
4 |   for each in range(n):
"""


def asked(of: LensCall) -> tuple[Piece, ...]:
    return calls.lens_of(calls.VariantCalls((of,))).table.rows[0].cells[1].pieces


def test_lines_stand_below_the_call_in_which_they_ran() -> None:
    assert as_text(calls.lens_of(CALLS).table, ()).replace("\t", " | ") == CALLS_ROWS


def test_what_differs_is_a_chip_and_what_hits_is_grey() -> None:
    rows = calls.lens_of(CALLS).table.rows
    assert [piece.chips for piece in rows[5].cells[1].pieces] == [(Chip(6, 9, 1),), (Chip(2, 3, 1),)]
    assert {piece.tone for piece in rows[4].cells[1].pieces} == {"dim code"}


def test_what_differs_in_some_call_stands_first_in_each() -> None:
    given = (CallInput("x", "f32[3]", "(3,)", "float32"), CallInput("n", static="1"))
    first = call(1, asked=CacheKey(given))
    second = call(2, asked=CacheKey(given), differs=(KeyDifference("static value", "n"),))
    rows = calls.lens_of(calls.VariantCalls((first, second))).table.rows
    assert [row.cells[1].text for row in rows] == ["n=1 x: f32[3]"] * 2


def test_a_weak_type_is_lit_where_it_came_and_where_it_went() -> None:
    differs = (KeyDifference("weak type", "x"),)
    weak = call(2, asked=CacheKey((CallInput("x", "~f32[]", "()", "float32", True),)), differs=differs)
    strong = replace(weak, asked=CacheKey((CallInput("x", "f32[]", "()", "float32"),)))
    assert [each.text[chip.start : chip.end] for each in asked(weak) for chip in each.chips] == ["~"]
    assert [each.text[chip.start : chip.end] for each in asked(strong) for chip in each.chips] == ["f32"]


def test_function_objects_are_reported_where_there_are_several() -> None:
    first = call(1)
    second = call(2, asked=CacheKey(function=2), differs=(KeyDifference("function object"),))
    cells = [row.cells[1] for row in calls.lens_of(calls.VariantCalls((first, second))).table.rows]
    assert [cell.text for cell in cells] == ["function object 1", "function object 2"]
    assert [bool(cell.pieces[0].chips) for cell in cells] == [False, True]


def test_of_many_misses_only_other_lines_are_shown() -> None:
    many = tuple(replace(CALLS.calls[0], number=number) for number in range(1, 10))
    rows = calls.lens_of(calls.VariantCalls(many)).table.rows
    assert (len(rows), rows[-1].cells[2].text.endswith("the same lines")) == (9 + 3, True)


def test_hits_that_are_alike_stand_in_one_row() -> None:
    first, hit, other = CALLS.calls
    hits = [replace(hit, number=number) for number in range(2, 50)]
    rows = calls.lens_of(calls.VariantCalls((first, *hits, replace(other, number=50)))).table.rows
    assert [row.cells[0].text for row in rows if row.cells[0].pieces[0].tone == "title"] == [
        "1 traced step",
        "2–49 cached step",
        "50 fails step",
    ]


def test_a_row_shows_below_the_table_why_it_traced_and_what_it_ran() -> None:
    missed = replace(CALLS.calls[2], sentence=verbatim("x came with a new shape."))
    rows = calls.lens_of(calls.VariantCalls((*CALLS.calls[:2], missed))).table.rows
    assert [[each.text for each in row.detail] for row in rows if row.detail] == [
        ["printed", "JitTracer(float32[3])"],
        ["It runs the program of call 1."],
        ["ValueError: no", "x came with a new shape.", "The nearest entry is from call 1."],
    ]


def test_a_hit_that_uses_what_was_there_says_so() -> None:
    hit = replace(CALLS.calls[1], stale=(StaleGlobal("scale", "2.0", "3.0"),))
    lens = calls.VariantCalls((CALLS.calls[0], hit))
    assert calls.lens_of(lens).table.rows[4].cells[2].text == "uses scale = 2.0, which is 3.0 now no Python"
    assert (
        calls.lens_of(lens).summary[1].text
        == "Call 2 runs a program that was traced with scale = 2.0. Now scale is 3.0."
    )


def test_what_leaks_comes_first_below_the_rows() -> None:
    summarised = calls.lens_of(CALLS).summary
    assert [each.tone for each in summarised] == ["bug", "words", "words"]
    assert "seen[0] holds a tracer" in summarised[0].text
    assert [each.text for each in summarised[1:]] == ["Calls: 3, traces: 2.", "It is run twice."]


def test_a_run_that_fails_says_where_it_ended_above_the_calls_until_then() -> None:
    failed = replace(CALLS, failure=Failure("ValueError", "no", Span(10, 0, 10, 1)))
    assert calls.lens_of(failed).summary[0].text == "The run ends on line 10 with ValueError."
    assert calls.lens_of(failed).table.rows


# -- devices

DEVICES_ROWS = """\
 | array | parts | which device
 | x f32[8,4] | on device 0 | 0
 | n i64[3] | NumPy: on no device
3 | xs f32[8,4] ×5 device_put | 2 × 1, 2 copies | 0, 1 | 2, 3
4 | w f32[] for jit of f | 2 copies | 0, 1
4 | output f32[4,4] | 2 × 2 | 0 | 1 | 2 | 3
 | collectives
4 | all-reduce f32[4] | 16 B per device, in each iteration of a loop | 0, 2 | 1, 3
5 | all-gather f32[4] → f32[16] ×2 | 64 B per device | 0, 1, 2, 3
6 | collective-permute f32[4] | 16 B per device | 0→1  1→0
"""


def grids_of_arrays() -> list[Grid | None]:
    return [row.cells[2].grid for row in devices.lens_of(DEVICES).table.rows]


def test_arrays_stand_above_the_collectives() -> None:
    assert as_text(devices.lens_of(DEVICES).table, ()).replace("\t", " | ") == DEVICES_ROWS


def test_parts_lie_as_in_the_array_in_a_row_of_their_height_hatched_if_on_several_devices() -> None:
    shapes = [(grid.rows, grid.columns) if grid else None for grid in grids_of_arrays()]
    assert shapes == [(1, 1), None, (2, 1), (1, 1), (2, 2), None, (1, 2), (1, 1), None]
    assert [row.height for row in devices.lens_of(DEVICES).table.rows] == [1, 1, 2, 1, 2, 1, 1, 1, 1]
    assert [grid.hatched and len(grid.fields[0]) > 1 for grid in grids_of_arrays() if grid] == [
        False,
        True,
        True,
        False,
        False,
        False,
    ]


def test_under_the_pointer_stands_what_a_device_holds_and_who_else() -> None:
    grid = grids_of_arrays()[2]
    assert str(grid.fields[1][0].tip).splitlines() == [
        "Device 2 holds [4:8, :] of xs, 64 B. Also on: 3.",
        DEVICES.arrays[2].sharding,
    ]


def test_where_devices_send_each_other_nothing_a_sentence_says_so() -> None:
    rest = ["More arrays, not shown: 1,200.", "A note."]
    assert [piece.text for piece in devices.lens_of(DEVICES).summary] == rest
    silent = replace(DEVICES, collectives=())
    assert [piece.text for piece in devices.lens_of(silent).summary] == ["The devices exchange no data.", *rest]
    unknown = replace(DEVICES, collectives=None)
    assert [piece.text for piece in devices.lens_of(unknown).summary] == rest


# -- gradient

GRADIENT_ROWS = """\
 | forward ↓ | kept: 1.04 KiB | backward ↑ reads upwards
 | w | 32 B f32[8] | gradient of w
 | x |  | gradient of x
 | n |  | n holds integers.
3 | sin f32[5] |  | mul NaN first appears here f32[5]
3 |  |  | computed again cos f32[5]
3 | cos f32[5] for backward | 1 KiB f32[5]
3 |  | 8 B f32[2]
5 | custom_vjp_call clip f32[] |  | min f32[5]
5 |  |  | scan f32[5]
4 |   mul f32[]
6 | stop_gradient f32[] |  | A constant to the backward pass.
6 |  |  | neg f32[]
"""


def gradient_rows() -> tuple[Row, ...]:
    return gradient.lens_of(GRADIENT).table.rows


def test_each_row_has_what_it_keeps_and_what_undoes_it_read_upwards() -> None:
    assert as_text(gradient.lens_of(GRADIENT).table, ()).replace("\t", " | ") == GRADIENT_ROWS


def test_bars_are_as_long_as_the_bytes_are_many() -> None:
    assert [row.cells[1].bar for row in gradient_rows() if row.cells[1].bar] == [1 / 32, 1.0, 8 / 1024]


def test_what_is_wrong_where_the_flow_ends_and_what_is_added_have_their_tones() -> None:
    assert [piece.tone for piece in gradient_rows()[3].cells[2].pieces] == ["bug code", "bug", "bug code"]
    assert gradient_rows()[2].cells[2].pieces[0].tone == gradient_rows()[10].cells[2].pieces[0].tone == "dim"
    assert gradient_rows()[10].cells[0].pieces[0].tone == gradient_rows()[5].cells[0].pieces[0].tone == "dim code"


def test_below_stand_the_figures_and_what_the_check_says_the_bug_first() -> None:
    assert [piece.text for piece in gradient.lens_of(GRADIENT).summary] == [
        "Line 3: NaN first appears here.",
        "Arrays kept: 3, together 1.04 KiB.",
        "Equations computed again: 1.",
        "The gradient of the sum.",
        "Agree to 5 digits.",
    ]
    disagreeing = replace(GRADIENT, check=GRADIENT.check._replace(agrees=False))
    assert gradient.lens_of(disagreeing).summary[-1].tone == "note"


def test_an_argument_whose_gradient_is_not_finite_says_so() -> None:
    lens = replace(GRADIENT, not_finite=("x",))
    cells = [row.cells[2] for row in gradient.lens_of(lens).table.rows[:2]]
    assert [cell.text for cell in cells] == ["gradient of w", "gradient of x: NaN or inf"]
    assert [cell.pieces[0].tone for cell in cells] == ["words", "bug"]


def test_rows_are_offered_where_there_is_more_than_one() -> None:
    labels = [
        [str(each.label) for each in gradient.lens_of(replace(GRADIENT, summed=summed), is_mapped=mapped).offers]
        for summed, mapped in ((False, False), (True, False), (False, True), (True, True))
    ]
    assert labels == [[], ["Jacobian"], ["Gradient of each example"], ["Gradient of each example"]]
    (offer,) = gradient.lens_of(replace(GRADIENT, summed=True), why_not=say("Too large.")).offers
    assert (offer.possible, str(offer.tip)) == (False, "Too large.")


# -- memory


def test_similar_arrays_share_a_row_and_what_needs_most_comes_first() -> None:
    assert as_text(memory.lens_of(MEMORY).table, []).splitlines() == [
        "\tarray\tmemory\tneeded until",
        "5\tin a library\t≤1 MiB",
        "\tat the peak\t7.1 KiB",
        "3\t2 × f32[512] residual tanh\t4 KiB\tline 3",
        "\t2 × f32[256] params argument\t2 KiB\tthe end",
        "5\tf32[256] temporary mul\t1 KiB\tline 6",
        "\tat other times",
        "6\tf32[256] output sub\t1 KiB\tthe end",
    ]


def test_the_sentences_name_the_peak_and_how_each_number_is_known() -> None:
    library, peak, taken, left_out, source = (each.text for each in memory.lens_of(MEMORY).summary)
    assert peak == (
        "Peak: 7.1 KiB live at line 5: residuals of line 3: 2 (4 KiB), arguments: 2 (2 KiB), "
        "temporaries of line 5: 1 (1 KiB)."
    )
    assert taken == "The call takes 9 KiB from the system: arguments 2 KiB, outputs 1 KiB, temporaries 6 KiB."
    assert "line 5 in memory of its own" in library
    others = " ".join(each.text for each in memory.lens_of(replace(MEMORY, devices=8, products=True)).summary)
    assert "one of 8 devices" in others
    assert "matrix products" in others
    assert "3, at most 100 B" in left_out
    assert "buffer assignment" in source


def test_arrays_without_elements_have_no_bars() -> None:
    empty = block("argument", "f32[0]", 0, ((0, 0),), name="x", line=3)
    found = memory.lens_of(Memory(blocks=(empty,), live=(0,), lines=(3,))).table
    assert (len(found.rows), found.costs) == (2, ())


def test_nothing_in_the_stack_overlaps_and_its_height_is_what_is_live() -> None:
    stack = memory.lens_of(MEMORY).table.stack
    for moment in range(stack.moments):
        held = sorted(
            (bottom, bottom + strip.height)
            for strip in stack.strips
            for first, last, bottom in strip.steps
            if first <= moment <= last
        )
        edges = [0.0, *(top for _, top in held)]
        assert [bottom for bottom, _ in held] == edges[:-1]
        assert 0 <= MEMORY.live[moment] - edges[-1] <= MEMORY.left_out_bytes


def test_lines_have_the_bytes_at_the_peak_on_the_scale_of_the_picture() -> None:
    alone = memory.lens_of(replace(MEMORY, library=None)).table
    assert {each.line: (each.text, each.share * 9216) for each in alone.costs} == {
        3: ("4 KiB", 4096),
        5: ("1 KiB", 1024),
    }
    assert str(alone.costs[0].tip) == "4 KiB of the 7.1 KiB at the peak"
    assert (alone.stack.top, alone.whole) == (9216, 9216)
    found = memory.lens_of(replace(MEMORY, library=Library(1 << 20, 5, "f32[512,256]"))).table
    assert as_text(found, []).splitlines()[1] == "5\tin a library arrays such as f32[512,256]\t≤1 MiB"
    (of_library,) = (each for each in found.costs if each.line == 5)
    assert (of_library.text, of_library.most) == ("≤1 MiB", (1024 + (1 << 20)) / (9216 + (1 << 20)))
    assert str(of_library.tip).endswith("line 5 in memory of its own, which is not shown: between 0 and 1 MiB.")


# -- time


TIME = lens_of_shares(
    (
        LineShare((3,), 0.62, 0.59, 0.64, ("dot_general",)),
        LineShare((4, 5), 0.36, None, None, ("mul", "sin")),
        LineShare((4,), 0.02, None, None, ("sin",)),
        LineShare((), 0.0004, 0.0003, 0.0005, ("copy",)),
    ),
    20,
    0.004,
)


def test_each_row_has_a_share_and_a_fusion_names_all_its_lines() -> None:
    assert as_text(TIME.table, []).splitlines() == [
        "\tshare\toperations",
        "3\t62 % ± 3\tdot_general",
        "4\t36 %\tlines 4, 5 together: mul, sin",
        "4\t2 %\tsin",
        "\t<0.1 % ± <0.1\twithout a line: copy",
    ]
    one_call, fusion, overlap = (each.text for each in TIME.summary)
    assert one_call == "One call: 4.00 ms of operation time, the median of 20 calls under JAX's profiler."
    assert "not split" in fusion
    assert "overlap" in overlap
    assert (
        "together they are 40 %" in lens_of_shares((LineShare((3,), 0.4, None, None, ()),), 20, 0.004).summary[1].text
    )


def test_each_line_has_its_share_or_the_bounds_of_it() -> None:
    costs = {each.line: each for each in TIME.table.costs}
    assert {line: (cost.share, cost.most, cost.text) for line, cost in costs.items()} == {
        3: (0.62, 0.62, "62 %"),
        4: (0.02, 0.38, "2\N{EN DASH}38 %"),
        5: (0.0, 0.36, "\N{LESS-THAN OR EQUAL TO}36 %"),
    }
    assert str(costs[3].tip) == "62 % ± 3 of the operation time"
    assert str(costs[5].tip) == "lines 4, 5 together: 36 % of the operation time"


# -- the data for scripts -------------------------------------------------------------------------------------------

DATA = {
    "vmap": vmap.lens_of(VMAP).data,
    "gradient": gradient.lens_of(GRADIENT).data,
    "calls": calls.lens_of(CALLS).data,
    "devices": devices.lens_of(DEVICES).data,
    "memory": memory.lens_of(MEMORY).data,
    "time": TIME.data,
}


def test_the_data_say_what_the_tables_do() -> None:
    last = {"id": 9, "primitive": "mul", "line": 3, "outputs": ("f32[5]",), "finite": False, "of": 0}
    assert DATA["gradient"]["backward"][-1] == last
    assert DATA["calls"][0]["leaks"] == [{"name": "seen[0]", "type": "f32[3]", "line": 5}]
    assert DATA["calls"][2]["differs"] == ["shape of x", "static value of n"]
    assert DATA["calls"][2]["asked"] == {
        "shape of x": "(5,)",
        "dtype of x": "float32",
        "weak type of x": False,
        "static value of n": "2",
        "structure": "(*, n=static)",
        "function object": 1,
    }
    assert DATA["devices"][1] == {"array": "n", "sharding": "", "pieces": []}
    assert DATA["devices"][2]["pieces"][2] == {"device": 2, "index": "[4:8, :]", "replicated": True}


def test_every_field_of_the_data_is_documented() -> None:
    assert set(DATA) == set(LENSES)
    lines = (Path(__file__).parents[4] / "docs" / "json.md").read_text(encoding="utf-8").split("\n")
    for name, data in DATA.items():
        (line,) = (each for each in lines if each.startswith(f"| `{name}.json`"))
        assert set(fields(data)) <= set(re.findall(r"`(\w+)`", line)), name

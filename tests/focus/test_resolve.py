from __future__ import annotations

import msgspec
import numpy as np
import pytest

from explorer.focus import resolve
from explorer.focus.carry_over import Selection
from explorer.messages import Array, Equation, Finding, Focus, KeyGraph, Picture, Program, Report, Snapshot, Span
from tests.views.keys.key_notation import key_graph


def span(line: int) -> Span:
    return Span(line, 0, line, 5)


def keys(notation: str) -> KeyGraph:
    return key_graph(notation, lines=(2, 3, 4))


def report(keys: KeyGraph, findings: tuple[Finding, ...] = ()) -> Report:
    equations = (Equation("random_split", span(3), 0, 0, 0, ""), Equation("random_bits", span(4), 1, 1, 0, ""))
    rows = Picture(
        "output", "output", (4, 2), "float32", Array.of(np.zeros((4, 2))), 0, Array.of(np.zeros(4, np.int32)), 1, ""
    )
    return Report("f", "ok", program=Program("jaxpr", "", equations), keys=keys, pictures=(rows,), findings=findings)


OWN = report(keys("seed 0 > split 2 > each draw"))
SHARED = report(
    keys("seed 0 > split 2 > [draw for 4, -]"),
    (Finding("shared-noise", "bug", "All share it.", (span(4),), keys=(1,), examples=4),),
)


@pytest.mark.parametrize(
    ("wanted", "lines", "equations", "keys", "rows"),
    [
        (Focus("line", 4), {4}, {1}, {1, 2}, set()),
        (Focus("equation", 0, "f"), {3}, {0}, {1, 2}, set()),
        (Focus("key", 2, "f"), {3, 4}, {0, 1}, {2}, {1}),
        (Focus("row", 0, "f"), {3, 4}, {0, 1}, {1}, {0}),
    ],
    ids=["line", "equation", "key", "row"],
)
def test_a_focus_lights_up_what_belongs_to_it(
    wanted: Focus, lines: set[int], equations: set[int], keys: set[int], rows: set[int]
) -> None:
    marks = resolve.resolve(wanted, Snapshot(1, "cpu:0", True, reports=(OWN,)))
    found = (marks.lines, marks.equations["f"], marks.keys["f"], marks.rows.get("f", frozenset()))
    assert found == (lines, equations, keys, rows)
    assert marks.focus == wanted
    assert marks.sentence


def test_a_shared_noise_finding_lights_up_every_example_and_the_one_key() -> None:
    marks = resolve.resolve(Focus("finding", 0, "f"), Snapshot(1, "cpu:0", True, reports=(SHARED,)))
    assert marks.rows == {"f": frozenset(range(4))}
    assert marks.keys == {"f": frozenset({1})}
    assert marks.findings == {"f": frozenset({0})}
    assert (marks.lines, marks.line) == ({4}, 4)
    assert "All share it." in marks.sentence


def test_a_row_of_a_shared_draw_leads_to_the_shared_key() -> None:
    marks = resolve.resolve(Focus("row", 3, "f"), Snapshot(1, "cpu:0", True, reports=(SHARED,)))
    assert marks.keys["f"] == {1}


@pytest.mark.parametrize(
    "gone",
    [None, Focus("equation", 9, "f"), Focus("key", 3, "f"), Focus("finding", 0, "f"), Focus("row", 0, "no such")],
)
def test_what_is_not_there_any_more_lights_up_nothing(gone: Focus | None) -> None:
    marks = resolve.resolve(gone, Snapshot(1, "cpu:0", True, reports=(OWN,)))
    assert marks.focus is None
    assert not marks.lines


def test_of_two_variants_only_the_one_in_focus_shows_keys_and_findings() -> None:
    other = msgspec.structs.replace(SHARED, name="g")
    snapshot = Snapshot(1, "cpu:0", True, reports=(OWN, other))
    marks = resolve.resolve(Focus("key", 2, "f"), snapshot)
    assert (marks.keys, marks.findings) == ({"f": frozenset({2})}, {"f": frozenset()})
    assert marks.equations == {"f": frozenset({0, 1}), "g": frozenset({0, 1})}, "the code is the same for both"
    by_line = resolve.resolve(Focus("line", 4), snapshot)
    assert set(by_line.keys) == {"f", "g"}
    assert by_line.findings["g"] == {0}


def test_of_examples_that_share_keys_in_pairs_each_lights_up_its_own() -> None:
    examples, serves = Array.of(np.arange(4, dtype=np.int32)), Array.of(np.full(4, 2, np.int32))
    drawn_twice = keys("seed 0 > split 2 > [draw x2, draw x2]")
    by_pairs = msgspec.structs.replace(
        drawn_twice, draw_key=Array.of(np.array([1, 2, 1, 2], np.int32)), draw_example=examples, draw_serves=serves
    )
    pairs = Snapshot(1, "cpu:0", True, reports=(report(by_pairs),))
    assert [resolve.resolve(Focus("row", row, "f"), pairs).keys["f"] for row in range(4)] == [{1}, {2}, {1}, {2}]
    assert resolve.resolve(Focus("key", 2, "f"), pairs).rows["f"] == {1, 3}


def test_an_equation_stays_selected_while_the_program_is_shown_in_a_form_that_has_none() -> None:
    selection, jaxpr = Selection(), Snapshot(1, "cpu:0", True, reports=(OWN,))
    selection.choose(Focus("equation", 1, "f"), jaxpr)
    compiled = msgspec.structs.replace(OWN, program=Program("hlo", "ENTRY main {\n}"))
    hlo = Snapshot(2, "cpu:0", True, reports=(compiled,))
    selection.follow(hlo, "")
    marks = selection.marks(hlo, ())
    assert (marks.focus, marks.lines) == (Focus("equation", 1, "f"), frozenset({4}))
    assert marks.sentence == "Selected: equation 2, random_bits"
    assert (marks.equations, marks.keys, marks.rows) == ({}, {}, {})
    selection.follow(jaxpr, "")
    assert selection.marks(jaxpr, ()).equations == {"f": frozenset({1})}

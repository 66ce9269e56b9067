"""Recordings on disk: what is written is read, and nothing else is."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

from explorer.library import recording_file
from explorer.library.code_files import UnreadableCode
from explorer.library.recording_file import ABOUT, LENSES, REPORT
from explorer.messages import Array, Calls, Cause, Curve, Iterations, Picture, Report, Span
from explorer.messages.recorded_run import RecordedRun, RecordingOrigin
from explorer.messages.tables import Cell, Chip, Grid, Lens, Piece, Row, Share, Stack, Strip
from explorer.text.text import Text, say, verbatim
from tests.library.damage import FORMS, damage
from tests.library.hostile_recordings import bomb, hostile, unzipped, zipped
from tests.library.recorded import MEMORY, SOURCE, recorded
from tests.library.small_programs import PROGRAMS, START

ABOUT_IT = RecordingOrigin(
    "train.py", "2026-11-27T01:47:18+00:00", "0.1.0", "3.11.7", "0.10.2", "Linux x86_64", ("cpu",)
)


def picture(values: Array, **changed: object) -> Picture:
    shape = values.shape
    fields = {"axis": 0, "groups": Array.of(np.arange(abs(min(shape[0], 100)), dtype=np.int32)), "distinct": shape[0]}
    fields |= changed
    return Picture("output", "output", shape, "float32", values, verdict=say("4 rows"), **fields)  # type: ignore[arg-type]


def run_with(picture: Picture) -> RecordedRun:
    report = Report("<module>", "ok", pictures=(picture,))
    return RecordedRun(ABOUT_IT, "x = 1\n", report)


def written(tmp_path: Path, run: RecordedRun) -> Path:
    path = tmp_path / "run.jaxrec"
    recording_file.write(path, run)
    return path


def changed(tmp_path: Path, name: str, change: Callable[[bytes], bytes]) -> Path:
    """Return a recording in which the content of one file was changed, or which lacks it without content."""
    path = written(tmp_path, recorded())
    files = unzipped(path.read_bytes())
    files[name] = change(files[name])
    path.write_bytes(zipped({name: content for name, content in files.items() if content}))
    return path


@pytest.mark.rest
def test_a_recording_is_read_as_it_was_written(tmp_path: Path) -> None:
    run = recorded()
    read = recording_file.read(written(tmp_path, run))
    assert (read.about, read.source) == (run.about, run.source)
    before, after = run.report, read.report
    assert np.array_equal(before.keys.data.numpy(), after.keys.data.numpy())
    assert before.findings == after.findings


def test_a_newer_format_is_refused_with_a_sentence(tmp_path: Path) -> None:
    path = changed(tmp_path, ABOUT, lambda about: json.dumps({**json.loads(about), "format": 99}).encode())
    with pytest.raises(UnreadableCode, match="made by a newer JAX Explorer"):
        recording_file.read(path)


def test_fields_of_a_later_version_are_no_obstacle(tmp_path: Path) -> None:
    path = changed(tmp_path, ABOUT, lambda about: about.replace(b"{", b'{"later": [1, 2], ', 1))
    assert recording_file.read(path).about == recorded().about


def test_what_is_too_large_is_left_out_and_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(0).normal(size=(100, 1000)).astype(np.float32)
    monkeypatch.setitem(recording_file.MOST_UNPACKED, REPORT, 100_000)
    read = recording_file.read(written(tmp_path, run_with(picture(Array.of(rows)))))
    assert read.report.pictures is None
    assert list(map(str, read.about.left_out)) == ["The arrays were too large for the file."]


def calls(**changed: Any) -> Calls:
    """Return curves of 1,000 calls, whose first value that is not finite is that of call 3."""
    column, none = Array.of(np.ones(500)), Array.of(np.zeros(500, np.int64))
    curve = Curve("output", "loss", "f32[]", -1, 1, column, column, column, column, none, 2)
    curve = msgspec.structs.replace(curve, **{name: changed.pop(name) for name in IN_CURVE if name in changed})
    found = Iterations("calls", 1000, 0, Array.of(np.arange(1, 1000, 2)), (curve,), first_not_finite=2)
    path = changed.pop("path", (Span(1, 0, 1, 5),))
    cause = changed.pop("cause", Cause(2, verbatim("here"), Span(1, 0, 1, 5)))
    return Calls("step", path, msgspec.structs.replace(found, **changed), cause)


IN_CURVE = ("equation", "size", "least", "norm", "not_finite")
ODD_CALLS: dict[str, dict[str, Any]] = {
    "nowhere": {"path": ()},
    "a loop of JAX": {"primitive": "scan"},
    "no curves": {"curves": ()},
    "fewer calls than points": {"length": 499},
    "more calls than points": {"length": 10_000},
    "calls without end": {"length": 2**62},
    "negative": {"length": -1},
    "a stride of nothing": {"numbers": Array.of(np.arange(-1, 499))},
    "points in disorder": {"numbers": Array.of(np.arange(999, 0, -2))},
    "points that are no numbers": {"numbers": Array.of(np.arange(1.0, 1000, 2))},
    "a table of points": {"numbers": Array.of(np.arange(1, 1000, 2).reshape(2, 250))},
    "no points": {"numbers": Array.of(np.zeros(0, np.int64))},
    "another first": {"origin": -2},
    "a first that is not there": {"first_not_finite": 1000},
    "around a loop": {"around": 1},
    "an equation": {"equation": 0},
    "an origin": {"origin": 0},
    "hidden arrays": {"left_out": 1},
    "a cause in a later call": {"cause": Cause(3, verbatim("later"))},
    "large arrays": {"size": 4},
    "a shorter column": {"norm": Array.of(np.ones(499))},
    "a column of whole numbers": {"least": Array.of(np.ones(500, np.int64))},
    "more bad elements than elements": {"not_finite": Array.of(np.full(500, 2))},
    "fewer than none": {"not_finite": Array.of(np.full(500, -1))},
}


@pytest.mark.parametrize("odd", ODD_CALLS.values(), ids=ODD_CALLS)
def test_curves_that_do_not_fit_their_calls_are_not_opened(tmp_path: Path, odd: dict[str, Any]) -> None:
    def run(found: Calls) -> RecordedRun:
        return RecordedRun(ABOUT_IT, "x = 1\n", Report("<module>", "ok", calls=(found,)))

    assert recording_file.read(written(tmp_path, run(calls()))).report.calls[0].iterations.stride == 2
    with pytest.raises(UnreadableCode, match="a curve does not fit its calls"):
        recording_file.read(written(tmp_path, run(calls(**odd))))


def test_a_recording_of_an_earlier_version_has_no_curves_and_no_lenses(tmp_path: Path) -> None:
    def without_calls(report: bytes) -> bytes:
        return msgspec.msgpack.encode({k: v for k, v in msgspec.msgpack.decode(report).items() if k != "calls"})

    assert recording_file.read(written(tmp_path, recorded())).lenses == recorded().lenses
    assert recording_file.read(changed(tmp_path, REPORT, without_calls)).report.calls == ()
    assert recording_file.read(changed(tmp_path, LENSES, lambda _: b"")).lenses == ()


def test_too_large_lenses_are_left_out_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(recording_file.MOST_UNPACKED, LENSES, 100)
    read = recording_file.read(written(tmp_path, recorded()))
    assert read.lenses == ()
    assert read.report.pictures
    assert list(map(str, read.about.left_out)) == ["The lenses were too large for the file."]


ROWS = Array.of(np.zeros((4, 3), np.float32) + np.arange(3, dtype=np.float32))
WRONG = {
    "objects": picture(Array("|O", (4, 3), ROWS.data)),
    "longer than its values": picture(Array("<f4", (400, 3), ROWS.data)),
    "huge, from one value": picture(
        Array("<f4", (2**30, 2**20), memoryview(b"\0\0\0\0")), groups=Array.of(np.arange(4))
    ),
    "negative": picture(Array("<f4", (-4, -3), ROWS.data), groups=Array.of(np.arange(4))),
    "rows that are not there": picture(ROWS, groups=Array.of(np.arange(9))),
    "an axis that is not there": picture(ROWS, axis=2),
    "attributes of a part": picture(ROWS, note=Text("{words.__class__}", (("words", "x"),))),
    "a format that fills the memory": picture(ROWS, note=Text("{words:>999999999}", (("words", 1),))),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_what_does_not_fit_together_is_not_opened(tmp_path: Path, wrong: Picture) -> None:
    assert recording_file.read(written(tmp_path, run_with(picture(ROWS))))
    with pytest.raises(UnreadableCode, match=r"run\.jaxrec is damaged"):
        recording_file.read(written(tmp_path, run_with(wrong)))


def table(**changed: Any) -> Lens:
    return replace(MEMORY, table=replace(MEMORY.table, **changed))


def stack(**changed: Any) -> Lens:
    return table(stack=replace(cast("Stack", MEMORY.table.stack), **changed))


def cell(found: Cell) -> Lens:
    first, *others = MEMORY.table.rows
    return table(rows=(replace(first, cells=(found, Cell(), Cell())), *others))


WRONG_LENSES: dict[str, Lens] = {
    "a line after the end": table(rows=(replace(MEMORY.table.rows[0], line=99),)),
    "lines of other moments": stack(lines=(6, 6)),
    "moments without end": stack(moments=2**40),
    "a stretch that ends before it begins": stack(strips=(Strip(0, 1.0, ((2, 1, 0.0),)),)),
    "a moment after the end": stack(strips=(Strip(0, 1.0, ((2, 4, 0.0),)),)),
    "a strip that is never there": stack(strips=(Strip(0, 1.0, ()),)),
    "a strip of no row": stack(strips=(Strip(2, 1.0, ((0, 1, 0.0),)),)),
    "too many stretches": stack(strips=(Strip(0, 1.0, ((0, 1, 0.0),) * 1_000_001),)),
    "a peak that is nowhere": stack(peak=4),
    "a huge buffer": stack(strips=(Strip(0, 2.0**60, ((0, 1, 0.0),)),)),
    "a height that is none": stack(top=float("nan")),
    "too many rows": table(rows=MEMORY.table.rows * 50_001),
    "a row without cells": table(rows=(Row(()),)),
    "a column without a share": table(shares=(1.0,)),
    "more than a whole bar": cell(Cell(bar=1.5)),
    "a mark that ends before it begins": cell(Cell((Piece("x", chips=(Chip(3, 1, 0),)),))),
    "a grid without columns": cell(Cell(grid=Grid(0, ((Share(0),),)))),
    "a grid without end": cell(Cell(grid=Grid(1, ((Share(0),) * 100_001,)))),
}


@pytest.mark.parametrize("wrong", WRONG_LENSES.values(), ids=WRONG_LENSES)
def test_a_lens_that_does_not_fit_is_not_opened(tmp_path: Path, wrong: Lens) -> None:
    (answer,) = recorded().lenses
    run = replace(recorded(), lenses=(replace(answer, lens=wrong),))
    with pytest.raises(UnreadableCode, match=r"run\.jaxrec is damaged"):
        recording_file.read(written(tmp_path, run))


@pytest.mark.parametrize("name", ["no lens", "../x"])
def test_a_lens_of_another_name_is_not_opened(tmp_path: Path, name: str) -> None:
    (answer,) = recorded().lenses
    for lenses in ((replace(answer, name=name),), (answer, answer), (replace(answer, variant="f"),)):
        with pytest.raises(UnreadableCode, match=r"run\.jaxrec is damaged"):
            recording_file.read(written(tmp_path, replace(recorded(), lenses=lenses)))


@pytest.mark.parametrize("form", [each for each in FORMS if each != "no Unicode"])
def test_a_damaged_file_is_a_sentence(tmp_path: Path, form: str) -> None:
    path = written(tmp_path, recorded())
    damage(path, form)
    with pytest.raises(UnreadableCode, match=r"run\.jaxrec"):
        recording_file.read(path)


@pytest.mark.rest
@pytest.mark.parametrize("source", [SOURCE, START + PROGRAMS["a training loop"]], ids=["keys", "curves"])
def test_hostile_recordings_are_read_or_refused_in_a_sentence(tmp_path: Path, source: str) -> None:
    path = written(tmp_path, recorded(source))
    sentences = []
    for content in hostile(path.read_bytes(), 500, seed=36):
        path.write_bytes(content)
        try:
            recording_file.read(path)
        except UnreadableCode as error:
            sentences.append(str(error))
    assert len(sentences) > 250
    assert all(each.startswith("run.jaxrec is") for each in sentences)


@pytest.mark.rest
def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    path = written(tmp_path, recorded())
    path.write_bytes(bomb(path.read_bytes()))
    with pytest.raises(UnreadableCode, match="a broken one"):
        recording_file.read(path)

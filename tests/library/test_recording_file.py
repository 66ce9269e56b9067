"""Recordings on disk: what is written is read, and nothing else is."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from explorer.library import recording_file
from explorer.library.code_files import UnreadableCode
from explorer.library.recording_file import ABOUT, REPORT
from explorer.messages import Array, Calls, Cause, Curve, Iterations, Picture, Report, Span
from explorer.messages.recorded_run import RecordedRun, RecordingOrigin
from explorer.text.text import Text, say, verbatim
from tests.library.damage import FORMS, damage
from tests.library.hostile_recordings import bomb, hostile, unzipped, zipped
from tests.library.recorded import SOURCE, recorded
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


def test_recordings_of_earlier_versions_are_read(tmp_path: Path) -> None:
    def without_calls(report: bytes) -> bytes:
        return msgspec.msgpack.encode({k: v for k, v in msgspec.msgpack.decode(report).items() if k != "calls"})

    assert recording_file.read(changed(tmp_path, REPORT, without_calls)).report.calls == ()
    # They had the lenses of a jitted function.
    path = written(tmp_path, recorded())
    path.write_bytes(zipped({**unzipped(path.read_bytes()), "lenses.msgpack": b"no longer read"}))
    assert recording_file.read(path) == recorded()


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

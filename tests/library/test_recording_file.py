"""Recordings on disk: what is written is read, and nothing else is."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from explorer.library import recording_file
from explorer.library.code_files import UnreadableCode
from explorer.library.recording_file import ABOUT, REPORT
from explorer.messages import Array, Picture, Report
from explorer.messages.recorded_run import About, RecordedRun
from explorer.text.text import Text, say
from tests.library.damage import FORMS, damage
from tests.library.hostile_recordings import SLOW_WAYS, hostile, unzipped, zipped
from tests.library.recorded import recorded

ABOUT_IT = About("train.py", "2026-11-27T01:47:18+00:00", "0.1.0", "3.11.7", "0.10.2", "Linux x86_64", ("cpu",))


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


def test_a_recording_is_read_as_it_was_written(tmp_path: Path) -> None:
    run = recorded()
    read = recording_file.read(written(tmp_path, run))
    assert (read.about, read.source) == (run.about, run.source)
    before, after = run.report, read.report
    assert before.keys is not None
    assert after.keys is not None
    assert np.array_equal(before.keys.data.numpy(), after.keys.data.numpy())
    assert before.findings == after.findings


def test_a_newer_format_is_refused_with_a_sentence(tmp_path: Path) -> None:
    path = written(tmp_path, recorded())
    files = unzipped(path.read_bytes())
    about = {**json.loads(files[ABOUT]), "format": 99}
    path.write_bytes(zipped({**files, ABOUT: json.dumps(about).encode()}))
    with pytest.raises(UnreadableCode, match="made by a newer JAX Explorer"):
        recording_file.read(path)


def test_fields_of_a_later_version_are_no_obstacle(tmp_path: Path) -> None:
    path = written(tmp_path, recorded())
    files = unzipped(path.read_bytes())
    path.write_bytes(zipped({**files, ABOUT: files[ABOUT].replace(b"{", b'{"later": [1, 2], ', 1)}))
    assert recording_file.read(path).about == recorded().about


def test_what_is_too_large_is_left_out_and_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(0).normal(size=(100, 1000)).astype(np.float32)
    monkeypatch.setitem(recording_file.MOST_UNPACKED, REPORT, 100_000)
    read = recording_file.read(written(tmp_path, run_with(picture(Array.of(rows)))))
    assert read.report.pictures is None
    assert list(map(str, read.about.left_out)) == ["The arrays were too large for the file."]


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


def test_hostile_recordings_are_read_or_refused_in_a_sentence(tmp_path: Path) -> None:
    path = written(tmp_path, recorded())
    sentences = []
    for content in hostile(path.read_bytes(), 500, seed=36):
        path.write_bytes(content)
        try:
            recording_file.read(path)
        except UnreadableCode as error:
            sentences.append(str(error))
    assert len(sentences) > 250
    assert all(each.startswith("run.jaxrec is") for each in sentences)


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    path = written(tmp_path, recorded())
    for way in SLOW_WAYS:
        path.write_bytes(way(path.read_bytes(), None))  # type: ignore[arg-type]
        with pytest.raises(UnreadableCode, match="a broken one"):
            recording_file.read(path)

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import msgspec
import pytest

from explorer.commands.timing import LINE_WIDTH, ProgressBar
from explorer.commands.timing_report import BadRecord, Record, differences, ratio_text, read, table
from explorer.figures.curves import Ratio
from explorer.messages import Measurement, Note
from explorer.text.text import verbatim
from tests.figures.measured import measured


def point(middle: float | None, half: float = 0.01, **others: Any) -> dict[str, Any]:
    known = {} if middle is None else {"low_s": middle * (1 - half), "high_s": middle * (1 + half)}
    return {"variant": "f", "transforms": ["jit"], "parameters": {"n": 8}, "median_s": middle, **known, **others}


def record(*points: dict[str, Any], **circumstances: str) -> Record:
    fields = {"jax": "0.10.2", "python": "3.11", "machine": "here", "device": "cpu:0", **circumstances}
    return msgspec.convert({**fields, "points": list(points)}, Record)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (point(1.0), point(1.0), "f jit n=8: no measurable difference: about the same time (0.98 to 1.02)"),
        (point(1.0, 0.2), point(1.3, 0.2), "no measurable difference"),
        (point(1.0), point(1.2), "two processes may differ by that"),
        (point(1.0), point(2.0), "slower: 2 times the earlier time (1.96 to 2.04)"),
        (point(2.0), point(1.0), "faster: 0.5 times the earlier time"),
        (point(1.0), point(None), "no figure now"),
        (point(None), point(None), "no figure then and now"),
        (point(1.0, low_s=None), point(3.0), "3 times the earlier time, from too few samples"),
        (point(1.0, parameters={"n": 9}), point(1.0), "not timed then"),
    ],
)
def test_a_change_is_reported_as_one_only_beyond_noise(old: dict[str, Any], new: dict[str, Any], words: str) -> None:
    assert words in next(differences(record(old), record(new)))


@pytest.mark.parametrize("name", ["jax", "python", "machine", "device"])
def test_runs_under_other_circumstances_cannot_be_compared_honestly(name: str) -> None:
    first, *_ = differences(record(point(1.0)), record(point(1.0), **{name: "another"}))
    assert first.startswith("These runs cannot be compared honestly: ")
    assert f"{name} " in first
    assert "another now" in first


def test_what_is_no_longer_timed_is_reported() -> None:
    assert list(differences(record(point(1.0)), record())) == ["f jit n=8: not timed now"]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"points": 3}'])
def test_a_file_that_is_no_record_is_refused_in_words(tmp_path: Path, text: str) -> None:
    path = tmp_path / "old.json"
    path.write_text(text)
    with pytest.raises(BadRecord, match=r"is not the JSON that"):
        read(str(path))
    with pytest.raises(BadRecord, match="cannot be read"):
        read(str(tmp_path / "missing.json"))


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_a_bar_that_grows_and_goes_away() -> None:
    terminal = Terminal()
    progress = ProgressBar(terminal, 2)
    for n in (8, 16):
        progress.show(Measurement(1, "f" * 90, ("jit",), {"n": n}, "cpu:0", median_s=1e-6))
    progress.end()
    first, second, blank = (line for line in terminal.getvalue().split("\r") if line)
    assert "1 of 2" in first
    assert "2 of 2" in second
    assert first.count("#") * 2 == second.count("#")
    assert {len(first), len(second), len(blank)} == {LINE_WIDTH}
    assert not blank.strip()


def test_a_file_gets_a_line_for_each_point() -> None:
    log = io.StringIO()
    progress = ProgressBar(log, 1)
    progress.show(Measurement(1, "f", ("jit",), {"n": 8}, "cpu:0", median_s=1e-6))
    progress.end()
    assert log.getvalue() == "timed f jit n=8: 1.00 µs\n"


def test_the_table_compares_each_row_with_the_first_of_its_place_and_shows_once_what_is_the_same() -> None:
    points = (("f", 8, 2e-3), ("g", 8, 1e-3), ("f", 64, None), ("g", 64, 1e-3))
    fields = table([measured(variant, "jit", n, median_s) for variant, n, median_s in points])
    heading, *rows, under = fields.splitlines()
    assert heading.split("  ")[-1].strip() == "against f (jit)"
    assert rows == [
        "f        jit  n=8   2.00 ms  1.80 ms to 2.20 ms",
        "g        jit  n=8   1.00 ms  900 µs to 1.10 ms   2.00 times faster",
        "f        jit  n=64",
        "g        jit  n=64  1.00 ms  900 µs to 1.10 ms",
    ]
    assert under == "cpu:0; seed=0"


@pytest.mark.parametrize(
    ("ratio", "words"),
    [
        (Ratio(2.0), "about 2.0 times faster"),
        (Ratio(0.25, 0.2, 0.3), "3.3 to 5.0 times slower"),
        (Ratio(0.97), "about as fast"),
        (None, ""),
    ],
)
def test_a_ratio_has_the_digits_that_its_interval_supports(ratio: Ratio | None, words: str) -> None:
    assert ratio_text(ratio) == words


def test_the_table_compares_no_function_with_itself_where_jit_cannot_be_left_out() -> None:
    note = Note("always jitted", verbatim("it has no version without jit"))
    eager = measured("f", "eager", 8, 2e-3, notes=(note,))
    lines = table([eager, measured("f", "jit", 8, 2e-3), measured("g", "jit", 8, 1e-3)]).splitlines()
    assert "it has no version without jit" in lines[1]
    assert "no difference" not in lines[2]
    assert "2.00 times faster" in lines[3]

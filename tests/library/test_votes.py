"""Votes are kept without names, one at a time."""

from __future__ import annotations

import csv
import io
from datetime import datetime
from pathlib import Path

import pytest

from explorer.library import paths, votes
from explorer.library.votes import Ballot, Votes

NOW = datetime(2026, 11, 23, 9, 5, 7)


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "new" / "votes.jsonl"
    monkeypatch.setattr(paths, "votes_file", lambda: path)
    return path


def ballot(saved: Votes, question: str = "How many?") -> Ballot:
    return saved.begin("seed_and_key", 2, question, ("=1", "two", "three"), NOW)


def test_each_hand_is_on_disk_as_soon_as_it_is_counted(file: Path) -> None:
    saved = Votes(on_disk=True)
    asked = ballot(saved)
    for choice, hands in ((0, 1), (1, 1), (1, 1), (1, -1)):
        assert saved.count(asked, choice, hands)
        assert [each.rounds for each in votes.read(file)] == [asked.rounds]
    assert file.stat().st_mode & 0o077 == 0


def test_no_more_hands_are_taken_back_than_were_counted_nor_for_what_is_no_choice() -> None:
    saved = Votes(on_disk=True)
    asked = ballot(saved)
    assert not saved.count(asked, 0, -1)
    assert not saved.count(asked, 3, 1)
    assert asked.hands() == 0
    assert saved.all() == ()


def test_a_vote_again_is_a_vote_of_its_own(file: Path) -> None:
    saved = Votes(on_disk=True)
    asked = ballot(saved)
    saved.count(asked, 0, 1)
    asked.rounds.append([0, 0, 0])
    saved.count(asked, 1, 1)
    saved.tell_right(asked, (False, True, False))
    (again,) = votes.read(file)
    assert (again.rounds, again.right) == ([[1, 0, 0], [0, 1, 0]], (False, True, False))


def test_a_line_that_was_cut_off_takes_no_other_with_it(file: Path) -> None:
    saved = Votes(on_disk=True)
    asked = ballot(saved)
    saved.count(asked, 0, 1)
    whole = file.read_bytes()
    for end in range(len(whole)):
        file.write_bytes(whole[:end] + b"\n\xff{}\n" + whole)
        assert votes.read(file)[-1].choices == asked.choices
    file.write_bytes(whole + whole[:5])
    ballot(Votes(on_disk=True), "Which?")
    assert [each.question for each in votes.read(file)] == ["How many?", "Which?"]


def test_the_table_has_a_line_for_each_choice_of_each_vote() -> None:
    saved = Votes(on_disk=False)
    asked = ballot(saved, "Why,\nthen?")
    saved.count(asked, 1, 1)
    saved.count(asked, 2, 1)
    asked.rounds.append([0, 0, 0])
    saved.tell_right(asked, (False, True, False))
    ballot(saved)
    rows = list(csv.reader(io.StringIO(votes.as_csv(saved.all()))))
    about = ["2026-11-23", "09:05", "seed_and_key", "2", "Why,\nthen?", "1"]
    assert tuple(rows[0]) == votes.HEADINGS
    assert rows[1:] == [
        [*about, "A", "'=1", "no", "0", "0.0"],
        [*about, "B", "two", "yes", "1", "0.5"],
        [*about, "C", "three", "no", "1", "0.5"],
    ]


def test_a_disk_that_cannot_be_written_stops_nothing(file: Path) -> None:
    file.parent.write_text("a file where the folder should be")
    saved = Votes(on_disk=True)
    asked = ballot(saved)
    assert saved.count(asked, 0, 1)
    assert asked.hands() == 1

"""Many files at once: which are checked, that none harms another, and the report on each."""

from __future__ import annotations

import csv
import json
import os
import sys
import tempfile
from pathlib import Path

import pytest

from explorer import cli
from explorer.commands import check, homework, targets
from explorer.commands.in_ci.output import OutputOptions
from explorer.library import library
from explorer.messages import Report, Request, Snapshot
from tests.commands.handed_in import LESSON, hand_in, programs
from tests.commands.programs import endless, interrupted
from tests.scenario.lessons import exercise

CODE = "def one():\n    return 1\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with two files, a lesson, a student's folder and an unrelated file."""
    place = tmp_path / "all"
    for path in ("b.py", "a.py", "lesson/code.py", "kim/answer.py", ".venv/lib.py", "__pycache__/x.py", "__init__.py"):
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_text(CODE)
    (place / "notes.txt").write_text("x")
    return place


def fake_answers(request: Request, worker: check.CheckWorker) -> Snapshot:
    """Answer at once; a program that says so cannot be checked."""
    if "trouble" in request.source:
        raise RuntimeError("no more processes")
    return Snapshot(1, "cpu:0", True, reports=(Report("bug", "ok", findings=()),))


@pytest.fixture
def no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "run_all", fake_answers)


def rows(table: Path) -> list[list[str]]:
    with table.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_a_folder_stands_for_its_files_and_lessons_and_what_was_handed_in_for_every_file(folder: Path) -> None:
    names = [Path(each.name).relative_to(folder).as_posix() for each in targets.read([str(folder)], handed_in=False)]
    assert names == ["a.py", "b.py", "lesson"]
    names = [each.name for each in targets.read([str(folder)], handed_in=True)]
    assert names == ["a.py", "b.py", "kim/answer.py", "lesson/code.py"]
    named = [str(folder / "b.py"), str(folder), str(folder / "b.py")]
    found = targets.read(named, handed_in=False)
    assert [Path(each.name).name for each in found] == ["b.py", "a.py", "lesson"]
    assert all(each.scenario.source == CODE for each in found)


def test_one_target_is_what_it_was_and_a_course_stands_for_its_lessons(folder: Path) -> None:
    assert [targets.is_many(each) for each in (str(folder), "lecture_45")] == [True, True]
    single = ("one_key_for_the_batch", str(folder / "a.py"), str(folder / "lesson"), str(folder / "gone"), "gone", "\0")
    assert not any(targets.is_many(each) for each in single)
    (folder / "empty").mkdir()
    assert not targets.is_many(str(folder / "empty"))
    ours = targets.read(["lecture_45"], handed_in=False)
    assert len(ours) == 5
    assert {each.name for each in ours} <= {each.id for each in library.built_in()}
    (folder / "course.toml").write_text('title = { en = "Mine" }\nlessons = ["lesson", "gone"]\n')
    lesson, problem = targets.read([str(folder)], handed_in=False)
    assert (lesson.scenario.problem, problem.scenario.problem) == ("", "course.toml, line 2: there is no lesson gone.")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["lecture_45", "no_such_scenario"], "There is no scenario or file named no_such_scenario."),
        (["lecture_45", "--lesson", "no_such_lesson"], "no_such_lesson"),
        (["lecture_45", "--lesson", LESSON, "--csv", "no/such/folder/marks.csv"], "marks.csv cannot be written."),
        (["lecture_45", "--csv", "."], ". cannot be written."),
        (["lecture_45", "--timeout", "0"], "--timeout 0 is not a number of seconds"),
        (["EMPTY", "--lesson", LESSON], "There is no Python file in "),
        (["lecture_45", "--set", "none=3"], "`inputs` has no parameter none."),
        (["OWN", "--lesson", "OWN"], "has no exercises."),
    ],
)
def test_what_cannot_be_done_is_reported_before_anything_runs(
    tmp_path: Path, words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "own.py"
    own.write_text(CODE)
    (tmp_path / "empty").mkdir()
    places = {"EMPTY": str(tmp_path / "empty"), "OWN": str(own)}
    assert cli.main(["check", *(places.get(word, word) for word in words)]) == 2
    printed = capsys.readouterr()
    assert sentence in printed.err
    assert printed.out == ""


@pytest.mark.parametrize(
    ("conditions", "mark"),
    [
        (("bugs == 0",), "done"),
        (("bugs == 0", "printed == 1"), "not done"),
        (("bugs == 0", "ratio bug:jit bug:eager < 1"), "not timed"),
        (("printed == 1", "ratio bug:jit bug:eager < 1"), "not done"),
        (("draws == 1",), "not done"),
    ],
)
@pytest.mark.usefixtures("no_worker")
def test_an_exercise_is_done_when_all_its_conditions_hold(conditions: tuple[str, ...], mark: str) -> None:
    lesson = exercise(*conditions)
    (target,) = targets.read([LESSON], handed_in=True)
    found = homework.outcome(target, homework.Options(lesson))
    assert [each.word for each in found.exercises] == [mark]
    assert found.exit_code == (0 if mark == "done" else 1)


@pytest.mark.usefixtures("no_worker")
def test_what_cannot_be_checked_costs_only_itself_and_the_table_finds_its_folder_gone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "handed_in"
    place.mkdir()
    for name in ("=a.py", "b.py", "c.py"):
        (place / name).write_text("trouble = 1\n" if name == "b.py" else CODE)
    found = targets.read([str(place)], handed_in=True)
    table = tmp_path / "gone" / "marks.csv"
    assert homework.run(found, homework.Options(exercise("bugs == 0")), output=OutputOptions(), table=table) == 2
    head, *lines = rows(table)
    assert head == ["file", "exercise 1", "bugs", "warnings", "error", "line", "timeout", "seconds"]
    assert [line[:-1] for line in lines] == [
        ["'=a.py", "done", "0", "0", "", "", "no"],
        ["b.py", "not done", "0", "0", "RuntimeError", "", "no"],
        ["c.py", "done", "0", "0", "", "", "no"],
    ]
    assert capsys.readouterr().out.splitlines()[-1] == "3 checked: exercise 1: 2 of 3"


@pytest.mark.usefixtures("no_worker")
def test_a_table_that_cannot_be_written_is_not_lost(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = targets.read([LESSON], handed_in=True)
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="file"):
        homework.run(
            found, homework.Options(exercise("bugs == 0")), output=OutputOptions(), table=tmp_path / "file" / "x.csv"
        )
    assert f"\n{LESSON},done,0,0,,,no," in capsys.readouterr().err


@pytest.mark.rest
@pytest.mark.process
def test_each_students_file_has_its_line_whatever_another_does(tmp_path: Path) -> None:
    folder, table = tmp_path / "students", tmp_path / "marks" / "marks.csv"
    table.parent.mkdir()
    kinds = ("aborts_later", "has_temporary_files_of_its_own", "latin", "removes_its_folder", "removes_the_table")
    everything = programs(table.parent)
    hand_in(folder, {kind: everything[kind] for kind in kinds})
    assert cli.main(["check", str(folder), "--lesson", LESSON, "--csv", str(table)]) == 2
    assert [line[:-1] for line in rows(table)[1:]] == [[f"{kind}.py", *everything[kind][1]] for kind in kinds]
    assert len(list(folder.iterdir())) == len(kinds)


@pytest.mark.usefixtures("no_worker")
def test_a_file_is_checked_when_the_folder_of_temporary_files_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary" / "files"))
    (tmp_path / "a.py").write_text(CODE)
    (found,) = targets.read([str(tmp_path / "a.py")], handed_in=True)
    outcome = homework.outcome(found, homework.Options(exercise("bugs == 0")))
    assert (outcome.error, [each.word for each in outcome.exercises]) == ("", ["done"])


@pytest.mark.rest
@pytest.mark.process
def test_an_endless_loop_costs_its_own_limit_and_all_is_reported_in_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "endless.py").write_text("while True: pass\n")
    (tmp_path / "fine.py").write_text(CODE)
    (tmp_path / "two.py").write_text("def a():\n    while True: pass\ndef b():\n    while True: pass\n")
    files = [str(tmp_path / name) for name in ("two.py", "endless.py", "fine.py")]
    assert cli.main(["check", *files, "--timeout", "4", "--json"]) == 2
    records = json.loads(capsys.readouterr().out)
    assert [each["target"] for each in records] == files
    two, endless, fine = records
    assert (endless["error"]["type"], fine["error"], fine["exit_code"]) == ("Timeout", None, 0)
    assert [each["status"] for each in two["variants"]] == ["timeout", "timeout"]


@pytest.mark.rest
@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is another thing there")
def test_ctrl_c_ends_all_of_them(tmp_path: Path) -> None:
    begun = [tmp_path / "begun_a", tmp_path / "begun_b"]
    for each in begun:
        each.with_suffix(".py").write_text(endless(each))
    own = tmp_path / "temporary"
    own.mkdir()
    environment = {**os.environ, "TMPDIR": str(own)}
    assert interrupted(["check", str(tmp_path)], *begun, env=environment) == (2, "jax-explorer: stopped\n")
    assert not any(own.glob("jax-explorer-*"))

"""Changed lines, compared with a repository that is made here."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from explorer.commands import on_changed_lines, repository
from explorer.messages import Finding, Report, Span
from explorer.messages.coverage import Coverage
from tests.commands.programs import write


class Repository:
    """A repository with one commit, on a branch ``main``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.git("init", "-q", "-b", "main")

    def git(self, *words: str) -> None:
        identity = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *identity, *words], cwd=self.folder, check=True, capture_output=True)

    def write(self, name: str, *lines: str) -> None:
        write(self.folder, name, "".join(f"{line}\n" for line in lines))

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-qm", "a step")


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    made = Repository(tmp_path)
    made.write("src/ä b.py", "one", "two", "three")
    made.write("same.py", "one")
    made.commit()
    monkeypatch.chdir(tmp_path / "src")
    return made


def lines_changed(changed: repository.ChangedLines, file: Path, last: int = 6) -> list[int]:
    spots = {line: Finding("nan", "bug", "", (Span(line, 0, line, 1),)) for line in range(1, last)}
    return [line for line, finding in spots.items() if changed.has(finding, str(file))]


def test_changed_lines_are_those_that_differ(made: Repository) -> None:
    made.write("src/ä b.py", "one", "2", "three", "four")
    changed = repository.changed("main")
    assert lines_changed(changed, made.folder / "src/ä b.py") == [2, 4]
    assert lines_changed(changed, made.folder / "same.py") == []


def test_a_file_that_git_does_not_know_is_changed_all_over(made: Repository) -> None:
    made.write("new.py", "one")
    assert lines_changed(repository.changed("HEAD"), made.folder / "new.py") == [1, 2, 3, 4, 5]


def test_what_changed_on_the_other_branch_meanwhile_is_not_ours(made: Repository) -> None:
    made.git("checkout", "-qb", "ours")
    made.write("same.py", "one", "two")
    made.commit()
    made.git("checkout", "-q", "main")
    made.write("src/ä b.py", "1", "2", "3")
    made.commit()
    made.git("checkout", "-q", "ours")
    changed = repository.changed("main")
    assert lines_changed(changed, made.folder / "src/ä b.py") == []
    assert lines_changed(changed, made.folder / "same.py") == [2]


def test_a_finding_counts_where_any_of_its_places_was_changed(made: Repository) -> None:
    made.write("src/ä b.py", "one", "two", "3")
    changed = repository.changed("main")
    file = str(made.folder / "src/ä b.py")
    assert changed.has(Finding("key-reuse", "bug", "", (Span(1, 0, 1, 1, file), Span(2, 0, 3, 1, file))))
    assert not changed.has(Finding("key-reuse", "bug", "", (Span(1, 0, 2, 1, file),)))


def test_what_cannot_be_asked_is_reported(made: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(repository.NoDifference, match="git knows no nowhere"):
        repository.changed("nowhere")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(repository.NoDifference, match="git could not be asked"):
        repository.changed("main")


def test_paths_are_from_the_top_of_the_repository(made: Repository, tmp_path: Path) -> None:
    assert repository.top() == tmp_path
    assert repository.relative("x.py", repository.top()) == "src/x.py"


def test_the_verdict_says_that_it_is_of_changed_lines(made: Repository) -> None:
    made.write("same.py", "1")
    bug, note = (
        Finding("key-reuse", level, "", (Span(line, 0, line, 1),)) for level, line in (("bug", 9), ("note", 1))
    )
    coverage = (
        Coverage("keys", "whole", "keys", "1 bug, 1 note", "bug"),
        Coverage("values", "whole", "values", "clean"),
    )
    report = Report("x", findings=(bug, note), coverage=coverage)
    narrow = on_changed_lines.report(report, repository.changed("main"), str(made.folder / "same.py"))
    assert narrow.findings == (note,)
    assert [look.words for look in narrow.coverage] == ["Keys: 1 note on changed lines", "Values: clean"]

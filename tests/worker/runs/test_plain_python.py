"""The results of a program equal those of plain Python: output, return values and files, each once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from explorer.messages import Printed, Report, Request, Snapshot
from tests.link.shared_worker import SharedWorker
from tests.worker.runs import plain_programs
from tests.worker.runs.plain_programs import Case

CASES = sorted(plain_programs.cases(), key=lambda each: each.kind != "process")
PLAIN = Path(__file__).with_name("plain_python.py")
PATIENCE_S = 60.0


class Plain:
    """All programs as plain Python runs them, in one process next to the worker's."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        jobs = []
        for case in CASES:
            path = case.write(folder / case.name)
            jobs += [
                {"name": case.name, "kind": case.kind, "variant": variant, "path": str(path)}
                for variant in case.variants
            ]
        (folder / "jobs.json").write_text(json.dumps(jobs))
        command = [sys.executable, str(PLAIN), str(folder / "jobs.json")]
        self._process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
        self._answers: dict[tuple[str, str], dict[str, Any]] = {}

    def of(self, case: Case, variant: str) -> dict[str, Any]:
        """Wait for the answer of plain Python for `variant`, and return it."""
        while (case.name, variant) not in self._answers:
            answer = json.loads(self._process.stdout.readline())
            self._answers[answer["name"], answer["variant"]] = answer
        return self._answers[case.name, variant]

    def end(self) -> None:
        self._process.kill()
        self._process.communicate()


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Plain]:
    made = Plain(tmp_path_factory.mktemp("plain"))
    yield made
    made.end()


@pytest.mark.process
@pytest.mark.parametrize("case", CASES, ids=[each.name for each in CASES])
def test_a_program_does_once_what_it_does_in_plain_python(
    case: Case, worker: SharedWorker, plain: Plain, tmp_path: Path
) -> None:
    snapshot, streamed = asked(worker, case, tmp_path)
    assert snapshot.failure is None
    assert [each.name for each in snapshot.reports] == list(case.variants)
    for report in snapshot.reports:
        wanted = plain.of(case, report.name)
        where = str(plain._folder / case.name)
        assert report.printed == wanted["printed"].replace(where, str(tmp_path)), report.name
        assert _error(report) == wanted["error"], report.name
        assert _values(report) == wanted["values"], report.name
    loading = plain.of(case, case.variants[0])["loading"]
    assert streamed == loading + "".join(each.printed for each in snapshot.reports)
    assert _files(tmp_path) == _files(plain._folder / case.name)


def asked(worker: SharedWorker, case: Case, folder: Path) -> tuple[Snapshot, str]:
    """Return the last answer to all requests of the window about `case`, and the printed output."""
    path = case.write(folder)
    everything = dict.fromkeys(("draws", "fixes", "finding_fixes", "jax_checker", "traces", "value_checks"), True)
    request = Request(1, case.source, str(path), variants=case.variants, timeout_s=PATIENCE_S, **everything)
    messages = list(worker.ask(request, PATIENCE_S))
    last = messages[-1]
    assert isinstance(last, Snapshot)
    return last, "".join(each.text for each in messages if isinstance(each, Printed))


def _values(report: Report) -> list[Any]:
    outputs = [each for each in report.pictures or () if each.role == "output"]
    return [[each.dtype, each.values.numpy().tolist()] for each in outputs]


def _error(report: Report) -> str:
    return f"{report.failure.type}: {report.failure.message}" if report.failure else ""


def _files(folder: Path) -> dict[str, str]:
    """Return the paths of all files in `folder`, with their content as text."""
    found = {}
    for place, folders, files in os.walk(folder):
        folders[:] = [each for each in folders if each != "__pycache__"]
        here = Path(place)
        for name in (*folders, *files):
            path = here / name
            text = path.read_bytes().decode("latin-1") if path.is_file() else "a folder"
            found[str(path.relative_to(folder))] = text
    return found


SCRIPT = """
import atexit, jax.numpy as jnp
from pathlib import Path
atexit.register(print, "goodbye")
with Path(__file__).with_name("log.txt").open("a") as log:
    log.write("ran")
total = jnp.arange(3)
print("total", total.sum())
if __name__ == "__main__":
    print("as a script")
"""


@pytest.mark.rest
@pytest.mark.process
def test_a_script_runs_once_from_its_first_line_to_its_end(worker: SharedWorker, tmp_path: Path) -> None:
    case = Case("a script", "script", SCRIPT, {})
    snapshot, streamed = asked(worker, case, tmp_path)
    (tmp_path / "log.txt").rename(tmp_path / "told.txt")
    path = tmp_path / "program.py"
    plain = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=True, cwd=tmp_path).stdout
    (report,) = snapshot.reports
    assert report.printed == streamed == plain
    assert (tmp_path / "told.txt").read_text() == (tmp_path / "log.txt").read_text() == "ran"
    assert _values(report) == [["int32", [0, 1, 2]]]
